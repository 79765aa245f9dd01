"""Paths against their peers: drawings, random access, one sample, one moved key."""

import numpy as np
from measure import Row, at_least, at_most, seconds, taking_turns
from scipy.interpolate import CubicHermiteSpline

from keypose import KeyTimes, Motion, MotionPath


def drawings() -> list[Row]:
    """20 keys, each a drawing of 1,000 points, at 1,000 parameters into a buffer that is already there."""
    rng = np.random.default_rng(1)
    path = MotionPath(rng.normal(size=(20, 1000, 3)), adjust="none")
    u = np.linspace(0, 19, 1000)
    out = np.zeros((1000, 1000, 3))
    places = path.at(np.arange(20.0)).reshape(20, -1)
    spline = CubicHermiteSpline(np.arange(20.0), places, path.leave.reshape(20, -1))
    assert np.abs(path.at(u).reshape(1000, -1) - spline(u)).max() < 1e-12
    ours, fill, theirs = taking_turns(
        lambda: path.at(u, out=out), lambda: out.fill(0), lambda: spline(u), rounds=12, repeat=5
    )
    work = f"20 drawings of 1,000 × 3 at 1,000 parameters ({seconds(ours)})"
    return [
        at_most(f"{work}: time of `out.fill(0)`", ours / fill, 2, "×"),
        at_least(f"{work}: faster than scipy `CubicHermiteSpline`", theirs / ours, 8, "×"),
    ]


def random_access() -> list[Row]:
    """1e6 random times on a motion with 10,000 timed keys."""
    rng = np.random.default_rng(2)
    times = np.cumsum(rng.uniform(0.5, 1.5, 10_000))
    places = rng.normal(size=(10_000, 3)).cumsum(axis=0)
    motion = Motion(MotionPath(places), KeyTimes(times))
    velocities = motion.path.leave / np.append(np.diff(times), times[-1] - times[-2])[:, None]
    spline = CubicHermiteSpline(times, places, velocities)
    t = rng.uniform(times[0], times[-1], 1_000_000)
    assert np.abs(motion.at(t).position - spline(t)).max() < 1e-9
    ours, theirs = taking_turns(lambda: motion.at(t), lambda: spline(t))
    work = f"1e6 random times, 10,000 timed keys ({seconds(ours)}): faster than scipy `CubicHermiteSpline`"
    return [at_least(work, theirs / ours, 5, "×")]


def one_sample() -> list[Row]:
    """A single parameter, as a dragging hand asks for it."""
    rng = np.random.default_rng(3)
    path = MotionPath(rng.normal(size=(20, 3)), adjust="none")
    spline = CubicHermiteSpline(np.arange(20.0), path.at(np.arange(20.0)), path.leave)
    path.at(np.linspace(0, 19, 100_000))  # as in a session: the kernels are loaded
    ours, theirs = taking_turns(lambda: path.at(7.3), lambda: spline(7.3), rounds=15, repeat=5000)
    return [at_least(f"one scalar `path.at(u)` ({seconds(ours)}): faster than scipy's", theirs / ours, 5, "×")]


def one_moved_key() -> list[Row]:
    """One key of 1e5 moved, then one distance asked for, against building the path from the array of places."""
    rng = np.random.default_rng(4)
    places = rng.normal(size=(100_000, 3)).cumsum(axis=0)
    path = MotionPath(places)
    middle = path.length / 2

    def move() -> object:
        return path.with_key(50_000, position=(1.0, 2.0, 3.0)).along(middle)

    def build() -> object:
        return MotionPath(places).along(middle)

    edited = places.copy()
    edited[50_000] = 1.0, 2.0, 3.0
    assert np.abs(np.asarray(move()) - MotionPath(edited).along(middle)).max() < 1e-6
    ours, anew = taking_turns(move, build, rounds=9)
    work = f"moving one key of 1e5, then one `along` ({seconds(ours)}): faster than building anew ({seconds(anew)})"

    def shape() -> object:
        return path.with_key(50_000, tension=0.5).along(middle)

    tension, anew_again = taking_turns(shape, build, rounds=5)
    also = f"giving one key of 1e5 a tension, then one `along` ({seconds(tension)}): faster than building anew"
    return [at_least(work, anew / ours, 40, "×"), at_least(also, anew_again / tension, 40, "×")]
