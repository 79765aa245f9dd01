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
from keypose.script.sync.rules.speed_factors import initial_speed_factors as defined_set_out
from tests.script.random_sync_state import RandomSyncState

SECONDS = 0.02
seeds = settings(deadline=None, max_examples=200)


def reference_shares(made):
    """Who is to go how fast, by the rule."""
    goals = made.strand, made.where, made.meeting, made.state, made.reached, made.early, made.of_bodies
    numbers = made.races, made.pace, made.least, made.efficiency, made.ease
    return allocate_speed_factors(made.at, made.left, *goals, *numbers)


@seeds
@given(st.integers(0, 10_000))
def test_speed_factor_kernel_equals_the_rule_for_targets_and_clocks(seed):
    made = RandomSyncState(seed)
    known = reference_shares(made)
    own, due, early = np.empty_like(made.where), np.empty(len(made.state)), made.early.copy()
    share, is_free = np.ones(len(made.at)), np.ones(len(made.at), np.bool_)
    goals = made.strand, made.where, made.first, made.state, made.reached, early, made.of_bodies
    numbers = made.races, made.pace, made.least, made.efficiency, made.ease
    update_speed_factors(made.at, made.left, *goals, *numbers, own, due, share, is_free)
    for found, expected in zip(
        (own, due, share), (known.own_time, known.meeting_time, known.desired_factor), strict=True
    ):
        assert_allclose(found, expected, rtol=1e-12)
    assert_array_equal(early, known.is_early)
    assert_array_equal(is_free, known.is_free)


@seeds
@given(st.integers(0, 10_000))
def test_initial_speed_kernel_equals_the_rule(seed):
    made = RandomSyncState(seed)
    is_new = made.rng.random(len(made.at)) < 0.5
    known = reference_shares(made)
    ease, early = made.ease.copy(), made.early.copy()
    goals = made.strand, made.where, made.first, made.of_bodies, made.pace, made.least, made.races
    own, due = np.empty_like(made.where), np.empty(len(made.state))
    remembered = made.state, made.reached, early, made.efficiency, ease, own, due
    set_initial_speeds(made.at, made.left, is_new, *goals, *remembered)
    assert_allclose(ease, defined_set_out(made.ease, known.desired_factor, is_new), rtol=1e-12)
    assert_array_equal(ease[~is_new], made.ease[~is_new])
    assert_array_equal(early, known.is_early)
    assert_allclose(own, known.own_time, rtol=1e-12)
    assert_allclose(due, known.meeting_time, rtol=1e-12)


@seeds
@given(st.integers(0, 10_000))
def test_clocks_keep_full_efficiency_and_smooth_their_speed_factors_as_the_rule(seed):
    made = RandomSyncState(seed)
    made.races, made.of_bodies[:], made.efficiency[:] = 0, False, 1.0  # all are clocks
    known = reference_shares(made)
    ease = [
        smooth_speed_factor(*one[:3], SECONDS, one[3])
        for one in zip(made.ease, known.desired_factor, made.reaction, known.is_free.tolist(), strict=True)
    ]
    goals = made.strand, made.where, made.first, made.of_bodies
    numbers = made.patience, made.pace, made.least, made.reaction, made.races, made.state
    delays = made.late_for, made.stuck_for, made.held_for, made.left.copy(), np.zeros(len(made.where), np.int64)
    outputs = np.empty_like(made.where), np.empty(len(made.state)), np.zeros(len(made.state), np.int64)
    remembered = made.reached, made.early, *delays, made.efficiency, made.ease, made.hold, *outputs
    gone = np.zeros(len(made.at))  # which would look as if they stood
    regulate(made.at, gone, made.left, *goals, *numbers, 1.0, SECONDS, *remembered)
    assert_allclose(made.ease, ease, rtol=1e-12)
    assert_array_equal(made.efficiency, 1.0)


@pytest.mark.parametrize(("own", "share"), [(1.125, 0.5), (2.0, 1.0)])
def test_speed_factor_of_a_slowed_clock_ignores_its_acceleration_time(own, share):
    assert required_speed_factor(own, 2.0, 1.0, is_clock=True) == share
    assert required_speed_factor(own, 2.0, 1.0, is_clock=False) == own / 2.0


def test_clock_late_only_by_rounding_keeps_nominal_speed():
    assert required_speed_factor(0.3, float(np.nextafter(0.3, 1.0)), 0.29, is_clock=True) == pytest.approx(
        1.0, abs=1e-12
    )


def test_stationary_clock_arrives_in_time_at_its_speed_factor():
    made = RandomSyncState(0)
    made.races, made.at, made.state = 1, np.zeros(2), np.array([ACTIVE])
    made.strand, made.where, made.meeting = np.array([0, 1]), np.array([4.0, 1.0]), np.zeros(2, np.int64)
    made.left, made.reached, made.early = np.array([4.0, 1.125]), np.full(2, np.nan), np.zeros(2, np.bool_)
    made.of_bodies, made.least = np.zeros(1, np.bool_), np.full(2, 0.1)
    made.pace, made.efficiency, made.ease = np.ones((3, 2))
    assert_allclose(reference_shares(made).desired_factor, [1.0, 1.0 / 4.0])
