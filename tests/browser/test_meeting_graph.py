"""Is the meeting in sight that matters now, active, new or chosen, in a graph that is larger than its panel?"""

import shutil
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.browser.meeting_scene import choose_meeting, go_to, graph, node, wait_until_shot
from tests.browser.screen import TIMEOUT, Screen, serve_scene

EXAMPLES = Path(__file__).parents[2] / "examples"
WAIT_UNTIL_STILL = """() => new Promise((done) => {
    const view = document.querySelector('.svelte-flow__viewport');
    let before = null, same = 0;
    const look = () => {
        same = view.style.transform === before ? same + 1 : 0;
        before = view.style.transform;
        if (same < 6) requestAnimationFrame(look); else done(before);
    };
    look();
})"""


@contextmanager
def open_example_graph(chromium, folder, example):
    """A studio on a copy of an example, whose graph of meetings is shown."""
    file = shutil.copy(EXAMPLES / f"{example}.json", folder)
    with serve_scene(Path(file)) as address:
        screen = Screen(chromium.new_page(viewport={"width": 1280, "height": 800}), address)
        wait_until_shot(screen)
        screen.page.get_by_role("button", name="Meetings").click()
        yield screen
        screen.page.close()
        assert screen.errors == []


@pytest.fixture(scope="module")
def relay_screen(chromium, tmp_path_factory):
    """A relay race: a chain of fourteen meetings, and seven at its side."""
    with open_example_graph(chromium, tmp_path_factory.mktemp("race"), "18_a_relay_race") as screen:
        yield screen


def resize(screen, width, height):
    screen.page.set_viewport_size({"width": width, "height": height})
    screen.wait_until("([width, height]) => innerWidth === width && innerHeight === height", [width, height])
    screen.render()


def pane(screen):
    return graph(screen).locator(".graph").bounding_box()


def is_inside(screen, name):
    box, pane_box = node(screen, name).bounding_box(), pane(screen)
    return all(
        pane_box[axis] - 1 <= box[axis] and box[axis] + box[size] <= pane_box[axis] + pane_box[size] + 1
        for axis, size in (("x", "width"), ("y", "height"))
    )


def wait_until_inside(screen, *names):
    ends = time.monotonic() + TIMEOUT
    while not all(is_inside(screen, name) for name in names):
        assert time.monotonic() < ends, f"{names} never came into sight"
        screen.render()


def wait_until_still(screen):
    """Where the graph is, once it is not shifted any more from frame to frame."""
    return screen.page.evaluate(WAIT_UNTIL_STILL)


def active_meetings(screen):
    nodes = screen.page.locator("[data-meeting][data-state='active']")
    return [nodes.nth(number).get_attribute("data-meeting") for number in range(nodes.count())]


def pan(screen, right, down=0):
    """Shift the graph by hand, from a place where nothing is."""
    pane_box = pane(screen)
    mouse, (x, y) = screen.page.mouse, (pane_box["x"] + pane_box["width"] / 2, pane_box["y"] + 4)
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + right / 2, y + down / 2)
    mouse.move(x + right, y + down)
    mouse.up()


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_active_meetings_are_in_view_at_every_shown_time(relay_screen, size):
    resize(relay_screen, *size)
    for moment in (0, 4, 10, 12, 2):
        go_to(relay_screen, moment)
        relay_screen.wait_until("() => document.querySelector(`[data-meeting][data-state='active']`)")
        assert active_meetings(relay_screen)
        wait_until_inside(relay_screen, *active_meetings(relay_screen))


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_chain_of_meetings_is_level_and_within_the_panel(relay_screen, size):
    resize(relay_screen, *size)
    go_to(relay_screen, 0)
    wait_until_still(relay_screen)
    chain = [f"{what} {one}" for one in range(1, 8) for what in ("call", "hand-over")]
    boxes = [node(relay_screen, name).bounding_box() for name in chain]
    pane_box = pane(relay_screen)
    assert max(box["y"] for box in boxes) - min(box["y"] for box in boxes) < 1
    for box in boxes:
        assert pane_box["y"] <= box["y"]
        assert box["y"] + box["height"] <= pane_box["y"] + pane_box["height"]


def test_graph_follows_playback_and_stays_where_it_was_panned(relay_screen):
    resize(relay_screen, 1280, 800)
    go_to(relay_screen, 0)
    wait_until_still(relay_screen)
    start = relay_screen.page.evaluate("() => document.querySelector('.svelte-flow__viewport').style.transform")
    relay_screen.press("Space")
    relay_screen.wait_until(
        "start => document.querySelector('.svelte-flow__viewport').style.transform !== start", start
    )
    wait_until_inside(relay_screen, *active_meetings(relay_screen)[-1:])
    relay_screen.press("Space")
    relay_screen.wait_until("() => !window.__keypose.playback.isPlaying")
    go_to(relay_screen, 12)
    wait_until_inside(relay_screen, *active_meetings(relay_screen))
    for _ in range(4):
        pan(relay_screen, 400)
    by_hand = wait_until_still(relay_screen)
    assert not any(is_inside(relay_screen, name) for name in active_meetings(relay_screen))
    for moment in (10, 9, 12.4):
        go_to(relay_screen, moment)
        assert wait_until_still(relay_screen) == by_hand
    relay_screen.press("Space")
    wait_until_inside(relay_screen, *active_meetings(relay_screen)[-1:])
    relay_screen.press("Space")
    relay_screen.wait_until("() => !window.__keypose.playback.isPlaying")


def test_selected_meeting_scrolls_into_view(relay_screen):
    resize(relay_screen, 1280, 800)
    go_to(relay_screen, 0)
    wait_until_inside(relay_screen, "call 1")
    wait_until_still(relay_screen)
    assert not is_inside(relay_screen, "hand-over 6")
    relay_screen.page.evaluate("() => window.__keypose.selection.selectMeeting('hand-over 6')")
    wait_until_inside(relay_screen, "hand-over 6")
    wait_until_still(relay_screen)
    choose_meeting(relay_screen, "hand-over 6")
    assert is_inside(relay_screen, "hand-over 6")
    relay_screen.page.evaluate("() => window.__keypose.selection.selectMeeting(null)")


def test_pressed_keys_warn_of_no_shortcut_without_a_key(relay_screen):
    warnings = []
    relay_screen.page.on(
        "console", lambda message: warnings.append(message.text) if message.type == "warning" else None
    )
    for key in ("Shift", "Control", "Home"):
        relay_screen.press(key)
    relay_screen.render()
    assert [text for text in warnings if "Trigger" in text] == []
