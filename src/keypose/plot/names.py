"""How is an actor's name written into a picture? On one line, never as a formula, and only in letters that we have."""

from functools import cache

LONGEST = 24  # letters
NO_GLYPH = "□"


def written(name: str, number: int, longest: int = LONGEST) -> str:
    """A name as it stands in a picture.

    Our pictures have one font, so that they are the same everywhere; what is not in it is a box, and the actor's number
    tells two such names apart.
    """
    line = " ".join(name.split())
    drawn = "".join(letter if _known(letter) else NO_GLYPH for letter in line)
    if len(drawn) > longest:
        drawn = drawn[: longest - 1] + "…"
    if NO_GLYPH in drawn or not drawn:
        drawn = f"{drawn} #{number}".strip()
    return drawn.replace("$", r"\$")


@cache
def _known(letter: str) -> bool:
    """Whether our font has this letter."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    font = get_font(findfont(FontProperties(family="DejaVu Sans")))
    return letter.isprintable() and font.get_char_index(ord(letter)) > 0
