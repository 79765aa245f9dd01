"""KB84 eqs 1-2: the four weights, curves of many segments, their derivatives, cuts and speed, and their twins."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.interpolate import CubicHermiteSpline

from keypose.maths import hermite, kernels

ODD = np.array([np.nan, -0.0, -1e-20, 1e-300, -3.5, 2.0, 4.999, 5.0, 5.5, 1e6, -1e6, 2.0**53, 2.0**63, -1e300, 1.7e308])


def some_curve(segments=5, width=3, seed=0):
    return np.random.default_rng(seed).normal(size=(segments, 4, width))


def by_definition(*asked):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hermite, "use_kernels", lambda work: False)
        return hermite.evaluate(*asked)


def by_kernel(*asked):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hermite, "use_kernels", lambda work: True)
        return hermite.evaluate(*asked)


# ---- the four weights ------------------------------------------------------------------------------------------------


def test_the_weights_are_those_of_the_papers_table():
    ends = np.array([0.0, 1.0])
    values, slopes = np.array(hermite.weights(ends)), np.array(hermite.weights(ends, 1))
    assert_array_equal(np.column_stack([values, slopes]), np.eye(4))


def test_the_weights_are_the_papers_matrix():
    s = np.linspace(-0.5, 1.5, 41)
    matrix = np.array([[2, -2, 1, 1], [-3, 3, -2, -1], [0, 0, 1, 0], [1, 0, 0, 0]])
    assert_allclose(np.array(hermite.weights(s)).T, np.vander(s, 4) @ matrix, rtol=0, atol=1e-14)


def test_the_weights_of_the_two_points_add_up_to_one():
    s = np.linspace(0, 1, 101)
    one, two, *_ = hermite.weights(s)
    assert_allclose(one + two, 1, rtol=0, atol=2e-16)


def test_backwards_the_weights_change_places():
    s = np.linspace(0, 1, 101)
    one, two, three, four = hermite.weights(s)
    back = hermite.weights(1 - s)
    assert_allclose(back, [two, one, -four, -three], rtol=0, atol=1e-15)


@pytest.mark.parametrize("derivative", [1, 2])
def test_derivatives_are_the_limits_of_differences(derivative):
    s, h = np.linspace(0, 1, 21), 1e-5
    rise = np.subtract(hermite.weights(s + h, derivative - 1), hermite.weights(s - h, derivative - 1)) / (2 * h)
    assert_allclose(hermite.weights(s, derivative), rise, rtol=0, atol=1e-9)


# ---- curves ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("derivative", [0, 1, 2])
def test_a_smooth_curve_is_the_one_scipy_draws(derivative):
    rng = np.random.default_rng(5)
    places, tangents = rng.normal(size=(6, 3)), rng.normal(size=(6, 3))
    curve = np.stack([places[:-1], places[1:], tangents[:-1], tangents[1:]], axis=1)
    u = np.linspace(0, 5, 202)
    oracle = CubicHermiteSpline(np.arange(6.0), places, tangents).derivative(derivative) if derivative else None
    expected = (oracle or CubicHermiteSpline(np.arange(6.0), places, tangents))(u)
    assert_allclose(hermite.evaluate(curve, u, False, derivative), expected, rtol=0, atol=1e-12)


def test_a_joint_belongs_to_the_segment_that_leaves_it_and_the_end_to_the_one_that_arrives():
    curve = some_curve()
    joints = hermite.evaluate(curve, np.arange(6.0), False, 1)
    assert_array_equal(joints[:5], curve[:, 2])
    assert_array_equal(joints[5], curve[4, 3])
    assert_array_equal(hermite.evaluate(curve, np.array([5.0]), True, 1)[0], curve[0, 2])


def test_open_curves_hold_at_their_ends_and_closed_ones_wrap():
    curve = some_curve()
    assert_array_equal(hermite.evaluate(curve, np.array([-2.5, 9.0]), False), [curve[0, 0], curve[4, 1]])
    laps = 5 * np.array([-3.0, -1.0, 0.0, 2.0])
    expected = hermite.evaluate(curve, np.full(4, 2.25), True)
    assert_array_equal(hermite.evaluate(curve, 2.25 + laps, True), expected)


@settings(deadline=None)
@given(st.floats(allow_nan=True, allow_infinity=True), st.integers(1, 40), st.booleans())
def test_every_parameter_lands_on_a_segment(u, segments, closed):
    segment, s = hermite.locate(np.array([u]), segments, closed)
    assert 0 <= segment[0] < segments
    nowhere = np.isnan(u) or (closed and np.isinf(u))
    assert np.isnan(s[0]) if nowhere else 0 <= s[0] <= 1
    if not closed and 0 <= u <= segments:
        assert segment[0] + s[0] == u


# ---- cuts ------------------------------------------------------------------------------------------------------------


@settings(deadline=None)
@given(st.integers(0, 1000), st.floats(0, 1))
def test_two_parts_of_a_split_segment_draw_exactly_the_segment(seed, s):
    segment = some_curve(1, seed=seed)
    first, second = hermite.split(segment[0], s)
    x = np.linspace(0, 1, 17)
    whole = hermite.evaluate(segment, np.concatenate([x * s, s + x * (1 - s)]), False)
    parts = np.concatenate([hermite.evaluate(part[None], x, False) for part in (first, second)])
    assert_allclose(parts, whole, rtol=0, atol=4e-15 * np.abs(segment).max())


def test_a_split_keeps_the_ends_and_meets_in_the_middle():
    segment = some_curve(1)[0]
    first, second = hermite.split(segment, 0.3)
    assert_array_equal(first[0], segment[0])
    assert_array_equal(second[1], segment[1])
    assert_array_equal(first[1], second[0])
    assert_allclose(first[3] / 0.3, second[2] / 0.7, rtol=1e-14)


def test_point_and_tangent_of_a_part_are_those_of_the_curve():
    curve = some_curve(1)
    point, tangent = hermite.point_and_tangent(curve[0], 0.4)
    assert_allclose(point, hermite.evaluate(curve, np.array([0.4]), False)[0], rtol=1e-15)
    assert_allclose(tangent, hermite.evaluate(curve, np.array([0.4]), False, 1)[0], rtol=1e-15)


# ---- speed -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("points", "dim"), [(1, 2), (1, 3), (7, 2), (40, 3)])
def test_five_numbers_hold_the_square_of_the_speed(points, dim):
    curve = some_curve(4, points * dim)
    s = np.linspace(0, 1, 33)
    quartics = hermite.speed_quartics(curve, points)
    for segment in range(4):
        velocity = hermite.evaluate(curve, segment + s[:-1], False, 1)
        expected = (velocity**2).sum(axis=1) / points
        found = np.polynomial.polynomial.polyval(s[:-1], quartics[segment])
        assert_allclose(found, expected, rtol=0, atol=1e-12 * expected.max())


def test_a_straight_and_steady_segment_has_one_speed():
    chord = np.array([3.0, 4.0])
    curve = np.array([[[1.0, 2.0], [4.0, 6.0], chord, chord]])
    assert hermite.speed_quartics(curve, 1).tolist() == [[25, 0, 0, 0, 0]]


# ---- twins -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [1, 3, 255, 256, 700])
@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("derivative", [0, 1, 2])
def test_the_kernel_gives_the_definitions_bits(width, closed, derivative):
    curve = some_curve(5, width)
    u = np.concatenate([ODD, np.linspace(-7, 12, 101), np.arange(-10.0, 11)])
    expected = by_definition(curve, u, closed, derivative)
    assert_array_equal(by_kernel(curve, u, closed, derivative), expected)
    assert np.isnan(expected[0]).all()
    assert np.isfinite(expected[1:]).all()


@pytest.mark.parametrize("closed", [False, True])
def test_a_single_point_has_the_definitions_bits(closed):
    curve = some_curve()
    point = kernels.point_on_loop if closed else kernels.point
    for u in (*ODD, 0.3, 4.7, 12.1):
        assert_array_equal(point(curve, float(u)), by_definition(curve, np.array([u]), closed)[0])


@pytest.mark.parametrize("closed", [False, True])
def test_infinity_holds_at_an_end_and_is_nowhere_on_a_loop(closed):
    curve, u = some_curve(), np.array([np.inf, -np.inf])
    expected = by_definition(curve, u, closed)
    assert_array_equal(by_kernel(curve, u, closed), expected)
    if closed:
        assert np.isnan(expected).all()
    else:
        assert_array_equal(expected, [curve[4, 1], curve[0, 0]])


def test_work_split_between_threads_gives_the_same_bits():
    curve = some_curve(20, 5)
    u = np.random.default_rng(1).uniform(-1, 21, 80_000)
    assert_array_equal(by_kernel(curve, u, False)[::501], by_definition(curve, u[::501], False))


@pytest.mark.parametrize("points", [1, 30])
def test_the_speeds_twin_agrees_to_rounding(points):
    curve = some_curve(6, 3 * points)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hermite, "use_kernels", lambda work: False)
        expected = hermite.speed_quartics(curve, points)
    out = np.empty((6, 5))
    kernels.speed_quartics(curve, points, out, 0, 6)
    assert_allclose(out, expected, rtol=0, atol=1e-14 * np.abs(expected).max())


def test_what_is_asked_for_goes_into_the_array_given():
    curve, u = some_curve(), np.linspace(0, 5, 11)
    for evaluate in (by_definition, by_kernel):
        out = np.empty((11, 3))
        assert evaluate(curve, u, False, 0, out) is out
        assert_array_equal(out, by_definition(curve, u, False))


def test_no_parameters_have_no_places():
    assert by_definition(some_curve(), np.empty(0), False).shape == (0, 3)
    assert by_kernel(some_curve(), np.empty(0), False).shape == (0, 3)


def test_several_curves_are_located_at_once():
    u = np.random.default_rng(5).uniform(-3, 12, size=(4, 50))
    counts, closed = np.array([[1], [4], [4], [7]]), np.array([[False], [True], [False], [True]])
    segment, share = hermite.locate(u, counts, closed)
    for row in range(4):
        alone = hermite.locate(u[row], int(counts[row, 0]), bool(closed[row, 0]))
        assert_array_equal(segment[row], alone[0])
        assert_array_equal(share[row], alone[1])
