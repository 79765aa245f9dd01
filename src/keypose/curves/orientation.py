"""Which way does it face? One orientation, said the way one thinks of it: turned, facing, by Euler angles, w x y z.

An object at rest looks along +Z with +Y up, as in glTF. Angles are degrees here, at the human-facing edge.
"""

from dataclasses import dataclass
from math import cos, radians, remainder, sin, sqrt
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from keypose.errors import KeyposeError, short_repr
from keypose.maths import (
    AXES,
    PARALLEL_TOLERANCE,
    UNIT_TOLERANCE,
    ArrayLike,
    Floats,
    as_numbers,
    parse_non_nan,
    quaternion,
)

Axis = Literal["x", "y", "z"]

MATRIX_TOLERANCE = 1e-5  # of the products of the columns of a rotation matrix, single precision included


@dataclass(frozen=True, eq=False, slots=True)
class Orientation:
    """One way to face: a unit quaternion w x y z. With all four signs changed it is the same orientation.

    `a @ b` turns by b first and then by a. Any four numbers but zeros will do: they are scaled to a unit.
    """

    w: float
    x: float
    y: float
    z: float

    identity: ClassVar["Orientation"]

    def __post_init__(self) -> None:
        unit = _unit_vector((self.w, self.x, self.y, self.z), 4, "orientation", "four numbers w, x, y, z, not all zero")
        for name, value in zip("wxyz", unit, strict=True):
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, orientation: "Orientation | ArrayLike") -> "Orientation":
        """An orientation from an orientation, or from any four numbers w x y z."""
        if isinstance(orientation, Orientation):
            return orientation
        return cls(*_parse_components(orientation, 4, "orientation", "four numbers w, x, y, z"))

    @classmethod
    def from_xyzw(
        cls, x: ArrayLike, y: float | None = None, z: float | None = None, w: float | None = None
    ) -> "Orientation":
        """From four numbers x, y, z, w or one sequence of them: w last, as glTF, scipy and most engines write it."""
        components = x if y is None and z is None and w is None else (x, y, z, w)
        x_, y_, z_, w_ = _parse_components(components, 4, "orientation", "four numbers x, y, z, w")
        return cls(w_, x_, y_, z_)

    @classmethod
    def turned(cls, degrees: float, about: Axis | ArrayLike) -> "Orientation":
        """Turned by so many degrees about "x", "y", "z" or a vector; positive is anticlockwise, seen from its tip."""
        if isinstance(about, str):
            if about not in AXES:
                raise KeyposeError(f'A turn is about {short_repr(about)}. Give "x", "y", "z" or a vector.')
            about = AXES[about]
        x, y, z = _unit_vector(about, 3, "axis of a turn", 'a vector that is not zero, or "x", "y", "z"')
        (angle,) = _parse_components([degrees], 1, "angle of a turn", "a number of degrees")
        real, length = _half_angle(angle)
        return cls(real, length * x, length * y, length * z)

    @classmethod
    def facing(cls, direction: ArrayLike, up: ArrayLike = (0.0, 1.0, 0.0)) -> "Orientation":
        """Looking along `direction`, its top as near to `up` as that allows.

        Straight along `up` it is as if the head was tipped back from +Z, straight against it, as if bowed.
        """
        forward = np.array(_unit_vector(direction, 3, "direction to face", "a vector x, y, z that is not zero"))
        above = np.array(_unit_vector(up, 3, "up of a facing", "a vector x, y, z that is not zero"))
        tipped = -np.sign(forward @ above) * np.array(AXES["z"])
        for top in (above, tipped, np.array(AXES["y"])):
            side = np.cross(top, forward)
            if np.linalg.norm(side) > PARALLEL_TOLERANCE:
                break
        side /= np.linalg.norm(side)
        return cls.of(quaternion.from_axes(side, np.cross(forward, side), forward))

    @classmethod
    def from_euler(cls, degrees: ArrayLike, order: str = "XYZ") -> "Orientation":
        """Three turns one after the other, in degrees: "XYZ" about axes that turn along, "xyz" about fixed axes."""
        _check_euler_order(order)
        angles = _parse_components(degrees, 3, "triple of Euler angles", "three numbers of degrees")
        one, two, three = (cls.turned(angle, AXES[axis]) for angle, axis in zip(angles, order.lower(), strict=True))
        return one @ two @ three if order.isupper() else three @ two @ one

    @classmethod
    def from_matrix(cls, matrix: ArrayLike) -> "Orientation":
        """From a rotation matrix (3, 3), whose columns are the object's own axes as the world sees them."""
        value = parse_non_nan(matrix, "A rotation matrix")
        if value.shape != (3, 3):
            raise KeyposeError(f"A rotation matrix was given with the shape {value.shape}. Give three rows of three.")
        with np.errstate(over="ignore", invalid="ignore"):
            deviation = np.abs(value.T @ value - np.eye(3)).max()
        if not deviation <= MATRIX_TOLERANCE:
            raise KeyposeError(
                f"A rotation matrix was given as {short_repr(value.tolist())}, which scales or shears. "
                "Give columns of length 1 at right angles."
            )
        if np.linalg.det(value) < 0:
            raise KeyposeError(
                f"A rotation matrix was given as {short_repr(value.tolist())}, which mirrors. "
                "Give one with determinant 1, for example with one column negated."
            )
        return cls.of(quaternion.from_axes(*value.T))

    def to_euler(self, order: str = "XYZ") -> Floats:
        """The three angles (3,) in degrees that `from_euler` makes this orientation of, in the same order.

        The first and third are within ±180, the second within ±90, or within 0 … 180 where the first axis comes again
        as in "ZXZ". In gimbal lock, with the second at its limit, only the sum or difference of the others is known:
        then the third is 0.
        """
        _check_euler_order(order)
        if order[1] in (order[0], order[2]):
            raise KeyposeError(
                f"Euler angles have the order {short_repr(order)}, which turns about one axis twice in a row and does "
                'not reach every orientation. Give an order as "XYZ" or "ZXZ".'
            )
        return _read_only(np.degrees(quaternion.to_euler(self.wxyz, order)) + 0.0)  # no minus before nought

    def to_matrix(self) -> Floats:
        """The rotation matrix (3, 3): its columns are the object's own axes as the world sees them."""
        return _read_only(quaternion.rotate(self.wxyz, np.eye(3)).T)

    @property
    def wxyz(self) -> Floats:
        """The four numbers, real part first: read-only, (4,)."""
        return _read_only((self.w, self.x, self.y, self.z))

    @property
    def xyzw(self) -> Floats:
        """The four numbers, real part last: read-only, (4,)."""
        return _read_only((self.x, self.y, self.z, self.w))

    def inverse(self) -> "Orientation":
        """The turn back."""
        return Orientation(self.w, -self.x, -self.y, -self.z)

    def rotate(self, vectors: ArrayLike) -> Floats:
        """The vectors (…, 3), given in the object's own axes, as the world sees them."""
        value = parse_non_nan(vectors, "Vectors to turn")
        if value.shape[-1:] != (3,):
            raise KeyposeError(f"An orientation was to turn an array of shape {value.shape}. Give vectors (…, 3).")
        return quaternion.rotate(self.wxyz, value)

    def angle_to(self, other: "Orientation | ArrayLike") -> float:
        """How far it is to another orientation by the shorter way: 0 … 180 degrees."""
        return float(np.degrees(quaternion.angle_between(self.wxyz, Orientation.of(other).wxyz)))

    def __matmul__(self, first: object) -> "Orientation":
        if not isinstance(first, Orientation):
            return NotImplemented
        return Orientation.of(quaternion.multiply(self.wxyz, first.wxyz))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array((self.w, self.x, self.y, self.z), dtype=dtype)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Orientation):
            return NotImplemented
        return self._canonical_components() == other._canonical_components()

    def __hash__(self) -> int:
        return hash(self._canonical_components())

    def _canonical_components(self) -> tuple[float, float, float, float]:
        return max((self.w, self.x, self.y, self.z), (-self.w, -self.x, -self.y, -self.z))


def _check_euler_order(order: object) -> None:
    if not isinstance(order, str) or len(order) != 3 or not (set(order) <= set("xyz") or set(order) <= set("XYZ")):
        remedy = 'Give three letters, "XYZ" for axes that turn along or "xyz" for fixed ones.'
        raise KeyposeError(f"Euler angles have the order {short_repr(order)}. {remedy}")


def _half_angle(degrees: float) -> tuple[float, float]:
    """Cosine and sine of half an angle, exact where that is a right angle: half a turn either way is then the same."""
    half = remainder(degrees / 2, 360.0)
    right = {0.0: (1.0, 0.0), 90.0: (0.0, 1.0), -90.0: (0.0, -1.0), 180.0: (-1.0, 0.0), -180.0: (-1.0, 0.0)}
    return right.get(half) or (cos(radians(half)), sin(radians(half)))


def _parse_components(components: Any, count: int, what: str, expected: str) -> list[float]:
    """So many finite numbers, or a sentence about what is wrong with them."""
    values = as_numbers(components, copy=False)
    if values is None or values.shape != (count,) or not np.isfinite(values).all():
        raise KeyposeError(f"The {what} was given as {short_repr(components)}. Give {expected}, all finite.")
    numbers: list[float] = values.tolist()
    return numbers


def _unit_vector(components: Any, count: int, what: str, expected: str) -> list[float]:
    """The given numbers scaled to a length of 1; scaled by the largest first, so that no square over- or underflows."""
    values = _parse_components(components, count, what, expected)
    largest = max(abs(value) for value in values)
    if largest == 0:
        raise KeyposeError(f"The {what} was given as {short_repr(values)}, which points nowhere. Give {expected}.")
    if abs(sum(value * value for value in values) - 1) <= UNIT_TOLERANCE:
        return values
    scaled = [value / largest for value in values]
    length = sqrt(sum(value * value for value in scaled))
    return [value / length for value in scaled]


def _read_only(values: ArrayLike) -> Floats:
    array = np.array(values, dtype=np.float64)
    array.flags.writeable = False
    return array


Orientation.identity = Orientation(1.0, 0.0, 0.0, 0.0)
