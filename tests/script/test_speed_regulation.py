"""How fast may everybody go? The compiled loop does as the readable rule says: all go by the slowest, nobody faster."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from keypose.motion.sync_protocol import ACTIVE, DONE, FAILED, NO_STOP, WAITING
from keypose.physics.following.follower_arrays import MAX_TARGET_SPEED_RATIO
from keypose.physics.following.kernels import target_speed_fraction
from keypose.script.sync.kernels.speed_factors import delay_meetings
from keypose.script.sync.rules.speed_factors import (
    EFFICIENCY_FILTER,
    MAX_EFFICIENCY,
    MIN_EFFICIENCY,
    filter_efficiency,
    meeting_times,
    smooth_speed_factor,
    speed_factors,
)
from tests.script.meetings import SECONDS, Meetings

remaining_distances = st.lists(st.floats(0.01, 50.0), min_size=1, max_size=6)
few_examples = settings(deadline=None, max_examples=60)


@few_examples
@given(remaining_distances, st.booleans(), st.data())
def test_regulation_kernel_equals_the_rule(left, of_bodies, data):
    count = len(left)
    numbers = st.lists(st.floats(0.1, 5.0), min_size=count, max_size=count)
    made = Meetings(np.full(count, 1e3), of_bodies=of_bodies)
    made.pace[:], made.reaction[:] = data.draw(numbers), data.draw(numbers)
    made.ease[:] = np.array(data.draw(numbers)) / 5.0
    made.efficiency[:] = np.clip(data.draw(numbers), MIN_EFFICIENCY, MAX_EFFICIENCY)
    gone = made.pace * made.ease * SECONDS * np.array(data.draw(numbers))
    efficiency = np.array(
        [
            filter_efficiency(known, far, SECONDS, pace * ease, of_bodies)
            for known, far, pace, ease in zip(made.efficiency, gone, made.pace, made.ease, strict=True)
        ]
    )
    wanted = np.maximum(speed_factors(np.array(left), made.pace, efficiency), made.least)
    ease = [smooth_speed_factor(*one, SECONDS, False) for one in zip(made.ease, wanted, made.reaction, strict=True)]
    made.regulate(left, gone)
    assert_allclose(made.efficiency, efficiency, rtol=1e-12)
    assert_allclose(made.ease, ease, rtol=1e-12)


@few_examples
@given(remaining_distances)
def test_slowest_participant_sets_all_speeds_and_none_exceeds_nominal(left):
    made = Meetings(np.full(len(left), 1e3))
    for _ in range(300):
        made.regulate(left)
    slowest = int(np.argmax(left))
    assert made.ease[slowest] == pytest.approx(1.0)
    assert (made.ease <= 1.0).all()
    assert_allclose(made.ease, np.maximum(np.array(left) / max(left), made.least), atol=1e-6)


@few_examples
@given(st.lists(st.floats(0.1, 10.0), min_size=2, max_size=5, unique=True))
def test_participant_with_more_distance_left_is_never_slowed_more(left):
    made = Meetings(np.full(len(left), 1e3))
    for _ in range(50):
        made.regulate(left)
        assert (np.diff(made.ease[np.argsort(left)]) >= 0).all()


@few_examples
@given(st.lists(st.floats(0.0, 1e3), min_size=1, max_size=40))
def test_participant_is_stopped_instead_of_slowed_below_minimum_speed(left):
    made = Meetings([5.0, 9.0])
    for far in left:
        made.regulate([far, 100.0])
        assert (made.ease >= made.least - 1e-12).all()
        assert made.early[0] == (far / made.efficiency[0] < made.least[0] * 100.0 / made.efficiency[1])
        assert made.hold[0] == 5.0


@few_examples
@given(st.lists(st.floats(-1.0, 10.0), min_size=1, max_size=60))
def test_efficiency_stays_within_its_limits(gone):
    made = Meetings([1e3])
    for far in gone:
        made.regulate([5.0], [far * SECONDS])
        assert MIN_EFFICIENCY <= made.efficiency[0] <= MAX_EFFICIENCY


def test_efficiency_is_filtered_with_its_time_constant():
    made = Meetings([1e3])
    for _ in range(round(EFFICIENCY_FILTER / SECONDS)):
        made.regulate([5.0], [0.5 * made.ease[0] * SECONDS])
    assert made.efficiency[0] == pytest.approx(1 - 0.5 * (1 - np.exp(-1)), abs=1e-9)


def test_stopped_participant_keeps_its_efficiency():
    made = Meetings([1.0, 9.0])
    made.at[0], made.reached[0] = 1.0, 0.5
    made.hold_all()
    for _ in range(100):
        made.regulate([0.0, 5.0], [0.0, SECONDS])
    assert made.efficiency[0] == 1.0


@pytest.mark.parametrize("state", [DONE, FAILED, WAITING])
def test_participant_without_active_meeting_returns_to_nominal_speed_within_a_reaction(state):
    made = Meetings([1e3, 1e3])
    for _ in range(200):
        made.regulate([1.0, 4.0])
    assert made.ease[0] == pytest.approx(0.25, abs=1e-3)
    made.state[:] = state
    for _ in range(6):
        made.regulate([1.0, 4.0])
    assert made.ease[0] > 0.99
    assert_array_equal(made.hold, NO_STOP)


def test_speed_factor_of_a_participant_in_two_meetings_is_the_smaller_one():
    made = Meetings([1e3, 1e3], [1e3, 1e3])
    made.strand[:] = 0, 1, 0, 2
    made.at, made.hold = np.zeros(3), np.full(3, NO_STOP)
    for name in ("pace", "least", "reaction", "efficiency", "ease"):
        setattr(made, name, getattr(made, name)[:3].copy())
    for _ in range(300):
        made.regulate([2.0, 4.0, 6.0, 24.0], np.full(3, SECONDS) * made.ease)
    assert_allclose(made.ease, [0.25, 0.5, 1.0], atol=1e-3)  # and who meets it goes by that


@few_examples
@given(st.data())
def test_meeting_time_kernel_equals_the_rule_for_shared_participants(data):
    channels, meetings = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 5))
    pairs = st.lists(st.tuples(st.integers(0, meetings - 1), st.integers(0, channels - 1)), min_size=1, unique=True)
    meeting, channel = np.array(sorted(data.draw(pairs)), np.int64).T.copy()
    count = len(channel)
    own = np.array(data.draw(st.lists(st.floats(0.0, 50.0), min_size=count, max_size=count)))
    has_come = np.array(data.draw(st.lists(st.booleans(), min_size=count, max_size=count)))
    own[has_come], least = 0.0, np.full(channels, 0.1)
    known = meeting_times(own, channel, meeting, has_come, least)
    found = np.zeros(meetings)
    np.maximum.at(found, meeting[~has_come], own[~has_come])
    before, last = np.full(count, -1), np.full(channels, -1)
    for goal, one in enumerate(channel):
        before[goal], last[one] = last[one], goal
    first = np.searchsorted(meeting, np.arange(meetings + 1))
    reached = np.where(has_come, 1.0, np.nan)
    delay_meetings(channel, first, np.full(meetings, ACTIVE), reached, least, own, before, last, found)
    assert_allclose(found[: len(known)], known, rtol=1e-12, atol=1e-15)  # [s]


@few_examples
@given(st.lists(st.floats(0.05, 1.0), min_size=2, max_size=10))
def test_target_of_a_slowed_follower_does_not_exceed_its_speed_factor(eases):
    eases = sorted(eases)
    shares_of = [MAX_TARGET_SPEED_RATIO * target_speed_fraction(ease) for ease in eases]
    assert all(share >= ease * (1 - 1e-12) for share, ease in zip(shares_of, eases, strict=True))
    assert (np.diff(shares_of) >= 0).all()
    assert all(share <= 1.02 * ease for share, ease in zip(shares_of, eases, strict=True) if ease <= 0.7)


def test_speed_factor_one_leaves_following_bitwise_unchanged():
    assert target_speed_fraction(1.0) == 1.0
