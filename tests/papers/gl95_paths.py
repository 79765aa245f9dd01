"""Paths of Gascuel and Lyon (1995), as the tests of their claims need them."""

import numpy as np

from keypose import Key, MotionPath, Orientation
from keypose.maths import quaternion

HERMITE = np.array([(2, -2, 1, 1), (-3, 3, -2, -1), (0, 0, 1, 0), (1, 0, 0, 0)])
UNEVEN = np.array([(0, 0, 0), (1, 2, 0), (1.5, 2, 1), (6, 0, -2), (7, 1, 0), (12, 3, 4)], dtype=float)
ORIENTATIONS = quaternion.normalize(np.random.default_rng(95).normal(size=(6, 4)))
FPS, SECONDS = 24, 2.0


def powers(u):
    u = np.asarray(u, dtype=float)
    return np.stack([u**3, u**2, u, np.ones_like(u)], axis=-1)


def orientation(degrees, about="y"):
    return Orientation.turned(float(degrees), about)


def orientation_path(facings, **options):
    return MotionPath([Key(orientation=q) for q in facings], **options)


def pose_path(**options):
    """A path that travels and turns."""
    return MotionPath([Key(p, orientation=q) for p, q in zip(UNEVEN, ORIENTATIONS, strict=True)], **options)
