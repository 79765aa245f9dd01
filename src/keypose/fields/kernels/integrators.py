"""Numba twins of one tick by equation 3 of PF89, and of asking whether it has stayed within all bounds."""

import numpy as np

from keypose.maths import Floats, kernel


@kernel
def paper_step(
    P: Floats,
    T: Floats,
    f: Floats,
    decay: Floats,
    gain: Floats,
    r: float,
    P_e: Floats,
    T_e: Floats,
    a: Floats,
    limit: float,
    start: int,
    stop: int,
) -> bool:
    """Twin of `integrators.paper_step`, and of asking whether all has stayed within all bounds."""
    is_bounded = True
    for row in range(np.uint64(start), np.uint64(stop)):
        row_decay, row_gain = decay[row, 0], gain[row, 0]
        for axis in range(np.uint64(3)):
            begin = T[row, axis]
            end = row_decay * begin + row_gain * f[row, axis]
            position = P[row, axis] + r * (begin + end) / 2
            T_e[row, axis], P_e[row, axis], a[row, axis] = end, position, (end - begin) / r
            is_bounded &= (abs(end) <= limit) & (abs(position) <= limit)
    return is_bounded


@kernel
def all_within(values: Floats, bound: float) -> bool:
    """Twin of `sums.are_within` for some numbers (n,)."""
    is_bounded = True
    for number in values:
        is_bounded &= abs(number) <= bound
    return is_bounded
