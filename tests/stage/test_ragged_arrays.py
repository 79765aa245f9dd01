"""Rows of different length in one array, and looking something up in each."""

import numpy as np
from numpy.testing import assert_array_equal

from keypose.stage.evaluate import kernels
from keypose.stage.evaluate.ragged_arrays import last_not_above, pack_ragged_arrays


def test_parts_are_packed_end_to_end():
    firsts, values = pack_ragged_arrays([np.array([1.0, 2.0]), np.empty(0), np.array([3.0])])
    assert firsts.tolist() == [0, 2, 2, 3]
    assert values.tolist() == [1, 2, 3]


def test_last_not_above_searches_within_its_own_part():
    rng = np.random.default_rng(0)
    parts = [np.sort(rng.integers(0, 9, count)).astype(float) for count in (1, 2, 3, 8, 40)]
    firsts, column = pack_ragged_arrays(parts)
    value = np.concatenate([np.arange(-1, 11, 0.5), [-np.inf, np.inf]]) + np.zeros((5, 1))
    low, high = firsts[:-1, None], firsts[1:, None] - 1
    found = last_not_above(column, low, high, value)
    for row, part in enumerate(parts):
        expected = np.maximum(np.searchsorted(part, value[row], side="right") - 1, 0)
        assert_array_equal(found[row] - firsts[row], expected)
        for near in range(firsts[row], firsts[row + 1]):
            from_kernel = [
                kernels.last_not_above(column, firsts[row], firsts[row + 1] - 1, near, v) for v in value[row]
            ]
            assert_array_equal(from_kernel, found[row])
