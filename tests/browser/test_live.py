"""Can a person let a scene run, change what runs, rewind it and lead it by the mouse? Is it seen that it is live?"""

from contextlib import contextmanager

from keypose import Actor, DynamicSpline, Motion, MotionPath, Stage, fields, save
from tests.browser.for_everybody import all_have_names, readable
from tests.browser.hands import middle, settled
from tests.browser.screen import Screen, serving
from tests.browser.winds import changed, choose

LED = Stage(
    [
        Actor("pointer", Motion(MotionPath([(0, 0, 0), (1, 0, 0)]), duration=2.0)),
        Actor("dog", DynamicSpline((1, 1, 0), friction=0.2, senses={fields.KeepOffset("pointer"): 0.3})),
    ]
)


def transport(screen):
    return screen.page.get_by_role("region", name="Transport")


def sign(screen):
    return transport(screen).get_by_role("status").inner_text()


@contextmanager
def live(screen):
    """While it runs live; begun and ended by the keyboard."""
    screen.press("v")
    screen.until("() => window.__keypose.studio.isLive && window.__keypose.studio.reached > 0.3")
    try:
        yield
    finally:
        screen.press("v")
        screen.until("() => !window.__keypose.studio.isLive")
        settled(screen)


def test_a_live_run_is_told_in_words_and_goes_farther_than_the_scene(windy):
    duration = windy.ask("studio.scene.duration")
    assert transport(windy).get_by_role("status").count() == 0
    with live(windy):
        assert sign(windy) == "LIVE running"
        windy.until("duration => window.__keypose.studio.time > duration", duration)
        assert transport(windy).get_by_role("button", name="End live").get_attribute("aria-pressed") == "true"
        windy.press("Space")
        windy.until("() => !window.__keypose.studio.isPlaying")
        assert sign(windy) == "LIVE paused"
    assert transport(windy).get_by_role("status").count() == 0
    assert windy.ask("studio.time") <= duration


def test_a_live_run_is_rewound_and_goes_on_from_there(windy):
    with live(windy):
        windy.press("Space")
        windy.until("() => !window.__keypose.studio.isPlaying")
        bar = windy.page.get_by_label("Rewind the live run")
        bar.focus()
        windy.press("Home")
        windy.until("() => window.__keypose.studio.poses.time === 0")
        assert windy.ask("studio.reached") > 0.3
        windy.press("Space")
        windy.until("() => window.__keypose.studio.isPlaying && window.__keypose.studio.time > 0.1")


def test_what_is_slid_while_it_runs_changes_what_runs_and_is_a_step_to_undo(windy):
    choose(windy, "leaf")
    with live(windy):
        friction = windy.page.get_by_role("slider", name="friction slider")
        changed(windy, lambda: windy.drag(middle(friction), 30, 0))
        assert windy.ask("studio.isLive && studio.isPlaying")
        assert windy.ask("studio.actor('leaf').spline.friction") > 0.5
        changed(windy, lambda: windy.press("Control+z"))
        assert windy.ask("studio.actor('leaf').spline.friction") == 0.02


def test_a_live_screen_can_be_read_and_has_names(windy):
    for width, height in ((1280, 800), (1920, 1080)):
        windy.page.set_viewport_size({"width": width, "height": height})
        with live(windy):
            readable(windy, "live")
            all_have_names(windy, 40)
    windy.page.set_viewport_size({"width": 1280, "height": 800})


def test_the_line_the_mouse_drew_is_kept_as_the_pointers_path(chromium, tmp_path):
    save(LED, tmp_path / "led.json")
    with serving(tmp_path / "led.json") as address:
        screen = Screen(chromium.new_page(viewport={"width": 1280, "height": 800}), address)
        settled(screen)
        with live(screen):
            start = screen.spot("pointer", {"pose": True})
            for step in range(20):
                screen.page.mouse.move(start["x"] + 3 * step, start["y"] - 2 * step)
                screen.page.wait_for_timeout(40)
            keep = transport(screen).get_by_role("button", name="Keep the drawn line")
            readable(screen, "a line to keep")
            changed(screen, keep.click)
        assert len(screen.ask("studio.actor('pointer').keys")) > 2
        changed(screen, lambda: screen.press("Control+z"))
        assert len(screen.ask("studio.actor('pointer').keys")) == 2
        screen.page.close()
        assert screen.trouble == []
