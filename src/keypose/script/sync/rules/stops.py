"""Where is a strand to stop? The definition; `step.update_stops` is its twin.

At goals of active meetings, and of gates that wait. But who comes last to a goal has nobody to wait for and goes on:
then it is to know in time where it may have to stop next, for it is looked only now and then who has come.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from keypose.maths import PROGRESS_TOLERANCE
from keypose.motion import ACTIVE, DONE, FAILED, NO_STOP, WAITING

LOOKAHEAD_GOALS = 64  # goals that are looked at to see where who comes last has to stop next


@dataclass(frozen=True)
class GoalStatus:
    """A goal on a strand, as its meeting is just now."""

    progress: float
    meeting_state: int
    is_gate: bool
    waits_for_bodies: bool
    is_early: bool
    """Whether it has to stop there, of a meeting of bodies."""
    holds_target: bool
    """Whether its target stays there until its body has come, of a meeting of bodies."""
    is_at_goal: bool
    other_count: int
    """How many others there are in its meeting."""
    missing_count: int
    """How many of these have not come."""

    @property
    def is_last(self) -> bool:
        """Whether all the others have come, and only this strand has not."""
        return not self.is_at_goal and self.missing_count == 0


def can_pass(goal: GoalStatus) -> bool:
    """Whether a strand that comes to a goal need not stop there, as far as that is known before.

    A goal that it alone comes to counts at once when its meeting is active, also if that is only just then.
    """
    if goal.meeting_state in (DONE, FAILED):
        return True
    if goal.waits_for_bodies:
        return not goal.is_early and not goal.is_gate
    if goal.meeting_state == WAITING:
        return not goal.is_gate and goal.other_count == 0
    return goal.is_last


def next_stop(goals_ahead: Sequence[GoalStatus]) -> float:
    """Where a strand may have to stop next, of the goals ahead of it, in order; NO_STOP if nowhere.

    So many are looked at; behind them it will be looked again.
    """
    for goal in goals_ahead[:LOOKAHEAD_GOALS]:
        if not can_pass(goal):
            return goal.progress
    return goals_ahead[LOOKAHEAD_GOALS].progress if len(goals_ahead) > LOOKAHEAD_GOALS else NO_STOP


def find_stop(progress: float, goals: Sequence[GoalStatus]) -> float:
    """Where a strand is held that is at `progress`, of all goals on it, in order; NO_STOP if nowhere.

    Who has passed its goal is not held there any more. At a goal of bodies only who is too early has to stop, or has
    come and waits for the others, wherever its target is, or stays until its body has come, if its target has not gone
    on yet: all others go through together.
    """
    stop_at = NO_STOP
    for number, goal in enumerate(goals):
        if goal.meeting_state == ACTIVE and goal.waits_for_bodies:
            stop = (
                goal.progress
                if goal.is_early or (goal.holds_target and progress <= goal.progress + PROGRESS_TOLERANCE)
                else NO_STOP
            )
        elif progress > goal.progress + PROGRESS_TOLERANCE or (
            goal.meeting_state != ACTIVE and not (goal.meeting_state == WAITING and goal.is_gate)
        ):
            stop = NO_STOP
        else:
            comes_last = goal.meeting_state == ACTIVE and goal.is_last
            stop = next_stop(goals[number + 1 :]) if comes_last else goal.progress
        stop_at = min(stop_at, stop)
    return stop_at
