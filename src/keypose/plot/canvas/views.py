"""From where do we look at a path in space? One perspective and three orthographic views (BH89 §6, PF89 §4).

Right-handed, Y up. Laid out as animators know it: the top view above the front view, the side view from the right
beside it; so x runs alike in the first two, and y in the last two.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from keypose.maths.arrays import Floats


@dataclass(frozen=True)
class View:
    """A way to put places (…, dim) onto paper (…, 2), and what its two directions are called.

    `title` says them with the view's name. `nearness` is how near to the eye places are, (…). `measured` tells whether
    a metre is equally long everywhere.
    """

    name: str
    across: str
    up: str
    onto_paper: Callable[[Floats], Floats]
    title: str = ""
    nearness: Callable[[Floats], Floats] = lambda places: np.zeros(places.shape[:-1])
    measured: bool = True


def _on_a_line(places: Floats) -> Floats:
    """Places in one dimension lie on a level line; what faces somewhere there is seen as in a plane."""
    return places[..., :2] if places.shape[-1] > 1 else np.concatenate([places, np.zeros_like(places)], axis=-1)


FLAT = View("", "x", "y", lambda places: places[..., :2])
LINE = View("", "x", "", _on_a_line)
FRONT = View("front", "x", "y", lambda places: places[..., [0, 1]], "front: x →, y ↑")
TOP = View("top", "x", "−z", lambda places: places[..., [0, 2]] * [1.0, -1.0], "top: x →, z ↓")
SIDE = View("side", "−z", "y", lambda places: places[..., [2, 1]] * [-1.0, 1.0], "side: z ←, y ↑")


def perspective(around: Floats, turn: float = 35.0, tilt: float = 22.0, distance: float = 3.2) -> View:
    """Looking at the middle of `around` (n, 3) from the right and from above; `distance` in sizes of the scene."""
    low, high = around.min(axis=0), around.max(axis=0)
    middle, size = (low + high) / 2, float(np.linalg.norm(high - low)) or 1.0
    a, b = np.radians(turn), np.radians(tilt)
    right = np.array([np.cos(a), 0.0, -np.sin(a)])
    back = np.array([np.sin(a) * np.cos(b), np.sin(b), np.cos(a) * np.cos(b)])
    up = np.cross(back, right)

    def nearness(places: Floats) -> Floats:
        return np.asarray((places[..., :3] - middle) @ back)

    def onto_paper(places: Floats) -> Floats:
        seen = places[..., :3] - middle
        scale = distance * size / np.maximum(distance * size - seen @ back, 1e-3 * size)
        return np.stack([(seen @ right) * scale, (seen @ up) * scale], axis=-1)

    return View("perspective", "", "", onto_paper, "perspective", nearness, measured=False)


def views_of(places: Floats) -> list[View]:
    """The views that show these places (n, dim): one for a line or a plane, four for space."""
    dim = places.shape[-1]
    if dim == 1:
        return [LINE]
    if dim == 2 or float(np.ptp(places[..., 2])) <= 1e-9 * float(np.ptp(places[..., :3], axis=0).max()):
        return [FLAT]
    return [TOP, perspective(places[..., :3].reshape(-1, 3)), FRONT, SIDE]


def widest(views: list[View], places: Floats) -> View:
    """Of the views with one scale, the one in which these places (n, dim) spread most; the front one if it does."""
    measured = sorted((view for view in views if view.measured), key=lambda view: view.name != "front")
    return max(measured, key=lambda view: float(np.ptp(view.onto_paper(places), axis=0).prod()))
