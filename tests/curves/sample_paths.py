"""Paths and keys that several tests of paths are about."""

import numpy as np

from keypose.curves.key import Key
from keypose.curves.orientation import Orientation
from keypose.maths import quaternion

ENDS = ["reflect", "still", "zero-chord"]


def turned(degrees, about="y"):
    return Orientation.turned(degrees, about)


def uneven_keys(count=7, dim=3, seed=0, timed=False, shaped=True, faced=False):
    rng = np.random.default_rng(seed)
    times = np.cumsum(rng.uniform(0.2, 2.0, count)).tolist() if timed else [None] * count
    keys = []
    for time in times:
        shaping = dict(zip(("tension", "continuity", "bias"), rng.uniform(-1, 1, 3), strict=True)) if shaped else {}
        facing = quaternion.normalize(rng.normal(size=4)) if faced else None
        keys.append(Key(rng.normal(size=dim), time=time, orientation=facing, **shaping))
    return keys
