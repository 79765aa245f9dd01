"""Is it told who is too weak for its goal, and does that one hang where it can instead of swinging for ever?"""

import re

import numpy as np
import pytest

from keypose import Actor, Body, Box, Key, MotionPath, Reach, Run, Script, Stage, Still, shoot
from tests.physics.arms import DOWN, HAND_PATH, arm
from tests.physics.replays import check_rewinding

UP = MotionPath([(0.85, 1, 0), (0.6, 1.4, 0), (0.3, 1.6, 0)])


def reach_stage(strength, path=HAND_PATH, *others, stiffness=0, **options):
    """An arm of this strength whose hand is led, without help unless that is said."""
    reach = Reach("arm/hand", path, within=0.1, **{"help": 0, **options})
    return Stage(
        [Actor("arm", arm(strength=strength, stiffness=stiffness)), *others], connections=[reach], gravity=DOWN
    )


def warnings(take):
    return [event for event in take.events if event.kind == "warning"]


@pytest.mark.parametrize("path", [HAND_PATH, UP])
@pytest.mark.parametrize("strength", [0, 1, 3, 5])
def test_arm_of_insufficient_strength_is_reported_once(strength, path):
    (event,) = warnings(shoot(reach_stage(strength, path), 12))
    assert event.actor == "arm/hand"
    assert event.text.startswith("Does not get to its goal: the muscles of 'arm/upper' give ")
    available, required = map(float, re.findall(r"([\d.]+) N m", event.text))
    assert available == strength < required


@pytest.mark.parametrize(("stiffness", "factor"), [(0, 1.05), (30, 1.25)])  # how springs bend it beside is not foreseen
@pytest.mark.parametrize("path", [HAND_PATH, UP])
def test_reported_required_torque_is_sufficient(path, stiffness, factor):
    (event,) = warnings(shoot(reach_stage(5, path, stiffness=stiffness), 8))
    required = float(re.findall(r"([\d.]+) N m", event.text)[1])
    take = shoot(reach_stage(factor * required, path, stiffness=stiffness), 8)
    assert not warnings(take)
    assert np.linalg.norm(take["arm/hand"].position[-1] - path.at(2.0)) < 0.01


@pytest.mark.parametrize("path", [HAND_PATH, UP])
@pytest.mark.parametrize("strength", [1, 2, 3, 5])
def test_arm_of_insufficient_strength_comes_to_rest(strength, path):
    hand_positions = shoot(reach_stage(strength, path), 12)["arm/hand"].position
    assert np.ptp(hand_positions[-24:], axis=0).max() < 0.005


@pytest.mark.parametrize(
    ("strength", "options"), [(8, {}), (8.5, {}), (12, {}), (10, {"speed": 0.1}), (0, {"help": None})]
)
def test_slow_arm_that_arrives_is_not_reported(strength, options):
    take = shoot(reach_stage(strength, HAND_PATH, **options), 15)
    assert np.linalg.norm(take["arm/hand"].position[-1] - HAND_PATH.at(2.0)) < 0.01
    assert not warnings(take)


def test_assist_force_is_part_of_the_report():
    (event,) = warnings(shoot(reach_stage(1, UP, help=2), 8))
    assert "give 1 N m and 2 N help where" in event.text


def test_arm_blocked_by_a_wall_is_reported_as_stuck_and_not_as_too_weak():
    wall = Actor("wall", Still(Body(Box((1, 0.1, 1))), (0.6, 0.75, 0)))
    reported = warnings(shoot(reach_stage(14, HAND_PATH, wall), 6))
    assert reported
    assert all("'wall'" in event.text for event in reported)


def warnings_until(run, time):
    while run.time < time:
        run.tick()
    return warnings(run)


def test_strengthened_arm_arrives():
    run = Run(reach_stage(3))
    assert len(warnings_until(run, 9)) == 1
    run.change("arm", arm(strength=12))
    assert len(warnings_until(run, 14)) == 1
    assert np.linalg.norm(run.poses["arm/hand"].position - HAND_PATH.at(2.0)) < 0.01


def test_insufficiently_strengthened_arm_is_reported_again():
    post = Still(Body(Box(0.1)), (5, 0, 0))
    run = Run(reach_stage(1, HAND_PATH, Actor("post", post)))
    assert len(warnings_until(run, 6)) == 1
    run.change("post", Still(Body(Box(0.2)), (5, 0, 0)))
    assert len(warnings_until(run, 12)) == 1
    run.change("arm", arm(strength=2))
    assert "give 2 N m" in warnings_until(run, 20)[-1].text


def test_meeting_failing_because_of_a_weak_arm_is_reported_with_its_torques():
    script = Script()
    script.meet({"arm/hand": "there"}, patience=12)
    path = MotionPath([(0.85, 1, 0), (0.6, 1.4, 0), Key((0.3, 1.6, 0), name="there")])
    texts = [
        event.text
        for event in shoot(reach_stage(3, path).changed(script=script), 16).events
        if "has failed" in event.text
    ]
    assert len(texts) == 1
    assert re.search(r"'arm/hand' does not get to its goal: the muscles of .* N m are asked for\.$", texts[0])


def test_rewind_during_a_torque_deficit_is_bitwise_identical():
    check_rewinding(Run(reach_stage(2)), 2200, 3.9, 2.0, 0.7)
