"""KB84 figure 19: differences in motion, tension against continuity

Both paths turn the same corner. With tension 1 the frames crowd at the key: it slows to a stop there. With continuity
−1 they stay evenly apart: it hits the corner at full speed.
"""

from keypose import Key, KeyTimes, Motion, MotionPath
from keypose.plot.drawing import Drawing
from keypose.plot.film import Film

POSITIONS = [(0, 0), (1.3, 1.2), (2.6, 2.4), (3.9, 1.2), (5.2, 0)]
CHANGES = {
    "tension 1: slows down, stops, sets off": {"tension": 1},
    "continuity −1: hits it at full speed": {"continuity": -1},
}
TIMES = KeyTimes.inbetweens([15, 15, 15, 15], fps=24)


def motions() -> dict[str, Motion]:
    default = MotionPath([Key(position) for position in POSITIONS], adjust="none")
    return {name: Motion(default.with_key(2, **change), TIMES) for name, change in CHANGES.items()}


def draw() -> Drawing:
    drawing = Drawing(2, 1, width=4.4, height=2.6)
    for name, motion in motions().items():
        drawing.panel(name).path(motion.path, "faint").frames(motion, fps=9, size=4.2).keys(motion.path, names=False)
    return drawing.align()


def film() -> Film:
    drawing = draw()
    moving = Film(drawing, seconds=TIMES.duration)
    for panel, motion in zip(drawing.panels, motions().values(), strict=True):
        moving.run(panel, motion)
    return moving
