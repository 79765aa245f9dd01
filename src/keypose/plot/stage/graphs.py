"""How fast, how high, how far apart is everybody over time? A line each; of many the fastest, and the range of all."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from keypose.maths import Floats
from keypose.plot.canvas.labels import Labels
from keypose.plot.canvas.theme import Palette, set_up_diagram_axes
from keypose.plot.marks.actor_colours import legible_color
from keypose.plot.stage.tracks import StageTracks

if TYPE_CHECKING:
    from matplotlib.axes import Axes


MAX_SINGLE_LINES = 8  # so many have a line each; of more …
FASTEST_COUNT = 5  # … so many
MAX_PAIRS = 4
LEVEL_TOLERANCE = 1e-6  # of the size of the scene: a height that changes by less is level
MARGIN = 0.1  # of a diagram, above and below
MIN_TOP = 1e-200
MAX_EVENT_LINES = 24  # so many events are marked
LABEL_ANCHORS = 12  # places along a line that are tried for its name


@dataclass(frozen=True)
class Graph:
    """Values over time: a line for each of `shown`, and the range of all lines if there are more."""

    title: str
    unit: str
    times: Floats
    lines: Mapping[str, Floats]
    shown_names: tuple[str, ...]
    colors: Mapping[str, str]
    names: Mapping[str, str]
    starts_at_zero: bool = True
    ring_points: tuple[tuple[float, float], ...] = ()
    """Moments and values to be marked."""


def fastest_actors(tracks: StageTracks) -> tuple[str, ...]:
    """Who has a line of its own: everybody, or of many the fastest, in the order of the cast."""
    if len(tracks.actors) <= MAX_SINGLE_LINES:
        return tuple(track.name for track in tracks.actors)
    tops = [np.nanmax(np.append(tracks.speeds[track.name], 0.0)) for track in tracks.actors]
    chosen = np.sort(np.argsort(-np.array(tops), kind="stable")[:FASTEST_COUNT])
    return tuple(tracks.actors[index].name for index in chosen)


def build_graphs(tracks: StageTracks, colors: Mapping[str, str], names: Mapping[str, str]) -> list[Graph]:
    """What is worth a diagram, from top to bottom: speeds; heights if anybody rises; distances if it is said whose."""
    shown_names = fastest_actors(tracks)
    subset_text = f": the fastest {len(shown_names)} of {len(tracks.actors)}, and the range of all"
    title_suffix = "" if len(shown_names) == len(tracks.actors) else subset_text
    # A speed is known between two moments; at the first and the last it is that of their only neighbour.
    sample_times = np.concatenate([tracks.times[:1], (tracks.times[:-1] + tracks.times[1:]) / 2, tracks.times[-1:]])
    speeds = {name: np.pad(values, 1, "edge") if len(values) else np.zeros(2) for name, values in tracks.speeds.items()}
    graph_list = [Graph(f"speed{title_suffix}", "m/s", sample_times, speeds, shown_names, colors, names)]
    heights = {track.name: track.positions[:, 1] for track in tracks.actors}
    if any(
        _height_range(height) > max(LEVEL_TOLERANCE * tracks.size, tracks.position_tolerance)
        for height in heights.values()
    ):
        graph_list.append(
            Graph(
                f"height y{title_suffix}", "m", tracks.times, heights, shown_names, colors, names, starts_at_zero=False
            )
        )
    if tracks.distance_pairs:
        graph_list.append(_distance_graph(tracks, colors, names))
    return graph_list


def _height_range(height: Floats) -> float:
    known = height[np.isfinite(height)]
    return float(np.ptp(known)) if len(known) else 0.0


def _distance_graph(tracks: StageTracks, colors: Mapping[str, str], names: Mapping[str, str]) -> Graph:
    """Distances of those that meet, watch or look at each other; rings where they meet."""
    pairs = tracks.distance_pairs[:MAX_PAIRS]
    titles = {f"{names[first]} – {names[second]}": (first, second) for first, second in pairs}
    lines = {label: tracks.distance(pair) for label, pair in titles.items()}
    rings = tuple(
        (meeting.time, float(np.interp(meeting.time, tracks.times, lines[label])))
        for label, pair in titles.items()
        for meeting in tracks.meetings
        if {meeting.actor, meeting.carrier} == set(pair)
    )
    title = "distance"
    if len(pairs) < len(tracks.distance_pairs):
        title += f": {len(pairs)} of {len(tracks.distance_pairs)} pairs"
    elif len(pairs) == 1:
        title += f": {next(iter(titles))}"
    colors_by_title = {label: colors[pair[0]] for label, pair in titles.items()}
    return Graph(
        title,
        "m",
        tracks.times,
        lines,
        tuple(lines),
        colors_by_title,
        {label: label for label in titles},
        ring_points=rings,
    )


def draw_graph(ax: "Axes", graph: Graph, tracks: StageTracks, palette: Palette) -> None:
    """A graph with its names where they find a place, and a dotted line for each event."""
    set_up_diagram_axes(ax, palette, graph.title, "time [s]", graph.unit)
    labels = Labels(ax, inside=True)
    if len(graph.lines) > len(graph.shown_names):
        _draw_range(ax, graph, palette, labels)
    for name in graph.shown_names:
        line = np.stack([graph.times, graph.lines[name]], axis=-1)
        ax.plot(*line.T, color=graph.colors[name], linewidth=1.4, zorder=3, label=name)
        labels.avoid_line(line)
        known = line[np.isfinite(line).all(axis=1)]
        if len(known) and len(graph.shown_names) > 1:
            anchors = known[np.unique(np.linspace(0, len(known) - 1, LABEL_ANCHORS).astype(int))]
            labels.add(anchors, graph.names[name], legible_color(graph.colors[name], palette), 7.0, optional=True)
    for moment, value in graph.ring_points:
        ax.plot(moment, value, "o", markersize=8, color=palette.ink, markerfacecolor="none", clip_on=False, zorder=5)
    begin, end = tracks.span
    for event in [event for event in tracks.events if begin <= event.time <= end][:MAX_EVENT_LINES]:
        ax.axvline(event.time, color=palette.key, linewidth=0.8, linestyle=(0, (1, 2)), zorder=2)
    _set_limits(ax, graph, tracks)
    labels.place()


def _draw_range(ax: "Axes", graph: Graph, palette: Palette, labels: Labels) -> None:
    """From the least to the most of all, and the middle one."""
    all_values = np.array(list(graph.lines.values()))
    is_known = np.isfinite(all_values)
    has_values = is_known.any(axis=0)
    low = np.where(is_known, all_values, np.inf).min(axis=0)
    high = np.where(is_known, all_values, -np.inf).max(axis=0)
    median = np.array(
        [
            np.median(column[column_known]) if column_known.any() else np.nan
            for column, column_known in zip(all_values.T, is_known.T, strict=True)
        ]
    )
    ax.fill_between(graph.times, low, high, where=has_values, color=palette.faint, alpha=0.6, linewidth=0, zorder=1)
    ax.plot(graph.times, median, color=palette.quiet, linewidth=1.0, linestyle=(0, (3, 2)), zorder=2)
    labels.avoid_line(np.stack([graph.times, median], axis=-1))


def _set_limits(ax: "Axes", graph: Graph, tracks: StageTracks) -> None:
    """All of the span, and all values with some room, also where nothing happens."""
    begin, end = tracks.span
    side = 0.01 * (end - begin) or 0.5
    ax.set_xlim(begin - side, end + side)
    values = np.concatenate([np.zeros(0), *graph.lines.values()])
    values = values[np.isfinite(values)]
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 0.0)
    if graph.starts_at_zero:
        ax.set_ylim(0.0, high * (1 + MARGIN) if high > MIN_TOP else 1.0)
        return
    room = max(MARGIN * (high - low), 1e-6 * max(abs(low), abs(high))) or 0.5
    ax.set_ylim(low - room, high + room)
