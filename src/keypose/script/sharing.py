"""Which share of its own speed is each strand to go at, for all its meetings? The definition of `share_kernels`.

All go by the slowest of each meeting, whatever else delays that; who is in several goes by the one for which it has to
go slowest. Bodies and clocks differ in one thing: a clock cannot jump to its own speed, and how long it takes to a goal
also counts what it takes to be as fast again. That is no way it has to go, so it is left out where it is slowed down.
"""

from typing import NamedTuple

import numpy as np

from keypose.maths.arrays import Bools, Floats, Ints
from keypose.motion.appointments import ACTIVE
from keypose.script.plan import A_HAIR
from keypose.script.regulate import A_LITTLE, due

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
    return early if of_bodies else at <= where + A_HAIR


def wanted(own: float, due: float, far: float, is_clock: bool) -> float:
    """At which share somebody comes just in time who takes `own` seconds to a goal that is `far` and due then.

    Of a clock `far` is in seconds, too: those that it is to show.
    """
    share = own / due if due > 0 else 1.0
    return max(far, 0.0) / due if is_clock and share < 1 - A_LITTLE else share


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
