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


def reach(*carriers, pin=True, timing=None, duration=2.0, **said):
    """From the origin to a spot beside each carrier in turn."""
    keys = [(0, 0, 0), *[Key((0, 0.5, 0), relative_to=name, pin=pin) for name in carriers]]
    return Motion(MotionPath(keys), timing, duration=None if isinstance(timing, KeyTimes) else duration, **said)


def beside(stage, name, t, offset=(0.0, 0.5, 0)):
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
    "one who meets another": [Actor("glass", reach("cup", duration=3.0)), Actor("cup", ARC)],
    "one who waits": [Actor("glass", Motion(MotionPath([(3, 1, 0)] * 2), duration=9.0))],
}


@pytest.mark.parametrize("parent", [None, "boat"])
@pytest.mark.parametrize("timing", [None, KeyTimes([0, 2])])
@pytest.mark.parametrize("whom", CARRIERS)
def test_anybody_can_be_met(whom, timing, parent):
    boat = Actor("boat", Motion(MotionPath([(0, 0, 0), (0, 5, 1), (1, 2, 3)]), duration=5.0), facing=FaceForward())
    stage = Stage([Actor("hand", reach("glass", timing=timing), parent=parent), boat, *CARRIERS[whom]])
    there = beside(stage, "glass", 2.0)
    assert_allclose(stage.at(2.0)["hand"].position, there, atol=1e-8)
    assert_allclose(stage.at([2.5, 4.0])["hand"].position, [there, there], atol=1e-8)  # pinned in the world


def test_one_may_look_at_who_comes_to_meet_it_but_not_be_carried_turned_by_it():
    glass = Actor("glass", ARC, facing=LookAt("hand"))
    with pytest.raises(KeyposeError, match="in a circle: glass → hand → glass"):
        Stage([glass, Actor("hand", reach("glass"))])
    stage = Stage([Actor("glass", ARC), Actor("hand", reach("glass"), facing=LookAt("glass"))])
    pose = stage.at(1.0)
    away = pose["glass"].position - pose["hand"].position
    ahead = quaternion.rotate(pose["hand"].orientation, FORWARD)
    assert_allclose(ahead, away / np.linalg.norm(away), atol=1e-12)


def test_several_carriers_are_met_one_after_the_other():
    stage = Stage([Actor("hand", reach("glass", "cup", "glass")), Actor("glass", ARC), Actor("cup", TURN)])
    meeting, story = stage.relative_keys.relative_motion("hand"), stage.relative_keys.pass_log("hand")
    for key, name in ((1, "glass"), (2, "cup"), (3, "glass")):
        moment = meeting.pass_time(key, story)
        assert_allclose(stage.at(moment)["hand"].position, beside(stage, name, moment), atol=1e-8)


def test_carriers_are_asked_together_while_their_passing_is_searched_for(monkeypatch):
    carriers = [Actor(name, Motion(ARC.path, duration=3.0 + index)) for index, name in enumerate("abcd")]
    stage, asked = Stage([*carriers, Actor("hand", reach(*"abcd"))]), []
    at = Motion.at
    monkeypatch.setattr(Motion, "at", lambda motion, t: asked.append(motion) or at(motion, t))
    stage.at(1.0)
    assert asked == []


def test_a_chain_of_carriers_is_followed_to_its_end():
    cast = [
        Actor("0", ARC),
        *[Actor(f"{i}", reach(f"{i - 1}", timing=KeyTimes([0, 1 + 0.1 * i]))) for i in range(1, 12)],
    ]
    stage = Stage(cast[::-1])
    assert_allclose(stage.at(2.1)["11"].position, beside(stage, "10", 2.1), atol=1e-9)
    alone = Stage(cast).evaluator(np.array([0.7])).pose("11")  # asked for the last of them only
    assert_array_equal(alone.position[0], stage.at(0.7)["11"].position)


# ---- facing ----------------------------------------------------------------------------------------------------------


def test_it_faces_where_its_path_leads_as_it_is_then():
    stage = Stage([Actor("glass", ARC), Actor("hand", reach("glass", pin=False), facing=FaceForward())])
    for t in (0.5, 1.5):
        way = beside(stage, "glass", t)  # a straight line from the origin
        ahead = quaternion.rotate(stage.at(t)["hand"].orientation, FORWARD)
        assert_allclose(ahead, way / np.linalg.norm(way), atol=1e-9)


def test_it_leans_into_the_curve_it_really_takes():
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


def test_a_chain_of_those_who_lean_is_worked_out_once_for_each_moment():
    lean, asked = FaceForward(bank=0.3), []

    class Counted(Motion):
        def at(self, t):
            asked.append(len(np.atleast_1d(t)))
            return super().at(t)

    first = Actor("0", Counted(MotionPath([(3, 0, 0), (4, 2, 1), (6, 1, 3)]), duration=3.0), facing=lean)
    chain = [Actor(f"{i}", reach(f"{i - 1}", timing=KeyTimes([0, 2])), facing=lean) for i in range(1, 9)]
    stage = Stage([first, *chain])
    stage.at(1.0)
    asked.clear()
    stage.at(1.1)
    assert len(asked) <= 2 * 8 + 1


# ---- a pure function of time -----------------------------------------------------------------------------------------


CAST = [
    Actor("boat", WALK, facing=FaceForward(bank=0.5)),
    Actor("cup", TURN, parent="boat"),
    Actor("glass", ARC, facing=LookAt("cup")),
    Actor(
        "hand", reach("glass", "cup", timing=SpeedProfile([1, 4, 1]), start=0.3), parent="boat", facing=FaceForward()
    ),
    Actor("bird", reach("hand", "glass", pin=False), facing=FaceForward(bank=0.4)),
    Actor("dancer", reach("glass", pin=False, outside="mirror"), facing=LookAt("bird")),
    Actor("timed", reach("bird", "cup", timing=KeyTimes([-1, 0.8, 2.5]))),
    Actor("take", shoot(Stage([Actor("a", ARC)]), 3.0, 10)["a"]),
    Actor("late", Motion(MotionPath([Key((0, 0, 0), time=0, relative_to="take"), (1, 1, 1), Key((5, 0, 0), time=2)]))),
]


@pytest.fixture(params=["definition", "kernels"])
def way(request, monkeypatch):
    """By the readable definitions, and by their compiled twins however little there is to do."""
    monkeypatch.setattr(kernel_switch, "_allowed", request.param == "kernels")
    monkeypatch.setattr(kernel_switch, "WORTH_LOADING", 0)
    return request.param


def assert_same(one, two):
    assert one.keys() == two.keys()
    for name in one:
        assert_array_equal(one[name].position, two[name].position, name)
        assert_array_equal(one[name].orientation, two[name].orientation, name)


def test_any_instant_has_the_same_bits_however_it_is_asked_for(way):
    cast, t = pickle.loads(pickle.dumps(CAST)), np.random.default_rng(0).uniform(-1, 4, 12)  # nothing measured yet
    stage = Stage(cast)
    many = stage.at(t)
    assert_same({name: pose[::-1] for name, pose in stage.at(t[::-1]).items()}, many)
    square = stage.at(t.reshape(3, 4))
    assert square["hand"].position.shape == (3, 4, 3)
    for index, moment in enumerate(t):
        one = {name: pose[index] for name, pose in many.items()}
        assert_same(stage.at(moment), one)
        assert_same({name: pose[divmod(index, 4)] for name, pose in square.items()}, one)
    assert_same(Stage(cast[::-1]).at(t[::-1]), stage.at(t[::-1]))  # asked for the first time from another end
    again = pickle.loads(pickle.dumps(stage))
    assert again == stage
    assert_same(again.at(t), many)


def test_the_shot_frames_are_the_instants():
    stage = Stage(CAST)
    take = shoot(stage, 3.0)
    assert_same(dict(take.poses), stage.at(take.times))


@pytest.mark.parametrize("t", [-np.inf, np.inf, -1e9, 1e9])
def test_long_before_and_long_after_everybody_is_somewhere(t):
    calm = [actor for actor in CAST if actor.name != "dancer"]
    for pose in Stage(calm).at(t).values():
        assert np.isfinite(pose.position).all()
        assert_allclose(np.linalg.norm(pose.orientation, axis=-1), 1)


# ---- events ----------------------------------------------------------------------------------------------------------


SHORT = Motion(MotionPath([(3, 0, 0), (4, 0, 0)]), duration=1.0)


def told(stage, seconds=3.0):
    return shoot(stage, seconds).events


def test_a_carrier_that_ends_before_its_key_is_reached_is_told_once():
    hand = Motion(MotionPath([(0, 0, 0), Key((0, 0, 0), relative_to="glass", name="grasp")]), duration=2.0)
    (event,) = told(Stage([Actor("glass", SHORT), Actor("hand", hand)]))
    assert (event.time, event.actor, event.kind) == (1.0, "hand", "warning")
    assert event.text == (
        "Key 1 ('grasp') is carried by 'glass', whose motion ends at 1 s, before the key is reached at 2 s. "
        "The carrier is held where it ended."
    )


def test_each_key_is_told_by_itself_and_in_order_of_time():
    cast = [
        Actor("glass", SHORT),
        Actor("cup", Motion(MotionPath([(0, 1, 0), (0, 3, 0)]), duration=0.5)),
        Actor("hand", reach("glass", "cup", "glass", timing=KeyTimes([0, 0.8, 1.5, 2]))),
        Actor("arm", reach("glass")),
    ]
    events = told(Stage(cast))
    assert [(event.time, event.actor, event.text[:5]) for event in events] == [
        (0.5, "hand", "Key 2"),
        (1.0, "arm", "Key 1"),
        (1.0, "hand", "Key 3"),
    ]
    assert told(Stage(cast[::-1])) == events


@pytest.mark.parametrize(
    ("glass", "hand"),
    [
        (ARC, reach("glass")),  # ends later
        (Motion(MotionPath([(3, 0, 0)] * 2), duration=1.0), reach("glass")),  # never moves
        (Motion(MotionPath([(3, 0, 0), (4, 0, 0)]), duration=1.0, outside="mirror"), reach("glass")),  # never ends
        (SHORT, reach("glass", timing=KeyTimes([0, 0.9]))),  # met before
        (SHORT, reach("glass", timing=KeyTimes([0, 1.0]))),  # met just then
        (SHORT, Motion(MotionPath([(0, 0, 0), Key((0, 0, 0), relative_to="glass", pin=False), (99, 0, 0)]),
                       duration=3.0, outside="cycle")),  # met in the first lap
        (shoot(Stage([Actor("a", Motion(MotionPath([(1, 1, 1)] * 2), duration=1.0))]), 1.0)["a"], reach("glass")),
    ],
)  # fmt: skip
def test_nothing_is_told_where_nothing_is_missed(glass, hand):
    assert told(Stage([Actor("glass", glass), Actor("hand", hand)])) == ()


def test_one_that_only_turns_ends_too():
    spinning = MotionPath([Key((0, 0, 0), orientation=(1, 0, 0, 0)), Key(orientation=Orientation.turned(90, "y"))])
    (event,) = told(Stage([Actor("glass", Motion(spinning, duration=1.0)), Actor("hand", reach("glass"))]))
    assert event.time == 1


def test_what_happens_after_the_last_frame_is_not_told():
    stage = Stage([Actor("glass", SHORT), Actor("hand", reach("glass"))])
    assert told(stage, 1.0) == ()
    assert len(told(stage, 1.5)) == 1


# ---- bad input -------------------------------------------------------------------------------------------------------


BAD = {
    "an unknown carrier": (
        lambda: Stage([Actor("glass", ARC), Actor("hand", reach("glas"))]),
        r"^Actor 'hand' has a key relative to 'glas', which is not on the stage\. Did you mean 'glass'\?$",
    ),
    "itself": (lambda: Stage([Actor("hand", reach("hand"))]), r"^Actor 'hand' carries a key of its own\. Name another"),
    "each other": (
        lambda: Stage([Actor("a", reach("b")), Actor("b", reach("a"))]),
        r"carried by each other in a circle: a → b → a\. Give one of them another parent, facing or carrier, ",
    ),
    "a circle through a parent": (
        lambda: Stage([Actor("a", reach("c")), Actor("b", WALK, parent="a"), Actor("c", WALK, parent="b")]),
        r"in a circle: a → c → b → a\. ",
    ),
    "a pin that is passed again and again": (
        lambda: Stage([Actor("glass", ARC), Actor("hand", reach("glass", outside="cycle"))]),
        r"^Key 1 of actor 'hand' is carried until it is passed, but .*outside=\"cycle\".*Give the key pin=False, ",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_met_gets_a_sentence(name):
    wrong, says = BAD[name]
    with pytest.raises(KeyposeError, match=says) as refused:
        wrong()
    assert len(str(refused.value)) < 300
    assert isinstance(refused.value, UnknownNameError) == (name == "an unknown carrier")


class Idle:
    """The smallest mover."""

    def begin(self, sight):
        return 0.0

    def step(self, state, sight, dt):
        return state + dt

    def pose(self, state):
        return Pose(np.array([state, 0.0, 0.0]), np.array([1.0, 0, 0, 0]))


def test_what_cannot_be_known_of_a_mover_gets_a_sentence():
    half = Motion(MotionPath([Key((0, 0, 0), time=0), (1, 0, 0), Key((0, 0, 0), time=2, relative_to="dog")]))
    with pytest.raises(KeyposeError, match=r"'hand' has keys with and without times, .*Give every key a time, or none"):
        Stage([Actor("dog", Idle()), Actor("hand", half)])
    with pytest.raises(KeyposeError, match=r"'hand' leans into curves, .*Give FaceForward\(\) without bank"):
        Stage([Actor("dog", Idle()), Actor("hand", reach("dog"), facing=FaceForward(bank=1.0))])
    with pytest.raises(KeyposeError, match="'dog' takes ticks"):
        Stage([Actor("dog", Idle()), Actor("hand", reach("dog"))]).at(1.0)
