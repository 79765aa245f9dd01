"""Joints do what they say in newton metres and degrees: they give way, are slowed, stop, and lift what they can."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import Actor, Ball, Body, Box, Capsule, Figure, Free, Hinge, Link, MotionPath, Reach, Sphere, Stage, shoot
from tests.physics.arms import DOWN, LYING

LONG, WEIGHT = 0.3, 9.81  # [m], [N]: of a rod that sticks out along x
WAYS = {"down": DOWN, "aside": (0, 0, -9.81), "between": (0, -9.81 * np.sqrt(0.5), 9.81 * np.sqrt(0.5))}
JOINTS = pytest.mark.parametrize("joint", [Hinge, Ball])


def rod(joint, gravity=DOWN, seconds=3.0, helped=None, mass=1.0, fps=100, **said):
    """Where the middle of a rod is that hangs by a joint, every hundredth of a second; if helped, it is led."""
    link = Link("rod", Body(Capsule(0.03, 0.4), mass), (LONG, 0, 0), LYING)
    figure = Figure(Body(Box(0.05)), [joint(link, at=(0, 0, 0), **said)], held=True)
    here = MotionPath([(LONG, 0, 0), (LONG, 0, 1e-9)])
    reach = [] if helped is None else [Reach("it/rod", here, within=0.1, help=helped)]
    return shoot(Stage([Actor("it", figure)], gravity=gravity, connections=reach), seconds, fps)["it/rod"].position


def bent(positions):
    """How far it is turned from rest [rad]."""
    return np.arccos(np.clip(positions[:, 0] / LONG, -1, 1))


@JOINTS
def test_stiffness_holds_a_joint_where_it_balances_the_weight(joint):
    angle = bent(rod(joint, stiffness=20.0, damping=0.5))[-1]
    assert_allclose(20.0 * angle, WEIGHT * LONG * np.cos(angle), rtol=1e-3)


@JOINTS
@pytest.mark.parametrize("mass", [0.01, 0.4, 10.0])
@pytest.mark.parametrize("stiffness", [1e-2, 1.0, 1e2, 5e3, 1e5, 1e7])
def test_no_joint_is_too_stiff_for_what_hangs_on_it(joint, mass, stiffness):
    positions = rod(joint, seconds=1.0, mass=mass, stiffness=stiffness)
    assert_allclose(np.linalg.norm(positions, axis=1), LONG, rtol=1e-3)
    sunk = WEIGHT * mass * LONG / stiffness
    if sunk < 1e-3:  # or it still swings
        assert bent(positions).max() < 2.2 * sunk + 1e-7
        assert_allclose(-positions[-50:, 1].mean() / LONG, sunk, rtol=0.05)


@JOINTS
def test_a_chain_of_very_stiff_joints_stands_out_as_one(joint):
    body, joints = Body(Capsule(0.03, 0.4), 0.4), []
    for n in range(8):
        link = Link(f"{n}", body, (0.6 * n + LONG, 0, 0), LYING)
        joints.append(joint(link, f"{n - 1}" if n else None, at=(0.6 * n, 0, 0), stiffness=1e6))
    take = shoot(Stage([Actor("it", Figure(Body(Box(0.05)), joints, held=True))], gravity=DOWN), 2)
    assert np.abs(take["it/7"].position - (0.6 * 7 + LONG, 0, 0)).max() < 0.01


@pytest.mark.parametrize("stiffness", [50.0, 500.0, 2000.0, 5000.0])
def test_a_stiff_joint_swings_as_fast_as_it_says(stiffness):
    heights = rod(Hinge, (0, -0.1, 0), 1.0, fps=500, stiffness=stiffness)[:, 1]
    heights = heights - (heights.max() + heights.min()) / 2 if stiffness < 1000 else heights - heights[-250:].mean()
    rises = np.flatnonzero((heights[:-1] < 0) & (heights[1:] >= 0))
    rises = rises + heights[rises] / (heights[rises] - heights[rises + 1])
    half, length, radius = 0.4 / 2, 0.4, 0.03
    cylinder, caps = np.array([length, 4 / 3 * radius]) / (length + 4 / 3 * radius)
    own = cylinder * (length**2 / 12 + radius**2 / 4)
    own += caps * (2 / 5 * radius**2 + half**2 + 3 / 4 * half * radius)
    assert_allclose(np.diff(rises).mean() / 500, 2 * np.pi * np.sqrt((own + LONG**2) / stiffness), rtol=0.01)


@JOINTS
@pytest.mark.parametrize("damping", [1e3, 1e9])
def test_no_joint_is_slowed_too_much(joint, damping):
    assert bent(rod(joint, seconds=1.0, mass=0.01, damping=damping)).max() < 1e-4


@JOINTS
def test_damping_lets_a_joint_sink_as_fast_as_it_says(joint):
    angle = bent(rod(joint, seconds=0.5, damping=50.0))
    assert_allclose((angle[-1] - angle[-26]) / 0.25, WEIGHT * LONG / 50.0, rtol=1e-3)


@pytest.mark.parametrize("way", WAYS)
def test_a_ball_joint_stops_at_its_limit_whichever_way_it_is_turned(way):
    positions = rod(Ball, WAYS[way], limit=30.0)
    angle = np.degrees(bent(positions))
    assert 30 < angle[-1] < 33, "a limit gives way a little"
    assert angle.max() < 45, "and a little more where it is hit"
    assert_allclose(positions[-1, 1:] / np.sin(bent(positions)[-1]) / LONG, np.array(WAYS[way])[1:] / 9.81, atol=1e-6)
    assert np.degrees(bent(rod(Ball, WAYS[way])).max()) > 90, "without one it falls through"


@pytest.mark.parametrize("way", WAYS)
def test_a_ball_joint_lifts_with_its_strength_about_each_axis_and_no_more(way):
    holds, sinks = (bent(rod(Ball, WAYS[way], 1.0, helped=0, strength=strength))[-1] for strength in (4.5, 1.0))
    assert np.degrees(holds) < 0.5
    assert np.degrees(sinks) > 45


def pushed(helped, mass=2.0):
    """With how much force [N] something free is led along x, in each step."""
    way = MotionPath([(1, 0, 0), (3, 0, 0)])
    stage = Stage(
        [Actor("it", Free(Body(Sphere(0.1), mass), (0, 0, 0)))], connections=[Reach("it", way, within=0.4, help=helped)]
    )
    return np.diff(shoot(stage, 0.3, fps=500)["it"].position[:, 0], 2) * 500**2 * mass


def test_help_is_so_many_newtons_at_most_and_less_where_less_is_asked_for():
    assert np.abs(pushed(0)).max() == 0
    assert_allclose(pushed(5), 5, rtol=1e-9)
    much = pushed(50)
    assert_allclose(much[:5], 50, rtol=1e-9)
    assert 0 < np.abs(much).min() < np.abs(much).max() < 50 + 1e-6
    assert pushed(None).max() > 150


@pytest.mark.parametrize(("helped", "holds"), [(0, False), (2.0, False), (5.0, True)])
def test_help_lifts_what_muscles_are_too_weak_for(helped, holds):
    angle = np.degrees(bent(rod(Ball, seconds=1.0, helped=helped, strength=2.0))[-1])  # of the 2.9 N m that it weighs
    assert (angle < 0.5) == holds
