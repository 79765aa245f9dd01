"""How fast, how high, how far apart is everybody over time? A line each; of many the fastest, and the range of all."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from keypose.maths.arrays import Floats
from keypose.plot.canvas.labels import Labels
from keypose.plot.canvas.theme import Look, framed
from keypose.plot.marks.actor_colours import legible
from keypose.plot.stage.tracks import Cast

if TYPE_CHECKING:
    from matplotlib.axes import Axes


ALL = 8  # so many have a line each; of more …
FASTEST = 5  # … so many
PAIRS = 4
LEVEL = 1e-6  # of the size of the scene: a height that changes by less is level
ROOM = 0.1  # of a diagram, above and below
NOTHING = 1e-200
MARKED = 24  # so many events are marked
ANCHORS = 12  # places along a line that are tried for its name


@dataclass(frozen=True)
class Graph:
    """Values over time: a line for each of `shown`, and the range of all lines if there are more."""

    title: str
    unit: str
    times: Floats
    lines: Mapping[str, Floats]
    shown: tuple[str, ...]
    colors: Mapping[str, str]
    names: Mapping[str, str]
    from_zero: bool = True
    rings: tuple[tuple[float, float], ...] = ()
    """Moments and values to be marked."""


def fastest(cast: Cast) -> tuple[str, ...]:
    """Who has a line of its own: everybody, or of many the fastest, in the order of the cast."""
    if len(cast.players) <= ALL:
        return tuple(player.name for player in cast.players)
    tops = [np.nanmax(np.append(cast.speeds[player.name], 0.0)) for player in cast.players]
    chosen = np.sort(np.argsort(-np.array(tops), kind="stable")[:FASTEST])
    return tuple(cast.players[index].name for index in chosen)


def graphs(cast: Cast, colors: Mapping[str, str], names: Mapping[str, str]) -> list[Graph]:
    """What is worth a diagram, from top to bottom: speeds; heights if anybody rises; distances if it is said whose."""
    shown = fastest(cast)
    some = f": the fastest {len(shown)} of {len(cast.players)}, and the range of all"
    of = "" if len(shown) == len(cast.players) else some
    # A speed is known between two moments; at the first and the last it is that of their only neighbour.
    between = np.concatenate([cast.times[:1], (cast.times[:-1] + cast.times[1:]) / 2, cast.times[-1:]])
    speeds = {name: np.pad(values, 1, "edge") if len(values) else np.zeros(2) for name, values in cast.speeds.items()}
    made = [Graph(f"speed{of}", "m/s", between, speeds, shown, colors, names)]
    heights = {player.name: player.places[:, 1] for player in cast.players}
    if any(_rise(height) > max(LEVEL * cast.size, cast.rounding) for height in heights.values()):
        made.append(Graph(f"height y{of}", "m", cast.times, heights, shown, colors, names, from_zero=False))
    if cast.pairs:
        made.append(_apart(cast, colors, names))
    return made


def _rise(height: Floats) -> float:
    known = height[np.isfinite(height)]
    return float(np.ptp(known)) if len(known) else 0.0


def _apart(cast: Cast, colors: Mapping[str, str], names: Mapping[str, str]) -> Graph:
    """Distances of those that meet, watch or look at each other; rings where they meet."""
    chosen = cast.pairs[:PAIRS]
    titles = {f"{names[one]} – {names[other]}": (one, other) for one, other in chosen}
    lines = {title: cast.distance(pair) for title, pair in titles.items()}
    rings = tuple(
        (meeting.time, float(np.interp(meeting.time, cast.times, lines[title])))
        for title, pair in titles.items()
        for meeting in cast.meetings
        if {meeting.who, meeting.whom} == set(pair)
    )
    told = "distance"
    if len(chosen) < len(cast.pairs):
        told += f": {len(chosen)} of {len(cast.pairs)} pairs"
    elif len(chosen) == 1:
        told += f": {next(iter(titles))}"
    own = {title: colors[pair[0]] for title, pair in titles.items()}
    return Graph(told, "m", cast.times, lines, tuple(lines), own, {title: title for title in titles}, rings=rings)


def draw(ax: "Axes", graph: Graph, cast: Cast, look: Look) -> None:
    """A graph with its names where they find a place, and a dotted line for each event."""
    framed(ax, look, graph.title, "time [s]", graph.unit)
    labels = Labels(ax, inside=True)
    if len(graph.lines) > len(graph.shown):
        _range(ax, graph, look, labels)
    for name in graph.shown:
        line = np.stack([graph.times, graph.lines[name]], axis=-1)
        ax.plot(*line.T, color=graph.colors[name], linewidth=1.4, zorder=3, label=name)
        labels.avoid(line)
        known = line[np.isfinite(line).all(axis=1)]
        if len(known) and len(graph.shown) > 1:
            some = known[np.unique(np.linspace(0, len(known) - 1, ANCHORS).astype(int))]
            labels.want(some, graph.names[name], legible(graph.colors[name], look), 7.0, spare=True)
    for moment, value in graph.rings:
        ax.plot(moment, value, "o", markersize=8, color=look.ink, markerfacecolor="none", clip_on=False, zorder=5)
    begin, end = cast.span
    for event in [event for event in cast.events if begin <= event.time <= end][:MARKED]:
        ax.axvline(event.time, color=look.key, linewidth=0.8, linestyle=(0, (1, 2)), zorder=2)
    _limits(ax, graph, cast)
    labels.place()


def _range(ax: "Axes", graph: Graph, look: Look, labels: Labels) -> None:
    """From the least to the most of all, and the middle one."""
    everybody = np.array(list(graph.lines.values()))
    known = np.isfinite(everybody)
    some = known.any(axis=0)
    low = np.where(known, everybody, np.inf).min(axis=0)
    high = np.where(known, everybody, -np.inf).max(axis=0)
    middle = np.array(
        [np.median(column[here]) if here.any() else np.nan for column, here in zip(everybody.T, known.T, strict=True)]
    )
    ax.fill_between(graph.times, low, high, where=some, color=look.faint, alpha=0.6, linewidth=0, zorder=1)
    ax.plot(graph.times, middle, color=look.quiet, linewidth=1.0, linestyle=(0, (3, 2)), zorder=2)
    labels.avoid(np.stack([graph.times, middle], axis=-1))


def _limits(ax: "Axes", graph: Graph, cast: Cast) -> None:
    """All of the span, and all values with some room, also where nothing happens."""
    begin, end = cast.span
    side = 0.01 * (end - begin) or 0.5
    ax.set_xlim(begin - side, end + side)
    values = np.concatenate([np.zeros(0), *graph.lines.values()])
    values = values[np.isfinite(values)]
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 0.0)
    if graph.from_zero:
        ax.set_ylim(0.0, high * (1 + ROOM) if high > NOTHING else 1.0)
        return
    room = max(ROOM * (high - low), 1e-6 * max(abs(low), abs(high))) or 0.5
    ax.set_ylim(low - room, high + room)
