"""How does a path lie in space? One view of it: line, frames, keys, tangents, ghosts, names, and a scale in metres."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from keypose.curves.path.motion_path import MotionPath
from keypose.maths.arrays import Floats
from keypose.motion.motion import Motion
from keypose.plot.canvas.labels import Labels
from keypose.plot.canvas.theme import Look, bare
from keypose.plot.canvas.views import View
from keypose.plot.marks import path_marks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D


MARGIN = 26.0  # points around what is drawn: room for a label
HEAD = 9.0  # points above a view: its name and its scale
SCALE = 70.0  # points: a scale bar is at most this long
SMALL = 7.5  # points: letters of what marks mean
HANDLE, APART, COLUMNS = 1.6, 0.8, 1.4  # letters: a mark, from it to its words, from these to the next mark


def space(ax: "Axes", thing: Motion | MotionPath, view: View, look: Look, fps: float = 24) -> None:
    """A path in one view, as large as fits."""
    path = thing.path if isinstance(thing, Motion) else thing
    bare(ax, look)
    labels = Labels(ax, inside=True)
    path_marks.curve(ax, path, view, look, labels)
    if isinstance(thing, Motion):
        path_marks.frames(ax, thing, view, look, labels, fps)
    path_marks.tangents(ax, path, view, look, labels)
    path_marks.ghosts(ax, path, view, look, labels)
    path_marks.keys(ax, path, view, look, labels)
    fit(ax, ax.dataLim.min, ax.dataLim.max)
    head(ax, view, look, labels)
    labels.place()


def fit(ax: "Axes", low: ArrayLike, high: ArrayLike, margin: float = MARGIN) -> None:
    """Show the space from corner to corner, at one scale in both directions, with a margin in points."""
    low, high = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
    size = _points_across(ax)
    middle = low + (high - low) / 2
    scale = float(((high - low) / np.maximum(size - 2 * margin, 1.0)).max())  # metres per point
    smallest = 1e-9 * float(np.abs(middle).max())  # nearer to each other, places are one place
    if scale * float(size.max()) <= smallest:
        scale = max(smallest, 1.0) / float(size.max())
    ax.set_aspect("auto")  # the limits keep both directions at one scale
    ax.set_xlim(*(middle[0] + np.array([-0.5, 0.5]) * scale * size[0]))
    ax.set_ylim(*(middle[1] + np.array([-0.5, 0.5]) * scale * size[1]))


def _points_across(ax: "Axes") -> Floats:
    """Width and height of the axes in points."""
    box = ax.get_position()
    return np.asarray(ax.figure.get_size_inches() * (box.width, box.height) * 72)  # type: ignore[union-attr]


def head(ax: "Axes", view: View, look: Look, labels: Labels) -> None:
    """The name of a view on the left above it; how long a round number of metres is there, on the right."""
    above = 1 + HEAD / float(_points_across(ax)[1])
    text: dict[str, Any] = {"transform": ax.transAxes, "va": "center", "fontsize": 8, "color": look.quiet}
    if view.name:
        labels.avoid_text(ax.text(0.01, above, view.title, **text))
    if view.measured:
        low, high = ax.get_xlim()
        longest = (high - low) * SCALE / float(_points_across(ax)[0])
        metres = round_number(longest)
        left = 0.95 - metres / (high - low)
        ax.plot(
            [left, 0.95],
            [above, above],
            transform=ax.transAxes,
            color=look.quiet,
            linewidth=1.0,
            marker="|",
            markersize=5,
            clip_on=False,
        )
        labels.avoid_text(ax.text(left - 0.015, above, f"{metres:g} m", ha="right", **text))


def round_number(longest: float) -> float:
    """The largest of … 1, 2, 5, 10, 20 … that is not above."""
    power = 10.0 ** np.floor(np.log10(longest))
    return float(max(step * power for step in (1.0, 2.0, 5.0) if step * power <= longest * (1 + 1e-9)))


def legend(figure: "Figure", path: MotionPath, look: Look, left: float, bottom: float, every: int | None) -> None:
    """What the marks mean, in one quiet line; of `every` so many frames one is drawn, or None at all."""
    from matplotlib.lines import Line2D

    dot: dict[str, Any] = {"linestyle": "none", "markersize": 3, "marker": "o"}
    square: dict[str, Any] = {"marker": "s", "linestyle": "none", "markersize": 5, "markerfacecolor": "none"}
    drawn = path_marks.is_drawing(path)
    line: dict[str, Any] = {"linewidth": 1.2}
    marks = [Line2D([], [], color=look.key, label="key", **(line if drawn else square))]
    if every:
        name, color = "frame" if every == 1 else f"every {every} frames", look.quiet if drawn else look.ink
        marks.append(Line2D([], [], color=color, label=name, **(line if drawn else dot)))
    if not drawn:
        marks.append(Line2D([], [], color=look.arrive, linestyle=(0, (3, 1.5)), linewidth=1.2, label="arrives"))
        marks.append(Line2D([], [], color=look.leave, linewidth=1.2, label="leaves"))
    if path.turns is not None:
        for color, name in ((look.key, "faces: x"), (look.leave, "y"), (look.path, "z, forward")):
            marks.append(Line2D([], [], color=color, linewidth=2.4, label=name))
    in_a_row(figure, marks, look, left, bottom)


def in_a_row(figure: "Figure", marks: list["Line2D"], look: Look, left: float, bottom: float) -> None:
    """What marks mean, beside each other at a corner of the figure."""
    figure.legend(
        handles=marks,
        loc="lower left",
        bbox_to_anchor=(left, bottom),
        ncols=len(marks),
        frameon=False,
        fontsize=SMALL,
        labelcolor=look.quiet,
        borderpad=0,
        columnspacing=COLUMNS,
        handlelength=HANDLE,
        handletextpad=APART,
    )


def row_width(marks: list["Line2D"], width: Callable[..., float]) -> float:
    """How wide marks stand in a row [points], where `width` measures a text of a size."""
    words = sum(width(str(mark.get_label()), SMALL) for mark in marks)
    return words + SMALL * (len(marks) * (HANDLE + APART) + max(len(marks) - 1, 0) * COLUMNS)
