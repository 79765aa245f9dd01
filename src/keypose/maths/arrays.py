"""Names for the arrays and tuples of numbers that the packages exchange, and arrays of records.

A record has named fields: `records[3].velocity` in Python and in kernels. Array assignments such as
`records.velocity[:] = 0.0` take numba seconds to compile: kernels loop over records instead.
"""

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Indices = NDArray[np.intp]
Int32s = NDArray[np.int32]
UInt32s = NDArray[np.uint32]
Objects = NDArray[np.object_]
Records = np.recarray[Any, Any]

Vec3 = tuple[float, float, float]
Vec4 = tuple[float, float, float, float]


def make_records(count: int, dtype: DTypeLike) -> Records:
    """`count` records of this structured dtype, filled with zeros."""
    return np.zeros(count, dtype).view(np.recarray)
