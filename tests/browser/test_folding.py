"""Can a person read the cast of a scene whose figures have many parts?"""

import shutil
from pathlib import Path

import pytest

from tests.browser.for_everybody import all_have_names
from tests.browser.screen import Screen, serving

ARCHES = Path(__file__).parents[2] / "examples" / "20_three_arches.json"
WHOLE = ["floor", "red", "blue", "green", "first arch", "second arch", "third arch"]
BARS = [f"bar {number}" for number in range(8)]


@pytest.fixture(scope="module")
def screen(chromium, tmp_path_factory):
    file = tmp_path_factory.mktemp("arches") / "arches.json"
    shutil.copy(ARCHES, file)
    with serving(file) as address:
        made = Screen(chromium.new_page(viewport={"width": 1280, "height": 800}), address)
        made.until("() => window.__keypose.studio.scene?.links.length === 24")
        yield made
        made.page.close()
        assert made.trouble == []


def cast(screen):
    return screen.page.get_by_role("region", name="Cast")


def listed(screen):
    return [row.split("\n")[0] for row in cast(screen).get_by_role("listitem").all_inner_texts()]


def test_a_figure_is_one_row_until_it_is_opened_where_there_are_many_parts(screen):
    assert listed(screen) == WHOLE
    arrow = cast(screen).get_by_role("button", name="Parts of first arch")
    arrow.click()
    assert arrow.get_attribute("aria-expanded") == "true"
    assert listed(screen) == [*WHOLE[:5], *BARS, *WHOLE[5:]]
    arrow.click()
    assert listed(screen) == WHOLE
    all_have_names(screen, 30)


def test_of_a_closed_figure_the_selected_part_is_listed(screen):
    screen.page.evaluate("() => window.__keypose.studio.selectPart('second arch/bar 3')")
    screen.until("() => window.__keypose.studio.link === 'second arch/bar 3'")
    assert listed(screen) == [*WHOLE[:6], "bar 3", WHOLE[6]]
    cast(screen).get_by_role("button", name="red").click()
    screen.until("() => window.__keypose.studio.link === null")
    assert listed(screen) == WHOLE
