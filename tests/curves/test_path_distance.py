"""How far along a path is a place, and where is a distance?"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import quad

from keypose.curves.key import Key
from keypose.curves.path.motion_path import MotionPath
from tests.curves.sample_paths import ENDS, uneven_keys

# ---- by distance -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("closed", [False, True])
def test_the_length_is_the_integral_of_the_pace(backend, closed):
    path = MotionPath(uneven_keys(), closed=closed)
    expected = sum(quad(path.geometry.pace, i, i + 1, epsabs=1e-12)[0] for i in range(path.segments))
    assert path.length == pytest.approx(expected, rel=1e-9)
    assert isinstance(path.length, float)
    u = np.random.default_rng(2).uniform(0, path.segments, 20)
    reached = [quad(path.geometry.pace, 0, v, points=range(1, int(v) + 1), epsabs=1e-12)[0] for v in u]
    assert_allclose(path.distance(u), reached, rtol=1e-9)


def test_straight_path_has_euclidean_length():
    path = MotionPath([(0, 0), (3, 4), (6, 8), (9, 12)])
    assert path.length == pytest.approx(15, rel=1e-14)
    assert_allclose(path.distance([0, 0.5, 1, 2.25]), [0, 2.5, 5, 11.25])
    assert_allclose(path.along(7.5), (4.5, 6))


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10_000), st.booleans(), st.sampled_from(ENDS), st.sampled_from(["none", "length", "unit"]))
def test_parameter_and_distance_are_inverses(seed, closed, ends, adjust):
    path = MotionPath(uneven_keys(2 + seed % 9, seed=seed), closed=closed, ends=ends, adjust=adjust)
    laps = (-3.0, 3.0) if closed else (0.0, 1.0)
    distance = np.random.default_rng(seed).uniform(*laps, 40) * path.length
    assert_allclose(path.distance(path.parameter(distance)), distance, atol=1e-9 * path.length)
    assert_array_equal(path.along(distance), path.at(path.parameter(distance)))
    u = np.sort(np.random.default_rng(seed).uniform(*laps, 40)) * path.segments
    assert (np.diff(path.distance(u)) >= 0).all()
    assert_allclose(path.at(path.parameter(path.distance(u))), path.at(u), atol=1e-8 * path.length)


def test_distance_is_clamped_outside_an_open_path(backend):
    path = MotionPath(uneven_keys(faced=True))
    beyond = [-1.0, 0.0, path.length, path.length + 1, np.inf, -np.inf]
    assert_array_equal(path.parameter(beyond), [0, 0, 6, 6, 6, 0])
    assert [path.parameter(d) for d in beyond] == [0, 0, 6, 6, 6, 0]
    assert_array_equal(path.along(beyond), path.at([0, 0, 6, 6, 6, 0]))


def test_distance_on_a_closed_path_accumulates_per_lap(backend):
    path = MotionPath(uneven_keys(), closed=True)
    lap = path.length
    assert_allclose(path.distance([-7, 0, 7, 21]), [-lap, 0, lap, 3 * lap], atol=1e-12)
    assert_allclose(path.parameter([-lap, 0, lap, 2.5 * lap]), [-7, 0, 7, 14 + path.parameter(lap / 2)], atol=1e-9)
    assert path.parameter(lap) == 7
    d = np.linspace(-2, 3, 50) * lap
    assert_allclose(path.along(d), path.along(d + lap), atol=1e-9)


def test_path_starts_and_ends_at_its_end_keys_even_if_keys_coincide(backend):
    places = [(0, 0), (0, 0), (1, 0), (1, 0), (1, 0)]
    path = MotionPath([Key(place, tension=1) for place in places])
    assert path.length == pytest.approx(1)
    assert_array_equal(path.parameter([0, path.length]), [0, 4])
    nowhere = MotionPath([(2, 3)] * 3)
    assert nowhere.length == 0
    assert nowhere.parameter(0.0) == 0
    assert_array_equal(nowhere.along([-1, 0, 1]), [(2, 3)] * 3)


def test_equal_steps_of_distance_are_equal_steps_in_space():
    path = MotionPath([(0, 0), Key((3, 4), tension=1), (3.03, 4.04), (30, 40)])
    steps = np.diff(path.along(np.linspace(0, 50, 4001)), axis=0)
    assert_allclose(steps, np.broadcast_to((30 / 4000, 40 / 4000), steps.shape), rtol=1e-6)


def test_pace_is_distance_per_unit_parameter():
    path = MotionPath(uneven_keys())
    u = np.linspace(0.05, 5.95, 30)
    h = 1e-5
    assert_allclose(path.geometry.pace(u), (path.distance(u + h) - path.distance(u - h)) / (2 * h), rtol=1e-5)


def test_heading_is_a_unit_direction_at_stops():
    path = MotionPath([(0, 0), Key((2, 0), tension=1), (2, 3)], ends="still")
    assert_allclose(path.geometry.heading([0, 0.3, 1.0, 2.0]), [(1, 0), (1, 0), (0, 1), (0, 1)], atol=1e-12)
    assert_array_equal(MotionPath([(1, 1), (1, 1)]).geometry.heading([0, 0.5, 1]), np.zeros((3, 2)))
