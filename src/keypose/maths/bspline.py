"""Which curve do a few control values pull into shape? A clamped uniform B-spline over 0 … 1 (BH89 §4).

It starts at the first value, ends at the last, and everywhere stays between the lowest and the highest of the four
values that reach there: the convex hull BH89 relies on. Here it becomes plain cubic pieces.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from keypose.maths.arrays import Floats

HIGHEST_DEGREE = 3


def degree(count: int) -> int:
    """The degree that `count` control values allow: three, or less when there are fewer than four."""
    return min(HIGHEST_DEGREE, count - 1)


@lru_cache(maxsize=16)
def greville_abscissae(count: int) -> Floats:
    """Where in 0 … 1 each of `count` control values pulls: the Greville abscissae, (count,).

    Each is the mean of the knots inside its basis function, so that values taken from a straight line at these
    places give that line back. A single value pulls everywhere; it is put in the middle.
    """
    order, knots = degree(count), _knots(count)
    found = np.full(1, 0.5)
    if order:
        inner = np.stack([knots[first : first + count] for first in range(1, order + 1)])
        found = inner.sum(axis=0) / (order * knots[-1])
    found.setflags(write=False)
    return found


def pieces(values: Floats) -> tuple[Floats, Floats]:
    """The B-spline of `values` (n,) as cubic pieces: breaks (k + 1,) and coefficients (k, 4), k = n − degree.

    On piece i the curve is a polynomial in x − breaks[i], highest power first. It is linear in the values.
    """
    breaks, windows, basis = _layout(len(values))
    return breaks, np.matmul(basis, values[windows][:, :, np.newaxis])[:, :, 0]


def _knots(count: int) -> Floats:
    """Clamped knots one apart, (count + degree + 1,): whole numbers, so that the basis below is exact."""
    spans, order = count - degree(count), degree(count)
    return np.clip(np.arange(-order, spans + order + 1, dtype=np.float64), 0, spans)


@lru_cache(maxsize=16)
def _layout(count: int) -> tuple[Floats, NDArray[np.intp], Floats]:
    """Everything that depends on the number of values alone, kept because an animator mostly drags values.

    Breaks (k + 1,), which values reach each piece (k, degree + 1), and the polynomial of each of their basis
    functions there (k, 4, degree + 1): the Cox-de Boor recursion, on polynomials instead of numbers.
    """
    order, knots = degree(count), _knots(count)
    spans = count - order
    start = np.arange(spans)
    here = start + order  # piece i lies between knots[here[i]] and the next one
    basis = np.zeros((spans, 1, 4))  # (piece, basis function, power), lowest power first while it grows
    basis[:, 0, 0] = 1.0
    for rise in range(1, order + 1):
        higher = np.zeros((spans, rise + 1, 4))
        for function in range(rise):
            left, right = knots[here - rise + 1 + function], knots[here + 1 + function]
            fraction = basis[:, function] / (right - left)[:, np.newaxis]
            climbing = (start - left)[:, np.newaxis] * fraction  # (x − left)·share, with x = start + local
            climbing[:, 1:] += fraction[:, :-1]
            higher[:, function + 1] += climbing
            higher[:, function] += (right - left)[:, np.newaxis] * fraction - climbing  # (right − x)·share
        basis = higher
    basis *= float(spans) ** np.arange(4)  # from knots one apart to a curve over 0 … 1
    by_power = np.ascontiguousarray(basis[:, :, ::-1].transpose(0, 2, 1))
    breaks, windows = np.arange(spans + 1) / spans, start[:, np.newaxis] + np.arange(order + 1)
    for shared in (breaks, windows, by_power):
        shared.setflags(write=False)
    return breaks, windows, by_power
