"""When a motion may turn abruptly: at its keys, lap after lap."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Motion, MotionPath
from keypose.motion.relative.corner_times import MAX_CORNERS, corner_times, merge_corners, no_corners
from keypose.motion.take import RecordedMotion

PLACES = [(0, 0, 0), (1, 0, 0), (3, 0, 0)]


def test_a_motion_that_holds_has_its_keys_for_corners():
    found = corner_times(Motion(MotionPath(PLACES, continuity=-1), duration=3.0, start=1.0))
    assert_allclose(found(0, 10), [1, 2, 4])
    assert_allclose(found(1.5, 4), [2, 4])
    assert len(found(5, 10)) == 0


def test_a_motion_that_cycles_has_them_in_every_lap():
    found = corner_times(Motion(MotionPath(PLACES, continuity=-1), duration=3.0, outside="cycle"))
    assert_allclose(found(-2.5, 7.5), [-2, 0, 1, 3, 4, 6, 7])


def test_a_motion_that_mirrors_passes_them_in_turn_on_its_way_back():
    found = corner_times(Motion(MotionPath(PLACES, continuity=-1), duration=3.0, outside="mirror"))
    assert_allclose(found(0, 9), [0, 1, 3, 5, 6, 7, 9])


def test_a_loop_comes_back_to_its_first_key():
    found = corner_times(Motion(MotionPath([*PLACES, (1, 5, 0)], closed=True), duration=3.0))(0, 9)
    assert len(found) == 5
    assert found[-1] == 3


def test_a_recording_has_its_frames():
    times = np.array([0, 0.1, 0.4])
    assert_array_equal(corner_times(RecordedMotion(times, PLACES))(0, 1), times)


def test_several_are_told_in_order_and_once():
    one = corner_times(Motion(MotionPath(PLACES, continuity=-1), duration=3.0))
    assert_allclose(merge_corners([one, no_corners, np.array([np.inf, 2.0, 1.0])])(0.5, 9), [1, 2, 3])
    assert len(merge_corners([])(0, 1)) == 0


@pytest.mark.parametrize("outside", ["cycle", "mirror"])
def test_however_fast_it_repeats_it_has_no_more_than_can_be_looked_at(outside):
    found = corner_times(Motion(MotionPath(PLACES), duration=1e-7, outside=outside))(0, 100)
    assert 1000 < len(found) <= MAX_CORNERS
