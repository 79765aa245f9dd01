"""How does a hand catch a moving glass? A key of its path stands in the glass's frame (GL95 §6.3, LG95 §4).

A carried key follows its carrier until it is passed; then it is pinned in the world, unless it says `pin=False`. Here
is where the actor is, once it is known which keys were passed when: that is told in `passing_times`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from keypose.curves import CarrierFrames, FastLengths, RelativePath, RelativeShapes
from keypose.maths import Bools, Floats, Ints
from keypose.motion.facing import path_direction
from keypose.motion.hierarchy import pose_center, pose_to_3d, to_local
from keypose.motion.motion import Motion
from keypose.motion.pose import Pose
from keypose.motion.relative.pass_log import PassLog
from keypose.timing import KeyTimeClock, SpeedClock

PoseLookup = Callable[[str, Floats], Pose]
"""Where an actor is in the world at times (n,)."""


@dataclass(frozen=True, eq=False)
class DistanceSchedule:
    """How far an actor wants to be at some times, and how far the keys at which distance is known are then."""

    times: Floats
    """(n,) [s]"""
    target_distance: Floats
    """(n,) [m]"""
    distances_at_keys: Floats
    """(n, ends) [m]"""


class RelativeMotion:
    """A motion some of whose keys are carried, for an actor that stands on `parent`."""

    def __init__(self, motion: Motion, parent: str | None = None, *, all_keys: bool = False) -> None:
        names = motion.path.keys.column("relative_to")
        assert names is not None
        relative_keys = np.array([key for key, name in enumerate(names) if name is not None], dtype=np.int64)
        pins = motion.path.keys.column("pin")
        self.motion = motion
        self.parent = parent
        self.carriers: tuple[str, ...] = tuple(names[relative_keys])
        self.pin_flags = np.ones(len(relative_keys), dtype=bool) if pins is None else pins[relative_keys]
        self._capture_keys = np.unique([0, motion.path.segments, *map(motion.path.keys.index, motion.capture)])
        length_keys = np.arange(motion.path.segments + 1) if all_keys else self._capture_keys
        self.relative_path = RelativePath(motion.path, relative_keys, length_keys)
        self._cached_lengths: tuple[Floats, FastLengths] | None = None

    @property
    def is_timed(self) -> bool:
        """Whether it is known beforehand when each key is passed."""
        return isinstance(self.motion.clock, KeyTimeClock)

    @property
    def empty_log(self) -> PassLog:
        """The story before anything has happened; on a timed path it is known when each key will be passed."""
        log = PassLog.empty(len(self.relative_path.distance_keys), len(self.relative_path.relative_keys))
        if isinstance(self.motion.clock, KeyTimeClock):
            log.passed_at[:] = self.motion.start + self.motion.clock.times[self.relative_path.distance_keys]
        return log

    @cached_property
    def distance_key_indices(self) -> Ints:
        """Where the loose keys are among the `distance_keys`."""
        return np.searchsorted(self.relative_path.distance_keys, self.relative_path.relative_keys)

    def pass_time(self, key: int, log: PassLog) -> float:
        """When a key was passed [s]; infinite if not yet."""
        return float(log.passed_at[np.searchsorted(self.relative_path.distance_keys, key)])

    # ---- where -------------------------------------------------------------------------------------------------------

    def at(self, t: Floats, lookup: PoseLookup, log: PassLog) -> Pose:
        """The poses at times (n,) in the actor's own frame."""
        if not len(t):
            return Pose(np.empty((0, *self.relative_path.path.shape)), np.empty((0, 4)))
        shapes = self._shapes(t, lookup, log)
        u = self._parameter(t, shapes, log)
        return pose_to_3d(Pose(shapes.at(u), shapes.orientation_at(u)))

    def direction(self, t: Floats, lookup: PoseLookup, log: PassLog) -> Floats:
        """Where the path leads at times (n,), as it is at each of them: (n, 3) of any length."""
        if not len(t):
            return np.empty((0, 3))
        shapes = self._shapes(t, lookup, log)
        u = self._parameter(t, shapes, log)
        heading = shapes.at(u, derivative=1)
        heading = heading.mean(axis=1) if heading.ndim == 3 else heading
        for instant in np.flatnonzero(~(np.abs(heading).max(axis=1) > 0)).tolist():
            heading[instant] = path_direction(shapes.resolved(instant), u[instant : instant + 1])[0]
        _, time_direction = self.motion.local_time(t)
        return np.asarray(heading * np.where(time_direction < 0, -1.0, 1.0)[:, None])

    def parameter(self, t: Floats, lookup: PoseLookup, log: PassLog) -> Floats:
        """The parameter u of its path at times (n,)."""
        return self._parameter(t, self._shapes(t, lookup, log), log) if len(t) else np.empty(0)

    def tangents(self, t: Floats, lookup: PoseLookup, log: PassLog) -> tuple[Floats, Floats]:
        """dP/du with which key i is reached and left, on the path as it is at t[i], in the actor's own frame."""
        shapes, key = self._shapes(t, lookup, log), np.arange(float(len(t)))
        before = np.nextafter(key, -1.0)
        if self.motion.path.closed:
            before[0] = np.nextafter(float(len(t)), 0.0)
        arrive, leave = shapes.at(before, derivative=1), shapes.at(key, derivative=1)
        if (
            not self.motion.path.closed
        ):  # nothing arrives at the first key and nothing leaves the last but by their rule
            arrive[0], leave[-1] = shapes.resolved(0).arrive[0], shapes.resolved(len(t) - 1).leave[-1]
        return arrive, leave

    def _shapes(self, t: Floats, lookup: PoseLookup, log: PassLog) -> RelativeShapes:
        is_pinned = self.pin_flags & log.is_pinned & (t[:, None] >= log.passed_at[self.distance_key_indices])
        relative_keys = np.arange(len(self.carriers))
        return RelativeShapes(self.relative_path, self._carrier_frames(t, lookup, log, is_pinned, relative_keys))

    def _carrier_frames(
        self, t: Floats, lookup: PoseLookup, log: PassLog, is_pinned: Bools, relative_keys: Ints
    ) -> CarrierFrames:
        """Where the frames of these loose keys are at times (n,), as the actor sees them from where it stands.

        Those that are `is_pinned`, (n, loose), stay where they were pinned.
        """
        names = [self.carriers[key] for key in relative_keys]
        carriers = {name: lookup(name, t) for name in dict.fromkeys(names)}
        positions, orientations = np.empty((len(t), len(names), 3)), np.empty((len(t), len(names), 4))
        for column, name in enumerate(names):
            positions[:, column], orientations[:, column] = pose_center(carriers[name]), carriers[name].orientation
        pin_mask = is_pinned[:, relative_keys, None]
        world = Pose(
            np.where(pin_mask, log.carrier_positions[relative_keys], positions),
            np.where(pin_mask, log.carrier_orientations[relative_keys], orientations),
        )
        if self.parent is not None:
            parent_pose = lookup(self.parent, t)
            world = to_local(Pose(pose_center(parent_pose)[:, None], parent_pose.orientation[:, None]), world)
        return CarrierFrames(world.position, world.orientation)

    def _parameter(self, t: Floats, shapes: RelativeShapes, log: PassLog) -> Floats:
        local_time = self._local_time(t)
        if isinstance(self.motion.clock, KeyTimeClock):
            return self.motion.clock.parameter(local_time)
        target_distance, distances_at_keys = (
            self._target_distance(local_time, shapes.distances_at_keys),
            shapes.distances_at_keys,
        )
        if self.motion.outside != "hold":  # it comes back again and again, and nothing is ever passed for good
            return shapes.parameter(target_distance)
        rows, last = np.arange(len(t)), distances_at_keys.shape[1] - 1
        leg = np.searchsorted(log.passed_at, t, side="right") - 1
        base, limit = distances_at_keys[rows, np.maximum(leg, 0)], distances_at_keys[rows, np.minimum(leg + 1, last)]
        ahead = np.minimum(np.maximum(target_distance - base, log.hold_at(t)), log.limit_at(t))
        distance = np.minimum(base + ahead, limit)
        return shapes.parameter(np.where(leg < 0, 0.0, distance))

    def _local_time(self, t: Floats) -> Floats:
        """Times (n,) by the motion's own clock."""
        local_time, _ = self.motion.local_time(t)
        if self.motion.outside != "hold":
            return local_time
        return np.where(
            t >= self.motion.span[1], self.motion.clock.span[1], local_time
        )  # rounding must not delay the end

    def _target_distance(self, local_time: Floats, distances_at_keys: Floats) -> Floats:
        """How far the drawn speed wants it to be at each moment (n,), on the path as it is then."""
        assert isinstance(self.motion.clock, SpeedClock)
        span, fraction = self.motion.clock.span_fraction(local_time)
        rows, column = np.arange(len(local_time)), np.searchsorted(self.relative_path.distance_keys, self._capture_keys)
        low, high = distances_at_keys[rows, column[span]], distances_at_keys[rows, column[span + 1]]
        return np.where(fraction < 1.0, low + fraction * (high - low), high)

    # ---- for those who find out when each key is passed --------------------------------------------------------------

    def distance_schedule(self, t: Floats, lookup: PoseLookup, log: PassLog) -> DistanceSchedule:
        """How far it wants to be at times (n,), none of them before what was told last."""
        is_pinned = self.pin_flags & log.is_pinned
        keys = np.arange(len(is_pinned)) if self.parent is not None else np.flatnonzero(~is_pinned)
        distances_at_keys = self._remaining_lengths(is_pinned, log).distances_at_keys(
            self._carrier_frames(t, lookup, log, is_pinned[None], keys)
        )
        return DistanceSchedule(t, self._target_distance(self._local_time(t), distances_at_keys), distances_at_keys)

    def _remaining_lengths(self, is_pinned: Bools, log: PassLog) -> FastLengths:
        """The loose path while nothing more is pinned than what is `is_pinned`."""
        if self._cached_lengths is not None and self._cached_lengths[0] is log.carrier_positions:
            return self._cached_lengths[1]
        path, relative_keys = self.relative_path.path, self.relative_path.relative_keys
        carrier_ids = np.where(is_pinned, -1 - np.arange(len(is_pinned)), self._carrier_ids)
        if self.parent is None and is_pinned.any():  # pinned in the world, a key is a key like any other
            frames = CarrierFrames(log.carrier_positions[None, is_pinned], log.carrier_orientations[None, is_pinned])
            path, relative_keys, carrier_ids = (
                RelativePath(path, relative_keys[is_pinned]).resolved(frames, 0),
                relative_keys[~is_pinned],
                carrier_ids[~is_pinned],
            )
        lengths = FastLengths(RelativePath(path, relative_keys, self.relative_path.distance_keys, carrier_ids))
        self._cached_lengths = log.carrier_positions, lengths
        return lengths

    @cached_property
    def _carrier_ids(self) -> Ints:
        """The number of each loose key's carrier."""
        return np.unique(np.array(self.carriers), return_inverse=True)[1]

    def pin_key(self, log: PassLog, index: int, time: float, lookup: PoseLookup) -> PassLog:
        """The story with a loose key pinned where its carrier is at a moment [s]."""
        carrier = lookup(self.carriers[index], np.array([time]))
        return log.with_pin(index, Pose(pose_center(carrier)[0], carrier.orientation[0]))
