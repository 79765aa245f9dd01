"""Who is to be drawn, where and when? What a stage or a take says of everybody, at the moments a sheet shows."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from keypose.maths import Bools, Floats, Ints, quaternion
from keypose.motion import Event, Pose, pose_center, pose_to_3d
from keypose.physics import Shape

NO_TIMES: Floats = np.empty(0)
NO_POSITIONS: Floats = np.empty((0, 3))
JUMP_SPEED_RATIO = 6.0  # times as fast as just before and just after: no movement, but a jump
MIN_JUMP_FRACTION = 0.02  # of its way: shorter than this, nobody jumps
MOVEMENT_TOLERANCE = 1e-9  # of the size of the scene, or radians: so little from moment to moment is no movement
ROUNDING_FRACTION = 1e-12  # of the largest coordinate


@dataclass(frozen=True)
class ActorTrack:
    """One of a cast at the cast's moments (n,), in the world, and what is known of it besides."""

    name: str
    pose: Pose
    has_jumps: bool = False
    """Whether it may be here at one moment and elsewhere at the next, as one that begins its lap again."""
    look: object = None
    parent: str | None = None
    shape: Shape | None = None
    """Of what has a body, its form."""
    parts: tuple[tuple[Shape, Pose], ...] = ()
    """Of a figure, its links that are none of the cast: the shape of each, and its poses."""
    surface: Pose | None = None
    """Of what is soft, its surface, (n, points, 3)."""
    targets: Floats = field(default_factory=lambda: NO_POSITIONS)
    """Of what follows a path, where its target is, (n, 3)."""
    fov: float | None = None
    """Of a camera, its field of view [degrees]."""
    span: tuple[float, float] | None = None
    """When its own motion begins and ends [s]."""
    key_times: Floats = field(default_factory=lambda: NO_TIMES)
    key_positions: Floats = field(default_factory=lambda: NO_POSITIONS)
    """Where those of its keys are that stand in the world, (keys, 3)."""

    @property
    def positions(self) -> Floats:
        """Where it is as one place, (n, 3)."""
        return pose_center(self.pose)

    @property
    def outline(self) -> Floats | None:
        """Of a drawing its points, (n, points, 3)."""
        has_outline = self.pose.position.ndim == 3 and self.pose.position.shape[1] > 1
        return self.pose.position if has_outline else None


@dataclass(frozen=True)
class KeyMeeting:
    """Where (3,) and when [s] somebody passes a key that somebody else carries."""

    actor: str
    carrier: str
    time: float
    position: Floats


@dataclass(frozen=True)
class StageTracks:
    """Everybody at times (n,) [s], and what happens between them."""

    times: Floats
    dot_indices: Ints
    """Which of the times are shown as a dot, (m,): one in `every` frames."""
    frames_per_dot: int
    fps: float
    actors: tuple[ActorTrack, ...]
    meetings: tuple[KeyMeeting, ...] = ()
    events: tuple[Event, ...] = ()
    distance_pairs: tuple[tuple[str, str], ...] = ()
    """Those between whom the distance matters."""
    shot_seconds: float | None = None
    """For how many seconds it was shot, if only for this picture."""

    @property
    def span(self) -> tuple[float, float]:
        """The first and the last moment [s]."""
        return float(self.times[0]), float(self.times[-1])

    @cached_property
    def positions(self) -> Floats:
        """Everywhere somebody or a key is, (many, 3); the origin if nowhere."""
        poses = [pose for track in self.actors for pose in (track.pose, *(pose for _, pose in track.parts))]
        position_arrays = [pose.position.reshape(-1, 3) for pose in poses]
        positions = np.concatenate([*position_arrays, *(track.key_positions for track in self.actors)])
        positions = positions[np.isfinite(positions).all(axis=1)]
        return positions if len(positions) else np.zeros((1, 3))

    @cached_property
    def size(self) -> float:
        """How large the scene is [m], corner to corner."""
        return float(_vector_lengths(np.ptp(self.positions, axis=0)))

    @cached_property
    def position_tolerance(self) -> float:
        """Metres that mean nothing where this scene is."""
        return ROUNDING_FRACTION * float(np.abs(self.positions).max())

    @cached_property
    def by_name(self) -> dict[str, ActorTrack]:
        """Everybody by name."""
        return {track.name: track for track in self.actors}

    @cached_property
    def speeds(self) -> dict[str, Floats]:
        """Everybody's metres per second between neighbouring moments, (n − 1,); not a number where one jumps."""
        return {track.name: _track_speeds(self.times, track, self.position_tolerance) for track in self.actors}

    def movement_mask(self, track: ActorTrack) -> Bools:
        """Between which neighbouring moments it moves or turns, (n − 1,)."""
        position = track.pose.position.reshape(len(self.times), -1)
        has_moved = np.abs(np.diff(position, axis=0)).max(axis=1) > max(
            MOVEMENT_TOLERANCE * self.size, self.position_tolerance
        )
        axes = quaternion.rotate(track.pose.orientation[:, None], np.eye(3)[1:]).reshape(len(self.times), -1)
        return np.asarray(has_moved | (np.abs(np.diff(axes, axis=0)).max(axis=1) > MOVEMENT_TOLERANCE))

    def distance(self, pair: tuple[str, str]) -> Floats:
        """Metres between two at each moment, (n,)."""
        first, second = (self.by_name[name].positions for name in pair)
        return _vector_lengths(first - second)


def sample_strides(count: int, max_samples: int, max_dots: int) -> tuple[int, int]:
    """Of `count` frames, one in how many is asked for and one in how many is a dot; the dots are among the others."""
    from keypose.plot.canvas.curve_samples import display_stride

    stride = display_stride(count, max_dots)
    return next(step for step in range(1, stride + 1) if stride % step == 0 and count <= max_samples * step), stride


def _track_speeds(times: Floats, track: ActorTrack, rounding: float) -> Floats:
    position = track.pose.position.reshape(len(times), -1, 3)
    steps = np.sqrt(
        np.mean(_vector_lengths(np.diff(position, axis=0)) ** 2, axis=1)
    )  # of a drawing, as a motion's speed
    steps[steps <= rounding] = 0.0
    speeds = steps / np.diff(times)
    if track.has_jumps and len(speeds) > 1:
        # At either end only one neighbour tells; one that stands still there may as well have just set off.
        end_speeds = np.where(speeds[[1, -2]] > 0, speeds[[1, -2]], np.inf)
        neighbor_speeds = np.concatenate([end_speeds[:1], np.maximum(speeds[:-2], speeds[2:]), end_speeds[1:]])
        known = track.positions[np.isfinite(track.positions).all(axis=1)]
        min_jump = MIN_JUMP_FRACTION * float(_vector_lengths(np.ptp(known, axis=0))) if len(known) else 0.0
        speeds[(speeds > JUMP_SPEED_RATIO * neighbor_speeds) & (steps > min_jump)] = np.nan
    return np.asarray(speeds)


def _vector_lengths(vectors: Floats) -> Floats:
    """Lengths (…) of vectors (…, 3), also of those whose squares no number holds."""
    largest = float(np.abs(vectors).max(initial=0.0, where=np.isfinite(vectors))) or 1.0
    return np.asarray(np.linalg.norm(vectors / largest, axis=-1) * largest)


def pose_track(name: str, pose: Pose) -> ActorTrack:
    """Somebody of whom only the poses are known."""
    return ActorTrack(name, pose_to_3d(pose), has_jumps=True)
