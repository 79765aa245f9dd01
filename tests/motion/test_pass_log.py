"""A story is a value: telling it further leaves what was told as it was."""

import numpy as np
from numpy.testing import assert_array_equal

from keypose import Pose
from keypose.motion.relative.pass_log import PassLog

POSE = Pose(np.array([1.0, 2, 3]), np.array([1.0, 0, 0, 0]))


def test_empty_log_has_no_passes_pins_or_holds():
    log = PassLog.empty(3, 2)
    assert log.next_key == 0
    assert not log.is_pinned.any()
    assert_array_equal(log.hold_at(np.array([-1.0, 5])), [0, 0])


def test_with_pass_and_with_pin_return_a_new_log():
    blank = PassLog.empty(3, 2)
    updated = blank.with_pass(0.5).with_pin(1, POSE)
    assert updated.next_key == 1
    assert updated.is_pinned.tolist() == [False, True]
    assert_array_equal(updated.carrier_positions[1], POSE.position)
    assert blank.next_key == 0
    assert not blank.is_pinned.any()


def test_passes_are_logged_in_key_order():
    log = PassLog.empty(3, 0).with_pass(0.0).with_pass(1.0).with_pass(1.0)
    assert log.next_key == 3
    assert_array_equal(log.passed_at, [0, 1, 1])


def test_hold_lasts_until_the_next_key_is_passed():
    log = PassLog.empty(2, 1).with_pass(0.0).with_hold(1.0, 4.0).with_hold(2.0, 5.0).with_pass(3.0)
    assert_array_equal(log.hold_at(np.array([-1, 0, 0.9, 1, 1.9, 2, 2.9, 3, 9])), [0, 0, 0, 4, 4, 5, 5, 0, 0])
