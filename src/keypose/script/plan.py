"""The plan of a script: its meetings, goals and channels as records that the rules read.

A channel is what goes on towards goals: the target of a follower's position or rotation, or the clock of a motion.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Self

import numpy as np

from keypose.maths import Floats, Ints, RecordArray
from keypose.motion import CHANNEL, GOAL, MEETING, SyncGraph, TimedMotion
from keypose.script.meeting import Meeting
from keypose.script.participant import Participant
from keypose.script.script import Script

StartProgress = Mapping[tuple[str, str], float]
"""By the names of a meeting and an actor: the time of its clock [s], or the progress of its laps."""
TargetParameters = Mapping[str, tuple[float, float, int]]
"""The parameters of the targets of a follower's position and rotation, and the segments of a lap; 0 without laps."""
FROM_START: StartProgress = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Plan:
    """All meetings of a script, and all channels with goals."""

    script: Script
    participants: Mapping[str, Participant]
    channels: tuple[tuple[str, bool], ...]
    """The actor of each, and whether it is that of its rotation; first the targets of followers, then clocks."""
    graph: SyncGraph
    start_progress: StartProgress
    """Where laps of an actor are when a meeting is given, if not at 0."""

    @classmethod
    def of(
        cls, script: Script, participants: Mapping[str, Participant], start_progress: StartProgress = FROM_START
    ) -> Self:
        """The plan of a script: `participants` are all actors in it, and motions that were in it before a change."""
        located_goals = _locate_goals(script, participants, start_progress)
        channels_found = dict.fromkeys((name, is_rotation) for (_, name), (is_rotation, _) in located_goals.items())
        actors = {name for name, _ in channels_found}
        channels_found |= dict.fromkeys((name, False) for name in participants if name not in actors)
        followers = [channel for channel in channels_found if participants[channel[0]].motion is None]
        clocks = [channel for channel in channels_found if participants[channel[0]].motion is not None]
        channels = (*followers, *clocks)
        goals = _goal_records(script, located_goals, channels)
        channel_goals = np.lexsort((goals["progress"], goals["channel"])).astype(np.int64)
        goals["rank"][channel_goals] = np.arange(len(goals))
        number_of = {meeting.name: number for number, meeting in enumerate(script)}
        parents = [number_of[parent] for meeting in script for parent in meeting.after]
        graph = SyncGraph(
            _meeting_records(script),
            goals,
            _channel_records(channels, participants, goals["channel"][channel_goals]),
            channel_goals,
            np.array(parents, dtype=np.int64),
            len(followers),
        )
        return cls(script, participants, channels, graph, start_progress)

    @property
    def follower_channels(self) -> int:
        """How many channels are targets of followers; the others are clocks."""
        return self.graph.follower_channels

    @cached_property
    def goal_channel(self) -> Ints:
        """(goals,) the channel of each, meeting by meeting."""
        return np.ascontiguousarray(self.graph.goals["channel"])

    @cached_property
    def goal_progress(self) -> Floats:
        """(goals,) the progress of each on its channel."""
        return np.ascontiguousarray(self.graph.goals["progress"])

    @cached_property
    def parents(self) -> tuple[tuple[int, ...], ...]:
        """The meetings that each comes after."""
        graph = self.graph
        bounds = zip(graph.meetings["first_parent"].tolist(), graph.meetings["end_parent"].tolist(), strict=True)
        return tuple(tuple(graph.parents[first:end].tolist()) for first, end in bounds)

    @cached_property
    def clocked_motions(self) -> dict[str, TimedMotion]:
        """The motions with clocks of their own, in the order of these."""
        participants = (self.participants[name] for name, _ in self.channels[self.follower_channels :])
        return {
            participant.name: TimedMotion(participant.motion, participant.facing)
            for participant in participants
            if participant.motion is not None
        }

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the meetings."""
        return tuple(meeting.name for meeting in self.script)

    @cached_property
    def goal_actors(self) -> tuple[str, ...]:
        """(goals,) the actor of each."""
        return tuple(self.channels[channel][0] for channel in self.goal_channel.tolist())

    @cached_property
    def goals_by_channel(self) -> tuple[tuple[tuple[float, int], ...], ...]:
        """The goals on each channel in order: the progress and the meeting of each."""
        by_channel: list[list[tuple[float, int]]] = [[] for _ in self.channels]
        for channel, progress, meeting in zip(
            self.goal_channel.tolist(), self.goal_progress.tolist(), self.graph.goals["meeting"].tolist(), strict=True
        ):
            by_channel[channel].append((progress, meeting))
        return tuple(tuple(sorted(goals)) for goals in by_channel)

    @cached_property
    def has_body_meetings(self) -> bool:
        """Whether any meeting is one of bodies."""
        return bool(self.graph.meetings["waits_for_bodies"].any())

    def goals_of(self, meeting: int) -> range:
        """The goals of a meeting."""
        record = self.graph.meetings[meeting]
        return range(int(record.first_goal), int(record.end_goal))


def _meeting_records(script: Script) -> RecordArray:
    """(meetings,) of `MEETING`."""
    meetings = script.meetings
    records = np.zeros(len(meetings), MEETING)
    records["end_goal"][:] = np.cumsum([len(meeting.goals) for meeting in meetings])
    records["first_goal"][1:] = records["end_goal"][:-1]
    records["end_parent"][:] = np.cumsum([len(meeting.after) for meeting in meetings])
    records["first_parent"][1:] = records["end_parent"][:-1]
    records["need"][:] = [len(meeting.after) if meeting.need is None else meeting.need for meeting in meetings]
    records["patience"][:] = [meeting.patience for meeting in meetings]
    records["waits_for_bodies"][:] = [meeting.of == "bodies" for meeting in meetings]
    records["is_gate"][:] = [meeting.gate for meeting in meetings]
    return records


def _goal_records(
    script: Script,
    located_goals: Mapping[tuple[str, str], tuple[bool, float]],
    channels: Sequence[tuple[str, bool]],
) -> RecordArray:
    """(goals,) of `GOAL`, without ranks."""
    row_of = {channel: row for row, channel in enumerate(channels)}
    goals = [(number, meeting.name, name) for number, meeting in enumerate(script) for name in meeting.goals]
    records = np.zeros(len(goals), GOAL)
    for record, (number, meeting_name, name) in zip(records, goals, strict=True):
        is_rotation, record.progress = located_goals[meeting_name, name]
        record.channel, record.meeting = row_of[name, is_rotation], number
    return records


def _channel_records(
    channels: Sequence[tuple[str, bool]], participants: Mapping[str, Participant], goal_channels: Ints
) -> RecordArray:
    """(channels,) of `CHANNEL`; `goal_channels` (goals,) are those of the goals in the order of channels."""
    records = np.zeros(len(channels), CHANNEL)
    for record, (name, is_rotation) in zip(records, channels, strict=True):
        participant = participants[name]
        record.nominal_speed = participant.nominal_turn_speed if is_rotation else participant.nominal_speed
        record.min_speed_factor, record.reaction = participant.min_speed_factor, participant.reaction
    bounds = np.searchsorted(goal_channels, np.arange(len(channels) + 1))
    records["first_rank"][:], records["end_rank"][:] = bounds[:-1], bounds[1:]
    return records


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
