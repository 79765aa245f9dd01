"""Bodies that are rewound, changed while they run, and shot again come to the same bits; what is lost is named."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from keypose import (
    Actor,
    Body,
    Box,
    Follow,
    Free,
    KeyposeError,
    Motion,
    MotionPath,
    Plane,
    Run,
    Sphere,
    Stage,
    Still,
    shoot,
)
from tests.physics.replays import check_batch_stepping, check_rewinding, poses_after, same_poses

DOWN = (0, -9.81, 0)


def scene(bounce=0.5):
    path = MotionPath([(0, 0.31, 0), (3, 0.31, 0), (3, 0.31, 3)])
    return Stage(
        [
            Actor("a", Follow(path, Body(Sphere(0.3), 2.0), within=0.4)),
            Actor("b", Free(Body(Sphere(0.2), 1.0, bounce=bounce), (1.5, 1, 0))),
            Actor("c", Free(Body(Box((0.3, 0.5, 0.2)), 1.0, bounce=0.2), (1.6, 2, 0.1), spin=(40, 90, 10))),
            Actor("paddle", Motion(MotionPath([(2, 0.5, -1), (2, 0.5, 1)]), duration=2.0), body=Body(Box(0.3))),
            Actor("floor", Still(Body(Plane()))),
        ],
        gravity=DOWN,
    )


def test_rewind_with_bodies_is_bitwise_identical():
    check_rewinding(Run(scene()), 600, 0.9, 0.31, 0.0)


def test_rewind_into_a_hard_collision_is_bitwise_identical():
    pea = Body(Sphere(0.03), 0.1, bounce=0.7)
    floor, resting = Actor("floor", Still(Body(Plane()))), Actor("resting", Free(Body(Box(0.2)), (1, 0.1, 0)))
    run = Run(Stage([Actor("pea", Free(pea, (0, 0.5, 0), (0, -6, 0))), resting, floor], gravity=DOWN))
    history = []
    while run.time < 0.4:
        run.tick()
        (system_state,) = run.moment.system_states.values()
        history.append((run.time, system_state.state.substeps[0], run.poses))
    refined = [number for number, (_, substep_level, _) in enumerate(history) if substep_level]
    assert len(refined) > 5
    for number in (refined[0], refined[3], refined[-1], refined[-1] + 1):
        run.rewind(history[number][0])
        for _, _, poses in history[number + 1 : number + 40]:
            run.tick()
            assert same_poses(run.poses, poses)
        while run.time < 0.4:
            run.tick()


def test_snapshot_restores_bodies_targets_and_corrections():
    run = Run(scene())
    for _ in range(333):
        run.tick()
    snapshot = run.snapshot()
    expected = [run.tick() and run.poses for _ in range(50)]
    run.rewind(snapshot)
    repeated = [run.tick() and run.poses for _ in range(50)]
    assert all(map(same_poses, expected, repeated))


def test_batch_steps_are_bitwise_identical_to_single_ticks():
    check_batch_stepping(scene(), 1.0, "a", "b", "c")


def test_skipping_is_bitwise_identical_to_ticking_including_snapshots_and_changes():
    def played_run(skips):
        run = Run(scene())
        for time in np.arange(0.05, 1.5, 0.05):
            while run.time < time - 1e-9:
                if skips:
                    run.skip(time)
                run.tick()
            if run.ticks == 500:
                run.change("b", Free(Body(Sphere(0.2), 3.0), (1.5, 1, 0)))
        run.rewind(0.61)
        while run.time < 1.2 - 1e-9:
            if skips:
                run.skip(1.2)
            run.tick()
        return run

    one, two = played_run(True), played_run(False)
    assert one.ticks == two.ticks
    assert one.snapshot().checkpoints.keys() == two.snapshot().checkpoints.keys()
    for name in one.poses:
        assert_array_equal(one.poses[name].position, two.poses[name].position)
        assert_array_equal(one.poses[name].orientation, two.poses[name].orientation)
    assert one.events == two.events


def test_skip_stops_before_the_given_time():
    run = Run(scene())
    assert run.skip(0.021) == pytest.approx(0.020)
    assert run.skip(0.0) == pytest.approx(0.020)
    run.skip(5.0)
    assert run.ticks == 23


def test_two_threads_may_shoot_one_stage_at_once():
    stage = scene()
    reference = shoot(stage, 1.0)
    with ThreadPoolExecutor(2) as pool:
        takes = list(pool.map(lambda _: shoot(stage, 1.0), range(4)))
    for take in takes:
        assert_array_equal(take["b"].position, reference["b"].position)


def test_bodies_replay_bitwise_identically_in_fresh_processes():
    code = """
import sys, json, hashlib
from tests.physics.test_runs import scene
from keypose import shoot
take = shoot(scene(), 1.5)
told = b"".join(take[name].position.tobytes() + take[name].orientation.tobytes() for name in "abc")
print(json.dumps([hashlib.sha256(told).hexdigest(), len(take.events)]))
"""
    outputs = [
        json.loads(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)
        for _ in range(3)
    ]
    assert outputs[0] == outputs[1] == outputs[2]


def test_changed_body_continues_from_its_position():
    run = Run(scene())
    for _ in range(200):
        run.tick()
    poses_before = run.poses
    run.change(gravity=(0, 0, 0))
    assert same_poses(run.poses, poses_before)
    run.change("b", Free(Body(Sphere(0.2), 9.0), (1.5, 1, 0)))
    assert_array_equal(run.poses["b"].position, poses_before["b"].position)
    run.tick()
    assert np.linalg.norm(run.poses["b"].position - poses_before["b"].position) < 0.05


@pytest.mark.parametrize("name", ["a", "b", "paddle", "floor"])
def test_change_of_look_does_not_change_any_motion(name):
    run = Run(scene())
    expected, events = poses_after(run, 400), run.events
    run.rewind(0.3)
    run.change(name, look="red")
    assert same_poses(poses_after(run, 400 - run.ticks), expected)
    assert run.events == events


def test_change_to_an_equal_stage_continues_bitwise_identically():
    run = Run(scene())
    expected = poses_after(run, 400)
    run.rewind(0.3)
    run.change(scene())
    assert same_poses(poses_after(run, 400 - run.ticks), expected)


def test_kinematic_body_can_be_relocated_without_hitting_bodies_in_between():
    wagon = Actor("wagon", Motion(MotionPath([(0, 0, 0), (40, 0, 0)]), duration=20.0), body=Body(Box((2, 0.2, 1))))
    post = Actor("post", Free(Body(Box(0.4)), (5, 0, 0)))
    run = Run(Stage([wagon, post]))
    poses_after(run, 100)
    run.change("wagon", Motion(MotionPath([(10, 0, 0), (50, 0, 0)]), duration=20.0))
    assert poses_after(run, 100)["post"].position.tolist() == [5, 0, 0]
    assert abs(run.poses["wagon"].position[0] - 10 - 2 * run.time) < 0.01
    assert run.events == ()


def test_actor_may_be_added_while_bodies_run():
    run = Run(scene())
    for _ in range(100):
        run.tick()
    position = run.poses["a"].position
    run.change(run.stage.with_actor(Actor("new", Free(Body(Sphere(0.1)), (0, 5, 0)))))
    assert_array_equal(run.poses["a"].position, position)
    for _ in range(20):
        run.tick()
    assert run.poses["new"].position[1] < 5


def test_lost_body_is_named_with_the_time_and_the_run_keeps_its_state():
    mover = Free(Body(Sphere(0.2)), (0, 0, 0), (9e5, 0, 0))
    run = Run(Stage([Actor("calm", Free(Body(Sphere(0.2)), (5, 5, 5))), Actor("wild", mover)]))
    with pytest.raises(KeyposeError, match=r"body of 'wild' is lost at [\d.]+ s"):
        poses_after(run, 5000)
    assert np.isfinite(run.poses["wild"].position).all()
    ticks = run.ticks
    with pytest.raises(KeyposeError, match="wild"):
        run.tick()
    assert run.ticks == ticks


def test_overlapping_bodies_separate_without_flying_off():
    stage = Stage([Actor(f"{i}", Free(Body(Box(1.0)), (0.01 * i, 0.02 * i, 0))) for i in range(5)])
    take = shoot(stage, 2.0)
    assert max(np.abs(take[name].position).max() for name in take.poses) < 200


def test_nothing_is_written_into_the_working_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    test_lost_body_is_named_with_the_time_and_the_run_keeps_its_state()
    assert list(tmp_path.iterdir()) == []
