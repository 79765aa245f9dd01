"""From where do we look at a path in space? One perspective and three orthographic views (BH89 §6, PF89 §4).

Right-handed, Y up. Laid out as animators know it: the top view above the front view, the side view from the right
beside it; so x runs alike in the first two, and y in the last two.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from keypose.maths import Floats


@dataclass(frozen=True)
class View:
    """A way to put places (…, dim) onto paper (…, 2), and what its two directions are called.

    `title` says them with the view's name. `nearness` is how near to the eye places are, (…). `measured`
    tells whether a metre is equally long everywhere.
    """

    name: str
    x_label: str
    y_label: str
    project: Callable[[Floats], Floats]
    title: str = ""
    nearness: Callable[[Floats], Floats] = lambda places: np.zeros(places.shape[:-1])
    has_scale: bool = True


def _project_line(positions: Floats) -> Floats:
    """Places in one dimension lie on a level line; what faces somewhere there is seen as in a plane."""
    return (
        positions[..., :2]
        if positions.shape[-1] > 1
        else np.concatenate([positions, np.zeros_like(positions)], axis=-1)
    )


FLAT = View("", "x", "y", lambda places: places[..., :2])
LINE = View("", "x", "", _project_line)
FRONT = View("front", "x", "y", lambda places: places[..., [0, 1]], "front: x →, y ↑")
TOP = View("top", "x", "−z", lambda places: places[..., [0, 2]] * [1.0, -1.0], "top: x →, z ↓")
SIDE = View("side", "−z", "y", lambda places: places[..., [2, 1]] * [-1.0, 1.0], "side: z ←, y ↑")


def perspective(points: Floats, yaw: float = 35.0, pitch: float = 22.0, distance: float = 3.2) -> View:
    """Looking at the middle of `points` (n, 3) from the right and from above; `distance` in sizes of the scene."""
    low, high = points.min(axis=0), points.max(axis=0)
    middle, size = (low + high) / 2, float(np.linalg.norm(high - low)) or 1.0
    a, b = np.radians(yaw), np.radians(pitch)
    right = np.array([np.cos(a), 0.0, -np.sin(a)])
    back = np.array([np.sin(a) * np.cos(b), np.sin(b), np.cos(a) * np.cos(b)])
    up = np.cross(back, right)

    def nearness(positions: Floats) -> Floats:
        return np.asarray((positions[..., :3] - middle) @ back)

    def onto_paper(positions: Floats) -> Floats:
        relative = positions[..., :3] - middle
        scale = distance * size / np.maximum(distance * size - relative @ back, 1e-3 * size)
        return np.stack([(relative @ right) * scale, (relative @ up) * scale], axis=-1)

    return View("perspective", "", "", onto_paper, "perspective", nearness, has_scale=False)


def views_for(positions: Floats) -> list[View]:
    """The views that show these places (n, dim): one for a line or a plane, four for space."""
    dim = positions.shape[-1]
    if dim == 1:
        return [LINE]
    if dim == 2 or float(np.ptp(positions[..., 2])) <= 1e-9 * float(np.ptp(positions[..., :3], axis=0).max()):
        return [FLAT]
    return [TOP, perspective(positions[..., :3].reshape(-1, 3)), FRONT, SIDE]


def widest_view(views: list[View], positions: Floats) -> View:
    """Of the views with one scale, the one in which these places (n, dim) spread most; the front one if it does."""
    scaled_views = sorted((view for view in views if view.has_scale), key=lambda view: view.name != "front")
    return max(scaled_views, key=lambda view: float(np.ptp(view.project(positions), axis=0).prod()))
