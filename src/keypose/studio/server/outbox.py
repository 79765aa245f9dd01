"""How is a page told things, however slowly it reads? What is newer replaces what it has not heard yet.

Answers are told one by one, each message gets its own. Pictures are drawn when they can be sent, not before: a page
that reads slowly gets fewer of them, always the newest, and nothing piles up. One that does not read at all is let go.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Hashable
from typing import Protocol

from keypose.errors import KeyposeError

Payload = str | bytes
Made = Callable[[], Payload | None]
"""Draws a picture as things are now; None if there is nothing to see any more."""

MOST_ANSWERS = 1000  # that wait for a page to read them
PATIENCE = 10.0  # [s]
NOT_READING = "The page has not read what it was told for {:g} s. Reload it."
TOO_MANY = "More than {:,} answers wait for the page to read them. Reload it."


class Outbox:
    """What a page is still to be told."""

    def __init__(self, most_answers: int = MOST_ANSWERS) -> None:
        self._answers: deque[Payload] = deque()
        self._pictures: dict[Hashable, Made] = {}
        self._urgent: dict[Hashable, Made] = {}
        self._last: dict[Hashable, Made] = {}
        self._most = most_answers
        self._news = asyncio.Event()
        self.replaced = 0
        """How many pictures were never sent since there was a newer one."""

    def __len__(self) -> int:
        return len(self._answers) + len(self._pictures) + len(self._urgent) + len(self._last)

    def answer(self, payload: Payload) -> None:
        """Tell something that nothing newer can replace."""
        if len(self._answers) >= self._most:
            raise KeyposeError(TOO_MANY.format(self._most))
        self._answers.append(payload)
        self._news.set()

    def show(self, what: Hashable, made: Made, *, urgent: bool = False) -> None:
        """Show a picture, in place of an older one of the same thing; an urgent one before those that wait."""
        waiting, other = (self._urgent, self._pictures) if urgent else (self._pictures, self._urgent)
        self.replaced += what in waiting or what in other
        other.pop(what, None)
        self._last.pop(what, None)
        waiting[what] = made
        self._news.set()

    def show_last(self, what: Hashable, made: Made) -> None:
        """Show something once nothing else waits, in place of an older picture of it; it is not forgotten with them."""
        for waiting in (self._urgent, self._pictures):
            waiting.pop(what, None)
        self._last[what] = made
        self._news.set()

    def forget_pictures(self) -> None:
        """Show nothing of what waits: there is another scene now."""
        self._pictures.clear()

    async def following(self) -> Payload:
        """What to tell next, as soon as there is something."""
        while True:
            while self:
                payload = self._next()
                if payload is not None:
                    return payload
            self._news.clear()
            await self._news.wait()

    def _next(self) -> Payload | None:
        if self._answers:
            return self._answers.popleft()
        waiting = self._urgent or self._pictures or self._last
        return waiting.pop(next(iter(waiting)))()


class Socket(Protocol):
    """What payloads are sent through."""

    async def send_text(self, data: str) -> None:
        """Send words."""
        ...

    async def send_bytes(self, data: bytes) -> None:
        """Send numbers."""
        ...


class Unread(Exception):  # noqa: N818 - not an error of anybody's, a fact
    """A page does not read."""


async def pump(outbox: Outbox, socket: Socket, patience: float = PATIENCE) -> None:
    """Send what is to be told, for ever; a page that takes none of it for `patience` seconds is `Unread`."""
    while True:
        payload = await outbox.following()
        try:
            async with asyncio.timeout(patience):
                await (socket.send_text(payload) if isinstance(payload, str) else socket.send_bytes(payload))
        except TimeoutError:
            raise Unread(NOT_READING.format(patience)) from None
        # Sending may not have waited for anything: whoever speaks to us must come in between.
        await asyncio.sleep(0)
