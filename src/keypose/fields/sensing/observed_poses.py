"""Where is everybody as objects sense them? In the world, now and, for fields that travel, before."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from keypose.fields.algebra.field import PoseLookup
from keypose.fields.film_units import FILM_FRAME, velocity
from keypose.fields.sensing.links import TrackerLink
from keypose.fields.splines.integrators import PointState
from keypose.fields.tracking.avoid import Avoid
from keypose.maths import Floats, Ints, quaternion
from keypose.motion import Pose, StepContext

SPACING_TOLERANCE = 1e-9
IDENTITY_ORIENTATION = np.array([1.0, 0.0, 0.0, 0.0])
MAX_HISTORY_TICKS = 2_400  # ticks: a hundred seconds of film; who senses what was sent before senses the earliest known
MIN_HISTORY_SPACING = (
    FILM_FRAME / 4
)  # [s]: of shorter ticks only some are kept, and always the last; between two the way is all but straight


@dataclass(frozen=True, eq=False)
class PoseHistory:
    """Where some were at the last ticks: those of whom it must be known and who take ticks themselves."""

    times: Floats
    """(ticks,) [s]"""
    positions: Floats
    """(ticks, names, 3)"""
    orientations: Floats
    """(ticks, names, 4)"""

    def with_tick(self, time: float, position: Floats, orientation: Floats) -> "PoseHistory":
        """One tick more, and the earliest forgotten where it gets too long."""
        count = len(self.times)
        keep_count = (
            count - 1
            if count > 1 and self.times[-1] - self.times[-2] < MIN_HISTORY_SPACING * (1 - SPACING_TOLERANCE)
            else count
        )
        rows = slice(max(keep_count + 1 - MAX_HISTORY_TICKS, 0), keep_count)
        times = np.append(self.times[rows], time)
        columns = (self.positions, position), (self.orientations, orientation)
        return PoseHistory(times, *(np.append(before[rows], now[None], axis=0) for before, now in columns))

    def at(self, column: int, t: Floats) -> Pose:
        """Where one of them was at times (n,), on the straight way from tick to tick; held outside."""
        lower = np.clip(np.searchsorted(self.times, t) - 1, 0, max(len(self.times) - 2, 0))
        upper = np.minimum(lower + 1, len(self.times) - 1)
        step = self.times[upper] - self.times[lower]
        fraction = np.clip((t - self.times[lower]) / np.where(step > 0, step, 1.0), 0.0, 1.0)
        start, end = self.positions[lower, column], self.positions[upper, column]
        end_orientation = quaternion.align_sign(self.orientations[lower, column], self.orientations[upper, column])
        orientation = quaternion.slerp(self.orientations[lower, column], end_orientation, fraction)
        return Pose((1 - fraction)[:, None] * start + fraction[:, None] * end, orientation)


@dataclass(frozen=True, eq=False)
class ParentFrames:
    """What the points of some objects stand on: (rows, 3) and (rows, 4), or None where all stand in the world."""

    position: Floats
    orientation: Floats

    @classmethod
    def of_parents(
        cls, rows: Mapping[str, Ints], child_actors: Collection[str], context: StepContext, total: int
    ) -> "ParentFrames | None":
        """The frames of all points of these objects, of whom only some stand on anything."""
        parent_poses = {name: context.parent_pose(name) for name in child_actors if name in rows}
        if all(pose is None for pose in parent_poses.values()):
            return None
        position, orientation = np.zeros((total, 3)), np.tile(IDENTITY_ORIENTATION, (total, 1))
        for name, pose in parent_poses.items():
            if pose is not None:
                position[rows[name]], orientation[rows[name]] = pose.position, pose.orientation
        return cls(position, orientation)

    def positions_to_world(self, position: Floats) -> Floats:
        """Places in the world."""
        return self.position + self.vectors_to_world(position)

    def vectors_to_world(self, vectors: Floats) -> Floats:
        """Directions in the world."""
        return quaternion.rotate(self.orientation, vectors)

    def vectors_to_parent(self, vectors: Floats) -> Floats:
        """Directions in the world as they are in each frame."""
        return quaternion.rotate(quaternion.conjugate(self.orientation), vectors)


class PoseMap(Mapping[str, Pose]):
    """Where objects are, made of their places (rows, 3) when asked for: of thousands few are, at most ticks."""

    def __init__(self, P: Floats, point_slices: Mapping[str, int | slice]) -> None:
        self._P = P
        self._point_slices = point_slices

    def __getitem__(self, name: str) -> Pose:
        return Pose.of(self._P[self._point_slices[name]], IDENTITY_ORIENTATION)

    def __iter__(self) -> Iterator[str]:
        return iter(self._point_slices)

    def __len__(self) -> int:
        return len(self._point_slices)


class ObservedPoses:
    """Where all points and everybody else are at one tick, in the world.

    Points are at P (rows, 3) [m], and move as `compute_velocities` says when asked, (rows, 3) [m/s]; `orientations`
    (rows, 4) is how they are turned, None if they are not.
    """

    def __init__(
        self,
        rows: Mapping[str, Ints],
        context: StepContext,
        P: Floats,
        compute_velocities: Callable[[], Floats],
        orientations: Floats | None = None,
    ) -> None:
        self.rows, self.context, self.P, self.orientations = rows, context, P, orientations
        self._compute_velocities = compute_velocities

    @cached_property
    def v(self) -> Floats:
        """How all points move [m/s]."""
        return self._compute_velocities()

    def pose(self, name: str) -> Pose:
        """Where an actor is now; an object by the middle of its points."""
        if name not in self.rows:
            return self.context.pose(name)
        orientation = IDENTITY_ORIENTATION if self.orientations is None else self.orientations[self.rows[name][0]]
        return Pose(self.P[self.rows[name]].mean(axis=0), orientation)

    def poses_of(self, names: tuple[str, ...]) -> tuple[Floats, Floats]:
        """Places (names, 3) and turns (names, 4) now."""
        poses = [self.pose(name) for name in names]
        positions, orientations = [pose.position for pose in poses], [pose.orientation for pose in poses]
        return np.array(positions).reshape(-1, 3), np.array(orientations).reshape(-1, 4)

    def velocity(self, name: str) -> Floats:
        """How an object moves now."""
        return np.asarray(self.v[self.rows[name]].mean(axis=0))


def observe_splines(
    rows: Mapping[str, Ints], points: PointState, frames: ParentFrames | None, context: StepContext
) -> ObservedPoses:
    """The survey of dynamic splines, which stand in the world or in frames."""
    if frames is None:
        return ObservedPoses(rows, context, points.P, lambda: velocity(points.T))
    return ObservedPoses(
        rows,
        context,
        frames.positions_to_world(points.P),
        lambda: frames.vectors_to_world(velocity(points.T)),
        frames.orientation,
    )


def build_pose_lookup(observed: ObservedPoses, history: PoseHistory, delayed_carriers: tuple[str, ...]) -> PoseLookup:
    """How fields see who carries them, at this tick () or at earlier moments (n,)."""

    def pose_lookup(name: str, t: Floats) -> Pose:
        if not t.ndim:
            return observed.pose(name)
        past_pose = observed.context.past_poses(name, t) if name not in observed.rows else None
        return history.at(delayed_carriers.index(name), t) if past_pose is None else past_pose

    return pose_lookup


def observe_targets(
    link: TrackerLink, observed: ObservedPoses, target_velocities: Mapping[str, Floats]
) -> tuple[Floats, Floats]:
    """Where the targets of those who track are and how they go: (3,) for all, or to be avoided (n, targets, 3).

    `target_velocities` are the velocities of those who take no part. Nobody avoids himself: he is NaN to himself.
    """
    if not link.targets:
        return np.zeros(3), np.zeros(3)
    if link.target_rows is None:
        positions, _ = observed.poses_of(link.targets)
        at_rest = np.zeros(3)
        velocities = np.array(
            [
                observed.velocity(name) if name in observed.rows else target_velocities.get(name, at_rest)
                for name in link.targets
            ]
        )
    else:
        positions, velocities = observed.P[link.target_rows], observed.v[link.target_rows]
    if len(link.targets) == 1 or not isinstance(link.tracker, Avoid):
        return positions.mean(axis=0), velocities.mean(axis=0)
    if link.target_rows is None:
        is_self = link.names[:, None] == np.array(link.targets, dtype=object)
    else:
        is_self = link.rows[:, None] == link.target_rows
    return np.where(is_self[..., None], np.nan, positions), np.broadcast_to(
        velocities, (len(is_self), *velocities.shape)
    )
