"""Motions of every kind, and moments within them."""

import numpy as np

from keypose.curves.key import Key
from keypose.curves.orientation import Orientation
from keypose.curves.path.motion_path import MotionPath
from keypose.maths import quaternion
from keypose.motion.motion import Motion
from keypose.timing.key_times import KeyTimes
from keypose.timing.speed_profile import SpeedProfile

UNEVEN = SpeedProfile([1, 1, 8, 2, 1])


def random_path(count=6, seed=0, tension=0.0, **style):
    rng = np.random.default_rng(seed)
    facings = quaternion.exp(0.7 * rng.normal(size=(count, 3)))
    return MotionPath(
        [Key(rng.normal(size=3), orientation=facing, name=f"k{i}") for i, facing in enumerate(facings)],
        tension=tension,
        **style,
    )


MOTIONS = {
    "steady": lambda: Motion(random_path(), duration=2.0),
    "drawn": lambda: Motion(random_path(), UNEVEN, duration=2.0, start=0.25),
    "captured": lambda: Motion(random_path(), UNEVEN, duration=2.0, capture={"k2": 0.6, "k4": 1.3}),
    "timed": lambda: Motion(random_path(), KeyTimes([0, 0.2, 0.9, 1, 1.7, 2]), start=-1.0),
    "loop drawn": lambda: Motion(random_path(closed=True), UNEVEN, duration=2.0),
    "loop timed": lambda: Motion(random_path(closed=True), KeyTimes([0, 0.2, 0.9, 1, 1.7, 2, 3])),
    "heavy": lambda: Motion(random_path(inertia=0.5, mass=2.0), UNEVEN, duration=2.0),
    "heavy timed": lambda: Motion(random_path(inertia=0.5), KeyTimes([0, 0.2, 0.9, 1, 1.7, 2])),
    "turning": lambda: Motion(
        MotionPath([Key(orientation=Orientation.turned(a, "x")) for a in (0, 50, 80)]), UNEVEN, duration=2.0
    ),
}
