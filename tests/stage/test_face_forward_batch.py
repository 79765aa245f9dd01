"""A thousand actors who look where they go face as each does alone: to the bit, drawings that lean to rounding."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Actor, FaceForward, Key, KeyTimes, Motion, MotionPath, Stage
from keypose.maths import kernel_switch, quaternion
from keypose.motion import facing
from keypose.motion import kernels as motion_kernels
from keypose.motion.hierarchy import pose_to_3d
from keypose.stage.evaluate import kernels
from keypose.stage.evaluate.batch import Batch, can_batch
from tests.stage.motions import (
    ORIENTATION_MODES,
    OUTSIDE_MODES,
    TIMING_MODES,
    critical_times,
    motion_options,
    random_motion,
)

BANKS = [None, 0.0, 0.0, 1.0, -0.5]


@pytest.fixture(params=["definition", "kernels"])
def backend(request, monkeypatch):
    monkeypatch.setattr(kernel_switch, "allowed", request.param == "kernels")
    monkeypatch.setattr(kernel_switch, "WORTH_LOADING", 0)
    return request.param


def assert_batch_matches_single(motions, facings, t, atol=0.0):
    together = Batch.of(motions, facings).poses(t)
    for name, motion in motions.items():
        alone = pose_to_3d(motion.at(t))
        assert_array_equal(together[name].position, alone.position)
        if name in facings:
            expected = facings[name].orientations_along(motion, t, alone.orientation)
            assert_allclose(together[name].orientation, expected, rtol=0, atol=atol)
        else:
            assert_allclose(together[name].orientation, alone.orientation, rtol=0, atol=1e-14)


def face_forward_options(motions, banks):
    return {name: FaceForward(bank) for name, bank in zip(motions, banks, strict=True) if bank is not None}


@given(mixture=st.lists(st.tuples(motion_options, st.sampled_from(BANKS)), min_size=1, max_size=7))
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_batch_of_any_mixture_matches_single_evaluation(backend, mixture):
    motions = {str(index): random_motion(**kind) for index, (kind, _) in enumerate(mixture)}
    facings = face_forward_options(motions, [bank for _, bank in mixture])
    t = critical_times(motions.values())
    for some in (t, t[:1], np.sort(t)[::-1]):
        assert_batch_matches_single(motions, facings, some)


@pytest.mark.parametrize("timing", TIMING_MODES)
def test_batch_of_each_kind_matches_single_evaluation(backend, timing):
    motions = {
        f"{outside} {closed} {seed}": random_motion(
            seed, ORIENTATION_MODES[seed], timing, outside, closed, 1 + seed % 3, inertia=0.5 * (seed % 2)
        )
        for outside in OUTSIDE_MODES
        for closed in (False, True)
        for seed in range(5)
    }
    facings = face_forward_options(motions, [BANKS[1 + row % 4] for row in range(len(motions))])
    for t in (critical_times(motions.values()), np.array([0.3]), np.array([])):
        assert_batch_matches_single(motions, facings, t)


@pytest.mark.parametrize("dimensions", [1, 2, 3])
@pytest.mark.parametrize("timing", ["keys", "b-spline"])
def test_batch_of_drawings_matches_single_evaluation(backend, dimensions, timing):
    motions = {
        str(seed): random_motion(seed, "some", timing, OUTSIDE_MODES[seed % 3], seed % 2 == 0, dimensions, points=5)
        for seed in range(6)
    }
    for t in (critical_times(motions.values()), np.array([0.3])):
        assert_batch_matches_single(motions, face_forward_options(motions, [0.0, 0.0, 0.0, 0.0, 0.0, None]), t)
        assert_batch_matches_single(
            motions, face_forward_options(motions, [0.0, 0.0, 0.0, 1.0, 1.0, None]), t, atol=1e-12
        )


def test_batch_of_drawings_with_diverging_points_matches_single_evaluation(backend):
    away = np.array([[[0, 0, 0], [0, 0, 0]], [[1, 0, 0], [-1, 0, 0]], [[2, 0, 0], [1, 0, 0]]], dtype=float)
    motions = {str(start): Motion(MotionPath(away + start), KeyTimes([0, 1, 2]), start=start) for start in range(3)}
    facings = face_forward_options(motions, [0.0, 1.0, 0.0])
    assert_batch_matches_single(motions, facings, np.linspace(-1, 5, 61), atol=1e-14)


def test_resting_motions_keep_their_last_direction(backend):
    resting_positions = {
        "before": [(0, 0, 0), (0, 0, 0), (1, 0, 0), (1, 0, 1)],
        "between": [(0, 0, 0), (1, 0, 0), (1, 0, 0), (1, 0, 1)],
        "after": [(0, 0, 0), (1, 0, 0), (1, 0, 1), (1, 0, 1)],
        "always": [(1, 2, 3)] * 4,
    }
    turned = quaternion.normalize(np.array([1.0, 2.0, 3.0, 4.0]))
    motions = {
        f"{name} {tension} {outside}": Motion(
            MotionPath([Key(place, tension=tension, orientation=turned) for place in places]),
            KeyTimes([0, 1, 2, 3]),
            outside=outside,
        )
        for name, places in resting_positions.items()
        for tension in (0, 1)
        for outside in OUTSIDE_MODES
    }
    facings = face_forward_options(motions, [0.0] * len(motions))
    t = np.linspace(-1, 7, 97)
    assert_batch_matches_single(motions, facings, t)
    poses = Batch.of(motions, facings).poses(t)
    forward = quaternion.rotate(poses["between 1 hold"].orientation, np.array([0.0, 0.0, 1.0]))
    directions = forward[(t >= 0) & (t < 2)]
    assert_allclose(directions, np.tile([1.0, 0.0, 0.0], (len(directions), 1)), atol=1e-9)
    assert_allclose(poses["always 0 hold"].orientation, np.tile(turned, (97, 1)), atol=1e-14)


def test_holding_motions_keep_their_orientation_at_infinite_times(backend):
    motions = {timing: random_motion(3, "every", timing, closed=True) for timing in TIMING_MODES}
    assert_batch_matches_single(
        motions, face_forward_options(motions, [0.0, 1.0, 1.0, 0.0, 1.0]), np.array([-np.inf, np.inf])
    )


def test_kernels_are_bitwise_identical_to_the_reference(monkeypatch):
    rng = np.random.default_rng(0)
    ahead, otherwise, pushed = rng.normal(size=(400, 3)), rng.normal(size=(400, 4)), 20 * rng.normal(size=(400, 3))
    ahead[:20], pushed[:30] = 0.0, 0.0
    ahead[20:40, [0, 2]] = 0.0
    ahead[40:60, [0, 2]] *= 1e-9
    ahead[60:80, 1] = 0.0
    ahead[80:100] *= 1e-12
    monkeypatch.setattr(kernel_switch, "WORTH_LOADING", 0)
    found = []
    for allowed in (True, False):
        monkeypatch.setattr(kernel_switch, "allowed", allowed)
        upright = facing.forward_orientations(ahead, otherwise)
        found.append(
            (upright, facing.forward_orientations(ahead, otherwise[0]), FaceForward(0.7).apply_bank(upright, pushed))
        )
    for from_kernel, reference in zip(*found, strict=True):
        assert_allclose(from_kernel, reference, rtol=0, atol=1e-15)
    assert_array_equal(found[0][0], found[1][0])


def test_each_kernel_has_one_compiled_signature(monkeypatch):
    monkeypatch.setattr(kernel_switch, "WORTH_LOADING", 0)
    read_only = np.linspace(0, 8, 30)
    read_only.flags.writeable = False
    for dimensions, points in ((2, None), (3, None), (3, 4)):
        motions = {
            f"{timing} {seed}": random_motion(seed, "every", timing, dimensions=dimensions, points=points)
            for timing in TIMING_MODES
            for seed in range(2)
        }
        facings = face_forward_options(motions, [1.0] * len(motions))
        for t in (np.array([0.5]), np.linspace(0, 8, 30)[::3], read_only):
            Batch.of(motions, facings).poses(t)
    for kernel in (
        kernels.path_headings,
        kernels.speed_clock_speeds,
        kernels.path_positions,
        motion_kernels.forward_orientations,
        motion_kernels.bank_orientations,
    ):
        assert len(kernel.signatures) == 1


def test_motion_with_custom_velocity_is_not_batched():
    class Own(Motion):
        def velocity(self, t):
            return -super().velocity(t)

    assert not can_batch(Own(MotionPath([(0, 0, 0), (1, 0, 0)]), duration=1.0))


def test_stage_evaluates_all_face_forward_actors_in_one_batch(monkeypatch):
    motions = {f"{timing} {seed}": random_motion(seed, "no", timing) for timing in TIMING_MODES for seed in range(4)}
    stage = Stage([Actor(name, motion, facing=FaceForward(0.5)) for name, motion in motions.items()])
    t = np.linspace(-1, 4, 30)
    expected = {
        name: FaceForward(0.5).orientations_along(motion, t, pose_to_3d(motion.at(t)).orientation)
        for name, motion in motions.items()
    }

    def evaluate_single(*_):
        raise AssertionError("asked alone")

    monkeypatch.setattr(FaceForward, "orientations_along", evaluate_single)
    poses = stage.at(t)
    for name in motions:
        assert_array_equal(poses[name].orientation, expected[name])
