"""Both palettes can be read on their paper, also by eyes that do not tell red from green."""

from itertools import combinations

import numpy as np
import pytest

from keypose.plot.canvas.theme import PALETTES, SETTINGS, settings
from keypose.plot.drawing import Drawing
from keypose.plot.marks.actor_colours import COLORS_ON_DARK, COLORS_ON_LIGHT

ROLES = ("path", "key", "arrive", "leave", "speed", "other")
SAME_PANEL = {  # what can be seen in one panel
    *combinations(("path", "key", "arrive", "leave"), 2),
    ("key", "speed"),
    ("path", "speed"),
    ("key", "other"),
}
COLOUR_VISION = {  # Machado, Oliveira, Fernandes 2009, severity 1, on linear RGB
    "usual": np.eye(3),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def linear(color):
    given = np.array([int(color[start : start + 2], 16) for start in (1, 3, 5)]) / 255
    return np.where(given <= 0.04045, given / 12.92, ((given + 0.055) / 1.055) ** 2.4)


def contrast(one, two):
    """WCAG 2: 1 … 21."""
    low, high = sorted(float(TO_XYZ[1] @ linear(color)) for color in (one, two))
    return (high + 0.05) / (low + 0.05)


def perceived_lab(color, eyes):
    """L*a*b* as these eyes see it."""
    xyz = TO_XYZ @ np.clip(COLOUR_VISION[eyes] @ linear(color), 0, 1) / (0.9505, 1.0, 1.089)
    x, y, z = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("theme", PALETTES)
@pytest.mark.parametrize("role", [*ROLES, "ink", "quiet"])
def test_every_colour_contrasts_with_the_paper(theme, role):
    look = PALETTES[theme]
    least = 4.5 if role in ("ink", "quiet") else 3.0  # text, and graphics
    assert contrast(getattr(look, role), look.paper) >= least


@pytest.mark.parametrize("eyes", COLOUR_VISION)
@pytest.mark.parametrize("theme", PALETTES)
def test_colours_of_one_panel_are_distinguishable_with_colour_blindness(theme, eyes):
    for one, two in combinations(ROLES, 2):
        apart = np.linalg.norm(
            perceived_lab(getattr(PALETTES[theme], one), eyes) - perceived_lab(getattr(PALETTES[theme], two), eyes)
        )
        least = 20 if (one, two) in SAME_PANEL or (two, one) in SAME_PANEL else 12
        assert apart >= least, (one, two, round(float(apart), 1))


@pytest.mark.parametrize("eyes", COLOUR_VISION)
@pytest.mark.parametrize(("theme", "palette"), [("light", COLORS_ON_LIGHT), ("dark", COLORS_ON_DARK)])
def test_eight_actor_colours_are_distinguishable_with_colour_blindness(theme, palette, eyes):
    for one, two in combinations(palette, 2):
        assert np.linalg.norm(perceived_lab(one, eyes) - perceived_lab(two, eyes)) >= 30, (one, two)
    assert min(contrast(color, PALETTES[theme].paper) for color in palette) >= 3.0


def test_settings_apply_inside_and_are_restored_even_after_an_error():
    import matplotlib as mpl

    @settings()
    def salted():
        raise KeyError(mpl.rcParams["svg.hashsalt"])

    before = dict(mpl.rcParams)
    with pytest.raises(KeyError, match=SETTINGS["svg.hashsalt"]):
        salted()
    assert dict(mpl.rcParams) == before


def test_small_values_are_labelled_in_metres_without_offset():
    drawing = Drawing(width=3, height=2)
    ax = drawing.panel(axes=("time [s]", "[m]")).graph([0, 1], [0, 0.03]).ax
    drawing.figure.canvas.draw()
    assert ax.yaxis.get_offset_text().get_text() == ""
    assert "0.030" in [tick.get_text() for tick in ax.get_yticklabels()]
