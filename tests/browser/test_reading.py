"""Is everything on screen readable, at a small and a large size? No text is cut off, none is too pale."""

import pytest

from tests.browser.for_everybody import readable
from tests.browser.screen import Screen

SIZES = [(1280, 800), (1920, 1080)]


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def sized(chromium, address, request):
    width, height = request.param
    context = chromium.new_context(viewport={"width": width, "height": height})
    screen = Screen(context.new_page(), address)
    yield screen
    context.close()
    assert screen.trouble == []


def test_nothing_on_the_screen_is_cut_off_or_pale(sized):
    readable(sized, "an actor is selected")
    sized.select("red", 1)
    readable(sized, "a key is selected")
    sized.after(lambda: sized.drag(sized.spot("red", {"tangent": 1, "side": "leave"}), 10, 30))
    readable(sized, "its tangent is by hand")
    sized.page.evaluate("() => { window.__keypose.studio.select('red', [1, 2]); }")
    readable(sized, "two keys are selected")
    sized.select("blue")
    readable(sized, "nobody drew its speed")
    sized.press("7")
    readable(sized, "one view alone")


@pytest.mark.parametrize("keys", ["?", "Control+e", "Control+o", "Shift+Control+s"])
def test_nothing_on_a_sheet_is_cut_off_or_pale(sized, keys):
    sized.press(keys)
    sized.page.get_by_role("dialog").wait_for()
    readable(sized, keys)


def test_nothing_on_the_start_page_is_cut_off_or_pale(sized):
    sized.page.get_by_role("button", name="Keypose").click()
    sized.page.get_by_role("dialog").wait_for()
    readable(sized, "start page")
