"""How fast do clocks go? The compiled loops do as the readable rules say, which stop and start smoothly."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from keypose.maths.tolerance import RELATIVE_TIME_TOLERANCE
from keypose.motion.sync_protocol import ACTIVE, DONE, FAILED, NO_STOP, WAITING
from keypose.script.sync.kernels import clock_rates
from keypose.script.sync.kernels.clock_rates import (
    clamp_clocks,
    update_clock_rates,
    update_clock_times_left,
    update_clock_waits,
)
from keypose.script.sync.rules.clock_rates import (
    RAMP_TIME,
    TIME_TOLERANCE,
    clamp_to_stop,
    clock_waits,
    next_clock_time,
    next_rate,
    shortest_time,
    stopping_rate,
    wait_time,
)

rate_values = st.floats(0, 1)
tick_values = st.sampled_from([0.01, 0.002])
remaining_times = st.one_of(st.floats(-0.5, 2), st.sampled_from([0.0, TIME_TOLERANCE, 2 * TIME_TOLERANCE]))
wait_values = st.one_of(st.just(0.0), st.just(np.inf), st.floats(0.001, 3))


@settings(deadline=None, max_examples=400)
@given(rate_values, rate_values, remaining_times, wait_values, tick_values)
def test_next_rate_kernel_equals_the_rule(rate, ease, left, wait, dt):
    found = clock_rates.next_rate(rate, ease, left, wait, dt)
    assert_allclose(found, next_rate(rate, ease, left, wait, dt), rtol=1e-12, atol=1e-14)
    assert_allclose(clock_rates.shortest_time(left, rate), shortest_time(left, rate), rtol=1e-12, atol=1e-14)


@settings(deadline=None, max_examples=100)
@given(
    st.lists(
        st.tuples(st.floats(0, 9), rate_values, rate_values, remaining_times, wait_values), min_size=1, max_size=6
    ),
    tick_values,
)
def test_clock_step_kernels_equal_the_rules(clocks, dt):
    clock, rate, ease, left, wait = (np.array(column) for column in zip(*clocks, strict=True))
    hold, wished = clock + left, np.empty_like(clock)
    then = [next_rate(*one, dt) for one in zip(rate, ease, hold - clock, wait, strict=True)]
    goes = [next_clock_time(*one, dt) for one in zip(clock, rate, then, strict=True)]
    shows = [clamp_to_stop(*one) for one in zip(clock, goes, hold, strict=True)]
    was_waiting, rate, clock, wait = wait, rate.copy(), clock.copy(), wait.copy()
    update_clock_rates(clock, rate, ease, hold, wait, dt, wished)
    assert_allclose(rate, then, rtol=1e-12, atol=1e-14)
    assert_allclose(wished, goes, rtol=1e-12)
    assert_array_equal(wait, np.maximum(was_waiting - dt, 0.0))
    clamp_clocks(clock, wished, hold)
    assert_allclose(clock, shows, rtol=1e-12)


@settings(deadline=None, max_examples=150)
@given(st.integers(0, 10_000))
def test_clock_time_left_and_wait_kernels_equal_the_rules(seed):
    rng = np.random.default_rng(seed)
    races, clocks, meetings = int(rng.integers(0, 3)), int(rng.integers(1, 4)), int(rng.integers(1, 5))
    channels = races + clocks
    sizes = rng.integers(1, 4, meetings)
    meeting, first = np.repeat(np.arange(meetings), sizes), np.cumsum([0, *sizes])
    channel, where = rng.integers(0, channels, len(meeting)), rng.choice([1.0, 2.0, 3.0], len(meeting))
    state, gates = rng.choice([WAITING, ACTIVE, ACTIVE, DONE, FAILED], meetings), rng.random(meetings) < 0.5
    due = rng.uniform(0, 3, meetings)
    own = due[meeting] * rng.choice([0.0, 0.5, 1 - RELATIVE_TIME_TOLERANCE / 2, 1.0], len(meeting))
    hold, wait = rng.choice([1.0, 2.0, 3.0, NO_STOP], channels), np.full(clocks, 7.0)
    update_clock_waits(channel, where, first, gates, state, own, due, hold, races, wait)
    assert_array_equal(wait, clock_waits(channel, where, meeting, gates, state, own, due, hold, races))

    clock, rate, left = rng.uniform(0, 3, clocks), rng.uniform(0, 1, clocks), np.full(len(channel), 7.0)
    update_clock_times_left(clock, rate, channel, where, races, left)
    for goal, one in enumerate(channel - races):
        expected = shortest_time(where[goal] - clock[one], rate[one]) if one >= 0 else 7.0
        assert left[goal] == pytest.approx(expected, rel=1e-12)


@settings(deadline=None, max_examples=100)
@given(rate_values, st.floats(0.0, 1.0), tick_values)
def test_stopping_rate_comes_to_rest_at_the_stop_point(rate, left, dt):
    then = stopping_rate(rate, left, dt)
    distance = dt * (rate + then) / 2 + RAMP_TIME * then**2 / 2
    assert distance == pytest.approx(max(left, dt * rate / 2), abs=1e-12)


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
def test_clock_never_passes_its_stop_point_or_decreases(rate, ease, left, wait, dt):
    clock, hold, wished = np.zeros(1), np.full(1, left), np.empty(1)
    rate, ease, wait = np.full(1, rate), np.full(1, ease), np.full(1, wait)
    for _ in range(300):
        before, was = clock.copy(), rate.copy()
        update_clock_rates(clock, rate, ease, hold, wait, dt, wished)
        clamp_clocks(clock, wished, hold)
        assert before <= clock <= hold
        assert -1e-12 <= rate <= 1
        assert rate - was <= dt / RAMP_TIME + 1e-12


@settings(deadline=None, max_examples=100)
@given(st.floats(0, 1), st.floats(0.0, 2.0))
def test_shortest_time_equals_the_simulated_time(rate, left):
    predicted, clock, gone, dt = shortest_time(left, rate), 0.0, 0.0, 1e-3
    while clock < left:
        after = min(rate + dt / RAMP_TIME, 1.0)
        clock, rate, gone = clock + dt * (rate + after) / 2, after, gone + dt
    assert_allclose(predicted, gone, atol=2 * dt)
