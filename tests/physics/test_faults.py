"""A hundred faults, put in on purpose: each is named correctly, and none hangs or passes in silence."""

import re
from itertools import product

import numpy as np
import pytest

from keypose import (
    Actor,
    Body,
    Box,
    Capsule,
    Figure,
    Follow,
    Free,
    Hinge,
    Key,
    KeyposeError,
    Link,
    Motion,
    MotionPath,
    Orientation,
    Plane,
    Reach,
    Sphere,
    Stage,
    Still,
    fields,
    shoot,
)

DOWN = (0, -9.81, 0)
BALL = Body(Sphere(0.3))
LINE = MotionPath([(0, 0, 0), (6, 0, 0)])
TURNING = MotionPath([Key((3 * i, 0, 0), orientation=Orientation.turned(60 * i, "y")) for i in range(3)])
SHAPES = {"sphere": Sphere(0.3), "box": Box(0.5), "capsule": Capsule(0.2, 0.4)}


def warnings_of(stage, seconds=0.5):
    """The warnings of a take, all of whose numbers are finite."""
    take = shoot(stage, seconds)
    assert all(np.isfinite(take[name].position).all() for name in take.poses)
    return [event for event in take.events if event.kind == "warning"]


# ---- forces that are not numbers: 25 -----------------------------------------------------------------------------

UNDEFINED_FIELDS = {
    "division": "(1 / (t - t), 0, 0)",
    "root": "(0, sqrt(-1 - t), 0)",
    "logarithm": "(0, 0, log(-1 - x * x))",
    "later": "(1, 0, sqrt(0.1 - t))",
    "huge": "(exp(1000 + t), 0, 0)",
}
SENSING_MOVERS = {
    "a follower": lambda senses: Follow(LINE, BALL, within=0.4, senses=senses),
    "a turning follower": lambda senses: Follow(TURNING, Body(Box(0.4)), within=0.2, speed=1.0, senses=senses),
    "what is free": lambda senses: Free(BALL, (0, 0, 0), senses=senses),
    "what flies": lambda senses: Free(Body(Capsule(0.1, 0.4), 1e-3), (0, 0, 0), (3, 2, 1), senses=senses),
    "a heavy one": lambda senses: Free(Body(Box(2), 1e6), (0, 5, 0), spin=(90, 0, 0), senses=senses),
}


@pytest.mark.parametrize(("field_name", "mover_name"), list(product(UNDEFINED_FIELDS, SENSING_MOVERS)))
def test_nonfinite_field_force_is_reported_with_its_body_and_time(field_name, mover_name):
    field = fields.Formula(UNDEFINED_FIELDS[field_name])
    bystander = Actor("bystander", Free(BALL, (0, 0, 50), (1, 0, 0)))
    stage = Stage([Actor("a", SENSING_MOVERS[mover_name]({"hole": 1.0})), bystander], fields={"hole": field})
    (event,) = warnings_of(stage)
    assert event.actor == "a"
    assert "'hole'" in event.text
    assert 0.0 <= event.time <= 0.5
    assert (event.time > 0.05) == (field_name == "later")


# ---- absurd masses: 25 -------------------------------------------------------------------------------------------

INVALID_MASSES = [
    0,
    -1,
    -1e300,
    float("nan"),
    float("inf"),
    -float("inf"),
    1e-7,
    1e10,
    1e308,
    5e-324,
    None,
    True,
    "1",
    [1, 2],
]
RATIOS = [(1e-6, 1e9), (1e-6, 1e3), (1e-3, 1e6), (1e-5, 1e2), (1.0, 1e7), (1e-6, 2.0)]
PATH_ABOVE_FLOOR = MotionPath([(0, 0.7, 0), (2, 0.7, 0)])
HEAVY_MOVERS = {
    "a follower": lambda body: Follow(PATH_ABOVE_FLOOR, body, within=0.4),
    "what is free": lambda body: Free(body, (0, 0.61, 0)),
}


@pytest.mark.parametrize("mass", INVALID_MASSES, ids=repr)
def test_invalid_mass_is_refused_with_its_value(mass):
    with pytest.raises(KeyposeError, match=r"[Mm]ass") as error:
        Body(Sphere(0.3), mass)
    assert re.search(r"Give|give", str(error.value))


@pytest.mark.parametrize(("masses", "mover_name"), list(product(RATIOS, HEAVY_MOVERS))[:11])
def test_extreme_mass_ratio_is_reported_and_no_body_is_lost(masses, mover_name):
    light, heavy = masses
    stage = Stage(
        [
            Actor("crumb", Free(Body(Sphere(0.3), light), (0, 0, 0))),
            Actor("rock", HEAVY_MOVERS[mover_name](Body(Sphere(0.3), heavy))),
            Actor("floor", Still(Body(Plane(offset=-0.3)))),
        ],
        gravity=DOWN,
    )
    assert [(event.time, event.actor) for event in warnings_of(stage) if "times as much as 'crumb'" in event.text] == [
        (0.0, "rock")
    ]


# ---- overlapping starts: 25 --------------------------------------------------------------------------------------

OBSTACLES = {
    "plane": Still(Body(Plane())),
    "block": Still(Body(Box(1))),
    "ball": Free(Body(Sphere(0.4)), (0, 0, 0)),
    "post": Still(Body(Capsule(0.3, 2))),
}
OVERLAPS = list(product(SHAPES, OBSTACLES, (0.0, 0.12)))  # 24
KEYED_MOTION = Motion(MotionPath([(0, 0, 0), (1, 0, 0)]), duration=1.0)


@pytest.mark.parametrize(("shape_name", "obstacle_name", "offset"), OVERLAPS)
def test_initial_overlap_is_reported_with_both_bodies(shape_name, obstacle_name, offset):
    inside = Actor("inside", Free(Body(SHAPES[shape_name]), (0.05, offset, 0.02)))
    warnings = warnings_of(Stage([inside, Actor("other", OBSTACLES[obstacle_name])], gravity=DOWN))
    assert {(event.time, event.actor) for event in warnings} == {(0.0, "inside")}
    assert "inside 'other'" in warnings[0].text


def test_initial_overlap_with_a_kinematic_body_is_reported_with_both_bodies():
    stage = Stage([Actor("inside", Free(BALL, (0.1, 0, 0))), Actor("paddle", KEYED_MOTION, body=Body(Box(0.6)))])
    (event,) = warnings_of(stage)
    assert (event.actor, "'paddle'" in event.text) == ("inside", True)


# ---- walls on paths: 25 ------------------------------------------------------------------------------------------

PATH_OBSTACLES = {
    "a wall": Still(Body(Box((0.2, 4, 4))), (3, 0, 0)),
    "a plane": Still(Body(Plane((-1, 0, 0), -3))),
    "a thick post": Still(Body(Capsule(1.5, 4)), (4.5, 0, 0)),
    "a motion": None,
}
FOLLOWER_OPTIONS = {
    "usual": {},
    "slow": {"speed": 0.7},
    "quick": {"eagerness": 1.5},
    "near": {"within": 0.15, "eagerness": 0.8},
    "uncorrected": {"correction": None},
    "sluggish": {"damping": 2.0},
}
PARKED_MOTION = Motion(MotionPath([(3, 0, 0), (3, 0, 1e-6)]), duration=60.0)
BLOCKED_CASES = list(product(PATH_OBSTACLES, FOLLOWER_OPTIONS))  # 24


@pytest.mark.parametrize(("obstacle_name", "options_name"), BLOCKED_CASES)
def test_follower_stuck_at_a_wall_reports_the_wall(obstacle_name, options_name):
    mover = PATH_OBSTACLES[obstacle_name]
    obstacle = Actor("wall", PARKED_MOTION, body=Body(Box((0.2, 4, 4)))) if mover is None else Actor("wall", mover)
    follower = Follow(LINE, BALL, **{"within": 0.4, **FOLLOWER_OPTIONS[options_name]})
    (event,) = warnings_of(Stage([Actor("a", follower), obstacle]), 8.0)
    assert event.actor == "a"
    assert re.search(r"Is stuck: 'wall' \([\d.e+]+ N\) is in its way\.", event.text)


def test_hand_stuck_at_a_wall_reports_the_wall():
    arm = Figure(
        Body(Box(0.1)),
        [
            Hinge(
                Link("upper", Body(Capsule(0.03, 0.3), 0.5), (0.2, 0, 0), (0.7071068, 0, 0, 0.7071068)), at=(0, 0, 0)
            ),
            Hinge(Link("hand", Body(Sphere(0.06), 0.4), (0.6, 0, 0)), "upper", at=(0.4, 0, 0)),
        ],
        held=True,
    )
    path = MotionPath([(0.6, 0, 0), (0.45, -0.3, 0)])
    wall = Actor("wall", Still(Body(Box((0.6, 0.1, 1))), (0.6, -0.16, 0)))
    stage = Stage([Actor("arm", arm), wall], connections=[Reach("arm/hand", path, within=0.1)])
    (event,) = warnings_of(stage, 4.0)
    assert event.actor == "arm/hand"
    assert "'wall' (" in event.text


def test_there_are_a_hundred_fault_cases():
    masses = len(INVALID_MASSES) + 11
    assert [len(UNDEFINED_FIELDS) * len(SENSING_MOVERS), masses, len(OVERLAPS) + 1, len(BLOCKED_CASES) + 1] == [
        25,
        25,
        25,
        25,
    ]
