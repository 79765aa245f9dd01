"""LG95 figure 2: tuning the actuator and target parameters

No body can follow the given trajectory (1): it turns on the spot. How much it is smoothed is said by d_base (2, 5), how
much the ball swings by β (3 below the critical √(2α), 4 above it). α says how fast: if α/β² is kept, the way stays the
same to a millimetre; if β is kept, nearly so. Dots are a quarter of a second apart.
"""

import numpy as np

from keypose import Actor, Body, Follow, Key, MotionPath, Sphere, Stage, Take, effects, shoot
from keypose.plot.drawing import Drawing, PaletteColor, Panel
from keypose.plot.film import Film

FPS = 100
CORNERS = [(0, 0), (1.5, 0), (1.5, 1.2), (3, 1.2), (3, 0), (4.5, 0)]
PATH = MotionPath([Key(position, **effects.corner) for position in CORNERS])
BALL = Sphere(0.09)


def follower_stage(within: float = 0.25, **options: float) -> Stage:
    """A ball that follows the path."""
    return Stage([Actor("ball", Follow(PATH, Body(BALL), within=within, **options))])


def follower_take(seconds: float, **options: float) -> Take:
    """What it did."""
    return shoot(follower_stage(**options), seconds, FPS)


SCENE = follower_stage()  # curve 2
CURVES: dict[str, tuple[PaletteColor, Take]] = {
    "2": ("path", follower_take(6.0)),
    "3": ("key", follower_take(5.0, damping=0.35)),
    "4": ("other", follower_take(11.5, damping=2.0)),
    "5": ("leave", follower_take(3.0, within=0.8)),
    "slower": ("key", follower_take(11.5, eagerness=0.125, damping=0.5)),
    "as slow": ("other", follower_take(11.5, eagerness=0.25, damping=1.0)),
}
BIG, SMALL = 5.0, 3.4  # dots
AT = {"2": 2.75, "3": 0.85, "4": 4.0, "5": 0.55}  # [s] where a curve has its number
TITLES = ("how far ahead the target is: d_base", "how much the ball is damped: β", "how eager it is: α")
SECONDS = 5.6  # of the film: until 2 has arrived


def arrival_time(name: str) -> float:
    """When it is within a centimetre of the last corner for good [s]."""
    take = CURVES[name][1]
    distance = np.linalg.norm(take["ball"].position[:, :2] - CORNERS[-1], axis=1)
    return float(take.times[np.flatnonzero(distance > 0.01)[-1] + 1])


def largest_distance(name: str, others: np.ndarray) -> float:
    """How far its way is from others (n, 2) at most [m]."""
    positions = CURVES[name][1]["ball"].position[:, None, :2]
    return float(np.linalg.norm(positions - others, axis=-1).min(axis=1).max())


def deviation_from_two(name: str) -> float:
    """How far its way is from that of 2 at most [m]."""
    return largest_distance(name, CURVES["2"][1]["ball"].at(np.linspace(0, 6, 3001)).position[:, :2])


def deviation_from_path(name: str) -> float:
    """How far its way is from the path at most [m]."""
    return largest_distance(name, PATH.at(np.linspace(0, PATH.segments, 2501)))


def caption(name: str, options: str) -> str:
    time, deviation = arrival_time(name), 1000 * deviation_from_path(name)
    return f"{name}  {options}: there after {time:.1f} s, up to {deviation:.0f} mm off"


def background() -> Drawing:
    """Everything that stands still."""
    drawing = Drawing(1, 3, width=9.0, height=1.85)
    smooth, damped, eager = (drawing.panel(title) for title in TITLES)
    for panel, names in ((smooth, ("2", "5")), (damped, ("4", "2", "3")), (eager, ("as slow", "slower", "2"))):
        panel.path(PATH, "quiet", 0.9)
        for name in names:
            panel.line(CURVES[name][1]["ball"].position, CURVES[name][0], 1.6)
        panel.label((3, 0.75), "1", "quiet")
        for name in names:
            if name in AT:
                panel.label(CURVES[name][1]["ball"].at(AT[name]).position[:2], name, CURVES[name][0])
    drawing.show((-0.2, -0.2), (9.6, 1.5))
    return drawing


def legend(panel: Panel, *lines: tuple[str, PaletteColor]) -> None:
    """What the curves of a panel are, one below the other, beside them."""
    for row, (text, color) in enumerate(lines):
        panel.ax.text(5.0, 1.15 - 0.3 * row, text, color=getattr(panel.palette, color), fontsize=8.5, va="center")


def add_captions(drawing: Drawing) -> Drawing:
    smooth, damped, eager = drawing.panels
    legend(smooth, ("1  the given trajectory", "quiet"), (caption("2", "d_base 0.25 m"), "path"),
           (caption("5", "d_base 0.8 m"), "leave"))  # fmt: skip
    legend(damped, (caption("2", "β = √(2α) = 1"), "path"), (caption("3", "β = 0.35"), "key"),
           (caption("4", "β = 2"), "other"))  # fmt: skip
    legend(eager, (f"2  α = 0.5, β = 1: {arrival_time('2'):.1f} s", "path"), *(
        (f"{options}: {arrival_time(name):.1f} s, {1000 * deviation_from_two(name):.0f} mm from 2 at most",
         CURVES[name][0])
        for name, options in (("slower", "α = 0.125, β = 0.5"), ("as slow", "α = 0.25, β = 1"))
    ))  # fmt: skip
    return drawing


def draw() -> Drawing:
    drawing = add_captions(background())
    for panel, names in zip(drawing.panels, ("25", "234", ("2", "slower")), strict=True):
        for name in names:
            color, take = CURVES[name]
            panel.dots(take["ball"].position[:: FPS // 4], color, BIG if name == "2" else SMALL)
    return drawing


def film() -> Film:
    drawing = add_captions(background())
    moving = Film(drawing, SECONDS, fps=15)
    for panel, names in zip(drawing.panels, ("25", "234", ("as slow", "slower", "2")), strict=True):
        for name in names:
            color, take = CURVES[name]
            moving.body(panel, BALL, lambda time, take=take: take["ball"].at(min(time, take.times[-1])), color)
    return moving
