"""Numba twins of one tick by equation 3 of PF89, and of asking whether it has stayed within all bounds."""

import numpy as np
from numpy.typing import NDArray

from keypose.maths.kernel import kernel

Floats = NDArray[np.float64]


@kernel
def paper(
    P: Floats,
    T: Floats,
    f: Floats,
    keep: Floats,
    push: Floats,
    r: float,
    P_e: Floats,
    T_e: Floats,
    a: Floats,
    farthest: float,
    start: int,
    stop: int,
) -> bool:
    """Twin of `segments.paper`, and of asking whether all has stayed within all bounds."""
    fine = True
    for row in range(start, stop):
        for axis in range(3):
            begin = T[row, axis]
            end = keep[row, 0] * begin + push[row, 0] * f[row, axis]
            T_e[row, axis] = end
            P_e[row, axis] = P[row, axis] + r * (begin + end) / 2
            a[row, axis] = (end - begin) / r
            fine &= (abs(end) <= farthest) & (abs(P_e[row, axis]) <= farthest)
    return fine


@kernel
def are_within(values: Floats, bound: float) -> bool:
    """Twin of `sums.are_within` for some numbers (n,)."""
    fine = True
    for number in values:
        fine &= abs(number) <= bound
    return fine
