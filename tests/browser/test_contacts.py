"""Is it told which part of a figure hits whom, and only when that is known?"""

import shutil
from pathlib import Path

import numpy as np
import pytest

from keypose import Orientation
from tests.browser.body_scene import go_to
from tests.browser.field_scene import choose, inspector
from tests.browser.screen import Screen, serve_scene

DANCE = Path(__file__).parents[2] / "examples" / "16_a_dancing_letter.json"


@pytest.fixture(scope="module")
def screen(chromium, tmp_path_factory):
    """A studio on the dancing letter, whose feet hit the floor."""
    file = tmp_path_factory.mktemp("dance") / DANCE.name
    shutil.copy(DANCE, file)
    with serve_scene(file) as address:
        screen = Screen(chromium.new_page(viewport={"width": 1280, "height": 800}), address)
        screen.wait_until(
            "() => window.__keypose.playback.collisions?.length > 0 && !window.__keypose.connection.isWorking"
        )
        yield screen
        screen.page.close()
        assert screen.errors == []


def contact_rows(screen):
    """The contacts that are listed: when [s], and who."""
    screen.render()
    rows = inspector(screen).get_by_role("list", name="Contacts").get_by_role("button").all()
    texts = [(row.locator(".time").inner_text(), row.locator(".other").inner_text()) for row in rows]
    return [(float(time.removesuffix(" s")), name) for time, name in texts]


def collisions_of(screen, part):
    """When a part hits somebody, and whom."""
    hits = screen.read_state("playback.collisions.map(({ time, actor, other }) => [time, actor, other])")
    return [(time, other if actor == part else actor) for time, actor, other in hits if part in (actor, other)]


@pytest.mark.parametrize("part", ["left shin", "right shin"])
def test_selected_link_lists_and_marks_only_its_own_contacts(screen, part):
    screen.page.evaluate("part => window.__keypose.selection.selectPart(part)", f"letter/{part}")
    collisions = collisions_of(screen, f"letter/{part}")
    assert contact_rows(screen) == [(pytest.approx(time, abs=0.006), other) for time, other in collisions]
    assert screen.page.locator(".marks .mark.own").count() == len(collisions)


def test_contacts_of_a_whole_figure_name_the_link(screen):
    choose(screen, "letter")
    rows = contact_rows(screen)
    assert len(rows) == screen.read_state("playback.collisions.length")
    assert {name for _, name in rows} == {"left shin – floor", "right shin – floor"}
    first = min(collisions_of(screen, "letter/right shin"))[0]
    assert (pytest.approx(first, abs=0.006), "right shin – floor") in rows


def test_contacts_are_not_listed_before_they_are_known(screen):
    choose(screen, "letter")
    screen.page.evaluate(
        "() => { const { playback } = window.__keypose;"
        " window.known = playback.collisions; playback.collisions = null; }"
    )
    screen.render()
    contacts = inspector(screen).get_by_role("heading", name="Contacts").locator("..")
    assert contacts.inner_text().split("\n")[-1] == "…"
    screen.page.evaluate("() => { window.__keypose.playback.collisions = []; }")
    screen.render()
    assert contacts.inner_text().split("\n")[-1] == "It hits nobody."
    screen.page.evaluate("() => { window.__keypose.playback.collisions = window.known; }")


def test_swinging_foot_stays_inside_every_view(screen):
    screen.page.evaluate(
        "() => { const { selection, viewport } = window.__keypose; selection.select(null); viewport.framings += 1; }"
    )
    screen.render()
    duration = screen.read_state("doc.scene.duration")
    for time in np.linspace(0, duration, 40).tolist():
        go_to(screen, time)
        for view in ("top", "front", "side"):
            for foot in foot_positions(screen):
                position = screen.page.evaluate(
                    "([at, view]) => window.__keypose.project('', { place: at }, view)", [foot, view]
                )
                assert position is not None, f"{view} at {time:.2f} s"


def foot_positions(screen):
    """Where the ends of the shins are [m]."""
    positions = []
    for part in ("left shin", "right shin"):
        at = f"7 * doc.scene.order.indexOf('letter/{part}')"
        x, y, z, w, i, j, k = screen.read_state(f"Array.from(playback.poses.poses.slice({at}, {at} + 7))")
        size = screen.read_state(f"doc.scene.links.find((one) => one.name === 'letter/{part}').body.shape")
        end = Orientation.of((w, i, j, k)).rotate((0, size["length"] / 2 + size["radius"], 0))
        positions.append((np.array([x, y, z]) + end).tolist())
    return positions


def test_contacts_of_the_floor_name_the_link_of_the_figure(screen):
    choose(screen, "floor")
    assert {name for _, name in contact_rows(screen)} == {"letter/left shin", "letter/right shin"}
