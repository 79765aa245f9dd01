"""A clock that starts over, or runs back and forth."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose.errors import KeyposeError
from keypose.timing.extrapolation import CYCLE, MIRROR, check_finite, fold_times


def test_cycle_restarts_and_keeps_its_exact_end():
    moment, back = fold_times(np.array([-0.5, 1, 3, 4.5]), 0.0, 1.0, 3.0, CYCLE)
    assert_allclose(moment, [1.5, 1, 3, 2.5])
    assert not back.any()


def test_a_mirror_runs_back():
    moment, back = fold_times(np.array([0.5, 2, 3.5, 5.5]), 0.0, 1.0, 3.0, MIRROR)
    assert_allclose(moment, [1.5, 2, 2.5, 1.5])
    assert back.tolist() == [True, False, True, False]


def test_folding_several_clocks_is_bitwise_identical_to_single_ones():
    rng = np.random.default_rng(0)
    t, start, first = rng.uniform(-9, 9, 40), rng.uniform(-2, 2, (6, 1)), rng.uniform(-1, 1, (6, 1))
    last, laps = first + rng.uniform(0.1, 3, (6, 1)), np.array([[CYCLE], [MIRROR]] * 3)
    moment, back = fold_times(t, start, first, last, laps)
    for row in range(6):
        alone = fold_times(t, *(float(column[row, 0]) for column in (start, first, last, laps)))
        assert_array_equal(moment[row], alone[0])
        assert_array_equal(back[row], alone[1])


def test_infinite_time_is_refused():
    check_finite(np.array([1e300]))
    with pytest.raises(KeyposeError, match="asked for an infinite time"):
        check_finite(np.array([0, -np.inf]))
