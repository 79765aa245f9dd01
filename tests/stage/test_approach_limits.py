"""A hand waits where the glass will be: it never goes back, is there when it is due, and may be told otherwise."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Actor, Key, Motion, MotionPath, Run, SpeedProfile, Stage, shoot

APPROACHING = Motion(MotionPath([(5, 0, 0), (1, 0, 0)]), duration=2.0)
REACH = MotionPath([(0, 0, 0), Key((0, 0, 0), relative_to="glass")])
SPEED_PROFILES = [SpeedProfile.steady(), SpeedProfile.slow_in_slow_out(), SpeedProfile([9, 1, 0, 5])]


def reaching_stage(glass, pace=SPEED_PROFILES[0]):
    return Stage([Actor("hand", Motion(REACH, pace, duration=2.0)), Actor("glass", glass)])


def tick_many(run, ticks):
    for _ in range(ticks):
        run.tick()
    return run


@pytest.mark.parametrize("pace", SPEED_PROFILES)
def test_early_actor_waits_for_an_approaching_carrier(pace):
    stage, t = reaching_stage(APPROACHING, pace), np.linspace(0, 3, 3001)
    distance = stage.at(t)["hand"].position[:, 0]
    assert np.diff(distance).min() > -1e-12
    assert distance.max() == pytest.approx(
        1, abs=2e-5
    )  # who comes to rest is as good as there some microseconds before
    assert distance[1700] == pytest.approx(1, abs=0.02)  # 0.3 s early
    assert_allclose(stage.at(2.0)["hand"].position, (1, 0, 0), atol=2e-5)


def test_run_take_and_single_instant_agree():
    stage = reaching_stage(APPROACHING)
    take, run = shoot(stage, 2.0), Run(stage)
    for frame in range(len(take.times)):
        assert_array_equal(take["hand"].position[frame], stage.at(take.times[frame])["hand"].position)
        assert_array_equal(take["hand"].position[frame], run.poses["hand"].position)
        run.tick()


def test_change_that_keeps_the_future_carrier_poses_keeps_the_actor():
    run, other = (tick_many(Run(reaching_stage(APPROACHING)), 30) for _ in range(2))
    other.change("glass", Motion(MotionPath([(5, 0, 0), (3, 0, 0), (1, 0, 0)]), duration=2.0))
    for _ in range(20):
        assert_allclose(tick_many(run, 1).poses["hand"].position, tick_many(other, 1).poses["hand"].position, atol=1e-9)


def test_actor_ahead_after_a_change_waits_until_the_carrier_arrives():
    run = tick_many(Run(reaching_stage(APPROACHING)), 40)
    assert run.poses["hand"].position[0] == pytest.approx(1)
    run.change("glass", Motion(MotionPath([(5, 0, 0), (0.5, 0, 0)]), duration=2.0))
    for _ in range(8):
        pose = tick_many(run, 1).poses
        assert pose["hand"].position[0] == pytest.approx(min(1, pose["glass"].position[0]))
    assert pose["glass"].position[0] == pytest.approx(0.5)


def test_replay_with_the_same_change_is_bitwise_identical():
    def positions_after_change():
        run.change("glass", Motion(MotionPath([(5, 0, 0), (0.5, 0, 0)]), duration=2.0))
        return [tick_many(run, 1).poses["hand"].position for _ in range(12)]

    run = tick_many(Run(reaching_stage(APPROACHING, SPEED_PROFILES[1])), 36)
    first = positions_after_change()
    run.rewind(1.2)
    run.change("glass", APPROACHING)
    tick_many(run, 36 - run.ticks)
    assert_array_equal(positions_after_change(), first)
