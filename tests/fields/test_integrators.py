"""Segments of dynamic splines: each way of making them, and what holds for all."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose.fields.film_units import FILM_FRAME, field_per_frame, frames_per_tick, velocity
from keypose.fields.splines.integrators import PointState, advance, between, initial_state
from tests.fields.trajectories import spline_states, state_positions, state_tangents

RNG = np.random.default_rng(7)
INTEGRATORS = {
    "c1": {},
    "c2": {"continuity": "c2"},
    "g2": {"continuity": "g2", "beta": -0.3},
    "steady": {"integrator": "steady"},
    "linear": {"basis": "linear"},
}
SMOOTH = [name for name in INTEGRATORS if name != "linear"]


def sample_field(P, v, t):
    """A field with everything in it: place, velocity and time."""
    return np.cross([0, 40.0, 0], P) - 90 * P + 0.3 * v + np.array([np.sin(5 * t), 4, 0])


def integrated_states(name, ticks=30, **options):
    """Five objects in the swirl, each with its own friction."""
    position, speed = RNG.normal(size=(5, 3)), 5 * RNG.normal(size=(5, 3))
    return spline_states(
        sample_field, ticks, position, speed, friction=np.linspace(0, 0.4, 5), **INTEGRATORS[name], **options
    )


def acceleration_at(before, after, share, tick=FILM_FRAME):
    """By central differences of the segment's tangents [m/frame²]; segments are cubic, so this is exact."""
    h = 1e-3
    ahead, behind = (between(before, after, share + d, tick=tick)[1] for d in (h, -h))
    return (ahead - behind) / (2 * h * frames_per_tick(tick))


@pytest.mark.parametrize("name", INTEGRATORS)
@pytest.mark.parametrize("tick", [FILM_FRAME, 0.013])
def test_segments_meet_at_their_ends(name, tick):
    states = integrated_states(name, tick=tick)
    basis = INTEGRATORS[name].get("basis", "hermite")
    for before, after in pairwise(states):
        assert_allclose(between(before, after, 0.0, tick=tick, basis=basis)[0], before.P, atol=1e-14)
        assert_allclose(between(before, after, 1.0, tick=tick, basis=basis)[0], after.P, atol=1e-14)


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("tick", [FILM_FRAME, 0.013])
def test_velocity_is_continuous_at_every_joint(name, tick):
    states = integrated_states(name, tick=tick)
    for one, two, three in zip(states, states[1:], states[2:], strict=False):
        arriving, leaving = between(one, two, 1.0, tick=tick)[1], between(two, three, 0.0, tick=tick)[1]
        assert_array_equal(arriving, two.T)
        assert_array_equal(leaving, two.T)


@pytest.mark.parametrize("name", SMOOTH)
def test_tangents_between_ticks_are_the_derivative_of_positions(name):
    before, after = integrated_states(name, tick=0.02)[3:5]
    h = 1e-5
    ahead, behind = (between(before, after, 0.4 + d, tick=0.02)[0] for d in (h, -h))
    measured = (ahead - behind) / (2 * h * frames_per_tick(0.02))
    assert_allclose(between(before, after, 0.4, tick=0.02)[1], measured, atol=1e-8)


@pytest.mark.parametrize("tick", [FILM_FRAME, 0.013])
def test_acceleration_is_continuous_with_c2_and_breaks_by_beta_with_g2(tick):
    for name, beta in (("c2", 0.0), ("g2", -0.3)):
        states = integrated_states(name, tick=tick)
        for one, two, three in zip(states, states[1:], states[2:], strict=False):
            arriving, leaving = acceleration_at(one, two, 1.0, tick), acceleration_at(two, three, 0.0, tick)
            assert_allclose(arriving, two.a, atol=1e-9)
            assert_allclose(leaving, arriving + beta * two.T, atol=1e-9)


def test_every_object_may_have_its_own_fraction_of_a_tick():
    before, after = integrated_states("c1")[4:6]
    shares = np.linspace(0, 1, 5)
    P, T = between(before, after, shares)
    for row, share in enumerate(shares):
        one = between(before, after, float(share))
        assert_array_equal(P[row], one[0][row])
        assert_array_equal(T[row], one[1][row])


@pytest.mark.parametrize("name", INTEGRATORS)
def test_result_does_not_depend_on_the_number_of_objects(name):
    position, speed = RNG.normal(size=(5, 3)), RNG.normal(size=(5, 3))
    together = spline_states(sample_field, 20, position, speed, friction=0.1, **INTEGRATORS[name])
    alone = [
        spline_states(sample_field, 20, p, v, friction=0.1, **INTEGRATORS[name])
        for p, v in zip(position, speed, strict=True)
    ]
    assert_array_equal(state_positions(together), np.concatenate([state_positions(one) for one in alone], axis=1))


@pytest.mark.parametrize("name", INTEGRATORS)
def test_state_is_sufficient_to_resume_bitwise_identically(name):
    states = integrated_states(name, 20)
    state = states[8]
    for i in range(8, 20):
        f = field_per_frame(sample_field(state.P, velocity(state.T), i * FILM_FRAME))
        state = advance(state, f, friction=np.linspace(0, 0.4, 5), **INTEGRATORS[name])
    assert_array_equal(state.P, states[20].P)
    assert_array_equal(state.T, states[20].T)


@pytest.mark.parametrize("name", INTEGRATORS)
def test_step_does_not_modify_the_old_state(name):
    state = initial_state(np.ones((2, 3)), np.ones(3))
    copy = PointState(state.P.copy(), state.T.copy(), state.a.copy(), state.is_first.copy())
    advance(state, np.ones((2, 3)), **INTEGRATORS[name])
    assert_array_equal(state.P, copy.P)
    assert_array_equal(state.T, copy.T)
    assert_array_equal(state.a, copy.a)


def test_flat_points_move_as_they_do_in_space():
    flat = spline_states(lambda P, v, t: -P, 10, RNG.normal(size=(6, 2)), (0.5, 0.0))
    solid = spline_states(lambda P, v, t: -P, 10, np.pad(flat[0].P, ((0, 0), (0, 1))), (0.5, 0.0, 0.0))
    assert_array_equal(state_positions(flat), state_positions(solid)[..., :2])


@pytest.mark.parametrize("name", [name for name in SMOOTH if name != "g2"])  # whose β changes the acceleration
@pytest.mark.parametrize("tick", [FILM_FRAME, 0.01])
def test_every_smooth_integrator_gives_the_exact_parabola_in_a_uniform_field(name, tick):
    gravity, speed, ticks = np.array([0.3, -9.81, 0]), np.array([2.0, 5, 1]), 48
    P = state_positions(spline_states(lambda *_: gravity, ticks, speed=speed, tick=tick, **INTEGRATORS[name]))[:, 0]
    t = np.arange(ticks + 1)[:, None] * tick
    assert_allclose(P, speed * t + gravity * t**2 / 2, rtol=0, atol=1e-12)


def test_steady_equals_equation_3_where_the_field_is_constant():
    for friction in (0.0, 0.1, 0.7, 1.0):
        words = {"speed": (3.0, 1, 0), "friction": friction, "tick": 0.03}
        wind = lambda *_: np.array([1.0, -2, 0.3])  # noqa: E731
        paper, steady = (spline_states(wind, 60, **words, integrator=name) for name in ("paper", "steady"))
        assert_allclose(state_positions(steady), state_positions(paper), atol=1e-13)
        assert_allclose(state_tangents(steady), state_tangents(paper), atol=1e-14)


def test_positions_of_steady_are_those_of_velocity_verlet():
    omega2, h, x, v = 30.0, FILM_FRAME, 1.0, 0.4
    verlet = [x]
    for _ in range(200):
        half = v - omega2 * x * h / 2
        x += half * h
        v = half - omega2 * x * h / 2
        verlet.append(x)
    P = state_positions(spline_states(lambda P, *_: -omega2 * P, 200, (1.0, 0, 0), (0.4, 0, 0), integrator="steady"))
    assert_allclose(P[:, 0, 0], verlet, atol=1e-12)


@pytest.mark.parametrize(("integrator", "order"), [("paper", 1), ("steady", 2)])
def test_errors_fall_with_the_order_of_the_integrator(integrator, order):
    omega, seconds = 3.0, 2.0
    errors = []
    for ticks in (200, 400):
        spring = lambda P, *_: -(omega**2) * P  # noqa: E731
        last = spline_states(spring, ticks, (1.0, 0, 0), tick=seconds / ticks, integrator=integrator)[-1]
        wanted = np.cos(omega * seconds), -omega * np.sin(omega * seconds)
        errors.append(np.hypot(last.P[0, 0] - wanted[0], velocity(last.T)[0, 0] - wanted[1]))
    assert_allclose(errors[0] / errors[1], 2**order, rtol=0.1)


def test_steady_keeps_an_orbit_for_thirty_turns():
    pull = lambda P, *_: -P / np.linalg.norm(P, axis=1, keepdims=True) ** 3  # noqa: E731
    turns = 2 * np.pi * 30
    ticks = 6000
    P = state_positions(spline_states(pull, ticks, (1.0, 0, 0), (0, 1.0, 0), tick=turns / ticks, integrator="steady"))[
        :, 0
    ]
    assert_allclose(np.linalg.norm(P, axis=1), 1, atol=2e-3)


def test_linear_basis_interpolates_linearly_between_ticks():
    before, after = integrated_states("linear")[6:8]
    P, T = between(before, after, 0.25, basis="linear")
    assert_allclose(P, before.P + 0.25 * (after.P - before.P), atol=1e-15)
    assert_allclose(T, after.P - before.P, atol=1e-14)
    assert_array_equal(T, after.T)
