"""Five-point Gauss-Legendre: exact for degree nine, and of order ten."""

import numpy as np
import pytest

from keypose.maths.quadrature import NODES, WEIGHTS, integral, nodes_between


def test_nodes_and_weights_are_gauss_legendre():
    nodes, weights = np.polynomial.legendre.leggauss(5)
    np.testing.assert_allclose(NODES, nodes, rtol=0, atol=2e-16)
    np.testing.assert_allclose(WEIGHTS, weights, rtol=0, atol=4e-16)
    assert abs(WEIGHTS.sum() - 2) < 1e-15


@pytest.mark.parametrize("degree", range(10))
def test_polynomials_up_to_degree_nine_are_integrated_exactly(degree):
    start, stop = np.array([-0.3, 0.0, 2.0]), np.array([0.9, 1.0, 2.5])
    expected = (stop ** (degree + 1) - start ** (degree + 1)) / (degree + 1)
    found = integral(nodes_between(start, stop) ** degree, start, stop)
    np.testing.assert_allclose(found, expected, rtol=1e-13)


def test_degree_ten_is_not_exact():
    start, stop = np.array(0.0), np.array(1.0)
    assert abs(integral(nodes_between(start, stop) ** 10, start, stop) - 1 / 11) > 1e-7


def test_halving_every_interval_divides_the_error_by_a_thousand():
    def error(parts):
        ends = np.linspace(0, 3, parts + 1)
        return abs(integral(np.exp(nodes_between(ends[:-1], ends[1:])), ends[:-1], ends[1:]).sum() - np.expm1(3))

    order = np.log2(error(1) / error(2))
    assert 9.5 < order < 10.5


def test_integral_over_reversed_limits_changes_sign():
    start, stop = np.array(0.25), np.array(1.5)
    forward = integral(np.cos(nodes_between(start, stop)), start, stop)
    back = integral(np.cos(nodes_between(stop, start)), stop, start)
    assert forward == pytest.approx(-back, rel=1e-15)


def test_integral_over_an_empty_interval_is_zero():
    bounds = np.array([0.5, 7.0])
    assert integral(np.full((2, 5), 1e300), bounds, bounds).tolist() == [0, 0]
