"""Everybody has a colour of its own that can be seen: its look's, one of eight, or one of many in order."""

import pytest

from keypose import Camera
from keypose.plot.canvas.theme import LOOKS
from keypose.plot.marks.actor_colours import ON_LIGHT, colours, legible


def test_an_actor_keeps_the_colour_it_looks_like_and_nobody_else_is_given_nearly_that():
    red, other, third = colours(["#992200", None, Camera(40)], LOOKS["light"])
    assert red == "#992200"
    assert [other, third] == [color for color in ON_LIGHT if color != "#992200"][:2]


@pytest.mark.parametrize("look", ["box", "none", "", "redd", ("box", 1), 3, (1, 0, 0)])
def test_what_is_no_colours_name_is_given_a_colour(look):
    assert colours([look], LOOKS["light"]) == [ON_LIGHT[0]]


@pytest.mark.parametrize("theme", LOOKS)
def test_everybody_of_many_has_a_colour_of_its_own(theme):
    for count in (1, 8, 9, 100):
        assert len(set(colours([None] * count, LOOKS[theme]))) == count


def test_a_colour_like_the_paper_is_mixed_with_ink_and_another_stays():
    light, dark = LOOKS["light"], LOOKS["dark"]
    assert colours(["white"], light) != ["#ffffff"]
    assert colours(["white"], dark) == ["#ffffff"]
    assert colours(["black"], dark) != ["#000000"]
    assert legible("#003377", light) == "#003377"
    assert legible("#bb8800", light) != "#bb8800"  # as a text it would be pale
