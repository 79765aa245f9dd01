"""GL95 figure 2: uneven keys can make the curve go backwards

KB84's tangents without adjustment, keys strictly from left to right. If they are evenly spaced (a) so goes the curve;
with key 2 far away (b) the long tangent at key 1 first drives it back to the left, along the thick stretch.
"""

import numpy as np

from keypose import Key, MotionPath
from keypose.plot.drawing import Drawing

KEYS = {
    "a  evenly spaced keys": [(0, 0), (1, 1), (2, 2), (3, 1)],
    "b  key 2 is far to the right": [(0, 0), (1, 1), (20, 2), (21, 1)],
}


def draw() -> Drawing:
    drawing = Drawing(2, 1, width=3.8, height=2.9)
    u = np.linspace(0, 2, 801)
    for title, positions in KEYS.items():
        path = MotionPath([Key(position) for position in positions], adjust="none")
        panel = drawing.panel(title).path(path).keys(path)
        backwards = path.at(u)[path.velocity(u)[:, 0] < 0]
        if len(backwards):
            panel.line(backwards, "arrive", width=6).label(backwards[len(backwards) // 2], "backwards", "arrive")
        if positions[2][0] > 3:
            panel.label(path.at(1.14), "to key 2 →", "key")
    return drawing.show((-0.8, -0.3), (3.4, 2.4))
