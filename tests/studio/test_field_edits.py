"""Fields are put on the stage, placed at their handles and linked; each in a step that can be undone."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import (
    Actor,
    Body,
    DynamicSpline,
    Follow,
    Free,
    Key,
    Motion,
    MotionPath,
    Orientation,
    Sphere,
    Stage,
    fields,
)
from keypose.document.fields.dynamic_splines import sense_object
from keypose.document.scene import read
from keypose.studio.edits.apply import apply_edit
from keypose.studio.present.fields import field_views
from keypose.studio.preview.dependents import dependents
from keypose.studio.preview.preview import Preview
from keypose.studio.protocol import commands
from keypose.studio.session.recovery import find_recoverable
from keypose.studio.session.session import Session
from tests.studio.edit_calls import crash_session, do, redo, refused, undo
from tests.studio.scenes import field_stage, text

TURN = Orientation.turned(40, (1, 2, 3))
BY = tuple(TURN.wxyz.tolist())
POSITIONS = np.random.default_rng(1).uniform(-3, 3, (50, 3))
SHIP = MotionPath([Key((0, 0, 0), orientation=Orientation.turned(10, "y")), Key((4, 2, 0), orientation=TURN)])
FLAT = fields.Formula("(-y, x, z / 2)")
# What can be taken hold of: bare, limited, placed out of order, carried, carried and then placed, summed.
PLACED_FIELDS = {
    "a wind": fields.Uniform((1, 2, 3)),
    "a whirl": fields.Vortex(2, center=(1, 0, 2), axis="x"),
    "a weak whirl": (0.5 * fields.Vortex(2, center=(1, 0, 2))).pulsing(3),
    "a wall": fields.Wall((0, 1, 0), (0, 1, 1), 3, 2),
    "a limited wind": fields.Uniform((1, 2, 3)).within(2, center=(0, 1, 0)),
    "a limited pull": fields.Attractor(2, center=(1, 1, 1)).within(4),
    "a pull in a box": (2 * fields.Attractor(2, center=(1, 1, 1))).within(size=(4, 5, 6), center=(1, 1, 1)).within(9),
    "a formula": FLAT.moved((1, 0, 0)),
    "a stretched formula": FLAT.scaled((1, 2, 3)).during(0, 9).turned(30, "x").moved((1, 0, 0)),
    "a crooked formula": FLAT.moved((1, 0, 0)).turned(30, "x").scaled((1, 2, 3)).scaled(2),
    "a carried pull": fields.Spring(2, center=(0, 1, 0)).carried_by("ship"),
    "a carried formula": FLAT.scaled((1, 2, 1)).turned(20, "z").carried_by("ship"),
    "a carried and placed one": FLAT.carried_by("ship").scaled((-2, 2, 2)).turned(30, "y").moved((0, 3, 0)),
    "one of a group": FLAT.moved((0, 1, 0)).carried_by("boat/*"),
    "a sum": fields.Uniform((0, 1, 0)) + fields.Spring(2, center=(4, 0, 0)) + fields.Spring(1, center=(0, 2, 0)),
    "a carried sum": fields.Spring(2).carried_by("ship") + fields.Spring(1, center=(0, 2, 0)),
}
T = 0.7


def stage_with_field(field):
    boats = [Actor(f"boat/{number}", Motion(SHIP, duration=3.0 + number)) for number in (1, 2)]
    return Stage([Actor("ship", Motion(SHIP, duration=2.0)), *boats], fields={"other": FLAT, "it": field})


def handle(stage, name="it", t=T):
    return handles(stage, t)[list(stage.fields).index(name), :3]


def handles(stage, t=T):
    preview = Preview(stage)
    return preview.handles.at(preview.all_poses(t)[0])


def pushes(stage, positions=POSITIONS, t=T):
    field = stage.fields["it"].resolved(lambda group: ("boat/1", "boat/2"))
    return field.at(positions, t, look=lambda name, t: stage.at(t)[name])


@pytest.fixture
def stage():
    return field_stage()


# ---- coming and going ------------------------------------------------------------------------------------------------


def test_field_is_added_last_from_its_scene_file_form(stage):
    edited, label = do(stage, commands.AddField, name="pull", field={"kind": "attractor", "strength": 2})
    assert edited.fields["pull"] == fields.Attractor(2)
    assert [*edited.fields] == [*stage.fields, "pull"]
    assert label == "add the field pull"


def test_tracker_is_added_with_its_target(stage):
    edited, _ = do(stage, commands.AddField, name="follow", field={"kind": "keep_offset", "target": "red"})
    assert edited.fields["follow"] == fields.KeepOffset("red")


@pytest.mark.parametrize(("name", "field", "reason"), [
    ("wind", {"kind": "noise", "strength": 1}, "A field is named 'wind' already"),
    ("x", {"kind": "vertex", "strength": 1}, "Did you mean 'vortex'?"),
    ("x", {"kind": "vortex"}, "strength: It is missing"),
    ("x", {"kind": "formula", "text": "(x, y"}, "Column 1 of the formula"),
    ("x", {"kind": "keep_offset", "target": "rde"}, "'rde'"),
    ("x", {"kind": "noise", "strength": 1, "then": [{"kind": "carried_by", "carrier": "nobody"}]}, "'nobody'"),
])  # fmt: skip
def test_invalid_field_is_refused(stage, name, field, reason):
    assert reason in refused(stage, commands.AddField, name=name, field=field)


def test_removed_field_removes_only_its_links(stage):
    edited, label = do(stage, commands.RemoveField, field="wind")
    assert "wind" not in edited.fields
    assert edited["leaf"].mover.senses == {fields.KeepOffset("red"): 0.3}
    assert edited["letter"].mover.senses == {"near": 0.1}
    assert edited["passenger"] is stage["passenger"]
    assert label == "remove the field wind"


def test_links_follow_a_renamed_field(stage):
    edited, label = do(stage, commands.RenameField, field="wind", name="gale")
    assert next(iter(edited.fields)) == "gale"
    assert list(edited["leaf"].mover.senses) == ["gale", fields.KeepOffset("red")]
    assert edited["passenger"] is stage["passenger"]
    assert label == "rename the field wind to gale"
    assert "already" in refused(stage, commands.RenameField, field="wind", name="light")


def test_body_senses_follow_renamed_fields_and_carriers_and_lose_removed_ones():
    glow, path = fields.Spring(1).carried_by("lamp"), MotionPath([(0, 0, 0), (1, 0, 0)])
    ball, senses = Body(Sphere(0.1)), {"wind": 0.5, glow: 1.0, fields.KeepDistance("lamp"): 0.1}
    actors = [
        Actor("lamp", Motion(path, duration=1)),
        Actor("leaf", Free(ball, (0, 1, 0), senses=senses)),
        Actor("red", Follow(path, ball, within=0.4, senses=senses)),
    ]
    stage = Stage(actors, fields={"wind": fields.Uniform((1, 0, 0))})
    gale, _ = do(stage, commands.RenameField, field="wind", name="gale")
    moon, _ = do(stage, commands.RenameActor, actor="lamp", name="moon")
    windless, _ = do(stage, commands.RemoveField, field="wind")
    for name in ("leaf", "red"):
        assert list(gale[name].mover.senses) == ["gale", *list(senses)[1:]]
        carried = fields.Spring(1).carried_by("moon")
        assert list(moon[name].mover.senses) == ["wind", carried, fields.KeepDistance("moon")]
        assert list(windless[name].mover.senses) == list(senses)[1:]
    assert "'leaf' watches it" in refused(stage, commands.RemoveActor, actor="lamp")
    assert field_views(stage)[0].sensed_by == 2


@pytest.mark.parametrize(("name", "changes", "label"), [
    ("whirl", {"strength": 3}, "strength of the field whirl"),
    ("whirl", {"strength": 3, "falloff": 2}, "strength and falloff of the field whirl"),
    ("whirl", {"then": [{"kind": "within", "radius": 2}]}, "placing of the field whirl"),
    ("whirl", {}, "change the field whirl"),
    ("typed", {"text": "(x, y, k)"}, "formula of the field typed"),
    ("typed", {"parameters": {"k": {"value": 3, "low": 0, "high": 5}}}, "k of the field typed"),
    ("near", {"target": "cup"}, "target of the field near"),
])  # fmt: skip
def test_changed_field_labels_the_step_by_what_changed(stage, name, changes, label):
    spec = {**sense_object(stage.fields[name], ""), **changes}
    edited, step = do(stage, commands.SetField, field=name, value=spec)
    assert sense_object(edited.fields[name], "") == spec
    assert step == label


def test_field_changes_its_kind(stage):
    edited, label = do(stage, commands.SetField, field="whirl", value={"kind": "spring", "stiffness": 2})
    assert edited.fields["whirl"] == fields.Spring(2)
    assert label == "change the field whirl"


@pytest.mark.parametrize("kind", [commands.RemoveField, commands.RenameField, commands.SetField, commands.MoveField])
def test_unknown_field_is_refused_with_the_nearest_name(stage, kind):
    options = {
        commands.RenameField: {"name": "x"},
        commands.SetField: {"value": {}},
        commands.MoveField: {"by": (1, 0, 0)},
    }
    assert "Did you mean 'whirl'?" in refused(stage, kind, field="wihrl", **options.get(kind, {}))


# ---- placing ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("field", PLACED_FIELDS.values(), ids=PLACED_FIELDS)
def test_handle_and_field_move_by_the_world_offset(field):
    stage, offset = stage_with_field(field), np.array((1, -2, 0.5))
    edited, label = do(stage, commands.MoveField, field="it", by=tuple(offset), time=T)
    assert_allclose(handle(edited), handle(stage) + offset, atol=1e-12)
    if "boat/*" not in field.names:  # each of a group carries it otherwise
        assert_allclose(pushes(edited, POSITIONS + offset), pushes(stage), atol=1e-12)
    assert label == "move the field it"
    assert edited.fields["other"] is stage.fields["other"]


@pytest.mark.parametrize("field", [one for name, one in PLACED_FIELDS.items() if "group" not in name])
def test_field_turns_about_its_handle(field):
    stage = stage_with_field(field)
    edited, label = do(stage, commands.TurnField, field="it", by=BY, time=T)
    position = handle(stage)
    assert_allclose(handle(edited), position, atol=1e-12)
    sources = TURN.inverse().rotate(POSITIONS - position) + position
    assert_allclose(pushes(edited), TURN.rotate(pushes(stage, sources)), atol=1e-9)
    assert label == "turn the field it"


@pytest.mark.parametrize("field", [one for one in PLACED_FIELDS.values() if not one.names])
def test_field_is_stretched_about_its_handle_along_its_own_axes(field):
    stage, by = stage_with_field(field), np.array((2, 0.5, 3))
    edited, label = do(stage, commands.StretchField, field="it", by=tuple(by))
    position, turn = handle(stage), Orientation.of(handles(stage)[1, 3:])
    if field is PLACED_FIELDS["a crooked formula"]:  # its own axes are those of its last stretch
        turn = Orientation.identity
    assert_allclose(handle(edited), position, atol=1e-12)
    sources = turn.rotate(turn.inverse().rotate(POSITIONS - position) / by) + position
    expected = turn.rotate(by * turn.inverse().rotate(pushes(stage, sources)))
    assert_allclose(pushes(edited), expected, atol=1e-9)
    assert label == "stretch the field it"


@pytest.mark.parametrize("field", PLACED_FIELDS.values(), ids=PLACED_FIELDS)
def test_hundred_drags_add_at_most_three_transforms_and_keep_the_handle_exact(field):
    random, stage = np.random.default_rng(5), stage_with_field(field)
    expected = handle(stage)
    for number in range(34):
        offset, turn = random.uniform(-1, 1, 3), Orientation.turned(number * 10.0, random.uniform(-1, 1, 3))
        stretch = (1.1, 0.9, 1.0) if number % 2 else (0.9, 1.1, 1.0)
        for message in (
            commands.MoveField(id=1, field="it", by=tuple(offset), time=T),
            commands.TurnField(id=1, field="it", by=tuple(turn.wxyz.tolist()), time=T),
            commands.StretchField(id=1, field="it", by=stretch, time=T),
        ):
            stage, _ = apply_edit(stage, message)
        expected = expected + offset
    assert_allclose(handle(stage), expected, atol=1e-9)
    assert text(read(text(stage))) == text(stage)
    spec, before = (sense_object(one, "") for one in (stage.fields["it"], field))
    many = len(before.get("then", ())) if isinstance(before, dict) else 0
    assert len(spec["then"]) <= many + 3
    if many == 0:
        assert [step["kind"] for step in spec["then"]] == ["scaled", "turned", "moved"]


def test_field_with_a_position_option_is_moved_by_that_option():
    for field, moved in (
        (fields.Vortex(2), fields.Vortex(2, center=(1, 2, 3))),
        (fields.Wall((0, 1, 0), (0, 1, 0), 1, 1), fields.Wall((1, 3, 3), (0, 1, 0), 1, 1)),
        (2 * fields.Spring(1), 2 * fields.Spring(1, center=(1, 2, 3))),
        (fields.Spring(1).within(2), fields.Spring(1, center=(1, 2, 3)).within(2, center=(1, 2, 3))),
        (fields.Spring(1, center=(1, 0, 0)).within(2), fields.Spring(1, center=(1, 0, 0)).within(2).moved((1, 2, 3))),
        (FLAT, FLAT.moved((1, 2, 3))),
        (FLAT.moved((1, 1, 1)), FLAT.moved((2, 3, 4))),
        (FLAT.moved((-1, -2, -3)), FLAT),
        (FLAT.turned(90, "x"), FLAT.turned(90, "x").moved((1, 2, 3))),
        (fields.Spring(1).carried_by("ship"), None),
    ):
        edited, _ = do(stage_with_field(field), commands.MoveField, field="it", by=(1, 2, 3))
        assert moved is None or edited.fields["it"] == moved
    assert "then" not in sense_object(edited.fields["it"], "")["then"][0]
    assert [step["kind"] for step in sense_object(edited.fields["it"], "")["then"]] == ["carried_by"]


def test_turned_vortex_keeps_its_position_as_an_offset():
    edited, _ = do(stage_with_field(fields.Vortex(2, center=(1, 2, 3))), commands.TurnField, field="it", by=BY)
    assert edited.fields["it"] == fields.Vortex(2).turned(TURN).moved((1, 2, 3))
    limited = fields.Vortex(2, center=(1, 2, 3)).within(2, center=(1, 2, 3))
    edited, _ = do(stage_with_field(limited), commands.TurnField, field="it", by=BY)
    assert edited.fields["it"] == fields.Vortex(2).within(2).turned(TURN).moved((1, 2, 3))


def test_dragged_field_is_rounded_only_along_the_dragged_axes():
    edited, _ = do(
        stage_with_field(fields.Spring(1, center=(0.123456, 0, 1))),
        commands.MoveField,
        field="it",
        by=(0, 0.98765, 1),
        digits=2,
    )
    assert edited.fields["it"].center == (0.123456, 0.99, 2)
    edited, _ = do(stage_with_field(FLAT), commands.MoveField, field="it", by=(0.126, 0, 0), digits=2)
    assert edited.fields["it"] == FLAT.moved((0.13, 0, 0))
    edited, _ = do(stage_with_field(FLAT), commands.StretchField, field="it", by=(1.2345, 1, 0.001), digits=2)
    assert edited.fields["it"] == FLAT.scaled((1.23, 1, 0.001)), "a small factor is not rounded to nothing"


def test_inverse_stretch_removes_the_scale():
    edited, _ = do(stage_with_field(FLAT), commands.StretchField, field="it", by=(2, 4, 1))
    edited, _ = do(edited, commands.StretchField, field="it", by=(0.5, 0.25, 1))
    assert edited.fields["it"] == FLAT


def test_field_attached_to_a_simulated_carrier_moves_in_its_frame():
    path = MotionPath([(0, 0, 0), (3, 0, 0)])
    field = fields.Spring(1).carried_by("bird")
    stage = Stage(
        [Actor("rail", Motion(path, duration=1.0)), Actor("bird", DynamicSpline((0, 1, 0)), parent="rail")],
        fields={"it": field},
    )
    edited, _ = do(stage, commands.MoveField, field="it", by=(0, 0, 2), time=1.0)
    assert edited.fields["it"] == fields.Spring(1, center=(0, 0, 2)).carried_by("bird")


def test_field_scaled_unevenly_after_its_carrier_cannot_be_turned():
    stage = stage_with_field(FLAT.carried_by("ship").scaled((1, 2, 1)))
    assert "Say the stretch before the carrier." in refused(stage, commands.TurnField, field="it", by=BY, time=T)


@pytest.mark.parametrize(("kind", "options"), [
    (commands.MoveField, {"by": (1, 0, 0)}),
    (commands.TurnField, {"by": BY}),
    (commands.StretchField, {"by": (2, 2, 2)}),
])  # fmt: skip
def test_tracker_cannot_be_moved_turned_or_stretched(stage, kind, options):
    assert "goes where its target is" in refused(stage, kind, field="near", **options)


@pytest.mark.parametrize(("kind", "by"), [
    (commands.MoveField, (np.nan, 0, 0)),
    (commands.MoveField, (np.inf, 0, 0)),
    (commands.MoveField, (1e200, 0, 0)),
    (commands.TurnField, (0, 0, 0, 0)),
    (commands.TurnField, (np.nan, 0, 0, 1)),
    (commands.StretchField, (0, 1, 1)),
    (commands.StretchField, (np.nan, 1, 1)),
    (commands.StretchField, (1e300, 1, 1)),
])  # fmt: skip
@pytest.mark.parametrize("field", [PLACED_FIELDS["a whirl"], PLACED_FIELDS["a carried formula"]])
def test_out_of_range_field_transform_is_refused(field, kind, by):
    refused(stage_with_field(field), kind, field="it", by=by)
    refused(stage_with_field(field), kind, field="it", by=(1, 1, 1, 1)[: len(by)], time=np.nan)


# ---- as all edits ----------------------------------------------------------------------------------------------------

STEPS = [
    commands.AddField(id=1, name="pull", field={"kind": "attractor", "strength": 2}),
    commands.RemoveField(id=1, field="wind"),
    commands.RenameField(id=1, field="wind", name="gale"),
    commands.SetField(id=1, field="wind", value={"kind": "uniform", "vector": [-0.0, 0, 1]}),
    commands.MoveField(id=1, field="light", by=(1, 0, 0), time=0.5),
    commands.TurnField(id=1, field="light", by=BY, time=0.5),
    commands.StretchField(id=1, field="mix", by=(1, 2, 3)),
    commands.LinkActors(id=1, actors=("leaf",), field={"kind": "avoid", "target": "red"}, affinity=0.1),
    commands.SetSplines(id=1, actors=("leaf", "letter"), changes={"friction": 0.3}),
    commands.MoveSplines(id=1, actors=("leaf", "letter"), by=(0, -1, 0)),
]


@pytest.mark.parametrize("message", STEPS, ids=lambda message: type(message).__name__)
def test_every_field_edit_is_undone_redone_and_survives_a_crash(message, stage, tmp_path):
    session = Session(stage, state=tmp_path)
    before = text(stage)
    session.apply(message)
    after = text(session.stage)
    assert after != before
    session.apply(undo())
    assert text(session.stage) == before
    session.apply(redo())
    assert crash_session(session) == after
    (found,) = find_recoverable(tmp_path)
    assert text(Session.from_recovery(found, state=tmp_path).stage) == after


def test_field_drag_is_one_undo_step(stage, tmp_path):
    session = Session(stage)
    for number in range(1, 10):
        session.apply(commands.MoveField(id=number, field="whirl", by=(number, 0, 0), gesture="drag"))
    assert session.stage.fields["whirl"].center == (10, 0, 0)
    assert session.steps.undo == "move the field whirl"
    session.apply(undo())
    assert session.stage == stage


def test_moved_field_affects_only_actors_steered_by_fields(stage):
    edited, _ = do(stage, commands.MoveField, field="whirl", by=(1, 0, 0))
    assert dependents(stage, edited) == {"leaf", "letter", "passenger"}
