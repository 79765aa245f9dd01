"""How fast is each moment of a motion, compared with the others? Drawn speed (BH89 §4, GL95 §5.2).

The animator draws relative speed φ over the duration, x = 0 … 1: by control values that pull a B-spline, or as a
curve through given speeds. Only ratios count: K = length/∫φ makes the motion end at its end, without a search.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, SupportsIndex, overload

import numpy as np

from keypose.errors import KeyposeError, short_repr
from keypose.maths import (
    MAX_MAGNITUDE,
    Floats,
    PiecewiseCubic,
    bspline,
    parse_index,
    parse_non_nan,
    parse_number,
    parse_sequence,
)

Kind = Literal["b-spline", "through"]

MIN_PEAK_SPEED = 1e-100  # a profile whose fastest moment is slower than this never moves
MIN_SPACING = 1e-9  # two points of a profile cannot be nearer to each other: a step this steep is a jump
MAX_VALUES = 100_000

_VALUES_EXAMPLE = "relative speeds such as [1, 1, 8, 2, 1]"
_POINTS_EXAMPLE = "points {x: speed} such as {0: 1, 0.5: 8, 1: 1}"


INTERNAL_ATTRIBUTES = frozenset({"curve", "x_at_area"})
"""For other modules and packages; not shown by tab completion."""


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class SpeedProfile:
    """Relative speed over x = 0 … 1 of the duration. A frozen value; every edit gives a new one.

    `SpeedProfile([1, 1, 8, 2, 1])` is a clamped cubic B-spline (fewer than four values lower its degree): it
    begins at the first value, ends at the last, and stays between the lowest and the highest.
    """

    values: Floats
    """The control values, or the speeds passed through, (n,), read-only."""
    places: Floats
    """The x of each value, (n,), read-only."""
    kind: Kind
    _curve: PiecewiseCubic
    _extremes: tuple[float, float]

    def __init__(self, values: Sequence[float] | Floats) -> None:
        speeds = _check_speeds(parse_sequence(values, "Speed values", _VALUES_EXAMPLE))
        curve = PiecewiseCubic(*bspline.pieces(speeds), speeds[-1])
        self._set_fields("b-spline", bspline.greville_abscissae(len(speeds)), speeds, curve)

    @classmethod
    def through(cls, points: Mapping[float, float]) -> "SpeedProfile":
        """The profile through `points` {x: speed} that between two of them stays between their speeds (GL95 §5.2).

        So it never undershoots zero. Before the first and after the last point their speed is held.
        """
        if not isinstance(points, Mapping):
            raise KeyposeError(f"SpeedProfile.through takes {_POINTS_EXAMPLE}, but {short_repr(points)} was given.")
        x = parse_sequence(list(points.keys()), "The x of a profile's points", _POINTS_EXAMPLE)
        speeds = parse_sequence(list(points.values()), "The speeds of a profile's points", _POINTS_EXAMPLE)
        return cls._through(x, speeds)

    @classmethod
    def steady(cls) -> "SpeedProfile":
        """The same speed throughout."""
        return cls([1.0])

    @classmethod
    def slow_in_slow_out(cls) -> "SpeedProfile":
        """From rest to rest: speed and its slope are zero at both ends, the fastest moment is in the middle."""
        return cls([0.0, 0.0, 1.0, 1.0, 0.0, 0.0])

    def __dir__(self) -> list[str]:
        return [name for name in object.__dir__(self) if name not in INTERNAL_ATTRIBUTES]

    @property
    def total(self) -> float:
        """The area under the whole profile, ∫₀¹ φ: what a motion's length is divided by."""
        return self._curve.total

    @property
    def curve(self) -> PiecewiseCubic:
        """The profile as cubic pieces over x = 0 … 1, with their integral."""
        return self._curve

    @overload
    def at(self, x: float) -> float: ...
    @overload
    def at(self, x: Sequence[float] | Floats) -> Floats: ...
    def at(self, x: Any) -> float | Floats:
        """Relative speed φ at x of the duration; x below 0 or above 1 is taken as 0 or 1."""
        low, high = self._extremes  # rounding shall not leave them either
        return _scalar_or_array(np.minimum(np.maximum(self._curve.at(_clamp(x, 1.0, "x")), low), high))

    @overload
    def covered(self, x: float) -> float: ...
    @overload
    def covered(self, x: Sequence[float] | Floats) -> Floats: ...
    def covered(self, x: Any) -> float | Floats:
        """The area under the profile up to x, ∫₀ˣ φ, exact: 0 at x = 0 and `total` at x = 1."""
        return _scalar_or_array(np.minimum(self._curve.integral(_clamp(x, 1.0, "x")), self._curve.sums[-1]))

    @overload
    def x_at_area(self, area: float) -> float: ...
    @overload
    def x_at_area(self, area: Sequence[float] | Floats) -> Floats: ...
    def x_at_area(self, area: Any) -> float | Floats:
        """The earliest x at which that area is covered: the inverse of `area`, 0 … total; beyond it, 0 or 1."""
        return _scalar_or_array(self._curve.inverse_integral(_clamp(area, self.total, "An area covered")))

    def raised(self, index: SupportsIndex, value: float) -> "SpeedProfile":
        """The profile with value `index` set to `value`; a smaller value lowers it."""
        values = self.values.copy()
        values[parse_index(index, len(values), "value")] = parse_number(value, "A speed")
        return self._with_values(self.places, values)

    def inserted(self, x: float, value: float) -> "SpeedProfile":
        """The profile with one more value at x.

        A B-spline gets it between the values whose `places` lie on either side (at 0 or 1: outside them), and all
        places spread evenly again. A curve through points passes `value` at x.
        """
        new_x, speed = parse_number(x, "x"), parse_number(value, "A speed")
        if not 0 <= new_x <= 1:
            raise KeyposeError(f"x = {new_x:g} is outside the duration. Insert between 0 and 1.")
        slot = int(np.searchsorted(self.places, new_x, side="right")) if new_x > 0 else 0
        if self.kind == "through" and new_x in self.places:
            existing = int(np.flatnonzero(self.places == new_x)[0])
            raise KeyposeError(f"There is a point at x = {new_x:g} already. Set it with raised({existing}, {speed:g}).")
        return self._with_values(np.insert(self.places, slot, new_x), np.insert(self.values, slot, speed))

    def without(self, index: SupportsIndex) -> "SpeedProfile":
        """The profile without value `index`."""
        removed = parse_index(index, len(self.values), "value")
        if len(self.values) == 1:
            raise KeyposeError("Value 0 is the only one of this profile and cannot go. Use raised to change it.")
        return self._with_values(np.delete(self.places, removed), np.delete(self.values, removed))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SpeedProfile):
            return NotImplemented
        same_values = np.array_equal(self.values, other.values)
        return self.kind == other.kind and same_values and np.array_equal(self.places, other.places)

    def __hash__(self) -> int:
        return hash((self.kind, self.places.tobytes(), self.values.tobytes()))

    def __repr__(self) -> str:
        if self.kind == "through":
            return f"SpeedProfile.through({self._points()})"
        return f"SpeedProfile({self.values.tolist()})"

    def __reduce__(self) -> tuple[Any, tuple[Any]]:
        if self.kind == "through":  # built anew: a copied array would forget that it is read-only
            return SpeedProfile.through, (self._points(),)
        return SpeedProfile, (self.values.tolist(),)

    def _points(self) -> dict[float, float]:
        return dict(zip(self.places.tolist(), self.values.tolist(), strict=True))

    def _with_values(self, places: Floats, values: Floats) -> "SpeedProfile":
        return SpeedProfile._through(places, values) if self.kind == "through" else SpeedProfile(values)

    @classmethod
    def _through(cls, x: Floats, speeds: Floats) -> "SpeedProfile":
        """The profile through speeds (n,) at x (n,) in any order."""
        for outside in x[~((x >= 0) & (x <= 1))]:
            raise KeyposeError(f"A point lies at x = {outside:g}, outside the duration. Use x from 0 to 1.")
        order = np.argsort(x, kind="stable")
        x, speeds = x[order] + 0.0, speeds[order]  # −0 and 0 are the same place
        for close in np.flatnonzero(x[1:] - x[:-1] < MIN_SPACING):
            raise KeyposeError(
                f"The points at x = {x[close]!s} and {x[close + 1]!s} are nearer than {MIN_SPACING:g}. Remove "
                "one of them."
            )
        speeds = _check_speeds(speeds, x)
        x[x < MIN_SPACING], x[x > 1 - MIN_SPACING] = 0.0, 1.0
        # Holding the outer speeds is passing them again at 0 and 1: the same curve, without a corner where it begins.
        early, late = int(x[0] > 0), int(x[-1] < 1)
        breaks = np.concatenate([[0.0][:early], x, [1.0][:late]])
        knot_speeds = np.concatenate([speeds[:early], speeds, speeds[len(x) - late :]])
        profile = cls.__new__(cls)
        profile._set_fields("through", x, speeds, PiecewiseCubic.through(breaks, knot_speeds))
        return profile

    def _set_fields(self, kind: Kind, places: Floats, values: Floats, curve: PiecewiseCubic) -> None:
        """Fill a new profile, once."""
        places.setflags(write=False)
        values.setflags(write=False)
        extremes = (float(values.min()), float(values.max()))
        attributes = {"kind": kind, "places": places, "values": values, "_curve": curve, "_extremes": extremes}
        for name, value in attributes.items():
            object.__setattr__(self, name, value)


def _check_speeds(speeds: Floats, x: Floats | None = None) -> Floats:
    """`speeds` (n,) if they make a profile at all, with −0 as 0; errors name a value by its x where that was given."""
    if len(speeds) > MAX_VALUES:
        raise KeyposeError(f"A profile of {len(speeds):,} values is more than {MAX_VALUES:,}. Keep every tenth.")
    lowest, highest = speeds.min(), speeds.max()
    if lowest >= 0 and MIN_PEAK_SPEED <= highest <= MAX_MAGNITUDE:  # NaN is in no range
        return speeds + 0.0
    for wrong in np.flatnonzero(~((speeds >= 0) & (speeds <= MAX_MAGNITUDE))):
        name, value = f"Speed value {wrong}" if x is None else f"The speed at x = {x[wrong]:g}", speeds[wrong]
        if value < 0:
            raise KeyposeError(f"{name} is {value:g}. A profile never runs backwards: use 0 for rest, or more.")
        if np.isfinite(value):
            raise KeyposeError(
                f"{name} is {value:g}, above {MAX_MAGNITUDE:g}. Only ratios count: scale all values down."
            )
        raise KeyposeError(f"{name} is {value:g}. Relative speeds are finite numbers of 0 or more.")
    raise KeyposeError(f"This profile never moves: no value of {len(speeds)} is above {highest:g}. Raise one of them.")


def _clamp(values: object, end: float, what: str) -> Floats:
    """What was asked, clamped to 0 … end."""
    return np.minimum(np.maximum(parse_non_nan(values, what), 0.0), end)


def _scalar_or_array(values: Floats) -> float | Floats:
    """One number for one question, an array for an array."""
    return values if np.ndim(values) else float(values)
