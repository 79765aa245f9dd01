"""Where is the target? As far along the path as it takes to be a given distance ahead of its body, or where it was.

It never goes back, and no farther in one step than it may: the distance to a path may shrink and grow again, and a
binary search would jump (LG95 §3.1 as it should read). So it marches, and brackets the first place that is far enough.
"""

from collections.abc import Callable

MARCH = 2  # steps within what it may go at once, which is little
FINEST = 1 / 64  # of a segment: where a path stands still, a march goes on by its parameter
TRIES, NEAR = 40, 1e-12  # how often it is looked for, and how well it is found, of how far ahead it keeps


def advanced(
    u: float, last: float, within: float, most: float, away: Callable[[float], float], pace: Callable[[float], float]
) -> float:
    """The parameter u of a target one step later, up to `last`.

    `away(u)` is how far its body is from there, `pace(u)` how far a unit of the parameter goes; `most` how far it may.
    """
    gone = 0.0
    if away(u) >= within:
        return u
    while u < last and gone < most:
        speed = pace(u)
        du = min(FINEST, most / MARCH / speed) if speed > 0 else FINEST
        following = min(u + du, last)
        if away(following) >= within:
            return _between(u, following, within, away)
        gone += speed * (following - u)
        u = following
    return u


def _between(low: float, high: float, within: float, away: Callable[[float], float]) -> float:
    """A place that is just far enough, between one that is not and one that is: by false position, never outside."""
    short, over, last = away(low) - within, away(high) - within, 0
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
