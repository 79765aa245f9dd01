"""Can a person put fields on the stage, type formulas and link objects to them, by mouse and keyboard alone?"""

import json

import pytest

from keypose import Actor, DynamicSpline, Motion, MotionPath, Stage, fields, save
from tests.browser.for_everybody import all_have_names, readable
from tests.browser.hands import after, middle, settled
from tests.browser.screen import Screen, serving

SWIRL = "(-z, 0, x) * exp(-r**2) * k"
WALK = Motion(MotionPath([(0, 0, 0), (4, 0, 0), (4, 0, 4)]), duration=2.0)
STAGE = Stage(
    [
        Actor("man", WALK),
        Actor("leaf", DynamicSpline((1, 3, 0), friction=0.02, senses={"wind": 0.5, fields.KeepOffset("man"): 0.3})),
        Actor("flock/a", DynamicSpline((1, 1, 0), senses={"wind": 1})),
        Actor("flock/b", DynamicSpline((2, 1, 0), senses={"wind": 1})),
    ],
    fields={
        "wind": fields.Uniform((0.4, 0, 0)) + fields.Vortex(2.0),
        "swirl": fields.Formula(SWIRL, k=fields.Slider(2, 0, 10)),
    },
)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return tmp_path_factory.mktemp("fields") / "fields.json"


@pytest.fixture(scope="module")
def table(chromium, file):
    """One studio for all tests here."""
    save(STAGE, file)
    with serving(file) as address:
        page = chromium.new_page(viewport={"width": 1280, "height": 800})
        table = Screen(page, address)
        yield table
        page.close()
        assert table.trouble == []


@pytest.fixture
def desk(table):
    """The scene as it was opened."""
    choose(table, "man")  # no field of the inspector has the keyboard any more
    undone(table)
    return table


def undone(desk):
    """Everything, by the keyboard."""
    settled(desk)
    while desk.ask("studio.scene.steps.undo"):
        before = desk.revision
        desk.press("Control+z")
        desk.until("before => window.__keypose.studio.scene.revision > before", before)
    settled(desk)


def choose(desk, actor):
    desk.page.get_by_role("region", name="Cast").get_by_role("button", name=actor).first.click()
    desk.until("it => window.__keypose.studio.selection.actor === it", actor)


def choose_field(desk, field):
    listed(desk).get_by_role("button", name=field).first.click()
    desk.until("it => window.__keypose.studio.selection.field === it", field)


def listed(desk):
    return desk.page.get_by_role("region", name="Fields")


def inspector(desk):
    return desk.page.get_by_role("region", name="Inspector")


def formula(desk):
    return desk.page.get_by_role("textbox", name="Formula")


def sentence(desk):
    return inspector(desk).get_by_role("alert")


def saved(desk, file):
    """The scene in its file, once everything that was done is in it."""
    settled(desk)
    desk.press("Control+s")
    desk.until("() => window.__keypose.studio.scene.is_saved")
    return json.loads(file.read_text())


def spline(scene, actor):
    return next(one["mover"] for one in scene["actors"] if one["name"] == actor)


def changed(desk, gesture):
    after(desk, gesture, None)


def select(desk, label, wanted):
    desk.page.get_by_label(label, exact=True).select_option(label=wanted)


# ---- the list --------------------------------------------------------------------------------------------------------


def test_a_vortex_is_added_from_the_menu_and_its_arrows_are_shown(desk, file):
    listed(desk).get_by_role("button", name="Add a field").click()
    sheet = desk.page.get_by_role("dialog", name="Put a field on the stage")
    changed(desk, sheet.get_by_role("button", name="Vortex").click)
    desk.until("() => window.__keypose.studio.selection.field === 'vortex'")
    assert "vortex · Vortex" in inspector(desk).inner_text().replace("\n", " ")
    desk.until("() => window.__keypose.studio.arrows.get('vortex')?.pushes.some(part => part !== 0)")
    assert desk.ask("studio.shownFields") == ["vortex"]
    strength = desk.page.get_by_label("Strength", exact=True)
    strength.fill("2*2")
    changed(desk, lambda: strength.press("Enter"))
    assert saved(desk, file)["fields"]["vortex"] == {"kind": "vortex", "strength": 4}
    undone(desk)
    assert desk.ask("studio.scene.fields.map(field => field.name)") == ["wind", "swirl"]
    assert desk.ask("studio.selection.field") is None


def test_what_keeps_to_somebody_is_told_to_whom(desk):
    listed(desk).get_by_role("button", name="Add a field").click()
    select(desk, "Whom it is about", "all of flock/*")
    changed(desk, desk.page.get_by_role("button", name="Keep the distance").click)
    desk.until("() => window.__keypose.studio.selection.field === 'keep distance'")
    assert desk.ask("studio.chosenField.said.target") == "flock/*"
    changed(desk, lambda: select(desk, "Target", "man"))
    assert desk.ask("studio.chosenField.said") == {"kind": "keep_distance", "target": "man"}


def test_an_eye_keeps_the_arrows_of_a_field_that_is_not_selected(desk):
    eye = listed(desk).get_by_role("button", name="Keep the arrows of wind on the stage")
    eye.click()
    choose(desk, "leaf")
    desk.until("() => window.__keypose.studio.arrows.has('wind')")
    assert eye.get_attribute("aria-pressed") == "true"
    eye.click()
    desk.until("() => !window.__keypose.studio.arrows.has('wind')")


def test_a_field_is_renamed_and_whoever_senses_it_follows(desk):
    choose_field(desk, "wind")
    name = desk.page.get_by_label("Name of the field")
    name.fill("breeze")
    changed(desk, lambda: name.press("Enter"))
    desk.until("() => window.__keypose.studio.chosenField?.name === 'breeze'")
    assert desk.ask("studio.actor('leaf').spline.senses[0].name") == "breeze"


def test_the_delete_key_takes_the_selected_field_away_with_its_links(desk):
    choose_field(desk, "wind")
    changed(desk, lambda: desk.press("Delete"))
    assert desk.ask("studio.scene.fields.map(field => field.name)") == ["swirl"]
    assert desk.ask("studio.actor('leaf').spline.senses.length") == 1
    assert desk.ask("studio.selection.field") is None


# ---- a formula -------------------------------------------------------------------------------------------------------


def test_a_wrong_formula_is_marked_at_its_column_and_changes_nothing_until_it_is_mended(desk, file):
    choose_field(desk, "swirl")
    before = desk.revision
    formula(desk).click()
    desk.press("Control+a")
    desk.page.keyboard.type("(-y, lenght(x), 0)")
    desk.until("() => document.querySelector('section[aria-label=Inspector] [role=alert]').innerText !== ''")
    assert "Column 6" in sentence(desk).inner_text()
    assert desk.page.evaluate("() => document.querySelector('pre .mark').textContent") == "lenght"
    assert formula(desk).get_attribute("aria-invalid") == "true"
    assert desk.revision == before
    desk.press("Control+a")
    changed(desk, lambda: desk.page.keyboard.type("(-y, x, 0) * k"))
    desk.until("() => window.__keypose.studio.chosenField.text === '(-y, x, 0) * k'")
    assert sentence(desk).inner_text() == ""
    desk.press("Enter")  # leaves the box: the keys are the studio's again
    kept = {"kind": "formula", "text": "(-y, x, 0) * k", "parameters": {"k": {"value": 2, "low": 0, "high": 10}}}
    assert saved(desk, file)["fields"]["swirl"] == kept
    changed(desk, lambda: desk.press("Control+z"))
    assert desk.ask("studio.chosenField.text") == SWIRL  # all that was typed was one step
    assert formula(desk).input_value() == SWIRL


def test_a_wrong_formula_that_is_left_stays_to_be_mended(desk):
    choose_field(desk, "swirl")
    formula(desk).fill("(x, y")
    desk.press("Enter")
    desk.until("() => document.querySelector('section[aria-label=Inspector] [role=alert]').innerText !== ''")
    assert formula(desk).input_value() == "(x, y"
    assert desk.ask("studio.chosenField.text") == SWIRL
    formula(desk).focus()
    desk.press("Escape")
    assert formula(desk).input_value() == SWIRL
    assert sentence(desk).inner_text() == ""


def test_a_name_that_is_missing_becomes_a_slider_by_one_click(desk, file):
    choose_field(desk, "swirl")
    formula(desk).fill("(a * x, b, 0)")
    for name in ("a", "b"):
        inspector(desk).get_by_role("button", name=f"Make {name} a slider").click()
    desk.until("() => window.__keypose.studio.chosenField.parameters.length === 3")
    slider = desk.page.get_by_role("slider", name="b slider")
    changed(desk, lambda: desk.drag(middle(slider), slider.bounding_box()["width"] / 4, 0))
    kept = saved(desk, file)["fields"]["swirl"]
    assert kept["text"] == "(a * x, b, 0)"
    assert kept["parameters"]["a"] == {"value": 1, "low": 0, "high": 2}
    assert 1.3 < kept["parameters"]["b"]["value"] < 1.7


def test_what_was_typed_stays_with_its_field_though_another_is_selected_at_once(desk):
    choose_field(desk, "swirl")
    before = desk.revision
    formula(desk).fill("(1, 0, 0)")
    choose_field(desk, "wind")
    desk.until("before => window.__keypose.studio.scene.revision > before", before)
    settled(desk)
    assert desk.ask("studio.field('swirl').text") == "(1, 0, 0)"
    assert desk.ask("studio.field('wind').kind") == "sum"


# ---- where it is -----------------------------------------------------------------------------------------------------


def test_a_field_is_limited_and_carried_by_choices(desk, file):
    choose_field(desk, "swirl")
    changed(desk, lambda: select(desk, "Ends", "around it, in a ball"))
    radius = desk.page.get_by_label("Radius of the ball")
    radius.fill("1.5")
    changed(desk, lambda: radius.press("Enter"))
    changed(desk, lambda: select(desk, "Moves with", "man"))
    then = saved(desk, file)["fields"]["swirl"]["then"]
    assert then == [{"kind": "within", "radius": 1.5}, {"kind": "carried_by", "carrier": "man"}]
    changed(desk, lambda: select(desk, "Moves with", "nobody"))
    changed(desk, lambda: select(desk, "Ends", "nowhere"))
    assert "then" not in saved(desk, file)["fields"]["swirl"]


def test_fields_add_up_and_are_taken_out_again(desk, file):
    choose_field(desk, "swirl")
    changed(desk, lambda: select(desk, "Add another push to it", "Noise"))
    assert [one["kind"] for one in saved(desk, file)["fields"]["swirl"]] == ["formula", "noise"]
    part = inspector(desk).get_by_role("group", name="Noise, 2 of 2")
    part.get_by_label("Strength", exact=True).fill("3")
    changed(desk, lambda: desk.press("Enter"))
    assert saved(desk, file)["fields"]["swirl"][1]["strength"] == 3
    changed(desk, inspector(desk).get_by_role("button", name="Take Formula out").click)
    assert saved(desk, file)["fields"]["swirl"] == {"kind": "noise", "strength": 3}


def test_a_place_typed_for_a_field_is_where_it_is(desk, file):
    choose_field(desk, "swirl")
    desk.page.get_by_label("Place y", exact=True).fill("2.5")
    changed(desk, lambda: desk.press("Enter"))
    assert saved(desk, file)["fields"]["swirl"]["then"] == [{"kind": "moved", "offset": [0, 2.5, 0]}]


# ---- who senses it ---------------------------------------------------------------------------------------------------


def test_friction_and_affinity_are_slid_links_are_cut_and_made_and_all_of_it_is_undone(desk, file):
    choose(desk, "leaf")
    first = spline(saved(desk, file), "leaf")
    friction = desk.page.get_by_role("slider", name="friction slider")
    changed(desk, lambda: desk.drag(at_share(friction, 0.02), friction.bounding_box()["width"] / 2, 0))
    affinity = desk.page.get_by_role("slider", name="Affinity to wind slider")
    changed(desk, lambda: desk.drag(middle(affinity), affinity.bounding_box()["width"] / 4, 0))
    kept = spline(saved(desk, file), "leaf")
    assert 0.4 < kept["friction"] < 0.6
    assert kept["senses"][0]["field"] == "wind"
    assert 0.65 < kept["senses"][0]["affinity"] < 0.85
    assert kept["friction"] == desk.ask("studio.actor('leaf').spline.friction")
    changed(desk, inspector(desk).get_by_role("button", name="Cut the link to wind").click)
    changed(desk, lambda: select(desk, "Let it sense something more", "swirl"))
    senses = spline(saved(desk, file), "leaf")["senses"]
    assert senses[-1] == {"field": "swirl", "affinity": 1}
    assert [one["field"] for one in senses if one["field"] == "wind"] == []
    steps = 0
    while desk.ask("studio.scene.steps.undo"):
        changed(desk, lambda: desk.press("Control+z"))
        steps += 1
    assert steps == 4
    assert spline(saved(desk, file), "leaf") == first


def at_share(slider, share):
    """Where the thumb of a slider is that stands at a share of its way."""
    box = slider.bounding_box()
    return {"x": box["x"] + 7 + share * (box["width"] - 14), "y": box["y"] + box["height"] / 2}


def test_a_link_of_its_own_is_cut_too(desk):
    choose(desk, "leaf")
    title = desk.ask("studio.actor('leaf').spline.senses[1].title")
    changed(desk, inspector(desk).get_by_role("button", name=f"Cut the link to {title}").click)
    assert [one["name"] for one in desk.ask("studio.actor('leaf').spline.senses")] == ["wind"]


def test_friction_is_for_one_of_a_flock_or_for_all_of_it(desk):
    choose(desk, "flock/a")
    friction = desk.page.get_by_role("textbox", name="friction")
    friction.fill("0.1")
    changed(desk, lambda: friction.press("Enter"))
    inspector(desk).get_by_role("checkbox", name="for all 2 of flock/*").check()
    cut = inspector(desk).get_by_role("button", name="Cut the link to wind")
    changed(desk, cut.click)
    told = desk.ask("['flock/a', 'flock/b'].map(name => studio.actor(name).spline)")
    assert [one["friction"] for one in told] == [0.1, 0]
    assert [one["senses"] for one in told] == [[], []]
    inspector(desk).get_by_role("checkbox", name="for all 2 of flock/*").uncheck()


def test_how_it_begins_and_steps_is_said_in_the_inspector(desk, file):
    choose(desk, "leaf")
    desk.page.get_by_label("Velocity z", exact=True).fill("-1.5")
    changed(desk, lambda: desk.press("Enter"))
    desk.page.get_by_label("Place x", exact=True).fill("2")
    changed(desk, lambda: desk.press("Enter"))
    changed(desk, lambda: select(desk, "Steps", "steadily: orbits stay"))
    select(desk, "Joins", "nor does acceleration")  # which orbits that stay do not have
    refusal = desk.page.get_by_text("Second-order continuity goes with")
    refusal.wait_for()
    assert desk.page.get_by_label("Joins", exact=True).input_value() == "c1"
    kept = spline(saved(desk, file), "leaf")
    assert kept["position"] == [2, 3, 0]
    assert kept["velocity"] == [0, 0, -1.5]
    assert kept["integrator"] == "steady"
    assert "continuity" not in kept


def test_who_is_added_steered_senses_the_field_that_is_selected(desk):
    choose_field(desk, "swirl")
    changed(desk, desk.page.get_by_role("button", name="Add an actor steered by fields").click)
    desk.until("() => window.__keypose.studio.chosen?.spline")
    assert [one["name"] for one in desk.ask("studio.chosen.spline.senses")] == ["swirl"]


# ---- for everybody ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_every_panel_of_fields_can_be_read_and_has_names(desk, size):
    desk.page.set_viewport_size({"width": size[0], "height": size[1]})
    try:
        for field in ("wind", "swirl"):
            choose_field(desk, field)
            readable(desk, field)
            all_have_names(desk, 40)
        formula(desk).fill("(a, lenght(x), 0)")
        desk.until("() => document.querySelector('section[aria-label=Inspector] [role=alert]').innerText !== ''")
        readable(desk, "a wrong formula")
        formula(desk).press("Escape")
        for actor in ("leaf", "flock/a"):
            choose(desk, actor)
            readable(desk, actor)
            all_have_names(desk, 40)
        listed(desk).get_by_role("button", name="Add a field").click()
        sheet = desk.page.get_by_role("dialog")
        sheet.wait_for()
        readable(desk, "what to add")
        all_have_names(desk, 10)
        desk.press("Escape")
        sheet.wait_for(state="detached")
    finally:
        desk.page.set_viewport_size({"width": 1280, "height": 800})


def test_a_large_group_is_one_row_until_it_is_opened(chromium, tmp_path):
    flock = [Actor(f"starling/{number}", DynamicSpline((number, 0, 0))) for number in range(70)]
    save(Stage([Actor("falcon", WALK), *flock]), tmp_path / "flock.json")
    with serving(tmp_path / "flock.json") as address:
        screen = Screen(chromium.new_page(viewport={"width": 1280, "height": 800}), address)
        cast = screen.page.get_by_role("region", name="Cast")
        rows = cast.get_by_role("listitem")
        group = cast.get_by_role("button", name="starling/*")
        assert rows.count() == 2
        screen.select("starling/40")
        assert rows.count() == 3
        group.click()
        assert group.get_attribute("aria-expanded") == "true"
        assert rows.count() == 72
        screen.page.close()
        assert screen.trouble == []
