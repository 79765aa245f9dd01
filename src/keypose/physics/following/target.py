"""Where is the target? As far along the path as it takes to be a given distance ahead of its body, or where it was.

It never goes back, and no farther in one step than it may: the distance to a path may shrink and grow again, and a
binary search would jump (LG95 §3.1 as it should read). So it marches, and brackets the first place that is far enough.
Where others carry keys, the path itself moves, and its body is to move with it: see `drift`.
"""

from collections.abc import Callable

from keypose.maths.arrays import Floats

ENOUGH = 1 - 1e-9  # of what it may go at once: rounding must not let it march once more
MARCH = 2  # steps within what it may go at once, which is little
FINEST = 1 / 64  # of a segment: where a path stands still, a march goes on by its parameter
GUESSES = 4  # steps that are as long as is missing, before it marches
TRIES, NEAR = 40, 1e-10  # how often it is looked for, and how well it is found, of how far ahead it keeps


def advanced(
    u: float,
    last: float,
    within: float,
    most: float,
    away: Callable[[float], float],
    grows: Callable[[float], float],
    pace: Callable[[float], float],
) -> float:
    """The parameter u of a target one step later, up to `last`.

    `away(u)` is how far its body is from there, which `grows(u)` with u; `pace(u)` is how far a unit of u goes, and
    `most` how far it may.
    """
    gone, guesses, short = 0.0, GUESSES, away(u) - within
    while short < 0 and u < last and gone < ENOUGH * most:
        speed, rate = pace(u), grows(u)
        du = min(FINEST, most / MARCH / speed) if speed > 0 else FINEST
        far = within + short
        over, steep = far * far - within * within, 2 * far * rate  # by squares, which go on more evenly
        if guesses and steep * du > -over:
            du = -over / steep
        following = min(u + du, last)
        over = away(following) - within
        if abs(over) <= NEAR * within:
            return following
        if over > 0:
            return _between(u, following, short, over, within, away)
        gone += speed * (following - u)
        u, short, guesses = following, over, max(guesses - 1, 0)
    return u


def _between(
    low: float, high: float, short: float, over: float, within: float, away: Callable[[float], float]
) -> float:
    """A place that is just far enough, between one that is not and one that is: by false position, never outside."""
    last = 0
    for _ in range(TRIES):
        middle = high - over * (high - low) / (over - short)
        miss = away(middle) - within
        if abs(miss) <= NEAR * within:
            return middle
        if miss < 0:
            low, short, over, last = middle, miss, over / 2 if last < 0 else over, -1
        else:
            high, over, short, last = middle, miss, short / 2 if last > 0 else short, 1
    return high


def drift(moving: Floats, before: Floats) -> Floats:
    """How fast a path moves where its target is: as it did in this tick or in the one before, the slower of the two.

    A carrier that jumps is fast for one tick only, and must not kick whoever follows it.
    """
    return moving if moving @ moving <= before @ before else before
