"""What time is it after so many ticks? Counted, never added up, so that rewinding comes to the same moments.

Where a change makes ticks longer or shorter, they are counted from the moment of the change on.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from keypose.maths import Floats

T = TypeVar("T", float, NDArray[Any])

TICK_TOLERANCE = 1e-6  # of a tick: what is so near to one is on it


@dataclass(frozen=True)
class TickTime:
    """One tick of a run. Since tick number `first_tick`, at `start_time` [s], each takes `tick` seconds."""

    tick: float
    ticks: int = 0
    first_tick: int = 0
    start_time: float = 0.0

    @cached_property
    def time(self) -> float:
        """Its moment [s]."""
        return self.start_time + tick_to_time(self.ticks - self.first_tick, self.tick)

    @property
    def next_tick(self) -> "TickTime":
        """The next tick."""
        return self.at_tick(self.ticks + 1)

    def at_tick(self, ticks: int) -> "TickTime":
        """The tick of this number, if they go on like this."""
        return TickTime(self.tick, ticks, self.first_tick, self.start_time)

    def next_times(self, ticks: int) -> Floats:
        """Its moment and those of so many ticks after it [s], if they go on like this."""
        return self.start_time + tick_to_time(
            np.arange(self.ticks, self.ticks + ticks + 1) - self.first_tick, self.tick
        )

    def with_tick(self, tick: float) -> "TickTime":
        """The same tick, from which on each takes so many seconds."""
        return self if tick == self.tick else TickTime(tick, self.ticks, self.ticks, self.time)

    def last_tick_by(self, time: float) -> int:
        """The number of the last tick not after a moment [s], if they go on like this."""
        return self.first_tick + int((time - self.start_time) / self.tick + TICK_TOLERANCE)

    def is_at_or_after(self, time: float) -> bool:
        """Whether a moment [s] is not after this tick, but for a hair."""
        return time <= self.time + TICK_TOLERANCE * self.tick


def tick_to_time(ticks: T, tick: float) -> T:
    """The time [s] after so many ticks, exact where a second is a whole number of them."""
    ticks_per_second = round(1 / tick)
    return ticks / ticks_per_second if ticks_per_second and abs(ticks_per_second * tick - 1) < 1e-12 else ticks * tick
