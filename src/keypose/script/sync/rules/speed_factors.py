"""Speed factors that make the participants of a meeting arrive together (LG95 §5). `kernels.speed_factors` is compiled.

No participant exceeds its nominal speed, so the slowest sets the time of a meeting. The speed factor of each is its own
time to the goal, at nominal speed, divided by that of the slowest. With current speeds instead of nominal ones all
would slow each other down to a stop; only the efficiency is measured. A participant of several meetings gets the least
of its factors. The own time of a clock includes the time in which its rate rises, which is no distance: the factor of
a slowed clock leaves it out.
"""

from typing import NamedTuple

import numpy as np

from keypose.maths import PROGRESS_TOLERANCE, RELATIVE_TIME_TOLERANCE, Bools, Floats, Ints
from keypose.motion import ACTIVE, NOT_REACHED, Distances, SyncGraph, SyncRecords

REGULATION_PERIOD = 0.02  # [s] between regulations of speeds
CHECK_PERIOD = 0.004  # [s] between checks for arrivals; a target stops at its goal itself
EFFICIENCY_FILTER = 0.3  # [s] time constant of measured efficiencies
FULL_SPEED_FACTOR = 0.97  # from this speed factor on the distance of a body falls at its nominal speed
MIN_EFFICIENCY, MAX_EFFICIENCY = 0.1, 1.5  # a participant that is stopped for a while is not taken to stay for ever
MAX_DELAY_ITERATIONS = 60  # each passes delays on from one meeting to the next
RELEASE_FRACTION = 0.1  # of its reaction: the time constant of a channel after its last meeting


def filter_efficiency(
    efficiency: float, travelled: float, seconds: float, speed: float, of_body: bool = False
) -> float:
    """The efficiency after some seconds: the distance travelled per distance at this speed, filtered.

    In a meeting of bodies it is at most 1: a target may run ahead of its body.
    """
    if speed * seconds <= 0:
        return efficiency
    measured = min(max(travelled / (speed * seconds), MIN_EFFICIENCY), 1.0 if of_body else MAX_EFFICIENCY)
    return efficiency + (1 - float(np.exp(-seconds / EFFICIENCY_FILTER))) * (measured - efficiency)


def update_efficiency(
    graph: SyncGraph, records: SyncRecords, progress: Floats, distances: Distances, seconds: float
) -> None:
    """Update the efficiencies of followers, `seconds` after the last time.

    That of a target in motion is measured from the target. That of a target at its end or stop, or that waits for a
    body, is measured from the body, if a meeting waits for that and it goes at nominal speed; else it stays as it is.
    """
    for number, state in enumerate(records.channels[: graph.follower_channels]):
        travelled, of_body = float(distances.travelled[number]), False
        if progress[number] >= state.stop_at - PROGRESS_TOLERANCE:
            travelled = -1.0
        for goal in _goals_of_bodies(graph, records, number):
            of_body = True
            if travelled < 0.0 and state.speed_factor > FULL_SPEED_FACTOR:
                travelled = _body_approach(graph, records, progress, goal, float(distances.distance_left[goal]))
        if travelled >= 0.0:
            speed = graph.channels[number].nominal_speed * state.speed_factor
            state.efficiency = filter_efficiency(state.efficiency, travelled, seconds, speed, of_body)


def _goals_of_bodies(graph: SyncGraph, records: SyncRecords, channel: int) -> list[int]:
    """The goals of a channel in active meetings of bodies, meeting by meeting."""
    is_counted = graph.meetings["waits_for_bodies"] & (records.meetings["state"] == ACTIVE)
    goals: list[int] = np.flatnonzero((graph.goals["channel"] == channel) & is_counted[graph.goals["meeting"]]).tolist()
    return goals


def _body_approach(
    graph: SyncGraph, records: SyncRecords, progress: Floats, number: int, distance_left: float
) -> float:
    """By how much the distance of a body to its goal fell since the last regulation; -1 if that does not count."""
    goal, goal_state = graph.goals[number], records.goals[number]
    is_stopped = progress[goal.channel] >= records.channels[goal.channel].stop_at - PROGRESS_TOLERANCE
    stops_for_others = is_stopped and progress[goal.channel] < goal.progress - PROGRESS_TOLERANCE
    is_known = goal_state.reached_at == NOT_REACHED and np.isfinite(goal_state.previous_distance)
    if not is_known or goal_state.is_early or stops_for_others:
        return -1.0
    return max(float(goal_state.previous_distance) - distance_left, 0.0)


def arrival_time(own_time: float, other_own_time: float, other_meeting_time: float, min_speed_factor: float) -> float:
    """The time to a goal [s], `own_time` at nominal speed, of a participant of another meeting with its times.

    If the other goal is farther, it has the speed factor of that meeting, at least the minimum; else it continues from
    there at nominal speed.
    """
    if other_own_time > own_time:
        return min(other_meeting_time * (own_time / other_own_time), own_time / min_speed_factor)
    return other_meeting_time + (own_time - other_own_time)


def meeting_times(
    own_time: Floats, goal_channel: Ints, goal_meeting: Ints, is_at_goal: Bools, min_speed_factor: Floats
) -> Floats:
    """The time until each meeting is done (meetings,), set by its slowest participant with all delays by others [s].

    Goals are those of active meetings with the `own_time` of each; participants with `is_at_goal` wait there. The times
    of meetings in a deadlock have no limit: then other meetings delay none, and the deadlock is reported.
    """
    alone = np.zeros(goal_meeting.max(initial=-1) + 1)
    np.maximum.at(alone, goal_meeting[~is_at_goal], own_time[~is_at_goal])
    times = alone.copy()
    pairs = [
        (goal, other)
        for goal in np.flatnonzero(~is_at_goal).tolist()
        for other in np.flatnonzero(
            (goal_channel == goal_channel[goal]) & (goal_meeting != goal_meeting[goal])
        ).tolist()
    ]
    for _ in range(MAX_DELAY_ITERATIONS):
        previous = times.copy()
        for goal, other in pairs:
            meeting, min_factor = goal_meeting[goal], min_speed_factor[goal_channel[goal]]
            later = arrival_time(own_time[goal], own_time[other], previous[goal_meeting[other]], min_factor)
            times[meeting] = max(times[meeting], later)
        if (times <= previous * (1 + RELATIVE_TIME_TOLERANCE)).all():
            return times
    return alone


def smooth_speed_factor(
    speed_factor: float, desired_factor: float, reaction: float, seconds: float, is_free: bool
) -> float:
    """The speed factor some seconds later, as it approaches the desired one; sooner in a channel without meetings."""
    time_constant = reaction * (RELEASE_FRACTION if is_free else 1.0)
    return speed_factor + (1 - float(np.exp(-seconds / time_constant))) * (desired_factor - speed_factor)


NO_TIME = -1.0  # the own time of a goal that does not count now


class SpeedFactors(NamedTuple):
    """The speed factors of all channels, and how they are found."""

    own_time: Floats
    """(goals,) the time to each at nominal speed and measured efficiency [s], or NO_TIME"""
    meeting_time: Floats
    """(meetings,) until each is done [s]"""
    desired_factor: Floats
    """(channels,) of the nominal speed"""
    is_early: Bools
    """(goals,) whether the participant has to stop there, as it would be slower than its minimum"""
    is_free: Bools
    """(channels,) whether it takes part in no active meeting"""


def waits_at_goal(progress: float, goal_progress: float, waits_for_bodies: bool, is_early: bool) -> bool:
    """Whether a participant that has reached its goal waits there; it may have passed it before the meeting."""
    return is_early if waits_for_bodies else progress <= goal_progress + PROGRESS_TOLERANCE


def required_speed_factor(own_time: float, meeting_time: float, distance: float, is_clock: bool) -> float:
    """The speed factor with which a participant reaches its goal in `meeting_time` [s].

    That of a slowed clock is its `distance` [s] per time: its `own_time` includes the time in which its rate rises.
    """
    factor = own_time / meeting_time if meeting_time > 0 else 1.0
    return max(distance, 0.0) / meeting_time if is_clock and factor < 1 - RELATIVE_TIME_TOLERANCE else factor


def allocate_speed_factors(
    graph: SyncGraph, records: SyncRecords, progress: Floats, distance_left: Floats
) -> SpeedFactors:
    """Allocate speed factors to channels at `progress` (channels,), with `distance_left` (goals,) to their goals."""
    goals, states, nominal_speed = graph.goals, records.goals, graph.channels["nominal_speed"]
    is_open = states["reached_at"] == NOT_REACHED
    arrivals = zip(
        progress[goals["channel"]],
        goals["progress"],
        graph.meetings["waits_for_bodies"][goals["meeting"]],
        states["is_early"],
        strict=True,
    )
    counts = (records.meetings["state"][goals["meeting"]] == ACTIVE) & (
        is_open | np.array([waits_at_goal(*arrival) for arrival in arrivals], np.bool_)
    )
    speed = (nominal_speed * records.channels["efficiency"])[goals["channel"]]
    own_time = np.where(is_open, np.maximum(distance_left, 0.0) / speed, 0.0)
    active_times = meeting_times(
        own_time[counts],
        goals["channel"][counts],
        goals["meeting"][counts],
        ~is_open[counts],
        graph.channels["min_speed_factor"],
    )
    meeting_time = np.concatenate([active_times, np.zeros(len(graph.meetings) - len(active_times))])
    desired_factor, is_free = np.ones(len(progress)), np.ones(len(progress), np.bool_)
    is_early = states["is_early"].copy()
    for number in np.flatnonzero(counts).tolist():
        goal, channel = goals[number], int(goals[number].channel)
        if is_open[number]:
            time, distance = meeting_time[goal.meeting], goal.progress - progress[channel]
            factor = required_speed_factor(own_time[number], time, distance, channel >= graph.follower_channels)
            min_speed_factor = graph.channels[channel].min_speed_factor
            is_early[number] = factor < min_speed_factor
            desired_factor[channel] = min(desired_factor[channel], max(factor, min_speed_factor))
        else:  # it waits, and goes on at the speed at which it came
            desired_factor[channel] = min(desired_factor[channel], records.channels[channel].speed_factor)
        is_free[channel] = False
    return SpeedFactors(np.where(counts, own_time, NO_TIME), meeting_time, desired_factor, is_early, is_free)
