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
from keypose.physics.engine.engine import Engine
from keypose.physics.engine.joint_torques import compensation_forces, constrained_solver
from tests.physics.arms import DOWN, LYING, WAY, arm
from tests.physics.replays import check_rewinding, check_striding

END = np.array((0.4, 0.3, 0.0))
TOP = np.array((0.0, 0.5, 0.0))


def led(figure, *reaches, seconds=5.0):
    return shoot(Stage([Actor("f", figure)], connections=reaches, gravity=DOWN), seconds)


def off(take, name, goal):
    return float(np.linalg.norm(take[name].position[-1] - goal))


def lamp(stiffness, damping=1.0):
    """A lamp that stands up straight from its base, its head at (0, 1, 0)."""
    sprung = {"stiffness": stiffness, "damping": damping}
    return Figure(
        Body(Box(0.2)),
        [
            Hinge(Link("lower", Body(Capsule(0.03, 0.4), 0.5), (0, 0.25, 0)), at=(0, 0, 0), **sprung),
            Hinge(Link("upper", Body(Capsule(0.03, 0.4), 0.4), (0, 0.7, 0)), "lower", at=(0, 0.5, 0), **sprung),
            Ball(Link("head", Body(Sphere(0.08), 0.3), (0, 1, 0)), "upper", at=(0, 0.9, 0), stiffness=stiffness / 6),
        ],
        held=True,
    )


@pytest.mark.parametrize("stiffness", [6.0, 60.0, 600.0])
@pytest.mark.parametrize("said", [{"within": 0.5}, {"within": 0.1}, {"within": 0.1, "speed": 3}], ids=str)
def test_what_is_led_comes_to_its_goal_however_stiff_the_joints_are(stiffness, said):
    way = MotionPath([(0, 1, 0), (0.35, 0.85, 0), (0.6, 0.55, 0)])
    take = led(lamp(stiffness), Reach("f/head", way, **said))
    assert off(take, "f/head", (0.6, 0.55, 0)) < 3e-3
    assert not take.events


@pytest.mark.parametrize("stiffness", [6.0, 60.0, 600.0])
def test_an_arm_that_is_stretched_gives_way_to_who_is_eager(stiffness):
    take = led(arm(stiffness=stiffness, damping=1.0), Reach("f/hand", WAY, within=0.1, speed=3))
    assert off(take, "f/hand", END) < 3e-3
    assert not take.events


@pytest.mark.parametrize("stiffness", [0.0, 10.0, 40.0, 200.0, 2000.0])
def test_a_limb_that_is_led_beyond_its_reach_rests_and_is_told_of_once_however_stiff_its_joints_are(stiffness):
    way = MotionPath([(0, 1, 0), (0.6, 0.9, 0), (1.1, 0.8, 0)])
    take = led(lamp(stiffness, 0.4), Reach("f/head", way, within=0.05), seconds=10)
    late = take["f/head"].position[take.times > 7]
    assert np.ptp(late, axis=0).max() < 1e-3
    assert len(take.events) == 1


@pytest.mark.parametrize("stiffness", [6.0, 60.0, 300.0])
def test_stiff_joints_do_not_slow_a_hand_down(stiffness):
    way = MotionPath([(0, 1, 0), (0.25, 0.9, 0), (0.45, 0.7, 0), (0.55, 0.5, 0)])
    loose, stiff = (
        led(lamp(one, 0.1), Reach("f/head", way, within=0.1, speed=0.5), seconds=1.5) for one in (0.0, stiffness)
    )
    assert off(stiff, "f/head", way.at(0.0)) == pytest.approx(off(loose, "f/head", way.at(0.0)), rel=0.05)


def test_who_makes_up_for_nothing_that_lasts_is_held_back_by_stiff_joints_and_told_of():
    take = led(arm(stiffness=60, damping=1.0), Reach("f/hand", WAY, within=0.1, correction=None))
    assert off(take, "f/hand", END) > 0.3
    assert "less stiff" in take.events[0].text


def test_a_hand_turns_as_its_goal_faces_against_a_stiff_wrist():
    bent = Figure(
        Body(Box(0.1)),
        [
            Ball(Link("arm", Body(Capsule(0.04, 0.3)), (0.2, 0, 0), LYING), at=(0, 0, 0), stiffness=80, damping=1),
            Ball(Link("hand", Body(Box(0.12), 0.4), (0.45, 0, 0)), "arm", at=(0.4, 0, 0), stiffness=40, damping=0.5),
        ],
        held=True,
    )
    facing, (arm_turned, hand_turned) = Orientation.turned(50, "z"), np.radians([15, 50])
    goal = np.array([0.4 * f(arm_turned) + 0.05 * f(hand_turned) for f in (np.cos, np.sin)] + [0.0])
    keys = [Key((0.45, 0, 0), orientation=Orientation(1, 0, 0, 0)), Key(tuple(goal), orientation=facing)]
    take = led(bent, Reach("f/hand", MotionPath(keys), within=0.1))
    assert off(take, "f/hand", goal) < 3e-3
    assert abs(take["f/hand"].orientation[-1] @ np.array(facing.wxyz)) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("torso", [10.0, 300.0, 5000.0])
@pytest.mark.parametrize("shoulders", [5.0, 200.0])
def test_two_hands_on_one_stiff_torso_do_not_both_make_up_for_it(torso, shoulders):
    arms = {"stiffness": shoulders, "damping": 0.2}
    figure = Figure(
        Body(Box(0.2), 3.0),
        [
            Hinge(
                Link("torso", Body(Capsule(0.05, 0.4), 4.0), (0, 0.3, 0)), at=(0, 0.1, 0), stiffness=torso, damping=0.5
            ),
            Ball(Link("left", Body(Capsule(0.03, 0.3), 0.6), (-0.2, 0.5, 0), LYING), "torso", at=TOP, **arms),
            Ball(Link("right", Body(Capsule(0.03, 0.3), 0.6), (0.2, 0.5, 0), LYING), "torso", at=TOP, **arms),
        ],
        held=True,
    )
    left, right = [(-0.2, 0.5, 0), (0.05, 0.35, 0)], [(0.2, 0.5, 0), (0.4, 0.35, 0.1)]
    take = led(figure, Reach("f/left", MotionPath(left), within=0.1), Reach("f/right", MotionPath(right), within=0.1))
    assert off(take, "f/left", left[-1]) < 0.01
    assert off(take, "f/right", right[-1]) < 0.01


def four_bars(stiffness):
    sprung = {"stiffness": stiffness, "damping": 0.1}
    return Figure(
        Body(Box(0.2), 3.0),
        [
            Hinge(Link("one", Body(Capsule(0.03, 0.3), 0.5), (-0.2, 0.35, 0)), at=(-0.2, 0.15, 0), **sprung),
            Hinge(Link("two", Body(Capsule(0.03, 0.3), 0.5), (0.2, 0.35, 0)), at=(0.2, 0.15, 0), **sprung),
            Hinge(Link("bar", Body(Capsule(0.03, 0.3), 0.5), (0, 0.55, 0), LYING), "one", at=(-0.2, 0.55, 0), **sprung),
            Hinge("bar", "two", at=(0.2, 0.55, 0)),
        ],
        held=True,
    )


ROUND = [(0.4 * np.sin(a), 0.15 + 0.4 * np.cos(a), 0.0) for a in (0.0, 0.35, 0.7)]


@pytest.mark.parametrize("stiffness", [1.0, 20.0, 100.0])
@pytest.mark.parametrize("within", [0.1, 0.4])
def test_a_ring_of_stiff_joints_is_bent_as_one(stiffness, within):
    take = led(four_bars(stiffness), Reach("f/bar", MotionPath(ROUND), within=within))
    assert off(take, "f/bar", ROUND[-1]) < 3e-3


def test_who_rests_short_of_where_its_path_has_ended_is_told_of_once():
    take = led(arm(), Reach("f/hand", MotionPath([(0.85, 1, 0), (1.1, 1.2, 0)]), within=0.4), seconds=8)
    (event,) = take.events
    assert event.text.startswith("Rests 0.")
    assert "m short of its goal, and nothing is in its way" in event.text
    assert event.actor == "f/hand"


def test_a_run_is_rewound_and_strode_to_the_bit_while_springs_are_bent():
    stage = Stage([Actor("f", arm(stiffness=60))], connections=[Reach("f/hand", WAY, within=0.1)], gravity=DOWN)
    check_rewinding(Run(stage), 500, 0.4, 0.0)
    check_striding(stage, 1.0, "f/hand")


# ---- their weight ----------------------------------------------------------------------------------------------------


UP = MotionPath([(0.85, 1, 0), (0.7, 1.3, 0)])


@pytest.mark.parametrize("within", [0.05, 0.1])
@pytest.mark.parametrize("said", [{}, {"strength": 50.0}, {"stiffness": 60.0}], ids=str)
def test_a_hand_that_is_led_knows_the_weight_of_its_arm_from_the_start(within, said):
    reach = Reach("f/hand", UP, within=within)
    take = shoot(Stage([Actor("f", arm(damping=0.2, **said))], connections=[reach], gravity=DOWN), 1.0, 100)
    assert take["f/hand"].position[:, 1].min() > 1 - 0.004
    sagging = Reach("f/hand", UP, within=within, correction=None)
    take = shoot(Stage([Actor("f", arm(damping=0.2, **said))], connections=[sagging], gravity=DOWN), 1.0, 100)
    assert take["f/hand"].position[:, 1].min() < 1 - 0.006


def test_two_hands_that_hold_one_bar_carry_it_once():
    bar = Figure(
        Body(Capsule(0.05, 0.8), 4.0),
        [
            Ball(Link("left", Body(Sphere(0.06), 0.2), (0, -0.5, 0)), at=(0, -0.5, 0)),
            Ball(Link("right", Body(Sphere(0.06), 0.2), (0, 0.5, 0)), at=(0, 0.5, 0)),
        ],
        orientation=LYING,
    )
    held = [
        Reach(f"f/{side}", MotionPath([(x, 0, 0), (x, 0, 0.3)]), within=0.1)
        for side, x in (("left", 0.5), ("right", -0.5))
    ]
    take = shoot(Stage([Actor("f", bar)], connections=held, gravity=DOWN), 2.0, 100)
    assert np.abs(take["f"].position[:, 1]).max() < 0.004


def test_a_figure_that_stands_on_the_floor_is_not_lifted_off_it_by_a_hand_that_takes_it_to_hang_on_it():
    stands = Figure(
        Body(Box(0.4), 20.0),
        [Hinge(Link("hand", Body(Sphere(0.06), 0.4), (0.4, 0, 0)), at=(0.2, 0, 0))],
        position=(0, 0.2, 0),
    )
    still = Reach("f/hand", MotionPath([(0.4, 0.2, 0), (0.4, 0.2001, 0)]), within=0.1)
    floor = Actor("floor", Still(Body(Plane())))
    take = shoot(Stage([floor, Actor("f", stands)], connections=[still], gravity=DOWN), 1.0, 100)
    assert np.abs(take["f"].position[:, 1] - 0.2).max() < 0.005


# ---- the definition --------------------------------------------------------------------------------------------------


def alike(seed, ways, motion, ties=0):
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(motion, motion))
    inertia = root @ root.T + 0.1 * np.eye(motion)
    gives = np.linalg.inv(inertia)
    return rng.normal(size=motion), rng.normal(size=(ways, motion)), rng.normal(size=(ties, motion)), gives


@given(st.integers(0, 10_000), st.integers(1, 4), st.integers(5, 9))
def test_what_is_pushed_against_springs_keeps_them_from_moving_what_is_led(seed, ways, motion):
    springs, goes, _, gives = alike(seed, ways, motion)
    forces = compensation_forces(springs, goes, np.full(ways, 1e9), lambda given: given @ gives)
    assert np.allclose(goes @ gives @ (springs + goes.T @ forces), 0, atol=1e-7)


@given(st.integers(0, 10_000), st.integers(1, 2), st.integers(6, 9))
def test_what_is_held_together_stays_together_whatever_is_pushed(seed, ways, motion):
    springs, goes, ties, gives = alike(seed, ways, motion, ties=2)
    ways_given = constrained_solver(lambda given: given @ gives, ties, np.zeros(2))
    assert np.allclose(ways_given(springs[None]) @ ties.T, 0, atol=1e-7)
    forces = compensation_forces(springs, goes, np.full(ways, 1e9), ways_given)
    assert np.allclose(goes @ ways_given((springs + goes.T @ forces)[None])[0], 0, atol=1e-6)


def test_less_is_made_up_for_along_a_way_that_hardly_gives():
    springs, ways = np.array([1.0, 0.0]), [np.array([[share, 0.0]]) for share in (1.0, 0.3, 0.1, 0.01)]
    felt = [goes.T @ compensation_forces(springs, goes, np.array([5.0]), lambda given: given) for goes in ways]
    assert np.allclose([-torque[0] for torque in felt], [1.0, 5 * 0.3**2, 5 * 0.1**2, 5 * 0.01**2])


# ---- what is tied ----------------------------------------------------------------------------------------------------


def carrying(mass, *others, **said):
    """An arm with a bucket of this mass."""
    figure = Figure(
        Body(Box(0.1)),
        [
            Hinge(Link("upper", Body(Capsule(0.04, 0.3)), (0, -0.2, 0)), at=(0, 0, 0), damping=0.2, **said),
            Hinge(Link("hand", Body(Capsule(0.04, 0.2)), (0, -0.55, 0)), "upper", at=(0, -0.4, 0), damping=0.1),
        ],
        position=(0, 2, 0),
        held=True,
    )
    held = [
        Reach("arm/hand", MotionPath([(0, 1.45, 0), (0.3, 1.6, 0)]), within=0.1),
        Ball("bucket", "arm/hand", at=(0, 1.3, 0)),
    ]
    bucket = Actor("bucket", Free(Body(Box(0.15), mass), (0, 1.15, 0)))
    return Stage([Actor("arm", figure), bucket, *others], connections=held, gravity=DOWN)


@pytest.mark.parametrize("mass", [0.5, 2.0, 5.0, 10.0])
def test_what_is_tied_to_a_hand_is_carried_to_where_its_way_ends(mass):
    take = shoot(carrying(mass), 5.0)
    assert off(take, "arm/hand", (0.3, 1.6, 0)) < 0.01
    assert not [event for event in take.events if event.kind == "warning"]


def test_ties_give_as_mujoco_softens_them(monkeypatch):
    seen, ties = [], Engine._equality_jacobian

    def looked(engine):
        found = ties(engine)
        seen.append((found[1], engine._data.efc_R[: engine._data.ne].copy()))
        return found

    monkeypatch.setattr(Engine, "_equality_jacobian", looked)
    shoot(carrying(2.0), 0.05)
    shoot(Stage([Actor("f", four_bars(20.0))], connections=[Reach("f/bar", MotionPath(ROUND), within=0.1)]), 0.05)
    pinned = Stage(
        [Actor("f", arm()), Actor("ball", Free(Body(Sphere(0.1), 2.0), (0.85, 1, 0)))],
        connections=[Reach("f/hand", WAY, within=0.1), Pin("ball", "f/hand")],
    )
    shoot(pinned, 0.05)
    assert {len(gives) for gives, _ in seen} == {3, 6}
    for gives, softened in seen:
        assert np.allclose(gives, softened, rtol=1e-9)


def test_a_soft_body_elsewhere_does_not_change_how_ties_give():
    soft = Actor("soft", Free(Body(Sphere(0.1), stiffness=500), (0, 3, 12)))
    alone, beside = (shoot(carrying(2.0, *others, stiffness=5.0), 2.0) for others in ((), (soft,)))
    assert np.abs(alone["arm/hand"].position - beside["arm/hand"].position).max() < 0.02
