"""PF89 figure 1: objects launched with different initial speeds

The field is uniform, its arrows hang from the dots, a dot per tick. From a to d each initial speed is half of the one
before: sideways all move uniformly, downwards all fall alike, and the faster an object is, the less it is bent.
"""

from keypose import Actor, DynamicSpline, Stage, fields, shoot
from keypose.plot.drawing import Drawing
from keypose.plot.film import Film

TICKS, SECONDS = 12, 1.25  # a second, and how long
FIELD = fields.Uniform((0, -4, 0))
SPEEDS = {"a": 4.8, "b": 2.4, "c": 1.2, "d": 0.6}  # [m/s]
COLORS = dict(zip(SPEEDS, ("path", "leave", "other", "key"), strict=True))
STAGE = Stage([Actor(name, DynamicSpline((0, 0), (v, 0), senses={FIELD: 1})) for name, v in SPEEDS.items()])
TAKE = shoot(STAGE, SECONDS, fps=8 * TICKS, tick=1 / TICKS)  # with the curve between ticks


def background() -> Drawing:
    """Everything that stands still."""
    drawing = Drawing(width=6.0, height=3.6)
    panel = drawing.panel()
    for name, color in COLORS.items():
        positions = TAKE[name].position
        panel.line(positions, color, 1.1).arrows(positions[::8], FIELD.at(positions[::8]) / 10, "quiet")
        panel.label(positions[-1], name, color, 10)
    return drawing


def draw() -> Drawing:
    drawing = background()
    for name, color in COLORS.items():
        drawing.panels[0].dots(TAKE[name].position[::8], color, 5)
    return drawing


def film() -> Film:
    drawing = background()
    moving = Film(drawing, seconds=2 * SECONDS)  # at half speed
    return moving.follow(drawing.panels[0], lambda time: [TAKE[name].at(time / 2).position for name in SPEEDS], size=8)
