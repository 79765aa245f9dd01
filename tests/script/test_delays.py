"""Whom do meetings wait for? The compiled loop watches them as the readable rule says."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from keypose.motion.sync_protocol import ACTIVE, DONE, NO_STOP, WAITING
from keypose.script.sync.kernels import delays as delay_kernels
from keypose.script.sync.kernels.delays import update_delays
from keypose.script.sync.kernels.step import mark_targets
from keypose.script.sync.rules.delays import (
    BLOCKED,
    DEADLOCK_CHECK_AFTER,
    EVENT_FAILED,
    EVENT_LATE,
    EVENT_RESUMED,
    LATE_AFTER,
    NO_DELAY,
    NO_EVENT,
    OUTPACED,
    RESUMED,
    RESUMED_AFTER,
    SLOW,
    ParticipantProgress,
    WaitTimes,
    classify_delay,
    delay_status,
    next_late_time,
)
from keypose.script.sync.rules.speed_factors import REGULATION_PERIOD
from tests.script.meetings import SECONDS, Meetings
from tests.script.random_sync_state import RandomSyncState

TIMES = 0.955, 0.97, 0.99, 1.0, 1.01, 1.19, 0.0, 0.5  # [s] around when something is told, too


@settings(deadline=None, max_examples=300)
@given(st.integers(0, 10_000))
def test_delay_kernel_equals_the_rule(seed):
    made = RandomSyncState(seed)
    rng, channels, goals, meetings = made.rng, len(made.at), len(made.where), len(made.state)
    own = made.pace * made.ease * REGULATION_PERIOD
    gone = own * rng.choice([0.0, 0.005, 0.05, 0.5, 1.0], channels)
    at_rest = rng.random(channels) < 0.2  # whose targets are at the end, and whose bodies go on
    went, gone = gone, np.where(at_rest & (gone > 0), -gone / REGULATION_PERIOD, gone)
    was_left = made.left + own[made.strand] * rng.choice([-1.0, 0.05, 0.5, 1.0], goals)
    before = [WaitTimes(*times) for times in rng.choice(TIMES, (meetings, 3))]
    made.patience[:] = rng.choice([0.5, 1.02, 3.0], meetings)
    late, stuck, held = np.array(before).T.copy()
    blame, news, answer = (
        rng.choice([NO_DELAY, BLOCKED, SLOW, OUTPACED, RESUMED], goals),
        np.full(meetings, 7),
        NO_EVENT,
    )
    known = blame.copy(), was_left.copy()
    goal_arrays = made.strand, made.where, made.first, made.state, made.reached, made.early, made.pace, made.patience
    delays = late, stuck, held, was_left, blame, news
    found = update_delays(made.at, gone, made.left, *goal_arrays, REGULATION_PERIOD, made.ease, made.hold, *delays)
    for meeting in range(meetings):
        span = range(made.first[meeting], made.first[meeting + 1])
        if made.state[meeting] != ACTIVE:
            assert (late[meeting], stuck[meeting], held[meeting], news[meeting]) == (*before[meeting], NO_EVENT)
            assert (blame[span] == known[0][span]).all()
            continue
        coming = [
            ParticipantProgress(
                made.at[one := made.strand[goal]],
                made.hold[one],
                made.where[goal],
                went[one],
                known[1][goal] - made.left[goal],
                own[one],
                made.early[goal],
                not np.isnan(made.reached[goal]),
                known[0][goal],
            )
            for goal in span
        ]
        expected = delay_status(coming, before[meeting], made.patience[meeting], REGULATION_PERIOD)
        assert_allclose([late[meeting], stuck[meeting], held[meeting]], expected.wait_times, rtol=1e-12)
        assert blame[span].tolist() == expected.delay_causes
        assert news[meeting] == expected.event
        answer |= expected.flags
    assert found == answer
    is_open = np.isnan(made.reached) & (made.state == ACTIVE)[made.meeting]
    assert_allclose(was_left, np.where(is_open, made.left, known[1]))


# ---- one by one ------------------------------------------------------------------------------------------------------


def test_only_goals_of_active_target_meetings_are_marked_as_reached():
    made = Meetings([1.0, 2.0])
    made.at[:] = 1.0, 1.9
    goals = made.strand, made.where, made.first, made.of_bodies, made.state
    assert mark_targets(made.at, *goals, 0.7, made.reached)
    assert_array_equal(made.reached, [0.7, np.nan])
    assert not mark_targets(made.at, *goals, 0.8, made.reached)
    for state, of_bodies in ((WAITING, False), (DONE, False), (ACTIVE, True)):
        made.state[:], made.of_bodies[:], made.reached[:] = state, of_bodies, np.nan
        assert not mark_targets(made.at, *goals, 0.9, made.reached)


def test_body_arrives_when_no_distance_is_left():
    made = Meetings([1.0, 2.0], of_bodies=True)
    assert made.regulate([0.0, 1.0], time=0.7)
    assert_array_equal(made.reached, [0.7, np.nan])


def test_blocked_participant_is_reported_once_before_patience_expires():
    made = Meetings([1e3, 1e3])
    reported = [made.regulate([5.0, 5.0], [0.0, SECONDS * made.ease[1]]) for _ in range(199)]
    assert_array_equal(made.blame, [BLOCKED, NO_DELAY])
    assert sum(reported) == 1
    assert reported.index(True) == pytest.approx(LATE_AFTER / SECONDS, abs=1.5)
    assert any(made.regulate([5.0, 5.0], [0.0, 0.0]) for _ in range(2))


def test_participant_stopped_by_another_meeting_is_no_delay_cause():
    made = Meetings([9.0, 9.0], [2.0])
    made.strand[:] = 0, 1, 0
    made.at, made.hold = np.array([2.0, 0.0]), np.array([2.0, NO_STOP])
    for name in ("pace", "least", "reaction", "efficiency", "ease"):
        setattr(made, name, getattr(made, name)[:2].copy())
    made.reached[2] = 0.1
    made.regulate([7.0, 9.0, 0.0], [0.0, SECONDS])
    assert not made.blame.any()


def test_time_stopped_by_other_meetings_is_counted_and_reported_once():
    made = Meetings([3.0, 9.0], [5.0])
    made.at[0], reported = 2.0, []
    for _ in range(150):
        made.hold[0] = 2.0  # by others
        reported.append(made.regulate([1.0, 5.0, 5.0], [0.0, 0.0, SECONDS * made.ease[2]]))
        made.stuck_for[:] = 0.0
    assert_allclose(made.held_for, [1.5, 0.0])
    assert [number for number, news in enumerate(reported) if news] == [
        pytest.approx(DEADLOCK_CHECK_AFTER / SECONDS, abs=1.5)
    ]
    made.hold[0] = 2.0
    made.regulate([1.0, 5.0, 5.0], [-0.5, 0.0, SECONDS])
    assert made.held_for[0] > 1.5, "its body may still move"
    made.hold[0] = NO_STOP
    made.regulate([1.0, 5.0, 5.0], [0.5 * SECONDS, 0.0, SECONDS])
    assert made.held_for[0] == 0.0


def test_outpaced_participant_makes_a_meeting_late_and_fail_after_five_times_patience():
    made, reported = Meetings([1e3, 1e3]), list[int]()
    for _ in range(1100):
        went = SECONDS * made.ease
        made.regulate([5.0, 5.0], went, [0.0, went[1]])
        reported.append(int(made.news[0]))
        if reported[-1]:
            assert made.blame.tolist() == [OUTPACED, NO_DELAY]
    assert [news for news in reported if news][:2] == [EVENT_LATE, EVENT_FAILED]
    assert reported.index(EVENT_LATE) == pytest.approx(LATE_AFTER / SECONDS, abs=2)
    assert reported.index(EVENT_FAILED) == pytest.approx(5 * made.patience[0] / SECONDS, abs=2)


@pytest.mark.parametrize("went", [0.0, 0.005, 0.05, 0.2, 1.0])
@pytest.mark.parametrize("nearer", [-1.0, 0.0, 0.05, 0.2, 1.0])
def test_delay_classification_kernel_equals_the_rule(went, nearer):
    for own in (1.0, 0.02, 0.0):
        assert delay_kernels.classify_delay(went * own, nearer * own, own) == classify_delay(
            went * own, nearer * own, own
        )


def test_participant_that_moves_again_resets_its_delay():
    made = Meetings([1e3, 1e3])
    for _ in range(90):
        made.regulate([5.0, 5.0], [0.0, SECONDS])
    made.regulate([5.0, 5.0])
    assert made.stuck_for[0] == made.late_for[0] == 0.0


@pytest.mark.parametrize(("speed", "how"), [(0.0, BLOCKED), (0.05, SLOW), (0.2, NO_DELAY)])
def test_slow_participant_makes_a_meeting_late_and_only_a_blocked_one_makes_it_fail(speed, how):
    made, reported = Meetings([1e3, 1e3]), list[int]()
    for _ in range(250):
        made.regulate([5.0, 5.0], [speed * SECONDS * made.ease[0], SECONDS * made.ease[1]])
        reported.append(int(made.news[0]))
    assert made.blame.tolist() == [how, NO_DELAY]
    assert (EVENT_LATE in reported, EVENT_FAILED in reported) == (how != NO_DELAY, how == BLOCKED)
    assert reported.count(EVENT_LATE) <= 1


@settings(deadline=None, max_examples=60)
@given(st.lists(st.booleans(), max_size=400))
def test_late_time_kernel_equals_the_rule(moves):
    made, known = Meetings([1e3, 1e3]), 0.0
    for slow in moves:
        before, known = known, next_late_time(known, slow, SECONDS)
        made.regulate([5.0, 5.0], [0.0 if slow else SECONDS * made.ease[0], SECONDS * made.ease[1]])
        assert made.late_for[0] == pytest.approx(known, abs=1e-12)
        if made.news[0] in (EVENT_LATE, EVENT_RESUMED):
            assert (before < LATE_AFTER) == (made.news[0] == EVENT_LATE)


def test_lateness_ends_only_after_sustained_movement():
    made, reported = Meetings([1e3, 1e3]), list[int]()
    for number in range(250):
        is_shaken = number == 130 or number > 180
        made.regulate([5.0, 5.0], [SECONDS * made.ease[0] if is_shaken else 0.0, SECONDS * made.ease[1]])
        made.stuck_for[:] = 0.0
        reported.append(int(made.news[0]))
        if reported[-1] == EVENT_RESUMED:
            assert made.blame.tolist() == [RESUMED, NO_DELAY]
    assert [news for news in reported if news] == [EVENT_LATE, EVENT_RESUMED]
    assert reported.index(EVENT_RESUMED) == pytest.approx(180 + RESUMED_AFTER / SECONDS, abs=2)
