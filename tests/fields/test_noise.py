"""Noise is smooth, as strong as said, alike in all directions, never gathers, and is the same for ever."""

import numpy as np
import pytest
from numpy.polynomial import Polynomial
from numpy.testing import assert_allclose, assert_array_equal

from keypose.fields import Noise
from keypose.fields.noise import CURL_RMS
from tests.fields.asking import above, for_any, numbers, slopes

RNG = np.random.default_rng(11)
MANY, WHEN = RNG.uniform(-400, 400, (60_000, 3)), RNG.uniform(0, 400, 60_000)
STILL, BOILING = Noise(2.0, scale=0.8, seed=5), Noise(2.0, scale=0.8, seed=5, speed=1.5)
STAYED = (
    [-0.0015098580364698456, 0.6755931477315036, 0.8507154687812772],
    [-0.7089959555047263, -0.22869943497482825, 0.1835525235411652],
)
BOTH = pytest.mark.parametrize("noise", [STILL, BOILING], ids=["still", "boiling"])


@BOTH
def test_its_root_mean_square_is_its_strength(noise):
    pushed = noise.at(MANY, WHEN)
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


@BOTH
def test_it_is_alike_in_all_directions(noise):
    pushed = noise.at(MANY, WHEN)
    assert_allclose(np.cov(pushed.T), np.eye(3) * 4 / 3, atol=0.03)
    for seed in range(6):
        direction = np.random.default_rng(seed).normal(size=3)
        along = pushed @ (direction / np.linalg.norm(direction))
        assert np.sqrt(np.mean(along**2)) == pytest.approx(2 / np.sqrt(3), rel=0.02)


@BOTH
def test_it_has_no_divergence(noise):
    slope = slopes(noise, MANY[:500], WHEN[:500])
    assert np.abs(slope).max() > 1
    assert_allclose(np.trace(slope, axis1=1, axis2=2), 0, atol=1e-7)


@BOTH
def test_it_is_smooth_and_so_is_its_slope_across_the_borders_of_cells(noise):
    border = np.round(MANY[:200] / 0.8) * 0.8
    border[:, 1:] = MANY[:200, 1:]
    for h in (1e-3, 1e-4):
        ahead, behind = (noise.at(border + side, WHEN[:200]) for side in ([h, 0, 0], [-h, 0, 0]))
        here = noise.at(border, WHEN[:200])
        assert np.abs(ahead - here).max() < 100 * h
        assert np.abs((ahead - here) - (here - behind)).max() < 500 * h**2  # as of a curve with a bounded bend


def test_the_change_in_time_is_smooth_and_a_place_forgets_what_it_was():
    t = np.linspace(0, 40, 40_001)
    pushed = BOILING.at(np.broadcast_to((0.3, 0.4, 0.1), (len(t), 3)), t)
    assert np.abs(np.diff(pushed, axis=0)).max() < 0.03
    assert np.abs(np.diff(pushed, n=2, axis=0)).max() < 2e-3
    later = BOILING.at(MANY, WHEN + 2 * 0.8 / 1.5)
    assert abs(np.mean(np.sum(BOILING.at(MANY, WHEN) * later, axis=1))) < 0.05 * 4


def test_without_a_speed_it_stands_still():
    assert_array_equal(STILL.at(MANY[:50], 0), STILL.at(MANY[:50], WHEN[:50]))


def test_the_same_seed_is_the_same_air_and_another_is_another():
    assert_array_equal(Noise(1, seed=3).at(MANY[:50]), Noise(1, seed=3).at(MANY[:50]))
    others = [Noise(1, seed=seed).at(MANY).ravel() for seed in (0, 1, 2, -1, 10**30)]
    assert_allclose(np.corrcoef(others), np.eye(5), atol=0.02)


def test_the_air_is_the_same_for_ever():
    assert_allclose(Noise(1.0).at((0.3, -1.2, 7.7)), STAYED[0], rtol=1e-12)
    assert_allclose(Noise(1.0, scale=2, seed=42, speed=0.5).at((0.3, -1.2, 7.7), 3.3), STAYED[1], rtol=1e-12)


def test_places_a_cell_apart_have_nothing_in_common():
    for offset in np.eye(3) * 2 * 0.8:
        together = np.sum(STILL.at(MANY) * STILL.at(MANY + offset), axis=1)
        assert abs(together.mean()) < 0.05 * 4


@for_any(above, numbers)
def test_a_larger_scale_is_the_same_air_larger(scale, speed):
    larger = Noise(1.0, scale=scale, speed=speed * scale).at(MANY[:20] * scale, WHEN[:20])
    assert_allclose(larger, Noise(1.0, speed=speed).at(MANY[:20], WHEN[:20]), atol=1e-7)


def test_very_far_away_there_is_still_air():
    assert np.isfinite(Noise(1.0).at([(1e18, -1e300, 0), (-0.0, 4e9, 1e-300)])).all()
