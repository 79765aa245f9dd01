"""The compiled clock shows the same time as the readable one."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from keypose.maths import kernel_switch
from keypose.timing import kernels
from keypose.timing.clocks import KeyTimeClock


def kernel_parameters(clock, t):
    out = np.full_like(t, -1.0)
    kernels.key_time_parameters(clock.times, clock.segment_table, t, out, 0, len(t))
    return out


def reference_parameters(monkeypatch, clock, t):
    monkeypatch.setattr(kernel_switch, "allowed", False)
    return clock.parameter(t)


@pytest.mark.parametrize("count", [2, 3, 40, 5000])
@pytest.mark.parametrize("spread", ["even", "uneven", "lumps"])
def test_kernel_is_bitwise_identical_to_the_reference(monkeypatch, count, spread):
    rng = np.random.default_rng(count)
    spans = {
        "even": np.ones(count - 1) / 24,
        "uneven": rng.uniform(0.01, 3, count - 1),
        "lumps": 10.0 ** rng.uniform(-9, 3, count - 1),
    }[spread]
    clock = KeyTimeClock(np.concatenate([[0.0], np.cumsum(spans)]) - 7)
    first, last = clock.span
    t = np.concatenate([rng.uniform(first - 1, last + 1, 3000), clock.times, np.nextafter(clock.times, -99)])
    assert_array_equal(kernel_parameters(clock, t), reference_parameters(monkeypatch, clock, t))


def test_kernel_writes_only_its_range():
    clock = KeyTimeClock(np.array([0.0, 1.0, 3.0]))
    out = np.full(5, -1.0)
    kernels.key_time_parameters(clock.times, clock.segment_table, np.full(5, 2.0), out, 1, 3)
    assert_array_equal(out, [-1, 1.5, 1.5, -1, -1])


def test_nan_gives_nan_and_infinity_the_ends():
    clock = KeyTimeClock(np.array([0.0, 1.0, 3.0]))
    assert_array_equal(kernel_parameters(clock, np.array([np.nan, -np.inf, np.inf])), [np.nan, 0, 2])


def test_threaded_work_is_bitwise_identical(monkeypatch):
    clock = KeyTimeClock(np.cumsum(np.random.default_rng(1).uniform(0.1, 2, 300)))
    t = np.random.default_rng(2).uniform(-5, 400, 100_000)
    assert_array_equal(clock.parameter(t), kernel_parameters(clock, t))
