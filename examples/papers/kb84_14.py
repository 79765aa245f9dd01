"""KB84 figure 14: the effect of decreasing the continuity parameter

With continuity −1 the tangents lie on the two chords: a corner, taken without slowing. Faint: continuity 0.
"""

from keypose import Key, KeyTimes, Motion, MotionPath
from keypose.plot.drawing import Drawing

POSITIONS = [(0, 0), (2.5, 3), (5, 0)]


def draw() -> Drawing:
    default = MotionPath([Key(position) for position in POSITIONS], adjust="none", ends="zero-chord")
    path = default.with_key(1, continuity=-1)
    drawing = Drawing(width=5.2, height=3.8)
    panel = drawing.panel().path(default, "faint").path(path, "path", width=1)
    panel.frames(Motion(path, KeyTimes.inbetweens([9, 9])))
    panel.keys(path, names=["$P_{i-1}$", "$P_i$", "$P_{i+1}$"])
    panel.vectors(path, 1, names=("$DS_i$", "$DD_i$"))
    return drawing
