"""Kernels of `rules.speed_factors`: efficiencies, the times of meetings and the speed factors of channels."""

import numpy as np

from keypose.maths import PROGRESS_TOLERANCE, RELATIVE_TIME_TOLERANCE, Bools, Floats, Ints, kernel
from keypose.motion import ACTIVE, Distances, SyncGraph, SyncRecords
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
    """Kernel of `rules.speed_factors.waits_at_goal`."""
    return is_early if waits_for_bodies else progress <= goal_progress + PROGRESS_TOLERANCE


@kernel
def update_speed_factors(
    graph: SyncGraph,
    records: SyncRecords,
    progress: Floats,
    distance_left: Floats,
    desired_factor: Floats,
    is_free: Bools,
) -> None:
    """Kernel of `rules.speed_factors.allocate_speed_factors`: lower `desired_factor` (channels,) from 1.

    Update also which goals have early participants, how long each participant takes, and the times of meetings; and
    clear `is_free` (channels,) of those that take part in a meeting.
    """
    for number in range(len(graph.goals)):
        records.goals[number].own_time = NO_TIME
    previous_goal, last_goal, is_shared = np.full(len(graph.goals), -1), np.full(len(graph.channels), -1), False
    for number in range(len(graph.meetings)):
        meeting, meeting_state = graph.meetings[number], records.meetings[number]
        meeting_state.time_left = 0.0
        if meeting_state.state != ACTIVE:
            continue
        for goal_number in range(meeting.first_goal, meeting.end_goal):
            goal, goal_state = graph.goals[goal_number], records.goals[goal_number]
            if goal_state.reached_at < 0.0:
                speed = graph.channels[goal.channel].nominal_speed * records.channels[goal.channel].efficiency
                goal_state.own_time = max(distance_left[goal_number], 0.0) / speed
                meeting_state.time_left = max(meeting_state.time_left, goal_state.own_time)
            elif waits_at_goal(progress[goal.channel], goal.progress, meeting.waits_for_bodies, goal_state.is_early):
                goal_state.own_time = 0.0
            else:
                continue
            previous_goal[goal_number], last_goal[goal.channel] = last_goal[goal.channel], goal_number
            is_shared |= previous_goal[goal_number] >= 0
    if is_shared:
        delay_meetings(graph, records, previous_goal, last_goal)
    for number in range(len(graph.meetings)):
        meeting, time_left = graph.meetings[number], records.meetings[number].time_left
        if records.meetings[number].state != ACTIVE:
            continue
        for goal_number in range(meeting.first_goal, meeting.end_goal):
            goal, goal_state = graph.goals[goal_number], records.goals[goal_number]
            channel, min_speed_factor = goal.channel, graph.channels[goal.channel].min_speed_factor
            if goal_state.reached_at < 0.0:
                required_factor = goal_state.own_time / time_left if time_left > 0.0 else 1.0
                if channel >= graph.follower_channels and required_factor < 1.0 - RELATIVE_TIME_TOLERANCE:
                    required_factor = max(goal.progress - progress[channel], 0.0) / time_left
                goal_state.is_early, is_free[channel] = required_factor < min_speed_factor, False
                desired_factor[channel] = min(desired_factor[channel], max(required_factor, min_speed_factor))
            elif goal_state.own_time == 0.0:  # it waits, and goes on at the speed at which it came
                desired_factor[channel] = min(desired_factor[channel], records.channels[channel].speed_factor)
                is_free[channel] = False


@kernel
def delay_meetings(graph: SyncGraph, records: SyncRecords, previous_goal: Ints, last_goal: Ints) -> None:
    """Delay meetings by the other meetings of their participants: the kernel of `rules.speed_factors.meeting_times`.

    The goals that count on a channel are its `last_goal` (channels,), the `previous_goal` (goals,) of that, and so on.
    What is the same in all iterations is found before.
    """
    pairs = 0
    for number in range(len(graph.goals)):
        goal, goal_state = graph.goals[number], records.goals[number]
        if goal_state.own_time != NO_TIME and goal_state.reached_at < 0.0:
            other = last_goal[goal.channel]
            while other >= 0:
                pairs += graph.goals[other].meeting != goal.meeting
                other = previous_goal[other]
    delayed, delaying = np.empty(pairs, np.int64), np.empty(pairs, np.int64)
    scale, offset, limit = np.ones(pairs), np.zeros(pairs), np.full(pairs, np.inf)
    pairs = 0
    for number in range(len(graph.goals)):
        goal, goal_state = graph.goals[number], records.goals[number]
        if goal_state.own_time != NO_TIME and goal_state.reached_at < 0.0:
            own_time, other = goal_state.own_time, last_goal[goal.channel]
            while other >= 0:
                if graph.goals[other].meeting != goal.meeting:
                    delayed[pairs], delaying[pairs] = goal.meeting, graph.goals[other].meeting
                    other_time = records.goals[other].own_time
                    if other_time > own_time:
                        scale[pairs] = own_time / other_time
                        limit[pairs] = own_time / graph.channels[goal.channel].min_speed_factor
                    else:
                        offset[pairs] = own_time - other_time
                    pairs += 1
                other = previous_goal[other]
    times = np.empty(len(graph.meetings))
    for number in range(len(times)):
        times[number] = records.meetings[number].time_left
    for _ in range(MAX_DELAY_ITERATIONS):
        previous, has_changed = times.copy(), False
        for pair in range(pairs):
            later = min(previous[delaying[pair]] * scale[pair] + offset[pair], limit[pair])
            times[delayed[pair]] = max(times[delayed[pair]], later)
            has_changed |= times[delayed[pair]] > previous[delayed[pair]] * (1 + RELATIVE_TIME_TOLERANCE)
        if not has_changed:
            for number in range(len(times)):
                records.meetings[number].time_left = times[number]
            return


@kernel
def update_efficiency(
    graph: SyncGraph, records: SyncRecords, progress: Floats, distances: Distances, seconds: float
) -> None:
    """Kernel of `rules.speed_factors.update_efficiency`."""
    filter_weight, max_efficiency, channel_travelled = (
        1 - np.exp(-seconds / EFFICIENCY_FILTER),
        np.full(graph.follower_channels, MAX_EFFICIENCY),
        distances.travelled[: graph.follower_channels].copy(),
    )
    for channel in range(graph.follower_channels):
        if progress[channel] >= records.channels[channel].stop_at - PROGRESS_TOLERANCE:
            channel_travelled[channel] = -1.0
    for number in range(len(graph.meetings)):
        meeting = graph.meetings[number]
        if records.meetings[number].state != ACTIVE or not meeting.waits_for_bodies:
            continue
        for goal_number in range(meeting.first_goal, meeting.end_goal):
            goal, goal_state = graph.goals[goal_number], records.goals[goal_number]
            channel = goal.channel
            if channel >= graph.follower_channels:
                continue
            channel_state, max_efficiency[channel] = records.channels[channel], 1.0
            if (
                channel_travelled[channel] < 0.0
                and channel_state.speed_factor > FULL_SPEED_FACTOR
                and goal_state.reached_at < 0.0
                and not goal_state.is_early
            ):
                stops_for_others = (
                    progress[channel] >= channel_state.stop_at - PROGRESS_TOLERANCE
                    and progress[channel] < goal.progress - PROGRESS_TOLERANCE
                )
                if not stops_for_others and np.isfinite(goal_state.previous_distance):
                    approach = goal_state.previous_distance - distances.distance_left[goal_number]
                    channel_travelled[channel] = max(approach, 0.0)
    for channel in range(graph.follower_channels):
        channel_state = records.channels[channel]
        speed = graph.channels[channel].nominal_speed * channel_state.speed_factor * seconds
        if speed > 0.0 and channel_travelled[channel] >= 0.0:
            measured = min(max(channel_travelled[channel] / speed, MIN_EFFICIENCY), max_efficiency[channel])
            channel_state.efficiency += filter_weight * (measured - channel_state.efficiency)
