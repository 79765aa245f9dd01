"""KB84 figure 23: bias set to +1

The tangent is the source chord: the motion comes in straight, and follows through past the key (overshooting). Faint:
bias 0.
"""

from keypose import Key, KeyTimes, Motion, MotionPath
from keypose.plot.drawing import Drawing

POSITIONS = [(0, 0), (2, 3), (5, 1)]


def draw() -> Drawing:
    default = MotionPath([Key(position) for position in POSITIONS], adjust="none", ends="zero-chord")
    path = default.with_key(1, bias=1)
    drawing = Drawing(width=5.2, height=3.8)
    panel = drawing.panel().path(default, "faint").path(path, "path", width=1)
    panel.frames(Motion(path, KeyTimes.inbetweens([9, 9])))
    panel.keys(path, names=["$P_{i-1}$", "$P_i$", "$P_{i+1}$"])
    panel.vectors(path, 1, names=("$DS_i$", "$DD_i$"))
    return drawing
