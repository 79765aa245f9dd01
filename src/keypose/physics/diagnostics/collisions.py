"""Who bumped into whom? Told once for each time two bodies meet, with where and how fast.

Who touches whom, and what is told of it? Those who have just met.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, overload

import numpy as np

from keypose.maths import Floats, Ints, Vec3
from keypose.motion import Event

if TYPE_CHECKING:
    from keypose.physics.engine.engine import Engine

MIN_COLLISION_SPEED = 0.1  # [m/s]: slower ones lie on each other, and are not told


@dataclass(frozen=True)
class CollisionEvent(Event):
    """Two bodies met: the other one, where [m], and how fast [m/s] they came together."""

    other: str = ""
    place: Vec3 = field(default=(0.0, 0.0, 0.0))
    speed: float = 0.0


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


class EventLog:
    """What was told so far. More can be told, and what was told stays as it is: so every tick can keep it."""

    def __init__(self, previous: "EventLog | None" = None, events: Sequence[Event] = ()) -> None:
        self._previous, self._events = previous, events

    def with_events(self, events: Sequence[Event]) -> "EventLog":
        """That, and more."""
        return EventLog(self, events) if len(events) else self

    @property
    def entries(self) -> tuple[Event, ...]:
        """All of it, in order."""
        parts: list[Sequence[Event]] = []
        log: EventLog | None = self
        while log is not None:
            parts.append(log._events)
            log = log._previous
        return tuple(chain.from_iterable(reversed(parts)))


def stall_text(
    forces: Mapping[str, float], friction_only: Collection[str], is_rotation: bool, distance_left: float | None
) -> str:
    """What is told of somebody who is stuck on its way or its turn, by what is in its way and pushes so [N].

    Whose target has come to an end is so far `distance_left` of that [m].
    """
    if forces:
        return blocked_text(forces, is_rotation, friction_only=friction_only)
    status = f"Is stuck{' in its turn' if is_rotation else ''}"
    if distance_left is not None:
        status = f"Rests {distance_left:.2g} m short of its goal"
    return (
        f"{status}, and nothing is in its way: it is pulled off its path, or cannot reach so far. Let it be "
        "more eager, "
        "or what holds it less stiff; or a limb be longer, stronger, or helped."
    )


def blocked_text(
    forces: Mapping[str, float], is_rotation: bool, is_blocked: bool = True, friction_only: Collection[str] = ()
) -> str:
    """What blocks a body that stands or hardly moves, by forces [N]; `friction_only` names those that only rub."""
    status = f"Is {'stuck' if is_blocked else 'slowed down'}{' in its turn' if is_rotation else ''}"
    names = (
        (f"the friction of {other!r}" if other in friction_only else repr(other), force)
        for other, force in forces.items()
    )
    blockers, is_single = " and ".join(f"{name} ({force:.3g} N)" for name, force in names), len(forces) == 1
    if forces.keys() <= set(friction_only):
        return f"{status}: {blockers} {'holds' if is_single else 'hold'} it."
    return f"{status}: {blockers} {'is' if is_single else 'are'} in its way."


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
        self._find_contacts: Callable[..., tuple[int, int, float]] = find_contacts
        self._contacts: tuple[Ints, Ints, Floats, Floats]
        self._constants = len(engine.body_specs), engine.poses
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
        buffers = self._spare_codes, self._new_contacts, self._new_speeds
        arguments = (
            *self._constants,
            previous_velocities,
            self._engine.velocities,
            self._engine.max_bounding_radius,
            MIN_COLLISION_SPEED,
        )
        self._pair_count, self._new_count, self.max_speed = self._find_contacts(
            *self._contacts, self._known_codes, *arguments, *buffers
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
