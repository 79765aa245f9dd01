"""What do many numbers come to? The same whoever adds them up, to the bit."""

import numpy as np

from keypose.maths.arrays import Floats

PAIRWISE_THRESHOLD = 8  # numbers from which on numpy adds them up by pairs


def ordered_sum(values: Floats) -> Floats:
    """The sums along the last axis, (…, n) → (…), number by number as a compiled loop does."""
    if values.shape[-1] < PAIRWISE_THRESHOLD:
        return np.asarray(values.sum(axis=-1))
    return np.asarray(np.add.accumulate(values, axis=-1)[..., -1])


def mean_of_points(vectors: Floats) -> Floats:
    """One vector for each drawing, (…, points, dim) → (…, dim), its points taken in order too."""
    return np.asarray(ordered_sum(np.moveaxis(vectors, -2, -1)) / vectors.shape[-2])
