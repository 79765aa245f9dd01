"""What has happened to a carried key so far? When each key was passed, and where its carrier was then.

A story is a value: telling it further gives a new one. That is what makes a run with carried keys rewind exactly.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from keypose.motion.pose import Pose

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Story:
    """The keys passed so far."""

    passed: Floats
    """When each key at which distance is known (`Loose.ends`) was passed [s]; infinite if not yet, (ends,)."""
    place: Floats
    """Where the carrier of each loose key was in the world when that was passed; NaN if not yet, (loose, 3)."""
    turn: Floats
    """How it was turned then, (loose, 4)."""
    since: Floats
    """Moments [s] from which on an actor would have to go back, had its way not been held, (holds,)."""
    held: Floats
    """How far past its last passed key it is held then [m], (holds,)."""

    @classmethod
    def blank(cls, ends: int, loose: int) -> "Story":
        """Nothing has happened yet."""
        nobody, nothing = np.full((loose, 3), np.nan), np.full((loose, 4), np.nan)
        return cls(np.full(ends, np.inf), nobody, nothing, np.empty(0), np.empty(0))

    @property
    def is_pinned(self) -> Mask:
        """Of each loose key whether it is known where it was pinned, (loose,)."""
        return ~np.isnan(self.place[:, 0])

    @property
    def following(self) -> int:
        """The next key to be passed, among `ends`."""
        return int(np.searchsorted(self.passed, np.inf))

    def passing(self, moment: float) -> "Story":
        """The story with the next key passed at this moment."""
        passed = self.passed.copy()
        passed[self.following] = moment
        return replace(self, passed=passed).holding(moment, 0.0)

    def pinned(self, loose: int, carrier: Pose) -> "Story":
        """The story with a loose key pinned where its carrier is."""
        place, turn = self.place.copy(), self.turn.copy()
        place[loose], turn[loose] = carrier.position, carrier.orientation
        return replace(self, place=place, turn=turn)

    def holding(self, moment: float, distance: float) -> "Story":
        """The story with an actor held from this moment on at least so far past its last key."""
        return replace(self, since=np.append(self.since, moment), held=np.append(self.held, distance))

    def until(self, moment: float) -> "Story":
        """The story with the holds up to a moment [s]."""
        told = self.since <= moment
        return replace(self, since=self.since[told], held=self.held[told])

    def held_at(self, t: Floats) -> Floats:
        """How far past its last key an actor is held at least at times (n,)."""
        if not len(self.since):
            return np.zeros(len(t))
        last = np.searchsorted(self.since, t, side="right") - 1
        return np.where(last >= 0, self.held[np.maximum(last, 0)], 0.0)
