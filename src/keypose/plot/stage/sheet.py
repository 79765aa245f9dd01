"""Who plays together, at a glance? One sheet of a whole cast: space, diagrams beside it, who moves when below it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from keypose.motion.take import Event
from keypose.plot.canvas.text import written
from keypose.plot.canvas.theme import Look, blank
from keypose.plot.marks.actor_colours import colours
from keypose.plot.marks.viewport import in_a_row
from keypose.plot.stage.graphs import Graph, draw, fastest, graphs
from keypose.plot.stage.timeline import strip, strip_height
from keypose.plot.stage.tracks import Cast
from keypose.plot.stage.trails import MANY, crowd, views_of_all

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, UPPER = 12.0, 6.2  # inches: the sheet, and what is above the strip
ALL_NAMED, SOME_NAMED = 24, 12  # so many actors are all named in space; of more, so many
TOLD = 3  # so many events are told in full
LINE, LETTERS = 0.17, 170  # inches: a line of text, and how much stands on it


def callsheet(cast: Cast, look: Look) -> "Figure":
    """The sheet of a cast."""
    colors = dict(zip(cast.by_name, colours([player.look for player in cast.players], look), strict=True))
    names = {player.name: written(player.name, number) for number, player in enumerate(cast.players)}
    told = _told(cast.events)
    below = 0.42 + LINE * len(told) + strip_height(len(names))
    tall = UPPER + below + 0.35
    figure = blank(WIDTH, tall, look)
    _spaces(figure, cast, colors, names, look, (tall - UPPER) / tall)
    _column(figure, cast, graphs(cast, colors, names), look, (tall - UPPER) / tall)
    box = (0.115, (below - strip_height(len(names))) / tall, 0.865, strip_height(len(names)) / tall)
    strip(figure.add_axes(box), cast, colors, names, look)
    for row, (text, warns) in enumerate(told):
        height = LINE * (len(told) - row - 0.4) / tall
        figure.text(0.025, height, text, fontsize=7, color=look.key if warns else look.quiet, va="center")
    return figure


def _told(events: tuple[Event, ...]) -> list[tuple[str, bool]]:
    """What happened, in a line each, and whether it warns; of many the first."""
    lines = [
        (written(f"{event.time:g} s, {event.actor}: {event.text}", None, LETTERS), event.kind == "warning")
        for event in events[:TOLD]
    ]
    return lines + ([(f"and {len(events) - TOLD} more", False)] if len(events) > TOLD else [])


def _spaces(
    figure: "Figure", cast: Cast, colors: Mapping[str, str], names: Mapping[str, str], look: Look, bottom: float
) -> None:
    """One view alone, or four: top and perspective above front and side; and what the marks mean."""
    tall = figure.get_figheight()
    _legend(figure, cast, look, 0.025, bottom + 0.05 / tall)
    low, high = bottom + 0.25 / tall, 1 - 0.3 / tall
    views = views_of_all(cast)
    spots = [(0.02, low, 0.60, high - low)]
    if len(views) == 4:
        wide, each, head = 0.295, (high - low) / 2 - 0.1 / tall, 0.2 / tall
        spots = [(0.02 + (wide + 0.01) * (i % 2), low + (1 - i // 2) * (each + head), wide, each) for i in range(4)]
    groups = _groups(cast)
    chosen = {name: names[name] for name in _named(cast, {name for members in groups.values() for name in members})}
    called = {
        written(f"{group}/*: {len(members):,}", number): members
        for number, (group, members) in enumerate(groups.items(), 1)
    }
    for view, spot in zip(views, spots, strict=True):
        crowd(figure.add_axes(spot), cast, colors, chosen, called, view, look)


def _groups(cast: Cast) -> dict[str, list[str]]:
    """Of many actors, the large groups, each named once in space: who has the same name up to its first stroke."""
    if len(cast.players) <= ALL_NAMED:
        return {}
    found: dict[str, list[str]] = {}
    for name in cast.by_name:
        group, stroke, _ = name.partition("/")
        if group and stroke:
            found.setdefault(group, []).append(name)
    return {group: members for group, members in found.items() if len(members) > SOME_NAMED}


def _named(cast: Cast, grouped: set[str]) -> list[str]:
    """Whose own names stand in space: all who are in no group, or of many the fastest and some all over the cast."""
    others = [name for name in cast.by_name if name not in grouped]
    if len(others) <= ALL_NAMED:
        return others
    quick = [name for name in fastest(cast) if name not in grouped]
    return list(dict.fromkeys([*quick, *others[:: -(-len(others) // SOME_NAMED)]]))


def _column(figure: "Figure", cast: Cast, shown: list[Graph], look: Look, bottom: float) -> None:
    """Diagrams one above the other on the right."""
    tall = figure.get_figheight()
    above, below, top = 0.3 / tall, 0.42 / tall, 1 - 0.05 / tall
    each = (top - bottom) / len(shown) - above - below
    for graph in shown:
        draw(figure.add_axes((0.69, top - above - each, 0.29, each)), graph, cast, look)
        top -= above + each + below


def _legend(figure: "Figure", cast: Cast, look: Look, left: float, bottom: float) -> None:
    """What the marks mean, in one quiet line."""
    from matplotlib.lines import Line2D

    def mark(label: str, marker: str, size: float, **style: Any) -> Line2D:
        return Line2D([], [], color=look.quiet, linestyle="none", marker=marker, markersize=size, label=label, **style)

    begins = [mark("begins", "o", 5, markerfacecolor="none")] if len(cast.players) <= MANY else []
    marks = [
        *begins,
        mark("frame" if cast.every == 1 else f"every {cast.every} frames", "o", 2.8, markeredgewidth=0),
        mark("ends", "o", 6, markeredgewidth=0),
    ]
    if any(len(player.key_places) for player in cast.players):
        marks.append(mark("key", "s", 5.5, markerfacecolor="none"))
    if any(len(player.aims) for player in cast.players):
        marks.append(Line2D([], [], color=look.quiet, linestyle=(0, (4, 3)), linewidth=0.9, label="target"))
    if cast.meetings:
        marks.append(mark("meets", "o", 8.5, markerfacecolor="none", markeredgecolor=look.ink, markeredgewidth=1.3))
    if any(player.parent is not None for player in cast.players):
        marks.append(Line2D([], [], color=look.quiet, linewidth=2.2, label="stands on"))
    if any(player.fov is not None for player in cast.players):
        marks.append(mark("camera", "<", 6, markerfacecolor="none"))
    for kind, marker, color in (("warning", "^", look.key), ("note", "D", look.other)):
        if any(event.kind == kind for event in cast.events):
            marks.append(mark(kind, marker, 5.5, markeredgecolor=color, markerfacecolor=color))
    in_a_row(figure, marks, look, left, bottom)
