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
from tests.physics.replays import check_rewinding, same_poses
from tests.script.scripted_stages import motions, run_until, scene, sync_state_bytes
from tests.script.straight_paths import (
    BALL,
    event_times,
    follower,
    meeting,
    meeting_states,
    spread,
    straight_path,
    walk,
)

TIMES = np.linspace(0, 1, 1001)


def test_unrelated_change_does_not_affect_meetings():
    run = run_until(Run(scene()), 1.0)
    before = sync_state_bytes(run)
    run.change("wall", Still(Body(Box((0.2, 4, 1))), (0.6, 0, 8.0)))
    after = sync_state_bytes(run)
    assert before == after


@pytest.mark.parametrize("build_stage", [scene, motions])
def test_changes_at_every_tick_do_not_slow_any_actor(build_stage):
    unchanged, changed = Run(build_stage()), Run(build_stage())
    while unchanged.time < 1.0:
        unchanged.tick()
        changed.tick()
        changed.change(gravity=(0, 0, 0))
    for name, pose in unchanged.poses.items():
        assert_allclose(changed.poses[name].position, pose.position, atol=1e-3)
    assert all(
        meeting_states(changed, entry.name) == meeting_states(unchanged, entry.name) for entry in unchanged.stage.script
    )


def test_script_change_is_replayed_at_its_tick_after_a_rewind():
    run = run_until(Run(scene()), 0.6)
    script = Script(run.stage.script)
    script.meet({"c": "4"}, after="second", name="more")
    run.change(script=script)
    check_rewinding(run, 1600, 1.0, 0.3)
    run.rewind(0.3)
    assert "more" not in run.stage.script


def test_meeting_may_be_added_during_a_run():
    run = run_until(Run(scene()), 1.2)
    before = run.poses, run.events
    script = Script(run.stage.script)
    script.meet({"a": "3", "c": "3"}, name="more")
    run.change(script=script)
    assert same_poses(run.poses, before[0])
    assert run.events[: len(before[1])] == before[1]
    run_until(run, 5.0)
    assert meeting_states(run, "more") == ["active", "done"]
    assert meeting_states(run, "first") == ["active", "done"]
    assert spread(run, "more") <= 0.02


def test_meeting_may_be_removed_during_a_run_and_its_participants_continue():
    run = run_until(Run(scene()), 2.6)
    assert meeting_states(run, "stuck") == ["active"]
    run.change(script=Script(entry for entry in run.stage.script if entry.name != "stuck"))
    run_until(run, 6.0)
    assert meeting_states(run, "stuck") == ["active"]
    assert meeting_states(run, "bodies") == ["active", "done"]
    assert run.poses["a"].position[0] == pytest.approx(6.0, abs=0.05)


@pytest.mark.parametrize("build_stage", [lambda: Stage([Actor("a", follower(2)), Actor("b", follower(5, 1))]), None])
def test_script_may_be_added_during_a_run(build_stage):
    stage = build_stage() if build_stage else Stage([Actor("a", walk(2.0)), Actor("b", walk(5.0, 1))])
    run = run_until(Run(stage), 0.5)
    poses_before = run.poses
    run.change(script=meeting({"a": "1", "b": "1"}))
    assert same_poses(run.poses, poses_before)
    run_until(run, 6.0)
    assert meeting_states(run, "meeting") == ["active", "done"]
    assert event_times(run, "meeting", "active") == [pytest.approx(run.moment.time - run.time + 0.5, abs=0.05)]
    assert spread(run, "meeting") <= 0.02


def stage_with_cycle(script=None):
    cycle = Motion(straight_path(1, 0, 2), duration=1.0, outside="cycle")
    return Stage([Actor("a", cycle), Actor("b", walk(9.0, 1, 3))], script=script)


def test_script_added_during_a_cycle_counts_from_the_current_cycle():
    run = run_until(Run(stage_with_cycle()), 2.2)
    run.change(script=meeting({"a": "1", "b": "1"}))
    assert_allclose(run.stage.resolved.sync_plan.goal_progress, [2.5, 3.0])
    assert event_times(run, "meeting", "reached") == []
    run_until(run, 4.0)
    assert spread(run, "meeting") <= 0.02
    check_rewinding(run, run.ticks, 1.0, 2.4)


def stage_with_closed_path(script=None, **options):
    keys = [Key(position, name=name) for name, position in zip("abc", [(0, 0, 0), (1, 0, 0), (1, 0, 1)], strict=True)]
    follower_on_loop = Follow(MotionPath(keys, closed=True), BALL, within=0.2, **options)
    return Stage([Actor("round", follower_on_loop), Actor("b", follower(30, 4, 3))], script=script)


def test_script_added_during_a_lap_counts_from_the_current_position():
    run = run_until(Run(stage_with_closed_path()), 5.0)
    (system_state,) = run.moment.system_states.values()
    target_u, _, segments = system_state.system.target_parameters(system_state.state)["round"]
    assert target_u > segments
    run.change(script=meeting({"round": "b", "b": "1"}))
    assert 0 < run.stage.resolved.sync_plan.goal_progress[0] - target_u <= segments
    assert event_times(run, "meeting", "reached", "round") == []
    run.change(gravity=(0, -1, 0))
    assert 0 < run.stage.resolved.sync_plan.goal_progress[0] - target_u <= segments, "and stays there"


def test_goals_keep_their_laps_after_a_change_and_new_goals_use_the_next_lap():
    script = Script()
    first = script.meet({"a": "1"}, name="first")
    second = script.meet({"a": "1"}, after=first, name="second")
    run = run_until(Run(stage_with_cycle(script)), 1.2)
    run.change(gravity=(0, -1, 0))
    assert_allclose(run.stage.resolved.sync_plan.goal_progress, [0.5, 1.5])
    run_until(run, 2.2)
    script.meet({"a": "2"}, after=first, name="more")
    script.meet({"a": "1"}, after=second, name="third")
    run.change(script=script)
    assert_allclose(run.stage.resolved.sync_plan.goal_progress, [0.5, 1.5, 3.0, 2.5], atol=1e-6)
    run.change("b", walk(8.0, 1, 3))
    assert_allclose(run.stage.resolved.sync_plan.goal_progress, [0.5, 1.5, 3.0, 2.5], atol=1e-6)
    assert [meeting_states(run, name) for name in ("first", "second", "third")] == [["active", "done"]] * 2 + [
        ["active"]
    ]
    run_until(run, 3.2)
    assert [len(event_times(run, entry.name, "done")) for entry in run.stage.script] == [1] * 4
    assert event_times(run, "third", "done")[0] == pytest.approx(2.5, abs=0.03)


def test_script_may_be_removed_during_a_run_and_past_events_stay():
    run = run_until(
        Run(Stage([Actor("a", follower(2)), Actor("b", follower(5, 1))], script=meeting({"a": 1.0, "b": "1"}))), 1
    )
    events_before, poses_before = run.events, run.poses
    run.change(script=None)
    assert run.events == events_before
    assert same_poses(run.poses, poses_before)
    run_until(run, 1.6)
    assert run.poses["a"].position[0] > 1.2
    run.change(script=meeting({"a": "1", "b": "1"}))
    assert run.events[: len(events_before)] == events_before


def test_motions_continue_from_their_positions_when_their_script_is_removed():
    run = run_until(Run(motions()), 0.6)
    events_before, poses_before, motion = run.events, run.poses, run.stage["a"].motion
    motion_time = np.interp(poses_before["a"].position[0], motion.at(TIMES).position[:, 0], TIMES)
    assert motion_time < 0.5, "it waits for the others"
    run.change(script=None)
    assert run.stage.script is None
    assert len(events_before) > 0
    assert run.events == events_before
    for name in "abc":
        assert_allclose(run.poses[name].position, poses_before[name].position, atol=1e-9)
    run_until(run, 0.9)
    lost_time = (
        motion_time + run.time - 0.6 - np.interp(run.poses["a"].position[0], motion.at(TIMES).position[:, 0], TIMES)
    )
    assert 0 < lost_time < RAMP_TIME / 2, "it came smoothly to its own speed"
    run.change(gravity=(0, -1, 0))
    poses_before = run.poses
    run.tick()
    assert_allclose(run.poses["a"].position, poses_before["a"].position, atol=0.05)
    assert run.events == events_before
    run_until(run, 3.5)
    assert_allclose(run.poses["a"].position, motion.at(1.0).position, atol=1e-9)
    check_rewinding(run, run.ticks, 0.3, 0.7)


def test_removing_and_restoring_a_script_of_motions_causes_no_jump():
    run = run_until(Run(motions()), 0.6)
    events_before, poses_before = run.events, run.poses
    run.change(script=None)
    run_until(run, 0.7)
    poses_without_script = run.poses
    run.change(script=motions().script)
    assert same_poses(run.poses, poses_without_script)
    assert run.events[: len(events_before)] == events_before
    assert poses_without_script["a"].position[0] > poses_before["a"].position[0]
    run_until(run, 6.0)
    assert meeting_states(run, "second")[-1] == "done"


def test_motion_removed_from_the_script_continues_from_its_position():
    run = run_until(Run(motions()), 0.6)
    poses_before = run.poses
    run.change(script=meeting({"b": "1", "c": "1"}))
    assert_allclose(run.poses["a"].position, poses_before["a"].position, atol=1e-9)
    run_until(run, 0.8)
    assert 0 < run.poses["a"].position[0] - poses_before["a"].position[0] <= 0.2 + 1e-9


def test_past_events_stay_when_all_participants_are_removed():
    run = run_until(Run(motions()), 0.6)
    events_before = run.events
    run.change(Stage([Actor("z", walk(1.0))]))
    assert run.events == events_before
    run_until(run, 1.0)
    assert run.events == events_before
    assert run.rewind(0.5) == pytest.approx(0.5)
    assert run.stage.script is not None


def test_script_removed_at_time_zero_leaves_plain_motions():
    run = Run(motions())
    run.change(script=None)
    assert not run.stage.resolved.movers


def test_changed_follower_keeps_the_state_of_its_meetings():
    run = run_until(Run(scene()), 1.7)
    states_before, (_, events_before) = meeting_states(run, "first"), sync_state_bytes(run)
    run.change("a", follower(6, 0, 4, speed=3.0))
    run.change("m", walk(2.0, 6))
    assert sync_state_bytes(run)[1] == events_before
    assert meeting_states(run, "first") == states_before == ["active", "done"]
    run_until(run, 6.0)
    assert meeting_states(run, "bodies") == ["active", "done"]
    assert event_times(run, "first", "active") == [0.0]


def test_meeting_with_a_changed_goal_restarts():
    run = run_until(
        Run(
            Stage([Actor("a", follower(6, 0, 4)), Actor("b", follower(6, 1, 4))], script=meeting({"a": "1", "b": "1"}))
        ),
        1.5,
    )
    assert meeting_states(run, "meeting") == ["active", "done"]
    run.change(script=meeting({"a": "1", "b": "3"}))
    run_until(run, 4.0)
    assert meeting_states(run, "meeting") == ["active", "done", "active", "done"]


def test_motion_keeps_its_clock_when_a_follower_is_added_and_removed():
    run = run_until(Run(motions()), 0.6)
    poses_before = run.poses
    script = Script(run.stage.script)
    script.meet({"c": "2", "ball": "1"}, after="second", name="third")
    stage = Stage([*run.stage.actors, Actor("ball", follower(9, 5))], script=script)
    run.change(stage)
    for name, pose in poses_before.items():
        assert_allclose(run.poses[name].position, pose.position, atol=1e-12)
    assert meeting_states(run, "first") == ["active"]
    run_until(run, 2.5)
    poses_before, events_before = run.poses, run.events
    run.change(motions())
    for name in "abc":
        assert_allclose(run.poses[name].position, poses_before[name].position, atol=1e-12)
    assert [event for event in events_before if event not in run.events and hasattr(event, "state")] == []
    run_until(run, 5.0)
    assert meeting_states(run, "second") == ["active", "done"]


def test_motion_may_become_a_follower_and_back_before_a_meeting():
    run = run_until(
        Run(Stage([Actor("a", walk(2.0)), Actor("b", follower(6, 1))], script=meeting({"a": "1", "b": "1"}))), 1.0
    )
    run.change("a", follower(1))
    run_until(run, 1.2)
    run.change("a", walk(2.0))
    run_until(run, 4.0)
    assert meeting_states(run, "meeting")[-1] == "done"


def test_gate_added_after_its_goal_is_passed_stops_no_participant():
    run = run_until(Run(Stage([Actor("a", follower(8, 0, 4)), Actor("b", follower(9, 1, 3))])), 1.5)
    script = Script()
    first = script.meet({"b": "3"}, name="first")
    script.meet({"a": "1", "b": "3"}, after=first, gate=True, name="second")
    run.change(script=script)
    run_until(run, 2.5)
    assert run.poses["a"].position[0] > 4.0
    run_until(run, 6.0)
    assert meeting_states(run, "second") == ["active", "done"]


def test_change_that_breaks_a_meeting_is_refused_and_the_run_keeps_its_state():
    run = run_until(Run(scene()), 0.5)
    before = sync_state_bytes(run)
    with pytest.raises(KeyposeError, match="no key of its path is named so"):
        run.change("a", Follow(MotionPath([Key((0, 0, 0)), Key((1, 0, 0), name="else")]), BALL, within=0.4))
    script = Script(run.stage.script)
    script.meet({"a": "3", "b": "1"}, name="x")
    script.meet({"a": "1", "b": "3"}, name="y")
    with pytest.raises(KeyposeError, match="circle"):
        run.change(script=script)
    assert sync_state_bytes(run) == before
    assert isinstance(run.stage["m"].motion, Motion)
    assert straight_path(1.0).length == 1.0
