"""Names for the arrays and tuples of numbers that the packages exchange."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Indices = NDArray[np.intp]
Int32s = NDArray[np.int32]
UInt32s = NDArray[np.uint32]
Objects = NDArray[np.object_]

Vec3 = tuple[float, float, float]
Vec4 = tuple[float, float, float, float]
