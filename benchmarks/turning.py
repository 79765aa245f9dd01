"""Orientation against scipy's rotation spline."""

import numpy as np
from measure import Row, at_least, at_most, seconds, taking_turns
from scipy.spatial.transform import Rotation, RotationSpline

from keypose import Key, MotionPath


def orientation() -> list[Row]:
    """1e6 samples of a turn through 20 facings, and the same turn seen from another world."""
    rng = np.random.default_rng(8)
    facings = Rotation.random(20, random_state=9)
    path = MotionPath([Key(orientation=q) for q in facings.as_quat(scalar_first=True)])
    spline = RotationSpline(np.arange(20.0), facings)
    u = rng.uniform(0, 19, 1_000_000)
    ours, theirs = taking_turns(lambda: path.orientation_at(u), lambda: spline(u), rounds=4)

    world = Rotation.random(random_state=10)
    rotated_path = MotionPath([Key(orientation=q) for q in (world * facings).as_quat(scalar_first=True)])
    few = u[:100_000]
    expected = world * Rotation.from_quat(path.orientation_at(few), scalar_first=True)
    actual = Rotation.from_quat(rotated_path.orientation_at(few), scalar_first=True)
    difference = np.degrees((expected.inv() * actual).magnitude().max())
    work = f"orientation, 1e6 samples ({seconds(ours)})"
    return [
        at_least(f"{work}: faster than scipy `RotationSpline`", theirs / ours, 3, "×"),
        at_most(f"{work}: difference under a global rotation", float(difference), 1e-9, "°"),
    ]
