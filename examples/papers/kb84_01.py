"""KB84 figure 1: discontinuity in direction with linear interpolation

The inbetweens are evenly spaced, but at every key the motion turns on the spot: the keys stand out in the film.
"""

from keypose import Key, KeyTimes, Motion, MotionPath, effects
from keypose.plot.drawing import Drawing

POSITIONS = [(0, 0), (1.2, 1.6), (2.8, 0.4), (4.0, 2.0)]  # equally far apart: only the direction breaks


def draw() -> Drawing:
    path = MotionPath([Key(position, **effects.linear) for position in POSITIONS])
    motion = Motion(path, KeyTimes.inbetweens([7, 7, 7]))
    drawing = Drawing(width=5.2, height=2.9)
    panel = drawing.panel().path(path, "faint").frames(motion)
    panel.keys(path, names=["key 1", "key 2", "key 3", "key 4"])
    return drawing
