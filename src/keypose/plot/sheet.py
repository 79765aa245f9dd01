"""What is this thing, at a glance? `plot` draws one sheet of a motion, a path, a turn or a profile."""

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from keypose.curves.motion_path import MotionPath
from keypose.curves.orientation_path import OrientationPath
from keypose.errors import KeyposeError, shown
from keypose.motion.motion import Motion
from keypose.plot import diagrams, panels
from keypose.plot.labels import Labels
from keypose.plot.look import SETTINGS, Look, Theme, bare, blank, look_of
from keypose.plot.views import View, perspective, views_of
from keypose.timing.speed_profile import SpeedProfile

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

ENDINGS = (".svg", ".png", ".pdf")
NO_DATES: dict[str, dict[str, Any]] = {
    ".svg": {"Date": None, "Creator": "Keypose"},
    ".png": {"Software": None},
    ".pdf": {"CreationDate": None, "Producer": None, "Creator": "Keypose"},
}


class Sheet:
    """A finished picture. `save` writes it as SVG, PNG or PDF, by ending; notebooks show it by themselves."""

    def __init__(self, figure: "Figure") -> None:
        self.figure = figure

    def save(self, file: str | Path, *, dpi: float = 160) -> Path:
        """Write the picture; the same sheet gives the same bytes."""
        target = Path(file)
        if target.suffix.lower() not in ENDINGS:
            raise KeyposeError(f"A picture cannot be saved as {target.name!r}. Use one of {', '.join(ENDINGS)}.")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(self._bytes(target.suffix.lower(), dpi))
        return target

    def _bytes(self, ending: str, dpi: float) -> bytes:
        import matplotlib as mpl

        into = BytesIO()
        with mpl.rc_context(SETTINGS):
            self.figure.savefig(
                into, format=ending[1:], dpi=dpi, metadata=NO_DATES[ending], facecolor=self.figure.get_facecolor()
            )
        return into.getvalue()

    def _repr_svg_(self) -> str:
        return self._bytes(".svg", 100).decode()


def plot(
    thing: Motion | MotionPath | OrientationPath | SpeedProfile, *, fps: float = 24, theme: Theme = "light"
) -> Sheet:
    """One sheet of a motion, a path, a turn or a profile; `theme` is "light" or "dark"."""
    import matplotlib as mpl

    look = look_of(theme)
    with mpl.rc_context(SETTINGS):
        if isinstance(thing, Motion):
            return Sheet(_of_travel(thing, thing.path, fps, look))
        if isinstance(thing, MotionPath):
            return Sheet(_of_travel(None, thing, fps, look))
        if isinstance(thing, SpeedProfile):
            figure = blank(6.4, 3.2, look)
            diagrams.profile(figure.add_axes((0.1, 0.16, 0.86, 0.72)), thing, look)
            return Sheet(figure)
        if isinstance(thing, OrientationPath):
            return Sheet(_of_turns(thing, look))
    raise KeyposeError(f"{shown(thing)} cannot be plotted. Give a motion, a path, its turns, or a speed profile.")


def _of_travel(motion: Motion | None, path: MotionPath, fps: float, look: Look) -> "Figure":
    """Space on the left, diagrams on the right, the time bar below."""
    figure = blank(12.0, 7.2, look)
    places = path.at(np.linspace(0, path.segments, 40 * path.segments + 1))
    views = views_of(places.reshape(-1, places.shape[-1]))
    bottom = 0.17 if motion is not None else 0.04
    top = 0.96 - bottom
    spots = [(0.02, bottom, 0.60, top)]
    if len(views) == 4:
        w, h = 0.295, top / 2 - 0.01
        spots = [(0.02 + (w + 0.01) * (i % 2), bottom + (1 - i // 2) * (h + 0.02), w, h) for i in range(4)]
    for view, spot in zip(views, spots, strict=True):
        space(figure.add_axes(spot), motion or path, view, look, fps)
    legend(figure, look, 0.025, bottom - 0.012, tangents=len(path.shape) == 1, frames=motion is not None)
    column: list[Any] = [lambda ax: diagrams.hodograph(ax, motion or path, _flat_of(views), look)]
    if len(path.shape) == 1:
        column.append(lambda ax: diagrams.bend(ax, path, look))
    if motion is not None:
        column.insert(0, lambda ax: diagrams.speed(ax, motion, look))
        diagrams.time_bar(figure.add_axes((0.035, 0.03, 0.945, 0.075)), motion, look, fps)
    if path.turns is not None and path.turns.segments:
        column.append(lambda ax: diagrams.turning(ax, path.turns, look))
    height = top / len(column)
    for index, draw in enumerate(column):
        draw(figure.add_axes((0.69, bottom + top - (index + 1) * height + 0.065, 0.29, height - 0.105)))
    return figure


def legend(figure: "Figure", look: Look, left: float, bottom: float, *, tangents: bool, frames: bool) -> None:
    """What the marks mean, in one quiet line."""
    from matplotlib.lines import Line2D

    square: dict[str, Any] = {"marker": "s", "linestyle": "none", "markersize": 5, "markerfacecolor": "none"}
    marks = [Line2D([], [], color=look.key, label="key", **square)]
    if frames:
        marks.append(Line2D([], [], color=look.ink, marker="o", linestyle="none", markersize=3, label="frame"))
    if tangents:
        marks.append(Line2D([], [], color=look.arrive, linestyle=(0, (3, 1.5)), linewidth=1.2, label="arrives"))
        marks.append(Line2D([], [], color=look.leave, linewidth=1.2, label="leaves"))
    figure.legend(
        handles=marks,
        loc="lower left",
        bbox_to_anchor=(left, bottom),
        ncols=len(marks),
        frameon=False,
        fontsize=7.5,
        labelcolor=look.quiet,
        borderpad=0,
        columnspacing=1.4,
        handlelength=1.6,
    )


def space(ax: "Axes", thing: Motion | MotionPath, view: View, look: Look, fps: float = 24) -> None:
    """A path in one view: line, frames, keys, tangents, ghosts, names."""
    path = thing.path if isinstance(thing, Motion) else thing
    bare(ax, look)
    labels = Labels(ax)
    panels.curve(ax, path, view, look, labels)
    if isinstance(thing, Motion):
        panels.frames(ax, thing, view, look, labels, fps)
    panels.tangents(ax, path, view, look, labels)
    panels.ghosts(ax, path, view, look, labels)
    panels.keys(ax, path, view, look, labels)
    ax.margins(0.12)
    if view.name:
        ax.text(0.02, 0.98, view.name, transform=ax.transAxes, va="top", fontsize=8, color=look.quiet)
    labels.place()


def _flat_of(views: list[View]) -> View:
    return views[1] if len(views) == 4 else views[0]


def _of_turns(turns: OrientationPath, look: Look) -> "Figure":
    """The tips of the three axes on a ball, and how fast it turns."""
    from keypose.maths.quaternion import rotate

    figure = blank(9.0, 4.6, look)
    ball = figure.add_axes((0.02, 0.04, 0.5, 0.92))
    bare(ball, look)
    corners = np.array([[-1.0, -1, -1], [1, 1, 1]])
    view = perspective(corners, distance=4.0)
    round_ = np.linspace(0, 2 * np.pi, 121)
    zero = np.zeros_like(round_)
    longitude, latitude = np.meshgrid(round_, round_ / 2)
    surface = [np.sin(latitude) * np.cos(longitude), np.cos(latitude), np.sin(latitude) * np.sin(longitude)]
    rim = float(np.linalg.norm(view.onto_paper(np.stack(surface, axis=-1)), axis=-1).max())
    ball.fill(rim * np.cos(round_), rim * np.sin(round_), color=look.faint, alpha=0.25, linewidth=0)
    for ring in (
        (np.cos(round_), np.sin(round_), zero),
        (np.cos(round_), zero, np.sin(round_)),
        (zero, np.cos(round_), np.sin(round_)),
    ):
        ball.plot(*view.onto_paper(np.stack(ring, axis=-1)).T, color=look.faint, linewidth=0.8)
    v = np.linspace(0, max(turns.segments, 1), 60 * max(turns.segments, 1) + 1)
    labels = Labels(ball)
    for axis, color, name in ((0, look.key, "x"), (1, look.leave, "y"), (2, look.path, "z, forward")):
        tips = view.onto_paper(rotate(turns.at(v), np.eye(3)[axis]))
        at_keys = view.onto_paper(rotate(turns.at(np.arange(float(len(turns)))), np.eye(3)[axis]))
        ball.plot(*tips.T, color=color, linewidth=1.8)
        ball.plot(*at_keys.T, "s", markersize=6, markerfacecolor="none", markeredgecolor=color, markeredgewidth=1.2)
        labels.avoid(tips)
        labels.want(at_keys[0], name, color)
    ball.margins(0.1)
    labels.place()
    diagrams.turning(figure.add_axes((0.62, 0.16, 0.35, 0.7)), turns, look)
    return figure
