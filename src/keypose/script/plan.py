"""What is there to keep? A script and those who act in it, as arrays over which a compiled loop runs.

A strand is what goes on towards goals: the target of somebody's place, that of its turn, or the clock of a motion.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Self

import numpy as np

from keypose.maths.arrays import Bools, Floats, Ints
from keypose.motion.sync_protocol import Played
from keypose.script.meeting import Meeting
from keypose.script.participant import Runner
from keypose.script.script import Script

Begins = Mapping[tuple[str, str], float]
"""By the names of a meeting and an actor: what its clock shows [s], or how far it has gone round."""
Gone = Mapping[str, tuple[float, float, int]]
"""Where the targets of somebody's place and turn are, and of how many segments it goes round; 0 if it does not."""
FROM_THE_BEGINNING: Begins = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Plan:
    """All meetings of a script, and all strands that goals are on."""

    script: Script
    runners: Mapping[str, Runner]
    strands: tuple[tuple[str, bool], ...]
    """Whose each is, and whether it is that of its turn; first those who race a target."""
    races: int
    """How many strands race a target; the others are clocks."""
    pace: Floats
    """(strands,) how fast each goes on its own: [m/s], [rad/s], or seconds a second."""
    least: Floats
    reaction: Floats
    goal_strand: Ints
    """(goals,) meeting by meeting"""
    where: Floats
    """(goals,)"""
    first: Ints
    """(meetings + 1,) where the goals of each begin"""
    of_bodies: Bools
    gates: Bools
    patience: Floats
    parents: tuple[tuple[int, ...], ...]
    needs: tuple[int, ...]
    begins: Begins
    """Where who goes in rounds is when a meeting is said, where that is not at 0."""

    @classmethod
    def of(cls, script: Script, runners: Mapping[str, Runner], begins: Begins = FROM_THE_BEGINNING) -> Self:
        """The plan of a script with these: everybody who acts in it, and motions that did before a change."""
        number = {meeting.name: count for count, meeting in enumerate(script)}
        placed = _placed(script, runners, begins)
        found = dict.fromkeys((name, turns) for (_, name), (turns, _) in placed.items())
        acting = {name for name, _ in found}
        found |= dict.fromkeys((name, False) for name in runners if name not in acting)
        races = [strand for strand in found if runners[strand[0]].motion is None]
        clocks = [strand for strand in found if runners[strand[0]].motion is not None]
        strands = {strand: row for row, strand in enumerate([*races, *clocks])}
        goal_strand, where, first = list[int](), list[float](), [0]
        for meeting in script:
            for name in meeting.goals:
                turns, at = placed[meeting.name, name]
                goal_strand.append(strands[name, turns])
                where.append(at)
            first.append(len(where))
        own = [(runners[name], turns) for name, turns in strands]
        meetings = script.meetings
        return cls(
            script,
            runners,
            tuple(strands),
            len(races),
            np.array([one.turn_pace if turns else one.pace for one, turns in own]),
            np.array([one.least for one, _ in own]),
            np.array([one.reaction for one, _ in own]),
            np.array(goal_strand, dtype=np.int64),
            np.array(where),
            np.array(first, dtype=np.int64),
            np.array([meeting.of == "bodies" for meeting in meetings], dtype=np.bool_),
            np.array([meeting.gate for meeting in meetings], dtype=np.bool_),
            np.array([meeting.patience for meeting in meetings]),
            tuple(tuple(number[parent] for parent in meeting.after) for meeting in meetings),
            tuple(len(meeting.after) if meeting.need is None else meeting.need for meeting in meetings),
            begins,
        )

    @cached_property
    def timed(self) -> dict[str, Played]:
        """The motions that go by clocks of their own, in the order of these."""
        runners = (self.runners[name] for name, _ in self.strands[self.races :])
        return {one.name: Played(one.motion, one.facing) for one in runners if one.motion is not None}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The meetings."""
        return tuple(meeting.name for meeting in self.script)

    @cached_property
    def actors(self) -> tuple[str, ...]:
        """Whose goal each is."""
        return tuple(self.strands[strand][0] for strand in self.goal_strand.tolist())

    @cached_property
    def order(self) -> tuple[Ints, Ints, Ints]:
        """Where the goals of each meeting begin, from which to which arrows lead (arrows, 2), how many each needs."""
        pairs = [(parent, child) for child, parents in enumerate(self.parents) for parent in parents]
        return self.first, np.array(pairs, dtype=np.int64).reshape(-1, 2), np.array(self.needs, dtype=np.int64)

    @cached_property
    def goals_on(self) -> tuple[tuple[tuple[float, int], ...], ...]:
        """The goals on each strand, from the first on: where, and of which meeting."""
        found: list[list[tuple[float, int]]] = [[] for _ in self.strands]
        for meeting in range(len(self.names)):
            for goal in self.goals_of(meeting):
                found[self.goal_strand[goal]].append((float(self.where[goal]), meeting))
        return tuple(tuple(sorted(goals)) for goals in found)

    @cached_property
    def is_of_bodies(self) -> bool:
        """Whether bodies are to meet anywhere."""
        return bool(self.of_bodies.any())

    @cached_property
    def on_strands(self) -> tuple[Ints, Ints, Ints, Ints]:
        """Goals strand by strand: the place of each, which they are, where strands begin; and the meeting of each."""
        _, _, _, _, _, meeting_of, order, begins, *_ = self.ties
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        return rank, order, begins, meeting_of  # type: ignore[return-value]

    @cached_property
    def ties(self) -> tuple[Ints | Floats | Bools, ...]:
        """Of what may tie meetings to each other: goals, the meeting of each, all on each strand, and parents."""
        counts = np.diff(self.first)
        order = np.lexsort((self.where, self.goal_strand))
        begins = np.searchsorted(self.goal_strand[order], np.arange(len(self.strands) + 1))
        parents = np.array([parent for before in self.parents for parent in before], dtype=np.int64)
        born = np.cumsum([0, *map(len, self.parents)])
        goals = self.goal_strand, self.where, self.first, self.of_bodies, self.gates
        return *goals, np.repeat(np.arange(len(counts)), counts), order, begins, parents, born, self.order[2]

    @cached_property
    def goal_lists(self) -> tuple[list[int], list[float], list[int]]:
        """The strand of each goal, where it is, and where the goals of each meeting begin."""
        return self.goal_strand.tolist(), self.where.tolist(), self.first.tolist()

    def goals_of(self, meeting: int) -> range:
        """The goals of a meeting."""
        return range(int(self.first[meeting]), int(self.first[meeting + 1]))


def _placed(script: Script, runners: Mapping[str, Runner], begins: Begins) -> dict[tuple[str, str], tuple[bool, float]]:
    """Where the goal of each actor in each meeting is; in rounds, behind those of the meetings it comes after.

    So the same key, said in one meeting after another, is come to in one round after another. A distance counts from
    where the round began.
    """
    found: dict[tuple[str, str], tuple[bool, float]] = {}
    past: dict[str, dict[tuple[str, bool], float]] = {}
    for meeting in script.in_order():
        behind = _behind(meeting, past)
        for name, goal in meeting.goals.items():
            runner = runners[name]
            turns, at = runner.where(goal, meeting.name)
            if runner.round:
                since, last = begins.get((meeting.name, name), 0.0), behind.get((name, turns))
                is_far = isinstance(goal, float)
                at = runner.in_the_round_of(since, at) if is_far else runner.behind(last, at, since)
            found[meeting.name, name] = turns, at
            behind[name, turns] = max(at, behind.get((name, turns), 0.0))
        past[meeting.name] = behind
    return found


def _behind(meeting: Meeting, past: Mapping[str, Mapping[tuple[str, bool], float]]) -> dict[tuple[str, bool], float]:
    """The farthest goals of all that a meeting comes after."""
    found: dict[tuple[str, bool], float] = {}
    for parent in meeting.after:
        for strand, at in past[parent].items():
            found[strand] = max(at, found.get(strand, 0.0))
    return found
