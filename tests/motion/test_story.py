"""A story is a value: telling it further leaves what was told as it was."""

import numpy as np
from numpy.testing import assert_array_equal

from keypose import Pose
from keypose.motion.relative.pass_log import PassLog

HERE = Pose(np.array([1.0, 2, 3]), np.array([1.0, 0, 0, 0]))


def test_a_blank_story_has_everything_before_it():
    story = PassLog.empty(3, 2)
    assert story.next_key == 0
    assert not story.is_pinned.any()
    assert_array_equal(story.hold_at(np.array([-1.0, 5])), [0, 0])


def test_passing_and_pinning_tell_a_new_story():
    blank = PassLog.empty(3, 2)
    told = blank.with_pass(0.5).with_pin(1, HERE)
    assert told.next_key == 1
    assert told.is_pinned.tolist() == [False, True]
    assert_array_equal(told.carrier_positions[1], HERE.position)
    assert blank.next_key == 0
    assert not blank.is_pinned.any()


def test_all_keys_are_passed_in_their_order():
    story = PassLog.empty(3, 0).with_pass(0.0).with_pass(1.0).with_pass(1.0)
    assert story.next_key == 3
    assert_array_equal(story.passed_at, [0, 1, 1])


def test_an_actor_is_held_from_a_moment_on_and_no_more_once_a_key_is_passed():
    story = PassLog.empty(2, 1).with_pass(0.0).with_hold(1.0, 4.0).with_hold(2.0, 5.0).with_pass(3.0)
    assert_array_equal(story.hold_at(np.array([-1, 0, 0.9, 1, 1.9, 2, 2.9, 3, 9])), [0, 0, 0, 4, 4, 5, 5, 0, 0])
