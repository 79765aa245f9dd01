"""Speed factors that make the participants of a meeting arrive together. `kernels.speed_factors` is the compiled twin.

LG95 §5 as it should read: nobody is hurried, so all go by the slowest. Each is given a share of its own speed: how long
it would take itself, of how long the slowest will. It is worked out from its own speed and not from what it goes now,
or all would slow each other down to a stop; only how well it gets on, its efficiency, is measured.

All go by the slowest of each meeting, whatever else delays that; who is in several goes by the one for which it has to
go slowest. Bodies and clocks differ in one thing: a clock cannot jump to its own speed, and how long it takes to a goal
also counts what it takes to be as fast again. That is no way it has to go, so it is left out where it is slowed down.
"""

from typing import NamedTuple

import numpy as np

from keypose.maths import PROGRESS_TOLERANCE, RELATIVE_TIME_TOLERANCE, Bools, Floats, Ints
from keypose.motion import ACTIVE

REGULATION_PERIOD = 0.02  # [s]: how often speeds are regulated
CHECK_PERIOD = 0.004  # [s]: how often it is looked who has come to its goal; it stops there itself
EFFICIENCY_FILTER = 0.3  # [s]: how soon it is noticed that somebody gets on better or worse
FULL_SPEED_FACTOR = 0.97  # of its own speed, and more: whoever goes so goes at it
MIN_EFFICIENCY, MAX_EFFICIENCY = 0.1, 1.5  # efficiencies: who is stopped for a while is not taken to stay for ever
MAX_DELAY_ITERATIONS = 60  # in which it is found how meetings delay each other: one for each time a delay is handed on
RELEASE_FRACTION = 0.1  # of its reaction: how soon who meets nobody any more goes as fast as before


def filter_efficiency(
    efficiency: float, travelled: float, seconds: float, speed: float, of_body: bool = False
) -> float:
    """How well somebody gets on: what it went in so many seconds, of what it should have at this speed, filtered.

    Where its body is waited for, no better than it should: a target that runs ahead of that is foreseen.
    """
    if speed * seconds <= 0:
        return efficiency
    measured = min(max(travelled / (speed * seconds), MIN_EFFICIENCY), 1.0 if of_body else MAX_EFFICIENCY)
    return efficiency + (1 - float(np.exp(-seconds / EFFICIENCY_FILTER))) * (measured - efficiency)


def arrival_time(own_time: float, other_own_time: float, other_meeting_time: float, min_speed_factor: float) -> float:
    """How many seconds somebody takes to a goal, `own_time` by itself, who is in another meeting too that is due then.

    If that is farther on, it goes at the share of that one, though not slower than it may; else it goes on from there.
    """
    if other_own_time > own_time:
        return min(other_meeting_time * (own_time / other_own_time), own_time / min_speed_factor)
    return other_meeting_time + (own_time - other_own_time)


def meeting_times(
    own_time: Floats, goal_channel: Ints, goal_meeting: Ints, is_at_goal: Bools, min_speed_factor: Floats
) -> Floats:
    """In how many seconds each meeting will be (meetings,): as soon as the slowest comes, whatever else delays that.

    Goals are those of active meetings, `own_time` (goals,) how long each would take by itself; `is_at_goal` waits
    there. Meetings that hold each other up would never be: then nobody goes by the others, and they come to be told of.
    """
    goals = range(len(own_time))
    alone = np.zeros(goal_meeting.max(initial=-1) + 1)
    np.maximum.at(alone, goal_meeting[~is_at_goal], own_time[~is_at_goal])
    times = alone.copy()
    for _ in range(MAX_DELAY_ITERATIONS):
        previous = times.copy()
        for goal in goals:
            for other in goals:
                if (
                    goal_channel[other] == goal_channel[goal]
                    and goal_meeting[other] != goal_meeting[goal]
                    and not is_at_goal[goal]
                ):
                    later = arrival_time(
                        own_time[goal],
                        own_time[other],
                        previous[goal_meeting[other]],
                        min_speed_factor[goal_channel[goal]],
                    )
                    times[goal_meeting[goal]] = max(times[goal_meeting[goal]], later)
        if (times <= previous * (1 + RELATIVE_TIME_TOLERANCE)).all():
            return times
    return alone


def speed_factors(distance_left: Floats, nominal_speed: Floats, efficiency: Floats) -> Floats:
    """Which share of its own speed each is to go at who has so far left to the same meeting (n,)."""
    own_time = np.maximum(distance_left, 0.0) / (nominal_speed * efficiency)
    longest = own_time.max(initial=0.0)
    return own_time / longest if longest > 0 else np.ones_like(own_time)


def is_new_arrival(distance_left: float, nominal_speed: float, seconds: float) -> bool:
    """Whether a body came to its goal in the last seconds, and not long before: then it waits there for the others."""
    return -MAX_EFFICIENCY * nominal_speed * seconds < distance_left <= 0


def smooth_speed_factor(
    speed_factor: float, desired_factor: float, reaction: float, seconds: float, is_free: bool
) -> float:
    """The ease so many seconds later, on its way to a share; who is free again is back at its own speed soon."""
    time_constant = reaction * (RELEASE_FRACTION if is_free else 1.0)
    return speed_factor + (1 - float(np.exp(-seconds / time_constant))) * (desired_factor - speed_factor)


NO_TIME = -1.0  # of a goal that does not count now


class SpeedFactors(NamedTuple):
    """Who is to go how fast."""

    own_time: Floats
    """(goals,) how long each would take by itself [s], NO_TIME where that does not count"""
    meeting_time: Floats
    """(meetings,) in how many seconds each will be"""
    desired_factor: Floats
    """(strands,) of its own speed"""
    is_early: Bools
    """(goals,) who has to stop there, as it would have to go slower than it may"""
    is_free: Bools
    """(strands,) who meets nobody"""


def waits_at_goal(progress: float, goal_progress: float, waits_for_bodies: bool, is_early: bool) -> bool:
    """Whether who has come to a goal waits there for the others, or had passed it before anybody was to meet there."""
    return is_early if waits_for_bodies else progress <= goal_progress + PROGRESS_TOLERANCE


def required_speed_factor(own_time: float, meeting_time: float, distance: float, is_clock: bool) -> float:
    """At which share somebody comes just in time who takes `own_time` seconds to a goal that is `distance` and due
    then.

    Of a clock `distance` is in seconds, too: those that it is to show.
    """
    factor = own_time / meeting_time if meeting_time > 0 else 1.0
    return max(distance, 0.0) / meeting_time if is_clock and factor < 1 - RELATIVE_TIME_TOLERANCE else factor


def allocate_speed_factors(
    progress: Floats,
    distance_left: Floats,
    goal_channel: Ints,
    goal_progress: Floats,
    goal_meeting: Ints,
    state: Ints,
    reached_at: Floats,
    is_early: Bools,
    waits_for_bodies: Bools,
    follower_channels: int,
    nominal_speed: Floats,
    min_speed_factor: Floats,
    efficiency: Floats,
    speed_factor: Floats,
) -> SpeedFactors:
    """Who is to go how fast, where strands are at `progress`, and so far is `distance_left` to each goal.

    The first strands race targets, the others are clocks. Goals are those of any `goal_meeting` (goals,).
    """
    is_open = np.isnan(reached_at)
    channel_goals = zip(progress[goal_channel], goal_progress, waits_for_bodies[goal_meeting], is_early, strict=True)
    counts = (state[goal_meeting] == ACTIVE) & (
        is_open | np.array([waits_at_goal(*channel) for channel in channel_goals], np.bool_)
    )
    own_time = np.where(is_open, np.maximum(distance_left, 0.0) / (nominal_speed * efficiency)[goal_channel], 0.0)
    active_times = meeting_times(
        own_time[counts], goal_channel[counts], goal_meeting[counts], ~is_open[counts], min_speed_factor
    )
    meeting_time = np.concatenate([active_times, np.zeros(len(state) - len(active_times))])
    desired_factor, stops_early, is_free = np.ones(len(progress)), is_early.copy(), np.ones(len(progress), np.bool_)
    for goal in np.flatnonzero(counts).tolist():
        channel = int(goal_channel[goal])
        is_free[channel] = False
        if is_open[goal]:
            required_factor = required_speed_factor(
                own_time[goal],
                meeting_time[goal_meeting[goal]],
                goal_progress[goal] - progress[channel],
                channel >= follower_channels,
            )
            stops_early[goal] = required_factor < min_speed_factor[channel]
            desired_factor[channel] = min(desired_factor[channel], max(required_factor, min_speed_factor[channel]))
        else:
            desired_factor[channel] = min(
                desired_factor[channel], speed_factor[channel]
            )  # it waits, and is to go on as it came
    return SpeedFactors(np.where(counts, own_time, NO_TIME), meeting_time, desired_factor, stops_early, is_free)


def initial_speed_factors(speed_factor: Floats, desired_factor: Floats, is_new: Bools) -> Floats:
    """(strands,) the eases of strands: who is new has its share at once, for it has no speed that is to change."""
    return np.where(is_new, desired_factor, speed_factor)
