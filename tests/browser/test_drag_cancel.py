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
def desk(visit):
    """A stage of which one change was taken back, and can be made again."""
    visit.show(STAGE)
    visit.read_state("studio.send({ do: 'set_keys', actor: 'red', keys: [1], changes: { bias: 0.5 } })")
    visit.read_state("studio.send({ do: 'undo' })")
    visit.until("studio.scene.steps.redo !== null")
    return visit


def cancel_drag(desk, start, by):
    """Drag, see that something is under way, press Escape, draw a little further, let go."""
    before = desk.read_state("studio.scene.revision")
    desk.drag(start, by, let_go=False)
    desk.still()
    during = desk.read_state("studio.scene.revision")
    desk.page.keyboard.press("Escape")
    desk.page.mouse.move(start[0] + by[0] / 2, start[1] + by[1] / 2, steps=3)
    desk.page.mouse.up()
    desk.until("studio.scene.steps.redo === 'bias of key 1 of red'")
    desk.still()
    return during > before


def assert_unchanged_with_redo(desk):
    assert desk.studio.stage == STAGE
    desk.page.keyboard.press("Control+Shift+z")
    desk.until("studio.actor('red').keys[1].bias === 0.5")


def middle(box):
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_cancelled_drag_restores_a_key_on_the_stage(desk):
    assert cancel_drag(desk, desk.at("red", "front", key=1), (25, 5))
    assert_unchanged_with_redo(desk)


def test_cancelled_drag_restores_a_speed_value(desk):
    desk.do("studio.select('red')")
    value = desk.page.get_by_role("slider", name="Speed value 2")
    start = middle(value.bounding_box())
    assert cancel_drag(desk, start, (0, -40))
    assert middle(value.bounding_box()) == pytest.approx(start, abs=1)
    assert_unchanged_with_redo(desk)


def test_cancelled_drag_restores_an_inspector_slider(desk):
    desk.do("studio.select('red', [2])")
    slider = desk.page.get_by_label("tension slider")
    assert cancel_drag(desk, middle(slider.bounding_box()), (60, 0))
    assert slider.input_value() == "0"
    assert desk.read_state("studio.selection.keys") == [2]
    assert_unchanged_with_redo(desk)
    desk.drag(middle(slider.bounding_box()), (60, 0))  # it can be taken again
    desk.until("studio.actor('red').keys[2].tension > 0.1")


def test_cancelled_drag_restores_a_keyframe_card(desk):
    desk.do("studio.select('red')")
    cancel_drag(desk, middle(desk.page.get_by_role("button", name="Key 0 at").bounding_box()), (230, 0))
    assert_unchanged_with_redo(desk)


def test_cancelled_drag_restores_a_drawing_point_and_keeps_the_dialog(desk):
    desk.do("studio.select('blob', [0])")
    desk.page.get_by_role("button", name="Drawing and line test").click()
    sheet = desk.page.get_by_role("dialog")
    assert cancel_drag(desk, middle(sheet.get_by_role("button", name="Point 2", exact=True).bounding_box()), (20, -30))
    assert sheet.is_visible()
    desk.page.keyboard.press("Escape")  # nothing is held any more: now it means the sheet
    sheet.wait_for(state="detached")
    assert_unchanged_with_redo(desk)


def test_cancelled_drag_restores_a_drawing_point_on_the_stage(desk):
    desk.do("studio.select('blob', [1])")
    assert cancel_drag(desk, desk.at("blob", "front", key=1, point=3), (20, -10))
    assert_unchanged_with_redo(desk)


def test_cancelled_stroke_is_discarded(desk):
    desk.do("studio.select('blob', [0])")
    desk.page.get_by_role("button", name="Drawing and line test").click()
    sheet = desk.page.get_by_role("dialog")
    sheet.get_by_role("button", name="Draw anew").click()
    cancel_drag(desk, middle(sheet.get_by_label("Points of key 0").bounding_box()), (80, -30))
    sheet.get_by_label("Close").click()
    assert_unchanged_with_redo(desk)
