"""A ball is to go straight through a board of pegs: it bumps its way round them, shoves a crate aside, and arrives."""

import numpy as np

from keypose import Actor, Body, Box, Capsule, Follow, Free, MotionPath, Orientation, Plane, Sphere, Stage, Still, shoot

PEG = Body(Capsule(0.12, 0.6), bounce=0.7, friction=0.1)
PEGS = [(1.2, 0.12), (2.2, -0.28), (2.3, 0.42), (3.3, 0.1), (4.2, -0.2)]  # where they stand, x and z [m]
rough = MotionPath([(0, 0.2, 0), (2.7, 0.2, 0), (6, 0.2, 0)])
runner = Follow(rough, Body(Sphere(0.2), mass=1, bounce=0.5, friction=0.1), within=0.5, speed=1.8)
stage = Stage(
    [
        Actor("floor", Still(Body(Plane(), friction=0.4)), look="#999999"),
        Actor("ball", runner, look="#d55e00"),
        *(Actor(f"peg/{number}", Still(PEG, (x, 0.42, z)), look="#0072b2") for number, (x, z) in enumerate(PEGS)),
        Actor(
            "crate",
            Free(Body(Box((0.4, 0.3, 0.4)), mass=0.5), (5, 0.15, 0.05), orientation=Orientation.turned(20, "y")),
            look="#e69f00",
        ),
    ],
    gravity=(0, -9.81, 0),
)


def main() -> None:
    """See that it bumps into pegs, is never far off, and is where its path ends, later than if nothing were there."""
    take = shoot(stage, seconds=6, fps=60)
    ball = take["ball"].position
    hit = {event.other for event in take.events if event.actor == "ball" and event.other.startswith("peg")}
    assert len(hit) >= 3, "it bumps into pegs"
    deviation = np.abs(ball[:, 2]).max()
    assert 0.1 < deviation < 0.5, "and goes round them"
    assert np.linalg.norm(ball[-1] - (6, 0.2, 0)) < 0.02, "and arrives where its path ends"
    assert take["crate"].position[-1, 0] > 5.2, "the crate is pushed out of the way"
    arrival_time = take.times[np.argmax(ball[:, 0] > 5.9)]
    assert arrival_time > 5.9 / runner.pace, "which takes longer"
    print(
        f"{len(hit)} pegs hit, {deviation:.2f} m aside, "
        f"there after {arrival_time:.1f} s instead of {5.9 / runner.pace:.1f} s."
    )


if __name__ == "__main__":
    main()
