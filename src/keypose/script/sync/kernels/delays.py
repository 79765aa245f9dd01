"""Numba twins of `delays`: for how long meetings wait for somebody who hardly moves, stands, or is held."""

import numpy as np

from keypose.maths import PROGRESS_TOLERANCE, Bools, Floats, Ints, kernel
from keypose.motion import ACTIVE
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
    progress: Floats,
    travelled: Floats,
    distance_left: Floats,
    goal_channel: Ints,
    goal_progress: Floats,
    goal_offsets: Ints,
    state: Ints,
    reached_at: Floats,
    is_early: Bools,
    nominal_speed: Floats,
    patience: Floats,
    seconds: float,
    speed_factor: Floats,
    stop_at: Floats,
    late_for: Floats,
    blocked_for: Floats,
    waiting_for: Floats,
    previous_distance: Floats,
    delay_cause: Ints,
    delay_events: Ints,
) -> int:
    """Count for how long active meetings wait for somebody who stands, or hardly moves, or comes no nearer.

    Who does so though nobody holds it is to blame. `previous_distance` is how much was left to each goal the last time.
    Fills `delay_events` of each meeting; returns whether there are any, or will be at the next time.
    """
    flags = NO_EVENT
    for meeting in range(len(state)):
        delay_events[meeting] = NO_EVENT
        if state[meeting] != ACTIVE:
            continue
        is_slow = is_blocked = is_outpaced = is_waiting = False
        was_late = late_for[meeting] >= LATE_AFTER
        for goal in range(goal_offsets[meeting], goal_offsets[meeting + 1]):
            channel, previous_cause, cause = goal_channel[goal], delay_cause[goal], NO_DELAY
            channel_travelled = travelled[channel] if travelled[channel] >= 0.0 else -travelled[channel] * seconds
            nominal_distance = nominal_speed[channel] * speed_factor[channel] * seconds
            if np.isnan(reached_at[goal]):
                stops_for_others = (
                    progress[channel] >= stop_at[channel] - PROGRESS_TOLERANCE
                    and progress[channel] < goal_progress[goal] - PROGRESS_TOLERANCE
                )
                if not stops_for_others and not is_early[goal]:
                    cause = classify_delay(
                        channel_travelled, previous_distance[goal] - distance_left[goal], nominal_distance
                    )
                is_waiting |= stops_for_others
                previous_distance[goal] = distance_left[goal]
            is_slow |= cause != NO_DELAY
            is_blocked |= cause == BLOCKED
            is_outpaced |= cause == OUTPACED
            delay_cause[goal] = RESUMED if cause == NO_DELAY and was_late and previous_cause != NO_DELAY else cause
        blocked_time = seconds if is_blocked else OUTPACED_WEIGHT * seconds if is_outpaced else 0.0
        event = update_meeting_delay(meeting, is_slow, blocked_time, seconds, patience[meeting], late_for, blocked_for)
        if event != EVENT_SOON:
            delay_events[meeting] = event
        waited_before = waiting_for[meeting]
        waiting_for[meeting] = waited_before + seconds if is_waiting else 0.0
        flags |= HAS_EVENT if event > EVENT_SOON else event
        if waited_before < DEADLOCK_CHECK_AFTER <= waiting_for[meeting]:
            flags |= HAS_EVENT | LONG_WAIT
    return flags


@kernel
def classify_delay(travelled: float, approach: float, nominal_distance: float) -> int:
    """Twin of `speed_factors.classify_delay`."""
    if travelled <= MIN_EFFICIENCY * nominal_distance:
        return BLOCKED if travelled <= BLOCKED_FRACTION * nominal_distance else SLOW
    return OUTPACED if approach <= MIN_EFFICIENCY * nominal_distance else NO_DELAY


@kernel
def update_meeting_delay(
    meeting: int,
    is_slow: bool,
    blocked_time: float,
    seconds: float,
    patience: float,
    late_for: Floats,
    blocked_for: Floats,
) -> int:
    """What is to be told of a meeting that waits for somebody who is slow, or `blocked_time` for so long, or not any
    more.
    """
    before, blocked = late_for[meeting], blocked_for[meeting] + blocked_time if blocked_time > 0.0 else 0.0
    after = min(before + seconds, LATE_AFTER + RESUMED_AFTER) if is_slow else before - seconds
    late_for[meeting] = after = after if is_slow or after >= LATE_AFTER else 0.0
    blocked_for[meeting] = blocked
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
