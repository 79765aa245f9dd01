"""Meetings that are rewound and shot again come to the same bits."""

import json
import subprocess
import sys

import pytest
from numpy.testing import assert_allclose

from keypose import (
    Actor,
    Follow,
    Run,
    Stage,
    fields,
    shoot,
)
from tests.physics.replays import check_batch_stepping, check_rewinding, poses_after, same_poses
from tests.script.scripted_stages import motions, run_until, scene, sync_state_bytes
from tests.script.straight_paths import BALL, follower, meeting, meeting_states, straight_path


@pytest.mark.parametrize(("build_stage", "ticks"), [(scene, 2000), (motions, 450)])
def test_rewind_with_meetings_is_bitwise_identical(build_stage, ticks):
    run = Run(build_stage())
    expected = poses_after(run, ticks), sync_state_bytes(run)
    check_rewinding(run, ticks, 0.9 * run.time, 1.37, 0.31, 0.0)
    assert same_poses(run.poses, expected[0])
    assert sync_state_bytes(run) == expected[1]


@pytest.mark.parametrize("build_stage", [scene, motions])
def test_snapshot_restores_meetings_in_any_state(build_stage):
    run, times = Run(build_stage()), (0.3, 1.1, 1.6, 2.3, 3.1)
    snapshots = [(run_until(run, time).snapshot(), sync_state_bytes(run)) for time in times]
    expected = run_until(run, 3.6).poses, sync_state_bytes(run)
    for snapshot, sync_bytes in reversed(snapshots):
        run.rewind(snapshot)
        assert sync_state_bytes(run) == sync_bytes
        assert same_poses(run_until(run, 3.6).poses, expected[0])
        assert sync_state_bytes(run) == expected[1]


def test_past_state_is_read_only():
    run = run_until(Run(scene()), 0.5)
    (sync_state,) = [system_state.state.sync for system_state in run.moment.system_states.values()]
    with pytest.raises(ValueError, match="read-only"):
        sync_state.records.channels["speed_factor"][0] = 0.5


@pytest.mark.parametrize("build_stage", [motions, lambda: sensing_stage()])
def test_event_log_is_shared_between_ticks_without_new_events(build_stage):
    run, event_logs = run_until(Run(build_stage()), 0.3), []
    for _ in range(20):
        (sync_state,) = [
            system_state.system.sync_state(system_state.state)[1] for system_state in run.moment.system_states.values()
        ]
        event_logs.append(sync_state.events)
        run.tick()
    assert len(event_logs[0]) > 0
    assert all(event_log is event_logs[0] for event_log in event_logs)


def sensing_stage():
    """Somebody who senses a field on its way to a meeting."""
    follow = Follow(straight_path(4, 0, 2), BALL, within=0.4, senses={fields.Uniform((0, 0.1, 0)): 1.0})
    return Stage([Actor("a", follow), Actor("b", follower(6, 1))], script=meeting({"a": "2", "b": "1"}))


def test_batch_steps_are_bitwise_identical_to_single_ticks():
    check_batch_stepping(scene(), 4.0, "a", "b", "c", "d", "m")


@pytest.mark.parametrize("build_stage", [scene, motions])
def test_take_and_run_have_the_same_events_and_positions(build_stage):
    take, run = shoot(build_stage(), 4.0, 50), run_until(Run(build_stage()), 4.0)
    for name, pose in run.poses.items():
        assert_allclose(take[name].position[-1], pose.position, atol=0)
    assert take.events == run.events


def test_scene_reaches_all_expected_meeting_states():
    take = shoot(scene(), 6.0)
    assert (
        meeting_states(take, "first")
        == meeting_states(take, "second")
        == meeting_states(take, "bodies")
        == ["active", "done"]
    )
    assert meeting_states(take, "stuck") == ["active", "late", "failed"]


def test_meetings_replay_bitwise_identically_in_fresh_processes():
    code = """
import json, hashlib
from tests.script.test_runs import scene, motions
from keypose import shoot
found = []
for stage in (scene(), motions()):
    take = shoot(stage, 3.0)
    told = b"".join(take[name].position.tobytes() + take[name].orientation.tobytes() for name in take.poses)
    found.append([hashlib.sha256(told).hexdigest(), [repr(event) for event in take.events]])
print(json.dumps(found))
"""
    outputs = [
        json.loads(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)
        for _ in range(2)
    ]
    assert outputs[0] == outputs[1]


def test_first_take_of_a_process_equals_every_later_one():
    code = """
from keypose import Actor, Body, Box, Follow, Key, Motion, MotionPath, Orientation, Script, Stage, shoot, turn

def made():
    keys = [Key((3 * n, n % 2, 0), orientation=Orientation.turned(90 * n, "y"), name=f"{n}") for n in range(3)]
    path, script = MotionPath(keys), Script()
    script.meet({"f": turn("1"), "m": 1.7, "g": 2.3})
    speeds = {"f": 1.0, "g": 2.0}.items()
    followers = [Actor(name, Follow(path, Body(Box(0.3)), within=0.3, speed=speed)) for name, speed in speeds]
    return Stage([*followers, Actor("m", Motion(path, duration=3.0))], script=script)

def shot():
    take = shoot(made(), 5.0)
    return [take[name].position.tobytes() + take[name].orientation.tobytes() for name in "fgm"], take.events

first = shot()
assert shot() == first
"""
    subprocess.run([sys.executable, "-c", code], check=True)
