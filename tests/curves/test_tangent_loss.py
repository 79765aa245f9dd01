"""The way back from tangents by hand, and what is lost by it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from keypose.curves.key import Key, Turn
from keypose.curves.orientation import Orientation
from keypose.curves.path import path_orientation
from keypose.curves.path.edits import TangentLoss
from keypose.curves.path.motion_path import MotionPath, move_keys
from keypose.errors import KeyposeError
from keypose.maths import quaternion
from tests.curves.random_paths import random_keys

# ---- the way back from manual tangents -------------------------------------------------------------------------------


def test_tangent_loss_lists_the_manual_tangents():
    plain = MotionPath([(0, 0), (1, 0), (2, 0)])
    assert plain.lost_by_tcb(1) is None
    path = plain.with_key(1, arrive=(1, 0), leave=(1, 27))
    lost = path.lost_by_tcb(1)
    assert isinstance(lost, TangentLoss)
    assert (lost.key, lost.sides) == (1, ("arrive", "leave"))
    assert_array_equal(lost.tangents, [(1, 0), (1, 27)])
    assert_array_equal(lost.tcb, [(1, 0), (1, 0)])
    assert str(lost) == (
        "Key 1 has its arrive and leave tangents set by hand. "
        "Going back to TCB loses them and moves the curve by up to 4 m."
    )
    assert "its leave tangent set by hand. Going back to TCB loses it and" in str(
        plain.with_key(1, leave=(9, 9)).lost_by_tcb(1)
    )


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10_000))
def test_tangent_loss_displacement_is_how_far_the_curve_moves(seed):
    rng = np.random.default_rng(seed)
    path = MotionPath(rng.normal(size=(5, 3)), closed=bool(seed % 2))
    path = path.with_key(2, arrive=rng.normal(size=3), leave=rng.normal(size=3))
    back = path.with_key(2, arrive=None, leave=None)
    u = np.linspace(1, 3, 2001)
    moved = np.linalg.norm(path.at(u) - back.at(u), axis=1).max()
    assert path.lost_by_tcb(2).max_displacement == pytest.approx(moved, rel=1e-5)


def test_tangent_loss_includes_chord_tangents():
    path = MotionPath([(0, 0), Key((1, 0), leave="chord"), (1, 4)])
    lost = path.lost_by_tcb(1)
    assert lost.sides == ("leave",)
    assert_array_equal(lost.tangents[0], (0, 4))


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("adjust", ["none", "length", "unit", "time", "velocity"])
@pytest.mark.parametrize("index", [0, 1, 7, 13, 14])
def test_moved_key_rebuilds_only_affected_orientation_segments(closed, adjust, index, monkeypatch):
    rng = np.random.default_rng(index)
    keys = [
        Key(rng.normal(size=3), time=1.3 * i, orientation=quaternion.normalize(rng.normal(size=4))) for i in range(15)
    ]
    path = MotionPath(keys, adjust=adjust, closed=closed)
    u = np.linspace(0, path.segments, 97)
    path.orientation_at(u)
    changes = {"position": (1, 2, 3), "tension": 0.3, "time": 1.3 * index + 0.2, "orientation": (1, 2, -1, 0.5)}
    anew = MotionPath(
        [key.changed(**changes) if i == index else key for i, key in enumerate(keys)], adjust=adjust, closed=closed
    )
    expected = anew.orientation_at(u)

    def refuse(*_, **__):
        raise AssertionError("all turns were derived again")

    timed_wrap = closed and adjust in ("time", "velocity") and index >= 13  # then the way back changes too
    if not timed_wrap:
        monkeypatch.setattr(path_orientation, "OrientationPath", refuse)
    np.testing.assert_array_equal(path.with_key(index, **changes).orientation_at(u), expected)


def test_stationary_path_interpolates_orientation_by_distance_after_it_moves():
    keys = [Key((0, 0, 0), orientation=Orientation.turned(angle, "y")) for angle in (0, 10, 90, 100)]
    path = MotionPath(keys)
    path.orientation_at(1.5)
    edited = path.with_key(2, position=(5, 0, 0))
    anew = MotionPath([*keys[:2], keys[2].changed(position=(5, 0, 0)), keys[3]])
    np.testing.assert_array_equal(edited.orientation_at([0.5, 1.5, 2.5]), anew.orientation_at([0.5, 1.5, 2.5]))


def test_edited_closed_timed_path_has_orientations_of_a_rebuilt_path():
    for seed in range(60):
        rng = np.random.default_rng(seed)
        times = np.cumsum(rng.uniform(0.1, 2, 6))
        keys = [Key(rng.normal(size=3), time=t, orientation=quaternion.normalize(rng.normal(size=4))) for t in times]
        path = MotionPath(keys, closed=True)
        u = np.linspace(0, 6, 31)
        path.orientation_at(u)
        edited = path.with_key(2, position=(1, 2, 3))
        anew = MotionPath([*keys[:2], keys[2].changed(position=(1, 2, 3)), *keys[3:]], closed=True)
        assert_array_equal(edited.orientation_at(u), anew.orientation_at(u))


def test_path_can_be_edited_after_its_last_key_time_is_removed():
    path = MotionPath([Key((0, 0), time=0), Key((1, 1)), Key((2, 0)), Key((3, 0))])
    assert path.without_key(0).with_key(0, tension=1).keys[0].tension == 1
    assert len(path.with_key(0, time=None).insert(0.5)) == 5


@pytest.mark.parametrize(
    "changes", [{"tension": 0.5}, {"name": "x"}, {"arrive": (1, 2, 3)}, {"orientation": (1, 0, 0, 0)}, {"pin": False}]
)
def test_first_use_of_a_key_option_shares_all_other_chunks(changes):
    path = MotionPath(np.random.default_rng(0).normal(size=(2000, 3)))
    edited = path.with_key(1000, **changes)
    shared = {id(chunk) for chunk in path.geometry.rope.chunks} & {id(chunk) for chunk in edited.geometry.rope.chunks}
    assert len(shared) >= len(path.geometry.rope.chunks) - 2
    keys = list(path.keys)
    keys[1000] = keys[1000].changed(**changes)
    assert edited == MotionPath(keys)
    assert_array_equal(edited.at(np.linspace(995, 1005, 50)), MotionPath(keys).at(np.linspace(995, 1005, 50)))


def test_inserted_key_shares_all_other_chunks():
    path = MotionPath(np.random.default_rng(0).normal(size=(2000, 3)))
    inserted = path.insert(1000.5)
    shared = {id(chunk) for chunk in path.geometry.rope.chunks} & {id(chunk) for chunk in inserted.geometry.rope.chunks}
    assert len(shared) >= len(path.geometry.rope.chunks) - 2


def test_tangent_loss_includes_orientation_tangents():
    turn = Turn((1, 0, 0, 0), leave=(0, 1, 0))
    path = MotionPath(
        [Key((0, 0)), Key((1, 1), orientation=turn), Key((2, 0), orientation=(0, 1, 0, 0), arrive=(1, 0))]
    )
    lost = path.lost_by_tcb(1)
    assert lost is not None
    assert lost.orientation_sides == ("leave",)
    assert "turn's leave set by hand" in str(lost)
    assert path.lost_by_tcb(2).orientation_sides == ()
    assert path.lost_by_tcb(0) is None


def test_names_that_differ_in_a_null_character_are_distinct():
    path = MotionPath([Key((0, 0, 0), name="a"), Key((1, 0, 0)), Key((2, 0, 0))])
    assert path.with_key(1, name="a\0").keys[1].name == "a\0"
    with pytest.raises(KeyposeError, match="named 'a' already"):
        path.with_key(1, name="a")


@pytest.mark.parametrize("ends", ["reflect", "still", "zero-chord"])
@pytest.mark.parametrize("key", range(7))
def test_end_tangents_after_a_move_equal_those_of_a_rebuilt_path(key, ends):
    places = np.random.default_rng(3).normal(size=(7, 3))
    path = MotionPath(places, tension=0.2, continuity=-0.3, bias=0.4, ends=ends)
    assert path.arrive.shape == path.leave.shape  # from here on the old path knows them
    places[key] += 0.5
    moved, anew = path.with_key(key, position=places[key]), MotionPath(places, **path.options.non_defaults())
    assert_array_equal(moved.arrive, anew.arrive)
    assert_array_equal(moved.leave, anew.leave)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10**6), st.booleans(), st.sampled_from(["none", "some", "all"]), st.sampled_from([3, 9, 300]))
def test_moving_keys_together_equals_moving_them_one_by_one(seed, closed, timed, count):
    rng = np.random.default_rng(seed)
    path = MotionPath(random_keys(rng, count, timed=timed, faced="some", by_hand=True), closed=closed)
    chosen = sorted({int(key) for key in rng.integers(0, count, 4)})
    places = {key: path.keys[key].position + rng.normal(size=path.shape) for key in chosen}
    together, one_by_one = move_keys(path, places), path
    for key, place in places.items():
        one_by_one = one_by_one.with_key(key, position=place)
    assert together == one_by_one
    assert_array_equal(together.geometry.curve, one_by_one.geometry.curve)
    assert together.length == pytest.approx(one_by_one.length, rel=1e-12)


def test_move_to_a_nonfinite_position_is_refused_with_key_name():
    path = MotionPath([Key((0, 0)), Key((1, 0), name="top"), (2, 0)])
    with pytest.raises(KeyposeError, match=r"key 'top' has position .*nan.* must be finite"):
        move_keys(path, {1: np.array([np.nan, 0.0])})
    with pytest.raises(KeyposeError, match="The key has position"):
        move_keys(path, {2: np.array([1e300, 0.0])})
