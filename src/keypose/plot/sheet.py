"""What is this thing, at a glance? `plot` draws one sheet of it: of a motion, a path, a field, a script, a cast."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from keypose.curves.orientation_path import OrientationPath
from keypose.curves.path.motion_path import MotionPath
from keypose.errors import KeyposeError, shown
from keypose.fields.algebra.field import Field
from keypose.maths.inputs import number
from keypose.motion.motion import Motion
from keypose.motion.sync_protocol import Performed
from keypose.motion.take import Event, Take
from keypose.plot.canvas.curve_samples import one_in
from keypose.plot.canvas.theme import Look, Theme, blank, look_of, settings
from keypose.plot.canvas.views import View, views_of, widest
from keypose.plot.field.sheet import Asking, fieldsheet
from keypose.plot.marks import diagrams
from keypose.plot.marks.orientation_sphere import ball
from keypose.plot.marks.path_marks import is_drawing
from keypose.plot.marks.viewport import legend, space
from keypose.plot.script.report_sheet import performance_sheet
from keypose.plot.script.sheet import scriptsheet
from keypose.plot.stage.sheet import callsheet
from keypose.plot.stage.track_builder import cast_of_stage, cast_of_take
from keypose.script.report import Performance
from keypose.script.script import Script
from keypose.stage.stage import Stage
from keypose.timing.frames import checked_fps
from keypose.timing.speed_profile import SpeedProfile

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Part = tuple[float, Callable[["Axes"], None]]  # how tall a diagram is compared with the others, and how to draw it

MOST_FRAMES = 1000  # of a long motion every second, fifth, tenth is shown, so that they can be told apart
MOST_DOTS = 2400  # per inch: beyond, a sheet is larger than matplotlib draws
ENDINGS = (".svg", ".png", ".pdf")
NO_DATES: dict[str, dict[str, Any]] = {
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
            raise KeyposeError(f"A sheet was given {shown(figure)}. Give a figure of matplotlib, or use plot(thing).")
        self.figure = figure

    def save(self, file: str | Path, *, dpi: float = 160) -> Path:
        """Write the picture; the same sheet gives the same bytes."""
        content = self.as_bytes(check_picture(file), dpi=dpi)
        target = Path(file)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        return target

    def as_bytes(self, ending: str, *, dpi: float = 160) -> bytes:
        """The picture as the content of a file with this ending: ".svg", ".png" or ".pdf"."""
        dots = number(dpi, "Dots per inch")
        if not 1 <= dots <= MOST_DOTS:
            raise KeyposeError(f"A picture cannot have {dots:g} dots per inch. Give from 1 to {MOST_DOTS}.")
        return self._bytes(check_picture("picture" + ending if isinstance(ending, str) else ending), dots)

    def _bytes(self, ending: str, dpi: float) -> bytes:
        into = BytesIO()
        with settings():
            self.figure.savefig(
                into, format=ending[1:], dpi=dpi, metadata=NO_DATES[ending], facecolor=self.figure.get_facecolor()
            )
        return into.getvalue()

    def _repr_svg_(self) -> str:
        return self.as_bytes(".svg", dpi=100).decode()


def check_picture(file: str | Path) -> str:
    """The ending of a picture's file in lower case; a sentence if a picture cannot be saved as that."""
    if not isinstance(file, str | Path):
        raise KeyposeError(f"A picture cannot be saved as {shown(file)}. Give a file name such as sheet.svg.")
    target = Path(file)
    ending = target.suffix.lower()
    if ending not in ENDINGS:
        raise KeyposeError(f"A picture cannot be saved as {shown(target.name)}. Use one of {', '.join(ENDINGS)}.")
    return ending


@settings()
def plot(
    thing: Motion | MotionPath | OrientationPath | SpeedProfile | Field | Script | Performed | Stage | Take,
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
    look, fps, asking = look_of(theme), checked_fps(fps), Asking(plane, offset, extent, t, stage, show)
    if seconds is not None and not isinstance(thing, Stage):
        raise KeyposeError(f"{shown(thing)} was to be plotted for {shown(seconds)} s. Only a stage is told how long.")
    if isinstance(thing, Field):
        return Sheet(fieldsheet(thing, asking, look))
    shot_on = stage if isinstance(thing, Take | Script | Performance) and isinstance(stage, Stage) else None
    (asking if shot_on is None else replace(asking, stage=None)).refuse(thing)
    if isinstance(thing, Stage | Take):
        cast = cast_of_take(thing, shot_on) if isinstance(thing, Take) else cast_of_stage(thing, fps, seconds)
        sheet = Sheet(callsheet(cast, look))
        sheet.events = cast.events
        return sheet
    if isinstance(thing, Motion):
        return Sheet(_of_travel(thing, thing.path, fps, look))
    if isinstance(thing, MotionPath):
        return Sheet(_of_travel(None, thing, fps, look))
    if isinstance(thing, SpeedProfile):
        return Sheet(_of_profile(thing, look))
    if isinstance(thing, OrientationPath):
        return Sheet(_of_turns(thing, look))
    if isinstance(thing, Script):
        return Sheet(scriptsheet(thing, look, _looks(shot_on)))
    if isinstance(thing, Performance):
        return Sheet(performance_sheet(thing, look, {**thing.looks, **_looks(shot_on)}))
    raise KeyposeError(
        f"{shown(thing)} cannot be plotted. "
        "Give a motion, a path, its turns, a profile, a field, a script, a stage or a take."
    )


def _looks(stage: Stage | None) -> dict[str, object]:
    """What everybody looks like on a stage, if there is one."""
    return (
        {} if stage is None else {name: actor.look for name, actor in stage.by_name.items() if actor.look is not None}
    )


def _of_travel(motion: Motion | None, path: MotionPath, fps: float, look: Look) -> "Figure":
    """Space on the left, diagrams on the right, the time bar below."""
    figure = blank(12.0, 7.2, look)
    every = 1 if motion is None else one_in(motion.duration * fps, MOST_FRAMES)
    places = path.at(np.linspace(0, path.segments, 40 * path.segments + 1))
    places = places.reshape(-1, places.shape[-1])
    on_the_spot = None if np.ptp(places, axis=0).any() else path.turns
    views = views_of(places)
    bottom = 0.165 if motion is not None else 0.035
    if on_the_spot is not None:
        ball(figure.add_axes((0.02, bottom, 0.60, 0.96 - bottom)), on_the_spot, look)
    else:
        _spaces(figure, motion or path, views, bottom + 0.03, look, fps / every)
        legend(figure, path, look, 0.025, bottom - 0.005, None if motion is None else every)
    _column(figure, _diagrams(motion, path, widest(views, places), on_the_spot is None, look), bottom)
    if motion is not None:
        frames = "frame" if every == 1 else f"{every} frames"
        title = f"time bar: a stripe per {frames} at {fps:g} fps, by distance"
        diagrams.time_bar(figure.add_axes((0.035, 0.03, 0.945, 0.075)), motion, look, fps / every, title)
    return figure


def _spaces(
    figure: "Figure", thing: Motion | MotionPath, views: list[View], bottom: float, look: Look, fps: float
) -> None:
    """One view alone, or four as animators know them: top and perspective above front and side."""
    spots = [(0.02, bottom, 0.60, 0.945 - bottom)]
    if len(views) == 4:
        wide, tall = 0.295, (0.945 - bottom) / 2 - 0.015
        spots = [(0.02 + (wide + 0.01) * (i % 2), bottom + (1 - i // 2) * (tall + 0.03), wide, tall) for i in range(4)]
    for view, spot in zip(views, spots, strict=True):
        space(figure.add_axes(spot), thing, view, look, fps)


def _diagrams(motion: Motion | None, path: MotionPath, view: View, travels: bool, look: Look) -> list[Part]:
    """What can be said about it in diagrams, from top to bottom."""
    parts: list[Part] = []
    if motion is not None:
        parts.append((1.0, lambda ax: diagrams.speed(ax, motion, look, "m/s" if travels else "rad/s")))
    if travels:
        parts.append((1.5, lambda ax: diagrams.hodograph(ax, motion or path, view, look)))
        if not is_drawing(path) and path.shape[-1] > 1 and path.length > 0:
            parts.append((1.0, lambda ax: diagrams.bend(ax, path, look)))
    if path.turns is not None and path.turns.segments:
        parts.append((1.0, lambda ax: diagrams.turning(ax, motion or path, look)))
    return parts


def _column(figure: "Figure", parts: list[Part], bottom: float) -> None:
    """Diagrams one above the other on the right."""
    above, below, top = 0.045, 0.06, 0.965  # of the figure: a title, and an axis with its name
    room, shares = top - bottom - len(parts) * (above + below), sum(share for share, _ in parts)
    for share, draw in parts:
        tall = room * share / shares
        draw(figure.add_axes((0.69, top - above - tall, 0.29, tall)))
        top -= above + tall + below


def _of_profile(speeds: SpeedProfile, look: Look) -> "Figure":
    figure = blank(6.4, 3.2, look)
    diagrams.profile(figure.add_axes((0.1, 0.16, 0.86, 0.72)), speeds, look)
    return figure


def _of_turns(turns: OrientationPath, look: Look) -> "Figure":
    """The tips of the three axes on a ball, and how fast it turns."""
    figure = blank(9.0, 4.6, look)
    ball(figure.add_axes((0.02, 0.04, 0.5, 0.92)), turns, look)
    diagrams.turning(figure.add_axes((0.62, 0.16, 0.35, 0.7)), turns, look)
    return figure
