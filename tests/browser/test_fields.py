"""Can a person put fields on the stage, place them and type formulas, by mouse and keyboard alone?"""

import pytest

from tests.browser.for_everybody import all_have_names, readable
from tests.browser.hands import middle, settled
from tests.browser.winds import (
    SWIRL,
    changed,
    choose,
    choose_field,
    formula,
    inspector,
    listed,
    saved,
    select,
    sentence,
    undone,
)

# ---- the list --------------------------------------------------------------------------------------------------------


def test_a_vortex_is_added_from_the_menu_and_its_arrows_are_shown(windy, windy_file):
    listed(windy).get_by_role("button", name="Add a field").click()
    sheet = windy.page.get_by_role("dialog", name="Put a field on the stage")
    changed(windy, sheet.get_by_role("button", name="Vortex").click)
    windy.until("() => window.__keypose.studio.selection.field === 'vortex'")
    assert "vortex · Vortex" in inspector(windy).inner_text().replace("\n", " ")
    windy.until("() => window.__keypose.studio.arrows.get('vortex')?.pushes.some(part => part !== 0)")
    assert windy.ask("studio.shownFields") == ["vortex"]
    strength = windy.page.get_by_label("Strength", exact=True)
    strength.fill("2*2")
    changed(windy, lambda: strength.press("Enter"))
    assert saved(windy, windy_file)["fields"]["vortex"] == {"kind": "vortex", "strength": 4}
    undone(windy)
    assert windy.ask("studio.scene.fields.map(field => field.name)") == ["wind", "swirl"]
    assert windy.ask("studio.selection.field") is None


def test_what_keeps_to_somebody_is_told_to_whom(windy):
    listed(windy).get_by_role("button", name="Add a field").click()
    select(windy, "Whom it is about", "all of flock/*")
    changed(windy, windy.page.get_by_role("button", name="Keep the distance").click)
    windy.until("() => window.__keypose.studio.selection.field === 'keep distance'")
    assert windy.ask("studio.chosenField.said.target") == "flock/*"
    changed(windy, lambda: select(windy, "Target", "man"))
    assert windy.ask("studio.chosenField.said") == {"kind": "keep_distance", "target": "man"}


def test_an_eye_keeps_the_arrows_of_a_field_that_is_not_selected(windy):
    eye = listed(windy).get_by_role("button", name="Keep the arrows of wind on the stage")
    eye.click()
    choose(windy, "leaf")
    windy.until("() => window.__keypose.studio.arrows.has('wind')")
    assert eye.get_attribute("aria-pressed") == "true"
    eye.click()
    windy.until("() => !window.__keypose.studio.arrows.has('wind')")


def test_a_field_is_renamed_and_whoever_senses_it_follows(windy):
    choose_field(windy, "wind")
    name = windy.page.get_by_label("Name of the field")
    name.fill("breeze")
    changed(windy, lambda: name.press("Enter"))
    windy.until("() => window.__keypose.studio.chosenField?.name === 'breeze'")
    assert windy.ask("studio.actor('leaf').senses[0].name") == "breeze"


def test_the_delete_key_takes_the_selected_field_away_with_its_links(windy):
    choose_field(windy, "wind")
    changed(windy, lambda: windy.press("Delete"))
    assert windy.ask("studio.scene.fields.map(field => field.name)") == ["swirl"]
    assert windy.ask("studio.actor('leaf').senses.length") == 1
    assert windy.ask("studio.selection.field") is None


# ---- a formula -------------------------------------------------------------------------------------------------------


def test_a_wrong_formula_is_marked_at_its_column_and_changes_nothing_until_it_is_mended(windy, windy_file):
    choose_field(windy, "swirl")
    before = windy.revision
    formula(windy).click()
    windy.press("Control+a")
    windy.page.keyboard.type("(-y, lenght(x), 0)")
    windy.until(
        "() => document.querySelector('section[aria-label=Inspector] [role=alert]').innerText.includes('lenght')"
    )
    assert "Column 6" in sentence(windy).inner_text()
    assert windy.page.evaluate("() => document.querySelector('pre .mark').textContent") == "lenght"
    assert formula(windy).get_attribute("aria-invalid") == "true"
    assert windy.revision == before
    windy.press("Control+a")
    changed(windy, lambda: windy.page.keyboard.type("(-y, x, 0) * k"))
    windy.until("() => window.__keypose.studio.chosenField.text === '(-y, x, 0) * k'")
    assert sentence(windy).inner_text() == ""
    windy.press("Enter")  # leaves the box: the keys are the studio's again
    kept = {"kind": "formula", "text": "(-y, x, 0) * k", "parameters": {"k": {"value": 2, "low": 0, "high": 10}}}
    assert saved(windy, windy_file)["fields"]["swirl"] == kept
    changed(windy, lambda: windy.press("Control+z"))
    assert windy.ask("studio.chosenField.text") == SWIRL  # all that was typed was one step
    assert formula(windy).input_value() == SWIRL


def test_a_wrong_formula_that_is_left_stays_to_be_mended(windy):
    choose_field(windy, "swirl")
    formula(windy).fill("(x, y")
    windy.press("Enter")
    windy.until("() => document.querySelector('section[aria-label=Inspector] [role=alert]').innerText !== ''")
    assert formula(windy).input_value() == "(x, y"
    assert windy.ask("studio.chosenField.text") == SWIRL
    formula(windy).focus()
    windy.press("Escape")
    assert formula(windy).input_value() == SWIRL
    assert sentence(windy).inner_text() == ""


def test_a_name_that_is_missing_becomes_a_slider_by_one_click(windy, windy_file):
    choose_field(windy, "swirl")
    formula(windy).fill("(a * x, b, 0)")
    for name in ("a", "b"):
        inspector(windy).get_by_role("button", name=f"Make {name} a slider").click()
    windy.until("() => window.__keypose.studio.chosenField.parameters.length === 3")
    slider = windy.page.get_by_role("slider", name="b slider")
    changed(windy, lambda: windy.drag(middle(slider), slider.bounding_box()["width"] / 4, 0))
    kept = saved(windy, windy_file)["fields"]["swirl"]
    assert kept["text"] == "(a * x, b, 0)"
    assert kept["parameters"]["a"] == {"value": 1, "low": 0, "high": 2}
    assert 1.3 < kept["parameters"]["b"]["value"] < 1.7


def test_what_was_typed_stays_with_its_field_though_another_is_selected_at_once(windy):
    choose_field(windy, "swirl")
    before = windy.revision
    formula(windy).fill("(1, 0, 0)")
    choose_field(windy, "wind")
    windy.until("before => window.__keypose.studio.scene.revision > before", before)
    settled(windy)
    assert windy.ask("studio.field('swirl').text") == "(1, 0, 0)"
    assert windy.ask("studio.field('wind').kind") == "sum"


# ---- where it is -----------------------------------------------------------------------------------------------------


def test_a_field_is_limited_and_carried_by_choices(windy, windy_file):
    choose_field(windy, "swirl")
    changed(windy, lambda: select(windy, "Ends", "around it, in a ball"))
    radius = windy.page.get_by_label("Radius of the ball")
    radius.fill("1.5")
    changed(windy, lambda: radius.press("Enter"))
    changed(windy, lambda: select(windy, "Moves with", "man"))
    then = saved(windy, windy_file)["fields"]["swirl"]["then"]
    assert then == [{"kind": "within", "radius": 1.5}, {"kind": "carried_by", "carrier": "man"}]
    changed(windy, lambda: select(windy, "Moves with", "nobody"))
    changed(windy, lambda: select(windy, "Ends", "nowhere"))
    assert "then" not in saved(windy, windy_file)["fields"]["swirl"]


def test_fields_add_up_and_are_taken_out_again(windy, windy_file):
    choose_field(windy, "swirl")
    changed(windy, lambda: select(windy, "Add another push to it", "Noise"))
    assert [one["kind"] for one in saved(windy, windy_file)["fields"]["swirl"]] == ["formula", "noise"]
    part = inspector(windy).get_by_role("group", name="Noise, 2 of 2")
    part.get_by_label("Strength", exact=True).fill("3")
    changed(windy, lambda: windy.press("Enter"))
    assert saved(windy, windy_file)["fields"]["swirl"][1]["strength"] == 3
    changed(windy, inspector(windy).get_by_role("button", name="Take Formula out").click)
    assert saved(windy, windy_file)["fields"]["swirl"] == {"kind": "noise", "strength": 3}


def test_a_place_typed_for_a_field_is_where_it_is(windy, windy_file):
    choose_field(windy, "swirl")
    windy.page.get_by_label("Place y", exact=True).fill("2.5")
    changed(windy, lambda: windy.press("Enter"))
    assert saved(windy, windy_file)["fields"]["swirl"]["then"] == [{"kind": "moved", "offset": [0, 2.5, 0]}]


# ---- for everybody ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_every_panel_of_fields_can_be_read_and_has_names(windy, size):
    windy.page.set_viewport_size({"width": size[0], "height": size[1]})
    try:
        for field in ("wind", "swirl"):
            choose_field(windy, field)
            readable(windy, field)
            all_have_names(windy, 40)
        formula(windy).fill("(a, lenght(x), 0)")
        windy.until("() => document.querySelector('section[aria-label=Inspector] [role=alert]').innerText !== ''")
        readable(windy, "a wrong formula")
        formula(windy).press("Escape")
        for actor in ("leaf", "flock/a"):
            choose(windy, actor)
            readable(windy, actor)
            all_have_names(windy, 40)
        listed(windy).get_by_role("button", name="Add a field").click()
        sheet = windy.page.get_by_role("dialog")
        sheet.wait_for()
        readable(windy, "what to add")
        all_have_names(windy, 10)
        windy.press("Escape")
        sheet.wait_for(state="detached")
    finally:
        windy.page.set_viewport_size({"width": 1280, "height": 800})


# ---- where it is -----------------------------------------------------------------------------------------------------


def test_a_field_shows_how_it_is_turned_and_an_emptied_angle_is_nought_again(windy, windy_file):
    choose_field(windy, "swirl")
    turn = windy.page.get_by_label("Turn turn", exact=True)
    turn.fill("30")
    changed(windy, lambda: turn.press("Enter"))
    assert windy.ask("studio.chosenField.turn.map(Math.round)") == [30, 0, 0]
    assert [one["kind"] for one in saved(windy, windy_file)["fields"]["swirl"]["then"]] == ["turned"]
    turn.fill("")
    changed(windy, lambda: turn.press("Enter"))
    assert "then" not in saved(windy, windy_file)["fields"]["swirl"]
    tilt = windy.page.get_by_label("Turn tilt", exact=True)
    tilt.fill("-15")
    changed(windy, lambda: tilt.press("Enter"))
    changed(windy, inspector(windy).get_by_text("tilt °").dblclick)
    assert windy.ask("studio.chosenField.turn") == [0, 0, 0]


def test_each_part_of_a_sum_shows_who_carries_it_and_where_it_ends_and_is_changed_there(windy, windy_file):
    choose_field(windy, "swirl")
    changed(windy, lambda: select(windy, "Moves with", "man"))
    changed(windy, lambda: select(windy, "Ends", "around it, in a box"))
    changed(windy, lambda: select(windy, "Add another push to it", "Vortex"))
    first = inspector(windy).get_by_role("group", name="Formula, 1 of 2")
    assert "moves with man · ends in a box" in first.locator("summary").inner_text()
    first.locator("summary").click()
    assert first.get_by_label("Moves with").input_value() == "man"
    side = first.get_by_label("Sides x", exact=True)
    side.fill("2")
    changed(windy, lambda: side.press("Enter"))
    second = inspector(windy).get_by_role("group", name="Vortex, 2 of 2")
    second.locator("summary").click()
    place = second.get_by_label("Place y", exact=True)
    place.fill("1.5")
    changed(windy, lambda: place.press("Enter"))
    formula_said, vortex = saved(windy, windy_file)["fields"]["swirl"]
    assert {"kind": "within", "size": [2, 6, 6]} in formula_said["then"]
    assert vortex["center"] == [0, 1.5, 0]
    changed(windy, inspector(windy).get_by_role("button", name="Take Vortex out").click)
    assert windy.page.get_by_label("Moves with").input_value() == "man"


def test_a_vortex_shows_one_place_also_after_it_is_stretched(windy):
    listed(windy).get_by_role("button", name="Add a field").click()
    changed(windy, windy.page.get_by_role("dialog").get_by_role("button", name="Vortex").click)
    windy.until("() => window.__keypose.studio.selection.field === 'vortex'")
    place, stretch = (windy.page.get_by_label(label, exact=True) for label in ("Place x", "Stretch y"))
    assert windy.page.get_by_label("Center x", exact=True).count() == 0
    for number, typed in ((place, "2"), (stretch, "3")):
        number.fill(typed)
        changed(windy, lambda number=number: number.press("Enter"))
    assert place.input_value() == "2"
    assert windy.ask("studio.chosenField.stretch") == [1, 3, 1]


def test_a_parameter_that_the_formula_never_uses_is_told_of(windy):
    choose_field(windy, "swirl")
    told = inspector(windy).get_by_text("The formula never uses k")
    assert told.count() == 0
    formula(windy).fill("(-z, 0, x)")
    told.wait_for()
    formula(windy).fill("(-z, 0, x) * k")
    told.wait_for(state="detached")
