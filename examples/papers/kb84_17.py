"""KB84 figure 17: default tension and continuity

The same keys as in figures 18 and 19, before anything is changed: the path is rounded at the middle key.
"""

from keypose import Key, MotionPath
from keypose.plot.drawing import Drawing

POSITIONS = [(0, 0), (1.3, 1.2), (2.6, 2.4), (3.9, 1.2), (5.2, 0)]


def draw() -> Drawing:
    path = MotionPath([Key(position) for position in POSITIONS], adjust="none")
    drawing = Drawing(width=4.4, height=2.6)
    drawing.panel("tension 0, continuity 0").path(path).keys(path, names=False)
    return drawing.align()
