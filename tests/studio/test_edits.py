"""An edit does what the gesture shows, is named in animators' words, or is refused in a sentence."""

import json
from dataclasses import replace
from typing import get_args

import numpy as np
import pytest

from keypose import (
    Actor,
    Body,
    Follow,
    Key,
    KeyposeError,
    KeyTimes,
    Motion,
    MotionPath,
    Orientation,
    SpeedProfile,
    Sphere,
    Stage,
)
from keypose.document.scene import read, scene_object
from keypose.studio.edits.apply import EDITS, apply_edit
from keypose.studio.protocol import commands
from tests.studio.edit_calls import do, given_path, position_of, refused
from tests.studio.scenes import HiddenWatchMover, mixed_stage, text

HALF = tuple(Orientation.turned(180, "y").wxyz.tolist())
QUARTER = tuple(Orientation.turned(90, "z").wxyz.tolist())


@pytest.fixture
def stage():
    return mixed_stage()


def test_every_edit_command_has_an_edit():
    by_the_page = {commands.KeepPointer}  # it knows which way the mouse went, and makes an ordinary edit of it
    assert {kind for kind in get_args(commands.AnyMessage) if issubclass(kind, commands.Edit)} - by_the_page == set(
        EDITS
    )


# ---- what keys say ---------------------------------------------------------------------------------------------------


def test_keys_are_set_by_scene_file_fields(stage):
    edited, label = do(stage, commands.SetKeys, actor="red", keys=(1,), changes={"tension": 0.25, "name": "top"})
    assert (given_path(edited, "red").keys[1].tension, given_path(edited, "red").keys[1].name) == (0.25, "top")
    assert label == "tension and name of key 1 of red"
    restored, label = do(edited, commands.SetKeys, actor="red", keys=(1,), changes={"tension": None, "name": None})
    assert text(restored) == text(stage)
    assert label == "tension and name of top of red"


def test_unknown_key_field_is_refused_as_in_the_scene_file(stage):
    assert "keys[1].tensoin: There is no such field in a key. Did you mean 'tension'?" in refused(
        stage, commands.SetKeys, actor="red", keys=(1,), changes={"tensoin": 1}
    )
    assert "keys[1].tension: It is the text 'x'. Give a finite number" in refused(
        stage, commands.SetKeys, actor="red", keys=(1,), changes={"tension": "x"}
    )


def test_duplicate_key_names_and_decreasing_times_are_refused(stage):
    assert "both named 'a'" in refused(stage, commands.SetKeys, actor="red", keys=(0, 3), changes={"name": "a"})
    assert "Times must increase" in refused(stage, commands.SetKeys, actor="flat", keys=(1,), changes={"time": 2.5})


def test_renamed_key_stays_captured(stage):
    edited, _ = do(stage, commands.SetKeys, actor="red", keys=(2,), changes={"name": "hop"})
    assert edited["red"].motion.capture == {"hop": 1.5}
    edited, _ = do(edited, commands.SetKeys, actor="red", keys=(2,), changes={"name": None})
    assert edited["red"].motion.capture == {2: 1.5}


def test_effect_sets_tension_continuity_and_bias(stage):
    edited, label = do(stage, commands.ApplyEffect, actor="red", keys=(2,), effect="corner")
    key = given_path(edited, "red").keys[2]
    assert (key.tension, key.continuity, key.bias) == (0, -1, 0)
    assert label == "corner at bounce of red"
    assert "There is no effect 'cornr'" in refused(
        stage, commands.ApplyEffect, actor="red", keys=(2,), effect="cornr"
    ).replace("the text ", "")


def test_effect_replaces_the_previous_effect_completely(stage):
    once, _ = do(stage, commands.ApplyEffect, actor="red", keys=(1,), effect="linear")
    twice, _ = do(once, commands.ApplyEffect, actor="red", keys=(1,), effect="tight")
    assert text(twice) == text(do(stage, commands.ApplyEffect, actor="red", keys=(1,), effect="tight")[0])


# ---- keys come and go ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("actor", "u"), [("red", 1.3), ("flat", 0.7), ("sketch", 1.5), ("cup", 0.5)])
def test_inserted_key_keeps_the_shape_and_the_times(stage, actor, u):
    edited, label = do(stage, commands.InsertKey, actor=actor, u=u)
    t = np.linspace(0, 2, 9)
    assert edited[actor].motion.at(t).position == pytest.approx(stage[actor].motion.at(t).position, abs=1e-6)
    assert label == f"insert key {int(u) + 1} of {actor}"
    assert edited[actor].motion.capture == stage[actor].motion.capture


def test_key_inserted_between_relative_keys_lies_on_the_shown_path(stage):
    edited, _ = do(stage, commands.InsertKey, actor="hand", u=0.5)
    assert position_of(edited, "hand", 0.5) == pytest.approx(position_of(stage, "hand", 0.5), abs=1e-3)
    between, _ = do(stage, commands.InsertKey, actor="hand", u=1.5)
    assert given_path(between, "hand").keys[2].relative_to == "table"
    assert position_of(between, "hand", 1.5) == pytest.approx(position_of(stage, "hand", 1.5), abs=1e-3)


def test_deleted_keys_remove_their_times_and_captures(stage):
    edited, label = do(stage, commands.DeleteKeys, actor="sketch", keys=(1,))
    assert edited["sketch"].motion.timing == KeyTimes([0, 3])
    assert label == "delete key 1 of sketch"
    edited, _ = do(stage, commands.DeleteKeys, actor="red", keys=(0, 2))
    assert edited["red"].motion.capture == {}
    assert len(given_path(edited, "red")) == 2
    assert "fewer than two keys" in refused(stage, commands.DeleteKeys, actor="red", keys=(0, 1, 2))


def test_captures_by_index_follow_their_key(stage):
    stage, _ = do(stage, commands.SetKeys, actor="red", keys=(2,), changes={"name": None})
    assert do(stage, commands.DeleteKeys, actor="red", keys=(1,))[0]["red"].motion.capture == {1: 1.5}
    assert do(stage, commands.InsertKey, actor="red", u=0.5)[0]["red"].motion.capture == {3: 1.5}


def test_copied_keys_are_pasted_after_a_key_without_their_names(stage):
    copied = tuple(scene_object(read(text(stage)))["actors"][0]["path"]["keys"].items)
    edited, label = do(stage, commands.PasteKeys, actor="red", after=3, keys=copied[1:3])
    assert [key.position.tolist() for key in given_path(edited, "red").keys[4:]] == [[1, 2, 0], [3, 1, 0]]
    assert [key.name for key in given_path(edited, "red").keys] == [None, None, "bounce", None, None, None]
    assert label == "paste 2 keys into red"
    front, _ = do(stage, commands.PasteKeys, actor="red", after=-1, keys=copied[:1])
    assert len(given_path(front, "red")) == 5


def test_keys_pasted_into_a_timed_path_get_times_between(stage):
    edited, _ = do(stage, commands.PasteKeys, actor="flat", after=1, keys=({"position": [5, 5]}, {"position": [6, 5]}))
    assert given_path(edited, "flat").times.tolist() == [0, 0.5, 1, 1.5, 2]
    edited, _ = do(stage, commands.PasteKeys, actor="sketch", after=2, keys=({"position": [[5, 5], [1, 1]]},))
    assert edited["sketch"].motion.timing == KeyTimes([0, 1, 3, 5])
    assert "shape (3,)" in refused(stage, commands.PasteKeys, actor="flat", after=1, keys=({"position": [5, 5, 5]},))


def test_reordered_key_leaves_the_times_unchanged(stage):
    edited, label = do(stage, commands.ShiftKey, actor="flat", key=0, to=2)
    assert [key.position.tolist() for key in given_path(edited, "flat").keys] == [[1, 1], [2, 0], [0, 0]]
    assert given_path(edited, "flat").times.tolist() == [0, 0.5, 2]
    assert label == "bring key 0 of flat to 2"


def captured_stage(captured, **style):
    """An actor under a drawn speed, some of whose keys were nudged: captures are by number."""
    path = MotionPath([(0, 0, 0), (1, 0, 0), (2, 1, 0), (3, 0, 0), (4, 0, 1)], **style)
    return Stage([Actor("a", Motion(path, SpeedProfile([1, 2, 1]), duration=4, capture=captured))])


def test_reordered_key_keeps_its_capture_time():
    edited, label = do(captured_stage({2: 1.7}), commands.ShiftKey, actor="a", key=2, to=3)
    assert (edited["a"].motion.capture, label) == ({3: 1.7}, "bring key 2 of a to 3")
    assert edited["a"].motion.at(1.7).position == pytest.approx([2, 1, 0])
    edited, label = do(captured_stage({1: 0.9, 3: 2.9}), commands.ShiftKey, actor="a", key=2, to=1)
    assert (edited["a"].motion.capture, label) == ({2: 0.9, 3: 2.9}, "bring key 2 of a to 1")


def test_key_moved_past_a_captured_key_loses_its_capture_and_label_says_so():
    edited, label = do(captured_stage({1: 0.9, 3: 2.9}), commands.ShiftKey, actor="a", key=1, to=3)
    assert edited["a"].motion.capture == {2: 2.9}
    assert label == "bring key 1 of a to 3, without the capture of key 1"
    edited, label = do(captured_stage({1: 0.9, 3: 2.9}), commands.ShiftKey, actor="a", key=3, to=1)
    assert (edited["a"].motion.capture, label) == ({2: 0.9}, "bring key 3 of a to 1, without the capture of key 3")


def test_captured_key_that_becomes_an_end_key_loses_its_capture():
    edited, label = do(captured_stage({1: 0.9, 3: 2.9}), commands.DeleteKeys, actor="a", keys=(0, 4))
    assert (edited["a"].motion.capture, len(given_path(edited, "a"))) == ({}, 3)
    assert label == "delete 2 keys of a, without the capture of key 1 and key 3"
    edited, label = do(captured_stage({1: 0.9, 3: 2.9}), commands.ShiftKey, actor="a", key=0, to=4)
    assert (edited["a"].motion.capture, label) == ({2: 2.9}, "bring key 0 of a to 4, without the capture of key 1")
    edited, _ = do(
        captured_stage({0: 0.0, 4: 4.0}), commands.PasteKeys, actor="a", after=-1, keys=({"position": [9, 9, 9]},)
    )
    assert edited["a"].motion.capture == {5: 4.0}


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("captured", [{2: 1.7}, {1: 0.9, 3: 2.9}, {1: 0.5, 2: 1.0, 3: 3.5}])
def test_keys_of_a_captured_motion_can_be_reordered_deleted_and_pasted(closed, captured):
    stage, new = captured_stage(captured, closed=closed), ({"position": [9, 9, 9]},)
    for key in range(5):
        for to in {*range(5)} - {key}:
            do(stage, commands.ShiftKey, actor="a", key=key, to=to)
        do(stage, commands.DeleteKeys, actor="a", keys=(key,))
        do(stage, commands.PasteKeys, actor="a", after=key, keys=new)
    do(stage, commands.PasteKeys, actor="a", after=-1, keys=new)


# ---- drawings --------------------------------------------------------------------------------------------------------


def test_point_moved_in_world_space_follows_the_pointer_under_a_parent():
    ring = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0]])
    post = MotionPath([Key((3, 0, 0), orientation=Orientation.turned(90, "y")), Key((5, 0, 0))])
    cloth = Actor("cloth", Motion(MotionPath([Key(ring), Key(ring + 1)]), duration=1.0), parent="post")
    stage = Stage([Actor("post", Motion(post, duration=1.0)), cloth])
    arguments = {"actor": "cloth", "key": 1, "points": (2,), "by": (0.5, 0.25, -1)}
    before = position_of(stage, "cloth", 1.0)
    edited, _ = do(stage, commands.MovePoints, **arguments, in_world=True)
    assert position_of(edited, "cloth", 1.0) - before == pytest.approx(
        np.array([[0] * 3, [0] * 3, arguments["by"]]), abs=1e-9
    )
    edited, _ = do(stage, commands.MovePoints, **arguments)
    assert given_path(edited, "cloth").keys[1].position[2] == pytest.approx(ring[2] + 1 + arguments["by"])


def test_points_of_a_drawing_are_moved_and_redrawn(stage):
    edited, label = do(stage, commands.MovePoints, actor="sketch", key=1, points=(1,), by=(0.5, 0.5, 3))
    assert given_path(edited, "sketch").keys[1].position.tolist() == [[0, 1], [1.5, 1.5]]
    assert label == "move point 1 in key 1 of sketch"
    edited, label = do(stage, commands.DrawPoints, actor="sketch", key=1, places=((7, 7, 0), (8, 8, 0)))
    assert given_path(edited, "sketch").keys[1].position.tolist() == [[7, 7], [8, 8]]
    assert label == "draw key 1 of sketch"
    assert "every key of this path has 2" in refused(
        stage, commands.DrawPoints, actor="sketch", key=1, places=((7, 7, 0),)
    )
    assert "no point 2" in refused(stage, commands.MovePoints, actor="sketch", key=1, points=(2,), by=(1, 0, 0))
    assert "is no drawing" in refused(stage, commands.MovePoints, actor="red", key=1, points=(0,), by=(1, 0, 0))


# ---- paths and speeds ------------------------------------------------------------------------------------------------


def test_path_options_are_set(stage):
    edited, label = do(stage, commands.SetPath, actor="red", changes={"tension": 0.5, "closed": True})
    assert given_path(edited, "red").options.non_defaults() == {"tension": 0.5, "closed": True}
    assert label == "tension and closed of the path of red"
    assert text(do(edited, commands.SetPath, actor="red", changes={"tension": None, "closed": None})[0]) == text(stage)
    assert "path.ends: " in refused(stage, commands.SetPath, actor="red", changes={"ends": "nowhere"})


def test_motion_options_are_set(stage):
    edited, label = do(stage, commands.SetMotion, actor="red", changes={"duration": 3, "outside": "mirror"})
    assert (edited["red"].motion.duration, edited["red"].motion.outside) == (3, "mirror")
    assert label == "duration and outside of red"
    assert edited["red"].motion.path is stage["red"].motion.path
    assert "duration: It is 0" in refused(stage, commands.SetMotion, actor="red", changes={"duration": 0})


def test_speed_profile_is_set_raised_extended_and_removed(stage):
    edited, label = do(stage, commands.SetSpeed, actor="red", values=(1, 8, 1, 1))
    assert (edited["red"].motion.timing, label) == (SpeedProfile([1, 8, 1, 1]), "draw the speed of red")
    edited, label = do(edited, commands.RaiseSpeed, actor="red", index=2, value=3)
    assert (edited["red"].motion.timing, label) == (SpeedProfile([1, 8, 3, 1]), "speed value 2 of red")
    edited, _ = do(edited, commands.InsertSpeed, actor="red", x=1, value=2)
    assert edited["red"].motion.timing == SpeedProfile([1, 8, 3, 1, 2])
    edited, _ = do(edited, commands.DeleteSpeed, actor="red", index=1)
    assert edited["red"].motion.timing == SpeedProfile([1, 3, 1, 2])
    edited, label = do(edited, commands.SetSpeed, actor="red", values=None)
    assert (edited["red"].motion.timing, edited["red"].motion.duration, label) == (None, 2, "steady speed of red")


def test_key_times_apply_again_after_speed_profile_is_removed(stage):
    assert "goes by the times" in refused(stage, commands.RaiseSpeed, actor="flat", index=0, value=1)
    with_speed, _ = do(stage, commands.SetSpeed, actor="flat", values=(1, 2))
    assert text(do(with_speed, commands.SetSpeed, actor="flat", values=None)[0]) == text(stage)


def test_key_time_is_nudged_by_frames(stage):
    edited, label = do(stage, commands.NudgeKey, actor="flat", key=1, frames=6)
    assert given_path(edited, "flat").times.tolist() == [0, 0.75, 2]
    assert label == "pass key 1 of flat 6 frames later"
    edited, _ = do(stage, commands.NudgeKey, actor="red", key=2, frames=-12)
    assert edited["red"].motion.capture == {"bounce": 1.0}
    edited, _ = do(stage, commands.NudgeKey, actor="sketch", key=1, frames=12)
    assert edited["sketch"].motion.timing == KeyTimes([0, 1.5, 3])
    assert "pass or meet key 2" in refused(stage, commands.NudgeKey, actor="flat", key=1, frames=999)


# ---- the cast --------------------------------------------------------------------------------------------------------


def test_actors_are_added_and_removed(stage):
    ball = {"name": "ball", "path": {"keys": [{"position": [0, 0]}, {"position": [1, 0]}]}, "duration": 1}
    edited, label = do(stage, commands.AddActor, actor=ball)
    assert (edited.names[-1], label) == ("ball", "add ball")
    removed, label = do(edited, commands.RemoveActor, actor="ball")
    assert (text(removed), label) == (text(stage), "remove ball")
    assert "An actor is named 'red' already" in refused(stage, commands.AddActor, actor=ball | {"name": "red"})
    assert "Nothing moves it" in refused(stage, commands.AddActor, actor={"name": "ball"})


def test_actor_with_dependents_is_not_removed_and_they_are_named(stage):
    reason = refused(stage, commands.RemoveActor, actor="table")
    assert reason == (
        "Actor 'table' cannot go: 'cup' stands on it and 'hand' has a key relative to it. Change that first."
    )
    assert "'hand' looks at it and 'shade' watches it" in refused(stage, commands.RemoveActor, actor="red")


def test_references_follow_a_renamed_actor(stage):
    edited, label = do(stage, commands.RenameActor, actor="table", name="desk")
    assert edited["cup"].parent == "desk"
    assert edited["hand"].carriers == ("desk",)
    assert label == "rename table to desk"
    edited, _ = do(edited, commands.RenameActor, actor="red", name="blue")
    assert edited["hand"].facing.name == "blue"
    assert edited["shade"].mover.leader == "blue"
    assert edited["shade"].mover.note == "red"
    assert edited.names == ("blue", "desk", *stage.names[2:])
    assert position_of(edited, "hand", [0.5, 1.5]) == pytest.approx(position_of(stage, "hand", [0.5, 1.5]))


def test_follower_relative_to_a_renamed_actor_follows_the_new_name():
    ball = Body(Sphere(0.1))
    keys = {one: [(0, 0, 0), Key((1, 0, 0), relative_to=two)] for one, two in (("left", "right"), ("right", "left"))}
    stage = Stage([Actor(name, Follow(MotionPath(spec), ball, within=0.2)) for name, spec in keys.items()])
    edited, _ = do(stage, commands.RenameActor, actor="left", name="paw")
    assert edited["right"].mover.carriers == ("paw",)
    assert edited["paw"].mover == stage["left"].mover
    assert "'right' has a key relative to it" in refused(stage, commands.RemoveActor, actor="left")


def test_name_hidden_inside_a_mover_cannot_change(stage):
    with_ghost = stage.with_actor(Actor("ghost", HiddenWatchMover()))
    with pytest.raises(KeyposeError, match="The mover of 'ghost' watches 'red' and holds that name inside"):
        apply_edit(with_ghost, commands.RenameActor(id=1, actor="red", name="blue"))
    assert "is named 'cup' already" in refused(stage, commands.RenameActor, actor="red", name="cup")


def test_parent_and_look_of_an_actor_are_set(stage):
    edited, label = do(
        stage, commands.SetActor, actor="eye", changes={"parent": "cup", "look": {"kind": "camera", "fov": 30}}
    )
    assert (edited["eye"].parent, edited["eye"].look.fov) == ("cup", 30)
    assert label == "parent and look of eye"
    assert text(
        do(edited, commands.SetActor, actor="eye", changes={"parent": None, "look": {"kind": "camera", "fov": 40}})[0]
    ) == (text(stage))
    assert "Did you mean 'cup'" in refused(stage, commands.SetActor, actor="eye", changes={"parent": "cupp"})
    assert "in a circle" in refused(stage, commands.SetActor, actor="table", changes={"parent": "cup"})


def test_key_edit_of_an_actor_without_keys_is_refused(stage):
    assert refused(stage, commands.MoveKeys, actor="shade", keys=(0,), by=(1, 0, 0)) == (
        "Actor 'shade' takes ticks and has no keys. Change its mover in Python."
    )
    assert "Did you mean 'red'?" in refused(stage, commands.MoveKeys, actor="rde", keys=(0,), by=(1, 0, 0))
    assert "There is no key 9" in refused(stage, commands.MoveKeys, actor="red", keys=(9,), by=(1, 0, 0))


# ---- the scene -------------------------------------------------------------------------------------------------------


def test_scene_defines_its_own_effects(stage):
    edited, label = do(stage, commands.DefineEffect, name="snap", values={"tension": 0.4, "bias": -0.5})
    assert label == "effect snap"
    applied, _ = do(edited, commands.ApplyEffect, actor="red", keys=(1,), effect="snap")
    assert given_path(applied, "red").keys[1].bias == -0.5
    removed, label = do(edited, commands.DefineEffect, name="snap", values={})
    assert (text(removed), label) == (text(stage), "delete the effect snap")
    assert "effects.snap.tensoin" in refused(stage, commands.DefineEffect, name="snap", values={"tensoin": 0.4})


def test_set_scene_replaces_the_scene_and_shares_equal_actors(stage):
    other = stage.with_actor(replace(stage["red"], look="red"))
    edited, label = do(stage, commands.SetScene, scene=json.loads(text(other)))
    assert text(edited) == text(other)
    assert label == "set the scene"
    assert edited["cup"] is stage["cup"]
    assert "actors[0]" in refused(stage, commands.SetScene, scene={"keypose": 1, "actors": [{"name": "x"}]})
    assert isinstance(edited["red"].motion, Motion)
