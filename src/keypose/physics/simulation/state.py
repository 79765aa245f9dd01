"""How are all bodies at one tick? What an engine needs to go on with the same bits, and what is remembered beside."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from keypose.maths import Floats, Ints, RecordArray, quaternion
from keypose.motion import Pose, SynchronizerProtocol, TimedMotion
from keypose.physics.diagnostics.event_log import EventLog
from keypose.physics.values.soft_surface import SoftSurfaces


@dataclass(frozen=True, eq=False)
class BodyState:
    """All bodies at one tick."""

    engine: Floats
    """What the engine needs to go on."""
    poses: Floats
    """(moving, 7)"""
    soft_points: Floats
    """(points, 3): the surfaces of soft bodies, one after the other."""
    followers: RecordArray
    """The state of each follower, of `FOLLOWER_STATE`."""
    relative_keys: Floats
    """What is remembered of each carried key, see `relative_keys`."""
    contacts: Ints
    """Pairs of those who touch, as numbers."""
    frozen_contacts: Floats
    """Who is deep in whom since steps were longer, see `Engine.freeze_contacts`."""
    penetrations: Ints
    """Who sinks into whom, see `penetration`."""
    events: EventLog
    substeps: tuple[int, int]
    """How often a step is halved now, and for how many ticks it need not have been."""
    fields: Any
    """What is remembered of the fields that some sense, see `field_forces`; None if nobody does."""
    sync: Any
    """What is remembered of the meetings of a script; None without one."""


class BodyMemory(NamedTuple):
    """What a tick changes beside the engine, before it is frozen into a `BodyState`."""

    followers: RecordArray
    relative_keys: Floats
    contacts: Ints
    events: EventLog
    substeps: tuple[int, int]
    fields: Any
    synchronizer: SynchronizerProtocol | None


def interpolate_poses(before: Floats, after: Floats, fraction: float) -> Floats:
    """Poses (n, 7) at a fraction of the time between two ticks; `engine.kernels` has its compiled twin."""
    poses = before + fraction * (after - before)
    end = quaternion.align_sign(before[:, 3:], after[:, 3:])
    poses[:, 3:] = quaternion.normalize(quaternion.slerp(before[:, 3:], end, np.full(len(before), fraction)))
    return np.asarray(poses)


class BodyPoses(Mapping[str, Pose]):
    """Where bodies are, made when asked for."""

    def __init__(
        self,
        poses: Floats,
        soft_points: Floats,
        rows: Mapping[str, int],
        static_poses: Mapping[str, Pose],
        surfaces: SoftSurfaces,
        movers: Mapping[str, object],
        clocked_motions: Mapping[str, TimedMotion],
        clock_times: Floats,
    ) -> None:
        self.poses, self.soft_points, self._rows, self._static_poses, self._surfaces = (
            poses,
            soft_points,
            rows,
            static_poses,
            surfaces,
        )
        self._movers, self._clocked_motions, self.clock_times = movers, clocked_motions, clock_times
        self._clock_rows = {name: number for number, name in enumerate(clocked_motions)} if clocked_motions else {}

    def __getitem__(self, name: str) -> Pose:
        if name in self._static_poses:
            return self._static_poses[name]
        if name in self._surfaces.slices:
            return self._surfaces.pose(name, self.soft_points)
        if name in self._clocked_motions:
            return self._clocked_motions[name].at(float(self.clock_times[self._clock_rows[name]]))
        here = self.poses[self._rows[name]]
        return Pose.of(here[:3], here[3:])

    def __iter__(self) -> Iterator[str]:
        return iter([*self._movers, *self._clocked_motions])

    def __len__(self) -> int:
        return len(self._movers) + len(self._clocked_motions)
