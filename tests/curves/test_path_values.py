"""A path is a value: it compares, hashes, is written as code and refuses nonsense."""

import copy
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose.curves import effects
from keypose.curves.key import Key
from keypose.curves.path.motion_path import MotionPath
from keypose.errors import UnknownNameError
from tests.curves.sample_paths import turned, uneven_keys

# ---- as a value ------------------------------------------------------------------------------------------------------


def test_paths_compare_by_value():
    keys = uneven_keys(timed=True, faced=True)
    path = MotionPath(keys, tension=0.5)
    assert path == MotionPath(tuple(keys), tension=0.5)
    assert hash(path) == hash(MotionPath(keys, tension=0.5))
    assert path != MotionPath(keys)
    assert path != MotionPath(keys, tension=0.5, closed=True)
    assert path != MotionPath(keys[:-1], tension=0.5)
    assert path != MotionPath([*keys[:-1], keys[-1].changed(name="end")], tension=0.5)
    assert path != keys
    places = np.array([(0.0, -0.0), (1.0, 2.0)])
    assert MotionPath(places) == MotionPath([(0, 0), (1, 2)])
    assert len({MotionPath([(0, 0), (1, 1)]), MotionPath([(0, 0), (1, 1)]), MotionPath([(0, 0), (1, 2)])}) == 2


def test_repr_of_a_small_path_round_trips():
    path = MotionPath(
        [Key((0, 0), name="start"), Key((1, 2.5), time=1, **effects.overshoot), Key((3, 0), arrive=(1, 0))],
        tension=0.25,
        ends="still",
    )
    assert eval(repr(path)) == path
    assert repr(MotionPath([(0, 0), (1, 1)], closed=True)) == "MotionPath([Key((0, 0)), Key((1, 1))], closed=True)"


def test_repr_of_a_long_path_gives_the_number_of_its_keys():
    assert repr(MotionPath(np.zeros((1000, 3)), closed=True)) == "<MotionPath: 1,000 keys, closed=True>"


def test_path_is_immutable():
    places = np.array([(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)])
    path = MotionPath([Key(place, time=time) for time, place in enumerate(places)])
    from_array = MotionPath(places)
    places[:] = 9
    assert_array_equal(path.at(1.0), (1, 1))
    assert_array_equal(from_array.at(1.0), (1, 1))
    for word in ("keys", "options", "closed", "length", "tension"):
        with pytest.raises(FrozenInstanceError, match=f"'{word}'"):
            setattr(path, word, None)
    with pytest.raises(FrozenInstanceError, match="cannot lose its 'keys'"):
        del path.keys
    with pytest.raises(ValueError, match="read-only"):
        path.times[0] = -5
    with pytest.raises(ValueError, match="read-only"):
        path.keys[0].position[0] = -5
    assert path.times is not None
    assert from_array.times is None


def test_path_can_be_copied_and_pickled():
    path = MotionPath(uneven_keys(timed=True, faced=True), closed=True, bias=0.2)
    path.at(0.5), path.length
    for duplicate in (copy.copy(path), copy.deepcopy(path), pickle.loads(pickle.dumps(path))):
        assert duplicate == path
        assert_array_equal(duplicate.at(np.linspace(0, 7, 20)), path.at(np.linspace(0, 7, 20)))
        assert duplicate.length == path.length


def test_keys_behave_like_a_list():
    keys = uneven_keys()
    path = MotionPath(keys)
    assert len(path) == 7
    assert list(path.keys) == keys
    assert path.keys[-1] == keys[-1]
    assert path.keys[1:3] == tuple(keys[1:3])


def test_unknown_key_error_suggests_the_nearest_name():
    path = MotionPath([Key((0, 0), name="start"), Key((1, 1), name="bounce")])
    for wrong in (path.with_key, path.without_key, path.lost_by_tcb):
        with pytest.raises(UnknownNameError, match=r"No key is named 'bonce'\. Did you mean 'bounce'\?"):
            wrong("bonce")
        with pytest.raises(UnknownNameError, match=r"There is no key 2\. This path has keys 0 … 1\."):
            wrong(2)


def test_timed_derives_the_tangents_of_a_timed_path():
    places, times = np.random.default_rng(4).normal(size=(4, 2)), np.array([0, 1, 1.5, 4])
    path = MotionPath(places).timed(times)
    assert path == MotionPath([Key(place, time=time) for place, time in zip(places, times, strict=True)])
    assert path.adjust == "time"
    assert_array_equal(MotionPath(places, adjust="unit").timed(times).leave, MotionPath(places, adjust="unit").leave)


def test_a_key_is_found_by_its_name_too():
    path = MotionPath([Key((0, 0)), Key((1, 1), name="top"), Key((2, 0))])
    assert path.keys["top"] == path.keys[1]


def test_empty_query_returns_the_empty_out_array():
    path = MotionPath([(0, 0, 0), (1, 1, 1)])
    out = np.empty((0, 3))
    assert path.at([], out=out) is out


def test_manual_end_tangents_are_reported_with_orientation_only_keys():
    path = MotionPath([Key((0, 0), arrive=(5, 5)), Key(orientation=(1, 0, 0, 0)), Key((2, 0), leave=(7, 7))])
    assert path.arrive[0].tolist() == [5, 5]
    assert path.leave[-1].tolist() == [7, 7]


def test_curve_of_the_geometry_holds_ends_and_tangents():
    path = MotionPath([(0, 0), (1, 1), (2, 0)])
    assert path.geometry.curve.shape == (2, 4, 2)
    assert_array_equal(path.geometry.curve[:, 2], path.leave[:2])


def test_length_table_has_the_length_of_the_path():
    path = MotionPath([(0, 0), (1, 1), (2, 0)])
    assert path.geometry.length_table.length == path.length
    assert len(path.geometry.length_table) == path.segments


def test_turns_at_keys_are_the_orientation_parameters_of_keys():
    facing = turned(30)
    assert MotionPath([(0, 0), (1, 1)]).geometry.turns_at_keys is None
    assert MotionPath([Key((x, 0), orientation=facing) for x in range(3)]).geometry.turns_at_keys.tolist() == [0, 1, 2]
    some = MotionPath([Key((0, 0), orientation=facing), Key((1, 0)), Key((4, 0), orientation=turned(60)), Key((5, 0))])
    assert_allclose(some.geometry.turns_at_keys, [0, 0.25, 1, 1])
    u = np.linspace(0, 3, 31)
    own = np.interp(u, range(4), some.geometry.turns_at_keys)
    assert_array_equal(some.orientation_at(u), some.geometry.turns.at(own))
