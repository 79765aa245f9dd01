"""Does the studio ask, tell and stay out of the way as a person expects? Sheets, notices, and a studio that is gone."""

from keypose import load
from tests.browser.screen import Screen, serving


def moved(screen):
    screen.after(lambda: screen.drag(screen.spot("red", {"key": 1}), 20, 30))


def notices(screen):
    return screen.ask("studio.notices.map(notice => notice.text)")


def test_typing_in_save_as_replaces_the_name_and_keeps_its_ending(screen, scene):
    screen.press("Control+Shift+s")
    screen.page.get_by_role("dialog", name="Save the scene").wait_for()
    screen.page.keyboard.type("mine")
    assert screen.page.get_by_label("File name").input_value() == "mine.json"
    screen.press("Enter")
    screen.until("() => window.__keypose.studio.scene.file === 'mine.json'")
    assert (scene.parent / "mine.json").exists()


def test_enter_exports_under_the_name_typed_and_tells_what_was_written(screen, scene):
    screen.press("Control+e")
    dialog = screen.page.get_by_role("dialog", name="Export")
    dialog.wait_for()
    screen.page.keyboard.type("mine")
    screen.press("Enter")
    dialog.wait_for(state="detached")
    assert notices(screen) == ["Exported mine.csv: 49 frames of 2 actors."]
    assert len(load(scene.parent / "mine.csv")) == 49


def test_leaving_a_changed_scene_can_save_it_first(screen, scene):
    before = scene.read_bytes()
    moved(screen)
    screen.page.get_by_role("button", name="New", exact=True).click()
    question = screen.page.get_by_role("dialog", name="Leave without saving?")
    screen.after(question.get_by_role("button", name="Save and go on").click)
    assert screen.ask("studio.scene.order") == []
    assert scene.read_bytes() != before


def test_leaving_a_scene_without_a_file_asks_for_its_name_and_then_goes_on(screen, scene):
    screen.after(screen.page.get_by_role("button", name="New", exact=True).click)
    screen.after(screen.page.get_by_role("button", name="Add an actor").first.click)
    screen.page.get_by_role("button", name="New", exact=True).click()
    screen.page.get_by_role("button", name="Save and go on").click()
    screen.page.get_by_role("dialog", name="Save the scene").wait_for()
    screen.page.keyboard.type("one")
    screen.press("Enter")
    screen.until("() => window.__keypose.studio.scene.order.length === 0")
    assert load(scene.parent / "one.json").names == ("actor 1",)


def test_what_was_refused_is_out_of_the_way_once_something_else_is_done(screen):
    screen.select("blue", 1)
    name = screen.page.get_by_label("Name of the actor")
    name.fill("red")
    name.press("Enter")
    screen.until("() => window.__keypose.studio.notices.some(notice => notice.kind === 'error')")
    screen.heard()
    assert len(notices(screen)) == 1
    moved(screen)
    assert notices(screen) == []


def test_what_is_told_by_the_way_goes_with_the_next_gesture(screen):
    screen.press("Control+s")
    screen.until("() => window.__keypose.studio.notices.some(notice => notice.text === 'Saved scene.json.')")
    spot = screen.spot("red", {"key": 1})
    screen.page.mouse.click(spot["x"], spot["y"])
    assert notices(screen) == []


def test_the_name_of_the_scene_stays_where_it_is_whatever_is_said_beside_it(screen):
    title = "() => { const range = document.createRange(); range.selectNodeContents("
    title += "document.querySelector('h1').firstChild); return range.getBoundingClientRect().left; }"
    before = screen.page.evaluate(title)
    moved(screen)
    assert screen.page.locator("header [role=status]").inner_text() == "move key 1 of red"
    assert screen.page.evaluate(title) == before
    screen.after(lambda: screen.press("Control+z"))
    assert screen.page.evaluate(title) == before


def test_a_page_of_a_studio_that_was_ended_says_where_to_find_the_next_one(chromium, scene):
    context = chromium.new_context()
    with serving(scene) as address:
        screen = Screen(context.new_page(), address)
    told = screen.page.get_by_role("log", name="Notices")
    told.get_by_text("open the address that it printed").wait_for()
    assert "elsewhere" in screen.page.locator("header [role=status]").inner_text()
    context.close()
