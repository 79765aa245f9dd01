"""KB84 figure 13: default continuity

With continuity 0 the motion leaves the key with the tangent it arrived with.
"""

from keypose import Key, KeyTimes, Motion, MotionPath
from keypose.plot.drawing import Drawing

POSITIONS = [(0, 0), (2.5, 3), (5, 0)]


def draw() -> Drawing:
    path = MotionPath([Key(position) for position in POSITIONS], adjust="none", ends="zero-chord")
    drawing = Drawing(width=5.2, height=3.8)
    panel = drawing.panel().path(path, "path", width=1)
    panel.frames(Motion(path, KeyTimes.inbetweens([9, 9])))
    panel.keys(path, names=["$P_{i-1}$", "$P_i$", "$P_{i+1}$"])
    panel.vectors(path, 1, names=("$DS_i$", "$DD_i$"))
    return drawing
