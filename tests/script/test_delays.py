"""Whom do meetings wait for? The compiled loop watches them as the readable rule says."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from keypose.motion.sync_protocol import ACTIVE, DONE, NO_STOP, WAITING
from keypose.script.sync.kernels import delays as delay_kernels
from keypose.script.sync.kernels.delays import update_delays
from keypose.script.sync.kernels.step import mark_targets
from keypose.script.sync.rules.delays import (
    BLOCKED,
    DEADLOCK_CHECK_AFTER,
    EVENT_FAILED,
    EVENT_LATE,
    EVENT_RESUMED,
    LATE_AFTER,
    NO_DELAY,
    NO_EVENT,
    OUTPACED,
    RESUMED,
    RESUMED_AFTER,
    SLOW,
    ParticipantProgress,
    WaitTimes,
    classify_delay,
    delay_status,
    next_late_time,
)
from keypose.script.sync.rules.speed_factors import REGULATION_PERIOD
from tests.script.meetings import SECONDS, Meetings
from tests.script.random_sync_state import RandomSyncState

TIMES = 0.955, 0.97, 0.99, 1.0, 1.01, 1.19, 0.0, 0.5  # [s] around when something is told, too


@settings(deadline=None, max_examples=300)
@given(st.integers(0, 10_000))
def test_delay_kernel_equals_the_rule(seed):
    sync = RandomSyncState(seed)
    rng, channel_count, goal_count, meeting_count = (
        sync.rng,
        len(sync.progress),
        len(sync.goal_progress),
        len(sync.state),
    )
    nominal_distance = sync.nominal_speed * sync.speed_factor * REGULATION_PERIOD
    travelled = nominal_distance * rng.choice([0.0, 0.005, 0.05, 0.5, 1.0], channel_count)
    at_rest = rng.random(channel_count) < 0.2  # whose targets are at the end, and whose bodies go on
    true_distance, travelled = travelled, np.where(at_rest & (travelled > 0), -travelled / REGULATION_PERIOD, travelled)
    previous_distance = sync.distance_left + nominal_distance[sync.goal_channel] * rng.choice(
        [-1.0, 0.05, 0.5, 1.0], goal_count
    )
    times_before = [WaitTimes(*times) for times in rng.choice(TIMES, (meeting_count, 3))]
    sync.patience[:] = rng.choice([0.5, 1.02, 3.0], meeting_count)
    late_for, blocked_for, waiting_for = np.array(times_before).T.copy()
    delay_cause, events, expected_flags = (
        rng.choice([NO_DELAY, BLOCKED, SLOW, OUTPACED, RESUMED], goal_count),
        np.full(meeting_count, 7),
        NO_EVENT,
    )
    inputs_before = delay_cause.copy(), previous_distance.copy()
    goal_arrays = (
        sync.goal_channel,
        sync.goal_progress,
        sync.goal_offsets,
        sync.state,
        sync.reached_at,
        sync.is_early,
        sync.nominal_speed,
        sync.patience,
    )
    delays = late_for, blocked_for, waiting_for, previous_distance, delay_cause, events
    flags = update_delays(
        sync.progress,
        travelled,
        sync.distance_left,
        *goal_arrays,
        REGULATION_PERIOD,
        sync.speed_factor,
        sync.stop_at,
        *delays,
    )
    for meeting in range(meeting_count):
        goal_range = range(sync.goal_offsets[meeting], sync.goal_offsets[meeting + 1])
        if sync.state[meeting] != ACTIVE:
            assert (late_for[meeting], blocked_for[meeting], waiting_for[meeting], events[meeting]) == (
                *times_before[meeting],
                NO_EVENT,
            )
            assert (delay_cause[goal_range] == inputs_before[0][goal_range]).all()
            continue
        participants = [
            ParticipantProgress(
                sync.progress[channel := sync.goal_channel[goal]],
                sync.stop_at[channel],
                sync.goal_progress[goal],
                true_distance[channel],
                inputs_before[1][goal] - sync.distance_left[goal],
                nominal_distance[channel],
                sync.is_early[goal],
                not np.isnan(sync.reached_at[goal]),
                inputs_before[0][goal],
            )
            for goal in goal_range
        ]
        expected = delay_status(participants, times_before[meeting], sync.patience[meeting], REGULATION_PERIOD)
        assert_allclose(
            [late_for[meeting], blocked_for[meeting], waiting_for[meeting]], expected.wait_times, rtol=1e-12
        )
        assert delay_cause[goal_range].tolist() == expected.delay_causes
        assert events[meeting] == expected.event
        expected_flags |= expected.flags
    assert flags == expected_flags
    is_open = np.isnan(sync.reached_at) & (sync.state == ACTIVE)[sync.goal_meeting]
    assert_allclose(previous_distance, np.where(is_open, sync.distance_left, inputs_before[1]))


# ---- one by one ------------------------------------------------------------------------------------------------------


def test_only_goals_of_active_target_meetings_are_marked_as_reached():
    meetings = Meetings([1.0, 2.0])
    meetings.progress[:] = 1.0, 1.9
    goals = (
        meetings.goal_channel,
        meetings.goal_progress,
        meetings.goal_offsets,
        meetings.waits_for_bodies,
        meetings.state,
    )
    assert mark_targets(meetings.progress, *goals, 0.7, meetings.reached_at)
    assert_array_equal(meetings.reached_at, [0.7, np.nan])
    assert not mark_targets(meetings.progress, *goals, 0.8, meetings.reached_at)
    for state, waits_for_bodies in ((WAITING, False), (DONE, False), (ACTIVE, True)):
        meetings.state[:], meetings.waits_for_bodies[:], meetings.reached_at[:] = state, waits_for_bodies, np.nan
        assert not mark_targets(meetings.progress, *goals, 0.9, meetings.reached_at)


def test_body_arrives_when_no_distance_is_left():
    meetings = Meetings([1.0, 2.0], waits_for_bodies=True)
    assert meetings.regulate([0.0, 1.0], time=0.7)
    assert_array_equal(meetings.reached_at, [0.7, np.nan])


def test_blocked_participant_is_reported_once_before_patience_expires():
    meetings = Meetings([1e3, 1e3])
    reported = [meetings.regulate([5.0, 5.0], [0.0, SECONDS * meetings.speed_factor[1]]) for _ in range(199)]
    assert_array_equal(meetings.delay_cause, [BLOCKED, NO_DELAY])
    assert sum(reported) == 1
    assert reported.index(True) == pytest.approx(LATE_AFTER / SECONDS, abs=1.5)
    assert any(meetings.regulate([5.0, 5.0], [0.0, 0.0]) for _ in range(2))


def test_participant_stopped_by_another_meeting_is_no_delay_cause():
    meetings = Meetings([9.0, 9.0], [2.0])
    meetings.goal_channel[:] = 0, 1, 0
    meetings.progress, meetings.stop_at = np.array([2.0, 0.0]), np.array([2.0, NO_STOP])
    for name in ("nominal_speed", "min_speed_factor", "reaction", "efficiency", "speed_factor"):
        setattr(meetings, name, getattr(meetings, name)[:2].copy())
    meetings.reached_at[2] = 0.1
    meetings.regulate([7.0, 9.0, 0.0], [0.0, SECONDS])
    assert not meetings.delay_cause.any()


def test_time_stopped_by_other_meetings_is_counted_and_reported_once():
    meetings = Meetings([3.0, 9.0], [5.0])
    meetings.progress[0], reported = 2.0, []
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
        reported.append(int(meetings.events[0]))
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
        reported.append(int(meetings.events[0]))
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
        if meetings.events[0] in (EVENT_LATE, EVENT_RESUMED):
            assert (expected_before < LATE_AFTER) == (meetings.events[0] == EVENT_LATE)


def test_lateness_ends_only_after_sustained_movement():
    meetings, reported = Meetings([1e3, 1e3]), list[int]()
    for number in range(250):
        is_moving = number == 130 or number > 180
        meetings.regulate(
            [5.0, 5.0], [SECONDS * meetings.speed_factor[0] if is_moving else 0.0, SECONDS * meetings.speed_factor[1]]
        )
        meetings.blocked_for[:] = 0.0
        reported.append(int(meetings.events[0]))
        if reported[-1] == EVENT_RESUMED:
            assert meetings.delay_cause.tolist() == [RESUMED, NO_DELAY]
    assert [event for event in reported if event] == [EVENT_LATE, EVENT_RESUMED]
    assert reported.index(EVENT_RESUMED) == pytest.approx(180 + RESUMED_AFTER / SECONDS, abs=2)
