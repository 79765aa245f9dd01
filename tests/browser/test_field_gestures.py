"""Are fields, and those who sense them, taken by their handles? With a real mouse in a real browser."""

import json

import numpy as np
import pytest

from keypose import Actor, DynamicSpline, Motion, MotionPath, Stage, fields, save

STAGE = Stage(
    [
        Actor("leaf", DynamicSpline((-2, 1, 0), (1, 0.5, 0), friction=0.02), look="skyblue"),
        Actor("stone", DynamicSpline((-2, -1, 0.5)), look="gray"),
        Actor("man", Motion(MotionPath([(-2, 0, 1), (2, 0.5, -1)]), duration=2.0), look="orange"),
    ],
    fields={
        "wind": fields.Uniform((0.4, 0, 0)).within(1.0, center=(1, 1.2, 0.4)),
        "pull": fields.Attractor(2, center=(2, -1, 0.2)),
    },
)
VIEWS = ["perspective", "top", "front", "side"]


@pytest.fixture
def studio_page(shared_page):
    """The stage as it was, seen whole."""
    shared_page.open(STAGE)
    shared_page.do("selection.select(null); viewport.tool = 'select'; viewport.maximised = viewport.camera = null;")
    shared_page.wait_until("doc.scene.fields.length === 2 && playback.poses.fields.length === 14")
    shared_page.wait_until("doc.scene.order.every((name) => doc.curves.get(name)?.arrays.line?.length)")
    shared_page.wait_until_settled()
    shared_page.do("playback.seek(0); viewport.framings += 1;")
    return shared_page


def handle_pose(studio_page, name):
    """Where the page says that a field is held."""
    at = list(STAGE.fields).index(name)
    return np.array(studio_page.read_state(f"[...playback.poses.fields.slice({7 * at}, {7 * at + 7})]"))


def drag_and_wait(studio_page, start, by):
    """Drag, and wait until the studio has answered."""
    before = studio_page.read_state("doc.scene.revision")
    studio_page.drag(start, by)
    studio_page.wait_until(f"doc.scene.revision > {before}")
    studio_page.wait_until_settled()


def spline(studio_page, name="leaf"):
    return studio_page.studio.stage[name].mover


@pytest.mark.parametrize("view", VIEWS)
def test_dragged_field_follows_the_pointer(studio_page, view):
    start = studio_page.handle_position("", view, field="pull")
    drag_and_wait(studio_page, start, (-17, -12))
    assert studio_page.read_state("selection.field") == "pull"
    assert studio_page.handle_position("", view, field="pull") == pytest.approx((start[0] - 17, start[1] - 12), abs=0.5)
    assert handle_pose(studio_page, "pull")[:3] == pytest.approx(
        studio_page.studio.stage.fields["pull"].center, abs=1e-5
    )


@pytest.mark.parametrize(("view", "axis"), [("top", 1), ("front", 2), ("side", 0)])
def test_plan_view_drag_keeps_the_hidden_coordinate_of_a_field(studio_page, view, axis):
    before = handle_pose(studio_page, "wind")
    drag_and_wait(studio_page, studio_page.handle_position("", view, field="wind"), (-15, 9))
    offset = (handle_pose(studio_page, "wind") - before)[:3]
    assert offset[axis] == pytest.approx(0, abs=1e-6)
    assert np.linalg.norm(offset) > 0.05


def test_field_drag_is_one_step_that_escape_cancels(studio_page):
    start = studio_page.handle_position("", "front", field="pull")
    studio_page.drag(start, (-30, -20), release=False)
    studio_page.wait_until_settled()
    assert studio_page.studio.stage != STAGE
    studio_page.page.keyboard.press("Escape")
    studio_page.page.mouse.up()
    studio_page.wait_until_settled()
    assert studio_page.studio.stage == STAGE
    assert studio_page.read_state("doc.scene.steps.redo") is None
    drag_and_wait(studio_page, start, (-30, -20))
    assert studio_page.read_state("doc.scene.steps.undo") == "move the field pull"
    studio_page.page.keyboard.press("Control+z")
    studio_page.wait_until("doc.scene.steps.redo !== null")
    assert studio_page.studio.stage == STAGE


def test_dragged_field_has_rounded_numbers_in_the_file(studio_page, tmp_path):
    drag_and_wait(studio_page, studio_page.handle_position("", "front", field="pull"), (-23, 17))
    save(studio_page.studio.stage, tmp_path / "scene.json")
    center = json.loads((tmp_path / "scene.json").read_text())["fields"]["pull"]["center"]
    assert all(len(str(abs(number))) <= 6 for number in center), center


def test_gizmo_arrow_moves_a_field_along_its_axis(studio_page):
    studio_page.do("selection.selectField('pull'); viewport.tool = 'move';")
    x, y = studio_page.handle_position("", "front", field="pull")
    before = handle_pose(studio_page, "pull")
    drag_and_wait(studio_page, (x, y - 50), (8, -25))
    offset = (handle_pose(studio_page, "pull") - before)[:3]
    assert offset[[0, 2]] == pytest.approx([0, 0], abs=1e-6)
    assert offset[1] > 0.05


def test_gizmo_ring_turns_a_field(studio_page):
    studio_page.do("selection.selectField('wind'); viewport.tool = 'turn';")
    x, y = studio_page.handle_position("", "front", field="wind")
    right_up = 72 / np.sqrt(2)
    drag_and_wait(studio_page, (x + right_up, y - right_up), (-right_up, right_up - 72))  # an eighth, anticlockwise
    turned = handle_pose(studio_page, "wind")[3:]
    assert turned * np.sign(turned[0]) == pytest.approx([np.cos(np.pi / 8), 0, 0, np.sin(np.pi / 8)], abs=0.02)
    assert studio_page.read_state("doc.scene.steps.undo") == "turn the field wind"


def test_gizmo_bar_stretches_a_field_along_its_axis_and_its_centre_uniformly(studio_page):
    studio_page.do("selection.selectField('wind'); viewport.tool = 'stretch';")
    x, y = studio_page.handle_position("", "front", field="wind")
    drag_and_wait(studio_page, (x + 66, y), (33, 0))
    assert studio_page.read_state("doc.field('wind').stretch") == pytest.approx([1.5, 1, 1], abs=0.01)
    drag_and_wait(studio_page, (x, y), (40, -40))
    assert studio_page.read_state("doc.field('wind').stretch") == pytest.approx([3, 2, 2], abs=0.02)
    assert studio_page.handle_position("", "front", field="wind") == pytest.approx((x, y), abs=0.5)


def test_arrows_of_the_selected_field_are_drawn_around_it(studio_page):
    x, y = studio_page.handle_position("", "front", field="pull")
    studio_page.page.mouse.click(x, y)
    studio_page.wait_until("fieldArrows.grids.get('pull')?.count > 50")
    middle = studio_page.read_state("[...fieldArrows.grids.get('pull').positions]")
    assert np.mean(np.reshape(middle, (-1, 3)), axis=0) == pytest.approx((2, -1, 0.2), abs=1e-5)
    studio_page.page.get_by_title("Arrows are the push of pull").wait_for()


def arrow_pixels(studio_page, reach=45):
    """Where arrows are seen about the middle of the wind, in the front view: they come and go with its selection."""
    middle = studio_page.handle_position("", "front", field="wind")
    studio_page.do("selection.selectField('wind');")
    studio_page.wait_until("fieldArrows.grids.get('wind')?.count > 50")
    studio_page.wait_until_settled()
    pixels = studio_page.pixels(middle, reach)
    studio_page.do("selection.select(null);")
    studio_page.wait_until_settled()
    pixels = np.abs(pixels - studio_page.pixels(middle, reach)).max(axis=-1) > 60
    pixels[reach - 15 : reach + 16, reach - 15 : reach + 16] = False  # the handle itself
    return pixels


def horizontal_edge_excess(pixels):
    """How much more of these pixels' edges lies across the screen than stands upright; negative if less."""
    return int(np.abs(np.diff(pixels.astype(int), axis=0)).sum() - np.abs(np.diff(pixels.astype(int), axis=1)).sum())


def test_arrows_point_along_the_push_and_turn_with_the_field(studio_page):
    along = arrow_pixels(studio_page)
    assert np.sum(along) > 1000
    assert horizontal_edge_excess(along) > 400
    studio_page.do("selection.selectField('wind'); viewport.tool = 'turn';")
    x, y = studio_page.handle_position("", "front", field="wind")
    right_up = 72 / np.sqrt(2)
    drag_and_wait(studio_page, (x + right_up, y - right_up), (-2 * right_up, 0))  # a quarter, anticlockwise
    studio_page.do("viewport.tool = 'select';")
    upright = arrow_pixels(studio_page)
    assert np.sum(upright) > 1000
    assert horizontal_edge_excess(upright) < -300


LINKED = Actor("leaf", DynamicSpline((-2, 1, 0), (1, 0.5, 0), friction=0.02, senses={"wind": 0.5}), look="skyblue")


def link_line(studio_page):
    """The line from the leaf to the wind in the front view: how strong it is, and how bright the screen is there."""
    line = studio_page.page.evaluate(
        "(asked) => window.__keypose.project(...asked)", ["leaf", {"link": "wind"}, "front"]
    )
    return line and (line["opacity"], studio_page.pixels((line["x"], line["y"]), 2).sum(axis=-1).max())


@pytest.mark.parametrize("selected", ["selection.select('leaf')", "selection.selectField('wind')"])
def test_link_line_fades_with_affinity_and_disappears_when_cut(studio_page, selected):
    studio_page.open(STAGE.with_actor(LINKED))
    studio_page.wait_until("doc.actor('leaf').senses.length === 1")
    studio_page.wait_until_settled()
    assert link_line(studio_page) is None, "nobody is selected"
    studio_page.do(f"{selected};")
    middle = studio_page.handle_position("leaf", "front", link="wind")
    opacity, bright = link_line(studio_page)
    studio_page.do("connection.send({ do: 'link_actors', actors: ['leaf'], field: 'wind', affinity: 0.1 });")
    studio_page.wait_until_settled()
    fainter, dim = link_line(studio_page)
    assert 0 < fainter < opacity < 1
    studio_page.do("connection.send({ do: 'link_actors', actors: ['leaf'], field: 'wind', affinity: null });")
    studio_page.wait_until_settled()
    assert link_line(studio_page) is None
    assert bright > dim + 60
    assert dim > studio_page.pixels(middle, 2).sum(axis=-1).max() + 60


def test_link_is_drawn_from_a_dynamic_spline_to_a_field(studio_page, tmp_path):
    studio_page.do("viewport.tool = 'link';")
    start, goal = (
        studio_page.handle_position("leaf", "front", pose=True),
        studio_page.handle_position("", "front", field="wind"),
    )
    drag_and_wait(studio_page, start, (goal[0] - start[0], goal[1] - start[1]))
    assert dict(spline(studio_page).senses) == {"wind": 1}
    save(studio_page.studio.stage, tmp_path / "scene.json")
    spec = json.loads((tmp_path / "scene.json").read_text())["actors"][0]["mover"]
    assert spec["senses"] == [{"field": "wind", "affinity": 1}]
    studio_page.page.keyboard.press("Control+z")
    studio_page.wait_until("doc.scene.steps.redo !== null")
    assert studio_page.studio.stage == STAGE


def test_link_to_another_actor_keeps_the_offset_to_it(studio_page):
    studio_page.do("viewport.tool = 'link';")
    start, goal = (
        studio_page.handle_position("leaf", "perspective", pose=True),
        studio_page.handle_position("man", "perspective", pose=True),
    )
    drag_and_wait(studio_page, start, (goal[0] - start[0], goal[1] - start[1]))
    [(sensed, affinity)] = spline(studio_page).senses.items()
    assert sensed == fields.KeepOffset("man")
    assert affinity == 0.3


def test_linking_a_keyed_actor_is_refused_with_reason(studio_page):
    studio_page.do("viewport.tool = 'link';")
    start, goal = (
        studio_page.handle_position("man", "top", pose=True),
        studio_page.handle_position("", "top", field="wind"),
    )
    studio_page.drag(start, (goal[0] - start[0], goal[1] - start[1]))
    assert "man is not steered by fields" in studio_page.page.locator(".notice").first.inner_text()
    assert studio_page.studio.stage == STAGE


def test_start_position_is_dragged(studio_page):
    studio_page.do("selection.select('leaf');")
    start = studio_page.handle_position("leaf", "front", start=True)
    drag_and_wait(studio_page, start, (15, -10))
    assert studio_page.handle_position("leaf", "front", start=True) == pytest.approx(
        (start[0] + 15, start[1] - 10), abs=0.5
    )
    offset = np.array(spline(studio_page).position) - (-2, 1, 0)
    assert offset[0] > 0.05
    assert offset[1] > 0.03
    assert offset[2] == pytest.approx(0, abs=1e-9)


def test_velocity_arrow_tip_is_dragged(studio_page):
    studio_page.do("selection.select('leaf');")
    tip = studio_page.handle_position("leaf", "front", velocity=True)
    drag_and_wait(studio_page, tip, (20, 30))
    assert studio_page.handle_position("leaf", "front", velocity=True) == pytest.approx(
        (tip[0] + 20, tip[1] + 30), abs=0.5
    )
    velocity = np.array(spline(studio_page).velocity)
    assert velocity[0] > 1.05
    assert velocity[1] < 0.45
    assert velocity[2] == pytest.approx(0, abs=1e-9)


def test_resting_actor_gets_a_velocity_by_dragging_the_dot_beside_it(studio_page):
    studio_page.do("selection.select('stone');")
    tip = studio_page.handle_position("stone", "front", velocity=True)
    drag_and_wait(studio_page, tip, (20, -30))
    assert studio_page.handle_position("stone", "front", velocity=True) == pytest.approx(
        (tip[0] + 20, tip[1] - 30), abs=0.5
    )
    assert spline(studio_page, "stone").velocity[1] > 0.1


def test_handles_at_one_position_are_drawn_side_by_side(studio_page):
    both = {"here": fields.Uniform((1, 0, 0)), "too": fields.Noise(1.0)}
    studio_page.open(Stage([STAGE["leaf"]], fields=both))
    studio_page.wait_until("doc.scene.fields[0].name === 'here' && doc.scene.order.length === 1")
    studio_page.wait_until_settled()
    (x, y), other = (
        studio_page.handle_position("", "front", field="here"),
        studio_page.handle_position("", "front", field="too"),
    )
    assert other == pytest.approx((x + 24, y))
    drag_and_wait(studio_page, other, (30, -20))
    studio_page.wait_until("!window.__keypose.isEchoing()")
    assert studio_page.handle_position("", "front", field="too") == pytest.approx((x + 30, y - 20), abs=0.5)
    assert studio_page.handle_position("", "front", field="here") == pytest.approx((x, y))
