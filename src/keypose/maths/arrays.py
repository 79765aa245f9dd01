"""Names for the arrays and tuples of numbers that the packages exchange, and arrays of records.

A record has named fields: `records[3].velocity` in Python and in kernels. Array assignments such as
`records.velocity[:] = 0.0` take numba seconds to compile: kernels loop over records instead. A `RecordArray` has no
fields as attributes: `records["velocity"]` is forty times faster, which counts where a tick takes microseconds.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from numpy.typing import ArrayLike as ArrayLike
else:

    class ArrayLike:
        """A number, a sequence of numbers or an array: what numpy can make an array of."""

    ArrayLike.__module__ = "numpy.typing"  # help() then shows this name, and not numpy's union of 300 characters

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Indices = NDArray[np.intp]
Int32s = NDArray[np.int32]
UInt32s = NDArray[np.uint32]
Objects = NDArray[np.object_]
RecordArray = NDArray[Any]

Vec3 = tuple[float, float, float]
Vec4 = tuple[float, float, float, float]


def record_dtype(fields: Sequence[tuple[Any, ...]]) -> np.dtype[Any]:
    """The dtype of a `RecordArray` with these fields."""
    return np.dtype((np.record, np.dtype(list(fields), align=True)))


def copy_records(records: RecordArray) -> RecordArray:
    """A copy of records, byte by byte: numpy copies them field by field, which takes ten times as long."""
    return np.ndarray(records.shape, records.dtype, records.view(f"V{records.itemsize}").copy())
