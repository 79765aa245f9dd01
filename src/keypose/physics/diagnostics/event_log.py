"""Events so far, in a log that shares its past: every tick can keep one."""

from collections.abc import Sequence
from itertools import chain

from keypose.motion import Event


class EventLog:
    """What was told so far. More can be told, and what was told stays as it is: so every tick can keep it."""

    def __init__(self, previous: "EventLog | None" = None, events: Sequence[Event] = ()) -> None:
        self._previous, self._events = previous, events

    def with_events(self, events: Sequence[Event]) -> "EventLog":
        """That, and more."""
        return EventLog(self, events) if len(events) else self

    @property
    def entries(self) -> tuple[Event, ...]:
        """All of it, in order."""
        parts: list[Sequence[Event]] = []
        log: EventLog | None = self
        while log is not None:
            parts.append(log._events)
            log = log._previous
        return tuple(chain.from_iterable(reversed(parts)))
