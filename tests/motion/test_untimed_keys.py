"""Keys with and without times: those without are passed by distance, wherever carriers are then."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Key, KeyTimes, Motion, MotionPath, Pose
from keypose.motion.relative.corner_times import no_corners
from keypose.motion.relative.untimed_keys import has_untimed_keys, infer_key_times

UPRIGHT = np.array([1.0, 0, 0, 0])


def carrier_poses(name, t):
    return Pose(np.stack([4 + t, 0 * t, 0 * t], axis=-1), np.tile(UPRIGHT, (len(t), 1)))


def motion_with_inferred_times(*keys, closed=False, **options):
    return infer_key_times(Motion(MotionPath(keys, closed=closed), **options), None, carrier_poses, no_corners)


def test_has_untimed_keys_only_if_times_depend_on_distance():
    timed = [Key((index, 0, 0), time=index) for index in range(3)]
    assert not has_untimed_keys(Motion(MotionPath(timed)))
    assert not has_untimed_keys(Motion(MotionPath([(0, 0), (1, 1)]), duration=1.0))
    assert not has_untimed_keys(Motion(MotionPath([Key((0, 0), time=0), (1, 1)]), KeyTimes([0, 1])))
    assert not has_untimed_keys(Motion(MotionPath([(0, 0), Key((1, 1), time=2)])))
    assert has_untimed_keys(Motion(MotionPath([Key((0, 0), time=0), (1, 1), Key((2, 2), time=2)])))


def test_untimed_key_is_passed_at_its_fraction_of_the_current_length():
    motion = motion_with_inferred_times(Key((0, 0, 0), time=0), (3, 0, 0), Key((0, 0, 0), relative_to="glass", time=2))
    moment = motion.key_times[1]
    assert moment / 2 * (4 + moment) == pytest.approx(3, abs=1e-9)
    assert_array_equal(motion.key_times[[0, 2]], [0, 2])


def test_start_shifts_all_inferred_times():
    keys = Key((0, 0, 0), time=1), (3, 0, 0), (2, 2, 0), Key((0, 0, 0), relative_to="glass", time=3)
    motion = motion_with_inferred_times(*keys, start=5.0)
    assert_array_equal(motion.key_times[[0, 3]], [6, 8])
    assert (np.diff(motion.key_times) > 0).all()


def test_coincident_keys_get_increasing_times():
    meet = Key((0, 0, 0), relative_to="glass", time=2)
    motion = motion_with_inferred_times(
        Key((0, 0, 0), time=0), *[(1, 0, 0)] * 3, meet, *[(9, 0, 0)] * 2, Key((9, 0, 0), time=3)
    )
    assert (np.diff(motion.key_times) > 0).all()
    assert_allclose(motion.key_times[[0, 4, 7]], [0, 2, 3])
    assert np.ptp(motion.key_times[1:4]) < 1e-6


def test_untimed_keys_of_a_loop_are_timed_until_the_return():
    keys = Key((0, 0, 0), time=0), Key((0, 0, 0), relative_to="glass"), (0, 5, 0)
    motion = motion_with_inferred_times(*keys, Key((0, 7, 0), time=2), (0, 8, 0), closed=True, duration=3.0)
    assert motion.duration == 3
    assert_array_equal(motion.key_times[[0, 3]], [0, 2])
    assert (np.diff(motion.clock.times) > 0).all()
