"""Time on screen goes by the clock, whatever happens."""

import asyncio

import pytest

from keypose import KeyposeError
from keypose.studio.playback.clock import PlaybackClock, PlaybackState


@pytest.mark.parametrize(("repeat", "speed", "expected"), [
    ("once", 1.0, [0.5, 1.5, 2.0, 2.0, 2.0]),
    ("once", -1.0, [0.5, 0.0, 0.0, 0.0, 0.0]),
    ("cycle", 1.0, [0.5, 1.5, 0.5, 1.5, 0.5]),
    ("cycle", -1.0, [0.5, 1.5, 0.5, 1.5, 0.5]),
    ("ping-pong", 1.0, [0.5, 1.5, 1.5, 0.5, 0.5]),
    ("ping-pong", -1.0, [0.5, 0.5, 1.5, 1.5, 0.5]),
])  # fmt: skip
def test_playback_runs_once_loops_or_ping_pongs(repeat, speed, expected):
    film = PlaybackState(clock_start=10.0, time=0.5, speed=speed, repeat=repeat, duration=2.0)
    assert [film.at(10.0 + seconds) for seconds in range(5)] == pytest.approx(expected)


def test_only_playback_without_repeat_ends():
    for repeat, over in (("once", True), ("cycle", False), ("ping-pong", False)):
        for speed in (1.0, -1.0):
            film = PlaybackState(clock_start=0.0, time=1.0, speed=speed, repeat=repeat, duration=2.0)
            assert not film.is_over(0.5)
            assert film.is_over(9.0) is over
    assert PlaybackState(clock_start=0.0, time=0.0, speed=1.0, repeat="cycle", duration=0.0).is_over(0.0)


class Clock:
    """A clock that is set by hand."""

    now = 100.0

    def __call__(self):
        return self.now


def playback_clock(duration=2.0):
    clock, shown, told = Clock(), [], []
    made = PlaybackClock(lambda: shown.append(made.time), lambda: told.append(made.speed), lambda: duration, clock)
    return made, clock, shown, told


def test_slow_client_skips_frames_without_slowing_time():
    async def play():
        film, clock, shown, _ = playback_clock()
        film.play(0.0, 1.0, "once")
        await asyncio.sleep(0)
        clock.now += 1.5  # nothing could be shown for so long
        await asyncio.sleep(0.05)
        film.pause()
        return shown

    shown = asyncio.run(play())
    assert shown[0] == 0.0
    assert set(shown[1:]) == {1.5}


def test_playing_from_the_end_starts_at_the_other_end():
    async def play(speed, moment):
        film, _, _, _ = playback_clock()
        film.play(moment, speed, "once")
        where = film.time
        film.close()
        return where

    assert asyncio.run(play(1.0, 2.0)) == 0.0
    assert asyncio.run(play(-1.0, 0.0)) == 2.0
    assert asyncio.run(play(-1.0, 1.0)) == 1.0


def test_end_of_playback_is_shown_and_reported():
    async def play():
        film, clock, shown, told = playback_clock()
        film.play(0.0, 2.0, "once")
        await asyncio.sleep(0)
        clock.now += 60
        await asyncio.sleep(0.05)
        return shown, told

    shown, told = asyncio.run(play())
    assert shown[-1] == 2.0
    assert told == [2.0, 0.0]


@pytest.mark.parametrize("moment", [float("nan"), float("inf"), -1e300])
def test_non_finite_seek_time_is_refused(moment):
    film, *_ = playback_clock()
    with pytest.raises(KeyposeError, match="moment"):
        film.seek(moment)


def test_shortened_scene_moves_the_time_to_its_end_and_reports_it():
    lasting, told = [10.0], []
    film = PlaybackClock(lambda: None, lambda: told.append(film.time), lambda: lasting[0], Clock())
    film.seek(8.0)
    film.update_duration()
    assert (film.time, told) == (8.0, [])
    lasting[0] = 5.0
    film.update_duration()
    assert (film.time, told) == (5.0, [5.0])
