"""Who emits a field, and when does it arrive? It moves with its emitter, at once or at a finite speed (PF89 §3).

What a carried field is made of is said in the carrier's frame and by the carrier's clock: with a delay, the moment at
which what is felt was sent. Velocities are the world's, seen along the carrier's axes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from keypose.errors import KeyposeError, shown
from keypose.fields.algebra.field import Asked, Field
from keypose.fields.algebra.sum import Wrapped
from keypose.fields.algebra.transform import back, length, turned
from keypose.maths.arrays import Bools, Floats, Indices
from keypose.maths.inputs import above_zero
from keypose.motion.hierarchy import in_space, middle
from keypose.motion.pose import Pose

EVERYONE = "/*"  # how the name of a group ends
SPEED = "The speed of a delayed field"
DOUBLINGS = 64  # how often to look twice as far back for what has arrived by now; after that nothing ever has
ROUNDS = 300  # a third of them halve: more than a bracket of float64 numbers allows
ROUNDING = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, repr=False)
class Carried(Wrapped):
    """A field in the frame of a carrier, or of each of a group; `speed` [m/s] it travels at, None for at once."""

    carrier: str | tuple[str, ...]
    speed: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self.__dict__["carrier"] = _carrier(self.carrier)
        if self.field.names:
            raise KeyposeError(
                f"A field is to be carried by {shown(self.carrier)} and within it one by {shown(self.field.names[0])}. "
                "Let only one of them carry it."
            )
        if self.speed is not None:
            self.__dict__["speed"] = above_zero(self.speed, SPEED)

    @property
    def names(self) -> tuple[str, ...]:
        """Who carries it."""
        return (self.carrier,) if isinstance(self.carrier, str) else self.carrier

    def resolved(self, members: Callable[[str], Sequence[str]]) -> Field:
        """The same with every group replaced by its members."""
        if not any(name.endswith(EVERYONE) for name in self.names):
            return self
        everyone: list[str] = []
        for name in self.names:
            found = members(name) if name.endswith(EVERYONE) else (name,)
            if not found:
                raise KeyposeError(f"A field is carried by the group {shown(name)}, and nobody is in it. Name a group.")
            everyone.extend(found)
        return replace(self, carrier=tuple(everyone))

    def push(self, asked: Asked) -> Floats:
        """Σ over the carriers of the field in their frames, without those who ask themselves."""
        if isinstance(self.carrier, str) and asked.by(self.carrier).any():
            raise KeyposeError(
                f"Actor {shown(self.carrier)} senses a field that it carries itself. "
                "Link it to somebody else's field, or let a group carry it."
            )
        total = np.zeros_like(asked.place)
        for name in self.names:
            others = ~asked.by(name)
            if others.all():
                total += self._from(name, asked)
            elif others.any():
                total[others] += self._from(name, asked.some(others))
        return total

    def _from(self, name: str, asked: Asked) -> Floats:
        """What one carrier's field pushes (n, 3)."""
        if self.speed is None:
            return self._sent(asked, where(asked, name, asked.t))
        sent, arrived = latest_arrived(asked, name, self.speed)
        out, here = np.zeros_like(asked.place), replace(asked, t=sent).some(arrived)
        if arrived.any():
            out[arrived] = self._sent(here, where(asked, name, here.t))
        return out

    def _sent(self, asked: Asked, carrier: Pose) -> Floats:
        """The field of a carrier in this pose: as moved and turned by it."""
        near = asked.elsewhere(asked.place - middle(carrier))
        return turned(self.field.push(back(near, carrier.orientation)), carrier.orientation)

    def __repr__(self) -> str:
        delay = "" if self.speed is None else f".delayed({self.speed!r})"
        return f"{self._inner()}.carried_by({self.carrier!r}){delay}"


def delayed(field: Field, speed: float) -> Field:
    """The same field with every carried one within it delayed; all of it must have a carrier to come from."""
    if isinstance(field, Carried):
        return replace(field, speed=above_zero(speed, SPEED))
    if not field.parts:
        raise KeyposeError(
            f'A field is to be delayed that nobody carries: {shown(field)}. Say who sends it: carried_by("lamp").'
        )
    return field.with_parts(tuple(delayed(part, speed) for part in field.parts))


def where(asked: Asked, name: str, t: Floats) -> Pose:
    """The pose of an actor at moments () or (n,), in space."""
    if name.endswith(EVERYONE):
        raise KeyposeError(f"Who is in the group {shown(name)} is not known here. Ask on a stage, or give their names.")
    if asked.look is None:
        raise KeyposeError(f"A field is carried by {shown(name)}, and it was not said where that is. Give look=.")
    pose = asked.look(name, t)
    if not isinstance(pose, Pose) or pose.orientation.shape[:-1] not in ((), t.shape):
        raise KeyposeError(f"Where {shown(name)} is was answered by {shown(pose)}. Give a Pose for every moment.")
    return in_space(pose)


def latest_arrived(asked: Asked, name: str, speed: float) -> tuple[Floats, Bools]:
    """When (n,) `name` sent the latest that has arrived at each place by now, and whether anything has (n,).

    Sent at τ it arrives at τ + |x − X(τ)|/speed. If the carrier is never as fast as its field, exactly one τ arrives
    now. If it jumped away, what it sent before is felt until the first from after the jump arrives. Of a carrier faster
    than its field, what was sent at several moments may arrive at once: one of these is felt.
    """
    now = np.broadcast_to(asked.t, asked.place.shape[:1])

    def late_by(sent: Floats, which: Indices) -> Floats:
        """How long after now [s] it arrives."""
        way = length(asked.place[which] - middle(where(asked, name, sent))) / speed
        return np.asarray(sent + way - now[which])

    everywhere = np.arange(len(now))
    back_by = late_by(now, everywhere)
    late, early, miss = now.copy(), now - back_by, np.empty(len(now))
    which = everywhere
    for _ in range(DOUBLINGS):  # back to something that has arrived
        miss[which] = late_by(early[which], which)
        which = which[miss[which] > _rounding(now, early)[which]]
        if not len(which):
            break
        late[which], back_by[which] = early[which], 2 * back_by[which]
        early[which] = now[which] - back_by[which]
    arrived = np.ones(len(now), dtype=np.bool_)
    arrived[which] = False
    return _narrowed(late_by, early, late, miss, _rounding(now, early), arrived), arrived


def _narrowed(
    late_by: Callable[[Floats, Indices], Floats],
    early: Floats,
    late: Floats,
    miss: Floats,
    rounding: Floats,
    arrived: Bools,
) -> Floats:
    """The latest moment (n,) between `early`, sent when it has arrived, and `late`, when it has not.

    The next guess is when it would have been sent from where the carrier was at the last one, which is exact for one
    that stands still; every third time, and where that is no help, the middle.
    """
    early, late, tried = early.copy(), late.copy(), early.copy()
    for turn in range(ROUNDS):
        which = np.flatnonzero(arrived & (np.abs(miss) > rounding) & (late - early > rounding))
        if not len(which):
            break
        guess, halfway = tried[which] - miss[which], (early[which] + late[which]) / 2
        useful = (guess > early[which]) & (guess < late[which]) & (turn % 3 < 2)
        tried[which] = guess = np.where(useful, guess, halfway)
        miss[which] = late_by(guess, which)
        good = miss[which] <= rounding[which]
        early[which], late[which] = np.where(good, guess, early[which]), np.where(good, late[which], guess)
    return early


def _rounding(now: Floats, early: Floats) -> Floats:
    """How far moments may be off and still be the same."""
    return 8 * ROUNDING * np.maximum(np.abs(now), np.abs(early))


def _carrier(given: object) -> str | tuple[str, ...]:
    """One name, or a tuple of names, each once."""
    names = (given,) if isinstance(given, str) else tuple(given) if isinstance(given, tuple | list) else ()
    if not names or not all(isinstance(name, str) and name and name != EVERYONE for name in names):
        raise KeyposeError(
            f'A field is carried by {shown(given)}. Give the name of an actor, or of a group: "flock/*".'
        )
    return str(given) if isinstance(given, str) else tuple(dict.fromkeys(str(name) for name in names))
