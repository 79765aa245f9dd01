"""Where is everybody to stop? The compiled loop holds all strands as the readable rule says."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from keypose.motion.appointments import ACTIVE, FAR, WAITING
from keypose.script import kernels
from keypose.script.regulate import AHEAD
from keypose.script.stops import Goal, held, next_stop
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
        found.append(Goal(made.where[goal], *of, made.early[goal], has_come, len(others), come))
    return found


def compiled(made):
    """Where strands are held, by the compiled loop."""
    goals, hold = (made.strand, made.where, made.first, made.of_bodies), np.empty(len(made.at))
    known = made.gates, made.state, made.reached, made.early
    kernels.held(made.at, *goals, *known, *made.on_strands, made.meeting, hold)
    return hold


@seeds
@given(st.integers(0, 10_000), st.sampled_from([5, 30]))
def test_the_compiled_loop_holds_strands_where_the_rule_says(seed, most):
    made = Moment(seed, most)
    assert_array_equal(compiled(made), [held(at, goals_on(made, one)) for one, at in enumerate(made.at)])


@seeds
@given(st.integers(0, 10_000))
def test_the_compiled_loop_knows_who_comes_last_and_where_it_may_have_to_stop_next(seed):
    made = Moment(seed, 30)
    rank, order, begins = made.on_strands
    known = made.where, made.first, made.of_bodies, made.gates, made.state, made.reached, made.early
    for goal, one in enumerate(made.strand):
        ahead = goals_on(made, one)[rank[goal] - begins[one] :]
        found = kernels.next_stop(rank[goal], begins[one + 1], *known, order, made.meeting)
        assert found == next_stop(ahead)
        waits_for_one = ahead[0].missing + (not ahead[0].has_come) == 1
        assert kernels.waits_for_one(made.meeting[goal], made.first, made.reached) == waits_for_one


@pytest.mark.parametrize(("count", "stop"), [(AHEAD, FAR), (AHEAD + 1, AHEAD + 1.0), (AHEAD + 9, AHEAD + 1.0)])
def test_who_may_pass_many_goals_is_held_behind_the_last_that_is_looked_at(count, stop):
    made = Moment(0)
    made.at, made.strand = np.zeros(1), np.zeros(count + 1, np.int64)
    made.where, made.meeting, made.first = np.arange(count + 1.0), np.arange(count + 1), np.arange(count + 2)
    made.state, made.reached = np.full(count + 1, WAITING), np.full(count + 1, np.nan)
    made.gates, made.of_bodies, made.early = np.zeros((3, count + 1), np.bool_)
    made.state[0] = ACTIVE
    goals = goals_on(made, 0)
    assert goals[0].is_last, "and all others are of nobody else"
    assert compiled(made).tolist() == [held(0.0, goals)] == [stop]
