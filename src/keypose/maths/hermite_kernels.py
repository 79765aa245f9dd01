"""Numba twins of `hermite`: arrays in, `out` filled, nothing raised. Importing this loads numba."""

import numpy as np

from keypose.maths.arrays import Floats
from keypose.maths.kernel_switch import kernel

BLOCK = 1024  # numbers of each of a segment's four rows: together they fit into the first cache


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
def evaluate(curve: Floats, u: Floats, closed: bool, derivative: int, out: Floats, start: int, stop: int) -> None:
    """Twin of `hermite.evaluate` for the samples start … stop.

    Indexed element by element: a slice taken for each sample costs more than the sample itself.
    """
    width = out.shape[1]
    for sample in range(start, stop):
        i, s = locate(u[sample], curve.shape[0], closed)
        one, two, three, four = weights(s, derivative)
        if width == 3:  # by far the most common: with a fixed count the compiler unrolls the loop
            for k in range(3):
                a, b, c, d = curve[i, 0, k], curve[i, 1, k], curve[i, 2, k], curve[i, 3, k]
                out[sample, k] = one * a + two * b + three * c + four * d
            continue
        for k in range(width):
            out[sample, k] = (
                one * curve[i, 0, k] + two * curve[i, 1, k] + three * curve[i, 2, k] + four * curve[i, 3, k]
            )


@kernel
def evaluate_wide(curve: Floats, u: Floats, closed: bool, derivative: int, out: Floats, start: int, stop: int) -> None:
    """`hermite` for drawings: neighbouring samples of one segment share a block of its columns while it is in
    cache.
    """
    width = out.shape[1]
    while start < stop:
        i, _ = locate(u[start], curve.shape[0], closed)
        last = start + 1
        while last < stop and locate(u[last], curve.shape[0], closed)[0] == i:
            last += 1
        for block in range(0, width, BLOCK):
            end = min(block + BLOCK, width)
            one, two = curve[i, 0, block:end], curve[i, 1, block:end]
            three, four = curve[i, 2, block:end], curve[i, 3, block:end]
            for sample in range(start, last):
                a, b, c, d = weights(locate(u[sample], curve.shape[0], closed)[1], derivative)
                into = out[sample, block:end]
                for k in range(end - block):
                    into[k] = a * one[k] + b * two[k] + c * three[k] + d * four[k]
        start = last


@kernel
def point(curve: Floats, u: float) -> Floats:
    """One point of an open curve, allocated here: the quickest way to ask for a single u."""
    out = np.empty(curve.shape[2])
    i, s = locate(u, curve.shape[0], False)
    one, two, three, four = weights(s, 0)
    for k in range(curve.shape[2]):
        out[k] = one * curve[i, 0, k] + two * curve[i, 1, k] + three * curve[i, 2, k] + four * curve[i, 3, k]
    return out


@kernel
def point_on_loop(curve: Floats, u: float) -> Floats:
    """One point of a closed curve."""
    out = np.empty(curve.shape[2])
    i, s = locate(u, curve.shape[0], True)
    one, two, three, four = weights(s, 0)
    for k in range(curve.shape[2]):
        out[k] = one * curve[i, 0, k] + two * curve[i, 1, k] + three * curve[i, 2, k] + four * curve[i, 3, k]
    return out


@kernel
def speed_quartics(curve: Floats, points: int, out: Floats, start: int, stop: int) -> None:
    """Twin of `hermite.speed_quartics` for segments start … stop."""
    for segment in range(start, stop):
        row = curve[segment]
        q0, q1, q2, q3, q4 = 0.0, 0.0, 0.0, 0.0, 0.0
        for column in range(row.shape[1]):
            chord = row[1, column] - row[0, column]
            leave, arrive = row[2, column], row[3, column]
            c1 = 2 * (3 * chord - 2 * leave - arrive)
            c2 = 3 * (leave + arrive - 2 * chord)
            q0 += leave * leave
            q1 += 2 * leave * c1
            q2 += c1 * c1 + 2 * leave * c2
            q3 += 2 * c1 * c2
            q4 += c2 * c2
        out[segment, 0], out[segment, 1], out[segment, 2] = q0 / points, q1 / points, q2 / points
        out[segment, 3], out[segment, 4] = q3 / points, q4 / points
