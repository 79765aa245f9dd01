"""What is said of bodies and of the paths they follow is done, named, undone and kept as all other edits are."""

import numpy as np
import pytest

from keypose import Box, Sphere
from keypose.studio.preview.dependents import dependents
from keypose.studio.protocol import commands
from keypose.studio.session.recovery import find_recoverable
from keypose.studio.session.session import Session
from tests.studio.edit_calls import crash_session, do, move, refused
from tests.studio.scenes import body_stage, text


@pytest.fixture
def stage():
    return body_stage()


def test_follower_options_are_changed(stage):
    edited, label = do(stage, commands.SetMovers, actors=("red", "blue"), changes={"within": 0.6, "reaction": 0.2})
    assert label == "within and reaction of 2 actors"
    assert [edited[name].mover.within for name in ("red", "blue")] == [0.6, 0.6]
    assert edited["red"].mover.path is stage["red"].mover.path


def test_speed_and_eagerness_replace_each_other(stage):
    edited, _ = do(stage, commands.SetMovers, actors=("red",), changes={"eagerness": 0.8})
    assert (edited["red"].mover.eagerness, edited["red"].mover.speed) == (0.8, None)
    restored, _ = do(edited, commands.SetMovers, actors=("red",), changes={"speed": 2.5})
    assert (restored["red"].mover.eagerness, restored["red"].mover.speed) == (0.5, 2.5)


def test_unset_damping_is_critical_and_correction_can_be_none(stage):
    edited, _ = do(stage, commands.SetMovers, actors=("blue",), changes={"damping": 0.3, "correction": None})
    assert (edited["blue"].mover.damping, edited["blue"].mover.correction) == (0.3, None)
    restored, label = do(edited, commands.SetMovers, actors=("blue",), changes={}, unset=("damping", "correction"))
    assert restored["blue"].mover == stage["blue"].mover
    assert label == "damping and correction of blue"


def test_invalid_body_options_are_refused_as_in_the_file(stage):
    assert "within: It is -1. Give a finite number, 0.0001 or more" in refused(
        stage, commands.SetMovers, actors=("red",), changes={"within": -1}
    )
    assert "'red' has no 'mood'" in refused(stage, commands.SetMovers, actors=("red",), changes={}, unset=("mood",))
    assert "must have a within" in refused(stage, commands.SetMovers, actors=("red",), changes={}, unset=("within",))
    assert "moved by no body of its own" in refused(stage, commands.SetMovers, actors=("train",), changes={"within": 1})
    assert "plane" in refused(stage, commands.SetBodies, actors=("red",), changes={"shape": {"kind": "plane"}})
    assert "follows a path" in refused(stage, commands.MoveBodies, actors=("red",), by=(1, 0, 0))
    assert "Gravity" in refused(stage, commands.SetGravity, to=(0, float("inf"), 0))
    assert "races along its path" in refused(stage, commands.SetMotion, actor="red", changes={"duration": 3})
    assert "races along its path" in refused(stage, commands.TimeKey, actor="red", key=1, time=1.0)


def test_body_shape_and_options_are_changed(stage):
    edited, label = do(
        stage, commands.SetBodies, actors=("red",), changes={"shape": {"kind": "box", "size": 0.5}, "mass": 4}
    )
    assert edited["red"].mover.body.shape == Box(0.5)
    assert edited["red"].mover.body.mass == 4
    assert edited["red"].mover.body.bounce == 0.6
    assert label == "shape and mass of red"


def test_motion_gets_a_body_and_loses_it(stage):
    bodiless, label = do(stage, commands.RemoveBody, actor="train")
    assert bodiless["train"].body is None
    assert label == "take the body of train away"
    assert "cannot go: it has none" in refused(bodiless, commands.RemoveBody, actor="train")
    edited, label = do(
        bodiless, commands.SetBodies, actors=("train",), changes={"shape": {"kind": "sphere", "radius": 1}}
    )
    assert edited["train"].body.shape == Sphere(1)
    assert label == "give train a body"
    assert "it is its body" in refused(stage, commands.RemoveBody, actor="ball")


def test_start_pose_of_free_and_still_bodies_is_changed(stage):
    edited, _ = do(stage, commands.MoveBodies, actors=("ball", "wall"), by=(1, 0, 0.123456), digits=2)
    assert edited["ball"].mover.position == (2.5, 3.0, 1.12)
    turned, label = do(edited, commands.FaceBodies, actors=("wall",), degrees=(90, None, None))
    assert turned["wall"].mover.orientation.rotate((0, 0, 1)) == pytest.approx((1, 0, 0))
    assert label == "facing of wall"
    launched, _ = do(turned, commands.SetMovers, actors=("ball",), changes={"velocity": [0, 2, 0], "spin": [0, 90, 0]})
    assert launched["ball"].mover.velocity == (0, 2, 0)


def test_follower_keys_are_moved_inserted_turned_shaped_and_deleted(stage):
    path = stage["red"].mover.path
    moved, label = do(stage, commands.MoveKeys, actor="red", keys=(1,), by=(0, 1, 0))
    assert label == "move key 1 of red"
    assert moved["red"].mover.path.keys[1].position.tolist() == [3, 2, 0]
    assert moved["red"].mover.speed == 1.5
    longer, _ = do(moved, commands.InsertKey, actor="red", u=0.5)
    assert len(longer["red"].mover.path) == 4
    u = np.linspace(0, 1, 9)
    assert longer["red"].mover.path.at(2 * u) == pytest.approx(moved["red"].mover.path.at(u), abs=1e-9)
    shaped, _ = do(longer, commands.SetKeys, actor="red", keys=(1,), changes={"tension": 1})
    turned, _ = do(shaped, commands.FaceKeys, actor="red", keys=(1,), degrees=(90, None, None))
    assert turned["red"].mover.path.geometry.turns is not None
    pulled, _ = do(turned, commands.DragTangent, actor="red", key=1, side="both", to=(1, 0, 0))
    closed, label = do(pulled, commands.SetPath, actor="red", changes={"closed": True})
    assert closed["red"].mover.path.closed
    assert label == "closed of the path of red"
    shorter, _ = do(closed, commands.DeleteKeys, actor="red", keys=(1, 3))
    assert len(shorter["red"].mover.path) == 2
    assert stage["red"].mover.path is path


def test_all_bodies_depend_on_each_other_and_on_gravity(stage):
    bodies = {"floor", "wall", "red", "blue", "ball"}
    moved, _ = do(stage, commands.MoveKeys, actor="red", keys=(1,), by=(0, 1, 0))
    assert dependents(stage, moved) == bodies
    weightless, _ = do(stage, commands.SetGravity, to=(0, 0, 0))
    assert dependents(stage, weightless) == bodies
    assert dependents(stage, stage.with_actor(stage["train"].changed(look="gold"))) == {*bodies, "train"}


def test_body_edits_survive_a_crash(stage, tmp_path):
    session = Session(stage, state=tmp_path)
    session.apply(move())
    session.apply(commands.SetMovers(id=1, actors=("red",), changes={"speed": 2.0}))
    session.apply(commands.SetBodies(id=1, actors=("ball",), changes={"mass": 3}))
    session.apply(commands.SetGravity(id=1, to=(0, -1.6, 0)))
    expected = crash_session(session)
    (found,) = find_recoverable(tmp_path)
    assert "gravity" in str(found)
    recovered = Session.from_recovery(found, state=tmp_path)
    assert text(recovered.stage) == expected
    recovered.close()


def test_renamed_actor_keeps_its_body(stage):
    edited, _ = do(stage, commands.RenameActor, actor="red", name="runner")
    assert edited["runner"].mover == stage["red"].mover
    assert edited.gravity == stage.gravity
