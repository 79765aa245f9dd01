"""KB84 figure 5: the Catmull-Rom spline

The default spline: smooth in direction and speed. At each key its tangent is half of the way from the key before to the
key after, so it runs parallel to that chord.
"""

from keypose import Key, KeyTimes, Motion, MotionPath
from keypose.plot.drawing import Drawing

POSITIONS = [(0, 1.0), (1.1, 0), (2.9, 2.9), (4.8, 0.6), (5.8, 1.9)]


def draw() -> Drawing:
    path = MotionPath([Key(position) for position in POSITIONS], adjust="none")
    motion = Motion(path, KeyTimes.inbetweens([6, 6, 6, 6]))
    drawing = Drawing(width=5.6, height=3.2)
    panel = drawing.panel().line([POSITIONS[1], POSITIONS[3]], dashed=True).path(path, "faint").frames(motion)
    panel.keys(path, names=["", "$P_{i-1}$", "$P_i$", "$P_{i+1}$", ""])
    panel.vectors(path, 2, names=("", "$D_i$"), scale=1)
    return drawing
