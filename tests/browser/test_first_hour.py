"""What a newcomer tries in the first hour, beyond dragging keys: effects, drawings, files, the keyboard alone."""

import numpy as np
import pytest

from keypose import Actor, Key, Motion, MotionPath, Stage, load, save


def test_effect_is_applied_by_its_button_and_undone(screen):
    screen.select("red", 1)
    corner = screen.page.get_by_role("button", name="corner", exact=True)
    screen.edit_and_wait(corner.click)
    assert screen.key("red", 1)["continuity"] == -1
    assert screen.key("red", 1)["effect"] == "corner"
    assert corner.get_attribute("aria-pressed") == "true"
    screen.edit_and_wait(lambda: screen.press("Control+z"))
    assert screen.key("red", 1)["effect"] is None


def test_custom_effect_is_saved_in_the_scene_and_applied_to_other_keys(screen, scene):
    screen.select("red", 1)
    field = screen.page.get_by_label("bias", exact=True)
    field.fill("0.6")
    screen.edit_and_wait(lambda: field.press("Enter"))
    name = screen.page.get_by_label("Name of a new effect")
    name.fill("swagger")
    screen.edit_and_wait(lambda: name.press("Enter"))
    screen.select("red", 2)
    screen.edit_and_wait(screen.page.get_by_role("button", name="swagger", exact=True).click)
    assert screen.key("red", 2)["bias"] == pytest.approx(0.6)
    screen.press("Control+s")
    screen.wait_until("() => window.__keypose.doc.scene.is_saved")
    assert load(scene).style.effects["swagger"]["bias"] == pytest.approx(0.6)


def test_keyframe_cards_are_reordered_by_dragging(screen):
    screen.select("red")
    positions = [screen.key("red", key)["spec"]["position"] for key in range(4)]
    card = screen.page.get_by_role("button", name="Key 0 at").bounding_box()
    start = {"x": card["x"] + card["width"] / 2, "y": card["y"] + card["height"] / 2}
    screen.edit_and_wait(lambda: screen.drag(start, 2 * 104 + 20, 0, steps=12))
    moved = [screen.key("red", key)["spec"]["position"] for key in range(4)]
    assert moved == [positions[1], positions[2], positions[0], positions[3]]


def test_arrow_key_changes_tension_after_tab_reaches_its_slider(screen):
    screen.select("red", 1)
    slider = screen.page.get_by_label("tension slider")
    slider.wait_for()
    screen.page.locator("canvas").first.focus()
    for _ in range(80):
        screen.press("Tab")
        if slider.evaluate("one => one === document.activeElement"):
            break
    else:
        pytest.fail("Tab never came to the tension slider")
    outline = slider.evaluate("one => getComputedStyle(one).outlineStyle")
    assert outline != "none"
    screen.edit_and_wait(lambda: screen.press("ArrowRight"))
    assert screen.key("red", 1)["tension"] == pytest.approx(0.01)
    before = screen.read_state("playback.time")
    screen.edit_and_wait(lambda: screen.press("ArrowLeft"))
    assert screen.key("red", 1)["tension"] == pytest.approx(0)
    assert screen.read_state("playback.time") == before


@pytest.fixture
def drawings(scene):
    """A scene of a drawing that changes, beside the other."""
    turn = np.linspace(0, 2 * np.pi, 8, endpoint=False)
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    keys = [Key(ring), Key(ring * (1.4, 0.6) + (1, 0)), Key(ring + np.array([2, 0]))]
    file = scene.parent / "blob.json"
    save(Stage([Actor("blob", Motion(MotionPath(keys), duration=1.0))]), file)
    return file


def open_file(screen, file):
    screen.press("Control+o")
    screen.edit_and_wait(screen.page.get_by_role("dialog").get_by_role("button", name=file.name).click)
    screen.wait_until("name => window.__keypose.doc.scene.file === name", file.name)


def test_scene_in_the_folder_is_opened_from_the_dialog(drawings, screen):
    open_file(screen, drawings)
    assert screen.read_state("doc.scene.order") == ["blob"]
    screen.wait_until("() => window.__keypose.selection.actor === 'blob'")
    assert screen.page.get_by_role("dialog").count() == 0


def test_a_point_is_dragged_in_the_drawing_editor_and_the_line_test_plays(drawings, screen):
    open_file(screen, drawings)
    screen.page.get_by_role("button", name="Drawing and line test").click()
    dialog = screen.page.get_by_role("dialog")
    before = screen.key("blob", 0)["spec"]["position"]
    point = dialog.get_by_role("button", name="Point 2", exact=True).bounding_box()
    start = {"x": point["x"] + point["width"] / 2, "y": point["y"] + point["height"] / 2}
    screen.edit_and_wait(lambda: screen.drag(start, 0, 40))
    after = screen.key("blob", 0)["spec"]["position"]
    assert after[2][1] > before[2][1] + 0.1
    assert after[2][0] == pytest.approx(before[2][0], abs=1e-2)
    assert after[:2] + after[3:] == before[:2] + before[3:]
    dialog.get_by_role("button", name="Line test").click()
    screen.wait_until("() => window.__keypose.playback.isPlaying")
    assert screen.read_state("playback.fps") == 24
    read_points = "() => document.querySelector('dialog polyline.now')?.getAttribute('points')"
    first = screen.wait_until(read_points)
    screen.wait_until("first => document.querySelector('dialog polyline.now')?.getAttribute('points') !== first", first)
    screen.press("Escape")
    screen.wait_until("() => !window.__keypose.playback.isPlaying")


def test_leaving_a_changed_scene_asks_first(drawings, screen):
    screen.edit_and_wait(lambda: screen.drag(screen.handle_position("red", {"key": 1}), 20, 30))
    moved = screen.key("red", 1)
    new = screen.page.get_by_role("button", name="New", exact=True)
    new.click()
    question = screen.page.get_by_role("dialog", name="Leave without saving?")
    assert "not saved" in question.inner_text()
    question.get_by_role("button", name="Stay").click()
    assert screen.key("red", 1) == moved
    screen.press("Control+o")
    screen.page.get_by_role("button", name="blob.json").click()
    question.wait_for()
    screen.press("Escape")
    question.wait_for(state="detached")
    screen.press("Escape")
    assert screen.key("red", 1) == moved
    new.click()
    screen.edit_and_wait(question.get_by_role("button", name="Leave without saving").click)
    assert screen.read_state("doc.scene.order") == []


def test_scene_without_changes_is_left_without_a_question(screen):
    screen.edit_and_wait(screen.page.get_by_role("button", name="New", exact=True).click)
    assert screen.read_state("doc.scene.order") == []


def test_long_export_shows_progress_and_can_be_stopped(screen, scene):
    screen.press("Control+e")
    dialog = screen.page.get_by_role("dialog", name="Export")
    dialog.get_by_role("textbox").first.fill("long.csv")
    seconds = dialog.get_by_label("Seconds", exact=True)
    seconds.fill("20000")
    seconds.press("Tab")
    dialog.get_by_role("button", name="Export").click()
    screen.wait_until("() => document.querySelector('dialog progress')?.value > 0")
    assert "exporting long.csv" in dialog.get_by_role("status").inner_text().lower()
    dialog.get_by_role("button", name="Stop").click()
    screen.wait_until("() => window.__keypose.notices.entries.some(notice => notice.text.includes('stopped'))")
    assert not (scene.parent / "long.csv").exists()


@pytest.mark.parametrize("number", range(7))
def test_every_example_opens_from_the_start_page(screen, number):
    name = screen.read_state(f"connection.welcome.examples[{number}].title")
    screen.page.get_by_role("button", name="Keypose").click()
    screen.edit_and_wait(screen.page.get_by_role("dialog").get_by_role("button", name=name).click)
    screen.wait_until("() => window.__keypose.doc.scene.order.every(name => window.__keypose.doc.curves.has(name))")
    assert screen.read_state("notices.entries") == []


@pytest.fixture
def sail(scene):
    """A drawing in space, that stands on somebody who is elsewhere."""
    flag = np.array([[0, 0, 0], [1, 0, 0.5], [1, 1, 1], [0, 1, 0.25]])
    post = Motion(MotionPath([(5, 5, 5), (6, 5, 5)]), duration=1.0)
    cloth = Motion(MotionPath([Key(flag), Key(flag * (1, 0.8, 2))]), duration=1.0)
    file = scene.parent / "sail.json"
    save(Stage([Actor("post", post), Actor("sail", cloth, parent="post")]), file)
    return file


def test_spatial_drawing_is_edited_in_the_chosen_view(sail, screen):
    open_file(screen, sail)
    screen.select("sail", 0)
    screen.page.get_by_role("button", name="Drawing and line test").click()
    sheet = screen.page.get_by_role("dialog")
    before = np.array(screen.key("sail", 0)["spec"]["position"])
    for view, moved in (("above (x, z)", [1, 0, 1]), ("the side (z, y)", [0, 1, 1]), ("the front (x, y)", [1, 1, 0])):
        sheet.get_by_label("Seen from").select_option(view)
        screen.render()
        box = sheet.get_by_role("button", name="Point 2", exact=True).bounding_box()
        start = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        screen.edit_and_wait(lambda at=start: screen.drag(at, -30, 20))
        after = np.array(screen.key("sail", 0)["spec"]["position"])
        offset = after[2] - before[2]
        assert (np.abs(offset) > 0.01).tolist() == np.array(moved, dtype=bool).tolist()
        assert (after[[0, 1, 3]] == before[[0, 1, 3]]).all()
        # to the left and up, as in the view of that name
        expected = {"above (x, z)": (-1, 0, -1), "the side (z, y)": (0, 1, 1), "the front (x, y)": (-1, 1, 0)}[view]
        assert np.sign(np.where(np.array(moved), offset, 0)).tolist() == list(expected)
        before = after


def test_redrawn_spatial_drawing_keeps_its_depth(sail, screen):
    open_file(screen, sail)
    screen.select("sail", 0)
    screen.page.get_by_role("button", name="Drawing and line test").click()
    sheet = screen.page.get_by_role("dialog")
    before = np.array(screen.key("sail", 0)["spec"]["position"])
    sheet.get_by_role("button", name="Draw anew").click()
    box = sheet.get_by_label("Points of key 0").bounding_box()
    start = {"x": box["x"] + 100, "y": box["y"] + box["height"] / 2}
    screen.edit_and_wait(lambda: screen.drag(start, 300, 0))
    after = np.array(screen.key("sail", 0)["spec"]["position"])
    assert after[:, 2].tolist() == before[:, 2].tolist()
    assert np.ptp(after[:, 1]) < 1e-6
    assert (np.diff(after[:, 0]) > 0.1).all()
