"""A thousand keyed actors asked together say what each says alone: to the bit, and facings to a sine's last digit."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Actor, Key, KeyTimes, Motion, MotionPath, Orientation, Stage
from keypose.errors import KeyposeError
from keypose.maths import kernel_switch, quaternion
from keypose.motion.take import RecordedMotion
from keypose.stage.evaluate import batch as batch_module
from keypose.stage.evaluate import kernels
from keypose.stage.evaluate.batch import Batch, build_batches, can_batch
from tests.stage.motions import (
    ORIENTATION_MODES,
    OUTSIDE_MODES,
    TIMING_MODES,
    critical_times,
    motion_options,
    random_motion,
)


def assert_batch_matches_single(motions, t):
    together = Batch.of(motions).poses(t)
    assert list(together) == list(motions)
    for name, motion in motions.items():
        alone, pose = motion.at(t), together[name]
        dimensions = alone.position.shape[-1]
        assert pose.position.shape == (*alone.position.shape[:-1], 3)
        assert pose.orientation.shape == alone.orientation.shape
        assert_array_equal(pose.position[..., :dimensions], alone.position)
        assert_array_equal(pose.position[..., dimensions:], 0)
        if (
            motion.path.geometry.turns is None
            or motion.path.options.turning == "log"
            or not motion.path.geometry.turns.segments
        ):
            assert_array_equal(pose.orientation, alone.orientation)
        else:
            assert_allclose(pose.orientation, alone.orientation, rtol=0, atol=1e-14)


@pytest.fixture(params=["definition", "kernels"])
def backend(request, monkeypatch):
    monkeypatch.setattr(kernel_switch, "allowed", request.param == "kernels")
    monkeypatch.setattr(kernel_switch, "WORTH_LOADING", 0)
    return request.param


@given(mixture=st.lists(motion_options, min_size=1, max_size=7))
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_batch_of_any_mixture_matches_single_evaluation(backend, mixture):
    motions = {str(index): random_motion(**kind) for index, kind in enumerate(mixture)}
    t = critical_times(motions.values())
    assert_batch_matches_single(motions, t)
    assert_batch_matches_single(motions, t[:1])
    assert_batch_matches_single(motions, np.sort(t)[::-1])


@pytest.mark.parametrize("timing", TIMING_MODES)
@pytest.mark.parametrize("faced", ORIENTATION_MODES)
def test_batch_of_each_kind_matches_single_evaluation(backend, timing, faced):
    motions = {
        f"{outside} {closed} {seed}": random_motion(seed, faced, timing, outside, closed, inertia=0.5 * (seed % 2))
        for outside in OUTSIDE_MODES
        for closed in (False, True)
        for seed in range(4)
    }
    for t in (critical_times(motions.values()), np.array([0.3]), np.array([])):
        assert_batch_matches_single(motions, t)


@pytest.mark.parametrize("dimensions", [1, 2, 3])
@pytest.mark.parametrize("timing", ["keys", "b-spline"])
def test_drawings_with_equal_point_counts_are_batched(backend, dimensions, timing):
    motions = {
        str(seed): random_motion(seed, "some", timing, closed=seed % 2 == 0, dimensions=dimensions, points=5)
        for seed in range(6)
    }
    assert all(map(can_batch, motions.values()))
    assert_batch_matches_single(motions, critical_times(motions.values()))


def test_holding_motions_are_constant_at_infinite_times(backend):
    motions = {timing: random_motion(3, "every", timing, closed=True) for timing in TIMING_MODES}
    assert_batch_matches_single(motions, np.array([-np.inf, np.inf]))


def test_repeating_motions_refuse_infinite_times(backend):
    motions = {outside: random_motion(1, outside=outside) for outside in OUTSIDE_MODES}
    with pytest.raises(KeyposeError, match="A motion that repeats was asked for an infinite time"):
        Batch.of(motions).poses(np.array([0.0, np.inf]))


def test_kernels_are_bitwise_identical_to_the_reference(monkeypatch):
    motions = {
        f"{timing} {outside} {seed}": random_motion(seed, "some", timing, outside, seed % 2 == 0, inertia=seed % 3)
        for timing in TIMING_MODES
        for outside in OUTSIDE_MODES
        for seed in range(6)
    }
    batch, t = Batch.of(motions), critical_times(motions.values())
    found = []
    monkeypatch.setattr(kernel_switch, "WORTH_LOADING", 0)
    for allowed in (True, False):
        monkeypatch.setattr(kernel_switch, "allowed", allowed)
        u = batch.parameters(t)
        found.append((u, batch.positions.at(u), batch.orientations.batch_at(u)))
    assert_array_equal(found[0][0], found[1][0])
    assert_array_equal(found[0][1], found[1][1])
    assert_allclose(found[0][2], found[1][2], rtol=0, atol=1e-14)


def test_kernels_write_only_their_rows():
    motions = {str(seed): random_motion(seed, "every", "keys" if seed < 4 else "b-spline") for seed in range(8)}
    batch, t, u = Batch.of(motions), np.arange(3.0), np.full((8, 3), -77.0)
    by_keys, by_speed = batch.clocks
    kernels.key_time_parameters(by_keys.rows, by_keys.spans, by_keys.firsts, by_keys.times, t, u, 1, 3)
    assert (u[[0, 3, 4, 5, 6, 7]] == -77).all()
    assert (u[1:3] >= 0).all()
    by_keys.write_parameters(t, u)
    assert (u[4:] == -77).all()
    by_speed.write_parameters(t, u)
    out = np.full((8, 3, 3), -77.0)
    kernels.path_positions(batch.positions.firsts, batch.positions.closed, batch.positions.curve, u, 0, out, 1, 3)
    assert (out[[0, 3]] == -77).all()
    assert (out[1:3] != -77).all()


def test_threaded_work_is_bitwise_identical(monkeypatch):
    motions = {
        str(seed): random_motion(seed, ORIENTATION_MODES[seed % 4], TIMING_MODES[seed % 5]) for seed in range(60)
    }
    t, found = np.linspace(-3, 6, 500), []
    for threads in ("1", "3"):
        monkeypatch.setenv("KEYPOSE_THREADS", threads)
        found.append(Batch.of(motions).poses(t))
    assert found[0] == found[1]


def test_each_kernel_has_one_compiled_signature(monkeypatch):
    monkeypatch.setattr(kernel_switch, "WORTH_LOADING", 0)
    read_only = np.linspace(0, 8, 30)
    read_only.flags.writeable = False
    for dimensions, points in ((2, None), (3, None), (3, 4)):
        motions = {
            f"{timing} {seed}": random_motion(seed, "every", timing, dimensions=dimensions, points=points, inertia=seed)
            for timing in TIMING_MODES
            for seed in range(2)
        }
        for t in (np.array([0.5]), np.linspace(0, 8, 30)[::3], read_only):
            Batch.of(motions).poses(t)
    for name in (
        "key_time_parameters",
        "speed_clock_distances",
        "distance_parameters",
        "path_positions",
        "path_orientations",
    ):
        assert len(getattr(kernels, name).signatures) == 1


def test_recorded_motions_are_batched(backend):
    rng = np.random.default_rng(2)
    turned = quaternion.normalize(rng.normal(size=(5, 4)))
    recorded = {
        "placed": RecordedMotion(np.arange(5.0), rng.normal(size=(5, 3))),
        "turned": RecordedMotion(np.arange(5.0), rng.normal(size=(5, 3)), turned),
        "flat": RecordedMotion(np.arange(5.0), rng.normal(size=(5, 2))),
    }
    assert all(map(can_batch, recorded.values()))
    assert_batch_matches_single(recorded, np.linspace(-1, 6, 40))


def test_edited_paths_are_batched(backend):
    rng = np.random.default_rng(3)
    long = MotionPath(rng.normal(size=(900, 3))).with_key(450, position=(9, 9, 9))
    motions = {"edited": Motion(long, duration=9.0), "other": random_motion(0)}
    assert_batch_matches_single(motions, np.linspace(0, 9, 50))
    assert_batch_matches_single(motions, np.array([4.5]))


def test_only_suitable_motions_are_batched(monkeypatch):
    facing = Orientation.turned(3, "x")
    carried = MotionPath([Key((0, 0, 0)), Key((1, 0, 0), relative_to="glass")])
    monkeypatch.setattr(batch_module, "MAX_SEGMENTS", 50)

    class Own(Motion):
        def at(self, t):
            return super().at(t)

    places = [(0, 0, 0), (1, 0, 0), (1, 1, 0)]
    alone = {
        "carried": Motion(carried, duration=1.0),
        "long": Motion(MotionPath(np.random.default_rng(0).normal(size=(52, 3))), duration=1.0),
        "large drawing": Motion(MotionPath(np.zeros((3, 100, 3))), KeyTimes([0, 1, 2])),
        "not in space": Motion(MotionPath(np.zeros((3, 4))), KeyTimes([0, 1, 2])),
        "of its own": Own(MotionPath(places), duration=1.0),
    }
    assert not any(can_batch(motion) for motion in alone.values())
    together = {
        "steady": Motion(MotionPath(places), duration=1.0),
        "closed": Motion(MotionPath(places, closed=True), KeyTimes([0, 1, 2, 3])),
        "facing": Motion(MotionPath([Key((0, 0), time=0, orientation=facing), Key((1, 0), time=1)])),
        "cycling": Motion(MotionPath(places), KeyTimes([0, 1, 2]), outside="cycle"),
    }
    drawings = {name: random_motion(0, points=points) for name, points in (("a", 5), ("b", 5), ("lonely", 6))}
    found = build_batches([*alone.items(), *together.items(), *drawings.items()])
    assert [batch.names for batch in found] == [("steady", "closed", "facing", "cycling"), ("a", "b")]


def test_stage_poses_match_its_motions(backend):
    motions = {
        f"{timing} {faced} {outside}": random_motion(7, faced, timing, outside)
        for timing in TIMING_MODES
        for faced in ORIENTATION_MODES
        for outside in OUTSIDE_MODES
    }
    stage = Stage([Actor(name, motion) for name, motion in motions.items()])
    for t in (np.linspace(-3, 6, 30), np.array([0.7])):
        poses = stage.at(t)
        for name, motion in motions.items():
            assert_array_equal(poses[name].position, motion.at(t).position)
            assert_allclose(poses[name].orientation, motion.at(t).orientation, rtol=0, atol=1e-14)
