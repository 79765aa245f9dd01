"""What a person does with mouse and keyboard, and what the curve, the stripes and the saved file say of it."""

import numpy as np
import pytest

from keypose import load


def test_dragging_a_key_moves_curve_stripes_and_saved_file_together(screen, scene):
    before = {array: screen.curve("red", array) for array in ("line", "stripes", "keys")}
    screen.select("red")
    screen.edit_and_wait(lambda: screen.drag(screen.handle_position("red", {"key": 1}), 30, 40))
    moved = screen.key("red", 1)["spec"]["position"]
    assert moved[0] > 2.1
    assert moved[1] > 2.1
    assert moved[2] == pytest.approx(0, abs=1e-9)  # on the plane of the view it was dragged in
    assert screen.curve("red", "keys")[3:6] == pytest.approx(moved, abs=1e-5)
    assert screen.curve("red", "line") != before["line"]
    assert screen.curve("red", "stripes") != before["stripes"]
    screen.press("Control+s")
    screen.wait_until("() => window.__keypose.doc.scene.is_saved")
    assert load(scene)["red"].keys[1].position == pytest.approx(moved)


def test_one_drag_is_one_undo_step(screen):
    screen.edit_and_wait(lambda: screen.drag(screen.handle_position("red", {"key": 2}), 40, 20, steps=20))
    assert "key 2 of red" in screen.read_state("doc.scene.steps.undo")
    screen.edit_and_wait(lambda: screen.press("Control+z"))
    assert screen.key("red", 2)["spec"]["position"] == [4, 0, 1]
    assert screen.read_state("doc.scene.steps.undo") is None
    screen.edit_and_wait(lambda: screen.press("Control+Shift+z"))
    assert screen.key("red", 2)["spec"]["position"] != [4, 0, 1]


def test_handle_follows_the_pointer_at_once(screen):
    start = screen.handle_position("red", {"key": 1})
    screen.page.mouse.move(start["x"], start["y"])
    screen.page.mouse.down()
    screen.page.mouse.move(start["x"] + 50, start["y"] - 30, steps=3)
    position = screen.handle_position("red", {"key": 1})
    screen.page.mouse.up()
    assert position["x"] == pytest.approx(start["x"] + 50, abs=2)
    assert position["y"] == pytest.approx(start["y"] - 30, abs=2)


def dot_distances(dots):
    return np.linalg.norm(np.diff(np.reshape(dots, (-1, 3)), axis=0), axis=1)


def test_raised_speed_value_spreads_the_dots_there(screen):
    screen.select("red")
    before = dot_distances(screen.curve("red", "dots"))
    value = screen.page.get_by_role("slider", name="Speed value 2")
    box = value.bounding_box()
    start = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    screen.edit_and_wait(lambda: screen.drag(start, 0, 50))
    assert screen.read_state("doc.actor('red').speed.values[2]") > 1.5
    after, middle = dot_distances(screen.curve("red", "dots")), slice(20, 28)
    assert after[middle].mean() > 1.1 * before[middle].mean()
    assert after[:8].mean() < 0.95 * before[:8].mean()  # the whole takes as long as before


def test_tangent_is_dragged_and_reset_to_tcb_after_a_question(screen):
    screen.select("red", 1)
    plain = screen.curve("red", "leave")[3:6]
    screen.edit_and_wait(lambda: screen.drag(screen.handle_position("red", {"tangent": 1, "side": "leave"}), 10, 40))
    assert screen.key("red", 1)["is_manual"] != [False, False]
    assert screen.curve("red", "leave")[3:6] != pytest.approx(plain, abs=1e-3)
    screen.page.get_by_role("button", name="Back to TCB").click()
    dialog = screen.page.get_by_role("dialog")
    assert "lost" in dialog.inner_text() or "lose" in dialog.inner_text()
    screen.edit_and_wait(lambda: dialog.get_by_role("button").last.click())
    assert screen.key("red", 1)["is_manual"] == [False, False]
    assert screen.curve("red", "leave")[3:6] == pytest.approx(plain, abs=1e-5)


def test_time_runs_backwards_and_forwards(screen):
    screen.press("End")
    screen.wait_until("() => window.__keypose.playback.time > 1.9")
    screen.press("j")
    screen.wait_until("() => window.__keypose.playback.isPlaying")
    screen.wait_until("() => window.__keypose.playback.time < 1.5")
    screen.press("k")
    screen.wait_until("() => !window.__keypose.playback.isPlaying")
    screen.settle()  # no older moment comes any more
    time = screen.read_state("playback.time")
    screen.press("ArrowRight")
    screen.wait_until("here => window.__keypose.playback.time > here", time)
    screen.press("l")
    screen.wait_until("here => window.__keypose.playback.time > here + 0.2", time)
    screen.press("Space")
    screen.wait_until("() => !window.__keypose.playback.isPlaying")


def test_undoing_everything_restores_the_same_file(screen, scene):
    first = scene.read_bytes()
    screen.edit_and_wait(lambda: screen.drag(screen.handle_position("red", {"key": 1}), 20, 30))
    screen.select("blue", 1)
    field = screen.page.get_by_label("tension", exact=True)
    field.fill("1/3+0.5")
    screen.edit_and_wait(lambda: field.press("Enter"))
    assert screen.key("blue", 1)["tension"] == pytest.approx(1 / 3 + 0.5)
    screen.select("red", 2)
    screen.page.locator("canvas").first.focus()
    screen.edit_and_wait(lambda: screen.press("Delete"))
    assert len(screen.read_state("doc.actor('red').keys")) == 3
    while screen.read_state("doc.scene.steps.undo"):
        screen.edit_and_wait(lambda: screen.press("Control+z"))
    screen.press("Control+s")
    screen.wait_until("() => window.__keypose.doc.scene.is_saved")
    assert scene.read_bytes() == first


def test_inserted_key_keeps_the_shape_of_the_curve(screen):
    screen.select("red")
    line = np.reshape(screen.curve("red", "line"), (-1, 3))
    screen.read_state("(viewport.tool = 'insert')")
    position = screen.handle_position("red", {"u": 0.5})
    screen.edit_and_wait(lambda: screen.page.mouse.click(position["x"], position["y"]))
    assert len(screen.read_state("doc.actor('red').keys")) == 5
    new_line = np.reshape(screen.curve("red", "line"), (-1, 3))
    distances = np.linalg.norm(line[:, None] - new_line[None], axis=2).min(axis=1)
    assert distances.max() < 0.02


def test_a_key_is_nudged_frame_by_frame(screen):
    screen.select("red", 1)
    before = screen.key("red", 1)["time"]
    later = screen.page.get_by_role("button", name="later", exact=False).first
    screen.edit_and_wait(later.click)
    assert screen.key("red", 1)["time"] == pytest.approx(before + 1 / 24)


def test_a_reloaded_page_shows_the_same_document(screen):
    screen.edit_and_wait(lambda: screen.drag(screen.handle_position("red", {"key": 1}), 20, 30))
    moved = screen.key("red", 1)
    screen.page.reload()
    screen.wait_until("() => window.__keypose?.doc.scene && window.__keypose.connection.isConnected")
    assert screen.key("red", 1) == moved


def test_dragged_values_are_rounded_in_the_file(screen, scene):
    for view in ("front", "perspective"):
        screen.edit_and_wait(
            lambda current_view=view: screen.drag(screen.handle_position("red", {"key": 1}, current_view), 23, 17)
        )
    screen.select("red", 2)
    screen.edit_and_wait(lambda: screen.drag(screen.handle_position("red", {"tangent": 2, "side": "leave"}), 13, 11))
    vectors = [screen.key("red", 1)["spec"]["position"], screen.key("red", 2)["spec"]["leave"]]
    assert all(len(str(abs(number))) <= 7 for numbers in vectors for number in numbers), vectors
