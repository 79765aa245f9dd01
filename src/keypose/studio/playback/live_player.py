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
from keypose.maths.arrays import Vec3
from keypose.motion.take import Event
from keypose.stage.stage import Stage
from keypose.studio.error_text import why
from keypose.studio.playback.clock import UPDATES, check_moment
from keypose.studio.playback.live_run import Running
from keypose.studio.preview.preview import Film

Warn = Callable[[Literal["note", "warning", "error"], str], None]

WORKING = 0.05  # [s] that ticks may take at a time; others want to be answered too
PATIENCE = 1.0  # [s] lost in all before it is told that time goes slower
QUIET = 1.0  # [s]: what stops again and again, as in a hand that drags, is told again after so long without
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
        self._warned: dict[tuple[str, str], float] = {}  # when what was last told, by whom and what it is about
        self._task: asyncio.Task[None] | None = None
        self._waiting: Stage | None = None  # said while the run was on its way to an earlier moment
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
        return self.running.film_of(self._waiting or self.running.document)

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
            self.running.head_for(moment)
            self._come_nearer()
        self._go_on()
        self._keep_going()
        self._tell()

    def pause(self) -> None:
        """Let no more ticks pass but those on the way to what was sought."""
        self._halt()
        self._keep_going()
        self._tell()
        self._show()

    def seek(self, moment: float) -> None:
        """Show an earlier moment again; who plays goes on from there."""
        check_moment(moment, "A moment to show")
        try:
            self.running.head_for(moment)
            self._come_nearer()
        finally:
            if self._since is not None:
                self._go_on()
            self._keep_going()
            self._tell()
            self._show()

    def _come_nearer(self) -> None:
        """Let ticks pass on the way to what was sought, as many as there is time for."""
        began = self._clock()
        try:
            while self.running.is_on_its_way and self._clock() - began <= WORKING:
                self.running.come_nearer()
        finally:
            if not self.running.is_on_its_way and self._waiting is not None:
                waiting, self._waiting = self._waiting, None
                self._change(waiting)

    def follow(self, document: Stage) -> None:
        """Go on with the scene as it is now; if that cannot be, with what it was."""
        if self.running.is_on_its_way:
            self._waiting = document  # an edit belongs to the moment that was sought
        elif document is not self.running.document:
            self._change(document)
            self._tell()
        self._show()

    def _change(self, document: Stage) -> None:
        try:
            self.running.change(document)
        except Exception as error:  # the document is right, whatever a run makes of it
            told = why(error, "A live run could not be changed.")
            self._warn("warning", f"The live run goes on with the scene as it was: {told}")
        else:
            self._warned = {about: self._warned[about] for about in self._warnings() if about in self._warned}
            self._tell_events()
        if self._since is not None:
            self._go_on()

    def point(self, place: Vec3) -> None:
        """The mouse holds the pointer there; rewound, what came after will not come again."""
        reached = self.reached
        self.running.point(place)
        if self.reached < reached:
            self._tell()

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

    def _keep_going(self) -> None:
        """Let ticks pass beside everything else if there are any to pass."""
        if self._task is None and (self._since is not None or self.running.is_on_its_way):
            self._task = asyncio.get_running_loop().create_task(self._play())

    async def _play(self) -> None:
        """Let the ticks pass that are due, and show where that leads, so many times a second."""
        began, count = self._clock(), 0
        with suppress(asyncio.CancelledError):
            while self._since is not None or self.running.is_on_its_way:
                try:
                    self.catch_up()
                    self._show()
                except Exception as error:
                    self._stop_for(error)
                    return
                now = self._clock()
                count = max(count + 1, math.floor((now - began) * UPDATES) + 1)
                await asyncio.sleep(max(began + count / UPDATES - self._clock(), 0.0))
            self._task = None

    def catch_up(self) -> None:
        """Come to where the clock is, or as far as there is time for; what is lost is lost."""
        if self.running.is_on_its_way:
            self._come_nearer()
            if self._since is not None:
                self._go_on()
            self._tell()
            return
        if self._since is None:
            return
        began, failed = self._clock(), None
        due = self._since[1] + (began - self._since[0])
        try:
            while not self.running.has_come_to(due) and self._clock() - began <= WORKING:
                self.running.let_tick_pass(due)
        except Exception as error:
            failed = error
        self.running.show(due)
        self._tell_events()
        if failed is not None:
            self._stop_for(failed)
        elif not self.running.has_come_to(due):
            self._lose(due - self.time)
            self._go_on()

    def _stop_for(self, error: Exception) -> None:
        """Pause, and tell why."""
        self._halt()
        self._warn("error", f"The live run was paused at {self.time:g} s. {why(error, 'A live run was paused.')}")
        self._tell()

    def _lose(self, seconds: float) -> None:
        """Be late, and tell of it once."""
        is_told = self._lost > PATIENCE
        self._lost += seconds
        if self._lost > PATIENCE and not is_told:
            self._warn("warning", SLOW)

    def _tell_events(self) -> None:
        """Warn of what came to pass, each once; rewound and played again, not again."""
        news = []
        for about, event in self._warnings().items():
            last = self._warned.get(about)
            if last is None or event.time > last + QUIET:
                news.append(event)
            self._warned[about] = event.time if last is None else max(event.time, last)
        if news:
            self._warn("warning", _told(news))

    def _warnings(self) -> dict[tuple[str, str], Event]:
        """What to beware of so far, by whom and what it is about."""
        events = (event for event in self.running.events if event.kind == "warning")
        return {(event.actor, event.about or event.text): event for event in events}


def _told(events: Sequence[Event]) -> str:
    """Warnings in sentences; of many the first."""
    told = [f"{event.actor} at {event.time:.3g} s: {event.text}" for event in events[:MOST_TOLD]]
    if len(events) > MOST_TOLD:
        told.append(f"And {len(events) - MOST_TOLD} more like these.")
    return " ".join(told)
