"""A ring on a hand on an arm: every joint says its own turn, composed they are one movement (GL95 §6.1)."""

import numpy as np

from keypose import Actor, Key, Motion, MotionPath, Orientation, Stage, shoot

ARM, HAND = 1.0, 0.4  # [m]


def bend_motion(position: tuple[float, float, float], degrees: float) -> Motion:
    """A joint that stays at a position on its parent and bends about z, there and back in two seconds."""
    keys = [Key(position, time=time, orientation=Orientation.turned(angle, "z")) for time, angle in
             ((0, 0), (1, degrees), (2, 0))]  # fmt: skip
    return Motion(MotionPath(keys))


sliding = Motion(MotionPath([(0.05, 0, 0), (HAND, 0, 0)]), duration=2.0)  # along the finger
stage = Stage(
    [
        Actor("ring", sliding, parent="hand", look="gold"),  # the order does not matter
        Actor("arm", bend_motion((0, 0, 0), 90)),
        Actor("hand", bend_motion((ARM, 0, 0), -90), parent="arm"),
    ]
)


def main() -> None:
    """Shoot it and see the ring where arm, hand and finger lead at their widest: up the arm, then along x."""
    take = shoot(stage, seconds=2)
    slid = sliding.at(1.0).position[0]
    assert np.allclose(take["ring"].at(1.0).position, (slid, ARM, 0), atol=1e-9)
    assert np.allclose(take["ring"].position[-1], (ARM + HAND, 0, 0), atol=1e-9)
    print(f"{len(take.times)} frames; at 1 s the ring is at {np.round(take['ring'].at(1.0).position, 3).tolist()} m.")


if __name__ == "__main__":
    main()
