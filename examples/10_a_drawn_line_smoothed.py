"""A shaky hand draws a house with the pointer; a brush that keeps distance 0 to it leaves a smooth line (PF89 §3)."""

from itertools import pairwise

import numpy as np

from keypose import Actor, DynamicSpline, KeyTimes, Motion, MotionPath, Stage, fields, shoot

CORNERS = np.array([(0, 0), (0, 2), (1.2, 3), (2.4, 2), (2.4, 0), (0, 0)], dtype=float)
rng = np.random.default_rng(3)
hand = np.concatenate([np.linspace(start, end, 24)[:-1] for start, end in pairwise(CORNERS)])
hand = np.concatenate([hand, CORNERS[-1:]]) + rng.normal(size=(len(hand) + 1, 2)) * 0.02  # it trembles
traced = Motion(MotionPath(hand.tolist(), tension=1), KeyTimes(np.arange(len(hand)) / 24))

follow = fields.KeepDistance(fields.Pointer(), 0)
stage = Stage(
    [
        Actor("pointer", traced, look="#999999"),
        Actor("brush", DynamicSpline(hand[0], friction=0.3, senses={follow: 0.3}), look="#0072b2"),
    ]
)


def jitter(positions: np.ndarray) -> float:
    """How much the velocity changes from one film frame to the next, most of the time [m/s]."""
    v = np.diff(positions[: len(hand)], axis=0) * 24
    return float(np.median(np.linalg.norm(np.diff(v, axis=0), axis=1)))


def main() -> None:
    """See that the brush follows the hand closely, shakes far less, and that its velocity never jumps."""
    take = shoot(stage, seconds=6, fps=24)
    pen, brush = take["pointer"].position, take["brush"].position
    distance = np.linalg.norm(pen - brush, axis=1)
    assert distance.max() < 0.3, "it stays with the hand"
    assert distance[-1] < 0.001, "and ends where that ends"
    assert jitter(brush) < jitter(pen) / 4, "but does not tremble with it"

    fine = shoot(stage, seconds=4, fps=24 * 32)["brush"].position
    v = np.diff(fine, axis=0) * 24 * 32
    jumps = np.linalg.norm(np.diff(v, axis=0), axis=1)
    joints = np.arange(31, len(jumps), 32)  # where a tick ends and the next begins
    assert jumps[joints].max() < np.delete(jumps, joints).max() * 1.001, "its velocity never jumps"
    print(
        f"The brush is {distance.max():.2f} m behind at most; it shakes {jitter(pen) / jitter(brush):.1f} times less."
    )


if __name__ == "__main__":
    main()
