"""When is a key passed that has no time, between keys that have one? By distance, wherever the carriers are then."""

from itertools import pairwise

import numpy as np

from keypose.maths import Floats
from keypose.motion.motion import Motion
from keypose.motion.relative.corner_times import CornerTimes
from keypose.motion.relative.passing_times import solve_passing_times
from keypose.motion.relative.relative_motion import PoseLookup, RelativeMotion
from keypose.timing import KeyTimes, SpeedProfile

MIN_SEPARATION = 1e-9  # of the time between two timed keys: keys on one spot come one by one


def has_untimed_keys(motion: Motion) -> bool:
    """Whether the time of some inner key is only known from distances."""
    times = motion.spec[0].keys.column("time")
    if motion.timing is not None or times is None or np.isnan(times).all():
        return False
    return bool(np.isnan(times[1:] if motion.path.closed else times[1:-1]).any())


def infer_key_times(motion: Motion, parent: str | None, lookup: PoseLookup, corners: CornerTimes) -> Motion:
    """A motion only some of whose keys have times, with a time for every key."""
    given_path, derived_times = motion.spec[0], motion.path.keys.column("time")
    times = given_path.keys.column("time")
    assert times is not None
    assert derived_times is not None
    known = np.flatnonzero(~np.isnan(times) | (np.arange(len(times)) % max(given_path.segments, 1) == 0))
    capture: dict[str | int, float] = {int(key): float(derived_times[key] - derived_times[0]) for key in known}
    steady_motion = Motion(
        given_path, SpeedProfile.steady(), duration=motion.duration, start=motion.span[0], capture=capture
    )
    pass_times = (
        solve_passing_times(RelativeMotion(steady_motion, parent, all_keys=True), lookup, corners).passed_at
        - motion.start
    )
    pass_times[known] = derived_times[known]
    ends = np.union1d(known, [given_path.segments])
    for one, two in pairwise(ends.tolist()):
        pass_times[one : two + 1] = _separate_times(pass_times[one : two + 1])
    return Motion(given_path, KeyTimes(pass_times), start=motion.start, outside=motion.outside)


def _separate_times(times: Floats) -> Floats:
    """Times from a first to a last one that never fall, with at least a moment between any two of them."""
    count, span = len(times) - 1, times[-1] - times[0]
    min_gaps = MIN_SEPARATION * span * np.arange(count + 1)
    separated = np.maximum.accumulate(np.clip(times, times[0], times[-1]) - min_gaps) + min_gaps
    return np.asarray(np.minimum(separated, times[-1] - min_gaps[::-1]))
