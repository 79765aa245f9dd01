"""Keeping any metric that can be typed."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import KeyposeError
from keypose.fields.formula.errors import FormulaError
from keypose.fields.tracking.metric import Keep
from keypose.fields.tracking.trackers import KeepDistance, KeepOffset, KeepOnPlane
from tests.fields.trajectories import state_positions, tracked_states

RNG = np.random.default_rng(6)
STABLE_GAINS = {"gain": 0.4, "friction": 0.1}
START = RNG.normal(size=(4, 3))


@dataclass(frozen=True)
class Halfway:
    """A metric that is no text."""

    is_vector = True

    def __call__(self, P_O, v_O, P_T, v_T, t):
        return P_T / 2 - P_O


def along_x(i):
    return np.array([[4 + 0.01 * i, 0.0, 0.0]])


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        (Keep("(X - x, Y - y, Z - z)", "a"), KeepOffset("a")),
        (Keep("(X - x, Y - y, Z - z)", "a", response=0.5, memory=0.02), KeepOffset("a", response=0.5, memory=0.02)),
        (Keep("hypot(X - x, Y - y, Z - z)", "a"), KeepDistance("a")),
    ],
    ids=repr,
)
def test_text_metric_equals_the_builtin_tracker(typed, word):
    tracked, expected = (
        state_positions(tracked_states(each, 60, along_x, START, **STABLE_GAINS)) for each in (typed, word)
    )
    assert_allclose(tracked, expected, atol=1e-12)


def test_text_metric_is_kept_at_its_initial_value():
    mirror = Keep("(-X - x, -Y - y, -Z - z)", "a")  # go where the target's mirror image goes
    P = state_positions(tracked_states(mirror, 300, along_x, [[1.0, 2, 0]], gain=0.4))[-1, 0]
    assert_allclose(P, (1 - 3, 2, 0), atol=1e-6)


def test_text_metric_converges_to_the_given_value():
    above = Keep("(0, Y - y, 0)", "a", (0, -1, 0))
    assert_allclose(
        state_positions(tracked_states(above, 300, along_x, [[1.0, 5, 2]], gain=0.4))[-1, 0, 1], 1, atol=1e-6
    )
    beside = Keep("hypot(X - x, Z - z)", "a", 2)
    P = state_positions(tracked_states(beside, 300, lambda i: np.array([[4.0, 0, 0]]), [[1.0, 5, 2]], **STABLE_GAINS))[
        -1, 0
    ]
    assert_allclose(np.hypot(P[0] - 4, P[2]), 2, atol=1e-6)
    assert_allclose(P[1], 0, atol=5)  # towards the target, so it falls, as far as it must


def test_given_value_is_kept_like_an_offset_or_a_distance():
    pairs = [
        (Keep("(X - x, Y - y, Z - z)", "a", (1, 2, 3)), KeepOffset("a", (-1, -2, -3))),
        (Keep("hypot(X - x, Y - y, Z - z)", "a", value=1.5), KeepDistance("a", 1.5)),
    ]
    for pair in pairs:
        tracked, expected = (state_positions(tracked_states(each, 60, along_x, START, **STABLE_GAINS)) for each in pair)
        assert_allclose(tracked, expected, atol=1e-12)


def test_value_zero_differs_from_no_value():
    assert Keep("x - X", "a", 0) != Keep("x - X", "a")
    P = state_positions(tracked_states(Keep("(X - x, 0, 0)", "a", (0, 0, 0)), 300, along_x, [[1.0, 0, 0]], gain=0.4))[
        -1, 0
    ]
    assert_allclose(P[0], 4 + 3, atol=1e-6)


@pytest.mark.parametrize(("metric", "value"), [("x - X", (1, 2, 3)), ("(x, y, z)", 1.0), ("x - X", 1e101)])
def test_value_of_another_type_than_its_metric_is_refused(metric, value):
    with pytest.raises(KeyposeError, match="value") as caught:
        Keep(metric, "a", value)
    assert caught.value.at == ("value",)


def test_metric_may_depend_on_velocities_and_time():
    P_O, v_O, P_T, v_T = RNG.normal(size=(4, 5, 3))
    found = Keep("(VX - vx, x * VZ, t)", "a").measure(P_O, v_O, P_T, v_T, 2.5)
    expected = np.stack([v_T[:, 0] - v_O[:, 0], P_O[:, 0] * v_T[:, 2], np.full(5, 2.5)], axis=1)
    assert_array_equal(found, expected)


def test_too_large_scalar_metric_pulls_towards_the_target():
    tracker = Keep("t", "a")
    P, target = np.zeros((2, 3)), np.array([[3.0, 0, 0], [0, -2, 0]])
    f, _ = tracker.pull(tracker.begin(P, P, target, P, 0.0), P, P, target, P, 0.5, 1.0)
    assert_allclose(f, [[1, 0, 0], [0, -1, 0]])  # ε and Δε, half each


def test_metric_may_use_a_fixed_position():
    P = state_positions(tracked_states(Keep("(0, Y - y, 0)", (0, 1, 0)), 20, along_x, START, **STABLE_GAINS))
    assert_allclose(
        P, state_positions(tracked_states(Keep("(0, 1 - y, 0)", "a"), 20, along_x, START, **STABLE_GAINS)), atol=1e-15
    )


def test_callable_metric_works_like_a_text_metric():
    P = state_positions(tracked_states(Keep(Halfway(), "a"), 300, along_x, [[1.0, 2, 0]], gain=0.4))[-1, 0]
    assert_allclose(P, (1 + 1.5, 2, 0), atol=1e-6)


def test_undefined_metric_is_nan_for_that_object_alone():
    tracker = Keep("(1 / x, 0, 0)", "a")
    P = np.array([[0.0, 0, 0], [2, 0, 0]])
    assert_array_equal(np.isfinite(tracker.measure(P, P, P, P, 0.0)).all(axis=1), [False, True])


@pytest.mark.parametrize(("text", "column"), [("(X - q, 0, 0)", 6), ("(X, Y, Z", 1), ("x.real", 2), ("", 1)])
def test_invalid_metric_is_refused_at_its_column(text, column):
    with pytest.raises(FormulaError) as refused:
        Keep(text, "a")
    assert refused.value.column == column


def test_value_that_is_no_metric_is_refused():
    for wrong in (None, 3.0, len, Halfway):
        with pytest.raises(KeyposeError, match="Keep has the metric"):
            Keep(wrong, "a")


def test_plane_as_text_metric_equals_keep_on_plane():
    word, typed = KeepOnPlane((0, 1, 0), (0, 1, 0)), Keep("(0, Y - y, 0)", (0, 1, 0))
    flat = np.array([[1.0, 1, 2]])  # begins on the plane, so that what is kept is the same
    tracked, expected = (
        state_positions(tracked_states(each, 30, along_x, flat, speed=(0, 2, 0), **STABLE_GAINS))
        for each in (typed, word)
    )
    assert_allclose(tracked, expected, atol=1e-15)
