"""What has happened to a carried key so far? When each key was passed, and where its carrier was then.

A story is a value: telling it further gives a new one. That is what makes a run with carried keys rewind exactly.
"""

from dataclasses import dataclass, replace

import numpy as np

from keypose.maths import Bools, Floats
from keypose.motion.pose import Pose


@dataclass(frozen=True, eq=False)
class PassLog:
    """The keys passed so far."""

    passed_at: Floats
    """When each key at which distance is known (`RelativePath.distance_keys`) was passed [s]; infinite if not yet,
    (ends,)."""
    carrier_positions: Floats
    """Where the carrier of each loose key was in the world when that was passed; NaN if not yet, (loose, 3)."""
    carrier_orientations: Floats
    """How it was turned then, (loose, 4)."""
    hold_times: Floats
    """Moments [s] from which on an actor would have to go back, had its way not been held, (holds,)."""
    hold_distances: Floats
    """How far past its last passed key it is held then [m], (holds,)."""
    limit_times: Floats
    """Moments [s] at which the next key is nearer to the last one than it will be until it is passed, (comings,)."""
    limit_distances: Floats
    """How near it comes then [m]: before that an actor who knows it goes no further; infinite if it need not care."""

    @classmethod
    def empty(cls, distance_keys: int, relative_keys: int) -> "PassLog":
        """Nothing has happened yet."""
        positions, orientations = np.full((relative_keys, 3), np.nan), np.full((relative_keys, 4), np.nan)
        return cls(np.full(distance_keys, np.inf), positions, orientations, *np.empty((4, 0)))

    @property
    def is_pinned(self) -> Bools:
        """Of each loose key whether it is known where it was pinned, (loose,)."""
        return ~np.isnan(self.carrier_positions[:, 0])

    @property
    def next_key(self) -> int:
        """The next key to be passed, among `distance_keys`."""
        return int(np.searchsorted(self.passed_at, np.inf))

    def with_pass(self, time: float) -> "PassLog":
        """The story with the next key passed at this moment."""
        passed_at = self.passed_at.copy()
        passed_at[self.next_key] = time
        limit_times, limit_distances = np.append(self.limit_times, time), np.append(self.limit_distances, np.inf)
        return replace(self, passed_at=passed_at, limit_times=limit_times, limit_distances=limit_distances).with_hold(
            time, 0.0
        )

    def with_pin(self, index: int, carrier: Pose) -> "PassLog":
        """The story with a loose key pinned where its carrier is."""
        positions, orientations = self.carrier_positions.copy(), self.carrier_orientations.copy()
        positions[index], orientations[index] = carrier.position, carrier.orientation
        return replace(self, carrier_positions=positions, carrier_orientations=orientations)

    def with_hold(self, time: float, distance: float) -> "PassLog":
        """The story with an actor held from this moment on at least so far past its last key."""
        return replace(
            self, hold_times=np.append(self.hold_times, time), hold_distances=np.append(self.hold_distances, distance)
        )

    def with_limits(self, limit_times: Floats, limit_distances: Floats) -> "PassLog":
        """The story of an actor who knew beforehand how near the key it passed last was going to come."""
        limit_times, limit_distances = (
            np.append(self.limit_times[:-1], limit_times),
            np.append(self.limit_distances[:-1], limit_distances),
        )
        return replace(self, limit_times=limit_times, limit_distances=limit_distances)

    def until(self, time: float) -> "PassLog":
        """The story up to a moment [s]: what was held, and how far it had gone for what it knew."""
        is_hold_before, is_limit_before = self.hold_times <= time, self.limit_times < time
        limit_times, limit_distances = (
            np.append(self.limit_times[is_limit_before], time),
            np.append(self.limit_distances[is_limit_before], self.limit_at(np.array([time]))),
        )
        return replace(
            self,
            hold_times=self.hold_times[is_hold_before],
            hold_distances=self.hold_distances[is_hold_before],
            limit_times=limit_times,
            limit_distances=limit_distances,
        )

    def hold_at(self, t: Floats) -> Floats:
        """How far past its last key an actor is held at least at times (n,)."""
        if not len(self.hold_times):
            return np.zeros(len(t))
        last = np.searchsorted(self.hold_times, t, side="right") - 1
        return np.where(last >= 0, self.hold_distances[np.maximum(last, 0)], 0.0)

    def limit_at(self, t: Floats) -> Floats:
        """How far past its last key an actor goes at most at times (n,), for the sake of what comes."""
        return np.append(self.limit_distances, np.inf)[np.searchsorted(self.limit_times, t)]
