"""What has happened to a carried key so far? When each key was passed, and where its carrier was then.

A story is a value: telling it further gives a new one. That is what makes a run with carried keys rewind exactly.
"""

from dataclasses import dataclass, replace

import numpy as np

from keypose.maths.arrays import Bools, Floats
from keypose.motion.pose import Pose


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
    comes: Floats
    """Moments [s] at which the next key is nearer to the last one than it will be until it is passed, (comings,)."""
    near: Floats
    """How near it comes then [m]: before that an actor who knows it goes no further; infinite if it need not care."""

    @classmethod
    def blank(cls, ends: int, loose: int) -> "Story":
        """Nothing has happened yet."""
        nobody, nothing = np.full((loose, 3), np.nan), np.full((loose, 4), np.nan)
        return cls(np.full(ends, np.inf), nobody, nothing, *np.empty((4, 0)))

    @property
    def is_pinned(self) -> Bools:
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
        comes, near = np.append(self.comes, moment), np.append(self.near, np.inf)
        return replace(self, passed=passed, comes=comes, near=near).holding(moment, 0.0)

    def pinned(self, loose: int, carrier: Pose) -> "Story":
        """The story with a loose key pinned where its carrier is."""
        place, turn = self.place.copy(), self.turn.copy()
        place[loose], turn[loose] = carrier.position, carrier.orientation
        return replace(self, place=place, turn=turn)

    def holding(self, moment: float, distance: float) -> "Story":
        """The story with an actor held from this moment on at least so far past its last key."""
        return replace(self, since=np.append(self.since, moment), held=np.append(self.held, distance))

    def foreseeing(self, comes: Floats, near: Floats) -> "Story":
        """The story of an actor who knew beforehand how near the key it passed last was going to come."""
        comes, near = np.append(self.comes[:-1], comes), np.append(self.near[:-1], near)
        return replace(self, comes=comes, near=near)

    def until(self, moment: float) -> "Story":
        """The story up to a moment [s]: what was held, and how far it had gone for what it knew."""
        told, come = self.since <= moment, self.comes < moment
        comes, near = np.append(self.comes[come], moment), np.append(self.near[come], self.near_at(np.array([moment])))
        return replace(self, since=self.since[told], held=self.held[told], comes=comes, near=near)

    def held_at(self, t: Floats) -> Floats:
        """How far past its last key an actor is held at least at times (n,)."""
        if not len(self.since):
            return np.zeros(len(t))
        last = np.searchsorted(self.since, t, side="right") - 1
        return np.where(last >= 0, self.held[np.maximum(last, 0)], 0.0)

    def near_at(self, t: Floats) -> Floats:
        """How far past its last key an actor goes at most at times (n,), for the sake of what comes."""
        return np.append(self.near, np.inf)[np.searchsorted(self.comes, t)]
