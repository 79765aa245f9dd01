"""Numba twins of one tick by equation 3 of PF89, and of asking whether it has stayed within all bounds."""

import numpy as np

from keypose.maths.arrays import Floats
from keypose.maths.kernel_switch import kernel


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
    for row in range(np.uint64(start), np.uint64(stop)):
        kept, pushed = keep[row, 0], push[row, 0]
        for axis in range(np.uint64(3)):
            begin = T[row, axis]
            end = kept * begin + pushed * f[row, axis]
            place = P[row, axis] + r * (begin + end) / 2
            T_e[row, axis], P_e[row, axis], a[row, axis] = end, place, (end - begin) / r
            fine &= (abs(end) <= farthest) & (abs(place) <= farthest)
    return fine


@kernel
def are_within(values: Floats, bound: float) -> bool:
    """Twin of `sums.are_within` for some numbers (n,)."""
    fine = True
    for number in values:
        fine &= abs(number) <= bound
    return fine
