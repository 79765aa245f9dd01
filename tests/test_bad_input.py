"""Bad input gets a sentence, never a traceback from below."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import (
    Actor,
    Body,
    Box,
    Capsule,
    DynamicSpline,
    Follow,
    Free,
    Key,
    KeyposeError,
    KeyTimes,
    Meeting,
    Mesh,
    Motion,
    MotionPath,
    Orientation,
    Plane,
    Script,
    SpeedProfile,
    Sphere,
    Stage,
    Still,
    Turn,
    UnknownNameError,
    shoot,
    turn,
)

NAN, INF = float("nan"), float("inf")


def path(**options):
    return MotionPath([Key((0, 0), name="start"), Key((1, 1), name="bounce"), Key((2, 0), name="end")], **options)


def timed(*times, **options):
    return MotionPath([Key((index, index % 2), time=time) for index, time in enumerate(times)], **options)


BALL = Body(Sphere(0.3), mass=2)


def follow(body=BALL, **options):
    return Follow(path(), body, **{"within": 0.4, **options})


def stage_with_meeting(goals, **options):
    """A ball and a leaf who have such a meeting."""
    script = Script()
    script.meet(goals, **options)
    return Stage([Actor("ball", follow()), Actor("leaf", DynamicSpline((0, 0, 0)))], script=script)


# thing that goes wrong: (how, what the sentence must hold: the thing, its value, the remedy)
INVALID = {
    "no keys": (lambda: MotionPath([]), r"0 keys.* at least two"),
    "one key": (lambda: MotionPath([(0, 0)]), r"1 key\..* at least two"),
    "one key of an array": (lambda: MotionPath(np.zeros((1, 3))), r"1 key\..* at least two"),
    "keys that are a number": (lambda: MotionPath(5), r"5 .*Give a list of keys"),
    "keys that are text": (lambda: MotionPath("two keys"), r"two keys.*Give a list of keys"),
    "a flat array": (lambda: MotionPath(np.zeros(4)), r"\(4,\).*Give numbers \(keys, dim\)"),
    "a position of nan": (lambda: Key((0, NAN)), r"position .*nan.*finite"),
    "a position of infinity": (lambda: Key((INF, 0), name="far"), r"'far' .*inf.*finite"),
    "nan in an array": (lambda: MotionPath(np.array([(0, 0), (1, NAN)])), r"key 1 .*nan.*finite"),
    "infinity in a drawing": (lambda: Key([(0, 0), (0, -INF)]), r"position .*inf.*finite"),
    "a position of text": (lambda: Key("here"), r"position 'here'.* Give \(x, y\)"),
    "a tension of nan": (lambda: Key((0, 0), tension=NAN), r"tension nan.*Give a finite number"),
    "a bias of infinity": (lambda: Key((0, 0), bias=INF), r"bias inf.*Give a finite number"),
    "a continuity of text": (lambda: Key((0, 0), continuity="sharp"), r"continuity 'sharp'.*Give a finite number"),
    "a time of nan": (lambda: Key((0, 0), time=NAN), r"time nan.*Give a finite number"),
    "a tangent of nan": (lambda: Key((0, 0), leave=(NAN, 0)), r"leave.*nan.*finite"),
    "a tangent of another shape": (lambda: Key((0, 0), arrive=(1, 2, 3)), r"arrive of shape \(3,\).*shape \(2,\)"),
    "a tangent of no place": (lambda: Key(arrive=(1, 2)), r"arrive.* no position.*Give it a position"),
    "a path's tension of nan": (lambda: path(tension=NAN), r"tension nan.*Give any finite number"),
    "a mass below zero": (lambda: path(mass=-1), r"mass -1.*Give a number ≥ 0"),
    "an inertia of infinity": (lambda: path(inertia=INF), r"inertia inf.*Give a number ≥ 0"),
    "mixed dimensions": (lambda: MotionPath([(0, 0), (1, 1, 1)]), r"Key 1 .*\(3,\).*\(2,\).*same number"),
    "points and drawings": (lambda: MotionPath([(0, 0), [(1, 1), (2, 2)]]), r"Key 1 .*\(2, 2\).*\(2,\).*same number"),
    "decreasing times": (lambda: timed(0, 2, 1), r"Key 1 is at 2 s and key 2 at 1 s\. Times must increase"),
    "equal times": (lambda: timed(0, 1, 1), r"Key 1 is at 1 s and key 2 at 1 s\. Times must increase"),
    "equal times far apart": (lambda: timed(0, 1, None, 1), r"Key 1 is at 1 s and key 3 at 1 s\. Times must increase"),
    "decreasing key times": (lambda: KeyTimes([0, 2, 1]), r"Key 2 at 1\.0 s .*key 1 at 2\.0 s\. Times must increase"),
    "equal key times": (lambda: KeyTimes([0, 0]), r"Key 1 at 0\.0 s .*key 0 at 0\.0 s\. Times must increase"),
    "a key time of nan": (lambda: KeyTimes([0, NAN]), r"Key 1 is at nan s\. Times are finite"),
    "adjust by time without times": (lambda: path(adjust="time"), r'adjust="time" .*key 0 has none\. Give it one'),
    "adjust by time half timed": (lambda: timed(0, None, 2, adjust="time"), r"key 1 has none\. Give it one"),
    "adjust by velocity without times": (lambda: path(adjust="velocity"), r'adjust="velocity".*use adjust="length"'),
    "an unknown adjust": (lambda: path(adjust="tme"), r"adjust='tme'\. Did you mean 'time'\?"),
    "unknown ends": (lambda: path(ends="stil"), r"ends='stil'\. Did you mean 'still'\?"),
    "an unknown turning": (lambda: path(turning="slerp"), r"turning='slerp'\. There is 'casteljau', 'log'"),
    "a quaternion of zeros": (lambda: Key((0, 0), orientation=(0, 0, 0, 0)), r"0\.0, 0\.0, 0\.0, 0\.0.*not all zero"),
    "a turn of zeros": (lambda: Turn((0, 0, 0, 0)), r"0\.0, 0\.0, 0\.0, 0\.0.*not all zero"),
    "a quaternion of nan": (lambda: Key((0, 0), orientation=(NAN, 0, 0, 0)), r"orientation .*nan.*all finite"),
    "a quaternion of three": (lambda: Key((0, 0), orientation=(1, 0, 0)), r"orientation .*1, 0, 0.*four numbers"),
    "a direction of zeros": (lambda: Orientation.facing((0, 0, 0)), r"direction .*0\.0.*not zero"),
    "an axis of zeros": (lambda: Orientation.turned(30, (0, 0, 0)), r"axis .*0\.0.*not zero"),
    "an unknown axis": (lambda: Orientation.turned(30, "w"), r"about 'w'\. Give \"x\""),
    "a negative profile": (lambda: SpeedProfile([1, -2, 1]), r"value 1 is -2\. .*use 0 for rest"),
    "a negative profile by points": (lambda: SpeedProfile.through({0: 1, 0.5: -1}), r"x = 0\.5 is -1\. .*use 0"),
    "a profile of nothing": (lambda: SpeedProfile([0, 0, 0]), r"never moves.*above 0\. Raise one"),
    "a profile of nan": (lambda: SpeedProfile([1, NAN]), r"value 1 is nan\. .*finite"),
    "an empty profile": (lambda: SpeedProfile([]), r"at least one number.*Write"),
    "a profile outside": (lambda: SpeedProfile.through({0: 1, 1.5: 2}), r"x = 1\.5, outside.*Use x from 0 to 1"),
    "an unknown key": (lambda: path().with_key("bonce", tension=1), r"named 'bonce'\. Did you mean 'bounce'\?"),
    "an unknown key to remove": (lambda: path().without_key("strat"), r"named 'strat'\. Did you mean 'start'\?"),
    "an unknown key to capture": (
        lambda: Motion(path(), SpeedProfile([1]), duration=1, capture={"bonce": 0.5}),
        r"named 'bonce'\. Did you mean 'bounce'\?",
    ),
    "an unknown key to nudge": (lambda: Motion(path(), duration=1).nudged("edn", 1), r"'edn'\. Did you mean 'end'\?"),
    "a key far off": (lambda: path().with_key(3, tension=1), r"no key 3\. This path has keys 0 … 2"),
    "a key that is nothing": (lambda: path().with_key(None, tension=1), r"None"),
    "a key between keys": (lambda: path().with_key(1.5, tension=1), r"1\.5"),
    "a name twice": (lambda: MotionPath([Key((0, 0), name="a"), Key((1, 1), name="a")]), r"both named 'a'\. Give each"),
    "no duration": (lambda: Motion(path()), r"no duration.*Give duration=… in seconds"),
    "zero duration": (lambda: Motion(path(), duration=0), r"duration 0\. Give a number of seconds greater than zero"),
    "a duration below zero": (lambda: Motion(path(), duration=-2), r"duration -2\. Give .*greater than zero"),
    "a duration of nan": (lambda: Motion(path(), duration=NAN), r"duration nan\. Give .*greater than zero"),
    "a duration against key times": (
        lambda: Motion(path(), KeyTimes([0, 1, 2]), duration=3),
        r"duration 3 s, but its key times take 2 s\. Leave the duration out",
    ),
    "a duration against own times": (
        lambda: Motion(timed(0, 1, 2), duration=3),
        r"duration 3 s, but its key times take 2 s\. Leave the duration out",
    ),
    "too few key times": (lambda: Motion(path(), KeyTimes([0, 1])), r"2 key times .* 3 keys\. Give one per key"),
    "a start of infinity": (lambda: Motion(path(), duration=1, start=INF), r"start must be one finite number, but inf"),
    "a parameter of nan": (lambda: path().at(NAN), r"A parameter must be numbers, but nan"),
    "a distance of nan": (lambda: path().along([1, NAN]), r"A distance must be numbers, but .*nan"),
    "a parameter of text": (lambda: path().velocity("half"), r"A parameter must be numbers, but 'half'"),
    "infinity on a loop": (lambda: path(closed=True).at(INF), r"closed path is infinite: inf\. Give finite"),
    "a time of nan to a motion": (lambda: Motion(path(), duration=1).at(NAN), r"A time must be numbers, but nan"),
    "a key inserted on a key": (lambda: path().insert(1), r"inserted at u = 1.*between 0 and 2, between two keys"),
    "a key inserted outside": (lambda: path().insert(2.5), r"inserted at u = 2\.5.*between 0 and 2"),
    "the last but one key removed": (lambda: timed(0, 1).without_key(0), r"two keys cannot lose one\. Move the key"),
    "frames of no rate": (lambda: Motion(path(), duration=1).frames(0), r"more than 0, but fps is 0\. Film runs at 24"),
    "an unknown outside": (lambda: Motion(path(), duration=1, outside="loop"), r"outside='loop'\. There is 'cycle'"),
    "degrees of text": (lambda: Orientation.turned("90", "y"), r"angle of a turn .*'90'.* Give a number of degrees"),
    "degrees of truth": (lambda: Orientation.from_euler((True, 0, 0)), r"Euler angles .*True.* Give three numbers"),
    "an orientation of texts": (lambda: Orientation("1", 0, 0, 0), r"orientation .*'1'.* Give four numbers"),
    "an orientation of truth": (lambda: Key((0, 0), orientation=(True, 0, 0, 0)), r"orientation .*True.* Give four"),
    "a vector of text to turn": (lambda: Orientation.identity.rotate("a"), r"Vectors to turn must be numbers, but 'a'"),
    "a time of truth": (lambda: Key((0, 0), time=True), r"key has time True\. Give a finite number"),
    "a place with truth": (lambda: Key((0, True), name="a"), r"key 'a' has position \(0, True\)"),
    "a tension of truth": (lambda: path(tension=np.True_), r"tension .*True.*Give any finite number"),
    "a flag of text": (lambda: path(closed="no"), r"A path has closed='no'\. Give True or False"),
    "a flag that is a number": (lambda: path().insert(0.5, keep_shape=0), r"keep_shape=0\. Give True or False"),
    "a duration of text": (lambda: Motion(path(), duration="2"), r"duration '2'\. Give a number of seconds"),
    "a duration of truth": (lambda: Motion(path(), duration=True), r"duration True\. Give a number of seconds"),
    "a start of truth": (lambda: Motion(path(), duration=1, start=True), r"start must be one finite number, but True"),
    "a capture of text": (lambda: Motion(path(), duration=2, capture={1: "1"}), r"Key 1 is captured at '1' s.*Give a"),
    "a capture of truth": (lambda: Motion(path(), duration=2, capture={1: True}), r"captured at True s.*Give a second"),
    "a time of truth to a motion": (lambda: Motion(path(), duration=2).at(True), r"A time must be numbers, but True"),
    "key times with truth": (lambda: KeyTimes([0, True]), r"Key times must be numbers, but \[0, True\]"),
    "times that are text": (lambda: path().timed("x"), r"times of a path's keys must be numbers, but 'x'"),
    "too few times": (lambda: path().timed([0, 1]), r"2 times for a path of 3 keys\. Give one per key"),
    "times of nan": (lambda: path().timed([0, NAN, 1]), r"times .*nan.*Give finite seconds"),
    "keys in no order": (lambda: MotionPath({(0, 0), (1, 1)}), r"as its keys\. Give a list of keys"),
    "keys by name": (lambda: MotionPath({"a": (0, 0), "b": (1, 1)}), r"as its keys\. Give a list of keys"),
    "an index of truth": (lambda: SpeedProfile([1, 2]).raised(True, 1), r"Values go by whole numbers, but True"),
    "an endless key": (lambda: path().with_key(10**5000), r"no key a number of thousands of digits\. This path has"),
    "travel that weighs nothing": (lambda: path(mass=0, inertia=1), r"mass 0 and no key that faces.*Give it a mass"),
    "the last turn of a path that only turns": (
        lambda: MotionPath([Key((0, 0), orientation=(1, 0, 0, 0)), (1, 1), (2, 0)], mass=0, inertia=1).with_key(
            0, orientation=None
        ),
        r"mass 0 and no key that faces.*Give it a mass, or a key an orientation",
    ),
    "a sphere inside out": (lambda: Sphere(-0.3), r"radius of a sphere is -0\.3\. Give a number above zero"),
    "a sphere of nothing": (lambda: Sphere(0), r"radius of a sphere is 0\. Give a number above zero"),
    "a sphere of nan": (lambda: Sphere(NAN), r"radius of a sphere must be one finite number, but nan"),
    "a sphere like a planet": (lambda: Sphere(6e6), r"radius of a sphere is 6e\+06 m\. Give 0\.0001 to 10000 m"),
    "a flat box": (lambda: Box((1, 0, 1)), r"side of a box is 0\. Give a number above zero"),
    "a box of two sides": (lambda: Box((1, 2)), r"size of a box is \(1, 2\)\. Give a number, or three"),
    "a capsule of text": (lambda: Capsule(0.1, "long"), r"length of a capsule .*'long'"),
    "a plane of no side": (lambda: Plane((0, 0, 0)), r"normal of a plane .*points nowhere.*not zero"),
    "a mesh in a picture": (lambda: Mesh("bunny.png"), r"A mesh is in 'bunny\.png'\. Give .*\.obj or \.stl"),
    "a mesh in no file": (lambda: Mesh(""), r"A mesh is in the file ''\. Give the name of a file"),
    "a body that is a number": (lambda: Body(0.3), r"A body has the shape 0\.3\. Give a shape, as Sphere\(0\.3\)"),
    "a body that is a type": (lambda: Body(Sphere), r"A body has the shape .*Sphere.*\. Give a shape"),
    "a body without mass": (lambda: Body(Sphere(1), mass=0), r"mass of a body is 0\. Give a number above zero"),
    "a body below no mass": (lambda: Body(Sphere(1), mass=-1), r"mass of a body is -1\. Give a number above zero"),
    "a body of nan": (lambda: Body(Sphere(1), mass=NAN), r"mass of a body must be one finite number, but nan"),
    "a body like a moon": (lambda: Body(Sphere(1), mass=7e22), r"mass of a body is 7e\+22 kg\. Give 1e-06 to 1e\+09"),
    "a body that gains": (lambda: Body(Sphere(1), bounce=1.5), r"bounce of a body is 1\.5\. Give a number from 0 to 1"),
    "a friction below zero": (lambda: Body(Sphere(1), friction=-1), r"friction of a body is -1\. Give .* 0 to 100"),
    "a body softer than all": (lambda: Body(Sphere(1), stiffness=0.5), r"stiffness .* 0\.5 Pa\. Give 1 to 1e\+09 Pa"),
    "a stiffness of text": (lambda: Body(Sphere(1), stiffness="5"), r"stiffness .* one finite number, but '5'"),
    "a soft plane": (lambda: Body(Plane(), stiffness=500), r"a plane and stiffness=500, but only a sphere, a box or a"),
    "a soft mesh": (lambda: Body(Mesh("a.obj"), stiffness=500), r"a mesh and stiffness=500, but only a sphere"),
    "a soft wall": (lambda: Still(Body(Box(1), stiffness=500)), r"What is still has .* stiffness=500, but only"),
    "a soft paddle": (
        lambda: Actor("a", Motion(MotionPath([(0, 0, 0), (1, 0, 0)]), duration=1), body=Body(Box(1), stiffness=9)),
        r"Actor 'a' has a body with stiffness=9, but only what follows a path or is free may be soft\. Leave",
    ),
    "a plane that follows": (lambda: follow(Body(Plane())), r"shape of a plane.*cannot move\. Use Still\(body\)"),
    "a plane that falls": (lambda: Free(Body(Plane()), (0, 0, 0)), r"shape of a plane.*cannot move\. Use Still"),
    "a shape that follows": (lambda: follow(Sphere(1)), r"was given Sphere\(radius=1\.0\)\. Give a body, as Body\("),
    "a follower of a motion": (
        lambda: Follow(Motion(path(), duration=1), BALL, within=1),
        r"A follower was given the path .*\. Give a MotionPath",
    ),
    "a follower of a drawing": (
        lambda: Follow(MotionPath([[(0, 0), (1, 1)], [(1, 0), (2, 1)]]), BALL, within=1),
        r"places shaped \(2, 2\)\. A body is at one place: give x, y, z",
    ),
    "a target that is there": (lambda: follow(within=0), r"target keeps \(within\) is 0\. Give a number above zero"),
    "speed and eagerness": (lambda: follow(speed=2, eagerness=0.4), r"speed=2 and eagerness=0\.4\. Give one"),
    "an eagerness of nan": (lambda: follow(eagerness=NAN), r"eagerness of a follower .*finite number, but nan"),
    "no damping": (lambda: follow(damping=0), r"damping of a follower is 0\. Give a number above zero"),
    "no reaction": (lambda: follow(reaction=0), r"reaction of a follower is 0\. Give a number above zero"),
    "no correction": (lambda: follow(correction=0), r"correction of a follower is 0\. Give a number above zero"),
    "a turn too wide": (lambda: follow(turn_within=200), r"\(turn_within\), in degrees, is 200\. Give 0\.01 to 90"),
    "a follower that senses a number": (lambda: follow(senses={3: 1}), r"senses 3"),
    "a wall at nan": (lambda: Still(BALL, (0, NAN, 0)), r"what is still was given as .*nan.*three finite numbers"),
    "ticks without end": (lambda: shoot(Stage([Actor("a", Free(BALL, (0, 0, 0)))]), 1.0, tick=1e-9),
                          r"A take of 1 s in ticks of 1e-09 s would have more than 1e\+08 of them\. Take longer ticks"),
    "a ball beyond the moon": (lambda: Free(BALL, (0, 4e8, 0)), r"what is free.*400000000\.0.*up to 1e\+06"),
    "a body beside a mover": (
        lambda: Actor("a", DynamicSpline((0, 0, 0)), body=BALL),
        r"Actor 'a' takes ticks and has a body beside that\. Only a motion",
    ),
    "a keyed plane": (
        lambda: Actor("a", Motion(path(), duration=1), body=Body(Plane())),
        r"Actor 'a' has the shape of a plane.*cannot move",
    ),
    "a meeting of nobody": (lambda: Script().meet({}), r"Meeting 'meeting 1' was given {}\. Give a goal for each"),
    "a meeting of one who has no goal": (lambda: Script().meet("ball"), r"was given 'ball'\. Give a goal for each"),
    "a goal for a number": (lambda: Script().meet({1: "end"}), r"has a goal for 1\. Name an actor"),
    "a goal behind the start": (lambda: Script().meet({"ball": -1}), r"goal -1 for 'ball'\. Give .*distance from 0"),
    "a goal of nan": (lambda: Script().meet({"ball": NAN}), r"goal nan for 'ball'\. Give the name of a key"),
    "a goal of truth": (lambda: Script().meet({"ball": True}), r"goal True for 'ball'\. Give the name of a key"),
    "a turn to nothing": (lambda: turn(""), r"A turn was given ''\. Name a key of the path"),
    "a turn to a number": (lambda: turn(3), r"A turn was given 3\. Name a key of the path"),
    "a meeting without a name": (lambda: Meeting(name=" ", goals={"a": 1}), r"A meeting is named ' '\. Give it a name"),
    "a meeting after a number": (lambda: Script().meet({"a": 1}, after=3), r"comes after 3\. Give meetings of the"),
    "a need of too many": (lambda: Script().meet({"a": 1}, after=["b"], need=2), r"needs 2 of the 1 .*from 1 to as"),
    "a need of a half": (lambda: Script().meet({"a": 1}, after=["b"], need=0.5), r"needs 0\.5 of the 1 .*leave it out"),
    "a meeting of souls": (lambda: Script().meet({"a": 1}, of="bodys"), r"of='bodys'\. Did you mean 'bodies'\?"),
    "a gate of text": (lambda: Script().meet({"a": 1}, gate="open"), r"gate='open'\. Give True or False"),
    "no patience": (lambda: Script().meet({"a": 1}, patience=0), r"patience=0\. Give seconds above 0, up to 1e\+06"),
    "patience of nan": (lambda: Script().meet({"a": 1}, patience=NAN), r"has patience=nan. Give seconds above 0"),
    "a script of words": (lambda: Script("arch"), r"A script was given 'arch'\. Give a list of meetings"),
    "a script of numbers": (lambda: Script([1]), r"A script was given 1\. Give meetings"),
    "two meetings of one name": (lambda: Script([Meeting(name="a", goals={"b": 1})] * 2), r"Two .*'a'\. Give each"),
    "a meeting that is not there": (lambda: Script([Meeting(name="arch", goals={"b": 1})])["arc"], r"'arc'\. Did you"),
    "a meeting after a stranger": (
        lambda: stage_with_meeting({"ball": "end"}, after="bgin"),
        r"after 'bgin', which is not in the",
    ),
    "a long circle of meetings": (
        lambda: Script([Meeting(name=f"m{n}", goals={"b": 1}, after=f"m{(n + 1) % 500}") for n in range(500)]).frozen(),
        r"circle: 'm0' after 'm1' after 'm2' after … after 'm499' after 'm0'\. Let one",
    ),
    "a long circle of waiting": (
        lambda: Stage(
            [Actor(f"b{n}", follow()) for n in range(9)],
            script=Script([Meeting(name=f"m{n}", goals={f"b{n}": 2, f"b{(n + 1) % 9}": 1}) for n in range(9)]),
        ),
        r"'m0' waits for 'b0', who waits for 'm8', .*, …, 'm1' waits for 'b1', who waits for 'm0'\. Let one",
    ),
    "a meeting after itself": (
        lambda: stage_with_meeting({"ball": "end"}, name="a", after="a"),
        r"circle: 'a' after 'a'\. Let one",
    ),
    "a meeting of a stranger": (
        lambda: stage_with_meeting({"bal": "end"}),
        r"goal for 'bal', who is not .*Did you mean 'ball'\?",
    ),
    "a goal that is no key": (
        lambda: stage_with_meeting({"ball": "edn"}),
        r"goal 'edn' for 'ball', .*Did you mean 'end'\?",
    ),
    "a goal beyond the path": (
        lambda: stage_with_meeting({"ball": 99}),
        r"goal 99\.0 for 'ball', whose path is .*Give a distance up",
    ),
    "a turn of who never turns": (
        lambda: stage_with_meeting({"ball": turn("end")}),
        r"path has no facings\. Give its keys orient",
    ),
    "a meeting of a leaf": (
        lambda: stage_with_meeting({"leaf": 1}),
        r"Actor 'leaf' .*fields steer it\. Let it Follow a path",
    ),
    "a stage of meetings": (lambda: Stage([], script=[]), r"A stage was given script=\[\]\. Give a Script"),
    "one more meeting on a stage": (
        lambda: stage_with_meeting({"ball": "end"}).script.meet({"ball": 1}),
        r"This script belongs to a stage\. Make another: Script\(stage\.script\)",
    ),
    "an unknown word": (lambda: path().with_key(0, tenson=1), r"no 'tenson'\. Did you mean 'tension'\?"),
}  # fmt: skip


@pytest.mark.parametrize("name", INVALID)
def test_invalid_input_is_refused_with_reason(name):
    wrong, message = INVALID[name]
    with pytest.raises(KeyposeError) as refused:
        wrong()
    sentence = str(refused.value)
    assert re.search(message, sentence), sentence
    assert "\n" not in sentence
    assert len(sentence) < 300
    assert sentence[0].isupper() or sentence[0] in "`a", sentence
    assert sentence[-1] in ".?", sentence
    assert refused.value.__cause__ is None  # and nothing from below shows


def test_unknown_names_raise_unknown_name_error():
    with pytest.raises(UnknownNameError):
        path().with_key("bonce")


def test_other_quaternions_are_normalised():
    key = Key((0, 0), orientation=(2, 0, 0, 2))
    assert_allclose(key.orientation.wxyz, (np.sqrt(0.5), 0, 0, np.sqrt(0.5)))
    assert_allclose(Orientation.of((1e-200, 0, 0, 0)).wxyz, (1, 0, 0, 0))
    assert_allclose(Orientation.of((1e200, 1e200, 0, 0)).wxyz, (np.sqrt(0.5), np.sqrt(0.5), 0, 0))


def test_huge_integers_are_refused_with_reason():
    with pytest.raises(KeyposeError, match="thousands of digits"):
        KeyTimes([10**5000, 1])
    with pytest.raises(KeyposeError, match="thousands of digits"):
        MotionPath([(0, 0), (1, 1)], tension=10**5000)


@pytest.mark.parametrize("word", ["tension", "continuity", "bias"])
def test_extreme_shaping_is_refused_before_it_overflows(word):
    with pytest.raises(KeyposeError, match=word):
        Key((0, 0), **{word: 1e308})
    with pytest.raises(KeyposeError, match=word):
        MotionPath([(0, 0), (1, 1)], **{word: -1e16})
    path = MotionPath([(0, 0), (1e100, 0), (0, 1e100)], **{word: 1e15})
    assert np.isfinite(path.at(np.linspace(0, 2, 9))).all()
    assert np.isfinite(path.length)
