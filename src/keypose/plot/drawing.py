"""How is a figure of a paper drawn? A drawing is a row or grid of panels, each a little stage for paths and arrows."""

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from keypose.curves.motion_path import MotionPath
from keypose.motion.motion import Motion
from keypose.plot import diagrams
from keypose.plot import panels as marks
from keypose.plot.labels import Labels
from keypose.plot.look import SETTINGS, Look, Theme, bare, blank, framed, look_of
from keypose.plot.sheet import Sheet
from keypose.plot.views import FLAT, View
from keypose.timing.speed_profile import SpeedProfile

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
Colour = Literal["ink", "quiet", "faint", "path", "key", "arrive", "leave", "speed", "other"]


class Panel:
    """One picture within a drawing. What is drawn first lies below; labels are placed when the drawing is saved."""

    def __init__(self, ax: "Axes", look: Look, view: View) -> None:
        self.ax = ax
        self.look = look
        self.view = view
        self.labels = Labels(ax)

    def path(self, path: MotionPath, color: Colour = "path", width: float = 1.6) -> "Panel":
        """The line of a path."""
        marks.curve(self.ax, path, self.view, self.look, self.labels, getattr(self.look, color), width)
        return self

    def name(self, path: MotionPath, u: float, text: str, color: Colour = "path", size: float = 8.5) -> "Panel":
        """A name written into the line of a path, at the parameter u: it cannot be taken for its neighbour's."""
        point = self.view.onto_paper(path.at(u))
        self.ax.text(
            float(point[0]),
            float(point[1]),
            text,
            fontsize=size,
            color=getattr(self.look, color),
            ha="center",
            va="center",
            zorder=3.5,
            bbox={"boxstyle": "square,pad=0.12", "facecolor": self.look.paper, "edgecolor": "none"},
        )
        self.labels.avoid(point)
        return self

    def frames(self, motion: Motion, fps: float = 24, color: Colour = "ink", size: float = 3.6) -> "Panel":
        """A dot per frame."""
        marks.frames(self.ax, motion, self.view, self.look, self.labels, fps, getattr(self.look, color), size)
        return self

    def keys(self, path: MotionPath, names: Sequence[str] | bool = True) -> "Panel":
        """A square per key, with its name or number, or with the given names."""
        marks.keys(self.ax, path, self.view, self.look, self.labels, names=names is True)
        if not isinstance(names, bool):
            for index, name in enumerate(names):
                if name:
                    self.label(path.at(float(index)), name, "key")
        return self

    def tangents(self, path: MotionPath, of: Sequence[int] | None = None, scale: float = marks.THIRD) -> "Panel":
        """Arriving and leaving tangents of all keys, or of some."""
        marks.tangents(self.ax, path, self.view, self.look, self.labels, of, scale)
        return self

    def vectors(
        self, path: MotionPath, key: int, names: tuple[str, str] = ("DS", "DD"), scale: float = marks.THIRD
    ) -> "Panel":
        """The tangents of one key as named arrows, a share of their length (KB84 fig. 6); none where it stops."""
        place = path.at(float(key))
        arrive, leave = scale * path.arrive[key], scale * path.leave[key]
        if arrive.any():
            self.arrow(place - arrive, place, "arrive", gap=4.5, above=False)
        if leave.any():
            self.arrow(place, place + leave, "leave", above=False)
        if arrive.any() and names[0]:
            self.label(place - arrive, names[0], "arrive")
        if leave.any() and names[1]:
            self.label(place + leave, names[1], "leave")
        return self

    def line(self, points: ArrayLike, color: Colour = "quiet", width: float = 1.0, dashed: bool = False) -> "Panel":
        """A polyline through places."""
        paper = self.view.onto_paper(np.asarray(points, dtype=np.float64))
        self.ax.plot(
            *paper.T,
            color=getattr(self.look, color),
            linewidth=width,
            linestyle=(0, (3, 2)) if dashed else "-",
            zorder=1.5,
        )
        along = [np.linspace(a, b, 24) for a, b in pairwise(paper)]
        self.labels.avoid(np.concatenate(along))
        return self

    def arrow(
        self,
        start: ArrayLike,
        stop: ArrayLike,
        color: Colour = "ink",
        width: float = 1.3,
        gap: float = 0.0,
        above: bool = True,
    ) -> "Panel":
        """An arrow from one place to another, ending `gap` points before it; above keys and frames, or below them."""
        tail, head = (self.view.onto_paper(np.asarray(place, dtype=np.float64)) for place in (start, stop))
        self.ax.annotate(
            "",
            xy=tuple(head),
            xytext=tuple(tail),
            zorder=6 if above else 3.6,
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-|>",
                "color": getattr(self.look, color),
                "lw": width,
                "shrinkA": 0,
                "shrinkB": gap,
                "mutation_scale": 9,
            },
        )
        self.ax.plot(*np.stack([tail, head]).T, alpha=0)  # arrows do not count for the limits of the axes by themselves
        self.labels.avoid(np.linspace(tail, head, 16))
        return self

    def dots(self, points: ArrayLike, color: Colour = "ink", size: float = 3.6) -> "Panel":
        """Dots at places."""
        paper = self.view.onto_paper(np.asarray(points, dtype=np.float64).reshape(-1, np.shape(points)[-1]))
        self.ax.plot(*paper.T, "o", color=getattr(self.look, color), markersize=size, markeredgewidth=0, zorder=5)
        self.labels.avoid(paper)
        return self

    def label(self, point: ArrayLike, text: str, color: Colour = "ink", size: float = 8.5) -> "Panel":
        """A text beside a place, where it covers nothing."""
        self.labels.want(
            self.view.onto_paper(np.asarray(point, dtype=np.float64)), text, getattr(self.look, color), size
        )
        return self

    def graph(
        self, x: ArrayLike, y: ArrayLike, color: Colour = "path", label: str = "", dashed: bool = False
    ) -> "Panel":
        """A function in a panel with axes."""
        points = np.stack([np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)], axis=-1)
        style = (0, (3, 2)) if dashed else "-"
        self.ax.plot(*points.T, color=getattr(self.look, color), linewidth=1.7, linestyle=style, zorder=3)
        self.labels.avoid(points)
        if label:
            self.labels.want(points[int(np.argmax(points[:, 1]))], label, getattr(self.look, color))
        return self

    def area(self, x: ArrayLike, y: ArrayLike, color: Colour = "speed", alpha: float = 0.16) -> "Panel":
        """The area under a function in a panel with axes."""
        self.ax.fill_between(x, y, color=getattr(self.look, color), alpha=alpha, linewidth=0, zorder=1)
        return self

    def profile(self, speeds: SpeedProfile, title: str = "") -> "Panel":
        """A speed profile with its control values, in a panel with axes."""
        diagrams.profile(self.ax, speeds, self.look, title or self.ax.get_title(loc="left"))
        x = np.linspace(0, 1, 201)
        for y in (speeds.at(x), np.interp(x, speeds.places, speeds.values)):
            self.labels.avoid(np.stack([x, y], axis=-1))
        return self

    def time_bar(self, motion: Motion, fps: float = 24) -> "Panel":
        """A stripe per frame, by the distance covered: narrow where it is slow."""
        title = self.ax.get_title()
        self.ax.set_title("")
        self.ax.set_aspect("auto")
        diagrams.time_bar(self.ax, motion, self.look, fps, title)
        return self


class Drawing(Sheet):
    """A figure of some panels, filled left to right and top to bottom."""

    def __init__(
        self,
        columns: int = 1,
        rows: int = 1,
        *,
        width: float = 3.2,
        height: float | Sequence[float] = 2.6,
        theme: Theme = "light",
    ) -> None:
        """`width` of a panel and `height` of all rows, or of each [inches]."""
        import matplotlib as mpl

        self.look = look_of(theme)
        with mpl.rc_context(SETTINGS):
            heights = [float(height)] * rows if isinstance(height, (int, float)) else [float(row) for row in height]
            super().__init__(blank(columns * width, sum(heights), self.look))
        self._grid = (columns, width, heights)
        self.panels: list[Panel] = []

    def panel(self, title: str = "", *, view: View = FLAT, axes: tuple[str, str] | None = None, span: int = 1) -> Panel:
        """The next panel: empty space, or with `axes` (across, up) a diagram. `span` takes several columns."""
        columns, width, heights = self._grid
        place = sum(panel.ax._keypose_span for panel in self.panels)  # type: ignore[attr-defined]
        column, row = place % columns, place // columns
        left, bottom = (0.55, 0.48) if axes else (0.06, 0.06)
        top = 0.34 if title else 0.08
        tall = sum(heights)
        ax = self.figure.add_axes(
            (
                (column * width + left) / (columns * width),
                (sum(heights[row + 1 :]) + bottom) / tall,
                (span * width - left - 0.12) / (columns * width),
                (heights[row] - bottom - top) / tall,
            )
        )
        ax._keypose_span = span  # type: ignore[attr-defined]
        if axes:
            framed(ax, self.look, title, *axes)
        else:
            bare(ax, self.look)
            ax.margins(0.14)
            ax.set_title(title, fontsize=9, color=self.look.ink, pad=5)
        self.panels.append(Panel(ax, self.look, view))
        return self.panels[-1]

    def align(self) -> "Drawing":
        """Show the same piece of space in all panels without axes, so that they can be compared."""
        spaces = self._spaces()
        low = np.min([[*ax.dataLim.min] for ax in spaces], axis=0)
        high = np.max([[*ax.dataLim.max] for ax in spaces], axis=0)
        margin = 0.14 * (high - low)
        return self.show(low - margin, high + margin)

    def show(self, low: ArrayLike, high: ArrayLike) -> "Drawing":
        """Show at least this piece of space, from corner to corner, in all panels without axes; cut what is outside."""
        low, high = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
        middle, size = (low + high) / 2, high - low
        for ax in self._spaces():
            box = ax.get_position()
            wide, tall = self.figure.get_size_inches() * (box.width, box.height)
            scale = max(size[0] / wide, size[1] / tall) / 2
            ax.set_aspect("auto")  # the limits keep both directions at one scale
            ax.set_xlim(middle[0] - scale * wide, middle[0] + scale * wide)
            ax.set_ylim(middle[1] - scale * tall, middle[1] + scale * tall)
        return self

    def _spaces(self) -> "list[Axes]":
        return [panel.ax for panel in self.panels if not panel.ax.axison or not panel.ax.get_xlabel()]

    def _bytes(self, ending: str, dpi: float) -> bytes:
        for panel in self.panels:
            panel.labels.place()
        return super()._bytes(ending, dpi)
