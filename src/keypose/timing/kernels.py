"""Numba twins of `schedule`: arrays in, `out` filled, nothing raised. Importing this loads numba."""

import numpy as np
from numpy.typing import NDArray

from keypose.curves.kernels.travel import segment_of
from keypose.maths.kernel import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@kernel
def passing(times: Floats, table: Ints, t: Floats, out: Floats, start: int, stop: int) -> None:
    """Twin of `Passing.parameter` for samples start … stop. NaN gives NaN."""
    for sample in range(start, stop):
        segment = segment_of(times, table, t[sample])
        share = (t[sample] - times[segment]) / (times[segment + 1] - times[segment])
        if share < 0.0:
            share = 0.0
        if share > 1.0:
            share = 1.0
        out[sample] = segment + share
