"""Facings of paths whose keys others carry are what `MotionPath` makes of the keys wherever their carriers are."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Body, Follow, Key, MotionPath, Orientation, Sphere, Turn
from keypose.maths import quaternion
from keypose.maths.quaternion import rotation_vector_between
from keypose.physics.engine.body_arrays import BodyArrays
from keypose.physics.following import kernels
from keypose.physics.following import kernels as rotation_kernels
from keypose.physics.following.follower_arrays import SAMPLES_PER_SEGMENT, FollowerArrays
from keypose.physics.following.follower_state import float_fields
from keypose.physics.following.target import steady_path_velocity
from keypose.physics.relative import orientation_kernels
from keypose.physics.relative.orientation_arrays import FRAME_COLUMNS, ORIENTATION, POSITION
from keypose.physics.relative.relative_keys import RelativeKeys
from keypose.physics.relative.relative_path_cache import RelativePathCache

BALL = Body(Sphere(0.3), 2.0)
ADJUSTS = [None, "none", "length", "unit", "time", "velocity"]


def random_orientation(rng):
    if rng.uniform() < 0.3:  # half a turn may go either way round
        return Orientation.turned(90 * int(rng.integers(4)), "xyz"[rng.integers(3)])
    return Orientation.of(quaternion.normalize(rng.normal(size=4)))


def random_turn(rng):
    def tangent():
        return [None, "chord", rng.normal(size=3) * rng.choice([1.0, 15.0])][rng.integers(3)]

    if rng.uniform() < 0.5:
        return random_orientation(rng)
    return Turn(random_orientation(rng), tension=rng.choice([None, 0.6]), arrive=tangent(), leave=tangent())


@st.composite
def paths(draw):
    """A path that faces somewhere, with carried keys of any kind: standing, turning or both, timed or not."""
    rng = np.random.default_rng(draw(st.integers(0, 100_000)))
    adjust, closed = draw(st.sampled_from(ADJUSTS)), draw(st.booleans())
    count, is_timed = draw(st.integers(2, 8)), adjust in ("time", "velocity") or draw(st.integers(0, 4)) == 0
    position_share, orientation_share = (
        draw(st.sampled_from([1.0, 1.0, 0.5, 0.0])),
        draw(st.sampled_from([1.0, 0.6, 0.2])),
    )
    is_stationary = draw(st.integers(0, 5)) == 0
    times, keys = np.cumsum(rng.uniform(0.2, 2.0, count)), []
    for number in range(count):
        has_position, has_orientation = (
            rng.uniform() < position_share,
            number == count // 2 or rng.uniform() < orientation_share,
        )
        position = None if not has_position else np.zeros(3) if is_stationary else rng.normal(size=3)
        keys.append(
            Key(
                position,
                time=float(times[number]) if is_timed else None,
                tension=rng.choice([None, 0.5, -1.0]),
                bias=rng.choice([None, 0.7]),
                continuity=rng.choice([None, -0.4]),
                leave=[None, "chord", rng.normal(size=3)][rng.integers(3)] if has_position else None,
                orientation=random_turn(rng) if has_orientation or not has_position else None,
                relative_to=rng.choice([None, "one", "two"]),
            )
        )
    if all(key.relative_to is None for key in keys):
        keys[-1] = keys[-1].changed(relative_to="one")
    ends = draw(st.sampled_from(["reflect", "still", "zero-chord"]))
    turning = draw(st.sampled_from(["casteljau", "casteljau", "log"]))
    return MotionPath(keys, adjust=adjust, closed=closed, ends=ends, tension=0.2, turning=turning)


def build_relative_keys(*follower_paths, turn_within=20):
    followers = {
        f"{number}": Follow(path, BALL, within=0.4, turn_within=turn_within)
        for number, path in enumerate(follower_paths)
    }
    arrays = FollowerArrays.of(followers, list(range(len(followers))), 9.81)
    relative_keys = RelativeKeys.of(followers, arrays)
    return relative_keys, RelativePathCache(relative_keys, arrays)


def random_frames(rng, relative_keys):
    """Frames of all carried keys; often one carrier is where another is, and seldom everybody."""
    frames = np.zeros((len(relative_keys.keys.follower), FRAME_COLUMNS))
    frames[:, POSITION : POSITION + 3] = rng.normal(size=(len(frames), 3))
    frames[:, ORIENTATION:] = quaternion.normalize(rng.normal(size=(len(frames), 4)))
    is_same = rng.uniform(size=len(frames)) < rng.choice([0.0, 0.5, 1.0])
    frames[is_same] = frames[0]
    return frames


def orientation_from_table(cache, follower, v):
    """The facing at v, counted in tabled ones."""
    arrays, tables = cache.follower_arrays, cache.orientation_tables
    spec = arrays.specs[follower]
    if (path := tables.path_row[follower]) >= 0:
        orientation_kernels.fill_ahead(tables, path, spec, v, -1.0, arrays.orientation_samples)
    return np.array(rotation_kernels.orientation_at(arrays.orientation_samples, spec, v))


def clear_tables(cache):
    """Nobody may read a facing that was made in other frames: here those are nowhere."""
    arrays, tables = cache.follower_arrays, cache.orientation_tables
    tables.paths["filled"] = 0
    for follower in np.flatnonzero(tables.path_row >= 0):
        path = tables.paths[tables.path_row[follower]]
        begin, turn_rows = (
            arrays.specs[follower].first_sample,
            tables.segments["turn"][path["piece"] :][: path["pieces"]],
        )
        for number in np.flatnonzero(turn_rows >= 0):
            is_last = number == path["pieces"] - 1
            arrays.orientation_samples[
                begin + number * SAMPLES_PER_SEGMENT : begin + (number + 1) * SAMPLES_PER_SEGMENT + is_last
            ] = np.nan


def test_first_orientation_holds_before_its_key_also_with_a_stationary_segment():
    rng, orientation = np.random.default_rng(0), Orientation.turned(50, "x")
    keys = [Key((0, 0, 0)), Key((0, 0, 0), orientation=Orientation.turned(90, "y"), relative_to="one")]
    relative_keys, cache = build_relative_keys(MotionPath([*keys, Key(orientation=orientation)]))
    frames = random_frames(rng, relative_keys)
    cache.set_frames(frames)
    clear_tables(cache)
    expected = relative_keys.resolve_path(0, frames).orientation_at(
        np.arange(2 * SAMPLES_PER_SEGMENT) / SAMPLES_PER_SEGMENT
    )
    found = np.array([orientation_from_table(cache, 0, float(v)) for v in range(2 * SAMPLES_PER_SEGMENT)])
    assert_allclose(np.abs((found * expected).sum(axis=1)), 1.0, rtol=0, atol=1e-9)


@given(paths(), paths(), st.integers(0, 1000))
@settings(max_examples=200, deadline=None)
def test_orientations_equal_those_of_the_path_through_the_resolved_keys(one, two, seed):
    rng, plain = np.random.default_rng(seed), MotionPath([(0, 0, 0), Key((1, 2, 3), orientation=(1, 0, 0, 0))])
    relative_keys, cache = build_relative_keys(one, plain, two)
    for _ in range(2):
        frames = random_frames(rng, relative_keys)
        cache.set_frames(frames)
        clear_tables(cache)
        for row, follower in enumerate((0, 2)):
            resolved_path = relative_keys.resolve_path(row, frames)
            samples = np.arange(resolved_path.segments * SAMPLES_PER_SEGMENT)
            samples = np.roll(samples, -int(rng.integers(len(samples))))
            found = np.array([orientation_from_table(cache, follower, float(v)) for v in samples])
            expected = resolved_path.orientation_at(samples / SAMPLES_PER_SEGMENT)
            assert_allclose(np.abs((found * expected).sum(axis=1)), 1.0, rtol=0, atol=1e-9)


@given(paths(), st.integers(0, 1000))
@settings(max_examples=60, deadline=None)
def test_orientation_is_bitwise_identical_in_any_order_of_queries(path, seed):
    rng = np.random.default_rng(seed)
    relative_keys, cache = build_relative_keys(path)
    _, other_cache = build_relative_keys(path)
    first_frames, second_frames = random_frames(rng, relative_keys), random_frames(rng, relative_keys)
    end = path.segments * SAMPLES_PER_SEGMENT
    cache.set_frames(first_frames)
    for v in rng.uniform(0, end, 5):
        orientation_from_table(cache, 0, v)
    cache.set_frames(second_frames)
    other_cache.set_frames(second_frames)
    samples = np.append(rng.uniform(0, end, 20), np.arange(0.0, end, 0.25)[:200])
    forward = {v: orientation_from_table(cache, 0, v) for v in samples}
    for v in samples[::-1]:
        assert_array_equal(orientation_from_table(other_cache, 0, v), forward[v])


@given(paths(), st.sampled_from([1, 20, 90]), st.sampled_from([1, 2, 8]), st.integers(0, 1000))
@settings(max_examples=150, deadline=None)
def test_target_reads_only_filled_table_entries(path, turn_within, substeps, seed):
    rng = np.random.default_rng(seed)
    relative_keys, cache = build_relative_keys(path, turn_within=turn_within)
    arrays, frames = cache.follower_arrays, random_frames(rng, relative_keys)
    state, force, target_positions = arrays.initial_state(), np.zeros((1, 6)), set()
    cache.begin(frames, state)
    pose, velocity = np.zeros((1, 7)), np.zeros((1, 6))
    body_values = np.ones(1), np.ones((1, 3)), np.array([[1.0, 0, 0, 0]]), np.array([[0.0, 1.0]])
    bodies = BodyArrays(pose, velocity, *body_values)
    poses = rng.normal(size=(len(relative_keys.carriers), 7))
    state[0].turn_u, state[0].turn_speed_factor = rng.uniform(0, path.segments), rng.choice([1.0, 0.4])
    for _ in range(12):  # in each tick all that was made before is forgotten, and nothing is read of it
        poses[:, 3:] = quaternion.normalize(poses[:, 3:] + 0.01 * rng.normal(size=4))
        cache.set_frames(frames)
        clear_tables(cache)
        cache.step(poses, 0.002, frames, state)
        for _ in range(substeps):  # a body that faces as its target does never holds it up
            samples, v = arrays.orientation_samples, state[0].turn_u * SAMPLES_PER_SEGMENT
            pose[0, 3:] = rotation_kernels.orientation_at(samples, arrays.specs[0], v)
            kernels.step_followers(arrays.paths, bodies, 0.002 / substeps, state, force)
            assert np.isfinite(float_fields(state)).all()
        target_positions.add(state[0].turn_u)
    assert len(target_positions) > 1 or not path.closed


@given(paths(), st.integers(0, 1000))
@settings(max_examples=60, deadline=None)
def test_path_angular_velocity_is_the_rotation_of_the_path_at_its_target(path, seed):
    rng = np.random.default_rng(seed)
    relative_keys, cache = build_relative_keys(path)
    frames, state = random_frames(rng, relative_keys), cache.follower_arrays.initial_state()
    cache.begin(frames, state)
    state[0].u = state[0].turn_u = rng.integers(0, path.segments * SAMPLES_PER_SEGMENT) / SAMPLES_PER_SEGMENT
    poses, previous_velocity = rng.normal(size=(len(relative_keys.carriers), 7)), np.zeros(3)
    for _ in range(4):
        poses[:, 3:] = quaternion.normalize(poses[:, 3:] + 1e-3 * rng.normal(size=(len(poses), 4)))
        orientation_before = relative_keys.resolve_path(0, frames).orientation_at(state[0].turn_u)
        cache.step(poses, 0.002, frames, state)
        velocity = (
            rotation_vector_between(
                orientation_before, relative_keys.resolve_path(0, frames).orientation_at(state[0].turn_u)
            )
            / 0.002
        )
        if np.linalg.norm(velocity) * 0.002 > 3.1:
            return  # half a turn, which may go either way round
        if cache.orientation_tables.path_row[0] >= 0:
            assert_allclose(state[0].raw_path_angular_velocity, velocity, atol=1e-5)
            assert_allclose(
                state[0].path_angular_velocity,
                steady_path_velocity(velocity, previous_velocity),
                atol=1e-5,
            )
        previous_velocity = velocity


@pytest.mark.parametrize("turning", ["casteljau", "log"])
def test_only_segments_influenced_by_relative_keys_are_recomputed(turning):
    angles = np.arange(12) * 40.0
    keys = [Key((x, 0, 0), orientation=Orientation.turned(angle, "y")) for x, angle in enumerate(angles)]
    keys[5] = keys[5].changed(relative_to="one")
    _, cache = build_relative_keys(MotionPath(keys, turning=turning))
    assert_array_equal(np.flatnonzero(cache.orientation_tables.segments["turn"] >= 0), [3, 4, 5, 6])


def test_filled_table_entries_stay_valid_while_carriers_are_still():
    keys = [Key((x, 0, 0), orientation=Orientation.turned(40 * x, "y"), relative_to="one") for x in range(3)]
    relative_keys, cache = build_relative_keys(MotionPath(keys))
    frames = random_frames(np.random.default_rng(1), relative_keys)
    cache.set_frames(frames)
    orientation_from_table(cache, 0, 7.5)
    cache.set_frames(frames.copy())
    assert (cache.orientation_tables.paths["filled_from"], cache.orientation_tables.paths["filled"]) == (7, 1)
    frames[1, ORIENTATION:] = quaternion.normalize(frames[1, ORIENTATION:] + 0.1)
    cache.set_frames(frames)
    assert_array_equal(cache.orientation_tables.paths["filled"], [0])
