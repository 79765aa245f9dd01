"""Chains of free bodies: joints hold them, however hard they are hit, and do not throw what falls on them."""

import numpy as np
import pytest

from keypose import Actor, Ball, Body, Box, Figure, Free, Hinge, Link, Orientation, Pin, Run, Sphere, Stage, shoot
from keypose.maths import quaternion

DOWN = (0, -9.81, 0)
LONG, THICK, DEEP = 0.4, 0.04, 0.4  # [m]: of a plank
HEIGHT, WEIGHT = 2.5, 5.0  # [m], [kg]: where a ball begins to fall, and how heavy it is
JOINTS = pytest.mark.parametrize("joint", [Hinge, Ball, Pin])


def chain(count, joint=Hinge, mass=1.0, tilt=0.0, is_open=False, with_ball=True):
    """Planks along x, down to the middle and up again by `tilt` degrees, between two places; or from one of them."""
    plank, angles = Body(Box((0.96 * LONG, THICK, DEEP)), mass), np.full(count, -tilt)
    angles[count // 2 :] = tilt
    steps = LONG * np.array([(np.cos(np.radians(a)), np.sin(np.radians(a)), 0) for a in angles])
    ends = np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)]) - (count * LONG / 2, 0, 0)
    actors = [
        Actor(f"{n}", Free(plank, tuple((ends[n] + ends[n + 1]) / 2), orientation=Orientation.turned(angles[n], "z")))
        for n in range(count)
    ]
    pairs = [(f"{n}", None if n == 0 else f"{n - 1}", ends[n]) for n in range(count)]
    pairs += [] if is_open else [(f"{count - 1}", None, ends[count])]
    connections = [joint(one, two, **({} if joint is Pin else {"at": tuple(anchor)})) for one, two, anchor in pairs]
    if with_ball:
        actors.append(Actor("ball", Free(Body(Sphere(0.2), WEIGHT), (0.1, HEIGHT, 0))))
    return Stage(actors, connections=connections, gravity=DOWN)


def energy(stage, take):
    """What everybody has by its height, and by its motion, between two frames each (2, n) [J]."""
    energies, step = np.zeros((2, len(take.times) - 1)), np.diff(take.times)
    for actor in stage.actors:
        body, poses = actor.mover.body, take[actor.name]
        x, y, z = body.shape.size if isinstance(body.shape, Box) else [body.shape.radius * np.sqrt(2.4)] * 3
        inertia = body.mass / 12 * np.array([y * y + z * z, z * z + x * x, x * x + y * y])
        rotation = quaternion.multiply(quaternion.conjugate(poses.orientation[:-1]), poses.orientation[1:])
        angular_velocity = quaternion.log(rotation * np.sign(rotation[:, :1])) / step[:, None]
        speed = np.diff(poses.position, axis=0) / step[:, None]
        height = (poses.position[1:, 1] + poses.position[:-1, 1]) / 2
        energies[0] += 9.81 * body.mass * height
        energies[1] += (body.mass * (speed**2).sum(axis=1) + (inertia * angular_velocity**2).sum(axis=1)) / 2
    return energies


def relative_energy_gain(stage, seconds):
    """How much more energy there is at some time than at first, as a share of that of its motion at most."""
    potential, kinetic = energy(stage, shoot(stage, seconds, 500))
    total = potential + kinetic
    return (total.max() - total[0]) / kinetic.max()


@pytest.mark.parametrize("mass", [0.1, 1.0, 5.0])
@JOINTS
def test_a_taut_bridge_does_not_throw_a_ball_higher_than_it_fell(joint, mass):
    stage = chain(10, joint, mass)
    take = shoot(stage, 8, 100)
    assert take["ball"].position[80:, 1].max() < 0.8 * HEIGHT
    assert all(np.ptp(take[f"{n}"].position[:, 1]) < 2 for n in range(10))


@JOINTS
@pytest.mark.parametrize("tilt", [0.0, 15.0])
def test_struck_bridge_gains_no_energy(joint, tilt):
    assert relative_energy_gain(chain(12, joint, tilt=tilt), 3) < 0.01


@pytest.mark.parametrize("count", [2, 5, 10, 30])
@pytest.mark.parametrize("joint", [Hinge, Ball])
def test_chain_swinging_from_one_end_gains_no_energy(joint, count):
    assert relative_energy_gain(chain(count, joint, is_open=True, with_ball=False), 6) < 0.01


def test_pinned_planks_bend_by_some_millimetres_under_their_weight():
    take = shoot(chain(10, Pin, with_ball=False), 4, 50)
    assert 0.001 < -take["5"].position[-1, 1] < 0.015


def positions_at(run, time):
    """Where everybody is at a time [s]."""
    while run.time < time:
        run.tick()
    return np.array([pose.position for pose in run.poses.values()])


def test_rewind_of_a_struck_bridge_is_bitwise_identical():
    run = Run(chain(6))
    positions, snapshot = positions_at(run, 0.75), run.snapshot()  # it was struck at 0.69 s, and steps are halved
    later_positions = positions_at(run, 1.0)
    run.rewind(snapshot)
    assert (positions_at(run, 0.75) == positions).all()
    assert (positions_at(run, 1.0) == later_positions).all()
    run.rewind(0.3)
    assert (positions_at(run, 1.0) == later_positions).all()


def test_cut_bridge_hangs_down_from_both_ends():
    run = Run(chain(6, with_ball=False))
    before, connections = positions_at(run, 0.5), run.stage.connections
    run.change(connections=connections[:3] + connections[4:])
    assert np.abs(positions_at(run, 0.502) - before).max() < 0.01
    positions = dict(zip(run.poses, positions_at(run, 1.2), strict=True))
    assert np.linalg.norm(positions["2"] - positions["3"]) > 2 * LONG
    for name, side in (("0", -3), ("5", 3)):
        assert np.linalg.norm(positions[name] - (side * LONG, 0, 0)) == pytest.approx(LONG / 2, abs=0.005)


# ---- as figures ------------------------------------------------------------------------------------------------------


def loop_bridge(count, slack, damping):
    """A figure of planks between two places of its root, longer than what is between by so much, and a ball on it."""
    half, slope_angle = count // 2, np.degrees(np.arccos(1 / slack))
    angles = np.where(np.arange(count) < half, -slope_angle, slope_angle)
    steps = LONG * np.stack([np.cos(np.radians(angles)), np.sin(np.radians(angles)), np.zeros(count)], axis=1)
    ends = np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)]) - (count * LONG / slack / 2, 3, 0)
    plank = Body(Box((0.9 * LONG, THICK, DEEP)), 0.3)
    joints = [
        Hinge(
            Link(f"{n}", plank, tuple((ends[n] + ends[n + 1]) / 2), Orientation.turned(angles[n], "z")),
            f"{n - 1}" if n else None,
            at=tuple(ends[n]),
            damping=damping,
        )
        for n in range(count)
    ]
    joints.append(Hinge(f"{count - 1}", at=tuple(ends[-1])))
    figure = Figure(Body(Box(0.1)), joints, held=True)
    impact_speed = float(np.sqrt(2 * 9.81 * HEIGHT))
    ball = Free(Body(Sphere(0.2), WEIGHT), (0.05, float(ends[half, 1]) + 0.3, 0), (0, -impact_speed, 0))
    return Stage([Actor("bridge", figure), Actor("ball", ball)], gravity=DOWN), float(ends[half, 1]) + 0.3


@pytest.mark.parametrize("damping", [0.0, 0.02])
@pytest.mark.parametrize(("count", "slack"), [(4, 1.05), (10, 1.02), (10, 1.1), (20, 1.1)])
def test_bridge_closed_by_a_loop_joint_holds_and_does_not_amplify_a_bounce(count, slack, damping):
    stage, height = loop_bridge(count, slack, damping)
    take = shoot(stage, 4, 100)
    assert take["ball"].position[:, 1].max() < height + 0.6 * HEIGHT
    positions, orientations = take[f"bridge/{count - 1}"].position, take[f"bridge/{count - 1}"].orientation
    end_positions = positions + quaternion.rotate(orientations, np.array((LONG / 2, 0, 0)))
    assert np.linalg.norm(end_positions - end_positions[0], axis=1).max() < 0.05
