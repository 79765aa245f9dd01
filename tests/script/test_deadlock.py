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
    reached_at = np.where(rng.uniform(size=len(plan.goal_progress)) < 0.1, 1.0, np.nan)
    progress = rng.choice([0.0, 0.0, 0.5, 1.0, 2.0], len(plan.channels))
    is_candidate = (state == ACTIVE) & (rng.uniform(size=len(state)) < 0.7)
    is_early, holds_target = rng.uniform(size=(2, len(reached_at))) < 0.5
    return plan, is_candidate, progress, state, reached_at, is_early, holds_target


def deadlocked_meetings(plan, is_candidate, progress, *goal_states):
    """Those who ask and can never be, by the readable search."""
    deadlocks, candidates = Deadlocks(plan, *goal_states, progress), np.flatnonzero(is_candidate).tolist()
    return deadlocks._deadlock_graph(deadlocks._wait_graph(candidates)).keys() & set(candidates)


@settings(deadline=None, max_examples=400, suppress_health_check=list(HealthCheck))
@given(random_states())
def test_deadlock_kernel_equals_the_graph_search(random_state):
    plan, is_candidate, progress, *goal_states = random_state
    assert has_deadlock(is_candidate, progress, *plan.deadlock_arrays, *goal_states) == bool(
        deadlocked_meetings(*random_state)
    )


def test_crossed_meetings_are_deadlocked_until_one_goal_is_passed():
    script = meeting({"a": "1", "b": "2"})
    script.meet({"a": "2", "b": "1"}, name="other")
    plan = build_plan(script, "a", "b")
    active, no_arrivals = np.full(2, ACTIVE), (np.full(4, np.nan), *np.zeros((2, 4), np.bool_))
    for progress, is_deadlocked in (([0.0, 0.0], True), ([1.0, 1.0], True), ([1.5, 0.0], False)):
        arguments = np.array([True, True]), np.array(progress)
        assert has_deadlock(*arguments, *plan.deadlock_arrays, active, *no_arrivals) == is_deadlocked
        assert bool(deadlocked_meetings(plan, *arguments, active, *no_arrivals)) == is_deadlocked


def test_crossed_meetings_of_bodies_are_deadlocked_where_their_targets_stop():
    script = meeting({"a": "1", "b": "2"}, of="bodies")
    script.meet({"a": "2", "b": "1"}, of="bodies", name="other")
    plan, is_candidate, progress = build_plan(script, "a", "b"), np.array([True, True]), np.zeros(2)
    for holds_target in (False, True):
        goal_states = np.full(2, ACTIVE), np.full(4, np.nan), np.zeros(4, np.bool_), np.full(4, holds_target)
        assert has_deadlock(is_candidate, progress, *plan.deadlock_arrays, *goal_states) == holds_target
        assert bool(deadlocked_meetings(plan, is_candidate, progress, *goal_states)) == holds_target
