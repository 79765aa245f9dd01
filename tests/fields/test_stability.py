"""Which trackers settle: the errata's figures, and whether flying them agrees."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import KeyposeError
from keypose.fields.film_units import FILM_FRAME
from keypose.fields.tracking.stability import is_stable, largest_stable_gain, stability_advice
from keypose.fields.tracking.trackers import KeepDistance, KeepOffset
from tests.fields.trajectories import state_positions, tracked_states

RESPONSES = (0, 0.25, 0.5, 0.75, 1)
TABLE = {0.0: (0, 0, 0, 0.533, 0.667), 0.1: (0.222, 0.377, 0.649, 0.824, 0.858), 0.2: (0.5, 0.754, 1, 1, 1)}
RNG = np.random.default_rng(89)
TRACKERS = RNG.uniform((0, 0), (1, 0.3), size=(50, 2)).tolist()  # β, γ
OBJECTS = RNG.uniform((0.02, 0), (1, 0.35), size=(50, 14, 2))  # Aα, F: 14 objects with each tracker
RANDOM = [(*o, *t) for t, objects in zip(TRACKERS, OBJECTS.tolist(), strict=True) for o in objects]


def margin(gain, friction, response):
    """How far from the boundary of eq. 7 by the errata's two conditions: negative where it swings ever wider."""
    k = (1 - friction) * gain / 2
    first = friction + k * (response * (2 - friction) - 1) - k**2 * response * (1 + 2 * response)
    return min(first, 1 - k * response)


def radius(gain, friction, response, memory):
    """The largest root of the errata's polynomial for eq. 8."""
    g = 1 - friction
    k, z = g * gain / 2, np.poly1d([1, 0])
    polynomial = z * (z - 1) ** 2 * (z - g) + k * (z + 1) * (((1 + response) * z - response) * (z - 1) + memory * z**2)
    return np.abs(polynomial.roots).max()


def late_growth(tracker, gain, friction, ticks=400, *, start=1.0, **options):
    """How the swing about a target at rest grows late in the flight, for each object; below 1 it settles."""
    position = np.full((len(gain), 1), start) * [1.0, 0, 0]
    options |= {"gain": np.asarray(gain)[:, None], "friction": np.asarray(friction)}
    with np.errstate(over="ignore", invalid="ignore"):
        P = state_positions(tracked_states(tracker, ticks, lambda i: np.zeros((1, 3)), position, **options))
    error = np.abs(P[..., 0] - (getattr(tracker, "distance", None) or 0.0))
    early, late = error[ticks // 2 : 3 * ticks // 4].max(axis=0), error[3 * ticks // 4 :].max(axis=0)
    return late / np.maximum(early, 1e-300)


def prediction_errors(predicted, near, *, remember=True, count=500, **options):
    """The gains of which flying them says otherwise than foretold; those near the boundary are left out."""
    wrong, tried = [], 0
    for (response, memory), objects in zip(TRACKERS, OBJECTS.tolist(), strict=True):
        gains = [(*each, response, *((memory,) if remember else ())) for each in objects]
        gains = [each for each in gains if not near(*each)][: count - tried]
        if gains:
            tracker = KeepOffset("a", offset=(0, 0, 0), response=response, memory=memory if remember else 0)
            growth = late_growth(tracker, [each[0] for each in gains], [each[1] for each in gains], **options)
            wrong += [each for each, grown in zip(gains, growth, strict=True) if (grown < 1) != predicted(*each)]
            tried += len(gains)
    assert tried == count
    return wrong


@pytest.mark.parametrize("friction", TABLE)
def test_the_largest_stable_gains_are_those_of_the_errata(friction):
    assert_allclose([largest_stable_gain(friction, beta) for beta in RESPONSES], TABLE[friction], atol=6e-4)


def test_stability_is_the_errata_s_condition_for_equation_7():
    for gain, friction, response, _ in RANDOM:
        assert is_stable(gain, friction, response) == (margin(gain, friction, response) > 0)


def test_stability_is_the_errata_s_polynomial_for_equation_8():
    for gain, friction, response, memory in RANDOM:
        assert is_stable(gain, friction, response, memory) == (radius(gain, friction, response, memory) < 1)


@pytest.mark.parametrize(("friction", "most"), [(0.0, 0.105), (0.1, 0.258)])
def test_the_largest_memories_are_those_of_the_errata(friction, most):
    assert is_stable(0.5, friction, 1, most - 1e-3)
    assert not is_stable(0.5, friction, 1, most + 1e-3)


def test_simulation_of_500_random_gains_agrees_with_prediction():
    assert not prediction_errors(is_stable, lambda *gains: abs(margin(*gains)) < 1e-3, remember=False)


def test_simulation_of_500_random_gains_with_memory_agrees_with_prediction():
    assert not prediction_errors(is_stable, lambda *gains: abs(radius(*gains) - 1) < 1e-3)


@pytest.mark.parametrize("options", [{"integrator": "steady"}, {"basis": "linear"}])
def test_the_steady_integrator_and_the_linear_basis_have_their_own_boundary(options):
    def predicted(gain, *gains):
        return is_stable(gain, *gains, steady=True)

    def near(gain, *gains):
        return predicted(gain * 0.99, *gains) != predicted(gain * 1.01, *gains)

    assert not prediction_errors(predicted, near, count=300, **options)


@pytest.mark.parametrize("r", [0.5, 2.0])
def test_the_boundary_moves_with_the_tick(r):
    def predicted(gain, *gains):
        return is_stable(gain, *gains, tick=r * FILM_FRAME)

    def near(gain, *gains):
        return predicted(gain * 0.98, *gains) != predicted(gain * 1.02, *gains)

    assert not prediction_errors(predicted, near, count=200, tick=r * FILM_FRAME, ticks=int(400 / min(r, 1)))


def test_a_distance_has_the_same_boundary_along_the_line():
    tracker = KeepDistance("a", 1000.0, response=0.5)  # so far that nothing passes the target
    most = np.array([largest_stable_gain(friction, 0.5) for friction in (0.1, 0.15)])
    assert (late_growth(tracker, 0.98 * most, [0.1, 0.15], start=1000.1) < 1).all()
    assert (late_growth(tracker, 1.02 * most, [0.1, 0.15], start=1000.1) > 1).all()


@pytest.mark.parametrize("steady", [False, True])
def test_largest_stable_gain_is_the_stability_boundary(steady):
    for _, friction, response, memory in RANDOM[:200]:
        most = largest_stable_gain(friction, response, memory, steady=steady)
        if most > 0:
            assert is_stable(most * (1 - 1e-6), friction, response, memory, steady=steady)
        if most < 1:
            assert not is_stable(most + 1e-6, friction, response, memory, steady=steady)
            assert not is_stable(1, friction, response, memory, steady=steady)


def test_immobile_objects_are_stable():
    assert is_stable(1, 1, 1)
    assert is_stable(0, 0, 0)
    assert largest_stable_gain(1, 0) == 1


def test_unstable_gains_get_advice_with_the_largest_stable_gain():
    assert stability_advice(0.5, 0.1, 1) is None
    assert stability_advice(0.9, 0.1, 1).endswith("The largest that settles is 0.858.")
    assert stability_advice(0.5, 0.1, 0.25).endswith("The largest that settles is 0.377.")  # 0.3775 would be rounded up
    assert stability_advice(0.5, 0, 0.25).endswith("Give more friction or response, or less memory.")


@pytest.mark.parametrize("words", [{"friction": 1.2}, {"friction": -0.1}, {"response": -1}, {"memory": float("nan")}])
def test_invalid_gains_are_refused(words):
    with pytest.raises(KeyposeError, match="tracker"):
        largest_stable_gain(**{"friction": 0.1, "response": 1, "memory": 0} | words)


@pytest.mark.parametrize("tiny", [5e-324, 2.2e-313, 1e-300, 1e-40, 1e-10])
def test_tiny_gains_are_treated_as_zero(tiny):
    assert largest_stable_gain(0.0, tiny) == pytest.approx(largest_stable_gain(0.0, 0.0), abs=1e-6)
    assert largest_stable_gain(0.1, 0.5, tiny) == pytest.approx(largest_stable_gain(0.1, 0.5), rel=1e-2)
    assert stability_advice(0.8, 0.0, tiny) is not None
