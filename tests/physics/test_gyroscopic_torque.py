"""What spins freely and is not alike about all axes tumbles, and neither gains nor loses by it."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import Actor, Body, Box, Capsule, Follow, Free, MotionPath, Stage, shoot
from keypose.maths import quaternion
from keypose.physics.engine.kernels import set_gyroscopic_torques
from keypose.physics.following.force_law import midpoint_gyroscopic_torque

SIZE = np.array([0.2, 0.4, 0.8])
INERTIA = (np.sum(SIZE**2) - SIZE**2) / 12
BRICK = Body(Box(tuple(SIZE)), 1.0)
FPS = 500  # a frame for each step


def energy_and_momentum(take, inertia=INERTIA):
    """Of a body in a take that shows every step: energy [J] and the size of its angular momentum."""
    q = take["brick"].orientation
    spin = quaternion.log(quaternion.multiply(q[1:], quaternion.conjugate(q[:-1]))) * FPS
    own = quaternion.rotate(quaternion.conjugate(q[:-1]), spin)
    return (inertia * own**2).sum(axis=1) / 2, np.linalg.norm(inertia * own, axis=1)


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
    after = round(FPS * max(event.time for event in take.events)) + 10
    assert energy[after] > 1e-4
    assert_allclose(energy[after:], energy[after], rtol=1e-6)
    assert_allclose(momentum[after:], momentum[after], rtol=1e-6)


def test_midpoint_gyroscopic_torque_conserves_energy_where_explicit_does_not():
    step, spin = 0.002, np.array([3.0, 20.0, -4.0])

    def after(torque):
        return spin + step * (torque - np.cross(spin, INERTIA * spin)) / INERTIA

    kept, begun = after(midpoint_gyroscopic_torque(INERTIA, spin, step)), after(np.zeros(3))
    energy = [(INERTIA * one**2).sum() for one in (spin, kept, begun)]
    assert energy[1] == pytest.approx(energy[0], rel=1e-12)
    assert energy[2] > energy[0] * (1 + 1e-6)


def test_gyroscopic_torque_kernel_equals_the_reference():
    rng = np.random.default_rng(4)
    rows, count = np.array([0, 2, 3]), 5
    place = np.concatenate([rng.normal(size=(count, 3)), quaternion.normalize(rng.normal(size=(count, 4)))], axis=1)
    going, inertia = 9 * rng.normal(size=(count, 6)), rng.uniform(0.1, 0.2, (count, 3))
    axes, force = quaternion.normalize(rng.normal(size=(count, 4))), np.full((count, 6), 7.0)
    set_gyroscopic_torques(rows, place, going, inertia, axes, 0.002, force)
    for row in range(count):
        own = quaternion.rotate(quaternion.conjugate(axes[row]), going[row, 3:])
        turned = quaternion.rotate(axes[row], midpoint_gyroscopic_torque(inertia[row], own, 0.002))
        expected = quaternion.rotate(place[row, 3:], turned) if row in rows else np.full(3, 7.0)
        assert_allclose(force[row, 3:], expected, atol=1e-12)
        assert_allclose(force[row, :3], 7.0)
