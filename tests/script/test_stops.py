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


def goals_on_channel(made, channel):
    """The goals on a strand, in order."""
    _, order, begins = made.on_strands
    found = []
    for goal in order[begins[channel] : begins[channel + 1]]:
        meeting = made.meeting[goal]
        others = np.delete(made.reached[made.meeting == meeting], goal - made.first[meeting])
        of, come = (made.state[meeting], made.gates[meeting], made.of_bodies[meeting]), np.isnan(others).sum()
        has_come = not np.isnan(made.reached[goal])
        found.append(GoalStatus(made.where[goal], *of, made.early[goal], made.stays[goal], has_come, len(others), come))
    return found


def kernel_stops(made):
    """Where strands are held, by the compiled loop."""
    goals, hold = (made.strand, made.where, made.first, made.of_bodies), np.empty(len(made.at))
    known = made.gates, made.state, made.reached, made.early, made.stays
    step.update_stops(made.at, *goals, *known, *made.on_strands, made.meeting, hold)
    return hold


@seeds
@given(st.integers(0, 10_000), st.sampled_from([5, 30]))
def test_stop_kernel_equals_the_rule(seed, most):
    made = RandomSyncState(seed, most)
    assert_array_equal(
        kernel_stops(made), [find_stop(at, goals_on_channel(made, one)) for one, at in enumerate(made.at)]
    )


@seeds
@given(st.integers(0, 10_000))
def test_next_stop_and_last_missing_kernels_equal_the_rule(seed):
    made = RandomSyncState(seed, 30)
    rank, order, begins = made.on_strands
    known = made.where, made.first, made.of_bodies, made.gates, made.state, made.reached, made.early
    for goal, one in enumerate(made.strand):
        ahead = goals_on_channel(made, one)[rank[goal] - begins[one] :]
        found = step.next_stop(rank[goal], begins[one + 1], *known, order, made.meeting)
        assert found == next_stop(ahead)
        waits_for_one = ahead[0].missing_count + (not ahead[0].is_at_goal) == 1
        assert step.has_one_missing(made.meeting[goal], made.first, made.reached) == waits_for_one


@pytest.mark.parametrize(
    ("count", "stop"),
    [
        (LOOKAHEAD_GOALS, NO_STOP),
        (LOOKAHEAD_GOALS + 1, LOOKAHEAD_GOALS + 1.0),
        (LOOKAHEAD_GOALS + 9, LOOKAHEAD_GOALS + 1.0),
    ],
)
def test_stop_point_lies_behind_the_last_lookahead_goal(count, stop):
    made = RandomSyncState(0)
    made.at, made.strand = np.zeros(1), np.zeros(count + 1, np.int64)
    made.where, made.meeting, made.first = np.arange(count + 1.0), np.arange(count + 1), np.arange(count + 2)
    made.state, made.reached = np.full(count + 1, WAITING), np.full(count + 1, np.nan)
    made.gates, made.of_bodies, made.early, made.stays = np.zeros((4, count + 1), np.bool_)
    made.state[0] = ACTIVE
    goals = goals_on_channel(made, 0)
    assert goals[0].is_last, "and all others are of nobody else"
    assert kernel_stops(made).tolist() == [find_stop(0.0, goals)] == [stop]


# ---- one by one ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "gates", "at", "stops"),
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
def test_channel_stops_at_its_goal_unless_it_has_passed_it(state, gates, at, stops):
    made = Meetings([2.0, 9.0], state=state, gates=gates)
    made.at[:] = at
    assert made.hold_all()[0] == (2.0 if stops else NO_STOP)


def test_at_goals_of_bodies_only_an_early_channel_stops():
    made = Meetings([2.0, 2.0], of_bodies=True)
    made.at[:], made.early[:] = 2.3, (True, False)
    assert made.hold_all().tolist() == [2.0, NO_STOP]


@pytest.mark.parametrize(("at", "stop"), [(1.0, 2.0), (2.0, 2.0), (2.3, NO_STOP)])
def test_target_stops_at_a_reversing_goal_unless_it_has_passed_it(at, stop):
    made = Meetings([2.0, 2.0], of_bodies=True)
    made.at[:], made.stays[0] = at, True
    assert made.hold_all().tolist() == [stop, NO_STOP]
    made.state[:] = DONE
    assert made.hold_all().tolist() == [NO_STOP, NO_STOP]


@pytest.mark.parametrize(("left", "waits"), [(0.0, True), (-0.5 * SECONDS, True), (-0.1, False)])
def test_body_that_has_just_arrived_waits_and_one_that_passed_earlier_does_not(left, waits):
    made = Meetings([2.0, 2.0], of_bodies=True)
    made.at[:], made.ease[:] = (2.3, 0.0), (0.5, 1.0)
    assert is_new_arrival(left, 1.0, SECONDS) == waits
    for _ in range(3):
        made.regulate([left, 1.0])
        assert made.hold[0] == (2.0 if waits else NO_STOP)
    assert made.ease[0] == pytest.approx(0.5) if waits else made.ease[0] > 0.9
    made.state[:] = DONE
    assert made.hold_all()[0] == NO_STOP


def test_channel_in_two_meetings_stops_at_the_nearer_goal():
    made = Meetings([3.0, 9.0], [2.0, 9.0])
    made.strand[:] = 0, 1, 0, 2
    made.at, made.hold = np.zeros(3), np.full(3, NO_STOP)
    assert made.hold_all().tolist() == [2.0, 9.0, 9.0]


def test_last_participant_stops_only_at_the_next_shared_goal():
    made = Meetings([2.0], [3.0], [4.0], [5.0, 9.0])
    made.strand[:], made.state[1:] = (0, 0, 0, 0, 1), WAITING
    made.at, made.hold = np.zeros(2), np.full(2, NO_STOP)
    assert made.hold_all().tolist() == [5.0, NO_STOP], "that may be active as soon as it has come to the others"
    made.gates[1] = True
    assert made.hold_all().tolist() == [3.0, NO_STOP]
    made.state[1:], made.gates[:] = DONE, False
    assert made.hold_all().tolist() == [NO_STOP, NO_STOP]


def test_channel_that_passed_its_goal_earlier_returns_to_nominal_speed():
    made = Meetings([2.0, 9.0])
    made.at[0], made.reached[0], made.ease[0] = 3.0, 0.5, 0.3
    for _ in range(10):
        made.regulate([-1.0, 5.0])
    assert made.ease[0] > 0.99
    assert made.hold[0] == NO_STOP
