"""Who is put elsewhere while it runs, and what holds it is not, is told to hold others as on an arm nobody sees."""

import numpy as np
import pytest

from keypose import Actor, Body, Box, Free, Hinge, Orientation, Pin, Run, Spring, Stage, Still

PLANK = Body(Box((1, 0.1, 0.4)), mass=2.0)


HINGE_CONNECTION = (Hinge("one", "two", at=(1, 1, 0)),)


def run_of_two_planks(held=HINGE_CONNECTION):
    """Two planks in a row, one of which hangs on the world, played for a while."""
    two = [Actor("one", Free(PLANK, (0.5, 1, 0))), Actor("two", Free(PLANK, (1.5, 1, 0)))]
    run = Run(Stage(two, connections=[Hinge("one", at=(0, 1, 0)), *held], gravity=(0, -9.81, 0)))
    for _ in range(20):
        run.tick()
    return run


def warnings_after_change(run, *change):
    """What is told when something is changed while it runs."""
    since = run.time
    run.change(*change)
    run.tick()
    return [(event.actor, event.text) for event in run.events if event.time == since and event.kind == "warning"]


def test_body_moved_away_from_its_hinge_is_reported():
    run = run_of_two_planks()
    sentence = (
        "Was put elsewhere, and the hinge to 'one' is still at (1, 1, 0), 2.06 m from its middle, as on an arm that "
        "nobody sees. Put that and 'one' there too, or leave the hinge out."
    )
    assert warnings_after_change(run, "two", Still(PLANK, (1.5, 3, 0))) == [("two", sentence)]
    assert warnings_after_change(run, "two", Still(PLANK, (1.5, 4, 0))) == [("two", sentence.replace("2.06", "3.04"))]
    assert not warnings_after_change(run, "two", Still(PLANK, (1.5, 1, 0))), "it is back"
    assert np.linalg.norm(run.poses["one"].position) > 0.5


def test_body_rotated_away_or_restarted_away_from_its_hinge_is_reported():
    ((who, text),) = warnings_after_change(
        run_of_two_planks(), "two", Still(PLANK, (1.5, 1, 1), Orientation.turned(90, "y"))
    )
    assert (who, "is still at (1, 1, 0), 1.12 m" in text) == ("two", True)
    ((who, text),) = warnings_after_change(run_of_two_planks(), "two", Free(PLANK, (1.5, 3, 0)))
    assert (who, "2.06 m" in text) == ("two", True)


def test_detached_world_joint_or_spring_is_reported_with_the_matching_position():
    ((who, text),) = warnings_after_change(run_of_two_planks(held=()), "one", Free(PLANK, (0.5, 3, 0)))
    assert who == "one"
    assert text.endswith("Put that elsewhere too, as at=(0, 3, 0), or leave the hinge out.")
    spring = Spring("one", "two", stiffness=50, at=(1, 1, 0), to_at=(1.2, 1, 0))
    ((who, text),) = warnings_after_change(run_of_two_planks([spring]), "two", Still(PLANK, (1.5, 3, 0)))
    assert "and the spring to 'one' is still at (1.2, 1, 0), 2.02 m from its middle" in text
    assert text.endswith("Put that elsewhere too, as to_at=(1.2, 3, 0), or leave the spring out.")
    middle = Spring("one", "two", stiffness=50)
    assert not warnings_after_change(run_of_two_planks([middle]), "two", Still(PLANK, (1.5, 3, 0))), (
        "it goes from middle to middle"
    )


def test_detached_pin_is_reported_with_its_distance():
    ((who, text),) = warnings_after_change(run_of_two_planks([Pin("one", "two")]), "two", Still(PLANK, (1.5, 3, 0)))
    assert who == "two"
    assert "and the pin to 'one' holds the two as they stand now, 2.24 m apart, as by an arm that nobody sees" in text


@pytest.mark.parametrize(
    ("place", "joint"),
    [
        pytest.param((1.52, 1.02, 0), (1, 1, 0), id="a little"),
        pytest.param((0.5, 1, 0), (1, 1, 0), id="so that its other end is there"),
        pytest.param((1.5, 3, 0), (1, 3, 0), id="with its joint"),
    ],
)
def test_body_still_at_its_joint_or_moved_with_it_is_not_reported(place, joint):
    run = run_of_two_planks()
    stage = run.stage.with_actor(Actor("two", Still(PLANK, place)))
    stage = stage.changed(connections=[Hinge("one", at=(0, 1, 0)), Hinge("one", "two", at=joint)])
    assert not [text for _, text in warnings_after_change(run, stage) if "arm" in text]


def test_detached_joint_is_reported_again_after_a_rewind_and_only_once():
    run = run_of_two_planks()
    since = run.time
    first = warnings_after_change(run, "two", Still(PLANK, (1.5, 3, 0)))
    run.rewind(0.0)
    assert not run.events
    while run.time < since + 0.1:
        run.tick()
    assert [(event.actor, event.text) for event in run.events if "arm" in event.text] == first
