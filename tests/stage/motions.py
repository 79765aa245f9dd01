"""Motions of every kind, to be asked together, and the instants that matter to them."""

import numpy as np
from hypothesis import strategies as st

from keypose import Key, KeyTimes, Motion, MotionPath, SpeedProfile
from keypose.maths import quaternion

ORIENTATION_MODES = ["no", "every", "some", "one", "log", "spot"]
TIMING_MODES = ["keys", "steady", "b-spline", "through", "captured"]
OUTSIDE_MODES = ["hold", "cycle", "mirror"]


def random_motion(
    seed, faced="no", timing="keys", outside="hold", closed=False, dimensions=3, points=None, inertia=0.0, start=None
):
    """A motion of any kind; keys may stand on one spot, stop, or be nearer and farther by orders of magnitude."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 9))
    shape = (dimensions,) if points is None else (points, dimensions)
    places = rng.normal(size=(count, *shape)) * 10.0 ** rng.uniform(-3, 2)
    if rng.uniform() < 0.3:
        places[1] = places[0]
    facings = quaternion.normalize(rng.normal(size=(count, 4)))
    has = {"no": set(), "one": {int(rng.integers(count))}, "some": set(rng.permutation(count)[: max(2, count // 2)])}
    chosen = has.get(faced, set(range(count)))
    keys = [
        Key(
            None if faced == "spot" else place,
            orientation=facings[i] if i in chosen else None,
            tension=float(rng.choice([0, 0, 1, rng.uniform(-1, 1)])),
        )
        for i, place in enumerate(places)
    ]
    path = MotionPath(keys, closed=closed, turning="log" if faced == "log" else "casteljau", inertia=inertia)
    start = float(rng.normal()) if start is None else start
    if timing == "keys":
        times = np.cumsum(10.0 ** rng.uniform(-2, 0.5, count + closed)) - 1
        return Motion(path, KeyTimes(times), start=start, outside=outside)
    profile = {
        "b-spline": SpeedProfile(rng.uniform(0, 2, 6) * [0, 1, 1, 1, 1, 0]),
        "through": SpeedProfile.through({0: 0, 0.3: 2, 0.4: 0, 0.7: 0, 1: 1}),
    }.get(timing)
    capture = {1: 0.4} if timing == "captured" and count > 2 and path.distance(1) > 0 else None
    return Motion(path, profile, duration=float(rng.uniform(1, 3)), start=start, outside=outside, capture=capture)


motion_options = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 10_000),
        "faced": st.sampled_from(ORIENTATION_MODES),
        "timing": st.sampled_from(TIMING_MODES),
        "outside": st.sampled_from(OUTSIDE_MODES),
        "closed": st.booleans(),
        "dimensions": st.integers(1, 3),
        "inertia": st.sampled_from([0.0, 0.0, 2.0]),
    }
)


def critical_times(motions):
    """Everywhere, and at, just before and just after every moment that matters to anybody."""
    matters = np.concatenate([[*motion.span, *motion.key_times] for motion in motions])
    beside = np.concatenate([np.nextafter(matters, -99), np.nextafter(matters, 99), matters + 1e-7])
    everywhere = np.random.default_rng(0).uniform(-6, 12, 40)
    return np.concatenate([matters, beside, everywhere, [-1e9, 1e9]])
