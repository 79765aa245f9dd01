"""Who waited for whom? A lane for each who keeps appointments: how fast its target went, over time (LG95 fig. 8).

Where it was slowed down or held, its lane is shaded. A meeting is a band from the first to the last who came, across
the lanes of those who meet; what is late or has failed has a sign of its own beside the colour of warnings.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from keypose.maths.arrays import Floats
from keypose.plot.canvas.text import measure, written
from keypose.plot.canvas.theme import Look, blank
from keypose.plot.marks.actor_colours import legible
from keypose.plot.marks.bones import faded
from keypose.plot.marks.viewport import in_a_row
from keypose.plot.script.actor_markers import Sign, signs
from keypose.script.meeting import TurnGoal
from keypose.script.report import TURN, Outcome, Performance

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


WIDTH, LEFT, RIGHT = 12.0, 1.25, 1.25  # inches
EDGE = 0.15  # inches: up to the edge of the paper
LANE, LOWEST, TALLEST = 0.72, 0.16, 16.0  # inches: a lane, the lowest there is, and all together
ROOMY = 0.4  # inches: lower lanes have no numbers
HEAD, AXIS, FOOT, LINE = 0.42, 0.42, 0.3, 0.17  # inches: above all, below the lanes, for the legend, a line of text
TITLE = 10.0  # points
NAME, NAME_LINE, AROUND = 7.5, 12.0, 8.0  # points: the name of a meeting, up to the next one, beside it
NAMES = 20  # so many names of meetings stand above each other
LETTERS, TOLD = 165, 5  # letters on a line; so many warnings are told in full
TOP = 1.35  # of its own speed: faster is cut, as when a target first runs ahead
SPAN = 0.84  # of a lane, for its curve
SIGNS = {"late": "^", "failed": "X"}


@dataclass(frozen=True, eq=False)
class Lane:
    """Who goes on a lane, and how fast it may be drawn."""

    name: str
    row: int
    top: float
    sign: Sign

    def y(self, speed: Floats | float) -> Floats:
        """Where a speed stands on paper; y is downwards."""
        return np.asarray(self.row + 0.5 + SPAN / 2 - SPAN * np.minimum(speed, self.top) / self.top)


@dataclass(frozen=True)
class Tag:
    """The name of a meeting above the lanes."""

    text: str
    time: float
    row: int
    """How high; -1 if there was no room."""
    warns: bool


def performance_sheet(kept: Performance, look: Look, looks: Mapping[str, object]) -> "Figure":
    """The sheet of how a script was kept, where some actors have looks of their own."""
    shown = kept.actors[: int(TALLEST / LOWEST)]
    each = min(LANE, TALLEST / max(len(shown), 1))
    tags = _tags(kept, look)
    head = HEAD + (1 + max([-1, *(tag.row for tag in tags.values())])) * NAME_LINE / 72
    told = _told(kept)
    below, lanes_tall = AXIS + FOOT + LINE * len(told), each * max(len(shown), 1)
    tall = head + lanes_tall + below
    figure = blank(WIDTH, tall, look)
    ax = figure.add_axes((LEFT / WIDTH, below / tall, (WIDTH - LEFT - RIGHT) / WIDTH, lanes_tall / tall))
    _frame(ax, kept, max(len(shown), 1), look)
    lanes = _lanes(kept, shown, look, looks)
    for lane in lanes.values():
        _lane(ax, kept, lane, look, each >= ROOMY)
    for name, met in kept.meetings.items():
        _meeting(
            ax, met, {who: lanes[on] for who, on in _goers(kept, name).items() if on in lanes}, tags.get(name), look
        )
    title = _title(kept, len(shown), tags)
    room = (WIDTH - LEFT - EDGE) * 72 / measure(look)(title, TITLE)
    size = TITLE * min(1.0, room)
    figure.text(LEFT / WIDTH, 1 - 0.2 / tall, title, fontsize=size, color=look.ink, va="center")
    for row, (text, warns) in enumerate(told):
        height = (FOOT + LINE * (len(told) - row - 0.5)) / tall
        color = legible(look.key, look) if warns else look.quiet
        figure.text(0.025, height, text, fontsize=7.5, color=color, va="center")
    _legend(figure, kept, look, 0.025, 0.08 / tall)
    return figure


def _title(kept: Performance, shown: int, tags: Mapping[str, Tag]) -> str:
    said = ["target speeds over time, and who waited when"]
    if shown < len(kept.actors):
        said.append(f"the first {shown} of {len(kept.actors)}")
    named = sum(tag.row >= 0 for tag in tags.values())
    if named < len(tags):
        said.append(f"{named} of {len(tags)} meetings are named")
    apart = _apart(kept)
    if apart is not None:
        said.append(apart)
    return "; ".join(said)


def _apart(kept: Performance) -> str | None:
    """How far apart those came at most who were on their way to each other; None if nobody was.

    Who is held at a gate comes as early as it likes, and so does who passes its goal while the meeting still waits.
    """
    free = [met for name, met in kept.meetings.items() if met.done is not None and not kept.script[name].gate]
    came = {met.meeting: [time for time in met.reached.values() if not _was_there(met, time)] for met in free}
    spreads = {name: max(times) - min(times) for name, times in came.items() if len(times) > 1}
    if not spreads:
        return None
    last = max(spreads, key=lambda name: spreads[name])
    gates = any(meeting.gate and len(meeting.goals) > 1 for meeting in kept.script)
    passed = any(len(came[met.meeting]) < len(met.reached) > 1 for met in free)
    aside = " and ".join(["gates"] * gates + ["who had passed before"] * passed)
    return (
        f"at most {1000 * spreads[last]:.0f} ms apart ({written(last, None)}{f', {aside} not counted' * bool(aside)})"
    )


def _was_there(met: Outcome, came: float) -> bool:
    """Whether somebody was at its goal, or had passed it, before the meeting was active: then that counts at once."""
    return met.active is not None and came <= met.active


def _told(kept: Performance) -> list[tuple[str, bool]]:
    """What is to beware of, and what did not come to its end, in a line each."""
    met = [kept.meetings[meeting.name] for meeting in kept.script.in_order()]
    when = ((one.late if one.failed is None else one.failed, one.why) for one in met if one.why)
    wrong = sorted(((time, why) for time, why in when if time is not None), key=itemgetter(0))
    lines = [(written(f"{time:.4g} s: {why}", None, LETTERS), True) for time, why in wrong[:TOLD]]
    lines += [(f"and {len(wrong) - TOLD} more", True)] if len(wrong) > TOLD else []
    open_still = [one.meeting for one in met if one.done is None and one.failed is None]
    if open_still:
        lines.append((written(f"not done by the end: {', '.join(open_still)}", None, LETTERS), False))
    return lines


# ---- lanes -----------------------------------------------------------------------------------------------------------


def _lanes(kept: Performance, shown: tuple[str, ...], look: Look, looks: Mapping[str, object]) -> dict[str, Lane]:
    """The lanes of some; each is drawn as the actor is in the graph of its script."""
    known = signs(kept.script.actors, looks, look)
    found = dict[str, Lane]()
    for row, name in enumerate(shown):
        own, speed = float(kept.own_speeds[name].max()), float(kept.speeds[name].max())
        found[name] = Lane(name, row, TOP * own if own > 0 else speed or 1.0, known[kept.actor(name)])
    return found


def _goers(kept: Performance, meeting: str) -> dict[str, str]:
    """Who is to come to a meeting, and on which lane: of a goal of a turn on that of its turn, if it has one."""
    found = dict[str, str]()
    for actor, goal in kept.script[meeting].goals.items():
        turning = [lane for lane in kept.actors if lane in kept.turns and lane.startswith(f"{actor}{TURN}")]
        found[actor] = turning[0] if turning and isinstance(goal, TurnGoal) else actor
    return found


def _lane(ax: "Axes", kept: Performance, lane: Lane, look: Look, roomy: bool) -> None:
    """How fast it went, against its own speed; shaded where it waited."""
    from matplotlib.transforms import ScaledTranslation

    t, speed, own = kept.times, kept.speeds[lane.name], kept.own_speeds[lane.name]
    pale, base = faded(lane.sign.color, look.paper, 0.22), float(lane.y(0.0))
    for first, last in kept.waited(lane.name):
        ax.fill_between([first, last], lane.row + 0.03, lane.row + 0.97, color=pale, linewidth=0, zorder=1)
    ax.plot(t, np.full(len(t), base), color=look.faint, linewidth=0.7, zorder=1.5)
    ax.plot(t, lane.y(own), color=look.quiet, linewidth=0.8, linestyle=(0, (4, 3)), zorder=2)
    ax.plot(t, lane.y(speed), color=legible(lane.sign.color, look, 3.0), linewidth=1.6 if roomy else 1.0, zorder=3)
    words: dict[str, Any] = {"va": "center", "fontsize": 8 if roomy else 6, "annotation_clip": False}
    here: dict[str, Any] = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points"}
    name = written(lane.name, kept.script.actors.index(kept.actor(lane.name)) + 1)
    color = legible(lane.sign.color, look)
    text = ax.annotate(name, (0, lane.row + 0.5), (-14, 0), ha="right", color=color, **words, **here)
    beside: Any = {"transform": ax.get_yaxis_transform() + ScaledTranslation(-8 / 72, 0, ax.figure.dpi_scale_trans)}
    dot: Any = {"markersize": 4.5 if roomy else 3.0, "markeredgewidth": 0, "clip_on": False}
    ax.plot(0, lane.row + 0.5, lane.sign.mark, color=lane.sign.color, **dot, **beside)
    box = text.get_window_extent()
    text.set_fontsize(words["fontsize"] * min(1.0, (box.x1 - 4) / box.width))
    if roomy:
        fastest = float(own.max())
        said = f"{np.degrees(fastest):.3g} °/s" if lane.name in kept.turns else f"{fastest:.3g} m/s"
        level = float(lane.y(fastest))
        small: dict[str, Any] = {"va": "center", "fontsize": 6.8, "color": look.quiet, "annotation_clip": False}
        ax.annotate(said if np.ptp(own) == 0 else f"up to {said}", (1, level), (5, 0), ha="left", **small, **here)


# ---- meetings --------------------------------------------------------------------------------------------------------


def _when(met: Outcome) -> float | None:
    """When there is something to see of a meeting: it is done, or fails, or is late."""
    return next((time for time in (met.done, met.failed, met.late) if time is not None), None)


def _sign(met: Outcome) -> str | None:
    return "failed" if met.failed is not None else "late" if met.late is not None else None


def _tags(kept: Performance, look: Look) -> dict[str, Tag]:
    """The names of meetings, each beginning at its time, so high that no line to a lane goes through another's.

    A name that reaches over the beginning of later ones stands above all of these; of those at the same time, what the
    others come after.
    """
    wide, span = measure(look), float(kept.times[-1] - kept.times[0])
    second = (WIDTH - LEFT - RIGHT) * 72 / span
    numbers = {name: number for number, name in enumerate(kept.meetings, start=1)}
    order = reversed(kept.script.in_order())
    met = {one.name: time for one in order if (time := _when(kept.meetings[one.name])) is not None}
    found = dict[str, Tag]()
    for name in sorted(met, key=lambda one: -met[one]):
        sign = _sign(kept.meetings[name])
        text = written(name, numbers[name], 20) + (f" ({sign})" if sign else "")
        end = met[name] + (wide(text, NAME, "normal") + AROUND) / second
        row = 1 + max([-1, *(tag.row for tag in found.values() if tag.row >= 0 and tag.time <= end)])
        found[name] = Tag(text, met[name], row if row < NAMES else -1, sign is not None)
    return found


def _meeting(ax: "Axes", met: Outcome, lanes: Mapping[str, Lane], tag: Tag | None, look: Look) -> None:
    """A band from the first to the last who came on the lane of each, marks where they did, the name above."""
    when = _when(met)
    if when is None or not lanes:
        return
    sign, warning = _sign(met), legible(look.key, look, 3.0)
    color = look.ink if sign is None else warning
    came = [*met.reached.values(), *([when] if sign == "failed" else [])]
    style: Any = {"color": color, "linestyle": "solid" if met.done is not None else (0, (2, 2))}
    mark: dict[str, Any] = {"markeredgecolor": look.paper, "markeredgewidth": 0.8, "clip_on": False, "zorder": 5}
    for actor, lane in lanes.items():
        row = lane.row
        if len(came) > 1:
            ax.fill_between([min(came), max(came)], row, row + 1, color=color, alpha=0.1, linewidth=0, zorder=1.2)
        ax.plot([when, when], [row, row + 1], linewidth=1.2, zorder=4, **style)
        if actor in met.reached:
            ax.plot(met.reached[actor], row + 0.5, "o", color=look.ink, markersize=5.5, **mark)
        elif met.failed is not None:
            ax.plot(met.failed, row + 0.5, SIGNS["failed"], color=warning, markersize=7.5, **mark)
        for first, last in met.delays:
            end = next((time for time in (last, met.done, met.failed) if time is not None), float(ax.get_xlim()[1]))
            ax.plot([first, end], [row + 0.5, row + 0.5], color=warning, linewidth=1.6, alpha=0.6, zorder=3.5)
            ax.plot(first, row + 0.5, SIGNS["late"], color=warning, markersize=7.5, **mark)
    ax.plot([when, when], [0, max(lane.row for lane in lanes.values())], linewidth=0.6, alpha=0.6, zorder=1.6, **style)
    if tag is not None and tag.row >= 0:
        _name(ax, tag, color, look)


def _name(ax: "Axes", tag: Tag, color: str, look: Look) -> None:
    """The name of a meeting above the lanes, and a thin line down to them."""
    place: dict[str, Any] = {"textcoords": "offset points", "annotation_clip": False}
    up, words = NAME_LINE * (tag.row + 0.5), legible(look.key, look) if tag.warns else look.ink
    ax.annotate(
        tag.text, (tag.time, 0), (AROUND / 2, up), fontsize=NAME, color=words, va="center", ha="left", zorder=6, **place
    )
    line = {"arrowstyle": "-", "color": color, "lw": 0.6, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", (tag.time, 0), (0, up + NAME_LINE / 2), arrowprops=line, zorder=1.6, **place)


def _frame(ax: "Axes", kept: Performance, lanes: int, look: Look) -> None:
    begin, end = float(kept.times[0]), float(kept.times[-1])
    ax.set_xlim(begin, end)
    ax.set_ylim(lanes, 0)
    ax.set_yticks([])
    ax.set_facecolor(look.paper)
    ax.grid(axis="x", color=look.faint, linewidth=0.4)
    ax.set_axisbelow(True)
    ax.hlines(np.arange(lanes + 1), begin, end, color=look.faint, linewidth=0.6, zorder=1.4)
    ax.tick_params(labelsize=7, colors=look.quiet, length=2.5, width=0.6, color=look.quiet)
    ax.set_xlabel("time [s]", fontsize=7.5, color=look.quiet, labelpad=2)
    for side, spine in ax.spines.items():
        spine.set_visible(side == "bottom")
        spine.set_color(look.quiet)
        spine.set_linewidth(0.6)


def _legend(figure: "Figure", kept: Performance, look: Look, left: float, bottom: float) -> None:
    """What the marks mean that are there."""
    from matplotlib.lines import Line2D

    dot: dict[str, Any] = {"linestyle": "none", "markersize": 5.5, "markeredgewidth": 0}
    marks = [
        Line2D([], [], color=look.quiet, linewidth=1.6, label="speed of its target"),
        Line2D([], [], color=look.quiet, linewidth=0.8, linestyle=(0, (4, 3)), label="its own speed"),
        Line2D([], [], color=faded(look.quiet, look.paper, 0.3), linewidth=7, label="slowed down or held"),
    ]
    if any(met.reached for met in kept.meetings.values()):
        marks.append(Line2D([], [], color=look.ink, marker="o", label="has come to its goal", **dot))
    if any(met.done is not None for met in kept.meetings.values()):
        marks.append(Line2D([], [], color=look.ink, linewidth=1.1, label="meeting done"))
    if any(met.spread for met in kept.meetings.values()):
        band = faded(look.ink, look.paper, 0.1)
        marks.append(Line2D([], [], color=band, linewidth=7, label="from the first to the last who came"))
    for sign, marker in SIGNS.items():
        if any(getattr(met, sign) is not None for met in kept.meetings.values()):
            marks.append(Line2D([], [], color=legible(look.key, look, 3.0), marker=marker, label=sign, **dot))
    in_a_row(figure, marks, look, left, bottom)
