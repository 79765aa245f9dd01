"""Which participants delay meetings, and what is reported of that."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from keypose.motion.sync_protocol import ACTIVE, DONE, NO_STOP, NOT_REACHED, WAITING
from keypose.script.sync.kernels import delays as delay_kernels
from keypose.script.sync.rule_set import kernel_rules
from keypose.script.sync.rules.delays import (
    BLOCKED,
    DEADLOCK_CHECK_AFTER,
    EVENT_FAILED,
    EVENT_LATE,
    EVENT_RESUMED,
    LATE_AFTER,
    NO_DELAY,
    OUTPACED,
    RESUMED,
    RESUMED_AFTER,
    SLOW,
    classify_delay,
    next_late_time,
)
from tests.script.meetings import SECONDS, Meetings


def test_only_goals_of_active_target_meetings_are_marked_as_reached():
    meetings = Meetings([1.0, 2.0])
    meetings.channel_progress[:] = 1.0, 1.9
    arguments = meetings.graph, meetings.records, meetings.channel_progress
    mark_targets = kernel_rules().mark_targets
    assert mark_targets(*arguments, 0.7)
    assert_array_equal(meetings.reached_at, [0.7, NOT_REACHED])
    assert not mark_targets(*arguments, 0.8)
    for state, waits_for_bodies in ((WAITING, False), (DONE, False), (ACTIVE, True)):
        meetings.state[:], meetings.waits_for_bodies[:], meetings.reached_at[:] = state, waits_for_bodies, NOT_REACHED
        assert not mark_targets(*arguments, 0.9)


def test_body_arrives_when_no_distance_is_left():
    meetings = Meetings([1.0, 2.0], waits_for_bodies=True)
    assert meetings.regulate([0.0, 1.0], time=0.7)
    assert_array_equal(meetings.reached_at, [0.7, NOT_REACHED])


def test_blocked_participant_is_reported_once_before_patience_expires():
    meetings = Meetings([1e3, 1e3])
    reported = [meetings.regulate([5.0, 5.0], [0.0, SECONDS * meetings.speed_factor[1]]) for _ in range(199)]
    assert_array_equal(meetings.delay_cause, [BLOCKED, NO_DELAY])
    assert sum(reported) == 1
    assert reported.index(True) == pytest.approx(LATE_AFTER / SECONDS, abs=1.5)
    assert any(meetings.regulate([5.0, 5.0], [0.0, 0.0]) for _ in range(2))


def test_participant_stopped_by_another_meeting_is_no_delay_cause():
    meetings = Meetings([9.0, 9.0], [2.0], channels=[0, 1, 0])
    meetings.channel_progress[0] = meetings.stop_at[0] = 2.0
    meetings.reached_at[2] = 0.1
    meetings.regulate([7.0, 9.0, 0.0], [0.0, SECONDS])
    assert not meetings.delay_cause.any()


def test_time_stopped_by_other_meetings_is_counted_and_reported_once():
    meetings = Meetings([3.0, 9.0], [5.0])
    meetings.channel_progress[0], reported = 2.0, []
    for _ in range(150):
        meetings.stop_at[0] = 2.0  # by others
        reported.append(meetings.regulate([1.0, 5.0, 5.0], [0.0, 0.0, SECONDS * meetings.speed_factor[2]]))
        meetings.blocked_for[:] = 0.0
    assert_allclose(meetings.waiting_for, [1.5, 0.0])
    assert [number for number, has_event in enumerate(reported) if has_event] == [
        pytest.approx(DEADLOCK_CHECK_AFTER / SECONDS, abs=1.5)
    ]
    meetings.stop_at[0] = 2.0
    meetings.regulate([1.0, 5.0, 5.0], [-0.5, 0.0, SECONDS])
    assert meetings.waiting_for[0] > 1.5, "its body may still move"
    meetings.stop_at[0] = NO_STOP
    meetings.regulate([1.0, 5.0, 5.0], [0.5 * SECONDS, 0.0, SECONDS])
    assert meetings.waiting_for[0] == 0.0


def test_outpaced_participant_makes_a_meeting_late_and_fail_after_five_times_patience():
    meetings, reported = Meetings([1e3, 1e3]), list[int]()
    for _ in range(1100):
        travelled = SECONDS * meetings.speed_factor
        meetings.regulate([5.0, 5.0], travelled, [0.0, travelled[1]])
        reported.append(int(meetings.delay_event[0]))
        if reported[-1]:
            assert meetings.delay_cause.tolist() == [OUTPACED, NO_DELAY]
    assert [event for event in reported if event][:2] == [EVENT_LATE, EVENT_FAILED]
    assert reported.index(EVENT_LATE) == pytest.approx(LATE_AFTER / SECONDS, abs=2)
    assert reported.index(EVENT_FAILED) == pytest.approx(5 * meetings.patience[0] / SECONDS, abs=2)


@pytest.mark.parametrize("travelled", [0.0, 0.005, 0.05, 0.2, 1.0])
@pytest.mark.parametrize("approach", [-1.0, 0.0, 0.05, 0.2, 1.0])
def test_delay_classification_kernel_equals_the_rule(travelled, approach):
    for nominal_distance in (1.0, 0.02, 0.0):
        assert delay_kernels.classify_delay(
            travelled * nominal_distance, approach * nominal_distance, nominal_distance
        ) == classify_delay(travelled * nominal_distance, approach * nominal_distance, nominal_distance)


def test_participant_that_moves_again_resets_its_delay():
    meetings = Meetings([1e3, 1e3])
    for _ in range(90):
        meetings.regulate([5.0, 5.0], [0.0, SECONDS])
    meetings.regulate([5.0, 5.0])
    assert meetings.blocked_for[0] == meetings.late_for[0] == 0.0


@pytest.mark.parametrize(("speed", "cause"), [(0.0, BLOCKED), (0.05, SLOW), (0.2, NO_DELAY)])
def test_slow_participant_makes_a_meeting_late_and_only_a_blocked_one_makes_it_fail(speed, cause):
    meetings, reported = Meetings([1e3, 1e3]), list[int]()
    for _ in range(250):
        meetings.regulate([5.0, 5.0], [speed * SECONDS * meetings.speed_factor[0], SECONDS * meetings.speed_factor[1]])
        reported.append(int(meetings.delay_event[0]))
    assert meetings.delay_cause.tolist() == [cause, NO_DELAY]
    assert (EVENT_LATE in reported, EVENT_FAILED in reported) == (cause != NO_DELAY, cause == BLOCKED)
    assert reported.count(EVENT_LATE) <= 1


@settings(deadline=None, max_examples=60)
@given(st.lists(st.booleans(), max_size=400))
def test_late_time_kernel_equals_the_rule(slow_steps):
    meetings, expected = Meetings([1e3, 1e3]), 0.0
    for is_slow in slow_steps:
        expected_before, expected = expected, next_late_time(expected, is_slow, SECONDS)
        meetings.regulate(
            [5.0, 5.0], [0.0 if is_slow else SECONDS * meetings.speed_factor[0], SECONDS * meetings.speed_factor[1]]
        )
        assert meetings.late_for[0] == pytest.approx(expected, abs=1e-12)
        if meetings.delay_event[0] in (EVENT_LATE, EVENT_RESUMED):
            assert (expected_before < LATE_AFTER) == (meetings.delay_event[0] == EVENT_LATE)


def test_lateness_ends_only_after_sustained_movement():
    meetings, reported = Meetings([1e3, 1e3]), list[int]()
    for number in range(250):
        is_moving = number == 130 or number > 180
        meetings.regulate(
            [5.0, 5.0], [SECONDS * meetings.speed_factor[0] if is_moving else 0.0, SECONDS * meetings.speed_factor[1]]
        )
        meetings.blocked_for[:] = 0.0
        reported.append(int(meetings.delay_event[0]))
        if reported[-1] == EVENT_RESUMED:
            assert meetings.delay_cause.tolist() == [RESUMED, NO_DELAY]
    assert [event for event in reported if event] == [EVENT_LATE, EVENT_RESUMED]
    assert reported.index(EVENT_RESUMED) == pytest.approx(180 + RESUMED_AFTER / SECONDS, abs=2)
