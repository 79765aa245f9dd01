"""PF89 figure 5: tracking

Both objects are launched along the grey arrow. A field, not shown, drives a (big dots). b (small dots) senses nothing
but its own wish to be where it was in the beginning, seen from a: the thin arrows are the field it makes of what it
misses, and they point to where it should be.
"""

import numpy as np

from keypose import Actor, DynamicSpline, Stage, fields, shoot
from keypose.plot.drawing import Drawing
from keypose.plot.film import Film

SECONDS = 4.0
HIDDEN = fields.Formula("(-1.2 * sin(1.6 * t), 3 * cos(2.6 * t), 0)")
KEEP = fields.KeepOffset("a", response=0.9)
LAUNCH, A, B = np.array([2.2, -0.6, 0]), np.array([0, 0, 0]), np.array([0.2, -1.1, 0])
STAGE = Stage(
    [
        Actor("a", DynamicSpline(A, LAUNCH, senses={HIDDEN: 1})),
        Actor("b", DynamicSpline(B, LAUNCH, friction=0.06, senses={KEEP: 0.05})),
    ]
)
TAKE = shoot(STAGE, SECONDS, fps=96)


def tracker_pulls() -> np.ndarray:
    """What b's tracker pulls at every tick [m/frame²], for affinity 1."""
    a, b = (TAKE[name].position[::4, None] for name in "ab")
    still, pulls = np.zeros((1, 3)), []
    memory = KEEP.begin(b[0], still, a[0], still)
    for position, target in zip(b, a, strict=True):
        pull, memory = KEEP.pull(memory, position, still, target, still)
        pulls.append(pull[0])
    return np.array(pulls)


def background() -> Drawing:
    """Everything that stands still."""
    drawing = Drawing(width=7.0, height=3.4)
    panel = drawing.panel()
    for start in (A, B):
        panel.arrow(start - 0.28 * LAUNCH, start - 0.03 * LAUNCH, "quiet", 2.2)
    for name, color in (("a", "path"), ("b", "key")):
        panel.line(TAKE[name].position, color, 0.8).label(TAKE[name].position[-1], name, color, 10)
    return drawing


def draw() -> Drawing:
    drawing = background()
    panel = drawing.panels[0].dots(TAKE["a"].position[::4], "path", 5.5).dots(TAKE["b"].position[::4], "key", 3)
    panel.arrows(TAKE["b"].position[::4], tracker_pulls(), "quiet")
    return drawing


def film() -> Film:
    drawing = background()
    (panel,) = drawing.panels
    moving = Film(drawing, SECONDS)

    def error_line(time: float) -> np.ndarray:
        position = TAKE["b"].at(time).position
        return np.stack([position, TAKE["a"].at(time).position + B - A])

    moving.line(panel, error_line, "quiet", 1.4)
    moving.follow(panel, lambda time: TAKE["a"].at(time).position, size=11)
    return moving.follow(panel, lambda time: TAKE["b"].at(time).position, size=7)
