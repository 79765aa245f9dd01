"""KB84 figure 7: bending of the curve under various tensions

The same three keys: high tension pulls the curve in at the middle key until it is a corner, low tension lets it swing
out.
"""

from keypose import Key, MotionPath
from keypose.plot.drawing import Drawing

LINES = {1: ("leave", 1.35), 0: ("path", 1.58), -1: ("arrive", 1.42)}  # color, and where it is named


def draw() -> Drawing:
    drawing = Drawing(width=5.2, height=3.8)
    panel = drawing.panel()
    for tension, (color, position) in LINES.items():
        keys = [Key((0, 0)), Key((2.5, 3), tension=tension), Key((5, 0))]
        path = MotionPath(keys, adjust="none", ends="zero-chord")
        panel.path(path, color).name(path, position, f"t = {tension}".replace("-", "−"), color)
    panel.keys(path, names=["$P_{i-1}$", "$P_i$", "$P_{i+1}$"])
    return drawing
