"""Numba twins of `speed_factors`: how long meetings take and who goes at which share of its speed, for all of a script.

How well does everybody get on? Compiled loops: the twin of `speed_factors.filter_efficiency`, for all strands of a
script.
"""

import numpy as np

from keypose.maths import PROGRESS_TOLERANCE, RELATIVE_TIME_TOLERANCE, Bools, Floats, Ints, kernel
from keypose.motion import ACTIVE
from keypose.script.sync.rules.speed_factors import (
    EFFICIENCY_FILTER,
    FULL_SPEED_FACTOR,
    MAX_DELAY_ITERATIONS,
    MAX_EFFICIENCY,
    MIN_EFFICIENCY,
    NO_TIME,
)


@kernel
def waits_at_goal(progress: float, goal_progress: float, waits_for_bodies: bool, is_early: bool) -> bool:
    """Twin of `speed_factors.waits_at_goal`."""
    return is_early if waits_for_bodies else progress <= goal_progress + PROGRESS_TOLERANCE


@kernel
def update_speed_factors(
    progress: Floats,
    distance_left: Floats,
    goal_channel: Ints,
    goal_progress: Floats,
    goal_offsets: Ints,
    state: Ints,
    reached_at: Floats,
    is_early: Bools,
    waits_for_bodies: Bools,
    follower_channels: int,
    nominal_speed: Floats,
    min_speed_factor: Floats,
    efficiency: Floats,
    speed_factor: Floats,
    own_time: Floats,
    meeting_time: Floats,
    desired_factor: Floats,
    is_free: Bools,
) -> None:
    """Twin of `speed_factors.allocate_speed_factors`: fill `desired_factor` with how fast each is to go.

    Fill also `is_early` with who stops, `is_free` with who is free, `own_time` with how long each would take itself to
    its goal (goals,), and `meeting_time` with when meetings will be (meetings,).
    """
    own_time[:], meeting_time[:] = NO_TIME, 0.0
    previous_goal, last_goal, is_shared = np.full(len(goal_channel), -1), np.full(len(progress), -1), False
    for meeting in range(len(state)):
        if state[meeting] != ACTIVE:
            continue
        for goal in range(goal_offsets[meeting], goal_offsets[meeting + 1]):
            channel = goal_channel[goal]
            if np.isnan(reached_at[goal]):
                own_time[goal] = max(distance_left[goal], 0.0) / (nominal_speed[channel] * efficiency[channel])
                meeting_time[meeting] = max(meeting_time[meeting], own_time[goal])
            elif waits_at_goal(progress[channel], goal_progress[goal], waits_for_bodies[meeting], is_early[goal]):
                own_time[goal] = 0.0
            else:
                continue
            previous_goal[goal], last_goal[channel] = last_goal[channel], goal
            is_shared |= previous_goal[goal] >= 0
    if is_shared:
        delay_meetings(
            goal_channel,
            goal_offsets,
            state,
            reached_at,
            min_speed_factor,
            own_time,
            previous_goal,
            last_goal,
            meeting_time,
        )
    for meeting in range(len(state)):
        if state[meeting] != ACTIVE:
            continue
        for goal in range(goal_offsets[meeting], goal_offsets[meeting + 1]):
            channel = goal_channel[goal]
            if np.isnan(reached_at[goal]):
                required_factor = own_time[goal] / meeting_time[meeting] if meeting_time[meeting] > 0.0 else 1.0
                if channel >= follower_channels and required_factor < 1.0 - RELATIVE_TIME_TOLERANCE:
                    required_factor = (
                        max(goal_progress[goal] - progress[channel], 0.0) / meeting_time[meeting]
                    )  # without what it takes to be as fast again
                is_early[goal], is_free[channel] = required_factor < min_speed_factor[channel], False
                desired_factor[channel] = min(desired_factor[channel], max(required_factor, min_speed_factor[channel]))
            elif own_time[goal] == 0.0:
                desired_factor[channel], is_free[channel] = (
                    min(desired_factor[channel], speed_factor[channel]),
                    False,
                )  # as it came


@kernel
def delay_meetings(
    goal_channel: Ints,
    goal_offsets: Ints,
    state: Ints,
    reached_at: Floats,
    min_speed_factor: Floats,
    own_time: Floats,
    previous_goal: Ints,
    last_goal: Ints,
    meeting_time: Floats,
) -> None:
    """Let meetings be `meeting_time` as late as those who are in others too come from there: the twin of
    `speed_factors.meeting_times`.

    The goals that count on a strand are its `last_goal` one, the one `previous_goal` that, and so on.
    """
    meeting_of = np.empty(len(goal_channel), np.int64)
    for meeting in range(len(state)):
        meeting_of[goal_offsets[meeting] : goal_offsets[meeting + 1]] = meeting
    pairs = 0
    for goal in range(len(goal_channel)):
        if own_time[goal] != NO_TIME and np.isnan(reached_at[goal]):
            other = last_goal[goal_channel[goal]]
            while other >= 0:
                pairs += meeting_of[other] != meeting_of[goal]
                other = previous_goal[other]
    delayed, delaying = np.empty(pairs, np.int64), np.empty(pairs, np.int64)
    scale, offset, limit = np.ones(pairs), np.zeros(pairs), np.full(pairs, np.inf)
    pairs = 0
    for goal in range(len(goal_channel)):
        if own_time[goal] != NO_TIME and np.isnan(reached_at[goal]):
            other = last_goal[goal_channel[goal]]
            while other >= 0:
                if meeting_of[other] != meeting_of[goal]:
                    delayed[pairs], delaying[pairs] = meeting_of[goal], meeting_of[other]
                    if own_time[other] > own_time[goal]:
                        scale[pairs], limit[pairs] = (
                            own_time[goal] / own_time[other],
                            own_time[goal] / min_speed_factor[goal_channel[goal]],
                        )
                    else:
                        offset[pairs] = own_time[goal] - own_time[other]
                    pairs += 1
                other = previous_goal[other]
    alone = meeting_time.copy()
    for _ in range(
        MAX_DELAY_ITERATIONS
    ):  # of which there may be many: what is the same in all of them was found before
        previous, has_changed = meeting_time.copy(), False
        for pair in range(pairs):
            meeting_time[delayed[pair]] = max(
                meeting_time[delayed[pair]], min(previous[delaying[pair]] * scale[pair] + offset[pair], limit[pair])
            )
            has_changed |= meeting_time[delayed[pair]] > previous[delayed[pair]] * (1 + RELATIVE_TIME_TOLERANCE)
        if not has_changed:
            return
    meeting_time[:] = alone  # they hold each other up


@kernel
def update_efficiency(
    progress: Floats,
    travelled: Floats,
    distance_left: Floats,
    previous_distance: Floats,
    goal_channel: Ints,
    goal_progress: Floats,
    goal_offsets: Ints,
    waits_for_bodies: Bools,
    state: Ints,
    reached_at: Floats,
    is_early: Bools,
    follower_channels: int,
    nominal_speed: Floats,
    speed_factor: Floats,
    stop_at: Floats,
    seconds: float,
    efficiency: Floats,
) -> None:
    """Let the `efficiency` of all who race be what is seen of it.

    A target that goes shows that itself. One that has come to its end, or waits for a body that was pushed away, went
    less than 0: then its body shows it, if that is waited for and comes to its goal at its own speed; at another one
    what is left falls, or grows, as that changes.
    """
    filter_weight, max_efficiency, channel_travelled = (
        1 - np.exp(-seconds / EFFICIENCY_FILTER),
        np.full(follower_channels, MAX_EFFICIENCY),
        travelled[:follower_channels].copy(),
    )
    for channel in range(follower_channels):
        if progress[channel] >= stop_at[channel] - PROGRESS_TOLERANCE:
            channel_travelled[channel] = -1.0
    for meeting in range(len(state)):
        if state[meeting] != ACTIVE or not waits_for_bodies[meeting]:
            continue
        for goal in range(goal_offsets[meeting], goal_offsets[meeting + 1]):
            channel = goal_channel[goal]
            if channel >= follower_channels:
                continue
            max_efficiency[channel] = 1.0
            if (
                channel_travelled[channel] < 0.0
                and speed_factor[channel] > FULL_SPEED_FACTOR
                and np.isnan(reached_at[goal])
                and not is_early[goal]
            ):
                stops_for_others = (
                    progress[channel] >= stop_at[channel] - PROGRESS_TOLERANCE
                    and progress[channel] < goal_progress[goal] - PROGRESS_TOLERANCE
                )
                if not stops_for_others and np.isfinite(previous_distance[goal]):
                    channel_travelled[channel] = max(previous_distance[goal] - distance_left[goal], 0.0)
    for channel in range(follower_channels):
        speed = nominal_speed[channel] * speed_factor[channel] * seconds
        if speed > 0.0 and channel_travelled[channel] >= 0.0:
            measured = min(max(channel_travelled[channel] / speed, MIN_EFFICIENCY), max_efficiency[channel])
            efficiency[channel] += filter_weight * (measured - efficiency[channel])
