"""By what is an actor known in pictures of a script? By its colour, and by a mark where others have one much like it.

Its colour is that of its look, or of its name if that is one: who is called red is drawn red.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from keypose.plot.canvas.theme import Palette
from keypose.plot.marks.actor_colours import LINE_CONTRAST, count_similar, default_colors, legible_color, parse_color

MARKERS = ("o", "s", "D", "v", "*", "p", "<", "h")  # what is late or has failed has other ones


@dataclass(frozen=True)
class ActorMarker:
    """How an actor is drawn: in which colour, and with which mark of matplotlib."""

    color: str
    shape: str


def assign_markers(actors: Sequence[str], looks: Mapping[str, object], palette: Palette) -> dict[str, ActorMarker]:
    """A sign for each; colours come again only where there are more actors than colours, then with another mark."""
    own_colors = {name: color for name in actors if (color := _own_color(name, looks.get(name))) is not None}
    colors = {name: legible_color(color, palette, LINE_CONTRAST) for name, color in own_colors.items()}
    free = [color for color in default_colors(palette) if not count_similar(colors.values(), color)] or default_colors(
        palette
    )
    uncolored = [name for name in actors if name not in colors]
    colors |= {name: free[number % len(free)] for number, name in enumerate(uncolored)}
    return _distinct_markers({name: colors[name] for name in actors})


def _own_color(name: str, look: object) -> str | None:
    """The colour that an actor is said to have, by its look or else by its name."""
    from matplotlib.colors import CSS4_COLORS

    lowercase = name.strip().lower()
    return parse_color(look) or (parse_color(lowercase) if lowercase in CSS4_COLORS else None)


def _distinct_markers(colors: Mapping[str, str]) -> dict[str, ActorMarker]:
    """Give those another mark whose colour is near one that was there before."""
    markers, used_colors = dict[str, ActorMarker](), list[str]()
    for name, color in colors.items():
        markers[name] = ActorMarker(color, MARKERS[count_similar(used_colors, color) % len(MARKERS)])
        used_colors.append(color)
    return markers
