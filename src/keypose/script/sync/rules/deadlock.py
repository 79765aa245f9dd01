"""Which meetings wait for each other in a circle? Each waits for a participant that the next one stops."""

from collections.abc import Collection, Iterable

import numpy as np

from keypose.maths import PROGRESS_TOLERANCE, Bools, Floats
from keypose.motion import ACTIVE, DONE, WAITING, SyncGraph, SyncRecords


def has_deadlock(graph: SyncGraph, records: SyncRecords, progress: Floats, candidates: Bools) -> bool:
    """Whether any of the `candidates` (meetings,) can never be done. `kernels.deadlock` is asked first, if compiled."""
    numbers = np.flatnonzero(candidates).tolist()
    return not Deadlocks(graph, records, progress).deadlocked_meetings(numbers).isdisjoint(numbers)


def is_blocking(state: int, is_gate: bool, waits_for_bodies: bool, stops: tuple[bool, bool], is_before: bool) -> bool:
    """Whether a channel stops at its goal of a meeting in this state, or will.

    `stops` tells whether it is early there, and whether its target must stay there; `is_before`, whether it has not
    passed the goal. Where a body will stop that has not come is not known.
    """
    is_early, holds_target = stops
    if state == ACTIVE and waits_for_bodies:
        return is_early or (holds_target and is_before)
    return is_before and (state == ACTIVE or (state == WAITING and is_gate))


class Deadlocks:
    """Which meeting waits for which, where channels are at `progress` (channels,)."""

    def __init__(self, graph: SyncGraph, records: SyncRecords, progress: Floats) -> None:
        meetings, goals, channels = graph.meetings, graph.goals, graph.channels
        self._goals = _ranges(meetings["first_goal"], meetings["end_goal"])  # numbers are faster to read from lists
        self._parents = [graph.parents[one.start : one.stop].tolist() for one in _ranges(*_parent_bounds(graph))]
        self._needs, self._is_gate = meetings["need"].tolist(), meetings["is_gate"].tolist()
        self._waits_for_bodies = meetings["waits_for_bodies"].tolist()
        self._channel, self._meeting, self._goal_progress = (
            goals["channel"].tolist(),
            goals["meeting"].tolist(),
            goals["progress"].tolist(),
        )
        ranks = _ranges(channels["first_rank"], channels["end_rank"])
        self._channel_goals = [graph.channel_goals[one.start : one.stop].tolist() for one in ranks]
        self._state, self._progress = records.meetings["state"].tolist(), progress.tolist()
        self._stops = list(zip(records.goals["is_early"].tolist(), records.goals["holds_target"].tolist(), strict=True))
        self._is_open = (records.goals["reached_at"] < 0.0).tolist()

    def find_cycle(self, candidates: Collection[int]) -> list[int]:
        """Meetings each of which waits for the next, the last for the first, at least one candidate among them.

        Empty if there are none. Where a participant is stopped, or will be when it reaches a goal, a meeting waits for
        the one that stops it.
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

    def deadlocked_meetings(self, candidates: Collection[int]) -> set[int]:
        """The candidates that can never be done, and the meetings for which they wait that cannot either."""
        return set(self._deadlock_graph(self._wait_graph(candidates)))

    def _wait_graph(self, candidates: Iterable[int]) -> dict[int, list[int]]:
        """The meetings for which each waits, of the candidates and all for which these wait."""
        graph, stack = dict[int, list[int]](), list(candidates)
        while stack:
            meeting = stack.pop()
            if meeting not in graph:
                is_waiting = self._state[meeting] == WAITING
                graph[meeting] = self._open_parents(meeting) if is_waiting else self._blocking_meetings(meeting)
                stack += graph[meeting]
        return graph

    def _deadlock_graph(self, waits: dict[int, list[int]]) -> dict[int, list[int]]:
        """Those of them that can never be done, as others of them would have to be done before."""
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
        """How many more of its parents a meeting needs."""
        need: int = self._needs[meeting]
        return need - [self._state[parent] for parent in self._parents[meeting]].count(DONE)

    def _open_parents(self, meeting: int) -> list[int]:
        return [parent for parent in self._parents[meeting] if self._state[parent] in (WAITING, ACTIVE)]

    def _blocking_meetings(self, meeting: int) -> list[int]:
        """The meetings whose goals a participant does not pass on its way to this one before they are done."""
        blocking = dict[int, None]()
        for goal in self._goals[meeting]:
            progress, goal_progress = self._progress[self._channel[goal]], self._goal_progress[goal]
            if not self._is_open[goal] or progress >= goal_progress - PROGRESS_TOLERANCE:
                continue
            for earlier in self._channel_goals[self._channel[goal]]:
                if self._goal_progress[earlier] >= goal_progress:
                    break
                other = self._meeting[earlier]
                is_before = progress <= self._goal_progress[earlier] + PROGRESS_TOLERANCE
                spec = self._state[other], self._is_gate[other], self._waits_for_bodies[other]
                if other != meeting and is_blocking(*spec, self._stops[earlier], is_before):
                    blocking[other] = None
        return list(blocking)


def _parent_bounds(graph: SyncGraph) -> tuple[np.ndarray, np.ndarray]:
    return graph.meetings["first_parent"], graph.meetings["end_parent"]


def _ranges(starts: np.ndarray, ends: np.ndarray) -> list[range]:
    return [range(start, end) for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
