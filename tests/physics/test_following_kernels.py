"""The compiled race is what the definitions say: targets that march, pulls and turns that are stable, what lasts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from keypose import Actor, Body, Box, Follow, Key, MotionPath, Orientation, Sphere, Stage, shoot
from keypose.maths import quaternion
from keypose.maths.quaternion import rotation_vector_between
from keypose.physics.engine.body_arrays import BodyArrays
from keypose.physics.engine.engine import Engine
from keypose.physics.engine.kernels import interpolate_poses
from keypose.physics.engine.model_spec import BodySpec
from keypose.physics.following import controller, kernels
from keypose.physics.following import kernels as rotation_kernels
from keypose.physics.following.follower_arrays import NO_STOP, FollowerArrays
from keypose.physics.following.follower_state import float_fields
from keypose.physics.following.force_law import Gains, filter_disturbance, min_filter_time, torque
from keypose.physics.following.target import advance_target, advance_turn_target

STEP = 0.002
BRICK = Body(Box((0.6, 0.1, 0.3)), 3.0)
NO_PAYLOAD = np.array([[0.0, 1.0]])  # nothing hangs on it


def random_path(rng, with_orientations=False, closed=False):
    positions = np.cumsum(rng.normal(size=(6, 3)), axis=0)
    orientations = [
        Orientation.of(quaternion.normalize(rng.normal(size=4))) if with_orientations else None for _ in positions
    ]
    keys = [
        Key(position, orientation=orientation) for position, orientation in zip(positions, orientations, strict=True)
    ]
    return MotionPath(keys, tension=rng.uniform(-1, 1), closed=closed)


def step_follower(follow, pose, velocity, inertia, state, step=STEP, payload=NO_PAYLOAD):
    """One step of the compiled race for one follower: the force, and what is remembered afterwards."""
    arrays, force, state = FollowerArrays.of({"a": follow}, [0], 9.81), np.zeros((1, 6)), state.copy()
    mass, axes = np.array([follow.body.mass]), np.array([[1.0, 0, 0, 0]])
    bodies = BodyArrays(pose[None], velocity[None], mass, inertia[None], axes, payload)
    lost_row = kernels.step_followers(arrays.paths, bodies, step, state, force)
    assert lost_row == -1
    return force[0], state[0]


@given(st.integers(0, 10_000), st.booleans())
@settings(max_examples=40, deadline=None)
def test_segment_polynomials_equal_the_path(seed, closed):
    rng = np.random.default_rng(seed)
    path = random_path(rng, closed=closed)
    arrays, u = FollowerArrays.of({"a": Follow(path, BRICK, within=0.4)}, [0], 0.0), rng.uniform(0, path.segments, 20)
    cubics, spec = arrays.cubics, arrays.specs[0]
    found = [kernels.position_at(cubics, spec, parameter) for parameter in u]
    assert_allclose(found, path.at(u), atol=1e-9)
    body, v = rng.normal(size=3), path.velocity(u)
    offset = path.at(u) - body
    expected = (offset * offset).sum(axis=1), 2 * (offset * v).sum(axis=1), (v * v).sum(axis=1)
    terms = [kernels.squared_distance_terms(cubics, spec, parameter, *body) for parameter in u]
    assert_allclose(terms, np.stack(expected, axis=1), atol=1e-8)


@given(st.integers(0, 10_000), st.booleans())
@settings(max_examples=60, deadline=None)
def test_target_kernel_equals_the_reference(seed, closed):
    rng = np.random.default_rng(seed)
    path = random_path(rng, closed=closed)
    u = rng.uniform(0, path.segments)
    body, within, max_distance = path.at(u) + rng.normal(size=3) * 0.2, rng.uniform(0.1, 0.6), rng.uniform(0.001, 0.5)
    stop_at = rng.uniform(u, path.segments) if seed % 3 == 0 else NO_STOP
    last = stop_at if closed else min(stop_at, float(path.segments))
    expected = advance_target(
        u,
        last,
        within,
        max_distance,
        lambda v: float(np.linalg.norm(path.at(v) - body)),
        lambda v: float(path.velocity(v) @ (path.at(v) - body) / np.linalg.norm(path.at(v) - body)),
        lambda v: float(np.linalg.norm(path.velocity(v))),
    )
    arrays = FollowerArrays.of({"a": Follow(path, BRICK, within=within)}, [0], 0.0)
    found = kernels.advance_target(arrays.cubics, arrays.specs[0], u, stop_at, max_distance, *body)
    assert_allclose(found, expected, atol=1e-7)
    assert found >= u


@given(st.integers(0, 10_000))
@settings(max_examples=60, deadline=None)
def test_force_and_torque_kernel_equals_the_reference(seed):
    rng = np.random.default_rng(seed)
    path = random_path(rng, with_orientations=True)
    follow = Follow(path, Body(Sphere(0.3), rng.uniform(0.5, 5)), within=0.4, correction=rng.uniform(0.05, 0.3))
    pose = np.concatenate([path.at(0.3) + rng.normal(size=3) * 0.1, quaternion.normalize(rng.normal(size=4))])
    velocity, inertia = rng.normal(size=6), rng.uniform(0.1, 2, 3)
    state = FollowerArrays.of({"a": follow}, [0], 0.0).initial_state()
    float_fields(state)[:] = rng.normal(size=float_fields(state).shape) * 0.1
    state["u"], state["turn_u"], state["is_new"] = 0.2, 0.2, False
    speed_factors = rng.uniform(0.1, 1, 2)
    state["speed_factor"], state["turn_speed_factor"] = speed_factors
    state["stop_at"] = state["turn_stop_at"] = NO_STOP
    force, state_after = step_follower(follow, pose, velocity, inertia, state)

    gains = Gains.of(*follow.pull, follow.reaction)
    angular_velocity = quaternion.rotate(pose[3:], velocity[3:])
    max_acceleration = gains.stiffness * follow.within + 2 * 9.81
    before = state[0]
    disturbance = filter_disturbance(
        before.disturbance,
        before.velocity,
        velocity[:3],
        before.accel_cmd,
        STEP,
        follow.correction,
        max_acceleration,
    )
    path_velocities = before.path_velocity, before.path_angular_velocity
    acceleration = (
        gains.at_speed_factor(speed_factors[0]).acceleration(
            path.at(state_after.u) - pose[:3], velocity[:3], STEP, path_velocities[0]
        )
        - disturbance
    )
    assert_allclose(force[:3], follow.body.mass * acceleration, rtol=1e-9, atol=1e-9)

    target_orientation = path.orientation_at(state_after.turn_u)
    angular_acceleration = gains.at_speed_factor(speed_factors[1]).acceleration(
        rotation_vector_between(pose[3:], target_orientation), angular_velocity, STEP, path_velocities[1]
    )
    angular_acceleration = angular_acceleration - state_after.angular_disturbance
    assert_allclose(
        state_after.angular_accel_cmd, angular_acceleration, rtol=5e-3, atol=0.05
    )  # facings are read from a table
    axes = np.stack([quaternion.rotate(pose[3:], axis) for axis in np.eye(3)], axis=1)
    world_inertia = axes @ np.diag(inertia) @ axes.T
    assert_allclose(
        force[3:],
        torque(world_inertia, state_after.angular_accel_cmd, angular_velocity),
        rtol=1e-9,
        atol=1e-9,
    )


@given(st.integers(0, 10_000), st.booleans(), st.booleans())
@settings(max_examples=100, deadline=None)
def test_step_of_followers_equals_the_reference(seed, closed, is_new):
    rng = np.random.default_rng(seed)
    path = random_path(rng, with_orientations=seed % 4 > 0, closed=closed)
    follow = Follow(path, BRICK, within=0.4, turn_within=20, correction=rng.choice([None, 0.1]))
    arrays = FollowerArrays.of({"a": follow}, [0], 9.81)
    u = rng.uniform(0, path.segments)
    turned = quaternion.multiply(Orientation.turned(rng.uniform(-25, 25), "x").wxyz, path.orientation_at(u))
    pose = np.concatenate([path.at(u) + rng.normal(size=3) * 0.2, turned])
    values = np.array([3.0]), rng.uniform(0.1, 2, (1, 3)), quaternion.normalize(rng.normal(size=(1, 4)))
    bodies = BodyArrays(pose[None], rng.normal(size=(1, 6)), *values, rng.uniform(1, 9, (1, 2)))
    before, results = arrays.initial_state(), []
    float_fields(before)[:] = rng.normal(size=float_fields(before).shape) * 0.1
    before["u"] = before["turn_u"] = u
    before["speed_factor"], before["turn_speed_factor"] = rng.choice([1.0, 0.3], 2)
    before["stop_at"], before["turn_stop_at"] = rng.choice([NO_STOP, u + 0.001], 2)
    before["stall_position"], before["stall_orientation"] = rng.choice([pose[:3], np.zeros(3)]), turned
    before["is_new"] = is_new
    for module in (kernels, controller):
        followers, forces = before.copy(), np.zeros((1, 6))
        status = module.step_followers(arrays.paths, bodies, STEP, followers, forces)
        results.append((status, forces, float_fields(followers).copy(), followers["stall_reported"][0]))
    assert results[0][0] == results[1][0]
    assert_allclose(results[0][1], results[1][1], rtol=1e-6, atol=1e-6)
    assert_allclose(results[0][2], results[1][2], rtol=1e-6, atol=1e-7)
    assert results[0][3] == results[1][3]


@pytest.mark.parametrize("module", [kernels, controller])
def test_lost_body_is_returned_before_anything_moves(module):
    arrays = FollowerArrays.of({"a": Follow(MotionPath([(0, 0, 0), (1, 0, 0)]), BRICK, within=0.4)}, [0], 9.81)
    poses, velocities = np.tile([0.0, 0, 0, 1, 0, 0, 0], (3, 1)), np.zeros((3, 6))
    poses[1, 2] = np.nan
    bodies = BodyArrays(poses, velocities, np.ones(3), np.ones((3, 3)), poses[:, 3:], np.tile([0.0, 1.0], (3, 1)))
    followers = arrays.initial_state()
    assert module.step_followers(arrays.paths, bodies, STEP, followers, np.zeros((3, 6))) == 1
    assert followers["is_new"].all()


@given(st.integers(0, 10_000), st.booleans())
@settings(max_examples=60, deadline=None)
def test_turn_target_kernel_equals_the_reference(seed, closed):
    rng = np.random.default_rng(seed)
    follow = Follow(random_path(rng, with_orientations=True, closed=closed), Body(Sphere(0.3)), within=0.4)
    arrays = FollowerArrays.of({"a": follow}, [0], 0.0)
    count, samples = int(arrays.specs[0].sample_count), (arrays.orientation_samples, arrays.specs[0])
    v, within, max_angle = rng.uniform(0, (count - 1) * 0.9), rng.uniform(0.05, 0.6), rng.uniform(0.01, 0.5)
    arrays.specs["turn_within"] = within

    def sample_at(v):
        return np.array(rotation_kernels.orientation_at(*samples, v))

    orientation = sample_at(v - rng.uniform(0, 0.2) * 64 if v > 20 else v)
    offset = Orientation.turned(rng.uniform(-20, 20), "x").wxyz
    body_orientation = quaternion.multiply(offset, orientation)

    stop_at = rng.uniform(v, count - 1) if seed % 3 == 0 else NO_STOP
    last = min(stop_at, v + count - 1.0 if closed else count - 1.0)
    found = rotation_kernels.advance_turn_target(*samples, v, stop_at, max_angle, body_orientation)
    expected = advance_turn_target(v, last, within, max_angle, body_orientation, sample_at)
    assert_allclose(found, expected, atol=1e-6)


@pytest.mark.parametrize("angle", [1.0, 90.0, 170.0, 179.9])
def test_rotation_vector_takes_the_shorter_direction_up_to_nearly_half_a_turn(angle):
    start, end = Orientation.turned(30, "x").wxyz, (Orientation.turned(angle, "y") @ Orientation.turned(30, "x")).wxyz
    assert_allclose(np.degrees(rotation_vector_between(start, end)), (0, angle, 0), atol=1e-9)
    assert_allclose(np.degrees(rotation_vector_between(start, -end)), (0, angle, 0), atol=1e-9)


def test_constant_disturbance_is_estimated_and_limited_at_a_wall():
    disturbance, velocity = np.zeros(3), np.zeros(3)
    for _ in range(1000):
        disturbance = filter_disturbance(
            disturbance, velocity, velocity + np.array([0, -9.81 * STEP, 0]), np.zeros(3), STEP, 0.1, 50.0
        )
    assert_allclose(disturbance, (0, -9.81, 0), rtol=1e-6)
    for _ in range(5000):
        disturbance = filter_disturbance(disturbance, velocity, velocity, np.array([400.0, 0, 0]), STEP, 0.1, 50.0)
    assert_allclose(np.linalg.norm(disturbance), 50.0)


@given(st.integers(0, 10_000))
@settings(max_examples=30, deadline=None)
def test_angular_disturbance_is_limited_by_twice_the_payload(seed):
    rng = np.random.default_rng(seed)
    follow, payload = (
        Follow(random_path(rng, with_orientations=True), BRICK, within=0.4),
        np.array([[rng.uniform(0, 300), 1.0]]),
    )
    arrays, force = FollowerArrays.of({"a": follow}, [0], 9.81), np.zeros((1, 6))
    state = arrays.initial_state()
    state["is_new"] = False
    state[0].angular_accel_cmd[0] = 1e9
    pose_and_velocity = (
        np.concatenate([follow.path.at(0.0), quaternion.normalize(rng.normal(size=4))])[None],
        np.zeros((1, 6)),
    )
    bodies = BodyArrays(*pose_and_velocity, np.ones(1), np.ones((1, 3)), np.array([[1.0, 0, 0, 0]]), payload)
    kernels.step_followers(arrays.paths, bodies, STEP, state, force)
    assert_allclose(
        np.linalg.norm(state[0].angular_disturbance),
        100 * np.radians(10) + 2 * payload[0, 0],
    )


def test_disturbance_filter_is_slower_for_larger_effective_inertia():
    follow = Follow(random_path(np.random.default_rng(0), with_orientations=True), BRICK, within=0.4)
    pose, state = (
        np.array([*follow.path.at(0.0), 1.0, 0, 0, 0]),
        FollowerArrays.of({"a": follow}, [0], 0.0).initial_state(),
    )
    state["is_new"] = False
    state[0].angular_accel_cmd[0] = 1.0
    for inertia_ratio in (1.0, 2.0, 9.0):
        payload = np.array([[0.0, inertia_ratio]])
        _, state_after = step_follower(follow, pose, np.zeros(6), np.ones(3), state, payload=payload)
        filter_time = max(follow.correction, min_filter_time(inertia_ratio, 100.0))
        expected = filter_disturbance(
            np.zeros(3),
            np.zeros(3),
            np.zeros(3),
            state[0].angular_accel_cmd,
            STEP,
            filter_time,
            1.0,
        )
        assert_allclose(state_after.angular_disturbance, expected)


SKEW = np.array([1.0, 2.0, -1.0]) / np.sqrt(6)


def angular_velocity_change(sign):
    """How the spin of a brick in a simulation changes [rad/s], which nothing is to turn, and its last term so."""
    engine, angular_velocity = Engine([BodySpec("brick", BRICK, (0, 0, 0), (1, 0, 0, 0))], (0, 0, 0), STEP), 3.0 * SKEW
    engine.set_pose(0, np.zeros(3), np.array([1.0, 0, 0, 0]), np.zeros(3), angular_velocity)
    engine.forward()
    max_change = 0.0
    for _ in range(1000):
        orientation, current = engine.poses[0, 3:], quaternion.rotate(engine.poses[0, 3:], engine.velocities[0, 3:])
        max_change = max(max_change, np.linalg.norm(current - angular_velocity))
        rotation_kernels.set_torque(
            orientation, engine.inertia_axes[0], engine.inertia[0], (0.0, 0.0, 0.0), tuple(current), engine.forces[0]
        )
        engine.forces[0, 3:] *= sign
        engine.step()
        engine.forward()
    return max_change


def test_spinning_brick_without_commanded_torque_keeps_its_spin():
    assert angular_velocity_change(+1) < 1e-9
    assert angular_velocity_change(-1) > angular_velocity_change(0) > 1.0, "left out it tumbles, and subtracted more so"


def test_brick_following_a_rotation_about_a_skew_axis_does_not_wobble():
    keys = [Key((0, 0, 0), orientation=Orientation.turned(angle, SKEW)) for angle in (0, 170)]
    stage = Stage([Actor("brick", Follow(MotionPath(keys), BRICK, within=0.4, turn_within=60))])
    rotation_vectors = np.degrees(quaternion.log(shoot(stage, 3.0, fps=100)["brick"].orientation))
    angles = rotation_vectors @ SKEW
    assert np.diff(angles).max() * 100 > 200, "degrees in a second: fast enough to tumble"
    assert np.linalg.norm(rotation_vectors - angles[:, None] * SKEW, axis=1).max() < 1e-6
    assert_allclose(angles[-1], 170, atol=1e-3)


@pytest.mark.parametrize("angle", [0.0, 1e-7, 1e-3, 1.0, 90.0, 179.0])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_poses_between_ticks_are_interpolated_linearly_and_by_slerp(angle, sign):
    start, end = Orientation.turned(30, "x").wxyz, (Orientation.turned(angle, "y") @ Orientation.turned(30, "x")).wxyz
    before, after = np.array([[0.0, 1, 2, *start]]), np.array([[1.0, 1, 0, *(sign * end)]])
    found = interpolate_poses(before, after, 0.3)
    assert_allclose(found[0, :3], (0.3, 1, 1.4))
    assert_allclose(found[:, 3:], quaternion.slerp(start[None], end[None], np.array([0.3])), atol=1e-12)
