"""How does something come and go without a jolt? One curve for every edge of a field, in space and in time."""

import numpy as np

from keypose.maths.arrays import Floats


def smoothstep(depth: Floats, width: float) -> Floats:
    """From 0 at a border to 1 at the depth `width` behind it, level at both ends: s²(3 − 2s); a step if
    `width` is 0.
    """
    if width == 0:
        return np.asarray(depth >= 0, dtype=np.float64)
    fraction = np.clip(depth / width, 0.0, 1.0)
    return np.asarray(fraction * fraction * (3 - 2 * fraction))
