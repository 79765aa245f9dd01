"""When may a motion turn abruptly? At its keys, in every lap if it repeats.

Whoever waits for it looks at these moments and some between them: from key to key a motion is smooth.
"""

from collections.abc import Callable, Iterable

import numpy as np

from keypose.maths import Floats
from keypose.motion.motion import Motion

CornerTimes = Callable[[float, float], Floats]
"""The moments from one time to another [s] at which something may turn abruptly, in order."""

MAX_CORNERS = (
    50_000  # moments: of a motion that passes its keys more often in the time asked for, some laps are left out
)


def corner_times(motion: Motion) -> CornerTimes:
    """When a motion passes its keys."""
    begin, end = motion.span
    length, key_times = end - begin, np.append(motion.key_times, end)  # a closed path comes back to its first key

    def corners_between(first: float, last: float) -> Floats:
        if motion.outside == "hold":
            return _times_between(key_times, first, last)
        first_lap, last_lap = np.floor((np.array([first, last]) - begin) / length)
        lap_step = 1 + (last_lap - first_lap + 1) * len(key_times) // MAX_CORNERS
        laps = np.arange(first_lap, last_lap + 1, lap_step)[:, None]
        is_backward = (motion.outside == "mirror") & (laps % 2 == 1)
        return _times_between(
            begin + length * laps + np.where(is_backward, end - key_times, key_times - begin), first, last
        )

    return corners_between


def no_corners(first: float, last: float) -> Floats:
    """The corners of what has none."""
    return np.empty(0)


def merge_corners(parts: Iterable[CornerTimes | Floats]) -> CornerTimes:
    """The corners of several things; moments [s] are corners too."""
    several = list(parts)

    def corners_between(first: float, last: float) -> Floats:
        each = [
            _times_between(part, first, last) if isinstance(part, np.ndarray) else part(first, last) for part in several
        ]
        return np.unique(np.concatenate(each)) if each else np.empty(0)

    return corners_between


def _times_between(times: Floats, first: float, last: float) -> Floats:
    return np.unique(times[(times >= first) & (times <= last)])
