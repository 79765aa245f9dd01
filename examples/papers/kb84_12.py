"""KB84 figure 12: the effect of varying the continuity parameter

Negative continuity breaks the curve into a corner that points outwards, positive continuity into one that points
inwards; the further from 0, the sharper.
"""

from keypose import Key, MotionPath
from keypose.plot.drawing import Drawing

LINES = {1: ("leave", 1.33), 0: ("path", 1.45), -1: ("arrive", 1.28)}  # color, and where it is named


def draw() -> Drawing:
    drawing = Drawing(width=5.2, height=3.8)
    panel = drawing.panel()
    for continuity, (color, position) in LINES.items():
        keys = [Key((0, 0)), Key((2.5, 3), continuity=continuity), Key((5, 0))]
        path = MotionPath(keys, adjust="none", ends="zero-chord")
        panel.path(path, color).name(path, position, f"c = {continuity}".replace("-", "−"), color)
    panel.keys(path, names=["$P_{i-1}$", "$P_i$", "$P_{i+1}$"])
    return drawing
