"""Can keys be put and turned by numbers that a person would type, one or several at once?"""

import numpy as np
import pytest

from keypose import Actor, Key, Motion, MotionPath, Orientation, Stage

ORIENTATIONS = [Orientation.from_euler(angles, "YXZ") for angles in ((30, 0, 0), (30, 20, 10), (90, 0, 0))]
POSITIONS = [(0, 0.125, 0), (2, 0.125, 1 / 3), (4, 1, 0)]
KEYS = [
    Key(position, orientation=orientation) for position, orientation in zip(POSITIONS, ORIENTATIONS, strict=True)
] + [Key((6, 0, 0))]
STAGE = Stage([Actor("red", Motion(MotionPath(KEYS), duration=2.0))])


@pytest.fixture
def studio_page(shared_page):
    shared_page.show(STAGE)
    return shared_page


def number_field(studio_page, label):
    return studio_page.page.get_by_label(label, exact=True)


def type_value(studio_page, label, text):
    before = studio_page.read_state("doc.scene.revision")
    number_field(studio_page, label).fill(text)
    number_field(studio_page, label).press("Enter")
    studio_page.wait_until(f"doc.scene.revision > {before}")
    return list(studio_page.studio.stage["red"].motion.path.keys)


def test_orientation_is_shown_and_typed_in_degrees(studio_page):
    studio_page.do("selection.select('red', [1])")
    assert [number_field(studio_page, f"Facing {word}").input_value() for word in ("turn", "nod", "tilt")] == [
        "30",
        "20",
        "10",
    ]
    keys = type_value(studio_page, "Facing nod", "-45/2")
    assert keys[1].orientation.angle_to(Orientation.from_euler((30, -22.5, 10), "YXZ")) == pytest.approx(0, abs=1e-6)
    assert [keys[0], keys[2], keys[3]] == [KEYS[0], KEYS[2], KEYS[3]]
    assert np.array_equal(keys[1].position, KEYS[1].position)
    assert studio_page.read_state("doc.scene.steps.undo") == "facing of key 1 of red"


def test_leaving_a_field_unchanged_makes_no_edit(studio_page):
    studio_page.do("selection.select('red', [1])")
    before = studio_page.read_state("doc.scene.revision")
    for label in ("Facing turn", "Facing nod", "Place z", "Place x"):
        number_field(studio_page, label).focus()
        studio_page.page.keyboard.press("Tab")
    studio_page.wait_until_settled()
    assert studio_page.read_state("doc.scene.revision") == before


def test_several_keys_show_shared_values_and_take_one_number_for_all(studio_page):
    studio_page.do("selection.select('red', [0, 1])")
    shown = [number_field(studio_page, f"Place {axis}").input_value() for axis in "xyz"]
    assert shown == ["", "0.125", ""]
    assert number_field(studio_page, "Place x").get_attribute("placeholder") == "mixed"
    keys = type_value(studio_page, "Place z", "0.7")
    assert [key.position.tolist() for key in keys[:2]] == [[0, 0.125, 0.7], [2, 0.125, 0.7]]
    assert keys[2:] == KEYS[2:]
    assert number_field(studio_page, "Place z").input_value() == "0.7"
    keys = type_value(studio_page, "Move by y", "1")  # beside it
    assert [key.position[1] for key in keys[:2]] == [1.125, 1.125]


def test_several_keys_get_one_angle_and_keep_the_others(studio_page):
    studio_page.do("selection.select('red', [0, 1])")
    assert [number_field(studio_page, f"Facing {word}").input_value() for word in ("turn", "nod", "tilt")] == [
        "30",
        "",
        "",
    ]
    keys = type_value(studio_page, "Facing turn", "60")
    for key, angles in zip(keys, ((60, 0, 0), (60, 20, 10)), strict=False):
        assert key.orientation.angle_to(Orientation.from_euler(angles, "YXZ")) == pytest.approx(0, abs=1e-6)


def test_key_without_orientation_gets_the_interpolated_one(studio_page):
    studio_page.do("selection.select('red', [3])")
    before = studio_page.read_state("doc.scene.revision")
    studio_page.page.get_by_role("button", name="Set a facing").click()
    studio_page.wait_until(f"doc.scene.revision > {before}")
    path = studio_page.studio.stage["red"].motion.path
    assert path.keys[3].orientation.angle_to(STAGE["red"].motion.path.orientation_at(3.0)) == pytest.approx(0, abs=1e-6)
    assert number_field(studio_page, "Facing turn").is_visible()


@pytest.mark.parametrize("position", ["-0.78969071", "-12.345678", "-123.45678"])
def test_position_fits_into_its_field(studio_page, position):
    studio_page.do("selection.select('red', [1])")
    type_value(studio_page, "Place x", position)
    widths = number_field(studio_page, "Place x").evaluate("one => [one.scrollWidth, one.clientWidth]")
    assert widths[0] <= widths[1]


@pytest.mark.parametrize("text", ["abc", "nan", "1/0"])
def test_invalid_number_is_reported_and_changes_nothing(studio_page, text):
    studio_page.do("selection.select('red', [1])")
    before = studio_page.read_state("doc.scene.revision")
    number_field(studio_page, "Place y").fill(text)
    number_field(studio_page, "Place y").press("Enter")
    message = f'Place y: "{text}" is no number. Type a number, a sum like 1/3+0.5, or *2.'
    studio_page.wait_until(f"notices.entries.map(({{ text }}) => text).includes({message!r})")
    assert number_field(studio_page, "Place y").get_attribute("aria-invalid") == "true"
    assert studio_page.read_state("doc.scene.revision") == before
    number_field(studio_page, "Place y").press("Escape")
    assert number_field(studio_page, "Place y").input_value() == "0.125"
    studio_page.page.locator(".notice button").first.click()
