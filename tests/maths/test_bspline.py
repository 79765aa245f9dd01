"""The B-spline under a speed profile: scipy's curve, as cubic pieces."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import BSpline, PPoly

from keypose.maths.bspline import degree, greville_abscissae, pieces

COUNTS = [1, 2, 3, 4, 5, 6, 7, 11, 40]
control_values = st.lists(st.floats(-100, 100), min_size=1, max_size=12).map(np.array)


def curve(values):
    breaks, coefficients = pieces(np.asarray(values, dtype=float))
    return PPoly(coefficients.T, breaks)


def scipy_curve(values):
    """The same curve by scipy's own recursion."""
    order = min(3, len(values) - 1)
    inside = np.linspace(0, 1, len(values) - order + 1)
    return BSpline(np.concatenate([[0.0] * order, inside, [1.0] * order]), np.asarray(values, dtype=float), order)


@pytest.mark.parametrize("count", COUNTS)
def test_curve_matches_scipy(count):
    values = np.random.default_rng(count).normal(size=count)
    x = np.linspace(0, 1, 501)
    np.testing.assert_allclose(curve(values)(x), scipy_curve(values)(x), rtol=0, atol=1e-13)


@pytest.mark.parametrize("count", COUNTS)
def test_piece_count_is_value_count_minus_degree(count):
    breaks, coefficients = pieces(np.ones(count))
    assert breaks.shape == (count - degree(count) + 1,)
    assert coefficients.shape == (count - degree(count), 4)
    assert (breaks[0], breaks[-1]) == (0.0, 1.0)


@pytest.mark.parametrize(("count", "expected"), [(1, 0), (2, 1), (3, 2), (4, 3), (5, 3), (100, 3)])
def test_fewer_than_four_values_lower_the_degree(count, expected):
    assert degree(count) == expected
    _, coefficients = pieces(np.random.default_rng(0).normal(size=count))
    assert np.all(coefficients[:, : 3 - expected] == 0)


@pytest.mark.parametrize("count", COUNTS)
def test_the_basis_is_a_partition_of_unity(count):
    x = np.linspace(0, 1, 301)
    basis = np.array([curve(row)(x) for row in np.eye(count)])
    np.testing.assert_allclose(basis.sum(axis=0), 1.0, rtol=0, atol=1e-14)
    assert basis.min() > -1e-15


@settings(deadline=None)
@given(control_values)
def test_curve_stays_in_the_convex_hull_of_its_control_values(values):
    breaks, _ = pieces(values)
    spline = curve(values)
    reach = degree(len(values)) + 1
    slack = 1e-13 * (1 + np.abs(values).max())
    for piece in range(len(breaks) - 1):
        inside = spline(np.linspace(breaks[piece], breaks[piece + 1], 30))
        reaching = values[piece : piece + reach]
        assert inside.min() >= reaching.min() - slack
        assert inside.max() <= reaching.max() + slack


@settings(deadline=None)
@given(control_values)
def test_the_curve_begins_at_the_first_value_and_ends_at_the_last(values):
    slack = 1e-13 * (1 + np.abs(values).max())
    assert curve(values)(0.0) == values[0]
    assert abs(curve(values)(1.0) - values[-1]) <= slack


@pytest.mark.parametrize("count", [4, 5, 6, 7, 11, 40])
def test_value_and_two_derivatives_are_continuous_between_pieces(count):
    spline = curve(np.random.default_rng(count).normal(size=count))
    for order, scale in ((0, 1.0), (1, count), (2, count**2)):
        derivative = spline.derivative(order) if order else spline
        joints = spline.x[1:-1]
        np.testing.assert_allclose(derivative(joints - 1e-12), derivative(joints), rtol=0, atol=1e-8 * scale)


@pytest.mark.parametrize("count", COUNTS[1:])
def test_linear_values_at_greville_abscissae_reproduce_the_line(count):
    x = np.linspace(0, 1, 101)
    np.testing.assert_allclose(curve(3 * greville_abscissae(count) - 1)(x), 3 * x - 1, rtol=0, atol=1e-13)


def test_greville_abscissae_have_known_values():
    np.testing.assert_allclose(greville_abscissae(4), [0, 1 / 3, 2 / 3, 1])
    np.testing.assert_allclose(greville_abscissae(5), [0, 1 / 6, 1 / 2, 5 / 6, 1])
    assert greville_abscissae(1).tolist() == [0.5]
    assert greville_abscissae(2).tolist() == [0, 1]


def test_piece_of_zero_control_values_is_exactly_zero():
    _, coefficients = pieces(np.array([7.3, 0, 0, 0, 0, 0.1, 1e90]))
    assert np.all(coefficients[1] == 0)


def test_cached_arrays_are_read_only():
    breaks, _ = pieces(np.ones(6))
    with pytest.raises(ValueError, match="read-only"):
        breaks[0] = 3
    with pytest.raises(ValueError, match="read-only"):
        greville_abscissae(6)[0] = 3
