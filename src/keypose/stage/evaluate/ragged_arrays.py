"""Arrays of different lengths, one after the other in one array."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keypose.maths import Floats, Ints


def pack_ragged_arrays(parts: Sequence[NDArray[Any]]) -> tuple[Ints, Floats]:
    """Where each part begins, and where all end, (parts + 1,); and the parts in one array."""
    return np.cumsum([0, *map(len, parts)], dtype=np.int64), np.concatenate(parts)


def last_not_above(column: Floats, low: Ints, high: Ints, value: Floats) -> Ints:
    """The last entry from `low` to `high` of a rising column that is not above each value, by halving; else `low`."""
    low, high = np.broadcast_to(low, value.shape), np.broadcast_to(high, value.shape)
    while (low < high).any():
        middle = (low + high + 1) // 2
        is_reached = column[middle] <= value
        low, high = np.where(is_reached, middle, low), np.where(is_reached, high, middle - 1)
    return low
