"""Who emits a field, and when does it arrive? It moves with its emitter, at once or at a finite speed (PF89 §3).

What a carried field is made of is said in the carrier's frame and by the carrier's clock: with a delay, the moment at
which what is felt was sent. Velocities are the world's, seen along the carrier's axes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from keypose.errors import KeyposeError, short_repr
from keypose.fields.algebra.field import Field, FieldQuery
from keypose.fields.algebra.sum import FieldModifier
from keypose.fields.algebra.transform import query_in_frame, rotate_vectors, vector_lengths
from keypose.maths import Bools, Floats, Indices, parse_positive
from keypose.motion import Pose, pose_center, pose_to_3d

GROUP_SUFFIX = "/*"  # how the name of a group ends
SPEED_LABEL = "The speed of a delayed field"
MAX_DOUBLINGS = 64  # how often to look twice as far back for what has arrived by now; after that nothing ever has
MAX_ITERATIONS = 300  # a third of them halve: more than a bracket of float64 numbers allows
EPSILON = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, repr=False)
class CarriedField(FieldModifier):
    """A field in the frame of a carrier, or of each of a group; `speed` [m/s] it travels at, None for at once."""

    carrier: str | tuple[str, ...]
    speed: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self.__dict__["carrier"] = _check_carrier(self.carrier)
        if self.field.names:
            raise KeyposeError(
                f"A field is to be carried by {short_repr(self.carrier)} and within it one by "
                f"{short_repr(self.field.names[0])}. "
                "Let only one of them carry it."
            )
        if self.speed is not None:
            self.__dict__["speed"] = parse_positive(self.speed, SPEED_LABEL)

    @property
    def names(self) -> tuple[str, ...]:
        """Who carries it."""
        return (self.carrier,) if isinstance(self.carrier, str) else self.carrier

    def resolved(self, members: Callable[[str], Sequence[str]]) -> Field:
        """The same with every group replaced by its members."""
        if not any(name.endswith(GROUP_SUFFIX) for name in self.names):
            return self
        carriers: list[str] = []
        for name in self.names:
            found = members(name) if name.endswith(GROUP_SUFFIX) else (name,)
            if not found:
                raise KeyposeError(
                    f"A field is carried by the group {short_repr(name)}, and nobody is in it. Name a group."
                )
            carriers.extend(found)
        return replace(self, carrier=tuple(carriers))

    def push(self, query: FieldQuery) -> Floats:
        """Σ over the carriers of the field in their frames, without those who ask themselves."""
        if isinstance(self.carrier, str) and query.is_from(self.carrier).any():
            raise KeyposeError(
                f"Actor {short_repr(self.carrier)} senses a field that it carries itself. "
                "Link it to somebody else's field, or let a group carry it."
            )
        total = np.zeros_like(query.position)
        for name in self.names:
            is_other = ~query.is_from(name)
            if is_other.all():
                total += self._push_by(name, query)
            elif is_other.any():
                total[is_other] += self._push_by(name, query.select(is_other))
        return total

    def _push_by(self, name: str, query: FieldQuery) -> Floats:
        """What one carrier's field pushes (n, 3)."""
        if self.speed is None:
            return self._push_from_pose(query, carrier_pose(query, name, query.t))
        emission, has_arrived = retarded_times(query, name, self.speed)
        out, emission_query = np.zeros_like(query.position), replace(query, t=emission).select(has_arrived)
        if has_arrived.any():
            out[has_arrived] = self._push_from_pose(emission_query, carrier_pose(query, name, emission_query.t))
        return out

    def _push_from_pose(self, query: FieldQuery, pose: Pose) -> Floats:
        """The field of a carrier in this pose: as moved and turned by it."""
        local_query = query.with_position(query.position - pose_center(pose))
        return rotate_vectors(self.field.push(query_in_frame(local_query, pose.orientation)), pose.orientation)

    def __repr__(self) -> str:
        delay = "" if self.speed is None else f".delayed({self.speed!r})"
        return f"{self._inner_code()}.carried_by({self.carrier!r}){delay}"


def delay_field(field: Field, speed: float) -> Field:
    """The same field with every carried one within it delayed; all of it must have a carrier to come from."""
    if isinstance(field, CarriedField):
        return replace(field, speed=parse_positive(speed, SPEED_LABEL))
    if not field.parts:
        raise KeyposeError(
            f'A field is to be delayed that nobody carries: {short_repr(field)}. Say who sends it: carried_by("lamp").'
        )
    return field.with_parts(tuple(delay_field(part, speed) for part in field.parts))


def carrier_pose(query: FieldQuery, name: str, t: Floats) -> Pose:
    """The pose of an actor at moments () or (n,), in space."""
    if name.endswith(GROUP_SUFFIX):
        raise KeyposeError(
            f"Who is in the group {short_repr(name)} is not known here. Ask on a stage, or give their names."
        )
    if query.pose_lookup is None:
        raise KeyposeError(f"A field is carried by {short_repr(name)}, and it was not said where that is. Give look=.")
    pose = query.pose_lookup(name, t)
    if not isinstance(pose, Pose) or pose.orientation.shape[:-1] not in ((), t.shape):
        raise KeyposeError(
            f"Where {short_repr(name)} is was answered by {short_repr(pose)}. Give a Pose for every moment."
        )
    return pose_to_3d(pose)


def retarded_times(query: FieldQuery, name: str, speed: float) -> tuple[Floats, Bools]:
    """When (n,) `name` sent the latest that has arrived at each place by now, and whether anything has (n,).

    Sent at τ it arrives at τ + |x − X(τ)|/speed. If the carrier is never as fast as its field, exactly one τ arrives
    now. If it jumped away, what it sent before is felt until the first from after the jump arrives. Of a carrier faster
    than its field, what was sent at several moments may arrive at once: one of these is felt.
    """
    now = np.broadcast_to(query.t, query.position.shape[:1])

    def arrival_delay(emission: Floats, rows: Indices) -> Floats:
        """How long after now [s] it arrives."""
        travel_time = vector_lengths(query.position[rows] - pose_center(carrier_pose(query, name, emission))) / speed
        return np.asarray(emission + travel_time - now[rows])

    all_rows = np.arange(len(now))
    lookback = arrival_delay(now, all_rows)
    latest, earliest, delay = now.copy(), now - lookback, np.empty(len(now))
    rows = all_rows
    for _ in range(MAX_DOUBLINGS):  # back to something that has arrived
        delay[rows] = arrival_delay(earliest[rows], rows)
        rows = rows[delay[rows] > _time_tolerance(now, earliest)[rows]]
        if not len(rows):
            break
        latest[rows], lookback[rows] = earliest[rows], 2 * lookback[rows]
        earliest[rows] = now[rows] - lookback[rows]
    has_arrived = np.ones(len(now), dtype=np.bool_)
    has_arrived[rows] = False
    return _refine_emission_times(
        arrival_delay, earliest, latest, delay, _time_tolerance(now, earliest), has_arrived
    ), has_arrived


def _refine_emission_times(
    arrival_delay: Callable[[Floats, Indices], Floats],
    earliest: Floats,
    latest: Floats,
    delay: Floats,
    tolerance: Floats,
    has_arrived: Bools,
) -> Floats:
    """The latest moment (n,) between `earliest`, sent when it has arrived, and `latest`, when it has not.

    The next guess is when it would have been sent from where the carrier was at the last one, which is exact for one
    that stands still; every third time, and where that is no help, the middle.
    """
    earliest, latest, emission = earliest.copy(), latest.copy(), earliest.copy()
    for iteration in range(MAX_ITERATIONS):
        rows = np.flatnonzero(has_arrived & (np.abs(delay) > tolerance) & (latest - earliest > tolerance))
        if not len(rows):
            break
        guess, midpoint = emission[rows] - delay[rows], (earliest[rows] + latest[rows]) / 2
        is_usable = (guess > earliest[rows]) & (guess < latest[rows]) & (iteration % 3 < 2)
        emission[rows] = guess = np.where(is_usable, guess, midpoint)
        delay[rows] = arrival_delay(guess, rows)
        is_in_time = delay[rows] <= tolerance[rows]
        earliest[rows], latest[rows] = (
            np.where(is_in_time, guess, earliest[rows]),
            np.where(is_in_time, latest[rows], guess),
        )
    return earliest


def _time_tolerance(now: Floats, earliest: Floats) -> Floats:
    """How far moments may be off and still be the same."""
    return 8 * EPSILON * np.maximum(np.abs(now), np.abs(earliest))


def _check_carrier(given: object) -> str | tuple[str, ...]:
    """One name, or a tuple of names, each once."""
    names = (given,) if isinstance(given, str) else tuple(given) if isinstance(given, tuple | list) else ()
    if not names or not all(isinstance(name, str) and name and name != GROUP_SUFFIX for name in names):
        raise KeyposeError(
            f'A field is carried by {short_repr(given)}. Give the name of an actor, or of a group: "flock/*".'
        )
    return str(given) if isinstance(given, str) else tuple(dict.fromkeys(str(name) for name in names))
