"""A stage lasts until its motions have ended, its followers have come and everybody has met; some never end."""

import pytest

from keypose import Actor, DynamicSpline, Follow, Motion, MotionPath, Script, Stage, plot, shoot
from keypose.plot.stage.track_builder import picture_duration
from keypose.stage.recorder.duration import MAX_DURATION, expected_duration, lap_duration
from keypose.studio.preview.preview import Preview
from tests.script.straight_paths import BALL, follower, meeting, straight_path, walk

RING = MotionPath([(0, 0, 0), (1, 0, 0), (1, 0, 1)], closed=True)
CYCLING = Motion(straight_path(1.0), duration=3.0, outside="cycle")


def test_stage_of_motions_lasts_until_the_last_one_ends():
    assert expected_duration(Stage([Actor("a", walk(2.5)), Actor("b", walk(1.0))])) == 2.5


@pytest.mark.parametrize(
    "actor", [Actor("a", CYCLING), Actor("a", DynamicSpline((0, 0, 0))), Actor("a", Follow(RING, BALL, within=0.3))]
)  # fmt: skip
def test_endless_stage_has_zero_expected_duration(actor):
    assert expected_duration(Stage([actor])) == 0


def test_expected_duration_lets_a_follower_reach_its_end():
    stage = Stage([Actor("a", follower(6.0))])
    assert 3.0 < expected_duration(stage) < 6.0
    assert shoot(stage, expected_duration(stage))["a"].position[-1, 0] == pytest.approx(6.0, abs=0.1)


def test_stage_with_meetings_lasts_until_all_are_done():
    stage = Stage([Actor("a", walk(2.0)), Actor("b", walk(5.0, 1.0))], script=meeting({"a": "1", "b": "1"}))
    take = shoot(stage, expected_duration(stage))
    assert take.script.meetings["meeting"].done is not None
    assert expected_duration(stage) <= 7.0


def test_goal_some_laps_ahead_is_included_up_to_the_maximum_duration():
    ring = Follow(RING, BALL, within=0.3)
    assert lap_duration(Stage([Actor("a", ring)])) > 0
    three = Stage([Actor("a", ring)], script=meeting({"a": 3 * RING.length}))
    assert shoot(three, expected_duration(three)).script.meetings["meeting"].done is not None
    for far in (1e9, 1e300, 1.7e308):
        assert expected_duration(Stage([Actor("a", ring)], script=meeting({"a": far}))) == MAX_DURATION


def test_studio_and_plot_use_the_expected_duration():
    script = Script()
    first = script.meet({"a": "1", "b": "1"}, name="first")
    script.meet({"a": "2", "b": "2"}, after=first, name="second")
    stage = Stage([Actor("a", follower(6.0, 0, 2)), Actor("b", follower(20.0, 1, 2))], script=script)
    assert Preview(stage).duration == picture_duration(stage) == expected_duration(stage) > 10
    assert plot(stage).events[-1].state == "done"
