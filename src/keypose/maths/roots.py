"""Where has a growing quantity reached a given amount? Newton's method where it helps, halving where it does not.

Never outside the bracket, never without progress, for any number of questions at once. BH89 §5 searched its K this
way (ZEROIN); here only distances and moments are searched.
"""

from collections.abc import Callable

import numpy as np

from keypose.maths.arrays import Floats, Indices

Growing = Callable[[Floats, Indices], tuple[Floats, Floats]]

ROUNDING = float(np.finfo(np.float64).eps)


def monotone_root(growing: Growing, low: Floats, high: Floats, target: Floats) -> Floats:
    """Where each of n non-decreasing functions reaches its target between its low and its high, (n,).

    `growing(x, which)` gives value and slope at x of the functions numbered `which`; questions that are answered
    drop out, so a few hard ones do not cost the others anything. Targets beyond either end give that end exactly.
    """
    low, high = low.copy(), high.copy()
    everyone = np.arange(len(target))
    bottom, top = growing(low, everyone)[0], growing(high, everyone)[0]
    early, late = target <= bottom, target >= top
    between = ~(early | late)
    share = np.where(between, target - bottom, 0.0) / np.where(between, top - bottom, 1.0)
    root = np.where(late & ~early, high, low + share * (high - low))
    tolerance = ROUNDING * np.maximum(np.abs(low), np.abs(high))

    which = np.flatnonzero(between)
    last = high - low
    before_last = last.copy()
    while len(which):
        x = root[which]
        value, slope = growing(x, which)
        miss = value - target[which]
        low[which] = floor = np.where(miss < 0, x, low[which])
        high[which] = ceiling = np.where(miss > 0, x, high[which])

        # Newton is trusted while it stays inside and its steps at least halve every other time; this ends always.
        halving = (slope > 0) & (2 * np.abs(miss) <= before_last[which] * slope)
        newton = x - miss / np.where(halving, slope, 1.0)
        trusted = halving & (newton >= floor) & (newton <= ceiling)
        following = np.where(trusted, newton, floor + (ceiling - floor) / 2)
        following = np.where(miss == 0, x, following)  # also where the slope is zero and Newton knows nothing

        step = np.abs(following - x)
        before_last[which] = last[which]
        last[which] = step
        root[which] = following
        which = which[step > tolerance[which]]
    return root
