"""Orientation against scipy's rotation spline."""

import numpy as np
from measure import Row, best_times, lower_limit_row, seconds, upper_limit_row
from scipy.spatial.transform import Rotation, RotationSpline

from keypose import Key, MotionPath


def orientation() -> list[Row]:
    """1e6 samples of a turn through 20 facings, and the same turn seen from another world."""
    rng = np.random.default_rng(8)
    orientations = Rotation.random(20, random_state=9)
    path = MotionPath([Key(orientation=q) for q in orientations.as_quat(scalar_first=True)])
    spline = RotationSpline(np.arange(20.0), orientations)
    u = rng.uniform(0, 19, 1_000_000)
    ours, theirs = best_times(lambda: path.orientation_at(u), lambda: spline(u), rounds=4)

    world = Rotation.random(random_state=10)
    rotated_path = MotionPath([Key(orientation=q) for q in (world * orientations).as_quat(scalar_first=True)])
    few = u[:100_000]
    expected = world * Rotation.from_quat(path.orientation_at(few), scalar_first=True)
    actual = Rotation.from_quat(rotated_path.orientation_at(few), scalar_first=True)
    difference = np.degrees((expected.inv() * actual).magnitude().max())
    task = f"orientation, 1e6 samples ({seconds(ours)})"
    return [
        lower_limit_row(f"{task}: faster than scipy `RotationSpline`", theirs / ours, 3, "×"),
        upper_limit_row(f"{task}: difference under a global rotation", float(difference), 1e-9, "°"),
    ]
