"""How exactly does a hand drag? To far less than a pixel, and files shall read well: 0.79, not 0.7896907137841291."""

import numpy as np

from keypose.maths import Floats

NEGLIGIBLE_MOVE = 1e-3  # of a step: what a view that is seen straight from the front adds to the depth


def round_drag(old: Floats, by: Floats, digits: int | None) -> Floats:
    """Places dragged by a way and rounded, on the axes along which they were; without digits exactly."""
    if digits is None:
        return old + by
    with np.errstate(over="ignore", invalid="ignore"):
        new = np.round(old + by, digits) + 0.0  # no −0
    return np.where(np.abs(by) > NEGLIGIBLE_MOVE * 10.0**-digits, np.where(np.isfinite(new), new, old + by), old)
