"""A take tells how its script was kept: who went how fast, who waited when, and what became of every meeting."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from keypose import (
    Actor,
    Body,
    Box,
    Follow,
    Key,
    KeyposeError,
    Motion,
    MotionPath,
    Orientation,
    Script,
    Sphere,
    Stage,
    Still,
    Take,
    load,
    save,
    shoot,
    turn,
)
from keypose.script.events import MeetingEvent, meeting_event
from keypose.script.report import intervals_below, meeting_outcomes

BALL = Body(Sphere(0.3))


def line(length, z=0.0, **options):
    keys = [Key((0, 0, z)), Key((length, 0, z), name="goal", **options), Key((2 * length, 0, z), name="end")]
    return MotionPath(keys)


@pytest.fixture(scope="module")
def pair_take():
    """Two motions, of which one could be there in 1 s and the other needs 3; then they part."""
    script = Script()
    script.meet({"quick": "goal", "slow": "goal"}, name="corner")
    quick, slow = Motion(line(3), duration=2), Motion(line(3, 1), duration=6)
    return shoot(Stage([Actor("quick", quick), Actor("slow", slow)], script=script), 6)


@pytest.fixture(scope="module")
def stuck_take():
    """Two who follow, of whom a wall stops one."""
    script = Script()
    gate = script.meet({"red": "goal", "blue": "goal"}, name="gate")
    script.meet({"red": "end", "blue": "end"}, after=gate, name="end")
    followers = [Actor(name, Follow(line(4, z), BALL, within=0.5, speed=2.0)) for name, z in (("red", 0), ("blue", 3))]
    return shoot(Stage([*followers, Actor("wall", Still(Body(Box((0.2, 4, 2))), (3, 0, 3)))], script=script), 6)


# ---- how fast ------------------------------------------------------------------------------------------------------


def test_take_without_meetings_has_no_report():
    assert shoot(Stage([Actor("a", Motion(line(1), duration=1))]), 1).script is None
    assert shoot(Stage([Actor("a", Follow(line(1), BALL, within=0.5))], script=Script()), 0.2).script is None


def test_report_has_a_value_for_every_frame(pair_take, stuck_take):
    for take in (pair_take, stuck_take):
        report = take.script
        assert np.array_equal(report.times, take.times)
        for values_by_actor in (report.speed_factors, report.speeds, report.nominal_speeds):
            assert set(values_by_actor) == set(report.actors)
            assert all(values.shape == take.times.shape for values in values_by_actor.values())


def test_early_participant_moves_at_the_speed_factor_set_by_the_slowest(pair_take):
    report, before_meeting = pair_take.script, (pair_take.times > 0.6) & (pair_take.times < 2.4)
    assert report.speed_factors["quick"][before_meeting] == pytest.approx(1 / 3, abs=0.03), (
        "a little less, for what it went before"
    )
    assert report.speeds["quick"][before_meeting] == pytest.approx(1.0, abs=0.09)
    assert report.nominal_speeds["quick"][before_meeting] == pytest.approx(3.0)
    assert (report.speed_factors["slow"] == 1).all()


def test_speed_is_nominal_again_after_the_meeting(pair_take):
    report, after_meeting = pair_take.script, (pair_take.times > 3.5) & (pair_take.times < 3.9)
    assert report.speeds["quick"][after_meeting] == pytest.approx(
        report.nominal_speeds["quick"][after_meeting], rel=0.01
    )


def test_the_speed_of_a_follower_is_that_of_its_target(stuck_take):
    report, target_speeds = (
        stuck_take.script,
        np.linalg.norm(np.diff(stuck_take.targets["red"], axis=0), axis=1) * stuck_take.fps,
    )
    assert report.speeds["red"][1:-1] == pytest.approx((target_speeds[1:] + target_speeds[:-1]) / 2)
    assert (report.nominal_speeds["red"] == 2.0).all()
    assert report.speeds["blue"][stuck_take.times > 2] == pytest.approx(0, abs=0.01), "its target waits at the wall"


def test_participant_stopped_at_a_gate_is_reported_as_waiting():
    script = Script()
    first = script.meet({"b": "goal"}, name="first")
    script.meet({"a": 1.0, "b": "end"}, after=first, gate=True, name="second")
    stage = Stage([Actor(name, Motion(line(3), duration=6)) for name in "ab"], script=script)
    report = shoot(stage, 7).script
    stopped = (report.times > 1.3) & (report.times < 5.9)
    assert (report.speed_factors["a"][stopped] == 0).all()
    assert (report.speeds["a"][stopped] == 0).all()
    ((stop_start, stop_end),) = report.waits("a")
    assert (stop_start, stop_end) == pytest.approx((1.0, 6.1), abs=0.2)


def test_turn_channel_is_reported_separately_in_radians():
    script = Script()
    script.meet({"a": turn("goal"), "b": "goal"}, name="raised")
    path = MotionPath([Key((0, 0, 0), orientation=Orientation.turned(0, "y")), *line(3).keys[1:]])
    path = path.with_key("goal", orientation=Orientation.turned(120, "y"))
    followers = [Actor("a", Follow(path, BALL, within=0.5, speed=2.0, turn_within=20))]
    stage = Stage([*followers, Actor("b", Motion(line(3), duration=8))], script=script)
    report = shoot(stage, 3).script
    assert set(report.actors) == {"a (turn)", "b"}
    assert report.turns == {"a (turn)"}
    assert report.speeds["a (turn)"].sum() / 24 == pytest.approx(np.radians(120) * 3 / 4, rel=0.25)


# ---- who waited, and what became of it ------------------------------------------------------------------------------


def test_waiting_intervals_are_reported(pair_take):
    ((first, last),) = pair_take.script.waits("quick")
    assert (first, last) == pytest.approx((0, 3), abs=0.2)
    assert pair_take.script.waits("slow") == ()


def test_intervals_below_a_limit_run_between_crossings():
    times = np.arange(5.0)
    assert intervals_below(times, np.array([0, 2, 0, 0, 2.0]), 1.0) == ((0, 0.5), (1.5, 3.5))
    assert intervals_below(times, np.array([2, 0, 2, 2, 0.0]), 1.0) == ((0.5, 1.5), (3.5, 4))
    assert intervals_below(times, np.zeros(5), 1.0) == ((0, 4),)
    assert intervals_below(times, np.ones(5), 1.0) == ()


def test_outcome_of_a_done_meeting_has_the_arrival_times(pair_take):
    outcome = pair_take.script.meetings["corner"]
    assert outcome.active == 0
    assert set(outcome.reached) == {"quick", "slow"}
    assert outcome.done == max(outcome.reached.values()) == pytest.approx(3, abs=0.05)
    assert outcome.spread <= 0.05
    assert outcome.late is outcome.failed is None


def test_state_of_a_meeting_is_known_at_any_time(pair_take, stuck_take):
    assert [pair_take.script.state("corner", t) for t in (-1, 0, 2.5, 5)] == ["waiting", "active", "active", "done"]
    gate = stuck_take.script.meetings["gate"]
    assert gate.delays == ((gate.late, None),)
    states = [stuck_take.script.state("gate", t) for t in (0, gate.late, gate.failed - 0.1, gate.failed)]
    assert states == ["active", "late", "late", "failed"]
    assert [stuck_take.script.state("end", t) for t in (0, 6)] == ["waiting", "failed"]


def test_outcome_of_a_failed_meeting_has_the_reason(stuck_take):
    outcomes = stuck_take.script.meetings
    assert outcomes["gate"].done is None
    assert outcomes["gate"].spread is None
    assert "'wall'" in outcomes["gate"].reason
    assert "comes after 'gate'" in outcomes["end"].reason


# ---- as a value ----------------------------------------------------------------------------------------------------


def test_report_is_an_immutable_value(pair_take):
    report = pair_take.script
    assert pickle.loads(pickle.dumps(report)) == report
    with pytest.raises(ValueError, match="read-only"):
        report.speed_factors["quick"][0] = 0
    with pytest.raises(TypeError):
        report.speeds["quick"] = report.times


def test_report_is_saved_in_archives_and_ignored_in_take_comparison(pair_take, stuck_take, tmp_path):
    take_without_report = Take(pair_take.times, pair_take.fps, pair_take.poses, pair_take.events)
    assert take_without_report == pair_take
    for take in (pair_take, stuck_take):
        save(take, tmp_path / "take.npz")
        loaded = load(tmp_path / "take.npz")
        assert loaded.script == take.script
        meeting_events = [event for event in take.events if isinstance(event, MeetingEvent)]
        assert meeting_events == [event for event in loaded.events if isinstance(event, MeetingEvent)]
    save(pair_take, tmp_path / "take.csv")
    assert load(tmp_path / "take.csv").script is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda report: {"speeds": {}}, "different actors or frames"),
        (lambda report: {"times": report.times[1:]}, "different actors or frames"),
        (lambda report: {"turns": frozenset(["nobody"])}, "'nobody', who is in no meeting"),
        (lambda report: {"script": Script()}, "'quick', who is in no meeting"),
        (lambda report: {"meetings": {}}, r"outcomes of \[\]. Give one for each meeting"),
    ],
)
def test_report_must_cover_all_actors_and_meetings(pair_take, change, message):
    with pytest.raises(KeyposeError, match=message):
        replace(pair_take.script, **change(pair_take.script))


def test_unknown_actor_or_meeting_is_refused_with_the_nearest_name(pair_take):
    with pytest.raises(KeyposeError, match=r"No 'quik' keeps appointments here\. Did you mean 'quick'\?"):
        pair_take.script.waits("quik")
    with pytest.raises(KeyposeError, match=r"No meeting is named 'corne'\. Did you mean 'corner'\?"):
        pair_take.script.state("corne", 1)


@pytest.mark.parametrize("value", [Script(), 3, "corner"])
def test_take_refuses_a_script_that_is_not_a_report(pair_take, value):
    with pytest.raises(KeyposeError, match=r"A take was given script=.*\. Give the performance of a script"):
        Take(pair_take.times, pair_take.fps, pair_take.poses, script=value)


def test_take_refuses_a_report_of_other_frames(pair_take, stuck_take):
    with pytest.raises(KeyposeError, match="in its own frames"):
        Take(
            pair_take.times[:3],
            pair_take.fps,
            {"a": pair_take["quick"].at(pair_take.times[:3])},
            script=pair_take.script,
        )


def test_meeting_resumed_after_a_delay_is_active_again():
    state_changes = [(0.0, "active"), (2.0, "late"), (3.0, "active"), (5.0, "late"), (6.0, "done")]
    script = Script()
    script.meet({"a": "goal"}, name="m")
    outcome = meeting_outcomes(script, [meeting_event(time, "a", "m", state, "") for time, state in state_changes])["m"]
    assert outcome.delays == ((2.0, 3.0), (5.0, None))
    assert (outcome.active, outcome.late, outcome.done) == (0.0, 2.0, 6.0)
    states = [outcome.state(time) for time in (-1, 1, 2, 2.9, 3, 4.9, 5, 5.9, 6)]
    assert states == ["waiting", "active", "late", "late", "active", "active", "late", "late", "done"]
    assert pickle.loads(pickle.dumps(outcome)) == outcome
