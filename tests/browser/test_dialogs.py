"""Does the studio ask, tell and stay out of the way as a person expects? Sheets, notices, and a studio that is gone."""

from keypose import Actor, Motion, MotionPath, Stage, load, save
from tests.browser.screen import Screen, serve_scene


def move_key(screen):
    screen.edit_and_wait(lambda: screen.drag(screen.handle_position("red", {"key": 1}), 20, 30))


def notice_texts(screen):
    return screen.read_state("notices.entries.map(notice => notice.text)")


def test_typing_in_save_as_replaces_the_name_and_keeps_its_extension(screen, scene):
    screen.press("Control+Shift+s")
    screen.page.get_by_role("dialog", name="Save the scene").wait_for()
    screen.page.keyboard.type("mine")
    assert screen.page.get_by_label("File name").input_value() == "mine.json"
    screen.press("Enter")
    screen.wait_until("() => window.__keypose.doc.scene.file === 'mine.json'")
    assert (scene.parent / "mine.json").exists()


def test_enter_exports_under_the_typed_name_and_reports_the_file(screen, scene):
    screen.press("Control+e")
    dialog = screen.page.get_by_role("dialog", name="Export")
    dialog.wait_for()
    screen.page.keyboard.type("mine")
    screen.press("Enter")
    dialog.wait_for(state="detached")
    assert notice_texts(screen) == ["Exported mine.csv: 49 frames of 2 actors."]
    assert len(load(scene.parent / "mine.csv").times) == 49


def test_leaving_a_changed_scene_can_save_it_first(screen, scene):
    before = scene.read_bytes()
    move_key(screen)
    screen.page.get_by_role("button", name="New", exact=True).click()
    question = screen.page.get_by_role("dialog", name="Leave without saving?")
    screen.edit_and_wait(question.get_by_role("button", name="Save and go on").click)
    assert screen.read_state("doc.scene.order") == []
    assert scene.read_bytes() != before


def test_leaving_a_scene_without_a_file_asks_for_its_name_first(screen, scene):
    screen.edit_and_wait(screen.page.get_by_role("button", name="New", exact=True).click)
    screen.edit_and_wait(screen.page.get_by_role("button", name="Add an actor").first.click)
    screen.page.get_by_role("button", name="New", exact=True).click()
    screen.page.get_by_role("button", name="Save and go on").click()
    screen.page.get_by_role("dialog", name="Save the scene").wait_for()
    screen.page.keyboard.type("one")
    screen.press("Enter")
    screen.wait_until("() => window.__keypose.doc.scene.order.length === 0")
    assert load(scene.parent / "one.json").names == ("actor 1",)


def test_error_notice_is_removed_by_the_next_edit(screen):
    screen.select("blue", 1)
    name = screen.page.get_by_label("Name of the actor")
    name.fill("red")
    name.press("Enter")
    screen.wait_until("() => window.__keypose.notices.entries.some(notice => notice.kind === 'error')")
    screen.ping()
    assert len(notice_texts(screen)) == 1
    move_key(screen)
    assert notice_texts(screen) == []


def test_info_notice_is_removed_by_the_next_gesture(screen):
    screen.press("Control+s")
    screen.wait_until("() => window.__keypose.notices.entries.some(notice => notice.text === 'Saved scene.json.')")
    position = screen.handle_position("red", {"key": 1})
    screen.page.mouse.click(position["x"], position["y"])
    assert notice_texts(screen) == []


def test_scene_title_does_not_move_when_the_status_changes(screen):
    title = "() => { const range = document.createRange(); range.selectNodeContents("
    title += "document.querySelector('h1').firstChild); return range.getBoundingClientRect().left; }"
    before = screen.page.evaluate(title)
    move_key(screen)
    assert screen.page.locator("header [role=status]").inner_text() == "move key 1 of red"
    assert screen.page.evaluate(title) == before
    screen.edit_and_wait(lambda: screen.press("Control+z"))
    assert screen.page.evaluate(title) == before


def test_page_of_a_closed_studio_explains_how_to_reopen_it(chromium, scene):
    context = chromium.new_context()
    with serve_scene(scene) as address:
        screen = Screen(context.new_page(), address)
    notices = screen.page.get_by_role("log", name="Notices")
    notices.get_by_text("open the address that it printed").wait_for()
    assert "elsewhere" in screen.page.locator("header [role=status]").inner_text()
    context.close()


def test_unchanged_duration_exports_the_last_key_and_a_typed_one_is_rounded(chromium, tmp_path):
    file = save(Stage([Actor("a", Motion(MotionPath([(0, 0, 0), (1, 0, 0)]), duration=1.01))]), tmp_path / "short.json")
    with serve_scene(file) as address:
        context = chromium.new_context(viewport={"width": 1280, "height": 800})
        screen = Screen(context.new_page(), address)
        screen.press("Control+e")
        dialog = screen.page.get_by_role("dialog", name="Export")
        dialog.wait_for()
        assert dialog.get_by_text("26 frames of one actor.").is_visible()
        screen.press("Enter")
        dialog.wait_for(state="detached")
        assert load(tmp_path / "short.csv")["a"].position[-1].tolist() == [1, 0, 0]
        screen.press("Control+e")
        dialog.get_by_label("Seconds", exact=True).fill("1.02")
        dialog.get_by_label("Seconds", exact=True).press("Tab")
        assert dialog.get_by_text("25 frames of one actor.").is_visible()
        context.close()
        assert screen.errors == []
