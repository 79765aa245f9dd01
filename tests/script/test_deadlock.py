"""Which meetings hold each other up? The compiled loop that is asked first knows it as the readable search does."""

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from keypose.motion.sync_protocol import ACTIVE, DONE, FAILED, WAITING
from keypose.script.participant import Participant
from keypose.script.plan import Plan
from keypose.script.sync.deadlock import Deadlocks
from keypose.script.sync.kernels.deadlock import has_deadlock
from tests.script.straight_paths import meeting, straight_path
from tests.script.test_graphs import KEYS, scripts

PATH = straight_path(4.0, segments=KEYS - 1)


def build_plan(script, *names):
    """A plan of scripts that a stage would refuse, too."""
    return Plan.of(script, {name: Participant(name, PATH, 1.0, 1.0, 0.1) for name in names})


@st.composite
def random_states(draw):
    """Any moment of a random script, whether it could come to that or not: now and then meetings are tied."""
    names = [f"{number}" for number in range(draw(st.integers(2, 4)))]
    plan = build_plan(draw(scripts(dict.fromkeys(names, False))), *names)
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    state = rng.choice([WAITING, WAITING, ACTIVE, ACTIVE, ACTIVE, DONE, FAILED], len(plan.names)).astype(np.int64)
    reached = np.where(rng.uniform(size=len(plan.goal_progress)) < 0.1, 1.0, np.nan)
    at = rng.choice([0.0, 0.0, 0.5, 1.0, 2.0], len(plan.channels))
    asking = (state == ACTIVE) & (rng.uniform(size=len(state)) < 0.7)
    early, stays = rng.uniform(size=(2, len(reached))) < 0.5
    return plan, asking, at, state, reached, early, stays


def deadlocked_meetings(plan, asking, at, *known):
    """Those who ask and can never be, by the readable search."""
    deadlocks, asked = Deadlocks(plan, *known, at), np.flatnonzero(asking).tolist()
    return deadlocks._deadlock_graph(deadlocks._wait_graph(asked)).keys() & set(asked)


@settings(deadline=None, max_examples=400, suppress_health_check=list(HealthCheck))
@given(random_states())
def test_deadlock_kernel_equals_the_graph_search(moment):
    plan, asking, at, *known = moment
    assert has_deadlock(asking, at, *plan.deadlock_arrays, *known) == bool(deadlocked_meetings(*moment))


def test_crossed_meetings_are_deadlocked_until_one_goal_is_passed():
    script = meeting({"a": "1", "b": "2"})
    script.meet({"a": "2", "b": "1"}, name="other")
    plan = build_plan(script, "a", "b")
    active, nobody = np.full(2, ACTIVE), (np.full(4, np.nan), *np.zeros((2, 4), np.bool_))
    for at, tied in (([0.0, 0.0], True), ([1.0, 1.0], True), ([1.5, 0.0], False)):
        given = np.array([True, True]), np.array(at)
        assert has_deadlock(*given, *plan.deadlock_arrays, active, *nobody) == tied
        assert bool(deadlocked_meetings(plan, *given, active, *nobody)) == tied


def test_crossed_meetings_of_bodies_are_deadlocked_where_their_targets_stop():
    script = meeting({"a": "1", "b": "2"}, of="bodies")
    script.meet({"a": "2", "b": "1"}, of="bodies", name="other")
    plan, asking, at = build_plan(script, "a", "b"), np.array([True, True]), np.zeros(2)
    for stays in (False, True):
        known = np.full(2, ACTIVE), np.full(4, np.nan), np.zeros(4, np.bool_), np.full(4, stays)
        assert has_deadlock(asking, at, *plan.deadlock_arrays, *known) == stays
        assert bool(deadlocked_meetings(plan, asking, at, *known)) == stays
