"""A take of which nobody said how long it is goes on until all meetings are over, and who was in them has come."""

from pathlib import Path

import numpy as np
import pytest

from keypose import (
    Actor,
    Body,
    Box,
    DynamicSpline,
    Follow,
    Key,
    KeyposeError,
    Motion,
    MotionPath,
    Orientation,
    Script,
    Stage,
    Still,
    load,
    shoot,
    turn,
)
from keypose.plot.stage.track_builder import picture_duration, shoot_for_picture, tracks_of_stage
from keypose.stage.recorder import shoot as shooting
from keypose.stage.recorder.duration import expected_duration
from keypose.studio.preview.preview import Preview
from tests.script.walks import BALL, follower, meeting, pair, states, walk, way

EXAMPLES = Path(__file__).parents[2] / "examples"
OPENS = 10.0  # [s], long after everybody would have met


def door():
    """A door across the lane of b that opens after a while; it goes round, so that nobody waits for its end."""
    high = {0: 0, OPENS: 0, OPENS + 1: 9, 100: 9}
    path = MotionPath([Key((1, y, 2), time=time) for time, y in high.items()], tension=1)
    return Actor("door", Motion(path, outside="cycle"), body=Body(Box((0.2, 4, 1))))


def held_up(*, segments=2, **said):
    """Two who meet halfway, one of them behind a door."""
    return pair(meeting({"a": "1", "b": "1"}, patience=60, **said), 16, 16, door(), segments=segments)


def lasted(take):
    return float(take.times[-1])


def test_it_is_shot_until_those_have_met_who_were_held_up_and_have_come_to_their_ends():
    stage = held_up()
    assert expected_duration(stage) == 10, "if nothing were in the way"
    take = shoot(stage, None)
    assert states(take, "meeting") == ["active", "late", "active", "done"]
    for name in ("a", "b"):
        assert take[name].position[-1, 0] == pytest.approx(16.0, abs=0.1)
        assert np.ptp(take[name].position[-24:, 0]) < 0.5, "and not much longer"
    assert lasted(take) == round(lasted(take)) < OPENS + 16 / 2 + 4


def test_how_long_it_is_does_not_depend_on_the_camera_nor_does_what_is_seen():
    stage = held_up()
    take = shoot(stage, None)
    assert lasted(shoot(stage, None, fps=10)) == lasted(shoot(stage, None, fps=60)) == lasted(take)
    assert shoot(stage, lasted(take)) == take
    slow = shoot(stage, None, fps=0.4)
    assert lasted(take) <= lasted(slow) <= lasted(take) + 2.5


@pytest.mark.parametrize("name", ["17_a_walk", "18_a_relay_race", "19_a_handshake_on_time", "20_three_arches"])
def test_where_nothing_is_in_the_way_it_is_as_long_as_foreseen(name):
    stage = load(EXAMPLES / f"{name}.json")
    assert lasted(shoot(stage, None)) == expected_duration(stage)


def test_without_meetings_nothing_is_waited_for():
    stage = held_up().changed(script=None)
    assert lasted(shoot(stage, None)) == expected_duration(stage)
    assert lasted(shoot(Stage([Actor("a", walk(2.5))]), None)) == 2.5


def test_who_is_stuck_for_good_is_not_waited_for_once_its_meeting_has_failed():
    wall = Actor("wall", Still(Body(Box((0.2, 4, 1))), (1.0, 0, 2.0)))
    far = pair(meeting({"a": "1", "b": "1"}, patience=15), 16, 400, wall, segments=2)
    short = pair(meeting({"a": "1", "b": "1"}, patience=15), 16, 16, wall, segments=2)
    take = shoot(short, None)
    assert states(take, "meeting") == ["active", "late", "failed"]
    assert take["a"].position[-1, 0] == pytest.approx(16.0, abs=0.1), "the other goes on"
    assert lasted(take) < 15 + 10
    assert lasted(shoot(far, None)) == expected_duration(far), "it had that long anyway"


def test_motions_by_clocks_are_waited_for_and_those_in_rounds_are_not():
    script = Script()
    first = script.meet({"b": "1"}, name="first", patience=60)
    script.meet({"a": "1", "round": "1"}, after=first, gate=True, name="second", patience=60)
    around = Motion(way(1.0, 5), duration=3.0, outside="cycle")
    actors = [Actor("a", walk(8.0, 0, 2)), Actor("round", around), Actor("b", follower(4, 1)), door()]
    take = shoot(Stage(actors, script=script), None)
    met = take.script.meetings["second"].done
    assert OPENS < met < OPENS + 3
    assert take["a"].position[-1, 0] == pytest.approx(1.0), "it has four seconds to go from there"
    assert met + 4 < lasted(take) < met + 7


def test_a_meeting_without_end_ends_at_the_longest_and_that_is_told(monkeypatch):
    monkeypatch.setattr(shooting, "MAX_DURATION", 14.0)
    ring = Follow(MotionPath([(0, 0, 0), (1, 0, 0), (1, 0, 1)], closed=True), BALL, within=0.3)
    runs_away = Motion(MotionPath([(5, 0, 9), (1e5, 0, 9)]), duration=1e4, outside="cycle")
    keys = MotionPath([(0, 0, 9), Key((0, 0, 9), relative_to="car", name="car"), (0, 0, 10)])
    actors = [Actor("car", runs_away), Actor("chaser", Follow(keys, BALL, within=0.4)), Actor("ring", ring)]
    stage = Stage(actors, script=meeting({"chaser": "car"}, patience=1e4))
    take = shoot(stage, None)
    assert lasted(take) == 14
    told = take.events[-1]
    assert (told.time, told.actor, told.kind) == (14, "chaser", "warning")
    assert told.text == (
        "Meeting 'meeting' is not over after 14 s, and no take is longer by itself. "
        "Say how long to shoot, as 28 seconds."
    )
    assert "not over" not in "".join(event.text for event in shoot(stage, 14.0).events)


def test_what_never_ends_wants_a_length():
    with pytest.raises(
        KeyposeError, match=r"Nothing on the stage ends by itself\. Say how long to shoot, as seconds=5"
    ):
        shoot(Stage([Actor("a", DynamicSpline((0, 0, 0)))]), None)


def test_frames_are_told_of_as_they_are_done_and_how_many_are_foreseen():
    told = []
    take = shoot(held_up(), None, progress=lambda done, frames: told.append((done, frames)))
    assert [done for done, _ in told] == list(range(1, len(take) + 1))
    assert all(done <= frames for done, frames in told)
    assert (told[0], told[-1]) == ((1, 241), (len(take), len(take)))


def test_a_picture_and_the_studio_show_it_as_long():
    stage = held_up()
    take = shoot(stage, None)
    assert lasted(shoot_for_picture(stage, 24)) == lasted(take) > picture_duration(stage)
    assert tracks_of_stage(stage, 24, None).shot_seconds == lasted(take)
    film = Preview(stage, Preview(stage).shoot(60.0))
    assert film.duration == film.take_duration == lasted(film.take) == lasted(take)
    assert Preview(stage.changed(script=None), film.take).duration == expected_duration(stage), (
        "of what was shot before, nothing stays"
    )


def test_a_take_lasts_until_who_turns_once_a_second_faces_its_end():
    keys = [Key((0, 0, 9), name=f"{n}", orientation=Orientation.turned(60 * n, "y")) for n in range(60)]
    dancer = Actor("d", Follow(MotionPath(keys), Body(Box(0.3)), within=0.4, turn_within=72))  # 360 degrees a second
    held_up = Actor("b", Follow(MotionPath([(0, 0, 0), Key((2, 0, 0), name="1")]), BALL, within=0.4))
    wall = Actor("wall", Still(Body(Box((0.2, 2, 2))), (1.2, 0, 0)))
    script = Script()
    script.meet({"d": turn("1"), "b": "1"}, patience=30)
    take = shoot(Stage([dancer, held_up, wall], script=script), None, 24)
    assert Orientation.of(take["d"].orientation[-1]).angle_to(Orientation.turned(60 * 59, "y")) < 1
