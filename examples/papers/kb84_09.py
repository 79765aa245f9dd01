"""KB84 figure 9: the effect of increasing the tension parameter

With tension 1 the tangent has no length left: the curve is tight, and the frames crowd at the key. Faint: tension 0.
"""

from keypose import Key, KeyTimes, Motion, MotionPath
from keypose.plot.drawing import Drawing

POSITIONS = [(0, 0), (2.5, 3), (5, 0)]


def draw() -> Drawing:
    default = MotionPath([Key(position) for position in POSITIONS], adjust="none", ends="zero-chord")
    path = default.with_key(1, tension=1)
    drawing = Drawing(width=5.2, height=3.8)
    panel = drawing.panel().path(default, "faint").path(path, "path", width=1)
    panel.frames(Motion(path, KeyTimes.inbetweens([9, 9])))
    panel.keys(path, names=["$P_{i-1}$", "$P_i$", "$P_{i+1}$"])
    panel.label(POSITIONS[1], "$DS_i = DD_i = 0$", "leave")
    return drawing
