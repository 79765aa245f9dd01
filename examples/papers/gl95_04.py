"""GL95 figure 4: the effect of speed uniformization

Five segments that join with the same direction but not the same speed. At equal steps of the spline's parameter (a) the
ball races over long segments and crawls over short ones; at equal distances (b) it keeps one speed.
"""

from keypose import Key, KeyTimes, Motion, MotionPath
from keypose.plot.drawing import Drawing
from keypose.plot.film import Film

POSITIONS = [(0, 0), (0.7, 0.6), (3.0, 1.9), (3.9, 1.2), (3.4, 0.5), (6.2, 0.1)]
PATH = MotionPath([Key(position) for position in POSITIONS], adjust="length")
SECONDS = 2.5
MOTIONS = {
    "a  equal steps of the parameter": Motion(PATH, KeyTimes([0.0, 0.5, 1.0, 1.5, 2.0, SECONDS])),
    "b  equal distances": Motion(PATH, duration=SECONDS),
}


def draw() -> Drawing:
    drawing = Drawing(2, 1, width=4.2, height=2.2)
    for title, motion in MOTIONS.items():
        drawing.panel(title).path(PATH, "faint").frames(motion).keys(PATH, names=False)
    return drawing.align()


def film() -> Film:
    drawing = draw()
    moving = Film(drawing, seconds=SECONDS)
    for panel, motion in zip(drawing.panels, MOTIONS.values(), strict=True):
        moving.run(panel, motion)
    return moving
