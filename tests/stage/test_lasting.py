"""A stage lasts until its motions have ended, its followers have come and everybody has met; some never end."""

import pytest

from keypose import Actor, DynamicSpline, Follow, Motion, MotionPath, Script, Stage, plot, shoot
from keypose.plot.stage.track_builder import picture_duration
from keypose.stage.recorder.duration import MAX_DURATION, expected_duration, lap_duration
from keypose.studio.preview.preview import Preview
from tests.script.walks import BALL, follower, meeting, walk, way

RING = MotionPath([(0, 0, 0), (1, 0, 0), (1, 0, 1)], closed=True)
AROUND = Motion(way(1.0), duration=3.0, outside="cycle")


def test_a_stage_of_motions_lasts_until_the_last_has_ended():
    assert expected_duration(Stage([Actor("a", walk(2.5)), Actor("b", walk(1.0))])) == 2.5


@pytest.mark.parametrize(
    "actor", [Actor("a", AROUND), Actor("a", DynamicSpline((0, 0, 0))), Actor("a", Follow(RING, BALL, within=0.3))]
)  # fmt: skip
def test_what_never_ends_has_no_end(actor):
    assert expected_duration(Stage([actor])) == 0


def test_who_follows_a_path_is_given_the_time_to_come():
    stage = Stage([Actor("a", follower(6.0))])
    assert 3.0 < expected_duration(stage) < 6.0
    assert shoot(stage, expected_duration(stage))["a"].position[-1, 0] == pytest.approx(6.0, abs=0.1)


def test_a_stage_with_meetings_lasts_until_all_have_met():
    stage = Stage([Actor("a", walk(2.0)), Actor("b", walk(5.0, 1.0))], script=meeting({"a": "1", "b": "1"}))
    take = shoot(stage, expected_duration(stage))
    assert take.script.meetings["meeting"].done is not None
    assert expected_duration(stage) <= 7.0


def test_a_goal_some_rounds_on_is_waited_for_and_one_too_far_is_not():
    ring = Follow(RING, BALL, within=0.3)
    assert lap_duration(Stage([Actor("a", ring)])) > 0
    three = Stage([Actor("a", ring)], script=meeting({"a": 3 * RING.length}))
    assert shoot(three, expected_duration(three)).script.meetings["meeting"].done is not None
    for far in (1e9, 1e300, 1.7e308):
        assert expected_duration(Stage([Actor("a", ring)], script=meeting({"a": far}))) == MAX_DURATION


def test_the_studio_and_a_picture_last_as_long():
    script = Script()
    first = script.meet({"a": "1", "b": "1"}, name="first")
    script.meet({"a": "2", "b": "2"}, after=first, name="second")
    stage = Stage([Actor("a", follower(6.0, 0, 2)), Actor("b", follower(20.0, 1, 2))], script=script)
    assert Preview(stage).duration == picture_duration(stage) == expected_duration(stage) > 10
    assert plot(stage).events[-1].state == "done"
