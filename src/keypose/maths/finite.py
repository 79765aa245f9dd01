"""Are all of many numbers finite? Asked at every tick, so it has to be quick."""

import cmath
from typing import Any

import numpy as np
from numpy.typing import NDArray

SUM_THRESHOLD = 10_000  # numbers, from which on a product of arrays goes to several threads and waits for them


def is_finite(array: NDArray[Any]) -> bool:
    """Whether all numbers are finite; a sum of them is quicker to ask, and right if it is finite itself."""
    if array.size < SUM_THRESHOLD:  # the sum of their squares is then the quickest of all
        total = np.vdot(array, array)
    else:
        with np.errstate(all="ignore"):
            total = array.sum()
    return cmath.isfinite(total) or bool(np.isfinite(array).all())
