"""From where do we look at a path in space? One perspective and three orthographic views (BH89 §6, PF89 §4)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class View:
    """A way to put places (…, dim) onto paper (…, 2), and what its two directions are called."""

    name: str
    across: str
    up: str
    onto_paper: Callable[[Floats], Floats]


FLAT = View("", "x", "y", lambda places: places[..., :2])
FRONT = View("front", "x", "y", lambda places: places[..., [0, 1]])
SIDE = View("side", "z", "y", lambda places: places[..., [2, 1]] * [-1.0, 1.0])
TOP = View("top", "x", "z", lambda places: places[..., [0, 2]] * [1.0, -1.0])


def line(places: Floats) -> Floats:
    """Places in one dimension lie on a level line."""
    return np.concatenate([places, np.zeros_like(places)], axis=-1)


def perspective(around: Floats, turn: float = 35.0, tilt: float = 22.0, distance: float = 3.2) -> View:
    """Looking at the middle of `around` (n, 3) from the right and from above; `distance` in sizes of the scene."""
    low, high = around.min(axis=0), around.max(axis=0)
    middle, size = (low + high) / 2, float(np.linalg.norm(high - low)) or 1.0
    a, b = np.radians(turn), np.radians(tilt)
    right = np.array([np.cos(a), 0.0, -np.sin(a)])
    back = np.array([np.sin(a) * np.cos(b), np.sin(b), np.cos(a) * np.cos(b)])
    up = np.cross(back, right)

    def onto_paper(places: Floats) -> Floats:
        seen = places - middle
        depth = distance * size - seen @ back
        scale = distance * size / np.maximum(depth, 1e-3 * size)
        return np.stack([(seen @ right) * scale, (seen @ up) * scale], axis=-1)

    return View("perspective", "", "", onto_paper)


def views_of(places: Floats) -> list[View]:
    """The views that show these places (n, dim): one for a line or a plane, four for space."""
    dim = places.shape[-1]
    if dim == 1:
        return [View("", "x", "", line)]
    if dim == 2 or float(np.ptp(places[..., 2])) <= 1e-9 * float(np.ptp(places, axis=0).max()):
        return [FLAT]
    return [perspective(places[..., :3].reshape(-1, 3)), FRONT, TOP, SIDE]
