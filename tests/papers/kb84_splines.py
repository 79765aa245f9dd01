"""The splines of Kochanek and Bartels (1984), as the tests of their claims need them."""

import numpy as np

from keypose import Key, MotionPath

POSITIONS = np.array([(0, 0), (1, 2), (3, 2.5), (4, 0), (6, 1), (7, 3)], dtype=float)
SPACE = np.random.default_rng(84).normal(size=(6, 3))
HILL = [(0, 0), (2, 2), (4, 0)]  # two chords of the same length, a right angle at the top
FPS = 24


def kb84(places, **options):
    """The paper's spline: eqs 8-9, and beyond the ends the first and last chord again."""
    return MotionPath(places, adjust="none", **options)


def shaped(at, places=HILL, **shaping):
    """The paper's spline with tension, continuity or bias at one key."""
    return kb84([Key(place, **(shaping if index == at else {})) for index, place in enumerate(places)])


def chords(places):
    return np.diff(np.asarray(places, dtype=float), axis=0)


def angle(a, b):
    """Degrees from a to b in the plane, anticlockwise."""
    return np.degrees(np.arctan2(a[0] * b[1] - a[1] * b[0], np.dot(a, b)))
