"""PF89 figure 2: the same launch in fields of growing strength

All objects leave with the same velocity. The arrows are as long as the field is strong: a feels none and goes straight
on at the same speed, b, c and d feel more and more and are bent more and more.
"""

import numpy as np

from keypose import Actor, DynamicSpline, Stage, fields, shoot
from keypose.plot.drawing import Drawing

TICKS, SECONDS = 12, 1.5
FIELDS = {name: fields.Uniform((0, -strength, 0)) for name, strength in zip("abcd", (0, 1.2, 2.4, 4.8), strict=True)}
COLORS = dict(zip(FIELDS, ("path", "leave", "other", "key"), strict=True))
STAGE = Stage([Actor(name, DynamicSpline((0, 0), (3.6, 1), senses={field: 1})) for name, field in FIELDS.items()])
TAKE = shoot(STAGE, SECONDS, fps=8 * TICKS, tick=1 / TICKS)


def draw() -> Drawing:
    drawing = Drawing(width=4.8, height=3.4)
    panel = drawing.panel()
    for name, color in COLORS.items():
        positions = TAKE[name].position
        arrows = FIELDS[name].at(positions[::8]) / 8
        panel.line(positions, color, 1.1).dots(positions[::8], color, 4)
        if np.any(arrows):
            panel.arrows(positions[::8], arrows)
        panel.label(positions[-1], name, color, 10)
    return drawing
