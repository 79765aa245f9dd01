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
from keypose.maths import Vec3
from keypose.motion import Event
from keypose.stage import Stage
from keypose.studio.error_text import error_text
from keypose.studio.playback.clock import UPDATE_RATE, check_time
from keypose.studio.playback.live_run import LiveRun
from keypose.studio.preview.preview import Preview

Warn = Callable[[Literal["note", "warning", "error"], str], None]

TICK_BUDGET = 0.05  # [s] that ticks may take at a time; others want to be answered too
MAX_LAG = 1.0  # [s] lost in all before it is told that time goes slower
REPEAT_WARNING_AFTER = (
    1.0  # [s]: what stops again and again, as in a hand that drags, is told again after so long without
)
MAX_WARNINGS = 3  # warnings at a time; of a flock all may have the same
SLOW_TEXT = (
    "Ticks of this scene take longer than they last, so live time goes slower than the clock. The film will not."
)


class LivePlayer:
    """A scene that one page plays live. `on_frame` is called for every moment to see, `on_change` when it starts or
    stops.

    `warn` is called with what a person should know.
    """

    def __init__(
        self,
        document: Stage,
        on_frame: Callable[[], None],
        on_change: Callable[[], None],
        warn: Warn,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.live_run = LiveRun(document)
        self.on_frame = on_frame
        self._on_change = on_change
        self._warn = warn
        self._clock = clock
        self._clock_anchor: tuple[float, float] | None = None  # a time of the clock and one of the run, while it plays
        self._lag = 0.0
        self.warned_at: dict[tuple[str, str], float] = {}  # when what was last told, by whom and what it is about
        self._task: asyncio.Task[None] | None = None
        self._pending_document: Stage | None = None  # said while the run was on its way to an earlier moment
        self.report_events()

    @property
    def time(self) -> float:
        """Where it is [s]."""
        return self.live_run.time

    @property
    def reached_time(self) -> float:
        """How far it has come [s]."""
        return self.live_run.reached_time

    @property
    def speed(self) -> float:
        """How fast it plays; 0 if it does not."""
        return 0.0 if self._clock_anchor is None else 1.0

    @property
    def preview(self) -> Preview:
        """Everybody of the document as they are now."""
        return self.live_run.live_frame(self._pending_document or self.live_run.document)

    def play(self, moment: float, speed: float = 1.0, repeat: str = "once") -> None:
        """Let ticks pass from now on; from another moment if that is farther away than a tick. It never repeats."""
        check_time(moment, "A moment to play from")
        if speed != 1.0:
            raise KeyposeError(
                f"A live run goes forwards as fast as life, so it cannot be played at speed {speed:g}. "
                "Seek to see earlier moments, or end the live run and play the film."
            )
        self._stop()
        if abs(moment - self.time) > self.live_run.tick:
            self.live_run.start_seek(moment)
            self._advance_seek()
        self._anchor_clock()
        self._ensure_task()
        self._on_change()

    def pause(self) -> None:
        """Let no more ticks pass but those on the way to what was sought."""
        self._stop()
        self._ensure_task()
        self._on_change()
        self.on_frame()

    def seek(self, moment: float) -> None:
        """Show an earlier moment again; who plays goes on from there."""
        check_time(moment, "A moment to show")
        try:
            self.live_run.start_seek(moment)
            self._advance_seek()
        finally:
            if self._clock_anchor is not None:
                self._anchor_clock()
            self._ensure_task()
            self._on_change()
            self.on_frame()

    def _advance_seek(self) -> None:
        """Let ticks pass on the way to what was sought, as many as there is time for."""
        started_at = self._clock()
        try:
            while self.live_run.has_pending_seek and self._clock() - started_at <= TICK_BUDGET:
                self.live_run.advance_seek()
        finally:
            if not self.live_run.has_pending_seek and self._pending_document is not None:
                pending, self._pending_document = self._pending_document, None
                self._change_document(pending)

    def update_document(self, document: Stage) -> None:
        """Go on with the scene as it is now; if that cannot be, with what it was."""
        if self.live_run.has_pending_seek:
            self._pending_document = document  # an edit belongs to the moment that was sought
        elif document is not self.live_run.document:
            self._change_document(document)
            self._on_change()
        self.on_frame()

    def _change_document(self, document: Stage) -> None:
        try:
            self.live_run.change_document(document)
        except Exception as error:  # the document is right, whatever a run makes of it
            reason = error_text(error, "A live run could not be changed.")
            self._warn("warning", f"The live run goes on with the scene as it was: {reason}")
        else:
            self.warned_at = {topic: self.warned_at[topic] for topic in self._warnings() if topic in self.warned_at}
            self.report_events()
        if self._clock_anchor is not None:
            self._anchor_clock()

    def move_pointer(self, position: Vec3) -> None:
        """The mouse holds the pointer there; rewound, what came after will not come again."""
        reached_before = self.reached_time
        self.live_run.move_pointer(position)
        if self.reached_time < reached_before:
            self._on_change()

    def close(self) -> None:
        """Nobody looks any more."""
        self._stop()

    def _stop(self) -> None:
        self._clock_anchor = None
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def _anchor_clock(self) -> None:
        """Go on by the clock from where it is."""
        self._clock_anchor = self._clock(), self.time

    def _ensure_task(self) -> None:
        """Let ticks pass beside everything else if there are any to pass."""
        if self._task is None and (self._clock_anchor is not None or self.live_run.has_pending_seek):
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        """Let the ticks pass that are due, and show where that leads, so many times a second."""
        started_at, count = self._clock(), 0
        with suppress(asyncio.CancelledError):
            while self._clock_anchor is not None or self.live_run.has_pending_seek:
                try:
                    self.catch_up()
                    self.on_frame()
                except Exception as error:
                    self._stop_on_error(error)
                    return
                now = self._clock()
                count = max(count + 1, math.floor((now - started_at) * UPDATE_RATE) + 1)
                await asyncio.sleep(max(started_at + count / UPDATE_RATE - self._clock(), 0.0))
            self._task = None

    def catch_up(self) -> None:
        """Come to where the clock is, or as far as there is time for; what is lost is lost."""
        if self.live_run.has_pending_seek:
            self._advance_seek()
            if self._clock_anchor is not None:
                self._anchor_clock()
            self._on_change()
            return
        if self._clock_anchor is None:
            return
        started_at, failure = self._clock(), None
        target_time = self._clock_anchor[1] + (started_at - self._clock_anchor[0])
        try:
            while not self.live_run.covers_time(target_time) and self._clock() - started_at <= TICK_BUDGET:
                self.live_run.advance_tick(target_time)
        except Exception as error:
            failure = error
        self.live_run.show_time(target_time)
        self.report_events()
        if failure is not None:
            self._stop_on_error(failure)
        elif not self.live_run.covers_time(target_time):
            self._add_lag(target_time - self.time)
            self._anchor_clock()

    def _stop_on_error(self, error: Exception) -> None:
        """Pause, and tell why."""
        self._stop()
        self._warn(
            "error", f"The live run was paused at {self.time:g} s. {error_text(error, 'A live run was paused.')}"
        )
        self._on_change()

    def _add_lag(self, seconds: float) -> None:
        """Be late, and tell of it once."""
        was_reported = self._lag > MAX_LAG
        self._lag += seconds
        if self._lag > MAX_LAG and not was_reported:
            self._warn("warning", SLOW_TEXT)

    def report_events(self) -> None:
        """Warn of what came to pass, each once; rewound and played again, not again."""
        new_events = []
        for topic, event in self._warnings().items():
            last = self.warned_at.get(topic)
            if last is None or event.time > last + REPEAT_WARNING_AFTER:
                new_events.append(event)
            self.warned_at[topic] = event.time if last is None else max(event.time, last)
        if new_events:
            self._warn("warning", _warnings_text(new_events))

    def _warnings(self) -> dict[tuple[str, str], Event]:
        """What to beware of so far, by whom and what it is about."""
        events = (event for event in self.live_run.events if event.kind == "warning")
        return {(event.actor, event.about or event.text): event for event in events}


def _warnings_text(events: Sequence[Event]) -> str:
    """Warnings in sentences; of many the first."""
    texts = [f"{event.actor} at {event.time:.3g} s: {event.text}" for event in events[:MAX_WARNINGS]]
    if len(events) > MAX_WARNINGS:
        texts.append(f"And {len(events) - MAX_WARNINGS} more like these.")
    return " ".join(texts)
