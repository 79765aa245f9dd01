"""Is the stage taken by its handles? With a real mouse in a real browser, against the document itself."""

import json

import numpy as np
import pytest

from keypose import Actor, Camera, FaceForward, Key, LookAt, Motion, MotionPath, Orientation, Stage

RUN = MotionPath([Key((-3, 0, 0)), Key((-1, 1.5, 0.5)), Key((1, 0.3, 1)), Key((3, 1, -0.5))])
STAGE = Stage(
    [
        Actor("runner", Motion(RUN, duration=2.0), facing=FaceForward(), look="crimson"),
        Actor("bird", Motion(MotionPath([Key((-2, 1, -2)), Key((2, 1.2, -2))]), duration=2.0)),
        Actor("turner", Motion(MotionPath([Key((-3, 0, 2), orientation=(1, 0, 0, 0)), Key((3, 0, 2))]), duration=2.0)),
        Actor("eye", Motion(MotionPath([Key((5, 2, 4)), Key((4, 2, 5))]), duration=2.0), facing=LookAt("runner"),
              look=Camera(40)),
    ]
)  # fmt: skip
VIEWS = ["perspective", "top", "front", "side"]


@pytest.fixture
def studio_page(shared_page):
    shared_page.show(STAGE)
    return shared_page


def document_path(studio_page, name="runner"):
    return studio_page.studio.stage[name].motion.path


@pytest.mark.parametrize("view", VIEWS)
def test_dragged_key_follows_the_pointer(studio_page, view):
    start = studio_page.handle_position("runner", view, key=1)
    studio_page.drag(start, (18, -14))
    assert studio_page.handle_position("runner", view, key=1) == pytest.approx((start[0] + 18, start[1] - 14), abs=0.1)
    assert studio_page.read_state("selection.keys") == [1]


@pytest.mark.parametrize(("view", "axis"), [("top", 1), ("front", 2), ("side", 0)])
def test_plan_view_drag_keeps_the_hidden_coordinate(studio_page, view, axis):
    studio_page.drag(studio_page.handle_position("runner", view, key=2), (-12, 9))
    by = document_path(studio_page).keys[2].position - RUN.keys[2].position
    assert by[axis] == pytest.approx(0, abs=1e-12)
    assert np.linalg.norm(by) > 0.05


def test_keys_are_drawn_where_the_document_has_them(studio_page):
    studio_page.drag(studio_page.handle_position("runner", "front", key=1), (20, 10))
    positions = studio_page.read_state("[...doc.curves.get('runner').arrays.keys]")
    assert np.reshape(positions, (-1, 3)) == pytest.approx(
        np.array([key.position for key in document_path(studio_page).keys]), abs=1e-6
    )


def test_escape_cancels_a_drag(studio_page):
    step = studio_page.read_state("doc.scene.steps.undo")
    studio_page.drag(studio_page.handle_position("runner", "front", key=1), (25, 5), release=False)
    studio_page.page.keyboard.press("Escape")
    studio_page.page.mouse.up()
    studio_page.wait_until(f"doc.scene.steps.undo === {json.dumps(step)}")
    studio_page.wait_until_settled()
    assert studio_page.studio.stage == STAGE
    assert studio_page.read_state("doc.scene.steps.redo") is None
    assert studio_page.read_state("selection.keys") == [1]


def test_drag_is_one_undo_step(studio_page):
    studio_page.drag(studio_page.handle_position("runner", "front", key=1), (25, 5))
    studio_page.page.keyboard.press("Control+z")
    studio_page.wait_until("doc.scene.steps.redo !== null")
    assert studio_page.studio.stage == STAGE


def test_both_tangent_handles_move_together(studio_page):
    studio_page.do("selection.select('runner', [1]);")
    start = studio_page.handle_position("runner", "front", tangent=1, side="leave")
    studio_page.drag(start, (10, -16))
    assert studio_page.handle_position("runner", "front", tangent=1, side="leave") == pytest.approx(
        (start[0] + 10, start[1] - 16), abs=0.1
    )
    key = document_path(studio_page).keys[1]
    assert tuple(key.arrive) == tuple(key.leave)


def test_alt_drag_breaks_the_tangent(studio_page):
    studio_page.do("selection.select('runner', [1]);")
    studio_page.page.keyboard.down("Alt")
    studio_page.drag(studio_page.handle_position("runner", "front", tangent=1, side="arrive"), (-10, -16))
    studio_page.page.keyboard.up("Alt")
    key = document_path(studio_page).keys[1]
    assert key.arrive is not None
    assert key.leave is None


def test_shift_click_extends_the_selection_and_keys_move_together(studio_page):
    studio_page.page.mouse.click(*studio_page.handle_position("runner", "front", key=1))
    studio_page.page.keyboard.down("Shift")
    studio_page.page.mouse.click(*studio_page.handle_position("runner", "front", key=3))
    studio_page.page.keyboard.up("Shift")
    assert studio_page.read_state("selection.keys") == [1, 3]
    studio_page.drag(studio_page.handle_position("runner", "front", key=3), (-15, 0))
    moved = np.array([key.position for key in document_path(studio_page).keys]) - [key.position for key in RUN.keys]
    assert moved[1] == pytest.approx(moved[3])
    assert moved[3][0] < -0.05
    assert not moved[[0, 2]].any()


def test_box_selects_the_keys_inside(studio_page):
    studio_page.do("selection.select('runner');")
    (left, _), (right, _) = (
        studio_page.handle_position("runner", "front", key=0),
        studio_page.handle_position("runner", "front", key=1),
    )
    low, high = (
        studio_page.handle_position("runner", "front", key=0)[1],
        studio_page.handle_position("runner", "front", key=1)[1],
    )
    studio_page.drag((left - 20, high - 25), (right - left + 35, low - high + 45))
    assert studio_page.read_state("selection.keys") == [0, 1]


def test_click_on_an_actor_selects_it_and_a_click_on_nothing_deselects(studio_page):
    studio_page.page.mouse.click(*studio_page.handle_position("bird", "top", pose=True))
    assert studio_page.read_state("selection.actor") == "bird"
    studio_page.page.mouse.click(*studio_page.handle_position("bird", "top", u=0.6))
    assert studio_page.read_state("selection.actor") == "bird"
    x, y = studio_page.handle_position("bird", "top", pose=True)
    studio_page.page.mouse.click(x + 40, y + 22)
    assert studio_page.read_state("selection.actor") is None


def test_click_on_the_curve_inserts_a_key_without_changing_its_shape(studio_page):
    studio_page.do("selection.select('runner'); viewport.tool = 'insert';")
    studio_page.page.mouse.click(*studio_page.handle_position("runner", "front", u=1.5))
    studio_page.wait_until("selection.keys.join() === '2'")
    assert len(document_path(studio_page)) == 5
    assert document_path(studio_page).keys[2].position == pytest.approx(RUN.at(1.5), abs=0.05)
    assert document_path(studio_page).length == pytest.approx(RUN.length, rel=1e-6)


def test_gizmo_arrow_moves_along_its_axis_only(studio_page):
    studio_page.do("selection.select('runner', [2]); viewport.tool = 'move';")
    x, y = studio_page.handle_position("runner", "front", key=2)
    studio_page.drag((x + 50, y), (20, 13))
    by = document_path(studio_page).keys[2].position - RUN.keys[2].position
    assert by[0] > 0.05
    assert by[1:] == pytest.approx([0, 0], abs=1e-12)


def test_gizmo_arrow_without_space_is_flipped(studio_page):
    studio_page.do("selection.select('eye', [0, 1]); viewport.framings += 1; viewport.tool = 'move';")
    studio_page.do("selection.select('eye', [1]);")
    x, y = studio_page.handle_position("eye", "top", key=1)
    view = studio_page.page.locator(".viewports > .view", has_text="Top").bounding_box()
    assert y + 72 > view["y"] + view["height"]  # the lowest there: below it an arrow along z would be cut off
    studio_page.drag((x, y - 55), (0, -20))
    before, after = (one["eye"].motion.path.keys[1].position for one in (STAGE, studio_page.studio.stage))
    assert after[2] < before[2] - 0.1
    assert after[:2] == pytest.approx(before[:2], abs=1e-9)


def test_gizmo_ring_turns_a_key_in_place(studio_page):
    studio_page.do("selection.select('turner', [0]); viewport.tool = 'turn'; viewport.maximised = 'front';")
    x, y = studio_page.handle_position("turner", "front", key=0)
    studio_page.drag((x + 51, y - 51), (-51, -21))  # from half past one to noon
    turned = document_path(studio_page, "turner").keys[0]
    assert turned.position == pytest.approx((-3, 0, 2))
    expected = Orientation.turned(45, (0, 0, 1)).wxyz
    assert abs(np.dot(np.asarray(turned.orientation.wxyz).reshape(-1), np.reshape(expected, -1))) == pytest.approx(
        1, abs=1e-6
    )


def test_camera_actor_view_is_centred_on_its_look_at_target(studio_page):
    studio_page.do("viewport.camera = 'eye'; viewport.maximised = 'perspective';")
    box = studio_page.page.locator("main canvas").bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert studio_page.handle_position("runner", "perspective", pose=True) == pytest.approx(middle, abs=1)
    studio_page.drag((middle[0] + 150, middle[1] + 120), (40, 0))  # whoever walks leaves the camera
    assert studio_page.read_state("viewport.camera") is None


def test_one_view_is_maximised_and_all_four_restored(studio_page):
    studio_page.page.keyboard.press("7")
    assert studio_page.read_state("viewport.maximised") == "top"
    studio_page.page.get_by_role("button", name="Show all four views").click()
    assert studio_page.read_state("viewport.maximised") is None
    studio_page.page.get_by_role("button", name="Side", exact=True).dblclick()
    assert studio_page.read_state("viewport.maximised") == "side"


RING = np.array([[0, 0], [2, 0], [2, 1.5], [0, 1.5]])
SKETCH = Stage([Actor("sketch", Motion(MotionPath([Key(RING), Key(RING + np.array([4, 1]))]), duration=1.0))])


@pytest.mark.parametrize("view", ["front", "perspective"])
def test_point_of_the_selected_drawing_is_dragged_in_a_view(shared_page, view):
    shared_page.show(SKETCH)
    shared_page.do("selection.select('sketch', [1]);")
    x, y = shared_page.handle_position("sketch", view, key=1, point=2)
    shared_page.drag((x, y), (15, -10))
    before, after = (one["sketch"].motion.path.keys[1].position for one in (SKETCH, shared_page.studio.stage))
    assert (after[[0, 1, 3]] == before[[0, 1, 3]]).all()
    assert after[2][0] > before[2][0] + 0.05
    assert shared_page.read_state("doc.scene.steps.undo") == "move point 2 in key 1 of sketch"
    if view == "front":
        assert shared_page.handle_position("sketch", view, key=1, point=2) == pytest.approx((x + 15, y - 10), abs=0.1)


def test_centre_handle_moves_the_whole_drawing(shared_page):
    shared_page.show(SKETCH)
    shared_page.do("selection.select('sketch', [1]);")
    shared_page.drag(shared_page.handle_position("sketch", "front", key=1), (15, -10))
    before, after = (one["sketch"].motion.path.keys[1].position for one in (SKETCH, shared_page.studio.stage))
    by = after - before
    assert by[0, 0] > 0.05
    assert by == pytest.approx(np.broadcast_to(by[0], by.shape))
