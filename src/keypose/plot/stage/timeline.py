"""Who moves when? A row for each of a cast: its motion's span, when it moves, its keys, its meetings, what happened."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from keypose.maths.arrays import Floats
from keypose.plot.canvas.curve_samples import one_in
from keypose.plot.canvas.theme import Look
from keypose.plot.marks.actor_colours import legible
from keypose.plot.marks.bones import faded
from keypose.plot.stage.tracks import Cast, Player

if TYPE_CHECKING:
    from matplotlib.axes import Axes


ROW, TALLEST = 0.2, 2.8  # inches: a row, and all rows together
LETTER = 0.125  # inches: a name's height
ASIDE = 5.0  # points from a name to its row
FULL = 0.12  # inches: rows lower than this have neither keys nor rings
MOTION, MOVES = 0.3, 0.62  # of a row: how tall are a motion's span, and a movement
PALE, STRONG = 0.3, 0.75  # so that the ink of keys is seen on any colour


def strip_height(actors: int) -> float:
    """How tall the rows of so many actors are together [inches]."""
    return min(ROW * actors, TALLEST)


def strip(ax: "Axes", cast: Cast, colors: Mapping[str, str], names: Mapping[str, str], look: Look) -> None:
    """The rows, the first actor on top, over the cast's span."""
    rows = {player.name: row for row, player in enumerate(cast.players)}
    roomy = strip_height(len(rows)) / len(rows) >= FULL
    for player in cast.players:
        _row(ax, cast, player, rows[player.name], colors[player.name], look, roomy)
    if roomy:
        _meetings(ax, cast, rows, look)
    _events(ax, cast, rows, look, 6.0 if roomy else 4.0)
    _frame(ax, cast, look)
    for player in cast.players[:: _named(len(rows))]:
        _name(ax, names[player.name], rows[player.name], legible(colors[player.name], look))


def _title(cast: Cast) -> str:
    """What the strip shows, and what of it is left out."""
    named, said = _named(len(cast.players)), []
    if cast.shot is not None:
        said.append(f"shot for {cast.shot:g} s, as movers take ticks")
    if named > 1:
        said.append(f"one in {named} of {len(cast.players)} is named")
    return f"who moves when{': ' if said else ''}{'; '.join(said)}"


def _named(actors: int) -> int:
    """One in how many rows has its name written."""
    return one_in(actors, max(int(strip_height(actors) / LETTER), 1))


def _name(ax: "Axes", name: str, row: int, color: str) -> None:
    """A name beside its row, as small as fits there."""
    place: dict[str, Any] = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points"}
    text = ax.annotate(name, (0, row), (-ASIDE, 0), ha="right", va="center", fontsize=7, color=color, **place)
    box = text.get_window_extent()
    text.set_fontsize(7 * min(1.0, (box.x1 - ASIDE) / box.width))


def _row(ax: "Axes", cast: Cast, player: Player, row: int, color: str, look: Look, roomy: bool) -> None:
    """The span of its motion, pale; when it moves in the world, strong; its keys as ticks where there is room."""
    pale, strong = faded(color, look.paper, PALE), faded(color, look.paper, STRONG)
    if player.span is not None and roomy:
        first, last = player.span
        ax.broken_barh([(first, max(last - first, 0.0))], (row - MOTION / 2, MOTION), facecolors=pale, linewidth=0)
    tall, edge = (MOVES, 0.0) if roomy else (1.0, 0.3)  # an edge of its own colour hides the seams of narrow rows
    moving = _stretches(cast.times, cast.moves(player))
    ax.broken_barh(moving, (row - tall / 2, tall), facecolors=strong, edgecolors=strong, linewidth=edge, zorder=3)
    if roomy and len(player.key_times):
        ax.vlines(player.key_times, row - 0.46, row + 0.46, color=look.ink, linewidth=0.9, zorder=4)


def _stretches(times: Floats, moves: NDArray[np.bool_]) -> list[tuple[float, float]]:
    """When somebody moves, as beginnings and lengths [s]."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], moves, [False]]).astype(int)))
    return [(float(times[first]), float(times[last] - times[first])) for first, last in edges.reshape(-1, 2)]


def _meetings(ax: "Axes", cast: Cast, rows: Mapping[str, int], look: Look) -> None:
    """A ring in the row of who meets, tied to the row of whom it meets."""
    for meeting in cast.meetings:
        here, there = rows[meeting.who], rows[meeting.whom]
        ax.plot([meeting.time] * 2, [here, there], color=look.ink, linewidth=1.0, zorder=4.5)
        for row, fill in ((here, look.paper), (there, look.ink)):
            ax.plot(meeting.time, row, "o", markersize=5.5, markerfacecolor=fill, markeredgecolor=look.ink, zorder=5)


def _events(ax: "Axes", cast: Cast, rows: Mapping[str, int], look: Look, size: float) -> None:
    """A triangle for a warning and a diamond for a note, in the row of whom it concerns, or of its figure."""
    begin, end = cast.span
    for event in cast.events:
        row = rows.get(event.actor, rows.get(event.actor.rpartition("/")[0]))
        if row is not None and begin <= event.time <= end:
            shape, color = ("^", look.key) if event.kind == "warning" else ("D", look.other)
            edge: dict[str, Any] = {"markeredgecolor": look.paper, "markeredgewidth": 0.7, "clip_on": False}
            ax.plot(event.time, row, shape, color=color, markersize=size, zorder=6, **edge)


def _frame(ax: "Axes", cast: Cast, look: Look) -> None:
    begin, end = cast.span
    side = 0.005 * (end - begin) or 0.5
    ax.set_xlim(begin - side, end + side)
    ax.set_ylim(len(cast.players) - 0.4, -0.6)
    ax.set_yticks([])
    ax.set_facecolor(look.paper)
    ax.grid(axis="x", color=look.faint, linewidth=0.5)
    ax.set_axisbelow(True)
    ax.tick_params(labelsize=7, colors=look.quiet, length=2.5, width=0.6, color=look.quiet)
    ax.set_xlabel("time [s]", fontsize=7.5, color=look.quiet, labelpad=2)
    ax.xaxis.get_offset_text().set(fontsize=7, color=look.quiet)
    for side_name, spine in ax.spines.items():
        spine.set_visible(side_name == "bottom")
        spine.set_color(look.quiet)
        spine.set_linewidth(0.6)
    ax.set_title(_title(cast), loc="left", fontsize=9, color=look.ink, pad=5)
