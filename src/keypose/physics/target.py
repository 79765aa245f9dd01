"""Where is the target? As far along the path as it takes to be a given distance ahead of its body, or where it was.

It never goes back, and no farther in one step than it may: the distance to a path may shrink and grow again, and a
binary search would jump (LG95 §3.1 as it should read). So it marches, and brackets the first place that is far enough.
"""

from collections.abc import Callable

MARCH = 8  # steps within what it may go at once
FINEST = 1 / 64  # of a segment: where a path stands still, a march goes on by its parameter
HALVINGS = 40


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
            return _bracketed(u, following, within, away)
        gone += speed * (following - u)
        u = following
    return u


def _bracketed(low: float, high: float, within: float, away: Callable[[float], float]) -> float:
    """The first place that is far enough, between one that is not and one that is."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if away(middle) < within else (low, middle)
    return high
