"""Who touches whom, and what is told of it? Those who have just met."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from keypose.maths.arrays import Floats, Ints
from keypose.physics.hits import SOFTEST, Hits

if TYPE_CHECKING:
    from keypose.physics.engine import Engine


class Touching:
    """Who touches whom from tick to tick, and who did not before."""

    def __init__(self, engine: "Engine", codes: Ints) -> None:
        from keypose.physics.body_kernels import fastest, met

        self._engine = engine
        self._met: Callable[..., tuple[int, int, float]] = met
        self._seen: tuple[Ints, Ints, Floats, Floats]
        self._about = len(engine.solids), engine.place
        self._known, self._kinds, self._news = codes, 0, 0
        self._spare, self._full = np.empty((2, 0), np.int64)
        self._new, self._speeds = np.empty(0, np.int64), np.empty(0)
        self.haste = float(fastest(engine.going, engine.widest))
        """How fast the fastest point of all bodies may be now [m/s]."""

    @property
    def codes(self) -> Ints:
        """A number for each pair that touches, in order."""
        return self._known

    def look(self, before: Floats) -> int:
        """See who touches whom now, who went as before; how many have just met, and not only touched."""
        self._seen = self._engine.touching()
        count = len(self._seen[0])
        if count > len(self._new):
            self._new, self._speeds = np.empty(2 * count, np.int64), np.empty(2 * count)
        if count > len(self._spare):
            self._spare = np.empty(2 * count, np.int64)
        found = self._spare, self._new, self._speeds
        about = *self._about, before, self._engine.going, self._engine.widest, SOFTEST
        self._kinds, self._news, self.haste = self._met(*self._seen, self._known, *about, *found)
        return self._news

    @property
    def fastest(self) -> float:
        """How fast those came together who have just met [m/s]."""
        return float(self._speeds[: self._news].max(initial=0.0))

    def hits(self, time: float) -> Hits:
        """Those who have just met."""
        new = self._new[: self._news]
        geoms, solid_of, points, _ = self._seen
        return Hits(time, self._engine.names, solid_of[geoms[new]], points[new], self._speeds[: self._news].copy())

    def keep(self) -> None:
        """Know from now on who touches whom."""
        self._known, self._spare, self._full = self._spare[: self._kinds], self._full, self._spare
