"""Kernels of `rules.clock_rates`: the rates of clocks, and how long they wait at their stops."""

import numpy as np

from keypose.maths import RELATIVE_TIME_TOLERANCE, TIME_TOLERANCE, Floats, kernel
from keypose.motion import ACTIVE, WAITING, SyncGraph, SyncRecords
from keypose.script.participant import MIN_SPEED_FACTOR
from keypose.script.sync.rules.clock_rates import BRAKE_TOLERANCE, FAST_RAMP_TIME, RAMP_TIME


@kernel
def next_rate(rate: float, speed_factor: float, time_left: float, wait: float, dt: float) -> float:
    """Kernel of `rules.clock_rates.next_rate`."""
    if time_left <= TIME_TOLERANCE:
        return max(rate - dt / FAST_RAMP_TIME, 0.0)
    max_rate, max_slowdown = speed_factor, dt / RAMP_TIME
    if wait > 0.0:
        rest = time_left - 0.5 * rate * dt
        stopping_rate = (np.sqrt(0.25 * dt * dt + 2 * RAMP_TIME * rest) - 0.5 * dt) / RAMP_TIME if rest > 0.0 else 0.0
        timely_rate = time_left / wait
        max_rate = min(
            speed_factor, max(timely_rate, min(stopping_rate, MIN_SPEED_FACTOR)) if timely_rate > 0.0 else stopping_rate
        )
        if wait * rate > time_left + BRAKE_TOLERANCE * rate:
            max_slowdown = max(max_slowdown, dt * rate * rate / (2 * time_left))
    return float(min(max(max_rate, rate - max_slowdown, 0.0), rate + dt / RAMP_TIME))


@kernel
def shortest_time(time_left: float, rate: float) -> float:
    """Kernel of `rules.clock_rates.shortest_time`."""
    if time_left <= 0.0:
        return time_left
    ramp = 0.5 * RAMP_TIME * (1 - rate * rate)
    if time_left < ramp:
        return float(RAMP_TIME * (np.sqrt(rate * rate + 2 * time_left / RAMP_TIME) - rate))
    return RAMP_TIME * (1 - rate) + time_left - ramp


@kernel
def update_clock_distances(graph: SyncGraph, records: SyncRecords, distance_left: Floats) -> None:
    """Fill `distance_left` (goals,) of goals of clocks with the shortest time to each, from the current rate [s]."""
    for number in range(len(graph.goals)):
        goal = graph.goals[number]
        if goal.channel >= graph.follower_channels:
            clock = records.clocks[goal.channel - graph.follower_channels]
            distance_left[number] = shortest_time(goal.progress - clock.time, clock.rate)


@kernel
def update_clock_rates(graph: SyncGraph, records: SyncRecords, dt: float, unclamped: Floats) -> None:
    """Update the rates of clocks, `dt` seconds later; fill `unclamped` (clocks,) with their times without stops."""
    for number in range(len(records.clocks)):
        clock, channel_state = records.clocks[number], records.channels[graph.follower_channels + number]
        rate = next_rate(clock.rate, channel_state.speed_factor, channel_state.stop_at - clock.time, clock.wait, dt)
        unclamped[number] = clock.time + 0.5 * dt * (clock.rate + rate)
        clock.rate, clock.wait = rate, max(clock.wait - dt, 0.0)


@kernel
def clamp_clocks(graph: SyncGraph, records: SyncRecords, unclamped: Floats) -> None:
    """Set clocks to their `unclamped` times, or to their stops: see `rules.clock_rates.clamp_to_stop`."""
    for number in range(len(records.clocks)):
        clock, stop_at = records.clocks[number], records.channels[graph.follower_channels + number].stop_at
        stop = stop_at if stop_at >= clock.time - TIME_TOLERANCE else unclamped[number]
        clock.time = max(clock.time, min(unclamped[number], stop))


@kernel
def update_clock_waits(graph: SyncGraph, records: SyncRecords) -> None:
    """Update how long each clock waits at its stop: see `rules.clock_rates.wait_time`."""
    for number in range(len(records.clocks)):
        records.clocks[number].wait = 0.0
    for number in range(len(graph.meetings)):
        meeting, meeting_state = graph.meetings[number], records.meetings[number]
        is_gate = meeting_state.state == WAITING and meeting.is_gate
        if not is_gate and meeting_state.state != ACTIVE:
            continue
        for goal_number in range(meeting.first_goal, meeting.end_goal):
            goal, own_time = graph.goals[goal_number], records.goals[goal_number].own_time
            if goal.channel < graph.follower_channels:
                continue
            clock = records.clocks[goal.channel - graph.follower_channels]
            if abs(goal.progress - records.channels[goal.channel].stop_at) <= TIME_TOLERANCE:
                is_first = own_time < meeting_state.time_left * (1 - RELATIVE_TIME_TOLERANCE)
                clock.wait = max(clock.wait, np.inf if is_gate else meeting_state.time_left if is_first else 0.0)
