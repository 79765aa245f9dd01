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
    state = PlaybackState(clock_start=10.0, time=0.5, speed=speed, repeat=repeat, duration=2.0)
    assert [state.at(10.0 + seconds) for seconds in range(5)] == pytest.approx(expected)


def test_only_playback_without_repeat_ends():
    for repeat, over in (("once", True), ("cycle", False), ("ping-pong", False)):
        for speed in (1.0, -1.0):
            state = PlaybackState(clock_start=0.0, time=1.0, speed=speed, repeat=repeat, duration=2.0)
            assert not state.is_over(0.5)
            assert state.is_over(9.0) is over
    assert PlaybackState(clock_start=0.0, time=0.0, speed=1.0, repeat="cycle", duration=0.0).is_over(0.0)


class Clock:
    """A clock that is set by hand."""

    now = 100.0

    def __call__(self):
        return self.now


def playback_clock(duration=2.0):
    clock, shown, speeds = Clock(), [], []
    playback = PlaybackClock(
        lambda: shown.append(playback.time), lambda: speeds.append(playback.speed), lambda: duration, clock
    )
    return playback, clock, shown, speeds


def test_slow_client_skips_frames_without_slowing_time():
    async def play():
        playback, clock, shown, _ = playback_clock()
        playback.play(0.0, 1.0, "once")
        await asyncio.sleep(0)
        clock.now += 1.5  # nothing could be shown for so long
        await asyncio.sleep(0.05)
        playback.pause()
        return shown

    shown = asyncio.run(play())
    assert shown[0] == 0.0
    assert set(shown[1:]) == {1.5}


def test_playing_from_the_end_starts_at_the_other_end():
    async def play(speed, moment):
        playback, _, _, _ = playback_clock()
        playback.play(moment, speed, "once")
        start = playback.time
        playback.close()
        return start

    assert asyncio.run(play(1.0, 2.0)) == 0.0
    assert asyncio.run(play(-1.0, 0.0)) == 2.0
    assert asyncio.run(play(-1.0, 1.0)) == 1.0


def test_end_of_playback_is_shown_and_reported():
    async def play():
        playback, clock, shown, speeds = playback_clock()
        playback.play(0.0, 2.0, "once")
        await asyncio.sleep(0)
        clock.now += 60
        await asyncio.sleep(0.05)
        return shown, speeds

    shown, speeds = asyncio.run(play())
    assert shown[-1] == 2.0
    assert speeds == [2.0, 0.0]


@pytest.mark.parametrize("moment", [float("nan"), float("inf"), -1e300])
def test_non_finite_seek_time_is_refused(moment):
    playback, *_ = playback_clock()
    with pytest.raises(KeyposeError, match="moment"):
        playback.seek(moment)


def test_shortened_scene_moves_the_time_to_its_end_and_reports_it():
    duration, times = [10.0], []
    playback = PlaybackClock(lambda: None, lambda: times.append(playback.time), lambda: duration[0], Clock())
    playback.seek(8.0)
    playback.update_duration()
    assert (playback.time, times) == (8.0, [])
    duration[0] = 5.0
    playback.update_duration()
    assert (playback.time, times) == (5.0, [5.0])
