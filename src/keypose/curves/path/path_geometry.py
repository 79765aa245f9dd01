"""What a path computes from its keys and options: cubic segments, orientations along them, and lengths.

`MotionPath` is the value that an animator holds, and checks what it is given; the geometry trusts its callers. Edits
(`edits`, `insertion`) make a new geometry that shares with the old one whatever a changed key does not reach.
"""

from functools import cached_property

import numpy as np

from keypose.curves.checks import check_keys
from keypose.curves.distance.length_table import LengthTable
from keypose.curves.key_columns import Keys
from keypose.curves.orientation_path import OrientationPath
from keypose.curves.path.heading import headings
from keypose.curves.path.metric import ANGLE_METRIC, LENGTH_METRIC, Metric, build_metric_table
from keypose.curves.path.partial_keys import build_partial_segments, complete_times
from keypose.curves.path.path_distance import FEW_QUERIES, PathDistance
from keypose.curves.path.path_orientation import PathOrientation, build_path_orientation
from keypose.curves.path.segments import (
    SegmentRun,
    build_segments,
    chord_lengths,
    key_tangents,
    resolve_adjust,
    segment_count,
)
from keypose.curves.path_options import PathOptions
from keypose.curves.tangents import Adjust
from keypose.maths import Floats, Rope, hermite

IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])


class PathGeometry:
    """The curve through keys. Parameters u may have any shape; what they must satisfy, `MotionPath` has checked."""

    keys: Keys
    options: PathOptions
    adjust: Adjust
    """The rule for uneven keys that is in force."""
    shape: tuple[int, ...]
    """Shape of a position: (dim,), or (points, dim) for drawings."""
    rope: Rope[SegmentRun]
    has_all_positions: bool
    """Whether every key has a position."""

    def __init__(self, keys: Keys, options: PathOptions) -> None:
        check_keys(keys, options)
        positions = keys.column("position")
        self.keys = keys
        self.options = options
        self.adjust = resolve_adjust(keys, options)
        self.shape = (3,) if positions is None else positions.shape[1:]
        self.has_all_positions = positions is not None and not np.isnan(positions.reshape(len(keys), -1)[:, 0]).any()
        if self.has_all_positions:
            self.rope = Rope(build_segments(keys, options, self.adjust, 0, segment_count(keys, options)))
        else:
            self.rope = Rope(build_partial_segments(keys, options, self.adjust))

    def with_keys(self, keys: Keys) -> "PathGeometry":
        """Return the same geometry for keys that state the same positions, orientations and times."""
        geometry = PathGeometry.__new__(PathGeometry)
        geometry.__dict__.update(self.__dict__, keys=keys)
        return geometry

    def spliced(
        self, keys: Keys, rope: Rope[SegmentRun], orientation: PathOrientation | None, keeps_end_tangents: bool
    ) -> "PathGeometry":
        """Return the geometry through edited keys whose segments are known; all of them have positions.

        `orientation` is None where it must be derived again.
        """
        geometry = PathGeometry.__new__(PathGeometry)
        geometry.__dict__.update(
            keys=keys, options=self.options, adjust=self.adjust, shape=self.shape, rope=rope, has_all_positions=True
        )
        if orientation is not None:
            geometry.__dict__["orientation"] = orientation
        if keeps_end_tangents and "end_tangents" in self.__dict__:
            geometry.__dict__["end_tangents"] = self.end_tangents
        return geometry

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def closed(self) -> bool:
        """Whether the path returns to its first key."""
        return self.options.closed

    @property
    def segments(self) -> int:
        """The number of segments: the parameter runs from 0 to this."""
        return len(self.rope)

    @property
    def times(self) -> Floats | None:
        """The keys' own times [s], if every key has one."""
        return complete_times(self.keys)

    @property
    def curve(self) -> Floats:
        """The cubic segments as in KB84 eq. 2: two ends, two tangents, (segments, 4, width)."""
        return self.rope.whole.curve

    # ---- by parameter --------------------------------------------------------------------------------------------

    def wrap(self, u: Floats) -> Floats:
        """Return the parameters within the path: held at its ends, or in its first lap if closed."""
        if self.options.closed:
            lap: Floats = u - self.segments * np.floor(u / self.segments)
            return lap
        return np.clip(u, 0.0, self.segments)

    def evaluate(self, u: Floats, derivative: int, out: Floats | None = None) -> Floats:
        """Return the position at u or its derivative, (…, *shape), written into `out` where one is given."""
        shape = u.shape + self.shape
        flat = contiguous(u)
        into = None if out is None else out.reshape(len(flat), self.rope.locate_row(0)[0].curve.shape[2])
        if not self.rope.is_whole and len(flat) <= FEW_QUERIES:
            result = np.array([self._evaluate_one(float(v), derivative) for v in flat]).reshape(shape)
            if out is not None:
                out[...] = result
        else:
            result = hermite.evaluate(self.curve, flat, self.options.closed, derivative, into).reshape(shape)
        return result if out is None else out

    def _evaluate_one(self, u: float, derivative: int) -> Floats:
        """A single sample, which reads only the chunk of segments it lies on."""
        segment, s = hermite.locate(np.array([u]), len(self.rope), self.options.closed)
        chunk, row = self.rope.locate_row(int(segment[0]))
        return hermite.evaluate(chunk.curve[row : row + 1], s, False, derivative).reshape(-1)

    def orientation_at(self, u: Floats) -> Floats:
        """Return the orientation at u as w x y z, (…, 4); the identity if no key has one."""
        if self.orientation is None:
            return np.broadcast_to(IDENTITY, (*u.shape, 4))
        return self.orientation.at(self.wrap(u))

    def angular_velocity(self, u: Floats) -> Floats:
        """Return the angular velocity dθ/du [rad per key], a vector in the carrier's frame, (…, 3)."""
        if self.orientation is None:
            return np.zeros((*u.shape, 3))
        return self.orientation.angular_velocity(self.wrap(u))

    # ---- by distance ---------------------------------------------------------------------------------------------

    @cached_property
    def path_distance(self) -> PathDistance:
        """Distances along the path and their inverse."""
        is_length = self.metric.is_length
        table = None if is_length else build_metric_table(self.rope.whole, self.orientation, self.metric)
        return PathDistance(self.rope, self.options.closed, table)

    @cached_property
    def metric(self) -> Metric:
        """What counts as distance: length, travel and turn by inertia, or the turn alone where nothing travels."""
        if self.options.inertia > 0:
            return Metric(self.options.mass, self.options.inertia)
        if "facing" not in self.keys.rope.chunks[0].arrays or self.orientation is None:
            return LENGTH_METRIC
        has_travel = (self.curve[:, 0] != self.curve[:, 1]).any() or self.curve[:, 2:].any()
        return LENGTH_METRIC if has_travel else ANGLE_METRIC

    @property
    def length_table(self) -> LengthTable:
        """The table by which distances are read."""
        return self.path_distance.length_table

    def pace(self, u: Floats | float) -> Floats:
        """Return the distance per unit of u: ‖dP/du‖, the RMS of drawings, or √(m‖dP/du‖² + j‖ω‖²)."""
        parameters = np.asarray(u, dtype=np.float64)
        return self.pace_of(self.evaluate(parameters, 1), self.angular_velocity(parameters))

    def pace_of(self, velocity: Floats, angular_velocity: Floats) -> Floats:
        """Return the distance that belongs to a velocity (…, *shape) and an angular velocity (…, 3)."""
        return self.metric.pace(velocity if len(self.shape) == 2 else velocity[..., None, :], angular_velocity)

    def heading(self, u: Floats | float) -> Floats:
        """Return the direction dP per metre of distance at u; where dP/du is zero, that in which it starts moving."""
        parameters = np.asarray(u, dtype=np.float64)
        return headings(self, contiguous(parameters)).reshape(parameters.shape + self.shape)

    # ---- tangents and orientations -------------------------------------------------------------------------------

    @property
    def arrive(self) -> Floats:
        """The tangent dP/du with which each key is reached, (keys, *shape)."""
        ends = self.curve[-1:, 3] if self.options.closed else self.end_tangents[0]
        return np.concatenate([ends, self.curve[: len(self) - 1, 3]]).reshape(len(self), *self.shape)

    @property
    def leave(self) -> Floats:
        """The tangent dP/du with which each key is left, (keys, *shape)."""
        ends = self.curve[:0, 2] if self.options.closed else self.end_tangents[1]
        return np.concatenate([self.curve[:, 2], ends]).reshape(len(self), *self.shape)

    @cached_property
    def end_tangents(self) -> tuple[Floats, Floats]:
        """The arriving tangent of an open path's first key and the leaving tangent of its last, each (1, width)."""
        width = self.curve.shape[2]
        if not self.has_all_positions:
            manual = self.keys[0].arrive, self.keys[-1].leave
            arrive, leave = (np.zeros(width) if not isinstance(one, np.ndarray) else one for one in manual)
            return arrive.reshape(1, width), leave.reshape(1, width)
        arrive, _ = key_tangents(self.keys, self.options, self.adjust, 0, 1)
        _, leave = key_tangents(self.keys, self.options, self.adjust, len(self) - 1, len(self))
        return arrive.reshape(1, width), leave.reshape(1, width)

    @cached_property
    def orientation(self) -> PathOrientation | None:
        """The curve through the keys' orientations by the path's parameter; None if no key has one."""
        if "facing" not in self.keys.rope.chunks[0].arrays:
            return None
        ends = np.concatenate([self.curve[:, 0], self.curve[-1:, 1]]).reshape(-1, *self.shape)
        return build_path_orientation(self.keys, self.options, self.adjust, chord_lengths(ends))

    @property
    def known_orientation(self) -> PathOrientation | None:
        """The same if it has been derived already, else None."""
        known: PathOrientation | None = self.__dict__.get("orientation")
        return known

    @property
    def turns(self) -> OrientationPath | None:
        """The curve through the orientations alone; None if no key has one."""
        return None if self.orientation is None else self.orientation.orientation_path

    @property
    def turns_at_keys(self) -> Floats | None:
        """The parameter of `turns` at u = 0, 1 … segments, (segments + 1,); None without orientations."""
        return None if self.orientation is None else self.orientation.parameters_at_keys(self.segments)


def contiguous(query: Floats) -> Floats:
    """(n,) as kernels need it; numba would compile again for any other kind of array, a read-only one too."""
    return np.require(query.reshape(-1), requirements=["C", "W"])
