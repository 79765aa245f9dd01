"""Where does it go? The curve through the keys, asked by parameter or by distance (KB84, GL95 §2-5).

Key i is at u = i. Building a path turns what the keys say into cubic segments (`segments`), turns (`path_orientation`)
and, when a distance is first asked for, a ruler (`arc_length`). What happens when a key is moved is told in `edits`.
"""

from collections.abc import Callable, Sequence
from dataclasses import FrozenInstanceError
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from keypose.curves.checks import check_keys
from keypose.curves.distance.length_table import LengthTable
from keypose.curves.key import Key
from keypose.curves.key_columns import Keys
from keypose.curves.orientation_path import OrientationPath, Turning
from keypose.curves.path import edits, insertion
from keypose.curves.path.heading import heading
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
from keypose.curves.tangents import Adjust, Ends
from keypose.errors import MAX_KEYS_IN_REPR, KeyposeError, short_repr
from keypose.maths import Floats, Rope, compiled_entry, hermite, parse_non_nan, parse_numbers, use_kernels

PointKernel = tuple[Callable[[Floats, float], Floats], Floats]


class MotionPath:
    """The smooth curve through its keys, in place and in facing; immutable, compared by value.

    `tension`, `continuity` and `bias` hold wherever a key sets none. `adjust` says how tangents answer to uneven keys:
    "none" (KB84 eqs 8-9), "time" (KB84 eq. 10), "velocity" (third order), "length" (GL95 eq. 3), "unit" (unit chords);
    None is "time" if every key has a time, else "length". `ends`: "reflect", "still" or "zero-chord". `turning`:
    "casteljau", or "log" for GL95 eq. 2. With `inertia` > 0 distance means ∫√(mass dl² + inertia dθ²). `closing`: the
    seconds a closed, timed path takes from its last key back to its first; None: as many as the segment before.
    """

    keys: Keys
    options: PathOptions
    _rope: Rope[SegmentRun]
    _shape: tuple[int, ...]
    _adjust: Adjust
    _has_all_positions: bool
    _point_kernel: PointKernel | None = None

    def __init__(
        self,
        keys: Sequence[Key] | ArrayLike,
        *,
        tension: float = 0.0,
        continuity: float = 0.0,
        bias: float = 0.0,
        adjust: Adjust | None = None,
        ends: Ends = "reflect",
        closed: bool = False,
        turning: Turning = "casteljau",
        mass: float = 1.0,
        inertia: float = 0.0,
        closing: float | None = None,
    ) -> None:
        options = PathOptions(tension, continuity, bias, adjust, ends, closed, turning, mass, inertia, closing)
        self._derive(Keys.of(keys), options)

    def _derive(self, keys: Keys, options: PathOptions) -> None:
        """Build everything from what the keys say."""
        check_keys(keys, options)
        adjust = resolve_adjust(keys, options)
        positions = keys.column("position")
        has_all_positions = positions is not None and not np.isnan(positions.reshape(len(keys), -1)[:, 0]).any()
        if has_all_positions:
            rope = Rope(build_segments(keys, options, adjust, 0, segment_count(keys, options)))
        else:
            rope = Rope(build_partial_segments(keys, options, adjust))
        shape = (3,) if positions is None else positions.shape[1:]
        self.__dict__.update(
            keys=keys, options=options, _rope=rope, _shape=shape, _adjust=adjust, _has_all_positions=has_all_positions
        )

    @classmethod
    def _from_keys(cls, keys: Keys, options: PathOptions, **parts: Any) -> "MotionPath":
        """A path from keys known to be good; with `parts` from another path, what they hold is not derived again."""
        path = cls.__new__(cls)
        if parts:
            path.__dict__.update(parts, keys=keys, options=options)
        else:
            path._derive(keys, options)
        return path

    # ---- what was said -------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.keys)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MotionPath) and self.options == other.options and self.keys == other.keys

    def __hash__(self) -> int:
        return hash((self.options, self.keys))

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"A path cannot be given another {name!r}: an edit gives a new path.")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"A path cannot lose its {name!r}.")

    def __reduce__(self) -> tuple[Any, tuple[Keys, PathOptions]]:
        return MotionPath._from_keys, (self.keys, self.options)  # what was said; the rest is derived again

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.non_defaults().items())
        if len(self) > MAX_KEYS_IN_REPR:
            return f"<MotionPath: {len(self):,} keys{options}>"
        return f"MotionPath([{', '.join(map(repr, self.keys))}]{options})"

    @property
    def closed(self) -> bool:
        """Whether the path returns to its first key."""
        return self.options.closed

    @property
    def adjust(self) -> Adjust:
        """The rule for uneven keys that is in force."""
        return self._adjust

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of a place on the path: (dim,), or (points, dim) for drawings."""
        return self._shape

    @property
    def segments(self) -> int:
        """How many segments: the parameter runs from 0 to this."""
        return len(self._rope)

    @property
    def times(self) -> Floats | None:
        """The keys' own times [s], read-only, if every key has one."""
        times = complete_times(self.keys)
        if times is not None:
            times = times.view()
            times.flags.writeable = False
        return times

    @property
    def curve(self) -> Floats:
        """Its cubic segments as in KB84 eq. 2: two ends, two tangents, read-only, (segments, 4, width)."""
        curve = self._rope.whole.curve.view()
        curve.flags.writeable = False
        return curve

    # ---- by parameter --------------------------------------------------------------------------------------------

    def at(self, u: ArrayLike | float, out: Floats | None = None) -> Floats:
        """The place at parameter u: key i is at u = i. Open paths hold beyond their ends, closed ones wrap."""
        if (
            type(u) is float
            and u - u == 0.0
            and out is None
            and (kernel := self._point_kernel or self._load_point_kernel())
        ):
            return kernel[0](kernel[1], u)
        return self._evaluate(u, 0, out)

    def _load_point_kernel(self) -> PointKernel | None:
        """How to answer for one u, as a dragging hand asks: a kernel and what it works on, once kernels are loaded."""
        if not use_kernels(0) or len(self._shape) != 1 or not self._rope.is_whole:
            return None
        from keypose.maths import hermite_kernels

        curve = self._rope.whole.curve
        point_kernel = (
            compiled_entry(hermite_kernels.point_on_loop if self.options.closed else hermite_kernels.point, curve, 0.0),
            curve,
        )
        self.__dict__["_point_kernel"] = point_kernel
        return point_kernel

    def velocity(self, u: ArrayLike) -> Floats:
        """dP/du. A key where the path breaks answers with its leaving side, the last of an open path with arriving."""
        return self._evaluate(u, 1)

    def acceleration(self, u: ArrayLike) -> Floats:
        """d²P/du²."""
        return self._evaluate(u, 2)

    def _evaluate(self, u: ArrayLike, derivative: int, out: Floats | None = None) -> Floats:
        query = self._parse_query(u, "A parameter")
        shape = query.shape + self._shape
        if out is not None:
            _check_out(out, shape)
        flat = _contiguous(query)
        into = None if out is None else out.reshape(len(flat), self._rope.locate_row(0)[0].curve.shape[2])
        if not self._rope.is_whole and len(flat) <= FEW_QUERIES:
            rows = [self._evaluate_one(float(v), derivative) for v in flat]
            result = np.array(rows).reshape(shape)
            if out is not None:
                out[...] = result
        else:
            result = hermite.evaluate(self._rope.whole.curve, flat, self.options.closed, derivative, into).reshape(
                shape
            )
        return result if out is None else out

    def _parse_query(self, values: ArrayLike, what: str) -> Floats:
        """What was asked for; a closed path goes round for ever and has no place at infinity."""
        query = parse_non_nan(values, what)
        if self.options.closed and not np.isfinite(query).all():
            raise KeyposeError(f"{what} on a closed path is infinite: {short_repr(values)}. Give finite numbers.")
        return query

    def _evaluate_one(self, u: float, derivative: int) -> Floats:
        """A single sample, asking only the strand it lies on."""
        segment, s = hermite.locate(np.array([u]), len(self._rope), self.options.closed)
        chunk, row = self._rope.locate_row(int(segment[0]))
        return hermite.evaluate(chunk.curve[row : row + 1], s, False, derivative).reshape(-1)

    def orientation_at(self, u: ArrayLike) -> Floats:
        """The facing at u as w x y z, (…, 4); the identity if no key has one."""
        query = self._parse_query(u, "A parameter")
        if self._orientation is None:
            return np.broadcast_to(np.array([1.0, 0.0, 0.0, 0.0]), (*query.shape, 4))
        return self._orientation.at(self._wrap(query))

    def angular_velocity(self, u: ArrayLike) -> Floats:
        """The angular velocity dθ/du [rad per key], a vector in the carrier's frame, (…, 3)."""
        query = self._parse_query(u, "A parameter")
        return (
            np.zeros((*query.shape, 3))
            if self._orientation is None
            else self._orientation.angular_velocity(self._wrap(query))
        )

    def _wrap(self, u: Floats) -> Floats:
        if self.options.closed:
            lap: Floats = u - self.segments * np.floor(u / self.segments)
            return lap
        return np.clip(u, 0.0, self.segments)

    # ---- by distance ---------------------------------------------------------------------------------------------

    @property
    def length(self) -> float:
        """From the first key to the last [m], and back to the first if closed."""
        return self._path_distance.length

    def distance(self, u: ArrayLike) -> Floats:
        """How far along the path u is [m]. On closed paths it goes on growing lap by lap."""
        query = self._parse_query(u, "A parameter")
        return self._path_distance.distance(_contiguous(query)).reshape(query.shape)[()]

    def parameter(self, distance: ArrayLike) -> Floats:
        """The parameter u at a distance [m] from the start: held at the ends, lap by lap if closed."""
        query = self._parse_query(distance, "A distance")
        return self._path_distance.parameter(_contiguous(query)).reshape(query.shape)[()]

    def along(self, distance: ArrayLike) -> Floats:
        """The place at a distance [m] from the start."""
        return self.at(self.parameter(distance))

    def pace(self, u: ArrayLike) -> Floats:
        """Metres of distance per unit of u: ‖dP/du‖, the root mean square of drawings, or √(m‖dP/du‖² + j‖ω‖²)."""
        return self.pace_of(self.velocity(u), self.angular_velocity(u))

    def pace_of(self, velocity: Floats, angular_velocity: Floats) -> Floats:
        """Metres of distance that go with a velocity (…, dim) and an angular velocity (…, 3)."""
        velocity, angular_velocity = (
            parse_numbers(velocity, "A velocity", copy=False),
            parse_numbers(angular_velocity, "An angular velocity", copy=False),
        )
        if velocity.shape[-len(self._shape) :] != self._shape or angular_velocity.shape[-1:] != (3,):
            raise KeyposeError(
                f"A velocity of shape {velocity.shape} and an angular velocity of shape {angular_velocity.shape} "
                f"were given. Give (…, {', '.join(map(str, self._shape))}) and (…, 3)."
            )
        return self._metric.pace(velocity if len(self._shape) == 2 else velocity[..., None, :], angular_velocity)

    def heading(self, u: ArrayLike) -> Floats:
        """Where it heads: dP per metre of distance at u, also where dP/du is zero: then the way it sets off."""
        query = self._parse_query(u, "A parameter")
        return heading(self, _contiguous(query)).reshape(query.shape + self._shape)

    @property
    def has_length_metric(self) -> bool:
        """Whether distance along it is plain length, and turns count for nothing."""
        return self._metric.is_length

    @property
    def length_table(self) -> LengthTable:
        """The ruler along it, by which distances are read."""
        return self._path_distance.length_table

    @cached_property
    def _path_distance(self) -> PathDistance:
        is_length = self._metric.is_length
        table = None if is_length else build_metric_table(self._rope.whole, self._orientation, self._metric)
        return PathDistance(self._rope, self.options.closed, table)

    @cached_property
    def _metric(self) -> Metric:
        """What counts as distance: length, travel and turn by inertia, or the turn alone where nothing travels."""
        if self.options.inertia > 0:
            return Metric(self.options.mass, self.options.inertia)
        if "facing" not in self.keys.rope.chunks[0].arrays or self._orientation is None:
            return LENGTH_METRIC
        curve = self._rope.whole.curve
        has_travel = (curve[:, 0] != curve[:, 1]).any() or curve[:, 2:].any()
        return LENGTH_METRIC if has_travel else ANGLE_METRIC

    # ---- tangents, turns, edits ----------------------------------------------------------------------------------

    @property
    def arrive(self) -> Floats:
        """dP/du with which each key is reached, (keys, …); by its own rule where nothing arrives."""
        curve = self._rope.whole.curve
        ends = curve[-1:, 3] if self.options.closed else self._end_tangents[0]
        return self._read_only_tangents(np.concatenate([ends, curve[: len(self) - 1, 3]]))

    @property
    def leave(self) -> Floats:
        """dP/du with which each key is left, (keys, …); by its own rule where nothing leaves."""
        curve = self._rope.whole.curve
        ends = curve[:0, 2] if self.options.closed else self._end_tangents[1]
        return self._read_only_tangents(np.concatenate([curve[:, 2], ends]))

    @cached_property
    def _end_tangents(self) -> tuple[Floats, Floats]:
        """What an open path's first key would arrive with and its last would leave with."""
        width = self._rope.whole.curve.shape[2]
        if not self._has_all_positions:
            manual = self.keys[0].arrive, self.keys[-1].leave
            arrive, leave = (np.zeros(width) if not isinstance(one, np.ndarray) else one for one in manual)
            return arrive.reshape(1, width), leave.reshape(1, width)
        arrive, _ = key_tangents(self.keys, self.options, self._adjust, 0, 1)
        _, leave = key_tangents(self.keys, self.options, self._adjust, len(self) - 1, len(self))
        return arrive.reshape(1, width), leave.reshape(1, width)

    def _read_only_tangents(self, tangents: Floats) -> Floats:
        report = tangents.reshape(len(self), *self._shape)
        report.flags.writeable = False
        return report

    @cached_property
    def _orientation(self) -> PathOrientation | None:
        curve = self._rope.whole.curve if "facing" in self.keys.rope.chunks[0].arrays else None
        if curve is None:
            return None
        ends = np.concatenate([curve[:, 0], curve[-1:, 1]]).reshape(-1, *self._shape)
        return build_path_orientation(self.keys, self.options, self._adjust, chord_lengths(ends))

    @property
    def turns(self) -> OrientationPath | None:
        """The curve through the facings alone; None if no key has one."""
        return None if self._orientation is None else self._orientation.orientation_path

    @property
    def turns_at_keys(self) -> Floats | None:
        """The parameter of `turns` at u = 0, 1 … segments, even in between, (segments + 1,); None without facings."""
        return None if self._orientation is None else self._orientation.parameters_at_keys(self.segments)

    def with_key(self, key: int | str, **changes: Any) -> "MotionPath":
        """The path with one key said differently; shares all segments that the key does not touch."""
        return edits.with_key(self, key, changes)

    def insert(self, u: float, *, keep_shape: bool = True, name: str | None = None) -> "MotionPath":
        """The path with one key more, on the curve at u. The curve stays exactly as it is, by manual tangents, unless
        `keep_shape` is off: then the new key is a TCB key. Turns stay exactly too where all keys have times or it turns
        about one axis; otherwise within a fraction of a degree.
        """
        return insertion.insert(self, u, keep_shape, name)

    def without_key(self, key: int | str) -> "MotionPath":
        """The path with one key less."""
        return edits.without_key(self, key)

    def lost_by_tcb(self, key: int | str) -> edits.TangentLoss | None:
        """What would be lost if the key went back from manual tangents to TCB; None if it has none set by hand."""
        return edits.lost_by_tcb(self, key)

    def timed(self, times: Floats, closing: float | None = None) -> "MotionPath":
        """The path as if its keys had these times [s]; with adjust=None its tangents are derived for them."""
        return edits.with_times(self, times, closing)


def _contiguous(query: Floats) -> Floats:
    """(n,) as the kernels want it; numba would compile anew for any other kind of array, a read-only one too."""
    return np.require(query.reshape(-1), requirements=["C", "W"])


def _check_out(out: Any, shape: tuple[int, ...]) -> None:
    """Refuse what the answer cannot be written into."""
    if not isinstance(out, np.ndarray):
        raise KeyposeError(f"`out` is {short_repr(out)}. Give a float64 array of shape {shape}.")
    if out.shape != shape or out.dtype != np.float64 or not (out.flags.c_contiguous and out.flags.writeable):
        raise KeyposeError(
            f"`out` has shape {out.shape} and type {out.dtype}. Give a writable, C-ordered float64 array {shape}."
        )
