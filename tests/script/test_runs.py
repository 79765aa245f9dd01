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
from tests.physics.replays import check_rewinding, check_striding, played, same
from tests.script.performances import kept, motions, scene, until
from tests.script.walks import BALL, follower, meeting, states, way


@pytest.mark.parametrize(("make", "ticks"), [(scene, 2000), (motions, 450)])
def test_a_run_with_meetings_is_rewound_and_played_again_to_the_bit(make, ticks):
    run = Run(make())
    there = played(run, ticks), kept(run)
    check_rewinding(run, ticks, 0.9 * run.time, 1.37, 0.31, 0.0)
    assert same(run.poses, there[0])
    assert kept(run) == there[1]


@pytest.mark.parametrize("make", [scene, motions])
def test_a_snapshot_brings_meetings_back_at_whatever_state_they_are(make):
    run, times = Run(make()), (0.3, 1.1, 1.6, 2.3, 3.1)
    snapshots = [(until(run, time).snapshot(), kept(run)) for time in times]
    there = until(run, 3.6).poses, kept(run)
    for snapshot, known in reversed(snapshots):
        run.rewind(snapshot)
        assert kept(run) == known
        assert same(until(run, 3.6).poses, there[0])
        assert kept(run) == there[1]


def test_a_state_that_was_left_cannot_be_written_to():
    run = until(Run(scene()), 0.5)
    (found,) = [cast.state.sync for cast in run.moment.system_states.values()]
    with pytest.raises(ValueError, match="read-only"):
        found.speed_factor[0] = 0.5


@pytest.mark.parametrize("make", [motions, lambda: windy()])
def test_while_nothing_is_told_what_was_told_is_shared_from_tick_to_tick(make):
    run, told = until(Run(make()), 0.3), []
    for _ in range(20):
        (found,) = [cast.system.sync_state(cast.state)[1] for cast in run.moment.system_states.values()]
        told.append(found.events)
        run.tick()
    assert len(told[0]) > 0
    assert all(one is told[0] for one in told)


def windy():
    """Somebody who senses a field on its way to a meeting."""
    sensing = Follow(way(4, 0, 2), BALL, within=0.4, senses={fields.Uniform((0, 0.1, 0)): 1.0})
    return Stage([Actor("a", sensing), Actor("b", follower(6, 1))], script=meeting({"a": "2", "b": "1"}))


def test_many_ticks_at_once_are_as_many_single_ones_to_the_bit():
    check_striding(scene(), 4.0, "a", "b", "c", "d", "m")


@pytest.mark.parametrize("make", [scene, motions])
def test_a_take_and_a_run_tell_the_same_and_are_in_the_same_places(make):
    take, run = shoot(make(), 4.0, 50), until(Run(make()), 4.0)
    for name, pose in run.poses.items():
        assert_allclose(take[name].position[-1], pose.position, atol=0)
    assert take.events == run.events


def test_all_of_the_scene_happens():
    take = shoot(scene(), 6.0)
    assert states(take, "first") == states(take, "second") == states(take, "bodies") == ["active", "done"]
    assert states(take, "stuck") == ["active", "late", "failed"]


def test_meetings_replay_to_the_bit_in_fresh_processes():
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
    found = [
        json.loads(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)
        for _ in range(2)
    ]
    assert found[0] == found[1]


def test_the_first_stage_of_a_process_is_shot_as_every_later_one():
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
