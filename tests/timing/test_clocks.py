"""The two clocks of a motion: by key times, and by drawn speed with captured keys."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from keypose.maths import kernel_switch
from keypose.timing.clocks import KeyTimeClock, SpeedClock
from keypose.timing.speed_profile import SpeedProfile


@pytest.fixture(params=["definition", "kernels"])
def backend(request, monkeypatch):
    """By the readable definitions, and by their compiled twins however little there is to do."""
    monkeypatch.setattr(kernel_switch, "allowed", request.param == "kernels")
    monkeypatch.setattr(kernel_switch, "WORTH_LOADING", 0)
    return request.param


def captured_clock(profile=(1, 1, 8, 2, 1), duration=2.0, moments=(0.0, 0.75, 2.0), distances=(0.0, 3.0, 5.0)):
    return SpeedClock(SpeedProfile(profile), duration, np.array(moments), np.array(distances))


# ---- by key times ----------------------------------------------------------------------------------------------------


def test_key_i_is_passed_exactly_at_its_time(backend):
    times = np.cumsum(np.random.default_rng(0).uniform(1e-3, 5, 500)) - 40
    assert_array_equal(KeyTimeClock(times).parameter(times), np.arange(500))
    assert KeyTimeClock(times).span == (times[0], times[-1])


def test_parameter_is_linear_between_two_keys(backend):
    clock = KeyTimeClock(np.array([0.0, 1.0, 3.0, 3.5]))
    assert_allclose(clock.parameter(np.array([0.25, 1.5, 2.0, 3.25])), [0.25, 1.25, 1.5, 2.5])
    t = np.linspace(0, 3.5, 400)
    assert (np.diff(clock.parameter(t)) > 0).all()


def test_parameter_is_clamped_outside_the_key_times(backend):
    clock = KeyTimeClock(np.array([1.0, 2.0, 4.0]))
    assert_array_equal(clock.parameter(np.array([-np.inf, -5.0, 1.0, 4.0, 4.1, 1e300, np.inf])), [0, 0, 0, 2, 2, 2, 2])


def test_parameter_rate_is_the_slope_and_at_a_key_the_outgoing_one():
    clock = KeyTimeClock(np.array([0.0, 1.0, 3.0, 3.5]))
    assert_array_equal(clock.parameter_rate(np.array([0.0, 0.9, 1.0, 1.5, 2.0, 2.5, 3.0])), [1, 1, 0.5, 0.5, 2, 2, 2])
    t, h = np.array([0.3, 1.7, 3.2]), 1e-6
    slope = (clock.parameter(t + h) - clock.parameter(t - h)) / (2 * h)
    assert_allclose(clock.parameter_rate(clock.parameter(t)), slope, rtol=1e-8)


@settings(deadline=None, max_examples=30)
@given(st.lists(st.floats(1e-6, 1e3), min_size=1, max_size=30), st.floats(-1e3, 1e3))
def test_time_and_parameter_are_inverses_for_any_times(spans, start):
    times = start + np.concatenate([[0.0], np.cumsum(spans)])
    if (np.diff(times) <= 0).any():
        return
    clock = KeyTimeClock(times)
    t = np.linspace(times[0], times[-1], 50)
    u = clock.parameter(t)
    assert_allclose(np.interp(u, np.arange(len(times)), times), t, atol=1e-12 * (1 + np.abs(times).max()))


# ---- by drawn speed --------------------------------------------------------------------------------------------------


def test_distance_starts_at_zero_and_ends_exactly_at_the_length():
    for values in ([1], [0, 0, 1, 1, 0, 0], [1, 1, 8, 2, 1], [0.1, 0.7, 0.3]):
        length = 3.1234567890123456
        clock = SpeedClock(SpeedProfile(values), 0.7, np.array([0.0, 0.7]), np.array([0.0, length]))
        assert_array_equal(clock.distance(np.array([-1.0, 0.0, 0.7, 9.0])), [0, 0, length, length])
        assert clock.span == (0.0, 0.7)


def test_k_is_the_length_over_the_area_of_the_profile():
    clock = captured_clock(moments=(0.0, 2.0), distances=(0.0, 5.0))
    assert_allclose(clock.scale, [5.0 / SpeedProfile([1, 1, 8, 2, 1]).total])


def test_each_span_between_captured_keys_has_its_own_k():
    clock = captured_clock()
    profile = clock.profile
    assert_allclose(clock.scale[0], 3.0 / profile.covered(0.75 / 2))
    assert_allclose(clock.scale[1], 2.0 / (profile.total - profile.covered(0.75 / 2)))
    assert_array_equal(clock.distance(np.array([0.0, 0.75, 2.0])), [0, 3, 5])


def test_distance_never_decreases_and_its_slope_is_the_speed():
    clock = captured_clock()
    t = np.linspace(-0.1, 2.1, 5000)
    assert (np.diff(clock.distance(t)) >= 0).all()
    t, h = np.setdiff1d(np.linspace(0.01, 1.99, 100).round(6), [0.75]), 1e-6
    slope = (clock.distance(t + h) - clock.distance(t - h)) / (2 * h)
    away = np.abs(t - 0.75) > 2 * h
    assert_allclose(clock.speed(t[away]), slope[away], rtol=1e-7)


def test_the_speed_jumps_at_a_captured_key_and_only_there():
    clock = captured_clock()
    before, after = clock.speed_around(0.75)
    assert before / after == pytest.approx(clock.scale[0] / clock.scale[1])
    assert_allclose([before, after], clock.speed(np.array([0.75 - 1e-9, 0.75 + 1e-9])), rtol=1e-6)
    assert clock.speed(np.array([0.75]))[0] == after
    for moment in (0.0, 0.3, 1.5, 2.0):
        assert clock.speed_around(moment)[0] == clock.speed_around(moment)[1]


@pytest.mark.parametrize("profile", [(1,), (1, 1, 8, 2, 1), (0, 0, 1, 1, 0, 0)])
def test_time_at_distance_inverts_distance(profile):
    clock = captured_clock(profile)
    d = np.linspace(0, 5, 101)
    assert_allclose(clock.distance(clock.time_at(d)), d, atol=1e-12)
    assert_allclose(clock.time_at(np.array([0.0, 3.0, 5.0])), [0, 0.75, 2.0], atol=1e-7)


def test_end_time_is_exact_for_a_profile_that_slows_to_a_stop():
    for length in np.random.default_rng(0).uniform(1, 9, 50):
        clock = SpeedClock(SpeedProfile.slow_in_slow_out(), 2.0, np.array([0.0, 2.0]), np.array([0.0, length]))
        assert clock.time_at(np.array([length]))[0] == 2.0


def test_time_at_a_rest_is_its_earliest_instant():
    profile = SpeedProfile.through({0: 1, 0.4: 0, 0.6: 0, 1: 1})
    clock = SpeedClock(profile, 10.0, np.array([0.0, 10.0]), np.array([0.0, 6.0]))
    assert_allclose(clock.distance(np.array([4.0, 5.0, 6.0])), 3.0)
    assert_array_equal(clock.speed(np.array([4.5, 5.5])), [0, 0])
    assert clock.time_at(np.array([3.0]))[0] == pytest.approx(4.0, abs=1e-3)


def test_zero_distance_keeps_the_duration():
    clock = SpeedClock(SpeedProfile([1, 2, 1]), 3.0, np.array([0.0, 3.0]), np.zeros(2))
    assert_array_equal(clock.distance(np.linspace(0, 3, 9)), np.zeros(9))
    assert_array_equal(clock.speed(np.linspace(0, 3, 9)), np.zeros(9))
    assert clock.time_at(np.array([0.0]))[0] == 0


def test_precomputed_profile_values_give_identical_results():
    t = np.linspace(0, 2, 101)
    for clock in (captured_clock(), captured_clock(moments=(0.0, 2.0), distances=(0.0, 5.0))):
        area, relative = clock.profile.covered(t / 2), clock.profile.at(t / 2)
        assert_array_equal(clock.distance_at_area(t, area), clock.distance(t))
        assert_array_equal(clock.speed_from_profile(t, relative), clock.speed(t))
