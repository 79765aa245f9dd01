"""Kernels of the synchronization change the state of meetings as their references do."""

import copy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from keypose.maths import kernel_switch
from keypose.motion.sync_protocol import ACTIVE
from keypose.script.sync.rule_set import current_rules, kernel_rules, reference_rules
from keypose.script.sync.rules.speed_factors import REGULATION_PERIOD
from tests.script.random_sync_state import random_sync_state

DT = 0.01  # [s]


def more_arguments(name, sync):
    """What a rule takes beyond a graph and its records; arrays that it fills among them."""
    progress, rng = sync.channel_progress, sync.rng
    return {
        "mark_targets": lambda: (progress, 2.0),
        "mark_bodies": lambda: (sync.distances.distance_left, 2.0, REGULATION_PERIOD),
        "update_meeting_states": lambda: (np.zeros(len(sync.state), np.int64),),
        "update_stops": lambda: (progress,),
        "set_initial_speeds": lambda: (progress, sync.distances.distance_left, rng.random(len(progress)) < 0.5),
        "regulate": lambda: (progress, sync.distances, 2.0, REGULATION_PERIOD),
        "has_deadlock": lambda: (progress, (sync.state == ACTIVE) & (rng.random(len(sync.state)) < 0.7)),
        "update_clock_distances": lambda: (sync.distances.distance_left.copy(),),
        "update_clock_rates": lambda: (DT, np.zeros(len(sync.time))),
        "clamp_clocks": lambda: (sync.time + rng.uniform(0.0, DT, len(sync.time)),),
        "update_clock_waits": lambda: (),
    }[name]()


@pytest.mark.parametrize("name", list(vars(reference_rules())))
@settings(deadline=None, max_examples=200)
@given(st.integers(0, 10_000), st.sampled_from([5, 30]))
def test_kernel_equals_its_reference(name, seed, max_meetings):
    sync = random_sync_state(seed, max_meetings)
    arguments = more_arguments(name, sync)
    results = []
    for rules in (reference_rules(), kernel_rules()):
        records, given = sync.records.copy(), copy.deepcopy(arguments)
        results.append((getattr(rules, name)(sync.graph, records, *given), records, given))
    (expected, expected_records, expected_arguments), (found, found_records, found_arguments) = results
    assert found == expected
    for found_array, expected_array in zip(found_records, expected_records, strict=True):
        for field in expected_array.dtype.names:
            assert_allclose(found_array[field], expected_array[field], rtol=1e-12, atol=1e-14, err_msg=field)
    for found_argument, expected_argument in zip(found_arguments, expected_arguments, strict=True):
        if isinstance(expected_argument, np.ndarray):
            assert_allclose(found_argument, expected_argument, rtol=1e-12, atol=1e-14)


def test_references_run_only_where_kernels_are_not_available(monkeypatch):
    assert current_rules() is kernel_rules()
    monkeypatch.setattr(kernel_switch, "allowed", False)
    assert current_rules() is reference_rules()
