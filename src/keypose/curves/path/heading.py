"""Which way does a path run where it stops for an instant? The direction of travel, as a limit where dP/du is zero.

BH89 divides by ‖dP/ds‖, which fails at a key of tension 1. The direction does not: just after a stop the path runs
along its acceleration, and if that vanishes too, along the rate of change of it.
"""

from typing import TYPE_CHECKING

import numpy as np

from keypose.maths import Floats, hermite, ordered_sum

if TYPE_CHECKING:
    from keypose.curves.path.path_geometry import PathGeometry


STOP_TOLERANCE = 1e-10  # of a segment's size: below this speed rounding has taken the direction away
EXTRAPOLATION_STEP = 1e-4  # of a segment


def headings(path: "PathGeometry", u: Floats) -> Floats:
    """Return dP per metre of distance at each u, (n,) → (n, width); zero where nothing moves at all."""
    curve, points = path.curve, path.rope.whole.points
    segment, s = hermite.locate(u, len(curve), path.closed)
    rows = curve[segment]
    velocity = hermite.evaluate(curve, u, path.closed, 1)
    pace = path.pace(u)
    stopped = ~(pace > stop_speeds(rows))
    result = velocity / np.where(stopped, 1.0, pace)[:, None]
    if stopped.any():
        stops = np.flatnonzero(stopped & ~np.isnan(u))
        if path.metric.is_length:
            result[stops] = stop_directions(rows[stops], s[stops], points)
        else:
            result[stops] = _extrapolate_headings(path, u[stops], _stop_signs(rows[stops], s[stops]))
    return result


def stop_speeds(segments: Floats) -> Floats:
    """The pace of each segment (…, 4, width) at and below which rounding has taken the direction away, (…)."""
    chord = np.abs(segments[..., 1, :] - segments[..., 0, :]).max(axis=-1)
    size = np.abs(segments[..., 2:, :]).max(axis=(-2, -1)) + chord
    return np.asarray(STOP_TOLERANCE * np.where(size > 0, size, 1.0))


def stop_directions(segments: Floats, s: Floats, points: int) -> Floats:
    """DP per metre of length at stops, on segments (n, 4, width) at shares s (n,); zero where nothing moves at all."""
    second = hermite.evaluate_segments(segments, s, 2) * _stop_signs(segments, s)[:, None]
    chord = segments[:, 1] - segments[:, 0]
    third = 6 * (segments[:, 2] + segments[:, 3] - 2 * chord)
    result, least = np.zeros_like(second), stop_speeds(segments)
    for candidate in (third, second):
        norm = np.sqrt(ordered_sum(candidate * candidate) / points)
        usable = norm > least
        result = np.where(usable[:, None], candidate / np.where(usable, norm, 1.0)[:, None], result)
    return result


def _stop_signs(segments: Floats, s: Floats) -> Floats:
    """-1 where a stop lies at the end of its segment, or a hair before it: there the path still arrives. Else 1."""
    is_slowing = (
        np.einsum("ij,ij->i", hermite.evaluate_segments(segments, s, 2), hermite.evaluate_segments(segments, s, 1)) < 0
    )
    return np.where((s >= 1.0) | (is_slowing & (s > 0.5)), -1.0, 1.0)


def _extrapolate_headings(path: "PathGeometry", u: Floats, sense: Floats) -> Floats:
    """The same limit where turning counts as distance too: from two places beside each stop, extrapolated to it."""

    def per_metre(u: Floats) -> Floats:
        velocity, pace = path.evaluate(u, 1).reshape(len(u), -1), path.pace(u)
        return np.asarray(velocity / np.where(pace > 0, pace, 1.0)[:, None])

    return 2 * per_metre(u + sense * EXTRAPOLATION_STEP) - per_metre(u + sense * 2 * EXTRAPOLATION_STEP)
