"""KB84 figure 4: basis functions for Hermite interpolation

Each is a path in one dimension with a one in a different place: h₁ starts there, h₂ ends there, h₃ sets off and h₄
arrives with slope 1. Any cubic between two keys is a sum of the four.
"""

import numpy as np

from keypose import Key, MotionPath
from keypose.plot.drawing import Drawing

# name, color: value at s = 0, value at s = 1, slope at s = 0, slope at s = 1; where its name stands
BASIS = {
    ("$h_1$", "path"): ((1, 0, 0, 0), 0.25),
    ("$h_2$", "key"): ((0, 1, 0, 0), 0.75),
    ("$h_3$", "leave"): ((0, 0, 1, 0), 1 / 3),
    ("$h_4$", "arrive"): ((0, 0, 0, 1), 2 / 3),
}


def draw() -> Drawing:
    drawing = Drawing(width=5.2, height=3.6)
    panel = drawing.panel(axes=("s", ""))
    s = np.linspace(0, 1, 101)
    for (name, color), ((start, stop, leave, arrive), label_s) in BASIS.items():
        path = MotionPath([Key((start,), leave=(leave,)), Key((stop,), arrive=(arrive,))])
        panel.graph(s, path.at(s)[:, 0], color).label((label_s, *path.at(label_s)), name, color, size=11)
    return drawing
