"""What pushes an object all in all? Σ Aₖ fₖ over everything it senses; and who has to stop because one has no value."""

from collections.abc import Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from keypose.fields.links import Link
from keypose.fields.segments import MANY, State
from keypose.maths.kernel import compiled
from keypose.motion.take import Event

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

LARGEST = float(np.finfo(float).max)
STOPPED = "Stopped"
FARTHEST = 1e100  # [m]: beyond it the next segment could overflow


class Sums:
    """The pushes (rows, 3) [m/frame²] of one tick, at `time` [s]."""

    def __init__(self, rows: Mapping[str, Ints], stopped: Mask, told: tuple[Event, ...], time: float) -> None:
        self.stopped = stopped.copy()
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

    def begin(self, f: Floats) -> Mask | None:
        """Take many pushes (rows, 3) in one. Where they come to no number they are zero: (rows,) to ask one by one."""
        self.f = f
        if are_within(f, LARGEST):
            return None
        fails = ~np.isfinite(f).all(axis=1)
        f[fails] = 0.0
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
        if are_within(after.P, FARTHEST) and are_within(after.T, FARTHEST):
            return
        size = np.maximum(np.abs(after.P).max(axis=1, initial=0.0), np.abs(after.T).max(axis=1, initial=0.0))
        leaves = ~(size <= FARTHEST) & ~self.stopped
        if leaves.any():
            for name, rows in self._rows.items():
                if leaves[rows].any():
                    self._stop(name, "it is driven beyond all bounds. Give it friction, or a weaker field.")

    def _stop(self, name: str, why: str) -> None:
        self.stopped[self._rows[name]] = True
        self._new[name] = Event(self._time, name, f"{STOPPED}: {why}", "warning", STOPPED)


def are_within(values: Floats, bound: float) -> bool:
    """Whether all of these numbers (rows, 3) are numbers, and none is larger than a bound in size."""
    if len(values) < MANY or not compiled(values.size):
        return bool(values.max(initial=0.0) <= bound and values.min(initial=0.0) >= -bound)
    from keypose.fields.kernels import advancing

    return advancing.are_within(values.ravel(), bound)  # too little work for a second thread
