"""Is everything on screen readable, at a small and a large size? No text is cut off, none is too pale."""

import pytest

from tests.browser.screen import Screen

SIZES = [(1280, 800), (1920, 1080)]

# Words that people give may be longer than any place for them: these end in dots and have a title that tells all.
GIVEN = "header h1, header .state, .tags span, .words"

CUT = """given => [...document.querySelectorAll("body *")]
    .filter(one => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".unseen, option, svg"))
    .filter(one => [...one.childNodes].some(part => part.nodeType === 3 && part.textContent.trim()))
    .filter(one => one.clientWidth && (one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 2))
    .filter(one => !(one.matches(given) && one.closest("[title]")))
    .map(one => `${one.tagName} ${one.className}: ${one.innerText} ${one.scrollWidth} > ${one.clientWidth}`)"""

OUTSIDE = """() => [...document.querySelectorAll("button, input, select, h1, h2, h3, label, p")]
    .filter(one => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".unseen"))
    .map(one => [one, one.getBoundingClientRect()])
    .filter(([, box]) => box.right > innerWidth + 1 || box.left < -1)
    .map(([one]) => one.outerHTML.slice(0, 120))"""

PALE = """() => {
    const light = text => {
        const [r, g, b] = text.match(/[\\d.]+/g).map(Number)
            .map(part => part / 255).map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = one => {
        for (let at = one; at; at = at.parentElement) {
            const said = getComputedStyle(at).backgroundColor;
            if (!/, 0\\)$/.test(said)) return said;
        }
        return "rgb(0, 0, 0)";
    };
    return [...document.querySelectorAll("body *")]
        .filter(one => one.checkVisibility() && !one.closest(".names, :disabled, label:has(:disabled), option, svg"))
        .filter(one => [...one.childNodes].some(part => part.nodeType === 3 && part.textContent.trim()))
        .map(one => [one, light(getComputedStyle(one).color), light(behind(one))])
        .map(([one, a, b]) => [one, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)])
        .filter(([, contrast]) => contrast < 4.5)
        .map(([one, contrast]) => `${one.innerText} ${contrast.toFixed(2)}`);
}"""


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def sized(chromium, address, request):
    width, height = request.param
    context = chromium.new_context(viewport={"width": width, "height": height})
    screen = Screen(context.new_page(), address)
    yield screen
    context.close()
    assert screen.trouble == []


def readable(screen, what):
    screen.page.wait_for_timeout(250)
    found = {"cut": screen.page.evaluate(CUT, GIVEN), "outside": screen.page.evaluate(OUTSIDE)}
    found["pale"] = screen.page.evaluate(PALE)
    assert found == {"cut": [], "outside": [], "pale": []}, what


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
