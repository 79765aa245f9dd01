"""Is it told where contacts cannot hold who lies on somebody, and only there?"""

import numpy as np
import pytest

from keypose import Actor, Body, Box, Capsule, Free, Motion, MotionPath, Plane, Run, Sphere, Stage, Still, shoot
from tests.physics.replays import check_batch_stepping, check_rewinding

DOWN, CRATE, FLOOR = (0, -9.81, 0), Box(0.2), Actor("floor", Still(Body(Plane())))


def crate_on_pebble(heavy, light, shape=CRATE):
    """A crate on a pebble of the same size on the floor."""
    pebble = Actor("pebble", Free(Body(shape, light), (0, 0.1, 0)))
    return Stage([pebble, Actor("crate", Free(Body(Box(0.2), heavy), (0, 0.3, 0))), FLOOR], gravity=DOWN)


def penetration_events(take):
    return [event for event in take.events if event.text.startswith("Sinks")]


@pytest.mark.parametrize("shape", [Box(0.2), Sphere(0.1)])
@pytest.mark.parametrize(("heavy", "light"), [(1e8, 1e-5), (1e6, 1), (1e4, 1)])
def test_crate_penetrating_a_pebble_is_reported_once(heavy, light, shape):
    reported = penetration_events(shoot(crate_on_pebble(heavy, light, shape), 2))
    assert {(event.actor, event.about) for event in reported} == {
        ("crate", "sinks into pebble"),
        ("pebble", "sinks into floor"),
    }
    assert len(reported) == 2
    assert all("weights within 1 : 100" in event.text for event in reported)


@pytest.mark.parametrize("shape", [Box(0.2), Sphere(0.1)])
@pytest.mark.parametrize("light", [1, 0.1, 0.01])
def test_stack_with_mass_ratio_100_penetrates_less_than_a_millimetre(light, shape):
    take = shoot(crate_on_pebble(1, light, shape), 1)
    assert not penetration_events(take)
    heights = take["pebble"].position[:, 1], take["crate"].position[:, 1] - take["pebble"].position[:, 1]
    assert min(heights[0].min() - 0.1, heights[1].min() - 0.2) > -1e-3


def test_shorter_tick_prevents_penetration():
    reported = [penetration_events(shoot(crate_on_pebble(1e4, 1), 0.5, tick=tick)) for tick in (0.002, 0.0005)]
    assert reported[0]
    assert not reported[1]


def test_hard_collisions_are_not_reported_as_penetration():
    rng = np.random.default_rng(3)
    positions = [(*rng.uniform(-0.3, 0.3, 2), number) for number in range(8)]
    balls = [
        Actor(f"{number}", Free(Body(Sphere(0.1), bounce=number / 8), (x, 0.5 + z, y), (0, -15, 0)))
        for number, (x, y, z) in enumerate(positions)
    ]
    crates = [Actor(f"crate/{number}", Free(Body(Box(0.2), 5), (0, 0.1 + 0.2 * number, 0))) for number in range(6)]
    assert not penetration_events(shoot(Stage([*balls, *crates, FLOOR], gravity=DOWN), 2))


def test_compressed_soft_body_is_not_reported_as_penetrating():
    jelly = Actor("jelly", Free(Body(Sphere(0.3), 2.0, stiffness=300), (0, 0.3, 0)))
    stone = Actor("stone", Free(Body(Box(0.2), 2.0), (0, 0.8, 0)))
    assert not penetration_events(shoot(Stage([jelly, stone, FLOOR], gravity=DOWN), 1.5))


def test_penetration_is_reported_once_also_when_another_actor_changes():
    distant_actor = Actor("far", Free(Body(Sphere(0.1)), (9, 5, 9)))
    run = Run(Stage([distant_actor, *crate_on_pebble(1e4, 1).actors], gravity=DOWN))
    for until in (0.5, 1.0):
        while run.time < until:
            run.tick()
        assert len(penetration_events(run)) == 2
        run.change("far", Free(Body(Sphere(0.2)), (9, 5, 9)))


def test_penetration_events_are_identical_after_rewind_and_in_batch_steps():
    check_rewinding(Run(crate_on_pebble(1e4, 1)), 300, 0.19, 0.1)
    check_batch_stepping(crate_on_pebble(1e4, 1), 0.5, "crate", "pebble")


def test_body_pressed_into_the_floor_by_a_motion_is_reported():
    press = Actor("press", Motion(MotionPath([(0, 1, 0), (0, 0.23, 0)]), duration=0.5), body=Body(CRATE))
    pin = Actor("pin", Free(Body(Capsule(0.1, 0.1)), (0, 0.16, 0)))
    reported = penetration_events(shoot(Stage([press, pin, FLOOR], gravity=DOWN), 1.5))
    assert any("pin" in (event.actor, event.about.removeprefix("sinks into ")) for event in reported)
