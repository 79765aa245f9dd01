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
def test_next_rate_kernel_equals_the_rule(rate, speed_factor, time_left, wait, dt):
    found = clock_rates.next_rate(rate, speed_factor, time_left, wait, dt)
    assert_allclose(found, next_rate(rate, speed_factor, time_left, wait, dt), rtol=1e-12, atol=1e-14)
    assert_allclose(clock_rates.shortest_time(time_left, rate), shortest_time(time_left, rate), rtol=1e-12, atol=1e-14)


@settings(deadline=None, max_examples=100)
@given(
    st.lists(
        st.tuples(st.floats(0, 9), rate_values, rate_values, remaining_times, wait_values), min_size=1, max_size=6
    ),
    tick_values,
)
def test_clock_step_kernels_equal_the_rules(clocks, dt):
    clock, rate, speed_factor, time_left, wait = (np.array(column) for column in zip(*clocks, strict=True))
    stop_at, unclamped = clock + time_left, np.empty_like(clock)
    expected_rate = [
        next_rate(*arguments, dt) for arguments in zip(rate, speed_factor, stop_at - clock, wait, strict=True)
    ]
    expected_unclamped = [next_clock_time(*arguments, dt) for arguments in zip(clock, rate, expected_rate, strict=True)]
    expected_clock = [clamp_to_stop(*arguments) for arguments in zip(clock, expected_unclamped, stop_at, strict=True)]
    wait_before, rate, clock, wait = wait, rate.copy(), clock.copy(), wait.copy()
    update_clock_rates(clock, rate, speed_factor, stop_at, wait, dt, unclamped)
    assert_allclose(rate, expected_rate, rtol=1e-12, atol=1e-14)
    assert_allclose(unclamped, expected_unclamped, rtol=1e-12)
    assert_array_equal(wait, np.maximum(wait_before - dt, 0.0))
    clamp_clocks(clock, unclamped, stop_at)
    assert_allclose(clock, expected_clock, rtol=1e-12)


@settings(deadline=None, max_examples=150)
@given(st.integers(0, 10_000))
def test_clock_time_left_and_wait_kernels_equal_the_rules(seed):
    rng = np.random.default_rng(seed)
    follower_channels, clock_count, meeting_count = (
        int(rng.integers(0, 3)),
        int(rng.integers(1, 4)),
        int(rng.integers(1, 5)),
    )
    channel_count = follower_channels + clock_count
    sizes = rng.integers(1, 4, meeting_count)
    goal_meeting, goal_offsets = np.repeat(np.arange(meeting_count), sizes), np.cumsum([0, *sizes])
    goal_channel, goal_progress = (
        rng.integers(0, channel_count, len(goal_meeting)),
        rng.choice([1.0, 2.0, 3.0], len(goal_meeting)),
    )
    state, gates = rng.choice([WAITING, ACTIVE, ACTIVE, DONE, FAILED], meeting_count), rng.random(meeting_count) < 0.5
    meeting_time = rng.uniform(0, 3, meeting_count)
    own_time = meeting_time[goal_meeting] * rng.choice(
        [0.0, 0.5, 1 - RELATIVE_TIME_TOLERANCE / 2, 1.0], len(goal_meeting)
    )
    stop_at, wait = rng.choice([1.0, 2.0, 3.0, NO_STOP], channel_count), np.full(clock_count, 7.0)
    update_clock_waits(
        goal_channel,
        goal_progress,
        goal_offsets,
        gates,
        state,
        own_time,
        meeting_time,
        stop_at,
        follower_channels,
        wait,
    )
    assert_array_equal(
        wait,
        clock_waits(
            goal_channel, goal_progress, goal_meeting, gates, state, own_time, meeting_time, stop_at, follower_channels
        ),
    )

    clock, rate, time_left = (
        rng.uniform(0, 3, clock_count),
        rng.uniform(0, 1, clock_count),
        np.full(len(goal_channel), 7.0),
    )
    update_clock_times_left(clock, rate, goal_channel, goal_progress, follower_channels, time_left)
    for goal, clock_row in enumerate(goal_channel - follower_channels):
        expected = shortest_time(goal_progress[goal] - clock[clock_row], rate[clock_row]) if clock_row >= 0 else 7.0
        assert time_left[goal] == pytest.approx(expected, rel=1e-12)


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
    clock, stop_at, unclamped = np.zeros(1), np.full(1, time_left), np.empty(1)
    rate, speed_factor, wait = np.full(1, rate), np.full(1, speed_factor), np.full(1, wait)
    for _ in range(300):
        clock_before, rate_before = clock.copy(), rate.copy()
        update_clock_rates(clock, rate, speed_factor, stop_at, wait, dt, unclamped)
        clamp_clocks(clock, unclamped, stop_at)
        assert clock_before <= clock <= stop_at
        assert -1e-12 <= rate <= 1
        assert rate - rate_before <= dt / RAMP_TIME + 1e-12


@settings(deadline=None, max_examples=100)
@given(st.floats(0, 1), st.floats(0.0, 2.0))
def test_shortest_time_equals_the_simulated_time(rate, time_left):
    predicted, clock, elapsed, dt = shortest_time(time_left, rate), 0.0, 0.0, 1e-3
    while clock < time_left:
        later_rate = min(rate + dt / RAMP_TIME, 1.0)
        clock, rate, elapsed = clock + dt * (rate + later_rate) / 2, later_rate, elapsed + dt
    assert_allclose(predicted, elapsed, atol=2 * dt)
