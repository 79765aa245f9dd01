"""The progress of followers to their goals, and what delays them: what a script asks of a system of bodies.

A channel is the target of a follower's position or rotation, see `script.plan`. Paths are those with their current
relative keys; only their cumulative angles, and whether they reverse, are those at rest, which is near enough.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from keypose.maths import Floats, RecordArray, fast_call
from keypose.motion import Distances, SyncGraph, SynchronizerProtocol, SyncPlanProtocol, SyncRecords
from keypose.physics.diagnostics.event_log import EventLog
from keypose.physics.diagnostics.stalls import STALL, TURN_STALL, blocked_text
from keypose.physics.diagnostics.strength import REMEDY
from keypose.physics.following.follower_arrays import FollowerArrays
from keypose.physics.following.follower_state import FollowerPaths
from keypose.physics.sync.follower_channels import FollowerChannels

Blockers = Mapping[tuple[str, bool], Mapping[str, float]]


@dataclass(frozen=True, eq=False)
class BodyProgress:
    """The channels of a script that are targets of followers, in one system."""

    channels: FollowerChannels

    @classmethod
    def of(cls, plan: SyncPlanProtocol, follower_arrays: FollowerArrays) -> "BodyProgress":
        """The channels of a plan that are targets of followers."""
        row_of = {name: row for row, name in enumerate(follower_arrays.names)}
        channels = plan.channels[: plan.follower_channels]
        is_rotation = np.array([is_turn_channel for _, is_turn_channel in channels], dtype=np.bool_)
        rows = np.array([row_of[name] for name, _ in channels], dtype=np.int64)
        samples = follower_arrays.orientation_samples.copy()
        return cls(FollowerChannels(rows, is_rotation, samples, cumulative_angles(follower_arrays)))

    def progress(self, followers: RecordArray) -> Floats:
        """(channels,) the parameters of their targets, on their paths as they are now."""
        rows, progress = self.channels.follower_rows, followers["u"][self.channels.follower_rows]
        if self._has_rotations:
            progress = np.where(self.channels.is_rotation, followers["turn_u"][rows], progress)
        return progress

    def begin(
        self,
        synchronizer: SynchronizerProtocol,
        follower_arrays: FollowerArrays,
        followers: RecordArray,
        poses: Floats,
        time: float,
    ) -> None:
        """Activate the first meetings, and set new targets to their speed factors."""
        progress = self.progress(followers)
        synchronizer.begin(progress, time)
        distance_left = self._distances(synchronizer, follower_arrays, followers, poses).distance_left
        synchronizer.set_initial_speeds(progress, distance_left, followers["is_new"][self.channels.follower_rows], time)
        self._apply_speeds(synchronizer, followers)

    def synchronize(
        self,
        synchronizer: SynchronizerProtocol,
        follower_arrays: FollowerArrays,
        followers: RecordArray,
        poses: Floats,
        time: float,
        dt: float,
        blockers: Blockers,
        events: EventLog,
    ) -> None:
        """Synchronize meetings `dt` seconds after the last tick, with bodies at `poses`.

        `blockers` are what blocks followers, if a delay reason is wanted; `events` all events so far.
        """
        if not synchronizer.advance_clock(dt):
            return
        progress = self.progress(followers)
        has_changed = synchronizer.update(progress, time, dt)
        if synchronizer.is_due:
            synchronizer.regulate(
                progress,
                self._distances(synchronizer, follower_arrays, followers, poses),
                time,
                lambda channel, is_blocked: _delay_reason(channel, is_blocked, blockers, events),
            )
            has_changed = True
        while (
            has_changed and synchronizer.wants_bodies
        ):  # one that is done may activate the next, whose goals may be reached as well
            distances = self._distances(synchronizer, follower_arrays, followers, poses)
            synchronizer.mark_bodies(distances.distance_left, progress, time)
        if has_changed:
            self._apply_speeds(synchronizer, followers)

    def _apply_speeds(self, synchronizer: SynchronizerProtocol, followers: RecordArray) -> None:
        """Give targets their speed factors and stops."""
        rows, is_rotation = self.channels.follower_rows, self.channels.is_rotation
        channels = synchronizer.records.channels
        speed_factors, stops = channels["speed_factor"][: len(rows)], channels["stop_at"][: len(rows)]
        followers["speed_factor"][rows[~is_rotation]] = speed_factors[~is_rotation]
        followers["stop_at"][rows[~is_rotation]] = stops[~is_rotation]
        if self._has_rotations:
            followers["turn_speed_factor"][rows[is_rotation]] = speed_factors[is_rotation]
            followers["turn_stop_at"][rows[is_rotation]] = stops[is_rotation]

    def _distances(
        self, synchronizer: SynchronizerProtocol, follower_arrays: FollowerArrays, followers: RecordArray, poses: Floats
    ) -> Distances:
        """The distances that targets travelled since the last regulation, and those left to active goals."""
        graph, records = synchronizer.graph, synchronizer.records
        distances = Distances(np.empty(len(self.channels.follower_rows)), np.zeros(len(graph.goals)))
        self._update_distances(self.channels, follower_arrays.paths, followers, poses, graph, records, distances)
        return distances

    @cached_property
    def _has_rotations(self) -> bool:
        return bool(self.channels.is_rotation.any())

    @cached_property
    def _update_distances(
        self,
    ) -> Callable[[FollowerChannels, FollowerPaths, RecordArray, Floats, SyncGraph, SyncRecords, Distances], None]:
        from keypose.physics.sync.kernels import update_distances

        return fast_call(update_distances, partial(self.__dict__.__setitem__, "_update_distances"))


def cumulative_angles(follower_arrays: FollowerArrays) -> Floats:
    """How far paths have turned by each of their tabled facings, from the first on [rad]."""
    specs, angles = follower_arrays.specs, np.zeros(len(follower_arrays.orientation_samples))
    for begin, count in zip(specs["first_sample"].tolist(), specs["sample_count"].tolist(), strict=True):
        if count:
            samples = follower_arrays.orientation_samples[begin : begin + count]
            cosines = np.abs((samples[1:] * samples[:-1]).sum(axis=1)).clip(0.0, 1.0)
            angles[begin + 1 : begin + count] = np.cumsum(2 * np.arccos(cosines))
    return angles


def _delay_reason(channel: tuple[str, bool], is_blocked: bool, blockers: Blockers, events: EventLog) -> str:
    """What is known of somebody who stands still on its way or its turn, or hardly moves."""
    (name, is_rotation), obstacles = channel, blockers.get(channel)
    if obstacles:
        return f"i{blocked_text(obstacles, is_rotation, is_blocked)[1:].rstrip('.')}"
    about = TURN_STALL if is_rotation else STALL
    texts = (
        [event.text for event in events.entries if event.actor == name and event.about == about] if is_blocked else []
    )
    if not texts:
        return "stands still" if is_blocked else "hardly moves"
    fact = texts[-1].removesuffix(REMEDY).rstrip(".")
    return fact[0].lower() + fact[1:]
