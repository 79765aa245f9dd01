"""What is doubtful before anything moves is told: who begins inside whom, and weights too far apart."""

import re

import pytest

from keypose import Actor, Body, Box, Capsule, Free, Orientation, Pin, Plane, Run, Sphere, Stage, Still, shoot

BALL = Body(Sphere(0.3))


def initial_warnings(*actors, **options):
    return [event for event in shoot(Stage(list(actors), **options), 0.1).events if event.kind == "warning"]


def test_initial_overlap_is_reported_with_its_depth():
    (event,) = initial_warnings(Actor("a", Free(BALL, (0, 0, 0))), Actor("b", Free(BALL, (0.4, 0, 0))))
    assert (event.time, event.actor) == (0.0, "a")
    assert event.text == "Begins 0.2 m inside 'b', and they are thrown apart. Move one of them."


@pytest.mark.parametrize("shape", [Sphere(0.3), Box(0.5), Capsule(0.2, 0.5)])
def test_initial_overlap_with_the_floor_is_reported(shape):
    (event,) = initial_warnings(Actor("a", Free(Body(shape), (0, 0, 0))), Actor("floor", Still(Body(Plane()))))
    assert event.actor == "a"
    assert "inside 'floor'" in event.text


def test_body_on_the_floor_or_slightly_inside_it_is_not_reported():
    floor = Actor("floor", Still(Body(Plane())))
    assert not initial_warnings(Actor("a", Free(BALL, (0, 0.3, 0))), floor)
    assert not initial_warnings(Actor("a", Free(BALL, (0, 0.28, 0))), floor)


def test_connected_bodies_may_overlap_initially():
    assert not initial_warnings(
        Actor("a", Free(BALL, (0, 0, 0))), Actor("b", Free(BALL, (0.1, 0, 0))), connections=[Pin("a", "b")]
    )


@pytest.mark.parametrize("distance", [0.0, 0.1, 0.3, 0.5])
def test_initial_overlap_of_soft_bodies_is_reported_as_for_rigid_ones(distance):
    jelly = Body(Sphere(0.3), stiffness=500)
    (event,) = initial_warnings(Actor("a", Free(jelly, (0, 0, 0))), Actor("b", Free(jelly, (distance, 0, 0))))
    assert (event.time, event.actor) == (0.0, "a")
    depth, message = re.fullmatch(r"Begins ([\d.]+) m (inside 'b', .*)", event.text).groups()
    assert 0.09 < float(depth) < 0.61 - distance
    assert message == "inside 'b', and they may stay so or be thrown apart. Move one of them."


@pytest.mark.parametrize("stiffness", [None, 500])
@pytest.mark.parametrize("shape", [Sphere(0.1), Box(0.2), Capsule(0.05, 0.1)])
def test_body_starting_entirely_inside_a_soft_body_is_reported(shape, stiffness):
    outer = Actor("outer", Free(Body(Sphere(0.5), stiffness=500), (1, 2, 3)))
    (event,) = initial_warnings(outer, Actor("inner", Free(Body(shape, stiffness=stiffness), (1.05, 2, 3))))
    assert "inside 'inner'" in event.text


def test_soft_bodies_in_light_contact_are_not_reported():
    jelly, orientation = Body(Box((1, 0.2, 0.2)), stiffness=500), Orientation.turned(90, "z")
    neighbours = (
        Actor("a", Free(jelly, (0, 0.5, 0), orientation=orientation)),
        Actor("b", Free(jelly, (0.21, 0.5, 0), orientation=orientation)),
    )
    supports = Actor("floor", Still(Body(Plane()))), Actor("post", Still(Body(Capsule(0.1, 1)), (-0.21, 0.6, 0)))
    assert not initial_warnings(*neighbours, *supports)
    (event,) = initial_warnings(
        neighbours[0], Actor("b", Free(jelly, (0.11, 0.5, 0), orientation=orientation)), *supports
    )
    assert event.text.startswith("Begins 0.089 m inside 'b'")


def test_overlap_of_an_actor_added_during_a_run_is_reported_at_that_time():
    first = Actor("a", Free(BALL, (0, 0, 0)))
    run = Run(Stage([first]))
    while run.time < 0.1:
        run.tick()
    run.change(Stage([first, Actor("late", Free(BALL, (0.2, 0, 0)))]))
    (event,) = run.events
    assert (event.time, event.actor) == (pytest.approx(0.1), "a")
    assert "inside 'late'" in event.text
    run.change(gravity=(0, -1, 0))
    assert len(run.events) == 1


def test_extreme_mass_ratio_is_reported():
    (event,) = initial_warnings(
        Actor("crumb", Free(Body(Sphere(0.1), 1e-3), (0, 0, 0))), Actor("rock", Free(Body(Sphere(0.1), 1e5), (1, 0, 0)))
    )
    assert event.actor == "rock"
    assert event.text.startswith("Weighs 1e+08 times as much as 'crumb' (100000 kg and 0.001 kg)")
