"""What time is it after so many ticks? Counted, never added up, so that rewinding comes to the same moments.

Where a change makes ticks longer or shorter, they are counted from the moment of the change on.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from keypose.maths.arrays import Floats

T = TypeVar("T", float, NDArray[Any])

ON_A_TICK = 1e-6  # of a tick: what is so near to one is on it


@dataclass(frozen=True)
class Beat:
    """One tick of a run. Since tick number `first`, at `since` [s], each takes `tick` seconds."""

    tick: float
    ticks: int = 0
    first: int = 0
    since: float = 0.0

    @cached_property
    def time(self) -> float:
        """Its moment [s]."""
        return self.since + moment_of(self.ticks - self.first, self.tick)

    @property
    def following(self) -> "Beat":
        """The next tick."""
        return self.reaching(self.ticks + 1)

    def reaching(self, ticks: int) -> "Beat":
        """The tick of this number, if they go on like this."""
        return Beat(self.tick, ticks, self.first, self.since)

    def times_of(self, ticks: int) -> Floats:
        """Its moment and those of so many ticks after it [s], if they go on like this."""
        return self.since + moment_of(np.arange(self.ticks, self.ticks + ticks + 1) - self.first, self.tick)

    def taking(self, tick: float) -> "Beat":
        """The same tick, from which on each takes so many seconds."""
        return self if tick == self.tick else Beat(tick, self.ticks, self.ticks, self.time)

    def ticks_by(self, moment: float) -> int:
        """The number of the last tick not after a moment [s], if they go on like this."""
        return self.first + int((moment - self.since) / self.tick + ON_A_TICK)

    def has_come(self, moment: float) -> bool:
        """Whether a moment [s] is not after this tick, but for a hair."""
        return moment <= self.time + ON_A_TICK * self.tick


def moment_of(ticks: T, tick: float) -> T:
    """The time [s] after so many ticks, exact where a second is a whole number of them."""
    a_second = round(1 / tick)
    return ticks / a_second if a_second and abs(a_second * tick - 1) < 1e-12 else ticks * tick
