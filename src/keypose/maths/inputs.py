"""What did the animator write? Numbers are read here once, and each wrong one is answered with a sentence.

Is this a strength, a place or a direction? Read once into plain floats, or answered in a sentence.

Values are floats and tuples of floats, so that what is made of them can be compared and be a key of a dict.
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from math import hypot
from numbers import Complex, Number, Real
from operator import index as whole
from types import NoneType
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from keypose.errors import KeyposeError, did_you_mean, short_repr
from keypose.maths.arrays import Floats, Vec3
from keypose.maths.tolerance import UNIT_TOLERANCE

MAX_MAGNITUDE = 1e100  # beyond it the integral of a cubic, or the difference of two times, could overflow in silence
PLAIN_TYPES = frozenset({float, int})
AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def as_numbers(value: object, *, copy: bool = True) -> Floats | None:
    """`value` as a float array of its own shape, a new one unless told, or None if anything in it is no number.

    Text, truth, dates and complex numbers are none. NaN and infinity pass; None is an unset number, NaN.
    """
    if type(value) is np.ndarray and value.dtype == np.float64:
        return value.copy() if copy else value
    if type(value) is float:
        return np.array(value)
    try:
        array = np.asarray(value)
        if array.dtype.kind not in "fiuO" or not _all_numbers(value, array):
            return None
        if array.dtype == np.float64 and type(value) in (tuple, list):  # numpy has just made it
            return array
        if array.dtype.kind in "iu":
            return array.astype(np.float64)
        with np.errstate(over="ignore"):  # a wider float becomes infinity, and is refused as that
            return np.array(array, dtype=np.float64, copy=copy or None)
    except MemoryError:
        raise
    except Exception:  # whatever stops a stranger's value from turning into numbers
        return None


def _all_numbers(value: Any, array: NDArray[Any]) -> bool:
    """Whether everything that numpy made `array` of is a number; numpy takes True for 1, and "2" beside None for 2."""
    if isinstance(value, list | tuple) or (array.ndim and isinstance(value, Sequence)):
        kinds = set(map(type, value))
        if any(hasattr(kind, "__array__") and not issubclass(kind, np.generic) for kind in kinds - PLAIN_TYPES):
            return all(as_numbers(part, copy=False) is not None for part in value)
        if array.ndim > 1:
            leaves: Iterable[Any] = value
            for _ in range(array.ndim - 1):
                leaves = chain.from_iterable(leaves)
            kinds = set(map(type, leaves))
    elif array.dtype.kind == "O":
        kinds = set(map(type, array.flat))
    else:
        return not (hasattr(value, "mask") and np.any(value.mask))  # what is masked is not meant
    return kinds <= PLAIN_TYPES or all(map(_is_number, kinds))


def _is_number(kind: type) -> bool:
    """Whether values of this kind are real numbers, or unset ones; a Decimal says that it is a number and no more."""
    if issubclass(kind, bool | np.timedelta64) or (issubclass(kind, Complex) and not issubclass(kind, Real)):
        return False
    return issubclass(kind, Number | NoneType)


def as_number(value: object) -> float | None:
    """`value` as one finite float, or None if it is none."""
    if type(value) in (float, int) and -MAX_MAGNITUDE <= value <= MAX_MAGNITUDE:  # type: ignore[operator]
        return float(value)  # type: ignore[arg-type]
    array = as_numbers(value, copy=False)
    return None if array is None or array.ndim or not np.isfinite(array) else float(array)


def parse_numbers(value: object, what: str, *, copy: bool = True) -> Floats:
    """`value` as a float array of its own shape, a new one unless told; NaN and infinity pass. `what` names it."""
    array = as_numbers(value, copy=copy)
    if array is None:
        raise KeyposeError(f"{what} must be numbers, but {short_repr(value)} was given.")
    return array


def parse_sequence(value: object, what: str, example: str) -> Floats:
    """`value` as a new float array (n,), n ≥ 1."""
    array = parse_numbers(value, what)
    if array.ndim != 1:
        raise KeyposeError(f"{what} must be a plain list, but {short_repr(value)} was given. Write {example}.")
    if not len(array):
        raise KeyposeError(f"{what} must be at least one number, but the list is empty. Write {example}.")
    return array


def parse_number(value: object, what: str) -> float:
    """`value` as one finite float."""
    number = as_number(value)
    if number is None:
        raise KeyposeError(f"{what} must be one finite number, but {short_repr(value)} was given.")
    return number


def parse_flag(value: object, what: str) -> bool:
    """`value` as True or False; `what` says who has it: "A path has closed"."""
    if not isinstance(value, bool | np.bool_):
        raise KeyposeError(f"{what}={short_repr(value)}. Give True or False.")
    return bool(value)


def parse_choice(value: object, choices: Iterable[str], what: str) -> str:
    """`value` if it is one of the known words; `what` says who has it: "A path has ends"."""
    choices = tuple(choices)
    if not isinstance(value, str) or value not in choices:
        raise KeyposeError(
            f"{what}={short_repr(value)}.{did_you_mean(value if isinstance(value, str) else '', choices)}"
        )
    return value


def parse_index(value: SupportsIndex, count: int, what: str) -> int:
    """`value` as an index 0 … count − 1; negative ones count from the end, as in a list."""
    try:
        index = None if isinstance(value, bool) else whole(value)
    except Exception:
        index = None
    if index is None:
        raise KeyposeError(f"{what.capitalize()}s go by whole numbers, but {short_repr(value)} was given.")
    if not -count <= index < count:
        raise KeyposeError(f"There is no {what} {short_repr(index)}: there are {count}, numbered 0 to {count - 1}.")
    return index % count


def parse_non_nan(value: object, what: str) -> Floats:
    """`value` as a float array of its own shape, without NaN: instants, places or amounts to ask about. Not copied."""
    array = parse_numbers(value, what, copy=False)
    if np.isnan(array).any():
        raise KeyposeError(f"{what} must be numbers, but {short_repr(value)} contains nan.")
    return array


ORIGIN: Vec3 = (0.0, 0.0, 0.0)


def parse_bounded_number(value: object, what: str) -> float:
    """`value` as one finite number that can be multiplied with others like it and stay finite."""
    found = parse_number(value, what)
    if abs(found) > MAX_MAGNITUDE:
        raise KeyposeError(f"{what} is {found:g}. Give a number between -{MAX_MAGNITUDE:g} and {MAX_MAGNITUDE:g}.")
    return found


def parse_positive(value: object, what: str, minimum: float = 0.0) -> float:
    """`value` as one number above zero, and not below `minimum`."""
    number = parse_bounded_number(value, what)
    if number <= 0 or number < minimum:
        expected = f"at least {minimum:g}" if minimum else "a number above zero"
        raise KeyposeError(f"{what} is {number:g}. Give {expected}.")
    return number


def parse_non_negative(value: object, what: str, maximum: float = MAX_MAGNITUDE) -> float:
    """`value` as one number from zero to `maximum`."""
    number = parse_bounded_number(value, what)
    if not 0 <= number <= maximum:
        expected = f"a number from 0 to {maximum:g}" if maximum < MAX_MAGNITUDE else "zero or more"
        raise KeyposeError(f"{what} is {number:g}. Give {expected}.")
    return number


def parse_vector(value: object, what: str) -> Vec3:
    """`value` as x, y, z; z is 0 where two numbers were given, as everywhere on a stage."""
    components = as_numbers(value, copy=False)
    if components is None or components.shape not in ((3,), (2,)) or not (np.abs(components) <= MAX_MAGNITUDE).all():
        raise KeyposeError(f"{what} was given as {short_repr(value)}. Give three finite numbers x, y, z.")
    x, y, z = (*components.tolist(), 0.0)[:3]
    return x, y, z


def parse_direction(value: object, what: str) -> Vec3:
    """`value`, a vector of any length but zero or one of "x", "y", "z", as a unit vector."""
    if isinstance(value, str):
        if value not in AXES:
            raise KeyposeError(f'{what} was given as {short_repr(value)}. Give "x", "y", "z" or a vector.')
        value = AXES[value]
    x, y, z = parse_vector(value, what)
    largest = max(abs(x), abs(y), abs(z))
    if largest == 0:
        raise KeyposeError(
            f"{what} was given as {short_repr(value)}, which points nowhere. Give a vector that is not zero."
        )
    if abs(x * x + y * y + z * z - 1) <= UNIT_TOLERANCE:
        return x, y, z
    x, y, z = x / largest, y / largest, z / largest  # so that no square over- or underflows
    length = hypot(x, y, z)
    return x / length, y / length, z / length


def parse_integer(value: object, what: str) -> int:
    """`value` as an integer."""
    try:
        if not isinstance(value, bool | np.bool_):
            return whole(value)  # type: ignore[arg-type]
    except Exception:  # whatever stops a stranger's value from being a whole number
        pass
    raise KeyposeError(f"{what} was given as {short_repr(value)}. Give a whole number.")
