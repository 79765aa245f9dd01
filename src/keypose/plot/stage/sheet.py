"""Who plays together, at a glance? One sheet of a whole cast: space, diagrams beside it, who moves when below it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from keypose.motion import Event
from keypose.plot.canvas.text import display_text
from keypose.plot.canvas.theme import Palette, new_figure
from keypose.plot.marks.actor_colours import assign_colors
from keypose.plot.marks.viewport import draw_legend_row
from keypose.plot.stage.graphs import Graph, build_graphs, draw_graph, fastest_actors
from keypose.plot.stage.timeline import draw_timeline, timeline_height
from keypose.plot.stage.tracks import StageTracks
from keypose.plot.stage.trails import MAX_MEDIUM_TRAILS, draw_trails, stage_views

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHEET_WIDTH, UPPER_HEIGHT = 12.0, 6.2  # inches: the sheet, and what is above the strip
MAX_ALL_NAMED, NAMED_SAMPLE = 24, 12  # so many actors are all named in space; of more, so many
MAX_EVENT_LINES = 3  # so many events are told in full
LINE_HEIGHT, LINE_LENGTH = 0.17, 170  # inches: a line of text, and how much stands on it


def stage_sheet(tracks: StageTracks, palette: Palette) -> "Figure":
    """The sheet of a cast."""
    colors = dict(zip(tracks.by_name, assign_colors([track.look for track in tracks.actors], palette), strict=True))
    names = {track.name: display_text(track.name, number) for number, track in enumerate(tracks.actors)}
    event_lines = _event_lines(tracks.events)
    bottom_height = 0.42 + LINE_HEIGHT * len(event_lines) + timeline_height(len(names))
    height_inches = UPPER_HEIGHT + bottom_height + 0.35
    figure = new_figure(SHEET_WIDTH, height_inches, palette)
    _draw_views(figure, tracks, colors, names, palette, (height_inches - UPPER_HEIGHT) / height_inches)
    _draw_graphs(
        figure, tracks, build_graphs(tracks, colors, names), palette, (height_inches - UPPER_HEIGHT) / height_inches
    )
    box = (
        0.115,
        (bottom_height - timeline_height(len(names))) / height_inches,
        0.865,
        timeline_height(len(names)) / height_inches,
    )
    draw_timeline(figure.add_axes(box), tracks, colors, names, palette)
    for row, (text, is_warning) in enumerate(event_lines):
        height = LINE_HEIGHT * (len(event_lines) - row - 0.4) / height_inches
        figure.text(0.025, height, text, fontsize=7, color=palette.key if is_warning else palette.quiet, va="center")
    return figure


def _event_lines(events: tuple[Event, ...]) -> list[tuple[str, bool]]:
    """What happened, in a line each, and whether it warns; of many the first."""
    lines = [
        (display_text(f"{event.time:g} s, {event.actor}: {event.text}", None, LINE_LENGTH), event.kind == "warning")
        for event in events[:MAX_EVENT_LINES]
    ]
    return lines + ([(f"and {len(events) - MAX_EVENT_LINES} more", False)] if len(events) > MAX_EVENT_LINES else [])


def _draw_views(
    figure: "Figure",
    tracks: StageTracks,
    colors: Mapping[str, str],
    names: Mapping[str, str],
    palette: Palette,
    bottom: float,
) -> None:
    """One view alone, or four: top and perspective above front and side; and what the marks mean."""
    height_inches = figure.get_figheight()
    _draw_legend(figure, tracks, palette, 0.025, bottom + 0.05 / height_inches)
    low, high = bottom + 0.25 / height_inches, 1 - 0.3 / height_inches
    views = stage_views(tracks)
    spots = [(0.02, low, 0.60, high - low)]
    if len(views) == 4:
        wide, each, head = 0.295, (high - low) / 2 - 0.1 / height_inches, 0.2 / height_inches
        spots = [(0.02 + (wide + 0.01) * (i % 2), low + (1 - i // 2) * (each + head), wide, each) for i in range(4)]
    groups = _large_groups(tracks)
    actor_names = {
        name: names[name]
        for name in _named_actors(tracks, {name for names_in_group in groups.values() for name in names_in_group})
    }
    group_names = {
        display_text(f"{group}/*: {len(names_in_group):,}", number): names_in_group
        for number, (group, names_in_group) in enumerate(groups.items(), 1)
    }
    for view, spot in zip(views, spots, strict=True):
        draw_trails(figure.add_axes(spot), tracks, colors, actor_names, group_names, view, palette)


def _large_groups(tracks: StageTracks) -> dict[str, list[str]]:
    """Of many actors, the large groups, each named once in space: who has the same name up to its first stroke."""
    if len(tracks.actors) <= MAX_ALL_NAMED:
        return {}
    found: dict[str, list[str]] = {}
    for name in tracks.by_name:
        group, separator, _ = name.partition("/")
        if group and separator:
            found.setdefault(group, []).append(name)
    return {group: names for group, names in found.items() if len(names) > NAMED_SAMPLE}


def _named_actors(tracks: StageTracks, grouped: set[str]) -> list[str]:
    """Whose own names stand in space: all who are in no group, or of many the fastest and some all over the cast."""
    others = [name for name in tracks.by_name if name not in grouped]
    if len(others) <= MAX_ALL_NAMED:
        return others
    fastest = [name for name in fastest_actors(tracks) if name not in grouped]
    return list(dict.fromkeys([*fastest, *others[:: -(-len(others) // NAMED_SAMPLE)]]))


def _draw_graphs(
    figure: "Figure", tracks: StageTracks, graphs_shown: list[Graph], palette: Palette, bottom: float
) -> None:
    """Diagrams one above the other on the right."""
    tall = figure.get_figheight()
    above, below, top = 0.3 / tall, 0.42 / tall, 1 - 0.05 / tall
    graph_height = (top - bottom) / len(graphs_shown) - above - below
    for graph in graphs_shown:
        draw_graph(figure.add_axes((0.69, top - above - graph_height, 0.29, graph_height)), graph, tracks, palette)
        top -= above + graph_height + below


def _draw_legend(figure: "Figure", tracks: StageTracks, palette: Palette, left: float, bottom: float) -> None:
    """What the marks mean, in one quiet line."""
    from matplotlib.lines import Line2D

    def mark(label: str, marker: str, size: float, **style: Any) -> Line2D:
        return Line2D(
            [], [], color=palette.quiet, linestyle="none", marker=marker, markersize=size, label=label, **style
        )

    begins = [mark("begins", "o", 5, markerfacecolor="none")] if len(tracks.actors) <= MAX_MEDIUM_TRAILS else []
    marks = [
        *begins,
        mark(
            "frame" if tracks.frames_per_dot == 1 else f"every {tracks.frames_per_dot} frames",
            "o",
            2.8,
            markeredgewidth=0,
        ),
        mark("ends", "o", 6, markeredgewidth=0),
    ]
    if any(len(track.key_positions) for track in tracks.actors):
        marks.append(mark("key", "s", 5.5, markerfacecolor="none"))
    if any(len(track.targets) for track in tracks.actors):
        marks.append(Line2D([], [], color=palette.quiet, linestyle=(0, (4, 3)), linewidth=0.9, label="target"))
    if tracks.meetings:
        marks.append(mark("meets", "o", 8.5, markerfacecolor="none", markeredgecolor=palette.ink, markeredgewidth=1.3))
    if any(track.parent is not None for track in tracks.actors):
        marks.append(Line2D([], [], color=palette.quiet, linewidth=2.2, label="stands on"))
    if any(track.fov is not None for track in tracks.actors):
        marks.append(mark("camera", "<", 6, markerfacecolor="none"))
    for kind, marker, color in (("warning", "^", palette.key), ("note", "D", palette.other)):
        if any(event.kind == kind for event in tracks.events):
            marks.append(mark(kind, marker, 5.5, markeredgecolor=color, markerfacecolor=color))
    draw_legend_row(figure, marks, palette, left, bottom)
