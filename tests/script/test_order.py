"""When is a meeting active? After those before it; and what was passed until then counts, or is a gate."""

import pytest

from keypose import Actor, Body, Box, Follow, Key, MotionPath, Script, Stage, Still, shoot
from tests.script.straight_paths import BALL, FPS, event_times, follower, meeting, meeting_states, pair, speeds, spread


def test_a_meeting_is_active_when_all_before_it_are_done():
    script = Script()
    one, two = script.meet({"a": "1"}, name="one"), script.meet({"b": "2"}, name="two")
    script.meet({"a": "4", "b": "4"}, after=[one, two], name="last")
    take = shoot(pair(script, 6, 8, segments=4), 6.0)
    assert event_times(take, "last", "active") == [
        max(event_times(take, "one", "done") + event_times(take, "two", "done"))
    ]
    assert spread(take, "last") <= 0.02


def test_meeting_is_active_when_as_many_before_it_are_done_as_it_needs():
    script = Script()
    one, two = script.meet({"a": "1"}, name="one"), script.meet({"b": "2"}, name="two")
    script.meet({"a": "4", "b": "4"}, after=[one, two], need=1, name="last")
    take = shoot(pair(script, 4, 8, segments=4), 6.0)
    assert event_times(take, "last", "active") == [
        min(event_times(take, "one", "done") + event_times(take, "two", "done"))
    ]


def take_with_early_goal(gate):
    """Somebody comes to its goal of a meeting long before that is active."""
    script = Script()
    first = script.meet({"b": "3"}, name="first")
    script.meet({"a": "1", "b": "4"}, after=first, gate=gate, name="second")
    return shoot(pair(script, 16, 8, segments=4), 6.0, FPS)


def test_goal_passed_before_activation_counts_and_its_participant_continues():
    take = take_with_early_goal(gate=False)
    (active,), (arrival,) = event_times(take, "second", "active"), event_times(take, "second", "reached", "a")
    assert arrival == active
    assert speeds(take, "a")[round(active * FPS) - 10 :][:300].min() > 1.98
    assert meeting_states(take, "second") == ["active", "done"]


def test_gate_stops_a_participant_that_arrives_before_activation():
    take = take_with_early_goal(gate=True)
    (active,), (done,) = event_times(take, "second", "active"), event_times(take, "second", "done")
    assert take["a"].position[: round(done * FPS), 0].max() <= 4.01
    assert take["a"].position[round(active * FPS), 0] > 2.5
    assert take["a"].position[-1, 0] > 6.0


def test_meeting_may_have_a_single_participant():
    take = shoot(pair(meeting({"a": "1"})), 3.0)
    assert meeting_states(take, "meeting") == ["active", "done"]
    assert take.events[0].text == "Meeting 'meeting' is active: 'a' is on its way."


@pytest.mark.parametrize("of", ["targets", "bodies"])
def test_goal_at_the_start_of_a_path_is_reached_at_once(of):
    take = shoot(pair(meeting({"a": "0", "b": "0"}, of=of)), 1.0)
    assert event_times(take, "meeting", "done")[0] <= 0.02


def test_closed_path_takes_one_lap_per_meeting():
    square = [Key(position, name=name) for name, position in zip("abcd", [(0, 0), (1, 0), (1, 1), (0, 1)], strict=True)]
    ring = Actor("ring", Follow(MotionPath(square, closed=True), BALL, within=0.2))
    script = Script()
    last = ()
    for n in range(1, 4):
        last = script.meet({"ring": "b", "b": f"{n}"}, after=last, name=f"{n}")
    take = shoot(Stage([ring, Actor("b", follower(16, 5, 4))], script=script), 12.0)
    assert max(spread(take, f"{n}") for n in range(1, 4)) <= 0.02
    assert [meeting_states(take, f"{n}") for n in range(1, 4)] == [["active", "done"]] * 3


def test_events_are_in_order_of_time():
    wall = Actor("wall", Still(Body(Box(0.2)), (1, 0.15, 0)))
    script = meeting({"a": "1", "b": "1"})
    script.meet({"a": "2", "b": "2"}, after="meeting")
    take = shoot(pair(script, 3, 6, wall, segments=2), 8.0)
    times = [event.time for event in take.events]
    assert times == sorted(times)
    assert {type(event).__name__ for event in take.events} == {"CollisionEvent", "MeetingEvent"}
