"""A root finder that cannot be led astray."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keypose.maths.roots import monotone_root


def search(function, slope, low, high, targets):
    """Where one function reaches each target, and how many evaluations of a single point that took."""
    targets = np.asarray(targets, dtype=float)
    evaluations = []

    def growing(x, which):
        evaluations.append(len(which))
        return function(x), slope(x)

    size = targets.shape
    return monotone_root(growing, np.full(size, float(low)), np.full(size, float(high)), targets), evaluations


def test_targets_out_of_range_give_the_nearer_end():
    found, _ = search(np.exp, np.exp, 0, 1, [-5, 1, np.e, 99])
    assert found.tolist() == [0, 0, 1, 1]


def test_empty_query_gives_an_empty_result():
    found, _ = search(np.exp, np.exp, 0, 1, [])
    assert found.shape == (0,)


def test_constant_function_gives_its_start():
    found, _ = search(np.zeros_like, np.zeros_like, 2, 3, [0.0, -1.0])
    assert found.tolist() == [2, 2]


@pytest.mark.parametrize(
    ("function", "slope", "inverse"),
    [
        (np.exp, np.exp, np.log),
        (lambda x: x**4, lambda x: 4 * x**3, lambda y: y**0.25),
        (np.sqrt, lambda x: 0.5 / np.sqrt(np.maximum(x, 1e-300)), np.square),
        (lambda x: np.tanh(40 * (x - 1)), lambda x: 40 / np.cosh(40 * (x - 1)) ** 2, lambda y: 1 + np.arctanh(y) / 40),
    ],
    ids=["exp", "x⁴", "√x", "a steep step"],
)
def test_the_root_is_found_to_rounding(function, slope, inverse):
    targets = np.linspace(function(0.0), function(2.0), 101)[1:-1]
    found, _ = search(function, slope, 0, 2, targets)
    reached = np.abs(function(found) - targets)
    assert reached.max() < 1e-14 * max(1, np.abs(targets).max()) * 10
    usable = np.abs(targets) < 0.999 * np.abs(targets).max()
    np.testing.assert_allclose(found[usable], inverse(targets[usable]), rtol=1e-9)


@pytest.mark.parametrize("lie", [0.0, 1e-30, 0.1, -1.0, np.nan], ids=lambda lie: f"slope {lie}")
def test_wrong_slope_only_costs_iterations(lie):
    found, evaluations = search(lambda x: x**3, lambda x: np.full_like(x, lie), 0, 1, [0.001, 0.2, 0.9])
    np.testing.assert_allclose(found, np.cbrt([0.001, 0.2, 0.9]), rtol=1e-14)
    assert len(evaluations) < 250


def test_converged_targets_are_not_evaluated_again():
    _, evaluations = search(lambda x: x**4, lambda x: 4 * x**3, 0, 1, [*np.linspace(0.5, 0.9, 99), 1e-30])
    assert evaluations[0] == 100
    assert evaluations[-1] == 1


def test_each_target_may_have_its_own_function_and_bracket():
    power = np.array([1.0, 2.0, 3.0])

    def growing(x, which):
        return x ** power[which], power[which] * x ** (power[which] - 1)

    found = monotone_root(growing, np.zeros(3), np.array([1.0, 10.0, 100.0]), np.array([0.5, 25.0, 8.0]))
    np.testing.assert_allclose(found, [0.5, 5.0, 2.0], rtol=1e-15)


@settings(deadline=None)
@given(st.lists(st.floats(0, 10), min_size=2, max_size=6), st.floats(0, 1))
def test_any_increasing_polynomial_is_inverted(coefficients, share):
    rising = np.polynomial.Polynomial([0.0, *coefficients])
    found, evaluations = search(rising, rising.deriv(), 0, 1, [share * rising(1.0)])
    assert abs(rising(found[0]) - share * rising(1.0)) <= 1e-14 * (1 + rising(1.0))
    assert len(evaluations) < 120
