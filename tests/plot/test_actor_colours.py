"""Everybody has a colour of its own that can be seen: its look's, one of eight, or one of many in order."""

import pytest

from keypose import Camera
from keypose.plot.canvas.theme import PALETTES
from keypose.plot.marks.actor_colours import COLORS_ON_LIGHT, assign_colors, legible_color


def test_actor_keeps_its_look_colour_and_no_other_actor_gets_a_similar_one():
    red, other, third = assign_colors(["#992200", None, Camera(40)], PALETTES["light"])
    assert red == "#992200"
    assert [other, third] == [color for color in COLORS_ON_LIGHT if color != "#992200"][:2]


@pytest.mark.parametrize("look", ["box", "none", "", "redd", ("box", 1), 3, (1, 0, 0)])
def test_look_that_is_no_colour_name_gets_a_colour(look):
    assert assign_colors([look], PALETTES["light"]) == [COLORS_ON_LIGHT[0]]


@pytest.mark.parametrize("theme", PALETTES)
def test_each_of_many_actors_has_its_own_colour(theme):
    for count in (1, 8, 9, 100):
        assert len(set(assign_colors([None] * count, PALETTES[theme]))) == count


def test_colour_too_close_to_the_paper_is_mixed_with_ink():
    light, dark = PALETTES["light"], PALETTES["dark"]
    assert assign_colors(["white"], light) != ["#ffffff"]
    assert assign_colors(["white"], dark) == ["#ffffff"]
    assert assign_colors(["black"], dark) != ["#000000"]
    assert legible_color("#003377", light) == "#003377"
    assert legible_color("#bb8800", light) != "#bb8800"  # as a text it would be pale
