"""What did the animator write? Numbers are read here once, and each wrong one is answered with a sentence."""

from operator import index as whole
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from keypose.errors import KeyposeError, shown

Floats = NDArray[np.float64]

LARGEST = 1e100  # beyond it the integral of a cubic, or the difference of two times, could overflow in silence


def numbers(given: object, what: str, *, copy: bool = True) -> Floats:
    """`given` as a float array of its own shape, a new one unless told; NaN and infinity pass. `what` names it."""
    if type(given) is np.ndarray and given.dtype == np.float64:
        return given.copy() if copy else given
    try:
        found = np.asarray(given)
        if found.dtype.kind not in "fiuO":  # text, truth, dates and complex numbers are not speeds or times
            raise TypeError
        with np.errstate(over="ignore"):  # a wider float becomes infinity, and is refused as that
            return np.array(found, dtype=np.float64, copy=copy or None)
    except (TypeError, ValueError, OverflowError):
        raise KeyposeError(f"{what} must be numbers, but {shown(given)} was given.") from None


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
    if type(given) in (float, int) and -LARGEST <= given <= LARGEST:  # type: ignore[operator]
        return float(given)  # type: ignore[arg-type]
    found = numbers(given, what)
    if found.ndim or not np.isfinite(found):
        raise KeyposeError(f"{what} must be one finite number, but {shown(given)} was given.")
    return float(found)


def position(given: SupportsIndex, count: int, what: str) -> int:
    """`given` as an index 0 … count − 1; negative ones count from the end, as in a list."""
    try:
        asked = whole(given)
    except TypeError:
        raise KeyposeError(f"{what}s go by whole numbers, but {shown(given)} was given.") from None
    if not -count <= asked < count:
        raise KeyposeError(f"There is no {what} {asked}: there are {count}, numbered 0 to {count - 1}.")
    return asked % count


def moments(given: object, what: str) -> Floats:
    """`given` as a float array of its own shape, without NaN: instants, places or amounts to ask about. Not copied."""
    found = numbers(given, what, copy=False)
    if np.isnan(found).any():
        raise KeyposeError(f"{what} must be numbers, but {shown(given)} contains nan.")
    return found
