"""Is a drag that Escape calls off as if it had never begun, wherever it is? And what could be redone still can be."""

import numpy as np
import pytest

from keypose import Actor, Key, Motion, MotionPath, SpeedProfile, Stage

TURN = np.linspace(0, 2 * np.pi, 8, endpoint=False)
RING = np.stack([np.cos(TURN), np.sin(TURN)], axis=1)
RED = Motion(MotionPath([(0, 0, 0), (2, 2, 0), (4, 0, 1), (6, 2, 0)]), SpeedProfile([1, 1, 1, 1, 1]), duration=2.0)
BLOB = Motion(MotionPath([Key(RING), Key(RING * (1.4, 0.6) + (1, 0)), Key(RING + np.array([2, 0]))]), duration=1.0)
STAGE = Stage([Actor("red", RED), Actor("blob", BLOB)])


@pytest.fixture
def studio_page(shared_page):
    """A stage of which one change was taken back, and can be made again."""
    shared_page.show(STAGE)
    shared_page.read_state("connection.send({ do: 'set_keys', actor: 'red', keys: [1], changes: { bias: 0.5 } })")
    shared_page.read_state("connection.send({ do: 'undo' })")
    shared_page.wait_until("doc.scene.steps.redo !== null")
    return shared_page


def cancel_drag(studio_page, start, by):
    """Drag, see that something is under way, press Escape, draw a little further, let go."""
    before = studio_page.read_state("doc.scene.revision")
    studio_page.drag(start, by, release=False)
    studio_page.wait_until_settled()
    during = studio_page.read_state("doc.scene.revision")
    studio_page.page.keyboard.press("Escape")
    studio_page.page.mouse.move(start[0] + by[0] / 2, start[1] + by[1] / 2, steps=3)
    studio_page.page.mouse.up()
    studio_page.wait_until("doc.scene.steps.redo === 'bias of key 1 of red'")
    studio_page.wait_until_settled()
    return during > before


def assert_unchanged_with_redo(studio_page):
    assert studio_page.studio.stage == STAGE
    studio_page.page.keyboard.press("Control+Shift+z")
    studio_page.wait_until("doc.actor('red').keys[1].bias === 0.5")


def middle(box):
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_cancelled_drag_restores_a_key_on_the_stage(studio_page):
    assert cancel_drag(studio_page, studio_page.handle_position("red", "front", key=1), (25, 5))
    assert_unchanged_with_redo(studio_page)


def test_cancelled_drag_restores_a_speed_value(studio_page):
    studio_page.do("selection.select('red')")
    value = studio_page.page.get_by_role("slider", name="Speed value 2")
    start = middle(value.bounding_box())
    assert cancel_drag(studio_page, start, (0, -40))
    assert middle(value.bounding_box()) == pytest.approx(start, abs=1)
    assert_unchanged_with_redo(studio_page)


def test_cancelled_drag_restores_an_inspector_slider(studio_page):
    studio_page.do("selection.select('red', [2])")
    slider = studio_page.page.get_by_label("tension slider")
    assert cancel_drag(studio_page, middle(slider.bounding_box()), (60, 0))
    assert slider.input_value() == "0"
    assert studio_page.read_state("selection.keys") == [2]
    assert_unchanged_with_redo(studio_page)
    studio_page.drag(middle(slider.bounding_box()), (60, 0))  # it can be taken again
    studio_page.wait_until("doc.actor('red').keys[2].tension > 0.1")


def test_cancelled_drag_restores_a_keyframe_card(studio_page):
    studio_page.do("selection.select('red')")
    cancel_drag(studio_page, middle(studio_page.page.get_by_role("button", name="Key 0 at").bounding_box()), (230, 0))
    assert_unchanged_with_redo(studio_page)


def test_cancelled_drag_restores_a_drawing_point_and_keeps_the_dialog(studio_page):
    studio_page.do("selection.select('blob', [0])")
    studio_page.page.get_by_role("button", name="Drawing and line test").click()
    sheet = studio_page.page.get_by_role("dialog")
    assert cancel_drag(
        studio_page, middle(sheet.get_by_role("button", name="Point 2", exact=True).bounding_box()), (20, -30)
    )
    assert sheet.is_visible()
    studio_page.page.keyboard.press("Escape")  # nothing is held any more: now it means the sheet
    sheet.wait_for(state="detached")
    assert_unchanged_with_redo(studio_page)


def test_cancelled_drag_restores_a_drawing_point_on_the_stage(studio_page):
    studio_page.do("selection.select('blob', [1])")
    assert cancel_drag(studio_page, studio_page.handle_position("blob", "front", key=1, point=3), (20, -10))
    assert_unchanged_with_redo(studio_page)


def test_cancelled_stroke_is_discarded(studio_page):
    studio_page.do("selection.select('blob', [0])")
    studio_page.page.get_by_role("button", name="Drawing and line test").click()
    sheet = studio_page.page.get_by_role("dialog")
    sheet.get_by_role("button", name="Draw anew").click()
    cancel_drag(studio_page, middle(sheet.get_by_label("Points of key 0").bounding_box()), (80, -30))
    sheet.get_by_label("Close").click()
    assert_unchanged_with_redo(studio_page)
