"""How far has something come whose speed is drawn as a curve, and when? Cubic pieces and their exact integral.

The integral is a quartic on each piece, so BH89's equation 5.1 needs no Runge-Kutta and GL95 §7.2 no table.
`through` draws such a curve through points without overshooting or undershooting any of them.
"""

from typing import Self

import numpy as np

from keypose.maths.arrays import Floats, Indices
from keypose.maths.roots import monotone_root

_DERIVATIVE_FACTORS = np.array([[3.0], [2.0], [1.0]])  # x³ has the derivative 3x², and so on
_INTEGRAL_DIVISORS = np.array([[4.0], [3.0], [2.0], [1.0]])  # and the integral x⁴/4


class PiecewiseCubic:
    """A curve of k cubic pieces between breaks (k + 1,), its derivative, its integral and the inverse of that.

    `coefficients` (k, 4) are those of a polynomial in x − breaks[i], highest power first; `end` is the value at the
    last break. `cubics` (4, k + 1) are the same with a last piece without length, `sums` (k + 1,) is the integral up to
    each break, `quartics` (4, k + 1) how it grows from there: see `piecewise_integral`. Every method takes and gives
    arrays of any one shape, and trusts x to lie between the outer breaks.
    """

    __slots__ = ("_spans", "breaks", "cubics", "quartics", "sums")

    def __init__(self, breaks: Floats, coefficients: Floats, end: float) -> None:
        spans = breaks[1:] - breaks[:-1]
        # A last piece without length holds the end value: there x − break is 0 and both ends come out exact.
        cubics = np.zeros((4, len(breaks)))
        cubics[:, :-1] = coefficients.T
        cubics[3, -1] = end
        quartics = cubics / _INTEGRAL_DIVISORS
        sums = np.zeros(len(breaks))
        np.cumsum(horner(quartics[:, :-1], spans) * spans, out=sums[1:])
        self.breaks, self.sums = breaks, sums
        self._spans, self.cubics, self.quartics = spans, cubics, quartics

    @classmethod
    def through(cls, x: Floats, values: Floats) -> Self:
        """The curve through `values` (n,) at increasing x (n,), n ≥ 2, that is monotone wherever they are.

        Between two neighbours it stays between their values: where none is below zero, neither is the curve.
        """
        spans = x[1:] - x[:-1]
        rise = (values[1:] - values[:-1]) / spans
        slopes = monotone_slopes(spans, rise)
        bend = (slopes[:-1] + slopes[1:] - 2 * rise) / spans
        cubics = np.stack([bend / spans, (rise - slopes[:-1]) / spans - bend, slopes[:-1], values[:-1]], axis=1)
        return cls(x, cubics, float(values[-1]))

    @property
    def total(self) -> float:
        """The integral from the first break to the last."""
        return float(self.sums[-1])

    def at(self, x: Floats) -> Floats:
        """The curve at x."""
        piece, local = self._find(x)
        return horner(self.cubics[:, piece], local)

    def slope(self, x: Floats) -> Floats:
        """The derivative at x; at a break that of the piece which begins there, at the last one of that which ends."""
        piece = np.minimum(np.searchsorted(self.breaks, x, side="right"), len(self._spans)) - 1
        return horner((self.cubics[:3] * _DERIVATIVE_FACTORS)[:, piece], x - self.breaks[piece])

    def integral(self, x: Floats) -> Floats:
        """The integral from the first break to x, exact up to rounding; at the last break exactly `total`."""
        piece, local = self._find(x)
        return piecewise_integral(self.sums, self.quartics, piece, local)

    def inverse_integral(self, amount: Floats) -> Floats:
        """The earliest x whose integral is `amount`, for curves that are nowhere negative; beyond either end, that end.

        Where the curve rests at zero the integral stands still, and the moment it came to rest is the answer.
        """
        amounts = np.ravel(amount)
        # Searching from the left finds the piece that arrives at an amount, never a flat one that merely holds it.
        piece = np.clip(np.searchsorted(self.sums, amounts, side="left") - 1, 0, len(self._spans) - 1)
        begins, starts = self.breaks[piece], self.sums[piece]
        cubics, quartics = self.cubics[:, piece], self.quartics[:, piece]

        def integral_and_value(x: Floats, which: Indices) -> tuple[Floats, Floats]:
            local = x - begins[which]
            gained = horner(quartics[:, which], local) * local
            return starts[which] + gained, horner(cubics[:, which], local)

        return monotone_root(integral_and_value, begins, self.breaks[piece + 1], amounts).reshape(np.shape(amount))

    def _find(self, x: Floats) -> tuple[Indices, Floats]:
        """Which piece each x lies in, and how far from where that begins."""
        piece = np.searchsorted(self.breaks, x, side="right") - 1
        return piece, x - self.breaks[piece]


def piecewise_integral(sums: Floats, quartics: Floats, piece: Indices, local: Floats) -> Floats:
    """The integral up to `local` beyond the break at which each piece begins."""
    area: Floats = sums[piece] + horner(quartics[:, piece], local) * local
    return area


def monotone_slopes(spans: Floats, rise: Floats) -> Floats:
    """Slopes (n,) at n points with secants `rise` over `spans` (n − 1,) so that a Hermite cubic never overshoots.

    Inside, the weighted harmonic mean of both secants (Fritsch and Butland 1984), zero at a peak or a valley; at the
    ends the parabola through three points, bent back where it would leave their range (Fritsch and Carlson 1980).
    """
    slopes = np.empty(len(spans) + 1)
    if len(spans) == 1:
        slopes[:] = rise[0]
        return slopes
    before, after = rise[:-1], rise[1:]
    weight_before, weight_after = spans[:-1] + 2 * spans[1:], 2 * spans[:-1] + spans[1:]
    agree = np.sign(before) * np.sign(after) > 0
    before, after = np.where(agree, before, 1.0), np.where(agree, after, 1.0)
    gentler = np.where(np.abs(before) < np.abs(after), before, after)  # its ratios to both are at most 1: no overflow
    mean = (weight_before + weight_after) / (weight_before * (gentler / before) + weight_after * (gentler / after))
    slopes[1:-1] = np.where(agree, gentler * mean, 0.0)
    slopes[0] = _end_slope(spans[0], spans[1], rise[0], rise[1])
    slopes[-1] = _end_slope(spans[-1], spans[-2], rise[-1], rise[-2])
    return slopes


def _end_slope(span: float, next_span: float, rise: float, next_rise: float) -> float:
    """The slope at an end whose nearest secant is `rise`: that of the parabola, kept between 0 and 3 secants."""
    parabola = ((2 * span + next_span) * rise - span * next_rise) / (span + next_span)
    if parabola * rise <= 0:
        return 0.0
    if rise * next_rise < 0 and abs(parabola) > 3 * abs(rise):
        return 3 * rise
    return parabola


def horner(coefficients: Floats, x: Floats) -> Floats:
    """The polynomial with `coefficients` (powers, …), highest power first, at x."""
    result: Floats = coefficients[0]
    for coefficient in coefficients[1:]:
        result = result * x + coefficient
    return result
