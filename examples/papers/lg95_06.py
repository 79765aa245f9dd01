"""LG95 figure 6: two articulated arms shaking hands

The last key of each hand is the other hand, so nobody says where they meet. Two arms that are alike meet in the middle
(a). If the right one is less eager, the left one comes to it (b). So it does if the right one is four times as heavy
and no stronger than 32 N (c): it is knocked back, and comes again.
"""

import numpy as np

from keypose import (
    Actor,
    Body,
    Box,
    Capsule,
    Figure,
    Hinge,
    Key,
    Link,
    MotionPath,
    Orientation,
    Reach,
    Stage,
    Take,
    shoot,
)
from keypose.plot.drawing import Drawing, PaletteColor
from keypose.plot.film import Film

SECONDS, FPS = 3.0, 100
SHOULDER, ELBOW, WRIST, TIP = (-0.85, 1.0, 0), (-0.98, 0.52, 0), (-0.75, 0.12, 0), (-0.62, 0.02, 0)
HAND = 0.07  # [m] half of it


def bone(name: str, start: np.ndarray, end: np.ndarray, mass: float, thick: float) -> Link:
    """A capsule from one point to another."""
    offset = np.subtract(end, start)
    lean = np.degrees(np.arctan2(-offset[0], offset[1]))
    shape = Capsule(thick, max(float(np.linalg.norm(offset)) - 2 * thick, 0.01))
    return Link(name, Body(shape, mass), np.add(start, offset / 2), Orientation.turned(lean, "z"))


def arm(side: int, mass: float) -> Figure:
    """An arm that hangs from a shoulder on the left (1) or, mirrored, on the right (-1)."""
    shoulder, elbow, wrist, tip = (np.multiply(position, (side, 1, 1)) for position in (SHOULDER, ELBOW, WRIST, TIP))
    frame = [np.subtract(position, shoulder) for position in (shoulder, elbow, wrist, tip)]
    return Figure(
        Body(Box(0.2), 5),
        [
            Hinge(bone("upper", frame[0], frame[1], 1.0 * mass, 0.06), at=frame[0], damping=0.3 * mass),
            Hinge(bone("lower", frame[1], frame[2], 0.7 * mass, 0.05), "upper", at=frame[1], damping=0.2 * mass),
            Hinge(bone("hand", frame[2], frame[3], 0.4 * mass, HAND), "lower", at=frame[2], damping=0.1 * mass),
        ],
        position=shoulder,
        held=True,
    )


def handshake_take(mass: float = 1.0, **right: float) -> tuple[Stage, Take]:
    """Two arms, the right one so many times as heavy as the left one, and led differently."""
    arms = {"left": arm(1, 1.0), "right": arm(-1, mass)}
    reaches = []
    for name, side, other, options in (("left", 1, "right", {}), ("right", -1, "left", right)):
        first = arms[name].links["hand"].position
        keys = [
            Key(first),
            Key(np.add(first, (0.25 * side, 0.25, 0))),
            Key((0, 0, 0), relative_to=f"{other}/hand", pin=False),
        ]
        reaches.append(Reach(f"{name}/hand", MotionPath(keys), within=0.15, **options))
    stage = Stage([Actor(name, figure) for name, figure in arms.items()], connections=reaches, gravity=(0, -9.81, 0))
    return stage, shoot(stage, SECONDS, FPS)


SHAKES = {"a": handshake_take(), "b": handshake_take(eagerness=0.2), "c": handshake_take(4.0, help=32.0)}
SCENE = SHAKES["a"][0]
TITLES = {"a": "a  alike", "b": "b  the right arm less eager", "c": "c  the right arm heavier, not stronger"}
COLORS: dict[str, PaletteColor] = {"left": "path", "right": "leave"}
GRAPH_COLORS: dict[str, PaletteColor] = {"a": "key", "b": "other", "c": "speed"}
LABEL_TIMES = {"a": 0.7, "b": 1.3, "c": 2.2}  # [s] where their graphs are named
LINKS = ("", "/upper", "/lower", "/hand")


def meeting_point(take: Take) -> tuple[float, np.ndarray]:
    """When [s] and where their hands touch first."""
    first = next(
        event for event in take.events if {event.actor, getattr(event, "other", "")} == {"left/hand", "right/hand"}
    )
    return first.time, np.array(first.place)


def separation(take: Take) -> np.ndarray:
    """From one hand's middle to the other's at each frame [m]."""
    return np.linalg.norm(take["left/hand"].position - take["right/hand"].position, axis=1)


def _separation_at(take: Take, time: float) -> float:
    return float(np.interp(time, take.times, separation(take)))


def caption(take: Take) -> str:
    time, position = meeting_point(take)
    middle = (
        "in the middle" if abs(position[0]) < 5e-4 else f"{1000 * abs(position[0]):.0f} mm to the {_side(position[0])}"
    )
    return f"touch after {time:.2f} s, {middle}"


def _side(x: float) -> str:
    return "right" if x > 0 else "left"


def background() -> Drawing:
    """Everything that stands still."""
    drawing = Drawing(3, 2, width=3.1, height=(2.3, 1.8))
    for name, (_, take) in SHAKES.items():
        panel = drawing.panel(TITLES[name])
        for side, color in COLORS.items():
            panel.line(take[f"{side}/hand"].position, color, 1.2)
        panel.dots(meeting_point(take)[1], "key", 5)
        panel.ax.text(0, 1.25, caption(take), color=panel.palette.key, fontsize=8.5, ha="center", va="center")
    drawing.show((-1.15, -0.12), (1.15, 1.32))
    graph = drawing.panel("from hand to hand", axes=("time [s]", "[m]"), span=3)
    for name, color in GRAPH_COLORS.items():
        take = SHAKES[name][1]
        graph.graph(take.times, separation(take), color).label(
            (LABEL_TIMES[name], _separation_at(take, LABEL_TIMES[name])), name, color
        )
    graph.ax.set_ylim(0, 1.45)
    return drawing


def draw() -> Drawing:
    drawing = background()
    for panel, (stage, take) in zip(drawing.panels, SHAKES.values(), strict=False):
        time, _ = meeting_point(take)
        for side, color in COLORS.items():
            of = [f"{side}{link}" for link in LINKS]
            panel.bodies(stage, take.at(np.array([0, 0.5 * time, time])), color, of)
    return drawing


def film() -> Film:
    drawing = background()
    moving = Film(drawing, SECONDS, fps=18)
    for panel, (name, (stage, take)) in zip(drawing.panels, SHAKES.items(), strict=False):
        for side, color in COLORS.items():
            moving.bodies(panel, stage, take.at, color, [f"{side}{link}" for link in LINKS])
        separations = separation(take)
        moving.follow(
            drawing.panels[-1], lambda t, of=take, y=separations: (t, np.interp(t, of.times, y)), 7, GRAPH_COLORS[name]
        )
    return moving
