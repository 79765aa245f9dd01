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

UPDATES = 60  # a second
FASTEST = 1000.0  # times the true speed


@dataclass(frozen=True)
class Playing:
    """A film that runs: at `since` [s of the clock] it was at `time` [s], and goes `speed` times as fast as life."""

    since: float
    time: float
    speed: float
    repeat: Repeat
    duration: float

    def at(self, now: float) -> float:
        """Where it is [s], 0 … duration."""
        gone = self.time + (now - self.since) * self.speed
        if self.repeat == "once" or self.duration <= 0:
            return min(max(gone, 0.0), max(self.duration, 0.0))
        if self.repeat == "cycle":
            return gone % self.duration
        lap = gone % (2 * self.duration)
        return min(lap, 2 * self.duration - lap)

    def is_over(self, now: float) -> bool:
        """Whether it has come to its end and stays there."""
        gone = self.time + (now - self.since) * self.speed
        ended = gone >= self.duration if self.speed > 0 else gone <= 0
        return self.duration <= 0 or self.speed == 0 or (self.repeat == "once" and ended)


class Transport:
    """Where one page is in time. `show` is called for every moment to see, `tell` when it starts or stops.

    `duration` says how long there is to play.
    """

    def __init__(
        self,
        show: Callable[[], None],
        tell: Callable[[], None],
        duration: Callable[[], float],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._show = show
        self._tell = tell
        self._duration = duration
        self._clock = clock
        self._playing: Playing | None = None
        self._stopped_at = 0.0
        self._task: asyncio.Task[None] | None = None

    @property
    def time(self) -> float:
        """Where it is [s]."""
        return self._stopped_at if self._playing is None else self._playing.at(self._clock())

    @property
    def speed(self) -> float:
        """How fast it plays; 0 if it does not."""
        return 0.0 if self._playing is None else self._playing.speed

    def play(self, moment: float, speed: float, repeat: Repeat) -> None:
        """Play from a moment on; from the far end if there is nothing left to play."""
        check_moment(moment, "A moment to play from")
        if not (math.isfinite(speed) and 0 < abs(speed) <= FASTEST):
            raise KeyposeError(
                f"A speed to play with is {speed:g}. Give a number up to {FASTEST:g}, negative backwards."
            )
        self._halt()
        duration = self._duration()
        begin = min(max(moment, 0.0), duration)
        if repeat == "once":
            begin = (0.0 if begin >= duration else begin) if speed > 0 else (duration if begin <= 0 else begin)
        self._playing = Playing(self._clock(), begin, speed, repeat, duration)
        self._task = asyncio.get_running_loop().create_task(self._run())
        self._tell()

    def pause(self) -> None:
        """Stop where it is."""
        self._stopped_at = self.time
        self._halt()
        self._tell()
        self._show()

    def seek(self, moment: float) -> None:
        """Show a moment; whoever plays goes on from there."""
        check_moment(moment, "A moment to show")
        if self._playing is None:
            self._stopped_at = moment
        else:
            old = self._playing
            self._playing = Playing(self._clock(), moment, old.speed, old.repeat, old.duration)
        self._show()

    def follow(self) -> None:
        """There is another scene to play: as long as it is now, from where it is now, or at most its end."""
        if self._playing is not None:
            old, duration = self._playing, self._duration()
            if duration != old.duration:
                now = self._clock()
                self._playing = Playing(now, min(old.at(now), duration), old.speed, old.repeat, duration)
        elif self._stopped_at > (end := self._duration()):
            self._stopped_at = end
            self._tell()
        self._show()

    def close(self) -> None:
        """Nobody looks any more."""
        self._halt()

    def _halt(self) -> None:
        self._playing = None
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _run(self) -> None:
        """Show another moment so many times a second; moments for which there was no time are left out."""
        began, count = self._clock(), 0
        with suppress(asyncio.CancelledError):
            while self._playing is not None:
                now = self._clock()
                if self._playing.is_over(now):
                    self._stopped_at, self._playing, self._task = self._playing.at(now), None, None
                    self._show()
                    self._tell()
                    return
                self._show()
                count = max(count + 1, math.floor((now - began) * UPDATES) + 1)
                await asyncio.sleep(max(began + count / UPDATES - self._clock(), 0.0))


def check_moment(moment: float, what: str) -> None:
    """A moment [s] must be one at all."""
    if not math.isfinite(moment) or abs(moment) > 1e9:
        raise KeyposeError(f"{what} is {moment:g} s. Give a moment of the scene.")
