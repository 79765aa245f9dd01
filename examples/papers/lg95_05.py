"""LG95 figure 5: target motion for a relative path

Two keys of the path stand on lifts that move. The spline is the one through all keys where they are right now; once the
target (orange) has passed a key, that is pinned (filled) where it was in the world, and the lift goes on without it.
"""

import numpy as np

from keypose import Actor, Body, Box, Follow, Key, Motion, MotionPath, Sphere, Stage, shoot
from keypose.plot.drawing import Drawing, PaletteColor, Panel
from keypose.plot.film import Film

SECONDS, FPS = 4.0, 50
BALL, LIFT = Sphere(0.1), Box((0.7, 0.08, 0.3))
KEY_OFFSET = (0, 0.35, 0)  # where a key is over its lift
PATH = MotionPath([
    Key((0, 0.6, 0)), Key(KEY_OFFSET, relative_to="one"), Key(KEY_OFFSET, relative_to="two"), Key((4.5, 0.6, 0))
])  # fmt: skip
LIFTS = {"one": [(1.5, -0.4, 0), (1.5, 0.5, 0), (1.5, 1.3, 0)], "two": [(3, 1.2, 0), (3, 0.2, 0), (3, -0.5, 0)]}
SCENE = STAGE = Stage(
    [
        Actor("ball", Follow(PATH, Body(BALL), within=0.3, speed=1.5)),
        *(Actor(name, Motion(MotionPath(positions), duration=SECONDS)) for name, positions in LIFTS.items()),
    ]
)
TAKE = shoot(STAGE, SECONDS, FPS)
AIMS = TAKE.targets["ball"]
SQUARE = 0.06 * np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0), (-1, -1, 0)])
SHOWN = (0.4, 1.5, 2.8)  # [s]
ARROW_OFFSET = np.array([0.27, 0, 0])
LEGEND: list[tuple[str, PaletteColor]] = [
    ("○ ball", "leave"), ("● target", "key"), ("□ carried key", "key"), ("● pinned key", "ink"), ("▭ lift", "quiet")
]  # fmt: skip


def lift_key_position(name: str, time: float) -> np.ndarray:
    """Where the key over a lift is."""
    return TAKE[name].at(time).position + KEY_OFFSET


def pass_time(name: str) -> float:
    """When the target passes the key over a lift [s]: when it is as far to the right."""
    return float(np.interp(lift_key_position(name, 0.0)[0], AIMS[:, 0], TAKE.times))


def path_at(time: float) -> MotionPath:
    """The spline as it is at an instant."""
    return MotionPath(
        [PATH.keys[0].position, *(lift_key_position(name, min(time, pass_time(name))) for name in LIFTS), (4.5, 0.6, 0)]
    )


def deviation(time: float) -> float:
    """How far the target is from that spline [m]."""
    return float(np.linalg.norm(path_at(time).at(np.linspace(0, 3, 60001)) - aim(time), axis=1).min())


def displacements(name: str, time: float) -> tuple[float, float]:
    """How far a key has moved since it was passed [m], and its lift."""
    key, pinned = list(LIFTS).index(name) + 1, path_at(pass_time(name))
    lift = np.linalg.norm(lift_key_position(name, time) - lift_key_position(name, pass_time(name)))
    return float(np.linalg.norm(path_at(time).at(key) - pinned.at(key))), float(lift)


def caption(time: float) -> str:
    """The numbers of an instant."""
    since = [displacements(name, time) for name in LIFTS if time >= pass_time(name)]
    lines = [f"target {1000 * deviation(time):.1f} mm from the spline"]
    if since:
        key_offsets, lift_offsets = zip(*since, strict=True)
        noun = "key" if len(since) == 1 else "keys"
        lines.append(
            f"passed {noun} moved {1000 * max(key_offsets):.0f} mm, lifts up to {1000 * max(lift_offsets):.0f} mm"
        )
    return "\n".join(lines)


def key_positions(time: float, pinned: bool) -> list[np.ndarray]:
    """Where those relative keys are that are pinned by then, or are not."""
    return [
        lift_key_position(name, min(time, pass_time(name))) for name in LIFTS if (time >= pass_time(name)) == pinned
    ]


def aim(time: float) -> np.ndarray:
    return AIMS[round(time * FPS)]


def draw() -> Drawing:
    drawing = Drawing(len(SHOWN), 1, width=3.5, height=2.3)
    for time in SHOWN:
        panel = drawing.panel(f"after {time:g} s")
        for later in np.linspace(0, time, 6)[:-1]:
            panel.path(path_at(later), "faint", 0.8)
        panel.path(path_at(time), "path").line(TAKE["ball"].position[: round(time * FPS)], "leave", 1.0)
        for name in LIFTS:
            lift(panel, name, time)
        panel.body(BALL, TAKE["ball"].at(time), "leave", 1.2).dots(aim(time), "key", 6)
        panel.label(aim(time), "target", "key")
        for position in key_positions(time, pinned=True):
            panel.dots(position, "ink", 7).label(position, "pinned", "ink")
        for position in key_positions(time, pinned=False):
            panel.line(position + SQUARE, "key", 1.4)
        panel.ax.text(0, 2.15, caption(time), color=panel.palette.ink, fontsize=8.5, va="top")
    drawing.show((-0.2, -0.6), (4.7, 2.2))
    first, begin = drawing.panels[0], SHOWN[0]
    first.label(TAKE["ball"].at(begin).position, "ball", "leave").label(
        path_at(0.0).at(2.5), "the spline before", "quiet"
    )
    first.label(lift_key_position("two", begin), "carried key", "key").label(
        TAKE["one"].at(begin).position, "lift", "quiet"
    )
    return drawing


def lift(panel: Panel, name: str, time: float) -> None:
    """A lift, and where it goes: beside its key, which may be on the arrow's way."""
    now, end = TAKE[name].at(time), TAKE[name].at(min(time + 0.5, SECONDS))
    panel.body(LIFT, now, "quiet").arrow(now.position + ARROW_OFFSET, end.position + ARROW_OFFSET, "quiet", 0.9)


def _relative_key_frame(name: str, time: float) -> np.ndarray:
    """The frame around the key over a lift, until it is pinned."""
    return lift_key_position(name, time) + SQUARE if time < pass_time(name) else np.full((1, 3), np.nan)


def _pinned_position(name: str, time: float) -> np.ndarray:
    """Where the key over a lift is pinned, once it is."""
    return lift_key_position(name, pass_time(name)) if time >= pass_time(name) else np.full(3, np.nan)


def film() -> Film:
    drawing = Drawing(1, 1, width=6.0, height=3.2)
    panel = drawing.panel()
    drawing.show((-0.2, -0.6), (4.7, 1.9))
    for column, (text, color) in enumerate(LEGEND):
        panel.ax.text(0.05 + 1.0 * column, 1.8, text, color=getattr(panel.palette, color), fontsize=9, va="center")
    moving = Film(drawing, SECONDS)
    moving.line(panel, lambda time: path_at(time).at(np.linspace(0, 3, 121)), "path", 1.6)
    moving.line(panel, lambda time: TAKE["ball"].position[: 1 + round(time * FPS)], "leave", 1.0)
    for name in LIFTS:
        moving.body(panel, LIFT, TAKE[name].at, "quiet")
        moving.line(panel, lambda time, name=name: _relative_key_frame(name, time), "key", 1.4)
        moving.follow(panel, lambda time, name=name: _pinned_position(name, time), 8, "ink")
    return moving.body(panel, BALL, TAKE["ball"].at, "leave", 1.6).follow(panel, aim, size=8)
