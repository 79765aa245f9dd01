"""Functions of whole arrays: sums and sines with the same bits as in a compiled loop, and whether all is finite.

numpy adds in its own order, and its sines and arctangents differ in the last bits from processor to processor. Where a
numpy reference has to give the same bits as its kernel, it calls `ordered_sum` and `apply_math`.
"""

import cmath
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keypose.maths.arrays import Floats

SUM_THRESHOLD = 10_000  # numbers, from which on a product of arrays goes to several threads and waits for them
PAIRWISE_THRESHOLD = 8  # numbers from which on numpy adds them up by pairs


def ordered_sum(values: Floats) -> Floats:
    """The sums along the last axis, (…, n) → (…), number by number as a compiled loop does."""
    if values.shape[-1] < PAIRWISE_THRESHOLD:
        return np.asarray(values.sum(axis=-1))
    return np.asarray(np.add.accumulate(values, axis=-1)[..., -1])


def apply_math(function: Callable[..., float], *arrays: Floats) -> Floats:
    """A function of the `math` module of each number of arrays of one shape."""
    numbers = [function(*row) for row in zip(*(array.ravel().tolist() for array in arrays), strict=True)]
    return np.array(numbers, dtype=float).reshape(arrays[0].shape)


def mean_of_points(vectors: Floats) -> Floats:
    """One vector for each drawing, (…, points, dim) → (…, dim), its points taken in order too."""
    return np.asarray(ordered_sum(np.moveaxis(vectors, -2, -1)) / vectors.shape[-2])


def is_finite(array: NDArray[Any]) -> bool:
    """Whether all numbers are finite; a sum of them is quicker to ask, and right if it is finite itself."""
    if array.size < SUM_THRESHOLD:  # the sum of their squares is then the quickest of all
        total = np.vdot(array, array)
    else:
        with np.errstate(all="ignore"):
            total = array.sum()
    return cmath.isfinite(total) or bool(np.isfinite(array).all())
