"""Numba twins of `delays`, `speed_factors` and `stops`, for all meetings of a script, and who has come to which
goal.
"""

import numpy as np

from keypose.maths import PROGRESS_TOLERANCE, Bools, Floats, Ints, kernel
from keypose.motion import ACTIVE, DONE, FAILED, NO_STOP, WAITING
from keypose.script.sync.kernels.delays import update_delays
from keypose.script.sync.kernels.speed_factors import update_efficiency, update_speed_factors
from keypose.script.sync.rules.delays import HAS_EVENT
from keypose.script.sync.rules.speed_factors import MAX_EFFICIENCY, RELEASE_FRACTION
from keypose.script.sync.rules.stops import LOOKAHEAD_GOALS


@kernel
def mark_targets(
    progress: Floats,
    goal_channel: Ints,
    goal_progress: Floats,
    goal_offsets: Ints,
    waits_for_bodies: Bools,
    state: Ints,
    time: float,
    reached_at: Floats,
) -> bool:
    """Note when targets have come to goals of active meetings, and whether any has just now."""
    has_changed = False
    for meeting in range(len(state)):
        if state[meeting] != ACTIVE or waits_for_bodies[meeting]:
            continue
        for goal in range(goal_offsets[meeting], goal_offsets[meeting + 1]):
            if np.isnan(reached_at[goal]) and progress[goal_channel[goal]] >= goal_progress[goal] - PROGRESS_TOLERANCE:
                reached_at[goal], has_changed = time, True
    return has_changed


@kernel
def update_meeting_states(
    state: Ints, reached_at: Floats, goal_offsets: Ints, arrows: Ints, needs: Ints, next_states: Ints
) -> bool:
    """Fill `next_states` with the state of each meeting after this one; whether that is another one for any.

    It is done when all have come; active when enough of those it comes after are done; and failed when too many have.
    """
    done, possible = np.zeros(len(state), np.int64), np.zeros(len(state), np.int64)
    for arrow in range(len(arrows)):
        parent, child = arrows[arrow]
        done[child] += state[parent] == DONE
        possible[child] += state[parent] != FAILED
    has_changed = False
    for meeting in range(len(state)):
        next_states[meeting] = state[meeting]
        if state[meeting] == ACTIVE:
            if not np.isnan(reached_at[goal_offsets[meeting] : goal_offsets[meeting + 1]]).any():
                next_states[meeting] = DONE
        elif state[meeting] == WAITING:
            if done[meeting] >= needs[meeting]:
                next_states[meeting] = ACTIVE
            elif possible[meeting] < needs[meeting]:
                next_states[meeting] = FAILED
        has_changed |= next_states[meeting] != state[meeting]
    return has_changed


@kernel
def update_stops(
    progress: Floats,
    goal_channel: Ints,
    goal_progress: Floats,
    goal_offsets: Ints,
    waits_for_bodies: Bools,
    gates: Bools,
    state: Ints,
    reached_at: Floats,
    is_early: Bools,
    holds_target: Bools,
    rank: Ints,
    channel_goals: Ints,
    channel_offsets: Ints,
    meeting_of: Ints,
    stop_at: Floats,
) -> None:
    """Fill `stop_at` with where each strand, now at `progress`, is to stop: at goals of active meetings, and of gates
    that wait.

    Who has passed its goal is not held there any more. At a goal of bodies only who is too early has to stop, or has
    come and waits for the others, wherever its target is, or stays until its body has come, if its target has not gone
    on yet: all others go through together. Who comes last to a goal has nobody to wait for, and goes on to where it may
    have to stop next; it is looked only now and then.
    """
    stop_at[:] = NO_STOP
    for meeting in range(len(state)):
        is_gate = state[meeting] == WAITING and gates[meeting]
        if not is_gate and state[meeting] != ACTIVE:
            continue
        is_one_missing = (
            not is_gate and not waits_for_bodies[meeting] and has_one_missing(meeting, goal_offsets, reached_at)
        )
        for goal in range(goal_offsets[meeting], goal_offsets[meeting + 1]):
            channel, stop = goal_channel[goal], goal_progress[goal]
            stops = progress[channel] <= stop + PROGRESS_TOLERANCE
            if state[meeting] == ACTIVE and waits_for_bodies[meeting]:
                stops = is_early[goal] or (holds_target[goal] and stops)
            elif is_one_missing and np.isnan(reached_at[goal]):
                known = (
                    goal_progress,
                    goal_offsets,
                    waits_for_bodies,
                    gates,
                    state,
                    reached_at,
                    is_early,
                    channel_goals,
                    meeting_of,
                )
                stop = next_stop(rank[goal] + 1, channel_offsets[channel + 1], *known)
            if stops:
                stop_at[channel] = min(stop_at[channel], stop)


@kernel
def has_one_missing(meeting: int, goal_offsets: Ints, reached_at: Floats) -> bool:
    """Whether all but one have come to a meeting."""
    missing = 0
    for goal in range(goal_offsets[meeting], goal_offsets[meeting + 1]):
        missing += np.isnan(reached_at[goal])
    return bool(missing == 1)


@kernel
def next_stop(
    number: int,
    end: int,
    goal_progress: Floats,
    goal_offsets: Ints,
    waits_for_bodies: Bools,
    gates: Bools,
    state: Ints,
    reached_at: Floats,
    is_early: Bools,
    channel_goals: Ints,
    meeting_of: Ints,
) -> float:
    """Where a strand may have to stop next, from one goal on to the `end` of those on it.

    At goals that only it comes to it need not: those count at once when their meetings are active. NO_STOP if nowhere.
    """
    last = min(end, number + LOOKAHEAD_GOALS)
    while number < last:
        goal = channel_goals[number]
        meeting = meeting_of[goal]
        can_pass = state[meeting] == DONE or state[meeting] == FAILED
        if waits_for_bodies[meeting]:
            can_pass |= not is_early[goal] and not gates[meeting]
        elif state[meeting] == WAITING:
            can_pass |= not gates[meeting] and goal_offsets[meeting + 1] == goal_offsets[meeting] + 1
        elif state[meeting] == ACTIVE:
            can_pass |= np.isnan(reached_at[goal]) and has_one_missing(meeting, goal_offsets, reached_at)
        if not can_pass:
            return float(goal_progress[goal])
        number += 1
    return float(goal_progress[channel_goals[last]]) if last < end else NO_STOP


@kernel
def regulate(
    progress: Floats,
    travelled: Floats,
    distance_left: Floats,
    goal_channel: Ints,
    goal_progress: Floats,
    goal_offsets: Ints,
    waits_for_bodies: Bools,
    patience: Floats,
    nominal_speed: Floats,
    min_speed_factor: Floats,
    reaction: Floats,
    follower_channels: int,
    state: Ints,
    time: float,
    seconds: float,
    reached_at: Floats,
    is_early: Bools,
    late_for: Floats,
    blocked_for: Floats,
    waiting_for: Floats,
    previous_distance: Floats,
    delay_cause: Ints,
    efficiency: Floats,
    speed_factor: Floats,
    stop_at: Floats,
    own_time: Floats,
    meeting_time: Floats,
    delay_events: Ints,
) -> int:
    """Let all strands, at `progress` and `travelled` so far in `seconds`, go as fast as meets, with so far
    `distance_left` to each goal.

    What went less than 0 has come to its end, or waits for a body that was pushed off, which still goes so far in a
    second: how well it gets on is seen by the body, if at all (see `update_efficiency`).
    The first race targets; the others are clocks, which get on as they are told. Fills `speed_factor`, `own_time` and
    `meeting_time` (see `update_speed_factors`), and what is remembered between; returns HAS_EVENT, or
    EVENT_SOON, or neither.
    """
    speeds = nominal_speed, speed_factor, stop_at, seconds, efficiency
    update_efficiency(
        progress,
        travelled,
        distance_left,
        previous_distance,
        goal_channel,
        goal_progress,
        goal_offsets,
        waits_for_bodies,
        state,
        reached_at,
        is_early,
        follower_channels,
        *speeds,
    )
    has_arrivals = mark_bodies(
        distance_left,
        goal_channel,
        goal_offsets,
        waits_for_bodies,
        nominal_speed,
        state,
        time,
        seconds,
        reached_at,
        is_early,
    )
    goals = goal_channel, goal_progress, goal_offsets, state, reached_at, is_early
    delays = late_for, blocked_for, waiting_for, previous_distance, delay_cause, delay_events
    flags = update_delays(
        progress, travelled, distance_left, *goals, nominal_speed, patience, seconds, speed_factor, stop_at, *delays
    )
    desired_factor, is_free = np.ones(len(progress)), np.ones(len(progress), np.bool_)
    update_speed_factors(
        progress,
        distance_left,
        *goals,
        waits_for_bodies,
        follower_channels,
        nominal_speed,
        min_speed_factor,
        efficiency,
        speed_factor,
        own_time,
        meeting_time,
        desired_factor,
        is_free,
    )
    for channel in range(len(progress)):
        if desired_factor[channel] != speed_factor[channel]:
            time_constant = reaction[channel] * (RELEASE_FRACTION if is_free[channel] else 1.0)
            speed_factor[channel] += (1 - np.exp(-seconds / time_constant)) * (
                desired_factor[channel] - speed_factor[channel]
            )
    return flags | HAS_EVENT if has_arrivals else flags


@kernel
def set_initial_speeds(
    progress: Floats,
    distance_left: Floats,
    is_new: Bools,
    goal_channel: Ints,
    goal_progress: Floats,
    goal_offsets: Ints,
    waits_for_bodies: Bools,
    nominal_speed: Floats,
    min_speed_factor: Floats,
    follower_channels: int,
    state: Ints,
    reached_at: Floats,
    is_early: Bools,
    efficiency: Floats,
    speed_factor: Floats,
    own_time: Floats,
    meeting_time: Floats,
) -> None:
    """Let strands that are new have the shares at once that meet: they have no speed yet that is to change smoothly."""
    goals = goal_channel, goal_progress, goal_offsets, state, reached_at, is_early
    desired_factor, is_free = np.ones(len(progress)), np.ones(len(progress), np.bool_)
    update_speed_factors(
        progress,
        distance_left,
        *goals,
        waits_for_bodies,
        follower_channels,
        nominal_speed,
        min_speed_factor,
        efficiency,
        speed_factor,
        own_time,
        meeting_time,
        desired_factor,
        is_free,
    )
    for channel in range(len(progress)):
        if is_new[channel]:
            speed_factor[channel] = desired_factor[channel]


@kernel
def mark_bodies(
    distance_left: Floats,
    goal_channel: Ints,
    goal_offsets: Ints,
    waits_for_bodies: Bools,
    nominal_speed: Floats,
    state: Ints,
    time: float,
    seconds: float,
    reached_at: Floats,
    is_early: Bools,
) -> bool:
    """Note when bodies have come to goals of active meetings, and whether any has just now: then it waits there."""
    has_changed = False
    for meeting in range(len(state)):
        if state[meeting] == ACTIVE and waits_for_bodies[meeting]:
            for goal in range(goal_offsets[meeting], goal_offsets[meeting + 1]):
                if np.isnan(reached_at[goal]) and distance_left[goal] <= 0.0:
                    reached_at[goal], has_changed = time, True
                    is_early[goal] = distance_left[goal] > -MAX_EFFICIENCY * nominal_speed[goal_channel[goal]] * seconds
    return has_changed
