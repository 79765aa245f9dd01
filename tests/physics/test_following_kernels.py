"""The compiled race is what the definitions say: targets that march, pulls and turns that are stable, what lasts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from keypose import Actor, Body, Box, Follow, Key, MotionPath, Orientation, Sphere, Stage, shoot
from keypose.maths import quaternion
from keypose.maths.quaternion import rotation_vector_between
from keypose.physics.engine.engine import Engine
from keypose.physics.engine.kernels import interpolate_poses
from keypose.physics.engine.model_spec import BodySpec
from keypose.physics.following import kernels
from keypose.physics.following import kernels as turning_kernels
from keypose.physics.following.follower_arrays import (
    ACCEL_CMD,
    ANGULAR_ACCEL_CMD,
    ANGULAR_DISTURBANCE,
    DISTURBANCE,
    IS_NEW,
    NO_STOP,
    PATH_ANGULAR_VELOCITY,
    PATH_VELOCITY,
    SPEED_FACTOR,
    STOP_AT,
    TURN_SPEED_FACTOR,
    TURN_STOP_AT,
    TURN_U,
    VELOCITY,
    FollowerArrays,
    U,
    segment_cubics,
)
from keypose.physics.following.force_law import Gains, filter_disturbance, min_filter_time, torque
from keypose.physics.following.target import advance_target

STEP = 0.002
BRICK = Body(Box((0.6, 0.1, 0.3)), 3.0)
NO_PAYLOAD = np.array([[0.0, 1.0]])  # nothing hangs on it


def random_path(rng, turns=False, closed=False):
    positions = np.cumsum(rng.normal(size=(6, 3)), axis=0)
    orientations = [Orientation.of(quaternion.normalize(rng.normal(size=4))) if turns else None for _ in positions]
    keys = [Key(place, orientation=facing) for place, facing in zip(positions, orientations, strict=True)]
    return MotionPath(keys, tension=rng.uniform(-1, 1), closed=closed)


def step_follower(follow, place, going, inertia, state, step=STEP, load=NO_PAYLOAD):
    """One step of the compiled race for one follower: the force, and what is remembered afterwards."""
    arrays, force, state = FollowerArrays.of({"a": follow}, [0], 9.81), np.zeros((1, 6)), state.copy()
    mass, axes = np.array([follow.body.mass]), np.array([[1.0, 0, 0, 0]])
    lost = kernels.step_followers(
        *arrays.arrays, place[None], going[None], mass, inertia[None], axes, load, step, state, force
    )
    assert lost == -1
    return force[0], state[0]


@given(st.integers(0, 10_000), st.booleans())
@settings(max_examples=40, deadline=None)
def test_segment_polynomials_equal_the_path(seed, closed):
    rng = np.random.default_rng(seed)
    path = random_path(rng, closed=closed)
    cubics, u = segment_cubics(path), rng.uniform(0, path.segments, 20)
    found = [kernels.position_at(cubics, 0, len(cubics), closed, x) for x in u]
    assert_allclose(found, path.at(u), atol=1e-9)
    body, v = rng.normal(size=3), path.velocity(u)
    away = path.at(u) - body
    defined = (away * away).sum(axis=1), 2 * (away * v).sum(axis=1), (v * v).sum(axis=1)
    seen = [kernels.squared_distance_terms(cubics, 0, len(cubics), closed, x, *body) for x in u]
    assert_allclose(seen, np.stack(defined, axis=1), atol=1e-8)


@given(st.integers(0, 10_000), st.booleans())
@settings(max_examples=60, deadline=None)
def test_target_kernel_equals_the_reference(seed, closed):
    rng = np.random.default_rng(seed)
    path = random_path(rng, closed=closed)
    cubics, u = segment_cubics(path), rng.uniform(0, path.segments)
    body, within, most = path.at(u) + rng.normal(size=3) * 0.2, rng.uniform(0.1, 0.6), rng.uniform(0.001, 0.5)
    hold = rng.uniform(u, path.segments) if seed % 3 == 0 else NO_STOP
    last = hold if closed else min(hold, float(path.segments))
    defined = advance_target(
        u,
        last,
        within,
        most,
        lambda at: float(np.linalg.norm(path.at(at) - body)),
        lambda at: float(path.velocity(at) @ (path.at(at) - body) / np.linalg.norm(path.at(at) - body)),
        lambda at: float(np.linalg.norm(path.velocity(at))),
    )
    found = kernels.advance_target(cubics, 0, len(cubics), closed, u, hold, within, most, *body)
    assert_allclose(found, defined, atol=1e-7)
    assert found >= u


@given(st.integers(0, 10_000))
@settings(max_examples=60, deadline=None)
def test_force_and_torque_kernel_equals_the_reference(seed):
    rng = np.random.default_rng(seed)
    path = random_path(rng, turns=True)
    follow = Follow(path, Body(Sphere(0.3), rng.uniform(0.5, 5)), within=0.4, correction=rng.uniform(0.05, 0.3))
    place = np.concatenate([path.at(0.3) + rng.normal(size=3) * 0.1, quaternion.normalize(rng.normal(size=4))])
    going, inertia = rng.normal(size=6), rng.uniform(0.1, 2, 3)
    state = rng.normal(size=(1, FollowerArrays.of({"a": follow}, [0], 0.0).initial_state().shape[1])) * 0.1
    state[0, [U, TURN_U, IS_NEW]] = 0.2, 0.2, 0.0
    state[0, [SPEED_FACTOR, TURN_SPEED_FACTOR]] = speed_factors = rng.uniform(0.1, 1, 2)
    state[0, [STOP_AT, TURN_STOP_AT]] = NO_STOP
    force, after = step_follower(follow, place, going, inertia, state)

    pull = Gains.of(*follow.pull, follow.reaction)
    spin = quaternion.rotate(place[3:], going[3:])
    most = pull.stiffness * follow.within + 2 * 9.81
    three = slice(VELOCITY, VELOCITY + 3), slice(ACCEL_CMD, ACCEL_CMD + 3), slice(DISTURBANCE, DISTURBANCE + 3)
    lasts = filter_disturbance(
        state[0, three[2]], state[0, three[0]], going[:3], state[0, three[1]], STEP, follow.correction, most
    )
    drifts = [state[0, begin : begin + 3] for begin in (PATH_VELOCITY, PATH_ANGULAR_VELOCITY)]
    acceleration = (
        pull.at_speed_factor(speed_factors[0]).acceleration(path.at(after[U]) - place[:3], going[:3], STEP, drifts[0])
        - lasts
    )
    assert_allclose(force[:3], follow.body.mass * acceleration, rtol=1e-9, atol=1e-9)

    there = path.orientation_at(after[TURN_U])
    turned = pull.at_speed_factor(speed_factors[1]).acceleration(
        rotation_vector_between(place[3:], there), spin, STEP, drifts[1]
    )
    turned = turned - after[ANGULAR_DISTURBANCE : ANGULAR_DISTURBANCE + 3]
    assert_allclose(
        after[ANGULAR_ACCEL_CMD : ANGULAR_ACCEL_CMD + 3], turned, rtol=5e-3, atol=0.05
    )  # facings are read from a table
    axes = np.stack([quaternion.rotate(place[3:], axis) for axis in np.eye(3)], axis=1)
    in_world = axes @ np.diag(inertia) @ axes.T
    assert_allclose(
        force[3:], torque(in_world, after[ANGULAR_ACCEL_CMD : ANGULAR_ACCEL_CMD + 3], spin), rtol=1e-9, atol=1e-9
    )


@given(st.integers(0, 10_000), st.booleans())
@settings(max_examples=60, deadline=None)
def test_turn_target_kernel_equals_the_reference(seed, closed):
    rng = np.random.default_rng(seed)
    follow = Follow(random_path(rng, turns=True, closed=closed), Body(Sphere(0.3)), within=0.4)
    arrays = FollowerArrays.of({"a": follow}, [0], 0.0)
    _, _, begin, count = arrays.segment_ranges[0]
    about = arrays.orientation_samples, begin, count, closed
    v, within, most = rng.uniform(0, (count - 1) * 0.9), rng.uniform(0.05, 0.6), rng.uniform(0.01, 0.5)

    def facing_at(v):
        return np.array(turning_kernels.orientation_at(*about, v))

    facing = facing_at(v - rng.uniform(0, 0.2) * 64 if v > 20 else v)
    off = Orientation.turned(rng.uniform(-20, 20), "x").wxyz
    q = quaternion.multiply(off, facing)

    def away(v):
        return np.linalg.norm(rotation_vector_between(q, facing_at(v)))

    def pace(v):
        return float(quaternion.angle_between(facing_at(v), facing_at(v + 1e-3))) / 1e-3

    hold = rng.uniform(v, count - 1) if seed % 3 == 0 else NO_STOP
    last = hold if closed else min(hold, count - 1.0)
    found = turning_kernels.advance_turn_target(*about, v, hold, within, most, q)
    # The definition marches by 1/64 of what it is told is a segment: here a tabled facing.
    wanted = advance_target(v, last, within, most, away, lambda v: 0.0, pace)
    assert_allclose(found, wanted, atol=0.02 * max(1.0, most / pace(v)))


@pytest.mark.parametrize("angle", [1.0, 90.0, 170.0, 179.9])
def test_rotation_vector_takes_the_shorter_direction_up_to_nearly_half_a_turn(angle):
    here, there = Orientation.turned(30, "x").wxyz, (Orientation.turned(angle, "y") @ Orientation.turned(30, "x")).wxyz
    assert_allclose(np.degrees(rotation_vector_between(here, there)), (0, angle, 0), atol=1e-9)
    assert_allclose(np.degrees(rotation_vector_between(here, -there)), (0, angle, 0), atol=1e-9)


def test_constant_disturbance_is_estimated_and_limited_at_a_wall():
    known, velocity = np.zeros(3), np.zeros(3)
    for _ in range(1000):
        known = filter_disturbance(
            known, velocity, velocity + np.array([0, -9.81 * STEP, 0]), np.zeros(3), STEP, 0.1, 50.0
        )
    assert_allclose(known, (0, -9.81, 0), rtol=1e-6)
    for _ in range(5000):
        known = filter_disturbance(known, velocity, velocity, np.array([400.0, 0, 0]), STEP, 0.1, 50.0)
    assert_allclose(np.linalg.norm(known), 50.0)


@given(st.integers(0, 10_000))
@settings(max_examples=30, deadline=None)
def test_angular_disturbance_is_limited_by_twice_the_payload(seed):
    rng = np.random.default_rng(seed)
    follow, load = Follow(random_path(rng, turns=True), BRICK, within=0.4), np.array([[rng.uniform(0, 300), 1.0]])
    arrays, force = FollowerArrays.of({"a": follow}, [0], 9.81), np.zeros((1, 6))
    state = arrays.initial_state()
    state[0, [IS_NEW, ANGULAR_ACCEL_CMD]] = 0.0, 1e9
    blocked = np.concatenate([follow.path.at(0.0), quaternion.normalize(rng.normal(size=4))])[None], np.zeros((1, 6))
    body = np.ones(1), np.ones((1, 3)), np.array([[1.0, 0, 0, 0]]), load
    kernels.step_followers(*arrays.arrays, *blocked, *body, STEP, state, force)
    assert_allclose(
        np.linalg.norm(state[0, ANGULAR_DISTURBANCE : ANGULAR_DISTURBANCE + 3]), 100 * np.radians(10) + 2 * load[0, 0]
    )


def test_disturbance_filter_is_slower_for_larger_effective_inertia():
    follow = Follow(random_path(np.random.default_rng(0), turns=True), BRICK, within=0.4)
    place, state = (
        np.array([*follow.path.at(0.0), 1.0, 0, 0, 0]),
        FollowerArrays.of({"a": follow}, [0], 0.0).initial_state(),
    )
    state[0, [IS_NEW, ANGULAR_ACCEL_CMD]] = 0.0, 1.0
    for harder in (1.0, 2.0, 9.0):
        load = np.array([[0.0, harder]])
        _, after = step_follower(follow, place, np.zeros(6), np.ones(3), state, load=load)
        over = max(follow.correction, min_filter_time(harder, 100.0))
        defined = filter_disturbance(
            np.zeros(3), np.zeros(3), np.zeros(3), state[0, ANGULAR_ACCEL_CMD : ANGULAR_ACCEL_CMD + 3], STEP, over, 1.0
        )
        assert_allclose(after[ANGULAR_DISTURBANCE : ANGULAR_DISTURBANCE + 3], defined)


SKEW = np.array([1.0, 2.0, -1.0]) / np.sqrt(6)


def spin_change(sign):
    """How the spin of a brick in a simulation changes [rad/s], which nothing is to turn, and its last term so."""
    engine, spin = Engine([BodySpec("brick", BRICK, (0, 0, 0), (1, 0, 0, 0))], (0, 0, 0), STEP), 3.0 * SKEW
    engine.set_pose(0, np.zeros(3), np.array([1.0, 0, 0, 0]), np.zeros(3), spin)
    engine.forward()
    change = 0.0
    for _ in range(1000):
        facing, now = engine.poses[0, 3:], quaternion.rotate(engine.poses[0, 3:], engine.velocities[0, 3:])
        change = max(change, np.linalg.norm(now - spin))
        turning_kernels.set_torque(
            facing, engine.inertia_axes[0], engine.inertia[0], (0.0, 0.0, 0.0), tuple(now), engine.forces[0]
        )
        engine.forces[0, 3:] *= sign
        engine.step()
        engine.forward()
    return change


def test_spinning_brick_without_commanded_torque_keeps_its_spin():
    assert spin_change(+1) < 1e-9
    assert spin_change(-1) > spin_change(0) > 1.0, "left out it tumbles, and subtracted more so"


def test_brick_following_a_rotation_about_a_skew_axis_does_not_wobble():
    keys = [Key((0, 0, 0), orientation=Orientation.turned(angle, SKEW)) for angle in (0, 170)]
    stage = Stage([Actor("brick", Follow(MotionPath(keys), BRICK, within=0.4, turn_within=60))])
    turned = np.degrees(quaternion.log(shoot(stage, 3.0, fps=100)["brick"].orientation))
    along = turned @ SKEW
    assert np.diff(along).max() * 100 > 200, "degrees in a second: fast enough to tumble"
    assert np.linalg.norm(turned - along[:, None] * SKEW, axis=1).max() < 1e-6
    assert_allclose(along[-1], 170, atol=1e-3)


@pytest.mark.parametrize("angle", [0.0, 1e-7, 1e-3, 1.0, 90.0, 179.0])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_poses_between_ticks_are_interpolated_linearly_and_by_slerp(angle, sign):
    here, there = Orientation.turned(30, "x").wxyz, (Orientation.turned(angle, "y") @ Orientation.turned(30, "x")).wxyz
    before, after = np.array([[0.0, 1, 2, *here]]), np.array([[1.0, 1, 0, *(sign * there)]])
    found = interpolate_poses(before, after, 0.3)
    assert_allclose(found[0, :3], (0.3, 1, 1.4))
    assert_allclose(found[:, 3:], quaternion.slerp(here[None], there[None], np.array([0.3])), atol=1e-12)
