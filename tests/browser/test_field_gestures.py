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


def handle(stage, name):
    """Where the page says that a field is held."""
    at = list(STAGE.fields).index(name)
    return np.array(stage.see(f"[...studio.poses.fields.slice({7 * at}, {7 * at + 7})]"))


def by_hand(stage, start, by):
    """Drag, and wait until the studio has answered."""
    before = stage.see("studio.scene.revision")
    stage.drag(start, by)
    stage.until(f"studio.scene.revision > {before}")
    stage.still()


def spline(stage, name="leaf"):
    return stage.studio.stage[name].mover


@pytest.mark.parametrize("view", VIEWS)
def test_a_dragged_field_goes_where_the_pointer_goes(stage, view):
    start = stage.at("", view, field="pull")
    by_hand(stage, start, (-17, -12))
    assert stage.see("studio.selection.field") == "pull"
    assert stage.at("", view, field="pull") == pytest.approx((start[0] - 17, start[1] - 12), abs=0.5)
    assert handle(stage, "pull")[:3] == pytest.approx(stage.studio.stage.fields["pull"].center, abs=1e-5)


@pytest.mark.parametrize(("view", "axis"), [("top", 1), ("front", 2), ("side", 0)])
def test_a_plan_view_keeps_what_it_does_not_show_of_a_field(stage, view, axis):
    before = handle(stage, "wind")
    by_hand(stage, stage.at("", view, field="wind"), (-15, 9))
    by = (handle(stage, "wind") - before)[:3]
    assert by[axis] == pytest.approx(0, abs=1e-6)
    assert np.linalg.norm(by) > 0.05


def test_a_dragged_field_is_one_step_that_escape_calls_off(stage):
    start = stage.at("", "front", field="pull")
    stage.drag(start, (-30, -20), let_go=False)
    stage.still()
    assert stage.studio.stage != STAGE
    stage.page.keyboard.press("Escape")
    stage.page.mouse.up()
    stage.still()
    assert stage.studio.stage == STAGE
    assert stage.see("studio.scene.steps.redo") is None
    by_hand(stage, start, (-30, -20))
    assert stage.see("studio.scene.steps.undo") == "move the field pull"
    stage.page.keyboard.press("Control+z")
    stage.until("studio.scene.steps.redo !== null")
    assert stage.studio.stage == STAGE


def test_what_is_dragged_of_a_field_reads_well_in_the_file(stage, tmp_path):
    by_hand(stage, stage.at("", "front", field="pull"), (-23, 17))
    save(stage.studio.stage, tmp_path / "scene.json")
    said = json.loads((tmp_path / "scene.json").read_text())["fields"]["pull"]["center"]
    assert all(len(str(abs(number))) <= 6 for number in said), said


def test_an_arrow_of_the_gizmo_moves_a_field_along_its_axis(stage):
    stage.do("studio.selectField('pull'); studio.tool = 'move';")
    x, y = stage.at("", "front", field="pull")
    before = handle(stage, "pull")
    by_hand(stage, (x, y - 50), (8, -25))
    by = (handle(stage, "pull") - before)[:3]
    assert by[[0, 2]] == pytest.approx([0, 0], abs=1e-6)
    assert by[1] > 0.05


def test_a_ring_of_the_gizmo_turns_a_field(stage):
    stage.do("studio.selectField('wind'); studio.tool = 'turn';")
    x, y = stage.at("", "front", field="wind")
    right_up = 72 / np.sqrt(2)
    by_hand(stage, (x + right_up, y - right_up), (-right_up, right_up - 72))  # an eighth, anticlockwise
    turned = handle(stage, "wind")[3:]
    assert turned * np.sign(turned[0]) == pytest.approx([np.cos(np.pi / 8), 0, 0, np.sin(np.pi / 8)], abs=0.02)
    assert stage.see("studio.scene.steps.undo") == "turn the field wind"


def test_a_bar_of_the_gizmo_stretches_a_field_along_its_axis_and_the_middle_all_of_it(stage):
    stage.do("studio.selectField('wind'); studio.tool = 'stretch';")
    x, y = stage.at("", "front", field="wind")
    by_hand(stage, (x + 66, y), (33, 0))
    assert stage.see("studio.field('wind').stretch") == pytest.approx([1.5, 1, 1], abs=0.01)
    by_hand(stage, (x, y), (40, -40))
    assert stage.see("studio.field('wind').stretch") == pytest.approx([3, 2, 2], abs=0.02)
    assert stage.at("", "front", field="wind") == pytest.approx((x, y), abs=0.5)


def test_the_arrows_of_the_selected_field_are_drawn_where_it_is(stage):
    x, y = stage.at("", "front", field="pull")
    stage.page.mouse.click(x, y)
    stage.until("studio.arrows.get('pull')?.count > 50")
    middle = stage.see("[...studio.arrows.get('pull').places]")
    assert np.mean(np.reshape(middle, (-1, 3)), axis=0) == pytest.approx((2, -1, 0.2), abs=1e-5)
    stage.page.get_by_title("Arrows are the push of pull").wait_for()


def arrows(stage, reach=45):
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


def lying(seen):
    """How much more of these pixels' edges lies across the screen than stands upright; negative if less."""
    return int(np.abs(np.diff(seen.astype(int), axis=0)).sum() - np.abs(np.diff(seen.astype(int), axis=1)).sum())


def test_arrows_are_seen_along_the_push_and_turn_with_the_field(stage):
    along = arrows(stage)
    assert np.sum(along) > 1000
    assert lying(along) > 400
    stage.do("studio.selectField('wind'); studio.tool = 'turn';")
    x, y = stage.at("", "front", field="wind")
    right_up = 72 / np.sqrt(2)
    by_hand(stage, (x + right_up, y - right_up), (-2 * right_up, 0))  # a quarter, anticlockwise
    stage.do("studio.tool = 'select';")
    upright = arrows(stage)
    assert np.sum(upright) > 1000
    assert lying(upright) < -300


LINKED = Actor("leaf", DynamicSpline((-2, 1, 0), (1, 0.5, 0), friction=0.02, senses={"wind": 0.5}), look="skyblue")


def link(stage):
    """The line from the leaf to the wind in the front view: how strong it is, and how bright the screen is there."""
    told = stage.page.evaluate("(asked) => window.__keypose.project(...asked)", ["leaf", {"link": "wind"}, "front"])
    return told and (told["opacity"], stage.pixels((told["x"], told["y"]), 2).sum(axis=-1).max())


@pytest.mark.parametrize("selected", ["studio.select('leaf')", "studio.selectField('wind')"])
def test_the_line_of_a_link_is_seen_fainter_the_less_it_counts_and_gone_when_it_is_cut(stage, selected):
    stage.open(STAGE.with_actor(LINKED))
    stage.until("studio.actor('leaf').senses.length === 1")
    stage.still()
    assert link(stage) is None, "nobody is selected"
    stage.do(f"{selected};")
    middle = stage.at("leaf", "front", link="wind")
    opacity, bright = link(stage)
    stage.do("studio.send({ do: 'link_actors', actors: ['leaf'], field: 'wind', affinity: 0.1 });")
    stage.still()
    fainter, dim = link(stage)
    assert 0 < fainter < opacity < 1
    stage.do("studio.send({ do: 'link_actors', actors: ['leaf'], field: 'wind', affinity: null });")
    stage.still()
    assert link(stage) is None
    assert bright > dim + 60
    assert dim > stage.pixels(middle, 2).sum(axis=-1).max() + 60


def test_a_link_is_drawn_from_who_is_steered_to_a_field(stage, tmp_path):
    stage.do("studio.tool = 'link';")
    start, goal = stage.at("leaf", "front", pose=True), stage.at("", "front", field="wind")
    by_hand(stage, start, (goal[0] - start[0], goal[1] - start[1]))
    assert dict(spline(stage).senses) == {"wind": 1}
    save(stage.studio.stage, tmp_path / "scene.json")
    said = json.loads((tmp_path / "scene.json").read_text())["actors"][0]["mover"]
    assert said["senses"] == [{"field": "wind", "affinity": 1}]
    stage.page.keyboard.press("Control+z")
    stage.until("studio.scene.steps.redo !== null")
    assert stage.studio.stage == STAGE


def test_a_link_to_another_actor_keeps_the_offset_to_it(stage):
    stage.do("studio.tool = 'link';")
    start, goal = stage.at("leaf", "perspective", pose=True), stage.at("man", "perspective", pose=True)
    by_hand(stage, start, (goal[0] - start[0], goal[1] - start[1]))
    [(sensed, affinity)] = spline(stage).senses.items()
    assert sensed == fields.KeepOffset("man")
    assert affinity == 0.3


def test_who_is_not_steered_by_fields_is_not_linked_and_is_told_so(stage):
    stage.do("studio.tool = 'link';")
    start, goal = stage.at("man", "top", pose=True), stage.at("", "top", field="wind")
    stage.drag(start, (goal[0] - start[0], goal[1] - start[1]))
    assert "man is not steered by fields" in stage.page.locator(".notice").first.inner_text()
    assert stage.studio.stage == STAGE


def test_where_somebody_begins_is_dragged(stage):
    stage.do("studio.select('leaf');")
    start = stage.at("leaf", "front", start=True)
    by_hand(stage, start, (15, -10))
    assert stage.at("leaf", "front", start=True) == pytest.approx((start[0] + 15, start[1] - 10), abs=0.5)
    by = np.array(spline(stage).position) - (-2, 1, 0)
    assert by[0] > 0.05
    assert by[1] > 0.03
    assert by[2] == pytest.approx(0, abs=1e-9)


def test_the_tip_of_a_velocity_is_dragged(stage):
    stage.do("studio.select('leaf');")
    tip = stage.at("leaf", "front", velocity=True)
    by_hand(stage, tip, (20, 30))
    assert stage.at("leaf", "front", velocity=True) == pytest.approx((tip[0] + 20, tip[1] + 30), abs=0.5)
    velocity = np.array(spline(stage).velocity)
    assert velocity[0] > 1.05
    assert velocity[1] < 0.45
    assert velocity[2] == pytest.approx(0, abs=1e-9)


def test_who_begins_at_rest_is_given_a_velocity_by_the_dot_beside_it(stage):
    stage.do("studio.select('stone');")
    tip = stage.at("stone", "front", velocity=True)
    by_hand(stage, tip, (20, -30))
    assert stage.at("stone", "front", velocity=True) == pytest.approx((tip[0] + 20, tip[1] - 30), abs=0.5)
    assert spline(stage, "stone").velocity[1] > 0.1


def test_handles_in_one_place_stand_side_by_side(stage):
    both = {"here": fields.Uniform((1, 0, 0)), "too": fields.Noise(1.0)}
    stage.open(Stage([STAGE["leaf"]], fields=both))
    stage.until("studio.scene.fields[0].name === 'here' && studio.scene.order.length === 1")
    stage.still()
    (x, y), other = stage.at("", "front", field="here"), stage.at("", "front", field="too")
    assert other == pytest.approx((x + 24, y))
    by_hand(stage, other, (30, -20))
    stage.until("!window.__keypose.isEchoing()")
    assert stage.at("", "front", field="too") == pytest.approx((x + 30, y - 20), abs=0.5)
    assert stage.at("", "front", field="here") == pytest.approx((x, y))
