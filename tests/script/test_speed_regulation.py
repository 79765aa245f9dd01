"""Speeds of participants: the slowest sets those of all, and none exceeds its nominal speed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from keypose.motion.sync_protocol import DONE, FAILED, NO_STOP, WAITING
from keypose.physics.following.follower_arrays import MAX_TARGET_SPEED_RATIO
from keypose.physics.following.kernels import target_speed_fraction
from keypose.script.sync.rules.speed_factors import (
    EFFICIENCY_FILTER,
    MAX_EFFICIENCY,
    MIN_EFFICIENCY,
    filter_efficiency,
    smooth_speed_factor,
)
from tests.script.meetings import SECONDS, Meetings

remaining_distances = st.lists(st.floats(0.01, 50.0), min_size=1, max_size=6)
few_examples = settings(deadline=None, max_examples=60)


@few_examples
@given(remaining_distances, st.booleans(), st.data())
def test_regulation_kernel_equals_the_rule(distances_left, waits_for_bodies, data):
    count = len(distances_left)
    values = st.lists(st.floats(0.1, 5.0), min_size=count, max_size=count)
    meetings = Meetings(np.full(count, 1e3), waits_for_bodies=waits_for_bodies)
    meetings.nominal_speed[:], meetings.reaction[:] = data.draw(values), data.draw(values)
    meetings.speed_factor[:] = np.array(data.draw(values)) / 5.0
    meetings.efficiency[:] = np.clip(data.draw(values), MIN_EFFICIENCY, MAX_EFFICIENCY)
    travelled = meetings.nominal_speed * meetings.speed_factor * SECONDS * np.array(data.draw(values))
    efficiency = np.array(
        [
            filter_efficiency(efficiency_before, distance, SECONDS, nominal_speed * factor, waits_for_bodies)
            for efficiency_before, distance, nominal_speed, factor in zip(
                meetings.efficiency, travelled, meetings.nominal_speed, meetings.speed_factor, strict=True
            )
        ]
    )
    own_time = np.array(distances_left) / (meetings.nominal_speed * efficiency)
    desired_factors = np.maximum(own_time / own_time.max(), meetings.min_speed_factor)
    factor = [
        smooth_speed_factor(*arguments, SECONDS, False)
        for arguments in zip(meetings.speed_factor, desired_factors, meetings.reaction, strict=True)
    ]
    meetings.regulate(distances_left, travelled)
    assert_allclose(meetings.efficiency, efficiency, rtol=1e-12)
    assert_allclose(meetings.speed_factor, factor, rtol=1e-12)


@few_examples
@given(remaining_distances)
def test_slowest_participant_sets_all_speeds_and_none_exceeds_nominal(distances_left):
    meetings = Meetings(np.full(len(distances_left), 1e3))
    for _ in range(300):
        meetings.regulate(distances_left)
    slowest = int(np.argmax(distances_left))
    assert meetings.speed_factor[slowest] == pytest.approx(1.0)
    assert (meetings.speed_factor <= 1.0).all()
    assert_allclose(
        meetings.speed_factor,
        np.maximum(np.array(distances_left) / max(distances_left), meetings.min_speed_factor),
        atol=1e-6,
    )


@few_examples
@given(st.lists(st.floats(0.1, 10.0), min_size=2, max_size=5, unique=True))
def test_participant_with_more_distance_left_is_never_slowed_more(distances_left):
    meetings = Meetings(np.full(len(distances_left), 1e3))
    for _ in range(50):
        meetings.regulate(distances_left)
        assert (np.diff(meetings.speed_factor[np.argsort(distances_left)]) >= 0).all()


@few_examples
@given(st.lists(st.floats(0.0, 1e3), min_size=1, max_size=40))
def test_participant_is_stopped_instead_of_slowed_below_minimum_speed(distances_left):
    meetings = Meetings([5.0, 9.0])
    for distance in distances_left:
        meetings.regulate([distance, 100.0])
        assert (meetings.speed_factor >= meetings.min_speed_factor - 1e-12).all()
        assert meetings.is_early[0] == (
            distance / meetings.efficiency[0] < meetings.min_speed_factor[0] * 100.0 / meetings.efficiency[1]
        )
        assert meetings.stop_at[0] == 5.0


@few_examples
@given(st.lists(st.floats(-1.0, 10.0), min_size=1, max_size=60))
def test_efficiency_stays_within_its_limits(speeds):
    meetings = Meetings([1e3])
    for speed in speeds:
        meetings.regulate([5.0], [speed * SECONDS])
        assert MIN_EFFICIENCY <= meetings.efficiency[0] <= MAX_EFFICIENCY


def test_efficiency_is_filtered_with_its_time_constant():
    meetings = Meetings([1e3])
    for _ in range(round(EFFICIENCY_FILTER / SECONDS)):
        meetings.regulate([5.0], [0.5 * meetings.speed_factor[0] * SECONDS])
    assert meetings.efficiency[0] == pytest.approx(1 - 0.5 * (1 - np.exp(-1)), abs=1e-9)


def test_stopped_participant_keeps_its_efficiency():
    meetings = Meetings([1.0, 9.0])
    meetings.channel_progress[0], meetings.reached_at[0] = 1.0, 0.5
    meetings.set_stops()
    for _ in range(100):
        meetings.regulate([0.0, 5.0], [0.0, SECONDS])
    assert meetings.efficiency[0] == 1.0


@pytest.mark.parametrize("state", [DONE, FAILED, WAITING])
def test_participant_without_active_meeting_returns_to_nominal_speed_within_a_reaction(state):
    meetings = Meetings([1e3, 1e3])
    for _ in range(200):
        meetings.regulate([1.0, 4.0])
    assert meetings.speed_factor[0] == pytest.approx(0.25, abs=1e-3)
    meetings.state[:] = state
    for _ in range(6):
        meetings.regulate([1.0, 4.0])
    assert meetings.speed_factor[0] > 0.99
    assert_array_equal(meetings.stop_at, NO_STOP)


def test_speed_factor_of_a_participant_in_two_meetings_is_the_smaller_one():
    meetings = Meetings([1e3, 1e3], [1e3, 1e3], channels=[0, 1, 0, 2])
    for _ in range(300):
        meetings.regulate([2.0, 4.0, 6.0, 24.0], np.full(3, SECONDS) * meetings.speed_factor)
    assert_allclose(meetings.speed_factor, [0.25, 0.5, 1.0], atol=1e-3)  # and who meets it goes by that


@few_examples
@given(st.lists(st.floats(0.05, 1.0), min_size=2, max_size=10))
def test_target_of_a_slowed_follower_does_not_exceed_its_speed_factor(factors):
    factors = sorted(factors)
    target_fractions = [MAX_TARGET_SPEED_RATIO * target_speed_fraction(factor) for factor in factors]
    assert all(fraction >= factor * (1 - 1e-12) for fraction, factor in zip(target_fractions, factors, strict=True))
    assert (np.diff(target_fractions) >= 0).all()
    assert all(
        fraction <= 1.02 * factor for fraction, factor in zip(target_fractions, factors, strict=True) if factor <= 0.7
    )


def test_speed_factor_one_leaves_following_bitwise_unchanged():
    assert target_speed_fraction(1.0) == 1.0
