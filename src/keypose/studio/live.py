"""How does a scene play while it is changed? Tick by tick in true time, as long as the ticks can keep up.

What takes ticks cannot be asked for any moment, so time here waits for what is slow: it goes slower, and nothing piles
up. A page has one live run at most, of its own; the document is everybody's.
"""

import asyncio
import math
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Literal

from keypose.errors import KeyposeError
from keypose.motion.take import Event
from keypose.stage.stage import Stage
from keypose.studio.film import Film
from keypose.studio.pointing import Place
from keypose.studio.running import Running
from keypose.studio.transport import UPDATES, check_moment

Warn = Callable[[Literal["note", "warning", "error"], str], None]

WORKING = 0.05  # [s] that ticks may take at a time; others want to be answered too
PATIENCE = 1.0  # [s] lost in all before it is told that time goes slower
MOST_TOLD = 3  # warnings at a time; of a flock all may have the same
SLOW = "Ticks of this scene take longer than they last, so live time goes slower than the clock. The film will not."


class LiveRun:
    """A scene that one page plays live. `show` is called for every moment to see, `tell` when it starts or stops.

    `warn` is called with what a person should know.
    """

    def __init__(
        self,
        document: Stage,
        show: Callable[[], None],
        tell: Callable[[], None],
        warn: Warn,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.running = Running(document)
        self._show = show
        self._tell = tell
        self._warn = warn
        self._clock = clock
        self._since: tuple[float, float] | None = None  # a time of the clock and one of the run, while it plays
        self._lost = 0.0
        self._warned = set[Event]()
        self._task: asyncio.Task[None] | None = None
        self._tell_events()

    @property
    def time(self) -> float:
        """Where it is [s]."""
        return self.running.time

    @property
    def reached(self) -> float:
        """How far it has come [s]."""
        return self.running.reached

    @property
    def speed(self) -> float:
        """How fast it plays; 0 if it does not."""
        return 0.0 if self._since is None else 1.0

    @property
    def film(self) -> Film:
        """Everybody of the document as they are now."""
        return self.running.film

    def play(self, moment: float, speed: float = 1.0, repeat: str = "once") -> None:
        """Let ticks pass from now on; from another moment if that is farther away than a tick. It never repeats."""
        check_moment(moment, "A moment to play from")
        if speed != 1.0:
            raise KeyposeError(
                f"A live run goes forwards as fast as life, so it cannot be played at speed {speed:g}. "
                "Seek to see earlier moments, or end the live run and play the film."
            )
        self._halt()
        if abs(moment - self.time) > self.running.tick:
            self.running.seek(moment)
        self._go_on()
        self._task = asyncio.get_running_loop().create_task(self._play())
        self._tell()

    def pause(self) -> None:
        """Let no more ticks pass."""
        self._halt()
        self._tell()
        self._show()

    def seek(self, moment: float) -> None:
        """Show an earlier moment again; who plays goes on from there."""
        check_moment(moment, "A moment to show")
        try:
            self.running.seek(moment)
        finally:
            if self._since is not None:
                self._go_on()
            self._tell()
            self._show()

    def follow(self, document: Stage) -> None:
        """Go on with the scene as it is now; if that cannot be, with what it was."""
        if document is not self.running.document:
            try:
                self.running.change(document)
            except Exception as error:  # the document is right, whatever a run makes of it
                self._warn("warning", f"The live run goes on with the scene as it was: {_why(error)}")
            else:
                self._tell_events()
            if self._since is not None:
                self._go_on()
            self._tell()
        self._show()

    def point(self, place: Place) -> None:
        """The mouse holds the pointer there."""
        self.running.point(place)

    def close(self) -> None:
        """Nobody looks any more."""
        self._halt()

    def _halt(self) -> None:
        self._since = None
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def _go_on(self) -> None:
        """Go on by the clock from where it is."""
        self._since = self._clock(), self.time

    async def _play(self) -> None:
        """Let the ticks pass that are due, and show where that leads, so many times a second."""
        began, count = self._clock(), 0
        with suppress(asyncio.CancelledError):
            while self._since is not None:
                self.catch_up()
                self._show()
                now = self._clock()
                count = max(count + 1, math.floor((now - began) * UPDATES) + 1)
                await asyncio.sleep(max(began + count / UPDATES - self._clock(), 0.0))

    def catch_up(self) -> None:
        """Come to where the clock is, or as far as there is time for; what is lost is lost."""
        if self._since is None:
            return
        began, failed = self._clock(), None
        due = self._since[1] + (began - self._since[0])
        try:
            while not self.running.has_come_to(due) and self._clock() - began <= WORKING:
                self.running.let_tick_pass()
        except Exception as error:
            failed = error
        self.running.show(due)
        self._tell_events()
        if failed is not None:
            self._halt()
            self._warn("error", f"The live run was paused at {self.time:g} s. {_why(failed)}")
            self._tell()
        elif not self.running.has_come_to(due):
            self._lose(due - self.time)
            self._go_on()

    def _lose(self, seconds: float) -> None:
        """Be late, and tell of it once."""
        is_told = self._lost > PATIENCE
        self._lost += seconds
        if self._lost > PATIENCE and not is_told:
            self._warn("warning", SLOW)

    def _tell_events(self) -> None:
        """Warn of what came to pass, each once."""
        events = [event for event in self.running.events if event.kind == "warning" and event not in self._warned]
        if events:
            self._warned.update(events)
            self._warn("warning", _told(events))


def _told(events: Sequence[Event]) -> str:
    """Warnings in sentences; of many the first."""
    told = [f"{event.actor} at {event.time:g} s: {event.text}" for event in events[:MOST_TOLD]]
    if len(events) > MOST_TOLD:
        told.append(f"And {len(events) - MOST_TOLD} more like these.")
    return " ".join(told)


def _why(error: Exception) -> str:
    return str(error) if isinstance(error, KeyposeError) else f"Something went wrong ({type(error).__name__}: {error})."
