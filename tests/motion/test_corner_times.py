"""When a motion may turn abruptly: at its keys, lap after lap."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Motion, MotionPath
from keypose.motion.relative.corner_times import MAX_CORNERS, corner_times, merge_corners, no_corners
from keypose.motion.take import RecordedMotion

POSITIONS = [(0, 0, 0), (1, 0, 0), (3, 0, 0)]


def test_corners_of_a_holding_motion_are_its_key_times():
    found = corner_times(Motion(MotionPath(POSITIONS, continuity=-1), duration=3.0, start=1.0))
    assert_allclose(found(0, 10), [1, 2, 4])
    assert_allclose(found(1.5, 4), [2, 4])
    assert len(found(5, 10)) == 0


def test_cycling_motion_has_corners_in_every_lap():
    found = corner_times(Motion(MotionPath(POSITIONS, continuity=-1), duration=3.0, outside="cycle"))
    assert_allclose(found(-2.5, 7.5), [-2, 0, 1, 3, 4, 6, 7])


def test_mirrored_motion_has_corners_in_reverse_on_its_return():
    found = corner_times(Motion(MotionPath(POSITIONS, continuity=-1), duration=3.0, outside="mirror"))
    assert_allclose(found(0, 9), [0, 1, 3, 5, 6, 7, 9])


def test_closed_path_has_a_corner_at_the_return_to_its_first_key():
    found = corner_times(Motion(MotionPath([*POSITIONS, (1, 5, 0)], closed=True), duration=3.0))(0, 9)
    assert len(found) == 5
    assert found[-1] == 3


def test_corners_of_a_recording_are_its_frame_times():
    times = np.array([0, 0.1, 0.4])
    assert_array_equal(corner_times(RecordedMotion(times, POSITIONS))(0, 1), times)


def test_merged_corners_are_sorted_and_unique():
    one = corner_times(Motion(MotionPath(POSITIONS, continuity=-1), duration=3.0))
    assert_allclose(merge_corners([one, no_corners, np.array([np.inf, 2.0, 1.0])])(0.5, 9), [1, 2, 3])
    assert len(merge_corners([])(0, 1)) == 0


@pytest.mark.parametrize("outside", ["cycle", "mirror"])
def test_corner_count_of_fast_repeats_is_limited(outside):
    found = corner_times(Motion(MotionPath(POSITIONS), duration=1e-7, outside=outside))(0, 100)
    assert 1000 < len(found) <= MAX_CORNERS
