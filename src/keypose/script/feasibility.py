"""Can a script be kept at all? It is tried with everybody as quick as can be, and refused if that ends in a circle."""

from collections.abc import Iterable, Sequence
from itertools import takewhile

from keypose.errors import KeyposeError, shown
from keypose.motion.sync_protocol import ACTIVE, DONE, FAR, WAITING
from keypose.script.plan import Plan

LONGEST_TOLD = 3  # steps of a circle in a sentence


def check(plan: Plan) -> None:
    """Refuse a script some meeting of which can never happen, however everybody goes."""
    trial = Trial(plan)
    for meeting, how in enumerate(trial.state):
        if how != DONE:
            told = trial.circle(meeting)
            raise KeyposeError(f"{told} Let one of them come after the other, or give other goals.", at=(meeting,))


class Trial:
    """How far a script comes at best: all are as quick as can be, and pass what waits before it is active."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.state = [WAITING] * len(plan.names)
        self._place = [-1.0] * len(plan.strands)
        self._holder: list[int | None] = [None] * len(plan.strands)
        self._goals = [list(reversed(goals)) for goals in plan.goals_on]
        self._needs = list(plan.needs)
        """How many of those it comes after are still to be done before each is active."""
        self._children: list[list[int]] = [[] for _ in plan.names]
        for meeting, parents in enumerate(plan.parents):
            for parent in parents:
                self._children[parent].append(meeting)
        self._play()

    def _play(self) -> None:
        plan = self._plan
        asked: set[int] = set(self._activated(range(len(plan.names))))
        done: list[int] = []
        moving = set(range(len(plan.strands)))
        while asked or moving:
            asked |= {meeting for strand in moving for meeting in self._go_on(strand)}
            moving = set()
            for meeting in asked:
                if self.state[meeting] == ACTIVE and self._is_reached(meeting):
                    self.state[meeting] = DONE
                    done.append(meeting)
                    moving |= {int(plan.goal_strand[goal]) for goal in plan.goals_of(meeting)}
            asked = set()
            if not moving:
                children = [child for meeting in done for child in self._children[meeting]]
                for child in children:
                    self._needs[child] -= 1
                asked, done = set(self._activated(children)), []

    def _activated(self, meetings: Iterable[int]) -> list[int]:
        """Those of some meetings that become active now."""
        found = [meeting for meeting in meetings if self.state[meeting] == WAITING and self._needs[meeting] <= 0]
        for meeting in found:
            self.state[meeting] = ACTIVE
        return found

    def _go_on(self, strand: int) -> list[int]:
        """Let a strand go on as far as it may; the meetings it has come to there."""
        goals = self._goals[strand]
        while goals:
            where, meeting = goals[-1]
            if self.state[meeting] == ACTIVE or (self.state[meeting] == WAITING and self._plan.gates[meeting]):
                self._place[strand], self._holder[strand] = max(where, self._place[strand]), meeting
                return _at(where, goals)
            goals.pop()
        self._place[strand], self._holder[strand] = FAR, None
        return []

    def _is_reached(self, meeting: int) -> bool:
        return all(self._has_come(goal) for goal in self._plan.goals_of(meeting))

    def _has_come(self, goal: int) -> bool:
        return bool(self._plan.where[goal] <= self._place[self._plan.goal_strand[goal]])

    def circle(self, meeting: int) -> str:
        """Why a meeting can never happen, from one that waits to the next, until that comes round."""
        plan, way, told = self._plan, list[int](), list[str]()
        while meeting not in way:
            way.append(meeting)
            name = shown(plan.names[meeting])
            if self.state[meeting] == WAITING:
                following = next(parent for parent in plan.parents[meeting] if self.state[parent] != DONE)
                told.append(f"{name} comes after {shown(plan.names[following])}")
            else:
                goal = next(goal for goal in plan.goals_of(meeting) if not self._has_come(goal))
                held = self._holder[plan.goal_strand[goal]]
                assert held is not None, "who is not held comes to all its goals"
                following = held
                told.append(
                    f"{name} waits for {shown(plan.actors[goal])}, who waits for {shown(plan.names[following])}"
                )
            meeting = following
        told = told[way.index(meeting) :]
        short = told if len(told) <= LONGEST_TOLD else [*told[:2], "…", told[-1]]
        return f"Meetings wait for each other in a circle: {', '.join(short)}."


def _at(where: float, goals: Sequence[tuple[float, int]]) -> list[int]:
    """The meetings of the last of these goals, as many as are at this place."""
    return [meeting for _, meeting in takewhile(lambda goal: goal[0] == where, reversed(goals))]
