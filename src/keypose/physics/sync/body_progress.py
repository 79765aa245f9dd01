"""How far are followers from their goals, and what slows them down? What a script of meetings asks of bodies.

A strand is the target of a follower's place or that of its turn: see `script.plan`. Paths are those that are bent now;
only how far they turn from facing to facing, and whether that leads back, is that of the path at rest, which is near
enough to judge a speed by.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from keypose.maths import Floats, Records, fast_call
from keypose.motion import SynchronizerProtocol, SyncPlanProtocol
from keypose.physics.diagnostics.event_log import EventLog
from keypose.physics.diagnostics.stalls import STALL, TURN_STALL, blocked_text
from keypose.physics.diagnostics.strength import REMEDY
from keypose.physics.following.follower_arrays import FollowerArrays
from keypose.physics.sync.follower_channels import FollowerChannels

Blockers = Mapping[tuple[str, bool], Mapping[str, float]]


@dataclass(frozen=True, eq=False)
class BodyProgress:
    """The strands of a script that are followers' targets, of one race."""

    channels: FollowerChannels

    @classmethod
    def of(cls, plan: SyncPlanProtocol, follower_arrays: FollowerArrays) -> "BodyProgress":
        """The strands of a plan that race a target."""
        row_of = {name: row for row, name in enumerate(follower_arrays.names)}
        channels = plan.channels[: plan.follower_channels]
        is_rotation = np.array([is_turn_channel for _, is_turn_channel in channels], dtype=np.bool_)
        rows = np.array([row_of[name] for name, _ in channels], dtype=np.int64)
        samples = follower_arrays.orientation_samples.copy()
        return cls(FollowerChannels(rows, is_rotation, samples, cumulative_angles(follower_arrays)))

    def progress(self, followers: Records) -> Floats:
        """(channels,) the parameters of their targets, on their paths as they are now."""
        rows = self.channels.follower_rows
        progress: Floats = np.where(self.channels.is_rotation, followers.turn_u[rows], followers.u[rows])
        return progress

    def begin(
        self,
        synchronizer: SynchronizerProtocol,
        follower_arrays: FollowerArrays,
        followers: Records,
        poses: Floats,
        time: float,
    ) -> None:
        """Let the first meetings be active, and who begins go as fast as meets from the first moment on."""
        progress = self.progress(followers)
        synchronizer.begin(progress, time)
        _, distance_left = self._distances(synchronizer, follower_arrays, followers, poses)
        synchronizer.set_initial_speeds(progress, distance_left, followers.is_new[self.channels.follower_rows], time)
        self._apply_speeds(synchronizer, followers)

    def synchronize(
        self,
        synchronizer: SynchronizerProtocol,
        follower_arrays: FollowerArrays,
        followers: Records,
        poses: Floats,
        time: float,
        dt: float,
        blockers: Blockers,
        events: EventLog,
    ) -> None:
        """Keep appointments `dt` seconds after the last tick, where paths are bent so and bodies are at `poses`.

        `blockers` says what is in the way of whom, if that is asked for; `events` what was told before.
        """
        if not synchronizer.advance_clock(dt):
            return
        progress = self.progress(followers)
        has_changed = synchronizer.update(progress, time, dt)
        if synchronizer.is_due:
            travelled, distance_left = self._distances(synchronizer, follower_arrays, followers, poses)
            synchronizer.regulate(
                progress,
                travelled,
                distance_left,
                time,
                lambda channel, is_blocked: _delay_reason(channel, is_blocked, blockers, events),
            )
            has_changed = True
        while (
            has_changed and synchronizer.wants_bodies
        ):  # one that is done may let the next be, which was passed as well
            synchronizer.mark_bodies(
                self._distances(synchronizer, follower_arrays, followers, poses)[1], progress, time
            )
        if has_changed:
            self._apply_speeds(synchronizer, followers)

    def _apply_speeds(self, synchronizer: SynchronizerProtocol, followers: Records) -> None:
        """Let targets go on with the ease they have, and no farther than they are held."""
        rows, is_rotation = self.channels.follower_rows, self.channels.is_rotation
        speed_factors, stops = synchronizer.speed_factor[: len(rows)], synchronizer.stop_at[: len(rows)]
        followers.speed_factor[rows[~is_rotation]] = speed_factors[~is_rotation]
        followers.stop_at[rows[~is_rotation]] = stops[~is_rotation]
        if is_rotation.any():
            followers.turn_speed_factor[rows[is_rotation]] = speed_factors[is_rotation]
            followers.turn_stop_at[rows[is_rotation]] = stops[is_rotation]

    def _distances(
        self, synchronizer: SynchronizerProtocol, follower_arrays: FollowerArrays, followers: Records, poses: Floats
    ) -> tuple[Floats, Floats]:
        """How far targets went since speeds were last regulated, and how far is left to goals of active meetings."""
        goals = synchronizer.goals
        travelled, distance_left = np.empty(len(self.channels.follower_rows)), np.zeros(len(goals[0]))
        self._distance_kernel(
            self.channels,
            follower_arrays.paths,
            followers,
            poses,
            synchronizer.last_progress,
            *goals,
            travelled,
            distance_left,
        )
        return travelled, distance_left

    @cached_property
    def _distance_kernel(self) -> Callable[..., None]:
        from keypose.physics.sync.kernels import update_distances

        return fast_call(update_distances, partial(self.__dict__.__setitem__, "_distance_kernel"))


def cumulative_angles(follower_arrays: FollowerArrays) -> Floats:
    """How far paths have turned by each of their tabled facings, from the first on [rad]."""
    specs, angles = follower_arrays.specs, np.zeros(len(follower_arrays.orientation_samples))
    for begin, count in zip(specs.first_sample.tolist(), specs.sample_count.tolist(), strict=True):
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
