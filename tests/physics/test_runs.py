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
from tests.physics.replays import check_rewinding, check_striding, played, same

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


def test_a_run_with_bodies_is_rewound_and_played_again_to_the_bit():
    check_rewinding(Run(scene()), 600, 0.9, 0.31, 0.0)


def test_a_run_is_rewound_to_the_bit_into_the_middle_of_a_hard_hit():
    pea = Body(Sphere(0.03), 0.1, bounce=0.7)
    floor, resting = Actor("floor", Still(Body(Plane()))), Actor("resting", Free(Body(Box(0.2)), (1, 0.1, 0)))
    run = Run(Stage([Actor("pea", Free(pea, (0, 0.5, 0), (0, -6, 0))), resting, floor], gravity=DOWN))
    seen = []
    while run.time < 0.4:
        run.tick()
        (cast,) = run.moment.system_states.values()
        seen.append((run.time, cast.state.substeps[0], run.poses))
    halved = [number for number, (_, often, _) in enumerate(seen) if often]
    assert len(halved) > 5
    for number in (halved[0], halved[3], halved[-1], halved[-1] + 1):
        run.rewind(seen[number][0])
        for _, _, poses in seen[number + 1 : number + 40]:
            run.tick()
            assert same(run.poses, poses)
        while run.time < 0.4:
            run.tick()


def test_a_snapshot_brings_bodies_targets_and_corrections_back():
    run = Run(scene())
    for _ in range(333):
        run.tick()
    kept = run.snapshot()
    ahead = [run.tick() and run.poses for _ in range(50)]
    run.rewind(kept)
    again = [run.tick() and run.poses for _ in range(50)]
    assert all(map(same, ahead, again))


def test_many_ticks_at_once_are_as_many_single_ones_to_the_bit():
    check_striding(scene(), 1.0, "a", "b", "c")


def test_a_run_that_skips_is_as_one_that_ticks_to_the_bit_with_all_its_kept_moments_and_changes():
    def gone_on(skips):
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

    one, two = gone_on(True), gone_on(False)
    assert one.ticks == two.ticks
    assert one._checkpoints.keys() == two._checkpoints.keys()
    for name in one.poses:
        assert_array_equal(one.poses[name].position, two.poses[name].position)
        assert_array_equal(one.poses[name].orientation, two.poses[name].orientation)
    assert one.events == two.events


def test_a_run_that_skips_stays_before_the_moment_it_was_to_skip_to():
    run = Run(scene())
    assert run.skip(0.021) == pytest.approx(0.020)
    assert run.skip(0.0) == pytest.approx(0.020)
    run.skip(5.0)
    assert run.ticks == 23


def test_two_threads_may_shoot_one_stage_at_once():
    stage = scene()
    alone = shoot(stage, 1.0)
    with ThreadPoolExecutor(2) as pool:
        takes = list(pool.map(lambda _: shoot(stage, 1.0), range(4)))
    for take in takes:
        assert_array_equal(take["b"].position, alone["b"].position)


def test_bodies_replay_to_the_bit_in_fresh_processes():
    code = """
import sys, json, hashlib
from tests.physics.test_runs import scene
from keypose import shoot
take = shoot(scene(), 1.5)
told = b"".join(take[name].position.tobytes() + take[name].orientation.tobytes() for name in "abc")
print(json.dumps([hashlib.sha256(told).hexdigest(), len(take.events)]))
"""
    found = [
        json.loads(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)
        for _ in range(3)
    ]
    assert found[0] == found[1] == found[2]


def test_a_body_that_is_said_differently_goes_on_from_where_it_was():
    run = Run(scene())
    for _ in range(200):
        run.tick()
    before = run.poses
    run.change(gravity=(0, 0, 0))
    assert same(run.poses, before)
    run.change("b", Free(Body(Sphere(0.2), 9.0), (1.5, 1, 0)))
    assert_array_equal(run.poses["b"].position, before["b"].position)
    run.tick()
    assert np.linalg.norm(run.poses["b"].position - before["b"].position) < 0.05


@pytest.mark.parametrize("who", ["a", "b", "paddle", "floor"])
def test_who_only_looks_otherwise_moves_as_before_and_so_does_everybody(who):
    run = Run(scene())
    there, told = played(run, 400), run.events
    run.rewind(0.3)
    run.change(who, look="red")
    assert same(played(run, 400 - run.ticks), there)
    assert run.events == told


def test_a_stage_that_is_said_again_goes_on_to_the_bit():
    run = Run(scene())
    there = played(run, 400)
    run.rewind(0.3)
    run.change(scene())
    assert same(played(run, 400 - run.ticks), there)


def test_what_a_motion_moves_can_be_put_elsewhere_and_hits_nobody_on_its_way():
    wagon = Actor("wagon", Motion(MotionPath([(0, 0, 0), (40, 0, 0)]), duration=20.0), body=Body(Box((2, 0.2, 1))))
    post = Actor("post", Free(Body(Box(0.4)), (5, 0, 0)))
    run = Run(Stage([wagon, post]))
    played(run, 100)
    run.change("wagon", Motion(MotionPath([(10, 0, 0), (50, 0, 0)]), duration=20.0))
    assert played(run, 100)["post"].position.tolist() == [5, 0, 0]
    assert abs(run.poses["wagon"].position[0] - 10 - 2 * run.time) < 0.01
    assert run.events == ()


def test_somebody_may_come_and_go_while_bodies_run():
    run = Run(scene())
    for _ in range(100):
        run.tick()
    there = run.poses["a"].position
    run.change(run.stage.with_actor(Actor("new", Free(Body(Sphere(0.1)), (0, 5, 0)))))
    assert_array_equal(run.poses["a"].position, there)
    for _ in range(20):
        run.tick()
    assert run.poses["new"].position[1] < 5


def test_a_body_that_is_lost_is_named_with_the_moment_and_the_run_stays_where_it_was():
    wild = Free(Body(Sphere(0.2)), (0, 0, 0), (9e5, 0, 0))
    run = Run(Stage([Actor("calm", Free(Body(Sphere(0.2)), (5, 5, 5))), Actor("wild", wild)]))
    with pytest.raises(KeyposeError, match=r"body of 'wild' is lost at [\d.]+ s"):
        played(run, 5000)
    assert np.isfinite(run.poses["wild"].position).all()
    ticks = run.ticks
    with pytest.raises(KeyposeError, match="wild"):
        run.tick()
    assert run.ticks == ticks


def test_bodies_that_begin_in_each_other_part_without_flying_off():
    stage = Stage([Actor(f"{i}", Free(Body(Box(1.0)), (0.01 * i, 0.02 * i, 0))) for i in range(5)])
    take = shoot(stage, 2.0)
    assert max(np.abs(take[name].position).max() for name in take.poses) < 200


def test_nothing_is_written_into_the_folder_one_is_in(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    test_a_body_that_is_lost_is_named_with_the_moment_and_the_run_stays_where_it_was()
    assert list(tmp_path.iterdir()) == []
