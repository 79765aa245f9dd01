"""The path through the keys, evaluated by parameter or by distance (KB84, GL95 §2-5).

Key i is at u = i. `MotionPath` is the value and checks what it is given; `path_geometry` computes segments,
orientations and lengths, and `edits` what a changed key reaches.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keypose.curves.key import Key
from keypose.curves.key_columns import Keys
from keypose.curves.orientation_path import Turning
from keypose.curves.path import edits, insertion
from keypose.curves.path.path_geometry import PathGeometry, contiguous
from keypose.curves.path_options import PathOptions
from keypose.curves.tangents import Adjust, Ends
from keypose.errors import MAX_KEYS_IN_REPR, KeyposeError, short_repr
from keypose.maths import ArrayLike, Floats, compiled_entry, parse_non_nan, use_kernels

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
    geometry: PathGeometry
    """What is computed from the keys, for the other packages; not part of the public surface."""
    _point_kernel: PointKernel | None = None

    def __init__(
        self,
        keys: Sequence[Key | ArrayLike] | NDArray[Any],
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
        geometry = PathGeometry(Keys.of(keys), options)
        self.__dict__.update(keys=geometry.keys, options=options, geometry=geometry)

    # ---- as a value ----------------------------------------------------------------------------------------------

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
        return path_from_keys, (self.keys, self.options)

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.non_defaults().items())
        if len(self) > MAX_KEYS_IN_REPR:
            return f"<MotionPath: {len(self):,} keys{options}>"
        return f"MotionPath([{', '.join(map(repr, self.keys))}]{options})"

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if name != "geometry"]

    @property
    def closed(self) -> bool:
        """Whether the path returns to its first key."""
        return self.options.closed

    @property
    def adjust(self) -> Adjust:
        """The rule for uneven keys that is in force."""
        return self.geometry.adjust

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of a position on the path: (dim,), or (points, dim) for drawings."""
        return self.geometry.shape

    @property
    def segments(self) -> int:
        """The number of segments: the parameter runs from 0 to this."""
        return self.geometry.segments

    @property
    def times(self) -> Floats | None:
        """The keys' own times [s], read-only, if every key has one."""
        times = self.geometry.times
        return None if times is None else _read_only(times.view())

    # ---- by parameter --------------------------------------------------------------------------------------------

    def at(self, u: ArrayLike | float, out: Floats | None = None) -> Floats:
        """Return the position at u: key i is at u = i. Open paths hold beyond their ends, closed ones wrap."""
        if (
            type(u) is float
            and u - u == 0.0
            and out is None
            and (kernel := self._point_kernel or self._load_point_kernel())
        ):
            return kernel[0](kernel[1], u)
        query = self._parse_query(u, "A parameter")
        if out is not None:
            _check_out(out, query.shape + self.geometry.shape)
        return self.geometry.evaluate(query, 0, out)

    def _load_point_kernel(self) -> PointKernel | None:
        """The kernel for one u, as a dragging hand asks, and its curve; None while kernels are not loaded."""
        geometry = self.geometry
        if not use_kernels(0) or len(geometry.shape) != 1 or not geometry.rope.is_whole:
            return None
        from keypose.maths import hermite_kernels

        point = hermite_kernels.point_on_loop if geometry.closed else hermite_kernels.point
        point_kernel = compiled_entry(point, geometry.curve, 0.0), geometry.curve
        self.__dict__["_point_kernel"] = point_kernel
        return point_kernel

    def velocity(self, u: ArrayLike) -> Floats:
        """Return dP/du. At a key where the path breaks it is that of the leaving side, at an open end the arriving."""
        return self.geometry.evaluate(self._parse_query(u, "A parameter"), 1)

    def acceleration(self, u: ArrayLike) -> Floats:
        """Return d²P/du²."""
        return self.geometry.evaluate(self._parse_query(u, "A parameter"), 2)

    def orientation_at(self, u: ArrayLike) -> Floats:
        """Return the orientation at u as w x y z, (…, 4); the identity if no key has one."""
        return self.geometry.orientation_at(self._parse_query(u, "A parameter"))

    def angular_velocity(self, u: ArrayLike) -> Floats:
        """Return the angular velocity dθ/du [rad per key], a vector in the carrier's frame, (…, 3)."""
        return self.geometry.angular_velocity(self._parse_query(u, "A parameter"))

    def _parse_query(self, values: ArrayLike, what: str) -> Floats:
        """The values as an array; on a closed path, which wraps, they must be finite."""
        query = parse_non_nan(values, what)
        if self.options.closed and not np.isfinite(query).all():
            raise KeyposeError(f"{what} on a closed path is infinite: {short_repr(values)}. Give finite numbers.")
        return query

    # ---- by distance ---------------------------------------------------------------------------------------------

    @property
    def length(self) -> float:
        """From the first key to the last [m], and back to the first if closed."""
        return self.geometry.path_distance.length

    def distance(self, u: ArrayLike) -> Floats:
        """Return the distance along the path to u [m]. On closed paths it goes on growing lap by lap."""
        query = self._parse_query(u, "A parameter")
        return self.geometry.path_distance.distance(contiguous(query)).reshape(query.shape)[()]

    def parameter(self, distance: ArrayLike) -> Floats:
        """Return the parameter u at a distance [m] from the start: held at the ends, lap by lap if closed."""
        query = self._parse_query(distance, "A distance")
        return self.geometry.path_distance.parameter(contiguous(query)).reshape(query.shape)[()]

    def along(self, distance: ArrayLike) -> Floats:
        """Return the position at a distance [m] from the start."""
        return self.at(self.parameter(distance))

    # ---- tangents and edits --------------------------------------------------------------------------------------

    @property
    def arrive(self) -> Floats:
        """dP/du with which each key is reached, (keys, …), read-only; by its own rule where nothing arrives."""
        return _read_only(self.geometry.arrive)

    @property
    def leave(self) -> Floats:
        """dP/du with which each key is left, (keys, …), read-only; by its own rule where nothing leaves."""
        return _read_only(self.geometry.leave)

    def with_key(self, key: int | str, **changes: Any) -> "MotionPath":
        """Return the path with one key changed; it shares all segments that the key does not touch."""
        return path_from_geometry(edits.with_key(self.geometry, key, changes))

    def insert(self, u: float, *, keep_shape: bool = True, name: str | None = None) -> "MotionPath":
        """Return the path with one key more, on the curve at u. Manual tangents keep the curve exactly as it is, unless
        `keep_shape` is off: then the new key is a TCB key. Orientations stay exactly too where all keys have times or
        it turns about one axis; otherwise within a fraction of a degree.
        """
        return path_from_geometry(insertion.insert(self.geometry, u, keep_shape, name))

    def without_key(self, key: int | str) -> "MotionPath":
        """Return the path with one key less."""
        return path_from_geometry(edits.without_key(self.geometry, key))

    def lost_by_tcb(self, key: int | str) -> edits.TangentLoss | None:
        """Return what is lost if the key goes back from manual tangents to TCB; None if it has no manual tangents."""
        return edits.lost_by_tcb(self.geometry, key)

    def timed(self, times: Floats, closing: float | None = None) -> "MotionPath":
        """Return the path as if its keys had these times [s]; with adjust=None its tangents are derived for them."""
        return path_from_geometry(edits.with_times(self.geometry, times, closing))


def path_from_geometry(geometry: PathGeometry) -> MotionPath:
    """Return the path whose geometry is known."""
    path = MotionPath.__new__(MotionPath)
    path.__dict__.update(keys=geometry.keys, options=geometry.options, geometry=geometry)
    return path


def path_from_keys(keys: Keys, options: PathOptions) -> MotionPath:
    """Return the path through keys that stand in columns already."""
    return path_from_geometry(PathGeometry(keys, options))


def replace_keys(path: MotionPath, start: int, stop: int, keys: Sequence[Key], same_kind: bool) -> MotionPath:
    """Return the path with keys start … stop replaced; see `edits.replace_keys`."""
    return path_from_geometry(edits.replace_keys(path.geometry, start, stop, keys, same_kind))


def move_keys(path: MotionPath, positions: Mapping[int, Floats]) -> MotionPath:
    """Return the path with some keys at other positions; see `edits.move_keys`."""
    return path_from_geometry(edits.move_keys(path.geometry, positions))


def _read_only(values: Floats) -> Floats:
    values.flags.writeable = False
    return values


def _check_out(out: Any, shape: tuple[int, ...]) -> None:
    """Refuse what the answer cannot be written into."""
    if not isinstance(out, np.ndarray):
        raise KeyposeError(f"`out` is {short_repr(out)}. Give a float64 array of shape {shape}.")
    if out.shape != shape or out.dtype != np.float64 or not (out.flags.c_contiguous and out.flags.writeable):
        raise KeyposeError(
            f"`out` has shape {out.shape} and type {out.dtype}. Give a writable, C-ordered float64 array {shape}."
        )
