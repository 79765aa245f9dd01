"""How is an actor's name written into a picture? On one line, never as a formula, and only in letters that we have."""

from collections.abc import Callable
from functools import cache

from keypose.plot.canvas.theme import Look, blank, families

LONGEST = 24  # letters
ROOM = 1.06  # letters are not equally wide in all sizes
NO_GLYPH = "□"


def written(name: str, number: int | None, longest: int = LONGEST) -> str:
    """A name as it stands in a picture, or a sentence.

    Our pictures have one font, so that they are the same everywhere; letters that are not in it come from another that
    is there. Where none is, they are boxes, and an actor's number tells two such names apart; sentences have none.
    """
    line = " ".join(name.split())
    drawn = "".join(letter if _known(letter) else NO_GLYPH for letter in line)
    if len(drawn) > longest:
        drawn = drawn[: longest - 1] + "…"
    if number is not None and (NO_GLYPH in drawn or not drawn):
        drawn = f"{drawn} #{number}".strip()
    return drawn.replace("$", r"\$")


def measure(look: Look) -> Callable[..., float]:
    """What tells how wide a text will be [points], by its size [points] and its weight."""
    ax = blank(1.0, 1.0, look).add_axes((0, 0, 1, 1))

    @cache
    def width(text: str, size: float, weight: str = "normal") -> float:
        probe = ax.text(0, 0, text, fontsize=size, fontweight=weight)
        found = float(probe.get_window_extent().width) * ROOM * 72 / ax.figure.dpi
        probe.remove()
        return found

    return width


@cache
def _known(letter: str) -> bool:
    """Whether one of our fonts has this letter."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    fonts = (get_font(findfont(FontProperties(family=family))) for family in families())
    return letter.isprintable() and any(font.get_char_index(ord(letter)) > 0 for font in fonts)
