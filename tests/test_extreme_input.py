"""Nasty but legal input stays finite: coincident, half turned, tiny, huge and a million keys."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import Key, KeyTimes, Motion, MotionPath, Orientation, SpeedProfile


def assert_finite(path, times=None):
    """Everything a path and its motions can be asked is a number."""
    u = np.linspace(-0.5, path.segments + 0.5, 101)
    u = np.concatenate([u, np.arange(path.segments + 1.0)])
    d = np.linspace(-0.1, 1.1, 50) * path.length
    assert np.isfinite(path.length)
    for method in (
        path.at,
        path.velocity,
        path.acceleration,
        path.orientation_at,
        path.angular_velocity,
        path.geometry.heading,
    ):
        assert np.isfinite(method(u)).all()
    assert (np.diff(path.distance(np.sort(u))) >= -1e-12).all()
    for method in (path.parameter, path.along):
        assert np.isfinite(method(d)).all()
    assert np.isfinite(path.arrive).all()
    assert np.isfinite(path.leave).all()
    assert_allclose(np.linalg.norm(path.orientation_at(u), axis=-1), 1)
    timings = [SpeedProfile([1, 1, 8, 2, 1]), KeyTimes(np.arange(float(len(path)))), SpeedProfile.slow_in_slow_out()]
    for timing in timings:
        motion = Motion(path, timing, duration=None if isinstance(timing, KeyTimes) else 2.0)
        t = np.linspace(motion.span[0] - 0.5, motion.span[1] + 0.5, 60)
        t = np.concatenate([t, motion.key_times])
        for method in (motion.velocity, motion.speed, motion.angular_velocity, motion.distance):
            assert np.isfinite(method(t)).all()
        assert np.isfinite(motion.at(t).position).all()
        assert_allclose(np.linalg.norm(motion.at(t).orientation, axis=-1), 1)


STYLES = [
    {"adjust": adjust, "ends": ends, "closed": closed}
    for adjust in ("none", "length", "unit", None)
    for ends, closed in (("reflect", False), ("zero-chord", False), ("still", False), ("reflect", True))
]


@pytest.mark.parametrize("style", STYLES, ids=str)
def test_coincident_keys_and_zero_chords_are_legal(style):
    for places in (
        [(1, 1), (1, 1)],
        [(1, 1)] * 5,
        [(0, 0), (0, 0), (1, 0), (1, 0), (1, 0), (2, 1)],
        [(0, 0), (1, 0), (0, 0)],
    ):
        assert_finite(MotionPath(places, **style))
        assert_finite(MotionPath([Key(place, tension=1, bias=1) for place in places], **style))


def half_turns():
    return {
        "half turns": [Orientation.turned(180 * step, "y") for step in range(4)],
        "half turns about other axes": [Orientation.turned(180, axis) for axis in "xyzx"],
        "antipodal": [(1, 0, 0, 0), (-1, 0, 0, 0), (0, 1, 0, 0), (0, -1, 0, 0)],
        "the same": [(0.5, 0.5, 0.5, 0.5)] * 4,
        "nearly the same": [(1, 0, 0, step * 1e-12) for step in range(4)],
        "nearly half a turn": [(step % 2 * 1e-9, 1 - step % 2, step % 2, 0) for step in range(4)],
    }


@pytest.mark.parametrize("turning", ["casteljau", "log"])
@pytest.mark.parametrize("name", half_turns())
@pytest.mark.parametrize("closed", [False, True])
def test_antipodal_and_half_turn_orientations_are_legal(name, turning, closed):
    facings = half_turns()[name]
    for places in ([(0, 0, 0), (1, 0, 0), (1, 1, 0), (3, 0, 1)], [(1, 1, 1)] * 4, [None] * 4):
        keys = [Key(place, orientation=facing) for place, facing in zip(places, facings, strict=True)]
        assert_finite(MotionPath(keys, turning=turning, closed=closed))
        assert_finite(MotionPath(keys, turning=turning, closed=closed, inertia=2.0, bias=0.5, continuity=-1))


@pytest.mark.parametrize("style", STYLES, ids=str)
def test_two_keys_are_legal(style):
    assert_finite(MotionPath([(0, 0), (1, 2)], **style))
    assert_finite(MotionPath([Key((0, 0), orientation=(1, 0, 0, 0)), Key((1, 2), tension=5, bias=-7)], **style))
    assert_finite(MotionPath([Key(orientation=(1, 0, 0, 0)), Key((1, 2))], **style))


def test_very_small_very_large_and_very_uneven_paths_are_legal():
    for scale in (1e-90, 1e-9, 1e9, 1e40):
        assert_finite(MotionPath(np.random.default_rng(0).normal(size=(5, 2)) * scale))
    assert_finite(MotionPath([(0, 0), (1e-12, 0), (1e6, 0), (1e6, 1e-9)]))
    assert_finite(MotionPath([Key((0, 0), time=0), Key((1, 0), time=1e-9), Key((2, 1), time=1e6)]))


def test_a_million_keys_are_legal():
    angle = np.linspace(0, 2000 * np.pi, 1_000_000)
    spiral = MotionPath(np.stack([np.cos(angle), np.sin(angle), angle / 100], axis=1))
    expected = 2000 * np.pi * np.hypot(1, 0.01)
    assert spiral.length == pytest.approx(expected, rel=1e-6)
    assert_allclose(spiral.along(expected / 2), spiral.at(499_999.5), atol=1e-3)
    edited = spiral.with_key(500_000, position=(0, 0, 0))
    assert_allclose(edited.at(500_000.0), (0, 0, 0))
    assert edited.length > spiral.length
    timed = Motion(spiral, KeyTimes(np.arange(1_000_000.0)))
    assert_allclose(timed.at(123_456.0).position, spiral.at(123_456.0))
