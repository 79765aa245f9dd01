"""Paths against their peers: drawings, random access, one sample, one moved key."""

import numpy as np
from measure import Row, best_times, lower_limit_row, seconds, upper_limit_row
from scipy.interpolate import CubicHermiteSpline

from keypose import KeyTimes, Motion, MotionPath


def drawings() -> list[Row]:
    """20 keys, each a drawing of 1,000 points, at 1,000 parameters into a buffer that is already there."""
    rng = np.random.default_rng(1)
    path = MotionPath(rng.normal(size=(20, 1000, 3)), adjust="none")
    u = np.linspace(0, 19, 1000)
    out = np.zeros((1000, 1000, 3))
    positions = path.at(np.arange(20.0)).reshape(20, -1)
    spline = CubicHermiteSpline(np.arange(20.0), positions, path.leave.reshape(20, -1))
    assert np.abs(path.at(u).reshape(1000, -1) - spline(u)).max() < 1e-12
    ours, fill, theirs = best_times(
        lambda: path.at(u, out=out), lambda: out.fill(0), lambda: spline(u), rounds=12, repeat=5
    )
    task = f"20 drawings of 1,000 × 3 at 1,000 parameters ({seconds(ours)})"
    return [
        upper_limit_row(f"{task}: time of `out.fill(0)`", ours / fill, 2, "×"),
        lower_limit_row(f"{task}: faster than scipy `CubicHermiteSpline`", theirs / ours, 8, "×"),
    ]


def random_access() -> list[Row]:
    """1e6 random times on a motion with 10,000 timed keys."""
    rng = np.random.default_rng(2)
    times = np.cumsum(rng.uniform(0.5, 1.5, 10_000))
    positions = rng.normal(size=(10_000, 3)).cumsum(axis=0)
    motion = Motion(MotionPath(positions), KeyTimes(times))
    velocities = motion.path.leave / np.append(np.diff(times), times[-1] - times[-2])[:, None]
    spline = CubicHermiteSpline(times, positions, velocities)
    t = rng.uniform(times[0], times[-1], 1_000_000)
    assert np.abs(motion.at(t).position - spline(t)).max() < 1e-9
    ours, theirs = best_times(lambda: motion.at(t), lambda: spline(t))
    task = f"1e6 random times, 10,000 timed keys ({seconds(ours)}): faster than scipy `CubicHermiteSpline`"
    return [lower_limit_row(task, theirs / ours, 5, "×")]


def one_sample() -> list[Row]:
    """A single parameter, as a dragging hand asks for it."""
    rng = np.random.default_rng(3)
    path = MotionPath(rng.normal(size=(20, 3)), adjust="none")
    spline = CubicHermiteSpline(np.arange(20.0), path.at(np.arange(20.0)), path.leave)
    path.at(np.linspace(0, 19, 100_000))  # as in a session: the kernels are loaded
    ours, theirs = best_times(lambda: path.at(7.3), lambda: spline(7.3), rounds=15, repeat=5000)
    return [lower_limit_row(f"one scalar `path.at(u)` ({seconds(ours)}): faster than scipy's", theirs / ours, 5, "×")]


def one_moved_key() -> list[Row]:
    """One key of 1e5 moved, then one distance asked for, against building the path from the array of places."""
    rng = np.random.default_rng(4)
    positions = rng.normal(size=(100_000, 3)).cumsum(axis=0)
    path = MotionPath(positions)
    middle = path.length / 2

    def move() -> object:
        return path.with_key(50_000, position=(1.0, 2.0, 3.0)).along(middle)

    def build() -> object:
        return MotionPath(positions).along(middle)

    edited = positions.copy()
    edited[50_000] = 1.0, 2.0, 3.0
    assert np.abs(np.asarray(move()) - MotionPath(edited).along(middle)).max() < 1e-6
    ours, fresh = best_times(move, build, rounds=9)
    task = f"moving one key of 1e5, then one `along` ({seconds(ours)}): faster than building anew ({seconds(fresh)})"

    def shape() -> object:
        return path.with_key(50_000, tension=0.5).along(middle)

    tension, fresh_again = best_times(shape, build, rounds=5)
    also = f"giving one key of 1e5 a tension, then one `along` ({seconds(tension)}): faster than building anew"
    return [lower_limit_row(task, fresh / ours, 40, "×"), lower_limit_row(also, fresh_again / tension, 40, "×")]
