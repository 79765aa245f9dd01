"""A live run becomes a take: the frames that it went through, with what was changed on the way."""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Actor, KeyposeError, Motion, MotionPath, Run, Stage, load, shoot
from tests.script.straight_paths import meeting, pair
from tests.stage.sample_movers import WALK, Drifter, Follower, tick_many

EXAMPLES = Path(__file__).parents[2] / "examples"
SHIFTED = Motion(MotionPath([(9, 0, 0), (9, 4, 0)]), duration=4.0)


def run_until(stage, seconds):
    run = Run(stage)
    while run.time < seconds - 1e-9:
        run.tick()
    return run


@pytest.mark.parametrize(
    "stage",
    [
        lambda: Stage([Actor("man", WALK)]),
        lambda: Stage([Actor("man", WALK), Actor("dog", Follower(("man",))), Actor("leaf", Drifter())]),
        lambda: load(EXAMPLES / "05_glass_and_hand.json"),
        lambda: load(EXAMPLES / "09_a_moth_and_a_lamp.json"),
        lambda: load(EXAMPLES / "13_through_the_pegs.json"),
    ],
)
def test_take_of_a_run_without_changes_is_that_of_the_stage(stage):
    stage = stage()
    assert run_until(stage, 1.0).take() == shoot(stage, 1.0)
    assert run_until(stage, 0.5).take(fps=30) == shoot(stage, 0.5, 30)


def test_take_of_a_run_has_the_targets_and_the_report_of_its_meetings():
    stage = pair(meeting({"a": "1", "b": "1"}), 4, 4)
    taken, shot = run_until(stage, 1.0).take(), shoot(stage, 1.0)
    assert taken == shot
    assert taken.targets.keys() == shot.targets.keys() == {"a", "b"}
    assert_array_equal(taken.targets["a"], shot.targets["a"])
    assert taken.script == shot.script is not None


def test_changes_are_in_the_take_from_their_tick_on():
    stage = Stage([Actor("man", WALK), Actor("leaf", Drifter())])
    run = run_until(stage, 1.0)
    run.change("man", SHIFTED)
    run.change(Stage([*run.stage, Actor("late", WALK, parent="man")]))
    changed = run.stage
    while run.time < 2.0 - 1e-9:
        run.tick()
    take, before, after = run.take(), shoot(stage, 2.0), shoot(changed, 2.0)
    assert take.names == ("man", "leaf", "late")
    assert len(take.times) == 49
    assert_array_equal(take["man"].position[:24], before["man"].position[:24])
    assert_array_equal(take["man"].position[24:], after["man"].position[24:])
    assert_allclose(take["leaf"].position, before["leaf"].position, atol=1e-12)
    assert_array_equal(take["late"].position[:24], np.tile(after["late"].position[24], (24, 1)))
    assert_array_equal(take["late"].position[24:], after["late"].position[24:])


def test_take_ends_where_the_run_was_rewound_to_and_begins_where_it_is_known():
    stage = Stage([Actor("man", WALK)])
    run = run_until(stage, 2.0)
    run.rewind(1.0)
    assert run.take() == shoot(stage, 1.0)
    run.change("man", SHIFTED)
    run.forget(1)
    tick_many(run, 24)
    take = run.take()
    assert (take.times[0], take.times[-1], len(take.times)) == (1, 2, 25)
    assert_array_equal(take["man"].position, shoot(run.stage, 2.0)["man"].position[24:])


def test_run_of_less_than_two_frames_has_no_take():
    with pytest.raises(KeyposeError, match="from 0 to 0 s, which is less than two frames at 24 frames per second"):
        Run(Stage([Actor("man", WALK)])).take()
    with pytest.raises(KeyposeError, match="Frames per second"):
        run_until(Stage([Actor("man", WALK)]), 1.0).take(fps=0)
