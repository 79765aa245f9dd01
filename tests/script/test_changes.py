"""Scripts that are changed while they run: who is on its way goes on, and what was told stays told."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import (
    Actor,
    Body,
    Box,
    Follow,
    Key,
    KeyposeError,
    Motion,
    MotionPath,
    Run,
    Script,
    Stage,
    Still,
)
from keypose.script.sync.rules.clock_rates import RAMP_TIME
from tests.physics.replays import check_rewinding, same
from tests.script.performances import kept, motions, scene, until
from tests.script.walks import BALL, follower, meeting, spread, states, walk, way, when

TIMES = np.linspace(0, 1, 1001)


def test_a_change_of_something_else_changes_nothing_about_meetings():
    run = until(Run(scene()), 1.0)
    before = kept(run)
    run.change("wall", Still(Body(Box((0.2, 4, 1))), (0.6, 0, 8.0)))
    after = kept(run)
    assert before == after


@pytest.mark.parametrize("make", [scene, motions])
def test_changes_at_every_tick_do_not_make_anybody_slower(make):
    calm, busy = Run(make()), Run(make())
    while calm.time < 1.0:
        calm.tick()
        busy.tick()
        busy.change(gravity=(0, 0, 0))
    for name, pose in calm.poses.items():
        assert_allclose(busy.poses[name].position, pose.position, atol=1e-3)
    assert all(states(busy, one.name) == states(calm, one.name) for one in calm.stage.script)


def test_a_change_belongs_to_its_tick_and_comes_again_after_a_rewind():
    run = until(Run(scene()), 0.6)
    script = Script(run.stage.script)
    script.meet({"c": "4"}, after="second", name="more")
    run.change(script=script)
    check_rewinding(run, 1600, 1.0, 0.3)
    run.rewind(0.3)
    assert "more" not in run.stage.script


def test_a_meeting_may_be_added_while_it_runs():
    run = until(Run(scene()), 1.2)
    before = run.poses, run.events
    script = Script(run.stage.script)
    script.meet({"a": "3", "c": "3"}, name="more")
    run.change(script=script)
    assert same(run.poses, before[0])
    assert run.events[: len(before[1])] == before[1]
    until(run, 5.0)
    assert states(run, "more") == ["active", "done"]
    assert states(run, "first") == ["active", "done"]
    assert spread(run, "more") <= 0.02


def test_a_meeting_may_be_taken_away_and_who_waited_for_it_goes_on():
    run = until(Run(scene()), 2.6)
    assert states(run, "stuck") == ["active"]
    run.change(script=Script(one for one in run.stage.script if one.name != "stuck"))
    until(run, 6.0)
    assert states(run, "stuck") == ["active"]
    assert states(run, "bodies") == ["active", "done"]
    assert run.poses["a"].position[0] == pytest.approx(6.0, abs=0.05)


@pytest.mark.parametrize("make", [lambda: Stage([Actor("a", follower(2)), Actor("b", follower(5, 1))]), None])
def test_a_script_may_come_while_it_runs(make):
    stage = make() if make else Stage([Actor("a", walk(2.0)), Actor("b", walk(5.0, 1))])
    run = until(Run(stage), 0.5)
    before = run.poses
    run.change(script=meeting({"a": "1", "b": "1"}))
    assert same(run.poses, before)
    until(run, 6.0)
    assert states(run, "meeting") == ["active", "done"]
    assert when(run, "meeting", "active") == [pytest.approx(run.moment.time - run.time + 0.5, abs=0.05)]
    assert spread(run, "meeting") <= 0.02


def going_round(script=None):
    cycle = Motion(way(1, 0, 2), duration=1.0, outside="cycle")
    return Stage([Actor("a", cycle), Actor("b", walk(9.0, 1, 3))], script=script)


def test_a_script_that_comes_while_a_motion_goes_in_rounds_counts_from_the_one_it_is_in():
    run = until(Run(going_round()), 2.2)
    run.change(script=meeting({"a": "1", "b": "1"}))
    assert_allclose(run.stage.sync_plan.goal_progress, [2.5, 3.0])
    assert when(run, "meeting", "reached") == []
    until(run, 4.0)
    assert spread(run, "meeting") <= 0.02
    check_rewinding(run, run.ticks, 1.0, 2.4)


def ring(script=None, **said):
    keys = [Key(place, name=name) for name, place in zip("abc", [(0, 0, 0), (1, 0, 0), (1, 0, 1)], strict=True)]
    closed = Follow(MotionPath(keys, closed=True), BALL, within=0.2, **said)
    return Stage([Actor("round", closed), Actor("b", follower(30, 4, 3))], script=script)


def test_a_script_that_comes_while_a_follower_goes_round_counts_from_where_it_is():
    run = until(Run(ring()), 5.0)
    (cast,) = run.moment.system_states.values()
    place, _, segments = cast.system.target_parameters(cast.state)["round"]
    assert place > segments
    run.change(script=meeting({"round": "b", "b": "1"}))
    assert 0 < run.stage.sync_plan.goal_progress[0] - place <= segments
    assert when(run, "meeting", "reached", "round") == []
    run.change(gravity=(0, -1, 0))
    assert 0 < run.stage.sync_plan.goal_progress[0] - place <= segments, "and stays there"


def test_goals_of_a_script_that_goes_on_stay_in_their_rounds_and_new_ones_are_in_the_next():
    script = Script()
    first = script.meet({"a": "1"}, name="first")
    second = script.meet({"a": "1"}, after=first, name="second")
    run = until(Run(going_round(script)), 1.2)
    run.change(gravity=(0, -1, 0))
    assert_allclose(run.stage.sync_plan.goal_progress, [0.5, 1.5])
    until(run, 2.2)
    script.meet({"a": "2"}, after=first, name="more")
    script.meet({"a": "1"}, after=second, name="third")
    run.change(script=script)
    assert_allclose(run.stage.sync_plan.goal_progress, [0.5, 1.5, 3.0, 2.5], atol=1e-6)
    run.change("b", walk(8.0, 1, 3))
    assert_allclose(run.stage.sync_plan.goal_progress, [0.5, 1.5, 3.0, 2.5], atol=1e-6)
    assert [states(run, name) for name in ("first", "second", "third")] == [["active", "done"]] * 2 + [["active"]]
    until(run, 3.2)
    assert [len(when(run, one.name, "done")) for one in run.stage.script] == [1] * 4
    assert when(run, "third", "done")[0] == pytest.approx(2.5, abs=0.03)


def test_a_script_may_go_while_it_runs_and_what_was_told_stays_told():
    run = until(
        Run(Stage([Actor("a", follower(2)), Actor("b", follower(5, 1))], script=meeting({"a": 1.0, "b": "1"}))), 1
    )
    told, there = run.events, run.poses
    run.change(script=None)
    assert run.events == told
    assert same(run.poses, there)
    until(run, 1.6)
    assert run.poses["a"].position[0] > 1.2
    run.change(script=meeting({"a": "1", "b": "1"}))
    assert run.events[: len(told)] == told


def test_a_script_of_motions_may_go_and_they_go_on_from_where_they_are():
    run = until(Run(motions()), 0.6)
    told, there, motion = run.events, run.poses, run.stage["a"].motion
    late = np.interp(there["a"].position[0], motion.at(TIMES).position[:, 0], TIMES)
    assert late < 0.5, "it waits for the others"
    run.change(script=None)
    assert run.stage.script is None
    assert len(told) > 0
    assert run.events == told
    for name in "abc":
        assert_allclose(run.poses[name].position, there[name].position, atol=1e-9)
    until(run, 0.9)
    lost = late + run.time - 0.6 - np.interp(run.poses["a"].position[0], motion.at(TIMES).position[:, 0], TIMES)
    assert 0 < lost < RAMP_TIME / 2, "it came smoothly to its own speed"
    run.change(gravity=(0, -1, 0))
    there = run.poses
    run.tick()
    assert_allclose(run.poses["a"].position, there["a"].position, atol=0.05)
    assert run.events == told
    until(run, 3.5)
    assert_allclose(run.poses["a"].position, motion.at(1.0).position, atol=1e-9)
    check_rewinding(run, run.ticks, 0.3, 0.7)


def test_a_script_of_motions_may_go_and_come_back_and_nobody_jumps():
    run = until(Run(motions()), 0.6)
    told, there = run.events, run.poses
    run.change(script=None)
    until(run, 0.7)
    before = run.poses
    run.change(script=motions().script)
    assert same(run.poses, before)
    assert run.events[: len(told)] == told
    assert before["a"].position[0] > there["a"].position[0]
    until(run, 6.0)
    assert states(run, "second")[-1] == "done"


def test_who_is_not_in_the_script_any_more_goes_on_from_where_it_is():
    run = until(Run(motions()), 0.6)
    there = run.poses
    run.change(script=meeting({"b": "1", "c": "1"}))
    assert_allclose(run.poses["a"].position, there["a"].position, atol=1e-9)
    until(run, 0.8)
    assert 0 < run.poses["a"].position[0] - there["a"].position[0] <= 0.2 + 1e-9


def test_what_was_told_stays_told_when_everybody_has_gone_who_met():
    run = until(Run(motions()), 0.6)
    told = run.events
    run.change(Stage([Actor("z", walk(1.0))]))
    assert run.events == told
    until(run, 1.0)
    assert run.events == told
    assert run.rewind(0.5) == pytest.approx(0.5)
    assert run.stage.script is not None


def test_at_the_very_beginning_a_script_that_goes_leaves_motions_as_they_are():
    run = Run(motions())
    run.change(script=None)
    assert not run.stage.movers


def test_a_follower_that_is_said_differently_keeps_its_meetings_where_they_are():
    run = until(Run(scene()), 1.7)
    before, (_, told) = states(run, "first"), kept(run)
    run.change("a", follower(6, 0, 4, speed=3.0))
    run.change("m", walk(2.0, 6))
    assert kept(run)[1] == told
    assert states(run, "first") == before == ["active", "done"]
    until(run, 6.0)
    assert states(run, "bodies") == ["active", "done"]
    assert when(run, "first", "active") == [0.0]


def test_a_meeting_with_another_goal_begins_anew():
    run = until(
        Run(
            Stage([Actor("a", follower(6, 0, 4)), Actor("b", follower(6, 1, 4))], script=meeting({"a": "1", "b": "1"}))
        ),
        1.5,
    )
    assert states(run, "meeting") == ["active", "done"]
    run.change(script=meeting({"a": "1", "b": "3"}))
    until(run, 4.0)
    assert states(run, "meeting") == ["active", "done", "active", "done"]


def test_a_motion_goes_on_by_its_clock_when_somebody_with_a_body_comes_to_meet_it_and_leaves():
    run = until(Run(motions()), 0.6)
    before = run.poses
    script = Script(run.stage.script)
    script.meet({"c": "2", "ball": "1"}, after="second", name="third")
    stage = Stage([*run.stage.actors, Actor("ball", follower(9, 5))], script=script)
    run.change(stage)
    for name, pose in before.items():
        assert_allclose(run.poses[name].position, pose.position, atol=1e-12)
    assert states(run, "first") == ["active"]
    until(run, 2.5)
    before, told = run.poses, run.events
    run.change(motions())
    for name in "abc":
        assert_allclose(run.poses[name].position, before[name].position, atol=1e-12)
    assert [event for event in told if event not in run.events and hasattr(event, "state")] == []
    until(run, 5.0)
    assert states(run, "second") == ["active", "done"]


def test_a_motion_becomes_a_follower_and_back_while_it_is_on_its_way_to_a_meeting():
    run = until(
        Run(Stage([Actor("a", walk(2.0)), Actor("b", follower(6, 1))], script=meeting({"a": "1", "b": "1"}))), 1.0
    )
    run.change("a", follower(1))
    until(run, 1.2)
    run.change("a", walk(2.0))
    until(run, 4.0)
    assert states(run, "meeting")[-1] == "done"


def test_a_gate_that_comes_when_its_goal_is_passed_holds_nobody():
    run = until(Run(Stage([Actor("a", follower(8, 0, 4)), Actor("b", follower(9, 1, 3))])), 1.5)
    script = Script()
    first = script.meet({"b": "3"}, name="first")
    script.meet({"a": "1", "b": "3"}, after=first, gate=True, name="second")
    run.change(script=script)
    until(run, 2.5)
    assert run.poses["a"].position[0] > 4.0
    until(run, 6.0)
    assert states(run, "second") == ["active", "done"]


def test_a_change_that_no_meeting_survives_is_refused_and_the_run_stays_as_it_was():
    run = until(Run(scene()), 0.5)
    before = kept(run)
    with pytest.raises(KeyposeError, match="no key of its path is named so"):
        run.change("a", Follow(MotionPath([Key((0, 0, 0)), Key((1, 0, 0), name="else")]), BALL, within=0.4))
    script = Script(run.stage.script)
    script.meet({"a": "3", "b": "1"}, name="x")
    script.meet({"a": "1", "b": "3"}, name="y")
    with pytest.raises(KeyposeError, match="circle"):
        run.change(script=script)
    assert kept(run) == before
    assert isinstance(run.stage["m"].motion, Motion)
    assert way(1.0).length == 1.0
