"""What if somebody is stuck, or meetings hold each other up? It is told, and nobody freezes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import Actor, Body, Box, Follow, Key, Motion, MotionPath, Script, Sphere, Stage, Still, shoot
from tests.script.straight_paths import (
    BALL,
    FPS,
    event_times,
    follower,
    meeting,
    meeting_states,
    pair,
    speeds,
    spread,
    straight_path,
)


def test_followers_meet_despite_an_obstacle_on_one_path():
    post = Actor("post", Still(Body(Sphere(0.2)), (3.0, 0.12, 2.0)))
    take = shoot(pair(meeting({"a": "1", "b": "1"}), 2, 5, post), 6.0)
    assert any(getattr(event, "other", "") == "post" for event in take.events)
    assert spread(take, "meeting") <= 0.05


def take_with_stuck_follower(of="targets", **options):
    script = Script()
    first = script.meet({"a": "1", "b": "1"}, name="first", of=of, **options)
    second = script.meet({"a": "2", "b": "2"}, after=first, name="second")
    script.meet({"a": "3"}, after=second, name="third")
    wall = Actor("wall", Still(Body(Box((0.2, 4, 1))), (2.0, 0, 2.0)))
    return shoot(pair(script, 8, 12, wall, segments=4), 9.0, FPS)


@pytest.mark.parametrize("of", ["targets", "bodies"])
def test_stuck_participant_makes_a_meeting_late_then_fail_and_obstacle_is_reported(of):
    take = take_with_stuck_follower(of)
    (late,), (failed,) = event_times(take, "first", "late"), event_times(take, "first", "failed")
    (stall_time,) = [event.time for event in take.events if event.about == "stuck"]
    assert stall_time - 1.0 < late < failed <= late + 1.02
    events_by_state = {event.state: event for event in take.events if getattr(event, "meeting", "") == "first"}
    for state in ("late", "failed"):
        assert events_by_state[state].actor == "b"
        assert events_by_state[state].kind == "warning"
        assert "'b' is stuck: 'wall' (" in events_by_state[state].text
    assert "'a' waits" in events_by_state["late"].text
    assert "'a' goes on" in events_by_state["failed"].text


def test_participant_waiting_for_a_stuck_one_returns_to_nominal_speed_after_failure():
    take = take_with_stuck_follower()
    (failed,) = event_times(take, "first", "failed")
    assert speeds(take, "a")[round(failed * FPS) - 20] < 0.5
    assert_allclose(speeds(take, "a")[round((failed + 0.3) * FPS) :][:100], 2.0, rtol=0.01)


@pytest.mark.parametrize("of", ["targets", "bodies"])
def test_participant_waiting_at_a_goal_continues_when_the_last_meeting_fails(of):
    wall = Actor("wall", Still(Body(Box((0.2, 4, 1))), (2.0, 0, 2.0)))
    take = shoot(pair(meeting({"a": "0", "b": "1"}, of=of), 2, 5, wall), 9.0, FPS)
    assert meeting_states(take, "meeting") == ["active", "late", "failed"]
    assert take["a"].position[-1][0] == pytest.approx(2.0, abs=0.01)


@pytest.mark.parametrize("of", ["targets", "bodies"])
def test_follower_of_a_faster_carrier_makes_a_meeting_late_then_fail(of):
    car = Actor("car", Motion(MotionPath([(0, 0, 10), (400, 0, 10)]), duration=20.0))
    keys = [(0, 0, 6), Key((0, 0, 0.5), relative_to="car", name="side"), (9, 0, 9)]
    chaser = Actor("chaser", Follow(MotionPath(keys), BALL, within=0.4))
    script = meeting({"chaser": "side", "b": "1"}, of=of, patience=1.0)
    take = shoot(Stage([car, chaser, Actor("b", follower(5, 1, 2))], script=script), 9.0, FPS)
    (late,), (failed,) = event_times(take, "meeting", "late"), event_times(take, "meeting", "failed")
    assert late < 1.5
    assert failed == pytest.approx(5.0, abs=0.1)
    texts_by_state = {event.state: event.text for event in take.events if getattr(event, "meeting", "")}
    assert texts_by_state["late"] == "Meeting 'meeting' is late: 'chaser' comes no nearer to its goal, and 'b' waits."
    assert "'b' goes on" in texts_by_state["failed"]
    assert speeds(take, "b")[round((failed + 0.3) * FPS)] == pytest.approx(2.0, rel=0.02)


def test_body_whose_target_is_stopped_by_a_gate_at_the_same_goal_has_arrived():
    script = Script()
    first = script.meet({"b": "1"}, name="first")
    script.meet({"a": "1"}, after=first, gate=True, name="gate")
    script.meet({"a": "1"}, of="bodies", name="bodies")
    actors = [Actor("a", follower(2, 0, 2, speed=0.2)), Actor("b", follower(30, 1))]
    take = shoot(Stage(actors, script=script), 16.0)
    assert [meeting_states(take, name) for name in ("first", "gate", "bodies")] == [["active", "done"]] * 3
    assert event_times(take, "bodies", "done") < event_times(take, "first", "done")


def stage_with_slow_bar(patience=2.0, *others):
    """Somebody behind a bar that creeps along its way and is raised after 5 s, and somebody who waits for it."""
    keys = [Key((1.0 + 0.1 * time, y, 2), time=time) for time, y in ((0, 0), (5, 0), (5.5, 8))]
    bar = Actor("bar", Motion(MotionPath(keys, tension=1)), body=Body(Box((0.2, 1, 1))))
    script = meeting({"a": "1", "b": "1"}, patience=patience)
    return pair(script, 8, 12, bar, *others, segments=4)


def test_slow_participant_makes_a_meeting_late_and_its_resumption_is_reported():
    take = shoot(stage_with_slow_bar(), 9.0)
    assert meeting_states(take, "meeting") == ["active", "late", "active", "done"]
    (late,), (_, resumed) = event_times(take, "meeting", "late"), event_times(take, "meeting", "active")
    assert late == pytest.approx(1.5, abs=0.3)
    assert resumed == pytest.approx(5.3, abs=0.3)
    texts = [event.text for event in take.events if getattr(event, "meeting", "")]
    (late_text,) = [text for text in texts if "late" in text]
    assert late_text.startswith("Meeting 'meeting' is late: 'b' is slowed down: 'bar' (")
    assert late_text.endswith(" N) is in its way, and 'a' waits.")
    assert "Meeting 'meeting' goes on: 'b' moves again." in texts
    (resumption,) = [event for event in take.events if event.text.startswith("Meeting 'meeting' goes on")]
    assert (resumption.actor, resumption.kind) == ("b", "note")


def test_meeting_fails_only_when_a_participant_is_blocked():
    wall = Actor("wall", Still(Body(Box((0.2, 4, 1))), (1.4, 0, 2.0)))
    take = shoot(stage_with_slow_bar(1.5, wall), 9.0)
    assert meeting_states(take, "meeting")[:2] == ["active", "late"]
    assert meeting_states(take, "meeting")[-1] == "failed"
    assert event_times(take, "meeting", "failed")[0] > 3.0


def test_obstacle_is_named_as_soon_as_it_exerts_force():
    wall = Actor("wall", Still(Body(Box((0.2, 4, 1))), (0.6, 0, 2.0)))
    take = shoot(pair(meeting({"a": "1", "b": "1"}), 8, 12, wall, segments=4, reaction=1.0), 9.0)
    (late,) = event_times(take, "meeting", "late")
    assert all(event.time > late for event in take.events if event.about == "stuck"), "nobody has waited for so long"
    (text,) = [event.text for event in take.events if getattr(event, "state", "") == "late"]
    assert text.startswith("Meeting 'meeting' is late: 'b' is stuck: 'wall' (")


def test_meetings_after_a_failed_one_are_reported_as_failed():
    take = take_with_stuck_follower()
    assert meeting_states(take, "first") == ["active", "late", "failed"]
    assert meeting_states(take, "second") == meeting_states(take, "third") == ["failed"]
    assert event_times(take, "third", "failed") == event_times(take, "first", "failed")
    texts = [event.text for event in take.events if getattr(event, "state", "") == "failed"]
    assert texts[1:] == [
        "Meeting 'second' has failed: it comes after 'first'.",
        "Meeting 'third' has failed: it comes after 'second'.",
    ]


def test_patience_sets_the_time_to_failure():
    quick, slow = take_with_stuck_follower(patience=0.5), take_with_stuck_follower(patience=4.0)
    (late,) = event_times(slow, "first", "late")
    assert event_times(quick, "first", "late") == []
    assert event_times(quick, "first", "failed")[0] == pytest.approx(late - 0.5, abs=0.03)
    assert event_times(slow, "first", "failed")[0] == pytest.approx(late + 3.0, abs=0.03)


def test_deadlocked_meetings_are_reported_and_no_actor_freezes():
    script = Script()
    script.meet({"a": "1", "b": "3"}, name="one")
    first = script.meet({"c": "1"}, name="first")
    script.meet({"a": "3", "b": "1"}, after=first, name="two")  # b may have passed by then, or not
    actors = [Actor("a", follower(8, 0, 4)), Actor("b", follower(8, 1, 4)), Actor("c", follower(0.5, 2))]
    take = shoot(Stage(actors, script=script), 11.0)
    failed = [name for name in ("one", "two") if meeting_states(take, name)[-1] == "failed"]
    assert failed
    assert all(meeting_states(take, name)[-1] in ("done", "failed") for name in ("one", "two"))
    texts = [event.text for event in take.events if getattr(event, "state", "") == "failed"]
    assert any("wait for each other" in text for text in texts)
    assert_allclose([take[name].position[-1, 0] for name in "ab"], 8.0, atol=0.05)


def deadlocked_stage(of="targets", gate=False):
    """Two meetings that hold each other up, one that comes behind them, and one that has nothing to do with it."""
    script = Script()
    script.meet({"a": "1", "b": "3"}, name="one", of=of)
    first = script.meet({"c": "1"}, name="first")
    script.meet({"a": "3", "b": "1"}, after=first, name="two", of=of, gate=gate)
    script.meet({"a": "4", "d": "2"}, name="behind")
    script.meet({"d": "1"}, name="aside")
    lanes = {"a": (8, 4), "b": (8, 4), "c": (0.5, 1), "d": (6, 2)}
    return Stage(
        [Actor(name, follower(length, lane, keys)) for lane, (name, (length, keys)) in enumerate(lanes.items())],
        script=script,
    )


@pytest.mark.parametrize("of", ["targets", "bodies"])
def test_only_deadlocked_meetings_fail_and_not_later_goals(of):
    take = shoot(deadlocked_stage(of), 12.0)
    assert meeting_states(take, "one") == meeting_states(take, "two") == ["active", "failed"]
    assert meeting_states(take, "behind") == meeting_states(take, "aside") == ["active", "done"]
    assert [event.text for event in take.events if getattr(event, "state", "") == "failed"] == [
        "Meeting 'one' has failed: it and 'two' wait for each other.",
        "Meeting 'two' has failed: it and 'one' wait for each other.",
    ]


@pytest.mark.parametrize("of", ["targets", "bodies"])
def test_deadlock_is_reported_one_second_after_a_participant_stops(of):
    take = shoot(deadlocked_stage(of), 8.0, FPS)
    (failed,) = event_times(take, "one", "failed")
    is_moving = [np.diff(take.targets[name][: round(failed * FPS), 0]) > 1e-6 for name in "ab"]
    stop_time = min(np.flatnonzero(is_actor_moving)[-1] + 1 for is_actor_moving in is_moving) / FPS
    assert failed - stop_time == pytest.approx(1.0, abs=0.05)


def test_gate_waiting_for_a_participant_it_stops_is_part_of_the_deadlock():
    script = Script()
    first = script.meet({"a": "2"}, name="first")
    other = script.meet({"c": "1"}, name="other")
    script.meet({"a": "1", "b": "1"}, after=[first, other], need=1, gate=True, name="gate")
    actors = [Actor(name, follower(4, lane, 2)) for lane, name in enumerate("abc")]
    wall = Actor("wall", Still(Body(Box((0.2, 4, 1))), (1.0, 0, 4.0)))
    assert shoot(Stage(actors, script=script), 6.0).script.meetings["gate"].done is not None
    take = shoot(Stage([*actors, wall], script=script), 8.0)
    assert meeting_states(take, "other") == ["active", "late", "failed"]
    assert meeting_states(take, "first") == ["active", "failed"]
    assert meeting_states(take, "gate") == ["failed"]
    assert (
        event_times(take, "first", "failed")
        == event_times(take, "gate", "failed")
        == event_times(take, "other", "failed")
    )


def test_potentially_deadlocked_meetings_succeed_when_timing_allows():
    script = Script()
    script.meet({"a": "1", "b": "3"}, name="one")
    first = script.meet({"c": "1"}, name="first")
    script.meet({"a": "3", "b": "1"}, after=first, name="two")
    actors = [Actor("a", follower(8, 0, 4)), Actor("b", follower(8, 1, 4)), Actor("c", follower(6, 2))]
    take = shoot(Stage(actors, script=script), 8.0)
    assert meeting_states(take, "one")[-1] == meeting_states(take, "two")[-1] == "done"


def test_follower_without_correction_is_not_slowed_until_it_sags():
    take = shoot(pair(meeting({"a": "1", "b": "1"}), 0.6, 6, correction=None).changed(gravity=(0, -9.81, 0)), 5.0)
    assert meeting_states(take, "meeting") == ["active", "done"]
    assert take["a"].position[:, 1].min() > -0.35
    assert straight_path(1.0).length == 1.0
