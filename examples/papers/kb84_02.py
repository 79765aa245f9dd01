"""KB84 figure 2: discontinuity in speed with linear interpolation

Two equal stretches of one straight line, with 10 inbetweens on the first and 5 on the second: at key 2 the speed nearly
doubles from one frame to the next.
"""

from keypose import Key, KeyTimes, Motion, MotionPath, effects
from keypose.plot.drawing import Drawing


def draw() -> Drawing:
    path = MotionPath([Key(position, **effects.linear) for position in [(0, 0), (3, 0.8), (6, 1.6)]])
    motion = Motion(path, KeyTimes.inbetweens([10, 5]))
    drawing = Drawing(width=5.6, height=2.3)
    panel = drawing.panel().path(path, "faint").frames(motion).keys(path, names=["key 1", "key 2", "key 3"])
    panel.label(path.at(0.5), "10 inbetweens").label(path.at(1.5), "5 inbetweens")
    return drawing
