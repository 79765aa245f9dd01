"""Which meetings hold each other up? The compiled loop that is asked first knows it as the readable search does."""

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from keypose.motion.sync_protocol import ACTIVE, DONE, FAILED, WAITING
from keypose.script.participant import Participant
from keypose.script.plan import Plan
from keypose.script.sync.deadlock import Deadlocks
from keypose.script.sync.kernels.deadlock import has_deadlock
from tests.script.test_graphs import KEYS, scripts
from tests.script.walks import meeting, way

WAY = way(4.0, segments=KEYS - 1)


def planned(script, *names):
    """A plan of scripts that a stage would refuse, too."""
    return Plan.of(script, {name: Participant(name, WAY, 1.0, 1.0, 0.1) for name in names})


@st.composite
def moments(draw):
    """Any moment of a random script, whether it could come to that or not: now and then meetings are tied."""
    names = [f"{number}" for number in range(draw(st.integers(2, 4)))]
    plan = planned(draw(scripts(dict.fromkeys(names, False))), *names)
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    state = rng.choice([WAITING, WAITING, ACTIVE, ACTIVE, ACTIVE, DONE, FAILED], len(plan.names)).astype(np.int64)
    reached = np.where(rng.uniform(size=len(plan.goal_progress)) < 0.1, 1.0, np.nan)
    at = rng.choice([0.0, 0.0, 0.5, 1.0, 2.0], len(plan.channels))
    asking = (state == ACTIVE) & (rng.uniform(size=len(state)) < 0.7)
    early, stays = rng.uniform(size=(2, len(reached))) < 0.5
    return plan, asking, at, state, reached, early, stays


def never(plan, asking, at, *known):
    """Those who ask and can never be, by the readable search."""
    ties, asked = Deadlocks(plan, *known, at), np.flatnonzero(asking).tolist()
    return ties._deadlock_graph(ties._wait_graph(asked)).keys() & set(asked)


@settings(deadline=None, max_examples=400, suppress_health_check=list(HealthCheck))
@given(moments())
def test_the_compiled_loop_finds_who_can_never_be_as_the_search_does(moment):
    plan, asking, at, *known = moment
    assert has_deadlock(asking, at, *plan.deadlock_arrays, *known) == bool(never(*moment))


def test_two_who_are_to_be_in_each_others_place_first_are_tied_until_one_has_passed():
    script = meeting({"a": "1", "b": "2"})
    script.meet({"a": "2", "b": "1"}, name="other")
    plan = planned(script, "a", "b")
    active, nobody = np.full(2, ACTIVE), (np.full(4, np.nan), *np.zeros((2, 4), np.bool_))
    for at, tied in (([0.0, 0.0], True), ([1.0, 1.0], True), ([1.5, 0.0], False)):
        given = np.array([True, True]), np.array(at)
        assert has_deadlock(*given, *plan.deadlock_arrays, active, *nobody) == tied
        assert bool(never(plan, *given, active, *nobody)) == tied


def test_two_whose_bodies_are_waited_for_are_tied_where_their_targets_stay():
    script = meeting({"a": "1", "b": "2"}, of="bodies")
    script.meet({"a": "2", "b": "1"}, of="bodies", name="other")
    plan, asking, at = planned(script, "a", "b"), np.array([True, True]), np.zeros(2)
    for stays in (False, True):
        known = np.full(2, ACTIVE), np.full(4, np.nan), np.zeros(4, np.bool_), np.full(4, stays)
        assert has_deadlock(asking, at, *plan.deadlock_arrays, *known) == stays
        assert bool(never(plan, asking, at, *known)) == stays
