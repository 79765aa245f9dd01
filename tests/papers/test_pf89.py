"""What Pintado and Fiume (1989) say in words about equations 1-10, one test per claim, and what is wrong in print.

Ticks are film frames and everything is in the paper's units, metres and frames, where not said otherwise.
"""

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose.fields.film_units import velocity
from keypose.fields.splines.integrators import PointState, advance, between
from keypose.fields.tracking.avoid import Avoid
from keypose.fields.tracking.stability import is_stable
from keypose.fields.tracking.targets import Pointer
from keypose.fields.tracking.trackers import KeepDistance, KeepOffset, KeepOnLine
from keypose.maths.hermite import weights
from tests.fields.trajectories import state_positions, state_tangents, tracked_states

RNG = np.random.default_rng(1989)
DOWN = np.array([0.0, -0.02, 0.0])  # [m/frame²]


def spline_states(P, T, field, ticks=60, **options):
    """States of objects launched at P with the tangent T under field(P, i) [m/frame²]."""
    P, T = np.atleast_2d(np.array(P, dtype=float)), np.atleast_2d(np.array(T, dtype=float))
    P, T = (np.array(each) for each in np.broadcast_arrays(P, T))
    states = [PointState(P, T, np.zeros(P.shape), np.ones(len(P), dtype=bool))]
    for i in range(ticks):
        f = np.broadcast_to(field(states[-1].P, i), P.shape)
        states.append(advance(states[-1], f, **options))
    return states


def zero_field(P, i):
    return np.zeros(3)


def uniform_field(P, i):
    return DOWN


def pendulum_field(w):
    """Field intensity increases with distance from the picture centre (figure 4)."""
    return lambda P, i: -(w**2) * P


def cubic_part(before, after):
    """The third difference of a segment's places: nothing if it is a parabola."""
    return np.diff([between(before, after, s)[0] for s in np.linspace(0, 1, 4)], n=3, axis=0)[0]


def velocity_jerk(states):
    """How much the velocity jerks from tick to tick along the drawn curve: the mean size of its second difference."""
    positions = np.concatenate([[between(a, b, s)[0] for s in (0, 0.25, 0.5, 0.75)] for a, b in pairwise(states)])
    return np.abs(np.diff(positions, n=3, axis=0)).mean()


# §2.2 one segment


def test_equations_1_and_2_interpolate_both_ends_and_both_tangents():
    assert_array_equal(np.transpose(weights(np.array([0.0, 1.0]))), [[1, 0, 0, 0], [0, 1, 0, 0]])
    assert_array_equal(np.transpose(weights(np.array([0.0, 1.0]), 1)), [[0, 0, 1, 0], [0, 0, 0, 1]])
    t = np.linspace(0, 1, 11)
    printed = 2 * t**3 - 3 * t**2 + 1, -2 * t**3 + 3 * t**2, t**3 - 2 * t**2 + t, t**3 - t**2
    assert_allclose(weights(t), printed, atol=1e-15)


def test_equation_1_is_the_trajectory_between_two_ticks():
    before, after = spline_states((1, 2, 3), (0.3, -0.2, 0.1), uniform_field, 1, friction=0.2)
    t = 0.3
    h = np.array(weights(np.array(t)))
    assert_allclose(between(before, after, t)[0], [h @ np.vstack([before.P, after.P, before.T, after.T])])


def test_equation_3_line_by_line():
    F, A = 0.15, np.array([1.0, 0.3])
    f = RNG.normal(size=(2, 3))
    before, after = spline_states((1, 2, 3), (0.3, -0.2, 0.1), lambda P, i: A @ f, 1, friction=F)
    T_e = (1 - F) * (before.T + A @ f)
    assert_allclose(after.T, T_e, rtol=1e-15)
    assert_allclose(after.P, before.P + (before.T + T_e) / 2, rtol=1e-15)


def test_no_friction_and_no_field_is_uniform_straight_motion():
    P = state_positions(spline_states((0, 0, 0), (0.25, 0.5, 0), zero_field))[:, 0]
    assert_array_equal(P, np.arange(61)[:, None] * [0.25, 0.5, 0])


def test_full_friction_stops_the_object_at_the_end_of_the_segment():
    states = spline_states((0, 0, 0), (1, 0, 0), uniform_field, 4, friction=1.0)
    assert_array_equal(state_tangents(states)[1:], 0)
    assert_array_equal(state_positions(states)[1:, 0], np.tile([0.5, 0, 0], (4, 1)))


def test_an_object_without_affinity_ignores_the_field():
    ignored = spline_states((0, 0, 0), (0.25, 0.5, 0), lambda P, i: 0.0 * DOWN)
    assert_array_equal(state_positions(ignored), state_positions(spline_states((0, 0, 0), (0.25, 0.5, 0), zero_field)))


def test_a_segment_is_calculated_when_it_begins():
    undisturbed = spline_states((0, 0, 0), (0.1, 0, 0), lambda P, i: DOWN, 10)
    gust = spline_states((0, 0, 0), (0.1, 0, 0), lambda P, i: DOWN if i < 5 else -9 * DOWN, 10)
    assert_array_equal(state_positions(undisturbed)[:6], state_positions(gust)[:6])


def test_the_trajectory_is_continuous_in_velocity_whatever_the_fields():
    states = spline_states(RNG.normal(size=(4, 3)), RNG.normal(size=(4, 3)), lambda P, i: RNG.normal(size=(4, 3)))
    for one, two, three in zip(states, states[1:], states[2:], strict=False):
        assert_array_equal(between(one, two, 1.0)[1], between(two, three, 0.0)[1])


def test_every_segment_of_equation_3_is_a_parabola():
    states = spline_states(RNG.normal(size=(4, 3)), RNG.normal(size=(4, 3)), pendulum_field(0.7), friction=0.1)
    for before, after in pairwise(states):
        assert_allclose(cubic_part(before, after), 0, atol=1e-13)


def test_a_uniform_field_without_friction_gives_the_analytic_parabola():
    f, T = np.array([0.125, -0.25, 0.0]), np.array([1.0, 0.5, 0.0])  # numbers that a computer holds exactly
    states = spline_states((0, 0, 0), T, lambda P, i: f, 100)
    i = np.arange(101)[:, None]
    assert_array_equal(state_positions(states)[:, 0], T * i + f * i**2 / 2)
    for n in (0, 40, 99):
        inside = between(states[n], states[n + 1], 0.3)[0][0]
        assert_allclose(inside, T * (n + 0.3) + f * (n + 0.3) ** 2 / 2, rtol=1e-12)


# eqs 4 and 5


def test_corrected_equation_4_has_continuous_acceleration_and_the_printed_one_has_not():
    one, two, three = spline_states((1, 0, 0), (0, 0.3, 0.1), pendulum_field(0.4), 2, continuity="c2")
    corrected = one.P + (one.T + 4 * two.T + three.T) / 3
    assert_allclose(three.P, corrected, atol=1e-15)
    arriving = 6 * (one.P - two.P) + 2 * one.T + 4 * two.T
    for end, continuous in ((corrected, True), (one.P + (one.T + three.T) / 3, False)):
        leaving = 6 * (end - two.P) - 4 * two.T - 2 * three.T
        assert np.allclose(leaving, arriving, atol=1e-14) == continuous


def test_c2_trajectory_oscillates_by_its_root_minus_one():
    kick = spline_states((0, 0, 0), (0.1, 0, 0), lambda P, i: DOWN if i == 5 else 0 * DOWN, 60, continuity="c2")
    a = np.array([state.a[0, 1] for state in kick[6:]])
    assert_allclose(a, a[0] * (-1.0) ** np.arange(len(a)))  # one push, and it wavers for ever
    assert abs(a[0]) > 0.01
    smooth = spline_states((0, 0, 0), (0.1, 0, 0), lambda P, i: DOWN if i == 5 else 0 * DOWN, 60)
    assert_array_equal([state.a[0, 1] for state in smooth[7:]], 0)


def test_corrected_equation_5_adds_a_sixth_of_beta_times_the_tangent():
    one, two, plain = spline_states((1, 0, 0), (0, 0.3, 0.1), pendulum_field(0.4), 2, continuity="c2")
    beta = 0.7
    accelerated = advance(two, pendulum_field(0.4)(two.P, 1), continuity="g2", beta=beta)
    assert_allclose(accelerated.P, plain.P + beta * two.T / 6, atol=1e-15)
    assert_array_equal(accelerated.T, plain.T)
    arriving = 6 * (one.P - two.P) + 2 * one.T + 4 * two.T
    assert_allclose(6 * (accelerated.P - two.P) - 4 * two.T - 2 * accelerated.T, arriving + beta * two.T, atol=1e-14)


def test_g2_oscillates_less_than_c2_for_some_beta_but_more_than_c1():
    field = lambda P, i: pendulum_field(0.15)(P, i) + (DOWN if i % 20 < 10 else -DOWN)  # noqa: E731
    plain, c2 = (
        velocity_jerk(spline_states((2, 0, 0), (0, 0.3, 0), field, 100, friction=0.05, continuity=name))
        for name in ("c1", "c2")
    )
    g2 = [
        velocity_jerk(spline_states((2, 0, 0), (0, 0.3, 0), field, 100, friction=0.05, continuity="g2", beta=beta))
        for beta in np.linspace(-0.2, 0.2, 21)
    ]
    assert min(g2) < c2
    assert min(g2) > plain


# §2.3 figures 1-4


def test_figure_1_motion_is_uniform_across_the_field_and_accelerated_along_it():
    speeds = np.array([[0.4], [0.2], [0.1], [0.05]]) * [1.0, 0, 0]
    P = state_positions(spline_states((0, 0, 0), speeds, uniform_field))
    assert_allclose(np.diff(P[..., 0], axis=0), np.tile(speeds[:, 0], (60, 1)), atol=1e-14)
    assert_allclose(np.diff(P[..., 1], n=2, axis=0), DOWN[1], atol=1e-14)


def test_figure_1_faster_object_is_deflected_less():
    speeds = np.array([[0.4], [0.2], [0.1], [0.05]]) * [1.0, 0, 0]
    T = state_tangents(spline_states((0, 0, 0), speeds, uniform_field, 20))[-1]
    turned = np.arctan2(-T[:, 1], T[:, 0])
    assert (np.diff(turned) > 0).all()


def test_figure_2_stronger_fields_deflect_more_and_zero_field_not_at_all():
    fields = np.array([[0.0], [1], [2], [3]]) * DOWN
    P = state_positions(spline_states(np.zeros((4, 3)), (0.2, 0, 0), lambda P, i: fields, 30))
    assert_array_equal(P[:, 0, 1:], 0)
    assert (np.diff(P[-1, :, 1]) < 0).all()


def test_figure_3_affinity_one_half_lies_between_none_and_one():
    affinity = np.array([[0.0], [0.5], [1.0]])
    P = state_positions(
        spline_states(np.zeros((3, 3)), (0.2, 0, 0), lambda P, i: affinity * DOWN * (1 if i // 10 % 2 else -1), 60)
    )
    y = P[..., 1]
    assert_array_equal(y[:, 0], 0)
    assert_allclose(y[:, 1], y[:, 2] / 2, atol=1e-15)
    assert np.abs(y[:, 2]).max() > 1


def test_figure_3_a_higher_affinity_is_a_lower_mass():
    force, mass = np.array([0, -0.6, 0.1]), 5.0
    heavy = spline_states((0, 0, 0), (0.2, 0, 0), lambda P, i: 0.2 * force)
    assert_allclose(state_positions(heavy)[-1, 0], np.array([0.2, 0, 0]) * 60 + force / mass * 60**2 / 2)


def test_figure_4_object_travels_less_far_with_more_friction():
    P = state_positions(spline_states(np.zeros((3, 3)), (0.2, 0, 0), zero_field, 100, friction=[0.02, 0.05, 0.1]))
    assert (np.diff(P[-1, :, 0]) < 0).all()
    assert_array_equal(P[..., 1:], 0)


def test_figure_4_ellipses_shrink_with_friction():
    w, frictions = 0.1, np.array([0.01, 0.03, 0.06])
    P = state_positions(spline_states([[2, 0, 0]] * 3, (0, 0.1, 0), pendulum_field(w), 630, friction=frictions))
    turns = np.linalg.norm(P[:630], axis=2).reshape(10, 63, 3).max(axis=1)  # a turn takes 2π/w ticks
    assert (np.diff(turns, axis=0) < 0).all()  # smaller with every turn
    assert (np.diff(turns[1:], axis=1) < 0).all()  # and the more so the more friction


@pytest.mark.parametrize("friction", [0.01, 0.05, 0.2, 0.4])
def test_pendulum_field_is_stable_only_below_its_friction_bound(friction):
    most = 2 * friction / (1 - friction)  # ω² < 2F/(1 − F)
    for share, grows in ((0.9, False), (1.1, True)):
        P = state_positions(
            spline_states((1, 0, 0), (0, 0, 0), pendulum_field(np.sqrt(share * most)), 4000, friction=friction)
        )
        early, late = np.abs(P[1000:2000, 0, 0]).max(), np.abs(P[3000:, 0, 0]).max()
        assert (late > early) == grows
        assert is_stable(share * most, friction, 0) == (not grows)


def test_pendulum_field_without_friction_grows_twelvefold_in_1000_ticks():
    P = state_positions(spline_states((1, 0, 0), (0, 0.1, 0), pendulum_field(0.1), 1000))[:, 0]
    assert_allclose(np.linalg.norm(P[-1]), 12.1, rtol=0.02)


def test_steady_integrator_keeps_the_amplitude_with_one_evaluation_per_tick():
    evaluations = []

    def counted(P, i):
        evaluations.append(i)
        return pendulum_field(0.1)(P, i)

    P = state_positions(spline_states((1, 0, 0), (0, 0.1, 0), counted, 10_000, integrator="steady"))[:, 0]
    assert_allclose(np.linalg.norm(P, axis=1), 1, atol=3e-3)
    assert evaluations == list(range(10_000))


# §3 tracking


def test_equations_6_to_8_term_by_term():
    alpha, beta, gamma = 0.5, 0.6, 0.05
    tracker = KeepOffset("T", response=beta, memory=gamma)
    P_O, P_T = RNG.normal(size=(2, 5, 1, 3))
    error = (P_T - P_O) - (P_T - P_O)[0]
    memory = tracker.begin(P_O[0], P_O[0], P_T[0], P_T[0])
    for i in range(5):
        f, memory = tracker.pull(memory, P_O[i], P_O[i], P_T[i], P_T[i])
        change = error[i] - error[max(i - 1, 0)]
        assert_allclose(alpha * f, alpha * (error[i] + beta * change + gamma * error[: i + 1].sum(axis=0)), atol=1e-14)


def test_equations_9_and_10_term_by_term():
    beta, d_ref = 0.6, 0.8
    tracker = KeepDistance("T", d_ref, response=beta)
    P_O, P_T = RNG.normal(size=(2, 5, 1, 3))
    offset = P_T - P_O
    error = np.linalg.norm(offset, axis=2, keepdims=True) - d_ref
    memory = tracker.begin(P_O[0], P_O[0], P_T[0], P_T[0])
    for i in range(5):
        f, memory = tracker.pull(memory, P_O[i], P_O[i], P_T[i], P_T[i])
        change = error[i] - error[max(i - 1, 0)]
        assert_allclose(f, (error[i] + beta * change) * offset[i] / np.linalg.norm(offset[i]), atol=1e-14)


def test_tracking_lag_is_proportional_to_friction():
    v, F, gain = np.array([0.05, 0.02, 0]), 0.1, 0.4
    target = lambda i: (i * v)[None]  # noqa: E731
    P = state_positions(tracked_states(KeepOffset("T", offset=(0, 0, 0)), 400, target, friction=F, gain=gain))
    assert_allclose(target(400) - P[-1], [F * v / ((1 - F) * gain)], atol=1e-12)


def test_integral_term_closes_the_gap():
    v = np.array([0.05, 0.02, 0])
    tracker = KeepOffset("T", offset=(0, 0, 0), memory=0.05)
    P = state_positions(tracked_states(tracker, 600, lambda i: (i * v)[None], friction=0.1, gain=0.4))
    assert_allclose(P[-1, 0], 600 * v, atol=1e-9)


@pytest.mark.parametrize(("friction", "most"), [(0.0, 0.105), (0.1, 0.258)])
def test_integral_gain_must_be_small_or_tracking_diverges(friction, most):
    for share, settles in ((0.9, True), (1.1, False)):
        tracker = KeepOffset("T", offset=(0, 0, 0), memory=share * most)
        words = {"friction": friction, "gain": 0.5}
        x = np.abs(
            state_positions(tracked_states(tracker, 800, lambda i: np.zeros((1, 3)), [[1.0, 0, 0]], **words))[:, 0, 0]
        )
        assert (x[600:].max() < x[200:400].max()) == settles


def test_tracking_is_a_field_and_adds_to_others():
    tracker, gain, wind = KeepOffset("T", offset=(0, 0, 0)), 0.4, np.array([0, 0.002, 0])
    memory, state = None, spline_states((0, 0, 0), (0, 0, 0), zero_field, 0)[0]
    for _ in range(400):
        observed = (state.P, velocity(state.T), np.zeros((1, 3)), np.zeros((1, 3)))
        f, memory = tracker.pull(memory or tracker.begin(*observed), *observed)
        state = advance(state, gain * f + wind, friction=0.1)
    assert_allclose(state.P[0], wind / gain, atol=1e-12)  # where both are in balance


def test_a_vector_condition_has_one_solution_and_a_distance_a_sphere_of_them():
    start = RNG.normal(size=(50, 3)) * 2
    words = {"friction": 0.1, "gain": 0.4}
    one = state_positions(
        tracked_states(KeepOffset("T", offset=(0, 1, 0)), 300, lambda i: np.zeros((1, 3)), start, **words)
    )[-1]
    many = state_positions(tracked_states(KeepDistance("T", 1), 300, lambda i: np.zeros((1, 3)), start, **words))[-1]
    assert_allclose(one, np.tile([0, 1, 0], (50, 1)), atol=1e-9)
    assert_allclose(np.linalg.norm(many, axis=1), 1, atol=1e-9)
    assert np.linalg.norm(many.mean(axis=0)) < 0.5  # all round


def test_figure_5_tracker_keeps_its_initial_offset_to_a_field_driven_object():
    driven = state_positions(spline_states((0, 1, 0), (0.2, 0.1, 0), lambda P, i: DOWN * np.sin(i / 12), 150))
    follower = state_positions(
        tracked_states(KeepOffset("a"), 150, lambda i: driven[i], [[0.0, 0, 0]], speed=(4.8, 2.4, 0), gain=0.4)
    )
    missed = follower[:, 0] + (0, 1, 0) - driven[:, 0]
    assert np.abs(missed).max() < 0.06
    assert np.abs(driven[:, 0, 1] - driven[0, 0, 1] - 0.1 * np.arange(151)).max() > 3  # of so much more that it bent


def test_bird_along_the_cliff_is_ignored_and_bird_towards_it_is_repelled():
    cliff = Avoid((0, 0, 0), normal=(0, 0, 1), distance=2, ahead=2)
    places_, courses = np.array([[0.0, 30, 1], [0, 30, 8]]), np.array([[10.0, 0, 0], [10, 0, -6]])
    f, _ = cliff.pull(cliff.begin(places_, courses, None, None), places_, courses, None, None)
    assert_array_equal(f[0], 0)  # however near
    assert f[1, 2] > 0
    assert_array_equal(f[1, :2], 0)


@pytest.mark.parametrize("affinity", [1.0, 0.3])
def test_endangered_bird_avoids_the_cliff_and_continues_along_it(affinity):
    cliff = Avoid((0, 0, 0), normal=(0, 0, 1), distance=2, ahead=2)
    start, words = [[0.0, 30, 20]], {"speed": (10.0, 0, -6), "gain": affinity}
    states = tracked_states(cliff, 480, lambda i: np.zeros((1, 3)), start, **words)
    assert 1.9 < state_positions(states)[:, 0, 2].min() < 3
    assert_allclose(velocity(state_tangents(states))[:, 0, 0], 10)
    blind = tracked_states(cliff, 480, lambda i: np.zeros((1, 3)), start, **words | {"gain": 0.0})
    assert state_positions(blind)[:, 0, 2].min() < 0


def test_tracking_a_pointer_at_distance_0_smooths_the_traced_curve():
    corners = np.array([[0, 0, 0], [2, 0, 0], [2, 1.5, 0], [0.5, 1.5, 0], [0.5, 0.5, 0]])
    hand = np.concatenate([np.linspace(a, b, 24)[:-1] for a, b in pairwise(corners)])
    target = lambda i: hand[min(i, len(hand) - 1)][None]  # noqa: E731
    states = tracked_states(KeepDistance(Pointer(), 0), len(hand) + 40, target, friction=0.1, gain=0.5)
    for one, two, three in zip(states, states[1:], states[2:], strict=False):
        assert_array_equal(between(one, two, 1.0)[1], between(two, three, 0.0)[1])
    gap = np.linalg.norm(state_positions(states)[:, 0] - [target(i)[0] for i in range(len(states))], axis=1)
    assert gap.max() < 0.25
    assert gap[-1] < 1e-3
    T = state_tangents(states)[:, 0]
    largest_bend = np.linalg.norm(np.diff(T, axis=0), axis=1).max()
    largest_jump = np.linalg.norm(np.diff(np.diff(hand, axis=0), axis=0), axis=1).max()
    assert largest_bend < largest_jump  # where the hand turns in no time, the curve takes its time


def test_linear_basis_makes_a_constraint_hard():
    words = {"basis": "linear", "speed": (2.4, 0, 0)}
    P = state_positions(
        tracked_states(KeepOnLine((0, 1, 0), (1, 0, 0)), 20, lambda i: np.zeros((1, 3)), [[0.0, 3, 2]], **words)
    )[:, 0]
    assert_allclose(P[2:, 1:], np.tile([1, 0], (19, 1)), atol=1e-12)  # on the line, tick for tick
    v = np.array([0.1, 0.2, 0])
    P = state_positions(tracked_states(KeepOffset("T"), 20, lambda i: (v * i)[None], [[0.0, 1, 0]], basis="linear"))[
        :, 0
    ]
    assert_allclose(P[3:], np.arange(3, 21)[:, None] * v + (0, 1, 0), atol=1e-12)  # and no lag at all


def test_hermite_basis_makes_the_same_constraint_soft():
    P = state_positions(
        tracked_states(KeepOnLine((0, 1, 0), (1, 0, 0)), 20, lambda i: np.zeros((1, 3)), [[0.0, 3, 2]], gain=0.5)
    )[:, 0]
    assert np.abs(P[2:5, 1] - 1).max() > 0.1
