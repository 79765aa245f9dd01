"""Avoiding: who is in danger, how it turns, and who is let alone."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose.fields.tracking.avoid import Avoid
from tests.fields.trajectories import state_positions, state_tangents, tracked_states

AT_REST = np.zeros(3)


def fixed_target(*place):
    return lambda i: np.array([place], dtype=float)


def closest_distance(states, target, wall=None):
    P = state_positions(states)[:, 0] - [target(i)[0] for i in range(len(states))]
    return np.min(np.abs(P @ wall) if wall is not None else np.linalg.norm(P, axis=1))


@pytest.mark.parametrize("offset", [0.0, 1e-12, 0.2, 0.9])
def test_object_on_collision_course_passes_at_the_given_distance(offset):
    avoid = Avoid("a", distance=1, ahead=1.5)
    start, target = [[-8.0, offset, 0]], fixed_target(0, 0, 0)
    assert closest_distance(tracked_states(avoid, 120, target, start, gain=0.0, speed=(4, 0, 0)), target) < 1 - 0.09
    states = tracked_states(avoid, 120, target, start, speed=(4, 0, 0))
    assert closest_distance(states, target) > 0.97
    assert state_positions(states)[-1, 0, 0] > 5  # it passed rather than turned back


def test_parallel_objects_do_not_repel_each_other():
    avoid = Avoid("a", distance=1)
    P, v = np.array([[0.0, 0.5, 0]]), np.array([[3.0, 0, 0]])
    f, _ = avoid.pull(None, P, v, np.zeros((1, 3)), v)
    assert_array_equal(f, np.zeros((1, 3)))


def test_receding_object_is_not_repelled_however_close():
    f, _ = Avoid("a").pull(None, np.array([[0.1, 0, 0]]), np.array([[1.0, 0, 0]]), AT_REST, AT_REST)
    assert_array_equal(f, np.zeros((1, 3)))


def test_collision_beyond_the_horizon_is_ignored():
    far, course = np.array([[-8.0, 0, 0]]), np.array([[4.0, 0, 0]])
    assert not Avoid("a", ahead=1.5).pull(None, far, course, AT_REST, AT_REST)[0].any()
    assert Avoid("a", ahead=2.5).pull(None, far, course, AT_REST, AT_REST)[0].any()


def test_vertical_courses_have_a_finite_avoidance_force():
    for course in ((0.0, 4, 0), (0.0, -4, 0), (1e-12, 4, 0)):
        f, _ = Avoid("a").pull(None, -np.array([course]) / 2, np.array([course]), AT_REST, AT_REST)
        assert np.isfinite(f).all()
        assert np.linalg.norm(f) > 0


def test_each_group_member_is_avoided_and_missing_members_are_ignored():
    P, v = np.array([[-2.0, 0, 0], [0, -2, 0]]), np.array([[4.0, 0, 0], [0, 4, 0]])
    targets = np.array([[0.0, 0.3, 0], [0.1, -0.4, 0.2], [50, 0, 0]])
    avoid = Avoid("flock/*", distance=1)
    apart = sum(avoid.pull(None, P, v, target, AT_REST)[0] for target in targets)
    group = np.concatenate([np.tile(targets, (2, 1, 1)), np.full((2, 1, 3), np.nan)], axis=1)
    together, _ = avoid.pull(None, P, v, group, np.zeros((2, 4, 3)))
    assert_allclose(together, apart, atol=1e-15)
    assert apart.any()


def test_wall_is_avoided_from_either_side():
    avoid = Avoid((0, 0, 0), normal=(1, 0, 0), distance=0.5)
    for side in (1, -1):
        states = tracked_states(avoid, 200, fixed_target(0, 0, 0), [[3.0 * side, 0, 0]], speed=(-4 * side, 1, 0))
        x = state_positions(states)[:, 0, 0] * side
        assert x.min() > 0.49
        assert_allclose(state_tangents(states)[-1, 0, 1], 1 / 24)  # along the wall it flies on
