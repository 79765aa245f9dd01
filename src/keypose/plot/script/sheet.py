"""Who meets whom, and after what? A sheet of a script: a box for each meeting, and arrows to those that come after it.

A gate has a double bar at its entrance. Where not all are needed, ways are dashed, and how many is said.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from keypose.maths.arrays import Floats
from keypose.plot.canvas.text import measure, written
from keypose.plot.canvas.theme import Look, blank
from keypose.plot.marks.actor_colours import legible
from keypose.plot.marks.bones import faded
from keypose.plot.marks.viewport import in_a_row, row_width
from keypose.plot.script.actor_markers import Sign, signs
from keypose.plot.script.graph_layout import Layout, laid_out
from keypose.script.meeting import PATIENCE, Goal, Meeting, TurnGoal
from keypose.script.script import Script

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D


TITLE, TEXT, SMALL = 8.5, 7.5, 6.8  # points: letters
LINE, PAD, DOT = 12.0, 8.0, 4.5  # points: a line of a box, around its text, an actor's dot
HEAD, FOOT, SIDE = 34.0, 30.0, 34.0  # points around all boxes
WIDEST = 1080.0  # points: then it goes on below
LARGEST = 27.0  # inches: a larger sheet is drawn smaller
LEAST = 300.0  # points: so wide is the sheet of one meeting
MOST_ACTORS = 8  # of a meeting are written
BARS = 3.0  # points between the two bars of a gate
ALL, SOME = "solid", (0, (4, 2.5))


@dataclass(frozen=True)
class Box:
    """What is written of a meeting."""

    title: str
    goals: tuple[tuple[str, str], ...]
    """Whose each is, and in words."""
    more: str
    """What else is to be said of it."""
    size: tuple[float, float]
    """[points]"""


def scriptsheet(script: Script, look: Look, looks: Mapping[str, object]) -> "Figure":
    """The sheet of a script, where some actors have looks of their own."""
    script.in_order()  # refuses a circle
    number = {meeting.name: count for count, meeting in enumerate(script)}
    boxes = _boxes(script, look)
    sizes = np.array([box.size for box in boxes]).reshape(-1, 2)
    layout = laid_out([[number[name] for name in meeting.after] for meeting in script], sizes, WIDEST)
    marks = _marks(script, look)
    figure, ax = _paper(layout, row_width(marks, measure(look)), look)
    known = signs(script.actors, looks, look)
    for (_, child), pieces in layout.ways.items():
        _way(ax, pieces, _needs_all(script.meetings[child]), look)
    for meeting, box, corner, wide in zip(script, boxes, layout.corner, layout.wide, strict=True):
        _meeting(ax, meeting, box, corner, float(wide), known, look)
    met, who = len(script), len(script.actors)
    said = f"script: {met} meeting{'s' * (met != 1)} of {who} actor{'s' * (who != 1)}" if met else "script: no meetings"
    scale = _scale(ax)
    ax.text(SIDE, 18.0, said, fontsize=10 * scale, color=look.ink, va="center")
    if marks:
        in_a_row(figure, marks, look, SIDE * scale / 72 / figure.get_figwidth(), 8.0 / 72 / figure.get_figheight())
    return figure


def _needs_all(meeting: Meeting) -> bool:
    return meeting.need is None or meeting.need == len(meeting.after)


# ---- what is written -------------------------------------------------------------------------------------------------


def _boxes(script: Script, look: Look) -> list[Box]:
    """What is written of each meeting, and how large that is."""
    width, actors = measure(look), {name: written(name, number) for number, name in enumerate(script.actors, 1)}
    found = list[Box]()
    for number, meeting in enumerate(script, 1):
        title, more = written(meeting.name, number), _more(meeting)
        goals = [(name, f"{actors[name]}: {_in_words(goal)}") for name, goal in meeting.goals.items()]
        if len(goals) > MOST_ACTORS:
            goals[MOST_ACTORS - 1 :] = [("", f"and {len(goals) - MOST_ACTORS + 1} more")]
        widths = [width(title, TITLE, "bold"), width(more, SMALL), *(2 * DOT + width(text, TEXT) for _, text in goals)]
        size = max(widths) + 2 * PAD, LINE * (1 + len(goals) + bool(more)) + 1.4 * PAD
        found.append(Box(title, tuple(goals), more, size))
    return found


def _in_words(goal: Goal) -> str:
    if isinstance(goal, TurnGoal):
        return f"turns to {written(goal.key, None)}"
    return written(goal, None) if isinstance(goal, str) else f"{goal:.4g} m"


def _more(meeting: Meeting) -> str:
    """What is said of a meeting beside who is to be where."""
    said = [
        "gate" if meeting.gate else "",
        "bodies" if meeting.of == "bodies" else "",
        f"patience {meeting.patience:g} s" if meeting.patience != PATIENCE else "",
    ]
    return " · ".join(filter(None, said))


# ---- what is drawn ---------------------------------------------------------------------------------------------------


def _paper(layout: Layout, legend: float, look: Look) -> tuple["Figure", "Axes"]:
    """A sheet as large as what is on it, in points with y downwards; a huge one is smaller, but for its legend."""
    wide, tall = max(layout.size[0] + 2 * SIDE, LEAST), layout.size[1] + HEAD + FOOT
    wide = max(wide, legend * max(1.0, tall / (LARGEST * 72)) + 2 * SIDE)
    scale = min(1.0, LARGEST * 72 / max(wide, tall))
    figure = blank(scale * wide / 72, scale * tall / 72, look)
    ax = figure.add_axes((0, 0, 1, 1))
    ax.set_axis_off()
    ax.set_xlim(0, wide)
    ax.set_ylim(tall, 0)
    layout.corner[:] += (SIDE, HEAD)
    for pieces in layout.ways.values():
        for piece in pieces:
            piece += (SIDE, HEAD)
    return figure, ax


def _scale(ax: "Axes") -> float:
    """How large a point of the layout is drawn [points]."""
    return float(ax.figure.get_size_inches()[0] * 72 / ax.get_xlim()[1])  # type: ignore[union-attr]


def _way(ax: "Axes", pieces: Sequence[Floats], needs_all: bool, look: Look) -> None:
    """An arrow from box to box."""
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path

    points, codes = [pieces[0][0]], [Path.MOVETO]
    for piece in pieces:
        start, end = piece[0], piece[-1]
        if len(piece) > 2:  # around, to the next row
            points += [*piece[1:]]
            codes += [Path.LINETO] * (len(piece) - 1)
        elif start[1] == end[1]:
            points.append(end)
            codes.append(Path.LINETO)
        else:
            middle = (start[0] + end[0]) / 2
            points += [np.array((middle, start[1])), np.array((middle, end[1])), end]
            codes += [Path.CURVE4] * 3
    scale = _scale(ax)
    ax.add_patch(
        FancyArrowPatch(
            path=Path(np.array(points), codes),
            arrowstyle="-|>",
            mutation_scale=9 * scale,
            color=look.quiet,
            linewidth=1.0 * scale,
            linestyle=ALL if needs_all else SOME,
            capstyle="butt",
            zorder=2,
        )
    )


def _meeting(
    ax: "Axes", meeting: Meeting, box: Box, corner: Floats, wide: float, known: Mapping[str, Sign], look: Look
) -> None:
    """The box of a meeting: its name, who is to be where, and what else is said of it."""
    from matplotlib.patches import FancyBboxPatch

    (left, top), tall, scale = corner.tolist(), box.size[1], _scale(ax)
    rim: Any = {"edgecolor": look.ink, "facecolor": look.panel, "linewidth": 1.0 * scale, "zorder": 3}
    ax.add_patch(FancyBboxPatch((left, top), wide, tall, boxstyle="round,pad=0,rounding_size=4", **rim))
    if meeting.gate:
        for bar in (left, left + BARS):
            ax.plot([bar] * 2, [top - 3, top + tall + 3], color=look.ink, linewidth=1.6 * scale, zorder=4)
    text: dict[str, Any] = {"va": "center", "zorder": 5}
    x, y = left + PAD, top + 0.7 * PAD + LINE / 2
    ax.text(x, y, box.title, fontsize=TITLE * scale, fontweight="bold", color=look.ink, **text)
    for name, words in box.goals:
        y += LINE
        if name:
            dot: Any = {"markersize": DOT * scale, "markeredgewidth": 0, "zorder": 5}
            ax.plot(x + DOT / 2, y, known[name].mark, color=known[name].color, **dot)
        color = legible(known[name].color, look) if name else look.quiet
        ax.text(x + 2 * DOT, y, words, fontsize=TEXT * scale, color=color, **text)
    if box.more:
        ax.text(x, y + LINE, box.more, fontsize=SMALL * scale, color=look.quiet, **text)
    if not _needs_all(meeting):
        pill = {"boxstyle": "round,pad=0.25", "facecolor": faded(look.other, look.paper, 0.2), "edgecolor": look.other}
        said = f"{meeting.need} of {len(meeting.after)}"
        place: dict[str, Any] = {"ha": "center", "bbox": pill | {"linewidth": 0.7 * scale}} | text | {"zorder": 6}
        ax.text(left, top, said, fontsize=SMALL * scale, color=legible(look.other, look), **place)


def _marks(script: Script, look: Look) -> "list[Line2D]":
    """What there is to explain."""
    from matplotlib.lines import Line2D

    marks = list[Line2D]()
    line: dict[str, Any] = {"color": look.quiet, "linewidth": 1.0}
    if any(meeting.after for meeting in script):
        marks.append(Line2D([], [], label="comes after", **line))
    if not all(_needs_all(meeting) for meeting in script):
        marks.append(Line2D([], [], linestyle=SOME, label="not all are needed", **line))
    if any(meeting.gate for meeting in script):
        bars: dict[str, Any] = {"marker": "|", "markersize": 8, "markeredgewidth": 1.6, "color": look.ink}
        marks.append(Line2D([], [], linestyle="none", label="gate: nobody passes before", **bars))
    return marks
