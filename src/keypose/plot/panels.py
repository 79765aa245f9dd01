"""What does a path look like on paper? Dots for frames, squares for keys, arrows for tangents, axes for facings (KB84).

Each function draws one kind of thing into given axes through a given view, and tells the labels what to avoid.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from keypose.curves.motion_path import MotionPath
from keypose.maths.quaternion import rotate
from keypose.motion.motion import Motion
from keypose.plot.labels import Labels
from keypose.plot.look import Look
from keypose.plot.samples import segment_parameters
from keypose.plot.views import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

THIRD = 1 / 3  # of a tangent: the handle of the same cubic in Bézier form
GHOST = 0.07  # of the picture: how long a ghost's axes are


def curve(
    ax: "Axes", path: MotionPath, view: View, look: Look, labels: Labels, color: str | None = None, width: float = 1.4
) -> None:
    """The line of the path; of a drawing, the line each of its points follows."""
    places = path.at(segment_parameters(path).reshape(-1))
    for places_of_one in _points(places):
        paper = view.onto_paper(places_of_one)
        quiet = len(path.shape) == 2
        ax.plot(
            *paper.T, color=color or (look.faint if quiet else look.path), linewidth=0.8 if quiet else width, zorder=2
        )
        labels.avoid(paper)


def frames(
    ax: "Axes",
    motion: Motion,
    view: View,
    look: Look,
    labels: Labels,
    fps: float = 24,
    color: str | None = None,
    size: float = 3.0,
) -> None:
    """A dot per frame, or of a drawing the drawing: close together is slow, far apart is fast."""
    places = motion.frames(fps).position
    if places.ndim == 3:  # of a drawing every frame is a drawing
        for drawing in places:
            ax.plot(*view.onto_paper(drawing).T, color=color or look.quiet, linewidth=0.6, zorder=2.5)
        return
    paper = view.onto_paper(places)
    ax.plot(*paper.T, "o", color=color or look.ink, markersize=size, markeredgewidth=0, zorder=4)
    labels.avoid(paper)


def keys(ax: "Axes", path: MotionPath, view: View, look: Look, labels: Labels, names: bool = True) -> None:
    """An open square per key, with its name or number; of drawings, the drawing itself."""
    places = path.at(np.arange(float(len(path))))
    if places.ndim == 3:
        for drawing in places:
            ax.plot(*view.onto_paper(drawing).T, color=look.key, linewidth=1.2, zorder=3)
        paper = view.onto_paper(places.mean(axis=1))
    else:
        paper = view.onto_paper(places)
        ax.plot(
            *paper.T, "s", markersize=7, markerfacecolor="none", markeredgecolor=look.key, markeredgewidth=1.3, zorder=5
        )
    labels.avoid(paper)
    if names:
        for index, point in enumerate(paper):
            labels.want(point, path.keys[index].name or str(index), look.key)


def tangents(
    ax: "Axes",
    path: MotionPath,
    view: View,
    look: Look,
    labels: Labels,
    of: Sequence[int] | None = None,
    scale: float = THIRD,
) -> None:
    """How each key is reached (dashed) and left; a third of the tangent is the same cubic's Bézier handle."""
    if len(path.shape) == 2:
        return
    chosen = range(len(path)) if of is None else of
    places = path.at(np.arange(float(len(path))))
    for sign, side, color, dashes in ((-1, path.arrive, look.arrive, (0, (3, 1.5))), (1, path.leave, look.leave, "-")):
        nowhere = None if path.closed else (0 if sign < 0 else len(path) - 1)
        for index in chosen:
            if index == nowhere:
                continue
            handle = view.onto_paper(np.stack([places[index], places[index] + sign * scale * side[index]]))
            ax.plot(*handle.T, color=color, linewidth=1.2, linestyle=dashes, zorder=1.8)
            ax.plot(*handle[1], "o", color=color, markersize=3.2, markeredgewidth=0, zorder=3)
            labels.avoid(np.linspace(handle[0], handle[1], 12))


def ghosts(ax: "Axes", path: MotionPath, view: View, look: Look, labels: Labels, count: int = 0) -> None:
    """The object's axes at each key with a facing, and at `count` places in between: x, y and, longest, forward z."""
    if path.turns is None:
        return
    facing = path.keys.column("facing")
    assert facing is not None
    at_keys = np.flatnonzero(~np.isnan(facing[:, 0])).astype(float)
    everything = np.concatenate([at_keys, np.linspace(0, path.segments, count + 2)[1:-1]]) if count else at_keys
    places, turns = _in_space(path.at(everything)), path.orientation_at(everything)
    span = float(np.ptp(_in_space(path.at(segment_parameters(path).reshape(-1))), axis=0).max()) or 1.0
    for index, (place, turn) in enumerate(zip(places, turns, strict=True)):
        strong = index < len(at_keys)
        for axis, color, reach in ((0, look.key, 0.7), (1, look.leave, 0.7), (2, look.path, 1.3)):
            tip = place + rotate(turn, np.eye(3)[axis]) * GHOST * reach * span
            arm = view.onto_paper(np.stack([place, tip]))
            ax.plot(*arm.T, color=color, linewidth=1.8 if strong else 0.9, alpha=1 if strong else 0.55, zorder=6)
            labels.avoid(np.linspace(arm[0], arm[1], 8))


def _in_space(places: Floats) -> Floats:
    """Places in 3-D: drawings by their middle, flat ones at z = 0."""
    if places.ndim == 3:
        places = places.mean(axis=1)
    missing = 3 - places.shape[-1]
    return (
        np.concatenate([places, np.zeros((*places.shape[:-1], missing))], axis=-1) if missing > 0 else places[..., :3]
    )


def _points(places: Floats) -> list[Floats]:
    """The ways of the single points (n, dim): of a large drawing, a few dozen of them."""
    if places.ndim == 2:
        return [places]
    step = max(places.shape[1] // 40, 1)
    return [places[:, point] for point in range(0, places.shape[1], step)]
