"""When is a meeting active? After those before it; and what was passed until then counts, or is a gate."""

import pytest

from keypose import Actor, Body, Box, Follow, Key, MotionPath, Script, Stage, Still, shoot
from tests.script.walks import BALL, FPS, follower, meeting, pair, speeds, spread, states, when


def test_a_meeting_is_active_when_all_before_it_are_done():
    script = Script()
    one, two = script.meet({"a": "1"}, name="one"), script.meet({"b": "2"}, name="two")
    script.meet({"a": "4", "b": "4"}, after=[one, two], name="last")
    take = shoot(pair(script, 6, 8, segments=4), 6.0)
    assert when(take, "last", "active") == [max(when(take, "one", "done") + when(take, "two", "done"))]
    assert spread(take, "last") <= 0.02


def test_of_those_before_it_as_many_must_be_done_as_it_needs():
    script = Script()
    one, two = script.meet({"a": "1"}, name="one"), script.meet({"b": "2"}, name="two")
    script.meet({"a": "4", "b": "4"}, after=[one, two], need=1, name="last")
    take = shoot(pair(script, 4, 8, segments=4), 6.0)
    assert when(take, "last", "active") == [min(when(take, "one", "done") + when(take, "two", "done"))]


def waiting(gate):
    """Somebody comes to its goal of a meeting long before that is active."""
    script = Script()
    first = script.meet({"b": "3"}, name="first")
    script.meet({"a": "1", "b": "4"}, after=first, gate=gate, name="second")
    return shoot(pair(script, 16, 8, segments=4), 6.0, FPS)


def test_a_goal_passed_while_waiting_counts_and_whoever_passed_it_goes_on():
    take = waiting(gate=False)
    (active,), (came,) = when(take, "second", "active"), when(take, "second", "reached", "a")
    assert came == active
    assert speeds(take, "a")[round(active * FPS) - 10 :][:300].min() > 1.98
    assert states(take, "second") == ["active", "done"]


def test_a_gate_holds_whoever_comes_before_its_meeting_is_active():
    take = waiting(gate=True)
    (active,), (done,) = when(take, "second", "active"), when(take, "second", "done")
    assert take["a"].position[: round(done * FPS), 0].max() <= 4.01
    assert take["a"].position[round(active * FPS), 0] > 2.5
    assert take["a"].position[-1, 0] > 6.0


def test_a_meeting_of_one_is_a_mark_that_others_may_come_after():
    take = shoot(pair(meeting({"a": "1"})), 3.0)
    assert states(take, "meeting") == ["active", "done"]
    assert take.events[0].text == "Meeting 'meeting' is active: 'a' is on its way."


@pytest.mark.parametrize("of", ["targets", "bodies"])
def test_a_goal_where_one_begins_is_reached_at_once(of):
    take = shoot(pair(meeting({"a": "0", "b": "0"}, of=of)), 1.0)
    assert when(take, "meeting", "done")[0] <= 0.02


def test_a_closed_way_is_gone_round_from_meeting_to_meeting():
    square = [Key(place, name=name) for name, place in zip("abcd", [(0, 0), (1, 0), (1, 1), (0, 1)], strict=True)]
    ring = Actor("ring", Follow(MotionPath(square, closed=True), BALL, within=0.2))
    script = Script()
    last = ()
    for n in range(1, 4):
        last = script.meet({"ring": "b", "b": f"{n}"}, after=last, name=f"{n}")
    take = shoot(Stage([ring, Actor("b", follower(16, 5, 4))], script=script), 12.0)
    assert max(spread(take, f"{n}") for n in range(1, 4)) <= 0.02
    assert [states(take, f"{n}") for n in range(1, 4)] == [["active", "done"]] * 3


def test_all_is_told_in_the_order_it_happened():
    wall = Actor("wall", Still(Body(Box(0.2)), (1, 0.15, 0)))
    script = meeting({"a": "1", "b": "1"})
    script.meet({"a": "2", "b": "2"}, after="meeting")
    take = shoot(pair(script, 3, 6, wall, segments=2), 8.0)
    times = [event.time for event in take.events]
    assert times == sorted(times)
    assert {type(event).__name__ for event in take.events} == {"CollisionEvent", "MeetingEvent"}
