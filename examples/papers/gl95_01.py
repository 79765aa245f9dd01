"""GL95 figure 1: a Hermite spline segment

Two end points and two tangents say it all: the curve leaves A along T_A and arrives at B along T_B, and the longer a
tangent is, the longer the curve keeps to it. (The arrows are half as long as the tangents.)
"""

from keypose import Key, MotionPath
from keypose.plot.drawing import Drawing

A, B = (0.0, 0.0), (4.0, 1.0)
TANGENT_A, TANGENT_B = (1.5, 4.5), (4.0, -1.5)


def draw() -> Drawing:
    path = MotionPath([Key(A, leave=TANGENT_A), Key(B, arrive=TANGENT_B)])
    tip_a, tip_b = path.at(0) + path.leave[0] / 2, path.at(1) + path.arrive[1] / 2
    drawing = Drawing(width=5.4, height=3.2)
    panel = drawing.panel().path(path, width=2.2)
    panel.arrow(A, tip_a, "leave").arrow(B, tip_b, "arrive").keys(path, names=False)
    panel.label(A, "A", "key", 10).label(B, "B", "key", 10)
    panel.label(tip_a, "T$_A$", "leave", 10).label(tip_b, "T$_B$", "arrive", 10)
    return drawing
