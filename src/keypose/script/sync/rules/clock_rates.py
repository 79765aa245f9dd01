"""The rates of the clocks of motions. `kernels.clock_rates` is compiled.

The rate of a clock changes by no more than 1 in RAMP_TIME, and never jumps. Only a clock whose stop is known too late
brakes harder, as evenly as the time left allows.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from keypose.maths import RELATIVE_TIME_TOLERANCE, TIME_TOLERANCE, Floats
from keypose.motion import ACTIVE, WAITING, SyncGraph, SyncRecords
from keypose.script.participant import MIN_SPEED_FACTOR

RAMP_TIME = 0.25  # [s] in which the rate of a clock falls from 1 to 0, or rises
FAST_RAMP_TIME = 0.05  # [s] the same of a clock at its stop, or past it
BRAKE_TOLERANCE = 0.02  # [s]: for so short a wait a clock does not brake hard


def stopping_rate(rate: float, time_left: float, dt: float) -> float:
    """The highest rate `dt` seconds later from which a clock still stops smoothly within so many seconds of its own.

    Until then it goes on at the mean of both rates, and then brakes: (rate + then)·dt/2 + RAMP_TIME·then²/2 = left.
    """
    rest = time_left - rate * dt / 2
    return (float(np.sqrt(dt**2 / 4 + 2 * RAMP_TIME * rest)) - dt / 2) / RAMP_TIME if rest > 0 else 0.0


def desired_rate(rate: float, speed_factor: float, time_left: float, wait: float, dt: float) -> float:
    """The rate that a clock should have `dt` seconds later, `speed_factor` at most.

    It reaches its stop just when the others let it pass. If that is too slow, or the wait has no end as at a gate, it
    stops smoothly.
    """
    if wait == 0:
        return speed_factor
    stop_rate, timely_rate = stopping_rate(rate, time_left, dt), time_left / wait
    return min(speed_factor, max(timely_rate, min(stop_rate, MIN_SPEED_FACTOR)) if timely_rate > 0 else stop_rate)


def max_slowdown(rate: float, time_left: float, wait: float, dt: float) -> float:
    """By how much the rate may fall in `dt` seconds: more than is smooth only if the clock would come too early."""
    is_too_early = rate > 0 and wait * rate > time_left + BRAKE_TOLERANCE * rate
    return max(dt / RAMP_TIME, dt * rate**2 / (2 * time_left)) if is_too_early else dt / RAMP_TIME


def next_rate(rate: float, speed_factor: float, time_left: float, wait: float, dt: float) -> float:
    """The rate of a clock `dt` seconds later, `time_left` seconds of its own before a stop with a wait [s]."""
    if time_left <= TIME_TOLERANCE:
        return max(rate - dt / FAST_RAMP_TIME, 0.0)
    slowest, fastest = max(rate - max_slowdown(rate, time_left, wait, dt), 0.0), rate + dt / RAMP_TIME
    return min(max(desired_rate(rate, speed_factor, time_left, wait, dt), slowest), fastest)


def next_clock_time(clock: float, rate: float, later_rate: float, dt: float) -> float:
    """The time of a clock `dt` seconds later without stops."""
    return clock + dt * (rate + later_rate) / 2


def clamp_to_stop(clock: float, unclamped: float, stop_at: float) -> float:
    """The time of a clock with a stop; one that is past it comes to rest where it can."""
    return max(clock, min(unclamped, stop_at) if stop_at >= clock - TIME_TOLERANCE else unclamped)


def shortest_time(time_left: float, rate: float) -> float:
    """The shortest time in which a clock advances by `time_left`, as its rate rises to 1.

    In t seconds the rate r rises to r + t/RAMP_TIME, and the clock advances by r·t + t²/(2·RAMP_TIME). A negative
    `time_left` is returned as it is.
    """
    if time_left <= 0:
        return time_left
    ramp = RAMP_TIME * (1 - rate**2) / 2
    if time_left < ramp:
        return RAMP_TIME * (float(np.sqrt(rate**2 + 2 * time_left / RAMP_TIME)) - rate)
    return RAMP_TIME * (1 - rate) + time_left - ramp


def wait_time(own_time: float, meeting_time: float, is_gate: bool) -> float:
    """In how many seconds the others let a clock pass that reaches its goal in `own_time`: never at a gate.

    The slowest participant does not wait.
    """
    if is_gate:
        return np.inf
    return meeting_time if own_time < meeting_time * (1 - RELATIVE_TIME_TOLERANCE) else 0.0


def update_clock_distances(graph: SyncGraph, records: SyncRecords, distance_left: Floats) -> None:
    """Fill `distance_left` (goals,) of goals of clocks with the shortest time to each, from the current rate [s]."""
    for number, goal in enumerate(graph.goals):
        if goal.channel >= graph.follower_channels:
            clock = records.clocks[goal.channel - graph.follower_channels]
            distance_left[number] = shortest_time(goal.progress - clock.time, clock.rate)


def update_clock_rates(graph: SyncGraph, records: SyncRecords, dt: float, unclamped: Floats) -> None:
    """Update the rates of clocks, `dt` seconds later; fill `unclamped` (clocks,) with their times without stops."""
    for number, (clock, state) in enumerate(_clocks(graph, records)):
        rate = next_rate(clock.rate, state.speed_factor, state.stop_at - clock.time, clock.wait, dt)
        unclamped[number] = next_clock_time(clock.time, clock.rate, rate, dt)
        clock.rate, clock.wait = rate, max(clock.wait - dt, 0.0)


def clamp_clocks(graph: SyncGraph, records: SyncRecords, unclamped: Floats) -> None:
    """Set clocks to their `unclamped` times, or to their stops."""
    for (clock, state), unclamped_time in zip(_clocks(graph, records), unclamped.tolist(), strict=True):
        clock.time = clamp_to_stop(clock.time, unclamped_time, state.stop_at)


def update_clock_waits(graph: SyncGraph, records: SyncRecords) -> None:
    """Update how long it takes until the others let each clock pass its stop: the longest of all goals there."""
    records.clocks["wait"][:] = 0.0
    for goal, goal_state in zip(graph.goals, records.goals, strict=True):
        meeting_state = records.meetings[goal.meeting]
        is_gate = bool(meeting_state.state == WAITING and graph.meetings[goal.meeting].is_gate)
        if goal.channel < graph.follower_channels or not (is_gate or meeting_state.state == ACTIVE):
            continue
        clock = records.clocks[goal.channel - graph.follower_channels]
        if abs(goal.progress - records.channels[goal.channel].stop_at) <= TIME_TOLERANCE:
            clock.wait = max(clock.wait, wait_time(goal_state.own_time, meeting_state.time_left, is_gate))


def _clocks(graph: SyncGraph, records: SyncRecords) -> Iterator[tuple[Any, Any]]:
    """The state of each clock, and that of its channel."""
    return zip(records.clocks, records.channels[graph.follower_channels :], strict=True)
