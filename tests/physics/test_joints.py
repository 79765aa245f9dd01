"""Joints do what they say in newton metres and degrees: they give way, are slowed, stop, and lift what they can."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import Actor, Ball, Body, Box, Capsule, Figure, Free, Hinge, Link, MotionPath, Reach, Sphere, Stage, shoot
from tests.physics.arms import DOWN, LYING

ROD_OFFSET, WEIGHT = 0.3, 9.81  # [m], [N]: of a rod that sticks out along x
GRAVITIES = {"down": DOWN, "aside": (0, 0, -9.81), "between": (0, -9.81 * np.sqrt(0.5), 9.81 * np.sqrt(0.5))}
JOINTS = pytest.mark.parametrize("joint", [Hinge, Ball])


def rod_positions(joint, gravity=DOWN, seconds=3.0, assist_force=None, mass=1.0, fps=100, **options):
    """Where the middle of a rod is that hangs by a joint, every hundredth of a second; if helped, it is led."""
    link = Link("rod", Body(Capsule(0.03, 0.4), mass), (ROD_OFFSET, 0, 0), LYING)
    figure = Figure(Body(Box(0.05)), [joint(link, at=(0, 0, 0), **options)], held=True)
    path = MotionPath([(ROD_OFFSET, 0, 0), (ROD_OFFSET, 0, 1e-9)])
    reaches = [] if assist_force is None else [Reach("it/rod", path, within=0.1, help=assist_force)]
    return shoot(Stage([Actor("it", figure)], gravity=gravity, connections=reaches), seconds, fps)["it/rod"].position


def rod_angles(positions):
    """How far it is turned from rest [rad]."""
    return np.arccos(np.clip(positions[:, 0] / ROD_OFFSET, -1, 1))


@JOINTS
def test_joint_rests_where_stiffness_balances_weight(joint):
    angle = rod_angles(rod_positions(joint, stiffness=20.0, damping=0.5))[-1]
    assert_allclose(20.0 * angle, WEIGHT * ROD_OFFSET * np.cos(angle), rtol=1e-3)


@JOINTS
@pytest.mark.parametrize("mass", [0.01, 0.4, 10.0])
@pytest.mark.parametrize("stiffness", [1e-2, 1.0, 1e2, 5e3, 1e5, 1e7])
def test_joint_of_any_stiffness_is_stable_for_any_mass(joint, mass, stiffness):
    positions = rod_positions(joint, seconds=1.0, mass=mass, stiffness=stiffness)
    assert_allclose(np.linalg.norm(positions, axis=1), ROD_OFFSET, rtol=1e-3)
    expected_angle = WEIGHT * mass * ROD_OFFSET / stiffness
    if expected_angle < 1e-3:  # or it still swings
        assert rod_angles(positions).max() < 2.2 * expected_angle + 1e-7
        assert_allclose(-positions[-50:, 1].mean() / ROD_OFFSET, expected_angle, rtol=0.05)


@JOINTS
def test_chain_of_very_stiff_joints_stays_straight(joint):
    body, joints = Body(Capsule(0.03, 0.4), 0.4), []
    for n in range(8):
        link = Link(f"{n}", body, (0.6 * n + ROD_OFFSET, 0, 0), LYING)
        joints.append(joint(link, f"{n - 1}" if n else None, at=(0.6 * n, 0, 0), stiffness=1e6))
    take = shoot(Stage([Actor("it", Figure(Body(Box(0.05)), joints, held=True))], gravity=DOWN), 2)
    assert np.abs(take["it/7"].position - (0.6 * 7 + ROD_OFFSET, 0, 0)).max() < 0.01


@pytest.mark.parametrize("stiffness", [50.0, 500.0, 2000.0, 5000.0])
def test_stiff_joint_has_the_period_of_its_stiffness_and_inertia(stiffness):
    heights = rod_positions(Hinge, (0, -0.1, 0), 1.0, fps=500, stiffness=stiffness)[:, 1]
    heights = heights - (heights.max() + heights.min()) / 2 if stiffness < 1000 else heights - heights[-250:].mean()
    crossings = np.flatnonzero((heights[:-1] < 0) & (heights[1:] >= 0))
    crossings = crossings + heights[crossings] / (heights[crossings] - heights[crossings + 1])
    half_length, length, radius = 0.4 / 2, 0.4, 0.03
    cylinder, caps = np.array([length, 4 / 3 * radius]) / (length + 4 / 3 * radius)
    rod_inertia = cylinder * (length**2 / 12 + radius**2 / 4)
    rod_inertia += caps * (2 / 5 * radius**2 + half_length**2 + 3 / 4 * half_length * radius)
    assert_allclose(
        np.diff(crossings).mean() / 500, 2 * np.pi * np.sqrt((rod_inertia + ROD_OFFSET**2) / stiffness), rtol=0.01
    )


@JOINTS
@pytest.mark.parametrize("damping", [1e3, 1e9])
def test_joint_of_very_high_damping_is_stable(joint, damping):
    assert rod_angles(rod_positions(joint, seconds=1.0, mass=0.01, damping=damping)).max() < 1e-4


@JOINTS
def test_damped_joint_sinks_at_torque_over_damping(joint):
    angle = rod_angles(rod_positions(joint, seconds=0.5, damping=50.0))
    assert_allclose((angle[-1] - angle[-26]) / 0.25, WEIGHT * ROD_OFFSET / 50.0, rtol=1e-3)


@pytest.mark.parametrize("direction", GRAVITIES)
def test_ball_joint_stops_at_its_limit_in_every_direction(direction):
    positions = rod_positions(Ball, GRAVITIES[direction], limit=30.0)
    angle = np.degrees(rod_angles(positions))
    assert 30 < angle[-1] < 33, "a limit gives way a little"
    assert angle.max() < 45, "and a little more where it is hit"
    assert_allclose(
        positions[-1, 1:] / np.sin(rod_angles(positions)[-1]) / ROD_OFFSET,
        np.array(GRAVITIES[direction])[1:] / 9.81,
        atol=1e-6,
    )
    assert np.degrees(rod_angles(rod_positions(Ball, GRAVITIES[direction])).max()) > 90, "without one it falls through"


@pytest.mark.parametrize("direction", GRAVITIES)
def test_ball_joint_torque_is_limited_by_its_strength_about_each_axis(direction):
    strong_angle, weak_angle = (
        rod_angles(rod_positions(Ball, GRAVITIES[direction], 1.0, assist_force=0, strength=strength))[-1]
        for strength in (4.5, 1.0)
    )
    assert np.degrees(strong_angle) < 0.5
    assert np.degrees(weak_angle) > 45


def assist_forces(limit, mass=2.0):
    """With how much force [N] something free is led along x, in each step."""
    path = MotionPath([(1, 0, 0), (3, 0, 0)])
    stage = Stage(
        [Actor("it", Free(Body(Sphere(0.1), mass), (0, 0, 0)))],
        connections=[Reach("it", path, within=0.4, help=limit)],
    )
    return np.diff(shoot(stage, 0.3, fps=500)["it"].position[:, 0], 2) * 500**2 * mass


def test_assist_force_is_limited_and_no_larger_than_needed():
    assert np.abs(assist_forces(0)).max() == 0
    assert_allclose(assist_forces(5), 5, rtol=1e-9)
    forces = assist_forces(50)
    assert_allclose(forces[:5], 50, rtol=1e-9)
    assert 0 < np.abs(forces).min() < np.abs(forces).max() < 50 + 1e-6
    assert assist_forces(None).max() > 150


@pytest.mark.parametrize(("assist_force", "holds"), [(0, False), (2.0, False), (5.0, True)])
def test_assist_force_supplements_insufficient_joint_strength(assist_force, holds):
    angle = np.degrees(
        rod_angles(rod_positions(Ball, seconds=1.0, assist_force=assist_force, strength=2.0))[-1]
    )  # of the 2.9 N m that it weighs
    assert (angle < 0.5) == holds
