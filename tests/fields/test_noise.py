"""Noise is smooth, as strong as said, alike in all directions, never gathers, and is the same for ever."""

import numpy as np
import pytest
from numpy.polynomial import Polynomial
from numpy.testing import assert_allclose, assert_array_equal

from keypose.fields import Noise
from keypose.fields.noise import CURL_RMS
from tests.fields.field_strategies import jacobian, numbers, positive_numbers, property_test

RNG = np.random.default_rng(11)
POSITIONS, TIMES = RNG.uniform(-400, 400, (60_000, 3)), RNG.uniform(0, 400, 60_000)
STATIC, ANIMATED = Noise(2.0, scale=0.8, seed=5), Noise(2.0, scale=0.8, seed=5, speed=1.5)
RECORDED_VALUES = (
    [-0.0015098580364698456, 0.6755931477315036, 0.8507154687812772],
    [-0.7089959555047263, -0.22869943497482825, 0.1835525235411652],
)
STATIC_AND_ANIMATED = pytest.mark.parametrize("noise", [STATIC, ANIMATED], ids=["still", "boiling"])


@STATIC_AND_ANIMATED
def test_rms_equals_the_strength(noise):
    pushed = noise.at(POSITIONS, TIMES)
    assert np.sqrt(np.mean(np.sum(pushed**2, axis=1))) == pytest.approx(2.0, rel=0.01)
    assert_allclose(pushed.mean(axis=0), 0, atol=0.03)


@pytest.mark.parametrize("dimensions", [3, 4])
def test_the_root_mean_square_of_the_curl_is_the_integral_over_a_cell(dimensions):
    """Σ over 2ᵈ corners of ∫ |∇w|²|d|² + 2w ∇w·d + 3w², twice that for three heights; w is a product of blends."""
    s = Polynomial([0, 1])
    blend = 1 - Polynomial([0, 0, 0, 10, -15, 6])
    slope = blend.deriv()

    def over_a_cell(curve):
        return curve.integ()(1) - curve.integ()(0)

    ww, dd, wwss = over_a_cell(blend**2), over_a_cell(slope**2), over_a_cell(blend**2 * s**2)
    wds, ddss = over_a_cell(blend * slope * s), over_a_cell(slope**2 * s**2)
    steep = ddss * ww ** (dimensions - 1) + (dimensions - 1) * dd * wwss * ww ** (dimensions - 2)
    corner = 3 * (steep + 2 * wds * ww ** (dimensions - 1) + ww**dimensions)
    assert CURL_RMS[dimensions] == pytest.approx(np.sqrt(2 * 2**dimensions * corner), rel=1e-14)


@STATIC_AND_ANIMATED
def test_noise_is_isotropic(noise):
    pushed = noise.at(POSITIONS, TIMES)
    assert_allclose(np.cov(pushed.T), np.eye(3) * 4 / 3, atol=0.03)
    for seed in range(6):
        direction = np.random.default_rng(seed).normal(size=3)
        along = pushed @ (direction / np.linalg.norm(direction))
        assert np.sqrt(np.mean(along**2)) == pytest.approx(2 / np.sqrt(3), rel=0.02)


@STATIC_AND_ANIMATED
def test_noise_has_no_divergence(noise):
    slope = jacobian(noise, POSITIONS[:500], TIMES[:500])
    assert np.abs(slope).max() > 1
    assert_allclose(np.trace(slope, axis1=1, axis2=2), 0, atol=1e-7)


@STATIC_AND_ANIMATED
def test_noise_and_its_slope_are_smooth_across_cell_borders(noise):
    border = np.round(POSITIONS[:200] / 0.8) * 0.8
    border[:, 1:] = POSITIONS[:200, 1:]
    for h in (1e-3, 1e-4):
        ahead, behind = (noise.at(border + side, TIMES[:200]) for side in ([h, 0, 0], [-h, 0, 0]))
        value = noise.at(border, TIMES[:200])
        assert np.abs(ahead - value).max() < 100 * h
        assert np.abs((ahead - value) - (value - behind)).max() < 500 * h**2  # as of a curve with a bounded bend


def test_noise_is_smooth_in_time_and_decorrelates():
    t = np.linspace(0, 40, 40_001)
    pushed = ANIMATED.at(np.broadcast_to((0.3, 0.4, 0.1), (len(t), 3)), t)
    assert np.abs(np.diff(pushed, axis=0)).max() < 0.03
    assert np.abs(np.diff(pushed, n=2, axis=0)).max() < 2e-3
    later = ANIMATED.at(POSITIONS, TIMES + 2 * 0.8 / 1.5)
    assert abs(np.mean(np.sum(ANIMATED.at(POSITIONS, TIMES) * later, axis=1))) < 0.05 * 4


def test_noise_without_speed_is_static():
    assert_array_equal(STATIC.at(POSITIONS[:50], 0), STATIC.at(POSITIONS[:50], TIMES[:50]))


def test_equal_seeds_give_equal_noise_and_other_seeds_are_uncorrelated():
    assert_array_equal(Noise(1, seed=3).at(POSITIONS[:50]), Noise(1, seed=3).at(POSITIONS[:50]))
    others = [Noise(1, seed=seed).at(POSITIONS).ravel() for seed in (0, 1, 2, -1, 10**30)]
    assert_allclose(np.corrcoef(others), np.eye(5), atol=0.02)


def test_noise_values_never_change_between_versions():
    assert_allclose(Noise(1.0).at((0.3, -1.2, 7.7)), RECORDED_VALUES[0], rtol=1e-12)
    assert_allclose(Noise(1.0, scale=2, seed=42, speed=0.5).at((0.3, -1.2, 7.7), 3.3), RECORDED_VALUES[1], rtol=1e-12)


def test_positions_two_cells_apart_are_uncorrelated():
    for offset in np.eye(3) * 2 * 0.8:
        together = np.sum(STATIC.at(POSITIONS) * STATIC.at(POSITIONS + offset), axis=1)
        assert abs(together.mean()) < 0.05 * 4


@property_test(positive_numbers, numbers)
def test_scale_enlarges_the_same_noise(scale, speed):
    larger = Noise(1.0, scale=scale, speed=speed * scale).at(POSITIONS[:20] * scale, TIMES[:20])
    assert_allclose(larger, Noise(1.0, speed=speed).at(POSITIONS[:20], TIMES[:20]), atol=1e-7)


def test_noise_is_finite_very_far_away():
    assert np.isfinite(Noise(1.0).at([(1e18, -1e300, 0), (-0.0, 4e9, 1e-300)])).all()
