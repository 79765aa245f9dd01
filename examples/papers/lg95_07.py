"""LG95 figure 7: kicking a ball down from a moving wagon

The hand of an arm of three links is to pass through a ball, from behind: its last keys, and the tangent between them,
stand in the ball's frame. Whether the wagon stands or rolls, and however fast, the ball is hit and falls down; that it
lies on the wagon, is hit and drops is contact, which nobody has keyed.
"""

import numpy as np

from keypose import (
    Actor,
    Body,
    Box,
    Capsule,
    Figure,
    Free,
    Hinge,
    Key,
    Link,
    Motion,
    MotionPath,
    Orientation,
    Plane,
    Reach,
    Sphere,
    Stage,
    Still,
    Take,
    shoot,
)
from keypose.plot.drawing import Drawing
from keypose.plot.film import Film

SECONDS, FPS = 1.6, 100
SPEEDS = (0.0, 0.2, 0.4)  # [m/s] of the wagon
SHOULDER, ELBOW, WRIST, TIP = (-0.5, 1.7, 0), (-1.05, 1.4, 0), (-0.8, 0.92, 0), (-0.8, 0.64, 0)
WAGON, BALL = Box((0.9, 0.1, 0.5)), Sphere(0.1)
TOP = 0.5  # [m] of the wagon
WHEEL = Sphere(0.2)
AXLES = {"wheel/back": (-0.25, -0.25, 0), "wheel/front": (0.25, -0.25, 0)}  # from the wagon's middle


def bone(name: str, start: np.ndarray, end: np.ndarray, mass: float, thick: float) -> Link:
    """A capsule from one point to another."""
    offset = np.subtract(end, start)
    lean = np.degrees(np.arctan2(-offset[0], offset[1]))
    shape = Capsule(thick, float(np.linalg.norm(offset)) - 2 * thick)
    return Link(name, Body(shape, mass), np.add(start, offset / 2), Orientation.turned(lean, "z"))


def arm() -> Figure:
    shoulder, elbow, wrist, tip = (np.subtract(position, SHOULDER) for position in (SHOULDER, ELBOW, WRIST, TIP))
    return Figure(
        Body(Box(0.2), 5),
        [
            Hinge(bone("upper", shoulder, elbow, 1.0, 0.06), at=shoulder, damping=0.3),
            Hinge(bone("lower", elbow, wrist, 0.7, 0.05), "upper", at=elbow, damping=0.2),
            Hinge(bone("hand", wrist, tip, 0.4, 0.06), "lower", at=wrist, stiffness=8, damping=0.2),
        ],
        position=SHOULDER,
        held=True,
    )


def wheel_motion(axle: tuple[float, float, float], far: float) -> Motion:
    """A wheel that rolls so far [m]; halfway there is a key, as it may be more than half a turn."""
    turns = (Orientation.turned(-float(np.degrees(share * far / WHEEL.radius)), "z") for share in (0, 0.5, 1))
    return Motion(MotionPath([Key(axle, orientation=turn) for turn in turns]), duration=SECONDS)


def kick_take(speed: float) -> tuple[Stage, Take]:
    """The arm, and the ball on a wagon that rolls so fast [m/s]."""
    begin, far = (-0.35, TOP - 0.05, 0), max(speed, 1e-6) * SECONDS
    rolls = MotionPath([begin, np.add(begin, (far, 0, 0))])
    ball = Free(Body(BALL, 0.3), np.add(begin, (0.15, 0.15, 0)), (speed, 0, 0))
    hand = arm().links["hand"].position
    hand_keys = [
        Key(hand),
        Key(np.add(hand, (-0.3, 0.2, 0)), name="takes a swing"),
        Key((-0.35, 0.15, 0), relative_to="ball"),
        Key((0.25, 0.08, 0), relative_to="ball", arrive=(0.6, 0, 0), name="through"),
    ]
    stage = Stage(
        [
            Actor("floor", Still(Body(Plane()))),
            Actor("wagon", Motion(rolls, duration=SECONDS), body=Body(WAGON, friction=1.0)),
            *(Actor(name, wheel_motion(axle, far), parent="wagon", body=Body(WHEEL)) for name, axle in AXLES.items()),
            Actor("ball", ball),
            Actor("arm", arm()),
        ],
        connections=[Reach("arm/hand", MotionPath(hand_keys), within=0.35, speed=1.6)],
        gravity=(0, -9.81, 0),
    )
    return stage, shoot(stage, SECONDS, FPS)


KICKS = {speed: kick_take(speed) for speed in SPEEDS}
SCENE = KICKS[0.2][0]
CART = ("wagon", *AXLES)
ARM = ("arm", "arm/upper", "arm/lower", "arm/hand")


def first_hit(take: Take) -> tuple[float, float]:
    """When the hand hits the ball first [s], and how fast [m/s]."""
    return next(
        (event.time, event.speed)
        for event in take.events
        if {event.actor, getattr(event, "other", "")} == {"arm/hand", "ball"}
    )


def landing_time(take: Take) -> float:
    """When the ball first lies on the floor [s]."""
    return float(take.times[np.argmax(take["ball"].position[:, 1] < 0.11)])


def _until_hit(take: Take) -> np.ndarray:
    """The way of the hand until it has hit."""
    return take["arm/hand"].position[: round((first_hit(take)[0] + 0.1) * FPS)]


def background() -> Drawing:
    """Everything that stands still."""
    drawing = Drawing(1, len(SPEEDS), width=5.6, height=2.45)
    for speed, (stage, take) in KICKS.items():
        time, speed_of_hit = first_hit(take)
        blow = f"hit after {time:.2f} s with {speed_of_hit:.1f} m/s"
        panel = drawing.panel(f"wagon {speed:g} m/s: {blow}, down after {landing_time(take):.2f} s")
        panel.bodies(stage, take.at(0.0), "quiet", ["floor"])
        panel.line(take["ball"].position, "key", 1.2).line(_until_hit(take), "path", 1.0)
    drawing.show((-1.35, -0.1), (2.75, 1.85))
    return drawing


def draw() -> Drawing:
    drawing = background()
    for panel, (stage, take) in zip(drawing.panels, KICKS.values(), strict=True):
        time, _ = first_hit(take)
        panel.bodies(stage, take.at(np.array([0.0, time])), "quiet", CART)
        panel.bodies(stage, take.at(np.array([0.0, time, landing_time(take)])), "key", ["ball"])
        panel.bodies(stage, take.at(np.array([0.0, 0.6 * time, time])), "path", ARM)
    return drawing


def film() -> Film:
    drawing = background()
    moving = Film(drawing, SECONDS)
    for panel, (stage, take) in zip(drawing.panels, KICKS.values(), strict=True):
        for color, names in (("quiet", CART), ("key", ["ball"]), ("path", ARM)):
            moving.bodies(panel, stage, take.at, color, names)
    return moving
