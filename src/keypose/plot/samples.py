"""Which points make up a drawn curve? Samples segment by segment, so that a break is a break and not a bridge."""

import numpy as np
from numpy.typing import NDArray

from keypose.curves.motion_path import MotionPath

Floats = NDArray[np.float64]

PER_SEGMENT = 48
JUST_BEFORE = 1e-9  # of a segment: the arriving side of its end
BREAK = 1e-6  # of the largest value: a step this large at a key is a jump


def segment_parameters(path: MotionPath, count: int = PER_SEGMENT) -> Floats:
    """Parameters (segments, count + 1) from one end of each segment to the other, the end on its arriving side."""
    share = np.linspace(0.0, 1.0, count + 1)
    share[-1] = 1.0 - JUST_BEFORE
    return np.arange(path.segments)[:, None] + share


def strokes(across: Floats, up: Floats) -> list[Floats]:
    """Polylines (n, 2) from samples by segment (segments, n): joined where they meet, lifted where they jump."""
    size = max(float(np.ptp(across)), float(np.ptp(up)), 1e-300)
    lines: list[Floats] = []
    for x, y in zip(across, up, strict=True):
        points = np.stack([x, y], axis=-1)
        if lines and np.abs(lines[-1][-1] - points[0]).max() <= BREAK * size:
            lines[-1] = np.concatenate([lines[-1], points[1:]])
        else:
            lines.append(points)
    return lines


def curvature(path: MotionPath, u: Floats) -> Floats:
    """How sharply the path bends at u [1/m]; not a number where it stops."""
    velocity, acceleration = path.velocity(u), path.acceleration(u)
    speed = np.sqrt(np.einsum("...i,...i->...", velocity, velocity))
    along = np.einsum("...i,...i->...", velocity, acceleration)
    bend = np.einsum("...i,...i->...", acceleration, acceleration) * speed**2 - along**2
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(speed > 1e-9 * speed.max(), np.sqrt(np.maximum(bend, 0.0)) / speed**3, np.nan)
