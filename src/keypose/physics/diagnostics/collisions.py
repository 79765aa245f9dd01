"""Collisions of bodies: pairs that have just come into contact, as events with position and speed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

import numpy as np

from keypose.maths import Floats, Ints, Vec3
from keypose.motion import CollisionEvent, Event
from keypose.physics.engine.body_arrays import ContactBuffers, ContactGeometry

if TYPE_CHECKING:
    from keypose.physics.engine.engine import Engine

MIN_COLLISION_SPEED = 0.1  # [m/s]: slower ones lie on each other, and are not told


class CollisionBatch(Sequence[Event]):
    """Pairs (n, 2) of bodies with these names who met at one time [s], where [m] and how fast [m/s].

    Each is told when asked for: a crowd bumps into each other all the time.
    """

    def __init__(self, time: float, names: Sequence[str], pairs: Ints, positions: Floats, speeds: Floats) -> None:
        self._time, self._names, self._contacts = time, names, (pairs, positions, speeds)

    def __len__(self) -> int:
        return len(self._contacts[0])

    @overload
    def __getitem__(self, number: int) -> Event: ...

    @overload
    def __getitem__(self, number: slice) -> Sequence[Event]: ...

    def __getitem__(self, number: int | slice) -> Event | Sequence[Event]:
        if isinstance(number, slice):
            return [self[one] for one in range(len(self))[number]]
        pair, (x, y, z), speed = (values[number].tolist() for values in self._contacts)
        return collision_event(self._time, self._names[min(pair)], self._names[max(pair)], (x, y, z), speed)


def collision_event(time: float, actor: str, other: str, position: Vec3, speed: float) -> CollisionEvent:
    """Somebody bumped into somebody."""
    position_text = ", ".join(f"{round(value, 3) + 0.0:g}" for value in position)  # nobody is at minus zero
    text = f"Hits {other!r} at ({position_text}) with {speed:.3g} m/s."
    return CollisionEvent(time, actor, text, "note", f"hits {other} {time}", other=other, place=position, speed=speed)


class ContactTracker:
    """Who touches whom from tick to tick, and who did not before."""

    def __init__(self, engine: "Engine", codes: Ints) -> None:
        from keypose.physics.engine.kernels import find_contacts, max_point_speed

        self._engine = engine
        self._find_contacts = find_contacts
        self._contacts: ContactGeometry
        self._known_codes, self._pair_count, self._new_count = codes, 0, 0
        self._spare_codes, self._full_codes = np.empty((2, 0), np.int64)
        self._new_contacts, self._new_speeds = np.empty(0, np.int64), np.empty(0)
        self.max_speed = float(max_point_speed(engine.velocities, engine.max_bounding_radius))
        """How fast the fastest point of all bodies may be now [m/s]."""

    @property
    def pair_codes(self) -> Ints:
        """A number for each pair that touches, in order."""
        return self._known_codes

    def update(self, previous_velocities: Floats) -> int:
        """See who touches whom now, who went as before; how many have just met, and not only touched."""
        self._contacts = self._engine.contact_geometry()
        count = len(self._contacts[0])
        if count > len(self._new_contacts):
            self._new_contacts, self._new_speeds = np.empty(2 * count, np.int64), np.empty(2 * count)
        if count > len(self._spare_codes):
            self._spare_codes = np.empty(2 * count, np.int64)
        self._pair_count, self._new_count, self.max_speed = self._find_contacts(
            self._contacts,
            self._known_codes,
            len(self._engine.body_specs),
            self._engine.bodies,
            previous_velocities,
            self._engine.max_bounding_radius,
            MIN_COLLISION_SPEED,
            ContactBuffers(self._spare_codes, self._new_contacts, self._new_speeds),
        )
        return self._new_count

    @property
    def count(self) -> int:
        """Number of contacts after the last update."""
        return len(self._contacts[0])

    @property
    def max_collision_speed(self) -> float:
        """How fast those came together who have just met [m/s]."""
        return float(self._new_speeds[: self._new_count].max(initial=0.0))

    def collisions(self, time: float) -> CollisionBatch:
        """Those who have just met."""
        contacts = self._new_contacts[: self._new_count]
        geoms, body_of_geom, points, _ = self._contacts
        return CollisionBatch(
            time,
            self._engine.names,
            body_of_geom[geoms[contacts]],
            points[contacts],
            self._new_speeds[: self._new_count].copy(),
        )

    def commit(self) -> None:
        """Know from now on who touches whom."""
        self._known_codes, self._spare_codes, self._full_codes = (
            self._spare_codes[: self._pair_count],
            self._full_codes,
            self._spare_codes,
        )
