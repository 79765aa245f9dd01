"""What is doubtful before anything moves is told: who begins inside whom, and weights too far apart."""

import re

import pytest

from keypose import Actor, Body, Box, Capsule, Free, Orientation, Pin, Plane, Run, Sphere, Stage, Still, shoot

BALL = Body(Sphere(0.3))


def told(*actors, **said):
    return [event for event in shoot(Stage(list(actors), **said), 0.1).events if event.kind == "warning"]


def test_who_begins_inside_another_is_told_with_how_deep():
    (event,) = told(Actor("a", Free(BALL, (0, 0, 0))), Actor("b", Free(BALL, (0.4, 0, 0))))
    assert (event.time, event.actor) == (0.0, "a")
    assert event.text == "Begins 0.2 m inside 'b', and they are thrown apart. Move one of them."


@pytest.mark.parametrize("shape", [Sphere(0.3), Box(0.5), Capsule(0.2, 0.5)])
def test_who_begins_in_the_floor_is_told(shape):
    (event,) = told(Actor("a", Free(Body(shape), (0, 0, 0))), Actor("floor", Still(Body(Plane()))))
    assert event.actor == "a"
    assert "inside 'floor'" in event.text


def test_who_lies_on_the_floor_or_a_little_in_it_is_not_told_of():
    floor = Actor("floor", Still(Body(Plane())))
    assert not told(Actor("a", Free(BALL, (0, 0.3, 0))), floor)
    assert not told(Actor("a", Free(BALL, (0, 0.28, 0))), floor)


def test_those_who_are_held_together_may_begin_in_each_other():
    assert not told(Actor("a", Free(BALL, (0, 0, 0))), Actor("b", Free(BALL, (0.1, 0, 0))), connections=[Pin("a", "b")])


@pytest.mark.parametrize("apart", [0.0, 0.1, 0.3, 0.5])
def test_soft_bodies_that_begin_in_each_other_are_told_as_rigid_ones_are(apart):
    jelly = Body(Sphere(0.3), stiffness=500)
    (event,) = told(Actor("a", Free(jelly, (0, 0, 0))), Actor("b", Free(jelly, (apart, 0, 0))))
    assert (event.time, event.actor) == (0.0, "a")
    depth, inside = re.fullmatch(r"Begins ([\d.]+) m (inside 'b', .*)", event.text).groups()
    assert 0.09 < float(depth) < 0.61 - apart
    assert inside == "inside 'b', and they may stay so or be thrown apart. Move one of them."


@pytest.mark.parametrize("stiffness", [None, 500])
@pytest.mark.parametrize("shape", [Sphere(0.1), Box(0.2), Capsule(0.05, 0.1)])
def test_who_begins_wholly_within_a_soft_body_is_told(shape, stiffness):
    outer = Actor("outer", Free(Body(Sphere(0.5), stiffness=500), (1, 2, 3)))
    (event,) = told(outer, Actor("inner", Free(Body(shape, stiffness=stiffness), (1.05, 2, 3))))
    assert "inside 'inner'" in event.text


def test_soft_bodies_that_lie_beside_each_other_or_on_something_are_not_told_of():
    jelly, turned = Body(Box((1, 0.2, 0.2)), stiffness=500), Orientation.turned(90, "z")
    beside = (
        Actor("a", Free(jelly, (0, 0.5, 0), orientation=turned)),
        Actor("b", Free(jelly, (0.21, 0.5, 0), orientation=turned)),
    )
    rest = Actor("floor", Still(Body(Plane()))), Actor("post", Still(Body(Capsule(0.1, 1)), (-0.21, 0.6, 0)))
    assert not told(*beside, *rest)
    (event,) = told(beside[0], Actor("b", Free(jelly, (0.11, 0.5, 0), orientation=turned)), *rest)
    assert event.text.startswith("Begins 0.089 m inside 'b'")


def test_who_comes_later_and_begins_inside_another_is_told_of_then():
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


def test_weights_too_far_apart_are_told():
    (event,) = told(
        Actor("crumb", Free(Body(Sphere(0.1), 1e-3), (0, 0, 0))), Actor("rock", Free(Body(Sphere(0.1), 1e5), (1, 0, 0)))
    )
    assert event.actor == "rock"
    assert event.text.startswith("Weighs 1e+08 times as much as 'crumb' (100000 kg and 0.001 kg)")
