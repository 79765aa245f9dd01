"""GL95 figure 3: tangents corrected by the distances between the keys

The keys of figure 2 with adjust="length": no more loop (a, b). The paper says that the curve then always follows the
control points; it does not. The keys in (c) go left to right as well, and the curve still runs back where it is thick.
"""

import numpy as np

from keypose import Key, MotionPath
from keypose.plot.drawing import Drawing

KEYS = {
    "a  evenly spaced keys": [(0, 0), (1, 1), (2, 2), (3, 1)],
    "b  key 2 is far to the right": [(0, 0), (1, 1), (20, 2), (21, 1)],
    "c  and yet: a steep step": [(-0.4, 0.2), (1.3, 0.2), (1.302, 1.9), (3, 1.9)],
}


def draw() -> Drawing:
    drawing = Drawing(3, 1, width=3.4, height=2.7)
    u = np.linspace(0, 3, 1201)
    for title, positions in KEYS.items():
        path = MotionPath([Key(position) for position in positions], adjust="length")
        panel = drawing.panel(title).path(path).keys(path)
        backwards = path.at(u)[path.velocity(u)[:, 0] < 0]
        if len(backwards):
            panel.line(backwards, "arrive", width=6).label(backwards[len(backwards) // 2], "backwards", "arrive")
        if positions[2][0] > 3:
            panel.label(path.at(1.1), "to key 2 →", "key")
    return drawing.show((-0.8, -0.3), (3.4, 2.4))
