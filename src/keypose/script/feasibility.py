"""Can a script be kept at all? It is tried with everybody as quick as can be, and refused if that ends in a circle."""

from collections.abc import Iterable, Sequence
from itertools import takewhile

from keypose.errors import KeyposeError, short_repr
from keypose.motion import ACTIVE, DONE, NO_STOP, WAITING
from keypose.script.plan import Plan

MAX_LISTED_STEPS = 3  # steps of a circle in a sentence


def check_feasibility(plan: Plan) -> None:
    """Refuse a script some meeting of which can never happen, however everybody goes."""
    trial = FeasibilityTrial(plan)
    for meeting, state in enumerate(trial.state):
        if state != DONE:
            cycle = trial.describe_cycle(meeting)
            raise KeyposeError(f"{cycle} Let one of them come after the other, or give other goals.", at=(meeting,))


class FeasibilityTrial:
    """How far a script comes at best: all are as quick as can be, and pass what waits before it is active."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.state = [WAITING] * len(plan.names)
        self._progress = [-1.0] * len(plan.channels)
        self._blocking_meeting: list[int | None] = [None] * len(plan.channels)
        self._goals_ahead = [list(reversed(goals)) for goals in plan.goals_by_channel]
        self._is_gate: list[bool] = plan.graph.meetings["is_gate"].tolist()
        self._parents_needed: list[int] = plan.graph.meetings["need"].tolist()
        """How many of those it comes after are still to be done before each is active."""
        self._children: list[list[int]] = [[] for _ in plan.names]
        for meeting, parents in enumerate(plan.parents):
            for parent in parents:
                self._children[parent].append(meeting)
        self._run()

    def _run(self) -> None:
        plan = self._plan
        candidates: set[int] = set(self._activate(range(len(plan.names))))
        done: list[int] = []
        free_channels = set(range(len(plan.channels)))
        while candidates or free_channels:
            candidates |= {meeting for channel in free_channels for meeting in self._advance(channel)}
            free_channels = set()
            for meeting in candidates:
                if self.state[meeting] == ACTIVE and self._is_complete(meeting):
                    self.state[meeting] = DONE
                    done.append(meeting)
                    free_channels |= {int(plan.goal_channel[goal]) for goal in plan.goals_of(meeting)}
            candidates = set()
            if not free_channels:
                children = [child for meeting in done for child in self._children[meeting]]
                for child in children:
                    self._parents_needed[child] -= 1
                candidates, done = set(self._activate(children)), []

    def _activate(self, meetings: Iterable[int]) -> list[int]:
        """Those of some meetings that become active now."""
        activated = [
            meeting for meeting in meetings if self.state[meeting] == WAITING and self._parents_needed[meeting] <= 0
        ]
        for meeting in activated:
            self.state[meeting] = ACTIVE
        return activated

    def _advance(self, channel: int) -> list[int]:
        """Advance a channel as far as it may go; return the meetings whose goals it has reached there."""
        goals = self._goals_ahead[channel]
        while goals:
            progress, meeting = goals[-1]
            if self.state[meeting] == ACTIVE or (self.state[meeting] == WAITING and self._is_gate[meeting]):
                self._progress[channel], self._blocking_meeting[channel] = (
                    max(progress, self._progress[channel]),
                    meeting,
                )
                return _meetings_at(progress, goals)
            goals.pop()
        self._progress[channel], self._blocking_meeting[channel] = NO_STOP, None
        return []

    def _is_complete(self, meeting: int) -> bool:
        return all(self._is_at_goal(goal) for goal in self._plan.goals_of(meeting))

    def _is_at_goal(self, goal: int) -> bool:
        return bool(self._plan.goal_progress[goal] <= self._progress[self._plan.goal_channel[goal]])

    def describe_cycle(self, meeting: int) -> str:
        """Why a meeting can never happen, from one that waits to the next, until that comes round."""
        plan, path, steps = self._plan, list[int](), list[str]()
        while meeting not in path:
            path.append(meeting)
            name = short_repr(plan.names[meeting])
            if self.state[meeting] == WAITING:
                next_meeting = next(parent for parent in plan.parents[meeting] if self.state[parent] != DONE)
                steps.append(f"{name} comes after {short_repr(plan.names[next_meeting])}")
            else:
                goal = next(goal for goal in plan.goals_of(meeting) if not self._is_at_goal(goal))
                blocking = self._blocking_meeting[plan.goal_channel[goal]]
                assert blocking is not None, "who is not held comes to all its goals"
                next_meeting = blocking
                steps.append(
                    f"{name} waits for {short_repr(plan.goal_actors[goal])}, who waits for "
                    f"{short_repr(plan.names[next_meeting])}"
                )
            meeting = next_meeting
        steps = steps[path.index(meeting) :]
        listed = steps if len(steps) <= MAX_LISTED_STEPS else [*steps[:2], "…", steps[-1]]
        return f"Meetings wait for each other in a circle: {', '.join(listed)}."


def _meetings_at(progress: float, goals: Sequence[tuple[float, int]]) -> list[int]:
    """The meetings of the last of these goals, as many as are at this place."""
    return [meeting for _, meeting in takewhile(lambda goal: goal[0] == progress, reversed(goals))]
