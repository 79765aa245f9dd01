"""Whom does a meeting wait for, for how long, and what is told of that? The definition; `delay_kernels` has its twins.

Who stands, hardly moves or comes no nearer to its goal, though nobody holds it, is to blame. A meeting is late when it
has waited for a while for such a one, and fails when that has stood for longer than its patience.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from keypose.maths.tolerance import PROGRESS_TOLERANCE
from keypose.script.sync.rules.speed_shares import (
    FAILS,
    GOES_ON,
    HELD,
    IS_LATE,
    LATE,
    MOVING,
    NOBODY,
    NOTHING,
    OUTRUN,
    OUTRUN_SHARE,
    SOME,
    SOON,
    STANDING,
    TIED,
    getting_on,
    late_for,
)

NEXT_TIME = 1.5  # times as long as it was since the last time: news that come within that will come the next time


@dataclass(frozen=True)
class Coming:
    """One who is to come to a meeting, on its strand."""

    at: float
    hold: float
    """Where it has to stop."""
    where: float
    """Where its goal is."""
    went: float
    """How far it went since the last time."""
    nearer: float
    """How much nearer it came to its goal."""
    own: float
    """How far it should have gone."""
    is_early: bool
    has_come: bool
    blame: int
    """How it got on the last time."""


class Waited(NamedTuple):
    """For how long a meeting has waited [s]."""

    late: float
    """For somebody who hardly moves: see `regulate.late_for`."""
    stuck: float
    """For somebody who stands."""
    held: float
    """For somebody whom others hold."""


class Watched(NamedTuple):
    """What is seen of a meeting."""

    waited: Waited
    blame: list[int]
    news: int
    """IS_LATE, GOES_ON, FAILS or NOTHING"""
    answer: int
    """Whether there are news, SOME, or will be the next time, SOON; and whether somebody was just HELD for long."""


def is_held_by_others(one: Coming) -> bool:
    """Whether somebody has come to where it has to stop, and that is not its goal."""
    return one.hold - PROGRESS_TOLERANCE <= one.at < one.where - PROGRESS_TOLERANCE


def gets_on(one: Coming) -> int:
    """How somebody gets on for whom a meeting waits; who has come, or stops for good reason, is not to blame."""
    if one.has_come or one.is_early or is_held_by_others(one):
        return NOBODY
    return getting_on(one.went, one.nearer, one.own)


def stands_for(hows: Sequence[int], seconds: float) -> float:
    """How much of so many seconds counts as standing: a share of them of those who only come no nearer."""
    if STANDING in hows:
        return seconds
    return OUTRUN_SHARE * seconds if OUTRUN in hows else 0.0


def news(before: Waited, after: Waited, patience: float) -> int:
    """What is to be told of a meeting that had waited so long before, and now has so."""
    if after.stuck >= patience:
        return FAILS
    if before.late < LATE <= after.late:
        return IS_LATE
    return GOES_ON if after.late < LATE <= before.late else NOTHING


def watched(coming: Sequence[Coming], before: Waited, patience: float, seconds: float) -> Watched:
    """What is seen of a meeting of these, so many seconds after the last time."""
    hows = [gets_on(one) for one in coming]
    is_slow, stands = any(how != NOBODY for how in hows), stands_for(hows, seconds)
    is_held = any(is_held_by_others(one) for one in coming if not one.has_come)
    after = Waited(
        late_for(before.late, is_slow, seconds),
        before.stuck + stands if stands > 0 else 0.0,
        before.held + seconds if is_held else 0.0,
    )
    was_late = before.late >= LATE  # then it is told who moves again
    blame = [
        MOVING if how == NOBODY and was_late and one.blame != NOBODY else how
        for how, one in zip(hows, coming, strict=True)
    ]
    told = news(before, after, patience)
    is_late_soon = is_slow and after.late < LATE <= after.late + NEXT_TIME * seconds
    fails_soon = stands > 0 and after.stuck + NEXT_TIME * stands >= patience
    answer = SOME if told else SOON if is_late_soon or fails_soon else NOTHING
    if before.held < TIED <= after.held:
        answer |= SOME | HELD
    return Watched(after, blame, told, answer)
