"""How is long work done while the page stays awake? In a thread of its own, telling how far it is, and to be stopped.

Stopped work leaves nothing: files are written whole or not at all (`files.writing`).
"""

import asyncio
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Generic, TypeVar

from keypose.errors import KeyposeError
from keypose.studio.protocol.updates.updates import Progress

T = TypeVar("T")
ReportProgress = Callable[[int, int], None]

REPORT_INTERVAL = 0.1  # [s] from one report to the next


class JobCancellation(Exception):  # noqa: N818 - somebody wanted it so
    """The work was stopped before its end."""


class BackgroundJob(Generic[T]):
    """Something that takes long: `task(told)` calls `told(done, all)` as it gets on."""

    def __init__(
        self, title: str, task: Callable[[ReportProgress], T], on_progress: Callable[[Progress], None]
    ) -> None:
        self.title = title
        self._task = task
        self._on_progress = on_progress
        self._stop_event = threading.Event()
        self._loop = asyncio.get_running_loop()
        self._future: asyncio.Future[T] = self._loop.create_future()
        self._started_at = self._reported_at = time.monotonic()
        self._thread = threading.Thread(target=self._run, name=f"keypose {title}", daemon=True)

    async def result(self) -> T:
        """Do it; what comes out of it. `JobCancellation` if it was stopped."""
        self._thread.start()
        self._on_progress(Progress(task=self.title, fraction=0.0))
        try:
            return await asyncio.shield(self._future)
        except asyncio.CancelledError:
            self.stop()
            raise
        finally:
            self._on_progress(Progress(task=self.title, fraction=1.0, is_over=True))

    def stop(self) -> None:
        """End it as soon as it looks up from its work."""
        self._stop_event.set()

    def wait(self, seconds: float) -> None:
        """Wait until the thread has ended, so long at most."""
        if self._thread.is_alive():
            self._thread.join(seconds)

    def _run(self) -> None:
        try:
            result = self._task(self._report)
        except BaseException as error:  # whatever it is, who waits for the work must hear of it
            self._call_in_loop(partial(self._fail, error))
        else:
            self._call_in_loop(partial(self._succeed, result))

    def _succeed(self, result: T) -> None:
        if not self._future.done():
            self._future.set_result(result)

    def _fail(self, error: BaseException) -> None:
        if not self._future.done():
            known = isinstance(error, JobCancellation | KeyposeError)
            reported_error = (
                error if known else KeyposeError(f"Something went wrong inside ({type(error).__name__}: {error}).")
            )
            self._future.set_exception(reported_error)
            self._future.exception()  # nobody may be waiting any more

    def _report(self, done: int, total: int) -> None:
        if self._stop_event.is_set():
            raise JobCancellation
        now = time.monotonic()
        if now - self._reported_at >= REPORT_INTERVAL:
            self._reported_at = now
            fraction = done / total if total else 0.0
            seconds_left = (now - self._started_at) * (1 - fraction) / fraction if fraction > 0 else None
            self._call_in_loop(
                lambda: self._on_progress(Progress(task=self.title, fraction=fraction, seconds_left=seconds_left))
            )

    def _call_in_loop(self, call: Callable[[], object]) -> None:
        try:
            self._loop.call_soon_threadsafe(call)
        except RuntimeError:  # the studio was closed meanwhile
            self._stop_event.set()
