"""Whom does a meeting wait for, for how long, and what is told of that? The definition; `delays` has its twins.

Who stands, hardly moves or comes no nearer to its goal, though nobody holds it, is to blame. A meeting is late when it
has waited for a while for such a one, and fails when that has stood for longer than its patience.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from keypose.maths import PROGRESS_TOLERANCE
from keypose.script.sync.rules.speed_factors import MIN_EFFICIENCY

BLOCKED_FRACTION = 0.01  # of its speed: who goes slower, and is not held, stands still
OUTPACED_WEIGHT = 0.2  # of the time for which somebody comes no nearer: that counts as standing still
LATE_AFTER = 1.0  # [s] that somebody hardly moves before whoever waits for it is told
RESUMED_AFTER = 0.2  # [s] that it moves before they are told that it does
DEADLOCK_CHECK_AFTER = 1.0  # [s] that somebody is held before it is looked whether meetings hold each other up

# How a participant gets on, see `classify_delay`.
NO_DELAY, SLOW, BLOCKED, RESUMED, OUTPACED = 0, 1, 2, 3, 4
# Flags for all meetings together: an event now, an event at the next check, a participant stopped for long.
NO_EVENT, HAS_EVENT, EVENT_SOON, LONG_WAIT = 0, 1, 2, 4
# Flags for one meeting.
EVENT_LATE, EVENT_RESUMED, EVENT_FAILED = 8, 16, 32

LOOKAHEAD_PERIODS = (
    1.5  # times as long as it was since the last time: news that come within that will come the next time
)


@dataclass(frozen=True)
class ParticipantProgress:
    """One who is to come to a meeting, on its strand."""

    progress: float
    stop_at: float
    """Where it has to stop."""
    goal_progress: float
    """Where its goal is."""
    travelled: float
    """How far it went since the last time."""
    approach: float
    """How much nearer it came to its goal."""
    nominal_distance: float
    """How far it should have gone."""
    is_early: bool
    is_at_goal: bool
    delay_cause: int
    """How it got on the last time."""


class WaitTimes(NamedTuple):
    """For how long a meeting has waited [s]."""

    late_for: float
    """For somebody who hardly moves: see `next_late_time`."""
    blocked_for: float
    """For somebody who stands."""
    waiting_for: float
    """For somebody whom others hold."""


class DelayStatus(NamedTuple):
    """What is seen of a meeting."""

    wait_times: WaitTimes
    delay_causes: list[int]
    event: int
    """EVENT_LATE, EVENT_RESUMED, EVENT_FAILED or NO_EVENT"""
    flags: int
    """HAS_EVENT, EVENT_SOON and LONG_WAIT, added up."""


def stops_for_others(participant: ParticipantProgress) -> bool:
    """Whether somebody has come to where it has to stop, and that is not its goal."""
    return (
        participant.stop_at - PROGRESS_TOLERANCE
        <= participant.progress
        < participant.goal_progress - PROGRESS_TOLERANCE
    )


def participant_delay(participant: ParticipantProgress) -> int:
    """How somebody gets on for whom a meeting waits; who has come, or stops for good reason, is not to blame."""
    if participant.is_at_goal or participant.is_early or stops_for_others(participant):
        return NO_DELAY
    return classify_delay(participant.travelled, participant.approach, participant.nominal_distance)


def blocked_time(causes: Sequence[int], seconds: float) -> float:
    """How much of so many seconds counts as standing: a share of them of those who only come no nearer."""
    if BLOCKED in causes:
        return seconds
    return OUTPACED_WEIGHT * seconds if OUTPACED in causes else 0.0


def delay_event(before: WaitTimes, after: WaitTimes, patience: float) -> int:
    """What is to be told of a meeting that had waited so long before, and now has so."""
    if after.blocked_for >= patience:
        return EVENT_FAILED
    if before.late_for < LATE_AFTER <= after.late_for:
        return EVENT_LATE
    return EVENT_RESUMED if after.late_for < LATE_AFTER <= before.late_for else NO_EVENT


def delay_status(
    participants: Sequence[ParticipantProgress], before: WaitTimes, patience: float, seconds: float
) -> DelayStatus:
    """What is seen of a meeting of these, so many seconds after the last time."""
    causes = [participant_delay(participant) for participant in participants]
    is_slow, blocked_seconds = any(cause != NO_DELAY for cause in causes), blocked_time(causes, seconds)
    is_waiting = any(stops_for_others(participant) for participant in participants if not participant.is_at_goal)
    after = WaitTimes(
        next_late_time(before.late_for, is_slow, seconds),
        before.blocked_for + blocked_seconds if blocked_seconds > 0 else 0.0,
        before.waiting_for + seconds if is_waiting else 0.0,
    )
    was_late = before.late_for >= LATE_AFTER  # then it is told who moves again
    delay_causes = [
        RESUMED if cause == NO_DELAY and was_late and participant.delay_cause != NO_DELAY else cause
        for cause, participant in zip(causes, participants, strict=True)
    ]
    event = delay_event(before, after, patience)
    is_late_soon = is_slow and after.late_for < LATE_AFTER <= after.late_for + LOOKAHEAD_PERIODS * seconds
    fails_soon = blocked_seconds > 0 and after.blocked_for + LOOKAHEAD_PERIODS * blocked_seconds >= patience
    flags = HAS_EVENT if event else EVENT_SOON if is_late_soon or fails_soon else NO_EVENT
    if before.waiting_for < DEADLOCK_CHECK_AFTER <= after.waiting_for:
        flags |= HAS_EVENT | LONG_WAIT
    return DelayStatus(after, delay_causes, event, flags)


def classify_delay(travelled: float, approach: float, nominal_distance: float) -> int:
    """How somebody gets on who went so far, came so much nearer to its goal and should have gone `nominal_distance`.

    It may go on and yet come no nearer, where somebody faster carries its goal away.
    """
    if travelled <= BLOCKED_FRACTION * nominal_distance:
        return BLOCKED
    if travelled <= MIN_EFFICIENCY * nominal_distance:
        return SLOW
    return OUTPACED if approach <= MIN_EFFICIENCY * nominal_distance else NO_DELAY


def next_late_time(late_for: float, is_slow: bool, seconds: float) -> float:
    """For how long somebody hardly moves [s], so many seconds later: it is late from LATE_AFTER on.

    Who is late has to move for a while before that is over, or who is shaken would be late again and again.
    """
    if is_slow:
        return min(late_for + seconds, LATE_AFTER + RESUMED_AFTER)
    return late_for - seconds if late_for - seconds >= LATE_AFTER else 0.0
