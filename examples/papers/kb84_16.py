"""KB84 figure 16: several continuity values applied uniformly to all keys

At −1 the path is straight lines, at 0 it is smooth, and towards 1 every key becomes a corner that points inwards.
"""

from keypose import Key, MotionPath
from keypose.plot.drawing import Drawing

POSITIONS = [(0, 0), (4.2, 0.6), (3.7, 4), (0.5, 4)]
COLORS = {1: "leave", 0.5: "speed", 0: "path", -0.5: "other", -1: "arrive"}


def draw() -> Drawing:
    drawing = Drawing(width=5.2, height=4.6)
    panel = drawing.panel()
    for continuity, color in COLORS.items():
        path = MotionPath([Key(position) for position in POSITIONS], continuity=continuity, adjust="none", closed=True)
        panel.path(path, color).name(path, 2.5, f"c = {continuity}".replace("-", "−"), color)
    panel.keys(path, names=False)
    return drawing
