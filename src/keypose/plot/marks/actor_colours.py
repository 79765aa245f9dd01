"""Which colour does each of a cast have? Its own look's if that is a colour, else one that all eyes can tell apart."""

from collections.abc import Iterable, Sequence

import numpy as np

from keypose.plot.canvas.theme import LIGHT, Look
from keypose.plot.marks.bones import faded

# Chosen so that any two differ by 30 or more in L*a*b*, to protanopes and deuteranopes too.
ON_LIGHT = ("#0088ee", "#992200", "#449966", "#0000cc", "#bb8800", "#aa77aa", "#441122", "#003377")
ON_DARK = ("#77aaff", "#ee7711", "#77eeaa", "#bb5588", "#ffff00", "#7755ff", "#77ffff", "#bb5544")
RAMP_ON_LIGHT, RAMP_ON_DARK = (0.0, 0.8), (0.25, 1.0)  # of viridis, for casts larger than a palette
NEARLY = 0.25  # of RGB: a colour this near to one that an actor chose is not given to another
DRAWN, WRITTEN = 2.2, 4.5  # how much a line, and how much a text, stands out from the paper (WCAG 2)
SRGB = np.array([0.2126, 0.7152, 0.0722])


def colours(looks: Sequence[object], look: Look) -> list[str]:
    """A colour for each actor, by what each looks like."""
    chosen = [None if name is None else legible(name, look, DRAWN) for name in map(named, looks)]
    free = [color for color in palette(look) if not near([one for one in chosen if one is not None], color)]
    others = chosen.count(None)
    rest = iter(free if others <= len(free) else _ramp(others, look))
    return [next(rest) if color is None else color for color in chosen]


def palette(look: Look) -> tuple[str, ...]:
    """The colours for those who have chosen none, on such a paper."""
    return ON_LIGHT if look == LIGHT else ON_DARK


def near(colors: Iterable[str], color: str) -> int:
    """How many of these are nearly this colour."""
    from matplotlib.colors import to_rgb

    away = np.array([to_rgb(one) for one in colors]).reshape(-1, 3) - to_rgb(color)
    return int((np.linalg.norm(away, axis=1) < NEARLY).sum())


def legible(color: str, look: Look, least: float = WRITTEN) -> str:
    """The colour, mixed with as little ink as makes it stand out from the paper."""
    mixed = (faded(color, look.ink, float(strength)) for strength in np.linspace(1, 0, 21))
    return next((one for one in mixed if _contrast(one, look.paper) >= least), look.ink)


def named(look: object) -> str | None:
    """What an actor looks like as a colour, if it is one."""
    from matplotlib.colors import is_color_like, to_hex

    if not isinstance(look, str) or look.lower() == "none" or not is_color_like(look):
        return None
    return str(to_hex(look))


def _ramp(count: int, look: Look) -> list[str]:
    """Many colours, in order from one end to the other."""
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    low, high = RAMP_ON_LIGHT if look == LIGHT else RAMP_ON_DARK
    return [to_hex(color) for color in colormaps["viridis"](np.linspace(low, high, count))]


def _contrast(one: str, other: str) -> float:
    """How much two colours differ in lightness, 1 … 21 (WCAG 2)."""
    from matplotlib.colors import to_rgb

    given = np.array([to_rgb(one), to_rgb(other)])
    low, high = np.sort(np.where(given <= 0.04045, given / 12.92, ((given + 0.055) / 1.055) ** 2.4) @ SRGB)
    return float((high + 0.05) / (low + 0.05))
