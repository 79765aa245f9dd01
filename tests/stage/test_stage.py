"""A cast that knows each other by name: hierarchy at any instant, and circles named in full."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from keypose import (
    Actor,
    Body,
    FaceForward,
    Follow,
    Key,
    KeyposeError,
    KeyTimes,
    LookAt,
    Motion,
    MotionPath,
    Orientation,
    Pose,
    Run,
    SpeedProfile,
    Sphere,
    Stage,
    UnknownNameError,
    fields,
    shoot,
)
from keypose.maths import quaternion

FORWARD = np.array([0.0, 0, 1])
WALK = Motion(MotionPath([(0, 0, 0), (4, 0, 0)]), duration=4.0)
WAIT = Motion(MotionPath([(0, 2, 0), (0, 2, 0)]), KeyTimes([0, 1]))
TURN = Motion(
    MotionPath([Key((0, 0, 0), orientation=(1, 0, 0, 0)), Key((0, 0, 0), orientation=Orientation.turned(90, "z"))]),
    duration=1.0,
)


class Idle:
    """The smallest mover."""

    def begin(self, view):
        return 0.0

    def step(self, state, view, dt):
        return state + dt

    def pose(self, state):
        return Pose(np.array([state, 0.0, 0.0]), np.array([1.0, 0, 0, 0]))


class WatchingMover(Idle):
    def __init__(self, *watches):
        self.watches = watches


# ---- hierarchy -------------------------------------------------------------------------------------------------------


def test_child_moves_with_its_parent():
    stage = Stage([Actor("man", WALK), Actor("hat", WAIT, parent="man")])
    assert_array_equal(stage.at(3.0)["hat"].position, (3, 2, 0))


def test_child_rotates_with_its_parent():
    stage = Stage([Actor("hat", WAIT, parent="man"), Actor("man", TURN)])
    pose = stage.at(1.0)["hat"]
    assert_allclose(pose.position, (-2, 0, 0), atol=1e-12)
    assert Orientation.of(pose.orientation).angle_to(Orientation.turned(90, "z")) < 1e-6


def test_long_parent_chain_does_not_exceed_the_recursion_limit():
    step = Motion(MotionPath([(1, 0, 0), (1, 0, 0)]), KeyTimes([0, 1]))
    cast = [Actor(f"{index}", step, parent=f"{index - 1}" if index else None) for index in range(1500)]
    assert_array_equal(Stage(cast[::-1]).at(0.5)["1499"].position, (1500, 0, 0))


def test_flat_motion_has_depth_zero_and_drawing_moves_rigidly():
    drawing = Motion(MotionPath(np.stack([np.ones((4, 2)), 2 * np.ones((4, 2))])), duration=1.0)
    stage = Stage([Actor("man", WALK), Actor("sheet", drawing, parent="man")])
    assert_allclose(stage.at([0, 1.0])["sheet"].position[1], [[3, 2, 0]] * 4)


def test_result_shape_follows_the_shape_of_times():
    stage = Stage([Actor("man", WALK), Actor("hat", WAIT, parent="man", facing=LookAt("man"))])
    t = np.random.default_rng(0).uniform(-1, 5, (2, 3))
    poses = stage.at(t)
    assert poses["hat"].position.shape == (2, 3, 3)
    assert poses["hat"].orientation.shape == (2, 3, 4)
    for place in np.ndindex(t.shape):
        alone = stage.at(float(t[place]))
        for name in stage.names:
            assert_array_equal(alone[name].position, poses[name].position[place])
            assert_array_equal(alone[name].orientation, poses[name].orientation[place])


def test_iterating_a_stage_gives_its_actors():
    hand, ring = Actor("hand", WALK), Actor("ring", WAIT, parent="hand")
    stage = Stage([hand, ring])
    assert list(stage) == [hand, ring]
    assert len(stage) == 2
    assert all(actor in stage and actor.name in stage and stage[actor.name] == actor for actor in stage)
    assert Actor("hand", TURN) not in stage
    assert Stage([])
    assert list(Stage([])) == []


def test_repr_of_a_stage_of_six_actors_is_one_line():
    actors = [Actor(name, WALK) for name in ("hand", "ring", "glass", "moth", "lamp", "dog")]
    stage = Stage(actors, gravity=(0, -9.81, 0), fields={"wind": fields.Uniform((1, 0, 0))})
    assert repr(stage) == "<Stage: hand, ring, glass, moth, lamp, dog; 1 field; gravity (0, -9.81, 0)>"
    assert repr(Stage([])) == "<Stage: no actors>"
    crowd = Stage([Actor(f"bird{number}", WALK) for number in range(1000)])
    assert repr(crowd) == "<Stage: bird0, bird1, bird2, bird3, bird4, bird5 … and 994 more>"


def test_repr_of_an_actor_has_only_what_is_set():
    assert repr(Actor("hand", WALK, parent="arm")) == f"Actor('hand', {WALK!r}, parent='arm')"
    assert repr(Actor("ball", Follow(WALK.path, Body(Sphere(0.3)), within=0.4))) == "Actor('ball', <Follow>)"


def test_repr_of_a_run_has_its_time_and_its_actors():
    run = Run(Stage([Actor("hand", WALK)]))
    for _ in range(6):
        run.tick()
    assert repr(run) == "<Run at 0.25 s, 6 ticks: hand>"
    assert repr(run.snapshot()) == "<Snapshot at 0.25 s, 6 ticks: hand>"


def test_empty_stage_has_no_poses():
    assert Stage([]).at(1.0) == {}


def test_stage_duration_is_the_end_of_the_last_finite_motion():
    late = Motion(WALK.path, duration=2.0, start=5.0)
    endless = Motion(WALK.path, duration=90.0, outside="cycle")
    over = Motion(WALK.path, duration=1.0, start=-3.0)
    recording = shoot(Stage([Actor("a", WALK)]), 8.0)["a"]
    assert Stage([Actor("a", WALK), Actor("b", late), Actor("c", endless)]).resolved.duration == 7.0
    assert Stage([Actor("a", WALK), Actor("b", recording)]).resolved.duration == 8.0
    assert "path" not in vars(recording)  # deriving it takes long
    for actors in ([], [Actor("a", endless)], [Actor("a", over)], [Actor("a", Idle())]):
        assert Stage(actors).resolved.duration == 0.0


# ---- who looks where -------------------------------------------------------------------------------------------------


def test_look_at_works_across_parents():
    stage = Stage([Actor("man", WALK, facing=FaceForward()), Actor("bird", WAIT, parent="man", facing=LookAt("nest")),
                   Actor("nest", Motion(MotionPath([(0, 5, 5), (9, 5, 5)]), duration=2.0))])  # fmt: skip
    poses = stage.at(np.linspace(0, 4, 9))
    away = poses["nest"].position - poses["bird"].position
    away /= np.linalg.norm(away, axis=1, keepdims=True)
    assert_allclose(quaternion.rotate(poses["bird"].orientation, FORWARD), away, atol=1e-12)


def test_two_actors_may_look_at_each_other():
    stage = Stage([Actor("a", WALK, facing=LookAt("b")), Actor("b", WAIT, facing=LookAt("a"))])
    poses = stage.at(1.0)
    one, two = (quaternion.rotate(poses[name].orientation, FORWARD) for name in "ab")
    assert_allclose(one, -two, atol=1e-12)


def test_look_at_a_coincident_actor_keeps_the_own_orientation():
    stage = Stage([Actor("a", TURN, facing=LookAt("b")), Actor("b", TURN)])
    poses = stage.at([0, 0.4, 1])
    assert poses["a"] == poses["b"]


def test_child_rotates_with_a_look_at_parent():
    stage = Stage([Actor("head", WAIT, facing=LookAt("man")), Actor("man", WALK),
                   Actor("nose", Motion(MotionPath([(0, 0, 1), (0, 0, 1)]), duration=1.0), parent="head")])  # fmt: skip
    poses = stage.at(2.0)
    towards = poses["man"].position - poses["head"].position
    assert_allclose(poses["nose"].position - poses["head"].position, towards / np.linalg.norm(towards), atol=1e-12)


# ---- a take can play -------------------------------------------------------------------------------------------------


def test_recording_can_be_a_parent_and_a_look_at_target():
    take = shoot(Stage([Actor("man", WALK)]), 4.0)
    stage = Stage([Actor("ghost", take["man"]), Actor("hat", WAIT, parent="ghost"),
                   Actor("eye", WAIT, facing=LookAt("ghost"))])  # fmt: skip
    poses = stage.at(np.array([0.3, 2.01]))
    assert_allclose(poses["hat"].position, np.add(WALK.at([0.3, 2.01]).position, (0, 2, 0)), atol=1e-12)


# ---- as a value ------------------------------------------------------------------------------------------------------


def test_stages_compare_by_value_whatever_the_order():
    one = Stage([Actor("man", WALK), Actor("hat", WAIT, parent="man")])
    two = Stage([Actor("hat", WAIT, parent="man"), Actor("man", WALK)])
    assert one == two
    assert hash(one) == hash(two)
    assert one != Stage(one.actors, gravity=(0, -9.81, 0))
    assert pickle.loads(pickle.dumps(one)) == one
    assert one["hat"].parent == "man"
    assert one.names == ("man", "hat")
    with pytest.raises(AttributeError, match="make a new stage"):
        one.gravity = 3


def test_with_actor_replaces_or_adds_an_actor():
    stage = Stage([Actor("man", WALK)], gravity=(0, -1, 0))
    assert stage.with_actor(Actor("man", WAIT)).names == ("man",)
    assert stage.with_actor(Actor("dog", WAIT)).names == ("man", "dog")
    assert stage.with_actor(Actor("dog", WAIT)).gravity == (0, -1, 0)


def test_changed_motion_reuses_the_dependency_order():
    carried = Motion(MotionPath([Key((0, 1, 0), time=0), Key((0, 0, 0), time=1, relative_to="man")]))
    cast = [Actor("man", WALK), Actor("hat", WAIT, parent="man"), Actor("hand", carried, facing=LookAt("hat"))]
    stage = Stage(cast)
    before = stage.at(0.5)
    for actor in (Actor("man", WAIT), Actor("hat", WALK, parent="man"), Actor("hat", WAIT, parent="man", look="red")):
        changed = stage.with_actor(actor)
        anew = Stage([actor if actor.name == one.name else one for one in cast])
        assert changed == anew
        assert changed.names == stage.names
        assert changed.resolved.steps is stage.resolved.steps
        assert changed.at(0.5) == anew.at(0.5)
    assert stage.at(0.5) == before


def test_changed_dependencies_rebuild_the_order():
    stage = Stage([Actor("man", WALK), Actor("hat", WAIT, parent="man"), Actor("dog", WAIT)])
    changed = stage.with_actor(Actor("man", WALK, parent="dog"))
    assert changed.resolved.steps == Stage(changed.actors).resolved.steps
    with pytest.raises(KeyposeError, match="in a circle"):
        stage.with_actor(Actor("man", WALK, parent="hat"))


def test_invalid_replacement_actor_is_refused_as_on_a_new_stage():
    carried = MotionPath([Key((0, 1, 0), time=0), Key((0, 0, 0), time=1, relative_to="man")])
    stage = Stage([Actor("man", WALK), Actor("hand", Motion(carried))])
    wide = Motion(MotionPath([(0, 0, 0, 0), (1, 1, 1, 1)]), duration=1)
    for actor in (Actor("man", wide), Actor("hand", Motion(carried, outside="cycle"))):
        errors = []
        for make in (
            stage.with_actor,
            lambda one: Stage([one if one.name == old.name else old for old in stage.actors]),
        ):
            with pytest.raises(KeyposeError) as refused:
                make(actor)
            errors.append((str(refused.value), refused.value.at))
        assert errors[0] == errors[1]


# ---- bad input -------------------------------------------------------------------------------------------------------

GRASP = MotionPath([Key((0, 1.2, 0)), Key((0, 0.05, 0), relative_to="glass", name="grasp")])

INVALID_STAGES = {
    "an unknown parent": (lambda: Stage([Actor("man", WALK), Actor("hat", WAIT, parent="mann")]),
                          r"Actor 'hat' has the parent 'mann', which is not on the stage\. Did you mean 'man'\?"),
    "an unknown target": (lambda: Stage([Actor("man", WALK, facing=LookAt("moon"))]),
                          r"Actor 'man' looks at 'moon', which is not on the stage\. There is 'man'\."),
    "somebody unknown watched": (
        lambda: Stage([Actor("dog", WatchingMover("man"))]),
        r"Actor 'dog' watches 'man', which",
    ),
    "two of one name": (lambda: Stage([Actor("man", WALK), Actor("man", WAIT)]), r"Two actors are named 'man'"),
    "its own parent": (lambda: Stage([Actor("man", WALK, parent="man")]), r"Actor 'man' is its own parent"),
    "looking at itself": (lambda: Stage([Actor("man", WALK, facing=LookAt("man"))]), r"Actor 'man' looks at itself"),
    "parents in a circle": (lambda: Stage([Actor(a, WALK, parent=b) for a, b in ("cb", "ac", "ba", "xa")]),
                            r"in a circle: a → c → b → a\. Give one"),
    "a look in a circle": (lambda: Stage([Actor("lamp", WALK, facing=LookAt("bulb")),
                                          Actor("bulb", WALK, parent="lamp")]), r"bulb → lamp → bulb"),
    "a key of its own": (lambda: Stage([Actor("glass", Motion(GRASP, duration=3.0))]),
                         r"Actor 'glass' carries a key of its own\. Name another"),
    "a carried key that is passed again": (
        lambda: Stage([Actor("glass", WALK), Actor("hand", Motion(GRASP, duration=3.0, outside="cycle"))]),
        r"Key 1 \('grasp'\) of actor 'hand' is carried until .*pin=False"),
    "a carrier unknown": (lambda: Stage([Actor("glas", WALK), Actor("hand", Motion(GRASP, duration=3.0))]),
                          r"Actor 'hand' has a key relative to 'glass', which is not .*Did you mean 'glas'"),
    "four dimensions": (lambda: Stage([Actor("man", Motion(MotionPath([(0,) * 4, (1,) * 4]), duration=1.0))]),
                        r"Actor 'man' has places of 4 numbers"),
    "fields without names": (lambda: Stage([], fields=[1]), r"fields=.*by name"),
    "a field that is none": (lambda: Stage([], fields={"wind": 1}), r"Field 'wind' of a stage is 1"),
    "a field without a name": (lambda: Stage([], fields={"": 1}), r"named ''"),
    "connections": (lambda: Stage([], connections=[1]), r"A connection is 1\. Give a Hinge, Ball"),
    "no list of connections": (lambda: Stage([], connections=1), r"connections=1\. Give a list"),
    "a script": (lambda: Stage([], script=object()), r"script=.*Give a Script"),
    "gravity of one number": (lambda: Stage([], gravity=9.81), r"Gravity is 9\.81\. Give three"),
    "no list": (lambda: Stage(Actor("man", WALK)), r"Give a list of actors"),
    "a motion for an actor": (lambda: Stage([WALK]), r"Actor 0 of a stage is .*Give Actor"),
    "somebody unknown asked for": (lambda: Stage([Actor("man", WALK)])["men"], r"named 'men'\. Did you mean 'man'"),
    "a moment of movers": (lambda: Stage([Actor("dog", Idle())]).at(1.0), r"Actor 'dog' takes ticks.*Shoot it"),
    "a time of nan": (lambda: Stage([Actor("man", WALK)]).at(float("nan")), r"nan"),
}  # fmt: skip


@pytest.mark.parametrize("case", INVALID_STAGES)
def test_invalid_stage_is_refused_with_reason(case):
    make, sentence = INVALID_STAGES[case]
    with pytest.raises(KeyposeError, match=sentence):
        make()


def test_unknown_names_raise_unknown_name_error():
    with pytest.raises(UnknownNameError):
        Stage([Actor("man", WALK, parent="boy")])


def test_movers_may_watch_each_other_and_their_children():
    stage = Stage(
        [Actor("a", WatchingMover("b")), Actor("b", WatchingMover("a", "hat")), Actor("hat", WAIT, parent="b")]
    )
    assert len(shoot(stage, 1.0).times) == 25


# ---- random casts ----------------------------------------------------------------------------------------------------


@st.composite
def casts(draw):
    """Actors that stand on and look at earlier ones, moved in all sorts of ways."""
    count = draw(st.integers(1, 7))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    actors = []
    for index in range(count):
        dimensions = draw(st.sampled_from([1, 2, 3]))
        path = MotionPath(rng.normal(size=(int(rng.integers(2, 6)), dimensions)))
        kind = draw(st.sampled_from(["timed", "drawn", "turning"]))
        if kind == "timed":
            motion = Motion(path, KeyTimes(np.cumsum(rng.uniform(0.1, 0.7, len(path)))), start=rng.uniform(-1, 1))
        elif kind == "drawn":
            motion = Motion(
                path, SpeedProfile([1, 4, 2]), duration=1.5, outside=draw(st.sampled_from(["hold", "cycle"]))
            )
        else:
            facings = quaternion.exp(rng.normal(size=(3, 3)))
            keys = [Key(place, orientation=turn) for place, turn in zip(rng.normal(size=(3, 3)), facings, strict=True)]
            motion = Motion(MotionPath(keys), duration=1.0)
        earlier = [None, *range(index)]
        parent, target = draw(st.sampled_from(earlier)), draw(st.sampled_from(earlier))
        facing = draw(st.sampled_from([None, FaceForward(0.3)])) if target is None else LookAt(f"{target}")
        actors.append(Actor(f"{index}", motion, parent=None if parent is None else f"{parent}", facing=facing))
    return actors


@settings(deadline=None, max_examples=60)
@given(casts(), st.randoms())
def test_actor_order_does_not_matter(actors, random):
    shuffled = random.sample(actors, len(actors))
    t = np.linspace(-1, 3, 11)
    one, two = Stage(actors).at(t), Stage(shuffled).at(t)
    assert all(one[name] == two[name] for name in one)


@settings(deadline=None, max_examples=60)
@given(casts(), st.floats(0.1, 2), st.sampled_from([10, 24, 25, 30]))
def test_single_instant_equals_the_frame_of_a_take(actors, seconds, fps):
    stage = Stage(actors)
    take = shoot(stage, seconds, fps)
    for frame in (0, len(take.times) // 2, len(take.times) - 1):
        for name, pose in stage.at(take.times[frame]).items():
            assert_array_equal(pose.position, take[name].position[frame])
            assert_array_equal(pose.orientation, take[name].orientation[frame])
