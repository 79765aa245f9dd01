"""What spins freely and is not alike about all axes tumbles, and neither gains nor loses by it."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import Actor, Body, Box, Capsule, Follow, Free, MotionPath, Stage, shoot
from keypose.maths import quaternion
from keypose.physics.engine.body_arrays import BodyArrays
from keypose.physics.engine.kernels import set_gyroscopic_torques
from keypose.physics.following.force_law import midpoint_gyroscopic_torque

SIZE = np.array([0.2, 0.4, 0.8])
INERTIA = (np.sum(SIZE**2) - SIZE**2) / 12
BRICK = Body(Box(tuple(SIZE)), 1.0)
FPS = 500  # a frame for each step


def energy_and_momentum(take, inertia=INERTIA):
    """Of a body in a take that shows every step: energy [J] and the size of its angular momentum."""
    orientations = take["brick"].orientation
    angular_velocity = (
        quaternion.log(quaternion.multiply(orientations[1:], quaternion.conjugate(orientations[:-1]))) * FPS
    )
    local_velocity = quaternion.rotate(quaternion.conjugate(orientations[:-1]), angular_velocity)
    return (inertia * local_velocity**2).sum(axis=1) / 2, np.linalg.norm(inertia * local_velocity, axis=1)


@pytest.mark.parametrize("spin", [(0, 360, 20), (2000, 1000, 500), (10_000, 2_000, 0)])
def test_tumbling_body_conserves_energy_and_angular_momentum(spin):
    take = shoot(Stage([Actor("brick", Free(BRICK, (0, 0, 0), spin=spin))]), 8.0, fps=FPS)
    energy, momentum = energy_and_momentum(take)
    assert_allclose(energy, energy[0], rtol=1e-6)
    assert_allclose(momentum, momentum[0], rtol=1e-6)
    assert np.ptp(take["brick"].orientation, axis=0).min() > 0.1  # it does tumble


def test_follower_without_orientations_tumbles_freely():
    path = MotionPath([(0, 0, 0), (1, 0, 0)])
    post = Actor("post", Free(Body(Capsule(0.05, 1.0), 5.0), (0.5, 0.5, 0.2), spin=(0, 0, 200)))
    take = shoot(Stage([Actor("brick", Follow(path, BRICK, within=0.3)), post]), 6.0, fps=FPS)
    assert any(event.actor == "brick" for event in take.events)
    energy, momentum = energy_and_momentum(take)
    start_frame = round(FPS * max(event.time for event in take.events)) + 10
    assert energy[start_frame] > 1e-4
    assert_allclose(energy[start_frame:], energy[start_frame], rtol=1e-6)
    assert_allclose(momentum[start_frame:], momentum[start_frame], rtol=1e-6)


def test_midpoint_gyroscopic_torque_conserves_energy_where_explicit_does_not():
    step, angular_velocity = 0.002, np.array([3.0, 20.0, -4.0])

    def next_velocity(torque):
        return angular_velocity + step * (torque - np.cross(angular_velocity, INERTIA * angular_velocity)) / INERTIA

    implicit, explicit = (
        next_velocity(midpoint_gyroscopic_torque(INERTIA, angular_velocity, step)),
        next_velocity(np.zeros(3)),
    )
    energy = [(INERTIA * velocity**2).sum() for velocity in (angular_velocity, implicit, explicit)]
    assert energy[1] == pytest.approx(energy[0], rel=1e-12)
    assert energy[2] > energy[0] * (1 + 1e-6)


def test_gyroscopic_torque_kernel_equals_the_reference():
    rng = np.random.default_rng(4)
    rows, count = np.array([0, 2, 3]), 5
    poses = np.concatenate([rng.normal(size=(count, 3)), quaternion.normalize(rng.normal(size=(count, 4)))], axis=1)
    velocities, inertia = 9 * rng.normal(size=(count, 6)), rng.uniform(0.1, 0.2, (count, 3))
    axes, forces = quaternion.normalize(rng.normal(size=(count, 4))), np.full((count, 6), 7.0)
    bodies = BodyArrays(poses, velocities, np.ones(count), inertia, axes, np.tile([0.0, 1.0], (count, 1)))
    set_gyroscopic_torques(rows, bodies, 0.002, forces)
    for row in range(count):
        local_velocity = quaternion.rotate(quaternion.conjugate(axes[row]), velocities[row, 3:])
        local_torque = quaternion.rotate(axes[row], midpoint_gyroscopic_torque(inertia[row], local_velocity, 0.002))
        expected = quaternion.rotate(poses[row, 3:], local_torque) if row in rows else np.full(3, 7.0)
        assert_allclose(forces[row, 3:], expected, atol=1e-12)
        assert_allclose(forces[row, :3], 7.0)
