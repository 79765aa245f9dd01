"""Paths bent by those who carry their keys are what `MotionPath` makes of the keys wherever their carriers are."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Body, Follow, Key, MotionPath, Orientation, Sphere, Turn
from keypose.maths import quaternion
from keypose.physics.following.follower_arrays import NO_STOP, FollowerArrays, segment_cubics
from keypose.physics.following.follower_state import float_fields
from keypose.physics.following.target import steady_path_velocity
from keypose.physics.relative import position_kernels
from keypose.physics.relative.orientation_arrays import FRAME_COLUMNS, POSITION
from keypose.physics.relative.relative_keys import RelativeKeys
from keypose.physics.relative.relative_path_cache import RelativePathCache
from keypose.physics.relative.resolved_paths import ResolvedPaths

BALL = Body(Sphere(0.3), 2.0)
ADJUSTS = [None, "none", "length", "unit", "time", "velocity"]


def random_orientation(rng):
    return Orientation.of(quaternion.normalize(rng.normal(size=4)))


@st.composite
def paths(draw, with_orientations=False):
    """A path with carried keys of any kind: by hand or not, standing or only turning, timed or not, open or closed."""
    rng = np.random.default_rng(draw(st.integers(0, 100_000)))
    adjust, closed = draw(st.sampled_from(ADJUSTS)), draw(st.booleans())
    count, is_timed = draw(st.integers(2, 7)), adjust in ("time", "velocity")
    has_rotation_keys = draw(st.booleans())
    times, keys = np.cumsum(rng.uniform(0.2, 2.0, count)), []
    for number in range(count):
        has_position = not has_rotation_keys or rng.uniform() < 0.6
        keys.append(
            Key(
                rng.normal(size=3) if has_position else None,
                time=float(times[number]) if is_timed else None,
                tension=rng.choice([None, 0.5, -1.0]),
                bias=rng.choice([None, 0.7]),
                continuity=rng.choice([None, -0.4]),
                arrive=[None, "chord", rng.normal(size=3)][rng.integers(3)] if has_position else None,
                leave=[None, "chord", rng.normal(size=3)][rng.integers(3)] if has_position else None,
                orientation=_random_turn(rng) if with_orientations or not has_position else None,
                relative_to=rng.choice([None, "one", "two"]),
            )
        )
    if all(key.relative_to is None for key in keys):
        keys[-1] = keys[-1].changed(relative_to="one")
    ends = draw(st.sampled_from(["reflect", "still", "zero-chord"]))
    return MotionPath(keys, adjust=adjust, closed=closed, ends=ends, tension=0.2)


def _random_turn(rng):
    return Turn(random_orientation(rng), leave=rng.normal(size=3)) if rng.uniform() < 0.3 else random_orientation(rng)


def build_relative_keys(*follower_paths):
    followers = {f"{number}": Follow(path, BALL, within=0.4) for number, path in enumerate(follower_paths)}
    arrays = FollowerArrays.of(followers, list(range(len(followers))), 9.81)
    return RelativeKeys.of(followers, arrays), arrays


def random_frames(rng, relative_keys):
    frames = np.zeros((len(relative_keys.keys.follower), FRAME_COLUMNS))
    frames[:, POSITION : POSITION + 3] = rng.normal(size=(len(frames), 3))
    frames[:, POSITION + 3 :] = quaternion.normalize(rng.normal(size=(len(frames), 4)))
    return frames


@given(paths(), paths(), st.integers(0, 1000))
@settings(max_examples=150, deadline=None)
def test_relative_segments_equal_those_of_the_path_through_the_resolved_keys(one, two, seed):
    plain = MotionPath([(0, 0, 0), (1, 2, 3), (2, 2, 2)])
    relative_keys, arrays = build_relative_keys(one, plain, two)
    frames, cubics = random_frames(np.random.default_rng(seed), relative_keys), arrays.cubics.copy()
    position_kernels.update_segments(relative_keys.segments, frames, cubics)
    for number, follower in enumerate((0, 2)):
        begin, count = arrays.specs[follower].first_segment, arrays.specs[follower].segment_count
        expected = segment_cubics(relative_keys.resolve_path(number, frames))
        assert_allclose(cubics[begin : begin + count], expected, atol=1e-9 * max(1.0, np.abs(expected).max()))
    begin, count = arrays.specs[1].first_segment, arrays.specs[1].segment_count
    assert_array_equal(cubics[begin : begin + count], segment_cubics(plain))


@given(paths(with_orientations=True), st.integers(0, 1000))
@settings(max_examples=40, deadline=None)
def test_path_velocity_is_the_motion_of_the_path_at_its_target(path, seed):
    rng = np.random.default_rng(seed)
    relative_keys, arrays = build_relative_keys(path)
    frames, state, cache = (
        random_frames(rng, relative_keys),
        arrays.initial_state(),
        RelativePathCache(relative_keys, arrays),
    )
    cache.begin(frames, state)
    assert_allclose(state[0].target, relative_keys.resolve_path(0, frames).at(0.0), atol=1e-9)
    state[0].u = state[0].turn_u = rng.uniform(0, path.segments)
    poses, velocities = rng.normal(size=(len(relative_keys.carriers), 7)), [np.zeros(3)]
    poses[:, 3:] = quaternion.normalize(poses[:, 3:])
    for _ in range(4):
        position_before = relative_keys.resolve_path(0, frames).at(state[0].u)
        poses[:, :3] += rng.normal(size=3) * 0.001
        cache.step(poses, 0.002, frames, state)
        velocities.append((relative_keys.resolve_path(0, frames).at(state[0].u) - position_before) / 0.002)
        expected = steady_path_velocity(velocities[-1], velocities[-2])
        assert_allclose(state[0].path_velocity, expected, atol=1e-6 * max(1.0, np.abs(velocities).max()))
    cache.step(poses, 0.002, frames, state)
    cache.step(poses, 0.002, frames, state)
    assert_array_equal(state[0].path_velocity, 0.0)
    assert_array_equal(state[0].path_angular_velocity, 0.0)


@given(paths(with_orientations=True), st.integers(0, 1000))
@settings(max_examples=40, deadline=None)
def test_compiled_paths_step_as_the_resolved_ones(path, seed):
    rng, (relative_keys, arrays) = np.random.default_rng(seed), build_relative_keys(path)
    first_frames, u = random_frames(rng, relative_keys), rng.uniform(0, path.segments)
    poses = rng.normal(size=(len(relative_keys.carriers), 7))
    poses[:, 3:] = quaternion.normalize(poses[:, 3:])
    moves, results = rng.normal(size=(4, 3)) * 0.001, []
    for kind in (RelativePathCache, ResolvedPaths):
        cache, frames, followers = kind(relative_keys, arrays), first_frames.copy(), arrays.initial_state()
        cache.begin(frames, followers)
        for move in moves:
            followers["u"] = followers["turn_u"] = followers["u"] + u / 4
            poses[:, :3] += move
            cache.step(poses, 0.002, frames, followers)
        poses[:, :3] -= moves.sum(axis=0)
        results.append((frames, cache.follower_arrays.cubics, float_fields(followers)))
    for compiled, resolved in zip(*results, strict=True):
        assert_allclose(compiled, resolved, atol=1e-5 * max(1.0, np.abs(resolved[resolved < NO_STOP]).max(initial=0)))


def test_jump_of_a_path_adds_no_path_velocity():
    steady, jump = np.array([0.4, 0, 0]), np.array([500.0, 0, 0])
    assert_array_equal(steady_path_velocity(jump, steady), steady)
    assert_array_equal(steady_path_velocity(steady, jump), steady)


def test_keys_are_pinned_when_the_target_reaches_them_and_stay_there():
    keys = [Key((x, 0, 0), relative_to="one", pin=x != 2) for x in range(4)]
    relative_keys, arrays = build_relative_keys(MotionPath(keys))
    state, frames, cache = (
        arrays.initial_state(),
        random_frames(np.random.default_rng(1), relative_keys),
        RelativePathCache(relative_keys, arrays),
    )
    poses = np.array([[5.0, 0, 0, 1, 0, 0, 0]])
    frames[:, POSITION:] = poses
    for x in range(6, 16):
        state[0].u = 0.3 * (x - 6)
        poses[0, 0] = x
        cache.step(poses, 0.002, frames, state)
    assert_array_equal(frames[:, 0], [1, 1, 0, 0])
    assert_array_equal(
        frames[:, POSITION], [5, 9, 15, 15]
    )  # the first at once; the second where it was when u came to it
