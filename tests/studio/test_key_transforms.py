"""Keys, facings and tangents go where the pointer goes, whatever carries them."""

import numpy as np
import pytest

from keypose import (
    KeyTimes,
    Orientation,
)
from keypose.studio.edits.orientations import euler_degrees
from keypose.studio.protocol import commands
from tests.studio.edit_calls import do, given_path, position_of, refused
from tests.studio.scenes import mixed_stage, text

HALF = tuple(Orientation.turned(180, "y").wxyz.tolist())
QUARTER = tuple(Orientation.turned(90, "z").wxyz.tolist())


@pytest.fixture
def stage():
    return mixed_stage()


# ---- moving and turning ----------------------------------------------------------------------------------------------


def test_key_moves_by_the_pointer_offset(stage):
    edited, label = do(stage, commands.MoveKeys, actor="red", keys=(1,), by=(1, 0, -2))
    assert given_path(edited, "red").keys[1].position.tolist() == [2, 2, -2]
    assert label == "move key 1 of red"
    assert given_path(stage, "red").keys[1].position.tolist() == [1, 2, 0]


def test_named_key_is_labelled_by_its_name(stage):
    assert do(stage, commands.MoveKeys, actor="red", keys=(2,), by=(1, 0, 0))[1] == "move bounce of red"


def test_several_keys_move_together_once_each(stage):
    edited, label = do(stage, commands.MoveKeys, actor="red", keys=(3, 0, 3), by=(0, 1, 0))
    assert [key.position[1] for key in given_path(edited, "red").keys] == [1, 2, 1, 5]
    assert label == "move 2 keys of red"


def test_edit_shares_unchanged_actors_and_keys(stage):
    edited, _ = do(stage, commands.MoveKeys, actor="red", keys=(1,), by=(1, 0, 0))
    assert all(edited[name] is stage[name] for name in stage.names if name != "red")
    far = given_path(do(stage, commands.SetPath, actor="red", changes={"tension": 0.5})[0], "red")
    assert far.keys is given_path(stage, "red").keys


def test_key_of_a_child_of_a_turned_parent_moves_in_world_space(stage):
    edited, _ = do(stage, commands.MoveKeys, actor="cup", keys=(0,), by=(1, 0, 0), time=0.0)
    offset = position_of(edited, "cup", 0.0) - position_of(stage, "cup", 0.0)
    assert offset == pytest.approx([1, 0, 0])
    assert given_path(edited, "cup").keys[0].position == pytest.approx([0, 1, 1])


def test_keys_move_in_the_frame_at_their_own_pass_time(stage):
    stage, _ = do(stage, commands.TurnKeys, actor="table", keys=(1,), by=HALF)
    timed, moments = stage["cup"].motion.retimed(KeyTimes([0, 1, 3])), np.array([0.0, 1.0, 3.0])
    stage = stage.with_actor(stage["cup"].changed(motion_or_mover=timed))
    edited, _ = do(stage, commands.MoveKeys, actor="cup", keys=(0, 1, 2), by=(1, 0, 2))
    assert position_of(edited, "cup", moments) - position_of(stage, "cup", moments) == pytest.approx(
        np.tile([1, 0, 2], (3, 1))
    )
    edited, _ = do(stage, commands.TurnKeys, actor="cup", keys=(0, 1, 2), by=QUARTER)
    before, after = (one.resolved.evaluator(moments).pose("cup").orientation for one in (stage, edited))
    for one, two in zip(before, after, strict=True):
        assert (Orientation.of(QUARTER) @ Orientation.of(one)).angle_to(Orientation.of(two)) < 1e-3


def test_relative_keys_move_in_the_frame_at_their_own_pass_time(stage):
    stage, _ = do(stage, commands.TurnKeys, actor="table", keys=(1,), by=HALF)
    moments = np.array([1.0, 2.0])
    edited, _ = do(stage, commands.MoveKeys, actor="hand", keys=(1, 2), by=(0.5, 0, 0))
    assert position_of(edited, "hand", moments) - position_of(stage, "hand", moments) == pytest.approx(
        np.tile([0.5, 0, 0], (2, 1))
    )


def test_keys_of_a_child_of_a_simulated_parent_move_in_its_frame_at_pass_time(stage):
    stage, _ = do(stage, commands.SetActor, actor="shade", changes={"parent": "table"})
    stage, _ = do(stage, commands.SetActor, actor="flat", changes={"parent": "shade"})
    edited, _ = do(stage, commands.MoveKeys, actor="flat", keys=(0, 2), by=(0, 0, 1))
    assert given_path(edited, "flat").keys[0].position == pytest.approx([-1, 0])
    assert given_path(edited, "flat").keys[2].position == pytest.approx([1, 0])


def test_relative_key_moves_in_world_space(stage):
    edited, _ = do(stage, commands.MoveKeys, actor="hand", keys=(2,), by=(0.5, 0, 0), time=2.0)
    assert position_of(edited, "hand", 2.0) - position_of(stage, "hand", 2.0) == pytest.approx([0.5, 0, 0])


def test_pinned_key_moves_in_the_frame_where_it_was_pinned(stage):
    turning = {"keys": (1,), "by": HALF}
    stage, _ = do(stage, commands.TurnKeys, actor="table", **turning)
    edited, _ = do(stage, commands.MoveKeys, actor="hand", keys=(1,), by=(0.5, 0, 0), time=3.9)
    assert position_of(edited, "hand", 1.0) - position_of(stage, "hand", 1.0) == pytest.approx([0.5, 0, 0])


def test_key_of_a_flat_path_stays_in_its_plane(stage):
    edited, _ = do(stage, commands.MoveKeys, actor="flat", keys=(1,), by=(1, 1, 7))
    assert given_path(edited, "flat").keys[1].position.tolist() == [2, 2]


def test_drawing_moves_as_a_whole(stage):
    edited, _ = do(stage, commands.MoveKeys, actor="sketch", keys=(0,), by=(1, 2, 0))
    assert given_path(edited, "sketch").keys[0].position.tolist() == [[1, 2], [2, 2]]


def test_key_turns_in_world_space_about_its_own_position(stage):
    edited, label = do(stage, commands.TurnKeys, actor="hand", keys=(1,), by=QUARTER, time=0.0)
    frame = Orientation.turned(90, "y")
    facing = given_path(edited, "hand").keys[1].orientation
    assert (frame @ facing).angle_to(Orientation.of(QUARTER) @ frame) == pytest.approx(0, abs=1e-6)
    assert label == "turn grasp of hand"


def test_turned_key_keeps_its_turn_tangents(stage):
    edited, _ = do(stage, commands.TurnKeys, actor="flat", keys=(1,), by=QUARTER)
    assert given_path(edited, "flat").keys[1].orientation.arrive.tolist() == [0, 0.1, 0]


def test_keys_get_one_coordinate_and_keep_the_others(stage):
    before = [key.position.tolist() for key in given_path(stage, "red").keys]
    edited, label = do(stage, commands.PlaceKeys, actor="red", keys=(3, 1), to=(None, 0.1, None))
    after = [key.position.tolist() for key in given_path(edited, "red").keys]
    assert [after[1], after[3]] == [[before[1][0], 0.1, before[1][2]], [before[3][0], 0.1, before[3][2]]]
    assert [after[0], after[2]] == [before[0], before[2]]
    assert label == "place of 2 keys of red"


def test_placing_a_drawing_or_giving_no_coordinate_is_refused(stage):
    assert "is a drawing of many places" in refused(
        stage, commands.PlaceKeys, actor="sketch", keys=(0,), to=(1, None, None)
    )
    nothing = refused(stage, commands.PlaceKeys, actor="red", keys=(1,), to=(None, None, None))
    assert nothing == "Nothing was said of the place of key 1 of red. Give a number for one of its axes."


def test_keys_get_given_euler_angles_and_keep_the_others(stage):
    start, _ = do(stage, commands.FaceKeys, actor="red", keys=(1,), degrees=(30, 20, 10))
    edited, label = do(start, commands.FaceKeys, actor="red", keys=(1,), degrees=(None, -45, None))
    expected = Orientation.from_euler((30, -45, 10), "YXZ")
    assert given_path(edited, "red").keys[1].orientation.angle_to(expected) == pytest.approx(0, abs=1e-6)
    assert label == "facing of key 1 of red"
    assert "Give its turn, nod or tilt" in refused(
        stage, commands.FaceKeys, actor="red", keys=(1,), degrees=(None,) * 3
    )


def test_euler_angles_keep_turn_tangents_and_quaternion_sign(stage):
    edited, _ = do(stage, commands.FaceKeys, actor="flat", keys=(1,), degrees=(90, None, None))
    assert given_path(edited, "flat").keys[1].orientation.arrive.tolist() == [0, 0.1, 0]
    other = stage
    for by in ((0, 0, 1, 0), (0, 0, 1, 0)):  # twice half round: the same facing with the other sign
        other, _ = do(other, commands.TurnKeys, actor="red", keys=(1,), by=by)
    signed = given_path(other, "red").keys[1].orientation.wxyz
    assert signed[0] < 0
    turned, _ = do(other, commands.FaceKeys, actor="red", keys=(1,), degrees=(1, None, None))
    assert np.dot(given_path(turned, "red").keys[1].orientation.wxyz, signed) > 0.9


def test_euler_angle_signs_match_left_down_and_right():
    ahead, up = np.array([0, 0, 1]), np.array([0, 1, 0])
    left = np.cross(up, ahead)
    turn, nod, tilt = (Orientation.from_euler(one, "YXZ") for one in np.diag([30.0, 30.0, 30.0]))
    assert turn.rotate(ahead) @ left > 0.4
    assert nod.rotate(ahead) @ up < -0.4
    assert tilt.rotate(up) @ left < -0.4
    for one, expected in zip((turn, nod, tilt), np.diag([30.0, 30.0, 30.0]), strict=True):
        assert euler_degrees(one.wxyz[np.newaxis])[0] == pytest.approx(expected)


def test_euler_angles_round_trip_every_orientation():
    facings = np.random.default_rng(3).normal(size=(500, 4))
    facings /= np.linalg.norm(facings, axis=1)[:, np.newaxis]
    straight = [Orientation.from_euler((turn, nod, 0), "YXZ").wxyz for turn in (0, 40, -170) for nod in (90, -90)]
    for facing in (*facings, *straight):
        degrees = euler_degrees(facing[np.newaxis])[0]
        restored = Orientation.from_euler(degrees, "YXZ")
        assert abs(restored.wxyz @ facing) == pytest.approx(1, abs=1e-9)
        assert (np.abs(degrees) <= (180, 90, 180)).all()


def test_keys_relative_to_a_simulated_actor_can_be_moved(stage):
    changes = {"relative_to": "shade", "pin": False}
    stage, _ = do(stage, commands.SetKeys, actor="hand", keys=(2,), changes=changes)
    edited, _ = do(stage, commands.MoveKeys, actor="hand", keys=(2,), by=(1, 0, 0), time=1.0)
    assert given_path(edited, "hand").keys[2].position.tolist() == [2, 1, 1]


# ---- tangents --------------------------------------------------------------------------------------------------------


def test_dragged_tangent_is_manual_and_resets_to_tcb(stage):
    edited, label = do(stage, commands.DragTangent, actor="red", key=1, side="leave", to=(9, 0, 1))
    assert given_path(edited, "red").leave[1].tolist() == [9, 0, 1]
    assert given_path(edited, "red").keys[1].arrive is None
    assert label == "leave tangent of key 1 of red"
    restored, label = do(edited, commands.BackToTcb, actor="red", keys=(0, 1))
    assert text(restored) == text(stage)
    assert label == "back to TCB at 2 keys of red"


def test_tangent_is_dragged_in_world_space(stage):
    edited, _ = do(stage, commands.DragTangent, actor="cup", key=1, side="both", to=(1, 0, 0))
    assert given_path(edited, "cup").keys[1].arrive == pytest.approx([0, 0, 1])
    assert given_path(edited, "cup").keys[1].leave == pytest.approx([0, 0, 1])


def test_tangent_of_a_drawing_is_the_mean_of_its_points(stage):
    before = stage["sketch"].motion.path.leave[1]
    edited, _ = do(stage, commands.DragTangent, actor="sketch", key=1, side="leave", to=(5, 5, 5))
    after = edited["sketch"].motion.path.leave[1]
    assert after.mean(axis=0) == pytest.approx([5, 5])
    assert np.diff(after, axis=0) == pytest.approx(np.diff(before, axis=0))


def test_reset_to_tcb_frees_the_turn_too_and_is_refused_if_nothing_is_manual(stage):
    edited, _ = do(stage, commands.BackToTcb, actor="flat", keys=(1,))
    assert isinstance(given_path(edited, "flat").keys[1].orientation, Orientation)
    assert refused(edited, commands.BackToTcb, actor="flat", keys=(1,)).startswith(
        "No tangent is set by hand at key 1 of flat"
    )
