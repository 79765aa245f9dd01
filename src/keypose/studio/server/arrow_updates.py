"""Whose arrows does a page see, and when is it told of them? As time goes by; of what stands still when it changed."""

import time
from collections.abc import Callable
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING

from keypose.errors import KeyposeError
from keypose.fields.algebra.field import Field
from keypose.studio.present.field_arrows import carriers, stands_still
from keypose.studio.server.outbox import Payload

if TYPE_CHECKING:
    from keypose.studio.server.client import Visitor

LEAST, MOST = 1e-6, 1e9  # [m] that can be looked at
BETWEEN = 1 / 30  # [s] from one picture of arrows to the next while it plays
EACH = 2e-3  # [s] more for every carrier: a flock's arrows come once a second


class ArrowsShown:
    """The fields whose arrows one page looks at."""

    def __init__(self, page: "Visitor", clock: Callable[[], float] = time.monotonic) -> None:
        self._page, self._clock = page, clock
        self._names: tuple[str, ...] = ()
        self._reach = 1.0
        self._still: dict[str, tuple[Field, float]] = {}
        """What stands still, as it was shown last, and how far."""
        self._shown_at: dict[str, float] = {}
        """When what moves was shown last, by the clock."""

    def want(self, names: tuple[str, ...], reach: float) -> None:
        """Look at these fields from now on, so far [m]."""
        if not (isfinite(reach) and LEAST <= reach <= MOST):
            raise KeyposeError(f"Arrows were wanted as far as {reach:g} m. Give {LEAST:g} to {MOST:g} m.")
        self._names, self._reach = tuple(dict.fromkeys(names)), reach
        self._still = {name: shown for name, shown in self._still.items() if name in self._names}
        self._shown_at = {name: when for name, when in self._shown_at.items() if name in self._names}
        self.show(at_once=True)

    def forget(self) -> None:
        """The page knows nothing any more."""
        self._still.clear()
        self._shown_at.clear()

    def show(self, *, at_once: bool = False) -> None:
        """Show what the page does not know yet; while it plays only so often."""
        film = self._page.film
        fields = film.stage.fields
        for name in self._names:
            field = fields.get(name)
            if not isinstance(field, Field):
                self._still.pop(name, None)
                continue
            if stands_still(field):
                if (known := self._still.get(name)) is not None and known[0] is field and known[1] == self._reach:
                    continue
                self._still[name] = field, self._reach
            elif self._page.transport.speed and not at_once:
                if self._clock() - self._shown_at.get(name, -1e9) < BETWEEN + EACH * carriers(film, field):
                    continue
                self._shown_at[name] = self._clock()
            self._page.outbox.show(("arrows", name), partial(self._drawn, name))

    def _drawn(self, name: str) -> Payload | None:
        page = self._page
        return page.drawn(lambda: page.workshop.arrows(name, page.transport.time, self._reach, page.film))
