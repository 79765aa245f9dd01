"""Which way a path runs, also at the instant where it stops."""

import numpy as np
import pytest
from numpy.polynomial import Polynomial
from numpy.testing import assert_allclose

from keypose import Key, MotionPath, Orientation

PLACES = np.random.default_rng(9).normal(size=(6, 3))


def path_moving(*velocity):
    """A path of one segment whose velocity is the given polynomial in each direction."""
    start, stop = np.zeros(len(velocity)), np.array([part.integ()(1) for part in velocity])
    return MotionPath(
        [Key(start, leave=[part(0) for part in velocity]), Key(stop, arrive=[part(1) for part in velocity])]
    )


def test_where_it_moves_the_heading_is_its_velocity_over_its_pace():
    path = MotionPath(PLACES, tension=0.3)
    u = np.linspace(0, 5, 41)
    velocity = path.velocity(u)
    assert_allclose(path.heading(u), velocity / np.linalg.norm(velocity, axis=1, keepdims=True), rtol=0, atol=1e-14)
    assert path.heading(2.5).shape == (3,)
    assert path.heading([[0, 1], [2, 3]]).shape == (2, 2, 3)


@pytest.mark.parametrize("closed", [False, True])
def test_at_a_stop_it_is_the_way_the_path_sets_off(closed):
    path = MotionPath(PLACES, tension=1, closed=closed)
    chords = np.roll(PLACES, -1, axis=0) - PLACES
    towards = chords / np.linalg.norm(chords, axis=1, keepdims=True)
    assert_allclose(path.heading(np.arange(5.0)), towards[:5], rtol=0, atol=1e-12)
    assert_allclose(path.heading(np.arange(5.0) + 1e-3), towards[:5], rtol=0, atol=1e-12)


def test_at_its_end_an_open_path_heads_the_way_it_arrives():
    path = MotionPath(PLACES, tension=1)
    last = PLACES[5] - PLACES[4]
    assert_allclose(path.heading(5.0), last / np.linalg.norm(last), rtol=0, atol=1e-12)


def test_where_the_path_turns_back_it_heads_the_way_it_sets_off_again():
    back = path_moving(Polynomial([-0.5, 1.0]), Polynomial([0.0]))
    assert_allclose(back.heading([0.25, 0.5, 0.75]), [[-1, 0], [1, 0], [1, 0]], atol=1e-12)
    cusp = path_moving(Polynomial([-0.5, 1.0]), Polynomial([0.5, -1.0]) * Polynomial([0, 2.0]))
    assert_allclose(cusp.heading(0.5), np.array([1, -1]) / np.sqrt(2), atol=1e-12)


def test_where_the_acceleration_vanishes_too_its_change_decides():
    slow = path_moving(Polynomial([0.25, -1.0, 1.0]), Polynomial([-0.25, 1.0, -1.0]))  # (s - ½)²
    assert_allclose(slow.heading([0.4, 0.5, 0.6]), np.tile(np.array([1, -1]) / np.sqrt(2), (3, 1)), atol=1e-7)
    begins = path_moving(Polynomial([0, 0, 1.0]), Polynomial([0, 0, 0.0]))
    assert_allclose(begins.heading([0.0, 1.0]), [[1, 0], [1, 0]], atol=1e-12)
    ends = path_moving(Polynomial([1.0, -2.0, 1.0]), Polynomial([0.0]))
    assert_allclose(ends.heading([0.0, 1.0]), [[1, 0], [1, 0]], atol=1e-12)


def test_where_nothing_moves_there_is_no_way():
    path = MotionPath([(0, 0), (1, 1), (1, 1), (2, 0)])
    assert path.heading([1.25, 1.75]).tolist() == [[0, 0], [0, 0]]
    assert MotionPath([(1, 1), (1, 1)]).heading([0, 0.5, 1]).tolist() == [[0, 0]] * 3


@pytest.mark.parametrize("scale", [1e-20, 1e20])
def test_size_does_not_matter(scale):
    path = MotionPath(scale * PLACES, tension=1)
    expected = MotionPath(PLACES, tension=1).heading(np.linspace(0, 5, 11))
    assert_allclose(path.heading(np.linspace(0, 5, 11)), expected, rtol=0, atol=1e-12)


def test_a_drawing_heads_somewhere_in_the_mean_square():
    drawings = np.random.default_rng(0).normal(size=(3, 5, 2))
    for tension in (0, 1):
        heading = MotionPath(drawings, tension=tension).heading([0.0, 0.5, 1.0, 2.0])
        assert heading.shape == (4, 5, 2)
        assert_allclose((heading**2).sum(axis=(1, 2)) / 5, 1, rtol=1e-12)


@pytest.mark.parametrize("closed", [False, True])
def test_where_turning_counts_as_distance_the_heading_is_still_a_limit(closed):
    keys = [
        Key(place, tension=1, orientation=Orientation.turned(40 * i * i, (1, i, 2))) for i, place in enumerate(PLACES)
    ]
    path = MotionPath(keys, mass=4, inertia=2, closed=closed)
    for u in (0.0, 1.0, 3.0):
        assert_allclose(path.heading(u), path.heading(u + 1e-6), rtol=0, atol=1e-5)
    if not closed:
        assert_allclose(path.heading(5.0), path.heading(5.0 - 1e-6), rtol=0, atol=1e-5)
    assert (np.linalg.norm(path.heading(np.arange(5.0)), axis=1) < 0.5).all()


def test_where_it_only_turns_it_heads_nowhere():
    keys = [Key((1, 1), orientation=Orientation.turned(angle, "z"), tension=1) for angle in (0.0, 90.0)]
    assert not MotionPath(keys).heading([0, 0.5, 1]).any()


@pytest.mark.parametrize("before", [1e-9, 1e-11, 1e-13, 1e-15])
def test_a_hair_before_a_stop_it_still_heads_for_it(before):
    path = MotionPath([(0, 0), Key((1, 0), tension=1), (1, 2)])
    assert_allclose(path.heading(1 - before), (1, 0), atol=1e-6)
    assert_allclose(path.heading(1 + before), (0, 1), atol=1e-6)
