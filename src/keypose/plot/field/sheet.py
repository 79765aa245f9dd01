"""What does a field do where? A sheet of a plane through it: arrows, lines of flow, and how strong it is (PF89)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from keypose.errors import KeyposeError, shown
from keypose.fields.algebra.field import Field
from keypose.fields.describe.field_text import in_words
from keypose.maths.arrays import Floats
from keypose.maths.inputs import LARGEST, number, word
from keypose.motion.take import Take
from keypose.plot.canvas.labels import Labels
from keypose.plot.canvas.text import written
from keypose.plot.canvas.theme import Look, blank, framed
from keypose.plot.field.plane import Plane, piece, plane_of
from keypose.plot.field.scene import Scene, scene_of, sights
from keypose.plot.marks.bones import faded
from keypose.plot.marks.viewport import fit, round_number
from keypose.stage.stage import Stage

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure


PARTS = ("arrows", "lines", "strength")
TITLES = {"arrows": "arrows", "lines": "lines of flow", "strength": "strength"}
SIDE, LEFT, APART = 4.86, 0.54, 5.52  # inches: of a panel, to its left, and from one to the next
BELOW, ABOVE, LINE = 0.84, 0.75, 0.17
ARROWS = 21  # across a panel, and as many up
FINELY = 8  # samples between two arrows: how strong it is, and where it flows
STRONG = 90.0  # percent of the arrows are weaker than the strongest that is drawn to scale
WIDE = 40.0  # a field whose strengths differ this often is tinted by powers of ten
DECADES = 3.0  # at most
TINT = 0.62  # of the path's colour where it is strongest: lines and arrows are read on it
ACROSS = 0.2  # of an arrow's full length: what comes out of the paper or goes into it is marked from here on
LETTERS = 150  # of a field in words are written
CALM = 1e-6  # of the strongest push along the plane: weaker ones have no direction there
NOTHING = 1e-100  # [m/s²] weaker is no push
MARKED = 12  # so many carriers are named


@dataclass(frozen=True, eq=False)
class Sampled:
    """A field on a plane: points of the paper along each side, and pushes (up, across, 3) as the paper sees them."""

    x: Floats
    y: Floats
    push: Floats
    """Across, up, and towards the eye [m/s²]; NaN where the field has no value."""

    @property
    def strength(self) -> Floats:
        """How strong it is, (up, across) [m/s²]."""
        return np.asarray(np.hypot(np.hypot(self.push[..., 0], self.push[..., 1]), self.push[..., 2]))


@dataclass(frozen=True)
class Asking:
    """How a field is to be looked at, as it was said; see `plot`."""

    plane: str | None = None
    offset: float | None = None
    extent: Any = None
    t: float | None = None
    stage: Stage | Take | None = None
    show: str | Sequence[str] | None = None

    @property
    def shown(self) -> tuple[str, ...]:
        """What of the field is drawn."""
        if self.show is None:
            return PARTS
        some = (self.show,) if isinstance(self.show, str) else self.show
        if not isinstance(some, tuple | list) or not some or not all(isinstance(each, str) for each in some):
            raise KeyposeError(f"A field is to show {shown(self.show)}. Give some of {', '.join(map(repr, PARTS))}.")
        return tuple(word(each, PARTS, "A field is to show") for each in some)

    def refuse(self, thing: object) -> None:
        """Of what is no field none of this can be asked."""
        for name in ("plane", "offset", "extent", "t", "stage", "show"):
            if getattr(self, name) is not None:
                raise KeyposeError(
                    f"{shown(thing)} was to be plotted with {name}={shown(getattr(self, name))}. "
                    "Only a field is shown on a plane."
                )


def fieldsheet(field: Field, asking: Asking, look: Look) -> "Figure":
    """The sheet of a field."""
    plane = plane_of("xy" if asking.plane is None else asking.plane, 0.0 if asking.offset is None else asking.offset)
    t = 0.0 if asking.t is None else number(asking.t, "The moment at which a field is plotted")
    if asking.stage is not None and not isinstance(asking.stage, Stage | Take):
        raise KeyposeError(f"A field was to be plotted with stage={shown(asking.stage)}. Give a stage or a take.")
    scene = scene_of(field, asking.stage, t)
    low, high = piece(plane, asking.extent, sights(scene.field, scene.look, t))
    parts = asking.shown
    titles = [TITLES[part] for part in PARTS[:2] if part in parts] or [TITLES["strength"]]
    figure, axes = _panels(len(titles), "strength" in parts, look)
    for ax, title in zip(axes, titles, strict=True):
        _paper(ax, plane, low, high, look, title)
    fine = sampled(scene, plane, axes[0], t, (ARROWS - 1) * FINELY + 1)
    said = [f"plane {plane.letters} at {plane.rest} = {plane.offset:g} m, at {t:g} s", scene.told]
    if "strength" in parts:
        _tint(figure, axes, fine, look)
        said += ["grey: it has no value there" if np.isnan(fine.push).any() else ""]
    if "arrows" in parts:
        said.insert(2, _arrows(axes[0], fine, plane, look))
    if "lines" in parts:
        _flow(axes[-1], fine, look)
    for ax in axes:
        _carriers(ax, scene, plane, look)
    _texts(figure, in_words(field, LETTERS if len(axes) > 1 else LETTERS // 2), said, len(axes), look)
    return figure


def _panels(count: int, bar: bool, look: Look) -> tuple["Figure", list["Axes"]]:
    """One panel or two, all equally large, with room for a bar on the right if there is one."""
    right = LEFT + (count - 1) * APART + SIDE
    wide = right + (1.08 if bar else 0.3)
    below = BELOW if count > 1 else BELOW + 2 * LINE  # the line below two panels is three below one
    tall = below + SIDE + ABOVE
    figure = blank(wide, tall, look)
    spots = [((LEFT + each * APART) / wide, below / tall, SIDE / wide, SIDE / tall) for each in range(count)]
    return figure, [figure.add_axes(spot) for spot in spots]


def _texts(figure: "Figure", name: str, said: list[str], panels: int, look: Look) -> None:
    """What the field is above, and what the marks mean below: in a line, or below one panel in lines."""
    wide, tall = figure.get_size_inches()
    lines = [*filter(None, said)] if panels == 1 else ["   ·   ".join(filter(None, said))]
    figure.text(LEFT / wide, 1 - 0.225 / tall, written(name, None, LETTERS), fontsize=8.5, color=look.ink, va="center")
    for row, line in enumerate(lines):
        height = (0.19 + LINE * (len(lines) - 1 - row)) / tall
        figure.text(LEFT / wide, height, line, fontsize=7.5, color=look.quiet, va="center")


def sampled(scene: Scene, plane: Plane, ax: "Axes", t: float, count: int) -> Sampled:
    """The field on all of a panel, at count × count points."""
    x, y = (np.linspace(*limits, count) for limits in (ax.get_xlim(), ax.get_ylim()))
    paper = np.stack(np.meshgrid(x, y), axis=-1)
    felt = scene.field.at(plane.places(paper), t, look=scene.look)
    felt[~(np.abs(felt) <= LARGEST).all(axis=-1)] = np.nan
    return Sampled(x, y, np.concatenate([plane.onto_paper(felt), (felt @ plane.near)[..., None]], axis=-1))


def _paper(ax: "Axes", plane: Plane, low: Floats, high: Floats, look: Look, title: str) -> None:
    """Empty axes in metres, at one scale."""
    from matplotlib.ticker import FuncFormatter

    across, up = plane.names
    framed(ax, look, title, f"{across} [m]", f"{up} [m]")
    ax.grid(visible=False)
    fit(ax, low, high, margin=0.0)
    for axis, flipped in zip((ax.xaxis, ax.yaxis), plane.flipped, strict=True):
        if flipped:  # the paper's numbers run the other way
            axis.set_major_formatter(FuncFormatter(lambda value, _: f"{0.0 - value:g}".replace("-", "−")))


def _tint(figure: "Figure", axes: Sequence["Axes"], fine: Sampled, look: Look) -> None:
    """How strong the field is, in one colour from pale to full, and the bar that says so."""
    from matplotlib.colors import LogNorm, Normalize

    strength = np.ma.masked_invalid(fine.strength)
    top = float(strength.max()) if strength.count() else 0.0
    some = strength.compressed()[strength.compressed() > NOTHING]
    usual = float(np.percentile(some, 5)) if len(some) else 0.0
    norm: Normalize = Normalize(0.0, top if top > NOTHING else 1.0)
    if usual and top / usual > WIDE:
        norm = LogNorm(max(usual, top / 10**DECADES), top, clip=True)
        strength = np.ma.maximum(strength, NOTHING)  # no push at all is the palest
    for ax in axes:
        half = [(side[1] - side[0]) / 2 for side in (fine.x, fine.y)]
        ends = (fine.x[0] - half[0], fine.x[-1] + half[0], fine.y[0] - half[1], fine.y[-1] + half[1])
        limits = ax.get_xlim(), ax.get_ylim()
        shown = ax.imshow(strength, norm=norm, cmap=_ramp(look), extent=ends, origin="lower", interpolation="nearest")
        ax.set_aspect("auto")
        ax.set(xlim=limits[0], ylim=limits[1])
    box, wide = axes[-1].get_position(), float(figure.get_figwidth())
    bar = figure.colorbar(shown, cax=figure.add_axes((box.x1 + 0.3 / wide, box.y0, 0.17 / wide, box.height)))
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=7, colors=look.quiet, length=2.5, width=0.6, which="both")
    bar.ax.yaxis.get_offset_text().set(fontsize=7, color=look.quiet)
    bar.ax.set_title("m/s²", fontsize=7.5, color=look.quiet, pad=6)


def _ramp(look: Look) -> "Colormap":
    """From the paper to the path's colour: one hue, so that all eyes see the same order."""
    from matplotlib.colors import LinearSegmentedColormap

    ramp = LinearSegmentedColormap.from_list("strength", [look.paper, faded(look.path, look.paper, TINT)])
    return ramp.with_extremes(bad=look.faint)


def _arrows(ax: "Axes", fine: Sampled, plane: Plane, look: Look) -> str:
    """An arrow at every few samples, to scale up to a strength that most do not pass; and what its length means."""
    some = fine.push[FINELY // 2 :: FINELY, FINELY // 2 :: FINELY]
    x, y = fine.x[FINELY // 2 :: FINELY], fine.y[FINELY // 2 :: FINELY]
    strength = np.linalg.norm(np.nan_to_num(some), axis=-1)
    felt = strength[strength > NOTHING]
    if not len(felt):
        return "it pushes nowhere here"
    full = round_number(float(np.percentile(felt, STRONG)))
    drawn = np.nan_to_num(some) / np.maximum(strength, full)[..., None] * 0.92 * (x[1] - x[0])
    ax.quiver(
        *np.meshgrid(x, y),
        drawn[..., 0],
        drawn[..., 1],
        color=look.ink,
        pivot="mid",
        angles="xy",
        scale_units="xy",
        scale=1.0,
        units="inches",
        width=0.013,
        headwidth=4.0,
        headlength=4.5,
        headaxislength=4.0,
        minlength=0.0,
        zorder=4,
    )
    through = drawn[..., 2] / (0.92 * (x[1] - x[0]))
    where, size = np.stack(np.meshgrid(x, y), axis=-1), 1.0 + 4.0 * np.abs(through)
    marked = ""
    for side, mark in ((through > ACROSS, "o"), (through < -ACROSS, "x")):
        if side.any():
            ax.scatter(
                where[side, 0], where[side, 1], s=size[side] ** 2, c=look.key, marker=mark, linewidths=0.9, zorder=5
            )
            marked = f"; ● towards the eye (+{plane.rest}), × away"
    most = " or more" if float(felt.max()) > full * (1 + 1e-9) else ""
    return f"the longest arrow: {full:g} m/s²{most}{marked}"


def _flow(ax: "Axes", fine: Sampled, look: Look) -> None:
    """Lines along the field within the plane, where it has a direction there."""
    flat = np.ma.masked_invalid(fine.push[..., :2])
    length = np.ma.filled(np.ma.hypot(flat[..., 0], flat[..., 1]), 0.0)
    top = float(length.max())
    if top <= NOTHING:
        return
    # Only directions matter here; where there is none, a line ends.
    calm = (length <= CALM * top) | np.ma.getmaskarray(flat)[..., 0]
    ways = np.ma.filled(flat, 0.0) / np.where(calm, 1.0, length)[..., None]
    u, v = (np.ma.array(ways[..., side], mask=calm) for side in (0, 1))
    limits = ax.get_xlim(), ax.get_ylim()
    ax.streamplot(fine.x, fine.y, u, v, density=1.35, color=look.ink, linewidth=0.9, arrowsize=0.9, zorder=4)
    ax.set(xlim=limits[0], ylim=limits[1])


def _carriers(ax: "Axes", scene: Scene, plane: Plane, look: Look) -> None:
    """Who carries the field, where they are."""
    labels = Labels(ax)
    for number_, (name, place) in enumerate(list(scene.carriers.items())[:MARKED]):
        paper = plane.onto_paper(place)
        (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
        if left <= paper[0] <= right and low <= paper[1] <= high:
            ax.plot(*paper, "s", markersize=6, color=look.key, markeredgecolor=look.paper, zorder=6)
            labels.avoid_dots(paper, 8)
            labels.want(paper, written(name, number_), look.key)
    labels.place()
    for text in ax.texts:  # above arrows and lines, which are everywhere
        text.set(zorder=7, bbox={"boxstyle": "square,pad=0.15", "facecolor": look.paper, "edgecolor": "none"})
