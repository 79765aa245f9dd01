"""Does the screen tell what it shows, and hide nothing? Legends, lists, what is busy, what is live."""

import threading

import pytest

from keypose import Actor, Stage, fields, save
from keypose.studio.preview import preview
from tests.browser.field_scene import WALK, choose, choose_field, field_list, wait_for_change
from tests.browser.screen import TIMEOUT, Screen, serve_scene
from tests.browser.test_live import live, transport

EVEN_STAGE = Stage(
    [Actor("man", WALK)],
    fields={"even": fields.Uniform((0, 2, 0)), "peaked": fields.Formula("(-z, 0, x) * exp(-r**2) * 2")},
)


@pytest.fixture
def even_screen(chromium, tmp_path):
    save(EVEN_STAGE, tmp_path / "even.json")
    with serve_scene(tmp_path / "even.json") as address:
        screen = Screen(chromium.new_page(viewport={"width": 1280, "height": 800}), address)
        yield screen
        screen.page.close()
        assert screen.errors == []


def legend_text(screen, field):
    choose_field(screen, field)
    screen.wait_until("field => window.__keypose.fieldArrows.grids.has(field)", field)
    legend = screen.page.get_by_title(f"Arrows are the push of {field}")
    legend.wait_for()
    return legend.inner_text().replace("\n", " ")


def test_legend_reads_or_more_when_stronger_pushes_are_clipped(even_screen):
    assert legend_text(even_screen, "even") == "Push of even 0 2.0 m/s²"
    text = legend_text(even_screen, "peaked")
    assert text.endswith("m/s² or more")


def test_legends_do_not_cover_the_views(even_screen):
    legend_text(even_screen, "even")
    stage = even_screen.page.locator("canvas").first.bounding_box()
    for title in ("Arrows are the push", "Dots are one per frame"):
        box = even_screen.page.get_by_title(title).bounding_box()
        assert box["y"] >= stage["y"] + stage["height"]
        assert box["x"] >= stage["x"]
        assert box["x"] + box["width"] <= stage["x"] + stage["width"]


def is_vertically_within(inner, outer):
    (a, b) = (inner.bounding_box(), outer.bounding_box())
    return b["y"] - 0.5 <= a["y"] and a["y"] + a["height"] <= b["y"] + b["height"] + 0.5


def test_actor_list_has_space_beside_many_fields_and_shows_a_new_actor(windy):
    for kind in ("Vortex", "Wind", "Noise", "Wall"):
        field_list(windy).get_by_role("button", name="Add a field").click()
        sheet = windy.page.get_by_role("dialog", name="Put a field on the stage")
        wait_for_change(windy, sheet.get_by_role("button", name=kind, exact=False).first.click)
    cast = windy.page.get_by_role("region", name="Cast")
    wait_for_change(windy, cast.get_by_role("button", name="Add an actor that fields steer").click)
    windy.wait_until("() => window.__keypose.selection.actorView?.name === 'actor 1'")
    rows = cast.locator("ul")
    windy.wait_until("() => document.querySelector('.list li.selected') !== null")
    assert is_vertically_within(cast.locator("li.selected"), rows)
    assert rows.bounding_box()["height"] >= 3 * 26
    assert is_vertically_within(windy.page.get_by_label("Colour", exact=True), cast)
    assert field_list(windy).locator("ul").bounding_box()["height"] >= 3 * 26
    windy.page.evaluate("() => window.__keypose.selection.selectField('wall')")
    windy.wait_until("() => document.querySelector('.list li.selected')?.textContent.includes('wall')")
    assert is_vertically_within(field_list(windy).locator("li.selected"), field_list(windy).locator("ul"))


def test_speed_panel_of_a_live_run_states_that_it_shows_the_document(windy):
    choose(windy, "leaf")
    panel = windy.page.get_by_role("region", name="Speed")
    assert panel.get_by_role("note").count() == 0
    with live(windy):
        assert "not the live run" in panel.get_by_role("note").inner_text()
        assert panel.locator("line.cursor").count() == 0
        choose(windy, "man")
        assert panel.get_by_role("note").count() == 0, "who is keyed goes as it is said, live too"
    choose(windy, "leaf")
    assert panel.get_by_role("note").count() == 0


def test_time_past_the_end_of_a_shortened_scene_becomes_its_end(windy):
    choose(windy, "man")
    duration = windy.page.locator("label", has_text="Takes").locator("input")
    duration.fill("6")
    wait_for_change(windy, lambda: duration.press("Enter"))
    windy.wait_until("() => window.__keypose.doc.scene.duration === 6")
    windy.page.get_by_label("Frame", exact=True).fill("139")
    windy.press("Enter")
    windy.wait_until("() => window.__keypose.playback.poses.time > 5.7")
    wait_for_change(windy, lambda: windy.press("Control+z"))
    windy.wait_until("() => window.__keypose.playback.time <= window.__keypose.doc.scene.duration")
    windy.wait_until("() => window.__keypose.playback.poses.time === window.__keypose.doc.scene.duration")
    assert windy.page.get_by_label("Frame", exact=True).input_value() == "48"
    assert "of 48" in transport(windy).inner_text()


def test_long_step_name_is_not_cut_off_on_a_wide_screen(windy):
    windy.page.set_viewport_size({"width": 1920, "height": 1080})
    windy.page.evaluate(
        "() => { window.__keypose.connection.lastStep = 'let leaf sense what keeps its offset to pointer'; }"
    )
    state = windy.page.locator("header .state")
    windy.wait_until("() => document.querySelector('header .state').textContent.includes('offset')")
    assert state.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    windy.page.set_viewport_size({"width": 1280, "height": 800})


def test_outdated_trails_are_indicated_until_new_ones_are_computed(windy, monkeypatch):
    may_continue, shoot = threading.Event(), preview.shoot_until_done

    def shoot_slowly(*arguments, **keywords):
        may_continue.wait(TIMEOUT)
        return shoot(*arguments, **keywords)

    busy = windy.page.get_by_role("status", name="Busy")
    busy.wait_for(state="detached")  # what was done before is worked out
    monkeypatch.setattr(preview, "shoot_until_done", shoot_slowly)
    choose(windy, "leaf")
    friction = windy.page.get_by_role("slider", name="friction slider")
    wait_for_change(windy, lambda: friction.press("ArrowRight"))
    busy.wait_for()
    assert "new trails are on their way" in busy.inner_text()
    may_continue.set()
    busy.wait_for(state="detached")
