"""Claims about limbs that are led against the springs of their joints."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keypose import (
    Actor,
    Ball,
    Body,
    Box,
    Capsule,
    Figure,
    Free,
    Hinge,
    Key,
    Link,
    MotionPath,
    Orientation,
    Pin,
    Plane,
    Reach,
    Run,
    Sphere,
    Stage,
    Still,
    shoot,
)
from keypose.physics.engine.joint_space import JointSpace
from keypose.physics.engine.joint_torques import compensation_forces, constrained_solver
from tests.physics.arms import DOWN, HAND_PATH, LYING, arm
from tests.physics.replays import check_batch_stepping, check_rewinding

END = np.array((0.4, 0.3, 0.0))
TOP = np.array((0.0, 0.5, 0.0))


def reach_take(figure, *reaches, seconds=5.0):
    return shoot(Stage([Actor("f", figure)], connections=reaches, gravity=DOWN), seconds)


def final_distance(take, name, goal):
    return float(np.linalg.norm(take[name].position[-1] - goal))


def lamp(stiffness, damping=1.0):
    """A lamp that stands up straight from its base, its head at (0, 1, 0)."""
    joint_options = {"stiffness": stiffness, "damping": damping}
    return Figure(
        Body(Box(0.2)),
        [
            Hinge(Link("lower", Body(Capsule(0.03, 0.4), 0.5), (0, 0.25, 0)), at=(0, 0, 0), **joint_options),
            Hinge(Link("upper", Body(Capsule(0.03, 0.4), 0.4), (0, 0.7, 0)), "lower", at=(0, 0.5, 0), **joint_options),
            Ball(Link("head", Body(Sphere(0.08), 0.3), (0, 1, 0)), "upper", at=(0, 0.9, 0), stiffness=stiffness / 6),
        ],
        held=True,
    )


@pytest.mark.parametrize("stiffness", [6.0, 60.0, 600.0])
@pytest.mark.parametrize("options", [{"within": 0.5}, {"within": 0.1}, {"within": 0.1, "speed": 3}], ids=str)
def test_end_effector_reaches_its_goal_for_any_joint_stiffness(stiffness, options):
    path = MotionPath([(0, 1, 0), (0.35, 0.85, 0), (0.6, 0.55, 0)])
    take = reach_take(lamp(stiffness), Reach("f/head", path, **options))
    assert final_distance(take, "f/head", (0.6, 0.55, 0)) < 3e-3
    assert not take.events


@pytest.mark.parametrize("stiffness", [6.0, 60.0, 600.0])
def test_stretched_arm_follows_a_fast_reach(stiffness):
    take = reach_take(arm(stiffness=stiffness, damping=1.0), Reach("f/hand", HAND_PATH, within=0.1, speed=3))
    assert final_distance(take, "f/hand", END) < 3e-3
    assert not take.events


@pytest.mark.parametrize("stiffness", [0.0, 10.0, 40.0, 200.0, 2000.0])
def test_limb_with_unreachable_goal_rests_and_is_reported_once(stiffness):
    path = MotionPath([(0, 1, 0), (0.6, 0.9, 0), (1.1, 0.8, 0)])
    take = reach_take(lamp(stiffness, 0.4), Reach("f/head", path, within=0.05), seconds=10)
    late_positions = take["f/head"].position[take.times > 7]
    assert np.ptp(late_positions, axis=0).max() < 1e-3
    assert len(take.events) == 1


@pytest.mark.parametrize("stiffness", [6.0, 60.0, 300.0])
def test_stiff_joints_do_not_slow_a_hand_down(stiffness):
    path = MotionPath([(0, 1, 0), (0.25, 0.9, 0), (0.45, 0.7, 0), (0.55, 0.5, 0)])
    loose_take, stiff_take = (
        reach_take(lamp(joint_stiffness, 0.1), Reach("f/head", path, within=0.1, speed=0.5), seconds=1.5)
        for joint_stiffness in (0.0, stiffness)
    )
    assert final_distance(stiff_take, "f/head", path.at(0.0)) == pytest.approx(
        final_distance(loose_take, "f/head", path.at(0.0)), rel=0.05
    )


def test_reach_without_correction_is_held_back_by_stiff_joints_and_reported():
    take = reach_take(arm(stiffness=60, damping=1.0), Reach("f/hand", HAND_PATH, within=0.1, correction=None))
    assert final_distance(take, "f/hand", END) > 0.3
    assert "less stiff" in take.events[0].text


def test_hand_reaches_its_goal_orientation_against_a_stiff_wrist():
    figure = Figure(
        Body(Box(0.1)),
        [
            Ball(Link("arm", Body(Capsule(0.04, 0.3)), (0.2, 0, 0), LYING), at=(0, 0, 0), stiffness=80, damping=1),
            Ball(Link("hand", Body(Box(0.12), 0.4), (0.45, 0, 0)), "arm", at=(0.4, 0, 0), stiffness=40, damping=0.5),
        ],
        held=True,
    )
    orientation, (arm_angle, hand_angle) = Orientation.turned(50, "z"), np.radians([15, 50])
    goal = np.array([0.4 * function(arm_angle) + 0.05 * function(hand_angle) for function in (np.cos, np.sin)] + [0.0])
    keys = [Key((0.45, 0, 0), orientation=Orientation(1, 0, 0, 0)), Key(tuple(goal), orientation=orientation)]
    take = reach_take(figure, Reach("f/hand", MotionPath(keys), within=0.1))
    assert final_distance(take, "f/hand", goal) < 3e-3
    assert abs(take["f/hand"].orientation[-1] @ np.array(orientation.wxyz)) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("torso_stiffness", [10.0, 300.0, 5000.0])
@pytest.mark.parametrize("shoulder_stiffness", [5.0, 200.0])
def test_two_hands_on_one_stiff_torso_compensate_it_once(torso_stiffness, shoulder_stiffness):
    arm_options = {"stiffness": shoulder_stiffness, "damping": 0.2}
    figure = Figure(
        Body(Box(0.2), 3.0),
        [
            Hinge(
                Link("torso", Body(Capsule(0.05, 0.4), 4.0), (0, 0.3, 0)),
                at=(0, 0.1, 0),
                stiffness=torso_stiffness,
                damping=0.5,
            ),
            Ball(Link("left", Body(Capsule(0.03, 0.3), 0.6), (-0.2, 0.5, 0), LYING), "torso", at=TOP, **arm_options),
            Ball(Link("right", Body(Capsule(0.03, 0.3), 0.6), (0.2, 0.5, 0), LYING), "torso", at=TOP, **arm_options),
        ],
        held=True,
    )
    left_positions, right_positions = [(-0.2, 0.5, 0), (0.05, 0.35, 0)], [(0.2, 0.5, 0), (0.4, 0.35, 0.1)]
    take = reach_take(
        figure,
        Reach("f/left", MotionPath(left_positions), within=0.1),
        Reach("f/right", MotionPath(right_positions), within=0.1),
    )
    assert final_distance(take, "f/left", left_positions[-1]) < 0.01
    assert final_distance(take, "f/right", right_positions[-1]) < 0.01


def four_bars(stiffness):
    joint_options = {"stiffness": stiffness, "damping": 0.1}
    return Figure(
        Body(Box(0.2), 3.0),
        [
            Hinge(Link("one", Body(Capsule(0.03, 0.3), 0.5), (-0.2, 0.35, 0)), at=(-0.2, 0.15, 0), **joint_options),
            Hinge(Link("two", Body(Capsule(0.03, 0.3), 0.5), (0.2, 0.35, 0)), at=(0.2, 0.15, 0), **joint_options),
            Hinge(
                Link("bar", Body(Capsule(0.03, 0.3), 0.5), (0, 0.55, 0), LYING),
                "one",
                at=(-0.2, 0.55, 0),
                **joint_options,
            ),
            Hinge("bar", "two", at=(0.2, 0.55, 0)),
        ],
        held=True,
    )


BAR_POSITIONS = [(0.4 * np.sin(a), 0.15 + 0.4 * np.cos(a), 0.0) for a in (0.0, 0.35, 0.7)]


@pytest.mark.parametrize("stiffness", [1.0, 20.0, 100.0])
@pytest.mark.parametrize("within", [0.1, 0.4])
def test_loop_of_stiff_joints_reaches_its_goal(stiffness, within):
    take = reach_take(four_bars(stiffness), Reach("f/bar", MotionPath(BAR_POSITIONS), within=within))
    assert final_distance(take, "f/bar", BAR_POSITIONS[-1]) < 3e-3


def test_hand_resting_short_of_its_path_end_is_reported_once():
    take = reach_take(arm(), Reach("f/hand", MotionPath([(0.85, 1, 0), (1.1, 1.2, 0)]), within=0.4), seconds=8)
    (event,) = take.events
    assert event.text.startswith("Rests 0.")
    assert "m short of its goal, and nothing is in its way" in event.text
    assert event.actor == "f/hand"


def test_rewind_and_batch_steps_with_deflected_springs_are_bitwise_identical():
    stage = Stage([Actor("f", arm(stiffness=60))], connections=[Reach("f/hand", HAND_PATH, within=0.1)], gravity=DOWN)
    check_rewinding(Run(stage), 500, 0.4, 0.0)
    check_batch_stepping(stage, 1.0, "f/hand")


# ---- their weight ----------------------------------------------------------------------------------------------------


UP = MotionPath([(0.85, 1, 0), (0.7, 1.3, 0)])


@pytest.mark.parametrize("within", [0.05, 0.1])
@pytest.mark.parametrize("options", [{}, {"strength": 50.0}, {"stiffness": 60.0}], ids=str)
def test_driven_hand_compensates_the_weight_of_its_arm_from_the_first_tick(within, options):
    reach = Reach("f/hand", UP, within=within)
    take = shoot(Stage([Actor("f", arm(damping=0.2, **options))], connections=[reach], gravity=DOWN), 1.0, 100)
    assert take["f/hand"].position[:, 1].min() > 1 - 0.004
    uncorrected = Reach("f/hand", UP, within=within, correction=None)
    take = shoot(Stage([Actor("f", arm(damping=0.2, **options))], connections=[uncorrected], gravity=DOWN), 1.0, 100)
    assert take["f/hand"].position[:, 1].min() < 1 - 0.006


def test_two_hands_holding_one_bar_compensate_its_weight_once():
    bar = Figure(
        Body(Capsule(0.05, 0.8), 4.0),
        [
            Ball(Link("left", Body(Sphere(0.06), 0.2), (0, -0.5, 0)), at=(0, -0.5, 0)),
            Ball(Link("right", Body(Sphere(0.06), 0.2), (0, 0.5, 0)), at=(0, 0.5, 0)),
        ],
        orientation=LYING,
    )
    reaches = [
        Reach(f"f/{side}", MotionPath([(x, 0, 0), (x, 0, 0.3)]), within=0.1)
        for side, x in (("left", 0.5), ("right", -0.5))
    ]
    take = shoot(Stage([Actor("f", bar)], connections=reaches, gravity=DOWN), 2.0, 100)
    assert np.abs(take["f"].position[:, 1]).max() < 0.004


def test_figure_standing_on_the_floor_is_not_lifted_by_weight_compensation():
    figure = Figure(
        Body(Box(0.4), 20.0),
        [Hinge(Link("hand", Body(Sphere(0.06), 0.4), (0.4, 0, 0)), at=(0.2, 0, 0))],
        position=(0, 0.2, 0),
    )
    reach = Reach("f/hand", MotionPath([(0.4, 0.2, 0), (0.4, 0.2001, 0)]), within=0.1)
    floor = Actor("floor", Still(Body(Plane())))
    take = shoot(Stage([floor, Actor("f", figure)], connections=[reach], gravity=DOWN), 1.0, 100)
    assert np.abs(take["f"].position[:, 1] - 0.2).max() < 0.005


# ---- the definition --------------------------------------------------------------------------------------------------


def random_dynamics(seed, rows, dof_count, equality_rows=0):
    rng = np.random.default_rng(seed)
    factor = rng.normal(size=(dof_count, dof_count))
    inertia = factor @ factor.T + 0.1 * np.eye(dof_count)
    inverse_inertia = np.linalg.inv(inertia)
    return (
        rng.normal(size=dof_count),
        rng.normal(size=(rows, dof_count)),
        rng.normal(size=(equality_rows, dof_count)),
        inverse_inertia,
    )


@given(st.integers(0, 10_000), st.integers(1, 4), st.integers(5, 9))
def test_compensation_forces_cancel_spring_acceleration_of_the_end_effector(seed, rows, dof_count):
    spring_forces, jacobian, _, inverse_inertia = random_dynamics(seed, rows, dof_count)
    forces = compensation_forces(spring_forces, jacobian, np.full(rows, 1e9), lambda vector: vector @ inverse_inertia)
    assert np.allclose(jacobian @ inverse_inertia @ (spring_forces + jacobian.T @ forces), 0, atol=1e-7)


@given(st.integers(0, 10_000), st.integers(1, 2), st.integers(6, 9))
def test_compensation_forces_respect_equality_constraints(seed, rows, dof_count):
    spring_forces, jacobian, equalities, inverse_inertia = random_dynamics(seed, rows, dof_count, equality_rows=2)
    solve_constrained = constrained_solver(lambda vector: vector @ inverse_inertia, equalities, np.zeros(2))
    assert np.allclose(solve_constrained(spring_forces[None]) @ equalities.T, 0, atol=1e-7)
    forces = compensation_forces(spring_forces, jacobian, np.full(rows, 1e9), solve_constrained)
    assert np.allclose(jacobian @ solve_constrained((spring_forces + jacobian.T @ forces)[None])[0], 0, atol=1e-6)


def test_compensation_decreases_along_nearly_singular_directions():
    spring_forces, jacobians = np.array([1.0, 0.0]), [np.array([[scale, 0.0]]) for scale in (1.0, 0.3, 0.1, 0.01)]
    joint_torques = [
        jacobian.T @ compensation_forces(spring_forces, jacobian, np.array([5.0]), lambda vector: vector)
        for jacobian in jacobians
    ]
    assert np.allclose([-torque[0] for torque in joint_torques], [1.0, 5 * 0.3**2, 5 * 0.1**2, 5 * 0.01**2])


# ---- what is tied ----------------------------------------------------------------------------------------------------


def bucket_stage(mass, *others, **options):
    """An arm with a bucket of this mass."""
    figure = Figure(
        Body(Box(0.1)),
        [
            Hinge(Link("upper", Body(Capsule(0.04, 0.3)), (0, -0.2, 0)), at=(0, 0, 0), damping=0.2, **options),
            Hinge(Link("hand", Body(Capsule(0.04, 0.2)), (0, -0.55, 0)), "upper", at=(0, -0.4, 0), damping=0.1),
        ],
        position=(0, 2, 0),
        held=True,
    )
    connections = [
        Reach("arm/hand", MotionPath([(0, 1.45, 0), (0.3, 1.6, 0)]), within=0.1),
        Ball("bucket", "arm/hand", at=(0, 1.3, 0)),
    ]
    bucket = Actor("bucket", Free(Body(Box(0.15), mass), (0, 1.15, 0)))
    return Stage([Actor("arm", figure), bucket, *others], connections=connections, gravity=DOWN)


@pytest.mark.parametrize("mass", [0.5, 2.0, 5.0, 10.0])
def test_body_jointed_to_a_hand_is_carried_to_the_path_end(mass):
    take = shoot(bucket_stage(mass), 5.0)
    assert final_distance(take, "arm/hand", (0.3, 1.6, 0)) < 0.01
    assert not [event for event in take.events if event.kind == "warning"]


def test_equality_compliance_equals_that_of_mujoco(monkeypatch):
    samples, equality_jacobian = [], JointSpace.equality_jacobian

    def record_jacobian(joint_space):
        result = equality_jacobian(joint_space)
        samples.append((result[1], joint_space._data.efc_R[: joint_space._data.ne].copy()))
        return result

    monkeypatch.setattr(JointSpace, "equality_jacobian", record_jacobian)
    shoot(bucket_stage(2.0), 0.05)
    shoot(
        Stage([Actor("f", four_bars(20.0))], connections=[Reach("f/bar", MotionPath(BAR_POSITIONS), within=0.1)]), 0.05
    )
    pinned_stage = Stage(
        [Actor("f", arm()), Actor("ball", Free(Body(Sphere(0.1), 2.0), (0.85, 1, 0)))],
        connections=[Reach("f/hand", HAND_PATH, within=0.1), Pin("ball", "f/hand")],
    )
    shoot(pinned_stage, 0.05)
    assert {len(compliance) for compliance, _ in samples} == {3, 6}
    for compliance, mujoco_compliance in samples:
        assert np.allclose(compliance, mujoco_compliance, rtol=1e-9)


def test_distant_soft_body_does_not_change_equality_compliance():
    soft = Actor("soft", Free(Body(Sphere(0.1), stiffness=500), (0, 3, 12)))
    reference, with_soft_body = (shoot(bucket_stage(2.0, *others, stiffness=5.0), 2.0) for others in ((), (soft,)))
    assert np.abs(reference["arm/hand"].position - with_soft_body["arm/hand"].position).max() < 0.02
