"""BH89 figure 2: an adjusted B-spline curve

Figure 1 with control value v₄ lowered from 17 to 3. The speed changes only within the grey band; before and after it
the new curve lies exactly on the old one, drawn faintly.
"""

import numpy as np

from keypose import SpeedProfile
from keypose.plot.drawing import Drawing

BEFORE = SpeedProfile([4, 6, 15, 20, 17, 9, 13, 18, 8, 3])
AFTER = BEFORE.raised(4, 3)


def draw() -> Drawing:
    drawing = Drawing(width=6.0, height=3.2)
    panel = drawing.panel(axes=("share of the duration", "relative speed"))
    x = np.linspace(0, 1, 701)
    changed = x[AFTER.at(x) != BEFORE.at(x)]
    panel.ax.axvspan(changed[0], changed[-1], color=panel.palette.quiet, alpha=0.08, linewidth=0)
    panel.graph(x, BEFORE.at(x), "faint").profile(AFTER)
    middle = AFTER.places[4]
    panel.dots([(middle, BEFORE.values[4])], "faint", 6)
    panel.arrow((middle, BEFORE.values[4]), (middle, AFTER.values[4] + 0.6), "key")
    for index, point in enumerate(zip(AFTER.places, AFTER.values, strict=True)):
        panel.label(point, f"v$_{index}$", "key" if index == 4 else "ink")
    return drawing
