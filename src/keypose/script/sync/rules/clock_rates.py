"""How fast does the clock of a motion go? The definition; `clock_rates` has its twins.

The rate of a clock changes by no more than 1 in a quarter of a second, and never jumps: it slows down to where it is
held, and starts, smoothly. Only who learns too late that it has to stop brakes harder, as evenly as its way allows.
"""

import numpy as np

from keypose.maths import RELATIVE_TIME_TOLERANCE, TIME_TOLERANCE, Bools, Floats, Ints
from keypose.motion import ACTIVE, WAITING
from keypose.script.participant import MIN_SPEED_FACTOR

RAMP_TIME = 0.25  # [s] in which a clock comes from its own speed to a stop, or back
FAST_RAMP_TIME = 0.05  # [s] the same of one that is at its goal already, or past it
BRAKE_TOLERANCE = 0.02  # [s]: for others who come so little later nobody brakes hard, it stands for that moment


def stopping_rate(rate: float, time_left: float, dt: float) -> float:
    """The highest rate `dt` seconds later from which a clock still stops smoothly within so many seconds of its own.

    Until then it goes on at the mean of both rates, and then brakes: (rate + then)·dt/2 + RAMP_TIME·then²/2 = left.
    """
    rest = time_left - rate * dt / 2
    return (float(np.sqrt(dt**2 / 4 + 2 * RAMP_TIME * rest)) - dt / 2) / RAMP_TIME if rest > 0 else 0.0


def desired_rate(rate: float, speed_factor: float, time_left: float, wait: float, dt: float) -> float:
    """How fast a clock is to go `dt` seconds later, at a share `speed_factor` at most.

    Who waits for others comes just when they let it pass, though not slower than it may be: then it rather stops. At a
    gate, where it waits for ever, that is all there is to do.
    """
    if wait == 0:
        return speed_factor
    stop_rate, timely_rate = stopping_rate(rate, time_left, dt), time_left / wait
    return min(speed_factor, max(timely_rate, min(stop_rate, MIN_SPEED_FACTOR)) if timely_rate > 0 else stop_rate)


def max_slowdown(rate: float, time_left: float, wait: float, dt: float) -> float:
    """By how much a clock may be slower `dt` seconds later: as is smooth, unless it would come too early otherwise."""
    is_too_early = rate > 0 and wait * rate > time_left + BRAKE_TOLERANCE * rate
    return max(dt / RAMP_TIME, dt * rate**2 / (2 * time_left)) if is_too_early else dt / RAMP_TIME


def next_rate(rate: float, speed_factor: float, time_left: float, wait: float, dt: float) -> float:
    """How fast a clock goes `dt` seconds later, `time_left` seconds of its own before it is held for `wait` seconds
    more.
    """
    if time_left <= TIME_TOLERANCE:
        return max(rate - dt / FAST_RAMP_TIME, 0.0)
    slowest, fastest = max(rate - max_slowdown(rate, time_left, wait, dt), 0.0), rate + dt / RAMP_TIME
    return min(max(desired_rate(rate, speed_factor, time_left, wait, dt), slowest), fastest)


def next_clock_time(clock: float, rate: float, later_rate: float, dt: float) -> float:
    """What a clock shows `dt` seconds later if nobody holds it."""
    return clock + dt * (rate + later_rate) / 2


def clamp_to_stop(clock: float, unclamped: float, stop_at: float) -> float:
    """What a clock shows that wished to show so much, or where it is held; one past that may come to its rest."""
    return max(clock, min(unclamped, stop_at) if stop_at >= clock - TIME_TOLERANCE else unclamped)


def shortest_time(time_left: float, rate: float) -> float:
    """In how many seconds a clock has gone on by so many at best: from its rate it rises to its own speed.

    While it rises it comes from rate r to r + t/RAMP_TIME in t seconds, and so goes on by r·t + t²/(2·RAMP_TIME). What
    it is past a goal stays as it is.
    """
    if time_left <= 0:
        return time_left
    ramp = RAMP_TIME * (1 - rate**2) / 2
    if time_left < ramp:
        return RAMP_TIME * (float(np.sqrt(rate**2 + 2 * time_left / RAMP_TIME)) - rate)
    return RAMP_TIME * (1 - rate) + time_left - ramp


def wait_time(own_time: float, meeting_time: float, is_gate: bool) -> float:
    """In how many seconds the others let a clock pass that takes `own_time` to a goal due then: for ever at a gate.

    Who is the slowest of all does not wait for them.
    """
    if is_gate:
        return np.inf
    return meeting_time if own_time < meeting_time * (1 - RELATIVE_TIME_TOLERANCE) else 0.0


def clock_waits(
    goal_channel: Ints,
    goal_progress: Floats,
    goal_meeting: Ints,
    gates: Bools,
    state: Ints,
    own_time: Floats,
    meeting_time: Floats,
    stop_at: Floats,
    follower_channels: int,
) -> Floats:
    """How long it is until the others let each clock pass where it is held (clocks,): the longest, of all goals there.

    Clocks are the strands behind the `follower_channels`.
    """
    waits = np.zeros(len(stop_at) - follower_channels)
    for goal, (channel, meeting) in enumerate(zip(goal_channel.tolist(), goal_meeting.tolist(), strict=True)):
        is_gate = bool(state[meeting] == WAITING and gates[meeting])
        is_stopped = channel >= follower_channels and abs(goal_progress[goal] - stop_at[channel]) <= TIME_TOLERANCE
        if is_stopped and (is_gate or state[meeting] == ACTIVE):
            waits[channel - follower_channels] = max(
                waits[channel - follower_channels], wait_time(own_time[goal], meeting_time[meeting], is_gate)
            )
    return waits
