"""Scenes with fields in the studio: opened, played, undone and recovered as any other; names in fields follow."""

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import Actor, DynamicSpline, Key, KeyposeError, Motion, MotionPath, Stage, fields, save, shoot
from keypose.studio.edits.apply import apply_edit
from keypose.studio.present.scene import pack_poses, scene_view
from keypose.studio.present.trails import pack_curve
from keypose.studio.preview.dependents import dependents
from keypose.studio.preview.preview import TAKE_FPS, Preview
from keypose.studio.protocol import commands
from keypose.studio.session.recovery import find_recoverable
from keypose.studio.session.session import Session
from tests.document.field_samples import every_push
from tests.studio.edit_calls import crash_session, move, redo, undo
from tests.studio.scenes import text
from tests.studio.studio_client import unpack_update

WALK = Motion(MotionPath([(0, 0, 0), (2, 0, 0), (2, 0, 2)]), duration=2.0)
LETTER = [(0, 0), (1, 0), (1, 1)]


def field_stage():
    """A moth drawn by a lamp, a kite on a string, a flock of two, a jelly letter, and a sketch."""
    near = fields.Repeller(0.5).within(2).carried_by("bird/*")
    drawing = MotionPath([Key([(0, 0), (1, 0)]), Key([(2, 0), (3, 0)])])
    return Stage(
        [
            Actor("jelly", DynamicSpline(LETTER, senses={"wind": 1.0})),
            Actor("lamp", WALK),
            Actor("moth", DynamicSpline((0, 3, 0), (1, 0, 0), friction=0.02, senses={"light": 0.5})),
            Actor("kite", DynamicSpline((0, 2, 0), friction=0.1, senses={fields.KeepDistance("lamp", 1.0): 0.2})),
            Actor("bird/1", DynamicSpline((0, 1, 0), senses={near: 1, fields.Avoid(("lamp", "moth")): 0.2})),
            Actor("bird/2", DynamicSpline((1, 1, 0), senses={near: 1})),
            Actor("sketch", Motion(drawing, duration=1.0)),
        ],
        fields={"wind": fields.Uniform((1, 0, 0)), "light": fields.Attractor(2).carried_by("lamp").delayed(3)},
    )


@pytest.fixture
def stage():
    return field_stage()


def do(stage, kind, **options):
    return apply_edit(stage, kind(id=1, **options))[0]


def refused(stage, kind, **options):
    with pytest.raises(KeyposeError) as error:
        apply_edit(stage, kind(id=1, **options))
    return str(error.value)


def shot_preview(stage):
    return Preview(stage, shoot(stage, Preview(stage).take_duration, TAKE_FPS))


# ---- names -----------------------------------------------------------------------------------------------------------


def test_fields_carriers_and_targets_follow_a_renamed_actor(stage):
    edited = do(stage, commands.RenameActor, actor="lamp", name="candle")
    assert edited.fields["light"] == fields.Attractor(2).carried_by("candle").delayed(3)
    assert edited["kite"].mover.senses == {fields.KeepDistance("candle", 1.0): 0.2}
    assert fields.Avoid(("candle", "moth")) in edited["bird/1"].mover.senses
    one, two = shoot(stage, 1.0), shoot(edited, 1.0)
    for name in ("moth", "kite", "bird/1", "jelly"):
        assert one[name].position.tobytes() == two[name].position.tobytes()


def test_every_field_kind_follows_renames_and_back():
    stage = every_push()
    renamed = do(stage, commands.RenameActor, actor="lamp", name="candle")
    renamed = do(renamed, commands.RenameActor, actor="hand", name="paw")
    renamed = do(renamed, commands.RenameActor, actor="bird/2", name="bird/9")
    assert "lamp" not in text(renamed).decode()
    assert '"hand"' not in text(renamed).decode()
    restored = do(renamed, commands.RenameActor, actor="candle", name="lamp")
    restored = do(restored, commands.RenameActor, actor="paw", name="hand")
    assert text(do(restored, commands.RenameActor, actor="bird/9", name="bird/2")) == text(stage)


def test_renamed_actor_leaves_its_group_unless_it_is_the_last(stage):
    edited = do(stage, commands.RenameActor, actor="bird/2", name="hawk")
    assert edited.resolved.watches["bird/1"] == ("lamp",)  # of those who do not step with it
    assert "bird/2" not in edited
    edited = do(stage, commands.RemoveActor, actor="bird/1")
    reason = refused(edited, commands.RenameActor, actor="bird/2", name="hawk")
    assert "speaks of the group 'bird/*', and nobody is in it" in reason


def test_sensed_actor_cannot_be_removed(stage):
    reason = refused(stage, commands.RemoveActor, actor="lamp")
    assert reason == (
        "Actor 'lamp' cannot go: 'kite' watches it, 'bird/1' watches it and the field 'light' speaks of it. "
        "Change that first."
    )
    assert "'bird/1' watches it" in refused(stage, commands.RemoveActor, actor="moth")
    assert "bird/2" not in do(stage, commands.RemoveActor, actor="bird/2")


# ---- edits -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "message",
    [
        move(actor="lamp"),
        commands.RemoveActor(id=1, actor="kite"),
        commands.RenameActor(id=1, actor="kite", name="dragon"),
        commands.SetActor(id=1, actor="kite", changes={"look": "gold"}),
        commands.SetActor(id=1, actor="kite", changes={"parent": "lamp"}),
        commands.DefineEffect(id=1, name="snap", values={"tension": 0.4}),
    ],
    ids=lambda message: type(message).__name__,
)
def test_fields_are_unchanged_by_other_edits(stage, message):
    edited, _ = apply_edit(stage, message)
    assert edited.fields == stage.fields
    assert text(edited) != text(stage)


def test_added_dynamic_spline_is_checked(stage):
    mover = {"kind": "dynamic-spline", "position": [0, 0, 0], "senses": [{"field": "wind", "affinity": 1}]}
    edited = do(stage, commands.AddActor, actor={"name": "leaf", "mover": mover})
    assert edited["leaf"].mover == DynamicSpline((0, 0, 0), senses={"wind": 1})
    mover["senses"][0]["field"] = "wnd"
    reason = refused(stage, commands.AddActor, actor={"name": "leaf", "mover": mover})
    assert "senses the field 'wnd', which is not on the stage. Did you mean 'wind'?" in reason


def test_set_scene_sets_its_fields(stage):
    other = json.loads(text(every_push()))
    assert text(do(stage, commands.SetScene, scene=other)) == text(every_push())


def test_session_opens_undoes_and_recovers_fields_to_the_same_bytes(stage, tmp_path):
    save(stage, tmp_path / "moth.json")
    session = Session.from_file(tmp_path / "moth.json", state=tmp_path / "state")
    texts = [text(session.stage)]
    other = json.loads(text(stage))
    other["fields"]["wind"]["vector"] = [-0.0, 0, 2]
    for message in (
        move(actor="lamp"),
        commands.SetScene(id=1, scene=other),
        commands.RenameActor(id=1, actor="lamp", name="candle"),
        commands.RemoveActor(id=1, actor="kite"),
    ):
        session.apply(message)
        texts.append(text(session.stage))
    for expected in texts[-2::-1]:
        session.apply(undo())
        assert text(session.stage) == expected
    for expected in texts[1:]:
        session.apply(redo())
        assert text(session.stage) == expected
    expected = crash_session(session)
    recovered = Session.from_recovery(find_recoverable(tmp_path / "state")[0], state=tmp_path / "state")
    assert text(recovered.stage) == expected == texts[-1]
    recovered.close()


# ---- pictures --------------------------------------------------------------------------------------------------------


def test_moved_carrier_affects_actors_that_sense_its_field(stage):
    moved = do(stage, commands.MoveKeys, actor="lamp", keys=(1,), by=(1, 0, 0))
    assert dependents(stage, moved) == {"lamp", "moth", "kite", "bird/1", "bird/2", "jelly"}  # all who step together
    assert dependents(stage, do(stage, commands.MoveKeys, actor="sketch", keys=(1,), by=(1, 0, 0))) == {"sketch"}
    windy = stage.changed(fields={**stage.fields, "wind": fields.Uniform((0, 0, 1))})
    assert "jelly" in dependents(stage, windy)


def test_spline_trails_equal_the_take(stage):
    preview = shot_preview(stage)
    for name in ("moth", "jelly", "bird/1"):
        trail = unpack_update(pack_curve(preview, name, 24, 7))
        positions = preview.take[name].at(np.arange(len(trail["dots"])) / 24).position
        assert_allclose(trail["dots"], positions if positions.ndim == 2 else positions.mean(axis=1), atol=1e-4)
        assert trail["length"] > 0
        assert len(trail["keys"]) == 0


def test_spline_poses_equal_the_take_and_a_drawing_has_its_points(stage):
    preview = shot_preview(stage)
    rows, points = preview.all_poses(1.0)
    for row, name in zip(rows, stage.names, strict=True):
        position = preview.poses(name, np.array([1.0])).position[0]
        assert_allclose(row[:3], position if position.ndim == 1 else position.mean(axis=0), atol=1e-12)
    assert [len(drawing) for drawing in points] == [3, 2]
    assert_allclose(points[0][:, 0], np.array(LETTER)[:, 0] + 0.5, atol=1e-9)
    view = scene_view(preview, (), True, (0, 1), Session().steps, None, True)
    assert [actor.points for actor in view.actors] == [3, 0, 0, 0, 0, 0, 2]
    assert {actor.kind for actor in view.actors} == {"mover", "motion"}


def test_unshot_splines_keep_the_point_offsets_of_other_drawings(stage):
    preview = Preview(stage)
    _, points = preview.all_poses(0.5)
    assert [len(drawing) for drawing in points] == [3, 2]
    assert_allclose(points[1][:, 0], [1, 2], atol=1e-9)
    assert len(unpack_update(pack_poses(preview, 0.5, 1))["points"]) == 5
    assert len(unpack_update(pack_curve(preview, "moth", 24, 7))["dots"]) == 0


def test_outdated_take_keeps_the_point_offsets_of_other_drawings(stage):
    other = stage.with_actor(Actor("jelly", DynamicSpline([*LETTER, (2, 2)])))
    _, points = Preview(other, shot_preview(stage).take).all_poses(0.5)
    assert [len(drawing) for drawing in points] == [4, 2]
