"""The keys of a path along which a reach leads somebody are seen and shaped as those of a follower are."""

from dataclasses import replace

import numpy as np
import pytest

from keypose import Actor, Body, Free, Key, Motion, MotionPath, Reach, Script, Sphere, Stage
from keypose.studio.present.scene import scene_view
from keypose.studio.preview.preview import Preview
from keypose.studio.protocol import commands
from keypose.studio.protocol.updates.updates import Step
from keypose.studio.session.session import Session
from tests.physics.arms import HAND_PATH, arm
from tests.studio.edit_calls import do, refused, undo

HAND = "arm/hand"
WALK = Motion(MotionPath([(0, 0, 1), (2, 0, 1)]), duration=2.0)


@pytest.fixture
def stage():
    return Stage([Actor("arm", arm()), Actor("wagon", WALK)], connections=[Reach(HAND, HAND_PATH, within=0.2)])


def reach_path(stage):
    return stage.connections[0].goal


def scene_update(stage):
    return scene_view(Preview(stage), (), True, (1, 1), Step(undo=None, redo=None), None, True)


def test_driven_link_view_has_the_reach_keys_and_their_target_times(stage):
    (driven,) = scene_update(stage).driven
    assert (driven.name, driven.is_driven, driven.follow, driven.kind) == (HAND, True, None, "mover")
    assert [key.spec["position"] for key in driven.keys] == [list(key.position) for key in HAND_PATH.keys]
    times = [key.time for key in driven.keys]
    assert times[0] == 0 < times[1] < times[2]
    reach_to_actor = stage.changed(connections=[Reach(HAND, "wagon", within=0.2)])
    assert scene_update(reach_to_actor).driven == ()
    assert not any(one.is_driven or one.keys for one in scene_update(reach_to_actor).actors if one.name == "arm")


def test_driven_free_body_has_the_reach_keys_itself():
    ball = Stage(
        [Actor("ball", Free(Body(Sphere(0.1)), (0.85, 1, 0)))], connections=[Reach("ball", HAND_PATH, within=0.2)]
    )
    (view,) = scene_update(ball).actors
    assert (view.is_driven, len(view.keys)) == (True, 3)
    assert do(ball, commands.DeleteKeys, actor="ball", keys=(1,))[1] == "delete key 1 of ball"


def test_reach_keys_are_moved_placed_shaped_and_turned(stage):
    moved, label = do(stage, commands.MoveKeys, actor=HAND, keys=(1,), by=(0.1, 0, 0))
    assert label == f"move key 1 of {HAND}"
    assert reach_path(moved).keys[1].position == pytest.approx((0.7, 0.6, 0))
    assert moved.connections[0] == replace(stage.connections[0], goal=reach_path(moved)), (
        "all else stays as it was said"
    )
    placed, _ = do(stage, commands.PlaceKeys, actor=HAND, keys=(2,), to=(None, 0.5, None))
    assert reach_path(placed).keys[2].position.tolist() == [0.4, 0.5, 0]
    tight, _ = do(stage, commands.SetKeys, actor=HAND, keys=(1,), changes={"tension": 0.5})
    assert reach_path(tight).keys[1].tension == 0.5
    by_hand, _ = do(stage, commands.DragTangent, actor=HAND, key=1, side="both", to=(0, -1, 0))
    assert reach_path(by_hand).leave[1].tolist() == [0, -1, 0]
    assert do(by_hand, commands.BackToTcb, actor=HAND, keys=(1,))[0] == stage
    faced, _ = do(stage, commands.FaceKeys, actor=HAND, keys=(0,), degrees=(90, None, None))
    assert reach_path(faced).geometry.turns is not None
    closed, _ = do(stage, commands.SetPath, actor=HAND, changes={"closed": True, "tension": 0.2})
    assert reach_path(closed).closed


def test_reach_keys_are_inserted_deleted_pasted_and_reordered(stage):
    more, label = do(stage, commands.InsertKey, actor=HAND, u=0.5)
    assert label == f"insert key 1 of {HAND}"
    assert len(reach_path(more)) == 4
    u = np.linspace(0, 2, 50)
    shifted_u = np.where(u < 0.5, 2 * u, np.where(u < 1, 1 + 2 * (u - 0.5), u + 1))
    assert np.allclose(reach_path(more).at(shifted_u), HAND_PATH.at(u)), "the curve keeps its shape"
    assert len(reach_path(do(more, commands.DeleteKeys, actor=HAND, keys=(1,))[0])) == 3
    pasted, _ = do(stage, commands.PasteKeys, actor=HAND, after=2, keys=({"position": [0.3, 0.2, 0]},))
    assert reach_path(pasted).keys[3].position.tolist() == [0.3, 0.2, 0]
    shifted, _ = do(stage, commands.ShiftKey, actor=HAND, key=2, to=1)
    assert reach_path(shifted).keys[1] == HAND_PATH.keys[2]


def test_relative_reach_key_is_moved_and_inserted_in_its_carrier_frame(stage):
    carried = MotionPath([(0.85, 1, 0), Key((0, 0.4, -1), relative_to="wagon"), Key((0, 0.2, -1), relative_to="wagon")])
    stage = stage.changed(connections=[Reach(HAND, carried, within=0.2)])
    moved, _ = do(stage, commands.MoveKeys, actor=HAND, keys=(1,), by=(0.1, 0, 0), time=0.5)
    assert reach_path(moved).keys[1].position == pytest.approx((0.1, 0.4, -1))
    more, _ = do(stage, commands.InsertKey, actor=HAND, u=1.5, time=0.5)
    assert reach_path(more).keys[2].relative_to == "wagon"
    assert np.abs(reach_path(more).keys[2].position[0]) < 0.2


def test_goal_follows_its_renamed_reach_key(stage):
    named = MotionPath([*HAND_PATH.keys[:2], HAND_PATH.keys[2].changed(name="low")])
    script = Script()
    script.meet({HAND: "low"}, name="greet")
    stage = stage.changed(connections=[Reach(HAND, named, within=0.2)], script=script)
    edited, _ = do(stage, commands.SetKeys, actor=HAND, keys=(2,), changes={"name": "down"})
    assert edited.script["greet"].goals == {HAND: "down"}
    assert reach_path(edited).keys[2].name == "down"
    assert "its goal in meeting 'greet'" in refused(stage, commands.DeleteKeys, actor=HAND, keys=(2,))


def test_missing_reach_keys_and_times_are_refused_with_reason(stage):
    assert "has no times" in refused(stage, commands.TimeKey, actor=HAND, key=1, time=0.5)
    assert "has no keys" in refused(stage, commands.MoveKeys, actor="arm/upper", keys=(0,), by=(1, 0, 0))


def test_reach_key_drag_is_one_undo_step(stage):
    session = Session(stage)
    for far in (0.1, 0.2, 0.3):
        session.apply(commands.MoveKeys(id=1, actor=HAND, keys=(1,), by=(far, 0, 0), gesture="drag"))
    assert reach_path(session.stage).keys[1].position == pytest.approx((0.9, 0.6, 0))
    session.apply(undo())
    assert session.stage == stage
    session.close()
