"""A million keys as columns: they read back as they were said, and an edit shares what it does not touch."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keypose import Key, KeyposeError, MotionPath, Orientation, Turn, UnknownNameError, effects
from keypose.curves.key_columns import KeyColumns, Keys

HALF_TURN = (0, 0, 1, 0)

finite_floats = st.floats(-1e6, 1e6)
optional_floats = st.none() | finite_floats
names = st.none() | st.text("abc", min_size=1, max_size=6)
shapes = st.sampled_from([(1,), (2,), (3,), (1, 2), (4, 3)])


def vectors(shape):
    count = int(np.prod(shape))
    return st.lists(finite_floats, min_size=count, max_size=count).map(lambda values: np.reshape(values, shape))


def tangents(shape):
    return st.none() | st.just("chord") | vectors(shape)


orientations = st.builds(Orientation.turned, st.floats(-360, 360), st.sampled_from("xyz"))
turns = st.builds(
    Turn,
    orientations,
    tension=optional_floats,
    continuity=optional_floats,
    bias=optional_floats,
    arrive=tangents((3,)),
    leave=tangents((3,)),
)


@st.composite
def random_key(draw, shape):
    """A key of a path whose places have this shape; it may only turn, and may say little or much."""
    options = {}
    if draw(st.booleans()):
        options["position"] = draw(vectors(shape))
    by_hand = tangents(shape) if "position" in options else st.sampled_from([None, "chord"])
    words = {
        "time": finite_floats,
        "tension": finite_floats,
        "continuity": finite_floats,
        "bias": finite_floats,
        "arrive": by_hand,
        "leave": by_hand,
        "orientation": orientations | turns,
        "relative_to": names,
        "pin": st.booleans(),
        "name": names,
    }
    for word in draw(st.sets(st.sampled_from(sorted(words)), max_size=4)):
        options[word] = draw(words[word])
    return Key(**options)


# ---- there and back --------------------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=60)
@given(shapes.flatmap(lambda shape: st.lists(random_key(shape), min_size=1, max_size=6)))
def test_columns_round_trip_keys(keys):
    columns = KeyColumns.from_keys(keys)
    assert [columns.key(index) for index in range(len(keys))] == [_without_empty_turn(key) for key in keys]
    assert list(Keys.of(keys)) == [_without_empty_turn(key) for key in keys]


def _without_empty_turn(key):
    """A turn that says nothing of its own is a facing."""
    turn = key.orientation
    return key.changed(orientation=turn.orientation) if turn == Turn(getattr(turn, "orientation", HALF_TURN)) else key


@settings(deadline=None, max_examples=60)
@given(shapes.flatmap(lambda shape: st.lists(random_key(shape), min_size=1, max_size=3)))
def test_repr_of_every_key_round_trips(keys):
    for key in keys:
        if key.position is None or key.position.ndim == 1:
            assert eval(repr(key)) == key


@settings(deadline=None, max_examples=60)
@given(
    shapes.flatmap(lambda s: st.tuples(*[st.lists(random_key(s), min_size=n, max_size=5) for n in (1, 0)])), st.data()
)
def test_spliced_keys_equal_rebuilt_keys(lists, data):
    old_keys, new_keys = lists
    start = data.draw(st.integers(0, len(old_keys)))
    stop = data.draw(st.integers(start, len(old_keys)))
    expected = [*old_keys[:start], *new_keys, *old_keys[stop:]]
    spliced = Keys.of(old_keys).spliced(start, stop, new_keys)
    assert list(spliced) == [_without_empty_turn(key) for key in expected]
    if expected:
        assert spliced == Keys.of(expected)
        assert hash(spliced) == hash(Keys.of(expected))


def test_splice_keeps_chord_tangents_of_orientation_only_keys():
    turning = Key(orientation=HALF_TURN, **effects.linear)
    path = [Key((0, 0), **effects.linear), Key((1, 1), orientation=HALF_TURN, arrive=(1, 0)), Key((2, 2))]
    assert Keys.of(path).spliced(1, 2, [turning])[1] == turning
    assert Keys.of([turning, turning])[0] == turning


def test_splice_shares_unaffected_chunks():
    old = Keys.of(np.random.default_rng(0).normal(size=(2000, 3)))
    new = old.spliced(1000, 1001, [Key((1, 2, 3))])
    shared = {id(chunk) for chunk in old.rope.chunks}
    assert sum(id(chunk) not in shared for chunk in new.rope.chunks) == 1
    assert new[1000] == Key((1, 2, 3))
    assert old[1000] != Key((1, 2, 3))
    assert new[999] == old[999]


def test_new_option_is_unset_for_all_other_keys():
    keys = Keys.of([(0, 0), (1, 1), (2, 2)]).spliced(1, 2, [Key((5, 5), time=3, name="new", pin=False)])
    assert list(keys) == [Key((0, 0)), Key((5, 5), time=3, name="new", pin=False), Key((2, 2))]


def test_unused_options_have_no_column():
    assert list(Keys.of([(0, 0), (1, 1)]).rope.whole.arrays) == ["position"]
    assert Keys.of([(0, 0), (1, 1)]).column("time") is None
    assert list(Keys.of([Key(orientation=HALF_TURN)] * 2).rope.whole.arrays) == ["facing"]


# ---- as a sequence ---------------------------------------------------------------------------------------------------


def test_keys_behave_like_a_tuple():
    key_list = [Key((i, 0), name=f"k{i}") for i in range(5)]
    keys = Keys.of(key_list)
    assert len(keys) == 5
    assert keys[2] == keys[-3] == keys[np.int64(2)] == key_list[2]
    assert keys[1:4] == tuple(key_list[1:4])
    assert keys[::-2] == tuple(key_list[::-2])
    assert key_list[3] in keys
    assert list(reversed(keys)) == key_list[::-1]
    for beyond in (5, -6):
        with pytest.raises(IndexError):
            keys[beyond]


def test_keys_accept_keys_positions_or_an_array():
    places = np.arange(6.0).reshape(3, 2)
    one = Keys.of([Key(place) for place in places])
    for other in (places, places.tolist(), list(places), (place for place in places), one, places.astype(int)):
        keys = Keys.of(other)
        assert keys == one
        assert hash(keys) == hash(one)
    assert Keys.of(np.asfortranarray(places)) == one
    assert Keys.of(np.zeros((2, 4, 3)))[0].position.shape == (4, 3)


def test_a_changed_array_does_not_change_the_keys():
    places = np.arange(6.0).reshape(3, 2)
    keys = Keys.of(places)
    places[0] = 99
    assert keys[0] == Key((0, 1))


def test_negative_zero_in_an_array_equals_zero():
    one, two = Keys.of(np.array([[0.0, 1], [2, 3]])), Keys.of(np.array([[-0.0, 1], [2, 3]]))
    assert one == two
    assert hash(one) == hash(two)


def test_column_left_empty_by_a_splice_is_dropped():
    stripped = Keys.of([Key((0, 0), time=1, name="a"), Key(orientation=HALF_TURN), Key()]).spliced(0, 1, [])
    fresh = Keys.of([Key(orientation=HALF_TURN), Key()])
    assert stripped == fresh
    assert hash(stripped) == hash(fresh)


def test_different_keys_compare_unequal():
    keys = Keys.of([(0, 0), (1, 1)])
    assert keys != Keys.of([(0, 0), (1, 2)])
    assert keys != Keys.of([(0, 0), (1, 1), (2, 2)])
    assert keys != Keys.of([(0, 0, 0), (1, 1, 0)])
    assert keys != Keys.of([Key((0, 0)), Key((1, 1), name="end")])
    assert keys != [Key((0, 0)), Key((1, 1))]


def test_repr_is_abbreviated_for_many_keys():
    assert repr(Keys.of([(0, 1), (2, 3)])) == "(Key((0, 1)), Key((2, 3)))"
    assert repr(Keys.of(np.zeros((1000, 1)))).endswith("Key((0,)), …)")
    assert repr(Keys.of(np.zeros((1000, 1)))).count("Key") == 6


def test_a_million_keys_are_supported():
    places = np.random.default_rng(0).normal(size=(1_000_000, 3))
    keys = Keys.of(places)
    assert len(keys) == 1_000_000
    assert keys[-1] == Key(places[-1])
    edited = keys.spliced(500_000, 500_001, [Key((0, 0, 0))])
    assert edited[500_000] == Key((0, 0, 0))
    assert edited[500_001] == Key(places[500_001])


# ---- found by name ---------------------------------------------------------------------------------------------------


def test_index_accepts_name_index_or_key():
    keys = Keys.of([Key((i, 0), name=None if i % 2 else f"k{i}") for i in range(600)])
    edited = keys.spliced(300, 301, [Key((0, 9), name="new")])
    assert edited.index("k0") == 0
    assert edited.index("new") == 300
    assert edited.index("k598") == 598
    assert edited.index(-1) == edited.index(np.int64(599)) == 599
    assert edited.index(Key((5, 0))) == 5
    assert edited.index(Key((5, 0)), 3, 10) == 5


def test_an_unknown_name_suggests_a_known_one():
    keys = Keys.of([Key((0, 0), name="bounce"), Key((1, 1), name="home"), Key((2, 2))])
    with pytest.raises(UnknownNameError, match=r"No key is named 'bonce'\. Did you mean 'bounce'\?"):
        keys.index("bonce")
    with pytest.raises(UnknownNameError, match=r"No key is named 'xyz'\. There is 'bounce', 'home'\."):
        keys.index("xyz")
    with pytest.raises(UnknownNameError, match=r"No key is named 'a'\.$"):
        Keys.of([(0, 0), (1, 1)]).index("a")


@pytest.mark.parametrize("beyond", [3, -4, 10**30])
def test_unknown_index_error_lists_the_valid_range(beyond):
    with pytest.raises(UnknownNameError, match=rf"There is no key {beyond}\. This path has keys 0 … 2\."):
        Keys.of([(0, 0), (1, 1), (2, 2)]).index(beyond)


def test_index_of_a_missing_key_is_refused():
    keys = Keys.of([(0, 0), (1, 1), (2, 2)])
    with pytest.raises(UnknownNameError, match=r"This path has no Key\(\(9, 9\)\)"):
        keys.index(Key((9, 9)))
    for wrong in (1.5, None, True, [1]):
        with pytest.raises(KeyposeError, match="Keys go by name or index"):
            keys.index(wrong)


# ---- refused ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", ["abc", b"abc", 3, None, 2.5, object()])
def test_keys_that_are_no_list_are_refused(wrong):
    with pytest.raises(KeyposeError, match=r"as its keys\. Give a list of keys or places"):
        Keys.of(wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        np.zeros(3),
        np.zeros((2, 2, 2, 2)),
        np.zeros((0, 3)),
        np.zeros((3, 0)),
        np.array(3.0),
        np.array([["0", "1"]]),
        np.array([[True, False]]),
        np.array([[1j, 2]]),
        np.array([[None, 1]]),
        np.array([["2020-01-01"]], dtype="M8[D]"),
    ],
    ids=lambda wrong: f"{wrong.dtype} {wrong.shape}",
)
def test_array_of_wrong_type_or_shape_is_refused(wrong):
    with pytest.raises(KeyposeError, match=r"A path was given an array of .*Give numbers \(keys, dim\)"):
        Keys.of(wrong)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, 1e101])
def test_error_names_the_key_with_a_nonfinite_position(wrong):
    places = np.zeros((100, 3))
    places[37, 1] = wrong
    for given_as in (places, list(places)):
        with pytest.raises(KeyposeError, match="The key 37 has position"):
            Keys.of(given_as)


def test_every_position_in_a_list_is_checked():
    with pytest.raises(KeyposeError, match="The key 1 has position 'there'"):
        Keys.of([(0, 0), "there"])
    with pytest.raises(KeyposeError, match="The key 0 has a position of shape"):
        Keys.of([None, (0, 0)])
    with pytest.raises(KeyposeError, match="The key 0 has a position of shape"):
        Keys.of([1, 2, 3])


def test_positions_of_different_shapes_are_refused():
    with pytest.raises(KeyposeError, match=r"Key 2 has a position of shape \(3,\), the keys before it \(2,\)"):
        Keys.of([Key((0, 0)), Key(orientation=HALF_TURN), Key((1, 1, 1))])
    with pytest.raises(KeyposeError, match=r"Key 1 has a position of shape \(2, 2\)"):
        Keys.of([np.zeros((1, 2)), np.zeros((2, 2))])


def test_paths_with_opposite_quaternions_compare_equal():
    one = MotionPath([Key((0, 0), orientation=(1, 2, 3, 4)), Key((1, 0), orientation=(0, -1, 0, 0))])
    other = MotionPath([Key((0, 0), orientation=(-1, -2, -3, -4)), Key((1, 0), orientation=(0, 1, 0, 0))])
    assert one == other
    assert hash(one) == hash(other)
    assert one != MotionPath([Key((0, 0), orientation=(1, 2, 3, 5)), Key((1, 0), orientation=(0, -1, 0, 0))])


def test_copied_key_is_read_only():
    key = Key((1, 2), arrive=(0, 1), orientation=Turn((1, 0, 0, 0), leave=(0, 1, 0)), name="a")
    for copied in (pickle.loads(pickle.dumps(key)), copy.deepcopy(key)):
        assert copied == key
        assert not copied.position.flags.writeable
        assert not copied.orientation.leave.flags.writeable


def test_chord_tangents_survive_removal_of_all_positions():
    turning = [
        Key(orientation=(1, 0, 0, 0)),
        Key((1, 1), orientation=(0, 1, 0, 0), **effects.linear),
        Key(orientation=(1, 1, 0, 0)),
    ]
    path = MotionPath(turning).with_key(1, position=None)
    assert path.keys[1].arrive == "chord"
    assert path == MotionPath([key.changed(position=None) for key in turning])


def test_chord_tangents_compare_equal_after_positions_are_removed():
    spliced = Keys.of([Key(arrive="chord"), Key((0, 0))]).spliced(1, 2, [])
    assert spliced == Keys.of([Key(arrive="chord")])
    assert hash(spliced) == hash(Keys.of([Key(arrive="chord")]))


def test_repeated_access_returns_the_same_key_object():
    keys = MotionPath([(0, 0), (1, 0), (2, 0)]).keys
    assert keys[1] is keys[1]
    assert keys[1] == keys[-2] == keys[np.int64(1)]
    assert keys[2] != keys[1]
    assert pickle.loads(pickle.dumps(keys))[1] == copy.deepcopy(keys)[1] == keys[1]
