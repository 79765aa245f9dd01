"""Where is everybody to stop? The compiled loop holds all strands as the readable rule says."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from keypose.motion.sync_protocol import ACTIVE, DONE, FAILED, NO_STOP, WAITING
from keypose.script.sync.kernels import step
from keypose.script.sync.rules.speed_factors import is_new_arrival
from keypose.script.sync.rules.stops import LOOKAHEAD_GOALS, GoalStatus, find_stop, next_stop
from tests.script.meetings import SECONDS, Meetings
from tests.script.random_sync_state import RandomSyncState

seeds = settings(deadline=None, max_examples=300)


def goals_on_channel(sync, channel):
    """The goals on a strand, in order."""
    _, goal_order, offsets = sync.channel_order
    goals = []
    for goal in goal_order[offsets[channel] : offsets[channel + 1]]:
        meeting = sync.goal_meeting[goal]
        other_arrivals = np.delete(sync.reached_at[sync.goal_meeting == meeting], goal - sync.goal_offsets[meeting])
        meeting_values, missing_count = (
            (sync.state[meeting], sync.gates[meeting], sync.waits_for_bodies[meeting]),
            np.isnan(other_arrivals).sum(),
        )
        is_at_goal = not np.isnan(sync.reached_at[goal])
        goals.append(
            GoalStatus(
                sync.goal_progress[goal],
                *meeting_values,
                sync.is_early[goal],
                sync.holds_target[goal],
                is_at_goal,
                len(other_arrivals),
                missing_count,
            )
        )
    return goals


def kernel_stops(sync):
    """Where strands are held, by the compiled loop."""
    goals, stop_at = (
        (sync.goal_channel, sync.goal_progress, sync.goal_offsets, sync.waits_for_bodies),
        np.empty(len(sync.progress)),
    )
    goal_states = sync.gates, sync.state, sync.reached_at, sync.is_early, sync.holds_target
    step.update_stops(sync.progress, *goals, *goal_states, *sync.channel_order, sync.goal_meeting, stop_at)
    return stop_at


@seeds
@given(st.integers(0, 10_000), st.sampled_from([5, 30]))
def test_stop_kernel_equals_the_rule(seed, max_meetings):
    sync = RandomSyncState(seed, max_meetings)
    assert_array_equal(
        kernel_stops(sync),
        [find_stop(progress, goals_on_channel(sync, channel)) for channel, progress in enumerate(sync.progress)],
    )


@seeds
@given(st.integers(0, 10_000))
def test_next_stop_and_last_missing_kernels_equal_the_rule(seed):
    sync = RandomSyncState(seed, 30)
    rank, goal_order, offsets = sync.channel_order
    goal_values = (
        sync.goal_progress,
        sync.goal_offsets,
        sync.waits_for_bodies,
        sync.gates,
        sync.state,
        sync.reached_at,
        sync.is_early,
    )
    for goal, channel in enumerate(sync.goal_channel):
        goals_ahead = goals_on_channel(sync, channel)[rank[goal] - offsets[channel] :]
        found = step.next_stop(rank[goal], offsets[channel + 1], *goal_values, goal_order, sync.goal_meeting)
        assert found == next_stop(goals_ahead)
        has_one_missing = goals_ahead[0].missing_count + (not goals_ahead[0].is_at_goal) == 1
        assert step.has_one_missing(sync.goal_meeting[goal], sync.goal_offsets, sync.reached_at) == has_one_missing


@pytest.mark.parametrize(
    ("count", "stop"),
    [
        (LOOKAHEAD_GOALS, NO_STOP),
        (LOOKAHEAD_GOALS + 1, LOOKAHEAD_GOALS + 1.0),
        (LOOKAHEAD_GOALS + 9, LOOKAHEAD_GOALS + 1.0),
    ],
)
def test_stop_point_lies_behind_the_last_lookahead_goal(count, stop):
    sync = RandomSyncState(0)
    sync.progress, sync.goal_channel = np.zeros(1), np.zeros(count + 1, np.int64)
    sync.goal_progress, sync.goal_meeting, sync.goal_offsets = (
        np.arange(count + 1.0),
        np.arange(count + 1),
        np.arange(count + 2),
    )
    sync.state, sync.reached_at = np.full(count + 1, WAITING), np.full(count + 1, np.nan)
    sync.gates, sync.waits_for_bodies, sync.is_early, sync.holds_target = np.zeros((4, count + 1), np.bool_)
    sync.state[0] = ACTIVE
    goals = goals_on_channel(sync, 0)
    assert goals[0].is_last, "and all others are of nobody else"
    assert kernel_stops(sync).tolist() == [find_stop(0.0, goals)] == [stop]


# ---- one by one ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "gates", "progress", "stops"),
    [
        (WAITING, False, 0.0, False),
        (WAITING, True, 0.0, True),
        (WAITING, True, 2.0, True),
        (WAITING, True, 2.5, False),
        (ACTIVE, False, 0.0, True),
        (ACTIVE, False, 2.0, True),
        (ACTIVE, False, 2.5, False),
        (DONE, True, 0.0, False),
        (FAILED, True, 0.0, False),
    ],
)
def test_channel_stops_at_its_goal_unless_it_has_passed_it(state, gates, progress, stops):
    meetings = Meetings([2.0, 9.0], state=state, gates=gates)
    meetings.progress[:] = progress
    assert meetings.set_stops()[0] == (2.0 if stops else NO_STOP)


def test_at_goals_of_bodies_only_an_early_channel_stops():
    meetings = Meetings([2.0, 2.0], waits_for_bodies=True)
    meetings.progress[:], meetings.is_early[:] = 2.3, (True, False)
    assert meetings.set_stops().tolist() == [2.0, NO_STOP]


@pytest.mark.parametrize(("progress", "stop"), [(1.0, 2.0), (2.0, 2.0), (2.3, NO_STOP)])
def test_target_stops_at_a_reversing_goal_unless_it_has_passed_it(progress, stop):
    meetings = Meetings([2.0, 2.0], waits_for_bodies=True)
    meetings.progress[:], meetings.holds_target[0] = progress, True
    assert meetings.set_stops().tolist() == [stop, NO_STOP]
    meetings.state[:] = DONE
    assert meetings.set_stops().tolist() == [NO_STOP, NO_STOP]


@pytest.mark.parametrize(("distance_left", "waits"), [(0.0, True), (-0.5 * SECONDS, True), (-0.1, False)])
def test_body_that_has_just_arrived_waits_and_one_that_passed_earlier_does_not(distance_left, waits):
    meetings = Meetings([2.0, 2.0], waits_for_bodies=True)
    meetings.progress[:], meetings.speed_factor[:] = (2.3, 0.0), (0.5, 1.0)
    assert is_new_arrival(distance_left, 1.0, SECONDS) == waits
    for _ in range(3):
        meetings.regulate([distance_left, 1.0])
        assert meetings.stop_at[0] == (2.0 if waits else NO_STOP)
    assert meetings.speed_factor[0] == pytest.approx(0.5) if waits else meetings.speed_factor[0] > 0.9
    meetings.state[:] = DONE
    assert meetings.set_stops()[0] == NO_STOP


def test_channel_in_two_meetings_stops_at_the_nearer_goal():
    meetings = Meetings([3.0, 9.0], [2.0, 9.0])
    meetings.goal_channel[:] = 0, 1, 0, 2
    meetings.progress, meetings.stop_at = np.zeros(3), np.full(3, NO_STOP)
    assert meetings.set_stops().tolist() == [2.0, 9.0, 9.0]


def test_last_participant_stops_only_at_the_next_shared_goal():
    meetings = Meetings([2.0], [3.0], [4.0], [5.0, 9.0])
    meetings.goal_channel[:], meetings.state[1:] = (0, 0, 0, 0, 1), WAITING
    meetings.progress, meetings.stop_at = np.zeros(2), np.full(2, NO_STOP)
    assert meetings.set_stops().tolist() == [5.0, NO_STOP], "that may be active as soon as it has come to the others"
    meetings.gates[1] = True
    assert meetings.set_stops().tolist() == [3.0, NO_STOP]
    meetings.state[1:], meetings.gates[:] = DONE, False
    assert meetings.set_stops().tolist() == [NO_STOP, NO_STOP]


def test_channel_that_passed_its_goal_earlier_returns_to_nominal_speed():
    meetings = Meetings([2.0, 9.0])
    meetings.progress[0], meetings.reached_at[0], meetings.speed_factor[0] = 3.0, 0.5, 0.3
    for _ in range(10):
        meetings.regulate([-1.0, 5.0])
    assert meetings.speed_factor[0] > 0.99
    assert meetings.stop_at[0] == NO_STOP
