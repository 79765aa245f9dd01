"""Somebody with a name: a frozen value, and sentences for what makes none."""

from dataclasses import FrozenInstanceError

import pytest

from keypose import Actor, Camera, FaceForward, KeyposeError, LookAt, Motion, MotionPath
from keypose.motion.take import RecordedMotion

WALK = Motion(MotionPath([(0, 0, 0), (1, 0, 0)]), duration=1.0)


def test_actors_compare_by_value():
    again = Motion(MotionPath([(0, 0, 0), (1, 0, 0)]), duration=1.0)
    assert Actor("a", WALK, parent="b") == Actor("a", again, parent="b")
    assert hash(Actor("a", WALK)) == hash(Actor("a", again))
    assert Actor("a", WALK) != Actor("a", WALK, facing=LookAt("b"))


def test_actor_is_immutable_and_changed_returns_a_copy():
    actor = Actor("a", WALK, look="red")
    with pytest.raises(FrozenInstanceError):
        actor.look = "blue"
    assert actor.changed(look="blue") == Actor("a", WALK, look="blue")
    assert actor.look == "red"
    with pytest.raises(KeyposeError, match=r"no 'lok'\. Did you mean 'look'"):
        actor.changed(lok="blue")


def test_a_look_is_a_colour_a_shape_or_a_camera():
    for look in ("red", Camera(35), ("box", 1, 2, 3)):
        assert Actor("a", WALK, look=look).look == look
    assert Camera() == Camera(50)


def test_keys_are_those_of_the_path_and_empty_for_movers_and_recordings():
    class Idle:
        def begin(self, view): ...
        def step(self, state, view, dt): ...
        def pose(self, state): ...

    assert list(Actor("a", WALK).keys) == list(WALK.path.keys)
    assert Actor("a", Idle()).keys == ()
    recording = RecordedMotion([0, 1], [(0, 0, 0), (1, 0, 0)])
    assert Actor("a", recording).keys == ()
    assert "path" not in vars(recording)  # deriving it takes long


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        (lambda: Actor("", WALK), "named ''"),
        (lambda: Actor(3, WALK), "named 3"),
        (lambda: Actor("a", None), "Actor 'a' was given None to move it"),
        (lambda: Actor("a", Motion), "Give a Motion, or a mover"),
        (lambda: Actor("a", WALK.path), "to move it"),
        (lambda: Actor("a", WALK, parent=3), "parent=3"),
        (lambda: Actor("a", WALK, parent=""), "parent=''"),
        (lambda: Actor("a", WALK, facing="north"), "facing='north'"),
        (lambda: Actor("a", WALK, facing=FaceForward), r"Give FaceForward\(\)"),
        (lambda: Camera(0), "0 degrees"),
        (lambda: Camera(180), "180 degrees"),
        (lambda: Camera(float("nan")), "field of view"),
    ],
)
def test_invalid_actor_is_refused_with_reason(bad, sentence):
    with pytest.raises(KeyposeError, match=sentence):
        bad()
