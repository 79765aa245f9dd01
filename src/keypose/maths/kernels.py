"""Numba twins of `hermite`: arrays in, `out` filled, nothing raised. Importing this loads numba."""

import numpy as np
from numpy.typing import NDArray

from keypose.maths.kernel import kernel

Floats = NDArray[np.float64]


@kernel
def locate(u: float, segments: int, closed: bool) -> tuple[int, float]:
    """Twin of `hermite.locate` for one u. NaN lands in segment 0 with a share of NaN."""
    if closed:
        u = u - segments * np.floor(u / segments)
    if u < 0.0:
        u = 0.0
    if u > segments:
        u = float(segments)
    segment = 0
    if u >= 0.0:
        segment = min(int(u), segments - 1)
    return segment, u - segment


@kernel
def weights(s: float, derivative: int) -> tuple[float, float, float, float]:
    """Twin of `hermite.weights` for one share."""
    if derivative == 0:
        s2 = s * s
        s3 = s2 * s
        end = 3.0 * s2 - 2.0 * s3
        return 1.0 - end, end, s3 - 2.0 * s2 + s, s3 - s2
    if derivative == 1:
        end = 6.0 * s - 6.0 * (s * s)
        return -end, end, 3.0 * (s * s) - 4.0 * s + 1.0, 3.0 * (s * s) - 2.0 * s
    end = 6.0 - 12.0 * s
    return -end, end, 6.0 * s - 4.0, 6.0 * s - 2.0


@kernel
def blend(segment: Floats, s: float, derivative: int, out: Floats) -> None:
    """One sample of one segment (4, width) into `out` (width,)."""
    one, two, three, four = weights(s, derivative)
    first, second, third, fourth = segment[0], segment[1], segment[2], segment[3]
    for column in range(out.shape[0]):
        out[column] = one * first[column] + two * second[column] + three * third[column] + four * fourth[column]


@kernel
def hermite(curve: Floats, u: Floats, closed: bool, derivative: int, out: Floats, start: int, stop: int) -> None:
    """Twin of `hermite.evaluate` for the samples start … stop."""
    for sample in range(start, stop):
        segment, s = locate(u[sample], curve.shape[0], closed)
        blend(curve[segment], s, derivative, out[sample])


@kernel
def point(curve: Floats, u: float, closed: bool) -> Floats:
    """One point of the curve, allocated here: the quickest way to ask for a single u."""
    out = np.empty(curve.shape[2])
    segment, s = locate(u, curve.shape[0], closed)
    blend(curve[segment], s, 0, out)
    return out
