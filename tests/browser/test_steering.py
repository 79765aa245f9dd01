"""Can a person link objects to fields, and say how they are steered, by mouse and keyboard alone?"""

from keypose import Actor, DynamicSpline, Stage, save
from tests.browser.hands import middle
from tests.browser.screen import Screen, serving
from tests.browser.winds import WALK, changed, choose, choose_field, formula, inspector, saved, select, spline


def test_friction_and_affinity_are_slid_links_are_cut_and_made_and_all_of_it_is_undone(windy, windy_file):
    choose(windy, "leaf")
    first = spline(saved(windy, windy_file), "leaf")
    friction = windy.page.get_by_role("slider", name="friction slider")
    changed(windy, lambda: windy.drag(at_share(friction, 0.02), friction.bounding_box()["width"] / 2, 0))
    affinity = windy.page.get_by_role("slider", name="Affinity to wind slider")
    changed(windy, lambda: windy.drag(middle(affinity), affinity.bounding_box()["width"] / 4, 0))
    kept = spline(saved(windy, windy_file), "leaf")
    assert 0.4 < kept["friction"] < 0.6
    assert kept["senses"][0]["field"] == "wind"
    assert 0.65 < kept["senses"][0]["affinity"] < 0.85
    assert kept["friction"] == windy.ask("studio.actor('leaf').spline.friction")
    changed(windy, inspector(windy).get_by_role("button", name="Cut the link to wind").click)
    changed(windy, lambda: select(windy, "Let it sense something more", "swirl"))
    senses = spline(saved(windy, windy_file), "leaf")["senses"]
    assert senses[-1] == {"field": "swirl", "affinity": 1}
    assert [one["field"] for one in senses if one["field"] == "wind"] == []
    steps = 0
    while windy.ask("studio.scene.steps.undo"):
        changed(windy, lambda: windy.press("Control+z"))
        steps += 1
    assert steps == 4
    assert spline(saved(windy, windy_file), "leaf") == first


def at_share(slider, share):
    """Where the thumb of a slider is that stands at a share of its way."""
    box = slider.bounding_box()
    return {"x": box["x"] + 7 + share * (box["width"] - 14), "y": box["y"] + box["height"] / 2}


def test_a_link_of_its_own_is_cut_too(windy):
    choose(windy, "leaf")
    title = windy.ask("studio.actor('leaf').senses[1].title")
    changed(windy, inspector(windy).get_by_role("button", name=f"Cut the link to {title}").click)
    assert [one["name"] for one in windy.ask("studio.actor('leaf').senses")] == ["wind"]


def test_a_link_of_its_own_gets_a_name_and_opens_in_the_inspector_in_one_step(windy):
    choose(windy, "leaf")
    changed(windy, inspector(windy).get_by_role("button", name="Name it: keeps its offset to man").click)
    windy.until("() => window.__keypose.studio.selection.field === 'keep offset to man'")
    assert windy.page.get_by_label("Response", exact=True).is_visible()
    assert [one["name"] for one in windy.ask("studio.actor('leaf').senses")] == ["wind", "keep offset to man"]
    changed(windy, lambda: windy.press("Control+z"))
    assert [one["name"] for one in windy.ask("studio.actor('leaf').senses")] == ["wind", None]
    assert windy.ask("studio.scene.fields.length") == 2


def test_friction_is_for_one_of_a_flock_or_for_all_of_it(windy):
    choose(windy, "flock/a")
    friction = windy.page.get_by_role("textbox", name="friction")
    friction.fill("0.1")
    changed(windy, lambda: friction.press("Enter"))
    inspector(windy).get_by_role("checkbox", name="for all 2 of flock/*").check()
    cut = inspector(windy).get_by_role("button", name="Cut the link to wind")
    changed(windy, cut.click)
    told = windy.ask("['flock/a', 'flock/b'].map(name => studio.actor(name))")
    assert [one["spline"]["friction"] for one in told] == [0.1, 0]
    assert [one["senses"] for one in told] == [[], []]
    inspector(windy).get_by_role("checkbox", name="for all 2 of flock/*").uncheck()


def test_who_will_not_settle_is_marked_in_the_cast_and_told_of_until_it_settles(windy):
    choose(windy, "leaf")
    told = inspector(windy).get_by_role("note", name="Warnings")
    assert told.count() == 0
    affinity = windy.page.get_by_label("Affinity to keeps its offset to man", exact=True)
    affinity.fill("1")
    changed(windy, lambda: affinity.press("Enter"))
    told.wait_for()
    assert "'keeps its offset to man': Affinity 1 does not settle" in told.inner_text()
    mark = windy.page.get_by_role("region", name="Cast").get_by_role("img", name="Warning about leaf")
    assert mark.is_visible()
    affinity.fill("0.3")
    changed(windy, lambda: affinity.press("Enter"))
    told.wait_for(state="detached")
    mark.wait_for(state="detached")


def test_who_stops_where_a_formula_has_no_value_is_told_of_outside_live(windy):
    choose_field(windy, "swirl")
    formula(windy).fill("(log(k - 2 - x), 0, 0)")
    windy.until("() => window.__keypose.studio.chosenField.text.includes('log')")
    choose(windy, "leaf")
    changed(windy, lambda: select(windy, "Let it sense something more", "swirl"))
    told = inspector(windy).get_by_role("note", name="Warnings")
    told.wait_for()
    assert told.inner_text() == "Stopped: 'swirl' has no value where it is."


def test_how_it_begins_and_steps_is_said_in_the_inspector(windy, windy_file):
    choose(windy, "leaf")
    windy.page.get_by_label("Velocity z", exact=True).fill("-1.5")
    changed(windy, lambda: windy.press("Enter"))
    windy.page.get_by_label("Place x", exact=True).fill("2")
    changed(windy, lambda: windy.press("Enter"))
    changed(windy, lambda: select(windy, "Steps", "steadily: orbits stay"))
    select(windy, "Joins", "nor does acceleration")  # which orbits that stay do not have
    refusal = windy.page.get_by_text("Second-order continuity goes with")
    refusal.wait_for()
    assert windy.page.get_by_label("Joins", exact=True).input_value() == "c1"
    kept = spline(saved(windy, windy_file), "leaf")
    assert kept["position"] == [2, 3, 0]
    assert kept["velocity"] == [0, 0, -1.5]
    assert kept["integrator"] == "steady"
    assert "continuity" not in kept


def test_who_is_added_steered_senses_the_field_that_is_selected(windy):
    choose_field(windy, "swirl")
    changed(windy, windy.page.get_by_role("button", name="Add an actor that fields steer").click)
    windy.until("() => window.__keypose.studio.chosen?.spline")
    assert [one["name"] for one in windy.ask("studio.chosen.senses")] == ["swirl"]


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
