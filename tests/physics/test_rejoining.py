"""Who is put elsewhere while it runs, and what holds it is not, is told to hold others as on an arm nobody sees."""

import numpy as np
import pytest

from keypose import Actor, Body, Box, Free, Hinge, Orientation, Pin, Run, Spring, Stage, Still

PLANK = Body(Box((1, 0.1, 0.4)), mass=2.0)


JOINED = (Hinge("one", "two", at=(1, 1, 0)),)


def hanging(held=JOINED):
    """Two planks in a row, one of which hangs on the world, played for a while."""
    two = [Actor("one", Free(PLANK, (0.5, 1, 0))), Actor("two", Free(PLANK, (1.5, 1, 0)))]
    run = Run(Stage(two, connections=[Hinge("one", at=(0, 1, 0)), *held], gravity=(0, -9.81, 0)))
    for _ in range(20):
        run.tick()
    return run


def told(run, *change):
    """What is told when something is changed while it runs."""
    since = run.time
    run.change(*change)
    run.tick()
    return [(event.actor, event.text) for event in run.events if event.time == since and event.kind == "warning"]


def test_who_is_put_elsewhere_without_its_hinge_is_told_to_hold_the_other_as_on_an_arm():
    run = hanging()
    sentence = (
        "Was put elsewhere, and the hinge to 'one' is still at (1, 1, 0), 2.06 m from its middle, as on an arm that "
        "nobody sees. Put that and 'one' there too, or leave the hinge out."
    )
    assert told(run, "two", Still(PLANK, (1.5, 3, 0))) == [("two", sentence)]
    assert told(run, "two", Still(PLANK, (1.5, 4, 0))) == [("two", sentence.replace("2.06", "3.04"))]
    assert not told(run, "two", Still(PLANK, (1.5, 1, 0))), "it is back"
    assert np.linalg.norm(run.poses["one"].position) > 0.5


def test_who_is_turned_away_from_its_hinge_is_told_as_well_and_so_is_who_begins_elsewhere():
    ((who, text),) = told(hanging(), "two", Still(PLANK, (1.5, 1, 1), Orientation.turned(90, "y")))
    assert (who, "is still at (1, 1, 0), 1.12 m" in text) == ("two", True)
    ((who, text),) = told(hanging(), "two", Free(PLANK, (1.5, 3, 0)))
    assert (who, "2.06 m" in text) == ("two", True)


def test_of_a_joint_with_the_world_and_of_a_spring_it_is_told_where_it_would_have_to_be():
    ((who, text),) = told(hanging(held=()), "one", Free(PLANK, (0.5, 3, 0)))
    assert who == "one"
    assert text.endswith("Put that elsewhere too, as at=(0, 3, 0), or leave the hinge out.")
    spring = Spring("one", "two", stiffness=50, at=(1, 1, 0), to_at=(1.2, 1, 0))
    ((who, text),) = told(hanging([spring]), "two", Still(PLANK, (1.5, 3, 0)))
    assert "and the spring to 'one' is still at (1.2, 1, 0), 2.02 m from its middle" in text
    assert text.endswith("Put that elsewhere too, as to_at=(1.2, 3, 0), or leave the spring out.")
    middle = Spring("one", "two", stiffness=50)
    assert not told(hanging([middle]), "two", Still(PLANK, (1.5, 3, 0))), "it goes from middle to middle"


def test_who_is_pinned_is_told_how_far_apart_they_are_held():
    ((who, text),) = told(hanging([Pin("one", "two")]), "two", Still(PLANK, (1.5, 3, 0)))
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
def test_what_sits_on_it_or_is_said_anew_is_not_told_of(place, joint):
    run = hanging()
    stage = run.stage.with_actor(Actor("two", Still(PLANK, place)))
    stage = stage.changed(connections=[Hinge("one", at=(0, 1, 0)), Hinge("one", "two", at=joint)])
    assert not [text for _, text in told(run, stage) if "arm" in text]


def test_it_is_told_again_where_a_run_is_rewound_and_not_where_it_is_played_on():
    run = hanging()
    since = run.time
    first = told(run, "two", Still(PLANK, (1.5, 3, 0)))
    run.rewind(0.0)
    assert not run.events
    while run.time < since + 0.1:
        run.tick()
    assert [(event.actor, event.text) for event in run.events if "arm" in event.text] == first
