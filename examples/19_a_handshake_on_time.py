"""A handshake when it is time: two hands are ready and wait until a ball has rung the bell, and shake as it is rung."""

import numpy as np

from keypose import (
    Actor,
    Body,
    Box,
    Capsule,
    Figure,
    Follow,
    Hinge,
    Key,
    Link,
    MotionPath,
    Orientation,
    Plane,
    Reach,
    Script,
    Sphere,
    Stage,
    Still,
    shoot,
)  # fmt: skip


def bone(name: str, start: tuple[float, float], end: tuple[float, float], mass: float, thick: float) -> Link:
    """A capsule from one point to another."""
    (x, y), (u, v) = start, end
    lean = np.degrees(np.arctan2(x - u, v - y))
    long = max(float(np.hypot(u - x, v - y)) - 2 * thick, 0.01)
    return Link(name, Body(Capsule(thick, long), mass), ((x + u) / 2, (y + v) / 2, 0), Orientation.turned(lean, "z"))


def arm(side: int) -> Figure:
    """An arm that hangs from a shoulder on the left (1) or on the right (-1)."""
    elbow, wrist, tip = ((side * x, y) for x, y in ((-0.13, -0.48), (0.1, -0.88), (0.23, -0.98)))
    return Figure(
        Body(Box(0.2), 5),
        [
            Hinge(bone("upper", (0, 0), elbow, 1.0, 0.06), at=(0, 0, 0), damping=0.3),
            Hinge(bone("lower", elbow, wrist, 0.7, 0.05), "upper", at=(*elbow, 0), damping=0.2),
            Hinge(bone("hand", wrist, tip, 0.4, 0.07), "lower", at=(*wrist, 0), damping=0.1),
        ],
        position=(-0.85 * side, 1.6, 0),
        held=True,
    )


arms = {"left": arm(1), "right": arm(-1)}


def reach(name: str, other: str, side: int) -> Reach:
    """A hand that gets ready, and goes to wherever the other one is."""
    x, y, z = arms[name].links["hand"].position
    ready = Key((-0.32 * side, 0.9, 0), name="ready")
    shake = Key((0, 0, 0), relative_to=f"{other}/hand", pin=False, name="shake")
    return Reach(f"{name}/hand", MotionPath([(x, y, z), ready, shake]), within=0.15, speed=0.8)


pegs = [(-0.9, 0.9), (-0.1, 1.12), (0.7, 0.85)]  # where they stand, x and z [m]
roll = MotionPath([Key((-2.2, 0.15, 1)), Key((1.6, 0.15, 1), name="bell"), Key((2.4, 0.15, 1))])
script = Script()
bell = script.meet({"ball": "bell"}, of="bodies", name="the bell")
script.meet({"left/hand": "ready", "right/hand": "ready"}, after=bell, gate=True, name="now")
stage = Stage(
    [
        Actor("floor", Still(Body(Plane())), look="#999999"),
        Actor("left", arms["left"], look="#0072b2"),
        Actor("right", arms["right"], look="#d55e00"),
        Actor(
            "ball", Follow(roll, Body(Sphere(0.15), bounce=0.5, friction=0.1), within=0.4, speed=1.2), look="#e69f00"
        ),
        *(
            Actor(
                f"peg/{number}", Still(Body(Capsule(0.08, 0.4), bounce=0.5, friction=0.1), (x, 0.28, z)), look="#999999"
            )
            for number, (x, z) in enumerate(pegs)
        ),
    ],
    connections=[reach("left", "right", 1), reach("right", "left", -1)],
    gravity=(0, -9.81, 0),
    script=script,
)


def main() -> None:
    """See that the hands wait, that they shake after the bell, and that nobody had to know when that would be."""
    take = shoot(stage, seconds=7, fps=60)
    ring_time = take.script.meetings["the bell"].done
    assert ring_time is not None
    left, right = take["left/hand"].position, take["right/hand"].position
    distance = np.linalg.norm(left - right, axis=1)
    waiting = (take.times > ring_time - 0.5) & (take.times < ring_time)
    assert np.ptp(distance[waiting]) < 0.03, "both are ready, and wait"
    assert distance[waiting].min() > 0.3, "and do not shake before the bell"
    met = next(
        event for event in take.events if {event.actor, getattr(event, "other", "")} == {"left/hand", "right/hand"}
    )
    assert ring_time < met.time < ring_time + 1.5, "soon after it they shake"
    assert (distance[take.times > met.time + 1] < 0.25).all(), "and hold on"
    print(f"The bell rings after {ring_time:.2f} s, they shake {met.time - ring_time:.2f} s later.")


if __name__ == "__main__":
    main()
