"""PF89 figure 3: changing the affinity to a field

The field pushes up and down in turn, for all of them alike: the thin arrows, at c's dots. The affinity of a is 0, so it
is not disturbed; that of b is ½, and it lies half way between a and c, whose affinity is 1. Affinity acts as lightness.
"""

import numpy as np

from keypose import Actor, DynamicSpline, Stage, fields, shoot
from keypose.plot.drawing import Drawing
from keypose.plot.film import Film

TICKS, SECONDS = 12, 2.5
FIELD = fields.Formula("(0, push * sign(cos(2 * pi * (t + 1/24))), 0)", push=fields.Slider(18, 0, 30))
AFFINITIES = {"a": 0.0, "b": 0.5, "c": 1.0}
COLORS = dict(zip(AFFINITIES, ("path", "leave", "key"), strict=True))
STAGE = Stage(
    [Actor(name, DynamicSpline((0, 0), (2.4, 0), senses={FIELD: affinity})) for name, affinity in AFFINITIES.items()]
)
TAKE = shoot(STAGE, SECONDS, fps=8 * TICKS, tick=1 / TICKS)


def background() -> Drawing:
    """Everything that stands still."""
    drawing = Drawing(width=7.0, height=2.6)
    panel = drawing.panel()
    for name, color in COLORS.items():
        panel.line(TAKE[name].position, color, 1.1)
        panel.label(TAKE[name].position[-1], f"{name}: {AFFINITIES[name]:g}", color, 9)
    return drawing


def draw() -> Drawing:
    drawing = background()
    (panel,) = drawing.panels
    for name, color in COLORS.items():
        panel.dots(TAKE[name].position[::8], color, 4.5)
    positions = TAKE["c"].position[:-1:8]
    panel.arrows(positions, FIELD.at(positions, TAKE.times[:-1:8]) / 55)
    return drawing


def film() -> Film:
    drawing = background()
    (panel,) = drawing.panels
    moving = Film(drawing, SECONDS)
    for name in COLORS:

        def acceleration(time: float, name: str = name) -> np.ndarray:
            position = TAKE[name].at(time).position
            return np.stack([position, position + FIELD.at(position, time) / 40])

        moving.line(panel, acceleration, "quiet", 1.6)
    return moving.follow(panel, lambda time: [TAKE[name].at(time).position for name in COLORS], size=8)
