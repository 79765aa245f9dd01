"""How is a figure of a paper drawn? A drawing is a row or grid of panels, each a little stage for paths and arrows."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from keypose.curves import MotionPath
from keypose.errors import KeyposeError
from keypose.maths import ArrayLike
from keypose.motion import Motion, Pose
from keypose.physics import Plane, Shape
from keypose.plot.canvas.labels import Labels
from keypose.plot.canvas.theme import (
    Palette,
    Theme,
    new_figure,
    set_up_diagram_axes,
    set_up_space_axes,
    settings,
    theme_palette,
)
from keypose.plot.canvas.views import FLAT, View
from keypose.plot.marks import bodies, bones, diagrams
from keypose.plot.marks import path_marks as marks
from keypose.plot.marks.outline import draw_outline_poses
from keypose.plot.marks.viewport import fit_limits
from keypose.plot.sheet import Sheet
from keypose.stage import Stage
from keypose.timing import SpeedProfile

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PaletteColor = Literal["ink", "quiet", "faint", "path", "key", "arrive", "leave", "speed", "other"]


class Panel:
    """One picture within a drawing. What is drawn first lies below; labels are placed when the drawing is saved."""

    def __init__(self, ax: "Axes", palette: Palette, view: View, is_space: bool = True) -> None:
        self.ax = ax
        self.palette = palette
        self.view = view
        self.labels = Labels(ax)
        self.ground_planes: list[tuple[Plane, Pose, str]] = []
        self.is_space = is_space  # or a diagram, whose two directions have units of their own

    @settings()
    def path(self, path: MotionPath, color: PaletteColor = "path", width: float = 1.6) -> "Panel":
        """The line of a path."""
        marks.draw_curve(self.ax, path, self.view, self.palette, self.labels, getattr(self.palette, color), width)
        return self

    @settings()
    def name(self, path: MotionPath, u: float, text: str, color: PaletteColor = "path", size: float = 8.5) -> "Panel":
        """A name written into the line of a path, at the parameter u: it cannot be taken for its neighbour's."""
        point = self.view.project(path.at(u))
        text_artist = self.ax.text(
            float(point[0]),
            float(point[1]),
            text,
            fontsize=size,
            color=getattr(self.palette, color),
            ha="center",
            va="center",
            zorder=3.5,
            bbox={"boxstyle": "square,pad=0.12", "facecolor": self.palette.paper, "edgecolor": "none"},
        )
        self.labels.avoid_text(text_artist)
        return self

    @settings()
    def frames(self, motion: Motion, fps: float = 24, color: PaletteColor = "ink", size: float = 3.6) -> "Panel":
        """A dot per frame."""
        marks.draw_frames(
            self.ax, motion, self.view, self.palette, self.labels, fps, getattr(self.palette, color), size
        )
        return self

    @settings()
    def keys(self, path: MotionPath, names: Sequence[str] | bool = True) -> "Panel":
        """A square per key, with its name or number, or with the given names."""
        marks.draw_keys(self.ax, path, self.view, self.palette, self.labels, names=names is True)
        if not isinstance(names, bool):
            for index, name in enumerate(names):
                if name:
                    self.label(path.at(float(index)), name, "key")
        return self

    @settings()
    def tangents(
        self, path: MotionPath, of: Sequence[int] | None = None, scale: float = marks.TANGENT_SCALE
    ) -> "Panel":
        """Arriving and leaving tangents of all keys, or of some."""
        marks.draw_tangents(self.ax, path, self.view, self.palette, self.labels, of, scale)
        return self

    def vectors(
        self, path: MotionPath, key: int, names: tuple[str, str] = ("DS", "DD"), scale: float = marks.TANGENT_SCALE
    ) -> "Panel":
        """The tangents of one key as named arrows, a share of their length (KB84 fig. 6); none where it stops."""
        position = path.at(float(key))
        arrive, leave = scale * path.arrive[key], scale * path.leave[key]
        if arrive.any():
            self.arrow(position - arrive, position, "arrive", gap=4.5, above=False)
        if leave.any():
            self.arrow(position, position + leave, "leave", above=False)
        if arrive.any() and names[0]:
            self.label(position - arrive, names[0], "arrive")
        if leave.any() and names[1]:
            self.label(position + leave, names[1], "leave")
        return self

    @settings()
    def bones(
        self, stage: Stage, poses: Mapping[str, Pose], color: PaletteColor = "path", width: float = bones.LINK_WIDTH
    ) -> "Panel":
        """Who is linked to whom on a stage, in poses of `stage.at` or `take.at`; many go from pale to strong."""
        bones.draw_onion_skin(
            self.ax, stage, poses, self.view, self.palette, self.labels, getattr(self.palette, color), width
        )
        return self

    @settings()
    def line(
        self, points: ArrayLike, color: PaletteColor = "quiet", width: float = 1.0, dashed: bool = False
    ) -> "Panel":
        """A polyline through places."""
        paper = self.view.project(np.asarray(points, dtype=np.float64))
        self.ax.plot(
            *paper.T,
            color=getattr(self.palette, color),
            linewidth=width,
            linestyle=(0, (3, 2)) if dashed else "-",
            zorder=1.5,
        )
        self.labels.avoid_line(paper)
        return self

    @settings()
    def arrow(
        self,
        start: ArrayLike,
        stop: ArrayLike,
        color: PaletteColor = "ink",
        width: float = 1.3,
        gap: float = 0.0,
        above: bool = True,
    ) -> "Panel":
        """An arrow from one place to another, ending `gap` points before it; above keys and frames, or below them."""
        tail, head = (self.view.project(np.asarray(position, dtype=np.float64)) for position in (start, stop))
        self.ax.annotate(
            "",
            xy=tuple(head),
            xytext=tuple(tail),
            zorder=6 if above else 3.6,
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-|>",
                "color": getattr(self.palette, color),
                "lw": width,
                "shrinkA": 0,
                "shrinkB": gap,
                "mutation_scale": 9,
            },
        )
        self.ax.plot(*np.stack([tail, head]).T, alpha=0)  # arrows do not count for the limits of the axes by themselves
        self.labels.avoid_line(np.stack([tail, head]))
        return self

    @settings()
    def arrows(
        self,
        starts: ArrayLike,
        vectors: ArrayLike,
        color: PaletteColor = "quiet",
        width: float = 0.7,
        head: float = 4.0,
    ) -> "Panel":
        """Many thin arrows that begin at places (n, dim), as a field's at the dots of a way (PF89 fig. 1)."""
        tails = np.asarray(starts, dtype=np.float64)
        tips = tails + np.broadcast_to(np.asarray(vectors, dtype=np.float64), tails.shape)
        paper = self.view.project(np.stack([tails, tips], axis=1))
        marks.draw_arrows(self.ax, paper, self.palette, self.labels, getattr(self.palette, color), width, head)
        return self

    @settings()
    def dots(self, points: ArrayLike, color: PaletteColor = "ink", size: float = 3.6) -> "Panel":
        """Dots at places."""
        paper = self.view.project(np.asarray(points, dtype=np.float64).reshape(-1, np.shape(points)[-1]))
        self.ax.plot(*paper.T, "o", color=getattr(self.palette, color), markersize=size, markeredgewidth=0, zorder=5)
        self.labels.avoid_dots(paper, size)
        return self

    @settings()
    def outline(
        self, shape: ArrayLike, pose: Pose, color: PaletteColor = "path", width: float = 1.0, strength: float = 1.0
    ) -> "Panel":
        """A thing said in its own axes, (points, 3), NaN lifting the pen; in many poses it goes from pale to strong."""
        ink, points = getattr(self.palette, color), np.asarray(shape, dtype=np.float64)
        draw_outline_poses(self.ax, points, pose, self.view, self.labels, ink, width, strength)
        return self

    @settings()
    def body(
        self, shape: Shape, pose: Pose, color: PaletteColor = "path", width: float = 1.1, strength: float = 1.0
    ) -> "Panel":
        """A body as large as it is; in many poses it goes from pale to strong. A plane waits until the end."""
        ink = getattr(self.palette, color)
        if isinstance(shape, Plane):
            self.ground_planes.append((shape, pose, ink))
        else:
            bodies.draw_body_poses(self.ax, shape, pose, self.view, self.labels, ink, width, strength)
        return self

    def bodies(
        self,
        stage: Stage,
        poses: Mapping[str, Pose],
        color: PaletteColor = "path",
        of: Sequence[str] | None = None,
        width: float = 1.1,
        strength: float = 1.0,
    ) -> "Panel":
        """All bodies of a stage, links of figures too, or some `of` them, in poses of `take.at`."""
        for name, shape in bodies.body_shapes(stage, of).items():
            self.body(shape, poses[name], color, width, strength)
        return self

    def label(self, point: ArrayLike, text: str, color: PaletteColor = "ink", size: float = 8.5) -> "Panel":
        """A text beside a place, where it covers nothing."""
        self.labels.add(
            self.view.project(np.asarray(point, dtype=np.float64)), text, getattr(self.palette, color), size
        )
        return self

    @settings()
    def graph(
        self, x: ArrayLike, y: ArrayLike, color: PaletteColor = "path", label: str = "", dashed: bool = False
    ) -> "Panel":
        """A function in a panel with axes."""
        points = np.stack([np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)], axis=-1)
        style = (0, (3, 2)) if dashed else "-"
        self.ax.plot(*points.T, color=getattr(self.palette, color), linewidth=1.7, linestyle=style, zorder=3)
        self.labels.avoid_line(points)
        if label:
            self.labels.add(points[int(np.argmax(points[:, 1]))], label, getattr(self.palette, color))
        return self

    @settings()
    def area(self, x: ArrayLike, y: ArrayLike, color: PaletteColor = "speed", alpha: float = 0.16) -> "Panel":
        """The area under a function in a panel with axes."""
        self.ax.fill_between(x, y, color=getattr(self.palette, color), alpha=alpha, linewidth=0, zorder=1)
        return self

    @settings()
    def profile(self, profile: SpeedProfile, title: str = "") -> "Panel":
        """A speed profile with its control values, in a panel with axes."""
        diagrams.draw_profile(self.ax, profile, self.palette, title or self.ax.get_title(loc="left"))
        x = np.linspace(0, 1, 201)
        for y in (profile.at(x), np.interp(x, profile.places, profile.values)):
            self.labels.avoid_line(np.stack([x, y], axis=-1))
        return self

    @settings()
    def time_bar(self, motion: Motion, fps: float = 24) -> "Panel":
        """A stripe per frame, by the distance covered: narrow where it is slow."""
        title, self.is_space = self.ax.get_title(), False
        self.ax.set_title("")
        self.ax.set_aspect("auto")
        diagrams.draw_time_bar(self.ax, motion, self.palette, fps, title)
        return self


class Drawing(Sheet):
    """A figure of some panels, filled left to right and top to bottom."""

    @settings()
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
        self.palette = theme_palette(theme)
        heights = [float(height)] * rows if isinstance(height, (int, float)) else [float(row) for row in height]
        super().__init__(new_figure(columns * width, sum(heights), self.palette))
        self._grid = (columns, width, heights)
        self._used_cells = 0
        self.panels: list[Panel] = []

    @settings()
    def panel(self, title: str = "", *, view: View = FLAT, axes: tuple[str, str] | None = None, span: int = 1) -> Panel:
        """The next panel: empty space, or with `axes` (across, up) a diagram. `span` takes several columns."""
        columns, width, heights = self._grid
        column, row = self._used_cells % columns, self._used_cells // columns
        if row >= len(heights):
            raise KeyposeError(
                f"This drawing of {columns} × {len(heights)} panels is full. Give it more columns or rows."
            )
        self._used_cells += span
        left, bottom = (0.55, 0.48) if axes else (0.06, 0.06)
        top = 0.34 if title else 0.08
        total_height = sum(heights)
        ax = self.figure.add_axes(
            (
                (column * width + left) / (columns * width),
                (sum(heights[row + 1 :]) + bottom) / total_height,
                (span * width - left - 0.12) / (columns * width),
                (heights[row] - bottom - top) / total_height,
            )
        )
        if axes:
            set_up_diagram_axes(ax, self.palette, title, *axes)
        else:
            set_up_space_axes(ax, self.palette)
            ax.margins(0.14)
            ax.set_title(title, fontsize=9, color=self.palette.ink, pad=5)
        self.panels.append(Panel(ax, self.palette, view, is_space=axes is None))
        return self.panels[-1]

    def align(self) -> "Drawing":
        """Show the same piece of space in all panels without axes, so that they can be compared."""
        spaces = [panel.ax.dataLim for panel in self.panels if panel.is_space]
        if not spaces:
            return self
        low, high = np.min([box.min for box in spaces], axis=0), np.max([box.max for box in spaces], axis=0)
        margin = 0.14 * (high - low)
        return self.show(low - margin, high + margin)

    def show(self, low: ArrayLike, high: ArrayLike) -> "Drawing":
        """Show at least this piece of space, from corner to corner, in all panels without axes; cut what is outside."""
        for panel in self.panels:
            if panel.is_space:
                fit_limits(panel.ax, low, high, margin=0.0)
        return self

    def place_labels(self) -> None:
        """Put the labels of all panels; once put, they stay."""
        with settings():
            for panel in self.panels:
                for plane, pose, color in panel.ground_planes:
                    bodies.draw_ground(panel.ax, plane, pose, panel.view, color)
                panel.ground_planes.clear()
                panel.labels.place()

    def _encode(self, ending: str, dpi: float) -> bytes:
        self.place_labels()
        return super()._encode(ending, dpi)
