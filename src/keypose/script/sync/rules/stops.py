"""Where is a strand to stop? The definition; `kernels.held` is its twin.

At goals of active meetings, and of gates that wait. But who comes last to a goal has nobody to wait for and goes on:
then it is to know in time where it may have to stop next, for it is looked only now and then who has come.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from keypose.maths.tolerance import PROGRESS_TOLERANCE
from keypose.motion.sync_protocol import ACTIVE, DONE, FAILED, FAR, WAITING
from keypose.script.sync.rules.speed_shares import AHEAD


@dataclass(frozen=True)
class Goal:
    """A goal on a strand, as its meeting is just now."""

    where: float
    state: int
    is_gate: bool
    of_bodies: bool
    is_early: bool
    """Whether it has to stop there, of a meeting of bodies."""
    stays: bool
    """Whether its target stays there until its body has come, of a meeting of bodies."""
    has_come: bool
    others: int
    """How many others there are in its meeting."""
    missing: int
    """How many of these have not come."""

    @property
    def is_last(self) -> bool:
        """Whether all the others have come, and only this strand has not."""
        return not self.has_come and self.missing == 0


def passes(goal: Goal) -> bool:
    """Whether a strand that comes to a goal need not stop there, as far as that is known before.

    A goal that it alone comes to counts at once when its meeting is active, also if that is only just then.
    """
    if goal.state in (DONE, FAILED):
        return True
    if goal.of_bodies:
        return not goal.is_early and not goal.is_gate
    if goal.state == WAITING:
        return not goal.is_gate and goal.others == 0
    return goal.is_last


def next_stop(ahead: Sequence[Goal]) -> float:
    """Where a strand may have to stop next, of the goals ahead of it, in order; FAR if nowhere.

    So many are looked at; behind them it will be looked again.
    """
    for goal in ahead[:AHEAD]:
        if not passes(goal):
            return goal.where
    return ahead[AHEAD].where if len(ahead) > AHEAD else FAR


def held(at: float, goals: Sequence[Goal]) -> float:
    """Where a strand is held that is at `at`, of all goals on it, in order; FAR if nowhere.

    Who has passed its goal is not held there any more. At a goal of bodies only who is too early has to stop, or has
    come and waits for the others, wherever its target is, or stays until its body has come, if its target has not gone
    on yet: all others go through together.
    """
    hold = FAR
    for number, goal in enumerate(goals):
        if goal.state == ACTIVE and goal.of_bodies:
            stop = goal.where if goal.is_early or (goal.stays and at <= goal.where + PROGRESS_TOLERANCE) else FAR
        elif at > goal.where + PROGRESS_TOLERANCE or (
            goal.state != ACTIVE and not (goal.state == WAITING and goal.is_gate)
        ):
            stop = FAR
        else:
            comes_last = goal.state == ACTIVE and goal.is_last
            stop = next_stop(goals[number + 1 :]) if comes_last else goal.where
        hold = min(hold, stop)
    return hold
