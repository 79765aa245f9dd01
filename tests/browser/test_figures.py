"""Can a person take a figure by its parts, and shape how they hang and are led?"""

import numpy as np
import pytest

from keypose import (
    Actor,
    Body,
    Box,
    Follow,
    Free,
    Key,
    Motion,
    MotionPath,
    Plane,
    Reach,
    Sphere,
    Spring,
    Stage,
    Still,
    fields,
)
from tests.browser import body_scene
from tests.browser.accessibility import assert_controls_named, assert_readable
from tests.browser.body_scene import go_to, open_studio, position_of, reset_scene, slider, target
from tests.browser.field_scene import choose, inspector, save_and_read, select, wait_for_change
from tests.browser.page_waits import middle
from tests.physics.arms import DOWN, HAND_PATH, arm

BEE_KEYS = [(3, 2, 1), Key((0, 1, 0), relative_to="wagon", pin=False), Key((1, 1.5, 0), relative_to="wagon", pin=False)]
FIGURE_STAGE = Stage(
    [
        Actor("floor", Still(Body(Plane(offset=-0.5)))),
        Actor("arm", arm(damping=0.2), look="#0072b2"),
        Actor("lamp", Free(Body(Sphere(0.1), 0.3), (-0.8, 0.4, 0))),
        Actor("ball", Free(Body(Sphere(0.4)), (2, 0.9, 0)), look="#d55e00"),
        Actor("wagon", Motion(MotionPath([(2, 0, 1), (5, 0, 1)]), duration=2), body=Body(Box(0.3))),
        Actor("bee", Follow(MotionPath(BEE_KEYS), Body(Sphere(0.1)), within=0.3, speed=4)),
    ],
    connections=[
        Reach("arm/hand", HAND_PATH, within=0.2),
        Spring("lamp", "arm", stiffness=40, damping=1),
    ],
    fields={"wind": fields.Uniform((2, 0, 0))},
    gravity=DOWN,
)


def wait_until_shot(screen):
    body_scene.wait_until_shot(screen, "arm/hand")


@pytest.fixture(scope="module")
def shared_screen(chromium, tmp_path_factory):
    """One studio on a scene of figures for all tests."""
    with open_studio(FIGURE_STAGE, chromium, tmp_path_factory.mktemp("gym"), "arm/hand") as screen:
        yield screen


@pytest.fixture
def screen(shared_screen):
    return reset_scene(shared_screen, "floor", "arm/hand")


def pick(screen, part):
    """Select a part in the cast."""
    screen.page.get_by_role("region", name="Cast").get_by_role("button", name=f"{part} ").first.click()
    screen.wait_until("it => window.__keypose.selection.link === it", f"arm/{part}")


def type_value(screen, label, value):
    box = inspector(screen).get_by_role("textbox", name=label, exact=True)
    box.fill(value)
    wait_for_change(screen, lambda: box.press("Enter"))


def link_view(screen, name):
    return screen.read_state(f"doc.scene.links.find((link) => link.name === {name!r})")


# ---- parts -----------------------------------------------------------------------------------------------------------


def test_click_on_a_link_selects_it_on_the_stage_and_in_the_actor_list(screen):
    rows = screen.page.get_by_role("region", name="Cast").get_by_role("listitem").all_inner_texts()
    assert [row.split("\n")[0] for row in rows[1:5]] == ["arm", "upper", "lower", "hand"]
    for part in ("hand", "upper"):
        position = screen.handle_position(f"arm/{part}", {"pose": True})
        screen.page.mouse.click(position["x"], position["y"])
        screen.wait_until("it => window.__keypose.selection.link === it", f"arm/{part}")
        assert screen.read_state("selection.actor") == "arm"
        heading = inspector(screen).get_by_role("heading", level=3).inner_text().split()
        assert heading[:3] == ["arm", "·", part]  # where the hand begins is the first key of its path
    pick(screen, "lower")
    position = screen.handle_position("arm", {"pose": True})
    screen.page.mouse.click(position["x"], position["y"])
    screen.wait_until("() => window.__keypose.selection.link === null")
    assert screen.read_state("selection.actor") == "arm"


def test_every_link_moves_with_the_figure(screen):
    before = [position_of(screen, f"arm/{part}") for part in ("upper", "lower", "hand")]
    go_to(screen, 1.0)
    after = [position_of(screen, f"arm/{part}") for part in ("upper", "lower", "hand")]
    assert all(np.linalg.norm(np.subtract(a, b)) > 0.02 for a, b in zip(before, after, strict=True))


def test_body_and_joint_options_of_a_link_are_changed(screen):
    pick(screen, "hand")
    type_value(screen, "Mass", "2")
    assert link_view(screen, "arm/hand")["body"]["mass"] == 2
    type_value(screen, "Strength", "5")
    wait_for_change(screen, screen.page.get_by_label("has limits").click)
    joint = link_view(screen, "arm/hand")["joint"]
    assert (joint["numbers"]["strength"], joint["limits"]) == (5, [-45, 45])
    type_value(screen, "Limit to", "10")
    joints = save_and_read(screen, screen.file)["actors"][1]["mover"]["joints"]
    assert joints[2]["limits"] == [-45, 10]
    assert screen.read_state("selection.link") == "arm/hand", "it stays selected"


# ---- what leads and holds --------------------------------------------------------------------------------------------


def test_reach_slider_changes_the_take_and_undo_restores_it(screen):
    pick(screen, "hand")
    before = screen.curve("arm/hand", "line")
    wait_for_change(screen, lambda: screen.drag(middle(slider(screen, "within")), 60, 0))
    wait_until_shot(screen)
    assert screen.read_state("doc.scene.connections[0].follow.within") > 0.5
    assert screen.curve("arm/hand", "line") != before
    assert screen.read_state("doc.scene.steps.undo") == "within of the reach of arm/hand"
    screen.press("Control+z")
    screen.wait_until("() => window.__keypose.doc.scene.connections[0].follow.within === 0.2")
    wait_until_shot(screen)
    assert screen.curve("arm/hand", "line") == before


def test_path_and_target_of_a_reach_are_drawn(screen):
    go_to(screen, 0.3)
    path, hand = screen.handle_position("arm/hand", {"path": 2}), screen.handle_position("arm/hand", {"target": True})
    assert np.hypot(path["x"] - hand["x"], path["y"] - hand["y"]) > 5
    assert np.linalg.norm(np.subtract(target(screen, "arm/hand"), position_of(screen, "arm/hand"))) < 0.25


def reach_key_positions(screen):
    """The places of the keys along which the hand is led."""
    return [key["spec"]["position"] for key in screen.read_state("doc.scene.driven[0].keys")]


def test_keys_of_a_reach_are_dragged_on_the_stage(screen):
    pick(screen, "hand")
    assert screen.page.locator(".card").count() == 3
    before = reach_key_positions(screen)
    trail = screen.curve("arm/hand", "line")
    wait_for_change(screen, lambda: screen.drag(screen.handle_position("arm/hand", {"key": 2}), 12, 16))
    wait_until_shot(screen)
    after = reach_key_positions(screen)
    assert after[:2] == before[:2]
    assert after[2][0] > before[2][0] + 0.02
    assert after[2][1] > before[2][1] + 0.03
    assert screen.curve("arm/hand", "line") != trail
    assert screen.read_state("[selection.link, selection.actor, ...selection.keys]") == [
        "arm/hand",
        "arm",
        2,
    ]
    assert screen.read_state("doc.scene.steps.undo") == "move key 2 of arm/hand"
    assert save_and_read(screen, screen.file)["connections"][0]["goal"]["keys"][2]["position"] == after[2]
    screen.press("Control+z")
    screen.wait_until("y => window.__keypose.doc.scene.driven[0].keys[2].spec.position[1] === y", before[2][1])


def test_keys_of_a_reach_are_shaped_typed_inserted_and_deleted(screen):
    pick(screen, "hand")
    screen.page.locator(".card").nth(1).click()
    assert inspector(screen).get_by_role("heading", level=3).inner_text().split() == [
        "arm",
        "·",
        "hand",
        "·",
        "key",
        "1",
    ]
    before = screen.curve("arm/hand", "leave")[3:6]
    wait_for_change(screen, lambda: screen.drag(middle(slider(screen, "tension")), 60, 0))
    wait_until_shot(screen)
    assert np.linalg.norm(screen.curve("arm/hand", "leave")[3:6]) < np.linalg.norm(before)
    type_value(screen, "Place y", "0.7")
    assert reach_key_positions(screen)[1][1] == 0.7
    wait_until_shot(screen)
    go_to(screen, 0.2)
    wait_for_change(screen, lambda: screen.press("i"))
    wait_until_shot(screen)
    assert len(reach_key_positions(screen)) == 4
    assert screen.page.locator(".card").count() == 4
    assert len(screen.read_state("selection.keys")) == 1
    wait_for_change(screen, lambda: screen.press("Delete"))
    assert len(reach_key_positions(screen)) == 3
    assert screen.read_state("selection.link") == "arm/hand", "it stays selected"


def test_keyframe_panel_of_a_figure_names_the_link_with_keys(screen):
    panel = screen.page.get_by_role("region", name="Key frames")
    choose(screen, "arm")
    assert "select arm/hand" in panel.inner_text()
    pick(screen, "upper")
    assert "arm/upper has no keys" in panel.inner_text()
    assert screen.page.locator(".card").count() == 0


def test_spring_is_drawn_between_its_bodies_and_its_options_are_changed(screen):
    screen.render()
    ends = [screen.handle_position(name, {"pose": True}) for name in ("lamp", "arm")]
    spring = screen.handle_position("", {"tie": 1})
    assert spring["x"] == pytest.approx((ends[0]["x"] + ends[1]["x"]) / 2, abs=1)
    choose(screen, "lamp")
    type_value(screen, "Stiffness of the spring", "100")
    assert screen.read_state("doc.scene.connections[1].numbers.stiffness") == 100
    assert save_and_read(screen, screen.file)["connections"][1]["stiffness"] == 100


# ---- what is carried, and what pushes --------------------------------------------------------------------------------


def test_relative_keys_of_a_follower_move_with_their_carrier_and_are_dragged(screen):
    choose(screen, "bee")
    before = screen.handle_position("bee", {"key": 1})
    go_to(screen, 1.0)
    screen.wait_until("() => Math.abs(window.__keypose.doc.curves.get('bee').arrays.keys[3] - 3.5) < 1e-3")
    key = screen.handle_position("bee", {"key": 1})
    assert key["x"] > before["x"] + 10
    wait_for_change(screen, lambda: screen.drag(key, 0, 20))
    wait_until_shot(screen)
    assert screen.key("bee", 1)["spec"]["position"][1] > 1.1
    assert screen.key("bee", 1)["spec"]["position"][0] == pytest.approx(0, abs=0.05)
    assert screen.curve("bee", "keys")[3] == pytest.approx(3.5, abs=0.05)


def test_body_that_senses_a_field_is_accelerated_by_it(screen):
    choose(screen, "ball")
    before = screen.curve("ball", "line")
    wait_for_change(screen, lambda: select(screen, "Let it sense something more", "wind"))
    wait_until_shot(screen)
    assert [one["name"] for one in screen.read_state("doc.actor('ball').senses")] == ["wind"]
    assert screen.curve("ball", "line")[-3] > before[-3] + 0.5
    wait_for_change(screen, screen.page.get_by_role("button", name="Cut the link to wind").click)
    assert screen.read_state("doc.actor('ball').senses") == []


# ---- for everybody ---------------------------------------------------------------------------------------------------


def test_figure_panels_are_readable_and_controls_are_named(screen):
    for part in ("hand", "upper"):
        pick(screen, part)
        assert_readable(screen, part)
        assert_controls_named(screen, 40)
    choose(screen, "arm")
    assert_readable(screen, "arm")
