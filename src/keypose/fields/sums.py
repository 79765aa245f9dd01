"""What pushes an object all in all? Σ Aₖ fₖ over everything it senses; and who has to stop because one has no value."""

from collections.abc import Mapping
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from keypose.fields.links import Link
from keypose.fields.segments import State
from keypose.motion.take import Event

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

FARTHEST = 1e100  # [m]: beyond it the next segment could overflow


class Sums:
    """The pushes (rows, 3) [m/frame²] of one tick, at `time` [s]."""

    def __init__(self, rows: Mapping[str, Ints], stopped: Mask, told: tuple[Event, ...], time: float) -> None:
        self.f = np.zeros((len(stopped), 3))
        self.stopped = stopped.copy()
        self.told = list(told)
        self._rows = rows
        self._time = time

    def begin(self, f: Floats) -> Mask | None:
        """Take many pushes (rows, 3) in one. Where they come to no number they are zero: (rows,) to ask one by one."""
        self.f = f
        if isfinite(f.sum()):
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
        if _largest(after.P) <= FARTHEST and _largest(after.T) <= FARTHEST:
            return
        size = np.maximum(np.abs(after.P).max(axis=1, initial=0.0), np.abs(after.T).max(axis=1, initial=0.0))
        leaves = ~(size <= FARTHEST) & ~self.stopped
        if leaves.any():
            for name, rows in self._rows.items():
                if leaves[rows].any():
                    self._stop(name, "it is driven beyond all bounds. Give it friction, or a weaker field.")

    def _stop(self, name: str, why: str) -> None:
        self.stopped[self._rows[name]] = True
        self.told.append(Event(self._time, name, f"Stopped: {why}", "warning"))


def _largest(values: Floats) -> float:
    """The largest size of them, without an array of all sizes; NaN if one is."""
    return max(float(values.max(initial=0.0)), -float(values.min(initial=0.0)))
