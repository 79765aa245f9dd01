"""Is it told where contacts cannot hold who lies on somebody, and only there?"""

import numpy as np
import pytest

from keypose import Actor, Body, Box, Capsule, Free, Motion, MotionPath, Plane, Run, Sphere, Stage, Still, shoot
from tests.physics.replays import check_rewinding, check_striding

DOWN, CRATE, FLOOR = (0, -9.81, 0), Box(0.2), Actor("floor", Still(Body(Plane())))


def stacked(heavy, light, shape=CRATE):
    """A crate on a pebble of the same size on the floor."""
    pebble = Actor("pebble", Free(Body(shape, light), (0, 0.1, 0)))
    return Stage([pebble, Actor("crate", Free(Body(Box(0.2), heavy), (0, 0.3, 0))), FLOOR], gravity=DOWN)


def sinking(take):
    return [event for event in take.events if event.text.startswith("Sinks")]


@pytest.mark.parametrize("shape", [Box(0.2), Sphere(0.1)])
@pytest.mark.parametrize(("heavy", "light"), [(1e8, 1e-5), (1e6, 1), (1e4, 1)])
def test_a_crate_that_sinks_into_a_pebble_is_told_of_once(heavy, light, shape):
    told = sinking(shoot(stacked(heavy, light, shape), 2))
    assert {(event.actor, event.about) for event in told} == {
        ("crate", "sinks into pebble"),
        ("pebble", "sinks into floor"),
    }
    assert len(told) == 2
    assert all("weights within 1 : 100" in event.text for event in told)


@pytest.mark.parametrize("shape", [Box(0.2), Sphere(0.1)])
@pytest.mark.parametrize("light", [1, 0.1, 0.01])
def test_what_lies_on_somebody_a_hundred_times_as_light_holds_to_a_millimetre(light, shape):
    take = shoot(stacked(1, light, shape), 1)
    assert not sinking(take)
    height = take["pebble"].position[:, 1], take["crate"].position[:, 1] - take["pebble"].position[:, 1]
    assert min(height[0].min() - 0.1, height[1].min() - 0.2) > -1e-3


def test_a_shorter_tick_helps():
    told = [sinking(shoot(stacked(1e4, 1), 0.5, tick=tick)) for tick in (0.002, 0.0005)]
    assert told[0]
    assert not told[1]


def test_nobody_sinks_by_hitting_another_however_hard():
    random = np.random.default_rng(3)
    places = [(*random.uniform(-0.3, 0.3, 2), number) for number in range(8)]
    balls = [
        Actor(f"{number}", Free(Body(Sphere(0.1), bounce=number / 8), (x, 0.5 + z, y), (0, -15, 0)))
        for number, (x, y, z) in enumerate(places)
    ]
    crates = [Actor(f"crate/{number}", Free(Body(Box(0.2), 5), (0, 0.1 + 0.2 * number, 0))) for number in range(6)]
    assert not sinking(shoot(Stage([*balls, *crates, FLOOR], gravity=DOWN), 2))


def test_a_soft_body_may_be_pressed_in():
    jelly = Actor("jelly", Free(Body(Sphere(0.3), 2.0, stiffness=300), (0, 0.3, 0)))
    stone = Actor("stone", Free(Body(Box(0.2), 2.0), (0, 0.8, 0)))
    assert not sinking(shoot(Stage([jelly, stone, FLOOR], gravity=DOWN), 1.5))


def test_it_is_told_once_also_when_somebody_else_changes():
    far = Actor("far", Free(Body(Sphere(0.1)), (9, 5, 9)))
    run = Run(Stage([far, *stacked(1e4, 1).actors], gravity=DOWN))
    for until in (0.5, 1.0):
        while run.time < until:
            run.tick()
        assert len(sinking(run)) == 2
        run.change("far", Free(Body(Sphere(0.2)), (9, 5, 9)))


def test_it_is_told_to_the_bit_where_it_was_however_it_is_played():
    check_rewinding(Run(stacked(1e4, 1)), 300, 0.19, 0.1)
    check_striding(stacked(1e4, 1), 0.5, "crate", "pebble")


def test_what_a_motion_presses_into_the_floor_is_told_of():
    press = Actor("press", Motion(MotionPath([(0, 1, 0), (0, 0.23, 0)]), duration=0.5), body=Body(CRATE))
    pin = Actor("pin", Free(Body(Capsule(0.1, 0.1)), (0, 0.16, 0)))
    told = sinking(shoot(Stage([press, pin, FLOOR], gravity=DOWN), 1.5))
    assert any("pin" in (event.actor, event.about.removeprefix("sinks into ")) for event in told)
