"""Who waited for whom? A lane for each who keeps appointments: how fast its target went, over time (LG95 fig. 8).

Where it was slowed down or held, its lane is shaded. A meeting is a band from the first to the last who came, across
the lanes of those who meet; what is late or has failed has a sign of its own beside the colour of warnings.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from keypose.maths import Floats
from keypose.plot.canvas.text import build_text_measure, display_text
from keypose.plot.canvas.theme import Palette, new_figure
from keypose.plot.marks.actor_colours import legible_color
from keypose.plot.marks.bones import fade_color
from keypose.plot.marks.viewport import draw_legend_row
from keypose.plot.script.actor_markers import ActorMarker, assign_markers
from keypose.script import TURN_SUFFIX, Outcome, ScriptReport, TurnGoal

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


SHEET_WIDTH, LEFT_MARGIN, RIGHT_MARGIN = 12.0, 1.25, 1.25  # inches
PAPER_MARGIN = 0.15  # inches: up to the edge of the paper
LANE_HEIGHT, MIN_LANE_HEIGHT, MAX_LANES_HEIGHT = (
    0.72,
    0.16,
    16.0,
)  # inches: a lane, the lowest there is, and all together
MIN_ROOMY_HEIGHT = 0.4  # inches: lower lanes have no numbers
HEADER_HEIGHT, AXIS_HEIGHT, FOOTER_HEIGHT, LINE_HEIGHT = (
    0.42,
    0.42,
    0.3,
    0.17,
)  # inches: above all, below the lanes, for the legend, a line of text
TITLE_SIZE = 10.0  # points
NAME_SIZE, NAME_LINE_HEIGHT, NAME_PADDING = (
    7.5,
    12.0,
    8.0,
)  # points: the name of a meeting, up to the next one, beside it
MAX_NAME_ROWS = 20  # so many names of meetings stand above each other
LINE_LENGTH, MAX_WARNINGS = 165, 5  # letters on a line; so many warnings are told in full
SPEED_LIMIT_RATIO = 1.35  # of its own speed: faster is cut, as when a target first runs ahead
CURVE_HEIGHT = 0.84  # of a lane, for its curve
STATE_MARKERS = {"late": "^", "failed": "X"}


@dataclass(frozen=True, eq=False)
class Lane:
    """Who goes on a lane, and how fast it may be drawn."""

    name: str
    row: int
    max_speed: float
    marker: ActorMarker

    def y(self, speed: Floats | float) -> Floats:
        """Where a speed stands on paper; y is downwards."""
        return np.asarray(
            self.row + 0.5 + CURVE_HEIGHT / 2 - CURVE_HEIGHT * np.minimum(speed, self.max_speed) / self.max_speed
        )


@dataclass(frozen=True)
class MeetingLabel:
    """The name of a meeting above the lanes."""

    text: str
    time: float
    row: int
    """How high; -1 if there was no room."""
    is_warning: bool


def script_report_sheet(report: ScriptReport, palette: Palette, looks: Mapping[str, object]) -> "Figure":
    """The sheet of how a script was kept, where some actors have looks of their own."""
    shown = report.actors[: int(MAX_LANES_HEIGHT / MIN_LANE_HEIGHT)]
    lane_height = min(LANE_HEIGHT, MAX_LANES_HEIGHT / max(len(shown), 1))
    labels = _meeting_labels(report, palette)
    head = HEADER_HEIGHT + (1 + max([-1, *(label.row for label in labels.values())])) * NAME_LINE_HEIGHT / 72
    warning_lines = _warning_lines(report)
    below, lanes_tall = AXIS_HEIGHT + FOOTER_HEIGHT + LINE_HEIGHT * len(warning_lines), lane_height * max(len(shown), 1)
    total_height = head + lanes_tall + below
    figure = new_figure(SHEET_WIDTH, total_height, palette)
    ax = figure.add_axes(
        (
            LEFT_MARGIN / SHEET_WIDTH,
            below / total_height,
            (SHEET_WIDTH - LEFT_MARGIN - RIGHT_MARGIN) / SHEET_WIDTH,
            lanes_tall / total_height,
        )
    )
    _set_up_axes(ax, report, max(len(shown), 1), palette)
    lanes = _lanes(report, shown, palette, looks)
    for lane in lanes.values():
        _draw_lane(ax, report, lane, palette, lane_height >= MIN_ROOMY_HEIGHT)
    for name, outcome in report.meetings.items():
        _draw_meeting(
            ax,
            outcome,
            {
                actor: lanes[lane_name]
                for actor, lane_name in _participant_lanes(report, name).items()
                if lane_name in lanes
            },
            labels.get(name),
            palette,
        )
    title = _sheet_title(report, len(shown), labels)
    room = (SHEET_WIDTH - LEFT_MARGIN - PAPER_MARGIN) * 72 / build_text_measure(palette)(title, TITLE_SIZE)
    size = TITLE_SIZE * min(1.0, room)
    figure.text(LEFT_MARGIN / SHEET_WIDTH, 1 - 0.2 / total_height, title, fontsize=size, color=palette.ink, va="center")
    for row, (text, is_warning) in enumerate(warning_lines):
        height = (FOOTER_HEIGHT + LINE_HEIGHT * (len(warning_lines) - row - 0.5)) / total_height
        color = legible_color(palette.key, palette) if is_warning else palette.quiet
        figure.text(0.025, height, text, fontsize=7.5, color=color, va="center")
    _draw_legend(figure, report, palette, 0.025, 0.08 / total_height)
    return figure


def _sheet_title(report: ScriptReport, shown: int, labels: Mapping[str, MeetingLabel]) -> str:
    parts = ["target speeds over time, and who waited when"]
    if shown < len(report.actors):
        parts.append(f"the first {shown} of {len(report.actors)}")
    named = sum(label.row >= 0 for label in labels.values())
    if named < len(labels):
        parts.append(f"{named} of {len(labels)} meetings are named")
    spread = _spread_text(report)
    if spread is not None:
        parts.append(spread)
    return "; ".join(parts)


def _spread_text(report: ScriptReport) -> str | None:
    """How far apart those came at most who were on their way to each other; None if nobody was.

    Who is held at a gate comes as early as it likes, and so does who passes its goal while the meeting still waits.
    """
    open_meetings = [
        outcome
        for name, outcome in report.meetings.items()
        if outcome.done is not None and not report.script[name].gate
    ]
    arrivals = {
        outcome.meeting: [time for time in outcome.reached.values() if not _was_early(outcome, time)]
        for outcome in open_meetings
    }
    spreads = {name: max(times) - min(times) for name, times in arrivals.items() if len(times) > 1}
    if not spreads:
        return None
    widest = max(spreads, key=lambda name: spreads[name])
    gates = any(meeting.gate and len(meeting.goals) > 1 for meeting in report.script)
    has_early = any(len(arrivals[outcome.meeting]) < len(outcome.reached) > 1 for outcome in open_meetings)
    exceptions = " and ".join(["gates"] * gates + ["who had passed before"] * has_early)
    return (
        f"at most {1000 * spreads[widest]:.0f} ms apart "
        f"({display_text(widest, None)}{f', {exceptions} not counted' * bool(exceptions)})"
    )


def _was_early(outcome: Outcome, arrival: float) -> bool:
    """Whether somebody was at its goal, or had passed it, before the meeting was active: then that counts at once."""
    return outcome.active is not None and arrival <= outcome.active


def _warning_lines(report: ScriptReport) -> list[tuple[str, bool]]:
    """What is to beware of, and what did not come to its end, in a line each."""
    outcomes = [report.meetings[meeting.name] for meeting in report.script.in_order()]
    problems = (
        (outcome.late if outcome.failed is None else outcome.failed, outcome.reason)
        for outcome in outcomes
        if outcome.reason
    )
    sorted_problems = sorted(((time, reason) for time, reason in problems if time is not None), key=itemgetter(0))
    lines = [
        (display_text(f"{time:.4g} s: {reason}", None, LINE_LENGTH), True)
        for time, reason in sorted_problems[:MAX_WARNINGS]
    ]
    lines += [(f"and {len(sorted_problems) - MAX_WARNINGS} more", True)] if len(sorted_problems) > MAX_WARNINGS else []
    unfinished = [outcome.meeting for outcome in outcomes if outcome.done is None and outcome.failed is None]
    if unfinished:
        lines.append((display_text(f"not done by the end: {', '.join(unfinished)}", None, LINE_LENGTH), False))
    return lines


# ---- lanes -----------------------------------------------------------------------------------------------------------


def _lanes(
    report: ScriptReport, shown: tuple[str, ...], palette: Palette, looks: Mapping[str, object]
) -> dict[str, Lane]:
    """The lanes of some; each is drawn as the actor is in the graph of its script."""
    markers = assign_markers(report.script.actors, looks, palette)
    lanes = dict[str, Lane]()
    for row, name in enumerate(shown):
        nominal_speed, speed = float(report.nominal_speeds[name].max()), float(report.speeds[name].max())
        lanes[name] = Lane(
            name,
            row,
            SPEED_LIMIT_RATIO * nominal_speed if nominal_speed > 0 else speed or 1.0,
            markers[report.actor(name)],
        )
    return lanes


def _participant_lanes(report: ScriptReport, meeting: str) -> dict[str, str]:
    """Who is to come to a meeting, and on which lane: of a goal of a turn on that of its turn, if it has one."""
    lanes = dict[str, str]()
    for actor, goal in report.script[meeting].goals.items():
        turn_lanes = [
            lane for lane in report.actors if lane in report.turns and lane.startswith(f"{actor}{TURN_SUFFIX}")
        ]
        lanes[actor] = turn_lanes[0] if turn_lanes and isinstance(goal, TurnGoal) else actor
    return lanes


def _draw_lane(ax: "Axes", report: ScriptReport, lane: Lane, palette: Palette, has_room: bool) -> None:
    """How fast it went, against its own speed; shaded where it waited."""
    from matplotlib.transforms import ScaledTranslation

    t, speed, nominal_speed = report.times, report.speeds[lane.name], report.nominal_speeds[lane.name]
    pale, base = fade_color(lane.marker.color, palette.paper, 0.22), float(lane.y(0.0))
    for first, last in report.waits(lane.name):
        ax.fill_between([first, last], lane.row + 0.03, lane.row + 0.97, color=pale, linewidth=0, zorder=1)
    ax.plot(t, np.full(len(t), base), color=palette.faint, linewidth=0.7, zorder=1.5)
    ax.plot(t, lane.y(nominal_speed), color=palette.quiet, linewidth=0.8, linestyle=(0, (4, 3)), zorder=2)
    ax.plot(
        t,
        lane.y(speed),
        color=legible_color(lane.marker.color, palette, 3.0),
        linewidth=1.6 if has_room else 1.0,
        zorder=3,
    )
    text_style: dict[str, Any] = {"va": "center", "fontsize": 8 if has_room else 6, "annotation_clip": False}
    placement: dict[str, Any] = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points"}
    name = display_text(lane.name, report.script.actors.index(report.actor(lane.name)) + 1)
    color = legible_color(lane.marker.color, palette)
    text = ax.annotate(name, (0, lane.row + 0.5), (-14, 0), ha="right", color=color, **text_style, **placement)
    marker_transform: Any = {
        "transform": ax.get_yaxis_transform() + ScaledTranslation(-8 / 72, 0, ax.figure.dpi_scale_trans)
    }
    dot_style: Any = {"markersize": 4.5 if has_room else 3.0, "markeredgewidth": 0, "clip_on": False}
    ax.plot(0, lane.row + 0.5, lane.marker.shape, color=lane.marker.color, **dot_style, **marker_transform)
    box = text.get_window_extent()
    text.set_fontsize(text_style["fontsize"] * min(1.0, (box.x1 - 4) / box.width))
    if has_room:
        fastest = float(nominal_speed.max())
        speed_text = f"{np.degrees(fastest):.3g} °/s" if lane.name in report.turns else f"{fastest:.3g} m/s"
        level = float(lane.y(fastest))
        small: dict[str, Any] = {"va": "center", "fontsize": 6.8, "color": palette.quiet, "annotation_clip": False}
        ax.annotate(
            speed_text if np.ptp(nominal_speed) == 0 else f"up to {speed_text}",
            (1, level),
            (5, 0),
            ha="left",
            **small,
            **placement,
        )


# ---- meetings --------------------------------------------------------------------------------------------------------


def _shown_time(outcome: Outcome) -> float | None:
    """When there is something to see of a meeting: it is done, or fails, or is late."""
    return next((time for time in (outcome.done, outcome.failed, outcome.late) if time is not None), None)


def _problem_state(outcome: Outcome) -> str | None:
    return "failed" if outcome.failed is not None else "late" if outcome.late is not None else None


def _meeting_labels(report: ScriptReport, palette: Palette) -> dict[str, MeetingLabel]:
    """The names of meetings, each beginning at its time, so high that no line to a lane goes through another's.

    A name that reaches over the beginning of later ones stands above all of these; of those at the same time, what the
    others come after.
    """
    measure, span = build_text_measure(palette), float(report.times[-1] - report.times[0])
    points_per_second = (SHEET_WIDTH - LEFT_MARGIN - RIGHT_MARGIN) * 72 / span
    numbers = {name: number for number, name in enumerate(report.meetings, start=1)}
    order = reversed(report.script.in_order())
    shown_times = {
        meeting.name: time for meeting in order if (time := _shown_time(report.meetings[meeting.name])) is not None
    }
    labels = dict[str, MeetingLabel]()
    for name in sorted(shown_times, key=lambda meeting: -shown_times[meeting]):
        state = _problem_state(report.meetings[name])
        text = display_text(name, numbers[name], 20) + (f" ({state})" if state else "")
        end = shown_times[name] + (measure(text, NAME_SIZE, "normal") + NAME_PADDING) / points_per_second
        row = 1 + max([-1, *(label.row for label in labels.values() if label.row >= 0 and label.time <= end)])
        labels[name] = MeetingLabel(text, shown_times[name], row if row < MAX_NAME_ROWS else -1, state is not None)
    return labels


def _draw_meeting(
    ax: "Axes", outcome: Outcome, lanes: Mapping[str, Lane], label: MeetingLabel | None, palette: Palette
) -> None:
    """A band from the first to the last who came on the lane of each, marks where they did, the name above."""
    time_shown = _shown_time(outcome)
    if time_shown is None or not lanes:
        return
    state, warning = _problem_state(outcome), legible_color(palette.key, palette, 3.0)
    color = palette.ink if state is None else warning
    arrivals = [*outcome.reached.values(), *([time_shown] if state == "failed" else [])]
    style: Any = {"color": color, "linestyle": "solid" if outcome.done is not None else (0, (2, 2))}
    mark: dict[str, Any] = {"markeredgecolor": palette.paper, "markeredgewidth": 0.8, "clip_on": False, "zorder": 5}
    for actor, lane in lanes.items():
        row = lane.row
        if len(arrivals) > 1:
            ax.fill_between(
                [min(arrivals), max(arrivals)], row, row + 1, color=color, alpha=0.1, linewidth=0, zorder=1.2
            )
        ax.plot([time_shown, time_shown], [row, row + 1], linewidth=1.2, zorder=4, **style)
        if actor in outcome.reached:
            ax.plot(outcome.reached[actor], row + 0.5, "o", color=palette.ink, markersize=5.5, **mark)
        elif outcome.failed is not None:
            ax.plot(outcome.failed, row + 0.5, STATE_MARKERS["failed"], color=warning, markersize=7.5, **mark)
        for first, last in outcome.delays:
            end = next(
                (time for time in (last, outcome.done, outcome.failed) if time is not None), float(ax.get_xlim()[1])
            )
            ax.plot([first, end], [row + 0.5, row + 0.5], color=warning, linewidth=1.6, alpha=0.6, zorder=3.5)
            ax.plot(first, row + 0.5, STATE_MARKERS["late"], color=warning, markersize=7.5, **mark)
    ax.plot(
        [time_shown, time_shown],
        [0, max(lane.row for lane in lanes.values())],
        linewidth=0.6,
        alpha=0.6,
        zorder=1.6,
        **style,
    )
    if label is not None and label.row >= 0:
        _draw_name(ax, label, color, palette)


def _draw_name(ax: "Axes", label: MeetingLabel, color: str, palette: Palette) -> None:
    """The name of a meeting above the lanes, and a thin line down to them."""
    placement: dict[str, Any] = {"textcoords": "offset points", "annotation_clip": False}
    height, text_color = (
        NAME_LINE_HEIGHT * (label.row + 0.5),
        legible_color(palette.key, palette) if label.is_warning else palette.ink,
    )
    ax.annotate(
        label.text,
        (label.time, 0),
        (NAME_PADDING / 2, height),
        fontsize=NAME_SIZE,
        color=text_color,
        va="center",
        ha="left",
        zorder=6,
        **placement,
    )
    line = {"arrowstyle": "-", "color": color, "lw": 0.6, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", (label.time, 0), (0, height + NAME_LINE_HEIGHT / 2), arrowprops=line, zorder=1.6, **placement)


def _set_up_axes(ax: "Axes", report: ScriptReport, lanes: int, palette: Palette) -> None:
    begin, end = float(report.times[0]), float(report.times[-1])
    ax.set_xlim(begin, end)
    ax.set_ylim(lanes, 0)
    ax.set_yticks([])
    ax.set_facecolor(palette.paper)
    ax.grid(axis="x", color=palette.faint, linewidth=0.4)
    ax.set_axisbelow(True)
    ax.hlines(np.arange(lanes + 1), begin, end, color=palette.faint, linewidth=0.6, zorder=1.4)
    ax.tick_params(labelsize=7, colors=palette.quiet, length=2.5, width=0.6, color=palette.quiet)
    ax.set_xlabel("time [s]", fontsize=7.5, color=palette.quiet, labelpad=2)
    for side, spine in ax.spines.items():
        spine.set_visible(side == "bottom")
        spine.set_color(palette.quiet)
        spine.set_linewidth(0.6)


def _draw_legend(figure: "Figure", report: ScriptReport, palette: Palette, left: float, bottom: float) -> None:
    """What the marks mean that are there."""
    from matplotlib.lines import Line2D

    dot: dict[str, Any] = {"linestyle": "none", "markersize": 5.5, "markeredgewidth": 0}
    marks = [
        Line2D([], [], color=palette.quiet, linewidth=1.6, label="speed of its target"),
        Line2D([], [], color=palette.quiet, linewidth=0.8, linestyle=(0, (4, 3)), label="its own speed"),
        Line2D([], [], color=fade_color(palette.quiet, palette.paper, 0.3), linewidth=7, label="slowed down or held"),
    ]
    if any(outcome.reached for outcome in report.meetings.values()):
        marks.append(Line2D([], [], color=palette.ink, marker="o", label="has come to its goal", **dot))
    if any(outcome.done is not None for outcome in report.meetings.values()):
        marks.append(Line2D([], [], color=palette.ink, linewidth=1.1, label="meeting done"))
    if any(outcome.spread for outcome in report.meetings.values()):
        band = fade_color(palette.ink, palette.paper, 0.1)
        marks.append(Line2D([], [], color=band, linewidth=7, label="from the first to the last who came"))
    for state, marker in STATE_MARKERS.items():
        if any(getattr(outcome, state) is not None for outcome in report.meetings.values()):
            marks.append(
                Line2D([], [], color=legible_color(palette.key, palette, 3.0), marker=marker, label=state, **dot)
            )
    draw_legend_row(figure, marks, palette, left, bottom)
