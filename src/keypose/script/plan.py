"""What is there to keep? A script and those who act in it, as arrays over which a compiled loop runs.

A strand is what goes on towards goals: the target of somebody's place, that of its turn, or the clock of a motion.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Self

import numpy as np

from keypose.maths import Bools, Floats, Ints
from keypose.motion import TimedMotion
from keypose.script.meeting import Meeting
from keypose.script.participant import Participant
from keypose.script.script import Script

StartProgress = Mapping[tuple[str, str], float]
"""By the names of a meeting and an actor: what its clock shows [s], or how far it has gone round."""
TargetParameters = Mapping[str, tuple[float, float, int]]
"""Where the targets of somebody's place and turn are, and of how many segments it goes round; 0 if it does not."""
FROM_START: StartProgress = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Plan:
    """All meetings of a script, and all strands that goals are on."""

    script: Script
    participants: Mapping[str, Participant]
    channels: tuple[tuple[str, bool], ...]
    """Whose each is, and whether it is that of its turn; first those who race a target."""
    follower_channels: int
    """How many strands race a target; the others are clocks."""
    nominal_speed: Floats
    """(strands,) how fast each goes on its own: [m/s], [rad/s], or seconds a second."""
    min_speed_factor: Floats
    reaction: Floats
    goal_channel: Ints
    """(goals,) meeting by meeting"""
    goal_progress: Floats
    """(goals,)"""
    goal_offsets: Ints
    """(meetings + 1,) where the goals of each begin"""
    waits_for_bodies: Bools
    gates: Bools
    patience: Floats
    parents: tuple[tuple[int, ...], ...]
    needs: tuple[int, ...]
    start_progress: StartProgress
    """Where who goes in rounds is when a meeting is said, where that is not at 0."""

    @classmethod
    def of(
        cls, script: Script, participants: Mapping[str, Participant], start_progress: StartProgress = FROM_START
    ) -> Self:
        """The plan of a script with these: everybody who acts in it, and motions that did before a change."""
        meeting_number = {meeting.name: count for count, meeting in enumerate(script)}
        located_goals = _locate_goals(script, participants, start_progress)
        channels_found = dict.fromkeys((name, is_rotation) for (_, name), (is_rotation, _) in located_goals.items())
        actors = {name for name, _ in channels_found}
        channels_found |= dict.fromkeys((name, False) for name in participants if name not in actors)
        followers = [channel for channel in channels_found if participants[channel[0]].motion is None]
        clocks = [channel for channel in channels_found if participants[channel[0]].motion is not None]
        channels = {channel: row for row, channel in enumerate([*followers, *clocks])}
        goal_channel, goal_progress, goal_offsets = list[int](), list[float](), [0]
        for meeting in script:
            for name in meeting.goals:
                is_rotation, progress = located_goals[meeting.name, name]
                goal_channel.append(channels[name, is_rotation])
                goal_progress.append(progress)
            goal_offsets.append(len(goal_progress))
        channel_participants = [(participants[name], is_rotation) for name, is_rotation in channels]
        meetings = script.meetings
        return cls(
            script,
            participants,
            tuple(channels),
            len(followers),
            np.array(
                [
                    participant.nominal_turn_speed if is_rotation else participant.nominal_speed
                    for participant, is_rotation in channel_participants
                ]
            ),
            np.array([participant.min_speed_factor for participant, _ in channel_participants]),
            np.array([participant.reaction for participant, _ in channel_participants]),
            np.array(goal_channel, dtype=np.int64),
            np.array(goal_progress),
            np.array(goal_offsets, dtype=np.int64),
            np.array([meeting.of == "bodies" for meeting in meetings], dtype=np.bool_),
            np.array([meeting.gate for meeting in meetings], dtype=np.bool_),
            np.array([meeting.patience for meeting in meetings]),
            tuple(tuple(meeting_number[parent] for parent in meeting.after) for meeting in meetings),
            tuple(len(meeting.after) if meeting.need is None else meeting.need for meeting in meetings),
            start_progress,
        )

    @cached_property
    def clocked_motions(self) -> dict[str, TimedMotion]:
        """The motions that go by clocks of their own, in the order of these."""
        participants = (self.participants[name] for name, _ in self.channels[self.follower_channels :])
        return {
            participant.name: TimedMotion(participant.motion, participant.facing)
            for participant in participants
            if participant.motion is not None
        }

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The meetings."""
        return tuple(meeting.name for meeting in self.script)

    @cached_property
    def goal_actors(self) -> tuple[str, ...]:
        """Whose goal each is."""
        return tuple(self.channels[channel][0] for channel in self.goal_channel.tolist())

    @cached_property
    def graph_arrays(self) -> tuple[Ints, Ints, Ints]:
        """Where the goals of each meeting begin, from which to which arrows lead (arrows, 2), how many each needs."""
        pairs = [(parent, child) for child, parents in enumerate(self.parents) for parent in parents]
        return self.goal_offsets, np.array(pairs, dtype=np.int64).reshape(-1, 2), np.array(self.needs, dtype=np.int64)

    @cached_property
    def goals_by_channel(self) -> tuple[tuple[tuple[float, int], ...], ...]:
        """The goals on each strand, from the first on: where, and of which meeting."""
        by_channel: list[list[tuple[float, int]]] = [[] for _ in self.channels]
        for meeting in range(len(self.names)):
            for goal in self.goals_of(meeting):
                by_channel[self.goal_channel[goal]].append((float(self.goal_progress[goal]), meeting))
        return tuple(tuple(sorted(goals)) for goals in by_channel)

    @cached_property
    def has_body_meetings(self) -> bool:
        """Whether bodies are to meet anywhere."""
        return bool(self.waits_for_bodies.any())

    @cached_property
    def channel_order(self) -> tuple[Ints, Ints, Ints, Ints]:
        """Goals strand by strand: the place of each, which they are, where strands begin; and the meeting of each."""
        _, _, _, _, _, meeting_of, order, channel_offsets, *_ = self.deadlock_arrays
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        return rank, order, channel_offsets, meeting_of  # type: ignore[return-value]

    @cached_property
    def deadlock_arrays(self) -> tuple[Ints | Floats | Bools, ...]:
        """Of what may tie meetings to each other: goals, the meeting of each, all on each strand, and parents."""
        counts = np.diff(self.goal_offsets)
        order = np.lexsort((self.goal_progress, self.goal_channel))
        channel_offsets = np.searchsorted(self.goal_channel[order], np.arange(len(self.channels) + 1))
        parents = np.array([parent for meeting_parents in self.parents for parent in meeting_parents], dtype=np.int64)
        parent_offsets = np.cumsum([0, *map(len, self.parents)])
        goals = self.goal_channel, self.goal_progress, self.goal_offsets, self.waits_for_bodies, self.gates
        return (
            *goals,
            np.repeat(np.arange(len(counts)), counts),
            order,
            channel_offsets,
            parents,
            parent_offsets,
            self.graph_arrays[2],
        )

    @cached_property
    def goal_lists(self) -> tuple[list[int], list[float], list[int]]:
        """The strand of each goal, where it is, and where the goals of each meeting begin."""
        return self.goal_channel.tolist(), self.goal_progress.tolist(), self.goal_offsets.tolist()

    def goals_of(self, meeting: int) -> range:
        """The goals of a meeting."""
        return range(int(self.goal_offsets[meeting]), int(self.goal_offsets[meeting + 1]))


def _locate_goals(
    script: Script, participants: Mapping[str, Participant], start_progress: StartProgress
) -> dict[tuple[str, str], tuple[bool, float]]:
    """Where the goal of each actor in each meeting is; in rounds, behind those of the meetings it comes after.

    So the same key, said in one meeting after another, is come to in one round after another. A distance counts from
    where the round began.
    """
    located: dict[tuple[str, str], tuple[bool, float]] = {}
    farthest: dict[str, dict[tuple[str, bool], float]] = {}
    for meeting in script.in_order():
        farthest_here = _farthest_goals(meeting, farthest)
        for name, goal in meeting.goals.items():
            participant = participants[name]
            is_rotation, progress = participant.locate_goal(goal, meeting.name)
            if participant.lap_length:
                start, previous = start_progress.get((meeting.name, name), 0.0), farthest_here.get((name, is_rotation))
                is_distance = isinstance(goal, float)
                progress = (
                    participant.pass_in_lap_of(start, progress)
                    if is_distance
                    else participant.next_pass(previous, progress, start)
                )
            located[meeting.name, name] = is_rotation, progress
            farthest_here[name, is_rotation] = max(progress, farthest_here.get((name, is_rotation), 0.0))
        farthest[meeting.name] = farthest_here
    return located


def _farthest_goals(
    meeting: Meeting, farthest: Mapping[str, Mapping[tuple[str, bool], float]]
) -> dict[tuple[str, bool], float]:
    """The farthest goals of all that a meeting comes after."""
    merged: dict[tuple[str, bool], float] = {}
    for parent in meeting.after:
        for channel, progress in farthest[parent].items():
            merged[channel] = max(progress, merged.get(channel, 0.0))
    return merged
