"""Can a person shape how bodies follow their paths, see what they do and whom they hit, and change it while it runs?"""

import io
import math

import numpy as np
import pytest
from PIL import Image

from tests.browser.accessibility import assert_controls_named, assert_readable
from tests.browser.body_scene import (
    BODY_STAGE,
    go_to,
    open_studio,
    position_of,
    reset_scene,
    slider,
    target,
    trail,
    wait_until_shot,
)
from tests.browser.field_scene import choose, inspector, save_and_read, wait_for_change
from tests.browser.page_waits import edit_and_wait, middle


@pytest.fixture(scope="module")
def shared_screen(chromium, tmp_path_factory):
    """One studio on a scene of bodies for all tests."""
    with open_studio(BODY_STAGE, chromium, tmp_path_factory.mktemp("weights")) as screen:
        yield screen


@pytest.fixture
def screen(shared_screen):
    return reset_scene(shared_screen, "red")


def nominal_speed_text(screen):
    return inspector(screen).get_by_role("status", name="Pace").inner_text()


# ---- the path that is followed ---------------------------------------------------------------------------------------


def test_dragged_key_of_a_follower_updates_its_path_before_its_trail(screen):
    choose(screen, "red")
    before = trail(screen, "red")
    key = screen.handle_position("red", {"key": 1})
    mouse = screen.page.mouse
    mouse.move(key["x"], key["y"])
    mouse.down()
    for step in range(1, 6):
        mouse.move(key["x"], key["y"] - 6 * step)
        screen.page.wait_for_timeout(10)
    screen.wait_until("() => window.__keypose.doc.curves.get('red').arrays.keys[4] > 1.6")
    path = screen.curve("red", "path")
    assert max(path[1::3]) > 1.6
    mouse.up()
    wait_until_shot(screen)
    assert screen.key("red", 1)["spec"]["position"][1] > 1.6
    assert max(trail(screen, "red")[1::3]) > max(before[1::3])
    assert screen.read_state("doc.scene.steps.undo") == "move key 1 of red"


def test_key_is_inserted_on_the_rough_path_and_deleted(screen):
    choose(screen, "red")
    path = screen.curve("red", "path")
    screen.page.get_by_role("button", name="Insert").first.click()
    position = screen.handle_position("red", {"path": 0.5})
    edit_and_wait(screen, lambda: screen.page.mouse.click(position["x"], position["y"]), "red")
    assert len(screen.read_state("doc.actor('red').keys")) == 4
    assert screen.read_state("selection.keys") == [1]
    assert screen.curve("red", "path")[1::3][0] == pytest.approx(path[1])
    edit_and_wait(screen, lambda: screen.press("Delete"), "red")
    assert len(screen.read_state("doc.actor('red').keys")) == 3


def test_tension_shapes_the_path_of_a_follower(screen):
    choose(screen, "red")
    screen.select("red", 1)
    before = screen.curve("red", "leave")[3:6]
    edit_and_wait(screen, lambda: screen.drag(middle(slider(screen, "tension")), 60, 0), "red")
    assert math.hypot(*screen.curve("red", "leave")[3:6]) < math.hypot(*before)


# ---- how it is followed ----------------------------------------------------------------------------------------------


def test_lead_distance_slider_changes_the_trail_of_a_follower(screen):
    choose(screen, "red")
    before = trail(screen, "red")
    wait_for_change(screen, lambda: screen.drag(middle(slider(screen, "within")), 80, 0))
    wait_until_shot(screen)
    assert screen.read_state("doc.actor('red').follow.within") > 0.8
    assert trail(screen, "red") != before
    assert screen.read_state("doc.scene.steps.undo") == "within of red"
    spec = next(one for one in save_and_read(screen, screen.file)["actors"] if one["name"] == "red")["mover"]
    assert spec["within"] == screen.read_state("doc.actor('red').follow.within")


def test_speed_and_eagerness_replace_each_other(screen):
    choose(screen, "red")
    assert nominal_speed_text(screen) == "settles at 2 m/s"
    wait_for_change(screen, screen.page.get_by_role("button", name="by eagerness").click)
    follow = screen.read_state("doc.actor('red').follow")
    assert follow["speed"] is None
    assert follow["nominal_speed"] == pytest.approx(2.0, rel=1e-3)
    assert slider(screen, "speed").count() == 0
    wait_for_change(screen, lambda: screen.drag(middle(slider(screen, "eagerness")), 40, 0))
    assert screen.read_state("doc.actor('red').follow.eagerness") > follow["eagerness"]
    wait_for_change(screen, screen.page.get_by_role("button", name="by speed").click)
    assert screen.read_state("doc.actor('red').follow.speed") > 2


def test_damping_is_critical_by_default_and_correction_can_be_off(screen):
    choose(screen, "blue")
    assert slider(screen, "damping").is_disabled()
    critical = screen.page.get_by_label("critical")
    wait_for_change(screen, critical.click)
    wait_for_change(screen, lambda: screen.drag(middle(slider(screen, "damping")), -60, 0))
    assert not screen.read_state("doc.actor('blue').follow.is_critical")
    wait_for_change(screen, critical.click)
    assert screen.read_state("doc.actor('blue').follow.is_critical")
    wait_for_change(screen, screen.page.get_by_label("makes up for what lasts").click)
    assert screen.read_state("doc.actor('blue').follow.correction") is None
    assert slider(screen, "correction").count() == 0


def test_invalid_mass_is_refused_with_reason(screen):
    choose(screen, "ball")
    mass = inspector(screen).get_by_role("textbox", name="Mass")
    mass.fill("-2")
    mass.press("Enter")
    screen.wait_until("() => window.__keypose.notices.entries.some(({ text }) => text.includes('mass: It is -2.'))")
    screen.page.locator(".notice button").first.click()
    assert screen.read_state("doc.actor('ball').body.mass") == 1


# ---- bodies ----------------------------------------------------------------------------------------------------------


def pixels_per_metre(screen):
    """How many pixels a metre is in the view from the front."""
    return abs(screen.handle_position("red", {"key": 2})["x"] - screen.handle_position("red", {"key": 0})["x"]) / 6


def pixel_colour(screen, x, y):
    """The colour of a few pixels of the page: red, green, blue."""
    clip = {"x": round(x) - 1, "y": round(y) - 1, "width": 3, "height": 3}
    picture = Image.open(io.BytesIO(screen.page.screenshot(clip=clip))).convert("RGB")
    return np.asarray(picture, dtype=float).mean(axis=(0, 1))


def test_click_beside_the_centre_of_a_body_selects_its_actor(screen):
    for name, view in (("ball", "front"), ("wall", "front"), ("train", "side"), ("red", "front")):
        go_to(screen, 0.5 if name == "red" else 0)
        centre, offset = screen.handle_position(name, {"pose": True}, view), 0.15 * pixels_per_metre(screen)
        screen.page.mouse.click(centre["x"] + offset, centre["y"] - offset)
        screen.wait_until("name => window.__keypose.selection.actor === name", name)


def test_body_is_drawn_to_scale(screen):
    screen.page.evaluate("() => { window.__keypose.viewport.maximised = 'front'; }")
    screen.render()
    centre, scale = screen.handle_position("ball", {"pose": True}), pixels_per_metre(screen)
    inside, outside = (
        pixel_colour(screen, centre["x"] + share * 0.35 * scale, centre["y"] + 3) for share in (0.75, 1.3)
    )
    assert inside[2] > inside[0] + 40  # the fifth of the cast is blue
    assert outside.max() < 90
    screen.page.evaluate("() => { window.__keypose.viewport.maximised = null; }")


def test_start_position_of_a_free_body_is_dragged(screen):
    choose(screen, "ball")
    start = screen.handle_position("ball", {"start": True})
    before = screen.read_state("doc.actor('ball').start.position")
    wait_for_change(screen, lambda: screen.drag(start, 30, 0))
    wait_until_shot(screen)
    after = screen.read_state("doc.actor('ball').start.position")
    assert after[0] > before[0] + 0.2
    assert after[1:] == before[1:]
    assert trail(screen, "ball")[0] == pytest.approx(after[0], abs=1e-5)


def test_body_shape_is_changed_and_a_motion_loses_and_gets_a_body(screen):
    choose(screen, "ball")
    wait_for_change(screen, lambda: screen.page.get_by_label("Form", exact=True).select_option("box"))
    assert screen.read_state("doc.actor('ball').body.shape.size") == [0.7, 0.7, 0.7]
    choose(screen, "train")
    wait_for_change(screen, screen.page.get_by_role("button", name="Take the body away").click)
    assert screen.read_state("doc.actor('train').body") is None
    wait_for_change(screen, screen.page.get_by_role("button", name="Give it a body").click)
    assert screen.read_state("doc.actor('train').body.shape.kind") == "sphere"


@pytest.mark.parametrize(
    ("label", "name", "field"),
    [
        ("Follower", "follower 1", "follow"),
        ("Free body", "body 1", "start"),
        ("Still body", "block 1", "start"),
        ("Floor", "floor 1", "start"),
    ],
)
def test_bodies_of_every_kind_are_added(screen, label, name, field):
    screen.page.get_by_role("button", name="Add a body").click()
    wait_for_change(
        screen, screen.page.get_by_role("group", name="Bodies to add").get_by_role("button", name=label).click
    )
    screen.wait_until("name => window.__keypose.selection.actor === name", name)
    assert screen.read_state(f"doc.actor({name!r}).{field}") is not None


def test_without_gravity_nothing_falls(screen):
    choose(screen, "ball")
    wait_for_change(screen, screen.page.get_by_label("things fall").click)
    wait_until_shot(screen)
    assert screen.read_state("doc.scene.gravity") == [0, 0, 0]
    heights = trail(screen, "ball")[1::3]
    assert max(heights) - min(heights) < 1e-6


def test_body_that_flies_away_does_not_shrink_the_view(screen):
    choose(screen, "ball")
    before = screen.read_state("fieldArrows.reach")
    up = inspector(screen).get_by_role("textbox", name="Gravity y")
    up.fill("9.81")
    wait_for_change(screen, lambda: up.press("Enter"))
    wait_until_shot(screen)
    assert max(trail(screen, "ball")[1::3]) > 20 * before
    assert screen.read_state("fieldArrows.reach") < 5 * before


def test_dragged_wall_moves_its_body_at_once(screen):
    choose(screen, "wall")
    before = position_of(screen, "wall")
    start = screen.handle_position("wall", {"start": True})
    wait_for_change(screen, lambda: screen.drag(start, 25, 0))
    assert position_of(screen, "wall")[0] > before[0] + 0.2
    assert position_of(screen, "wall") == pytest.approx(screen.read_state("doc.actor('wall').start.position"), abs=1e-5)


# ---- targets and hits ------------------------------------------------------------------------------------------------


def test_target_is_drawn_ahead_of_its_body(screen):
    go_to(screen, 1.0)
    away = math.dist(position_of(screen, "red"), target(screen, "red"))
    assert away == pytest.approx(0.4, abs=0.03)
    body, aim = screen.handle_position("red", {"pose": True}), screen.handle_position("red", {"target": True})
    assert aim["x"] > body["x"] + 5


def test_collisions_are_listed_marked_on_the_timeline_and_highlighted(screen):
    choose(screen, "ball")
    hits = screen.read_state("playback.collisions.filter((hit) => hit.actor === 'ball' || hit.other === 'ball')")
    assert hits
    assert screen.page.locator(".marks .mark.own").count() == len(hits)
    row = inspector(screen).get_by_role("list", name="Contacts").get_by_role("button").first
    assert "floor" in row.inner_text()
    row.click()
    screen.wait_until("time => Math.abs(window.__keypose.playback.poses.time - time) < 0.02", hits[0]["time"])
    screen.wait_until("() => window.__keypose.project('', { hit: 0 }, 'front')")
    go_to(screen, 0)
    assert screen.page.evaluate("() => window.__keypose.project('', { hit: 0 }, 'front')") is None


def test_blocked_follower_has_a_warning(screen):
    choose(screen, "blue")
    screen.wait_until("() => window.__keypose.doc.actor('blue').warnings.length > 0")
    assert "'wall'" in inspector(screen).get_by_role("note", name="Warnings").inner_text()


# ---- live ------------------------------------------------------------------------------------------------------------


def test_slider_changes_a_live_run_which_can_be_rewound(screen):
    choose(screen, "red")
    screen.press("v")
    screen.wait_until("() => window.__keypose.playback.isLive && window.__keypose.playback.simulatedUntil > 0.3")
    before = screen.read_state("playback.poses.time")
    wait_for_change(screen, lambda: screen.drag(middle(slider(screen, "speed")), 60, 0))
    assert screen.read_state("playback.isLive && playback.isPlaying")
    screen.wait_until("before => window.__keypose.playback.poses.time > before + 0.3", before)
    assert screen.read_state("doc.actor('red').follow.speed") > 3
    assert screen.handle_position("red", {"target": True})
    screen.press("Space")
    screen.settle()  # until the pause is heard the run goes on, and what it came to is told behind the answer
    screen.wait_until("() => window.__keypose.playback.poses.time === window.__keypose.playback.time")
    assert not screen.read_state("playback.isPlaying")
    position, reached = position_of(screen, "red"), screen.read_state("playback.simulatedUntil")
    screen.page.get_by_label("Rewind the live run").focus()
    screen.press("Home")
    screen.wait_until("() => window.__keypose.playback.poses.time === 0")
    assert position_of(screen, "red") == pytest.approx([0, 0.5, 0], abs=1e-5)
    screen.wait_until("() => window.__keypose.playback.collisions?.length === 0")
    screen.press("End")
    screen.wait_until("reached => Math.abs(window.__keypose.playback.poses.time - reached) < 0.05", reached)
    assert position_of(screen, "red") == pytest.approx(position, abs=0.3)
    screen.press("v")
    screen.wait_until("() => !window.__keypose.playback.isLive")


# ---- for everybody ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_body_panels_are_readable_and_controls_are_named(screen, size):
    screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    for name in ("red", "ball", "floor", "train"):
        choose(screen, name)
        assert_readable(screen, name)
        assert_controls_named(screen, 40)
    screen.page.set_viewport_size({"width": 1280, "height": 800})
