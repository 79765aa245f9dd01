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
        table = Screen(page, address)
        yield table
        page.close()
        assert table.trouble == []


@pytest.fixture
def desk(shared_screen):
    """The scene as it was opened, at its beginning."""
    choose(shared_screen, "red")  # no field has the keyboard any more
    shared_screen.press("Home")
    while shared_screen.ask("studio.scene.steps.undo"):
        before = shared_screen.revision
        shared_screen.press("Control+z")
        shared_screen.until("before => window.__keypose.studio.scene.revision > before", before)
    wait_until_settled(shared_screen)
    return shared_screen


def button(desk, name):
    return desk.page.get_by_role("button", name=name, exact=True)


def choose(desk, actor, key=None):
    """By clicks: the name in the cast, then the picture in the strip."""
    desk.page.get_by_label("Cast").get_by_role("button", name=actor).first.click()
    if key is not None:
        desk.page.get_by_role("button", name=f"Key {key} at").click()
    chosen = {"actor": actor, "keys": [] if key is None else [key], "field": None}
    desk.until(
        "it => JSON.stringify(window.__keypose.studio.selection) === it", json.dumps(chosen, separators=(",", ":"))
    )


def key_positions(desk, actor):
    return desk.ask(f"studio.actor({actor!r}).keys.map(key => key.spec.position)")


def wait_for_selection(desk, keys):
    desk.until("keys => window.__keypose.studio.selection.keys.join() === keys.join()", keys)


# ---- keys ------------------------------------------------------------------------------------------------------------


def test_keys_are_copied_and_pasted_by_keyboard(desk):
    choose(desk, "red")
    first = key_positions(desk, "red")
    for _ in range(2):
        desk.press("ArrowDown")
    wait_for_selection(desk, [1])
    desk.press("Control+c")
    desk.press("ArrowDown")
    edit_and_wait(desk, lambda: desk.press("Control+v"), "red")
    assert key_positions(desk, "red") == [*first[:3], first[1], first[3]]
    wait_for_selection(desk, [3])


def test_keyframe_buttons_insert_copy_paste_and_delete(desk):
    choose(desk, "red")
    first = key_positions(desk, "red")
    desk.press("Shift+ArrowRight")
    desk.until("() => window.__keypose.studio.poses.time > 0.4")
    edit_and_wait(desk, button(desk, "Key").click, "red")
    added = key_positions(desk, "red")
    made = next(key for key, place in enumerate(added) if place not in first)
    assert added == [*first[:made], added[made], *first[made:]]
    wait_for_selection(desk, [made])
    button(desk, "Copy keys").click()
    desk.page.get_by_role("button", name=f"Key {len(added) - 1} at").click()
    edit_and_wait(desk, button(desk, "Paste keys").click, "red")
    assert key_positions(desk, "red") == [*added, added[made]]
    wait_for_selection(desk, [len(added)])
    edit_and_wait(desk, button(desk, "Delete keys").click, "red")
    assert key_positions(desk, "red") == added
    assert button(desk, "Delete keys").is_disabled()  # nothing is selected any more


def test_tension_slider_without_a_selected_key_sets_the_path_tension(desk):
    choose(desk, "blue", 1)
    desk.press("Escape")
    wait_for_selection(desk, [])
    line = desk.curve("blue", "line")
    slider = desk.page.get_by_label("tension slider")
    edit_and_wait(desk, lambda: desk.drag(middle(slider), slider.bounding_box()["width"] / 4, 0), "blue")
    tension = desk.ask("studio.actor('blue').path.tension")
    assert 0.3 < tension < 0.7
    assert [key["tension"] for key in desk.ask("studio.actor('blue').keys")] == [tension] * 3
    assert all("tension" not in key["spec"] for key in desk.ask("studio.actor('blue').keys"))
    assert desk.curve("blue", "line") != line


# ---- speed -----------------------------------------------------------------------------------------------------------


def value(desk, number):
    return desk.page.get_by_role("slider", name=f"Speed value {number}", exact=True)


def speeds(desk, actor):
    return desk.ask(f"studio.actor({actor!r}).speed.values")


def test_steady_actor_gets_a_speed_profile_whose_values_are_added_and_removed(desk):
    choose(desk, "blue")
    assert desk.ask("studio.actor('blue').speed.kind") == "steady"
    edit_and_wait(desk, button(desk, "Draw a speed").click, "blue")
    assert speeds(desk, "blue") == [1, 1, 1, 1, 1]
    left, right = middle(value(desk, 1)), middle(value(desk, 2))
    spot = ((left["x"] + right["x"]) / 2, left["y"] - 15)
    edit_and_wait(desk, lambda: desk.page.mouse.dblclick(*spot), "blue")
    raised = speeds(desk, "blue")
    assert len(raised) == 6
    put = int(np.argmax(raised))
    assert raised[put] > 1
    value(desk, put).click()
    edit_and_wait(desk, lambda: desk.press("Delete"), "blue")
    assert len(speeds(desk, "blue")) == 5
    assert max(speeds(desk, "blue")) < raised[put]
    edit_and_wait(desk, button(desk, "Steady").click, "blue")
    assert desk.ask("studio.actor('blue').speed.kind") == "steady"


def test_trail_dots_move_while_a_speed_value_is_dragged(desk):
    choose(desk, "red")
    dots, mouse, start = desk.curve("red", "dots"), desk.page.mouse, middle(value(desk, 0))
    mouse.move(start["x"], start["y"])
    mouse.down()
    try:
        mouse.move(start["x"], start["y"] + 40, steps=4)
        desk.until("first => window.__keypose.studio.curves.get('red').arrays.dots[3] < 0.8 * first", dots[3])
        held = desk.curve("red", "dots")
        mouse.move(start["x"], start["y"] - 20, steps=4)
        desk.until("first => window.__keypose.studio.curves.get('red').arrays.dots[3] > first", dots[3])
    finally:
        mouse.up()
    wait_until_settled(desk, "red")
    assert len(held) == len(dots)
    assert desk.ask("studio.scene.steps.undo")
    edit_and_wait(desk, lambda: desk.press("Control+z"), "red")
    assert desk.curve("red", "dots") == dots  # all of it was one step


# ---- time ------------------------------------------------------------------------------------------------------------

RECORD_TIMES = """enough => { window.moments = new Promise(done => {
    const { studio } = window.__keypose, seen = [studio.poses.time];
    let began = false;
    const look = () => {
        began ||= studio.isPlaying || studio.time === 2;
        if (studio.poses.time !== seen.at(-1)) seen.push(studio.poses.time);
        const ways = seen.slice(1).map((time, i) => time > seen[i] ? "+" : "-").join("");
        if (seen.length > 600 || (began && !studio.isPlaying) || new RegExp(enough).test(ways)) done([ways, seen]);
        else requestAnimationFrame(look);
    };
    look();
}); }"""


def play_over_end(desk, ending, enough):
    """Ups and downs of time as it is played over the end, until they look like `enough` or it stops."""
    desk.press("End")
    desk.press("Shift+ArrowLeft")
    button(desk, ending).click()
    assert button(desk, ending).get_attribute("aria-pressed") == "true"
    wait_until_settled(desk)
    desk.until("() => window.__keypose.studio.time < 2")
    desk.until("() => Math.abs(window.__keypose.studio.poses.time - window.__keypose.studio.time) < 1e-6")
    desk.page.evaluate(RECORD_TIMES, enough)  # who looks only when it plays may be too late
    button(desk, "Play").click()
    ways, seen = desk.page.evaluate("() => window.moments")
    if desk.ask("studio.isPlaying"):
        desk.press("Space")
        desk.until("() => !window.__keypose.studio.isPlaying")
    return ways, seen


def test_playing_once_stops_at_the_end(desk):
    ways, _ = play_over_end(desk, "Play once, then stop", "-")
    desk.until("() => window.__keypose.studio.time === 2 && !window.__keypose.studio.isPlaying")
    assert "-" not in ways


def test_looped_playback_restarts_after_the_end(desk):
    ways, seen = play_over_end(desk, "Play round and round", r"-\+\+\+")
    assert ways.endswith("-+++")
    assert ways.count("-") == 1
    back = ways.index("-")
    assert seen[back] > 1.5
    assert seen[back + 1] < 1


def test_ping_pong_playback_reverses_at_the_end(desk):
    ways, seen = play_over_end(desk, "Play to and fro", "---")
    assert ways.endswith("---")
    assert max(seen) > 1.5
    assert seen == sorted(seen[:-3]) + seen[-3:]


def test_frame_rate_sets_the_number_of_frames(desk):
    choose(desk, "red")
    rate = desk.page.get_by_label("Frames per second", exact=True)
    rate.focus()
    for pressed, frames in (("ArrowDown", 50), ("ArrowDown", 60), ("End", 120), ("Home", 48)):
        desk.press(pressed)
        desk.until("count => window.__keypose.studio.curves.get('red').shapes.dots[0] === count", frames + 1)
        assert f"of {frames}" in desk.page.get_by_role("region", name="Transport", exact=True).inner_text()
    assert desk.ask("studio.fps") == 24


def test_scrubbing_the_timeline_moves_all_actors(desk):
    bar = desk.page.get_by_label("Scrub through time")
    box, start = bar.bounding_box(), middle(bar)
    desk.drag(start, box["width"] / 4, 0)
    desk.until("() => window.__keypose.studio.time > 1.3")
    wait_until_settled(desk)
    time = desk.ask("studio.time")
    assert 1.35 < time < 1.65
    desk.until("time => Math.abs(window.__keypose.studio.poses.time - time) < 1e-6", time)
    shown = np.reshape(desk.ask("Array.from(studio.poses.poses)"), (-1, 7))[:, :3]
    order = desk.ask("studio.scene.order")
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
    screen.until("() => window.__keypose.studio.scene.file === 'kept.json'")
    assert len(json.loads((scene.parent / "kept.json").read_text())["actors"][0]["path"]["keys"]) == 3
    button(screen, "New").click()
    screen.until("() => window.__keypose.studio.scene.order.length === 0")
    button(screen, "Keypose").click()
    screen.page.get_by_role("dialog").get_by_role("button", name="kept.json").click()
    screen.until("() => window.__keypose.studio.scene.file === 'kept.json'")
    assert screen.ask("studio.scene.order") == ["red", "blue"]
    assert len(key_positions(screen, "red")) == 3


# ---- for everybody ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("actor", STAGE.names)
def test_every_control_on_screen_has_a_name(desk, actor):
    choose(desk, actor)
    assert_controls_named(desk, 60)
    choose(desk, actor, 1)
    assert_controls_named(desk, 60)
    desk.press("Control+a")
    wait_for_selection(desk, list(range(len(key_positions(desk, actor)))))
    assert_controls_named(desk, 60)


def test_every_control_in_every_dialog_has_a_name(desk):
    choose(desk, "blob", 0)
    ways = {
        "Keypose": (button(desk, "Keypose").click, 9),
        "Open a scene": (lambda: desk.press("Control+o"), 2),
        "Save the scene": (lambda: desk.press("Control+Shift+s"), 4),
        "Export": (lambda: desk.press("Control+e"), 8),
        "Keyboard and mouse": (lambda: desk.press("?"), 1),
        "The drawings of blob": (desk.page.get_by_role("button", name="Drawing and line test").click, 5 + len(RING)),
    }
    for title, (way, least) in ways.items():
        way()
        sheet = desk.page.get_by_role("dialog", name=title, exact=True)
        sheet.wait_for()
        assert_controls_named(desk, least)
        desk.press("Escape")
        sheet.wait_for(state="detached")
    choose(desk, "red", 1)
    edit_and_wait(desk, lambda: desk.press("Delete"), "red")
    button(desk, "New").click()
    question = desk.page.get_by_role("dialog", name="Leave without saving?")
    question.wait_for()
    assert_controls_named(desk, 3)
    desk.press("Escape")
    question.wait_for(state="detached")


REACHABLE_CONTROLS = """() => [...document.querySelectorAll("header, section[aria-label]")]
    .flatMap(panel => [...panel.querySelectorAll("button, input, select, [role=slider]")])
    .filter(one => !one.disabled && one.checkVisibility())"""


def test_tab_reaches_every_enabled_control(desk):
    choose(desk, "red", 1)
    panels = desk.page.evaluate("() => [...document.querySelectorAll('section[aria-label]')].map(one => one.ariaLabel)")
    assert {"Cast", "Inspector", "Key frames", "Speed", "Transport"} <= set(panels)
    names = desk.page.evaluate(
        f"() => ({REACHABLE_CONTROLS})().map(one => one.ariaLabel ?? one.title ?? one.innerText)"
    )
    assert len(names) > 60
    missing = set(range(len(names)))
    for _ in range(2 * len(names)):
        desk.press("Tab")
        missing.discard(desk.page.evaluate(f"() => ({REACHABLE_CONTROLS})().indexOf(document.activeElement)"))
        if not missing:
            break
    assert [names[one] for one in sorted(missing)] == []
