"""How does something come and go without a jolt? One curve for every edge of a field, in space and in time."""

import numpy as np

from keypose.maths.arrays import Floats


def rising(depth: Floats, over: float) -> Floats:
    """From 0 at a border to 1 at the depth `over` behind it, level at both ends: s²(3 − 2s); a step if `over` is 0."""
    if over == 0:
        return np.asarray(depth >= 0, dtype=np.float64)
    share = np.clip(depth / over, 0.0, 1.0)
    return np.asarray(share * share * (3 - 2 * share))
