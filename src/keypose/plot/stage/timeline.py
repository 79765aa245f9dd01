"""Who moves when? A row for each of a cast: its motion's span, when it moves, its keys, its meetings, what happened."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from keypose.maths import Bools, Floats
from keypose.plot.canvas.curve_samples import display_stride
from keypose.plot.canvas.theme import Palette
from keypose.plot.marks.actor_colours import legible_color
from keypose.plot.marks.bones import fade_color
from keypose.plot.stage.tracks import ActorTrack, StageTracks

if TYPE_CHECKING:
    from matplotlib.axes import Axes


ROW_HEIGHT, MAX_HEIGHT = 0.2, 2.8  # inches: a row, and all rows together
NAME_HEIGHT = 0.125  # inches: a name's height
NAME_GAP = 5.0  # points from a name to its row
MIN_DETAIL_HEIGHT = 0.12  # inches: rows lower than this have neither keys nor rings
SPAN_HEIGHT, MOVEMENT_HEIGHT = 0.3, 0.62  # of a row: how tall are a motion's span, and a movement
SPAN_STRENGTH, MOVEMENT_STRENGTH = 0.3, 0.75  # so that the ink of keys is seen on any colour


def timeline_height(actors: int) -> float:
    """How tall the rows of so many actors are together [inches]."""
    return min(ROW_HEIGHT * actors, MAX_HEIGHT)


def draw_timeline(
    ax: "Axes", tracks: StageTracks, colors: Mapping[str, str], names: Mapping[str, str], palette: Palette
) -> None:
    """The rows, the first actor on top, over the cast's span."""
    rows = {track.name: row for row, track in enumerate(tracks.actors)}
    has_room = timeline_height(len(rows)) / len(rows) >= MIN_DETAIL_HEIGHT
    for track in tracks.actors:
        _draw_row(ax, tracks, track, rows[track.name], colors[track.name], palette, has_room)
    if has_room:
        _draw_meetings(ax, tracks, rows, palette)
    _draw_events(ax, tracks, rows, palette, 6.0 if has_room else 4.0)
    _set_up_axes(ax, tracks, palette)
    for track in tracks.actors[:: _name_stride(len(rows))]:
        _draw_name(ax, names[track.name], rows[track.name], legible_color(colors[track.name], palette))


def _timeline_title(tracks: StageTracks) -> str:
    """What the strip shows, and what of it is left out."""
    name_stride, parts = _name_stride(len(tracks.actors)), []
    if tracks.shot_seconds is not None:
        parts.append(f"shot for {tracks.shot_seconds:g} s, as movers take ticks")
    if name_stride > 1:
        parts.append(f"one in {name_stride} of {len(tracks.actors)} is named")
    return f"who moves when{': ' if parts else ''}{'; '.join(parts)}"


def _name_stride(actors: int) -> int:
    """One in how many rows has its name written."""
    return display_stride(actors, max(int(timeline_height(actors) / NAME_HEIGHT), 1))


def _draw_name(ax: "Axes", name: str, row: int, color: str) -> None:
    """A name beside its row, as small as fits there."""
    position: dict[str, Any] = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points"}
    text = ax.annotate(name, (0, row), (-NAME_GAP, 0), ha="right", va="center", fontsize=7, color=color, **position)
    box = text.get_window_extent()
    text.set_fontsize(7 * min(1.0, (box.x1 - NAME_GAP) / box.width))


def _draw_row(
    ax: "Axes", tracks: StageTracks, track: ActorTrack, row: int, color: str, palette: Palette, has_room: bool
) -> None:
    """The span of its motion, pale; when it moves in the world, strong; its keys as ticks where there is room."""
    pale, strong = fade_color(color, palette.paper, SPAN_STRENGTH), fade_color(color, palette.paper, MOVEMENT_STRENGTH)
    if track.span is not None and has_room:
        first, last = track.span
        ax.broken_barh(
            [(first, max(last - first, 0.0))], (row - SPAN_HEIGHT / 2, SPAN_HEIGHT), facecolors=pale, linewidth=0
        )
    tall, edge = (
        (MOVEMENT_HEIGHT, 0.0) if has_room else (1.0, 0.3)
    )  # an edge of its own colour hides the seams of narrow rows
    intervals = _movement_intervals(tracks.times, tracks.movement_mask(track))
    ax.broken_barh(intervals, (row - tall / 2, tall), facecolors=strong, edgecolors=strong, linewidth=edge, zorder=3)
    if has_room and len(track.key_times):
        ax.vlines(track.key_times, row - 0.46, row + 0.46, color=palette.ink, linewidth=0.9, zorder=4)


def _movement_intervals(times: Floats, movement: Bools) -> list[tuple[float, float]]:
    """When somebody moves, as beginnings and lengths [s]."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], movement, [False]]).astype(int)))
    return [(float(times[first]), float(times[last] - times[first])) for first, last in edges.reshape(-1, 2)]


def _draw_meetings(ax: "Axes", tracks: StageTracks, rows: Mapping[str, int], palette: Palette) -> None:
    """A ring in the row of who meets, tied to the row of whom it meets."""
    for meeting in tracks.meetings:
        actor_row, carrier_row = rows[meeting.actor], rows[meeting.carrier]
        ax.plot([meeting.time] * 2, [actor_row, carrier_row], color=palette.ink, linewidth=1.0, zorder=4.5)
        for row, fill in ((actor_row, palette.paper), (carrier_row, palette.ink)):
            ax.plot(meeting.time, row, "o", markersize=5.5, markerfacecolor=fill, markeredgecolor=palette.ink, zorder=5)


def _draw_events(ax: "Axes", tracks: StageTracks, rows: Mapping[str, int], palette: Palette, size: float) -> None:
    """A triangle for a warning and a diamond for a note, in the row of whom it concerns, or of its figure."""
    begin, end = tracks.span
    for event in tracks.events:
        row = rows.get(event.actor, rows.get(event.actor.rpartition("/")[0]))
        if row is not None and begin <= event.time <= end:
            shape, color = ("^", palette.key) if event.kind == "warning" else ("D", palette.other)
            edge: dict[str, Any] = {"markeredgecolor": palette.paper, "markeredgewidth": 0.7, "clip_on": False}
            ax.plot(event.time, row, shape, color=color, markersize=size, zorder=6, **edge)


def _set_up_axes(ax: "Axes", tracks: StageTracks, palette: Palette) -> None:
    begin, end = tracks.span
    side = 0.005 * (end - begin) or 0.5
    ax.set_xlim(begin - side, end + side)
    ax.set_ylim(len(tracks.actors) - 0.4, -0.6)
    ax.set_yticks([])
    ax.set_facecolor(palette.paper)
    ax.grid(axis="x", color=palette.faint, linewidth=0.5)
    ax.set_axisbelow(True)
    ax.tick_params(labelsize=7, colors=palette.quiet, length=2.5, width=0.6, color=palette.quiet)
    ax.set_xlabel("time [s]", fontsize=7.5, color=palette.quiet, labelpad=2)
    ax.xaxis.get_offset_text().set(fontsize=7, color=palette.quiet)
    for side_name, spine in ax.spines.items():
        spine.set_visible(side_name == "bottom")
        spine.set_color(palette.quiet)
        spine.set_linewidth(0.6)
    ax.set_title(_timeline_title(tracks), loc="left", fontsize=9, color=palette.ink, pad=5)
