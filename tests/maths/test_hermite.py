"""KB84 eqs 1-2: the four weights, curves of many segments, their derivatives, cuts and speed, and their twins."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.interpolate import CubicHermiteSpline

from keypose.maths import hermite, hermite_kernels

EXTREME_PARAMETERS = np.array(
    [np.nan, -0.0, -1e-20, 1e-300, -3.5, 2.0, 4.999, 5.0, 5.5, 1e6, -1e6, 2.0**53, 2.0**63, -1e300, 1.7e308]
)


def random_curve(segments=5, width=3, seed=0):
    return np.random.default_rng(seed).normal(size=(segments, 4, width))


def reference_evaluate(*arguments):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hermite, "use_kernels", lambda work: False)
        return hermite.evaluate(*arguments)


def kernel_evaluate(*arguments):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hermite, "use_kernels", lambda work: True)
        return hermite.evaluate(*arguments)


# ---- the four weights ------------------------------------------------------------------------------------------------


def test_weights_at_the_ends_match_the_table_of_kb84():
    ends = np.array([0.0, 1.0])
    values, slopes = np.array(hermite.weights(ends)), np.array(hermite.weights(ends, 1))
    assert_array_equal(np.column_stack([values, slopes]), np.eye(4))


def test_weights_match_the_matrix_of_kb84():
    s = np.linspace(-0.5, 1.5, 41)
    matrix = np.array([[2, -2, 1, 1], [-3, 3, -2, -1], [0, 0, 1, 0], [1, 0, 0, 0]])
    assert_allclose(np.array(hermite.weights(s)).T, np.vander(s, 4) @ matrix, rtol=0, atol=1e-14)


def test_point_weights_sum_to_one():
    s = np.linspace(0, 1, 101)
    one, two, *_ = hermite.weights(s)
    assert_allclose(one + two, 1, rtol=0, atol=2e-16)


def test_weights_are_symmetric_under_reversal():
    s = np.linspace(0, 1, 101)
    one, two, three, four = hermite.weights(s)
    back = hermite.weights(1 - s)
    assert_allclose(back, [two, one, -four, -three], rtol=0, atol=1e-15)


@pytest.mark.parametrize("derivative", [1, 2])
def test_derivatives_match_difference_quotients(derivative):
    s, h = np.linspace(0, 1, 21), 1e-5
    rise = np.subtract(hermite.weights(s + h, derivative - 1), hermite.weights(s - h, derivative - 1)) / (2 * h)
    assert_allclose(hermite.weights(s, derivative), rise, rtol=0, atol=1e-9)


# ---- curves ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("derivative", [0, 1, 2])
def test_smooth_curve_matches_scipy(derivative):
    rng = np.random.default_rng(5)
    places, tangents = rng.normal(size=(6, 3)), rng.normal(size=(6, 3))
    curve = np.stack([places[:-1], places[1:], tangents[:-1], tangents[1:]], axis=1)
    u = np.linspace(0, 5, 202)
    oracle = CubicHermiteSpline(np.arange(6.0), places, tangents).derivative(derivative) if derivative else None
    expected = (oracle or CubicHermiteSpline(np.arange(6.0), places, tangents))(u)
    assert_allclose(hermite.evaluate(curve, u, False, derivative), expected, rtol=0, atol=1e-12)


def test_segment_boundary_belongs_to_the_outgoing_segment_and_the_end_to_the_last():
    curve = random_curve()
    joints = hermite.evaluate(curve, np.arange(6.0), False, 1)
    assert_array_equal(joints[:5], curve[:, 2])
    assert_array_equal(joints[5], curve[4, 3])
    assert_array_equal(hermite.evaluate(curve, np.array([5.0]), True, 1)[0], curve[0, 2])


def test_open_curves_are_clamped_and_closed_curves_wrap():
    curve = random_curve()
    assert_array_equal(hermite.evaluate(curve, np.array([-2.5, 9.0]), False), [curve[0, 0], curve[4, 1]])
    laps = 5 * np.array([-3.0, -1.0, 0.0, 2.0])
    expected = hermite.evaluate(curve, np.full(4, 2.25), True)
    assert_array_equal(hermite.evaluate(curve, 2.25 + laps, True), expected)


@settings(deadline=None)
@given(st.floats(allow_nan=True, allow_infinity=True), st.integers(1, 40), st.booleans())
def test_every_parameter_maps_to_a_segment(u, segments, closed):
    segment, s = hermite.locate(np.array([u]), segments, closed)
    assert 0 <= segment[0] < segments
    nowhere = np.isnan(u) or (closed and np.isinf(u))
    assert np.isnan(s[0]) if nowhere else 0 <= s[0] <= 1
    if not closed and 0 <= u <= segments:
        assert segment[0] + s[0] == u


# ---- cuts ------------------------------------------------------------------------------------------------------------


@settings(deadline=None)
@given(st.integers(0, 1000), st.floats(0, 1))
def test_split_segment_reproduces_the_original(seed, s):
    segment = random_curve(1, seed=seed)
    first, second = hermite.split(segment[0], s)
    x = np.linspace(0, 1, 17)
    whole = hermite.evaluate(segment, np.concatenate([x * s, s + x * (1 - s)]), False)
    parts = np.concatenate([hermite.evaluate(part[None], x, False) for part in (first, second)])
    assert_allclose(parts, whole, rtol=0, atol=4e-15 * np.abs(segment).max())


def test_split_keeps_the_ends_and_is_continuous():
    segment = random_curve(1)[0]
    first, second = hermite.split(segment, 0.3)
    assert_array_equal(first[0], segment[0])
    assert_array_equal(second[1], segment[1])
    assert_array_equal(first[1], second[0])
    assert_allclose(first[3] / 0.3, second[2] / 0.7, rtol=1e-14)


def test_point_and_tangent_match_the_curve():
    curve = random_curve(1)
    point, tangent = hermite.point_and_tangent(curve[0], 0.4)
    assert_allclose(point, hermite.evaluate(curve, np.array([0.4]), False)[0], rtol=1e-15)
    assert_allclose(tangent, hermite.evaluate(curve, np.array([0.4]), False, 1)[0], rtol=1e-15)


# ---- speed -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("points", "dim"), [(1, 2), (1, 3), (7, 2), (40, 3)])
def test_speed_quartics_are_the_squared_speed(points, dim):
    curve = random_curve(4, points * dim)
    s = np.linspace(0, 1, 33)
    quartics = hermite.speed_quartics(curve, points)
    for segment in range(4):
        velocity = hermite.evaluate(curve, segment + s[:-1], False, 1)
        expected = (velocity**2).sum(axis=1) / points
        found = np.polynomial.polynomial.polyval(s[:-1], quartics[segment])
        assert_allclose(found, expected, rtol=0, atol=1e-12 * expected.max())


def test_straight_uniform_segment_has_constant_speed():
    chord = np.array([3.0, 4.0])
    curve = np.array([[[1.0, 2.0], [4.0, 6.0], chord, chord]])
    assert hermite.speed_quartics(curve, 1).tolist() == [[25, 0, 0, 0, 0]]


# ---- twins -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [1, 3, 255, 256, 700])
@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("derivative", [0, 1, 2])
def test_kernel_is_bitwise_identical_to_the_reference(width, closed, derivative):
    curve = random_curve(5, width)
    u = np.concatenate([EXTREME_PARAMETERS, np.linspace(-7, 12, 101), np.arange(-10.0, 11)])
    expected = reference_evaluate(curve, u, closed, derivative)
    assert_array_equal(kernel_evaluate(curve, u, closed, derivative), expected)
    assert np.isnan(expected[0]).all()
    assert np.isfinite(expected[1:]).all()


@pytest.mark.parametrize("closed", [False, True])
def test_single_point_kernel_is_bitwise_identical_to_the_reference(closed):
    curve = random_curve()
    point = hermite_kernels.point_on_loop if closed else hermite_kernels.point
    for u in (*EXTREME_PARAMETERS, 0.3, 4.7, 12.1):
        assert_array_equal(point(curve, float(u)), reference_evaluate(curve, np.array([u]), closed)[0])


@pytest.mark.parametrize("closed", [False, True])
def test_infinite_parameter_is_clamped_on_open_and_nan_on_closed_curves(closed):
    curve, u = random_curve(), np.array([np.inf, -np.inf])
    expected = reference_evaluate(curve, u, closed)
    assert_array_equal(kernel_evaluate(curve, u, closed), expected)
    if closed:
        assert np.isnan(expected).all()
    else:
        assert_array_equal(expected, [curve[4, 1], curve[0, 0]])


def test_threaded_work_is_bitwise_identical():
    curve = random_curve(20, 5)
    u = np.random.default_rng(1).uniform(-1, 21, 80_000)
    assert_array_equal(kernel_evaluate(curve, u, False)[::501], reference_evaluate(curve, u[::501], False))


@pytest.mark.parametrize("points", [1, 30])
def test_speed_quartics_kernel_matches_the_reference(points):
    curve = random_curve(6, 3 * points)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hermite, "use_kernels", lambda work: False)
        expected = hermite.speed_quartics(curve, points)
    out = np.empty((6, 5))
    hermite_kernels.speed_quartics(curve, points, out, 0, 6)
    assert_allclose(out, expected, rtol=0, atol=1e-14 * np.abs(expected).max())


def test_result_is_written_into_out():
    curve, u = random_curve(), np.linspace(0, 5, 11)
    for evaluate in (reference_evaluate, kernel_evaluate):
        out = np.empty((11, 3))
        assert evaluate(curve, u, False, 0, out) is out
        assert_array_equal(out, reference_evaluate(curve, u, False))


def test_empty_query_gives_an_empty_result():
    assert reference_evaluate(random_curve(), np.empty(0), False).shape == (0, 3)
    assert kernel_evaluate(random_curve(), np.empty(0), False).shape == (0, 3)


def test_locate_handles_several_curves_at_once():
    u = np.random.default_rng(5).uniform(-3, 12, size=(4, 50))
    counts, closed = np.array([[1], [4], [4], [7]]), np.array([[False], [True], [False], [True]])
    segment, share = hermite.locate(u, counts, closed)
    for row in range(4):
        alone = hermite.locate(u[row], int(counts[row, 0]), bool(closed[row, 0]))
        assert_array_equal(segment[row], alone[0])
        assert_array_equal(share[row], alone[1])
