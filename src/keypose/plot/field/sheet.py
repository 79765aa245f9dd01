"""What does a field do where? A sheet of a plane through it: arrows, lines of flow, and how strong it is (PF89)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from keypose.errors import KeyposeError, short_repr
from keypose.fields import Field, describe_field
from keypose.maths import MAX_MAGNITUDE, Floats, parse_choice, parse_number
from keypose.motion import Take
from keypose.plot.canvas.labels import Labels
from keypose.plot.canvas.text import display_text
from keypose.plot.canvas.theme import Palette, new_figure, set_up_diagram_axes
from keypose.plot.field.plane import FieldPlane, parse_plane, visible_area
from keypose.plot.field.scene import FieldScene, field_regions, resolve_scene
from keypose.plot.marks.bones import fade_color
from keypose.plot.marks.viewport import fit_limits, round_down
from keypose.stage import Stage

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure


PARTS = ("arrows", "lines", "strength")
TITLES = {"arrows": "arrows", "lines": "lines of flow", "strength": "strength"}
PANEL_SIZE, LEFT_MARGIN, PANEL_PITCH = 4.86, 0.54, 5.52  # inches: of a panel, to its left, and from one to the next
BOTTOM_MARGIN, TOP_MARGIN, LINE_HEIGHT = 0.84, 0.75, 0.17
ARROWS_PER_SIDE = 21  # across a panel, and as many up
SAMPLES_PER_ARROW = 8  # samples between two arrows: how strong it is, and where it flows
FULL_LENGTH_PERCENTILE = 90.0  # percent of the arrows are weaker than the strongest that is drawn to scale
LOG_SCALE_RATIO = 40.0  # a field whose strengths differ this often is tinted by powers of ten
MAX_DECADES = 3.0  # at most
MAX_TINT = 0.62  # of the path's colour where it is strongest: lines and arrows are read on it
MIN_NORMAL_MARK = 0.2  # of an arrow's full length: what comes out of the paper or goes into it is marked from here on
LINE_LENGTH = 150  # of a field in words are written
CALM_FRACTION = 1e-6  # of the strongest push along the plane: weaker ones have no direction there
MIN_ACCELERATION = 1e-100  # [m/s²] weaker is no push
MAX_NAMED_CARRIERS = 12  # so many carriers are named


@dataclass(frozen=True, eq=False)
class FieldSamples:
    """A field on a plane: points of the paper along each side, and pushes (up, across, 3) as the paper sees them."""

    x: Floats
    y: Floats
    accelerations: Floats
    """Across, up, and towards the eye [m/s²]; NaN where the field has no value."""

    @property
    def strength(self) -> Floats:
        """How strong it is, (up, across) [m/s²]."""
        return np.asarray(
            np.hypot(np.hypot(self.accelerations[..., 0], self.accelerations[..., 1]), self.accelerations[..., 2])
        )


@dataclass(frozen=True)
class FieldPlotOptions:
    """How a field is to be looked at, as it was said; see `plot`."""

    plane: str | None = None
    offset: float | None = None
    extent: Any = None
    t: float | None = None
    stage: Stage | Take | None = None
    show: str | Sequence[str] | None = None

    @property
    def shown_parts(self) -> tuple[str, ...]:
        """What of the field is drawn."""
        if self.show is None:
            return PARTS
        parts = (self.show,) if isinstance(self.show, str) else self.show
        if not isinstance(parts, tuple | list) or not parts or not all(isinstance(part, str) for part in parts):
            raise KeyposeError(
                f"A field is to show {short_repr(self.show)}. Give some of {', '.join(map(repr, PARTS))}."
            )
        return tuple(parse_choice(part, PARTS, "A field is to show") for part in parts)

    def check_absent(self, thing: object) -> None:
        """Of what is no field none of this can be asked."""
        for name in ("plane", "offset", "extent", "t", "stage", "show"):
            if getattr(self, name) is not None:
                raise KeyposeError(
                    f"{short_repr(thing)} was to be plotted with {name}={short_repr(getattr(self, name))}. "
                    "Only a field is shown on a plane."
                )


def field_sheet(field: Field, options: FieldPlotOptions, palette: Palette) -> "Figure":
    """The sheet of a field."""
    plane = parse_plane(
        "xy" if options.plane is None else options.plane, 0.0 if options.offset is None else options.offset
    )
    t = 0.0 if options.t is None else parse_number(options.t, "The moment at which a field is plotted")
    if options.stage is not None and not isinstance(options.stage, Stage | Take):
        raise KeyposeError(f"A field was to be plotted with stage={short_repr(options.stage)}. Give a stage or a take.")
    scene = resolve_scene(field, options.stage, t)
    low, high = visible_area(plane, options.extent, field_regions(scene.field, scene.pose_lookup, t))
    parts = options.shown_parts
    titles = [TITLES[part] for part in PARTS[:2] if part in parts] or [TITLES["strength"]]
    figure, axes = _new_panels(len(titles), "strength" in parts, palette)
    for ax, title in zip(axes, titles, strict=True):
        _set_up_axes(ax, plane, low, high, palette, title)
    samples = sample_field(scene, plane, axes[0], t, (ARROWS_PER_SIDE - 1) * SAMPLES_PER_ARROW + 1)
    notes = [f"plane {plane.letters} at {plane.normal_axis} = {plane.offset:g} m, at {t:g} s", scene.note]
    if "strength" in parts:
        _draw_strength(figure, axes, samples, palette)
        notes += ["grey: it has no value there" if np.isnan(samples.accelerations).any() else ""]
    if "arrows" in parts:
        notes.insert(2, _draw_arrows(axes[0], samples, plane, palette))
    if "lines" in parts:
        _draw_stream_lines(axes[-1], samples, palette)
    for ax in axes:
        _draw_carriers(ax, scene, plane, palette)
    _draw_texts(
        figure, describe_field(field, LINE_LENGTH if len(axes) > 1 else LINE_LENGTH // 2), notes, len(axes), palette
    )
    return figure


def _new_panels(count: int, has_colorbar: bool, palette: Palette) -> tuple["Figure", list["Axes"]]:
    """One panel or two, all equally large, with room for a bar on the right if there is one."""
    right = LEFT_MARGIN + (count - 1) * PANEL_PITCH + PANEL_SIZE
    total_width = right + (1.08 if has_colorbar else 0.3)
    below = (
        BOTTOM_MARGIN if count > 1 else BOTTOM_MARGIN + 2 * LINE_HEIGHT
    )  # the line below two panels is three below one
    total_height = below + PANEL_SIZE + TOP_MARGIN
    figure = new_figure(total_width, total_height, palette)
    spots = [
        (
            (LEFT_MARGIN + index * PANEL_PITCH) / total_width,
            below / total_height,
            PANEL_SIZE / total_width,
            PANEL_SIZE / total_height,
        )
        for index in range(count)
    ]
    return figure, [figure.add_axes(spot) for spot in spots]


def _draw_texts(figure: "Figure", name: str, notes: list[str], panels: int, palette: Palette) -> None:
    """What the field is above, and what the marks mean below: in a line, or below one panel in lines."""
    width_inches, height_inches = figure.get_size_inches()
    lines = [*filter(None, notes)] if panels == 1 else ["   ·   ".join(filter(None, notes))]
    figure.text(
        LEFT_MARGIN / width_inches,
        1 - 0.225 / height_inches,
        display_text(name, None, LINE_LENGTH),
        fontsize=8.5,
        color=palette.ink,
        va="center",
    )
    for row, line in enumerate(lines):
        height = (0.19 + LINE_HEIGHT * (len(lines) - 1 - row)) / height_inches
        figure.text(LEFT_MARGIN / width_inches, height, line, fontsize=7.5, color=palette.quiet, va="center")


def sample_field(scene: FieldScene, plane: FieldPlane, ax: "Axes", t: float, count: int) -> FieldSamples:
    """The field on all of a panel, at count × count points."""
    x, y = (np.linspace(*limits, count) for limits in (ax.get_xlim(), ax.get_ylim()))
    paper = np.stack(np.meshgrid(x, y), axis=-1)
    accelerations = scene.field.at(plane.to_space(paper), t, look=scene.pose_lookup)
    accelerations[~(np.abs(accelerations) <= MAX_MAGNITUDE).all(axis=-1)] = np.nan
    return FieldSamples(
        x, y, np.concatenate([plane.project(accelerations), (accelerations @ plane.normal)[..., None]], axis=-1)
    )


def _set_up_axes(ax: "Axes", plane: FieldPlane, low: Floats, high: Floats, palette: Palette, title: str) -> None:
    """Empty axes in metres, at one scale."""
    from matplotlib.ticker import FuncFormatter

    x_name, y_name = plane.axis_names
    set_up_diagram_axes(ax, palette, title, f"{x_name} [m]", f"{y_name} [m]")
    ax.grid(visible=False)
    fit_limits(ax, low, high, margin=0.0)
    for axis, flipped in zip((ax.xaxis, ax.yaxis), plane.axis_flips, strict=True):
        if flipped:  # the paper's numbers run the other way
            axis.set_major_formatter(FuncFormatter(lambda value, _: f"{0.0 - value:g}".replace("-", "−")))


def _draw_strength(figure: "Figure", axes: Sequence["Axes"], samples: FieldSamples, palette: Palette) -> None:
    """How strong the field is, in one colour from pale to full, and the bar that says so."""
    from matplotlib.colors import LogNorm, Normalize

    strength = np.ma.masked_invalid(samples.strength)
    top = float(strength.max()) if strength.count() else 0.0
    positive = strength.compressed()[strength.compressed() > MIN_ACCELERATION]
    low = float(np.percentile(positive, 5)) if len(positive) else 0.0
    norm: Normalize = Normalize(0.0, top if top > MIN_ACCELERATION else 1.0)
    if low and top / low > LOG_SCALE_RATIO:
        norm = LogNorm(max(low, top / 10**MAX_DECADES), top, clip=True)
        strength = np.ma.maximum(strength, MIN_ACCELERATION)  # no push at all is the palest
    for ax in axes:
        half = [(side[1] - side[0]) / 2 for side in (samples.x, samples.y)]
        ends = (samples.x[0] - half[0], samples.x[-1] + half[0], samples.y[0] - half[1], samples.y[-1] + half[1])
        limits = ax.get_xlim(), ax.get_ylim()
        image = ax.imshow(
            strength, norm=norm, cmap=_strength_colormap(palette), extent=ends, origin="lower", interpolation="nearest"
        )
        ax.set_aspect("auto")
        ax.set(xlim=limits[0], ylim=limits[1])
    box, width_inches = axes[-1].get_position(), float(figure.get_figwidth())
    bar = figure.colorbar(
        image, cax=figure.add_axes((box.x1 + 0.3 / width_inches, box.y0, 0.17 / width_inches, box.height))
    )
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=7, colors=palette.quiet, length=2.5, width=0.6, which="both")
    bar.ax.yaxis.get_offset_text().set(fontsize=7, color=palette.quiet)
    bar.ax.set_title("m/s²", fontsize=7.5, color=palette.quiet, pad=6)


def _strength_colormap(palette: Palette) -> "Colormap":
    """From the paper to the path's colour: one hue, so that all eyes see the same order."""
    from matplotlib.colors import LinearSegmentedColormap

    ramp = LinearSegmentedColormap.from_list(
        "strength", [palette.paper, fade_color(palette.path, palette.paper, MAX_TINT)]
    )
    return ramp.with_extremes(bad=palette.faint)


def _draw_arrows(ax: "Axes", samples: FieldSamples, plane: FieldPlane, palette: Palette) -> str:
    """An arrow at every few samples, to scale up to a strength that most do not pass; and what its length means."""
    arrows = samples.accelerations[
        SAMPLES_PER_ARROW // 2 :: SAMPLES_PER_ARROW, SAMPLES_PER_ARROW // 2 :: SAMPLES_PER_ARROW
    ]
    x, y = (
        samples.x[SAMPLES_PER_ARROW // 2 :: SAMPLES_PER_ARROW],
        samples.y[SAMPLES_PER_ARROW // 2 :: SAMPLES_PER_ARROW],
    )
    strength = np.linalg.norm(np.nan_to_num(arrows), axis=-1)
    nonzero = strength[strength > MIN_ACCELERATION]
    if not len(nonzero):
        return "it pushes nowhere here"
    full_strength = round_down(float(np.percentile(nonzero, FULL_LENGTH_PERCENTILE)))
    arrow_vectors = np.nan_to_num(arrows) / np.maximum(strength, full_strength)[..., None] * 0.92 * (x[1] - x[0])
    ax.quiver(
        *np.meshgrid(x, y),
        arrow_vectors[..., 0],
        arrow_vectors[..., 1],
        color=palette.ink,
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
    normal_part = arrow_vectors[..., 2] / (0.92 * (x[1] - x[0]))
    positions, size = np.stack(np.meshgrid(x, y), axis=-1), 1.0 + 4.0 * np.abs(normal_part)
    mark_text = ""
    for side, mark in ((normal_part > MIN_NORMAL_MARK, "o"), (normal_part < -MIN_NORMAL_MARK, "x")):
        if side.any():
            ax.scatter(
                positions[side, 0],
                positions[side, 1],
                s=size[side] ** 2,
                c=palette.key,
                marker=mark,
                linewidths=0.9,
                zorder=5,
            )
            mark_text = f"; ● towards the eye (+{plane.normal_axis}), × away"
    more_text = " or more" if float(nonzero.max()) > full_strength * (1 + 1e-9) else ""
    return f"the longest arrow: {full_strength:g} m/s²{more_text}{mark_text}"


def _draw_stream_lines(ax: "Axes", samples: FieldSamples, palette: Palette) -> None:
    """Lines along the field within the plane, where it has a direction there."""
    in_plane = np.ma.masked_invalid(samples.accelerations[..., :2])
    length = np.ma.filled(np.ma.hypot(in_plane[..., 0], in_plane[..., 1]), 0.0)
    top = float(length.max())
    if top <= MIN_ACCELERATION:
        return
    # Only directions matter here; where there is none, a line ends.
    is_calm = (length <= CALM_FRACTION * top) | np.ma.getmaskarray(in_plane)[..., 0]
    directions = np.ma.filled(in_plane, 0.0) / np.where(is_calm, 1.0, length)[..., None]
    u, v = (np.ma.array(directions[..., side], mask=is_calm) for side in (0, 1))
    limits = ax.get_xlim(), ax.get_ylim()
    ax.streamplot(samples.x, samples.y, u, v, density=1.35, color=palette.ink, linewidth=0.9, arrowsize=0.9, zorder=4)
    ax.set(xlim=limits[0], ylim=limits[1])


def _draw_carriers(ax: "Axes", scene: FieldScene, plane: FieldPlane, palette: Palette) -> None:
    """Who carries the field, where they are."""
    labels = Labels(ax)
    for index, (name, position) in enumerate(list(scene.carriers.items())[:MAX_NAMED_CARRIERS]):
        paper = plane.project(position)
        (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
        if left <= paper[0] <= right and low <= paper[1] <= high:
            ax.plot(*paper, "s", markersize=6, color=palette.key, markeredgecolor=palette.paper, zorder=6)
            labels.avoid_dots(paper, 8)
            labels.add(paper, display_text(name, index), palette.key)
    labels.place()
    for text in ax.texts:  # above arrows and lines, which are everywhere
        text.set(zorder=7, bbox={"boxstyle": "square,pad=0.15", "facecolor": palette.paper, "edgecolor": "none"})
