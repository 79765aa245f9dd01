"""KB84 figure 3: distortion in length when rotation is simulated linearly

A line segment turns about its lower end. Its two points travel on straight lines, so the segment shrinks to half its
length on the way; the dashed arc is where its upper end should have gone.
"""

import numpy as np

from keypose import Key, KeyTimes, Motion, MotionPath, Orientation, effects
from keypose.plot.drawing import Drawing

POINTER = np.array([(0, 0, 0), (0, 2, 0)])  # a drawing of two points


def turn_pointer(degrees: float) -> np.ndarray:
    return Orientation.turned(degrees, about="z").rotate(POINTER)


def draw() -> Drawing:
    path = MotionPath([Key(turn_pointer(60), **effects.linear), Key(turn_pointer(-60), **effects.linear)])
    drawing = Drawing(width=5.2, height=3.1)
    panel = drawing.panel().line([turn_pointer(angle)[1] for angle in range(60, -61, -3)], dashed=True)
    for inbetween in Motion(path, KeyTimes.inbetweens([7])).frames().position:
        panel.line(inbetween).dots(inbetween)
    panel.keys(path, names=False).label(path.at(0.5)[1], "half as long")
    panel.label(turn_pointer(60)[1], "key 1", "key").label(turn_pointer(-60)[1], "key 2", "key")
    return drawing
