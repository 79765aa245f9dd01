"""KB84 figure 20: the behaviour of a curve under changing bias

Positive bias swings past the key before it turns (overshooting), negative bias turns early and comes in from beyond
(undershooting).
"""

from keypose import Key, MotionPath
from keypose.plot.drawing import Drawing

LINES = {1: ("leave", 1.33), 0: ("path", 1.35), -1: ("arrive", 1.38)}  # color, and where it is named


def draw() -> Drawing:
    drawing = Drawing(width=5.2, height=3.8)
    panel = drawing.panel()
    for bias, (color, position) in LINES.items():
        keys = [Key((0, 0)), Key((2, 3), bias=bias), Key((5, 1))]
        path = MotionPath(keys, adjust="none", ends="zero-chord")
        panel.path(path, color).name(path, position, f"b = {bias}".replace("-", "−"), color)
    panel.keys(path, names=["$P_{i-1}$", "$P_i$", "$P_{i+1}$"])
    return drawing
