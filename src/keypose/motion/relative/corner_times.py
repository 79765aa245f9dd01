"""When may a motion turn abruptly? At its keys, in every lap if it repeats.

Whoever waits for it looks at these moments and some between them: from key to key a motion is smooth.
"""

from collections.abc import Callable, Iterable

import numpy as np

from keypose.maths.arrays import Floats
from keypose.motion.motion import Motion

Corners = Callable[[float, float], Floats]
"""The moments from one time to another [s] at which something may turn abruptly, in order."""

MOST = 50_000  # moments: of a motion that passes its keys more often in the time asked for, some laps are left out


def corners(motion: Motion) -> Corners:
    """When a motion passes its keys."""
    begin, end = motion.span
    length, passed = end - begin, np.append(motion.key_times, end)  # a closed path comes back to its first key

    def found(first: float, last: float) -> Floats:
        if motion.outside == "hold":
            return _within(passed, first, last)
        early, late = np.floor((np.array([first, last]) - begin) / length)
        every = 1 + (late - early + 1) * len(passed) // MOST
        laps = np.arange(early, late + 1, every)[:, None]
        back = (motion.outside == "mirror") & (laps % 2 == 1)
        return _within(begin + length * laps + np.where(back, end - passed, passed - begin), first, last)

    return found


def smooth(first: float, last: float) -> Floats:
    """The corners of what has none."""
    return np.empty(0)


def all_corners(parts: Iterable[Corners | Floats]) -> Corners:
    """The corners of several things; moments [s] are corners too."""
    several = list(parts)

    def found(first: float, last: float) -> Floats:
        each = [_within(part, first, last) if isinstance(part, np.ndarray) else part(first, last) for part in several]
        return np.unique(np.concatenate(each)) if each else np.empty(0)

    return found


def _within(moments: Floats, first: float, last: float) -> Floats:
    return np.unique(moments[(moments >= first) & (moments <= last)])
