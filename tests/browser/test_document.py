"""Files, tabs and the first minute: new, open, save, export, examples, and pages that stay in step."""

from keypose import load
from tests.browser.screen import Screen


def test_two_tabs_on_one_document_stay_in_step(screen):
    other = Screen(screen.page.context.new_page(), screen.page.url)
    screen.edit_and_wait(lambda: screen.drag(screen.handle_position("red", {"key": 1}), 20, 30))
    moved = screen.key("red", 1)
    other.wait_until("revision => window.__keypose.doc.scene.revision >= revision", screen.revision)
    assert other.key("red", 1) == moved
    other.edit_and_wait(lambda: other.press("Control+z"))
    screen.wait_until("revision => window.__keypose.doc.scene.revision >= revision", other.revision)
    assert screen.key("red", 1)["spec"]["position"] == [2, 2, 0]
    assert other.errors == []


def test_a_take_is_exported_as_a_table(screen, scene):
    screen.press("Control+e")
    dialog = screen.page.get_by_role("dialog")
    dialog.get_by_role("textbox").first.fill("ride.csv")
    dialog.get_by_role("button", name="Export").click()
    screen.wait_until("() => window.__keypose.notices.entries.some(({ text }) => text.startsWith('Exported ride.csv'))")
    take = load(scene.parent / "ride.csv")
    assert set(take.names) == {"red", "blue"}
    assert len(take.times) == 49


def test_the_start_page_opens_an_example_in_one_click(screen):
    screen.page.get_by_role("button", name="Keypose").click()
    dialog = screen.page.get_by_role("dialog")
    examples = dialog.get_by_role("button").filter(has_text="hand")
    assert examples.count() >= 1
    screen.edit_and_wait(examples.first.click)
    assert "hand" in screen.read_state("doc.scene.order")


def test_every_control_has_a_name(screen):
    screen.select("red", 1)
    screen.page.get_by_label("tension slider").wait_for()
    nameless = screen.page.evaluate(
        """() => [...document.querySelectorAll("button, input, select, textarea, [role=slider]")]
            .filter(one => one.offsetParent !== null)
            .filter(one => !(one.getAttribute("aria-label") || one.innerText?.trim() || one.title
                             || one.labels?.length || one.getAttribute("aria-labelledby")))
            .map(one => one.outerHTML.slice(0, 200))"""
    )
    assert nameless == []


def test_question_mark_shows_all_shortcuts_without_scrolling(screen):
    screen.press("?")
    text = screen.page.get_by_role("dialog").inner_text()
    for word in ("Space", "J", "K", "L", "I", "G", "R", "F", "Ctrl"):
        assert word in text
    assert "Drag a ring, a pink arrow" in text
    content = screen.page.get_by_role("dialog").locator("> div")
    assert content.evaluate("one => one.scrollHeight - one.clientHeight") == 0, "it is read without scrolling"
    screen.press("Escape")
    assert screen.page.get_by_role("dialog").count() == 0
