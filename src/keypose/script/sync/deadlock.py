"""Which meetings hold each other up? Each waits for somebody whom the next one holds, until that comes round."""

from collections.abc import Collection, Iterable

import numpy as np

from keypose.maths.arrays import Bools, Floats, Ints
from keypose.maths.tolerance import PROGRESS_TOLERANCE
from keypose.motion.sync_protocol import ACTIVE, DONE, WAITING
from keypose.script.plan import Plan


class Ties:
    """Who waits for whom, by where all strands are."""

    def __init__(self, plan: Plan, state: Ints, reached: Floats, early: Bools, stays: Bools, at: Floats) -> None:
        self._plan = plan
        self._strand, self._where, self._first = plan.goal_lists  # numbers are asked for faster in lists
        self._state, self._at, self._early, self._stays = state.tolist(), at.tolist(), early.tolist(), stays.tolist()
        self._is_open = np.isnan(reached).tolist()

    def circle(self, asking: Collection[int]) -> list[int]:
        """Meetings each of which waits for the next, the last for the first, one of those who ask among them.

        Nothing if there are none. Who is held, or will be when it has come to a goal, is waited for until that meeting
        is done.
        """
        waits = self._tied(self._waiting(asking))
        for first in sorted(waits.keys() & asking):
            way, meeting = dict[int, None](), first
            while meeting not in way:
                way[meeting] = None
                meeting = next(other for other in waits[meeting] if other in waits)
            circle = list(way)[list(way).index(meeting) :]
            if any(one in asking for one in circle):
                return circle
        return []

    def _waiting(self, asking: Iterable[int]) -> dict[int, list[int]]:
        """For which others each waits, of those who ask and all that these wait for, on and on."""
        found, ahead = dict[int, list[int]](), list(asking)
        while ahead:
            meeting = ahead.pop()
            if meeting not in found:
                found[meeting] = self._parents(meeting) if self._state[meeting] == WAITING else self._holders(meeting)
                ahead += found[meeting]
        return found

    def _tied(self, waits: dict[int, list[int]]) -> dict[int, list[int]]:
        """Those of them that can never be, as others of them would have to be done before."""
        lacks, behind = dict[int, int](), {meeting: list[int]() for meeting in waits}
        for meeting, others in waits.items():
            lacks[meeting] = len(others) if self._state[meeting] == ACTIVE else self._lacks(meeting)
            for other in others:
                behind[other].append(meeting)
        free = [meeting for meeting, count in lacks.items() if count <= 0]
        while free:
            meeting = free.pop()
            del waits[meeting]
            for other in behind[meeting]:
                lacks[other] -= 1
                if lacks[other] == 0:
                    free.append(other)
        return waits

    def _lacks(self, meeting: int) -> int:
        """How many more of those it comes after a meeting needs."""
        parents = self._plan.parents[meeting]
        return self._plan.needs[meeting] - [self._state[parent] for parent in parents].count(DONE)

    def _parents(self, meeting: int) -> list[int]:
        return [parent for parent in self._plan.parents[meeting] if self._state[parent] in (WAITING, ACTIVE)]

    def _holders(self, meeting: int) -> list[int]:
        """The meetings whose goals somebody does not pass on its way to this one before they are done."""
        found = dict[int, None]()
        for goal in range(self._first[meeting], self._first[meeting + 1]):
            strand, there = self._strand[goal], self._where[goal]
            if self._is_open[goal] and self._at[strand] < there - PROGRESS_TOLERANCE:  # else its body follows
                for where, other in self._plan.goals_on[strand]:
                    if where >= there:
                        break
                    if other != meeting and self._holds(other, strand, where):
                        found[other] = None
        return list(found)

    def _holds(self, meeting: int, strand: int, where: float) -> bool:
        """Whether a strand waits at its goal of a meeting, or will; where a body will that is to come nobody knows."""
        state, is_before = self._state[meeting], bool(self._at[strand] <= where + PROGRESS_TOLERANCE)
        if state == ACTIVE and self._plan.of_bodies[meeting]:
            goals = range(self._first[meeting], self._first[meeting + 1])
            stop = (
                self._early[goal] or (self._stays[goal] and is_before) for goal in goals if self._strand[goal] == strand
            )
            return any(stop)
        if state != ACTIVE and not (state == WAITING and self._plan.gates[meeting]):
            return False
        return is_before
