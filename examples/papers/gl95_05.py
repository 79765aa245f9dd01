"""GL95 figure 5: interface concepts to add speed variations

The animator draws speeds at a few moments (a). The area under the curve so far, rescaled to the length of the path,
tells how far the object has come (b): steep where it is fast, flat where it is slow, always reaching the end in time.
"""

import numpy as np

from keypose import SpeedProfile
from keypose.plot.drawing import Drawing

SPEEDS = SpeedProfile.through({0: 0, 0.2: 8, 0.5: 0.4, 0.8: 6, 1: 0})
LENGTH = 7.0


def draw() -> Drawing:
    drawing = Drawing(2, 1, width=3.7, height=2.9)
    drawing.panel("a  speed v, as drawn", axes=("share of the duration", "relative speed")).profile(SPEEDS)
    x = np.linspace(0, 1, 301)
    panel = drawing.panel("b  its integral, rescaled to 0 … length", axes=("share of the duration", "distance [m]"))
    panel.graph(x, LENGTH * x, "faint", dashed=True)
    panel.graph(x, LENGTH * SPEEDS.covered(x) / SPEEDS.total)
    panel.dots(np.stack([SPEEDS.places, LENGTH * SPEEDS.covered(SPEEDS.places) / SPEEDS.total], axis=-1), "ink", 4.5)
    panel.label((0.4, 0.4 * LENGTH), "uniform", "quiet")
    return drawing
