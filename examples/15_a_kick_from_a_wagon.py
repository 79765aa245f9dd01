"""An arm kicks a ball down from a wagon that rolls: the last keys of the hand stand in the ball's own frame."""

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
    shoot,
)  # fmt: skip

SPEED = 0.3  # [m/s] of the wagon
SHOULDER, ELBOW, WRIST, TIP = (0, 0), (-0.55, -0.3), (-0.3, -0.78), (-0.3, -1.06)
BEGIN, WHEEL = (-0.35, 0.45, 0), Sphere(0.2)  # the wagon


def bone(name: str, start: tuple[float, float], end: tuple[float, float], mass: float, thick: float) -> Link:
    """A capsule from one point to another."""
    (x, y), (u, v) = start, end
    lean = np.degrees(np.arctan2(x - u, v - y))
    long = float(np.hypot(u - x, v - y)) - 2 * thick
    return Link(name, Body(Capsule(thick, long), mass), ((x + u) / 2, (y + v) / 2, 0), Orientation.turned(lean, "z"))


arm = Figure(
    Body(Box(0.2), 5),
    [
        Hinge(bone("upper", SHOULDER, ELBOW, 1.0, 0.06), at=(*SHOULDER, 0), damping=0.3),
        Hinge(bone("lower", ELBOW, WRIST, 0.7, 0.05), "upper", at=(*ELBOW, 0), damping=0.2),
        Hinge(bone("hand", WRIST, TIP, 0.4, 0.06), "lower", at=(*WRIST, 0), stiffness=8, damping=0.2),
    ],
    position=(-0.5, 1.7, 0),
    held=True,
)
x, y, z = arm.links["hand"].position
swing = MotionPath(
    [
        Key((x, y, z)),
        Key((x - 0.3, y + 0.2, z), name="takes a swing"),
        Key((-0.35, 0.15, 0), relative_to="ball", name="behind it"),
        Key((0.25, 0.08, 0), relative_to="ball", arrive=(0.6, 0, 0), name="through it"),
    ]
)
rolls = Motion(MotionPath([BEGIN, (BEGIN[0] + 4 * SPEED, *BEGIN[1:])]), duration=4)
turns = [Orientation.turned(-np.degrees(share * 4 * SPEED / WHEEL.radius), "z") for share in (0, 1 / 3, 2 / 3, 1)]
wheels = {
    end: Motion(MotionPath([Key((x, -0.25, 0), orientation=turn) for turn in turns]), duration=4)
    for end, x in (("back", -0.25), ("front", 0.25))
}
stage = Stage(
    [
        Actor("floor", Still(Body(Plane())), look="#999999"),
        Actor("kerb", Still(Body(Box((0.1, 0.3, 1))), (2.2, 0.15, 0)), look="#999999"),
        Actor("wagon", rolls, body=Body(Box((0.9, 0.1, 0.5)), friction=1), look="#999999"),
        *(
            Actor(f"wheel/{end}", turn, parent="wagon", body=Body(WHEEL), look="#999999")
            for end, turn in wheels.items()
        ),
        Actor("ball", Free(Body(Sphere(0.1), 0.3), (-0.2, 0.6, 0), (SPEED, 0, 0)), look="#d55e00"),
        Actor("arm", arm, look="#0072b2"),
    ],
    connections=[Reach("arm/hand", swing, within=0.35, speed=1.6)],
    gravity=(0, -9.81, 0),
)


def main() -> None:
    """See that the ball rides along until it is hit, and ends on the floor."""
    take = shoot(stage, seconds=2, fps=60)
    ball, wagon = take["ball"].position, take["wagon"].position
    hit = next(event for event in take.events if {event.actor, getattr(event, "other", "")} == {"ball", "arm/hand"})
    riding = take.times < hit.time
    assert np.allclose((ball - wagon)[riding], (ball - wagon)[0], atol=0.01), "it rides along until it is hit"
    assert ball[-1, 1] < 0.15, "and then it is down"
    down = take.times[np.argmax(ball[:, 1] < 0.15)]
    print(f"Hit after {hit.time:.2f} s with {hit.speed:.1f} m/s, down after {down:.2f} s.")


if __name__ == "__main__":
    main()
