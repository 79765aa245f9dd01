"""Are keys pinned to moments, and freed again, whatever says how fast it goes?"""

import pytest

from keypose import Actor, Key, KeyposeError, KeyTimes, Motion, MotionPath, SpeedProfile, Stage
from keypose.studio.edits import apply_edit
from keypose.studio.edits.key_times import pinned_flags
from keypose.studio.protocol import commands

PLACES = [(0, 0, 0), (1, 1, 0), (2, 0, 0), (4, 0, 0)]
DRAWN = Motion(MotionPath(PLACES), SpeedProfile([1, 3, 1]), duration=2.0, start=1.0)


def told(motion, key, time):
    made, says = apply_edit(Stage([Actor("red", motion)]), commands.TimeKey(id=1, actor="red", key=key, time=time))
    return made["red"].motion, says


def by_times(*times):
    return Motion(MotionPath([Key(place, time=time) for place, time in zip(PLACES, times, strict=True)]), start=1.0)


@pytest.mark.parametrize("timing", [SpeedProfile([1, 3, 1]), None])
def test_under_a_speed_a_key_is_captured_at_the_moment_and_freed_to_what_it_was(timing):
    motion = Motion(MotionPath(PLACES), timing, duration=2.0, start=1.0)
    pinned, says = told(motion, 1, 1.75)
    assert (pinned.capture, says) == ({1: 0.75}, "time of key 1 of red")
    assert pinned.key_times[1] == 1.75
    assert pinned_flags(pinned) == [False, True, False, False]
    freed, says = told(pinned, 1, None)
    assert (freed, says) == (motion, "free key 1 of red")


def test_a_key_goes_by_the_time_it_says_counted_from_the_start_of_its_motion():
    pinned, _ = told(by_times(0, None, None, 2), 1, 2.5)
    assert pinned == by_times(0, 1.5, None, 2)
    assert pinned_flags(pinned) == [True, True, False, True]
    assert told(pinned, 1, None)[0] == by_times(0, None, None, 2)


def test_the_last_key_that_is_freed_is_still_passed_at_the_end():
    freed, _ = told(by_times(0, 1, None, 2), 3, None)
    assert pinned_flags(freed) == [True, True, False, False]
    assert freed.span == (1.0, 3.0)


def test_when_no_key_says_a_time_any_more_it_goes_steadily_and_takes_as_long():
    motion = by_times(0, None, None, 2)
    for key in (3, 0):
        motion, _ = told(motion, key, None)
    assert motion.speed([1.5, 2.5]) == pytest.approx(motion.path.length / 2)
    assert motion.span == (1.0, 3.0)


def test_of_listed_times_one_is_changed_and_none_left_out():
    motion = Motion(MotionPath(PLACES), KeyTimes([0, 1, 2, 3]), start=1.0)
    assert told(motion, 1, 2.25)[0].timing == KeyTimes([0, 1.25, 2, 3])
    with pytest.raises(KeyposeError, match="lists a time for every key"):
        told(motion, 1, None)


def test_a_key_that_is_free_is_not_freed_and_one_out_of_order_not_pinned():
    with pytest.raises(KeyposeError, match="free already"):
        told(DRAWN, 1, None)
    with pytest.raises(KeyposeError, match="order of the path"):
        told(told(DRAWN, 1, 2.0)[0], 2, 1.5)
