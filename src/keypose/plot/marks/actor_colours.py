"""Which colour does each of a cast have? Its own look's if that is a colour, else one that all eyes can tell apart."""

from collections.abc import Iterable, Sequence

import numpy as np

from keypose.plot.canvas.theme import LIGHT, Palette
from keypose.plot.marks.bones import fade_color

# Chosen so that any two differ by 30 or more in L*a*b*, to protanopes and deuteranopes too.
COLORS_ON_LIGHT = ("#0088ee", "#992200", "#449966", "#0000cc", "#bb8800", "#aa77aa", "#441122", "#003377")
COLORS_ON_DARK = ("#77aaff", "#ee7711", "#77eeaa", "#bb5588", "#ffff00", "#7755ff", "#77ffff", "#bb5544")
RAMP_ON_LIGHT, RAMP_ON_DARK = (0.0, 0.8), (0.25, 1.0)  # of viridis, for casts larger than a palette
SIMILAR_DISTANCE = 0.25  # of RGB: a colour this near to one that an actor chose is not given to another
LINE_CONTRAST, TEXT_CONTRAST = 2.2, 4.5  # how much a line, and how much a text, stands out from the paper (WCAG 2)
LUMINANCE_WEIGHTS = np.array([0.2126, 0.7152, 0.0722])


def assign_colors(looks: Sequence[object], palette: Palette) -> list[str]:
    """A colour for each actor, by what each looks like."""
    own_colors = [
        None if name is None else legible_color(name, palette, LINE_CONTRAST) for name in map(parse_color, looks)
    ]
    free = [
        color
        for color in default_colors(palette)
        if not count_similar([own_color for own_color in own_colors if own_color is not None], color)
    ]
    missing_count = own_colors.count(None)
    remaining = iter(free if missing_count <= len(free) else _color_ramp(missing_count, palette))
    return [next(remaining) if color is None else color for color in own_colors]


def default_colors(palette: Palette) -> tuple[str, ...]:
    """The colours for those who have chosen none, on such a paper."""
    return COLORS_ON_LIGHT if palette == LIGHT else COLORS_ON_DARK


def count_similar(colors: Iterable[str], color: str) -> int:
    """How many of these are nearly this colour."""
    from matplotlib.colors import to_rgb

    differences = np.array([to_rgb(other) for other in colors]).reshape(-1, 3) - to_rgb(color)
    return int((np.linalg.norm(differences, axis=1) < SIMILAR_DISTANCE).sum())


def legible_color(color: str, palette: Palette, min_contrast: float = TEXT_CONTRAST) -> str:
    """The colour, mixed with as little ink as makes it stand out from the paper."""
    mixes = (fade_color(color, palette.ink, float(strength)) for strength in np.linspace(1, 0, 21))
    return next((mix for mix in mixes if _contrast_ratio(mix, palette.paper) >= min_contrast), palette.ink)


def parse_color(look: object) -> str | None:
    """What an actor looks like as a colour, if it is one."""
    from matplotlib.colors import is_color_like, to_hex

    if not isinstance(look, str) or look.lower() == "none" or not is_color_like(look):
        return None
    return str(to_hex(look))


def _color_ramp(count: int, palette: Palette) -> list[str]:
    """Many colours, in order from one end to the other."""
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    low, high = RAMP_ON_LIGHT if palette == LIGHT else RAMP_ON_DARK
    return [to_hex(color) for color in colormaps["viridis"](np.linspace(low, high, count))]


def _contrast_ratio(first: str, second: str) -> float:
    """How much two colours differ in lightness, 1 … 21 (WCAG 2)."""
    from matplotlib.colors import to_rgb

    rgb = np.array([to_rgb(first), to_rgb(second)])
    low, high = np.sort(np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4) @ LUMINANCE_WEIGHTS)
    return float((high + 0.05) / (low + 0.05))
