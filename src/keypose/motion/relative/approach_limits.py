"""Where does a hand wait for a glass that comes towards it? Where the glass will be, not further.

Whoever is held on the way could be reached by the next key before that is due, and pushed back. Since it is known where
the key will be, nobody goes further than the nearest it will come: so distance never decreases, and the key is met.
"""

import numpy as np

from keypose.motion.relative.pass_log import PassLog
from keypose.motion.relative.root_search import Samples, TimeFunction, running_peaks

KEY_GAP_WEIGHTS = np.array([-1.0, 1.0])  # past the last one less past the next one


def approach_limits(distances: TimeFunction, samples: list[Samples], log: PassLog) -> Samples | None:
    """When the next key is nearer to the last one than it will be until it is passed, and how near [m] it is then.

    A `samples` of looks at the `distances` has seen them until it is passed. None if nobody goes far enough to care.
    """
    times, order = np.unique(np.concatenate([t for t, _ in samples]), return_index=True)
    leg_values = np.concatenate([values for _, values in samples])[order]
    if not len(times) or log.hold_distances[-1] <= 0:
        return None
    gap = leg_values @ KEY_GAP_WEIGHTS
    reversed_peaks = running_peaks(
        lambda t: -distances(-t) @ KEY_GAP_WEIGHTS, -times[::-1], -gap[::-1], -min(gap[-1], log.hold_distances[-1])
    )
    peaks = [(times[-1], gap[-1]), *((-time, -height) for time, height in reversed_peaks)]
    if len(peaks) == 1 and log.hold_distances[-1] <= gap[-1]:
        return None
    start_time = times[:1]
    travelled = np.minimum(np.maximum(leg_values[0, 1], log.hold_at(start_time)), log.limit_at(start_time))
    limit_times, limit_distances = np.array(peaks[::-1]).T
    return limit_times, np.maximum(
        limit_distances, travelled
    )  # who went further before he could know is not sent back at once
