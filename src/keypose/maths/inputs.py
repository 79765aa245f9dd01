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

from keypose.errors import KeyposeError, did_you_mean, shown
from keypose.maths.arrays import Floats, Vec3
from keypose.maths.tolerance import UNIT_TOLERANCE

LARGEST = 1e100  # beyond it the integral of a cubic, or the difference of two times, could overflow in silence
PLAIN = frozenset({float, int})
AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def as_numbers(given: object, *, copy: bool = True) -> Floats | None:
    """`given` as a float array of its own shape, a new one unless told, or None if anything in it is no number.

    Text, truth, dates and complex numbers are none. NaN and infinity pass; None is an unset number, NaN.
    """
    if type(given) is np.ndarray and given.dtype == np.float64:
        return given.copy() if copy else given
    if type(given) is float:
        return np.array(given)
    try:
        found = np.asarray(given)
        if found.dtype.kind not in "fiuO" or not _all_numbers(given, found):
            return None
        if found.dtype == np.float64 and type(given) in (tuple, list):  # numpy has just made it
            return found
        if found.dtype.kind in "iu":
            return found.astype(np.float64)
        with np.errstate(over="ignore"):  # a wider float becomes infinity, and is refused as that
            return np.array(found, dtype=np.float64, copy=copy or None)
    except MemoryError:
        raise
    except Exception:  # whatever stops a stranger's value from turning into numbers
        return None


def _all_numbers(given: Any, found: NDArray[Any]) -> bool:
    """Whether everything that numpy made `found` of is a number; numpy takes True for 1, and "2" beside None for 2."""
    if isinstance(given, list | tuple) or (found.ndim and isinstance(given, Sequence)):
        kinds = set(map(type, given))
        if any(hasattr(kind, "__array__") and not issubclass(kind, np.generic) for kind in kinds - PLAIN):
            return all(as_numbers(part, copy=False) is not None for part in given)
        if found.ndim > 1:
            leaves: Iterable[Any] = given
            for _ in range(found.ndim - 1):
                leaves = chain.from_iterable(leaves)
            kinds = set(map(type, leaves))
    elif found.dtype.kind == "O":
        kinds = set(map(type, found.flat))
    else:
        return not (hasattr(given, "mask") and np.any(given.mask))  # what is masked is not meant
    return kinds <= PLAIN or all(map(_is_number, kinds))


def _is_number(kind: type) -> bool:
    """Whether values of this kind are real numbers, or unset ones; a Decimal says that it is a number and no more."""
    if issubclass(kind, bool | np.timedelta64) or (issubclass(kind, Complex) and not issubclass(kind, Real)):
        return False
    return issubclass(kind, Number | NoneType)


def as_number(given: object) -> float | None:
    """`given` as one finite float, or None if it is none."""
    if type(given) in (float, int) and -LARGEST <= given <= LARGEST:  # type: ignore[operator]
        return float(given)  # type: ignore[arg-type]
    found = as_numbers(given, copy=False)
    return None if found is None or found.ndim or not np.isfinite(found) else float(found)


def numbers(given: object, what: str, *, copy: bool = True) -> Floats:
    """`given` as a float array of its own shape, a new one unless told; NaN and infinity pass. `what` names it."""
    found = as_numbers(given, copy=copy)
    if found is None:
        raise KeyposeError(f"{what} must be numbers, but {shown(given)} was given.")
    return found


def listed(given: object, what: str, example: str) -> Floats:
    """`given` as a new float array (n,), n ≥ 1."""
    found = numbers(given, what)
    if found.ndim != 1:
        raise KeyposeError(f"{what} must be a plain list, but {shown(given)} was given. Write {example}.")
    if not len(found):
        raise KeyposeError(f"{what} must be at least one number, but the list is empty. Write {example}.")
    return found


def number(given: object, what: str) -> float:
    """`given` as one finite float."""
    found = as_number(given)
    if found is None:
        raise KeyposeError(f"{what} must be one finite number, but {shown(given)} was given.")
    return found


def flag(given: object, what: str) -> bool:
    """`given` as True or False; `what` says who has it: "A path has closed"."""
    if not isinstance(given, bool | np.bool_):
        raise KeyposeError(f"{what}={shown(given)}. Give True or False.")
    return bool(given)


def word(given: object, known: Iterable[str], what: str) -> str:
    """`given` if it is one of the known words; `what` says who has it: "A path has ends"."""
    known = tuple(known)
    if not isinstance(given, str) or given not in known:
        raise KeyposeError(f"{what}={shown(given)}.{did_you_mean(given if isinstance(given, str) else '', known)}")
    return given


def position(given: SupportsIndex, count: int, what: str) -> int:
    """`given` as an index 0 … count − 1; negative ones count from the end, as in a list."""
    try:
        asked = None if isinstance(given, bool) else whole(given)
    except Exception:
        asked = None
    if asked is None:
        raise KeyposeError(f"{what.capitalize()}s go by whole numbers, but {shown(given)} was given.")
    if not -count <= asked < count:
        raise KeyposeError(f"There is no {what} {shown(asked)}: there are {count}, numbered 0 to {count - 1}.")
    return asked % count


def moments(given: object, what: str) -> Floats:
    """`given` as a float array of its own shape, without NaN: instants, places or amounts to ask about. Not copied."""
    found = numbers(given, what, copy=False)
    if np.isnan(found).any():
        raise KeyposeError(f"{what} must be numbers, but {shown(given)} contains nan.")
    return found


ORIGIN: Vec3 = (0.0, 0.0, 0.0)


def amount(given: object, what: str) -> float:
    """`given` as one finite number that can be multiplied with others like it and stay finite."""
    found = number(given, what)
    if abs(found) > LARGEST:
        raise KeyposeError(f"{what} is {found:g}. Give a number between -{LARGEST:g} and {LARGEST:g}.")
    return found


def above_zero(given: object, what: str, least: float = 0.0) -> float:
    """`given` as one number above zero, and not below `least`."""
    found = amount(given, what)
    if found <= 0 or found < least:
        wanted = f"at least {least:g}" if least else "a number above zero"
        raise KeyposeError(f"{what} is {found:g}. Give {wanted}.")
    return found


def not_below_zero(given: object, what: str, most: float = LARGEST) -> float:
    """`given` as one number from zero to `most`."""
    found = amount(given, what)
    if not 0 <= found <= most:
        wanted = f"a number from 0 to {most:g}" if most < LARGEST else "zero or more"
        raise KeyposeError(f"{what} is {found:g}. Give {wanted}.")
    return found


def vector(given: object, what: str) -> Vec3:
    """`given` as x, y, z; z is 0 where two numbers were given, as everywhere on a stage."""
    found = as_numbers(given, copy=False)
    if found is None or found.shape not in ((3,), (2,)) or not (np.abs(found) <= LARGEST).all():
        raise KeyposeError(f"{what} was given as {shown(given)}. Give three finite numbers x, y, z.")
    x, y, z = (*found.tolist(), 0.0)[:3]
    return x, y, z


def direction(given: object, what: str) -> Vec3:
    """`given`, a vector of any length but zero or one of "x", "y", "z", as a unit vector."""
    if isinstance(given, str):
        if given not in AXES:
            raise KeyposeError(f'{what} was given as {shown(given)}. Give "x", "y", "z" or a vector.')
        given = AXES[given]
    x, y, z = vector(given, what)
    largest = max(abs(x), abs(y), abs(z))
    if largest == 0:
        raise KeyposeError(f"{what} was given as {shown(given)}, which points nowhere. Give a vector that is not zero.")
    if abs(x * x + y * y + z * z - 1) <= UNIT_TOLERANCE:
        return x, y, z
    x, y, z = x / largest, y / largest, z / largest  # so that no square over- or underflows
    length = hypot(x, y, z)
    return x / length, y / length, z / length


def whole_number(given: object, what: str) -> int:
    """`given` as an integer."""
    try:
        if not isinstance(given, bool | np.bool_):
            return whole(given)  # type: ignore[arg-type]
    except Exception:  # whatever stops a stranger's value from being a whole number
        pass
    raise KeyposeError(f"{what} was given as {shown(given)}. Give a whole number.")
