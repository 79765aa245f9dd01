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
Render = Callable[[], Payload | None]
"""Draws a picture as things are now; None if there is nothing to see any more."""

MAX_REPLIES = 1000  # that wait for a page to read them
SEND_TIMEOUT = 10.0  # [s]
CLIENT_TIMEOUT_TEXT = "The page has not read what it was told for {:g} s. Reload it."
TOO_MANY_REPLIES_TEXT = "More than {:,} answers wait for the page to read them. Reload it."


class Outbox:
    """What a page is still to be told."""

    def __init__(self, max_replies: int = MAX_REPLIES) -> None:
        self._replies: deque[Payload] = deque()
        self.updates: dict[Hashable, Render] = {}
        self._urgent_updates: dict[Hashable, Render] = {}
        self._final_updates: dict[Hashable, Render] = {}
        self._max_replies = max_replies
        self._wakeup = asyncio.Event()
        self.replaced_count = 0
        """How many pictures were never sent since there was a newer one."""

    def __len__(self) -> int:
        return len(self._replies) + len(self.updates) + len(self._urgent_updates) + len(self._final_updates)

    def add_reply(self, payload: Payload) -> None:
        """Tell something that nothing newer can replace."""
        if len(self._replies) >= self._max_replies:
            raise KeyposeError(TOO_MANY_REPLIES_TEXT.format(self._max_replies))
        self._replies.append(payload)
        self._wakeup.set()

    def set_update(self, update_key: Hashable, render: Render, *, urgent: bool = False) -> None:
        """Show a picture, in place of an older one of the same thing; an urgent one before those that wait."""
        queue, other_queue = (self._urgent_updates, self.updates) if urgent else (self.updates, self._urgent_updates)
        self.replaced_count += update_key in queue or update_key in other_queue
        other_queue.pop(update_key, None)
        self._final_updates.pop(update_key, None)
        queue[update_key] = render
        self._wakeup.set()

    def set_final_update(self, update_key: Hashable, render: Render) -> None:
        """Show something once nothing else waits, in place of an older picture of it; it is not forgotten with them."""
        for queue in (self._urgent_updates, self.updates):
            queue.pop(update_key, None)
        self._final_updates[update_key] = render
        self._wakeup.set()

    def clear_updates(self) -> None:
        """Show nothing of what waits: there is another scene now."""
        self.updates.clear()

    async def next_payload(self) -> Payload:
        """What to tell next, as soon as there is something."""
        while True:
            while self:
                payload = self.pop()
                if payload is not None:
                    return payload
            self._wakeup.clear()
            await self._wakeup.wait()

    def pop(self) -> Payload | None:
        """The next payload; None for an update that shows nothing any more."""
        if self._replies:
            return self._replies.popleft()
        queue = self._urgent_updates or self.updates or self._final_updates
        return queue.pop(next(iter(queue)))()


class Socket(Protocol):
    """What payloads are sent through."""

    async def send_text(self, data: str) -> None:
        """Send words."""
        ...

    async def send_bytes(self, data: bytes) -> None:
        """Send numbers."""
        ...


class ClientTimeout(Exception):  # noqa: N818 - not an error of anybody's, a fact
    """A page does not read."""


async def send_loop(outbox: Outbox, socket: Socket, timeout: float = SEND_TIMEOUT) -> None:
    """Send what is to be told, for ever; a page that takes none of it for `timeout` seconds is `ClientTimeout`."""
    while True:
        payload = await outbox.next_payload()
        try:
            async with asyncio.timeout(timeout):
                await (socket.send_text(payload) if isinstance(payload, str) else socket.send_bytes(payload))
        except TimeoutError:
            raise ClientTimeout(CLIENT_TIMEOUT_TEXT.format(timeout)) from None
        # Sending may not have waited for anything: whoever speaks to us must come in between.
        await asyncio.sleep(0)
