"""A hand catches a sliding glass by its handle, lifts it, sets it down and lets it slide on (GL95 §6.3).

The keys of the grasp stand in the glass's frame: the hand is told nothing about where the glass is or how it spins.
"""

import numpy as np

from keypose import Actor, Key, Motion, MotionPath, Orientation, SpeedProfile, Stage, Take, shoot
from keypose.maths.quaternion import angle_between
from keypose.motion.hierarchy import to_local

GRASP, RELEASE, END = 1.0, 2.5, 3.5  # [s]
HANDLE = (0.06, 0.07, 0.0)  # [m] in the glass's frame
PALM = Orientation.facing((-1, 0, 0))  # towards the glass
DOWN = Orientation.facing((0, -0.5, -1))


def glass(*positions: tuple[float, float, float], spin: float) -> Motion:
    """A glass that spins by so many degrees until it is caught; at grasp and release its way has a corner."""
    times, turned, corner = (0, 0.5, GRASP, 1.8, RELEASE, END), (0, 0.6, 1, 1, 1, 1), (0, 0, -1, 0, -1, 0)
    rows = zip(positions, times, turned, corner, strict=True)
    return Motion(
        MotionPath(
            [
                Key(position, time=time, orientation=Orientation.turned(spin * share, "y"), continuity=continuity)
                for position, time, share, continuity in rows
            ]
        )
    )


GLASSES = {
    "slides": glass((-1, 0.8, 0), (-0.5, 0.8, 0), (-0.1, 0.8, 0), (0.3, 1.1, 0), (0.6, 0.8, 0), (1, 0.8, 0), spin=200),
    "races": glass((-4, 0.8, 0), (-1, 0.8, 0), (0.4, 0.8, 0), (0.6, 1.3, 0), (0.6, 0.8, 0.2), (3, 0.8, 0), spin=250),
    "is thrown": glass((-2, 1, 1), (-1, 2, 0.4), (0, 1.4, 0), (0.3, 1.2, 0), (0.5, 0.8, 0), (1, 0.8, 0), spin=-150),
    "stands": glass(*[(0.1, 0.8, 0)] * 6, spin=0),
}

# With tension 1 the hand rests on the handle: between the two keys it moves as the glass does, as long as both are
# carried. The release is pinned when it is passed, which sets the hand free; `pin=False` keeps the grasp carried.
grip = {"position": HANDLE, "orientation": PALM, "tension": 1, "relative_to": "glass"}
reach = MotionPath(
    [
        Key((0.2, 1.1, 0.5), time=0, orientation=DOWN),
        Key(**grip, time=GRASP, pin=False),
        Key(**grip, time=RELEASE),
        Key((0.6, 1.2, 0.5), time=END, orientation=DOWN),
    ]
)
by_profile = Motion(
    MotionPath([Key((0.2, 1.1, 0.5), orientation=DOWN), Key(**grip)]), SpeedProfile([1, 9, 1]), duration=GRASP
)
stage = Stage([Actor("glass", GLASSES["slides"]), Actor("hand", Motion(reach))])


def shoot_scene(glass: Motion, hand: Motion) -> Take:
    return shoot(Stage([Actor("glass", glass), Actor("hand", hand)]), END)


def grip_error(take: Take) -> np.ndarray:
    """How far the hand is from holding the glass as it should: metres and degrees, (frames, 2)."""
    relative_pose = to_local(take.poses["glass"], take.poses["hand"])
    distance = np.linalg.norm(relative_pose.position - HANDLE, axis=1)
    return np.stack([distance, np.degrees(angle_between(relative_pose.orientation, PALM.wxyz))], axis=1)


def main() -> None:
    """See that the hand catches whichever glass, holds it, and once it let go does not care where that goes."""
    for description, motion in GLASSES.items():
        take = shoot_scene(motion, Motion(reach))
        times, error = take.times, grip_error(take)
        holding = (times >= GRASP) & (times <= RELEASE)
        assert (error[times < GRASP - 0.1] > (0.01, 1)).all()
        assert (error[holding] < (1e-12, 1e-5)).all(), f"it holds a glass that {description}"
        deviation = grip_error(shoot_scene(motion, by_profile))
        assert (deviation[times == GRASP] < (1e-12, 1e-5)).all(), "by drawn speed it is there in time too"

        other_take = shoot_scene(Motion(motion.path.with_key(5, position=(9, 9, 9))), Motion(reach))
        hands = [other["hand"].position[times >= RELEASE] for other in (take, other_take)]
        assert np.allclose(*hands, rtol=0, atol=1e-12)
    print(f"{len(take.times)} frames; caught: a glass that {', '.join(GLASSES)}.")


if __name__ == "__main__":
    main()
