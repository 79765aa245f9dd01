"""Sums are the same to the bit, however many are asked for at once."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from keypose.maths.array_functions import ordered_sum


def sequential_sum(values):
    total = 0.0
    for value in values:
        total += value
    return total


@pytest.mark.parametrize("count", [1, 2, 7, 8, 9, 15, 100, 1000])
@pytest.mark.parametrize("rows", [1, 2, 37])
def test_ordered_sum_is_bitwise_identical_to_a_sequential_sum(count, rows):
    values = np.random.default_rng(count).normal(size=(rows, count)) * 10.0 ** np.arange(count).clip(0, 5)
    for some in (values, np.asfortranarray(values), np.repeat(values, 2, axis=1)[:, ::2]):
        assert_array_equal(ordered_sum(some), [sequential_sum(row) for row in values])
