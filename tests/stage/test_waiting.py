"""A hand waits where the glass will be: it never goes back, is there when it is due, and may be told otherwise."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Actor, Key, Motion, MotionPath, Run, SpeedProfile, Stage, shoot

SLIDES = Motion(MotionPath([(5, 0, 0), (1, 0, 0)]), duration=2.0)
REACH = MotionPath([(0, 0, 0), Key((0, 0, 0), relative_to="glass")])
PACES = [SpeedProfile.steady(), SpeedProfile.slow_in_slow_out(), SpeedProfile([9, 1, 0, 5])]


def reaching(glass, pace=PACES[0]):
    return Stage([Actor("hand", Motion(REACH, pace, duration=2.0)), Actor("glass", glass)])


def ticked(run, ticks):
    for _ in range(ticks):
        run.tick()
    return run


@pytest.mark.parametrize("pace", PACES)
def test_a_hand_that_is_early_waits_for_a_glass_that_slides_towards_it(pace):
    stage, t = reaching(SLIDES, pace), np.linspace(0, 3, 3001)
    way = stage.at(t)["hand"].position[:, 0]
    assert np.diff(way).min() > -1e-12
    assert way.max() == pytest.approx(1, abs=2e-5)  # who comes to rest is as good as there some microseconds before
    assert way[1700] == pytest.approx(1, abs=0.02)  # 0.3 s early
    assert_allclose(stage.at(2.0)["hand"].position, (1, 0, 0), atol=2e-5)


def test_a_run_a_take_and_one_instant_alone_say_the_same():
    stage = reaching(SLIDES)
    take, run = shoot(stage, 2.0), Run(stage)
    for frame in range(len(take)):
        assert_array_equal(take["hand"].position[frame], stage.at(take.times[frame])["hand"].position)
        assert_array_equal(take["hand"].position[frame], run.poses["hand"].position)
        run.tick()


def test_a_change_that_leaves_the_glass_where_it_will_be_leaves_the_hand_too():
    run, other = (ticked(Run(reaching(SLIDES)), 30) for _ in range(2))
    other.change("glass", Motion(MotionPath([(5, 0, 0), (3, 0, 0), (1, 0, 0)]), duration=2.0))
    for _ in range(20):
        assert_allclose(ticked(run, 1).poses["hand"].position, ticked(other, 1).poses["hand"].position, atol=1e-9)


def test_a_hand_that_went_further_before_the_change_is_not_sent_back_before_the_glass_is_there():
    run = ticked(Run(reaching(SLIDES)), 40)
    assert run.poses["hand"].position[0] == pytest.approx(1)
    run.change("glass", Motion(MotionPath([(5, 0, 0), (0.5, 0, 0)]), duration=2.0))
    for _ in range(8):
        pose = ticked(run, 1).poses
        assert pose["hand"].position[0] == pytest.approx(min(1, pose["glass"].position[0]))
    assert pose["glass"].position[0] == pytest.approx(0.5)


def test_rewinding_to_before_a_change_and_doing_it_again_is_the_same_to_the_bit():
    def goes_on():
        run.change("glass", Motion(MotionPath([(5, 0, 0), (0.5, 0, 0)]), duration=2.0))
        return [ticked(run, 1).poses["hand"].position for _ in range(12)]

    run = ticked(Run(reaching(SLIDES, PACES[1])), 36)
    first = goes_on()
    run.rewind(1.2)
    run.change("glass", SLIDES)
    ticked(run, 36 - run.ticks)
    assert_array_equal(goes_on(), first)
