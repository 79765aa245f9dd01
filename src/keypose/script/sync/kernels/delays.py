"""Kernels of `rules.delays`: for how long meetings wait for participants that hardly move or are stopped."""

from typing import Any

from keypose.maths import PROGRESS_TOLERANCE, Floats, kernel
from keypose.motion import ACTIVE, Distances, SyncGraph, SyncRecords
from keypose.script.sync.rules.delays import (
    BLOCKED,
    BLOCKED_FRACTION,
    DEADLOCK_CHECK_AFTER,
    EVENT_FAILED,
    EVENT_LATE,
    EVENT_RESUMED,
    EVENT_SOON,
    HAS_EVENT,
    LATE_AFTER,
    LONG_WAIT,
    LOOKAHEAD_PERIODS,
    NO_DELAY,
    NO_EVENT,
    OUTPACED,
    OUTPACED_WEIGHT,
    RESUMED,
    RESUMED_AFTER,
    SLOW,
)
from keypose.script.sync.rules.speed_factors import MIN_EFFICIENCY


@kernel
def update_delays(
    graph: SyncGraph, records: SyncRecords, progress: Floats, distances: Distances, seconds: float
) -> int:
    """Update delays and delay events of active meetings, `seconds` after the last time; return flags for all.

    A participant that stands still, hardly moves or comes no nearer, and that no meeting stops, causes a delay.
    """
    flags = NO_EVENT
    for number in range(len(graph.meetings)):
        meeting, meeting_state = graph.meetings[number], records.meetings[number]
        meeting_state.delay_event = NO_EVENT
        if meeting_state.state != ACTIVE:
            continue
        is_slow = is_blocked = is_outpaced = is_waiting = False
        was_late = meeting_state.late_for >= LATE_AFTER
        for goal_number in range(meeting.first_goal, meeting.end_goal):
            goal, goal_state = graph.goals[goal_number], records.goals[goal_number]
            channel_state = records.channels[goal.channel]
            previous_cause, cause = goal_state.delay_cause, NO_DELAY
            if goal_state.reached_at < 0.0:
                distance_left, travelled = distances.distance_left[goal_number], distances.travelled[goal.channel]
                stops_for_others = (
                    progress[goal.channel] >= channel_state.stop_at - PROGRESS_TOLERANCE
                    and progress[goal.channel] < goal.progress - PROGRESS_TOLERANCE
                )
                if not stops_for_others and not goal_state.is_early:
                    cause = classify_delay(
                        travelled if travelled >= 0.0 else -travelled * seconds,
                        goal_state.previous_distance - distance_left,
                        graph.channels[goal.channel].nominal_speed * channel_state.speed_factor * seconds,
                    )
                is_waiting |= stops_for_others
                goal_state.previous_distance = distance_left
            is_slow |= cause != NO_DELAY
            is_blocked |= cause == BLOCKED
            is_outpaced |= cause == OUTPACED
            goal_state.delay_cause = RESUMED if cause == NO_DELAY and was_late and previous_cause != NO_DELAY else cause
        blocked_time = seconds if is_blocked else OUTPACED_WEIGHT * seconds if is_outpaced else 0.0
        event = update_meeting_delay(meeting_state, is_slow, blocked_time, seconds, meeting.patience)
        if event != EVENT_SOON:
            meeting_state.delay_event = event
        waited_before = meeting_state.waiting_for
        meeting_state.waiting_for = waited_before + seconds if is_waiting else 0.0
        flags |= HAS_EVENT if event > EVENT_SOON else event
        if waited_before < DEADLOCK_CHECK_AFTER <= meeting_state.waiting_for:
            flags |= HAS_EVENT | LONG_WAIT
    return flags


@kernel
def classify_delay(travelled: float, approach: float, nominal_distance: float) -> int:
    """Kernel of `rules.delays.classify_delay`."""
    if travelled <= MIN_EFFICIENCY * nominal_distance:
        return BLOCKED if travelled <= BLOCKED_FRACTION * nominal_distance else SLOW
    return OUTPACED if approach <= MIN_EFFICIENCY * nominal_distance else NO_DELAY


@kernel
def update_meeting_delay(
    meeting_state: Any, is_slow: bool, blocked_time: float, seconds: float, patience: float
) -> int:
    """Update for how long a meeting is late and blocked; return its event, EVENT_SOON or NO_EVENT.

    `blocked_time` is the part of the last `seconds` that counts as standing still.
    """
    before = meeting_state.late_for
    blocked = meeting_state.blocked_for + blocked_time if blocked_time > 0.0 else 0.0
    after = min(before + seconds, LATE_AFTER + RESUMED_AFTER) if is_slow else before - seconds
    after = after if is_slow or after >= LATE_AFTER else 0.0
    meeting_state.late_for, meeting_state.blocked_for = after, blocked
    if blocked >= patience:
        return EVENT_FAILED
    if before < LATE_AFTER <= after:
        return EVENT_LATE
    if after < LATE_AFTER <= before:
        return EVENT_RESUMED
    lookahead = LOOKAHEAD_PERIODS * seconds
    return (
        EVENT_SOON
        if (is_slow and after < LATE_AFTER <= after + lookahead)
        or (blocked_time > 0.0 and blocked + LOOKAHEAD_PERIODS * blocked_time >= patience)
        else NO_EVENT
    )
