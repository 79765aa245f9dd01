"""Does every panel do what its buttons say? Keys, speed, time and files, by mouse and keyboard alone."""

import json

import numpy as np
import pytest

from keypose import Actor, Camera, Key, Motion, MotionPath, SpeedProfile, Stage, save
from tests.browser.accessibility import assert_controls_named
from tests.browser.page_waits import edit_and_wait, middle, wait_until_settled
from tests.browser.screen import Screen, serve_scene

TURN = np.linspace(0, 2 * np.pi, 6, endpoint=False)
RING = np.stack([np.cos(TURN), np.sin(TURN)], axis=1)
RED = Motion(MotionPath([(0, 0, 0), (2, 2, 0), (4, 0, 1), (6, 2, 0)]), SpeedProfile([1, 1, 1, 1, 1]), duration=2.0)
BLUE = Motion(MotionPath([(0, 0, 2), Key((3, 1, 2), name="top"), (6, 0, 2)]), duration=2.0)
STAGE = Stage(
    [
        Actor("red", RED, look="red"),
        Actor("blue", BLUE, look="skyblue"),
        Actor("blob", Motion(MotionPath([Key(RING), Key(RING * (1.4, 0.6))]), duration=1.0)),
        Actor("eye", Motion(MotionPath([(0, 2, 9), (6, 2, 9)]), duration=2.0), look=Camera(40)),
    ]
)


@pytest.fixture(scope="module")
def shared_screen(chromium, tmp_path_factory):
    """One studio for all tests here."""
    file = tmp_path_factory.mktemp("panels") / "panels.json"
    save(STAGE, file)
    with serve_scene(file) as address:
        page = chromium.new_page(viewport={"width": 1280, "height": 800})
        screen = Screen(page, address)
        yield screen
        page.close()
        assert screen.errors == []


@pytest.fixture
def panel_screen(shared_screen):
    """The scene as it was opened, at its beginning."""
    choose(shared_screen, "red")  # no field has the keyboard any more
    shared_screen.press("Home")
    while shared_screen.read_state("doc.scene.steps.undo"):
        before = shared_screen.revision
        shared_screen.press("Control+z")
        shared_screen.wait_until("before => window.__keypose.doc.scene.revision > before", before)
    wait_until_settled(shared_screen)
    return shared_screen


def button(panel_screen, name):
    return panel_screen.page.get_by_role("button", name=name, exact=True)


def choose(panel_screen, actor, key=None):
    """By clicks: the name in the cast, then the picture in the strip."""
    panel_screen.page.get_by_label("Cast").get_by_role("button", name=actor).first.click()
    if key is not None:
        panel_screen.page.get_by_role("button", name=f"Key {key} at").click()
    keys = [] if key is None else [key]
    panel_screen.wait_until(
        "it => `${window.__keypose.selection.actor} ${window.__keypose.selection.keys}` === it",
        f"{actor} {','.join(map(str, keys))}",
    )


def key_positions(panel_screen, actor):
    return panel_screen.read_state(f"doc.actor({actor!r}).keys.map(key => key.spec.position)")


def wait_for_selection(panel_screen, keys):
    panel_screen.wait_until("keys => window.__keypose.selection.keys.join() === keys.join()", keys)


# ---- keys ------------------------------------------------------------------------------------------------------------


def test_keys_are_copied_and_pasted_by_keyboard(panel_screen):
    choose(panel_screen, "red")
    first = key_positions(panel_screen, "red")
    for _ in range(2):
        panel_screen.press("ArrowDown")
    wait_for_selection(panel_screen, [1])
    panel_screen.press("Control+c")
    panel_screen.press("ArrowDown")
    edit_and_wait(panel_screen, lambda: panel_screen.press("Control+v"), "red")
    assert key_positions(panel_screen, "red") == [*first[:3], first[1], first[3]]
    wait_for_selection(panel_screen, [3])


def test_keyframe_buttons_insert_copy_paste_and_delete(panel_screen):
    choose(panel_screen, "red")
    first = key_positions(panel_screen, "red")
    panel_screen.press("Shift+ArrowRight")
    panel_screen.wait_until("() => window.__keypose.playback.poses.time > 0.4")
    edit_and_wait(panel_screen, button(panel_screen, "Key").click, "red")
    added = key_positions(panel_screen, "red")
    inserted = next(key for key, position in enumerate(added) if position not in first)
    assert added == [*first[:inserted], added[inserted], *first[inserted:]]
    wait_for_selection(panel_screen, [inserted])
    button(panel_screen, "Copy keys").click()
    panel_screen.page.get_by_role("button", name=f"Key {len(added) - 1} at").click()
    edit_and_wait(panel_screen, button(panel_screen, "Paste keys").click, "red")
    assert key_positions(panel_screen, "red") == [*added, added[inserted]]
    wait_for_selection(panel_screen, [len(added)])
    edit_and_wait(panel_screen, button(panel_screen, "Delete keys").click, "red")
    assert key_positions(panel_screen, "red") == added
    assert button(panel_screen, "Delete keys").is_disabled()  # nothing is selected any more


def test_tension_slider_without_a_selected_key_sets_the_path_tension(panel_screen):
    choose(panel_screen, "blue", 1)
    panel_screen.press("Escape")
    wait_for_selection(panel_screen, [])
    line = panel_screen.curve("blue", "line")
    slider = panel_screen.page.get_by_label("tension slider")
    edit_and_wait(
        panel_screen, lambda: panel_screen.drag(middle(slider), slider.bounding_box()["width"] / 4, 0), "blue"
    )
    tension = panel_screen.read_state("doc.actor('blue').path.tension")
    assert 0.3 < tension < 0.7
    assert [key["tension"] for key in panel_screen.read_state("doc.actor('blue').keys")] == [tension] * 3
    assert all("tension" not in key["spec"] for key in panel_screen.read_state("doc.actor('blue').keys"))
    assert panel_screen.curve("blue", "line") != line


# ---- speed -----------------------------------------------------------------------------------------------------------


def value(panel_screen, number):
    return panel_screen.page.get_by_role("slider", name=f"Speed value {number}", exact=True)


def speeds(panel_screen, actor):
    return panel_screen.read_state(f"doc.actor({actor!r}).speed.values")


def test_steady_actor_gets_a_speed_profile_whose_values_are_added_and_removed(panel_screen):
    choose(panel_screen, "blue")
    assert panel_screen.read_state("doc.actor('blue').speed.kind") == "steady"
    edit_and_wait(panel_screen, button(panel_screen, "Draw a speed").click, "blue")
    assert speeds(panel_screen, "blue") == [1, 1, 1, 1, 1]
    left, right = middle(value(panel_screen, 1)), middle(value(panel_screen, 2))
    position = ((left["x"] + right["x"]) / 2, left["y"] - 15)
    edit_and_wait(panel_screen, lambda: panel_screen.page.mouse.dblclick(*position), "blue")
    raised = speeds(panel_screen, "blue")
    assert len(raised) == 6
    index = int(np.argmax(raised))
    assert raised[index] > 1
    value(panel_screen, index).click()
    edit_and_wait(panel_screen, lambda: panel_screen.press("Delete"), "blue")
    assert len(speeds(panel_screen, "blue")) == 5
    assert max(speeds(panel_screen, "blue")) < raised[index]
    edit_and_wait(panel_screen, button(panel_screen, "Steady").click, "blue")
    assert panel_screen.read_state("doc.actor('blue').speed.kind") == "steady"


def test_trail_dots_move_while_a_speed_value_is_dragged(panel_screen):
    choose(panel_screen, "red")
    dots, mouse, start = panel_screen.curve("red", "dots"), panel_screen.page.mouse, middle(value(panel_screen, 0))
    mouse.move(start["x"], start["y"])
    mouse.down()
    try:
        mouse.move(start["x"], start["y"] + 40, steps=4)
        panel_screen.wait_until("first => window.__keypose.doc.curves.get('red').arrays.dots[3] < 0.8 * first", dots[3])
        dragged = panel_screen.curve("red", "dots")
        mouse.move(start["x"], start["y"] - 20, steps=4)
        panel_screen.wait_until("first => window.__keypose.doc.curves.get('red').arrays.dots[3] > first", dots[3])
    finally:
        mouse.up()
    wait_until_settled(panel_screen, "red")
    assert len(dragged) == len(dots)
    assert panel_screen.read_state("doc.scene.steps.undo")
    edit_and_wait(panel_screen, lambda: panel_screen.press("Control+z"), "red")
    assert panel_screen.curve("red", "dots") == dots  # all of it was one step


# ---- time ------------------------------------------------------------------------------------------------------------

RECORD_TIMES = """enough => { window.moments = new Promise(done => {
    const { playback } = window.__keypose, seen = [playback.poses.time];
    let began = false;
    const look = () => {
        began ||= playback.isPlaying || playback.time === 2;
        if (playback.poses.time !== seen.at(-1)) seen.push(playback.poses.time);
        const ways = seen.slice(1).map((time, i) => time > seen[i] ? "+" : "-").join("");
        if (seen.length > 600 || (began && !playback.isPlaying) || new RegExp(enough).test(ways)) done([ways, seen]);
        else requestAnimationFrame(look);
    };
    look();
}); }"""


def play_over_end(panel_screen, mode, pattern):
    """Ups and downs of time as it is played over the end, until they look like `enough` or it stops."""
    panel_screen.press("End")
    panel_screen.press("Shift+ArrowLeft")
    button(panel_screen, mode).click()
    assert button(panel_screen, mode).get_attribute("aria-pressed") == "true"
    wait_until_settled(panel_screen)
    panel_screen.wait_until("() => window.__keypose.playback.time < 2")
    panel_screen.wait_until(
        "() => Math.abs(window.__keypose.playback.poses.time - window.__keypose.playback.time) < 1e-6"
    )
    panel_screen.page.evaluate(RECORD_TIMES, pattern)  # who looks only when it plays may be too late
    button(panel_screen, "Play").click()
    signs, times = panel_screen.page.evaluate("() => window.moments")
    if panel_screen.read_state("playback.isPlaying"):
        panel_screen.press("Space")
        panel_screen.wait_until("() => !window.__keypose.playback.isPlaying")
    return signs, times


def test_playing_once_stops_at_the_end(panel_screen):
    signs, _ = play_over_end(panel_screen, "Play once, then stop", "-")
    panel_screen.wait_until("() => window.__keypose.playback.time === 2 && !window.__keypose.playback.isPlaying")
    assert "-" not in signs


def test_looped_playback_restarts_after_the_end(panel_screen):
    signs, times = play_over_end(panel_screen, "Play round and round", r"-\+\+\+")
    assert signs.endswith("-+++")
    assert signs.count("-") == 1
    restart = signs.index("-")
    assert times[restart] > 1.5
    assert times[restart + 1] < 1


def test_ping_pong_playback_reverses_at_the_end(panel_screen):
    signs, times = play_over_end(panel_screen, "Play to and fro", "---")
    assert signs.endswith("---")
    assert max(times) > 1.5
    assert times == sorted(times[:-3]) + times[-3:]


def test_frame_rate_sets_the_number_of_frames(panel_screen):
    choose(panel_screen, "red")
    rate = panel_screen.page.get_by_label("Frames per second", exact=True)
    rate.focus()
    for pressed, frames in (("ArrowDown", 50), ("ArrowDown", 60), ("End", 120), ("Home", 48)):
        panel_screen.press(pressed)
        panel_screen.wait_until("count => window.__keypose.doc.curves.get('red').shapes.dots[0] === count", frames + 1)
        assert f"of {frames}" in panel_screen.page.get_by_role("region", name="Transport", exact=True).inner_text()
    assert panel_screen.read_state("playback.fps") == 24


def test_scrubbing_the_timeline_moves_all_actors(panel_screen):
    bar = panel_screen.page.get_by_label("Scrub through time")
    box, start = bar.bounding_box(), middle(bar)
    panel_screen.drag(start, box["width"] / 4, 0)
    panel_screen.wait_until("() => window.__keypose.playback.time > 1.3")
    wait_until_settled(panel_screen)
    time = panel_screen.read_state("playback.time")
    assert 1.35 < time < 1.65
    panel_screen.wait_until("time => Math.abs(window.__keypose.playback.poses.time - time) < 1e-6", time)
    shown = np.reshape(panel_screen.read_state("Array.from(playback.poses.poses)"), (-1, 7))[:, :3]
    order = panel_screen.read_state("doc.scene.order")
    for name in ("red", "blue", "eye"):
        assert shown[order.index(name)] == pytest.approx(STAGE[name].motion.at(time).position, abs=1e-4)


# ---- files -----------------------------------------------------------------------------------------------------------


def test_saved_scene_is_listed_among_recent_scenes(screen, scene):
    choose(screen, "red", 1)
    edit_and_wait(screen, lambda: screen.press("Delete"), "red")
    screen.press("Control+Shift+s")
    sheet = screen.page.get_by_role("dialog")
    sheet.get_by_role("textbox").fill("kept")
    sheet.get_by_role("button", name="Save", exact=True).click()
    screen.wait_until("() => window.__keypose.doc.scene.file === 'kept.json'")
    assert len(json.loads((scene.parent / "kept.json").read_text())["actors"][0]["path"]["keys"]) == 3
    button(screen, "New").click()
    screen.wait_until("() => window.__keypose.doc.scene.order.length === 0")
    button(screen, "Keypose").click()
    screen.page.get_by_role("dialog").get_by_role("button", name="kept.json").click()
    screen.wait_until("() => window.__keypose.doc.scene.file === 'kept.json'")
    assert screen.read_state("doc.scene.order") == ["red", "blue"]
    assert len(key_positions(screen, "red")) == 3


# ---- for everybody ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("actor", STAGE.names)
def test_every_control_on_screen_has_a_name(panel_screen, actor):
    choose(panel_screen, actor)
    assert_controls_named(panel_screen, 60)
    choose(panel_screen, actor, 1)
    assert_controls_named(panel_screen, 60)
    panel_screen.press("Control+a")
    wait_for_selection(panel_screen, list(range(len(key_positions(panel_screen, actor)))))
    assert_controls_named(panel_screen, 60)


def test_every_control_in_every_dialog_has_a_name(panel_screen):
    choose(panel_screen, "blob", 0)
    dialogs = {
        "Keypose": (button(panel_screen, "Keypose").click, 9),
        "Open a scene": (lambda: panel_screen.press("Control+o"), 2),
        "Save the scene": (lambda: panel_screen.press("Control+Shift+s"), 4),
        "Export": (lambda: panel_screen.press("Control+e"), 8),
        "Keyboard and mouse": (lambda: panel_screen.press("?"), 1),
        "The drawings of blob": (
            panel_screen.page.get_by_role("button", name="Drawing and line test").click,
            5 + len(RING),
        ),
    }
    for title, (open_dialog, least) in dialogs.items():
        open_dialog()
        sheet = panel_screen.page.get_by_role("dialog", name=title, exact=True)
        sheet.wait_for()
        assert_controls_named(panel_screen, least)
        panel_screen.press("Escape")
        sheet.wait_for(state="detached")
    choose(panel_screen, "red", 1)
    edit_and_wait(panel_screen, lambda: panel_screen.press("Delete"), "red")
    button(panel_screen, "New").click()
    question = panel_screen.page.get_by_role("dialog", name="Leave without saving?")
    question.wait_for()
    assert_controls_named(panel_screen, 3)
    panel_screen.press("Escape")
    question.wait_for(state="detached")


REACHABLE_CONTROLS = """() => [...document.querySelectorAll("header, section[aria-label]")]
    .flatMap(panel => [...panel.querySelectorAll("button, input, select, [role=slider]")])
    .filter(one => !one.disabled && one.checkVisibility())"""


def test_tab_reaches_every_enabled_control(panel_screen):
    choose(panel_screen, "red", 1)
    panels = panel_screen.page.evaluate(
        "() => [...document.querySelectorAll('section[aria-label]')].map(one => one.ariaLabel)"
    )
    assert {"Cast", "Inspector", "Key frames", "Speed", "Transport"} <= set(panels)
    names = panel_screen.page.evaluate(
        f"() => ({REACHABLE_CONTROLS})().map(one => one.ariaLabel ?? one.title ?? one.innerText)"
    )
    assert len(names) > 60
    missing = set(range(len(names)))
    for _ in range(2 * len(names)):
        panel_screen.press("Tab")
        missing.discard(panel_screen.page.evaluate(f"() => ({REACHABLE_CONTROLS})().indexOf(document.activeElement)"))
        if not missing:
            break
    assert [names[one] for one in sorted(missing)] == []
