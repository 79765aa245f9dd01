"""PF89 figure 4: motion with friction

Below there is no field: a, b and c leave with the same speed, and the more friction they have, the sooner they stop.
Above a field pulls to the centre, the stronger the farther away, as on a pendulum: ellipses that shrink, and the more
friction there is the faster (thin arrows: the field, at every third tick).
"""

from keypose import Actor, DynamicSpline, Stage, fields, shoot
from keypose.plot.drawing import Drawing
from keypose.plot.film import Film

SECONDS = 5.2  # two turns of the pendulum
FIELD = fields.Spring(5.76)
LINES = {"a": 0.01, "b": 0.03, "c": 0.06}  # friction per tick of 1/24 s
ELLIPSES = {"d": 0.01, "e": 0.03, "f": 0.06}
COLORS = dict(zip("abcdef", ("path", "leave", "key") * 2, strict=True))
STAGE = Stage(
    [
        *(
            Actor(name, DynamicSpline((0, -0.35 * row), (2.4, 0), friction=friction))
            for row, (name, friction) in enumerate(LINES.items())
        ),
        *(
            Actor(name, DynamicSpline((1, 0), (0, 1.5), friction=friction, senses={FIELD: 1}))
            for name, friction in ELLIPSES.items()
        ),
    ]
)
TAKE = shoot(STAGE, SECONDS, fps=96)


def background() -> Drawing:
    """Everything that stands still."""
    drawing = Drawing(3, 2, width=2.5, height=(2.1, 1.15))
    for name, friction in ELLIPSES.items():
        positions = TAKE[name].position
        panel = drawing.panel(f"{name}  friction {friction:g}")
        panel.arrows(positions[::12], FIELD.at(positions[::12]) / 20, "quiet", 0.6, 3.5).line(
            positions, COLORS[name], 0.8
        )
        panel.dots((0, 0), "ink", 3)
    drawing.show((-1.15, -0.85), (1.15, 0.85))
    panel = drawing.panel(span=3)
    for name, friction in LINES.items():
        positions = TAKE[name].position
        panel.line(positions, COLORS[name], 0.8)
        color = getattr(panel.palette, COLORS[name])
        panel.ax.text(
            positions[-1, 0] + 0.16, positions[-1, 1], f"{name}: {friction:g}", color=color, fontsize=9, va="center"
        )
    return drawing


def draw() -> Drawing:
    drawing = background()
    *ellipses, lines = drawing.panels
    for panel, name in zip([*ellipses, lines, lines, lines], [*ELLIPSES, *LINES], strict=True):
        panel.dots(TAKE[name].position[::4], COLORS[name], 2.6 if name in ELLIPSES else 3.2)
    return drawing


def film() -> Film:
    drawing = background()
    *ellipses, lines = drawing.panels
    moving = Film(drawing, SECONDS)
    for panel, name in zip(ellipses, ELLIPSES, strict=True):
        moving.follow(panel, lambda time, name=name: TAKE[name].at(time).position, size=8)
    return moving.follow(lines, lambda time: [TAKE[name].at(time).position for name in LINES], size=8)
