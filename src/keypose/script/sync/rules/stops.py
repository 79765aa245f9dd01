"""Where each channel stops (LG95 §5): at goals of active meetings and of waiting gates. `kernels.stops` is compiled.

The last participant of a meeting does not stop at its goal. As arrivals are checked only every CHECK_PERIOD, it is
given the next goal at which it may have to stop.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from keypose.maths import PROGRESS_TOLERANCE, Floats
from keypose.motion import ACTIVE, DONE, FAILED, NO_STOP, NOT_REACHED, WAITING, SyncGraph, SyncRecords

LOOKAHEAD_GOALS = 64  # goals behind that of the last participant that are checked


@dataclass(frozen=True)
class GoalStatus:
    """A goal on a channel, with the current state of its meeting."""

    progress: float
    meeting_state: int
    is_gate: bool
    waits_for_bodies: bool
    is_early: bool
    """Whether the channel has to stop there, in a meeting of bodies."""
    holds_target: bool
    """Whether the target stays there until its body has arrived, in a meeting of bodies."""
    is_at_goal: bool
    other_count: int
    """How many other participants its meeting has."""
    missing_count: int
    """How many of these have not reached their goals."""

    @property
    def is_last(self) -> bool:
        """Whether only this channel has not reached its goal."""
        return not self.is_at_goal and self.missing_count == 0


def can_pass(goal: GoalStatus) -> bool:
    """Whether a channel that reaches a goal need not stop there, as far as that is known before.

    A goal without other participants is reached at once when its meeting becomes active.
    """
    if goal.meeting_state in (DONE, FAILED):
        return True
    if goal.waits_for_bodies:
        return not goal.is_early and not goal.is_gate
    if goal.meeting_state == WAITING:
        return not goal.is_gate and goal.other_count == 0
    return goal.is_last


def next_stop(goals_ahead: Sequence[GoalStatus]) -> float:
    """Where a channel may have to stop next, of the goals ahead of it, in order; NO_STOP if nowhere.

    Behind LOOKAHEAD_GOALS it stops, and is checked again.
    """
    for goal in goals_ahead[:LOOKAHEAD_GOALS]:
        if not can_pass(goal):
            return goal.progress
    return goals_ahead[LOOKAHEAD_GOALS].progress if len(goals_ahead) > LOOKAHEAD_GOALS else NO_STOP


def find_stop(progress: float, goals: Sequence[GoalStatus]) -> float:
    """Where a channel at `progress` stops, of all goals on it, in order; NO_STOP if nowhere.

    It does not stop at a goal that it has passed. In a meeting of bodies a channel stops only if it is early, or its
    body has arrived and waits for the others, wherever its target is, or if its target stays until its body has
    arrived.
    """
    stop_at = NO_STOP
    for number, goal in enumerate(goals):
        is_before = progress <= goal.progress + PROGRESS_TOLERANCE
        if goal.meeting_state == ACTIVE and goal.waits_for_bodies:
            stop = goal.progress if goal.is_early or (goal.holds_target and is_before) else NO_STOP
        elif not is_before:
            stop = NO_STOP
        elif goal.meeting_state == ACTIVE:
            stop = next_stop(goals[number + 1 :]) if goal.is_last else goal.progress
        else:
            stop = goal.progress if goal.meeting_state == WAITING and goal.is_gate else NO_STOP
        stop_at = min(stop_at, stop)
    return stop_at


def update_stops(graph: SyncGraph, records: SyncRecords, progress: Floats) -> None:
    """Update where each channel stops, at `progress` (channels,)."""
    for channel, channel_progress in enumerate(progress.tolist()):
        records.channels[channel].stop_at = find_stop(channel_progress, goals_on_channel(graph, records, channel))


def goals_on_channel(graph: SyncGraph, records: SyncRecords, channel: int) -> list[GoalStatus]:
    """All goals on a channel, in the order of their progress."""
    is_missing = records.goals["reached_at"] == NOT_REACHED
    statuses = list[GoalStatus]()
    for number in graph.channel_goals[graph.channels[channel].first_rank : graph.channels[channel].end_rank].tolist():
        goal, goal_state = graph.goals[number], records.goals[number]
        meeting = graph.meetings[goal.meeting]
        missing_count = np.count_nonzero(is_missing[meeting.first_goal : meeting.end_goal])
        statuses.append(
            GoalStatus(
                progress=goal.progress,
                meeting_state=records.meetings[goal.meeting].state,
                is_gate=meeting.is_gate,
                waits_for_bodies=meeting.waits_for_bodies,
                is_early=goal_state.is_early,
                holds_target=goal_state.holds_target,
                is_at_goal=not is_missing[number],
                other_count=meeting.end_goal - meeting.first_goal - 1,
                missing_count=missing_count - is_missing[number],
            )
        )
    return statuses
