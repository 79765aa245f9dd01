"""Errors know where they are within what was given: which argument, which key, which actor."""

import pickle

import pytest

from keypose import (
    Actor,
    Body,
    FaceForward,
    Follow,
    Free,
    Key,
    KeyposeError,
    KeyTimes,
    LookAt,
    Meeting,
    Mesh,
    Motion,
    MotionPath,
    Plane,
    SceneStyle,
    Script,
    SpeedProfile,
    Sphere,
    Stage,
    UnknownNameError,
    effects,
)
from keypose.errors import ErrorPath

PATH = MotionPath([Key((0, 0), name="a"), Key((1, 1)), Key((2, 0))])
WALK = Motion(PATH, duration=1)


def relative_motion(outside):
    return Motion(MotionPath([(0, 0), Key((1, 1), relative_to="man")]), duration=1, outside=outside)


class Watcher:
    watches = ("nobody",)

    def begin(self, view): ...

    def step(self, state, view, dt): ...

    def pose(self, state): ...


class InvalidWatcher(Watcher):
    watches = ({"a": 1},)


BALL = Body(Sphere(1))


def meeting(name, actor="b", goal=1.0, after=()):
    return Meeting(name=name, goals={actor: goal}, after=after)


def stage_with_script(*meetings):
    return Stage([Actor("b", WALK), Actor("c", WALK)], script=Script(meetings))


INVALID = {
    "a plane that follows": (lambda: Follow(PATH, Body(Plane()), within=1), ("body", "shape")),
    "a body that is a shape": (lambda: Free(Sphere(1), (0, 0, 0)), ("body",)),
    "a body beside a mover": (lambda: Actor("a", Free(BALL, (0, 0, 0)), body=BALL), ("body",)),
    "speed and eagerness": (lambda: Follow(PATH, BALL, within=1, speed=1, eagerness=1), ("eagerness",)),
    "a path of one number": (lambda: Follow(MotionPath([(0,), (1,)]), BALL, within=1), ("path",)),
    "a normal of zeros": (lambda: Plane((0, 0, 0)), ("normal",)),
    "no mesh": (lambda: Mesh("a.png"), ("file",)),
    "key times": (lambda: KeyTimes([0, 2, 1]), ("times", 2)),
    "adjusting without times": (lambda: MotionPath([(0,), (1,)], adjust="time"), ("adjust",)),
    "no distance": (lambda: MotionPath([(0,), (1,)], mass=0), ("mass",)),
    "no duration": (lambda: Motion(PATH), ("duration",)),
    "a duration against times": (lambda: Motion(PATH, KeyTimes([0, 1, 2]), duration=9), ("duration",)),
    "too few times": (lambda: Motion(PATH, KeyTimes([0, 1])), ("timing", "times")),
    "a captured key that is not": (lambda: Motion(PATH, duration=1, capture={"x": 0.5}), ("capture",)),
    "a capture too late": (lambda: Motion(PATH, SpeedProfile([1]), duration=1, capture={1: 2}), ("capture",)),
    "an unknown parent": (lambda: Stage([Actor("a", WALK), Actor("b", WALK, parent="c")]), ("actors", 1, "parent")),
    "an unknown target": (lambda: Stage([Actor("a", WALK, facing=LookAt("c"))]), ("actors", 0, "facing")),
    "its own parent": (lambda: Stage([Actor("a", WALK, parent="a")]), ("actors", 0, "parent")),
    "nobody to watch": (lambda: Stage([Actor("a", Watcher())]), ("actors", 0, "mover")),
    "watching no name": (lambda: Stage([Actor("a", InvalidWatcher())]), ("actors", 0, "mover")),
    "no goals": (lambda: Meeting(name="m", goals={}), ("goals",)),
    "a goal behind the start": (lambda: Script().meet({"a": 1, "b": -1}), ("goals", "b")),
    "a need of too many": (lambda: Script().meet({"a": 1}, need=2), ("need",)),
    "no patience": (lambda: Script().meet({"a": 1}, patience=0), ("patience",)),
    "after a number": (lambda: Script().meet({"a": 1}, after=[3]), ("after",)),
    "two meetings of one name": (lambda: Script([meeting("m"), meeting("m")]), ("name",)),
    "after an unknown meeting": (
        lambda: stage_with_script(meeting("m"), meeting("n", after="o")),
        ("script", 1, "after"),
    ),
    "a circle of meetings": (
        lambda: stage_with_script(meeting("m", after="n"), meeting("n", after="m")),
        ("script", 1, "after"),
    ),
    "a goal for nobody": (lambda: stage_with_script(meeting("m"), meeting("n", "x")), ("script", 1, "goals", "x")),
    "a goal beyond the end": (
        lambda: stage_with_script(meeting("m"), meeting("n", goal=99)),
        ("script", 1, "goals", "b"),
    ),
    "meetings that wait for each other": (
        lambda: stage_with_script(
            meeting("m", after="n"),
            meeting("k"),
            Meeting(name="n", goals={"b": 2}),
            Meeting(name="o", goals={"b": 1, "c": 2}),
            Meeting(name="p", goals={"b": 2, "c": 1}),
        ),
        ("script", 0),
    ),
    "no script": (lambda: Stage([], script=[]), ("script",)),
    "a circle": (
        lambda: Stage([Actor("c", WALK, parent="b"), Actor("b", WALK, parent="c")]),
        ("actors", 1, "parent"),
    ),
    "a circle of looks": (
        lambda: Stage([Actor("b", WALK, parent="a"), Actor("a", WALK, facing=LookAt("b"))]),
        ("actors", 1, "facing"),
    ),
    "a pinned key again and again": (
        lambda: Stage([Actor("man", WALK), Actor("hand", relative_motion("cycle"))]),
        ("actors", 1, "outside"),
    ),
}


@pytest.mark.parametrize("what", INVALID)
def test_error_has_the_path_of_the_invalid_argument(what):
    make, at = INVALID[what]
    with pytest.raises(KeyposeError) as caught:
        make()
    assert caught.value.at == at


def test_error_without_known_path_has_an_empty_one():
    assert KeyposeError("Something.").at == ()


def test_error_path_grows_outwards_and_survives_pickling():
    with pytest.raises(UnknownNameError) as caught, ErrorPath("actors", 3), ErrorPath("path"):
        raise UnknownNameError("No.", at=("keys", 2))
    assert caught.value.at == ("actors", 3, "path", "keys", 2)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.at, type(again)) == ("No.", caught.value.at, UnknownNameError)


def test_other_exceptions_are_unchanged():
    with pytest.raises(ZeroDivisionError), ErrorPath("actors"):
        raise ZeroDivisionError


def test_style_has_the_limits_of_a_key():
    for make in (lambda: SceneStyle(1e16), lambda: SceneStyle(0, {"x": effects.Effect(bias=-1e16)})):
        with pytest.raises(KeyposeError, match=r"1e\+16. Give 1e\+15 at most"):
            make()


def test_empty_look_is_refused():
    with pytest.raises(KeyposeError, match="empty look"):
        Actor("a", WALK, look="", facing=FaceForward())
