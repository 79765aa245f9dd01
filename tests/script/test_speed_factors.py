"""Which share of its speed is each to go at? The compiled loops share out as the readable rule says, also to clocks."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from keypose.motion.sync_protocol import ACTIVE
from keypose.script.sync.kernels.speed_factors import update_speed_factors
from keypose.script.sync.kernels.step import regulate, set_initial_speeds
from keypose.script.sync.rules.speed_factors import allocate_speed_factors, required_speed_factor, smooth_speed_factor
from keypose.script.sync.rules.speed_factors import initial_speed_factors as reference_initial_factors
from tests.script.random_sync_state import RandomSyncState

SECONDS = 0.02
seeds = settings(deadline=None, max_examples=200)


def reference_speed_factors(sync):
    """Who is to go how fast, by the rule."""
    goals = (
        sync.goal_channel,
        sync.goal_progress,
        sync.goal_meeting,
        sync.state,
        sync.reached_at,
        sync.is_early,
        sync.waits_for_bodies,
    )
    channel_values = (
        sync.follower_channels,
        sync.nominal_speed,
        sync.min_speed_factor,
        sync.efficiency,
        sync.speed_factor,
    )
    return allocate_speed_factors(sync.progress, sync.distance_left, *goals, *channel_values)


@seeds
@given(st.integers(0, 10_000))
def test_speed_factor_kernel_equals_the_rule_for_targets_and_clocks(seed):
    sync = RandomSyncState(seed)
    reference = reference_speed_factors(sync)
    own_time, meeting_time, is_early = (
        np.empty_like(sync.goal_progress),
        np.empty(len(sync.state)),
        sync.is_early.copy(),
    )
    desired_factor, is_free = np.ones(len(sync.progress)), np.ones(len(sync.progress), np.bool_)
    goals = (
        sync.goal_channel,
        sync.goal_progress,
        sync.goal_offsets,
        sync.state,
        sync.reached_at,
        is_early,
        sync.waits_for_bodies,
    )
    channel_values = (
        sync.follower_channels,
        sync.nominal_speed,
        sync.min_speed_factor,
        sync.efficiency,
        sync.speed_factor,
    )
    update_speed_factors(
        sync.progress, sync.distance_left, *goals, *channel_values, own_time, meeting_time, desired_factor, is_free
    )
    for found, expected in zip(
        (own_time, meeting_time, desired_factor),
        (reference.own_time, reference.meeting_time, reference.desired_factor),
        strict=True,
    ):
        assert_allclose(found, expected, rtol=1e-12)
    assert_array_equal(is_early, reference.is_early)
    assert_array_equal(is_free, reference.is_free)


@seeds
@given(st.integers(0, 10_000))
def test_initial_speed_kernel_equals_the_rule(seed):
    sync = RandomSyncState(seed)
    is_new = sync.rng.random(len(sync.progress)) < 0.5
    reference = reference_speed_factors(sync)
    speed_factor, is_early = sync.speed_factor.copy(), sync.is_early.copy()
    goals = (
        sync.goal_channel,
        sync.goal_progress,
        sync.goal_offsets,
        sync.waits_for_bodies,
        sync.nominal_speed,
        sync.min_speed_factor,
        sync.follower_channels,
    )
    own_time, meeting_time = np.empty_like(sync.goal_progress), np.empty(len(sync.state))
    outputs = sync.state, sync.reached_at, is_early, sync.efficiency, speed_factor, own_time, meeting_time
    set_initial_speeds(sync.progress, sync.distance_left, is_new, *goals, *outputs)
    assert_allclose(
        speed_factor, reference_initial_factors(sync.speed_factor, reference.desired_factor, is_new), rtol=1e-12
    )
    assert_array_equal(speed_factor[~is_new], sync.speed_factor[~is_new])
    assert_array_equal(is_early, reference.is_early)
    assert_allclose(own_time, reference.own_time, rtol=1e-12)
    assert_allclose(meeting_time, reference.meeting_time, rtol=1e-12)


@seeds
@given(st.integers(0, 10_000))
def test_clocks_keep_full_efficiency_and_smooth_their_speed_factors_as_the_rule(seed):
    sync = RandomSyncState(seed)
    sync.follower_channels, sync.waits_for_bodies[:], sync.efficiency[:] = 0, False, 1.0  # all are clocks
    reference = reference_speed_factors(sync)
    expected_factors = [
        smooth_speed_factor(*arguments[:3], SECONDS, arguments[3])
        for arguments in zip(
            sync.speed_factor, reference.desired_factor, sync.reaction, reference.is_free.tolist(), strict=True
        )
    ]
    goals = sync.goal_channel, sync.goal_progress, sync.goal_offsets, sync.waits_for_bodies
    channel_values = (
        sync.patience,
        sync.nominal_speed,
        sync.min_speed_factor,
        sync.reaction,
        sync.follower_channels,
        sync.state,
    )
    delays = (
        sync.late_for,
        sync.blocked_for,
        sync.waiting_for,
        sync.distance_left.copy(),
        np.zeros(len(sync.goal_progress), np.int64),
    )
    scratch = np.empty_like(sync.goal_progress), np.empty(len(sync.state)), np.zeros(len(sync.state), np.int64)
    state_arrays = sync.reached_at, sync.is_early, *delays, sync.efficiency, sync.speed_factor, sync.stop_at, *scratch
    travelled = np.zeros(len(sync.progress))  # which would look as if they stood
    regulate(sync.progress, travelled, sync.distance_left, *goals, *channel_values, 1.0, SECONDS, *state_arrays)
    assert_allclose(sync.speed_factor, expected_factors, rtol=1e-12)
    assert_array_equal(sync.efficiency, 1.0)


@pytest.mark.parametrize(("own_time", "expected"), [(1.125, 0.5), (2.0, 1.0)])
def test_speed_factor_of_a_slowed_clock_ignores_its_acceleration_time(own_time, expected):
    assert required_speed_factor(own_time, 2.0, 1.0, is_clock=True) == expected
    assert required_speed_factor(own_time, 2.0, 1.0, is_clock=False) == own_time / 2.0


def test_clock_late_only_by_rounding_keeps_nominal_speed():
    assert required_speed_factor(0.3, float(np.nextafter(0.3, 1.0)), 0.29, is_clock=True) == pytest.approx(
        1.0, abs=1e-12
    )


def test_stationary_clock_arrives_in_time_at_its_speed_factor():
    sync = RandomSyncState(0)
    sync.follower_channels, sync.progress, sync.state = 1, np.zeros(2), np.array([ACTIVE])
    sync.goal_channel, sync.goal_progress, sync.goal_meeting = (
        np.array([0, 1]),
        np.array([4.0, 1.0]),
        np.zeros(2, np.int64),
    )
    sync.distance_left, sync.reached_at, sync.is_early = (
        np.array([4.0, 1.125]),
        np.full(2, np.nan),
        np.zeros(2, np.bool_),
    )
    sync.waits_for_bodies, sync.min_speed_factor = np.zeros(1, np.bool_), np.full(2, 0.1)
    sync.nominal_speed, sync.efficiency, sync.speed_factor = np.ones((3, 2))
    assert_allclose(reference_speed_factors(sync).desired_factor, [1.0, 1.0 / 4.0])
