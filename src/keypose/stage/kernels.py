"""Numba twins of `batch`: arrays in, `out` filled, nothing raised. Importing this loads numba."""

import numpy as np
from numpy.typing import NDArray

from keypose.maths.kernel import kernel
from keypose.maths.kernels import weights

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@kernel
def segment_at(times: Floats, low: int, high: int, near: int, moment: float) -> int:
    """Twin of `Batch._segment` for one moment; looks at `near` and the one after it first."""
    if times[near] <= moment or near == low:
        if near == high or times[near + 1] > moment:
            return near
        if near + 1 == high or times[near + 2] > moment:
            return near + 1
    while low < high:
        half = (low + high + 1) // 2
        if times[half] <= moment:
            low = half
        else:
            high = half - 1
    return low


@kernel
def together(
    firsts: Ints, starts: Floats, times: Floats, curve: Floats, t: Floats, out: Floats, start: int, stop: int
) -> None:
    """Twin of `Batch.at` for actors start … stop."""
    dimensions = curve.shape[2]
    for actor in range(start, stop):
        first, last = firsts[actor], firsts[actor + 1] - 2
        segment = first
        for sample in range(t.shape[0]):
            moment = t[sample] - starts[actor]
            segment = segment_at(times, first, last, segment, moment)
            share = (moment - times[segment]) / (times[segment + 1] - times[segment])
            if share < 0.0:
                share = 0.0
            if share > 1.0:
                share = 1.0
            u = segment - first + share
            own = min(int(u), last - first)
            one, two, three, four = weights(u - own, 0)
            i = own + first - actor
            if dimensions == 3:  # by far the most common: with a fixed count the compiler unrolls the loop
                for k in range(3):
                    a, b, c, d = curve[i, 0, k], curve[i, 1, k], curve[i, 2, k], curve[i, 3, k]
                    out[actor, sample, k] = one * a + two * b + three * c + four * d
                continue
            for k in range(dimensions):
                a, b, c, d = curve[i, 0, k], curve[i, 1, k], curve[i, 2, k], curve[i, 3, k]
                out[actor, sample, k] = one * a + two * b + three * c + four * d
