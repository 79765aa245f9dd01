"""Are keys pinned to moments, and freed again, whatever says how fast it goes?"""

import pytest

from keypose import Actor, Key, KeyposeError, KeyTimes, Motion, MotionPath, SpeedProfile, Stage
from keypose.studio.edits.apply import apply_edit
from keypose.studio.edits.key_times import pinned_flags
from keypose.studio.protocol import commands

POSITIONS = [(0, 0, 0), (1, 1, 0), (2, 0, 0), (4, 0, 0)]
DRAWN = Motion(MotionPath(POSITIONS), SpeedProfile([1, 3, 1]), duration=2.0, start=1.0)


def time_key(motion, key, time):
    edited, label = apply_edit(Stage([Actor("red", motion)]), commands.TimeKey(id=1, actor="red", key=key, time=time))
    return edited["red"].motion, label


def motion_with_key_times(*times):
    return Motion(
        MotionPath([Key(position, time=time) for position, time in zip(POSITIONS, times, strict=True)]), start=1.0
    )


@pytest.mark.parametrize("timing", [SpeedProfile([1, 3, 1]), None])
def test_key_under_a_speed_profile_is_captured_and_freed(timing):
    motion = Motion(MotionPath(POSITIONS), timing, duration=2.0, start=1.0)
    pinned, label = time_key(motion, 1, 1.75)
    assert (pinned.capture, label) == ({1: 0.75}, "time of key 1 of red")
    assert pinned.key_times[1] == 1.75
    assert pinned_flags(pinned) == [False, True, False, False]
    freed, label = time_key(pinned, 1, None)
    assert (freed, label) == (motion, "free key 1 of red")


def test_key_time_is_counted_from_the_start_of_its_motion():
    pinned, _ = time_key(motion_with_key_times(0, None, None, 2), 1, 2.5)
    assert pinned == motion_with_key_times(0, 1.5, None, 2)
    assert pinned_flags(pinned) == [True, True, False, True]
    assert time_key(pinned, 1, None)[0] == motion_with_key_times(0, None, None, 2)


def test_freed_last_key_is_still_passed_at_the_end():
    freed, _ = time_key(motion_with_key_times(0, 1, None, 2), 3, None)
    assert pinned_flags(freed) == [True, True, False, False]
    assert freed.span == (1.0, 3.0)


def test_motion_without_key_times_is_steady_and_keeps_its_duration():
    motion = motion_with_key_times(0, None, None, 2)
    for key in (3, 0):
        motion, _ = time_key(motion, key, None)
    assert motion.speed([1.5, 2.5]) == pytest.approx(motion.path.length / 2)
    assert motion.span == (1.0, 3.0)


def test_listed_key_time_can_be_changed_but_not_freed():
    motion = Motion(MotionPath(POSITIONS), KeyTimes([0, 1, 2, 3]), start=1.0)
    assert time_key(motion, 1, 2.25)[0].timing == KeyTimes([0, 1.25, 2, 3])
    with pytest.raises(KeyposeError, match="lists a time for every key"):
        time_key(motion, 1, None)


def test_freeing_a_free_key_and_unordered_times_are_refused():
    with pytest.raises(KeyposeError, match="free already"):
        time_key(DRAWN, 1, None)
    with pytest.raises(KeyposeError, match="order of the path"):
        time_key(time_key(DRAWN, 1, 2.0)[0], 2, 1.5)
