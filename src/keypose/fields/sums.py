"""What pushes an object all in all? Σ Aₖ fₖ over everything it senses; and who has to stop because one has no value."""

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from keypose.fields.links import Link
from keypose.fields.segments import FARTHEST, State
from keypose.maths.arrays import Bools, Floats, Ints
from keypose.motion.take import Event

STOPPED = "Stopped"
HARDLY = 1e300  # [m/frame²]: whether a larger push has a value depends on which of its factors come first


class Sums:
    """The pushes (rows, 3) [m/frame²] of one tick, at `time` [s]."""

    def __init__(
        self, rows: Mapping[str, Ints], stopped: Bools, told: tuple[Event, ...], time: float, how: str = STOPPED
    ) -> None:
        self.stopped = stopped.copy()
        self._how = how
        self._told = told
        self._new: dict[str, Event] = {}
        self._rows = rows
        self._time = time

    @property
    def told(self) -> tuple[Event, ...]:
        """What was told before and at this tick; of who stopped once more, the last time."""
        if not self._new:
            return self._told
        before = (event for event in self._told if not (event.about == STOPPED and event.actor in self._new))
        return (*before, *self._new.values())

    @cached_property
    def f(self) -> Floats:
        """The sum as it is so far; zero at first, unless it began with many pushes in one."""
        return np.zeros((len(self.stopped), 3))

    def begin(self, f: Floats) -> None:
        """Begin with many pushes (rows, 3) in one."""
        self.f = f

    def fails(self) -> Bools | None:
        """Where that comes to hardly a number it is zero; (rows,) whom to ask one by one, None if there is nobody."""
        fails = ~(np.abs(self.f) <= HARDLY).all(axis=1)
        self.f[fails] = 0.0
        fails &= ~self.stopped
        return fails if fails.any() else None

    def add(self, link: Link, push: Floats) -> None:
        """A push (n, 3) for affinity 1; where it is no number the object stops, all of it."""
        fails = ~np.isfinite(push).all(axis=1) & ~self.stopped[link.rows]
        for name in dict.fromkeys(link.who[fails].tolist()):
            self._stop(name, f"{link.called} has no value where it is.")
        self.f[link.rows] += link.affinity * push

    def beyond(self, after: State) -> None:
        """Stop those who would leave all bounds."""
        if after.is_bounded:
            return
        size = np.maximum(np.abs(after.P).max(axis=1, initial=0.0), np.abs(after.T).max(axis=1, initial=0.0))
        leaves = ~(size <= FARTHEST) & ~self.stopped
        if leaves.any():
            for name, rows in self._rows.items():
                if leaves[rows].any():
                    self._stop(name, "it is driven beyond all bounds. Give it friction, or a weaker field.")

    def _stop(self, name: str, why: str) -> None:
        self.stopped[self._rows[name]] = True
        self._new[name] = Event(self._time, name, f"{self._how}: {why}", "warning", STOPPED)
