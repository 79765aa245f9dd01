"""Which meetings hold each other up? Each waits for somebody whom the next one holds, until that comes round."""

from collections.abc import Collection, Iterable

import numpy as np

from keypose.maths import PROGRESS_TOLERANCE, Bools, Floats, Ints
from keypose.motion import ACTIVE, DONE, WAITING
from keypose.script.plan import Plan


class Deadlocks:
    """Who waits for whom, by where all strands are."""

    def __init__(
        self, plan: Plan, state: Ints, reached_at: Floats, is_early: Bools, holds_target: Bools, progress: Floats
    ) -> None:
        self._plan = plan
        self._goal_channel, self._goal_progress, self._goal_offsets = (
            plan.goal_lists
        )  # numbers are asked for faster in lists
        self._state, self._progress, self._is_early, self._holds_target = (
            state.tolist(),
            progress.tolist(),
            is_early.tolist(),
            holds_target.tolist(),
        )
        self._is_open = np.isnan(reached_at).tolist()

    def find_cycle(self, candidates: Collection[int]) -> list[int]:
        """Meetings each of which waits for the next, the last for the first, one of those who ask among them.

        Nothing if there are none. Who is held, or will be when it has come to a goal, is waited for until that meeting
        is done.
        """
        waits = self._deadlock_graph(self._wait_graph(candidates))
        for first in sorted(waits.keys() & candidates):
            visited, meeting = dict[int, None](), first
            while meeting not in visited:
                visited[meeting] = None
                meeting = next(other for other in waits[meeting] if other in waits)
            cycle = list(visited)[list(visited).index(meeting) :]
            if any(member in candidates for member in cycle):
                return cycle
        return []

    def _wait_graph(self, candidates: Iterable[int]) -> dict[int, list[int]]:
        """For which others each waits, of those who ask and all that these wait for, on and on."""
        graph, stack = dict[int, list[int]](), list(candidates)
        while stack:
            meeting = stack.pop()
            if meeting not in graph:
                graph[meeting] = (
                    self._open_parents(meeting) if self._state[meeting] == WAITING else self._blocking_meetings(meeting)
                )
                stack += graph[meeting]
        return graph

    def _deadlock_graph(self, waits: dict[int, list[int]]) -> dict[int, list[int]]:
        """Those of them that can never be, as others of them would have to be done before."""
        missing, dependents = dict[int, int](), {meeting: list[int]() for meeting in waits}
        for meeting, others in waits.items():
            missing[meeting] = len(others) if self._state[meeting] == ACTIVE else self._missing_parents(meeting)
            for other in others:
                dependents[other].append(meeting)
        free = [meeting for meeting, count in missing.items() if count <= 0]
        while free:
            meeting = free.pop()
            del waits[meeting]
            for other in dependents[meeting]:
                missing[other] -= 1
                if missing[other] == 0:
                    free.append(other)
        return waits

    def _missing_parents(self, meeting: int) -> int:
        """How many more of those it comes after a meeting needs."""
        parents = self._plan.parents[meeting]
        return self._plan.needs[meeting] - [self._state[parent] for parent in parents].count(DONE)

    def _open_parents(self, meeting: int) -> list[int]:
        return [parent for parent in self._plan.parents[meeting] if self._state[parent] in (WAITING, ACTIVE)]

    def _blocking_meetings(self, meeting: int) -> list[int]:
        """The meetings whose goals somebody does not pass on its way to this one before they are done."""
        blocking = dict[int, None]()
        for goal in range(self._goal_offsets[meeting], self._goal_offsets[meeting + 1]):
            channel, goal_progress = self._goal_channel[goal], self._goal_progress[goal]
            if (
                self._is_open[goal] and self._progress[channel] < goal_progress - PROGRESS_TOLERANCE
            ):  # else its body follows
                for progress, other in self._plan.goals_by_channel[channel]:
                    if progress >= goal_progress:
                        break
                    if other != meeting and self._is_blocking(other, channel, progress):
                        blocking[other] = None
        return list(blocking)

    def _is_blocking(self, meeting: int, channel: int, goal_progress: float) -> bool:
        """Whether a strand waits at its goal of a meeting, or will; where a body will that is to come nobody knows."""
        state, is_before = self._state[meeting], bool(self._progress[channel] <= goal_progress + PROGRESS_TOLERANCE)
        if state == ACTIVE and self._plan.waits_for_bodies[meeting]:
            goals = range(self._goal_offsets[meeting], self._goal_offsets[meeting + 1])
            stops = (
                self._is_early[goal] or (self._holds_target[goal] and is_before)
                for goal in goals
                if self._goal_channel[goal] == channel
            )
            return any(stops)
        if state != ACTIVE and not (state == WAITING and self._plan.gates[meeting]):
            return False
        return is_before
