"""A key put into a path leaves its curve as it was."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from keypose.curves.key import Key
from keypose.curves.path.motion_path import MotionPath
from keypose.errors import KeyposeError
from keypose.maths import quaternion
from keypose.motion.motion import Motion
from tests.curves.random_paths import angle_between, paths, random_keys, turned

# ---- insert keeps the curve ------------------------------------------------------------------------------------------


def parameter_after_insertion(path, u0, u):
    """Where a place u of the old path lies on the one with a key inserted at u0."""
    gap, s = int(u0), u0 - int(u0)
    after = np.where(u < gap + 1, gap + 1 + (u - u0) / (1 - s), u + 1)
    return np.where(u <= gap, u, np.where(u <= u0, gap + (u - gap) / s, after))


@settings(deadline=None, max_examples=60)
@given(paths(turning=True), st.floats(0.01, 0.99), st.data())
def test_inserted_key_keeps_the_curve(sample, s, data):
    path, keys, _, _ = sample
    gap = data.draw(st.integers(0, path.segments - 1))
    edited = path.insert(gap + s)
    assert len(edited) == len(keys) + 1
    u = np.unique(np.r_[np.linspace(0, path.segments, 150), gap + np.linspace(0, 1, 30)])
    assert_allclose(edited.at(parameter_after_insertion(path, gap + s, u)), path.at(u), atol=1e-12)
    assert edited.length == pytest.approx(path.length, rel=1e-9)  # measured anew, in other divisions
    assert edited.adjust == path.adjust
    if path.times is not None:
        old, new = Motion(path), Motion(edited)
        assert new.span == pytest.approx(old.span, abs=1e-12)
        t = np.linspace(*old.span, 100)
        assert_allclose(new.at(t).position, old.at(t).position, atol=1e-10)
        assert angle_between(new.at(t).orientation, old.at(t).orientation).max() < 1e-6


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10_000), st.booleans(), st.sampled_from(["some", "all"]))
def test_inserted_key_keeps_rotation_about_one_axis_exactly(seed, closed, faced):
    rng = np.random.default_rng(seed)
    keys = [key.changed(orientation=key.orientation and turned(rng.uniform(-35, 35), (1, 2, 3)))
            for key in random_keys(rng, 7, faced=faced)]  # fmt: skip
    path = MotionPath(keys, closed=closed)
    u0 = rng.uniform(0, path.segments)
    u = np.linspace(0, path.segments, 200)
    edited = path.insert(u0)
    assert (
        angle_between(edited.orientation_at(parameter_after_insertion(path, u0, u)), path.orientation_at(u)).max()
        < 1e-5
    )


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("faced", ["some", "all"])
def test_inserted_key_keeps_any_rotation_within_half_a_degree(closed, faced):
    for seed in range(25):
        rng = np.random.default_rng(seed)
        keys = [key.changed(orientation=key.orientation and quaternion.exp(0.5 * rng.normal(size=3)))
                for key in random_keys(rng, 7, faced=faced)]  # fmt: skip
        path = MotionPath(keys, closed=closed)
        u0 = rng.uniform(0, path.segments)
        u = np.linspace(0, path.segments, 200)
        edited = path.insert(u0)
        assert (
            angle_between(edited.orientation_at(parameter_after_insertion(path, u0, u)), path.orientation_at(u)).max()
            < 0.5
        )
        assert angle_between(edited.orientation_at(int(u0) + 1.0), path.orientation_at(u0)) < 1e-5


def test_key_inserted_in_an_orientation_only_path_has_no_position():
    path = MotionPath([Key(orientation=turned(0)), Key(orientation=turned(60)), Key(orientation=turned(90))])
    edited = path.insert(0.5)
    assert edited.keys[1].position is None
    u = np.linspace(0, 2, 50)
    assert (
        angle_between(edited.orientation_at(parameter_after_insertion(path, 0.5, u)), path.orientation_at(u)).max()
        < 1e-6
    )
    assert edited.length == pytest.approx(path.length, rel=1e-8)


def test_insertion_keeps_the_duration_of_a_timed_loop():
    path = MotionPath([Key((0, 0), time=0), Key((2, 0), time=1), Key((2, 2), time=4)], closed=True)
    for u0 in (1.25, 2.25):  # before the last key, and on the way back
        edited = path.insert(u0)
        assert edited.times is not None
        assert Motion(edited).duration == pytest.approx(Motion(path).duration) == pytest.approx(7)
        assert Motion(path.insert(u0, keep_shape=False)).duration == pytest.approx(7)
    assert path.insert(2.25).keys[3].time == pytest.approx(4.75)


def test_inserted_key_and_its_neighbours_get_manual_tangents():
    edited = MotionPath([(0, 0), (1, 2), (3, 1), (4, 4)]).insert(1.25, name="new")
    by_hand = [(key.arrive is not None, key.leave is not None) for key in edited.keys]
    assert by_hand == [(False, False), (True, True), (True, True), (True, True), (False, False)]
    assert edited.keys.index("new") == 2


def test_inserting_a_tcb_key_moves_the_curve():
    path = MotionPath([(0, 0), (1, 2), (3, 1), (4, 4)])
    edited = path.insert(1.25, keep_shape=False)
    u = np.linspace(1, 2, 20)
    assert np.abs(edited.at(parameter_after_insertion(path, 1.25, u)) - path.at(u)).max() > 0.01


@pytest.mark.parametrize("wrong", [0, 1, 2, 3, -0.5, 3.5, 1e9])
def test_insertion_outside_the_path_or_at_a_key_is_refused(wrong):
    with pytest.raises(
        KeyposeError, match=r"inserted at u = .*\. Give a parameter between 0 and 3, between two keys\."
    ):
        MotionPath([(0, 0), (1, 2), (3, 1), (4, 4)]).insert(wrong)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, "a", None, [0.5, 1.5]], ids=str)
def test_insertion_refuses_an_invalid_parameter(wrong):
    with pytest.raises(KeyposeError, match="The parameter of a new key must be"):
        MotionPath([(0, 0), (1, 2), (3, 1), (4, 4)]).insert(wrong)
