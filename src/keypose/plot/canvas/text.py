"""How is an actor's name written into a picture? On one line, never as a formula, and only in letters that we have."""

from collections.abc import Callable
from functools import cache

from keypose.plot.canvas.theme import Palette, font_families, new_figure

MAX_LETTERS = 24  # letters
WIDTH_ALLOWANCE = 1.06  # letters are not equally wide in all sizes
NO_GLYPH = "□"


def display_text(name: str, number: int | None, longest: int = MAX_LETTERS) -> str:
    """A name as it stands in a picture, or a sentence.

    Our pictures have one font, so that they are the same everywhere; letters that are not in it come from another that
    is there. Where none is, they are boxes, and an actor's number tells two such names apart; sentences have none.
    """
    single_line = " ".join(name.split())
    result = "".join(letter if has_glyph(letter) else NO_GLYPH for letter in single_line)
    if len(result) > longest:
        result = result[: longest - 1] + "…"
    if number is not None and (NO_GLYPH in result or not result):
        result = f"{result} #{number}".strip()
    return result.replace("$", r"\$")


def build_text_measure(palette: Palette) -> Callable[..., float]:
    """What tells how wide a text will be [points], by its size [points] and its weight."""
    ax = new_figure(1.0, 1.0, palette).add_axes((0, 0, 1, 1))

    @cache
    def text_width(text: str, size: float, weight: str = "normal") -> float:
        probe = ax.text(0, 0, text, fontsize=size, fontweight=weight)
        found = float(probe.get_window_extent().width) * WIDTH_ALLOWANCE * 72 / ax.figure.dpi
        probe.remove()
        return found

    return text_width


@cache
def has_glyph(letter: str) -> bool:
    """Whether one of our fonts has this letter."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    fonts = (get_font(findfont(FontProperties(family=family))) for family in font_families())
    return letter.isprintable() and any(font.get_char_index(ord(letter)) > 0 for font in fonts)
