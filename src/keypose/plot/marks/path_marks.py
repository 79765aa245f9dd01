"""What does a path look like on paper? Dots for frames, squares for keys, arrows for tangents, axes for facings (KB84).

Each function draws one kind of thing into given axes through a given view, and tells the labels what to avoid.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from keypose.curves import MotionPath
from keypose.maths import Floats, quaternion
from keypose.motion import Motion
from keypose.plot.canvas.curve_samples import display_stride, segment_parameters
from keypose.plot.canvas.labels import Labels
from keypose.plot.canvas.theme import Palette
from keypose.plot.canvas.views import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes


TANGENT_SCALE = 1 / 3  # of a tangent: the handle of the same cubic in Bézier form
AXES_LENGTH = 0.07  # of the picture: how long a ghost's axes are
MIN_POINT_CURVES = 40  # at least so many points of a drawing show their way
MAX_NUMBERED_KEYS = 40  # so many keys are numbered one by one, and have squares of full size
LABEL_ANCHORS = 12  # at most about so many points of a drawing are tried for its label


def has_many_points(path: MotionPath) -> bool:
    """Whether the path carries more than a point."""
    return len(path.shape) == 2 and path.shape[0] > 1


def draw_curve(
    ax: "Axes",
    path: MotionPath,
    view: View,
    palette: Palette,
    labels: Labels,
    color: str | None = None,
    width: float = 1.4,
) -> None:
    """The line of the path; of a drawing, the line each of its points follows."""
    positions = _by_point(path, path.at(segment_parameters(path).reshape(-1)))
    is_drawing = has_many_points(path)
    style: Any = {
        "color": color or (palette.faint if is_drawing else palette.path),
        "linewidth": 0.8 if is_drawing else width,
    }
    for curve_points in positions[:: max(len(positions) // MIN_POINT_CURVES, 1)]:
        paper = view.project(curve_points)
        ax.plot(*paper.T, zorder=2, **style)
        labels.avoid_line(paper)


def draw_frames(
    ax: "Axes",
    motion: Motion,
    view: View,
    palette: Palette,
    labels: Labels,
    fps: float = 24,
    color: str | None = None,
    size: float = 3.0,
) -> None:
    """A dot per frame, or of a drawing the drawing: close together is slow, far apart is fast."""
    positions = motion.frames(fps).position
    if has_many_points(motion.path):
        shapes = join_with_gaps(view.project(positions))
        ax.plot(*shapes.T, color=color or palette.quiet, linewidth=0.6, alpha=0.6, zorder=2.5)
        labels.avoid_line(shapes)
        return
    paper = view.project(_by_point(motion.path, positions)[0])
    ax.plot(*paper.T, "o", color=color or palette.ink, markersize=size, markeredgewidth=0, zorder=4)
    labels.avoid_dots(paper, size)


def draw_keys(ax: "Axes", path: MotionPath, view: View, palette: Palette, labels: Labels, names: bool = True) -> None:
    """An open square per key, with its name or number; of drawings, the drawing itself."""
    positions = path.at(np.arange(float(len(path))))
    if has_many_points(path):
        paper = view.project(positions)
        ax.plot(*join_with_gaps(paper).T, color=palette.key, linewidth=1.2, zorder=3)
        labels.avoid_line(join_with_gaps(paper))
        anchors = paper[:, :: max(paper.shape[1] // LABEL_ANCHORS, 1)]
    else:
        paper = view.project(_by_point(path, positions)[0])
        size = max(7.0 * min(1.0, np.sqrt(MAX_NUMBERED_KEYS / len(path))), 3.0)
        square: Any = {
            "markersize": size,
            "markerfacecolor": "none",
            "markeredgecolor": palette.key,
            "markeredgewidth": 1.3,
        }
        ax.plot(*paper.T, "s", zorder=5, **square)
        labels.avoid_dots(paper, size + 1.3)
        anchors = paper[:, None]
    if names:
        key_names = path.keys.column("name")
        names_by_index = {} if key_names is None else {index: name for index, name in enumerate(key_names) if name}
        for index, name in names_by_index.items():
            labels.add(anchors[index], name.replace("$", r"\$"), palette.key)  # a name is no formula
        for index in (index for index in _numbered_keys(len(path)) if index not in names_by_index):
            labels.add(anchors[index], str(index), palette.key, optional=True)


def draw_tangents(
    ax: "Axes",
    path: MotionPath,
    view: View,
    palette: Palette,
    labels: Labels,
    of: Sequence[int] | None = None,
    scale: float = TANGENT_SCALE,
) -> None:
    """How each key is reached (dashed) and left; a third of the tangent is the same cubic's Bézier handle."""
    if has_many_points(path):
        return
    chosen = np.arange(len(path)) if of is None else np.asarray(of, dtype=np.int64)
    positions = _by_point(path, path.at(np.arange(float(len(path)))))[0]
    for marker, side, color, dashes in (
        (-1, path.arrive, palette.arrive, (0, (3, 1.5))),
        (1, path.leave, palette.leave, "-"),
    ):
        skipped = -1 if path.closed else (0 if marker < 0 else len(path) - 1)
        selected = chosen[chosen % len(path) != skipped]
        tips = positions[selected] + marker * scale * _by_point(path, side)[0][selected]
        handles = view.project(np.stack([positions[selected], tips], axis=1))
        ax.plot(*join_with_gaps(handles).T, color=color, linewidth=1.2, linestyle=dashes, zorder=1.8)
        ax.plot(*handles[:, 1].T, "o", color=color, markersize=3.2, markeredgewidth=0, zorder=3)
        labels.avoid_line(join_with_gaps(handles))
        labels.avoid_dots(handles[:, 1], 3.2)


def draw_arrows(
    ax: "Axes", strokes: Floats, palette: Palette, labels: Labels, color: str, width: float = 0.7, head: float = 4.0
) -> None:
    """Thin arrows along strokes (n, 2, 2) of the paper, `width` and `head` in points."""
    tails, tips = strokes[:, 0], strokes[:, 1]
    shape: Any = {"width": width / 72, "headwidth": head / width, "headlength": head / width}
    shape |= {"headaxislength": 0.8 * head / width, "minlength": 0.0, "minshaft": 1.0, "units": "inches"}
    ax.quiver(*tails.T, *(tips - tails).T, color=color, angles="xy", scale_units="xy", scale=1.0, zorder=1.7, **shape)
    ax.plot(*strokes.reshape(-1, 2).T, alpha=0)  # arrows do not count for the limits of the axes by themselves
    labels.avoid_line(join_with_gaps(strokes))


def draw_orientation_axes(
    ax: "Axes", path: MotionPath, view: View, palette: Palette, labels: Labels, count: int = 0
) -> None:
    """The object's axes at each key with a facing, and at `count` places in between: x, y and, longest, forward z."""
    facing = path.keys.column("facing")
    if facing is None:
        return
    at_keys = np.flatnonzero(~np.isnan(facing[:, 0])).astype(float)
    between = np.linspace(0, path.segments, count + 2)[1:-1]
    size = float(np.ptp(_to_space(path.at(segment_parameters(path).reshape(-1))), axis=0).max()) or 1.0
    strength: Any
    for u, strength in ((at_keys, {"linewidth": 1.8}), (between, {"linewidth": 0.9, "alpha": 0.55})):
        positions, orientations = _to_space(path.at(u)), path.orientation_at(u)
        for axis, color, reach in ((0, palette.key, 0.7), (1, palette.leave, 0.7), (2, palette.path, 1.3)):
            tips = positions + quaternion.rotate(orientations, np.eye(3)[axis]) * AXES_LENGTH * reach * size
            arms = join_with_gaps(view.project(np.stack([positions, tips], axis=1)))
            ax.plot(*arms.T, color=color, zorder=6, **strength)
            labels.avoid_line(arms)


def join_with_gaps(lines: Floats) -> Floats:
    """Several lines (n, points, 2) as one, (m, 2), the pen lifted between them: a thousand are as quick as one."""
    gaps = np.full((len(lines), 1, 2), np.nan)
    return np.concatenate([lines, gaps], axis=1).reshape(-1, 2)


def _numbered_keys(count: int) -> list[int]:
    """The keys whose numbers are shown, the ends first: of many every second, fifth, tenth."""
    return list(dict.fromkeys([0, count - 1, *range(0, count, display_stride(count, MAX_NUMBERED_KEYS))]))


def _by_point(path: MotionPath, positions: Floats) -> Floats:
    """The ways of the single points, (points, n, dim), from places (n, dim) or of drawings (n, points, dim)."""
    return np.moveaxis(positions, 1, 0) if len(path.shape) == 2 else positions[None]


def _to_space(positions: Floats) -> Floats:
    """Places in 3-D: drawings by their middle, flat ones at z = 0."""
    if positions.ndim == 3:
        positions = positions.mean(axis=1)
    missing = np.zeros((*positions.shape[:-1], max(3 - positions.shape[-1], 0)))
    return np.concatenate([positions, missing], axis=-1)[..., :3]
