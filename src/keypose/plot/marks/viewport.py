"""How does a path lie in space? One view of it: line, frames, keys, tangents, ghosts, names, and a scale in metres."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from keypose.curves import MotionPath
from keypose.maths import ArrayLike, Floats
from keypose.motion import Motion
from keypose.plot.canvas.labels import Labels
from keypose.plot.canvas.theme import Palette, set_up_space_axes
from keypose.plot.canvas.views import View
from keypose.plot.marks import path_marks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D


MARGIN = 26.0  # points around what is drawn: room for a label
HEADER_HEIGHT = 9.0  # points above a view: its name and its scale
MAX_SCALE_BAR = 70.0  # points: a scale bar is at most this long
LEGEND_SIZE = 7.5  # points: letters of what marks mean
HANDLE_LENGTH, HANDLE_GAP, COLUMN_GAP = (
    1.6,
    0.8,
    1.4,
)  # letters: a mark, from it to its words, from these to the next mark


def draw_path_view(
    ax: "Axes", motion_or_path: Motion | MotionPath, view: View, palette: Palette, fps: float = 24
) -> None:
    """A path in one view, as large as fits."""
    path = motion_or_path.path if isinstance(motion_or_path, Motion) else motion_or_path
    set_up_space_axes(ax, palette)
    labels = Labels(ax, inside=True)
    path_marks.draw_curve(ax, path, view, palette, labels)
    if isinstance(motion_or_path, Motion):
        path_marks.draw_frames(ax, motion_or_path, view, palette, labels, fps)
    path_marks.draw_tangents(ax, path, view, palette, labels)
    path_marks.draw_orientation_axes(ax, path, view, palette, labels)
    path_marks.draw_keys(ax, path, view, palette, labels)
    fit_limits(ax, ax.dataLim.min, ax.dataLim.max)
    draw_header(ax, view, palette, labels)
    labels.place()


def fit_limits(ax: "Axes", low: ArrayLike, high: ArrayLike, margin: float = MARGIN) -> None:
    """Show the space from corner to corner, at one scale in both directions, with a margin in points."""
    low, high = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
    size = _axes_size(ax)
    center = low + (high - low) / 2
    scale = float(((high - low) / np.maximum(size - 2 * margin, 1.0)).max())  # metres per point
    smallest = 1e-9 * float(np.abs(center).max())  # nearer to each other, places are one place
    if scale * float(size.max()) <= smallest:
        scale = max(smallest, 1.0) / float(size.max())
    ax.set_aspect("auto")  # the limits keep both directions at one scale
    ax.set_xlim(*(center[0] + np.array([-0.5, 0.5]) * scale * size[0]))
    ax.set_ylim(*(center[1] + np.array([-0.5, 0.5]) * scale * size[1]))


def _axes_size(ax: "Axes") -> Floats:
    """Width and height of the axes in points."""
    box = ax.get_position()
    return np.asarray(ax.figure.get_size_inches() * (box.width, box.height) * 72)  # type: ignore[union-attr]


def draw_header(ax: "Axes", view: View, palette: Palette, labels: Labels) -> None:
    """The name of a view on the left above it; how long a round number of metres is there, on the right."""
    above = 1 + HEADER_HEIGHT / float(_axes_size(ax)[1])
    text: dict[str, Any] = {"transform": ax.transAxes, "va": "center", "fontsize": 8, "color": palette.quiet}
    if view.name:
        labels.avoid_text(ax.text(0.01, above, view.title, **text))
    if view.has_scale:
        low, high = ax.get_xlim()
        longest = (high - low) * MAX_SCALE_BAR / float(_axes_size(ax)[0])
        metres = round_down(longest)
        left = 0.95 - metres / (high - low)
        ax.plot(
            [left, 0.95],
            [above, above],
            transform=ax.transAxes,
            color=palette.quiet,
            linewidth=1.0,
            marker="|",
            markersize=5,
            clip_on=False,
        )
        labels.avoid_text(ax.text(left - 0.015, above, f"{metres:g} m", ha="right", **text))


def round_down(longest: float) -> float:
    """The largest of … 1, 2, 5, 10, 20 … that is not above."""
    power = 10.0 ** np.floor(np.log10(longest))
    return float(max(step * power for step in (1.0, 2.0, 5.0) if step * power <= longest * (1 + 1e-9)))


def draw_path_legend(
    figure: "Figure", path: MotionPath, palette: Palette, left: float, bottom: float, stride: int | None
) -> None:
    """What the marks mean, in one quiet line; of `stride` so many frames one is drawn, or None at all."""
    from matplotlib.lines import Line2D

    dot: dict[str, Any] = {"linestyle": "none", "markersize": 3, "marker": "o"}
    square: dict[str, Any] = {"marker": "s", "linestyle": "none", "markersize": 5, "markerfacecolor": "none"}
    is_drawing = path_marks.has_many_points(path)
    line: dict[str, Any] = {"linewidth": 1.2}
    marks = [Line2D([], [], color=palette.key, label="key", **(line if is_drawing else square))]
    if stride:
        name, color = "frame" if stride == 1 else f"every {stride} frames", palette.quiet if is_drawing else palette.ink
        marks.append(Line2D([], [], color=color, label=name, **(line if is_drawing else dot)))
    if not is_drawing:
        marks.append(Line2D([], [], color=palette.arrive, linestyle=(0, (3, 1.5)), linewidth=1.2, label="arrives"))
        marks.append(Line2D([], [], color=palette.leave, linewidth=1.2, label="leaves"))
    if path.geometry.turns is not None:
        for color, name in ((palette.key, "faces: x"), (palette.leave, "y"), (palette.path, "z, forward")):
            marks.append(Line2D([], [], color=color, linewidth=2.4, label=name))
    draw_legend_row(figure, marks, palette, left, bottom)


def draw_legend_row(figure: "Figure", marks: list["Line2D"], palette: Palette, left: float, bottom: float) -> None:
    """What marks mean, beside each other at a corner of the figure."""
    figure.legend(
        handles=marks,
        loc="lower left",
        bbox_to_anchor=(left, bottom),
        ncols=len(marks),
        frameon=False,
        fontsize=LEGEND_SIZE,
        labelcolor=palette.quiet,
        borderpad=0,
        columnspacing=COLUMN_GAP,
        handlelength=HANDLE_LENGTH,
        handletextpad=HANDLE_GAP,
    )


def legend_row_width(marks: list["Line2D"], measure: Callable[..., float]) -> float:
    """How wide marks stand in a row [points], where `measure` measures a text of a size."""
    text_width = sum(measure(str(mark.get_label()), LEGEND_SIZE) for mark in marks)
    return text_width + LEGEND_SIZE * (len(marks) * (HANDLE_LENGTH + HANDLE_GAP) + max(len(marks) - 1, 0) * COLUMN_GAP)
