"""Can a person link objects to fields, and say how they are steered, by mouse and keyboard alone?"""

from keypose import Actor, DynamicSpline, Stage, save
from tests.browser.field_scene import (
    WALK,
    choose,
    choose_field,
    formula,
    inspector,
    save_and_read,
    select,
    spline,
    wait_for_change,
)
from tests.browser.page_waits import middle
from tests.browser.screen import Screen, serve_scene


def test_friction_affinity_and_links_are_changed_and_undone(windy, windy_file):
    choose(windy, "leaf")
    first = spline(save_and_read(windy, windy_file), "leaf")
    friction = windy.page.get_by_role("slider", name="friction slider")
    wait_for_change(windy, lambda: windy.drag(slider_thumb(friction, 0.02), friction.bounding_box()["width"] / 2, 0))
    affinity = windy.page.get_by_role("slider", name="Affinity to wind slider")
    wait_for_change(windy, lambda: windy.drag(middle(affinity), affinity.bounding_box()["width"] / 4, 0))
    saved = spline(save_and_read(windy, windy_file), "leaf")
    assert 0.4 < saved["friction"] < 0.6
    assert saved["senses"][0]["field"] == "wind"
    assert 0.65 < saved["senses"][0]["affinity"] < 0.85
    assert saved["friction"] == windy.read_state("doc.actor('leaf').spline.friction")
    wait_for_change(windy, inspector(windy).get_by_role("button", name="Cut the link to wind").click)
    wait_for_change(windy, lambda: select(windy, "Let it sense something more", "swirl"))
    senses = spline(save_and_read(windy, windy_file), "leaf")["senses"]
    assert senses[-1] == {"field": "swirl", "affinity": 1}
    assert [one["field"] for one in senses if one["field"] == "wind"] == []
    steps = 0
    while windy.read_state("doc.scene.steps.undo"):
        wait_for_change(windy, lambda: windy.press("Control+z"))
        steps += 1
    assert steps == 4
    assert spline(save_and_read(windy, windy_file), "leaf") == first


def slider_thumb(slider, share):
    """Where the thumb of a slider is that stands at a share of its way."""
    box = slider.bounding_box()
    return {"x": box["x"] + 7 + share * (box["width"] - 14), "y": box["y"] + box["height"] / 2}


def test_link_to_an_unnamed_field_is_cut(windy):
    choose(windy, "leaf")
    title = windy.read_state("doc.actor('leaf').senses[1].title")
    wait_for_change(windy, inspector(windy).get_by_role("button", name=f"Cut the link to {title}").click)
    assert [one["name"] for one in windy.read_state("doc.actor('leaf').senses")] == ["wind"]


def test_unnamed_field_of_a_link_is_named_and_opened_in_one_step(windy):
    choose(windy, "leaf")
    wait_for_change(windy, inspector(windy).get_by_role("button", name="Name it: keeps its offset to man").click)
    windy.wait_until("() => window.__keypose.selection.field === 'keep offset to man'")
    assert windy.page.get_by_label("Response", exact=True).is_visible()
    assert [one["name"] for one in windy.read_state("doc.actor('leaf').senses")] == ["wind", "keep offset to man"]
    wait_for_change(windy, lambda: windy.press("Control+z"))
    assert [one["name"] for one in windy.read_state("doc.actor('leaf').senses")] == ["wind", None]
    assert windy.read_state("doc.scene.fields.length") == 2


def test_friction_is_set_for_one_actor_or_for_the_whole_group(windy):
    choose(windy, "flock/a")
    friction = windy.page.get_by_role("textbox", name="friction")
    friction.fill("0.1")
    wait_for_change(windy, lambda: friction.press("Enter"))
    inspector(windy).get_by_role("checkbox", name="for all 2 of flock/*").check()
    cut = inspector(windy).get_by_role("button", name="Cut the link to wind")
    wait_for_change(windy, cut.click)
    actors = windy.read_state("['flock/a', 'flock/b'].map(name => doc.actor(name))")
    assert [one["spline"]["friction"] for one in actors] == [0.1, 0]
    assert [one["senses"] for one in actors] == [[], []]
    inspector(windy).get_by_role("checkbox", name="for all 2 of flock/*").uncheck()


def test_unstable_actor_has_a_warning_until_it_is_stable(windy):
    choose(windy, "leaf")
    warnings = inspector(windy).get_by_role("note", name="Warnings")
    assert warnings.count() == 0
    affinity = windy.page.get_by_label("Affinity to keeps its offset to man", exact=True)
    affinity.fill("1")
    wait_for_change(windy, lambda: affinity.press("Enter"))
    warnings.wait_for()
    assert "'keeps its offset to man': Affinity 1 does not settle" in warnings.inner_text()
    mark = windy.page.get_by_role("region", name="Cast").get_by_role("img", name="Warning about leaf")
    assert mark.is_visible()
    affinity.fill("0.3")
    wait_for_change(windy, lambda: affinity.press("Enter"))
    warnings.wait_for(state="detached")
    mark.wait_for(state="detached")


def test_actor_stopped_by_an_undefined_formula_has_a_warning_outside_live(windy):
    choose_field(windy, "swirl")
    formula(windy).fill("(log(k - 2 - x), 0, 0)")
    windy.wait_until("() => window.__keypose.selection.fieldView.text.includes('log')")
    choose(windy, "leaf")
    wait_for_change(windy, lambda: select(windy, "Let it sense something more", "swirl"))
    warnings = inspector(windy).get_by_role("note", name="Warnings")
    warnings.wait_for()
    assert warnings.inner_text() == "Stopped: 'swirl' has no value where it is."


def test_start_state_and_integrator_are_set_in_the_inspector(windy, windy_file):
    choose(windy, "leaf")
    windy.page.get_by_label("Velocity z", exact=True).fill("-1.5")
    wait_for_change(windy, lambda: windy.press("Enter"))
    windy.page.get_by_label("Place x", exact=True).fill("2")
    wait_for_change(windy, lambda: windy.press("Enter"))
    wait_for_change(windy, lambda: select(windy, "Steps", "steadily: orbits stay"))
    select(windy, "Joins", "nor does acceleration")  # which orbits that stay do not have
    refusal = windy.page.get_by_text("Second-order continuity goes with")
    refusal.wait_for()
    assert windy.page.get_by_label("Joins", exact=True).input_value() == "c1"
    saved = spline(save_and_read(windy, windy_file), "leaf")
    assert saved["position"] == [2, 3, 0]
    assert saved["velocity"] == [0, 0, -1.5]
    assert saved["integrator"] == "steady"
    assert "continuity" not in saved


def test_added_dynamic_spline_senses_the_selected_field(windy):
    choose_field(windy, "swirl")
    wait_for_change(windy, windy.page.get_by_role("button", name="Add an actor that fields steer").click)
    windy.wait_until("() => window.__keypose.selection.actorView?.spline")
    assert [one["name"] for one in windy.read_state("selection.actorView.senses")] == ["swirl"]


def test_large_group_is_one_row_until_expanded(chromium, tmp_path):
    flock = [Actor(f"starling/{number}", DynamicSpline((number, 0, 0))) for number in range(70)]
    save(Stage([Actor("falcon", WALK), *flock]), tmp_path / "flock.json")
    with serve_scene(tmp_path / "flock.json") as address:
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
        assert screen.errors == []
