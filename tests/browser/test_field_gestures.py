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
def stage(visit):
    """The stage as it was, seen whole."""
    visit.open(STAGE)
    visit.do("studio.select(null); studio.tool = 'select'; studio.view = { maximised: null, camera: null };")
    visit.until("studio.scene.fields.length === 2 && studio.poses.fields.length === 14")
    visit.until("studio.scene.order.every((name) => studio.curves.get(name)?.arrays.line?.length)")
    visit.still()
    visit.do("studio.seek(0); studio.framings += 1;")
    return visit


def handle_pose(stage, name):
    """Where the page says that a field is held."""
    at = list(STAGE.fields).index(name)
    return np.array(stage.read_state(f"[...studio.poses.fields.slice({7 * at}, {7 * at + 7})]"))


def drag_and_wait(stage, start, by):
    """Drag, and wait until the studio has answered."""
    before = stage.read_state("studio.scene.revision")
    stage.drag(start, by)
    stage.until(f"studio.scene.revision > {before}")
    stage.still()


def spline(stage, name="leaf"):
    return stage.studio.stage[name].mover


@pytest.mark.parametrize("view", VIEWS)
def test_dragged_field_follows_the_pointer(stage, view):
    start = stage.at("", view, field="pull")
    drag_and_wait(stage, start, (-17, -12))
    assert stage.read_state("studio.selection.field") == "pull"
    assert stage.at("", view, field="pull") == pytest.approx((start[0] - 17, start[1] - 12), abs=0.5)
    assert handle_pose(stage, "pull")[:3] == pytest.approx(stage.studio.stage.fields["pull"].center, abs=1e-5)


@pytest.mark.parametrize(("view", "axis"), [("top", 1), ("front", 2), ("side", 0)])
def test_plan_view_drag_keeps_the_hidden_coordinate_of_a_field(stage, view, axis):
    before = handle_pose(stage, "wind")
    drag_and_wait(stage, stage.at("", view, field="wind"), (-15, 9))
    by = (handle_pose(stage, "wind") - before)[:3]
    assert by[axis] == pytest.approx(0, abs=1e-6)
    assert np.linalg.norm(by) > 0.05


def test_field_drag_is_one_step_that_escape_cancels(stage):
    start = stage.at("", "front", field="pull")
    stage.drag(start, (-30, -20), let_go=False)
    stage.still()
    assert stage.studio.stage != STAGE
    stage.page.keyboard.press("Escape")
    stage.page.mouse.up()
    stage.still()
    assert stage.studio.stage == STAGE
    assert stage.read_state("studio.scene.steps.redo") is None
    drag_and_wait(stage, start, (-30, -20))
    assert stage.read_state("studio.scene.steps.undo") == "move the field pull"
    stage.page.keyboard.press("Control+z")
    stage.until("studio.scene.steps.redo !== null")
    assert stage.studio.stage == STAGE


def test_dragged_field_has_rounded_numbers_in_the_file(stage, tmp_path):
    drag_and_wait(stage, stage.at("", "front", field="pull"), (-23, 17))
    save(stage.studio.stage, tmp_path / "scene.json")
    said = json.loads((tmp_path / "scene.json").read_text())["fields"]["pull"]["center"]
    assert all(len(str(abs(number))) <= 6 for number in said), said


def test_gizmo_arrow_moves_a_field_along_its_axis(stage):
    stage.do("studio.selectField('pull'); studio.tool = 'move';")
    x, y = stage.at("", "front", field="pull")
    before = handle_pose(stage, "pull")
    drag_and_wait(stage, (x, y - 50), (8, -25))
    by = (handle_pose(stage, "pull") - before)[:3]
    assert by[[0, 2]] == pytest.approx([0, 0], abs=1e-6)
    assert by[1] > 0.05


def test_gizmo_ring_turns_a_field(stage):
    stage.do("studio.selectField('wind'); studio.tool = 'turn';")
    x, y = stage.at("", "front", field="wind")
    right_up = 72 / np.sqrt(2)
    drag_and_wait(stage, (x + right_up, y - right_up), (-right_up, right_up - 72))  # an eighth, anticlockwise
    turned = handle_pose(stage, "wind")[3:]
    assert turned * np.sign(turned[0]) == pytest.approx([np.cos(np.pi / 8), 0, 0, np.sin(np.pi / 8)], abs=0.02)
    assert stage.read_state("studio.scene.steps.undo") == "turn the field wind"


def test_gizmo_bar_stretches_a_field_along_its_axis_and_its_centre_uniformly(stage):
    stage.do("studio.selectField('wind'); studio.tool = 'stretch';")
    x, y = stage.at("", "front", field="wind")
    drag_and_wait(stage, (x + 66, y), (33, 0))
    assert stage.read_state("studio.field('wind').stretch") == pytest.approx([1.5, 1, 1], abs=0.01)
    drag_and_wait(stage, (x, y), (40, -40))
    assert stage.read_state("studio.field('wind').stretch") == pytest.approx([3, 2, 2], abs=0.02)
    assert stage.at("", "front", field="wind") == pytest.approx((x, y), abs=0.5)


def test_arrows_of_the_selected_field_are_drawn_around_it(stage):
    x, y = stage.at("", "front", field="pull")
    stage.page.mouse.click(x, y)
    stage.until("studio.arrows.get('pull')?.count > 50")
    middle = stage.read_state("[...studio.arrows.get('pull').places]")
    assert np.mean(np.reshape(middle, (-1, 3)), axis=0) == pytest.approx((2, -1, 0.2), abs=1e-5)
    stage.page.get_by_title("Arrows are the push of pull").wait_for()


def arrow_pixels(stage, reach=45):
    """Where arrows are seen about the middle of the wind, in the front view: they come and go with its selection."""
    middle = stage.at("", "front", field="wind")
    stage.do("studio.selectField('wind');")
    stage.until("studio.arrows.get('wind')?.count > 50")
    stage.still()
    seen = stage.pixels(middle, reach)
    stage.do("studio.select(null);")
    stage.still()
    seen = np.abs(seen - stage.pixels(middle, reach)).max(axis=-1) > 60
    seen[reach - 15 : reach + 16, reach - 15 : reach + 16] = False  # the handle itself
    return seen


def horizontal_edge_excess(seen):
    """How much more of these pixels' edges lies across the screen than stands upright; negative if less."""
    return int(np.abs(np.diff(seen.astype(int), axis=0)).sum() - np.abs(np.diff(seen.astype(int), axis=1)).sum())


def test_arrows_point_along_the_push_and_turn_with_the_field(stage):
    along = arrow_pixels(stage)
    assert np.sum(along) > 1000
    assert horizontal_edge_excess(along) > 400
    stage.do("studio.selectField('wind'); studio.tool = 'turn';")
    x, y = stage.at("", "front", field="wind")
    right_up = 72 / np.sqrt(2)
    drag_and_wait(stage, (x + right_up, y - right_up), (-2 * right_up, 0))  # a quarter, anticlockwise
    stage.do("studio.tool = 'select';")
    upright = arrow_pixels(stage)
    assert np.sum(upright) > 1000
    assert horizontal_edge_excess(upright) < -300


LINKED = Actor("leaf", DynamicSpline((-2, 1, 0), (1, 0.5, 0), friction=0.02, senses={"wind": 0.5}), look="skyblue")


def link_line(stage):
    """The line from the leaf to the wind in the front view: how strong it is, and how bright the screen is there."""
    told = stage.page.evaluate("(asked) => window.__keypose.project(...asked)", ["leaf", {"link": "wind"}, "front"])
    return told and (told["opacity"], stage.pixels((told["x"], told["y"]), 2).sum(axis=-1).max())


@pytest.mark.parametrize("selected", ["studio.select('leaf')", "studio.selectField('wind')"])
def test_link_line_fades_with_affinity_and_disappears_when_cut(stage, selected):
    stage.open(STAGE.with_actor(LINKED))
    stage.until("studio.actor('leaf').senses.length === 1")
    stage.still()
    assert link_line(stage) is None, "nobody is selected"
    stage.do(f"{selected};")
    middle = stage.at("leaf", "front", link="wind")
    opacity, bright = link_line(stage)
    stage.do("studio.send({ do: 'link_actors', actors: ['leaf'], field: 'wind', affinity: 0.1 });")
    stage.still()
    fainter, dim = link_line(stage)
    assert 0 < fainter < opacity < 1
    stage.do("studio.send({ do: 'link_actors', actors: ['leaf'], field: 'wind', affinity: null });")
    stage.still()
    assert link_line(stage) is None
    assert bright > dim + 60
    assert dim > stage.pixels(middle, 2).sum(axis=-1).max() + 60


def test_link_is_drawn_from_a_dynamic_spline_to_a_field(stage, tmp_path):
    stage.do("studio.tool = 'link';")
    start, goal = stage.at("leaf", "front", pose=True), stage.at("", "front", field="wind")
    drag_and_wait(stage, start, (goal[0] - start[0], goal[1] - start[1]))
    assert dict(spline(stage).senses) == {"wind": 1}
    save(stage.studio.stage, tmp_path / "scene.json")
    said = json.loads((tmp_path / "scene.json").read_text())["actors"][0]["mover"]
    assert said["senses"] == [{"field": "wind", "affinity": 1}]
    stage.page.keyboard.press("Control+z")
    stage.until("studio.scene.steps.redo !== null")
    assert stage.studio.stage == STAGE


def test_link_to_another_actor_keeps_the_offset_to_it(stage):
    stage.do("studio.tool = 'link';")
    start, goal = stage.at("leaf", "perspective", pose=True), stage.at("man", "perspective", pose=True)
    drag_and_wait(stage, start, (goal[0] - start[0], goal[1] - start[1]))
    [(sensed, affinity)] = spline(stage).senses.items()
    assert sensed == fields.KeepOffset("man")
    assert affinity == 0.3


def test_linking_a_keyed_actor_is_refused_with_reason(stage):
    stage.do("studio.tool = 'link';")
    start, goal = stage.at("man", "top", pose=True), stage.at("", "top", field="wind")
    stage.drag(start, (goal[0] - start[0], goal[1] - start[1]))
    assert "man is not steered by fields" in stage.page.locator(".notice").first.inner_text()
    assert stage.studio.stage == STAGE


def test_start_position_is_dragged(stage):
    stage.do("studio.select('leaf');")
    start = stage.at("leaf", "front", start=True)
    drag_and_wait(stage, start, (15, -10))
    assert stage.at("leaf", "front", start=True) == pytest.approx((start[0] + 15, start[1] - 10), abs=0.5)
    by = np.array(spline(stage).position) - (-2, 1, 0)
    assert by[0] > 0.05
    assert by[1] > 0.03
    assert by[2] == pytest.approx(0, abs=1e-9)


def test_velocity_arrow_tip_is_dragged(stage):
    stage.do("studio.select('leaf');")
    tip = stage.at("leaf", "front", velocity=True)
    drag_and_wait(stage, tip, (20, 30))
    assert stage.at("leaf", "front", velocity=True) == pytest.approx((tip[0] + 20, tip[1] + 30), abs=0.5)
    velocity = np.array(spline(stage).velocity)
    assert velocity[0] > 1.05
    assert velocity[1] < 0.45
    assert velocity[2] == pytest.approx(0, abs=1e-9)


def test_resting_actor_gets_a_velocity_by_dragging_the_dot_beside_it(stage):
    stage.do("studio.select('stone');")
    tip = stage.at("stone", "front", velocity=True)
    drag_and_wait(stage, tip, (20, -30))
    assert stage.at("stone", "front", velocity=True) == pytest.approx((tip[0] + 20, tip[1] - 30), abs=0.5)
    assert spline(stage, "stone").velocity[1] > 0.1


def test_handles_at_one_position_are_drawn_side_by_side(stage):
    both = {"here": fields.Uniform((1, 0, 0)), "too": fields.Noise(1.0)}
    stage.open(Stage([STAGE["leaf"]], fields=both))
    stage.until("studio.scene.fields[0].name === 'here' && studio.scene.order.length === 1")
    stage.still()
    (x, y), other = stage.at("", "front", field="here"), stage.at("", "front", field="too")
    assert other == pytest.approx((x + 24, y))
    drag_and_wait(stage, other, (30, -20))
    stage.until("!window.__keypose.isEchoing()")
    assert stage.at("", "front", field="too") == pytest.approx((x + 30, y - 20), abs=0.5)
    assert stage.at("", "front", field="here") == pytest.approx((x, y))
