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
from tests.browser import weights
from tests.browser.for_everybody import all_have_names, readable
from tests.browser.hands import middle
from tests.browser.weights import as_opened, go_to, place, slider, studio_on, target
from tests.browser.winds import changed, choose, inspector, saved, select
from tests.physics.arms import DOWN, WAY, arm

BEE = [(3, 2, 1), Key((0, 1, 0), relative_to="wagon", pin=False), Key((1, 1.5, 0), relative_to="wagon", pin=False)]
GYM = Stage(
    [
        Actor("floor", Still(Body(Plane(offset=-0.5)))),
        Actor("arm", arm(damping=0.2), look="#0072b2"),
        Actor("lamp", Free(Body(Sphere(0.1), 0.3), (-0.8, 0.4, 0))),
        Actor("ball", Free(Body(Sphere(0.4)), (2, 0.9, 0)), look="#d55e00"),
        Actor("wagon", Motion(MotionPath([(2, 0, 1), (5, 0, 1)]), duration=2), body=Body(Box(0.3))),
        Actor("bee", Follow(MotionPath(BEE), Body(Sphere(0.1)), within=0.3, speed=4)),
    ],
    connections=[
        Reach("arm/hand", WAY, within=0.2),
        Spring("lamp", "arm", stiffness=40, damping=1),
    ],
    fields={"wind": fields.Uniform((2, 0, 0))},
    gravity=DOWN,
)


def shot(screen):
    weights.shot(screen, "arm/hand")


@pytest.fixture(scope="module")
def gym(chromium, tmp_path_factory):
    """One studio on a scene of figures for all tests."""
    with studio_on(GYM, chromium, tmp_path_factory.mktemp("gym"), "arm/hand") as screen:
        yield screen


@pytest.fixture
def screen(gym):
    return as_opened(gym, "floor", "arm/hand")


def pick(screen, part):
    """Select a part in the cast."""
    screen.page.get_by_role("region", name="Cast").get_by_role("button", name=f"{part} ").first.click()
    screen.until("it => window.__keypose.studio.link === it", f"arm/{part}")


def typed(screen, label, value):
    box = inspector(screen).get_by_role("textbox", name=label, exact=True)
    box.fill(value)
    changed(screen, lambda: box.press("Enter"))


def link(screen, name):
    return screen.ask(f"studio.scene.links.find((link) => link.name === {name!r})")


# ---- parts -----------------------------------------------------------------------------------------------------------


def test_a_click_on_a_part_selects_it_on_the_stage_and_in_the_cast(screen):
    rows = screen.page.get_by_role("region", name="Cast").get_by_role("listitem").all_inner_texts()
    assert [row.split("\n")[0] for row in rows[1:5]] == ["arm", "upper", "lower", "hand"]
    for part in ("hand", "upper"):
        spot = screen.spot(f"arm/{part}", {"pose": True})
        screen.page.mouse.click(spot["x"], spot["y"])
        screen.until("it => window.__keypose.studio.link === it", f"arm/{part}")
        assert screen.ask("studio.selection.actor") == "arm"
        told = inspector(screen).get_by_role("heading", level=3).inner_text().split()
        assert told[:3] == ["arm", "·", part]  # where the hand begins is the first key of its path
    pick(screen, "lower")
    spot = screen.spot("arm", {"pose": True})
    screen.page.mouse.click(spot["x"], spot["y"])
    screen.until("() => window.__keypose.studio.link === null")
    assert screen.ask("studio.selection.actor") == "arm"


def test_every_part_goes_where_the_figure_moves_it(screen):
    before = [place(screen, f"arm/{part}") for part in ("upper", "lower", "hand")]
    go_to(screen, 1.0)
    after = [place(screen, f"arm/{part}") for part in ("upper", "lower", "hand")]
    assert all(np.linalg.norm(np.subtract(a, b)) > 0.02 for a, b in zip(before, after, strict=True))


def test_the_body_and_the_joint_of_a_part_get_other_numbers(screen):
    pick(screen, "hand")
    typed(screen, "Mass", "2")
    assert link(screen, "arm/hand")["body"]["mass"] == 2
    typed(screen, "Strength", "5")
    changed(screen, screen.page.get_by_label("has limits").click)
    joint = link(screen, "arm/hand")["joint"]
    assert (joint["numbers"]["strength"], joint["limits"]) == (5, [-45, 45])
    typed(screen, "Limit to", "10")
    joints = saved(screen, screen.file)["actors"][1]["mover"]["joints"]
    assert joints[2]["limits"] == [-45, 10]
    assert screen.ask("studio.link") == "arm/hand", "it stays selected"


# ---- what leads and holds --------------------------------------------------------------------------------------------


def test_a_slider_of_a_reach_changes_the_take_and_undo_brings_it_back(screen):
    pick(screen, "hand")
    before = screen.curve("arm/hand", "line")
    changed(screen, lambda: screen.drag(middle(slider(screen, "within")), 60, 0))
    shot(screen)
    assert screen.ask("studio.scene.connections[0].race.within") > 0.5
    assert screen.curve("arm/hand", "line") != before
    assert screen.ask("studio.scene.steps.undo") == "within of the reach of arm/hand"
    screen.press("Control+z")
    screen.until("() => window.__keypose.studio.scene.connections[0].race.within === 0.2")
    shot(screen)
    assert screen.curve("arm/hand", "line") == before


def test_the_path_and_the_target_of_a_reach_are_seen(screen):
    go_to(screen, 0.3)
    path, hand = screen.spot("arm/hand", {"path": 2}), screen.spot("arm/hand", {"target": True})
    assert np.hypot(path["x"] - hand["x"], path["y"] - hand["y"]) > 5
    assert np.linalg.norm(np.subtract(target(screen, "arm/hand"), place(screen, "arm/hand"))) < 0.25


def led(screen):
    """The places of the keys along which the hand is led."""
    return [key["said"]["position"] for key in screen.ask("studio.scene.led[0].keys")]


def test_the_keys_of_a_reach_are_seen_and_dragged_on_the_stage(screen):
    pick(screen, "hand")
    assert screen.page.locator(".card").count() == 3
    before = led(screen)
    trail = screen.curve("arm/hand", "line")
    changed(screen, lambda: screen.drag(screen.spot("arm/hand", {"key": 2}), 12, 16))
    shot(screen)
    after = led(screen)
    assert after[:2] == before[:2]
    assert after[2][0] > before[2][0] + 0.02
    assert after[2][1] > before[2][1] + 0.03
    assert screen.curve("arm/hand", "line") != trail
    assert screen.ask("[studio.link, studio.selection.actor, ...studio.selection.keys]") == ["arm/hand", "arm", 2]
    assert screen.ask("studio.scene.steps.undo") == "move key 2 of arm/hand"
    assert saved(screen, screen.file)["connections"][0]["goal"]["keys"][2]["position"] == after[2]
    screen.press("Control+z")
    screen.until("y => window.__keypose.studio.scene.led[0].keys[2].said.position[1] === y", before[2][1])


def test_the_keys_of_a_reach_are_shaped_typed_inserted_and_deleted(screen):
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
    changed(screen, lambda: screen.drag(middle(slider(screen, "tension")), 60, 0))
    shot(screen)
    assert np.linalg.norm(screen.curve("arm/hand", "leave")[3:6]) < np.linalg.norm(before)
    typed(screen, "Place y", "0.7")
    assert led(screen)[1][1] == 0.7
    shot(screen)
    go_to(screen, 0.2)
    changed(screen, lambda: screen.press("i"))
    shot(screen)
    assert len(led(screen)) == 4
    assert screen.page.locator(".card").count() == 4
    assert len(screen.ask("studio.selection.keys")) == 1
    changed(screen, lambda: screen.press("Delete"))
    assert len(led(screen)) == 3
    assert screen.ask("studio.link") == "arm/hand", "it stays selected"


def test_where_there_are_no_keys_it_is_told_who_has_some(screen):
    panel = screen.page.get_by_role("region", name="Key frames")
    choose(screen, "arm")
    assert "select arm/hand" in panel.inner_text()
    pick(screen, "upper")
    assert "arm/upper has no keys" in panel.inner_text()
    assert screen.page.locator(".card").count() == 0


def test_a_spring_is_seen_between_those_it_holds_and_gets_other_numbers(screen):
    screen.drawn()
    ends = [screen.spot(name, {"pose": True}) for name in ("lamp", "arm")]
    spring = screen.spot("", {"tie": 1})
    assert spring["x"] == pytest.approx((ends[0]["x"] + ends[1]["x"]) / 2, abs=1)
    choose(screen, "lamp")
    typed(screen, "Stiffness of the spring", "100")
    assert screen.ask("studio.scene.connections[1].numbers.stiffness") == 100
    assert saved(screen, screen.file)["connections"][1]["stiffness"] == 100


# ---- what is carried, and what pushes --------------------------------------------------------------------------------


def test_carried_keys_of_a_follower_go_with_their_carrier_and_are_dragged_there(screen):
    choose(screen, "bee")
    before = screen.spot("bee", {"key": 1})
    go_to(screen, 1.0)
    screen.until("() => Math.abs(window.__keypose.studio.curves.get('bee').arrays.keys[3] - 3.5) < 1e-3")
    key = screen.spot("bee", {"key": 1})
    assert key["x"] > before["x"] + 10
    changed(screen, lambda: screen.drag(key, 0, 20))
    shot(screen)
    assert screen.key("bee", 1)["said"]["position"][1] > 1.1
    assert screen.key("bee", 1)["said"]["position"][0] == pytest.approx(0, abs=0.05)
    assert screen.curve("bee", "keys")[3] == pytest.approx(3.5, abs=0.05)


def test_a_body_senses_a_field_and_is_blown_away(screen):
    choose(screen, "ball")
    before = screen.curve("ball", "line")
    changed(screen, lambda: select(screen, "Let it sense something more", "wind"))
    shot(screen)
    assert [one["name"] for one in screen.ask("studio.actor('ball').senses")] == ["wind"]
    assert screen.curve("ball", "line")[-3] > before[-3] + 0.5
    changed(screen, screen.page.get_by_role("button", name="Cut the link to wind").click)
    assert screen.ask("studio.actor('ball').senses") == []


# ---- for everybody ---------------------------------------------------------------------------------------------------


def test_a_screen_with_a_figure_can_be_read_and_has_names(screen):
    for part in ("hand", "upper"):
        pick(screen, part)
        readable(screen, part)
        all_have_names(screen, 40)
    choose(screen, "arm")
    readable(screen, "arm")
