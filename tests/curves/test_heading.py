"""Which way a path runs, also at the instant where it stops."""

import numpy as np
import pytest
from numpy.polynomial import Polynomial
from numpy.testing import assert_allclose

from keypose import Key, MotionPath, Orientation

POSITIONS = np.random.default_rng(9).normal(size=(6, 3))


def path_with_velocity(*velocity):
    """A path of one segment whose velocity is the given polynomial in each direction."""
    start, stop = np.zeros(len(velocity)), np.array([part.integ()(1) for part in velocity])
    return MotionPath(
        [Key(start, leave=[part(0) for part in velocity]), Key(stop, arrive=[part(1) for part in velocity])]
    )


def test_heading_is_velocity_over_pace_where_the_path_moves():
    path = MotionPath(POSITIONS, tension=0.3)
    u = np.linspace(0, 5, 41)
    velocity = path.velocity(u)
    assert_allclose(
        path.geometry.heading(u), velocity / np.linalg.norm(velocity, axis=1, keepdims=True), rtol=0, atol=1e-14
    )
    assert path.geometry.heading(2.5).shape == (3,)
    assert path.geometry.heading([[0, 1], [2, 3]]).shape == (2, 2, 3)


@pytest.mark.parametrize("closed", [False, True])
def test_heading_at_a_stop_is_the_outgoing_direction(closed):
    path = MotionPath(POSITIONS, tension=1, closed=closed)
    chords = np.roll(POSITIONS, -1, axis=0) - POSITIONS
    towards = chords / np.linalg.norm(chords, axis=1, keepdims=True)
    assert_allclose(path.geometry.heading(np.arange(5.0)), towards[:5], rtol=0, atol=1e-12)
    assert_allclose(path.geometry.heading(np.arange(5.0) + 1e-3), towards[:5], rtol=0, atol=1e-12)


def test_heading_at_the_end_of_an_open_path_is_the_incoming_direction():
    path = MotionPath(POSITIONS, tension=1)
    last = POSITIONS[5] - POSITIONS[4]
    assert_allclose(path.geometry.heading(5.0), last / np.linalg.norm(last), rtol=0, atol=1e-12)


def test_heading_at_a_reversal_is_the_outgoing_direction():
    back = path_with_velocity(Polynomial([-0.5, 1.0]), Polynomial([0.0]))
    assert_allclose(back.geometry.heading([0.25, 0.5, 0.75]), [[-1, 0], [1, 0], [1, 0]], atol=1e-12)
    cusp = path_with_velocity(Polynomial([-0.5, 1.0]), Polynomial([0.5, -1.0]) * Polynomial([0, 2.0]))
    assert_allclose(cusp.geometry.heading(0.5), np.array([1, -1]) / np.sqrt(2), atol=1e-12)


def test_heading_uses_the_third_derivative_where_acceleration_vanishes():
    slow = path_with_velocity(Polynomial([0.25, -1.0, 1.0]), Polynomial([-0.25, 1.0, -1.0]))  # (s - ½)²
    assert_allclose(slow.geometry.heading([0.4, 0.5, 0.6]), np.tile(np.array([1, -1]) / np.sqrt(2), (3, 1)), atol=1e-7)
    begins = path_with_velocity(Polynomial([0, 0, 1.0]), Polynomial([0, 0, 0.0]))
    assert_allclose(begins.geometry.heading([0.0, 1.0]), [[1, 0], [1, 0]], atol=1e-12)
    ends = path_with_velocity(Polynomial([1.0, -2.0, 1.0]), Polynomial([0.0]))
    assert_allclose(ends.geometry.heading([0.0, 1.0]), [[1, 0], [1, 0]], atol=1e-12)


def test_heading_is_zero_where_the_path_does_not_move():
    path = MotionPath([(0, 0), (1, 1), (1, 1), (2, 0)])
    assert path.geometry.heading([1.25, 1.75]).tolist() == [[0, 0], [0, 0]]
    assert MotionPath([(1, 1), (1, 1)]).geometry.heading([0, 0.5, 1]).tolist() == [[0, 0]] * 3


@pytest.mark.parametrize("scale", [1e-20, 1e20])
def test_heading_is_independent_of_path_scale(scale):
    path = MotionPath(scale * POSITIONS, tension=1)
    expected = MotionPath(POSITIONS, tension=1).geometry.heading(np.linspace(0, 5, 11))
    assert_allclose(path.geometry.heading(np.linspace(0, 5, 11)), expected, rtol=0, atol=1e-12)


def test_heading_of_a_drawing_has_unit_root_mean_square():
    drawings = np.random.default_rng(0).normal(size=(3, 5, 2))
    for tension in (0, 1):
        heading = MotionPath(drawings, tension=tension).geometry.heading([0.0, 0.5, 1.0, 2.0])
        assert heading.shape == (4, 5, 2)
        assert_allclose((heading**2).sum(axis=(1, 2)) / 5, 1, rtol=1e-12)


@pytest.mark.parametrize("closed", [False, True])
def test_heading_with_inertia_is_continuous_at_stops(closed):
    keys = [
        Key(place, tension=1, orientation=Orientation.turned(40 * i * i, (1, i, 2)))
        for i, place in enumerate(POSITIONS)
    ]
    path = MotionPath(keys, mass=4, inertia=2, closed=closed)
    for u in (0.0, 1.0, 3.0):
        assert_allclose(path.geometry.heading(u), path.geometry.heading(u + 1e-6), rtol=0, atol=1e-5)
    if not closed:
        assert_allclose(path.geometry.heading(5.0), path.geometry.heading(5.0 - 1e-6), rtol=0, atol=1e-5)
    assert (np.linalg.norm(path.geometry.heading(np.arange(5.0)), axis=1) < 0.5).all()


def test_heading_of_a_pure_rotation_is_zero():
    keys = [Key((1, 1), orientation=Orientation.turned(angle, "z"), tension=1) for angle in (0.0, 90.0)]
    assert not MotionPath(keys).geometry.heading([0, 0.5, 1]).any()


@pytest.mark.parametrize("before", [1e-9, 1e-11, 1e-13, 1e-15])
def test_heading_just_before_a_stop_points_to_it(before):
    path = MotionPath([(0, 0), Key((1, 0), tension=1), (1, 2)])
    assert_allclose(path.geometry.heading(1 - before), (1, 0), atol=1e-6)
    assert_allclose(path.geometry.heading(1 + before), (0, 1), atol=1e-6)
