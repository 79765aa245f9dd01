"""Numba kernels of one tick by equation 3 of PF89, and of the check that all values are within bounds."""

import numpy as np

from keypose.maths import Floats, kernel


@kernel
def paper_step(
    P: Floats,
    T: Floats,
    f: Floats,
    rates: tuple[Floats, Floats, float],
    out: Floats,
    limit: float,
    start: int,
    stop: int,
) -> bool:
    """Kernel of `integrators.paper_step`: fill `out` (3, rows, 3) with P_e, T_e and a; whether all is within `limit`.

    `rates` as in `film_units.Rates`, one row for each object.
    """
    decay, gain, r = rates
    P_e, T_e, a, is_bounded = out[0], out[1], out[2], True
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
    """Kernel of `integrators.all_within` for numbers (n,)."""
    is_bounded = True
    for number in values:
        is_bounded &= abs(number) <= bound
    return is_bounded
