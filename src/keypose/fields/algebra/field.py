"""What is a field? An acceleration [m/s²] for every place and moment; an object that senses it is steered (PF89 §2).

Fields are small frozen values: they compare by value, can be keys of a dict, and their repr is code. Each one answers
`push(query)`; everything else is made of that. A field that was moved, turned or carried answers by moving, turning or
carrying the question back to where its own field was said, so a placed field knows nothing of what it places.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from math import prod
from typing import Any, ClassVar, NamedTuple, cast

import numpy as np

from keypose.curves import Axis, Orientation
from keypose.errors import KeyposeError, short_repr
from keypose.maths import ORIGIN, ArrayLike, Bools, Floats, Objects, as_number, parse_non_nan
from keypose.motion import Pose

PoseLookup = Callable[[str, Floats], Pose]


@dataclass(frozen=True, eq=False)
class FieldQuery:
    """What is asked of a field: at n places, at one moment or one each, by whom.

    `position` (n, 3) [m], `t` () or (n,) [s], `velocity` (n, 3) [m/s] of the objects that sense it, None if they rest.
    `pose_lookup(name, t)` gives the pose of an actor; `actor` names the objects: None, one name, or one for each (n,).
    """

    position: Floats
    t: Floats
    velocity: Floats | None = None
    pose_lookup: PoseLookup | None = None
    actor: str | Objects | None = None

    def with_position(self, position: Floats, velocity_map: Callable[[Floats], Floats] | None = None) -> "FieldQuery":
        """The same question at other places, and how their velocities change with them."""
        new_velocity = self.velocity if velocity_map is None or self.velocity is None else velocity_map(self.velocity)
        return replace(self, position=position, velocity=new_velocity)

    def select(self, is_selected: Bools) -> "FieldQuery":
        """The question at some of its places (n,)."""
        t = self.t[is_selected] if self.t.ndim else self.t
        velocity = None if self.velocity is None else self.velocity[is_selected]
        actor = self.actor[is_selected] if isinstance(self.actor, np.ndarray) else self.actor
        return FieldQuery(self.position[is_selected], t, velocity, self.pose_lookup, actor)

    def is_from(self, name: str) -> Bools:
        """At which places (n,) it is this actor that asks."""
        return np.broadcast_to(np.asarray(self.actor == name, dtype=np.bool_), self.position.shape[:1])


class FieldOperations(NamedTuple):
    """The constructors behind the operators and methods of `Field`; `algebra/__init__.py` sets them."""

    sum: "Callable[..., Field]"
    times: "Callable[..., Field]"
    moved: "Callable[..., Field]"
    turned: "Callable[..., Field]"
    scaled: "Callable[..., Field]"
    within: "Callable[..., Field]"
    during: "Callable[..., Field]"
    pulsing: "Callable[..., Field]"
    carried: "Callable[..., Field]"
    delayed: "Callable[..., Field]"


INTERNAL_ATTRIBUTES = frozenset({"names", "parts", "resolved", "with_parts"})
"""For other modules and packages; not shown by tab completion."""


class Field(ABC):
    """An acceleration for every place and moment; what all fields can do.

    Fields add up (`wind + vortex`), and a number makes one stronger (`2 * wind`, `-wind`, `wind / 2`). Strengths are in
    m/s², places in metres, moments in seconds.
    """

    __array_ufunc__ = None  # so that a number of numpy's leaves the product to the field
    _operations: ClassVar[FieldOperations]

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if name not in INTERNAL_ATTRIBUTES]

    @abstractmethod
    def push(self, query: FieldQuery) -> Floats:
        """Accelerations (n, 3) [m/s²]; what is asked is trusted, see `at`."""

    @property
    def parts(self) -> "tuple[Field, ...]":
        """The fields that this one is made of."""
        return ()

    def with_parts(self, parts: "tuple[Field, ...]") -> "Field":
        """The same, made of other fields: as many as there were."""
        return self

    @property
    def names(self) -> tuple[str, ...]:
        """The actors and groups that it needs to see, each once."""
        return tuple(dict.fromkeys(name for part in self.parts for name in part.names))

    def at(
        self,
        position: ArrayLike,
        t: ArrayLike = 0.0,
        velocity: ArrayLike | None = None,
        look: PoseLookup | None = None,
        who: str | Sequence[str] | None = None,
    ) -> Floats:
        """The acceleration (…, 3) [m/s²] at places (…, 3) [m].

        `t` is one moment [s] or one for each place, `velocity` (…, 3) [m/s] that of what is there, at rest if None. A
        carried field needs `look(name, t) -> Pose`, where actors are at moments () or (n,). `who` is there, one name or
        one for each place: a group's fields are felt by its members too, but nobody feels their own.
        """
        positions = parse_non_nan(position, "Places in a field")
        if positions.shape[-1:] != (3,):
            raise KeyposeError(f"A field was asked about places of shape {positions.shape}. Give places (…, 3).")
        shape, flat_positions = positions.shape[:-1], positions.reshape(-1, 3)
        times = parse_non_nan(t, "The moments of a field")
        if times.ndim:
            times = _broadcast(times, shape, "moments").reshape(-1)
        velocities = None if velocity is None else parse_non_nan(velocity, "Velocities in a field")
        if velocities is not None:
            velocities = _broadcast(velocities, (*shape, 3), "velocities").reshape(-1, 3)
        if look is not None and not callable(look):
            raise KeyposeError(f"A field was given look={short_repr(look)}. Give a function of a name and moments.")
        with np.errstate(all="ignore"):  # what overflows is for whoever asked to see
            accelerations = self.push(FieldQuery(flat_positions, times, velocities, look, _check_actor(who, shape)))
        return accelerations.reshape(positions.shape)

    def __add__(self, other: object) -> "Field":
        if not isinstance(other, Field):
            raise KeyposeError(
                f"A field and {short_repr(other)} were to be added. Add another field, as fields.Uniform."
            )
        return self._operations.sum((*self._terms(), *other._terms()))

    def __radd__(self, other: object) -> "Field":
        if as_number(other) == 0:  # where `sum` begins
            return self
        return self + other

    def __sub__(self, other: object) -> "Field":
        return self + (-other if isinstance(other, Field) else other)

    def __mul__(self, factor: object) -> "Field":
        return self._operations.times(self, factor)

    __rmul__ = __mul__

    def __truediv__(self, divisor: object) -> "Field":
        number = as_number(divisor)
        if not number:
            raise KeyposeError(
                f"A field was to be divided by {short_repr(divisor)}. Give a finite number that is not zero."
            )
        return self * (1 / number)

    def __neg__(self) -> "Field":
        return self * -1.0

    def moved(self, offset: ArrayLike) -> "Field":
        """The same field somewhere else, by `offset` [m]."""
        return self._operations.moved(self, offset)

    def turned(self, turn: float | Orientation | ArrayLike, about: Axis | ArrayLike | None = None) -> "Field":
        """The same field turned about the origin: by degrees about an axis, or by an `Orientation`."""
        if about is not None:
            return self._operations.turned(self, Orientation.turned(cast(float, turn), about))
        if as_number(turn) is not None:
            raise KeyposeError(f'A field is turned by {short_repr(turn)} degrees. Say about what: turned(30, "y").')
        return self._operations.turned(self, Orientation.of(turn))

    def scaled(self, factor: float | ArrayLike) -> "Field":
        """The same picture stretched about the origin, arrows too, by one factor or by one along each of x, y, z.

        What moves in it moves as before, only larger: twice as far with accelerations twice as strong. So an attractor
        still pulls to its centre and a vortex drives along ellipses. A negative factor mirrors.
        """
        return self._operations.scaled(self, factor)

    def within(
        self,
        radius: float | None = None,
        *,
        size: ArrayLike | None = None,
        center: ArrayLike = ORIGIN,
        edge: float = 0.0,
    ) -> "Field":
        """The field in a ball of `radius` [m], or in a box whose sides are `size` [m]; outside it is zero.

        It stops at once at the border, which belongs to it, or fades away over `edge` [m] inside of it.
        """
        return self._operations.within(self, radius, size=size, center=center, edge=edge)

    def during(self, start: float, stop: float, *, fade: float = 0.0) -> "Field":
        """The field from `start` to `stop` [s], without that last moment; it comes and goes over `fade` [s] inside."""
        return self._operations.during(self, start, stop, fade=fade)

    def pulsing(self, period: float, *, start: float = 0.0) -> "Field":
        """The field times cos 2π(t − start)/period: whole every `period` [s], and halfway between turned round."""
        return self._operations.pulsing(self, period, start=start)

    def carried_by(self, carrier: str | Sequence[str]) -> "Field":
        """The field said in the frame of an actor, with whom it moves and turns.

        A tuple of names, or "flock/*", is a group: each of it carries the field, and all of these add up. What was said
        before moves along, what is said after stays in the world: `within(3).carried_by("lamp")` is round the lamp.
        """
        return self._operations.carried(self, carrier)

    def delayed(self, speed: float) -> "Field":
        """The carried field as it travels from its carrier at `speed` [m/s] (PF89 §3).

        What is felt left the carrier distance/speed seconds ago, from where that was then: the latest that has arrived.
        """
        return self._operations.delayed(self, speed)

    def resolved(self, members: Callable[[str], Sequence[str]]) -> "Field":
        """The same field with every group "flock/*" replaced by its members, as `members("flock/*")` names
        them.
        """
        return self.with_parts(tuple(part.resolved(members) for part in self.parts))

    def _terms(self) -> "tuple[Field, ...]":
        """The fields that add up to this one, so that (a + b) + c is a + (b + c)."""
        return (self,)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._arguments_code()})"

    def _arguments_code(self) -> str:
        """Its values as they are written in a call: those that go by position, and keywords that differ from usual."""
        instance = cast(Any, self)
        declared_fields = (
            fields(instance) if is_dataclass(type(instance)) else ()
        )  # a field of one's own may be any class
        values = [(each, getattr(self, each.name)) for each in declared_fields]
        positional = [repr(value) for each, value in values if not each.kw_only]
        return ", ".join(
            positional + [f"{each.name}={v!r}" for each, v in values if each.kw_only and v != each.default]
        )


def _broadcast(given: Floats, shape: tuple[int, ...], what: str) -> Floats:
    """The given numbers, one for each place."""
    try:
        return np.broadcast_to(given, shape)
    except ValueError:
        pass
    raise KeyposeError(f"A field was asked about {what} of shape {given.shape}. Give one, or an array {shape}.")


def _check_actor(actor: object, shape: tuple[int, ...]) -> str | Objects | None:
    """Who asks: nobody, one for all places, or an array of names (n,)."""
    if actor is None or isinstance(actor, str):
        return actor
    names = (
        list(np.ravel(actor))
        if isinstance(actor, np.ndarray)
        else list(actor)
        if isinstance(actor, list | tuple)
        else []
    )
    if len(names) != prod(shape) or not all(isinstance(name, str) for name in names):
        raise KeyposeError(
            f"A field was asked by {short_repr(actor)}. Give the name of an actor, or one for each place."
        )
    return np.array(names, dtype=np.object_)
