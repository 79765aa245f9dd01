"""Frames of a motion: both ends included, a stripe for each, keys nudged by frames (BH89 §5-6)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from keypose.curves.key import Key
from keypose.curves.path.motion_path import MotionPath
from keypose.errors import KeyposeError, UnknownNameError
from keypose.motion.motion import Motion
from keypose.timing.key_times import KeyTimes
from keypose.timing.speed_profile import SpeedProfile

PATH = MotionPath([(0, 0), (2, 1), Key((3, 0), name="bounce"), (5, 2)])
UNEVEN = SpeedProfile([1, 1, 8, 2, 1])


@settings(deadline=None, max_examples=40)
@given(
    st.integers(1, 300),
    st.sampled_from([1, 12, 24, 25, 30, 29.97, 60]),
    st.floats(-100, 100),
    st.sampled_from(["hold", "cycle", "mirror"]),
)
def test_n_frame_intervals_give_n_plus_1_poses(count, fps, start, outside):
    for motion in (
        Motion(PATH, UNEVEN, duration=count / fps, start=start, outside=outside),
        Motion(PATH, KeyTimes(0.3 + np.array([0, 0.1, 0.4, 1]) * count / fps), start=start, outside=outside),
    ):
        frames, times = motion.frames(fps), motion.frame_times(fps)
        assert len(frames) == len(times) == len(motion.time_bar(fps)) == count + 1
        assert (times[0], times[-1]) == motion.span
        assert_allclose(frames.position[[0, -1]], [(0, 0), (5, 2)], atol=1e-9)
        assert_allclose(np.diff(times), 1 / fps, atol=1e-12 * (1 + abs(start)))


def test_frames_are_the_poses_at_the_frame_times():
    motion = Motion(PATH, UNEVEN, duration=2.0, start=3.0)
    assert motion.frames(24) == motion.at(motion.frame_times(24))
    assert motion.frames() == motion.frames(24)
    assert motion.frames(24).position.shape == (49, 2)
    assert_allclose(motion.frames(12).position, motion.frames(24).position[::2], atol=1e-9)


@pytest.mark.parametrize("wrong", [0, -24, np.nan, "film", None], ids=str)
def test_invalid_frame_rate_is_refused(wrong):
    for method in (Motion(PATH, duration=1).frames, Motion(PATH, duration=1).time_bar):
        with pytest.raises(KeyposeError, match="Frames per second must be"):
            method(wrong)


def test_keys_timed_by_inbetweens_fall_on_frames():
    motion = Motion(PATH, KeyTimes.inbetweens([10, 5, 7], fps=24))
    frames = motion.frames(24).position
    assert len(frames) == 11 + 6 + 8 + 1
    assert_allclose(frames[[0, 11, 17, 25]], [key.position for key in PATH.keys], atol=1e-12)


# ---- the time bar ----------------------------------------------------------------------------------------------------


def test_time_bar_has_one_distance_mark_per_frame():
    motion = Motion(PATH, UNEVEN, duration=2.0)
    bar = motion.time_bar(24)
    assert bar.shape == (49,)
    assert bar[0] == 0
    assert bar[-1] == PATH.length
    assert (np.diff(bar) > 0).all()
    assert_allclose(PATH.along(bar), motion.frames(24).position, atol=1e-9)
    assert_array_equal(np.argmax(np.diff(bar)), np.argmax(motion.speed((np.arange(48) + 0.5) / 24)))


def test_time_bar_is_even_at_constant_speed():
    assert_allclose(np.diff(Motion(PATH, duration=2.0).time_bar(24)), PATH.length / 48)


def test_time_bar_of_key_times_uses_the_derived_path():
    motion = Motion(PATH, KeyTimes([0, 1, 1.5, 2]))
    bar = motion.time_bar(24)
    assert_allclose(bar[[0, 24, 36, 48]], motion.path.distance(np.arange(4.0)), atol=1e-9)


# ---- nudging ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("frames", [1, 3, -4])
def test_nudged_key_with_key_times_is_shifted_by_frames(frames):
    motion = Motion(PATH, KeyTimes.inbetweens([10, 5, 7]), start=0.5, outside="cycle")
    nudged = motion.nudged("bounce", frames)
    assert_allclose(nudged.key_times - motion.key_times, [0, 0, frames / 24, 0], atol=1e-14)
    assert (nudged.start, nudged.outside) == (0.5, "cycle")
    assert nudged.nudged(2, -frames) == motion
    before, after = nudged.speed_jump("bounce")
    assert before == pytest.approx(after)  # the tangents are derived anew


def test_times_on_keys_can_be_nudged():
    path = MotionPath([Key(key.position, time=time) for key, time in zip(PATH.keys, (0, 1, 2, 4), strict=True)])
    assert_allclose(Motion(path).nudged(1, 6, fps=12).key_times, [0, 1.5, 2, 4])
    assert_allclose(Motion(path).nudged(-1, 24).key_times, [0, 1, 2, 5])
    spread = Motion(path.with_key(1, time=None))
    assert_allclose(spread.nudged(1, 2).key_times - spread.key_times, [0, 2 / 24, 0, 0], atol=1e-12)


def test_nudged_key_of_a_loop_cannot_pass_the_return():
    loop = Motion(MotionPath([(0, 0), (1, 0), (1, 1)], closed=True), KeyTimes([0, 1, 2, 3]))
    assert_array_equal(loop.nudged(2, 12).key_times, [0, 1, 2.5])
    assert loop.nudged(2, 12).duration == 3
    with pytest.raises(KeyposeError, match="pass or meet key 3"):
        loop.nudged(2, 24)


@pytest.mark.parametrize("frames", [1, 5, -3])
def test_nudged_key_under_a_profile_is_captured_at_its_new_time(frames):
    motion = Motion(PATH, UNEVEN, duration=2.0, start=0.5, outside="cycle")
    nudged = motion.nudged("bounce", frames)
    moment = motion.key_times[2] + frames / 24
    assert_allclose(nudged.key_times[2], moment, rtol=1e-14)
    assert_allclose(nudged.at(moment).position, (3, 0), atol=1e-9)
    assert nudged.span == motion.span
    assert nudged.outside == "cycle"
    before, after = nudged.speed_jump("bounce")
    assert (before < after) == (frames > 0)  # later: slower before, faster after
    assert "'bounce'" in repr(nudged)


def test_two_nudges_add_up():
    motion = Motion(PATH, UNEVEN, duration=2.0, capture={1: 0.5})
    twice, once = motion.nudged("bounce", 2).nudged("bounce", 3), motion.nudged("bounce", 5)
    assert_allclose(twice.key_times, once.key_times, atol=1e-12)
    assert twice.key_times[1] == 0.5
    assert_allclose(motion.nudged(1, 1).key_times[1], 0.5 + 1 / 24)
    assert_allclose(Motion(PATH, UNEVEN, duration=2.0, capture={2: 0.9}).nudged("bounce", 1).key_times[2], 0.9 + 1 / 24)


@pytest.mark.parametrize("timing", [UNEVEN, KeyTimes([0, 1, 1.5, 2])], ids=["drawn", "timed"])
def test_impossible_nudge_is_refused(timing):
    motion = Motion(PATH, timing, duration=2.0)
    with pytest.raises(UnknownNameError, match=r"No key is named 'bonce'\. Did you mean 'bounce'\?"):
        motion.nudged("bonce", 1)
    with pytest.raises(KeyposeError, match=r"nudged by whole frames, but 0\.5 was given\. Round it\."):
        motion.nudged("bounce", 0.5)
    with pytest.raises(KeyposeError, match="Frames to nudge by must be"):
        motion.nudged("bounce", "few")
    with pytest.raises(KeyposeError, match="Frames per second must be more than 0"):
        motion.nudged("bounce", 1, fps=0)
    with pytest.raises(KeyposeError, match=r"pass or meet key|outside the motion|not after key"):
        motion.nudged("bounce", 500)
