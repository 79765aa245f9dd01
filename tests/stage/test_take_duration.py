"""A take of which nobody said how long it is goes on until all meetings are over, and who was in them has come."""

from functools import cache
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
from tests.script.straight_paths import BALL, follower, meeting, meeting_states, pair, straight_path, walk

EXAMPLES = Path(__file__).parents[2] / "examples"
OPENING_TIME = 10.0  # [s], long after everybody would have met


def door():
    """A door across the lane of b that opens after a while; it goes round, so that nobody waits for its end."""
    high = {0: 0, OPENING_TIME: 0, OPENING_TIME + 1: 9, 100: 9}
    path = MotionPath([Key((1, y, 2), time=time) for time, y in high.items()], tension=1)
    return Actor("door", Motion(path, outside="cycle"), body=Body(Box((0.2, 4, 1))))


def delayed_pair(*, segments=2, **options):
    """Two who meet halfway, one of them behind a door."""
    return pair(meeting({"a": "1", "b": "1"}, patience=60, **options), 16, 16, door(), segments=segments)


@cache
def delayed_take():
    return shoot(delayed_pair(), None)


def take_duration(take):
    return float(take.times[-1])


def test_take_continues_until_delayed_participants_meet_and_finish():
    stage = delayed_pair()
    assert expected_duration(stage) == 10, "if nothing were in the way"
    take = delayed_take()
    assert meeting_states(take, "meeting") == ["active", "late", "active", "done"]
    for name in ("a", "b"):
        assert take[name].position[-1, 0] == pytest.approx(16.0, abs=0.1)
        assert np.ptp(take[name].position[-24:, 0]) < 0.5, "and not much longer"
    assert take_duration(take) == round(take_duration(take)) < OPENING_TIME + 16 / 2 + 4


@pytest.mark.soak
def test_take_duration_is_independent_of_frame_rate():
    stage, take = delayed_pair(), delayed_take()
    assert take_duration(shoot(stage, None, fps=10)) == take_duration(shoot(stage, None, fps=60)) == take_duration(take)
    assert shoot(stage, take_duration(take)) == take
    slow = shoot(stage, None, fps=0.4)
    assert take_duration(take) <= take_duration(slow) <= take_duration(take) + 2.5


@pytest.mark.parametrize("name", ["17_a_walk", "18_a_relay_race", "19_a_handshake_on_time", "20_three_arches"])
def test_unobstructed_take_has_the_expected_duration(name):
    stage = load(EXAMPLES / f"{name}.json")
    assert take_duration(shoot(stage, None)) == expected_duration(stage)


def test_take_without_meetings_has_the_expected_duration():
    stage = delayed_pair().changed(script=None)
    assert take_duration(shoot(stage, None)) == expected_duration(stage)
    assert take_duration(shoot(Stage([Actor("a", walk(2.5))]), None)) == 2.5


def test_take_ends_after_a_blocked_meeting_has_failed():
    wall = Actor("wall", Still(Body(Box((0.2, 4, 1))), (1.0, 0, 2.0)))
    far = pair(meeting({"a": "1", "b": "1"}, patience=15), 16, 400, wall, segments=2)
    short = pair(meeting({"a": "1", "b": "1"}, patience=15), 16, 16, wall, segments=2)
    take = shoot(short, None)
    assert meeting_states(take, "meeting") == ["active", "late", "failed"]
    assert take["a"].position[-1, 0] == pytest.approx(16.0, abs=0.1), "the other goes on"
    assert take_duration(take) < 15 + 10
    assert take_duration(shoot(far, None)) == expected_duration(far), "it had that long anyway"


def test_take_waits_for_clocked_motions_but_not_for_cycles():
    script = Script()
    first = script.meet({"b": "1"}, name="first", patience=60)
    script.meet({"a": "1", "round": "1"}, after=first, gate=True, name="second", patience=60)
    around = Motion(straight_path(1.0, 5), duration=3.0, outside="cycle")
    actors = [Actor("a", walk(8.0, 0, 2)), Actor("round", around), Actor("b", follower(4, 1)), door()]
    take = shoot(Stage(actors, script=script), None)
    met = take.script.meetings["second"].done
    assert OPENING_TIME < met < OPENING_TIME + 3
    assert take["a"].position[-1, 0] == pytest.approx(1.0), "it has four seconds to go from there"
    assert met + 4 < take_duration(take) < met + 7


def test_endless_meeting_is_cut_at_the_maximum_duration_with_a_warning(monkeypatch):
    monkeypatch.setattr(shooting, "MAX_DURATION", 14.0)
    ring = Follow(MotionPath([(0, 0, 0), (1, 0, 0), (1, 0, 1)], closed=True), BALL, within=0.3)
    runs_away = Motion(MotionPath([(5, 0, 9), (1e5, 0, 9)]), duration=1e4, outside="cycle")
    keys = MotionPath([(0, 0, 9), Key((0, 0, 9), relative_to="car", name="car"), (0, 0, 10)])
    actors = [Actor("car", runs_away), Actor("chaser", Follow(keys, BALL, within=0.4)), Actor("ring", ring)]
    stage = Stage(actors, script=meeting({"chaser": "car"}, patience=1e4))
    take = shoot(stage, None)
    assert take_duration(take) == 14
    warning = take.events[-1]
    assert (warning.time, warning.actor, warning.kind) == (14, "chaser", "warning")
    assert warning.text == (
        "Meeting 'meeting' is not over after 14 s, and no take is longer by itself. "
        "Say how long to shoot, as 28 seconds."
    )
    assert "not over" not in "".join(event.text for event in shoot(stage, 14.0).events)


def test_endless_stage_needs_an_explicit_duration():
    with pytest.raises(KeyposeError, match=r"Nothing on the stage ends by itself\. Give a duration, as seconds=5"):
        shoot(Stage([Actor("a", DynamicSpline((0, 0, 0)))]), None)


def test_progress_reports_finished_and_expected_frames():
    progress = []
    take = shoot(delayed_pair(), None, progress=lambda done, frames: progress.append((done, frames)))
    assert [done for done, _ in progress] == list(range(1, len(take.times) + 1))
    assert all(done <= frames for done, frames in progress)
    assert (progress[0], progress[-1]) == ((1, 241), (len(take.times), len(take.times)))


def test_plot_and_studio_use_the_same_duration():
    stage, take = delayed_pair(), delayed_take()
    assert take_duration(shoot_for_picture(stage, 24)) == take_duration(take) > picture_duration(stage)
    assert tracks_of_stage(stage, 24, None).shot_seconds == take_duration(take)
    film = Preview(stage, Preview(stage).shoot(60.0))
    assert film.duration == film.take_duration == take_duration(film.take) == take_duration(take)
    assert Preview(stage.changed(script=None), film.take).duration == expected_duration(stage), (
        "of what was shot before, nothing stays"
    )


def test_take_lasts_until_a_rotating_follower_reaches_its_last_orientation():
    keys = [Key((0, 0, 9), name=f"{n}", orientation=Orientation.turned(60 * n, "y")) for n in range(60)]
    dancer = Actor("d", Follow(MotionPath(keys), Body(Box(0.3)), within=0.4, turn_within=72))  # 360 degrees a second
    blocked_actor = Actor("b", Follow(MotionPath([(0, 0, 0), Key((2, 0, 0), name="1")]), BALL, within=0.4))
    wall = Actor("wall", Still(Body(Box((0.2, 2, 2))), (1.2, 0, 0)))
    script = Script()
    script.meet({"d": turn("1"), "b": "1"}, patience=30)
    take = shoot(Stage([dancer, blocked_actor, wall], script=script), None, 24)
    assert Orientation.of(take["d"].orientation[-1]).angle_to(Orientation.turned(60 * 59, "y")) < 1
