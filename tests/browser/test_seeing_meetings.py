"""Is the meeting in sight that matters now, active, new or chosen, in a graph that is larger than its panel?"""

import shutil
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.browser.appointments import choose_meeting, go_to, graph, node, shot
from tests.browser.screen import PATIENCE, Screen, serving

EXAMPLES = Path(__file__).parents[2] / "examples"
RESTING = """() => new Promise((done) => {
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
def studio_with(chromium, folder, example):
    """A studio on a copy of an example, whose graph of meetings is shown."""
    file = shutil.copy(EXAMPLES / f"{example}.json", folder)
    with serving(Path(file)) as address:
        screen = Screen(chromium.new_page(viewport={"width": 1280, "height": 800}), address)
        shot(screen)
        screen.page.get_by_role("button", name="Meetings").click()
        yield screen
        screen.page.close()
        assert screen.trouble == []


@pytest.fixture(scope="module")
def race(chromium, tmp_path_factory):
    """A relay race: a chain of fourteen meetings, and seven at its side."""
    with studio_with(chromium, tmp_path_factory.mktemp("race"), "18_a_relay_race") as screen:
        yield screen


def sized(screen, width, height):
    screen.page.set_viewport_size({"width": width, "height": height})
    screen.until("([width, height]) => innerWidth === width && innerHeight === height", [width, height])
    screen.drawn()


def pane(screen):
    return graph(screen).locator(".graph").bounding_box()


def is_inside(screen, name):
    box, room = node(screen, name).bounding_box(), pane(screen)
    return all(
        room[axis] - 1 <= box[axis] and box[axis] + box[size] <= room[axis] + room[size] + 1
        for axis, size in (("x", "width"), ("y", "height"))
    )


def comes_into_sight(screen, *names):
    ends = time.monotonic() + PATIENCE
    while not all(is_inside(screen, name) for name in names):
        assert time.monotonic() < ends, f"{names} never came into sight"
        screen.drawn()


def resting(screen):
    """Where the graph is, once it is not shifted any more from frame to frame."""
    return screen.page.evaluate(RESTING)


def actives(screen):
    nodes = screen.page.locator("[data-meeting][data-state='active']")
    return [nodes.nth(number).get_attribute("data-meeting") for number in range(nodes.count())]


def pan(screen, right, down=0):
    """Shift the graph by hand, from a place where nothing is."""
    room = pane(screen)
    mouse, (x, y) = screen.page.mouse, (room["x"] + room["width"] / 2, room["y"] + 4)
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + right / 2, y + down / 2)
    mouse.move(x + right, y + down)
    mouse.up()


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_what_is_active_is_in_sight_at_every_moment_that_is_shown(race, size):
    sized(race, *size)
    for moment in (0, 4, 10, 12, 2):
        go_to(race, moment)
        race.until("() => document.querySelector(`[data-meeting][data-state='active']`)")
        assert actives(race)
        comes_into_sight(race, *actives(race))


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_the_chain_of_a_race_is_level_and_within_the_panel(race, size):
    sized(race, *size)
    go_to(race, 0)
    resting(race)
    chain = [f"{what} {one}" for one in range(1, 8) for what in ("call", "hand-over")]
    boxes = [node(race, name).bounding_box() for name in chain]
    room = pane(race)
    assert max(box["y"] for box in boxes) - min(box["y"] for box in boxes) < 1
    for box in boxes:
        assert room["y"] <= box["y"]
        assert box["y"] + box["height"] <= room["y"] + room["height"]


def test_it_goes_along_while_it_plays_and_stays_where_a_hand_has_shifted_it(race):
    sized(race, 1280, 800)
    go_to(race, 0)
    resting(race)
    start = race.page.evaluate("() => document.querySelector('.svelte-flow__viewport').style.transform")
    race.press("Space")
    race.until("start => document.querySelector('.svelte-flow__viewport').style.transform !== start", start)
    comes_into_sight(race, *actives(race)[-1:])
    race.press("Space")
    race.until("() => !window.__keypose.studio.isPlaying")
    go_to(race, 12)
    comes_into_sight(race, *actives(race))
    for _ in range(4):
        pan(race, 400)
    by_hand = resting(race)
    assert not any(is_inside(race, name) for name in actives(race))
    for moment in (10, 9, 12.4):
        go_to(race, moment)
        assert resting(race) == by_hand
    race.press("Space")
    comes_into_sight(race, *actives(race)[-1:])
    race.press("Space")
    race.until("() => !window.__keypose.studio.isPlaying")


def test_the_chosen_meeting_comes_into_sight(race):
    sized(race, 1280, 800)
    go_to(race, 0)
    comes_into_sight(race, "call 1")
    resting(race)
    assert not is_inside(race, "hand-over 6")
    race.page.evaluate("() => window.__keypose.studio.selectMeeting('hand-over 6')")
    comes_into_sight(race, "hand-over 6")
    resting(race)
    choose_meeting(race, "hand-over 6")
    assert is_inside(race, "hand-over 6")
    race.page.evaluate("() => window.__keypose.studio.selectMeeting(null)")
