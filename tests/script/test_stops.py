"""Where is everybody to stop? The compiled loop holds all strands as the readable rule says."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from keypose.motion.sync_protocol import ACTIVE, DONE, FAILED, NO_STOP, WAITING
from keypose.script.sync.kernels import step
from keypose.script.sync.rules.speed_shares import LOOKAHEAD_GOALS, is_new_arrival
from keypose.script.sync.rules.stops import GoalStatus, find_stop, next_stop
from tests.script.meetings import SECONDS, Meetings
from tests.script.moments import Moment

seeds = settings(deadline=None, max_examples=300)


def goals_on(made, strand):
    """The goals on a strand, in order."""
    _, order, begins = made.on_strands
    found = []
    for goal in order[begins[strand] : begins[strand + 1]]:
        meeting = made.meeting[goal]
        others = np.delete(made.reached[made.meeting == meeting], goal - made.first[meeting])
        of, come = (made.state[meeting], made.gates[meeting], made.of_bodies[meeting]), np.isnan(others).sum()
        has_come = not np.isnan(made.reached[goal])
        found.append(GoalStatus(made.where[goal], *of, made.early[goal], made.stays[goal], has_come, len(others), come))
    return found


def compiled(made):
    """Where strands are held, by the compiled loop."""
    goals, hold = (made.strand, made.where, made.first, made.of_bodies), np.empty(len(made.at))
    known = made.gates, made.state, made.reached, made.early, made.stays
    step.update_stops(made.at, *goals, *known, *made.on_strands, made.meeting, hold)
    return hold


@seeds
@given(st.integers(0, 10_000), st.sampled_from([5, 30]))
def test_the_compiled_loop_holds_strands_where_the_rule_says(seed, most):
    made = Moment(seed, most)
    assert_array_equal(compiled(made), [find_stop(at, goals_on(made, one)) for one, at in enumerate(made.at)])


@seeds
@given(st.integers(0, 10_000))
def test_the_compiled_loop_knows_who_comes_last_and_where_it_may_have_to_stop_next(seed):
    made = Moment(seed, 30)
    rank, order, begins = made.on_strands
    known = made.where, made.first, made.of_bodies, made.gates, made.state, made.reached, made.early
    for goal, one in enumerate(made.strand):
        ahead = goals_on(made, one)[rank[goal] - begins[one] :]
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
def test_who_may_pass_many_goals_is_held_behind_the_last_that_is_looked_at(count, stop):
    made = Moment(0)
    made.at, made.strand = np.zeros(1), np.zeros(count + 1, np.int64)
    made.where, made.meeting, made.first = np.arange(count + 1.0), np.arange(count + 1), np.arange(count + 2)
    made.state, made.reached = np.full(count + 1, WAITING), np.full(count + 1, np.nan)
    made.gates, made.of_bodies, made.early, made.stays = np.zeros((4, count + 1), np.bool_)
    made.state[0] = ACTIVE
    goals = goals_on(made, 0)
    assert goals[0].is_last, "and all others are of nobody else"
    assert compiled(made).tolist() == [find_stop(0.0, goals)] == [stop]


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
def test_who_is_to_come_to_a_goal_stops_there_and_who_has_passed_it_does_not(state, gates, at, stops):
    made = Meetings([2.0, 9.0], state=state, gates=gates)
    made.at[:] = at
    assert made.hold_all()[0] == (2.0 if stops else NO_STOP)


def test_at_goals_of_bodies_only_who_is_too_early_stops_wherever_its_target_is():
    made = Meetings([2.0, 2.0], of_bodies=True)
    made.at[:], made.early[:] = 2.3, (True, False)
    assert made.hold_all().tolist() == [2.0, NO_STOP]


@pytest.mark.parametrize(("at", "stop"), [(1.0, 2.0), (2.0, 2.0), (2.3, NO_STOP)])
def test_a_target_stays_at_a_goal_of_its_body_where_it_is_told_to_unless_it_has_gone_on(at, stop):
    made = Meetings([2.0, 2.0], of_bodies=True)
    made.at[:], made.stays[0] = at, True
    assert made.hold_all().tolist() == [stop, NO_STOP]
    made.state[:] = DONE
    assert made.hold_all().tolist() == [NO_STOP, NO_STOP]


@pytest.mark.parametrize(("left", "waits"), [(0.0, True), (-0.5 * SECONDS, True), (-0.1, False)])
def test_a_body_that_has_just_come_waits_and_one_that_had_passed_before_does_not(left, waits):
    made = Meetings([2.0, 2.0], of_bodies=True)
    made.at[:], made.ease[:] = (2.3, 0.0), (0.5, 1.0)
    assert is_new_arrival(left, 1.0, SECONDS) == waits
    for _ in range(3):
        made.regulate([left, 1.0])
        assert made.hold[0] == (2.0 if waits else NO_STOP)
    assert made.ease[0] == pytest.approx(0.5) if waits else made.ease[0] > 0.9
    made.state[:] = DONE
    assert made.hold_all()[0] == NO_STOP


def test_who_waits_for_two_meetings_stops_at_the_nearer_goal():
    made = Meetings([3.0, 9.0], [2.0, 9.0])
    made.strand[:] = 0, 1, 0, 2
    made.at, made.hold = np.zeros(3), np.full(3, NO_STOP)
    assert made.hold_all().tolist() == [2.0, 9.0, 9.0]


def test_who_comes_last_need_not_stop_until_somebody_is_to_be_waited_for_again():
    made = Meetings([2.0], [3.0], [4.0], [5.0, 9.0])
    made.strand[:], made.state[1:] = (0, 0, 0, 0, 1), WAITING
    made.at, made.hold = np.zeros(2), np.full(2, NO_STOP)
    assert made.hold_all().tolist() == [5.0, NO_STOP], "that may be active as soon as it has come to the others"
    made.gates[1] = True
    assert made.hold_all().tolist() == [3.0, NO_STOP]
    made.state[1:], made.gates[:] = DONE, False
    assert made.hold_all().tolist() == [NO_STOP, NO_STOP]


def test_who_passed_its_goal_long_before_goes_on_at_its_own_speed():
    made = Meetings([2.0, 9.0])
    made.at[0], made.reached[0], made.ease[0] = 3.0, 0.5, 0.3
    for _ in range(10):
        made.regulate([-1.0, 5.0])
    assert made.ease[0] > 0.99
    assert made.hold[0] == NO_STOP
