"""Is everything on screen readable, at a small and a large size? No text is cut off, none is too pale."""

import pytest

from tests.browser.accessibility import assert_readable
from tests.browser.screen import Screen

SIZES = [(1280, 800), (1920, 1080)]


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def sized_screen(chromium, address, request):
    width, height = request.param
    context = chromium.new_context(viewport={"width": width, "height": height})
    screen = Screen(context.new_page(), address)
    yield screen
    context.close()
    assert screen.errors == []


def test_no_text_on_screen_is_cut_off_or_low_contrast(sized_screen):
    assert_readable(sized_screen, "an actor is selected")
    sized_screen.select("red", 1)
    assert_readable(sized_screen, "a key is selected")
    sized_screen.edit_and_wait(
        lambda: sized_screen.drag(sized_screen.handle_position("red", {"tangent": 1, "side": "leave"}), 10, 30)
    )
    assert_readable(sized_screen, "its tangent is by hand")
    sized_screen.page.evaluate("() => { window.__keypose.selection.select('red', [1, 2]); }")
    assert_readable(sized_screen, "two keys are selected")
    sized_screen.select("blue")
    assert_readable(sized_screen, "nobody drew its speed")
    sized_screen.press("7")
    assert_readable(sized_screen, "one view alone")


@pytest.mark.parametrize("keys", ["?", "Control+e", "Control+o", "Shift+Control+s"])
def test_no_text_in_a_dialog_is_cut_off_or_low_contrast(sized_screen, keys):
    sized_screen.press(keys)
    sized_screen.page.get_by_role("dialog").wait_for()
    assert_readable(sized_screen, keys)


def test_no_text_on_the_start_page_is_cut_off_or_low_contrast(sized_screen):
    sized_screen.page.get_by_role("button", name="Keypose").click()
    sized_screen.page.get_by_role("dialog").wait_for()
    assert_readable(sized_screen, "start page")
