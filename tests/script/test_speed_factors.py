"""Speed factors of clocks, which cannot jump to their rates."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose.motion.sync_protocol import ACTIVE, Distances
from keypose.script.sync.rule_set import kernel_rules
from keypose.script.sync.rules.speed_factors import allocate_speed_factors, required_speed_factor
from tests.script.sync_arrays import SyncArrays


def test_stationary_clocks_keep_full_efficiency():
    sync = SyncArrays([[4.0, 1.0]], [[0, 1]], 2, 0)
    sync.state[0] = ACTIVE
    distances = Distances(np.zeros(2), np.array([4.0, 1.125]))
    kernel_rules().regulate(sync.graph, sync.records, sync.channel_progress, distances, 1.0, 0.02)
    assert_array_equal(sync.efficiency, 1.0)


@pytest.mark.parametrize(("own_time", "expected"), [(1.125, 0.5), (2.0, 1.0)])
def test_speed_factor_of_a_slowed_clock_ignores_its_acceleration_time(own_time, expected):
    assert required_speed_factor(own_time, 2.0, 1.0, is_clock=True) == expected
    assert required_speed_factor(own_time, 2.0, 1.0, is_clock=False) == own_time / 2.0


def test_clock_late_only_by_rounding_keeps_nominal_speed():
    assert required_speed_factor(0.3, float(np.nextafter(0.3, 1.0)), 0.29, is_clock=True) == pytest.approx(
        1.0, abs=1e-12
    )


def test_stationary_clock_arrives_in_time_at_its_speed_factor():
    sync = SyncArrays([[4.0, 1.0]], [[0, 1]], 2, 1)
    sync.state[0] = ACTIVE
    factors = allocate_speed_factors(sync.graph, sync.records, sync.channel_progress, np.array([4.0, 1.125]))
    assert_allclose(factors.desired_factor, [1.0, 1.0 / 4.0])
