"""Where has a growing quantity reached a given amount? Newton's method where it helps, halving where it does not.

Never outside the bracket, never without progress, for any number of questions at once. BH89 §5 searched its K this
way (ZEROIN); here only distances and moments are searched.
"""

from collections.abc import Callable

import numpy as np

from keypose.maths.arrays import Floats, Indices

MonotoneFunction = Callable[[Floats, Indices], tuple[Floats, Floats]]

EPSILON = float(np.finfo(np.float64).eps)


def monotone_root(function: MonotoneFunction, low: Floats, high: Floats, target: Floats) -> Floats:
    """Where each of n non-decreasing functions reaches its target between its low and its high, (n,).

    `function(x, indices)` gives value and slope at x of the functions numbered `indices`; questions that are answered
    drop out, so a few hard ones do not cost the others anything. Targets beyond either end give that end exactly.
    """
    low, high = low.copy(), high.copy()
    all_indices = np.arange(len(target))
    bottom, top = function(low, all_indices)[0], function(high, all_indices)[0]
    is_below, is_above = target <= bottom, target >= top
    between = ~(is_below | is_above)
    fraction = np.where(between, target - bottom, 0.0) / np.where(between, top - bottom, 1.0)
    root = np.where(is_above & ~is_below, high, low + fraction * (high - low))
    tolerance = EPSILON * np.maximum(np.abs(low), np.abs(high))

    active = np.flatnonzero(between)
    last = high - low
    before_last = last.copy()
    while len(active):
        x = root[active]
        value, slope = function(x, active)
        miss = value - target[active]
        low[active] = floor = np.where(miss < 0, x, low[active])
        high[active] = ceiling = np.where(miss > 0, x, high[active])

        # Newton is trusted while it stays inside and its steps at least halve every other time; this ends always.
        is_halving = (slope > 0) & (2 * np.abs(miss) <= before_last[active] * slope)
        newton = x - miss / np.where(is_halving, slope, 1.0)
        is_trusted = is_halving & (newton >= floor) & (newton <= ceiling)
        next_x = np.where(is_trusted, newton, floor + (ceiling - floor) / 2)
        next_x = np.where(miss == 0, x, next_x)  # also where the slope is zero and Newton knows nothing

        step = np.abs(next_x - x)
        before_last[active] = last[active]
        last[active] = step
        root[active] = next_x
        active = active[step > tolerance[active]]
    return root
