"""How does time go by on screen? By a clock that never waits: slowness drops pictures and never slows a motion."""

import asyncio
import math
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from keypose.errors import KeyposeError

Repeat = Literal["once", "cycle", "ping-pong"]

UPDATE_RATE = 60  # a second
MAX_SPEED = 1000.0  # times the true speed


@dataclass(frozen=True)
class PlaybackState:
    """Playback in progress: `time` [s] at `clock_start` [s of the clock], at `speed` times real time."""

    clock_start: float
    time: float
    speed: float
    repeat: Repeat
    duration: float

    def at(self, now: float) -> float:
        """Where it is [s], 0 … duration."""
        elapsed = self.time + (now - self.clock_start) * self.speed
        if self.repeat == "once" or self.duration <= 0:
            return min(max(elapsed, 0.0), max(self.duration, 0.0))
        if self.repeat == "cycle":
            return elapsed % self.duration
        lap = elapsed % (2 * self.duration)
        return min(lap, 2 * self.duration - lap)

    def is_over(self, now: float) -> bool:
        """Whether it has come to its end and stays there."""
        elapsed = self.time + (now - self.clock_start) * self.speed
        is_past_end = elapsed >= self.duration if self.speed > 0 else elapsed <= 0
        return self.duration <= 0 or self.speed == 0 or (self.repeat == "once" and is_past_end)


class PlaybackClock:
    """Where one page is in time. `on_frame` is called for every moment to see, `on_change` when it starts or stops.

    `duration` says how long there is to play.
    """

    def __init__(
        self,
        on_frame: Callable[[], None],
        on_change: Callable[[], None],
        duration: Callable[[], float],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._on_frame = on_frame
        self._on_change = on_change
        self._duration = duration
        self._clock = clock
        self._state: PlaybackState | None = None
        self._stopped_at = 0.0
        self._task: asyncio.Task[None] | None = None

    @property
    def time(self) -> float:
        """Where it is [s]."""
        return self._stopped_at if self._state is None else self._state.at(self._clock())

    @property
    def speed(self) -> float:
        """How fast it plays; 0 if it does not."""
        return 0.0 if self._state is None else self._state.speed

    def play(self, moment: float, speed: float, repeat: Repeat) -> None:
        """Play from a moment on; from the far end if there is nothing left to play."""
        check_time(moment, "A moment to play from")
        if not (math.isfinite(speed) and 0 < abs(speed) <= MAX_SPEED):
            raise KeyposeError(
                f"A speed to play with is {speed:g}. Give a number up to {MAX_SPEED:g}, negative backwards."
            )
        self._stop()
        duration = self._duration()
        begin = min(max(moment, 0.0), duration)
        if repeat == "once":
            begin = (0.0 if begin >= duration else begin) if speed > 0 else (duration if begin <= 0 else begin)
        self._state = PlaybackState(self._clock(), begin, speed, repeat, duration)
        self._task = asyncio.get_running_loop().create_task(self._run())
        self._on_change()

    def pause(self) -> None:
        """Stop where it is."""
        self._stopped_at = self.time
        self._stop()
        self._on_change()
        self._on_frame()

    def seek(self, moment: float) -> None:
        """Show a moment; whoever plays goes on from there."""
        check_time(moment, "A moment to show")
        if self._state is None:
            self._stopped_at = moment
        else:
            old = self._state
            self._state = PlaybackState(self._clock(), moment, old.speed, old.repeat, old.duration)
        self._on_frame()

    def update_duration(self) -> None:
        """There is another scene to play: as long as it is now, from where it is now, or at most its end."""
        if self._state is not None:
            old, duration = self._state, self._duration()
            if duration != old.duration:
                now = self._clock()
                self._state = PlaybackState(now, min(old.at(now), duration), old.speed, old.repeat, duration)
        elif self._stopped_at > (end := self._duration()):
            self._stopped_at = end
            self._on_change()
        self._on_frame()

    def close(self) -> None:
        """Nobody looks any more."""
        self._stop()

    def _stop(self) -> None:
        self._state = None
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _run(self) -> None:
        """Show another moment so many times a second; moments for which there was no time are left out."""
        started_at, count = self._clock(), 0
        with suppress(asyncio.CancelledError):
            while self._state is not None:
                now = self._clock()
                if self._state.is_over(now):
                    self._stopped_at, self._state, self._task = self._state.at(now), None, None
                    self._on_frame()
                    self._on_change()
                    return
                self._on_frame()
                count = max(count + 1, math.floor((now - started_at) * UPDATE_RATE) + 1)
                await asyncio.sleep(max(started_at + count / UPDATE_RATE - self._clock(), 0.0))


def check_time(moment: float, what: str) -> None:
    """A moment [s] must be one at all."""
    if not math.isfinite(moment) or abs(moment) > 1e9:
        raise KeyposeError(f"{what} is {moment:g} s. Give a moment of the scene.")
