"""Can a person read the cast of a scene whose figures have many parts?"""

import shutil
from pathlib import Path

import pytest

from tests.browser.accessibility import assert_controls_named
from tests.browser.screen import Screen, serve_scene

ARCHES = Path(__file__).parents[2] / "examples" / "20_three_arches.json"
COLLAPSED_ROWS = ["floor", "red", "blue", "green", "first arch", "second arch", "third arch"]
LINK_ROWS = [f"bar {number}" for number in range(8)]


@pytest.fixture(scope="module")
def screen(chromium, tmp_path_factory):
    file = tmp_path_factory.mktemp("arches") / "arches.json"
    shutil.copy(ARCHES, file)
    with serve_scene(file) as address:
        screen = Screen(chromium.new_page(viewport={"width": 1280, "height": 800}), address)
        screen.wait_until("() => window.__keypose.doc.scene?.links.length === 24")
        yield screen
        screen.page.close()
        assert screen.errors == []


def actor_list(screen):
    return screen.page.get_by_role("region", name="Cast")


def row_names(screen):
    return [row.split("\n")[0] for row in actor_list(screen).get_by_role("listitem").all_inner_texts()]


def test_figure_with_many_links_is_one_row_until_expanded(screen):
    assert row_names(screen) == COLLAPSED_ROWS
    arrow = actor_list(screen).get_by_role("button", name="Parts of first arch")
    arrow.click()
    assert arrow.get_attribute("aria-expanded") == "true"
    assert row_names(screen) == [*COLLAPSED_ROWS[:5], *LINK_ROWS, *COLLAPSED_ROWS[5:]]
    arrow.click()
    assert row_names(screen) == COLLAPSED_ROWS
    assert_controls_named(screen, 30)


def test_collapsed_figure_lists_its_selected_link(screen):
    screen.page.evaluate("() => window.__keypose.selection.selectPart('second arch/bar 3')")
    screen.wait_until("() => window.__keypose.selection.link === 'second arch/bar 3'")
    assert row_names(screen) == [*COLLAPSED_ROWS[:6], "bar 3", COLLAPSED_ROWS[6]]
    actor_list(screen).get_by_role("button", name="red").click()
    screen.wait_until("() => window.__keypose.selection.link === null")
    assert row_names(screen) == COLLAPSED_ROWS
