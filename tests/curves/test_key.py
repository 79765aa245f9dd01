"""One key: what it may say, that it stays what it was, and the sentences for what it may not say."""

import copy
import dataclasses
import pickle

import numpy as np
import pytest

from keypose import Key, KeyposeError, Orientation, Turn, at_depth

HALF_TURN = (0, 0, 1, 0)

INVALID_POSITIONS = [
    "somewhere",
    "1",
    ["1", "2"],
    [0, "a"],
    [True, False],
    1j,
    np.array([1j, 2]),
    np.array(["2020-01-01"], dtype="M8[D]"),
    {"x": 1},
    {1, 2},
    [[0, 1], [2]],
    [0, [1, 2]],
    object(),
    [10**400, 0],
    [10**5000, 0],
]


def short_repr(value):
    first = value[0] if isinstance(value, list) else value
    if type(first) is object:  # whose text tells where it is in memory
        return "an object"
    return "a long integer" if type(first) is int and first > 9 else repr(value)[:30]


# ---- a value ---------------------------------------------------------------------------------------------------------


def test_key_is_immutable():
    place = np.array([1.0, 2.0])
    key = Key(place, arrive=(1, 1), orientation=HALF_TURN)
    with pytest.raises(dataclasses.FrozenInstanceError):
        key.time = 2.0
    with pytest.raises(dataclasses.FrozenInstanceError):
        del key.position
    with pytest.raises(ValueError, match="read-only"):
        key.position[0] = 5
    with pytest.raises(ValueError, match="read-only"):
        key.arrive[0] = 5
    place[0] = 99
    assert key.position.tolist() == [1, 2]


def test_equal_keys_compare_and_hash_equal():
    one = Key((0, 1), time=1, tension=0.5, arrive=(1, 2), leave="chord", orientation=HALF_TURN, name="a")
    two = Key(np.array([0, 1]), time=1.0, tension=0.5, arrive=[1, 2], leave="chord", orientation=HALF_TURN, name="a")
    assert one == two
    assert hash(one) == hash(two)
    assert len({one, two}) == 1


@pytest.mark.parametrize(
    "other",
    [
        Key((0, 2)),
        Key((0, 1, 0)),
        Key([[0, 1]]),
        Key(),
        Key((0, 1), tension=0),
        Key((0, 1), time=0),
        Key((0, 1), arrive=(0, 0)),
        Key((0, 1), leave="chord"),
        Key((0, 1), orientation=(1, 0, 0, 0)),
        Key((0, 1), pin=False),
        Key((0, 1), name="a"),
        Key((0, 1), relative_to="a"),
        (0, 1),
    ],
)
def test_different_keys_compare_unequal(other):
    assert Key((0, 1)) != other


def test_negative_zero_equals_zero():
    assert Key((-0.0, 1), time=-0.0, tension=-0.0) == Key((0.0, 1), time=0.0, tension=0.0)
    assert hash(Key((-0.0, 1), time=-0.0)) == hash(Key((0.0, 1), time=0.0))
    assert repr(Key((-0.0, 1))) == "Key((0, 1))"


def test_opposite_quaternions_are_the_same_orientation():
    assert Key((0, 1), orientation=(0, 0, 1, 0)) == Key((0, 1), orientation=(0, 0, -1, 0))
    assert hash(Key((0, 1), orientation=(0, 0, 1, 0))) == hash(Key((0, 1), orientation=(0, 0, -1, 0)))


@pytest.mark.parametrize(
    "key",
    [
        Key(),
        Key((1 / 3, 2 / 3, 0.1 + 0.2)),
        Key((1e-17 / 3, -2e99 / 3, 1.2345678901234567), arrive=(1 / 3, 1 / 7, 1 / 9), leave="chord"),
        Key((1, 2), time=0.1, tension=-0.3, continuity=1, bias=0.5, relative_to="glass", pin=False, name="it's"),
        Key(orientation=HALF_TURN),
        Key((1, 2), orientation=Turn((1, 1, 0, 0), tension=1, arrive=(0.1, 0, 0), leave="chord")),
        Key([[0, 1], [2, 3.5]]),
    ],
)
def test_repr_and_pickle_round_trip(key):
    assert eval(repr(key)) == key
    assert pickle.loads(pickle.dumps(key)) == key
    assert copy.deepcopy(key) == copy.copy(key) == key


def test_repr_omits_unset_options():
    assert repr(Key((1, 2), bias=1)) == "Key((1, 2), bias=1)"
    assert repr(Turn((1, 0, 0, 0), bias=1)) == "Turn(Orientation(w=1.0, x=0.0, y=0.0, z=0.0), bias=1)"


def test_repr_of_a_drawing_is_abbreviated():
    assert len(repr(Key(np.zeros((1000, 3))))) < 100


# ---- what it may say -------------------------------------------------------------------------------------------------


def test_numbers_of_any_kind_become_floats():
    key = Key(np.array([1, 2], dtype=np.int8), time=np.float32(0.5), tension=np.int64(1), bias=np.array(2))
    assert (key.time, key.tension, key.bias) == (0.5, 1.0, 2.0)
    assert all(type(value) is float for value in (key.time, key.tension, key.bias))
    assert key.position.dtype == np.float64


def test_turn_may_have_its_own_tcb_and_tangents():
    turn = Turn(Orientation.turned(90, "y"), tension=1, arrive=(0, 1, 0))
    assert Key((0, 0), tension=0.5, orientation=turn).orientation is turn
    assert turn == Turn(Orientation.turned(90, "y"), tension=1, arrive=(0, 1, 0))
    assert turn != Turn(Orientation.turned(90, "y"), tension=1)


def test_changed_returns_a_modified_copy():
    key = Key((0, 1), time=1, tension=0.5, arrive=(1, 2), name="a")
    moved = key.changed(position=(5, 5), tension=None)
    assert moved == Key((5, 5), time=1, arrive=(1, 2), name="a")
    assert key.changed() == key
    assert key == Key((0, 1), time=1, tension=0.5, arrive=(1, 2), name="a")


def test_changed_suggests_the_nearest_option_name():
    with pytest.raises(KeyposeError, match=r"A key has no 'tensoin'\. Did you mean 'tension'\?"):
        Key((0, 1)).changed(tensoin=1)
    with pytest.raises(KeyposeError, match=r"A key has no 'colour'\. There is 'arrive', 'bias'"):
        Key((0, 1)).changed(colour="red")


def test_at_depth_adds_a_third_coordinate():
    assert at_depth([[0, 1], [2, 3]], 4).tolist() == [[0, 1, 4], [2, 3, 4]]
    assert at_depth((0, 1), -1).tolist() == [0, 1, -1]
    with pytest.raises(KeyposeError, match=r"has shape \(1, 3\)\. Give points in 2-D"):
        at_depth([[0, 1, 2]], 4)
    for wrong in (None, "far", np.nan):
        with pytest.raises(KeyposeError, match="depth"):
            at_depth([[0, 1]], wrong)


# ---- what it may not say ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", INVALID_POSITIONS, ids=short_repr)
def test_nonnumeric_position_is_refused(wrong):
    with pytest.raises(KeyposeError, match=r"The key 'bounce' has position .*not a list of numbers\. Give \(x, y\)"):
        Key(wrong, name="bounce")


@pytest.mark.parametrize("wrong", [3.0, [], [[]], np.zeros((3, 0)), np.zeros((2, 2, 2))], ids=str)
def test_position_of_wrong_shape_is_refused(wrong):
    with pytest.raises(KeyposeError, match=r"position of shape .*Give \(dim,\) for a place or \(points, dim\)"):
        Key(wrong)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf, None, 1e101, 10**200])
def test_nonfinite_coordinates_are_refused(wrong):
    with pytest.raises(KeyposeError, match=r"Coordinates must be finite, at most 1e\+100"):
        Key((0, wrong))
    assert Key((0, 1e100)).position[1] == 1e100


@pytest.mark.parametrize("word", ["time", "tension", "continuity", "bias"])
@pytest.mark.parametrize(
    "wrong",
    [np.nan, np.inf, "1", b"1", True, np.True_, [1.0], np.array([1.0]), 1j, 1e101, 10**400, 10**5000],
    ids=short_repr,
)
def test_nonfinite_time_or_tcb_is_refused(word, wrong):
    with pytest.raises(KeyposeError, match=f"The key has {word} .*Give a finite number"):
        Key((0, 0), **{word: wrong})


@pytest.mark.parametrize("word", ["tension", "continuity", "bias"])
def test_nonfinite_turn_tcb_is_refused(word):
    with pytest.raises(KeyposeError, match=f"The turn has {word} nan"):
        Turn(HALF_TURN, **{word: np.nan})


@pytest.mark.parametrize("side", ["arrive", "leave"])
def test_tangent_shape_must_match_the_position(side):
    with pytest.raises(KeyposeError, match=rf"{side} of shape \(3,\)\. Its place needs shape \(2,\)"):
        Key((0, 0), **{side: (1, 2, 3)})
    with pytest.raises(KeyposeError, match=rf"{side} of shape \(2,\)\. Its place needs shape \(4, 2\)"):
        Key(np.zeros((4, 2)), **{side: (1, 2)})
    with pytest.raises(KeyposeError, match=rf"{side} of shape \(2,\)\. Its place needs shape \(3,\)"):
        Turn(HALF_TURN, **{side: (1, 2)})
    with pytest.raises(KeyposeError, match=r"Give a vector, \"chord\", or None for TCB"):
        Key((0, 0), **{side: "cord"})
    with pytest.raises(KeyposeError, match=rf"'s {side} has position \[nan, 0.0\]"):
        Key((0, 0), **{side: (np.nan, 0)})


@pytest.mark.parametrize("side", ["arrive", "leave"])
def test_tangent_without_a_position_is_refused(side):
    with pytest.raises(KeyposeError, match=r"but no position\. Give it a position, or a Turn"):
        Key(orientation=HALF_TURN, **{side: (1, 0, 0)})
    assert getattr(Key(orientation=HALF_TURN, **{side: "chord"}), side) == "chord"


@pytest.mark.parametrize("word", ["name", "relative_to"])
@pytest.mark.parametrize("wrong", ["", 3, b"ball", ["ball"], True])
def test_invalid_names_are_refused(word, wrong):
    with pytest.raises(KeyposeError, match=r"Give a name, or None"):
        Key((0, 0), **{word: wrong})


@pytest.mark.parametrize("wrong", ["no", 0, None, []])
def test_pin_must_be_a_boolean(wrong):
    with pytest.raises(KeyposeError, match=r"has pin=.*Give True or False"):
        Key((0, 0), pin=wrong)


@pytest.mark.parametrize("wrong", [(0, 0, 0, 0), (1, 0, 0), "up", (np.nan, 0, 0, 1), Turn(HALF_TURN)])
def test_invalid_orientation_is_refused(wrong):
    with pytest.raises(KeyposeError, match="orientation"):
        Turn(wrong)
    if not isinstance(wrong, Turn):
        with pytest.raises(KeyposeError, match="orientation"):
            Key((0, 0), orientation=wrong)
