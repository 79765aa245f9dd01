"""Frames are counted, then placed."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keypose.errors import KeyposeError
from keypose.timing.frames import FRAME_TOLERANCE, covering_frame_count, frame_count, frame_times


@pytest.mark.parametrize("fps", [0, -24, 1e-300, 1e300])
def test_invalid_frame_rate_is_refused_with_its_value(fps):
    with pytest.raises(KeyposeError, match=f"{fps:g}".replace("+", r"\+")) as refusal:
        frame_times(1.0, fps)
    assert "Film runs at 24." in str(refusal.value)


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), "fast", None, [1, 2], 1j, True])
def test_nonnumeric_input_is_refused_with_reason(wrong):
    with pytest.raises(KeyposeError, match="A duration must be"):
        frame_times(wrong, 24)
    with pytest.raises(KeyposeError, match="Frames per second must be"):
        frame_count(1.0, wrong)


@pytest.mark.parametrize("duration", [0, -0.0, -2])
def test_nonpositive_duration_is_refused(duration):
    with pytest.raises(KeyposeError, match="must be longer than 0 s"):
        frame_times(duration, 24)


@pytest.mark.parametrize(("duration", "fps"), [(1e9, 24), (1.0, 1e9), (1e100, 1e9)])
def test_too_many_frames_are_refused(duration, fps):
    with pytest.raises(KeyposeError, match="more than 100,000,000 frames"):
        frame_count(duration, fps)


def test_too_long_duration_is_refused():
    with pytest.raises(KeyposeError, match=r"1e\+200 s is beyond"):
        frame_count(1e200, 1e-9)


def test_two_seconds_of_film_are_49_frames():
    times = frame_times(2.0, 24)
    assert len(times) == frame_count(2.0, 24) == 49
    assert times.dtype == np.float64
    assert (times[0], times[24], times[48]) == (0.0, 1.0, 2.0)


def test_shortest_motion_has_two_frames():
    assert frame_times(0.001, 24).tolist() == [0.0, 0.001]
    assert frame_count(0.001, 24) == 2


def test_frame_times_of_a_long_film_do_not_accumulate_error():
    times = frame_times(7200.0, 24)
    exact = [float(Fraction(frame, 24)) for frame in range(len(times))]
    np.testing.assert_array_equal(times, exact)


@settings(deadline=None)
@given(st.floats(1e-3, 100), st.floats(0.1, 240))
def test_frame_times_are_even_and_end_exactly_at_the_duration(duration, fps):
    times = frame_times(duration, fps)
    assert len(times) == max(1, round(duration * fps)) + 1
    assert times[0] == 0.0
    assert times[-1] == duration
    steps = np.diff(times)
    assert np.all(steps > 0)
    np.testing.assert_allclose(steps, duration / (len(times) - 1), rtol=1e-9)


@pytest.mark.parametrize(
    ("duration", "fps", "count"),
    [(2.0, 24, 49), (1.01, 24, 26), (0.99, 24, 25), (1 / 24, 24, 2), (0.001, 24, 2), (0.1 + 0.2, 10, 4), (1.0, 0.3, 2)],
)
def test_covering_frames_include_the_end_of_the_duration(duration, fps, count):
    assert covering_frame_count(duration, fps) == count


@settings(deadline=None)
@given(st.floats(1e-3, 100), st.floats(0.1, 240))
def test_last_covering_frame_is_never_before_the_end_nor_a_frame_later(duration, fps):
    last = covering_frame_count(duration, fps) - 1
    assert last >= duration * fps - FRAME_TOLERANCE
    assert last == 1 or last - 1 < duration * fps


@given(st.integers(1, 100_000), st.sampled_from([23.976, 24, 25, 29.97, 30, 60, 120]))
def test_whole_frames_are_not_rounded_up(frames, fps):
    assert covering_frame_count(frames / fps, fps) == frame_count(frames / fps, fps) == frames + 1
    assert covering_frame_count(sum([1 / fps] * min(frames, 1000)), fps) == min(frames, 1000) + 1
