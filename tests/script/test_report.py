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


def line(length, z=0.0, **words):
    keys = [Key((0, 0, z)), Key((length, 0, z), name="goal", **words), Key((2 * length, 0, z), name="end")]
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
    racers = [Actor(name, Follow(line(4, z), BALL, within=0.5, speed=2.0)) for name, z in (("red", 0), ("blue", 3))]
    return shoot(Stage([*racers, Actor("wall", Still(Body(Box((0.2, 4, 2))), (3, 0, 3)))], script=script), 6)


# ---- how fast ------------------------------------------------------------------------------------------------------


def test_take_without_meetings_has_no_report():
    assert shoot(Stage([Actor("a", Motion(line(1), duration=1))]), 1).script is None
    assert shoot(Stage([Actor("a", Follow(line(1), BALL, within=0.5))], script=Script()), 0.2).script is None


def test_report_has_a_value_for_every_frame(pair_take, stuck_take):
    for take in (pair_take, stuck_take):
        kept = take.script
        assert np.array_equal(kept.times, take.times)
        for lines in (kept.speed_factors, kept.speeds, kept.nominal_speeds):
            assert set(lines) == set(kept.actors)
            assert all(values.shape == take.times.shape for values in lines.values())


def test_early_participant_moves_at_the_speed_factor_set_by_the_slowest(pair_take):
    kept, on_the_way = pair_take.script, (pair_take.times > 0.6) & (pair_take.times < 2.4)
    assert kept.speed_factors["quick"][on_the_way] == pytest.approx(1 / 3, abs=0.03), (
        "a little less, for what it went before"
    )
    assert kept.speeds["quick"][on_the_way] == pytest.approx(1.0, abs=0.09)
    assert kept.nominal_speeds["quick"][on_the_way] == pytest.approx(3.0)
    assert (kept.speed_factors["slow"] == 1).all()


def test_speed_is_nominal_again_after_the_meeting(pair_take):
    kept, later = pair_take.script, (pair_take.times > 3.5) & (pair_take.times < 3.9)
    assert kept.speeds["quick"][later] == pytest.approx(kept.nominal_speeds["quick"][later], rel=0.01)


def test_the_speed_of_a_follower_is_that_of_its_target(stuck_take):
    kept, moved = stuck_take.script, np.linalg.norm(np.diff(stuck_take.targets["red"], axis=0), axis=1) * stuck_take.fps
    assert kept.speeds["red"][1:-1] == pytest.approx((moved[1:] + moved[:-1]) / 2)
    assert (kept.nominal_speeds["red"] == 2.0).all()
    assert kept.speeds["blue"][stuck_take.times > 2] == pytest.approx(0, abs=0.01), "its target waits at the wall"


def test_participant_stopped_at_a_gate_is_reported_as_waiting():
    script = Script()
    first = script.meet({"b": "goal"}, name="first")
    script.meet({"a": 1.0, "b": "end"}, after=first, gate=True, name="second")
    stage = Stage([Actor(name, Motion(line(3), duration=6)) for name in "ab"], script=script)
    kept = shoot(stage, 7).script
    held = (kept.times > 1.3) & (kept.times < 5.9)
    assert (kept.speed_factors["a"][held] == 0).all()
    assert (kept.speeds["a"][held] == 0).all()
    ((first_held, until),) = kept.waits("a")
    assert (first_held, until) == pytest.approx((1.0, 6.1), abs=0.2)


def test_turn_channel_is_reported_separately_in_radians():
    script = Script()
    script.meet({"a": turn("goal"), "b": "goal"}, name="raised")
    turned = MotionPath([Key((0, 0, 0), orientation=Orientation.turned(0, "y")), *line(3).keys[1:]])
    turned = turned.with_key("goal", orientation=Orientation.turned(120, "y"))
    racers = [Actor("a", Follow(turned, BALL, within=0.5, speed=2.0, turn_within=20))]
    stage = Stage([*racers, Actor("b", Motion(line(3), duration=8))], script=script)
    kept = shoot(stage, 3).script
    assert set(kept.actors) == {"a (turn)", "b"}
    assert kept.turns == {"a (turn)"}
    assert kept.speeds["a (turn)"].sum() / 24 == pytest.approx(np.radians(120) * 3 / 4, rel=0.25)


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
    met = pair_take.script.meetings["corner"]
    assert met.active == 0
    assert set(met.reached) == {"quick", "slow"}
    assert met.done == max(met.reached.values()) == pytest.approx(3, abs=0.05)
    assert met.spread <= 0.05
    assert met.late is met.failed is None


def test_state_of_a_meeting_is_known_at_any_time(pair_take, stuck_take):
    assert [pair_take.script.state("corner", t) for t in (-1, 0, 2.5, 5)] == ["waiting", "active", "active", "done"]
    gate = stuck_take.script.meetings["gate"]
    assert gate.delays == ((gate.late, None),)
    asked = [stuck_take.script.state("gate", t) for t in (0, gate.late, gate.failed - 0.1, gate.failed)]
    assert asked == ["active", "late", "late", "failed"]
    assert [stuck_take.script.state("end", t) for t in (0, 6)] == ["waiting", "failed"]


def test_outcome_of_a_failed_meeting_has_the_reason(stuck_take):
    met = stuck_take.script.meetings
    assert met["gate"].done is None
    assert met["gate"].spread is None
    assert "'wall'" in met["gate"].reason
    assert "comes after 'gate'" in met["end"].reason


# ---- as a value ----------------------------------------------------------------------------------------------------


def test_report_is_an_immutable_value(pair_take):
    kept = pair_take.script
    assert pickle.loads(pickle.dumps(kept)) == kept
    with pytest.raises(ValueError, match="read-only"):
        kept.speed_factors["quick"][0] = 0
    with pytest.raises(TypeError):
        kept.speeds["quick"] = kept.times


def test_report_is_saved_in_archives_and_ignored_in_take_comparison(pair_take, stuck_take, tmp_path):
    bare = Take(pair_take.times, pair_take.fps, pair_take.poses, pair_take.events)
    assert bare == pair_take
    for take in (pair_take, stuck_take):
        save(take, tmp_path / "take.npz")
        back = load(tmp_path / "take.npz")
        assert back.script == take.script
        reported = [event for event in take.events if isinstance(event, MeetingEvent)]
        assert reported == [event for event in back.events if isinstance(event, MeetingEvent)]
    save(pair_take, tmp_path / "take.csv")
    assert load(tmp_path / "take.csv").script is None


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda kept: {"speeds": {}}, "different actors or frames"),
        (lambda kept: {"times": kept.times[1:]}, "different actors or frames"),
        (lambda kept: {"turns": frozenset(["nobody"])}, "'nobody', who is in no meeting"),
        (lambda kept: {"script": Script()}, "'quick', who is in no meeting"),
        (lambda kept: {"meetings": {}}, r"outcomes of \[\]. Give one for each meeting"),
    ],
)
def test_report_must_cover_all_actors_and_meetings(pair_take, change, says):
    with pytest.raises(KeyposeError, match=says):
        replace(pair_take.script, **change(pair_take.script))


def test_unknown_actor_or_meeting_is_refused_with_the_nearest_name(pair_take):
    with pytest.raises(KeyposeError, match=r"No 'quik' keeps appointments here\. Did you mean 'quick'\?"):
        pair_take.script.waits("quik")
    with pytest.raises(KeyposeError, match=r"No meeting is named 'corne'\. Did you mean 'corner'\?"):
        pair_take.script.state("corne", 1)


@pytest.mark.parametrize("given", [Script(), 3, "corner"])
def test_take_refuses_a_script_that_is_not_a_report(pair_take, given):
    with pytest.raises(KeyposeError, match=r"A take was given script=.*\. Give the performance of a script"):
        Take(pair_take.times, pair_take.fps, pair_take.poses, script=given)


def test_take_refuses_a_report_of_other_frames(pair_take, stuck_take):
    with pytest.raises(KeyposeError, match="in its own frames"):
        Take(
            pair_take.times[:3],
            pair_take.fps,
            {"a": pair_take["quick"].at(pair_take.times[:3])},
            script=pair_take.script,
        )


def test_meeting_resumed_after_a_delay_is_active_again():
    reported = [(0.0, "active"), (2.0, "late"), (3.0, "active"), (5.0, "late"), (6.0, "done")]
    script = Script()
    script.meet({"a": "goal"}, name="m")
    met = meeting_outcomes(script, [meeting_event(time, "a", "m", state, "") for time, state in reported])["m"]
    assert met.delays == ((2.0, 3.0), (5.0, None))
    assert (met.active, met.late, met.done) == (0.0, 2.0, 6.0)
    states = [met.state(time) for time in (-1, 1, 2, 2.9, 3, 4.9, 5, 5.9, 6)]
    assert states == ["waiting", "active", "late", "late", "active", "active", "late", "late", "done"]
    assert pickle.loads(pickle.dumps(met)) == met
