"""Which participants delay a meeting, for how long, and the events of that. `kernels.delays` is compiled.

A participant that stands still, hardly moves or comes no nearer to its goal, though no meeting stops it, causes a
delay. A meeting is late after LATE_AFTER of that, and fails when a participant stands still longer than its patience.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from keypose.maths import PROGRESS_TOLERANCE, Floats
from keypose.motion import ACTIVE, NOT_REACHED, Distances, SyncGraph, SyncRecords
from keypose.script.sync.rules.speed_factors import MIN_EFFICIENCY

BLOCKED_FRACTION = 0.01  # of its speed: a slower participant stands still
OUTPACED_WEIGHT = 0.2  # of the time for which a participant comes no nearer: it counts as standing still
LATE_AFTER = 1.0  # [s] for which a participant hardly moves before its meeting is late
RESUMED_AFTER = 0.2  # [s] for which it moves before its meeting is not late any more
DEADLOCK_CHECK_AFTER = 1.0  # [s] for which a participant is stopped before deadlocks are searched

# Causes of a delay, see `classify_delay`.
NO_DELAY, SLOW, BLOCKED, RESUMED, OUTPACED = 0, 1, 2, 3, 4
# Flags for all meetings together: an event now, an event at the next check, a participant stopped for long.
NO_EVENT, HAS_EVENT, EVENT_SOON, LONG_WAIT = 0, 1, 2, 4
# Flags for one meeting.
EVENT_LATE, EVENT_RESUMED, EVENT_FAILED = 8, 16, 32

LOOKAHEAD_PERIODS = 1.5  # an event within so many periods will come at the next regulation


@dataclass(frozen=True)
class ParticipantProgress:
    """The progress of a participant of a meeting on its channel, since the last regulation."""

    progress: float
    stop_at: float
    """Where it stops."""
    goal_progress: float
    travelled: float
    """The distance that it travelled."""
    approach: float
    """By how much its distance to the goal fell."""
    nominal_distance: float
    """The distance that it should have travelled."""
    is_early: bool
    is_at_goal: bool
    delay_cause: int
    """Its delay cause at the last regulation."""


class WaitTimes(NamedTuple):
    """For how long a meeting has waited [s]."""

    late_for: float
    """For a participant that hardly moves: see `next_late_time`."""
    blocked_for: float
    """For a participant that stands still."""
    waiting_for: float
    """For a participant that other meetings stop."""


class DelayStatus(NamedTuple):
    """The delay of a meeting."""

    wait_times: WaitTimes
    delay_causes: list[int]
    event: int
    """EVENT_LATE, EVENT_RESUMED, EVENT_FAILED or NO_EVENT"""
    flags: int
    """HAS_EVENT, EVENT_SOON and LONG_WAIT, added up."""


def update_delays(
    graph: SyncGraph, records: SyncRecords, progress: Floats, distances: Distances, seconds: float
) -> int:
    """Update delays and delay events of active meetings, `seconds` after the last time; return flags for all."""
    flags = NO_EVENT
    for meeting, meeting_state in zip(graph.meetings, records.meetings, strict=True):
        meeting_state.delay_event = NO_EVENT
        if meeting_state.state != ACTIVE:
            continue
        goals = range(meeting.first_goal, meeting.end_goal)
        participants = [_participant(graph, records, progress, distances, seconds, goal) for goal in goals]
        before = WaitTimes(meeting_state.late_for, meeting_state.blocked_for, meeting_state.waiting_for)
        status = delay_status(participants, before, meeting.patience, seconds)
        meeting_state.late_for, meeting_state.blocked_for, meeting_state.waiting_for = status.wait_times
        meeting_state.delay_event, flags = status.event, flags | status.flags
        for goal, cause in zip(goals, status.delay_causes, strict=True):
            records.goals[goal].delay_cause = cause
            if records.goals[goal].reached_at == NOT_REACHED:
                records.goals[goal].previous_distance = distances.distance_left[goal]
    return flags


def _participant(
    graph: SyncGraph, records: SyncRecords, progress: Floats, distances: Distances, seconds: float, number: int
) -> ParticipantProgress:
    """The progress of the participant with this goal."""
    goal, goal_state = graph.goals[number], records.goals[number]
    channel, channel_state = graph.channels[goal.channel], records.channels[goal.channel]
    travelled = float(distances.travelled[goal.channel])
    return ParticipantProgress(
        progress=float(progress[goal.channel]),
        stop_at=channel_state.stop_at,
        goal_progress=goal.progress,
        travelled=travelled if travelled >= 0.0 else -travelled * seconds,
        approach=goal_state.previous_distance - float(distances.distance_left[number]),
        nominal_distance=channel.nominal_speed * channel_state.speed_factor * seconds,
        is_early=goal_state.is_early,
        is_at_goal=goal_state.reached_at != NOT_REACHED,
        delay_cause=goal_state.delay_cause,
    )


def stops_for_others(participant: ParticipantProgress) -> bool:
    """Whether a participant has reached its stop, and that is not its goal."""
    return (
        participant.stop_at - PROGRESS_TOLERANCE
        <= participant.progress
        < participant.goal_progress - PROGRESS_TOLERANCE
    )


def participant_delay(participant: ParticipantProgress) -> int:
    """The delay cause of a participant; none if it is at its goal or stops for others."""
    if participant.is_at_goal or participant.is_early or stops_for_others(participant):
        return NO_DELAY
    return classify_delay(participant.travelled, participant.approach, participant.nominal_distance)


def blocked_time(causes: Sequence[int], seconds: float) -> float:
    """How much of so many seconds counts as standing still: a part of them where participants only come no nearer."""
    if BLOCKED in causes:
        return seconds
    return OUTPACED_WEIGHT * seconds if OUTPACED in causes else 0.0


def delay_event(before: WaitTimes, after: WaitTimes, patience: float) -> int:
    """The event of a meeting that had waited for so long before, and now for so long."""
    if after.blocked_for >= patience:
        return EVENT_FAILED
    if before.late_for < LATE_AFTER <= after.late_for:
        return EVENT_LATE
    return EVENT_RESUMED if after.late_for < LATE_AFTER <= before.late_for else NO_EVENT


def delay_status(
    participants: Sequence[ParticipantProgress], before: WaitTimes, patience: float, seconds: float
) -> DelayStatus:
    """The delay of a meeting of these participants, so many seconds after the last time."""
    causes = [participant_delay(participant) for participant in participants]
    is_slow, blocked_seconds = any(cause != NO_DELAY for cause in causes), blocked_time(causes, seconds)
    is_waiting = any(stops_for_others(participant) for participant in participants if not participant.is_at_goal)
    after = WaitTimes(
        next_late_time(before.late_for, is_slow, seconds),
        before.blocked_for + blocked_seconds if blocked_seconds > 0 else 0.0,
        before.waiting_for + seconds if is_waiting else 0.0,
    )
    was_late = before.late_for >= LATE_AFTER
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
    """The delay cause of a participant, by how far it travelled and approached its goal.

    It may travel and yet come no nearer, where something faster carries its goal away.
    """
    if travelled <= BLOCKED_FRACTION * nominal_distance:
        return BLOCKED
    if travelled <= MIN_EFFICIENCY * nominal_distance:
        return SLOW
    return OUTPACED if approach <= MIN_EFFICIENCY * nominal_distance else NO_DELAY


def next_late_time(late_for: float, is_slow: bool, seconds: float) -> float:
    """For how long a participant hardly moves [s], so many seconds later: it is late from LATE_AFTER on.

    It has to move for RESUMED_AFTER before it is not late any more: a shaken body would be late again and again.
    """
    if is_slow:
        return min(late_for + seconds, LATE_AFTER + RESUMED_AFTER)
    return late_for - seconds if late_for - seconds >= LATE_AFTER else 0.0
