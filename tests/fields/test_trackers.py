"""Trackers: what each keeps, what it remembers, and how it refuses."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import KeyposeError
from keypose.fields.film_units import FILM_FRAME
from keypose.fields.tracking.avoid import Avoid
from keypose.fields.tracking.metric import Keep
from keypose.fields.tracking.targets import Pointer
from keypose.fields.tracking.trackers import KeepDistance, KeepOffset, KeepOnLine, KeepOnPlane
from tests.fields.trajectories import state_positions, state_tangents, tracked_states

RNG = np.random.default_rng(3)
STABLE_GAINS = {"gain": 0.4, "friction": 0.1}


TRACKERS = [
    KeepOffset("a"),
    KeepOffset("a", offset=(0, 1, 0), response=0.5, memory=0.1),
    KeepDistance("a"),
    KeepDistance("a", 1.5),
    KeepDistance("a", 0),
    KeepOnLine("a", (1, 2, 0)),
    KeepOnPlane("a", (0, 0, 3)),
    Keep("(X - x, VY - vy, 0)", "a"),
    Avoid("a"),
    Avoid("a", normal=(1, 0, 0)),
]


def fixed_target(*place):
    return lambda i: np.array([place], dtype=float)


def moving_target(speed):
    """A target that moves by so many metres a frame."""
    return lambda i: np.array([[speed * i, 0.0, 0.0]])


@pytest.mark.parametrize("tracker", TRACKERS, ids=repr)
def test_trackers_are_values(tracker):
    again = eval(repr(tracker), {**globals()})
    assert again == tracker
    assert hash(again) == hash(tracker)
    assert pickle.loads(pickle.dumps(tracker)) == tracker
    assert len({tracker, again}) == 1


@pytest.mark.parametrize("tracker", TRACKERS, ids=repr)
def test_tracking_does_not_depend_on_the_other_objects(tracker):
    P_O, v_O, P_T, v_T = RNG.normal(size=(4, 6, 3))
    then = P_O + 0.1 * v_O
    memory = tracker.begin(P_O, v_O, P_T, v_T)
    f, _ = tracker.pull(memory, then, v_O, P_T, v_T, FILM_FRAME)
    for n in range(6):
        row = slice(n, n + 1)
        memory = tracker.begin(P_O[row], v_O[row], P_T[row], v_T[row])
        assert_allclose(
            tracker.pull(memory, then[row], v_O[row], P_T[row], v_T[row], FILM_FRAME)[0], f[row], atol=1e-15
        )


def test_initial_offset_is_kept():
    P = state_positions(
        tracked_states(KeepOffset("a"), 300, moving_target(0.02), [[0.0, 2, 1]], friction=0.0, gain=0.4)
    )[:, 0]
    assert_allclose(P[-1], moving_target(0.02)(300)[0] + (0, 2, 1), atol=1e-6)


def test_given_offset_is_reached():
    P = state_positions(
        tracked_states(KeepOffset("a", offset=(0, -1, 0)), 200, fixed_target(3, 3, 3), [[0.0, 0, 0]], **STABLE_GAINS)
    )[:, 0]
    assert_allclose(P[-1], (3, 2, 3), atol=1e-9)


def test_distance_is_kept_on_any_side():
    start = np.array([[3.0, 0, 0], [0, 0.2, 0], [0, 0, -1]])
    P = state_positions(tracked_states(KeepDistance("a", 1), 300, fixed_target(0, 0, 0), start, **STABLE_GAINS))
    assert_allclose(P[-1], [[1, 0, 0], [0, 1, 0], [0, 0, -1]], atol=1e-9)


def test_initial_distance_is_kept_if_none_is_given():
    start = np.array([[3.0, 4, 0], [0, 0.2, 0]])
    P = state_positions(tracked_states(KeepDistance("a"), 400, moving_target(0.01), start, **STABLE_GAINS))[-1]
    distances = np.linalg.norm(P - moving_target(0.01)(400), axis=1)
    lag = 0.1 * 0.01 / (0.9 * 0.4)  # once it is towed along; the far one is still turning
    assert 5 < distances[0] < 5 + lag
    assert_allclose(distances[1], 0.2 + lag, atol=1e-6)


def test_coincident_tracker_and_target_give_a_finite_force():
    tracker = KeepDistance("a", 1)
    P = np.zeros((1, 3))
    f, _ = tracker.pull(tracker.begin(P, P, P, P), P, P, P, P)
    assert_allclose(np.linalg.norm(f), 1)
    P = state_positions(tracked_states(tracker, 300, fixed_target(0, 0, 0), **STABLE_GAINS))[-1]
    assert_allclose(np.linalg.norm(P, axis=1), 1, atol=1e-9)


def test_distance_0_converges_to_the_target():
    start = RNG.normal(size=(4, 3))
    path = lambda i: np.array([[np.cos(i / 20), np.sin(i / 15), 0.01 * i]])  # noqa: E731
    zero_distance, target = KeepDistance("a", 0), KeepOffset("a", offset=(0, 0, 0))
    assert_array_equal(
        state_positions(tracked_states(zero_distance, 60, path, start)),
        state_positions(tracked_states(target, 60, path, start)),
    )


def test_equation_10_as_printed_diverges_at_distance_0_and_ours_settles():
    tracker, friction, gain = KeepDistance("a", 0), 0.1, 0.5
    path = lambda i: np.array([[np.cos(i / 20) + 0.3 * np.sin(i / 7), np.sin(i / 15), 0]])  # noqa: E731
    error = state_positions(tracked_states(tracker, 400, path, friction=friction, gain=gain)) - [
        path(i) for i in range(401)
    ]
    assert np.abs(error[100:]).max() < 0.05
    literal = KeepDistance("a", 1e-12)  # as good as 0, but a distance
    assert np.abs(state_positions(tracked_states(literal, 400, path, friction=friction, gain=gain))).max() > 1e3


def test_line_is_reached_and_motion_along_it_is_free():
    line = KeepOnLine((0, 1, 0), (1, 0, 0))
    states = tracked_states(line, 300, fixed_target(9, 9, 9), [[0.0, 3, 2]], speed=(1.2, 0, 0), gain=0.4)
    assert_allclose(state_positions(states)[-1, 0], (300 * 1.2 / 24, 1, 0), atol=1e-6)
    assert_allclose(state_tangents(states)[-1, 0], (0.05, 0, 0), atol=1e-7)


def test_plane_is_reached_and_motion_within_it_is_free():
    plane = KeepOnPlane("floor", (0, 2, 0))
    P = state_positions(tracked_states(plane, 300, moving_target(1), [[0.0, 3, 2]], speed=(1.2, 0, -2.4), gain=0.4))[
        -1, 0
    ]
    assert_allclose(P, (15, 0, 2 - 30), atol=1e-6)


@pytest.mark.parametrize("per_frame", [2, 4, 24])
def test_tracking_is_independent_of_the_tick(per_frame):
    tracker = KeepOffset("a", offset=(0, 0, 0), response=0.8, memory=0.02)
    words = {"position": [[1.0, -1, 0]], "gain": 0.05, "friction": 0.1}
    finest = state_positions(tracked_states(tracker, 60 * 96, fixed_target(0, 0, 0), tick=FILM_FRAME / 96, **words))[
        ::96
    ]
    cut = state_positions(
        tracked_states(tracker, 60 * per_frame, fixed_target(0, 0, 0), tick=FILM_FRAME / per_frame, **words)
    )[::per_frame]
    whole = state_positions(tracked_states(tracker, 60, fixed_target(0, 0, 0), **words))
    assert np.abs(cut - finest).max() < 1.2 / per_frame * np.abs(whole - finest).max()
    assert np.abs(whole - finest).max() < 0.15


def test_fixed_position_target_names_no_actor():
    P = np.ones((1, 3))
    for make in (
        KeepOffset,
        KeepDistance,
        lambda place: KeepOnLine(place, (1, 0, 0)),
        lambda place: Keep("(VX - vx, Y, X)", place),
        Avoid,
    ):
        tracker = make((1, 2))
        f, _ = tracker.pull(tracker.begin(P, P, None, None), P, P, None, None)
        assert np.isfinite(f).all()
    assert KeepOffset((1, 2)).names == ()
    assert KeepOffset((1, 2)).target == (1, 2, 0)
    assert KeepOffset("flock/*").names == ("flock/*",)
    assert KeepOffset(["one", "two"]).names == ("one", "two")
    assert KeepOffset(Pointer()).names == ("pointer",)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: KeepOffset(""), "tracks ''"),
        (lambda: KeepOffset(()), "tracks ()"),
        (lambda: KeepOffset(("a", 1)), "('a', 1)"),
        (lambda: KeepOffset((0, 0, float("nan"))), "nan"),
        (lambda: KeepOffset("a", response=1.5), "response=1.5"),
        (lambda: KeepOffset("a", memory=-0.1), "memory=-0.1"),
        (lambda: KeepOffset("a", offset="up"), "'up'"),
        (lambda: KeepDistance("a", -1), "distance=-1"),
        (lambda: KeepDistance("a", "far"), "'far'"),
        (lambda: KeepOnLine("a", (0, 0, 0)), "points nowhere"),
        (lambda: KeepOnPlane("a", (0, 0)), "points nowhere"),
        (lambda: Keep(None, "a"), "the metric None"),
        (lambda: Avoid("a", distance=0), "distance=0"),
        (lambda: Avoid("a", ahead=-2), "ahead=-2"),
        (lambda: Avoid("a", normal=(0, 0, 0)), "points nowhere"),
        (lambda: Pointer(""), "called ''"),
    ],
)
def test_invalid_trackers_are_refused_with_reason(make, message):
    with pytest.raises(KeyposeError) as refused:
        make()
    assert message in str(refused.value)
    assert str(refused.value).endswith((".", "?"))
