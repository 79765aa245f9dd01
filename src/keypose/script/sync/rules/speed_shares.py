"""How fast may everybody go who is to be somewhere at the same time? The definition; `kernels` has its twin.

LG95 §5 as it should read: nobody is hurried, so all go by the slowest. Each is given a share, its ease, of its own
speed: how long it would take itself, of how long the slowest will. It is worked out from its own speed and not from
what it goes now, or all would slow each other down to a stop; only how well it gets on, its efficiency, is measured.

Which share of its own speed is each strand to go at, for all its meetings? The definition of `share_kernels`.

All go by the slowest of each meeting, whatever else delays that; who is in several goes by the one for which it has to
go slowest. Bodies and clocks differ in one thing: a clock cannot jump to its own speed, and how long it takes to a goal
also counts what it takes to be as fast again. That is no way it has to go, so it is left out where it is slowed down.
"""

from typing import NamedTuple

import numpy as np

from keypose.maths.arrays import Bools, Floats, Ints
from keypose.maths.tolerance import PROGRESS_TOLERANCE, RELATIVE_TIME_TOLERANCE
from keypose.motion.sync_protocol import ACTIVE

PERIOD = 0.02  # [s]: how often speeds are regulated
LOOK = 0.004  # [s]: how often it is looked who has come to its goal; it stops there itself
FILTER = 0.3  # [s]: how soon it is noticed that somebody gets on better or worse
OWN = 0.97  # of its own speed, and more: whoever goes so goes at it
WORST, BEST = 0.1, 1.5  # efficiencies: who is stopped for a while is not taken to stay for ever
STANDS = 0.01  # of its speed: who goes slower, and is not held, stands still
OUTRUN_SHARE = 0.2  # of the time for which somebody comes no nearer: that counts as standing still
LATE = 1.0  # [s] that somebody hardly moves before whoever waits for it is told
AGAIN = 0.2  # [s] that it moves before they are told that it does
TIED = 1.0  # [s] that somebody is held before it is looked whether meetings hold each other up
ROUNDS = 60  # in which it is found how meetings delay each other: one for each time a delay is handed on
AHEAD = 64  # goals that are looked at to see where who comes last has to stop next
AT_ONCE = 0.1  # of its reaction: how soon who meets nobody any more goes as fast as before

NOBODY, CREEPING, STANDING, MOVING, OUTRUN = 0, 1, 2, 3, 4  # is to blame for a delay: see `getting_on`; MOVING was
NOTHING, SOME, SOON, HELD = 0, 1, 2, 4  # to tell, of all meetings; will be next time; somebody is held for long
IS_LATE, GOES_ON, FAILS = 8, 16, 32  # of one


def efficient(known: float, gone: float, seconds: float, speed: float, of_body: bool = False) -> float:
    """How well somebody gets on: what it went in so many seconds, of what it should have at this speed, filtered.

    Where its body is waited for, no better than it should: a target that runs ahead of that is foreseen.
    """
    if speed * seconds <= 0:
        return known
    seen = min(max(gone / (speed * seconds), WORST), 1.0 if of_body else BEST)
    return known + (1 - float(np.exp(-seconds / FILTER))) * (seen - known)


def comes(own: float, other_own: float, other_due: float, least: float) -> float:
    """How many seconds somebody takes to a goal, `own` by itself, who is in another meeting too that is due then.

    If that is farther on, it goes at the share of that one, though not slower than it may; else it goes on from there.
    """
    if other_own > own:
        return min(other_due * (own / other_own), own / least)
    return other_due + (own - other_own)


def due(own: Floats, strand: Ints, meeting: Ints, has_come: Bools, least: Floats) -> Floats:
    """In how many seconds each meeting will be (meetings,): as soon as the slowest comes, whatever else delays that.

    Goals are those of active meetings, `own` (goals,) how long each would take by itself; `has_come` waits there.
    Meetings that hold each other up would never be: then nobody goes by the others, and they come to be told of.
    """
    goals = range(len(own))
    alone = np.zeros(meeting.max(initial=-1) + 1)
    np.maximum.at(alone, meeting[~has_come], own[~has_come])
    found = alone.copy()
    for _ in range(ROUNDS):
        before = found.copy()
        for goal in goals:
            for other in goals:
                if strand[other] == strand[goal] and meeting[other] != meeting[goal] and not has_come[goal]:
                    later = comes(own[goal], own[other], before[meeting[other]], least[strand[goal]])
                    found[meeting[goal]] = max(found[meeting[goal]], later)
        if (found <= before * (1 + RELATIVE_TIME_TOLERANCE)).all():
            return found
    return alone


def shares(left: Floats, pace: Floats, efficiency: Floats) -> Floats:
    """Which share of its own speed each is to go at who has so far left to the same meeting (n,)."""
    lasts = np.maximum(left, 0.0) / (pace * efficiency)
    longest = lasts.max(initial=0.0)
    return lasts / longest if longest > 0 else np.ones_like(lasts)


def has_just_come(left: float, pace: float, seconds: float) -> bool:
    """Whether a body came to its goal in the last seconds, and not long before: then it waits there for the others."""
    return -BEST * pace * seconds < left <= 0


def getting_on(went: float, nearer: float, own: float) -> int:
    """How somebody gets on who went so far, came so much nearer to its goal and should have gone `own`.

    It may go on and yet come no nearer, where somebody faster carries its goal away.
    """
    if went <= STANDS * own:
        return STANDING
    if went <= WORST * own:
        return CREEPING
    return OUTRUN if nearer <= WORST * own else NOBODY


def late_for(known: float, is_slow: bool, seconds: float) -> float:
    """For how long somebody hardly moves [s], so many seconds later: it is late from LATE on.

    Who is late has to move for a while before that is over, or who is shaken would be late again and again.
    """
    if is_slow:
        return min(known + seconds, LATE + AGAIN)
    return known - seconds if known - seconds >= LATE else 0.0


def eased(ease: float, share: float, reaction: float, seconds: float, is_free: bool) -> float:
    """The ease so many seconds later, on its way to a share; who is free again is back at its own speed soon."""
    over = reaction * (AT_ONCE if is_free else 1.0)
    return ease + (1 - float(np.exp(-seconds / over))) * (share - ease)


NO_TIME = -1.0  # of a goal that does not count now


class Shares(NamedTuple):
    """Who is to go how fast."""

    own: Floats
    """(goals,) how long each would take by itself [s], NO_TIME where that does not count"""
    due: Floats
    """(meetings,) in how many seconds each will be"""
    share: Floats
    """(strands,) of its own speed"""
    early: Bools
    """(goals,) who has to stop there, as it would have to go slower than it may"""
    is_free: Bools
    """(strands,) who meets nobody"""


def waits_there(at: float, where: float, of_bodies: bool, early: bool) -> bool:
    """Whether who has come to a goal waits there for the others, or had passed it before anybody was to meet there."""
    return early if of_bodies else at <= where + PROGRESS_TOLERANCE


def wanted(own: float, due: float, far: float, is_clock: bool) -> float:
    """At which share somebody comes just in time who takes `own` seconds to a goal that is `far` and due then.

    Of a clock `far` is in seconds, too: those that it is to show.
    """
    share = own / due if due > 0 else 1.0
    return max(far, 0.0) / due if is_clock and share < 1 - RELATIVE_TIME_TOLERANCE else share


def shared_out(
    at: Floats,
    left: Floats,
    strand: Ints,
    where: Floats,
    meeting: Ints,
    state: Ints,
    reached: Floats,
    early: Bools,
    of_bodies: Bools,
    races: int,
    pace: Floats,
    least: Floats,
    efficiency: Floats,
    ease: Floats,
) -> Shares:
    """Who is to go how fast, where strands are at `at`, and so far is `left` to each goal.

    The first strands race targets, the others are clocks. Goals are those of any `meeting` (goals,).
    """
    is_open = np.isnan(reached)
    known = zip(at[strand], where, of_bodies[meeting], early, strict=True)
    counts = (state[meeting] == ACTIVE) & (is_open | np.array([waits_there(*one) for one in known], np.bool_))
    own = np.where(is_open, np.maximum(left, 0.0) / (pace * efficiency)[strand], 0.0)
    delays = due(own[counts], strand[counts], meeting[counts], ~is_open[counts], least)
    then = np.concatenate([delays, np.zeros(len(state) - len(delays))])
    share, stops, is_free = np.ones(len(at)), early.copy(), np.ones(len(at), np.bool_)
    for goal in np.flatnonzero(counts).tolist():
        one = int(strand[goal])
        is_free[one] = False
        if is_open[goal]:
            in_time = wanted(own[goal], then[meeting[goal]], where[goal] - at[one], one >= races)
            stops[goal] = in_time < least[one]
            share[one] = min(share[one], max(in_time, least[one]))
        else:
            share[one] = min(share[one], ease[one])  # it waits, and is to go on as it came
    return Shares(np.where(counts, own, NO_TIME), then, share, stops, is_free)


def set_out(ease: Floats, share: Floats, is_new: Bools) -> Floats:
    """(strands,) the eases of strands: who is new has its share at once, for it has no speed that is to change."""
    return np.where(is_new, share, ease)
