"""Meetings that wait for each other."""

import numpy as np
import pytest

from keypose.motion.sync_protocol import ACTIVE
from keypose.script.participant import Participant
from keypose.script.plan import Plan
from keypose.script.sync.rule_set import kernel_rules, reference_rules
from keypose.script.sync.sync_plan import initial_sync_state
from tests.script.straight_paths import meeting, straight_path
from tests.script.test_graphs import KEYS

PATH = straight_path(4.0, segments=KEYS - 1)
both = pytest.mark.parametrize("rules", [kernel_rules, reference_rules])


def crossed_meetings(**options):
    """Two active meetings that two actors reach in different orders, which a stage would refuse."""
    script = meeting({"a": "1", "b": "2"}, **options)
    script.meet({"a": "2", "b": "1"}, name="other", **options)
    plan = Plan.of(script, {name: Participant(name, PATH, 1.0, 1.0, 0.1) for name in "ab"})
    records = initial_sync_state(plan, 0.0).records
    records.meetings["state"][:] = ACTIVE
    return plan.graph, records


@both
def test_crossed_meetings_are_deadlocked_until_one_goal_is_passed(rules):
    arrays, candidates = crossed_meetings(), np.array([True, True])
    for progress, is_deadlocked in (([0.0, 0.0], True), ([1.0, 1.0], True), ([1.5, 0.0], False)):
        assert rules().has_deadlock(*arrays, np.array(progress), candidates) == is_deadlocked


@both
def test_crossed_meetings_of_bodies_are_deadlocked_where_their_targets_stop(rules):
    graph, records = crossed_meetings(of="bodies")
    for holds_target in (False, True):
        records.goals["holds_target"][:] = holds_target
        assert rules().has_deadlock(graph, records, np.zeros(2), np.array([True, True])) == holds_target
