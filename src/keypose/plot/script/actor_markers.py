"""By what is an actor known in pictures of a script? By its colour, and by a mark where others have one much like it.

Its colour is that of its look, or of its name if that is one: who is called red is drawn red.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from keypose.plot.canvas.theme import Look
from keypose.plot.marks.actor_colours import DRAWN, legible, named, near, palette

MARKS = ("o", "s", "D", "v", "*", "p", "<", "h")  # what is late or has failed has other ones


@dataclass(frozen=True)
class Sign:
    """How an actor is drawn: in which colour, and with which mark of matplotlib."""

    color: str
    mark: str


def signs(actors: Sequence[str], looks: Mapping[str, object], look: Look) -> dict[str, Sign]:
    """A sign for each; colours come again only where there are more actors than colours, then with another mark."""
    own = {name: color for name in actors if (color := _own(name, looks.get(name))) is not None}
    drawn = {name: legible(color, look, DRAWN) for name, color in own.items()}
    free = [color for color in palette(look) if not near(drawn.values(), color)] or palette(look)
    others = [name for name in actors if name not in drawn]
    drawn |= {name: free[number % len(free)] for number, name in enumerate(others)}
    return _marked({name: drawn[name] for name in actors})


def _own(name: str, look: object) -> str | None:
    """The colour that an actor is said to have, by its look or else by its name."""
    from matplotlib.colors import CSS4_COLORS

    word = name.strip().lower()
    return named(look) or (named(word) if word in CSS4_COLORS else None)


def _marked(colors: Mapping[str, str]) -> dict[str, Sign]:
    """Give those another mark whose colour is near one that was there before."""
    found, seen = dict[str, Sign](), list[str]()
    for name, color in colors.items():
        found[name] = Sign(color, MARKS[near(seen, color) % len(MARKS)])
        seen.append(color)
    return found
