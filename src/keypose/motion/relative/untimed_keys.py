"""When is a key passed that has no time, between keys that have one? By distance, wherever the carriers are then."""

from itertools import pairwise

import numpy as np

from keypose.maths.arrays import Floats
from keypose.motion.motion import Motion
from keypose.motion.relative.corner_times import Corners
from keypose.motion.relative.passing_times import solved
from keypose.motion.relative.relative_motion import Look, Rendezvous
from keypose.timing.key_times import KeyTimes
from keypose.timing.speed_profile import SpeedProfile

LEAST = 1e-9  # of the time between two timed keys: keys on one spot come one by one


def needs_spreading(motion: Motion) -> bool:
    """Whether the time of some inner key is only known from distances."""
    times = motion._said[0].keys.column("time")
    if motion.timing is not None or times is None or np.isnan(times).all():
        return False
    return bool(np.isnan(times[1:] if motion.path.closed else times[1:-1]).any())


def spread_in_time(motion: Motion, parent: str | None, look: Look, corners: Corners) -> Motion:
    """A motion only some of whose keys have times, with a time for every key."""
    said, derived = motion._said[0], motion.path.keys.column("time")
    times = said.keys.column("time")
    assert times is not None
    assert derived is not None
    known = np.flatnonzero(~np.isnan(times) | (np.arange(len(times)) % max(said.segments, 1) == 0))
    capture: dict[str | int, float] = {int(key): float(derived[key] - derived[0]) for key in known}
    steadily = Motion(said, SpeedProfile.steady(), duration=motion.duration, start=motion.span[0], capture=capture)
    passed = solved(Rendezvous(steadily, parent, everywhere=True), look, corners).passed - motion.start
    passed[known] = derived[known]
    ends = np.union1d(known, [said.segments])
    for one, two in pairwise(ends.tolist()):
        passed[one : two + 1] = _apart(passed[one : two + 1])
    return Motion(said, KeyTimes(passed), start=motion.start, outside=motion.outside)


def _apart(times: Floats) -> Floats:
    """Times from a first to a last one that never fall, with at least a moment between any two of them."""
    count, span = len(times) - 1, times[-1] - times[0]
    least = LEAST * span * np.arange(count + 1)
    apart = np.maximum.accumulate(np.clip(times, times[0], times[-1]) - least) + least
    return np.asarray(np.minimum(apart, times[-1] - least[::-1]))
