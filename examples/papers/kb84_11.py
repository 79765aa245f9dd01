"""KB84 figure 11: several tension values applied uniformly to all keys

One value for the whole path makes the cardinal splines: 0 is Catmull-Rom, 1 is straight lines, below 0 it swings wide.
"""

from keypose import Key, MotionPath
from keypose.plot.drawing import Drawing

POSITIONS = [(0, 0), (4.2, 0.6), (3.7, 4), (0.5, 4)]
COLORS = {1: "leave", 0.5: "speed", 0: "path", -0.5: "other", -1: "arrive"}


def draw() -> Drawing:
    drawing = Drawing(width=5.2, height=4.6)
    panel = drawing.panel()
    for tension, color in COLORS.items():
        path = MotionPath([Key(position) for position in POSITIONS], tension=tension, adjust="none", closed=True)
        panel.path(path, color).name(path, 2.5, f"t = {tension}".replace("-", "−"), color)
    panel.keys(path, names=False)
    return drawing
