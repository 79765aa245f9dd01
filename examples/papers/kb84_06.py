"""KB84 figure 6: incoming and outgoing tangents of two key positions

Each key has two tangents: DS, with which the motion comes in from its source, and DD, with which it goes out to its
destination. The segment between two keys is made of the DD of the first and the DS of the second.
"""

from keypose import Key, MotionPath
from keypose.plot.drawing import Drawing

POSITIONS = [(-1.3, 0), (0, 1.9), (3.3, 2.1), (4.6, 0.3)]


def draw() -> Drawing:
    path = MotionPath([Key(position) for position in POSITIONS], continuity=-0.3, adjust="none")
    segment = MotionPath([Key(POSITIONS[1], leave=path.leave[1]), Key(POSITIONS[2], arrive=path.arrive[2])])
    drawing = Drawing(width=5.6, height=3.0)
    panel = drawing.panel().path(path, "faint").path(segment, width=2.2)
    panel.keys(path, names=["", "$P_i$", "$P_{i+1}$", ""])
    panel.vectors(path, 1, names=("$DS_i$", "$DD_i$"), scale=0.4)
    panel.vectors(path, 2, names=("$DS_{i+1}$", "$DD_{i+1}$"), scale=0.4)
    return drawing
