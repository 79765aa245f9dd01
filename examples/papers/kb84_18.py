"""KB84 figure 18: increasing tension, reducing continuity

Looking only at the path, it is the same corner either way. Faint: figure 17.
"""

from keypose import Key, MotionPath
from keypose.plot.drawing import Drawing

POSITIONS = [(0, 0), (1.3, 1.2), (2.6, 2.4), (3.9, 1.2), (5.2, 0)]
CHANGES = {"tension 1": {"tension": 1}, "continuity −1": {"continuity": -1}}


def draw() -> Drawing:
    default = MotionPath([Key(position) for position in POSITIONS], adjust="none")
    drawing = Drawing(2, 1, width=4.4, height=2.6)
    for name, change in CHANGES.items():
        path = default.with_key(2, **change)
        drawing.panel(name).path(default, "faint").path(path).keys(path, names=False)
    return drawing.align()
