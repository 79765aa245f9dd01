"""Times at the keys: increasing, counted in inbetweens, nudged by frames."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keypose.errors import KeyposeError
from keypose.timing.key_times import KeyTimes


def test_nonincreasing_times_are_refused_with_both_keys():
    with pytest.raises(KeyposeError, match=r"Key 2 at 1\.0 s does not come after key 1 at 1\.5 s"):
        KeyTimes([0, 1.5, 1.0, 2])
    with pytest.raises(KeyposeError, match=r"Key 1 at 0\.5 s does not come after key 0 at 0\.5 s"):
        KeyTimes([0.5, 0.5])


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), -float("inf"), 1e200])
def test_nonfinite_time_is_refused(wrong):
    with pytest.raises(KeyposeError, match=r"Key 1 is at .* s\. Times are finite"):
        KeyTimes([0, wrong, 2])


@pytest.mark.parametrize("wrong", ["soon", None, 3, {1, 2}, [[0, 1]], [[0], [1, 2]], ["0", "1"], [1j], []])
def test_invalid_list_of_times_is_refused_with_reason(wrong):
    with pytest.raises(KeyposeError, match="Key times must be"):
        KeyTimes(wrong)


@pytest.mark.parametrize("wrong", [-1, 2.5, float("nan"), float("inf")])
def test_fractional_or_negative_inbetweens_are_refused(wrong):
    with pytest.raises(KeyposeError, match=r"inbetweens after key 1\. Give a whole number"):
        KeyTimes.inbetweens([3, wrong])


def test_invalid_inbetween_list_or_rate_is_refused():
    with pytest.raises(KeyposeError, match="plain list"):
        KeyTimes.inbetweens(5)
    with pytest.raises(KeyposeError, match="must be numbers"):
        KeyTimes.inbetweens("many")
    with pytest.raises(KeyposeError, match="more than 0"):
        KeyTimes.inbetweens([5], fps=0)


def test_n_inbetweens_make_n_plus_1_steps():
    assert KeyTimes.inbetweens([10, 5], fps=24).times.tolist() == [0, 11 / 24, 17 / 24]
    assert KeyTimes.inbetweens([0, 0, 0], fps=1).times.tolist() == [0, 1, 2, 3]
    assert KeyTimes.inbetweens([]).times.tolist() == [0]


def test_inbetweens_never_drift_off_the_frames():
    times = KeyTimes.inbetweens([4] * 1000, fps=24).times
    np.testing.assert_array_equal(times, np.arange(1001) * 5 / 24)


def test_duration_and_intervals_follow_from_the_times():
    times = KeyTimes([1, 1.5, 4])
    assert times.duration == 3
    assert times.intervals.tolist() == [0.5, 2.5]
    assert len(times) == 3


def test_nudging_forward_and_back_restores_the_time():
    sheet = KeyTimes.inbetweens([10, 5, 7])
    later = sheet.nudged(2, 1)
    assert later.times.tolist() == [0, 11 / 24, 18 / 24, 25 / 24]
    assert later.nudged(2, -1) == sheet
    assert sheet.nudged(-1, 100).times[-1] == 125 / 24
    assert sheet.nudged(0, -3, fps=12).times[0] == -0.25


def test_nudged_key_between_frames_keeps_its_offset():
    assert KeyTimes([0, 0.51, 2]).nudged(1, 12).times[1] == pytest.approx(1.01)
    assert KeyTimes([0, 0.51, 2]).nudged(1, 0) == KeyTimes([0, 0.51, 2])


@pytest.mark.parametrize(("key", "frames", "neighbour"), [(1, 6, 2), (1, 7, 2), (1, -11, 0), (1, -99, 0), (-1, -6, 1)])
def test_nudge_onto_or_past_a_neighbour_is_refused(key, frames, neighbour):
    with pytest.raises(KeyposeError, match=rf"pass or meet key {neighbour} at .* Nudge it less"):
        KeyTimes.inbetweens([10, 5]).nudged(key, frames)


@settings(deadline=None)
@given(st.lists(st.integers(0, 20), min_size=1, max_size=6), st.integers(0, 5), st.integers(-25, 25))
def test_nudging_moves_one_key_by_frames_or_is_refused(counts, key, frames):
    sheet = KeyTimes.inbetweens(counts)
    key %= len(sheet)
    on_frame = np.concatenate([[0], np.cumsum(np.array(counts) + 1)])
    moved = on_frame.copy()
    moved[key] += frames
    if np.all(np.diff(moved) > 0):
        np.testing.assert_array_equal(sheet.nudged(key, frames).times, moved / 24)
    else:
        with pytest.raises(KeyposeError, match="pass or meet"):
            sheet.nudged(key, frames)


def test_nudging_refuses_invalid_keys_and_frames():
    sheet = KeyTimes([0, 1])
    with pytest.raises(KeyposeError, match=r"There is no key 2: there are 2, numbered 0 to 1\."):
        sheet.nudged(2, 1)
    with pytest.raises(KeyposeError, match="go by whole numbers"):
        sheet.nudged("last", 1)
    with pytest.raises(KeyposeError, match="whole frames"):
        sheet.nudged(1, 0.5)
    with pytest.raises(KeyposeError, match="Key 1 is at inf s"):
        sheet.nudged(1, 1e308, fps=1e-9)


def test_times_compare_and_hash_by_value():
    assert KeyTimes([0, 1]) == KeyTimes(np.array([-0.0, 1.0]))
    assert KeyTimes([0, 1]) != KeyTimes([0, 2])
    assert KeyTimes([0, 1]) != [0, 1]
    assert len({KeyTimes([0, 1]), KeyTimes((0.0, 1.0)), KeyTimes([0, 1, 2])}) == 2


def test_times_are_immutable():
    given_times = np.array([0.0, 1.0])
    times = KeyTimes(given_times)
    given_times[1] = 5
    assert times.times[1] == 1
    with pytest.raises(ValueError, match="read-only"):
        times.times[0] = 3
    with pytest.raises(AttributeError):
        times.times = [1]
    for duplicate in (copy.deepcopy(times), pickle.loads(pickle.dumps(times)), eval(repr(times))):
        assert duplicate == times
        assert not duplicate.times.flags.writeable
