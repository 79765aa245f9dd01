"""Can a person put fields on the stage, place them and type formulas, by mouse and keyboard alone?"""

import pytest

from tests.browser.accessibility import assert_controls_named, assert_readable
from tests.browser.field_scene import (
    SWIRL,
    choose,
    choose_field,
    field_list,
    formula,
    formula_alert,
    inspector,
    save_and_read,
    select,
    undo_all,
    wait_for_change,
)
from tests.browser.page_waits import middle, wait_until_settled

# ---- the list --------------------------------------------------------------------------------------------------------


def test_a_vortex_is_added_from_the_menu_and_its_arrows_are_shown(windy, windy_file):
    field_list(windy).get_by_role("button", name="Add a field").click()
    sheet = windy.page.get_by_role("dialog", name="Put a field on the stage")
    wait_for_change(windy, sheet.get_by_role("button", name="Vortex").click)
    windy.wait_until("() => window.__keypose.selection.field === 'vortex'")
    assert "vortex · Vortex" in inspector(windy).inner_text().replace("\n", " ")
    windy.wait_until("() => window.__keypose.fieldArrows.grids.get('vortex')?.pushes.some(part => part !== 0)")
    assert windy.read_state("fieldArrows.visible") == ["vortex"]
    strength = windy.page.get_by_label("Strength", exact=True)
    strength.fill("2*2")
    wait_for_change(windy, lambda: strength.press("Enter"))
    assert save_and_read(windy, windy_file)["fields"]["vortex"] == {"kind": "vortex", "strength": 4}
    undo_all(windy)
    assert windy.read_state("doc.scene.fields.map(field => field.name)") == ["wind", "swirl"]
    assert windy.read_state("selection.field") is None


def test_tracker_is_added_with_a_chosen_target(windy):
    field_list(windy).get_by_role("button", name="Add a field").click()
    select(windy, "Whom it is about", "all of flock/*")
    wait_for_change(windy, windy.page.get_by_role("button", name="Keep the distance").click)
    windy.wait_until("() => window.__keypose.selection.field === 'keep distance'")
    assert windy.read_state("selection.fieldView.spec.target") == "flock/*"
    wait_for_change(windy, lambda: select(windy, "Target", "man"))
    assert windy.read_state("selection.fieldView.spec") == {"kind": "keep_distance", "target": "man"}


def test_eye_button_keeps_arrows_of_an_unselected_field(windy):
    eye = field_list(windy).get_by_role("button", name="Keep the arrows of wind on the stage")
    eye.click()
    choose(windy, "leaf")
    windy.wait_until("() => window.__keypose.fieldArrows.grids.has('wind')")
    assert eye.get_attribute("aria-pressed") == "true"
    eye.click()
    windy.wait_until("() => !window.__keypose.fieldArrows.grids.has('wind')")


def test_renamed_field_keeps_its_links(windy):
    choose_field(windy, "wind")
    name = windy.page.get_by_label("Name of the field")
    name.fill("breeze")
    wait_for_change(windy, lambda: name.press("Enter"))
    windy.wait_until("() => window.__keypose.selection.fieldView?.name === 'breeze'")
    assert windy.read_state("doc.actor('leaf').senses[0].name") == "breeze"


def test_delete_key_removes_the_selected_field_and_its_links(windy):
    choose_field(windy, "wind")
    wait_for_change(windy, lambda: windy.press("Delete"))
    assert windy.read_state("doc.scene.fields.map(field => field.name)") == ["swirl"]
    assert windy.read_state("doc.actor('leaf').senses.length") == 1
    assert windy.read_state("selection.field") is None


# ---- a formula -------------------------------------------------------------------------------------------------------


def test_formula_error_is_marked_at_its_column_and_nothing_changes_until_it_is_fixed(windy, windy_file):
    choose_field(windy, "swirl")
    before = windy.revision
    formula(windy).click()
    windy.press("Control+a")
    windy.page.keyboard.type("(-y, lenght(x), 0)")
    windy.wait_until(
        "() => document.querySelector('section[aria-label=Inspector] [role=alert]').innerText.includes('lenght')"
    )
    assert "Column 6" in formula_alert(windy).inner_text()
    assert windy.page.evaluate("() => document.querySelector('pre .mark').textContent") == "lenght"
    assert formula(windy).get_attribute("aria-invalid") == "true"
    assert windy.revision == before
    windy.press("Control+a")
    wait_for_change(windy, lambda: windy.page.keyboard.type("(-y, x, 0) * k"))
    windy.wait_until("() => window.__keypose.selection.fieldView.text === '(-y, x, 0) * k'")
    assert formula_alert(windy).inner_text() == ""
    windy.press("Enter")  # leaves the box: the keys are the studio's again
    saved = {"kind": "formula", "text": "(-y, x, 0) * k", "parameters": {"k": {"value": 2, "low": 0, "high": 10}}}
    assert save_and_read(windy, windy_file)["fields"]["swirl"] == saved
    wait_for_change(windy, lambda: windy.press("Control+z"))
    assert windy.read_state("selection.fieldView.text") == SWIRL  # all that was typed was one step
    assert formula(windy).input_value() == SWIRL


def test_invalid_formula_stays_in_its_box_for_correction(windy):
    choose_field(windy, "swirl")
    formula(windy).fill("(x, y")
    windy.press("Enter")
    windy.wait_until("() => document.querySelector('section[aria-label=Inspector] [role=alert]').innerText !== ''")
    assert formula(windy).input_value() == "(x, y"
    assert windy.read_state("selection.fieldView.text") == SWIRL
    formula(windy).focus()
    windy.press("Escape")
    assert formula(windy).input_value() == SWIRL
    assert formula_alert(windy).inner_text() == ""


def test_missing_name_becomes_a_slider_by_one_click(windy, windy_file):
    choose_field(windy, "swirl")
    formula(windy).fill("(a * x, b, 0)")
    for name in ("a", "b"):
        inspector(windy).get_by_role("button", name=f"Make {name} a slider").click()
    windy.wait_until("() => window.__keypose.selection.fieldView.parameters.length === 3")
    slider = windy.page.get_by_role("slider", name="b slider")
    wait_for_change(windy, lambda: windy.drag(middle(slider), slider.bounding_box()["width"] / 4, 0))
    saved = save_and_read(windy, windy_file)["fields"]["swirl"]
    assert saved["text"] == "(a * x, b, 0)"
    assert saved["parameters"]["a"] == {"value": 1, "low": 0, "high": 2}
    assert 1.3 < saved["parameters"]["b"]["value"] < 1.7


def test_typed_formula_belongs_to_its_field_when_another_is_selected_at_once(windy):
    choose_field(windy, "swirl")
    before = windy.revision
    formula(windy).fill("(1, 0, 0)")
    choose_field(windy, "wind")
    windy.wait_until("before => window.__keypose.doc.scene.revision > before", before)
    wait_until_settled(windy)
    assert windy.read_state("doc.field('swirl').text") == "(1, 0, 0)"
    assert windy.read_state("doc.field('wind').kind") == "sum"


# ---- where it is -----------------------------------------------------------------------------------------------------


def test_field_boundary_and_carrier_are_chosen_from_lists(windy, windy_file):
    choose_field(windy, "swirl")
    wait_for_change(windy, lambda: select(windy, "Ends", "around it, in a ball"))
    radius = windy.page.get_by_label("Radius of the ball")
    radius.fill("1.5")
    wait_for_change(windy, lambda: radius.press("Enter"))
    wait_for_change(windy, lambda: select(windy, "Moves with", "man"))
    transforms = save_and_read(windy, windy_file)["fields"]["swirl"]["then"]
    assert transforms == [{"kind": "within", "radius": 1.5}, {"kind": "carried_by", "carrier": "man"}]
    wait_for_change(windy, lambda: select(windy, "Moves with", "nobody"))
    wait_for_change(windy, lambda: select(windy, "Ends", "nowhere"))
    assert "then" not in save_and_read(windy, windy_file)["fields"]["swirl"]


def test_fields_are_added_to_a_sum_and_removed_again(windy, windy_file):
    choose_field(windy, "swirl")
    wait_for_change(windy, lambda: select(windy, "Add another push to it", "Noise"))
    assert [one["kind"] for one in save_and_read(windy, windy_file)["fields"]["swirl"]] == ["formula", "noise"]
    part = inspector(windy).get_by_role("group", name="Noise, 2 of 2")
    part.get_by_label("Strength", exact=True).fill("3")
    wait_for_change(windy, lambda: windy.press("Enter"))
    assert save_and_read(windy, windy_file)["fields"]["swirl"][1]["strength"] == 3
    wait_for_change(windy, inspector(windy).get_by_role("button", name="Take Formula out").click)
    assert save_and_read(windy, windy_file)["fields"]["swirl"] == {"kind": "noise", "strength": 3}


def test_typed_position_of_a_field_is_saved(windy, windy_file):
    choose_field(windy, "swirl")
    windy.page.get_by_label("Place y", exact=True).fill("2.5")
    wait_for_change(windy, lambda: windy.press("Enter"))
    assert save_and_read(windy, windy_file)["fields"]["swirl"]["then"] == [{"kind": "moved", "offset": [0, 2.5, 0]}]


# ---- for everybody ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_field_panels_are_readable_and_controls_are_named(windy, size):
    windy.page.set_viewport_size({"width": size[0], "height": size[1]})
    try:
        for field in ("wind", "swirl"):
            choose_field(windy, field)
            assert_readable(windy, field)
            assert_controls_named(windy, 40)
        formula(windy).fill("(a, lenght(x), 0)")
        windy.wait_until("() => document.querySelector('section[aria-label=Inspector] [role=alert]').innerText !== ''")
        assert_readable(windy, "a wrong formula")
        formula(windy).press("Escape")
        for actor in ("leaf", "flock/a"):
            choose(windy, actor)
            assert_readable(windy, actor)
            assert_controls_named(windy, 40)
        field_list(windy).get_by_role("button", name="Add a field").click()
        sheet = windy.page.get_by_role("dialog")
        sheet.wait_for()
        assert_readable(windy, "what to add")
        assert_controls_named(windy, 10)
        windy.press("Escape")
        sheet.wait_for(state="detached")
    finally:
        windy.page.set_viewport_size({"width": 1280, "height": 800})


# ---- where it is -----------------------------------------------------------------------------------------------------


def test_field_shows_its_angles_and_a_cleared_angle_is_zero(windy, windy_file):
    choose_field(windy, "swirl")
    turn = windy.page.get_by_label("Turn turn", exact=True)
    turn.fill("30")
    wait_for_change(windy, lambda: turn.press("Enter"))
    assert windy.read_state("selection.fieldView.degrees.map(Math.round)") == [30, 0, 0]
    assert [one["kind"] for one in save_and_read(windy, windy_file)["fields"]["swirl"]["then"]] == ["turned"]
    turn.fill("")
    wait_for_change(windy, lambda: turn.press("Enter"))
    assert "then" not in save_and_read(windy, windy_file)["fields"]["swirl"]
    tilt = windy.page.get_by_label("Turn tilt", exact=True)
    tilt.fill("-15")
    wait_for_change(windy, lambda: tilt.press("Enter"))
    wait_for_change(windy, inspector(windy).get_by_text("tilt °").dblclick)
    assert windy.read_state("selection.fieldView.degrees") == [0, 0, 0]


def test_each_part_of_a_sum_shows_and_edits_its_carrier_and_boundary(windy, windy_file):
    choose_field(windy, "swirl")
    wait_for_change(windy, lambda: select(windy, "Moves with", "man"))
    wait_for_change(windy, lambda: select(windy, "Ends", "around it, in a box"))
    wait_for_change(windy, lambda: select(windy, "Add another push to it", "Vortex"))
    first = inspector(windy).get_by_role("group", name="Formula, 1 of 2")
    assert "moves with man · ends in a box" in first.locator("summary").inner_text()
    first.locator("summary").click()
    assert first.get_by_label("Moves with").input_value() == "man"
    side = first.get_by_label("Sides x", exact=True)
    side.fill("2")
    wait_for_change(windy, lambda: side.press("Enter"))
    second = inspector(windy).get_by_role("group", name="Vortex, 2 of 2")
    second.locator("summary").click()
    position = second.get_by_label("Place y", exact=True)
    position.fill("1.5")
    wait_for_change(windy, lambda: position.press("Enter"))
    formula_spec, vortex = save_and_read(windy, windy_file)["fields"]["swirl"]
    assert {"kind": "within", "size": [2, 6, 6]} in formula_spec["then"]
    assert vortex["center"] == [0, 1.5, 0]
    wait_for_change(windy, inspector(windy).get_by_role("button", name="Take Vortex out").click)
    assert windy.page.get_by_label("Moves with").input_value() == "man"


def test_vortex_shows_one_position_after_a_stretch(windy):
    field_list(windy).get_by_role("button", name="Add a field").click()
    wait_for_change(windy, windy.page.get_by_role("dialog").get_by_role("button", name="Vortex").click)
    windy.wait_until("() => window.__keypose.selection.field === 'vortex'")
    position, stretch = (windy.page.get_by_label(label, exact=True) for label in ("Place x", "Stretch y"))
    assert windy.page.get_by_label("Center x", exact=True).count() == 0
    for number, typed in ((position, "2"), (stretch, "3")):
        number.fill(typed)
        wait_for_change(windy, lambda number=number: number.press("Enter"))
    assert position.input_value() == "2"
    assert windy.read_state("selection.fieldView.stretch") == [1, 3, 1]


def test_unused_formula_parameter_is_reported(windy):
    choose_field(windy, "swirl")
    warning = inspector(windy).get_by_text("The formula never uses k")
    assert warning.count() == 0
    formula(windy).fill("(-z, 0, x)")
    warning.wait_for()
    formula(windy).fill("(-z, 0, x) * k")
    warning.wait_for(state="detached")
