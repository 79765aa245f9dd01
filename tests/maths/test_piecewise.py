"""Cubic pieces, their integral and its inverse; scipy's PPoly and PCHIP are the oracles."""

import warnings

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from scipy.interpolate import PchipInterpolator, PPoly

from keypose.maths.piecewise import PiecewiseCubic, monotone_slopes

heights = st.floats(0, 1000).map(lambda height: round(height, 3))
points = st.dictionaries(st.integers(0, 1000).map(lambda x: x / 1000), heights, min_size=2, max_size=9)


def point_arrays(chosen):
    x = np.array(sorted(chosen))
    return x, np.array([chosen[at] for at in x.tolist()])


def random_curve(seed=0, pieces=7):
    random = np.random.default_rng(seed)
    breaks = np.concatenate([[0.0], np.sort(random.uniform(size=pieces - 1)), [1.0]])
    coefficients = random.normal(size=(pieces, 4))
    return PiecewiseCubic(breaks, coefficients, 5.0), PPoly(coefficients.T, breaks)


def test_value_slope_and_integral_match_scipy():
    curve, oracle = random_curve()
    x = np.linspace(0, 1, 401)[:-1]
    np.testing.assert_allclose(curve.at(x), oracle(x), rtol=0, atol=1e-14)
    np.testing.assert_allclose(curve.slope(x), oracle.derivative()(x), rtol=0, atol=1e-14)
    np.testing.assert_allclose(curve.integral(x), oracle.antiderivative()(x), rtol=0, atol=1e-14)
    assert curve.total == pytest.approx(float(oracle.integrate(0, 1)), abs=1e-14)


def test_values_at_both_ends_are_exact():
    curve, oracle = random_curve()
    assert curve.at(np.array([0.0, 1.0])).tolist() == [float(oracle(0.0)), 5.0]
    assert curve.integral(np.array([0.0, 1.0])).tolist() == [0.0, curve.total]
    assert curve.slope(np.array(1.0)) == pytest.approx(float(oracle.derivative()(1.0)))


@pytest.mark.parametrize("shape", [(), (0,), (5,), (2, 3), (1, 4, 2)])
def test_result_shape_follows_the_query_shape(shape):
    curve = PiecewiseCubic.through(np.array([0.0, 0.4, 1.0]), np.array([1.0, 3.0, 2.0]))
    x = np.full(shape, 0.3)
    for method in (curve.at, curve.slope, curve.integral, curve.inverse_integral):
        assert np.shape(method(x)) == shape


@settings(deadline=None)
@given(points)
@example({0.0: 0.0, 0.5: 0.0, 1.0: 1.0})
@example({0.0: 1.0, 0.001: 1000.0, 1.0: 0.0})
def test_the_curve_through_points_is_pchip(chosen):
    x, values = point_arrays(chosen)
    where = np.linspace(x[0], x[-1], 200)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scipy divides by secants that are zero
        oracle = PchipInterpolator(x, values)
    np.testing.assert_allclose(PiecewiseCubic.through(x, values).at(where), oracle(where), rtol=0, atol=1e-9)


@settings(deadline=None)
@given(points)
def test_curve_passes_its_points_and_stays_between_neighbours(chosen):
    x, values = point_arrays(chosen)
    curve = PiecewiseCubic.through(x, values)
    assert curve.at(x).tolist() == values.tolist()
    slack = 1e-13 * (1 + values.max())
    for left in range(len(x) - 1):
        between = curve.at(np.linspace(x[left], x[left + 1], 40))
        assert between.min() >= values[left : left + 2].min() - slack
        assert between.max() <= values[left : left + 2].max() + slack


@settings(deadline=None)
@given(points)
def test_increasing_points_give_an_increasing_curve(chosen):
    x, values = point_arrays(chosen)
    curve = PiecewiseCubic.through(x, np.sort(values))
    slack = 1e-12 * (1 + np.abs(monotone_slopes(np.diff(x), np.diff(np.sort(values)) / np.diff(x))).max())
    assert curve.slope(np.linspace(x[0], x[-1], 300)).min() >= -slack


@settings(deadline=None)
@given(points, st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_inverse_integral_inverts_the_integral(chosen, shares):
    x, values = point_arrays(chosen)
    assume(values.max() > 0)
    curve = PiecewiseCubic.through(x, values)
    amounts = np.array(shares) * curve.total
    found = curve.inverse_integral(amounts)
    rounding = 1e-15 * (curve.total + values.max())  # of the area, and of x times the height there
    np.testing.assert_allclose(curve.integral(found), amounts, rtol=0, atol=rounding)
    assert np.all((found >= x[0]) & (found <= x[-1]))


def test_inverse_integral_on_a_plateau_is_its_beginning():
    curve = PiecewiseCubic.through(np.array([0.0, 0.25, 0.75, 1.0]), np.array([1.0, 0.0, 0.0, 1.0]))
    during = curve.integral(np.array([0.25, 0.5, 0.75]))
    assert during[0] == during[1] == during[2]
    assert curve.inverse_integral(during).tolist() == [0.25, 0.25, 0.25]


def test_inverse_integral_is_clamped_and_zero_maps_to_the_start():
    late = PiecewiseCubic.through(np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.0, 1.0]))
    assert late.inverse_integral(np.array([-1.0, 0.0, late.total, 9.0])).tolist() == [0.0, 0.0, 1.0, 1.0]


def test_slopes_are_finite_for_secants_of_any_size():
    slopes = monotone_slopes(np.array([0.5, 1e-9, 0.5]), np.array([1e-320, 1e109, 1e-320]))
    assert np.all(np.isfinite(slopes))
    assert np.all(slopes >= 0)


def test_slope_is_zero_at_peaks_and_valleys():
    slopes = monotone_slopes(np.array([1.0, 2.0, 1.0, 1.0]), np.array([3.0, -1.0, 4.0, 5.0]))
    assert slopes[1] == slopes[2] == 0
    assert 4 < slopes[3] < 5
