"""Numba twins of `clock_rates`, for all clocks of a script: how fast they go, and how long they wait."""

import numpy as np

from keypose.maths import RELATIVE_TIME_TOLERANCE, TIME_TOLERANCE, Bools, Floats, Ints, kernel
from keypose.motion import ACTIVE, WAITING
from keypose.script.participant import MIN_SPEED_FACTOR
from keypose.script.sync.rules.clock_rates import BRAKE_TOLERANCE, FAST_RAMP_TIME, RAMP_TIME


@kernel
def next_rate(rate: float, speed_factor: float, time_left: float, wait: float, dt: float) -> float:
    """Twin of `clock_rates.next_rate`."""
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
    """Twin of `clock_rates.shortest_time`."""
    if time_left <= 0.0:
        return time_left
    ramp = 0.5 * RAMP_TIME * (1 - rate * rate)
    if time_left < ramp:
        return float(RAMP_TIME * (np.sqrt(rate * rate + 2 * time_left / RAMP_TIME) - rate))
    return RAMP_TIME * (1 - rate) + time_left - ramp


@kernel
def update_clock_times_left(
    clock: Floats, rate: Floats, goal_channel: Ints, goal_progress: Floats, follower_channels: int, times_left: Floats
) -> None:
    """Fill what is `times_left` to goals of clocks [s]: how long each takes at best, from the rate it has."""
    for goal in range(len(goal_channel)):
        if goal_channel[goal] >= follower_channels:
            clock_row = goal_channel[goal] - follower_channels
            times_left[goal] = shortest_time(goal_progress[goal] - clock[clock_row], rate[clock_row])


@kernel
def update_clock_rates(
    clock: Floats, rate: Floats, speed_factor: Floats, stop_at: Floats, wait: Floats, dt: float, unclamped: Floats
) -> None:
    """Let clocks have their rates of `dt` seconds later; fill `unclamped` with what they show if nobody holds them."""
    for clock_row in range(len(clock)):
        time_left = stop_at[clock_row] - clock[clock_row]
        next_clock_rate = next_rate(rate[clock_row], speed_factor[clock_row], time_left, wait[clock_row], dt)
        unclamped[clock_row] = clock[clock_row] + 0.5 * dt * (rate[clock_row] + next_clock_rate)
        rate[clock_row], wait[clock_row] = next_clock_rate, max(wait[clock_row] - dt, 0.0)


@kernel
def clamp_clocks(clock: Floats, unclamped: Floats, stop_at: Floats) -> None:
    """Twin of `clock_rates.clamp_to_stop`: let all clocks show what they wished, or where they are held."""
    for clock_row in range(len(clock)):
        stop = stop_at[clock_row] if stop_at[clock_row] >= clock[clock_row] - TIME_TOLERANCE else unclamped[clock_row]
        clock[clock_row] = max(clock[clock_row], min(unclamped[clock_row], stop))


@kernel
def update_clock_waits(
    goal_channel: Ints,
    goal_progress: Floats,
    goal_offsets: Ints,
    gates: Bools,
    state: Ints,
    own_time: Floats,
    meeting_time: Floats,
    stop_at: Floats,
    follower_channels: int,
    wait: Floats,
) -> None:
    """Twin of `clock_rates.clock_waits`: fill `wait` with how long it is until the others let each clock pass where it
    is held.
    """
    wait[:] = 0.0
    for meeting in range(len(state)):
        is_gate = state[meeting] == WAITING and gates[meeting]
        if not is_gate and state[meeting] != ACTIVE:
            continue
        for goal in range(goal_offsets[meeting], goal_offsets[meeting + 1]):
            clock_row = goal_channel[goal] - follower_channels
            if clock_row >= 0 and abs(goal_progress[goal] - stop_at[goal_channel[goal]]) <= TIME_TOLERANCE:
                delay = (
                    np.inf
                    if is_gate
                    else meeting_time[meeting]
                    if own_time[goal] < meeting_time[meeting] * (1 - RELATIVE_TIME_TOLERANCE)
                    else 0.0
                )
                wait[clock_row] = max(wait[clock_row], delay)
