"""What does a path look like on paper? Dots for frames, squares for keys, arrows for tangents, axes for facings (KB84).

Each function draws one kind of thing into given axes through a given view, and tells the labels what to avoid.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from keypose.curves.path.motion_path import MotionPath
from keypose.maths.arrays import Floats
from keypose.maths.quaternion import rotate
from keypose.motion.motion import Motion
from keypose.plot.canvas.curve_samples import one_in, segment_parameters
from keypose.plot.canvas.labels import Labels
from keypose.plot.canvas.theme import Look
from keypose.plot.canvas.views import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes


THIRD = 1 / 3  # of a tangent: the handle of the same cubic in Bézier form
GHOST = 0.07  # of the picture: how long a ghost's axes are
WAYS = 40  # at least so many points of a drawing show their way
FEW = 40  # so many keys are numbered one by one, and have squares of full size
ANCHORS = 12  # at most about so many points of a drawing are tried for its label


def is_drawing(path: MotionPath) -> bool:
    """Whether the path carries more than a point."""
    return len(path.shape) == 2 and path.shape[0] > 1


def curve(
    ax: "Axes", path: MotionPath, view: View, look: Look, labels: Labels, color: str | None = None, width: float = 1.4
) -> None:
    """The line of the path; of a drawing, the line each of its points follows."""
    places = _by_point(path, path.at(segment_parameters(path).reshape(-1)))
    drawn = is_drawing(path)
    style: Any = {"color": color or (look.faint if drawn else look.path), "linewidth": 0.8 if drawn else width}
    for way in places[:: max(len(places) // WAYS, 1)]:
        paper = view.onto_paper(way)
        ax.plot(*paper.T, zorder=2, **style)
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
    if is_drawing(motion.path):
        shapes = lifted(view.onto_paper(places))
        ax.plot(*shapes.T, color=color or look.quiet, linewidth=0.6, alpha=0.6, zorder=2.5)
        labels.avoid(shapes)
        return
    paper = view.onto_paper(_by_point(motion.path, places)[0])
    ax.plot(*paper.T, "o", color=color or look.ink, markersize=size, markeredgewidth=0, zorder=4)
    labels.avoid_dots(paper, size)


def keys(ax: "Axes", path: MotionPath, view: View, look: Look, labels: Labels, names: bool = True) -> None:
    """An open square per key, with its name or number; of drawings, the drawing itself."""
    places = path.at(np.arange(float(len(path))))
    if is_drawing(path):
        paper = view.onto_paper(places)
        ax.plot(*lifted(paper).T, color=look.key, linewidth=1.2, zorder=3)
        labels.avoid(lifted(paper))
        anchors = paper[:, :: max(paper.shape[1] // ANCHORS, 1)]
    else:
        paper = view.onto_paper(_by_point(path, places)[0])
        size = max(7.0 * min(1.0, np.sqrt(FEW / len(path))), 3.0)
        square: Any = {
            "markersize": size,
            "markerfacecolor": "none",
            "markeredgecolor": look.key,
            "markeredgewidth": 1.3,
        }
        ax.plot(*paper.T, "s", zorder=5, **square)
        labels.avoid_dots(paper, size + 1.3)
        anchors = paper[:, None]
    if names:
        said = path.keys.column("name")
        named = {} if said is None else {index: name for index, name in enumerate(said) if name}
        for index, name in named.items():
            labels.want(anchors[index], name.replace("$", r"\$"), look.key)  # a name is no formula
        for index in (index for index in _numbered(len(path)) if index not in named):
            labels.want(anchors[index], str(index), look.key, spare=True)


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
    if is_drawing(path):
        return
    chosen = np.arange(len(path)) if of is None else np.asarray(of, dtype=np.int64)
    places = _by_point(path, path.at(np.arange(float(len(path)))))[0]
    for sign, side, color, dashes in ((-1, path.arrive, look.arrive, (0, (3, 1.5))), (1, path.leave, look.leave, "-")):
        nowhere = -1 if path.closed else (0 if sign < 0 else len(path) - 1)
        some = chosen[chosen % len(path) != nowhere]
        tips = places[some] + sign * scale * _by_point(path, side)[0][some]
        handles = view.onto_paper(np.stack([places[some], tips], axis=1))
        ax.plot(*lifted(handles).T, color=color, linewidth=1.2, linestyle=dashes, zorder=1.8)
        ax.plot(*handles[:, 1].T, "o", color=color, markersize=3.2, markeredgewidth=0, zorder=3)
        labels.avoid(lifted(handles))
        labels.avoid_dots(handles[:, 1], 3.2)


def arrows(
    ax: "Axes", strokes: Floats, look: Look, labels: Labels, color: str, width: float = 0.7, head: float = 4.0
) -> None:
    """Thin arrows along strokes (n, 2, 2) of the paper, `width` and `head` in points."""
    tails, tips = strokes[:, 0], strokes[:, 1]
    shape: Any = {"width": width / 72, "headwidth": head / width, "headlength": head / width}
    shape |= {"headaxislength": 0.8 * head / width, "minlength": 0.0, "minshaft": 1.0, "units": "inches"}
    ax.quiver(*tails.T, *(tips - tails).T, color=color, angles="xy", scale_units="xy", scale=1.0, zorder=1.7, **shape)
    ax.plot(*strokes.reshape(-1, 2).T, alpha=0)  # arrows do not count for the limits of the axes by themselves
    labels.avoid(lifted(strokes))


def ghosts(ax: "Axes", path: MotionPath, view: View, look: Look, labels: Labels, count: int = 0) -> None:
    """The object's axes at each key with a facing, and at `count` places in between: x, y and, longest, forward z."""
    facing = path.keys.column("facing")
    if facing is None:
        return
    at_keys = np.flatnonzero(~np.isnan(facing[:, 0])).astype(float)
    between = np.linspace(0, path.segments, count + 2)[1:-1]
    size = float(np.ptp(_in_space(path.at(segment_parameters(path).reshape(-1))), axis=0).max()) or 1.0
    strength: Any
    for u, strength in ((at_keys, {"linewidth": 1.8}), (between, {"linewidth": 0.9, "alpha": 0.55})):
        places, turns = _in_space(path.at(u)), path.orientation_at(u)
        for axis, color, reach in ((0, look.key, 0.7), (1, look.leave, 0.7), (2, look.path, 1.3)):
            tips = places + rotate(turns, np.eye(3)[axis]) * GHOST * reach * size
            arms = lifted(view.onto_paper(np.stack([places, tips], axis=1)))
            ax.plot(*arms.T, color=color, zorder=6, **strength)
            labels.avoid(arms)


def lifted(lines: Floats) -> Floats:
    """Several lines (n, points, 2) as one, (m, 2), the pen lifted between them: a thousand are as quick as one."""
    apart = np.full((len(lines), 1, 2), np.nan)
    return np.concatenate([lines, apart], axis=1).reshape(-1, 2)


def _numbered(count: int) -> list[int]:
    """The keys whose numbers are shown, the ends first: of many every second, fifth, tenth."""
    return list(dict.fromkeys([0, count - 1, *range(0, count, one_in(count, FEW))]))


def _by_point(path: MotionPath, places: Floats) -> Floats:
    """The ways of the single points, (points, n, dim), from places (n, dim) or of drawings (n, points, dim)."""
    return np.moveaxis(places, 1, 0) if len(path.shape) == 2 else places[None]


def _in_space(places: Floats) -> Floats:
    """Places in 3-D: drawings by their middle, flat ones at z = 0."""
    if places.ndim == 3:
        places = places.mean(axis=1)
    missing = np.zeros((*places.shape[:-1], max(3 - places.shape[-1], 0)))
    return np.concatenate([places, missing], axis=-1)[..., :3]
