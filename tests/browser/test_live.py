"""Can a person let a scene run, change what runs, rewind it and lead it by the mouse? Is it seen that it is live?"""

from contextlib import contextmanager

import pytest

from keypose import Actor, DynamicSpline, Motion, MotionPath, Stage, fields, save
from tests.browser.accessibility import assert_controls_named, assert_readable
from tests.browser.field_scene import choose, choose_field, field_list, formula, select, wait_for_change
from tests.browser.page_waits import middle, wait_until_settled
from tests.browser.screen import Screen, serve_scene

POINTER_STAGE = Stage(
    [
        Actor("pointer", Motion(MotionPath([(0, 0, 0), (1, 0, 0)]), duration=2.0)),
        Actor("dog", DynamicSpline((1, 1, 0), friction=0.2, senses={fields.KeepOffset("pointer"): 0.3})),
    ]
)

WINDLESS_STAGE = Stage(
    [Actor("leaf", DynamicSpline((-2, 0, 0))), Actor("stone", DynamicSpline((2, -1, 0)))],
    fields={"lift": fields.Formula("(0, 0, 0)").moved((0, -0.8, 0))},
)


def transport(screen):
    return screen.page.get_by_role("region", name="Transport")


def status_text(screen):
    return transport(screen).get_by_role("status").inner_text()


@contextmanager
def live(screen):
    """While it runs live; begun and ended by the keyboard."""
    screen.press("v")
    screen.wait_until("() => window.__keypose.playback.isLive && window.__keypose.playback.simulatedUntil > 0.3")
    try:
        yield
    finally:
        screen.press("v")
        screen.wait_until("() => !window.__keypose.playback.isLive")
        wait_until_settled(screen)


@contextmanager
def open_stage(chromium, stage, file):
    """A page of its own for another scene."""
    save(stage, file)
    with serve_scene(file) as address:
        screen = Screen(chromium.new_page(viewport={"width": 1280, "height": 800}), address)
        wait_until_settled(screen)
        yield screen
        screen.page.close()
        assert screen.errors == []


def test_live_run_is_labelled_and_continues_past_the_scene_end(windy):
    duration = windy.read_state("doc.scene.duration")
    assert transport(windy).get_by_role("status").count() == 0
    with live(windy):
        assert status_text(windy) == "LIVE running"
        windy.wait_until("duration => window.__keypose.playback.time > duration", duration)
        assert transport(windy).get_by_role("button", name="End live").get_attribute("aria-pressed") == "true"
        windy.press("Space")
        windy.wait_until("() => !window.__keypose.playback.isPlaying")
        assert status_text(windy) == "LIVE paused"
    assert transport(windy).get_by_role("status").count() == 0
    assert windy.read_state("playback.time") <= duration


def test_live_run_is_rewound_and_continues_from_there(windy):
    with live(windy):
        windy.press("Space")
        windy.wait_until("() => !window.__keypose.playback.isPlaying")
        bar = windy.page.get_by_label("Rewind the live run")
        bar.focus()
        windy.press("Home")
        windy.wait_until("() => window.__keypose.playback.poses.time === 0")
        assert windy.read_state("playback.simulatedUntil") > 0.3
        windy.press("Space")
        windy.wait_until("() => window.__keypose.playback.isPlaying && window.__keypose.playback.time > 0.1")


def test_slider_changes_a_live_run_and_is_an_undo_step(windy):
    choose(windy, "leaf")
    with live(windy):
        friction = windy.page.get_by_role("slider", name="friction slider")
        wait_for_change(windy, lambda: windy.drag(middle(friction), 30, 0))
        assert windy.read_state("playback.isLive && playback.isPlaying")
        assert windy.read_state("doc.actor('leaf').spline.friction") > 0.5
        wait_for_change(windy, lambda: windy.press("Control+z"))
        assert windy.read_state("doc.actor('leaf').spline.friction") == 0.02


def test_live_screen_is_readable_and_controls_are_named(windy):
    for width, height in ((1280, 800), (1920, 1080)):
        windy.page.set_viewport_size({"width": width, "height": height})
        with live(windy):
            assert_readable(windy, "live")
            assert_controls_named(windy, 40)
    windy.page.set_viewport_size({"width": 1280, "height": 800})


def wait_for_tick(screen):
    """Where the mouse is has been told, and a tick of the run has passed since."""
    screen.wait_until("() => window.__keypose.connection.socket.pendingReplies.size === 0")
    screen.wait_until(
        "reached => window.__keypose.playback.simulatedUntil > reached + 1 / 24",
        screen.read_state("playback.simulatedUntil"),
    )


def test_line_drawn_by_the_mouse_is_kept_as_the_pointer_path(chromium, tmp_path):
    with open_stage(chromium, POINTER_STAGE, tmp_path / "led.json") as screen:
        with live(screen):
            start = screen.handle_position("pointer", {"pose": True})
            for step in range(20):
                screen.page.mouse.move(start["x"] + 3 * step, start["y"] - 2 * step)
                wait_for_tick(screen)
            keep = transport(screen).get_by_role("button", name="Keep the drawn line")
            assert_readable(screen, "a line to keep")
            wait_for_change(screen, keep.click)
        assert len(screen.read_state("doc.actor('pointer').keys")) > 2
        wait_for_change(screen, lambda: screen.press("Control+z"))
        assert len(screen.read_state("doc.actor('pointer').keys")) == 2


def test_pointer_with_a_parent_does_not_follow_the_mouse_and_shows_no_notice(chromium, tmp_path):
    on_the_dog = POINTER_STAGE.with_actor(POINTER_STAGE["pointer"].changed(parent="dog")).with_actor(
        Actor("dog", DynamicSpline((1, 1, 0), (0.1, 0, 0)))
    )
    with open_stage(chromium, on_the_dog, tmp_path / "led.json") as screen, live(screen):
        start = screen.handle_position("pointer", {"pose": True})
        for step in range(10):
            screen.page.mouse.move(start["x"] + 3 * step, start["y"] - 60 - 2 * step)
            wait_for_tick(screen)
        wait_until_settled(screen)
        assert screen.page.locator(".notice").count() == 0
        assert screen.page.get_by_role("note").count() == 0
        assert transport(screen).get_by_role("button", name="Keep the drawn line").count() == 0


# ---- anything is changed while it runs -------------------------------------------------------------------------------


def positions_later(screen, by=0.4):
    """Where everybody is some time on, and when: the run goes on."""
    begin = screen.read_state("playback.poses.time")
    screen.wait_until("end => window.__keypose.playback.poses.time > end", begin + by)
    assert screen.read_state("playback.isLive && playback.isPlaying")
    time, names, poses = screen.read_state("[playback.poses.time, doc.scene.order, [...playback.poses.poses]]")
    assert len(poses) == 7 * len(names)
    return time, {name: poses[7 * i : 7 * i + 3] for i, name in enumerate(names)}


def test_links_formulas_fields_and_actors_are_changed_during_a_live_run(chromium, tmp_path):
    with open_stage(chromium, WINDLESS_STAGE, tmp_path / "calm.json") as screen, live(screen):
        screen.press("c")
        start, goal = screen.handle_position("leaf", {"pose": True}), screen.handle_position("", {"field": "lift"})
        wait_for_change(screen, lambda: screen.drag(start, goal["x"] - start["x"], start["y"] - goal["y"]))
        screen.press("c")
        assert positions_later(screen)[1] == {"leaf": [-2, 0, 0], "stone": [2, -1, 0]}, "linked, but not yet pushed"

        choose_field(screen, "lift")
        wait_for_change(screen, lambda: formula(screen).fill("(0, 2, 0)"))
        _, pushed = positions_later(screen)
        assert pushed["leaf"][1] > 0.05
        assert pushed["stone"] == [2, -1, 0]

        field_list(screen).get_by_role("button", name="Add a field").click()
        sheet = screen.page.get_by_role("dialog", name="Put a field on the stage")
        wait_for_change(screen, sheet.get_by_role("button", name="Vortex").click)
        choose(screen, "stone")
        wait_for_change(screen, lambda: select(screen, "Let it sense something more", "vortex"))
        assert positions_later(screen)[1]["stone"] != [2, -1, 0]

        choose_field(screen, "lift")
        wait_for_change(screen, lambda: screen.press("Delete"))
        (first, a), (second, b), (last, c) = positions_later(screen), positions_later(screen), positions_later(screen)
        speed = (b["leaf"][1] - a["leaf"][1]) / (second - first)
        assert speed > 0.1
        assert (c["leaf"][1] - b["leaf"][1]) / (last - second) == pytest.approx(speed, rel=0.02), "it glides on"

        choose(screen, "stone")
        wait_for_change(screen, screen.page.get_by_role("button", name="Remove stone").click)
        assert list(positions_later(screen)[1]) == ["leaf"]


STALE_UPDATE = """wish => {
    const { playback, updates } = window.__keypose, { time, isPlaying, isLive, simulatedUntil } = playback;
    const state = { is_playing: isPlaying, is_live: isLive, simulated_until: simulatedUntil };
    const update = { is: "transport", time, speed: 1, ...state };
    playback[wish](1);
    const wanted = playback.isPlaying;
    updates.onUpdate(update); // it was on its way when the wish was said
    return [wanted, playback.isPlaying];
}"""


def test_stale_update_does_not_override_pause_or_play(windy):
    with live(windy):
        assert windy.page.evaluate(STALE_UPDATE, "pause") == [False, False]
        wait_until_settled(windy)
        assert status_text(windy) == "LIVE paused"
        assert windy.page.evaluate(STALE_UPDATE, "play") == [True, True]
        wait_until_settled(windy)
        assert status_text(windy) == "LIVE running"


def test_refused_play_is_not_shown_as_playing(windy):
    with live(windy):
        windy.page.evaluate("() => window.__keypose.playback.pause()")
        wait_until_settled(windy)
        windy.page.evaluate("() => window.__keypose.playback.play(-1)")
        windy.wait_until("() => window.__keypose.notices.entries.some(({ text }) => text.includes('goes forwards'))")
        assert status_text(windy) == "LIVE paused"
        windy.page.evaluate("() => window.__keypose.notices.entries.splice(0)")
