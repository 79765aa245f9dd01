"""Which way does a path run where it stops for an instant? The direction of travel, as a limit where dP/du is zero.

BH89 divides by ‖dP/ds‖, which fails at a key of tension 1. The direction does not: just after a stop the path runs
along its acceleration, and if that vanishes too, along the rate of change of it.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from keypose.maths import hermite

if TYPE_CHECKING:
    from keypose.curves.motion_path import MotionPath

Floats = NDArray[np.float64]

STOPPED = 1e-10  # of a segment's size: below this speed rounding has taken the direction away
BESIDE = 1e-4  # of a segment


def heading(path: "MotionPath", u: Floats) -> Floats:
    """DP per metre of distance at each u, (n,) → (n, width); zero where nothing moves at all."""
    curve = path._rope.whole.curve
    points = path._rope.whole.points
    segment, s = hermite.locate(u, len(curve), path.closed)
    rows = curve[segment]
    velocity = hermite.evaluate(curve, u, path.closed, 1)
    pace = path.pace(u)
    size = np.abs(rows[:, 2:]).max(axis=(1, 2)) + np.abs(rows[:, 1] - rows[:, 0]).max(axis=1)
    stopped = ~(pace > STOPPED * np.where(size > 0, size, 1.0))
    result = velocity / np.where(stopped, 1.0, pace)[:, None]
    if stopped.any():
        at = np.flatnonzero(stopped & ~np.isnan(u))
        sense = np.where(_arrives(curve, u[at], s[at], path.closed), -1.0, 1.0)[:, None]
        second = hermite.evaluate(curve, u[at], path.closed, 2) * sense
        chord = rows[at, 1] - rows[at, 0]
        third = 6 * (rows[at, 2] + rows[at, 3] - 2 * chord)
        result[at] = 0.0
        if not path._metric.is_length:
            result[at] = _beside(path, u[at], sense[:, 0])
            return result
        for candidate in (third, second):
            norm = np.sqrt(np.einsum("ij,ij->i", candidate, candidate) / points)
            usable = norm > STOPPED * np.where(size[at] > 0, size[at], 1.0)
            result[at] = np.where(usable[:, None], candidate / np.where(usable, norm, 1.0)[:, None], result[at])
    return result


def _arrives(curve: Floats, u: Floats, s: Floats, closed: bool) -> NDArray[np.bool_]:
    """Whether a stop lies at the end of its segment, or a hair before it: there the path still arrives."""
    ahead = hermite.evaluate(curve, u, closed, 2)
    motion = hermite.evaluate(curve, u, closed, 1)
    slowing = np.einsum("ij,ij->i", ahead, motion) < 0
    return np.asarray((s >= 1.0) | (slowing & (s > 0.5)))


def _beside(path: "MotionPath", u: Floats, sense: Floats) -> Floats:
    """The same limit where turning counts as distance too: from two places beside each stop, extrapolated to it."""

    def per_metre(u: Floats) -> Floats:
        velocity, pace = path.velocity(u).reshape(len(u), -1), path.pace(u)
        return np.asarray(velocity / np.where(pace > 0, pace, 1.0)[:, None])

    return 2 * per_metre(u + sense * BESIDE) - per_metre(u + sense * 2 * BESIDE)
