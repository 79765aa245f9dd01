"""Who is put elsewhere while it runs, and what holds it is not, is told to hold others as on an arm nobody sees."""

import numpy as np
import pytest

from keypose import Actor, Body, Box, Free, Hinge, Orientation, Pin, Run, Spring, Stage, Still

PLANK = Body(Box((1, 0.1, 0.4)), mass=2.0)


HINGE_CONNECTION = (Hinge("one", "two", at=(1, 1, 0)),)


def run_of_two_planks(connections=HINGE_CONNECTION):
    """Two planks in a row, one of which hangs on the world, played for a while."""
    actors = [Actor("one", Free(PLANK, (0.5, 1, 0))), Actor("two", Free(PLANK, (1.5, 1, 0)))]
    run = Run(Stage(actors, connections=[Hinge("one", at=(0, 1, 0)), *connections], gravity=(0, -9.81, 0)))
    for _ in range(20):
        run.tick()
    return run


def warnings_after_change(run, *change):
    """What is told when something is changed while it runs."""
    change_time = run.time
    run.change(*change)
    run.tick()
    return [(event.actor, event.text) for event in run.events if event.time == change_time and event.kind == "warning"]


def test_body_moved_away_from_its_hinge_is_reported():
    run = run_of_two_planks()
    message = (
        "Was put elsewhere, and the hinge to 'one' is still at (1, 1, 0), 2.06 m from its middle, as on an arm that "
        "nobody sees. Put that and 'one' there too, or leave the hinge out."
    )
    assert warnings_after_change(run, "two", Still(PLANK, (1.5, 3, 0))) == [("two", message)]
    assert warnings_after_change(run, "two", Still(PLANK, (1.5, 4, 0))) == [("two", message.replace("2.06", "3.04"))]
    assert not warnings_after_change(run, "two", Still(PLANK, (1.5, 1, 0))), "it is back"
    assert np.linalg.norm(run.poses["one"].position) > 0.5


def test_body_rotated_away_or_restarted_away_from_its_hinge_is_reported():
    ((name, text),) = warnings_after_change(
        run_of_two_planks(), "two", Still(PLANK, (1.5, 1, 1), Orientation.turned(90, "y"))
    )
    assert (name, "is still at (1, 1, 0), 1.12 m" in text) == ("two", True)
    ((name, text),) = warnings_after_change(run_of_two_planks(), "two", Free(PLANK, (1.5, 3, 0)))
    assert (name, "2.06 m" in text) == ("two", True)


def test_detached_world_joint_or_spring_is_reported_with_the_matching_position():
    ((name, text),) = warnings_after_change(run_of_two_planks(connections=()), "one", Free(PLANK, (0.5, 3, 0)))
    assert name == "one"
    assert text.endswith("Put that elsewhere too, as at=(0, 3, 0), or leave the hinge out.")
    spring = Spring("one", "two", stiffness=50, at=(1, 1, 0), to_at=(1.2, 1, 0))
    ((name, text),) = warnings_after_change(run_of_two_planks([spring]), "two", Still(PLANK, (1.5, 3, 0)))
    assert "and the spring to 'one' is still at (1.2, 1, 0), 2.02 m from its middle" in text
    assert text.endswith("Put that elsewhere too, as to_at=(1.2, 3, 0), or leave the spring out.")
    middle = Spring("one", "two", stiffness=50)
    assert not warnings_after_change(run_of_two_planks([middle]), "two", Still(PLANK, (1.5, 3, 0))), (
        "it goes from middle to middle"
    )


def test_detached_pin_is_reported_with_its_distance():
    ((name, text),) = warnings_after_change(run_of_two_planks([Pin("one", "two")]), "two", Still(PLANK, (1.5, 3, 0)))
    assert name == "two"
    assert "and the pin to 'one' holds the two as they stand now, 2.24 m apart, as by an arm that nobody sees" in text


@pytest.mark.parametrize(
    ("position", "joint_position"),
    [
        pytest.param((1.52, 1.02, 0), (1, 1, 0), id="a little"),
        pytest.param((0.5, 1, 0), (1, 1, 0), id="so that its other end is there"),
        pytest.param((1.5, 3, 0), (1, 3, 0), id="with its joint"),
    ],
)
def test_body_still_at_its_joint_or_moved_with_it_is_not_reported(position, joint_position):
    run = run_of_two_planks()
    stage = run.stage.with_actor(Actor("two", Still(PLANK, position)))
    stage = stage.changed(connections=[Hinge("one", at=(0, 1, 0)), Hinge("one", "two", at=joint_position)])
    assert not [text for _, text in warnings_after_change(run, stage) if "arm" in text]


def test_detached_joint_is_reported_again_after_a_rewind_and_only_once():
    run = run_of_two_planks()
    change_time = run.time
    first_warnings = warnings_after_change(run, "two", Still(PLANK, (1.5, 3, 0)))
    run.rewind(0.0)
    assert not run.events
    while run.time < change_time + 0.1:
        run.tick()
    assert [(event.actor, event.text) for event in run.events if "arm" in event.text] == first_warnings
