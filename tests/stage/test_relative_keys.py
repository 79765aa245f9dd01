"""Actors whose keys are carried by others: chains, parents, takes and facings, at any instant of a stage."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import (
    Actor,
    FaceForward,
    Key,
    KeyposeError,
    KeyTimes,
    LookAt,
    Motion,
    MotionPath,
    Orientation,
    Pose,
    SpeedProfile,
    Stage,
    UnknownNameError,
    shoot,
)
from keypose.maths import kernel_switch, quaternion

FORWARD = np.array([0.0, 0, 1])
ARC = Motion(MotionPath([(3, 0, 0), (4, 2, 1), (6, 1, 3), (5, 0, 5)]), SpeedProfile([1, 3, 1]), duration=3.0)
WALK = Motion(MotionPath([(0, 0, 0), (4, 0, 1)]), duration=4.0)
TURN = Motion(
    MotionPath([Key((1, 0, 0), orientation=(1, 0, 0, 0)), Key((1, 3, 0), orientation=Orientation.turned(120, "z"))]),
    duration=3.0,
)


def reaching_motion(*carriers, pin=True, timing=None, duration=2.0, **options):
    """From the origin to a spot beside each carrier in turn."""
    keys = [(0, 0, 0), *[Key((0, 0.5, 0), relative_to=name, pin=pin) for name in carriers]]
    return Motion(MotionPath(keys), timing, duration=None if isinstance(timing, KeyTimes) else duration, **options)


def position_beside(stage, name, t, offset=(0.0, 0.5, 0)):
    pose = stage.at(t)[name]
    place = pose.position.mean(axis=0) if pose.position.ndim == 2 else pose.position
    return place + quaternion.rotate(pose.orientation, np.array(offset))


# ---- whom one may meet -----------------------------------------------------------------------------------------------


CARRIERS = {
    "a motion": [Actor("glass", ARC)],
    "one that turns": [Actor("glass", TURN)],
    "one that faces forward": [Actor("glass", ARC, facing=FaceForward(bank=0.3))],
    "one that looks at another": [Actor("glass", ARC, facing=LookAt("man")), Actor("man", WALK)],
    "one with a parent": [Actor("glass", TURN, parent="man"), Actor("man", WALK, facing=FaceForward())],
    "a take": [Actor("glass", shoot(Stage([Actor("a", TURN)]), 3.0, 12)["a"])],
    "a drawing": [
        Actor("glass", Motion(MotionPath(np.random.default_rng(0).normal(size=(3, 4, 3)) + 3), duration=3.0))
    ],
    "one who meets another": [Actor("glass", reaching_motion("cup", duration=3.0)), Actor("cup", ARC)],
    "one who waits": [Actor("glass", Motion(MotionPath([(3, 1, 0)] * 2), duration=9.0))],
}


@pytest.mark.parametrize("parent", [None, "boat"])
@pytest.mark.parametrize("timing", [None, KeyTimes([0, 2])])
@pytest.mark.parametrize("carrier", CARRIERS)
def test_every_kind_of_actor_can_be_a_carrier(carrier, timing, parent):
    boat = Actor("boat", Motion(MotionPath([(0, 0, 0), (0, 5, 1), (1, 2, 3)]), duration=5.0), facing=FaceForward())
    stage = Stage([Actor("hand", reaching_motion("glass", timing=timing), parent=parent), boat, *CARRIERS[carrier]])
    expected = position_beside(stage, "glass", 2.0)
    assert_allclose(stage.at(2.0)["hand"].position, expected, atol=1e-8)
    assert_allclose(stage.at([2.5, 4.0])["hand"].position, [expected, expected], atol=1e-8)  # pinned in the world


def test_carrier_looking_at_its_dependent_is_refused_as_a_cycle():
    glass = Actor("glass", ARC, facing=LookAt("hand"))
    with pytest.raises(KeyposeError, match="in a circle: glass → hand → glass"):
        Stage([glass, Actor("hand", reaching_motion("glass"))])
    stage = Stage([Actor("glass", ARC), Actor("hand", reaching_motion("glass"), facing=LookAt("glass"))])
    pose = stage.at(1.0)
    away = pose["glass"].position - pose["hand"].position
    ahead = quaternion.rotate(pose["hand"].orientation, FORWARD)
    assert_allclose(ahead, away / np.linalg.norm(away), atol=1e-12)


def test_several_carriers_are_met_in_order():
    stage = Stage([Actor("hand", reaching_motion("glass", "cup", "glass")), Actor("glass", ARC), Actor("cup", TURN)])
    relative_motion, log = (
        stage.resolved.relative_keys.relative_motion("hand"),
        stage.resolved.relative_keys.pass_log("hand"),
    )
    for key, name in ((1, "glass"), (2, "cup"), (3, "glass")):
        moment = relative_motion.pass_time(key, log)
        assert_allclose(stage.at(moment)["hand"].position, position_beside(stage, name, moment), atol=1e-8)


def test_carriers_are_evaluated_in_batches_during_the_passing_search(monkeypatch):
    carriers = [Actor(name, Motion(ARC.path, duration=3.0 + index)) for index, name in enumerate("abcd")]
    stage, evaluated = Stage([*carriers, Actor("hand", reaching_motion(*"abcd"))]), []
    at = Motion.at
    monkeypatch.setattr(Motion, "at", lambda motion, t: evaluated.append(motion) or at(motion, t))
    stage.at(1.0)
    assert evaluated == []


def test_chain_of_carriers_is_resolved():
    cast = [
        Actor("0", ARC),
        *[Actor(f"{i}", reaching_motion(f"{i - 1}", timing=KeyTimes([0, 1 + 0.1 * i]))) for i in range(1, 12)],
    ]
    stage = Stage(cast[::-1])
    assert_allclose(stage.at(2.1)["11"].position, position_beside(stage, "10", 2.1), atol=1e-9)
    alone = Stage(cast).resolved.evaluator(np.array([0.7])).pose("11")  # asked for the last of them only
    assert_array_equal(alone.position[0], stage.at(0.7)["11"].position)


# ---- facing ----------------------------------------------------------------------------------------------------------


def test_face_forward_follows_the_current_relative_path():
    stage = Stage([Actor("glass", ARC), Actor("hand", reaching_motion("glass", pin=False), facing=FaceForward())])
    for t in (0.5, 1.5):
        direction = position_beside(stage, "glass", t)  # a straight line from the origin
        ahead = quaternion.rotate(stage.at(t)["hand"].orientation, FORWARD)
        assert_allclose(ahead, direction / np.linalg.norm(direction), atol=1e-9)


def test_bank_follows_the_actual_curve_of_a_relative_path():
    still = Actor("post", Motion(MotionPath([(4, 0, 4)] * 2), duration=9.0))
    ride = [(0, 0, 0), (4, 0, 0), Key((0, 0, 0), relative_to="post"), Key((-4, 0, 0), relative_to="post")]
    plain = [(0, 0, 0), (4, 0, 0), (4, 0, 4), (0, 0, 4)]
    lean = {"facing": FaceForward(bank=1.0)}
    stage = Stage([still, Actor("bike", Motion(MotionPath(ride), duration=4.0), **lean),
                   Actor("plain", Motion(MotionPath(plain), duration=4.0), **lean)])  # fmt: skip
    for t in (1.0, 2.0, 3.0):
        one, two = (Orientation.of(stage.at(t)[name].orientation) for name in ("bike", "plain"))
        assert one.angle_to(two) < 3  # one by places, the other by velocities, over the same tenth of a second
    left = quaternion.rotate(stage.at(2.0)["bike"].orientation, np.array([1.0, 0, 0]))
    assert abs(left[1]) > 0.1


def test_chain_of_banking_actors_is_evaluated_once_per_instant():
    lean, evaluations = FaceForward(bank=0.3), []

    class Counted(Motion):
        def at(self, t):
            evaluations.append(len(np.atleast_1d(t)))
            return super().at(t)

    first = Actor("0", Counted(MotionPath([(3, 0, 0), (4, 2, 1), (6, 1, 3)]), duration=3.0), facing=lean)
    chain = [Actor(f"{i}", reaching_motion(f"{i - 1}", timing=KeyTimes([0, 2])), facing=lean) for i in range(1, 9)]
    stage = Stage([first, *chain])
    stage.at(1.0)
    evaluations.clear()
    stage.at(1.1)
    assert len(evaluations) <= 2 * 8 + 1


# ---- a pure function of time -----------------------------------------------------------------------------------------


CAST = [
    Actor("boat", WALK, facing=FaceForward(bank=0.5)),
    Actor("cup", TURN, parent="boat"),
    Actor("glass", ARC, facing=LookAt("cup")),
    Actor(
        "hand",
        reaching_motion("glass", "cup", timing=SpeedProfile([1, 4, 1]), start=0.3),
        parent="boat",
        facing=FaceForward(),
    ),
    Actor("bird", reaching_motion("hand", "glass", pin=False), facing=FaceForward(bank=0.4)),
    Actor("dancer", reaching_motion("glass", pin=False, outside="mirror"), facing=LookAt("bird")),
    Actor("timed", reaching_motion("bird", "cup", timing=KeyTimes([-1, 0.8, 2.5]))),
    Actor("take", shoot(Stage([Actor("a", ARC)]), 3.0, 10)["a"]),
    Actor("late", Motion(MotionPath([Key((0, 0, 0), time=0, relative_to="take"), (1, 1, 1), Key((5, 0, 0), time=2)]))),
]


@pytest.fixture(params=["definition", "kernels"])
def backend(request, monkeypatch):
    """By the readable definitions, and by their compiled twins however little there is to do."""
    monkeypatch.setattr(kernel_switch, "allowed", request.param == "kernels")
    monkeypatch.setattr(kernel_switch, "WORTH_LOADING", 0)
    return request.param


def assert_same_poses(one, two):
    assert one.keys() == two.keys()
    for name in one:
        assert_array_equal(one[name].position, two[name].position, name)
        assert_array_equal(one[name].orientation, two[name].orientation, name)


def test_instants_are_bitwise_identical_however_they_are_queried(backend):
    cast, t = pickle.loads(pickle.dumps(CAST)), np.random.default_rng(0).uniform(-1, 4, 12)  # nothing measured yet
    stage = Stage(cast)
    many = stage.at(t)
    assert_same_poses({name: pose[::-1] for name, pose in stage.at(t[::-1]).items()}, many)
    square = stage.at(t.reshape(3, 4))
    assert square["hand"].position.shape == (3, 4, 3)
    for index, moment in enumerate(t):
        one = {name: pose[index] for name, pose in many.items()}
        assert_same_poses(stage.at(moment), one)
        assert_same_poses({name: pose[divmod(index, 4)] for name, pose in square.items()}, one)
    assert_same_poses(Stage(cast[::-1]).at(t[::-1]), stage.at(t[::-1]))  # asked for the first time from another end
    again = pickle.loads(pickle.dumps(stage))
    assert again == stage
    assert_same_poses(again.at(t), many)


def test_take_frames_equal_evaluated_instants():
    stage = Stage(CAST)
    take = shoot(stage, 3.0)
    assert_same_poses(dict(take.poses), stage.at(take.times))


@pytest.mark.parametrize("t", [-np.inf, np.inf, -1e9, 1e9])
def test_poses_are_finite_long_before_and_after_the_motion(t):
    cast_without_dancer = [actor for actor in CAST if actor.name != "dancer"]
    for pose in Stage(cast_without_dancer).at(t).values():
        assert np.isfinite(pose.position).all()
        assert_allclose(np.linalg.norm(pose.orientation, axis=-1), 1)


# ---- events ----------------------------------------------------------------------------------------------------------


SHORT = Motion(MotionPath([(3, 0, 0), (4, 0, 0)]), duration=1.0)


def recorded_events(stage, seconds=3.0):
    return shoot(stage, seconds).events


def test_carrier_ending_before_its_key_is_reported_once():
    hand = Motion(MotionPath([(0, 0, 0), Key((0, 0, 0), relative_to="glass", name="grasp")]), duration=2.0)
    (event,) = recorded_events(Stage([Actor("glass", SHORT), Actor("hand", hand)]))
    assert (event.time, event.actor, event.kind) == (1.0, "hand", "warning")
    assert event.text == (
        "Key 1 ('grasp') is carried by 'glass', whose motion ends at 1 s, before the key is reached at 2 s. "
        "The carrier is held where it ended."
    )


def test_each_missed_key_is_reported_in_order_of_time():
    cast = [
        Actor("glass", SHORT),
        Actor("cup", Motion(MotionPath([(0, 1, 0), (0, 3, 0)]), duration=0.5)),
        Actor("hand", reaching_motion("glass", "cup", "glass", timing=KeyTimes([0, 0.8, 1.5, 2]))),
        Actor("arm", reaching_motion("glass")),
    ]
    events = recorded_events(Stage(cast))
    assert [(event.time, event.actor, event.text[:5]) for event in events] == [
        (0.5, "hand", "Key 2"),
        (1.0, "arm", "Key 1"),
        (1.0, "hand", "Key 3"),
    ]
    assert recorded_events(Stage(cast[::-1])) == events


@pytest.mark.parametrize(
    ("glass", "hand"),
    [
        (ARC, reaching_motion("glass")),  # ends later
        (Motion(MotionPath([(3, 0, 0)] * 2), duration=1.0), reaching_motion("glass")),  # never moves
        # never ends
        (Motion(MotionPath([(3, 0, 0), (4, 0, 0)]), duration=1.0, outside="mirror"), reaching_motion("glass")),
        (SHORT, reaching_motion("glass", timing=KeyTimes([0, 0.9]))),  # met before
        (SHORT, reaching_motion("glass", timing=KeyTimes([0, 1.0]))),  # met just then
        (SHORT, Motion(MotionPath([(0, 0, 0), Key((0, 0, 0), relative_to="glass", pin=False), (99, 0, 0)]),
                       duration=3.0, outside="cycle")),  # met in the first lap
        (
            shoot(Stage([Actor("a", Motion(MotionPath([(1, 1, 1)] * 2), duration=1.0))]), 1.0)["a"],
            reaching_motion("glass"),
        ),
    ],
)  # fmt: skip
def test_nothing_is_reported_when_no_key_is_missed(glass, hand):
    assert recorded_events(Stage([Actor("glass", glass), Actor("hand", hand)])) == ()


def test_orientation_only_carrier_also_ends():
    spinning = MotionPath([Key((0, 0, 0), orientation=(1, 0, 0, 0)), Key(orientation=Orientation.turned(90, "y"))])
    (event,) = recorded_events(
        Stage([Actor("glass", Motion(spinning, duration=1.0)), Actor("hand", reaching_motion("glass"))])
    )
    assert event.time == 1


def test_events_after_the_last_frame_are_not_recorded():
    stage = Stage([Actor("glass", SHORT), Actor("hand", reaching_motion("glass"))])
    assert recorded_events(stage, 1.0) == ()
    assert len(recorded_events(stage, 1.5)) == 1


# ---- bad input -------------------------------------------------------------------------------------------------------


INVALID_STAGES = {
    "an unknown carrier": (
        lambda: Stage([Actor("glass", ARC), Actor("hand", reaching_motion("glas"))]),
        r"^Actor 'hand' has a key relative to 'glas', which is not on the stage\. Did you mean 'glass'\?$",
    ),
    "itself": (
        lambda: Stage([Actor("hand", reaching_motion("hand"))]),
        r"^Actor 'hand' carries a key of its own\. Name another",
    ),
    "each other": (
        lambda: Stage([Actor("a", reaching_motion("b")), Actor("b", reaching_motion("a"))]),
        r"carried by each other in a circle: a → b → a\. Give one of them another parent, facing or carrier, ",
    ),
    "a circle through a parent": (
        lambda: Stage([Actor("a", reaching_motion("c")), Actor("b", WALK, parent="a"), Actor("c", WALK, parent="b")]),
        r"in a circle: a → c → b → a\. ",
    ),
    "a pin that is passed again and again": (
        lambda: Stage([Actor("glass", ARC), Actor("hand", reaching_motion("glass", outside="cycle"))]),
        r"^Key 1 of actor 'hand' is carried until it is passed, but .*outside=\"cycle\".*Give the key pin=False, ",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", INVALID_STAGES)
def test_impossible_meeting_is_refused_with_reason(name):
    wrong, message = INVALID_STAGES[name]
    with pytest.raises(KeyposeError, match=message) as refused:
        wrong()
    assert len(str(refused.value)) < 300
    assert isinstance(refused.value, UnknownNameError) == (name == "an unknown carrier")


class Idle:
    """The smallest mover."""

    def begin(self, view):
        return 0.0

    def step(self, state, view, dt):
        return state + dt

    def pose(self, state):
        return Pose(np.array([state, 0.0, 0.0]), np.array([1.0, 0, 0, 0]))


def test_unsupported_relative_key_on_a_mover_is_refused_with_reason():
    half = Motion(MotionPath([Key((0, 0, 0), time=0), (1, 0, 0), Key((0, 0, 0), time=2, relative_to="dog")]))
    with pytest.raises(KeyposeError, match=r"'hand' has keys with and without times, .*Give every key a time, or none"):
        Stage([Actor("dog", Idle()), Actor("hand", half)])
    with pytest.raises(KeyposeError, match=r"'hand' leans into curves, .*Give FaceForward\(\) without bank"):
        Stage([Actor("dog", Idle()), Actor("hand", reaching_motion("dog"), facing=FaceForward(bank=1.0))])
    with pytest.raises(KeyposeError, match="'dog' takes ticks"):
        Stage([Actor("dog", Idle()), Actor("hand", reaching_motion("dog"))]).at(1.0)
