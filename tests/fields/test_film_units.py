"""The paper's units: a push per film frame, whatever the tick."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose.fields.film_units import (
    FILM_FRAME,
    acceleration,
    field_per_frame,
    frames_per_tick,
    rates,
    tangent,
    velocity,
)
from tests.fields.trajectories import spline_states, state_tangents

TICKS = (1 / 2, 1 / 3, 1 / 7, 1 / 24, 2, 5)  # [frames]


def test_one_metre_per_second_is_a_24th_of_a_metre_per_frame():
    assert_allclose(tangent((24.0, 0, 0)), (1, 0, 0))
    assert_allclose(field_per_frame((0, 576.0, 0)), (0, 1, 0))


def test_unit_conversions_are_inverse():
    given = np.array([1.7, -3.1, 1e6])
    assert_allclose(velocity(tangent(given)), given, rtol=1e-15)
    assert_allclose(acceleration(field_per_frame(given)), given, rtol=1e-15)


def test_a_film_frame_takes_one_frame():
    assert frames_per_tick(1 / 24) == 1


@pytest.mark.parametrize("friction", [0.0, 0.1, 0.37, 1.0])
def test_tick_of_one_frame_is_equation_3_bitwise(friction):
    keep, push, r = rates(friction)
    assert (keep, push, r) == (1 - friction, 1 - friction, 1)


@pytest.mark.parametrize("r", TICKS)
def test_push_is_proportional_to_the_tick_without_friction(r):
    assert rates(0.0, r) == (1, r, r)


@pytest.mark.parametrize("r", TICKS)
def test_vanishing_friction_converges_to_none(r):
    keep, push, _ = rates(1e-12, r)
    assert_allclose((keep, push), (1 - r * 1e-12, r), rtol=1e-11)


@pytest.mark.parametrize("r", TICKS)
@pytest.mark.parametrize("friction", [0.05, 0.3, 0.9])
def test_rates_are_those_of_the_errata(r, friction):
    g, g_r = 1 - friction, (1 - friction) ** r
    keep, push, _ = rates(friction, r)
    assert_allclose(keep, g_r)
    assert_allclose(r * push, g_r * (r * g * (1 - g_r) / (g_r * (1 - g))))  # per tick² there, per frame² here


@pytest.mark.parametrize("r", TICKS)
def test_full_friction_stops_within_any_tick(r):
    assert rates(1.0, r) == (0, 0, r)


def test_long_tick_under_strong_friction_has_its_terminal_speed():
    keep, push, _ = rates(0.9999, 400.0)  # (1 − F)^r is no longer a number
    assert keep == 0
    assert_allclose(push, 1e-4 / 0.9999)


def test_every_object_has_its_own_friction():
    keep, push, _ = rates([0.0, 0.5, 1.0], 0.5)
    assert keep.shape == push.shape == (3, 1)
    for row, friction in enumerate((0.0, 0.5, 1.0)):
        assert_array_equal([keep[row, 0], push[row, 0]], rates(friction, 0.5)[:2])


@pytest.mark.parametrize("per_frame", [1, 2, 3, 7, 24])
@pytest.mark.parametrize("friction", [0.0, 0.05, 0.2, 0.9, 1.0])
@pytest.mark.parametrize("integrator", ["paper", "steady"])
def test_velocities_in_a_constant_field_are_the_same_at_any_tick(per_frame, friction, integrator):
    wind = np.array([2.0, -9.81, 0.5])
    words = {"speed": (3.0, 1.0, 0.0), "friction": friction, "integrator": integrator}
    whole = state_tangents(spline_states(lambda *_: wind, 48, **words))
    cut = state_tangents(spline_states(lambda *_: wind, 48 * per_frame, tick=FILM_FRAME / per_frame, **words))
    assert_allclose(cut[::per_frame], whole, rtol=1e-12, atol=1e-15)


def test_converting_friction_alone_would_shift_the_terminal_speed():
    friction, r = 0.2, 0.5
    keep, push, _ = rates(friction, r)
    terminal = push / (1 - keep)
    assert_allclose(terminal, (1 - friction) / friction)
    assert abs(r * keep / (1 - keep) / terminal - 1) > 0.05  # g′ for g and r·f for f, nothing else
