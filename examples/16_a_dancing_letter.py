"""A letter A dances on sticks: head and knees are held by three movements that repeat, all else hangs and swings."""

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
)  # fmt: skip

LAP = 1.2  # [s]
HEAD = np.array([0, 2.085, 0])  # high enough for feet to brush the floor, and not to be jammed against it
HIP, KNEE, FOOT, BAR = (0.05, -0.12), (0.42, -0.95), (0.78, -1.85), (0.28, -0.62)  # from the head, on the right


def bone(name: str, start: tuple[float, float], end: tuple[float, float], mass: float, thick: float) -> Link:
    """A capsule from one point to another."""
    (x, y), (u, v) = start, end
    lean = np.degrees(np.arctan2(x - u, v - y))
    body = Body(Capsule(thick, float(np.hypot(u - x, v - y)) - 2 * thick), mass, friction=0.8)
    return Link(name, body, ((x + u) / 2, (y + v) / 2, 0), Orientation.turned(lean, "z"))


def leg(name: str, side: int) -> list[Hinge | Pin]:
    """Thigh, knee and shin; the knee is loose."""
    hip, knee, foot = ((side * x, y) for x, y in (HIP, KNEE, FOOT))
    return [
        Hinge(bone(f"{name} thigh", hip, knee, 0.6, 0.06), at=(*hip, 0), damping=0.05),
        Pin(Link(f"{name} knee", Body(Sphere(0.09), 0.3), (*knee, 0)), f"{name} thigh"),
        Hinge(bone(f"{name} shin", knee, foot, 0.4, 0.06), f"{name} thigh", at=(*knee, 0), stiffness=2.5, damping=0.12),
    ]


bar = bone("bar", (-BAR[0], BAR[1]), BAR, 0.1, 0.04)
letter = Figure(
    Body(Sphere(0.14), 0.8),
    [
        *leg("left", -1),
        *leg("right", 1),
        Hinge(bar, "left thigh", at=(-BAR[0], BAR[1], 0), damping=0.01),
        Ball("bar", "right thigh", at=(*BAR, 0)),  # which closes a ring
    ],
    position=HEAD,
)


def dance(positions: list[np.ndarray]) -> Motion:
    """Through these positions and back to the first in a lap, over and over."""
    times = LAP * np.arange(len(positions)) / len(positions)
    path = MotionPath([Key(position, time=time) for position, time in zip(positions, times, strict=True)], closed=True)
    return Motion(path, duration=LAP, outside="cycle")


def knees(side: int) -> list[np.ndarray]:
    """Where a knee is while the head sways and the letter leans."""
    turns = [Orientation.turned(lean, "z") for lean in (0, -20, 0, 20)]
    return [head + turn.rotate((side * KNEE[0], KNEE[1], 0)) for head, turn in zip(heads, turns, strict=True)]


heads = [HEAD + shift for shift in ((0, 0, 0), (0.16, -0.1, 0), (0, 0, 0), (-0.16, -0.1, 0))]
sticks = {
    "letter": dance(heads),
    "letter/left knee": dance(knees(-1)),
    "letter/right knee": dance(knees(1)),
}
stage = Stage(
    [
        Actor("floor", Still(Body(Plane(), friction=0.8)), look="#999999"),
        Actor("letter", letter, look="#0072b2"),
        *(Actor(f"stick/{number}", motion, look="#d55e00") for number, motion in enumerate(sticks.values())),
    ],
    connections=[
        *(Reach(link, f"stick/{number}", within=0.15, reaction=0.05) for number, link in enumerate(sticks)),
    ],
    gravity=(0, -9.81, 0),
)


def main() -> None:
    """See that head and knees stay at their sticks, and that the feet, which nobody holds, swing a good deal."""
    take = shoot(stage, seconds=3 * LAP, fps=60)
    is_swinging = take.times > 1
    error = max(
        np.linalg.norm(take[link].position - take[f"stick/{number}"].position, axis=1)[is_swinging].max()
        for number, link in enumerate(sticks)
    )
    assert error < 0.05, "head and knees go with their sticks"
    swing = np.ptp(
        take["letter/left shin"].position[is_swinging, 0] - take["letter/left knee"].position[is_swinging, 0]
    )
    assert swing > 0.2, "the shins swing"
    print(f"Head and knees are up to {1000 * error:.0f} mm from their sticks, a shin swings over {swing:.2f} m.")


if __name__ == "__main__":
    main()
