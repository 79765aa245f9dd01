"""What if somebody is stuck, or meetings hold each other up? It is told, and nobody freezes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import Actor, Body, Box, Follow, Key, Motion, MotionPath, Script, Sphere, Stage, Still, shoot
from tests.script.walks import BALL, FPS, follower, meeting, pair, speeds, spread, states, way, when


def test_with_something_in_the_way_of_one_they_still_meet():
    post = Actor("post", Still(Body(Sphere(0.2)), (3.0, 0.12, 2.0)))
    take = shoot(pair(meeting({"a": "1", "b": "1"}), 2, 5, post), 6.0)
    assert any(getattr(event, "other", "") == "post" for event in take.events)
    assert spread(take, "meeting") <= 0.05


def stuck(of="targets", **said):
    script = Script()
    first = script.meet({"a": "1", "b": "1"}, name="first", of=of, **said)
    second = script.meet({"a": "2", "b": "2"}, after=first, name="second")
    script.meet({"a": "3"}, after=second, name="third")
    wall = Actor("wall", Still(Body(Box((0.2, 4, 1))), (2.0, 0, 2.0)))
    return shoot(pair(script, 8, 12, wall, segments=4), 9.0, FPS)


@pytest.mark.parametrize("of", ["targets", "bodies"])
def test_who_is_stuck_makes_a_meeting_late_and_then_fail_and_it_is_told_who_and_what_blocks(of):
    take = stuck(of)
    (late,), (failed,) = when(take, "first", "late"), when(take, "first", "failed")
    (blocked,) = [event.time for event in take.events if event.about == "stuck"]
    assert blocked - 1.0 < late < failed <= late + 1.02
    told = {event.state: event for event in take.events if getattr(event, "meeting", "") == "first"}
    for state in ("late", "failed"):
        assert told[state].actor == "b"
        assert told[state].kind == "warning"
        assert "'b' is stuck: 'wall' (" in told[state].text
    assert "'a' waits" in told["late"].text
    assert "'a' goes on" in told["failed"].text


def test_whoever_waited_for_somebody_stuck_goes_on_at_its_own_speed():
    take = stuck()
    (failed,) = when(take, "first", "failed")
    assert speeds(take, "a")[round(failed * FPS) - 20] < 0.5
    assert_allclose(speeds(take, "a")[round((failed + 0.3) * FPS) :][:100], 2.0, rtol=0.01)


@pytest.mark.parametrize("of", ["targets", "bodies"])
def test_whoever_waited_at_a_goal_goes_on_when_the_last_meeting_fails(of):
    wall = Actor("wall", Still(Body(Box((0.2, 4, 1))), (2.0, 0, 2.0)))
    take = shoot(pair(meeting({"a": "0", "b": "1"}, of=of), 2, 5, wall), 9.0, FPS)
    assert states(take, "meeting") == ["active", "late", "failed"]
    assert take["a"].position[-1][0] == pytest.approx(2.0, abs=0.01)


@pytest.mark.parametrize("of", ["targets", "bodies"])
def test_who_runs_after_somebody_faster_makes_a_meeting_late_and_then_fail_and_the_other_goes_on(of):
    car = Actor("car", Motion(MotionPath([(0, 0, 10), (400, 0, 10)]), duration=20.0))
    keys = [(0, 0, 6), Key((0, 0, 0.5), relative_to="car", name="side"), (9, 0, 9)]
    chaser = Actor("chaser", Follow(MotionPath(keys), BALL, within=0.4))
    script = meeting({"chaser": "side", "b": "1"}, of=of, patience=1.0)
    take = shoot(Stage([car, chaser, Actor("b", follower(5, 1, 2))], script=script), 9.0, FPS)
    (late,), (failed,) = when(take, "meeting", "late"), when(take, "meeting", "failed")
    assert late < 1.5
    assert failed == pytest.approx(5.0, abs=0.1)
    told = {event.state: event.text for event in take.events if getattr(event, "meeting", "")}
    assert told["late"] == "Meeting 'meeting' is late: 'chaser' comes no nearer to its goal, and 'b' waits."
    assert "'b' goes on" in told["failed"]
    assert speeds(take, "b")[round((failed + 0.3) * FPS)] == pytest.approx(2.0, rel=0.02)


def test_a_body_whose_target_a_gate_holds_at_the_same_goal_has_come_and_is_not_blamed():
    script = Script()
    first = script.meet({"b": "1"}, name="first")
    script.meet({"a": "1"}, after=first, gate=True, name="gate")
    script.meet({"a": "1"}, of="bodies", name="bodies")
    actors = [Actor("a", follower(2, 0, 2, speed=0.2)), Actor("b", follower(30, 1))]
    take = shoot(Stage(actors, script=script), 16.0)
    assert [states(take, name) for name in ("first", "gate", "bodies")] == [["active", "done"]] * 3
    assert when(take, "bodies", "done") < when(take, "first", "done")


def slowed(patience=2.0, *others):
    """Somebody behind a bar that creeps along its way and is raised after 5 s, and somebody who waits for it."""
    keys = [Key((1.0 + 0.1 * time, y, 2), time=time) for time, y in ((0, 0), (5, 0), (5.5, 8))]
    bar = Actor("bar", Motion(MotionPath(keys, tension=1)), body=Body(Box((0.2, 1, 1))))
    script = meeting({"a": "1", "b": "1"}, patience=patience)
    return pair(script, 8, 12, bar, *others, segments=4)


def test_who_creeps_makes_a_meeting_late_and_not_fail_and_when_it_moves_again_that_is_told():
    take = shoot(slowed(), 9.0)
    assert states(take, "meeting") == ["active", "late", "active", "done"]
    (late,), (_, goes_on) = when(take, "meeting", "late"), when(take, "meeting", "active")
    assert late == pytest.approx(1.5, abs=0.3)
    assert goes_on == pytest.approx(5.3, abs=0.3)
    texts = [event.text for event in take.events if getattr(event, "meeting", "")]
    (said,) = [text for text in texts if "late" in text]
    assert said.startswith("Meeting 'meeting' is late: 'b' is slowed down: 'bar' (")
    assert said.endswith(" N) is in its way, and 'a' waits.")
    assert "Meeting 'meeting' goes on: 'b' moves again." in texts
    (again,) = [event for event in take.events if event.text.startswith("Meeting 'meeting' goes on")]
    assert (again.actor, again.kind) == ("b", "note")


def test_it_fails_only_when_somebody_really_stands():
    wall = Actor("wall", Still(Body(Box((0.2, 4, 1))), (1.4, 0, 2.0)))
    take = shoot(slowed(1.5, wall), 9.0)
    assert states(take, "meeting")[:2] == ["active", "late"]
    assert states(take, "meeting")[-1] == "failed"
    assert when(take, "meeting", "failed")[0] > 3.0


def test_what_is_in_the_way_is_named_as_soon_as_it_pushes_back():
    wall = Actor("wall", Still(Body(Box((0.2, 4, 1))), (0.6, 0, 2.0)))
    take = shoot(pair(meeting({"a": "1", "b": "1"}), 8, 12, wall, segments=4, reaction=1.0), 9.0)
    (late,) = when(take, "meeting", "late")
    assert all(event.time > late for event in take.events if event.about == "stuck"), "nobody has waited for so long"
    (text,) = [event.text for event in take.events if getattr(event, "state", "") == "late"]
    assert text.startswith("Meeting 'meeting' is late: 'b' is stuck: 'wall' (")


def test_meetings_after_one_that_has_failed_are_told_to_have_failed():
    take = stuck()
    assert states(take, "first") == ["active", "late", "failed"]
    assert states(take, "second") == states(take, "third") == ["failed"]
    assert when(take, "third", "failed") == when(take, "first", "failed")
    texts = [event.text for event in take.events if getattr(event, "state", "") == "failed"]
    assert texts[1:] == [
        "Meeting 'second' has failed: it comes after 'first'.",
        "Meeting 'third' has failed: it comes after 'second'.",
    ]


def test_a_meeting_is_as_patient_as_it_is_said():
    quick, slow = stuck(patience=0.5), stuck(patience=4.0)
    (late,) = when(slow, "first", "late")
    assert when(quick, "first", "late") == []
    assert when(quick, "first", "failed")[0] == pytest.approx(late - 0.5, abs=0.03)
    assert when(slow, "first", "failed")[0] == pytest.approx(late + 3.0, abs=0.03)


def test_meetings_that_come_to_hold_each_other_up_are_told_of_and_nobody_freezes():
    script = Script()
    script.meet({"a": "1", "b": "3"}, name="one")
    first = script.meet({"c": "1"}, name="first")
    script.meet({"a": "3", "b": "1"}, after=first, name="two")  # b may have passed by then, or not
    actors = [Actor("a", follower(8, 0, 4)), Actor("b", follower(8, 1, 4)), Actor("c", follower(0.5, 2))]
    take = shoot(Stage(actors, script=script), 11.0)
    failed = [name for name in ("one", "two") if states(take, name)[-1] == "failed"]
    assert failed
    assert all(states(take, name)[-1] in ("done", "failed") for name in ("one", "two"))
    texts = [event.text for event in take.events if getattr(event, "state", "") == "failed"]
    assert any("wait for each other" in text for text in texts)
    assert_allclose([take[name].position[-1, 0] for name in "ab"], 8.0, atol=0.05)


def tied(of="targets", gate=False):
    """Two meetings that hold each other up, one that comes behind them, and one that has nothing to do with it."""
    script = Script()
    script.meet({"a": "1", "b": "3"}, name="one", of=of)
    first = script.meet({"c": "1"}, name="first")
    script.meet({"a": "3", "b": "1"}, after=first, name="two", of=of, gate=gate)
    script.meet({"a": "4", "d": "2"}, name="behind")
    script.meet({"d": "1"}, name="aside")
    ways = {"a": (8, 4), "b": (8, 4), "c": (0.5, 1), "d": (6, 2)}
    return Stage(
        [Actor(name, follower(far, lane, keys)) for lane, (name, (far, keys)) in enumerate(ways.items())], script=script
    )


@pytest.mark.parametrize("of", ["targets", "bodies"])
def test_only_meetings_that_hold_each_other_up_fail_and_not_what_comes_behind_them(of):
    take = shoot(tied(of), 12.0)
    assert states(take, "one") == states(take, "two") == ["active", "failed"]
    assert states(take, "behind") == states(take, "aside") == ["active", "done"]
    assert [event.text for event in take.events if getattr(event, "state", "") == "failed"] == [
        "Meeting 'one' has failed: it and 'two' wait for each other.",
        "Meeting 'two' has failed: it and 'one' wait for each other.",
    ]


@pytest.mark.parametrize("of", ["targets", "bodies"])
def test_it_is_told_one_second_after_somebody_stands_because_of_it(of):
    take = shoot(tied(of), 8.0, FPS)
    (failed,) = when(take, "one", "failed")
    moves = [np.diff(take.targets[name][: round(failed * FPS), 0]) > 1e-6 for name in "ab"]
    stands = min(np.flatnonzero(moving)[-1] + 1 for moving in moves) / FPS
    assert failed - stands == pytest.approx(1.0, abs=0.05)


def test_a_gate_that_waits_for_whom_it_holds_is_part_of_the_circle():
    script = Script()
    first = script.meet({"a": "2"}, name="first")
    other = script.meet({"c": "1"}, name="other")
    script.meet({"a": "1", "b": "1"}, after=[first, other], need=1, gate=True, name="gate")
    actors = [Actor(name, follower(4, lane, 2)) for lane, name in enumerate("abc")]
    wall = Actor("wall", Still(Body(Box((0.2, 4, 1))), (1.0, 0, 4.0)))
    assert shoot(Stage(actors, script=script), 6.0).script.meetings["gate"].done is not None
    take = shoot(Stage([*actors, wall], script=script), 8.0)
    assert states(take, "other") == ["active", "late", "failed"]
    assert states(take, "first") == ["active", "failed"]
    assert states(take, "gate") == ["failed"]
    assert when(take, "first", "failed") == when(take, "gate", "failed") == when(take, "other", "failed")


def test_the_same_meetings_are_kept_where_timing_allows_it():
    script = Script()
    script.meet({"a": "1", "b": "3"}, name="one")
    first = script.meet({"c": "1"}, name="first")
    script.meet({"a": "3", "b": "1"}, after=first, name="two")
    actors = [Actor("a", follower(8, 0, 4)), Actor("b", follower(8, 1, 4)), Actor("c", follower(6, 2))]
    take = shoot(Stage(actors, script=script), 8.0)
    assert states(take, "one")[-1] == states(take, "two")[-1] == "done"


def test_without_making_up_for_gravity_nobody_is_made_so_slow_that_it_sinks():
    take = shoot(pair(meeting({"a": "1", "b": "1"}), 0.6, 6, correction=None).changed(gravity=(0, -9.81, 0)), 5.0)
    assert states(take, "meeting") == ["active", "done"]
    assert take["a"].position[:, 1].min() > -0.35
    assert way(1.0).length == 1.0
