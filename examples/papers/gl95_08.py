"""GL95 figure 8: a letter A on sticks

Its head and its two knees are held by three keyed movements that repeat (orange). Nothing else is keyed: thighs
and shins hang on them by joints, some looser than others, and swing along; the bar closes a ring with both thighs.
"""

import numpy as np

from keypose import (
    Actor,
    Ball,
    Body,
    Capsule,
    Figure,
    Hinge,
    Key,
    Link,
    Motion,
    MotionPath,
    Orientation,
    Pin,
    Plane,
    Reach,
    Sphere,
    Stage,
    Still,
    shoot,
)
from keypose.plot.drawing import Drawing, Panel
from keypose.plot.film import Film

LAP, LAPS, FPS = 1.2, 3, 60
SETTLED = 4  # laps after which one is as the other, for the film to go round
KNEE, FOOT, HIP, BAR = (0.42, -0.95, 0), (0.78, -1.85, 0), (0.05, -0.12, 0), (0.28, -0.62, 0)  # from the head, right
HEAD = (0, 2.085, 0)  # high enough for feet to brush the floor, and not to be jammed against it


def mirror(position: tuple[float, float, float], side: int) -> tuple[float, float, float]:
    return side * position[0], position[1], position[2]


def bone(name: str, start: tuple[float, ...], end: tuple[float, ...], mass: float, thick: float = 0.06) -> Link:
    """A capsule from one point to another."""
    begin, offset = np.array(start), np.subtract(end, start)
    lean = np.degrees(np.arctan2(-offset[0], offset[1]))
    shape = Capsule(thick, float(np.linalg.norm(offset)) - 2 * thick)
    return Link(name, Body(shape, mass, friction=0.8), begin + offset / 2, Orientation.turned(lean, "z"))


def leg(name: str, side: int) -> list[Hinge | Pin]:
    """Thigh, knee and shin; the knee is loose."""
    hip, knee, foot = (mirror(position, side) for position in (HIP, KNEE, FOOT))
    return [
        Hinge(bone(f"{name} thigh", hip, knee, 0.6), at=hip, damping=0.05),
        Pin(Link(f"{name} knee", Body(Sphere(0.09), 0.3), knee), f"{name} thigh"),
        Hinge(bone(f"{name} shin", knee, foot, 0.4), f"{name} thigh", at=knee, stiffness=2.5, damping=0.12),
    ]


ENDS = [mirror(BAR, side) for side in (-1, 1)]
LETTER = Figure(
    Body(Sphere(0.14), 0.8),
    [
        *leg("left", -1),
        *leg("right", 1),
        Hinge(bone("bar", *ENDS, 0.1, 0.04), "left thigh", at=ENDS[0], damping=0.01),
        Ball("bar", "right thigh", at=ENDS[1]),
    ],
    position=HEAD,
)


def dance(*positions: np.ndarray) -> Motion:
    """Through these positions and back to the first in a lap, over and over."""
    times = np.linspace(0, LAP, len(positions) + 1)
    path = MotionPath([Key(position, time=time) for position, time in zip(positions, times, strict=False)], closed=True)
    return Motion(path, duration=LAP, outside="cycle")


def knee(head: np.ndarray, side: int, lean: float) -> np.ndarray:
    """Where a knee is if the letter leans by so many degrees."""
    return head + Orientation.turned(lean, "z").rotate(mirror(KNEE, side))


HEADS = [np.add(HEAD, shift) for shift in ((0, 0, 0), (0.16, -0.1, 0), (0, 0, 0), (-0.16, -0.1, 0))]
LEANS = (0, -20, 0, 20)  # [degrees]
LEFT, RIGHT = ([knee(head, side, lean) for head, lean in zip(HEADS, LEANS, strict=True)] for side in (-1, 1))
STICKS = {"letter": dance(*HEADS), "letter/left knee": dance(*LEFT), "letter/right knee": dance(*RIGHT)}
SCENE = STAGE = Stage(
    [
        Actor("floor", Still(Body(Plane(), friction=0.8))),
        Actor("letter", LETTER),
        *(Actor(f"stick/{number}", motion) for number, motion in enumerate(STICKS.values())),
    ],
    connections=[
        *(Reach(link, f"stick/{number}", within=0.15, reaction=0.05) for number, link in enumerate(STICKS)),
    ],
    gravity=(0, -9.81, 0),
)
SETTLED_TAKE = shoot(STAGE, LAP * (SETTLED + 1), FPS)
TAKE = shoot(STAGE, LAP * LAPS, FPS)
LINKS = ("letter", *(f"letter/{link}" for link in LETTER.links))
SHOWN = LAP * (LAPS - 1) + LAP * np.arange(6) / 6  # [s] six poses of the last lap


def errors() -> dict[str, np.ndarray]:
    """How far what a stick holds is from where the stick is, at each frame [m]."""
    return {
        link: np.linalg.norm(TAKE[link].position - TAKE[f"stick/{number}"].position, axis=1)
        for number, link in enumerate(STICKS)
    }


def shin_angles(side: str) -> np.ndarray:
    """How far a shin is turned against its thigh, at each frame [degrees]."""
    turns = [TAKE[f"letter/{side} {part}"].orientation for part in ("thigh", "shin")]
    thigh, shin = (2 * np.unwrap(np.arctan2(turn[:, 3], turn[:, 0]), period=np.pi) for turn in turns)
    return np.degrees(shin - thigh - (shin - thigh)[0])


STICK_PATHS = [motion.at(np.linspace(0, LAP, 61)).position for motion in STICKS.values()]


def stage_set(drawing: Drawing, title: str = "") -> Panel:
    """The floor, and where the sticks go."""
    panel = drawing.panel(title).bodies(STAGE, TAKE.at(0.0), "quiet", ["floor"])
    for path in STICK_PATHS:
        panel.line(path, "key", 0.8)
    return panel


def draw() -> Drawing:
    drawing = Drawing(6, 2, width=1.85, height=(2.1, 1.7))
    for time in SHOWN:
        panel = stage_set(drawing, f"{time:.1f} s")
        poses = TAKE.at(time)
        panel.bodies(STAGE, poses, "path", LINKS)
        panel.dots([poses[f"stick/{number}"].position for number in range(len(STICKS))], "key", 6)
    drawing.show((-1.4, -0.1), (1.4, 2.3))
    error, angle = max(distances[FPS:].max() for distances in errors().values()), np.abs(shin_angles("left")).max()
    title = f"left shin up to {angle:.0f}° from its thigh; head and knees up to {1000 * error:.0f} mm from their sticks"
    graph = drawing.panel(title, axes=("time [s]", "[degrees]"), span=6)
    for side, color in (("left", "path"), ("right", "other")):
        graph.graph(TAKE.times, shin_angles(side), color, f"{side} shin")
    graph.ax.set_ylim(-75, 75)  # with room for who is who
    return drawing


def film() -> Film:
    drawing = Drawing(1, 1, width=4.2, height=3.6)
    panel = stage_set(drawing)
    drawing.show((-1.4, -0.1), (1.4, 2.3))
    begin = LAP * SETTLED
    moving = Film(drawing, LAP, 25, loops=True).bodies(
        panel, STAGE, lambda time: SETTLED_TAKE.at(begin + time), "path", LINKS
    )
    for number in range(len(STICKS)):
        moving.follow(panel, lambda time, name=f"stick/{number}": SETTLED_TAKE[name].at(begin + time).position, size=8)
    return moving
