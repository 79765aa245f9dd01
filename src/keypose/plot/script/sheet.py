"""Who meets whom, and after what? A sheet of a script: a box for each meeting, and arrows to those that come after it.

A gate has a double bar at its entrance. Where not all are needed, ways are dashed, and how many is said.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from keypose.maths import Floats
from keypose.plot.canvas.text import build_text_measure, display_text
from keypose.plot.canvas.theme import Palette, new_figure
from keypose.plot.marks.actor_colours import legible_color
from keypose.plot.marks.bones import fade_color
from keypose.plot.marks.viewport import draw_legend_row, legend_row_width
from keypose.plot.script.actor_markers import ActorMarker, assign_markers
from keypose.plot.script.graph_layout import Layout, layout_boxes
from keypose.script import DEFAULT_PATIENCE, Goal, Meeting, Script, TurnGoal

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D


TITLE_SIZE, TEXT_SIZE, SMALL_SIZE = 8.5, 7.5, 6.8  # points: letters
LINE_HEIGHT, BOX_PADDING, DOT_SIZE = 12.0, 8.0, 4.5  # points: a line of a box, around its text, an actor's dot
HEADER_HEIGHT, FOOTER_HEIGHT, SIDE_MARGIN = 34.0, 30.0, 34.0  # points around all boxes
MAX_ROW_WIDTH = 1080.0  # points: then it goes on below
MAX_SHEET_SIZE = 27.0  # inches: a larger sheet is drawn smaller
MIN_SHEET_WIDTH = 300.0  # points: so wide is the sheet of one meeting
MAX_LISTED_ACTORS = 8  # of a meeting are written
GATE_BAR_GAP = 3.0  # points between the two bars of a gate
SOLID_LINE, DASHED_LINE = "solid", (0, (4, 2.5))


@dataclass(frozen=True)
class MeetingBox:
    """What is written of a meeting."""

    title: str
    goals: tuple[tuple[str, str], ...]
    """Whose each is, and in words."""
    details: str
    """What else is to be said of it."""
    size: tuple[float, float]
    """[points]"""


def script_sheet(script: Script, palette: Palette, looks: Mapping[str, object]) -> "Figure":
    """The sheet of a script, where some actors have looks of their own."""
    script.in_order()  # refuses a circle
    number = {meeting.name: count for count, meeting in enumerate(script)}
    boxes = _meeting_boxes(script, palette)
    sizes = np.array([box.size for box in boxes]).reshape(-1, 2)
    layout = layout_boxes([[number[name] for name in meeting.after] for meeting in script], sizes, MAX_ROW_WIDTH)
    marks = _legend_marks(script, palette)
    figure, ax = _new_sheet(layout, legend_row_width(marks, build_text_measure(palette)), palette)
    markers = assign_markers(script.actors, looks, palette)
    for (_, child), pieces in layout.routes.items():
        _draw_route(ax, pieces, _needs_all(script.meetings[child]), palette)
    for meeting, box, corner, wide in zip(script, boxes, layout.corners, layout.widths, strict=True):
        _draw_meeting(ax, meeting, box, corner, float(wide), markers, palette)
    meeting_count, actor_count = len(script), len(script.actors)
    title = (
        f"script: {meeting_count} meeting{'s' * (meeting_count != 1)} of {actor_count} actor{'s' * (actor_count != 1)}"
        if meeting_count
        else "script: no meetings"
    )
    scale = _point_scale(ax)
    ax.text(SIDE_MARGIN, 18.0, title, fontsize=10 * scale, color=palette.ink, va="center")
    if marks:
        draw_legend_row(
            figure, marks, palette, SIDE_MARGIN * scale / 72 / figure.get_figwidth(), 8.0 / 72 / figure.get_figheight()
        )
    return figure


def _needs_all(meeting: Meeting) -> bool:
    return meeting.need is None or meeting.need == len(meeting.after)


# ---- what is written -------------------------------------------------------------------------------------------------


def _meeting_boxes(script: Script, palette: Palette) -> list[MeetingBox]:
    """What is written of each meeting, and how large that is."""
    width, actors = (
        build_text_measure(palette),
        {name: display_text(name, number) for number, name in enumerate(script.actors, 1)},
    )
    boxes = list[MeetingBox]()
    for number, meeting in enumerate(script, 1):
        title, details = display_text(meeting.name, number), _details_text(meeting)
        goals = [(name, f"{actors[name]}: {_goal_text(goal)}") for name, goal in meeting.goals.items()]
        if len(goals) > MAX_LISTED_ACTORS:
            goals[MAX_LISTED_ACTORS - 1 :] = [("", f"and {len(goals) - MAX_LISTED_ACTORS + 1} more")]
        widths = [
            width(title, TITLE_SIZE, "bold"),
            width(details, SMALL_SIZE),
            *(2 * DOT_SIZE + width(text, TEXT_SIZE) for _, text in goals),
        ]
        size = max(widths) + 2 * BOX_PADDING, LINE_HEIGHT * (1 + len(goals) + bool(details)) + 1.4 * BOX_PADDING
        boxes.append(MeetingBox(title, tuple(goals), details, size))
    return boxes


def _goal_text(goal: Goal) -> str:
    if isinstance(goal, TurnGoal):
        return f"turns to {display_text(goal.key, None)}"
    return display_text(goal, None) if isinstance(goal, str) else f"{goal:.4g} m"


def _details_text(meeting: Meeting) -> str:
    """What is said of a meeting beside who is to be where."""
    parts = [
        "gate" if meeting.gate else "",
        "bodies" if meeting.of == "bodies" else "",
        f"patience {meeting.patience:g} s" if meeting.patience != DEFAULT_PATIENCE else "",
    ]
    return " · ".join(filter(None, parts))


# ---- what is drawn ---------------------------------------------------------------------------------------------------


def _new_sheet(layout: Layout, legend: float, palette: Palette) -> tuple["Figure", "Axes"]:
    """A sheet as large as what is on it, in points with y downwards; a huge one is smaller, but for its legend."""
    wide, tall = max(layout.size[0] + 2 * SIDE_MARGIN, MIN_SHEET_WIDTH), layout.size[1] + HEADER_HEIGHT + FOOTER_HEIGHT
    wide = max(wide, legend * max(1.0, tall / (MAX_SHEET_SIZE * 72)) + 2 * SIDE_MARGIN)
    scale = min(1.0, MAX_SHEET_SIZE * 72 / max(wide, tall))
    figure = new_figure(scale * wide / 72, scale * tall / 72, palette)
    ax = figure.add_axes((0, 0, 1, 1))
    ax.set_axis_off()
    ax.set_xlim(0, wide)
    ax.set_ylim(tall, 0)
    layout.corners[:] += (SIDE_MARGIN, HEADER_HEIGHT)
    for pieces in layout.routes.values():
        for piece in pieces:
            piece += (SIDE_MARGIN, HEADER_HEIGHT)
    return figure, ax


def _point_scale(ax: "Axes") -> float:
    """How large a point of the layout is drawn [points]."""
    return float(ax.figure.get_size_inches()[0] * 72 / ax.get_xlim()[1])  # type: ignore[union-attr]


def _draw_route(ax: "Axes", pieces: Sequence[Floats], needs_all: bool, palette: Palette) -> None:
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
    scale = _point_scale(ax)
    ax.add_patch(
        FancyArrowPatch(
            path=Path(np.array(points), codes),
            arrowstyle="-|>",
            mutation_scale=9 * scale,
            color=palette.quiet,
            linewidth=1.0 * scale,
            linestyle=SOLID_LINE if needs_all else DASHED_LINE,
            capstyle="butt",
            zorder=2,
        )
    )


def _draw_meeting(
    ax: "Axes",
    meeting: Meeting,
    box: MeetingBox,
    corner: Floats,
    wide: float,
    markers: Mapping[str, ActorMarker],
    palette: Palette,
) -> None:
    """The box of a meeting: its name, who is to be where, and what else is said of it."""
    from matplotlib.patches import FancyBboxPatch

    (left, top), tall, scale = corner.tolist(), box.size[1], _point_scale(ax)
    rim: Any = {"edgecolor": palette.ink, "facecolor": palette.panel, "linewidth": 1.0 * scale, "zorder": 3}
    ax.add_patch(FancyBboxPatch((left, top), wide, tall, boxstyle="round,pad=0,rounding_size=4", **rim))
    if meeting.gate:
        for bar in (left, left + GATE_BAR_GAP):
            ax.plot([bar] * 2, [top - 3, top + tall + 3], color=palette.ink, linewidth=1.6 * scale, zorder=4)
    text: dict[str, Any] = {"va": "center", "zorder": 5}
    x, y = left + BOX_PADDING, top + 0.7 * BOX_PADDING + LINE_HEIGHT / 2
    ax.text(x, y, box.title, fontsize=TITLE_SIZE * scale, fontweight="bold", color=palette.ink, **text)
    for name, goal_text in box.goals:
        y += LINE_HEIGHT
        if name:
            dot: Any = {"markersize": DOT_SIZE * scale, "markeredgewidth": 0, "zorder": 5}
            ax.plot(x + DOT_SIZE / 2, y, markers[name].shape, color=markers[name].color, **dot)
        color = legible_color(markers[name].color, palette) if name else palette.quiet
        ax.text(x + 2 * DOT_SIZE, y, goal_text, fontsize=TEXT_SIZE * scale, color=color, **text)
    if box.details:
        ax.text(x, y + LINE_HEIGHT, box.details, fontsize=SMALL_SIZE * scale, color=palette.quiet, **text)
    if not _needs_all(meeting):
        pill = {
            "boxstyle": "round,pad=0.25",
            "facecolor": fade_color(palette.other, palette.paper, 0.2),
            "edgecolor": palette.other,
        }
        need_text = f"{meeting.need} of {len(meeting.after)}"
        text_placement: dict[str, Any] = (
            {"ha": "center", "bbox": pill | {"linewidth": 0.7 * scale}} | text | {"zorder": 6}
        )
        ax.text(
            left,
            top,
            need_text,
            fontsize=SMALL_SIZE * scale,
            color=legible_color(palette.other, palette),
            **text_placement,
        )


def _legend_marks(script: Script, palette: Palette) -> "list[Line2D]":
    """What there is to explain."""
    from matplotlib.lines import Line2D

    marks = list[Line2D]()
    line: dict[str, Any] = {"color": palette.quiet, "linewidth": 1.0}
    if any(meeting.after for meeting in script):
        marks.append(Line2D([], [], label="comes after", **line))
    if not all(_needs_all(meeting) for meeting in script):
        marks.append(Line2D([], [], linestyle=DASHED_LINE, label="not all are needed", **line))
    if any(meeting.gate for meeting in script):
        bars: dict[str, Any] = {"marker": "|", "markersize": 8, "markeredgewidth": 1.6, "color": palette.ink}
        marks.append(Line2D([], [], linestyle="none", label="gate: nobody passes before", **bars))
    return marks
