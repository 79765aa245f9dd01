"""What is this thing, at a glance? `plot` draws one sheet of it: of a motion, a path, a field, a script, a cast."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from keypose.curves import MotionPath, OrientationPath
from keypose.errors import KeyposeError, short_repr
from keypose.fields import Field
from keypose.maths import ArrayLike, parse_number
from keypose.motion import Event, Motion, ScriptReportProtocol, Take
from keypose.plot.canvas.curve_samples import display_stride
from keypose.plot.canvas.theme import Palette, Theme, new_figure, settings, theme_palette
from keypose.plot.canvas.views import View, views_for, widest_view
from keypose.plot.field.sheet import FieldPlotOptions, field_sheet
from keypose.plot.marks import diagrams
from keypose.plot.marks.orientation_sphere import draw_orientation_sphere
from keypose.plot.marks.path_marks import has_many_points
from keypose.plot.marks.viewport import draw_path_legend, draw_path_view
from keypose.plot.script.report_sheet import script_report_sheet
from keypose.plot.script.sheet import script_sheet
from keypose.plot.stage.sheet import stage_sheet
from keypose.plot.stage.track_builder import tracks_of_stage, tracks_of_take
from keypose.script import Script, ScriptReport
from keypose.stage import Stage
from keypose.timing import SpeedProfile, check_fps

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DiagramPart = tuple[
    float, Callable[["Axes"], None]
]  # how tall a diagram is compared with the others, and how to draw it

MAX_FRAMES = 1000  # of a long motion every second, fifth, tenth is shown, so that they can be told apart
MAX_DPI = 2400  # per inch: beyond, a sheet is larger than matplotlib draws
ENDINGS = (".svg", ".png", ".pdf")
METADATA: dict[str, dict[str, Any]] = {
    ".svg": {"Date": None, "Creator": "Keypose"},
    ".png": {"Software": None},
    ".pdf": {"CreationDate": None, "Producer": None, "Creator": "Keypose"},
}


class Sheet:
    """A finished picture. `save` writes it as SVG, PNG or PDF, by ending; notebooks show it by themselves."""

    events: tuple[Event, ...] = ()
    """What was worth telling while a stage was shot for it, or happened in the take it shows."""

    def __init__(self, figure: "Figure") -> None:
        if isinstance(figure, type) or not hasattr(figure, "savefig"):
            raise KeyposeError(
                f"A sheet was given {short_repr(figure)}. Give a figure of matplotlib, or use plot(thing)."
            )
        self.figure = figure

    def save(self, file: str | Path, *, dpi: float = 160) -> Path:
        """Write the picture; the same sheet gives the same bytes."""
        content = self.as_bytes(check_picture_ending(file), dpi=dpi)
        target = Path(file)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        return target

    def as_bytes(self, ending: str, *, dpi: float = 160) -> bytes:
        """The picture as the content of a file with this ending: ".svg", ".png" or ".pdf"."""
        dots = parse_number(dpi, "Dots per inch")
        if not 1 <= dots <= MAX_DPI:
            raise KeyposeError(f"A picture cannot have {dots:g} dots per inch. Give from 1 to {MAX_DPI}.")
        return self._encode(check_picture_ending("picture" + ending if isinstance(ending, str) else ending), dots)

    def _encode(self, ending: str, dpi: float) -> bytes:
        into = BytesIO()
        with settings():
            self.figure.savefig(
                into, format=ending[1:], dpi=dpi, metadata=METADATA[ending], facecolor=self.figure.get_facecolor()
            )
        return into.getvalue()

    def _repr_svg_(self) -> str:
        return self.as_bytes(".svg", dpi=100).decode()


def check_picture_ending(file: str | Path) -> str:
    """The ending of a picture's file in lower case; a sentence if a picture cannot be saved as that."""
    if not isinstance(file, str | Path):
        raise KeyposeError(f"A picture cannot be saved as {short_repr(file)}. Give a file name such as sheet.svg.")
    target = Path(file)
    ending = target.suffix.lower()
    if ending not in ENDINGS:
        raise KeyposeError(f"A picture cannot be saved as {short_repr(target.name)}. Use one of {', '.join(ENDINGS)}.")
    return ending


@settings()
def plot(
    thing: Motion | MotionPath | OrientationPath | SpeedProfile | Field | Script | ScriptReportProtocol | Stage | Take,
    *,
    fps: float = 24,
    seconds: float | None = None,
    theme: Theme = "light",
    plane: str | None = None,
    offset: float | None = None,
    extent: float | ArrayLike | None = None,
    t: float | None = None,
    stage: Stage | Take | None = None,
    show: str | Sequence[str] | None = None,
) -> Sheet:
    """One sheet of a motion, a path, a turn, a profile, a field, a script, or a whole stage or take.

    `theme` is "light" or "dark".

    A stage is shown while its motions run, or for so many `seconds`. One with movers is shot for the picture: until 2 s
    after its last motion has ended, until followers have come and everybody has met, or for 5 s where nothing ends.

    A take knows where everybody was; with the `stage` it was shot on, who has a body or a colour of its own shows it.

    A script is shown as the graph of its meetings; how it was kept, `take.script`, as target speeds over time: who
    waited when, who came to which goal when, and what became of every meeting (LG95 fig. 8). Who has a look that is a
    colour on the `stage`, or is called by one, has it in both; `take.script` knows the looks of its stage.

    A field is shown on a `plane` "xy", "xz" or "yz", `offset` [m] along the third axis, at the moment `t` [s], as what
    rests there feels it. `extent` is how far [m] to each side of the origin, or ((low, high), (low, high)) along the
    plane's letters; without it all of the field's centres are in the picture. What actors carry is where they are on a
    `stage` or in a take by then; one with movers is shot until then. `show` is "arrows", "lines" or "strength", or some
    of them; else all are drawn.
    """
    palette, fps, options = (
        theme_palette(theme),
        check_fps(fps),
        FieldPlotOptions(plane, offset, extent, t, stage, show),
    )
    if seconds is not None and not isinstance(thing, Stage):
        raise KeyposeError(
            f"{short_repr(thing)} was to be plotted for {short_repr(seconds)} s. Only a stage is told how long."
        )
    if isinstance(thing, Field):
        return Sheet(field_sheet(thing, options, palette))
    take_stage = stage if isinstance(thing, Take | Script | ScriptReport) and isinstance(stage, Stage) else None
    (options if take_stage is None else replace(options, stage=None)).check_absent(thing)
    if isinstance(thing, Stage | Take):
        tracks = tracks_of_take(thing, take_stage) if isinstance(thing, Take) else tracks_of_stage(thing, fps, seconds)
        sheet = Sheet(stage_sheet(tracks, palette))
        sheet.events = tracks.events
        return sheet
    if isinstance(thing, Motion):
        return Sheet(_motion_figure(thing, thing.path, fps, palette))
    if isinstance(thing, MotionPath):
        return Sheet(_motion_figure(None, thing, fps, palette))
    if isinstance(thing, SpeedProfile):
        return Sheet(_profile_figure(thing, palette))
    if isinstance(thing, OrientationPath):
        return Sheet(_orientation_figure(thing, palette))
    if isinstance(thing, Script):
        return Sheet(script_sheet(thing, palette, _actor_looks(take_stage)))
    if isinstance(thing, ScriptReport):
        return Sheet(script_report_sheet(thing, palette, {**thing.looks, **_actor_looks(take_stage)}))
    raise KeyposeError(
        f"{short_repr(thing)} cannot be plotted. "
        "Give a motion, a path, its turns, a profile, a field, a script, a stage or a take."
    )


def _actor_looks(stage: Stage | None) -> dict[str, object]:
    """What everybody looks like on a stage, if there is one."""
    return (
        {}
        if stage is None
        else {name: actor.look for name, actor in stage.resolved.by_name.items() if actor.look is not None}
    )


def _motion_figure(motion: Motion | None, path: MotionPath, fps: float, palette: Palette) -> "Figure":
    """Space on the left, diagrams on the right, the time bar below."""
    figure = new_figure(12.0, 7.2, palette)
    stride = 1 if motion is None else display_stride(motion.duration * fps, MAX_FRAMES)
    positions = path.at(np.linspace(0, path.segments, 40 * path.segments + 1))
    positions = positions.reshape(-1, positions.shape[-1])
    turns_only = None if np.ptp(positions, axis=0).any() else path.geometry.turns
    views = views_for(positions)
    bottom = 0.165 if motion is not None else 0.035
    if turns_only is not None:
        draw_orientation_sphere(figure.add_axes((0.02, bottom, 0.60, 0.96 - bottom)), turns_only, palette)
    else:
        _draw_views(figure, motion or path, views, bottom + 0.03, palette, fps / stride)
        draw_path_legend(figure, path, palette, 0.025, bottom - 0.005, None if motion is None else stride)
    _draw_column(
        figure, _diagram_parts(motion, path, widest_view(views, positions), turns_only is None, palette), bottom
    )
    if motion is not None:
        frames = "frame" if stride == 1 else f"{stride} frames"
        title = f"time bar: a stripe per {frames} at {fps:g} fps, by distance"
        diagrams.draw_time_bar(figure.add_axes((0.035, 0.03, 0.945, 0.075)), motion, palette, fps / stride, title)
    return figure


def _draw_views(
    figure: "Figure",
    motion_or_path: Motion | MotionPath,
    views: list[View],
    bottom: float,
    palette: Palette,
    fps: float,
) -> None:
    """One view alone, or four as animators know them: top and perspective above front and side."""
    spots = [(0.02, bottom, 0.60, 0.945 - bottom)]
    if len(views) == 4:
        wide, tall = 0.295, (0.945 - bottom) / 2 - 0.015
        spots = [(0.02 + (wide + 0.01) * (i % 2), bottom + (1 - i // 2) * (tall + 0.03), wide, tall) for i in range(4)]
    for view, spot in zip(views, spots, strict=True):
        draw_path_view(figure.add_axes(spot), motion_or_path, view, palette, fps)


def _diagram_parts(
    motion: Motion | None, path: MotionPath, view: View, has_travel: bool, palette: Palette
) -> list[DiagramPart]:
    """What can be said about it in diagrams, from top to bottom."""
    parts: list[DiagramPart] = []
    if motion is not None:
        parts.append((1.0, lambda ax: diagrams.draw_speed(ax, motion, palette, "m/s" if has_travel else "rad/s")))
    if has_travel:
        parts.append((1.5, lambda ax: diagrams.draw_hodograph(ax, motion or path, view, palette)))
        if not has_many_points(path) and path.shape[-1] > 1 and path.length > 0:
            parts.append((1.0, lambda ax: diagrams.draw_curvature(ax, path, palette)))
    if path.geometry.turns is not None and path.geometry.turns.segments:
        parts.append((1.0, lambda ax: diagrams.draw_turn_rate(ax, motion or path, palette)))
    return parts


def _draw_column(figure: "Figure", parts: list[DiagramPart], bottom: float) -> None:
    """Diagrams one above the other on the right."""
    above, below, top = 0.045, 0.06, 0.965  # of the figure: a title, and an axis with its name
    room, total_height = (
        top - bottom - len(parts) * (above + below),
        sum(relative_height for relative_height, _ in parts),
    )
    for relative_height, draw in parts:
        tall = room * relative_height / total_height
        draw(figure.add_axes((0.69, top - above - tall, 0.29, tall)))
        top -= above + tall + below


def _profile_figure(profile: SpeedProfile, palette: Palette) -> "Figure":
    figure = new_figure(6.4, 3.2, palette)
    diagrams.draw_profile(figure.add_axes((0.1, 0.16, 0.86, 0.72)), profile, palette)
    return figure


def _orientation_figure(orientations: OrientationPath, palette: Palette) -> "Figure":
    """The tips of the three axes on a ball, and how fast it turns."""
    figure = new_figure(9.0, 4.6, palette)
    draw_orientation_sphere(figure.add_axes((0.02, 0.04, 0.5, 0.92)), orientations, palette)
    diagrams.draw_turn_rate(figure.add_axes((0.62, 0.16, 0.35, 0.7)), orientations, palette)
    return figure
