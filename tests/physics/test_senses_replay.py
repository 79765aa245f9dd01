"""Bodies that sense everything there is go on to the bit: however they are stepped, rewound, changed or saved."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from keypose import (
    Actor,
    Body,
    Box,
    FaceForward,
    Follow,
    Free,
    Key,
    LookAt,
    Motion,
    MotionPath,
    Orientation,
    Plane,
    Run,
    Sphere,
    Stage,
    Still,
    fields,
    load,
    save,
    shoot,
)
from tests.physics.replays import poses_after, same_poses

BALL = Body(Sphere(0.1))


def sensing_stage(affinity=1.0):
    """Everything that can be sensed, in one cast whose bodies meet."""
    orbit = Motion(MotionPath([(2, 2, 0), (0, 2, 2), (-2, 2, 0), (0, 2, -2)], closed=True), duration=2.0)
    flutter = fields.Formula("(0, sin(9 * t), -vx)") + fields.Noise(2.0, scale=0.5, seed=3)
    senses = {
        "a": {"wind": affinity, fields.KeepDistance("lamp", 1.5, memory=0.1): 0.2},
        "b": {fields.Attractor(4.0, falloff=1, center=(0, 0.5, 0)).carried_by("a").delayed(5.0): 1.0},
        "c": {fields.Vortex(2.0, axis="y").carried_by("lamp"): affinity, fields.Avoid("flock/*", 0.5): 0.1},
        "flock/1": {fields.Repeller(1.0).within(2).carried_by("flock/*"): 1.0, flutter: affinity},
        "flock/2": {fields.KeepOffset("a", offset=(0.5, 0.5, 0)): 0.01},
    }
    path = MotionPath([(0, 0.31, 0), (3, 0.31, 0), (3, 0.31, 3)])
    return Stage(
        [
            Actor("a", Follow(path, Body(Sphere(0.3), 2.0), within=0.4, senses=senses["a"])),
            Actor("b", Free(Body(Sphere(0.2), 1.0, bounce=0.5), (1.5, 1, 0), senses=senses["b"])),
            Actor("c", Free(Body(Box((0.3, 0.5, 0.2))), (1.6, 2, 0.1), spin=(40, 90, 10), senses=senses["c"])),
            Actor("flock/1", Free(BALL, (0, 1, 1), senses=senses["flock/1"])),
            Actor("flock/2", Free(BALL, (0, 1.2, 1.5), senses=senses["flock/2"])),
            Actor("paddle", Motion(MotionPath([(2, 0.5, -1), (2, 0.5, 1)]), duration=2.0), body=Body(Box(0.3))),
            Actor("lamp", orbit, facing=FaceForward(bank=0.5)),
            Actor("floor", Still(Body(Plane()))),
        ],
        fields={"wind": fields.Uniform((0, 0, 4.0))},
        gravity=(0, -9.81, 0),
    )


def test_batch_steps_of_sensing_bodies_are_bitwise_identical_to_single_ticks():
    assert sensing_stage().resolved.batch_kind is not None
    take, run = shoot(sensing_stage(), 0.4, fps=10), Run(sensing_stage())
    for frame, time in enumerate(take.times):
        while run.time < time - 1e-9:
            run.tick()
        for name in run.poses:
            assert_array_equal(take[name].position[frame], run.poses[name].position, name)
            assert_array_equal(take[name].orientation[frame], run.poses[name].orientation, name)
    assert take.events == run.events


def test_batch_steps_with_look_at_and_banking_carriers_are_bitwise_identical():
    jet = fields.Uniform((1.0, 0, 0))
    ring = MotionPath([(2, 0, 0), (0, 1, 2), (-2, 0, 0), (0, -1, -2)], closed=True)
    orientations = [
        (1, 0, 0, 0),
        Orientation.turned(80, (1, 2, 3)),
        Orientation.turned(-50, "y"),
        Orientation.turned(9, "z"),
    ]
    turning = MotionPath([Key((i, 0, i * i), orientation=orientation) for i, orientation in enumerate(orientations)])
    relative_path = MotionPath([(0, 0, 0), Key((0, 1, 0), relative_to="ring"), (3, 0, 0)])
    actors = [
        Actor("ring", Motion(ring, duration=1.7), facing=FaceForward(bank=0.7)),
        Actor("lamp", Motion(MotionPath([(0, 3, 0), (1, 4, 2)]), duration=1.3), facing=LookAt("ring")),
        Actor("hand", Motion(ring, duration=2.3), parent="lamp"),
        Actor("dancer", Motion(turning, duration=0.9)),
        Actor("guest", Motion(relative_path, duration=0.8)),
    ]
    actors += [
        Actor(f"it/{name}", Free(BALL, (i, 9, 0), senses={jet.carried_by(name): 1.0, fields.KeepOffset(name): 0.01}))
        for i, name in enumerate(["ring", "lamp", "hand", "dancer", "guest"])
    ]
    stage = Stage(actors)
    assert stage.resolved.batch_kind is not None
    take, expected = shoot(stage, 0.5), poses_after(Run(stage), 250)
    for name in stage.names:
        assert_array_equal(take[name].position[-1], expected[name].position)
        assert_array_equal(take[name].orientation[-1], expected[name].orientation)


def test_rewind_of_sensing_bodies_is_bitwise_identical():
    run = Run(sensing_stage())
    expected = poses_after(run, 200)
    events = run.events
    for time in (0.37, 0.16, 0.0):
        run.rewind(time)
        assert same_poses(poses_after(run, 200 - run.ticks), expected)
        assert run.events == events


def test_snapshot_restores_the_state_of_fields_and_trackers():
    run = Run(sensing_stage())
    poses_after(run, 150)
    snapshot = run.snapshot()
    expected = poses_after(run, 80)
    run.rewind(snapshot)
    assert same_poses(poses_after(run, 80), expected)


def test_change_keeps_the_state_of_bodies_with_equal_senses():
    tracker = fields.KeepOffset((0, 0, 0), memory=0.05, response=1.0)
    mover = Free(BALL, (1, 0, 0), (0, 1, 0), senses={tracker: 0.3})
    run, reference = (Run(Stage([Actor("it", mover), Actor("far", Free(BALL, (50, 0, 0)))])) for _ in range(2))
    poses_after(run, 200), poses_after(reference, 200)
    run.change("far", Free(Body(Sphere(0.2)), (50, 0, 0)))
    assert_array_equal(poses_after(run, 200)["it"].position, poses_after(reference, 200)["it"].position)
    run.change("it", Free(BALL, (1, 0, 0)))
    free_positions = [poses_after(run, 50)["it"].position for _ in range(3)]
    assert_allclose(free_positions[2] - free_positions[1], free_positions[1] - free_positions[0], rtol=1e-9)
    run.change("it", mover)
    assert np.linalg.norm(poses_after(run, 500)["it"].position - free_positions[2]) < 1.0, (
        "what it wants is where it is now"
    )


def test_saved_scene_with_senses_is_shot_again_bitwise_identically(tmp_path):
    stage = sensing_stage(0.7)
    save(stage, tmp_path / "windy.json")
    loaded = load(tmp_path / "windy.json")
    assert loaded == stage
    one, two = shoot(stage, 0.5), shoot(loaded, 0.5)
    for name in stage.names:
        assert_array_equal(one[name].position, two[name].position)
