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
Told = Callable[[int, int], None]

BETWEEN = 0.1  # [s] from one report to the next


class Stopped(Exception):  # noqa: N818 - somebody wanted it so
    """The work was stopped before its end."""


class Work(Generic[T]):
    """Something that takes long: `task(told)` calls `told(done, all)` as it gets on."""

    def __init__(self, what: str, task: Callable[[Told], T], tell: Callable[[Progress], None]) -> None:
        self.what = what
        self._task = task
        self._tell = tell
        self._stop = threading.Event()
        self._loop = asyncio.get_running_loop()
        self._ended: asyncio.Future[T] = self._loop.create_future()
        self._began = self._told_at = time.monotonic()
        self._thread = threading.Thread(target=self._run, name=f"keypose {what}", daemon=True)

    async def result(self) -> T:
        """Do it; what comes out of it. `Stopped` if it was stopped."""
        self._thread.start()
        self._tell(Progress(what=self.what, share=0.0))
        try:
            return await asyncio.shield(self._ended)
        except asyncio.CancelledError:
            self.stop()
            raise
        finally:
            self._tell(Progress(what=self.what, share=1.0, is_over=True))

    def stop(self) -> None:
        """End it as soon as it looks up from its work."""
        self._stop.set()

    def wait(self, seconds: float) -> None:
        """Wait until the thread has ended, so long at most."""
        if self._thread.is_alive():
            self._thread.join(seconds)

    def _run(self) -> None:
        try:
            result = self._task(self._told)
        except BaseException as error:  # whatever it is, who waits for the work must hear of it
            self._hand_over(partial(self._fail, error))
        else:
            self._hand_over(partial(self._succeed, result))

    def _succeed(self, result: T) -> None:
        if not self._ended.done():
            self._ended.set_result(result)

    def _fail(self, error: BaseException) -> None:
        if not self._ended.done():
            known = isinstance(error, Stopped | KeyposeError)
            told = error if known else KeyposeError(f"Something went wrong inside ({type(error).__name__}: {error}).")
            self._ended.set_exception(told)
            self._ended.exception()  # nobody may be waiting any more

    def _told(self, done: int, total: int) -> None:
        if self._stop.is_set():
            raise Stopped
        now = time.monotonic()
        if now - self._told_at >= BETWEEN:
            self._told_at = now
            share = done / total if total else 0.0
            left = (now - self._began) * (1 - share) / share if share > 0 else None
            self._hand_over(lambda: self._tell(Progress(what=self.what, share=share, seconds_left=left)))

    def _hand_over(self, call: Callable[[], object]) -> None:
        try:
            self._loop.call_soon_threadsafe(call)
        except RuntimeError:  # the studio was closed meanwhile
            self._stop.set()
