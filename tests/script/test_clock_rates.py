"""Clocks of motions stop and start smoothly."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from keypose.script.sync.kernels import clock_rates
from keypose.script.sync.rule_set import kernel_rules
from keypose.script.sync.rules.clock_rates import (
    RAMP_TIME,
    TIME_TOLERANCE,
    next_rate,
    shortest_time,
    stopping_rate,
    wait_time,
)
from tests.script.sync_arrays import SyncArrays

rate_values = st.floats(0, 1)
tick_values = st.sampled_from([0.01, 0.002])
remaining_times = st.one_of(st.floats(-0.5, 2), st.sampled_from([0.0, TIME_TOLERANCE, 2 * TIME_TOLERANCE]))
wait_values = st.one_of(st.just(0.0), st.just(np.inf), st.floats(0.001, 3))


@settings(deadline=None, max_examples=400)
@given(rate_values, rate_values, remaining_times, wait_values, tick_values)
def test_next_rate_kernel_equals_the_rule(rate, speed_factor, time_left, wait, dt):
    found = clock_rates.next_rate(rate, speed_factor, time_left, wait, dt)
    assert_allclose(found, next_rate(rate, speed_factor, time_left, wait, dt), rtol=1e-12, atol=1e-14)
    assert_allclose(clock_rates.shortest_time(time_left, rate), shortest_time(time_left, rate), rtol=1e-12, atol=1e-14)


@settings(deadline=None, max_examples=100)
@given(rate_values, st.floats(0.0, 1.0), tick_values)
def test_stopping_rate_comes_to_rest_at_the_stop_point(rate, time_left, dt):
    later_rate = stopping_rate(rate, time_left, dt)
    distance = dt * (rate + later_rate) / 2 + RAMP_TIME * later_rate**2 / 2
    assert distance == pytest.approx(max(time_left, dt * rate / 2), abs=1e-12)


def test_slowest_clock_has_no_wait_time_and_a_gate_waits_without_limit():
    assert wait_time(1.0, 3.0, False) == 3.0
    assert wait_time(3.0, 3.0, False) == 0.0
    assert wait_time(3.0, 3.0, True) == np.inf


@settings(deadline=None, max_examples=200)
@given(
    st.floats(0, 1),
    st.floats(0, 1),
    st.floats(0, 2),
    st.sampled_from([0.0, 0.3, np.inf]),
    st.sampled_from([0.01, 0.002]),
)
def test_clock_never_passes_its_stop_point_or_decreases(rate, speed_factor, time_left, wait, dt):
    sync, rules, unclamped = SyncArrays([[2.0]], [[0]], 1, 0), kernel_rules(), np.empty(1)
    sync.stop_at[0], sync.rate[0], sync.speed_factor[0], sync.wait[0] = time_left, rate, speed_factor, wait
    for _ in range(300):
        before = sync.records.clocks[0].copy()
        rules.update_clock_rates(sync.graph, sync.records, dt, unclamped)
        rules.clamp_clocks(sync.graph, sync.records, unclamped)
        assert before.time <= sync.time[0] <= time_left
        assert -1e-12 <= sync.rate[0] <= 1
        assert sync.rate[0] - before.rate <= dt / RAMP_TIME + 1e-12


@settings(deadline=None, max_examples=100)
@given(st.floats(0, 1), st.floats(0.0, 2.0))
def test_shortest_time_equals_the_simulated_time(rate, time_left):
    predicted, clock, elapsed, dt = shortest_time(time_left, rate), 0.0, 0.0, 1e-3
    while clock < time_left:
        later_rate = min(rate + dt / RAMP_TIME, 1.0)
        clock, rate, elapsed = clock + dt * (rate + later_rate) / 2, later_rate, elapsed + dt
    assert_allclose(predicted, elapsed, atol=2 * dt)
