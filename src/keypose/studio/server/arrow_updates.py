"""Whose arrows does a page see, and when is it told of them? As time goes by; of what stands still when it changed."""

import time
from collections.abc import Callable
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING

from keypose.errors import KeyposeError
from keypose.fields import Field
from keypose.studio.present.field_arrows import count_carriers, is_static
from keypose.studio.server.outbox import Payload

if TYPE_CHECKING:
    from keypose.studio.server.client import Client

MIN_REACH, MAX_REACH = 1e-6, 1e9  # [m] that can be looked at
SEND_INTERVAL = 1 / 30  # [s] from one picture of arrows to the next while it plays
INTERVAL_PER_CARRIER = 2e-3  # [s] more for every carrier: a flock's arrows come once a second


class ArrowUpdates:
    """The fields whose arrows one page looks at."""

    def __init__(self, client: "Client", clock: Callable[[], float] = time.monotonic) -> None:
        self._client, self.clock = client, clock
        self._names: tuple[str, ...] = ()
        self._reach = 1.0
        self._static_sent: dict[str, tuple[Field, float]] = {}
        """What stands still, as it was shown last, and how far."""
        self.sent_at: dict[str, float] = {}
        """When what moves was shown last, by the clock."""

    def set_fields(self, names: tuple[str, ...], reach: float) -> None:
        """Look at these fields from now on, so far [m]."""
        if not (isfinite(reach) and MIN_REACH <= reach <= MAX_REACH):
            raise KeyposeError(f"Arrows were wanted as far as {reach:g} m. Give {MIN_REACH:g} to {MAX_REACH:g} m.")
        self._names, self._reach = tuple(dict.fromkeys(names)), reach
        self._static_sent = {name: sent for name, sent in self._static_sent.items() if name in self._names}
        self.sent_at = {name: when for name, when in self.sent_at.items() if name in self._names}
        self.send(immediately=True)

    def reset(self) -> None:
        """The page knows nothing any more."""
        self._static_sent.clear()
        self.sent_at.clear()

    def send(self, *, immediately: bool = False) -> None:
        """Show what the page does not know yet; while it plays only so often."""
        preview = self._client.preview
        fields = preview.stage.fields
        for name in self._names:
            field = fields.get(name)
            if not isinstance(field, Field):
                self._static_sent.pop(name, None)
                continue
            if is_static(field):
                if (known := self._static_sent.get(name)) is not None and known[0] is field and known[1] == self._reach:
                    continue
                self._static_sent[name] = field, self._reach
            elif self._client.player.speed and not immediately:
                if self.clock() - self.sent_at.get(name, -1e9) < SEND_INTERVAL + INTERVAL_PER_CARRIER * count_carriers(
                    preview, field
                ):
                    continue
                self.sent_at[name] = self.clock()
            self._client.outbox.set_update(("arrows", name), partial(self._render, name))

    def _render(self, name: str) -> Payload | None:
        client = self._client
        return client.render(lambda: client.hub.render_arrows(name, client.player.time, self._reach, client.preview))
