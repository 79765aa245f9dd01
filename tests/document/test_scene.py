"""A stage becomes a scene file and the same stage again: equal values, equal text, equal takes to the last bit."""

import pickle

import numpy as np
import pytest

from keypose import (
    Actor,
    Camera,
    FaceForward,
    Key,
    KeyposeError,
    LookAt,
    Motion,
    MotionPath,
    Orientation,
    Pose,
    SceneError,
    SceneStyle,
    Stage,
    effects,
    shoot,
)
from keypose.document.scene import find_problems, read, write
from keypose.motion.take import RecordedMotion
from tests.document.stage_samples import STAGES, WALK, scene_bytes

ODD_NAMES = ["ä ö", 'he said "no"', "a.b[3]", "two\nlines", "tab\t", "7", "-0.0", "null", "\\", "/", "🎬"]
ODD_NAMES += ["\u2028", "e\u0301", " ", "\x00", "a\x00"]
NUMBERS = [0.0, -0.0, 5e-324, -2.2e-308, 1e100, -1e100, 0.1, 1 / 3, 1e15, 1e15 - 1, 1e22, 2**53]


def assert_round_trip(stage):
    """The stage that comes back, once it is known to be the same in every way."""
    written = scene_bytes(stage)
    again = read(written)
    assert again == stage
    assert again.actors == stage.actors, "in the same order"
    assert scene_bytes(again) == written
    return again


def assert_bitwise_equal(one, two):
    assert one == two
    for name in one.names:
        assert one.poses[name].position.tobytes() == two.poses[name].position.tobytes()
        assert one.poses[name].orientation.tobytes() == two.poses[name].orientation.tobytes()


@pytest.mark.parametrize("name", STAGES)
def test_stage_round_trips_and_shoots_to_the_same_take(name):
    again = assert_round_trip(STAGES[name])
    assert_bitwise_equal(shoot(STAGES[name], 1.5), shoot(again, 1.5))


@pytest.mark.parametrize("name", ODD_NAMES)
def test_any_name_round_trips(name):
    path = MotionPath([Key((0, 0)), Key((1, 1), name=name), Key((2, 0), relative_to=name)])
    style = SceneStyle(0, {name: effects.Effect(0.5)})
    cast = [
        Actor(name, WALK, look=name),
        Actor("other", Motion(path, duration=1, capture={name: 0.5}), parent=name, facing=LookAt(name)),
    ]
    again = assert_round_trip(Stage(cast, style=style))
    assert again.names == (name, "other")
    assert dict(again["other"].motion.capture) == {name: 0.5}


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_round_trip_bitwise(number):
    motion = Motion(MotionPath([Key((0, 0)), Key((number, 1), bias=np.clip(number, -1, 1))]), duration=2, start=number)
    again = assert_round_trip(Stage([Actor("a", motion, facing=FaceForward(number))], gravity=(0, number, 0)))
    assert again["a"].motion.path.keys[1].position[0] == number
    assert again["a"].motion.start == number
    assert again.gravity[1] == number


def test_signs_of_zeros_are_kept():
    recorded = RecordedMotion([0, 1], [[-0.0, 0.0], [0.0, -0.0]], [[1, -0.0, 0, 0], [1, 0, 0, 0]])
    again = assert_round_trip(Stage([Actor("a", recorded)]))["a"].motion
    assert np.signbit(again.position).tolist() == [[True, False], [False, True]]
    assert np.signbit(again.orientation).tolist() == [[False, True, False, False], [False] * 4]


@pytest.mark.parametrize("start", [1e200, -1e300, 1.7e308])
def test_values_python_allows_round_trip(start):
    assert_round_trip(Stage([Actor("a", Motion(WALK.path, duration=1, start=start), facing=FaceForward(start))]))


def test_widest_camera_round_trips():
    assert_round_trip(Stage([Actor("a", WALK, look=Camera(np.nextafter(180, 0)))]))


def test_an_empty_stage_is_a_scene():
    assert scene_bytes(Stage([])) == b'{"keypose": 1, "actors": []}\n'
    assert_round_trip(Stage([]))


def test_empty_keys_round_trip():
    assert_round_trip(Stage([Actor("a", Motion(MotionPath([Key(), Key()]), duration=1))]))


def test_edited_path_is_written_like_a_new_one():
    path = MotionPath([(0, 0), (1, 1), (2, 0)]).with_key(1, tension=1, name="x").with_key(1, tension=None, name=None)
    edited = Stage([Actor("a", Motion(path, duration=1))])
    assert scene_bytes(edited) == scene_bytes(
        Stage([Actor("a", Motion(MotionPath([(0, 0), (1, 1), (2, 0)]), duration=1))])
    )


def test_recorded_take_round_trips():
    take = shoot(STAGES["bonds"], 0.5)
    stage = Stage([Actor(name, take[name], look="red") for name in take.names])
    assert_bitwise_equal(shoot(assert_round_trip(stage), 0.5), shoot(stage, 0.5))


def test_orientations_round_trip_bitwise():
    rng = np.random.default_rng(3)
    facings = [Orientation.of(four) for four in rng.normal(size=(50, 4))]
    path = MotionPath([Key((i, 0, 0), orientation=facing) for i, facing in enumerate(facings)])
    again = assert_round_trip(Stage([Actor("a", Motion(path, duration=1))]))
    assert again["a"].motion.path.keys.column("facing").tobytes() == path.keys.column("facing").tobytes()


def test_style_applies_where_paths_and_keys_give_no_value():
    scene = b"""{"keypose": 1, "style": {"tension": 0.5, "effects": {"snap": {"bias": -1}, "tight": {"tension": 0.9}}},
      "actors": [{"name": "a", "duration": 1, "path": {"keys": [{"position": [0]}, {"effect": "snap", "tension": 3},
      {"effect": "tight"}, {"effect": "corner"}, {"effect": "linear", "leave": [2], "position": [1]}]}}]}"""
    path = read(scene)["a"].motion.path
    assert path.options.tension == 0.5
    parameters = [(key.tension, key.continuity, key.bias) for key in path.keys]
    assert parameters == [(None,) * 3, (3, 0, -1), (0.9, 0, 0), (0, -1, 0), (0, -1, 0)], (
        "own effects count before KB84's"
    )
    assert path.keys[4].arrive == "chord"
    assert path.keys[4].leave.tolist() == [2]


def test_schema_reference_is_accepted_and_not_kept():
    scene = b'{"$schema": "./scene.schema.json", "keypose": 1, "actors": []}'
    assert read(scene) == Stage([])
    assert b"$schema" not in scene_bytes(read(scene))


def test_fields_may_come_in_any_order():
    shuffled = b"""{"actors": [{"duration": 1, "path": {"keys": [{"effect": "own"}, {}]}, "name": "a"}],
      "style": {"effects": {"own": {"bias": 1}}}, "keypose": 1}"""
    assert read(shuffled)["a"].motion.path.keys[0].bias == 1


class UnsavableMover:
    """A mover that nobody made savable."""

    def begin(self, view):
        return 0

    def step(self, state, view, dt):
        return 0

    def pose(self, state):
        return Pose(np.zeros(3), np.array([1.0, 0, 0, 0]))


UNWRITABLE = {
    "a stranger": (lambda: Actor("x", UnsavableMover()), "Actor 'x' has the mover .*savable"),
    "a look of its own": (lambda: Actor("x", WALK, look=object()), "Actor 'x' has the look"),
    "half a character in a name": (lambda: Actor("\ud800", WALK), "half a character"),
    "half a character in a look": (lambda: Actor("x", WALK, look="\udfff"), "half a character"),
    "half a character in a key's name": (
        lambda: Actor("x", Motion(MotionPath([Key((0,), name="\ud800"), Key((1,))]), duration=1)),
        "half a character",
    ),
    "frames that are not finite": (
        lambda: Actor("x", RecordedMotion.of(np.array([0.0, 1]), Pose(np.full((2, 3), np.nan), np.ones((2, 4))))),
        "not finite",
    ),
}


@pytest.mark.parametrize("what", UNWRITABLE)
def test_unsavable_stage_is_refused_before_the_first_chunk(what):
    make, sentence = UNWRITABLE[what]
    stage = Stage([make()])
    with pytest.raises(KeyposeError, match=sentence):
        write(stage)


def test_lone_surrogate_in_an_effect_name_is_refused():
    with pytest.raises(KeyposeError, match="half a character"):
        write(Stage([], style=SceneStyle(0, {"\ud800": effects.Effect()})))


def test_scene_error_has_the_problems_that_find_problems_returns():
    scene = b'{"keypose": 1, "gravity": 3, "actors": [{"name": "a", "duraton": 1}, 7], "stile": {}}'
    with pytest.raises(SceneError) as caught:
        read(scene, "ball.json")
    assert find_problems(scene) == caught.value.problems
    assert str(caught.value).startswith("ball.json has 4 problems:\n")
    assert [problem.path for problem in caught.value.problems] == ["stile", "gravity", "actors[0].duraton", "actors[1]"]
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.problems) == (str(caught.value), caught.value.problems)
    assert find_problems(scene_bytes(STAGES["bonds"])) == ()


def test_reading_ends_after_a_thousand_problems():
    keys = ", ".join(["{}"] + ['{"tensoin": 1}'] * 5000)
    scene = f'{{"keypose": 1, "actors": [{{"name": "a", "path": {{"keys": [{keys}]}}}}]}}'.encode()
    with pytest.raises(SceneError, match=r"more than 1,000 problems:(.|\n)* many more\.$") as caught:
        read(scene)
    assert (len(caught.value.problems), caught.value.count) == (1000, 1001)
    assert len(find_problems(scene)) == 1000
    for all_wrong in (b'{"keypose": 1, "actors": [%s]}', b'{"keypose": 1, "gravity": [%s]}'):
        assert len(find_problems(all_wrong % b", ".join([b"NaN"] * 2000))) == 1000
