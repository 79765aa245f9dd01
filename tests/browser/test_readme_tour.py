"""Does the README's list hold? All of it on the first scene, by mouse and keyboard, down to the files that are left."""

import json
from pathlib import Path
from shutil import copyfile

import numpy as np
import pytest

from keypose import load, shoot
from tests.browser.page_waits import edit_and_wait, middle

EXAMPLES = Path(__file__).parents[2] / "examples"
FRAME = 1 / 24  # [s]
TOP_KEY = 2  # the ball's key between its bounces


@pytest.fixture
def scene(tmp_path):
    """The scene of a ball, a hand and a drone, in a folder of its own."""
    return Path(copyfile(EXAMPLES / "07_the_catch.json", tmp_path / "the_catch.json"))


def actor_views(screen):
    """All that the page knows of the cast."""
    return screen.read_state("JSON.parse(JSON.stringify(doc.scene.actors))")


def play_and_stop(screen):
    screen.press("Space")
    screen.wait_until("() => window.__keypose.playback.isPlaying && window.__keypose.playback.time > 0.3")
    screen.press("Space")
    screen.wait_until("() => !window.__keypose.playback.isPlaying")


def pick_and_drag_a_key(screen):
    position = screen.handle_position("ball", {"key": TOP_KEY})
    screen.page.mouse.click(position["x"], position["y"])
    screen.wait_until(f"() => window.__keypose.selection.keys.join() === '{TOP_KEY}'")
    assert screen.read_state("selection.actor") == "ball"
    edit_and_wait(screen, lambda: screen.drag(screen.handle_position("ball", {"key": TOP_KEY}), 12, 24), "ball")


def drag_the_tension(screen):
    slider = screen.page.get_by_label("tension slider")
    edit_and_wait(screen, lambda: screen.drag(middle(slider), slider.bounding_box()["width"] / 4, 0), "ball")


def draw_a_slow_in(screen):
    picture = screen.page.get_by_label("The speed over the duration").bounding_box()
    floor = picture["y"] + picture["height"]
    for number in (0, 1):
        start = middle(screen.page.get_by_role("slider", name=f"Speed value {number}", exact=True))
        edit_and_wait(screen, lambda at=start: screen.drag(at, 0, at["y"] - floor), "ball")  # as low as it goes


def nudge(screen):
    edit_and_wait(screen, screen.page.get_by_role("button", name="Pass the key a frame later").click, "ball")


def press_while_enabled(screen, label):
    """How often a button of the top bar could be pressed."""
    button = screen.page.get_by_role("button", name=label).first
    count = 0
    while button.is_enabled():
        edit_and_wait(screen, button.click, "ball")
        count += 1
    return count


def test_readme_tour_of_the_first_scene_saves_and_exports_every_edit(screen, scene):
    opened, trail = actor_views(screen), screen.curve("ball", "dots")
    play_and_stop(screen)
    assert actor_views(screen) == opened

    pick_and_drag_a_key(screen)
    position = screen.key("ball", TOP_KEY)["spec"]["position"]
    assert position[0] > -1.4 + 0.02
    assert position[1] > 1.9 + 0.04
    assert position[2] == pytest.approx(-0.3)

    drag_the_tension(screen)
    tension = screen.key("ball", TOP_KEY)["tension"]
    assert 0.3 < tension < 0.7

    draw_a_slow_in(screen)
    values = screen.read_state("doc.actor('ball').speed.values")
    assert values == [0, 0, 7, 1, 8, 1, 0.6, 2, 0.5]
    first = np.linalg.norm(np.diff(np.reshape(screen.curve("ball", "dots"), (-1, 3))[:6], axis=0), axis=1)
    assert first.max() < np.linalg.norm(np.diff(np.reshape(trail, (-1, 3))[:2], axis=0))  # the dots have closed up

    pass_time = screen.key("ball", TOP_KEY)["time"]
    nudge(screen)
    assert screen.key("ball", TOP_KEY)["time"] == pytest.approx(pass_time + FRAME, abs=1e-6)

    done = actor_views(screen)
    steps = press_while_enabled(screen, "Undo")
    assert steps == 5  # the drag, the tension, two values, the nudge
    assert actor_views(screen) == opened
    assert press_while_enabled(screen, "Redo") == steps
    assert actor_views(screen) == done

    screen.page.get_by_role("button", name="Save as…").click()
    sheet = screen.page.get_by_role("dialog")
    sheet.get_by_role("textbox").fill("five minutes")
    sheet.get_by_role("button", name="Save", exact=True).click()
    screen.wait_until("() => window.__keypose.doc.scene.file === 'five minutes.json'")
    sheet.wait_for(state="detached")  # while it is open, keys are its own

    screen.press("Control+e")
    sheet = screen.page.get_by_role("dialog", name="Export")
    sheet.get_by_role("textbox").first.fill("five minutes")
    sheet.get_by_role("button", name=".csv").click()
    sheet.get_by_role("button", name="Export").click()
    sheet.wait_for(state="detached")

    written = json.loads((scene.parent / "five minutes.json").read_text())["actors"][0]
    assert written["path"]["keys"] == [key["spec"] for key in done[0]["keys"]]
    assert written["timing"]["values"] == done[0]["speed"]["values"]
    ball = load(scene.parent / "five minutes.json")["ball"]
    assert ball.keys[TOP_KEY].position == pytest.approx(position)
    assert ball.keys[TOP_KEY].tension == pytest.approx(tension)
    assert ball.motion.at(pass_time + FRAME).position == pytest.approx(position, abs=1e-3)
    assert load(scene)["ball"].keys[TOP_KEY].position == pytest.approx((-1.4, 1.9, -0.3))  # what was opened stays

    take = load(scene.parent / "five minutes.csv")
    reloaded_take = shoot(load(scene.parent / "five minutes.json"), seconds=5, fps=24)
    assert len(take.times) == len(reloaded_take.times) == 121
    for name in ("ball", "hand", "drone"):
        assert take[name].position == pytest.approx(reloaded_take[name].position, abs=1e-6)
    shown = np.reshape(screen.curve("ball", "dots"), (-1, 3))
    assert take["ball"].position == pytest.approx(shown, abs=1e-4)
