"""Runs that are played on, and compared to the bit."""

import numpy as np

from keypose import Run, shoot


def same_poses(one, two):
    return one.keys() == two.keys() and all(
        np.array_equal(pose.position, two[name].position) and np.array_equal(pose.orientation, two[name].orientation)
        for name, pose in one.items()
    )


def poses_after(run, ticks):
    for _ in range(ticks):
        run.tick()
    return run.poses


def check_rewinding(run, ticks, *times):
    """A run of so many ticks comes to the same bits and tells the same from each of some moments [s] on."""
    expected, events = poses_after(run, ticks - run.ticks), run.events
    for time in times:
        run.rewind(time)
        assert same_poses(poses_after(run, ticks - run.ticks), expected)
        assert run.events == events


def check_batch_stepping(stage, seconds, *names):
    """What a take shows of some, many ticks being taken at once, is to the bit as by as many single ones."""
    assert stage.resolved.batch_kind is not None
    take, run = shoot(stage, seconds, fps=10), Run(stage)
    for frame, time in enumerate(take.times):
        while run.time < time - 1e-9:
            run.tick()
        for name in names:
            assert np.array_equal(take[name].position[frame], run.poses[name].position)
            assert np.array_equal(take[name].orientation[frame], run.poses[name].orientation)
    assert take.events == run.events
