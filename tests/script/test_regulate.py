"""How fast may everybody go? The compiled loop does as the readable rule says: all go by the slowest, nobody faster."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from keypose.motion.appointments import ACTIVE, DONE, FAILED, FAR, WAITING
from keypose.physics.kernels import leash
from keypose.physics.racing import AHEAD
from keypose.script import delay_kernels
from keypose.script.kernels import held, passed, regulate
from keypose.script.regulate import (
    AGAIN,
    BEST,
    CREEPING,
    FAILS,
    FILTER,
    GOES_ON,
    IS_LATE,
    LATE,
    MOVING,
    NOBODY,
    OUTRUN,
    SOME,
    STANDING,
    TIED,
    WORST,
    due,
    eased,
    efficient,
    getting_on,
    has_just_come,
    late_for,
    shares,
)
from keypose.script.share_kernels import delay

SECONDS = 0.01
lefts = st.lists(st.floats(0.01, 50.0), min_size=1, max_size=6)
settled = settings(deadline=None, max_examples=60)


class Meetings:
    """Some meetings, each of as many strands as its goals are, none of which is in two of them."""

    def __init__(self, *goals, state=ACTIVE, of_bodies=False, gates=False):
        self.where = np.concatenate([np.asarray(one, dtype=float) for one in goals])
        count, meetings = len(self.where), len(goals)
        self.strand = np.arange(count)
        self.first = np.cumsum([0, *map(len, goals)])
        self.state = np.full(meetings, state)
        self.of_bodies, self.gates = np.full(meetings, of_bodies), np.full(meetings, gates)
        self.patience = np.full(meetings, 2.0)
        self.late_for, self.stuck_for, self.held_for = np.zeros((3, meetings))
        self.news = np.zeros(meetings, np.int64)
        self.pace, self.least, self.reaction = np.ones(count), np.full(count, 0.1), np.full(count, 0.1)
        self.at, self.reached = np.zeros(count), np.full(count, np.nan)
        self.early, self.blame = np.zeros(count, np.bool_), np.zeros(count, np.int64)
        self.was_left = np.full(count, np.inf)
        self.efficiency, self.ease, self.hold = np.ones(count), np.ones(count), np.full(count, FAR)

    @property
    def order(self):
        """All goals, strand by strand."""
        order = np.lexsort((self.where, self.strand))
        begins = np.searchsorted(self.strand[order], np.arange(len(self.at) + 1))
        return np.argsort(order), order, begins, np.repeat(np.arange(len(self.state)), np.diff(self.first))

    def hold_all(self):
        goals = self.strand, self.where, self.first, self.of_bodies
        held(self.at, *goals, self.gates, self.state, self.reached, self.early, *self.order, self.hold)
        return self.hold

    def regulate(self, left, gone=None, nearer=None, time=1.0, seconds=SECONDS):
        """All have gone at their speed, unless said, and come as much nearer, unless said."""
        gone = self.pace * self.ease * seconds if gone is None else np.asarray(gone, dtype=float)
        self.was_left[:] = left + np.asarray(gone if nearer is None else nearer)[self.strand]
        goals = self.strand, self.where, self.first, self.of_bodies
        numbers = self.patience, self.pace, self.least, self.reaction, len(self.at)
        delays = self.late_for, self.stuck_for, self.held_for, self.was_left, self.blame
        own, due = np.empty(len(self.where)), np.empty(len(self.state))
        remembered = self.reached, self.early, *delays, self.efficiency, self.ease, self.hold, own, due, self.news
        left = np.asarray(left, dtype=float)
        answer = regulate(self.at, gone, left, *goals, *numbers, self.state, time, seconds, *remembered)
        self.hold_all()
        return bool(answer & SOME)


@settled
@given(lefts, st.data())
def test_the_compiled_loop_does_as_the_rule_says(left, data):
    count = len(left)
    numbers = st.lists(st.floats(0.1, 5.0), min_size=count, max_size=count)
    made = Meetings(np.full(count, 1e3))
    made.pace[:], made.reaction[:] = data.draw(numbers), data.draw(numbers)
    made.ease[:] = np.array(data.draw(numbers)) / 5.0
    made.efficiency[:] = np.clip(data.draw(numbers), WORST, BEST)
    gone = made.pace * made.ease * SECONDS * np.array(data.draw(numbers))
    efficiency = np.array(
        [
            efficient(known, far, SECONDS, pace * ease)
            for known, far, pace, ease in zip(made.efficiency, gone, made.pace, made.ease, strict=True)
        ]
    )
    wanted = np.maximum(shares(np.array(left), made.pace, efficiency), made.least)
    ease = [eased(*one, SECONDS, False) for one in zip(made.ease, wanted, made.reaction, strict=True)]
    made.regulate(left, gone)
    assert_allclose(made.efficiency, efficiency, rtol=1e-12)
    assert_allclose(made.ease, ease, rtol=1e-12)


@settled
@given(lefts)
def test_all_go_by_the_slowest_and_nobody_is_hurried(left):
    made = Meetings(np.full(len(left), 1e3))
    for _ in range(300):
        made.regulate(left)
    slowest = int(np.argmax(left))
    assert made.ease[slowest] == pytest.approx(1.0)
    assert (made.ease <= 1.0).all()
    assert_allclose(made.ease, np.maximum(np.array(left) / max(left), made.least), atol=1e-6)


@settled
@given(st.lists(st.floats(0.1, 10.0), min_size=2, max_size=5, unique=True))
def test_who_has_farther_to_go_is_never_slowed_down_more(left):
    made = Meetings(np.full(len(left), 1e3))
    for _ in range(50):
        made.regulate(left)
        assert (np.diff(made.ease[np.argsort(left)]) >= 0).all()


@settled
@given(st.lists(st.floats(0.0, 1e3), min_size=1, max_size=40))
def test_nobody_is_made_slower_than_it_may_be_and_is_stopped_instead(left):
    made = Meetings([5.0, 9.0])
    for far in left:
        made.regulate([far, 100.0])
        assert (made.ease >= made.least - 1e-12).all()
        assert made.early[0] == (far / made.efficiency[0] < made.least[0] * 100.0 / made.efficiency[1])
        assert made.hold[0] == 5.0


@settled
@given(st.lists(st.floats(-1.0, 10.0), min_size=1, max_size=60))
def test_efficiency_stays_between_the_worst_and_the_best_whatever_is_seen(gone):
    made = Meetings([1e3])
    for far in gone:
        made.regulate([5.0], [far * SECONDS])
        assert WORST <= made.efficiency[0] <= BEST


def test_efficiency_is_noticed_in_its_time():
    made = Meetings([1e3])
    for _ in range(round(FILTER / SECONDS)):
        made.regulate([5.0], [0.5 * made.ease[0] * SECONDS])
    assert made.efficiency[0] == pytest.approx(1 - 0.5 * (1 - np.exp(-1)), abs=1e-9)


def test_who_is_held_is_not_taken_to_get_on_badly():
    made = Meetings([1.0, 9.0])
    made.at[0], made.reached[0] = 1.0, 0.5
    made.hold_all()
    for _ in range(100):
        made.regulate([0.0, 5.0], [0.0, SECONDS])
    assert made.efficiency[0] == 1.0


@pytest.mark.parametrize("state", [DONE, FAILED, WAITING])
def test_who_meets_nobody_any_more_is_back_at_its_own_speed_in_less_than_a_reaction(state):
    made = Meetings([1e3, 1e3])
    for _ in range(200):
        made.regulate([1.0, 4.0])
    assert made.ease[0] == pytest.approx(0.25, abs=1e-3)
    made.state[:] = state
    for _ in range(6):
        made.regulate([1.0, 4.0])
    assert made.ease[0] > 0.99
    assert_array_equal(made.hold, FAR)


def test_the_ease_of_somebody_in_two_meetings_is_the_smaller():
    made = Meetings([1e3, 1e3], [1e3, 1e3])
    made.strand[:] = 0, 1, 0, 2
    made.at, made.hold = np.zeros(3), np.full(3, FAR)
    for name in ("pace", "least", "reaction", "efficiency", "ease"):
        setattr(made, name, getattr(made, name)[:3].copy())
    for _ in range(300):
        made.regulate([2.0, 4.0, 6.0, 24.0], np.full(3, SECONDS) * made.ease)
    assert_allclose(made.ease, [0.25, 0.5, 1.0], atol=1e-3)  # and who meets it goes by that


@settled
@given(st.data())
def test_meetings_are_due_as_late_as_those_who_are_in_others_too_let_them(data):
    strands, meetings = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 5))
    pairs = st.lists(st.tuples(st.integers(0, meetings - 1), st.integers(0, strands - 1)), min_size=1, unique=True)
    meeting, strand = np.array(sorted(data.draw(pairs)), np.int64).T.copy()
    count = len(strand)
    own = np.array(data.draw(st.lists(st.floats(0.0, 50.0), min_size=count, max_size=count)))
    has_come = np.array(data.draw(st.lists(st.booleans(), min_size=count, max_size=count)))
    own[has_come], least = 0.0, np.full(strands, 0.1)
    known = due(own, strand, meeting, has_come, least)
    found = np.zeros(meetings)
    np.maximum.at(found, meeting[~has_come], own[~has_come])
    before, last = np.full(count, -1), np.full(strands, -1)
    for goal, one in enumerate(strand):
        before[goal], last[one] = last[one], goal
    first = np.searchsorted(meeting, np.arange(meetings + 1))
    reached = np.where(has_come, 1.0, np.nan)
    delay(strand, first, np.full(meetings, ACTIVE), reached, least, own, before, last, found)
    assert_allclose(found[: len(known)], known, rtol=1e-12, atol=1e-15)  # [s]


@settled
@given(st.lists(st.floats(0.05, 1.0), min_size=2, max_size=10))
def test_who_is_slowed_down_has_a_target_that_goes_no_faster_than_meant(eases):
    eases = sorted(eases)
    shares_of = [AHEAD * leash(ease) for ease in eases]
    assert all(share >= ease * (1 - 1e-12) for share, ease in zip(shares_of, eases, strict=True))
    assert (np.diff(shares_of) >= 0).all()
    assert all(share <= 1.02 * ease for share, ease in zip(shares_of, eases, strict=True) if ease <= 0.7)


def test_who_is_not_slowed_down_races_to_the_bit_as_without_a_script():
    assert leash(1.0) == 1.0


# ---- who is held where -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "gates", "at", "stops"),
    [
        (WAITING, False, 0.0, False),
        (WAITING, True, 0.0, True),
        (WAITING, True, 2.0, True),
        (WAITING, True, 2.5, False),
        (ACTIVE, False, 0.0, True),
        (ACTIVE, False, 2.0, True),
        (ACTIVE, False, 2.5, False),
        (DONE, True, 0.0, False),
        (FAILED, True, 0.0, False),
    ],
)
def test_who_is_to_come_to_a_goal_stops_there_and_who_has_passed_it_does_not(state, gates, at, stops):
    made = Meetings([2.0, 9.0], state=state, gates=gates)
    made.at[:] = at
    assert made.hold_all()[0] == (2.0 if stops else FAR)


def test_at_goals_of_bodies_only_who_is_too_early_stops_wherever_its_target_is():
    made = Meetings([2.0, 2.0], of_bodies=True)
    made.at[:], made.early[:] = 2.3, (True, False)
    assert made.hold_all().tolist() == [2.0, FAR]


@pytest.mark.parametrize(("left", "waits"), [(0.0, True), (-0.5 * SECONDS, True), (-0.1, False)])
def test_a_body_that_has_just_come_waits_and_one_that_had_passed_before_does_not(left, waits):
    made = Meetings([2.0, 2.0], of_bodies=True)
    made.at[:], made.ease[:] = (2.3, 0.0), (0.5, 1.0)
    assert has_just_come(left, 1.0, SECONDS) == waits
    for _ in range(3):
        made.regulate([left, 1.0])
        assert made.hold[0] == (2.0 if waits else FAR)
    assert made.ease[0] == pytest.approx(0.5) if waits else made.ease[0] > 0.9
    made.state[:] = DONE
    assert made.hold_all()[0] == FAR


def test_who_waits_for_two_meetings_stops_at_the_nearer_goal():
    made = Meetings([3.0, 9.0], [2.0, 9.0])
    made.strand[:] = 0, 1, 0, 2
    made.at, made.hold = np.zeros(3), np.full(3, FAR)
    assert made.hold_all().tolist() == [2.0, 9.0, 9.0]


def test_who_comes_last_need_not_stop_until_somebody_is_to_be_waited_for_again():
    made = Meetings([2.0], [3.0], [4.0], [5.0, 9.0])
    made.strand[:], made.state[1:] = (0, 0, 0, 0, 1), WAITING
    made.at, made.hold = np.zeros(2), np.full(2, FAR)
    assert made.hold_all().tolist() == [5.0, FAR], "that may be active as soon as it has come to the others"
    made.gates[1] = True
    assert made.hold_all().tolist() == [3.0, FAR]
    made.state[1:], made.gates[:] = DONE, False
    assert made.hold_all().tolist() == [FAR, FAR]


def test_who_passed_its_goal_long_before_goes_on_at_its_own_speed():
    made = Meetings([2.0, 9.0])
    made.at[0], made.reached[0], made.ease[0] = 3.0, 0.5, 0.3
    for _ in range(10):
        made.regulate([-1.0, 5.0])
    assert made.ease[0] > 0.99
    assert made.hold[0] == FAR


# ---- who has come, and who stands still ------------------------------------------------------------------------------


def test_only_goals_of_active_meetings_of_targets_are_come_to():
    made = Meetings([1.0, 2.0])
    made.at[:] = 1.0, 1.9
    goals = made.strand, made.where, made.first, made.of_bodies, made.state
    assert passed(made.at, *goals, 0.7, made.reached)
    assert_array_equal(made.reached, [0.7, np.nan])
    assert not passed(made.at, *goals, 0.8, made.reached)
    for state, of_bodies in ((WAITING, False), (DONE, False), (ACTIVE, True)):
        made.state[:], made.of_bodies[:], made.reached[:] = state, of_bodies, np.nan
        assert not passed(made.at, *goals, 0.9, made.reached)


def test_a_body_has_come_when_nothing_is_left():
    made = Meetings([1.0, 2.0], of_bodies=True)
    assert made.regulate([0.0, 1.0], time=0.7)
    assert_array_equal(made.reached, [0.7, np.nan])


def test_who_stands_still_is_blamed_and_told_of_once_before_patience_is_over():
    made = Meetings([1e3, 1e3])
    told = [made.regulate([5.0, 5.0], [0.0, SECONDS * made.ease[1]]) for _ in range(199)]
    assert_array_equal(made.blame, [STANDING, NOBODY])
    assert sum(told) == 1
    assert told.index(True) == pytest.approx(LATE / SECONDS, abs=1.5)
    assert any(made.regulate([5.0, 5.0], [0.0, 0.0]) for _ in range(2))


def test_who_is_held_by_another_meeting_is_not_to_blame():
    made = Meetings([9.0, 9.0], [2.0])
    made.strand[:] = 0, 1, 0
    made.at, made.hold = np.array([2.0, 0.0]), np.array([2.0, FAR])
    for name in ("pace", "least", "reaction", "efficiency", "ease"):
        setattr(made, name, getattr(made, name)[:2].copy())
    made.reached[2] = 0.1
    made.regulate([7.0, 9.0, 0.0], [0.0, SECONDS])
    assert not made.blame.any()


def test_it_is_counted_for_how_long_others_hold_somebody_and_told_once():
    made = Meetings([3.0, 9.0], [5.0])
    made.at[0], told = 2.0, []
    for _ in range(150):
        made.hold[0] = 2.0  # by others
        told.append(made.regulate([1.0, 5.0, 5.0], [0.0, 0.0, SECONDS * made.ease[2]]))
        made.stuck_for[:] = 0.0
    assert_allclose(made.held_for, [1.5, 0.0])
    assert [number for number, news in enumerate(told) if news] == [pytest.approx(TIED / SECONDS, abs=1.5)]
    made.hold[0] = 2.0
    made.regulate([1.0, 5.0, 5.0], [-0.5, 0.0, SECONDS])
    assert made.held_for[0] > 1.5, "its body may still move"
    made.hold[0] = FAR
    made.regulate([1.0, 5.0, 5.0], [0.5 * SECONDS, 0.0, SECONDS])
    assert made.held_for[0] == 0.0


def test_who_goes_on_and_comes_no_nearer_makes_late_and_fail_after_five_times_the_patience():
    made, told = Meetings([1e3, 1e3]), list[int]()
    for _ in range(1100):
        went = SECONDS * made.ease
        made.regulate([5.0, 5.0], went, [0.0, went[1]])
        told.append(int(made.news[0]))
        if told[-1]:
            assert made.blame.tolist() == [OUTRUN, NOBODY]
    assert [news for news in told if news][:2] == [IS_LATE, FAILS]
    assert told.index(IS_LATE) == pytest.approx(LATE / SECONDS, abs=2)
    assert told.index(FAILS) == pytest.approx(5 * made.patience[0] / SECONDS, abs=2)


@pytest.mark.parametrize("went", [0.0, 0.005, 0.05, 0.2, 1.0])
@pytest.mark.parametrize("nearer", [-1.0, 0.0, 0.05, 0.2, 1.0])
def test_the_compiled_loop_says_how_somebody_gets_on_as_the_rule_does(went, nearer):
    for own in (1.0, 0.02, 0.0):
        assert delay_kernels.getting_on(went * own, nearer * own, own) == getting_on(went * own, nearer * own, own)


def test_who_gets_on_again_is_not_late_any_more():
    made = Meetings([1e3, 1e3])
    for _ in range(90):
        made.regulate([5.0, 5.0], [0.0, SECONDS])
    made.regulate([5.0, 5.0])
    assert made.stuck_for[0] == made.late_for[0] == 0.0


@pytest.mark.parametrize(("speed", "how"), [(0.0, STANDING), (0.05, CREEPING), (0.2, NOBODY)])
def test_who_creeps_makes_late_and_only_who_stands_makes_fail(speed, how):
    made, told = Meetings([1e3, 1e3]), list[int]()
    for _ in range(250):
        made.regulate([5.0, 5.0], [speed * SECONDS * made.ease[0], SECONDS * made.ease[1]])
        told.append(int(made.news[0]))
    assert made.blame.tolist() == [how, NOBODY]
    assert (IS_LATE in told, FAILS in told) == (how != NOBODY, how == STANDING)
    assert told.count(IS_LATE) <= 1


@settled
@given(st.lists(st.booleans(), max_size=400))
def test_the_compiled_loop_counts_delays_as_the_rule_says(moves):
    made, known = Meetings([1e3, 1e3]), 0.0
    for slow in moves:
        before, known = known, late_for(known, slow, SECONDS)
        made.regulate([5.0, 5.0], [0.0 if slow else SECONDS * made.ease[0], SECONDS * made.ease[1]])
        assert made.late_for[0] == pytest.approx(known, abs=1e-12)
        if made.news[0] in (IS_LATE, GOES_ON):
            assert (before < LATE) == (made.news[0] == IS_LATE)


def test_who_was_late_has_to_move_for_a_while_before_that_is_over():
    made, told = Meetings([1e3, 1e3]), list[int]()
    for number in range(250):
        is_shaken = number == 130 or number > 180
        made.regulate([5.0, 5.0], [SECONDS * made.ease[0] if is_shaken else 0.0, SECONDS * made.ease[1]])
        made.stuck_for[:] = 0.0
        told.append(int(made.news[0]))
        if told[-1] == GOES_ON:
            assert made.blame.tolist() == [MOVING, NOBODY]
    assert [news for news in told if news] == [IS_LATE, GOES_ON]
    assert told.index(GOES_ON) == pytest.approx(180 + AGAIN / SECONDS, abs=2)
