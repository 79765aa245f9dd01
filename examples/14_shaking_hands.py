"""Two arms shake hands. Nobody says where: the last key of each hand is the other, and the lazy one goes less far."""

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
        position=(-0.85 * side, 1, 0),
        held=True,
    )


arms = {"eager": arm(1), "lazy": arm(-1)}


def reach(name: str, other: str, side: int, eagerness: float) -> Reach:
    """A hand that swings forward, and to wherever the other one is."""
    x, y, z = arms[name].links["hand"].position
    other_hand = Key((0, 0, 0), relative_to=f"{other}/hand", pin=False)
    path = MotionPath([(x, y, z), (x + 0.25 * side, y + 0.25, z), other_hand])
    return Reach(f"{name}/hand", path, within=0.15, eagerness=eagerness)


stage = Stage(
    [Actor("eager", arms["eager"], look="#0072b2"), Actor("lazy", arms["lazy"], look="#d55e00")],
    connections=[reach("eager", "lazy", 1, 0.5), reach("lazy", "eager", -1, 0.2)],
    gravity=(0, -9.81, 0),
)


def main() -> None:
    """See that the hands meet, nearer to the lazy arm, and stay together."""
    take = shoot(stage, seconds=3, fps=60)
    eager, lazy = take["eager/hand"].position, take["lazy/hand"].position
    distance = np.linalg.norm(eager - lazy, axis=1)
    assert distance[0] > 1
    assert (distance[take.times > 2] < 0.2).all(), "they meet, and hold on"
    met = next(event for event in take.events if getattr(event, "other", "") in ("eager/hand", "lazy/hand"))
    assert met.place[0] > 0.05, "nearer to the lazy one"
    print(f"They meet after {met.time:.2f} s, {1000 * met.place[0]:.0f} mm nearer to the lazy arm.")


if __name__ == "__main__":
    main()
