"""GL95 figure 10: the speed integral table and the last trapezium

The paper adds up trapezia under the speed curve once, and for a moment between two entries one more (orange). With a
coarse table the dots drift away from the true distance; Keypose integrates the curve exactly (the blue line).
"""

import numpy as np

from keypose import SpeedProfile
from keypose.plot.drawing import Drawing

SPEEDS = SpeedProfile.through({0: 0, 0.2: 8, 0.5: 0.4, 0.8: 6, 1: 0})
ENTRIES = np.linspace(0, 1, 7)
QUERIED = 0.78


def draw() -> Drawing:
    v = SPEEDS.at(ENTRIES)
    table = np.concatenate([[0], np.cumsum((v[1:] + v[:-1]) / 2 * np.diff(ENTRIES))])
    last = int(np.searchsorted(ENTRIES, QUERIED)) - 1
    trapezium = np.array([ENTRIES[last], QUERIED])
    distance = table[last] + SPEEDS.at(trapezium).mean() * np.diff(trapezium)[0]
    x = np.linspace(0, 1, 301)

    drawing = Drawing(2, 1, width=4.0, height=3.1)
    panel = drawing.panel("speed, and the trapezia of the table", axes=("share of the duration", "relative speed"))
    panel.area(ENTRIES[: last + 1], v[: last + 1], "path").area(trapezium, SPEEDS.at(trapezium), "key", alpha=0.6)
    panel.graph(x, SPEEDS.at(x), "speed").line(np.stack([ENTRIES, v], axis=-1)).dots(np.stack([ENTRIES, v], axis=-1))
    for entry, speed in zip(ENTRIES, v, strict=True):
        panel.line([(entry, 0), (entry, speed)])
    panel.label((ENTRIES[last], v[last]), "last trapezium", "key")
    panel.ax.set_ylim(0, 9)
    title, exact = "its integral: exact (line), by the table (dots)", SPEEDS.covered(QUERIED)
    panel = drawing.panel(title, axes=("share of the duration", "distance covered"))
    panel.graph(x, SPEEDS.covered(x)).dots(np.stack([ENTRIES, table], axis=-1), size=5)
    panel.dots([(QUERIED, distance)], "key", 7)
    panel.label((QUERIED, exact), f"{exact:.2f}", "path").label((QUERIED, distance), f"{distance:.2f}", "key")
    return drawing
