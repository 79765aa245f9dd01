"""A ball bounces at a drawn speed, a hand catches it wherever it is by then, and a drone films both from a wide arc."""

import numpy as np

from keypose import Actor, Camera, Key, LookAt, Motion, MotionPath, SpeedProfile, Stage, effects, shoot

bounces = MotionPath(
    [
        Key((-4, 2.6, -1)),
        Key((-2.6, 0.2, -0.6), **effects.corner, name="bounce"),
        Key((-1.4, 1.9, -0.3)),
        Key((-0.3, 0.2, 0), **effects.corner, name="again"),
        Key((0.9, 1.4, 0.3), name="catch"),
        Key((2.4, 1.0, 0.9)),
        Key((3.0, 2.2, 0), tension=0.3, name="up"),
    ]
)
bounce_profile = SpeedProfile([1, 3, 7, 1, 8, 1, 0.6, 2, 0.5])  # and slow at the tops
reach = MotionPath(
    [
        Key((3.2, 0.5, 2.6)),
        Key((2.2, 1.4, 1.6)),
        Key((0.05, -0.12, 0.05), relative_to="ball", pin=False, time=2.9, tension=1, name="catch"),
        Key((0.05, -0.12, 0.05), relative_to="ball", pin=False, time=5.0, tension=1, name="up"),
    ]
)
arc = MotionPath([(-3.6, 1.4, 2.8), (0, 2.6, 3.6), (3.4, 1.9, 2.8)], tension=-0.2)
stage = Stage(
    [
        Actor("ball", Motion(bounces, bounce_profile, duration=5.0, capture={"catch": 2.9}), look="#e69f00"),
        Actor("hand", Motion(reach), look="#56b4e9"),
        Actor(
            "drone", Motion(arc, SpeedProfile.slow_in_slow_out(), duration=5.0), facing=LookAt("ball"), look=Camera(40)
        ),
    ]
)


def main() -> None:
    """See that the hand has the ball from the catch on, and that the ball is quicker at the floor than above it."""
    take = shoot(stage, seconds=5, fps=24)
    ball, hand = take["ball"].position, take["hand"].position
    distance = np.linalg.norm(ball - hand, axis=1)
    assert distance[0] > 5
    assert np.allclose(distance[take.times >= 2.9], distance[-1]), "from the catch on the hand goes with the ball"
    speed = take["ball"].speed(take.times)
    falls = take.times < 2.5
    low, high = (speed[falls & condition].mean() for condition in (ball[:, 1] < 0.6, ball[:, 1] > 1.6))
    assert low > 1.3 * high, "quick at the floor, slow at the tops"
    print(f"{len(take.times)} frames; {low:.1f} m/s at the floor, {high:.1f} m/s at the tops; caught at 2.9 s.")


if __name__ == "__main__":
    main()
