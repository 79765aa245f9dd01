"""KB84 figure 24: the effect of various parameter settings used together

The keys stay where they were drawn; only tension, continuity and bias change the movement. Above by default, below each
key with its own settings (t tension, c continuity, b bias).
"""

from keypose import Key, KeyTimes, Motion, MotionPath, effects
from keypose.plot.drawing import Drawing

POSITIONS = [(0, 0), (1.5, 2.6), (3.6, 0), (5.4, 2.4), (8, 1.8), (9.2, 0)]
SHAPES = {1: "overshoot", 2: "corner", 3: "still", 4: "undershoot"}


def draw() -> Drawing:
    default = MotionPath([Key(position) for position in POSITIONS], adjust="none")
    shaped = default
    for key, name in SHAPES.items():
        shaped = shaped.with_key(key, **getattr(effects, name))
    drawing = Drawing(1, 2, width=6.6, height=2.7)
    for title, path in {"by default": default, "each key with its own settings": shaped}.items():
        panel = drawing.panel(title).path(path, "faint").frames(Motion(path, KeyTimes.inbetweens([9] * 5)))
        panel.keys(path, names=False)
    for key, name in SHAPES.items():
        values = [f"{word[0]} {value:g}" for word, value in getattr(effects, name).items() if value]
        panel.label(POSITIONS[key], f"{name}: {', '.join(values)}".replace("-", "−"), "key")
    return drawing.align()
