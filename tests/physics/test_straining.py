"""Is it told who is too weak for its goal, and does that one hang where it can instead of swinging for ever?"""

import re

import numpy as np
import pytest

from keypose import Actor, Body, Box, Key, MotionPath, Reach, Run, Script, Stage, Still, shoot
from tests.physics.arms import DOWN, WAY, arm
from tests.physics.replays import check_rewinding

UP = MotionPath([(0.85, 1, 0), (0.6, 1.4, 0), (0.3, 1.6, 0)])


def led(strength, way=WAY, *others, stiffness=0, **said):
    """An arm of this strength whose hand is led, without help unless that is said."""
    reach = Reach("arm/hand", way, within=0.1, **{"help": 0, **said})
    return Stage(
        [Actor("arm", arm(strength=strength, stiffness=stiffness)), *others], connections=[reach], gravity=DOWN
    )


def warnings(take):
    return [event for event in take.events if event.kind == "warning"]


@pytest.mark.parametrize("way", [WAY, UP])
@pytest.mark.parametrize("strength", [0, 1, 3, 5])
def test_an_arm_that_is_too_weak_is_told_of_once(strength, way):
    (event,) = warnings(shoot(led(strength, way), 12))
    assert event.actor == "arm/hand"
    assert event.text.startswith("Does not get to its goal: the muscles of 'arm/upper' give ")
    given, asked = map(float, re.findall(r"([\d.]+) N m", event.text))
    assert given == strength < asked


@pytest.mark.parametrize(("stiffness", "more"), [(0, 1.05), (30, 1.25)])  # how springs bend it beside is not foreseen
@pytest.mark.parametrize("way", [WAY, UP])
def test_what_is_asked_for_is_enough(way, stiffness, more):
    (event,) = warnings(shoot(led(5, way, stiffness=stiffness), 8))
    asked = float(re.findall(r"([\d.]+) N m", event.text)[1])
    take = shoot(led(more * asked, way, stiffness=stiffness), 8)
    assert not warnings(take)
    assert np.linalg.norm(take["arm/hand"].position[-1] - way.at(2.0)) < 0.01


@pytest.mark.parametrize("way", [WAY, UP])
@pytest.mark.parametrize("strength", [1, 2, 3, 5])
def test_an_arm_that_is_too_weak_comes_to_rest(strength, way):
    hand = shoot(led(strength, way), 12)["arm/hand"].position
    assert np.ptp(hand[-24:], axis=0).max() < 0.005


@pytest.mark.parametrize(
    ("strength", "said"), [(8, {}), (8.5, {}), (12, {}), (10, {"speed": 0.1}), (0, {"help": None})]
)
def test_one_that_is_slow_and_arrives_is_not_told_of(strength, said):
    take = shoot(led(strength, WAY, **said), 15)
    assert np.linalg.norm(take["arm/hand"].position[-1] - WAY.at(2.0)) < 0.01
    assert not warnings(take)


def test_what_helps_is_told_of_too():
    (event,) = warnings(shoot(led(1, UP, help=2), 8))
    assert "give 1 N m and 2 N help where" in event.text


def test_who_pushes_at_a_wall_is_stuck_and_not_too_weak():
    wall = Actor("wall", Still(Body(Box((1, 0.1, 1))), (0.6, 0.75, 0)))
    told = warnings(shoot(led(14, WAY, wall), 6))
    assert told
    assert all("'wall'" in event.text for event in told)


def played(run, until):
    while run.time < until:
        run.tick()
    return warnings(run)


def test_one_that_is_made_stronger_arrives():
    run = Run(led(3))
    assert len(played(run, 9)) == 1
    run.change("arm", arm(strength=12))
    assert len(played(run, 14)) == 1
    assert np.linalg.norm(run.poses["arm/hand"].position - WAY.at(2.0)) < 0.01


def test_one_that_is_made_stronger_but_not_enough_is_told_anew_and_not_when_others_change():
    post = Still(Body(Box(0.1)), (5, 0, 0))
    run = Run(led(1, WAY, Actor("post", post)))
    assert len(played(run, 6)) == 1
    run.change("post", Still(Body(Box(0.2)), (5, 0, 0)))
    assert len(played(run, 12)) == 1
    run.change("arm", arm(strength=2))
    assert "give 2 N m" in played(run, 20)[-1].text


def test_a_meeting_that_waits_for_a_weak_arm_says_so_in_a_sentence():
    script = Script()
    script.meet({"arm/hand": "there"}, patience=12)
    way = MotionPath([(0.85, 1, 0), (0.6, 1.4, 0), Key((0.3, 1.6, 0), name="there")])
    told = [event.text for event in shoot(led(3, way).changed(script=script), 16).events if "has failed" in event.text]
    assert len(told) == 1
    assert re.search(r"'arm/hand' does not get to its goal: the muscles of .* N m are asked for\.$", told[0])


def test_a_run_is_rewound_to_the_bit_while_muscles_are_short():
    check_rewinding(Run(led(2)), 2200, 3.9, 2.0, 0.7)
