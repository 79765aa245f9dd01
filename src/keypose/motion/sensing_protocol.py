"""What does a mover sense, and what does it feel? Affinities by field, and what pushes those who sense on a tick.

Fields are one room and bodies another; neither knows the other. This is what they have to say to each other.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from keypose.errors import ErrorPath, KeyposeError, short_repr
from keypose.maths import Floats, parse_number
from keypose.motion.events import Event

if TYPE_CHECKING:
    from keypose.motion.system import StepContext, SystemContext

S = TypeVar("S")


class Affinities(Mapping[Any, float]):
    """How strongly each field is sensed, by itself or by its name on the stage; a frozen value."""

    def __init__(self, given: Mapping[Any, float]) -> None:
        self._values: dict[Any, float] = dict(given)

    def __getitem__(self, field: Any) -> float:
        return self._values[field]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(frozenset(self._values))

    def __repr__(self) -> str:
        return repr(self._values)


NO_AFFINITIES = Affinities({})


@runtime_checkable
class FieldLike(Protocol):
    """A field, as those see it who know none: it speaks of actors, and pushes."""

    @property
    def names(self) -> tuple[str, ...]:
        """The actors and groups it speaks of."""
        ...

    def push(self, query: Any) -> Floats:
        """Accelerations [m/s²]."""
        ...


@runtime_checkable
class TrackerLike(Protocol):
    """What tracks or avoids, as those see it who know none: it speaks of actors, and pulls."""

    @property
    def names(self) -> tuple[str, ...]:
        """The actors and groups it speaks of."""
        ...

    def pull(self, *args: Any) -> tuple[Floats, Any]:
        """[m/frame²], and what it remembers then."""
        ...


def parse_affinities(given: object, owner: str, kinds: tuple[Any, ...] = (FieldLike, TrackerLike)) -> Affinities:
    """What somebody senses, and how strongly: things of these kinds, or their names."""
    if not isinstance(given, Mapping):
        raise KeyposeError(f"{owner} senses {short_repr(given)}. Give affinities by field, as {{wind: 0.5}}.")
    found: dict[Any, float] = {}
    for index, (field, affinity) in enumerate(given.items()):
        with ErrorPath("senses", index):
            if isinstance(field, type) or not isinstance(field, (*kinds, str)) or field == "":
                raise KeyposeError(
                    f"{owner} senses {short_repr(field)}. Give a field, or the name of one on the stage."
                )
            try:
                found[field] = check_fraction(affinity, "affinity")
            except KeyposeError:  # only then what is sensed is written out
                found[field] = check_fraction(affinity, f"The affinity to {short_repr(field)}")
    return Affinities(found)


def check_fraction(given: object, what: str) -> float:
    """A number from 0 to 1."""
    found = parse_number(given, what)
    if not 0.0 <= found <= 1.0:
        raise KeyposeError(f"{what} is {found:g}. Give 0 to 1.")
    return found


def referenced_names(senses: Mapping[Any, float]) -> tuple[str, ...]:
    """Those whom the fields speak of that are not sensed by name: who carries them, and who is tracked; no groups."""
    names = (name for field in senses if not isinstance(field, str) for name in field.names)
    return tuple(dict.fromkeys(name for name in names if not name.endswith("/*")))


@dataclass(frozen=True, eq=False)
class MovingBodies:
    """All who move in a company at one tick, a row each, in the world."""

    position: Floats
    """(rows, 3) [m]"""
    orientation: Floats
    """(rows, 4)"""
    velocity: Floats
    """(rows, 3) [m/s]"""


class Sensing(Protocol[S]):
    """What the fields of a stage do to the members of a company that is no field's own. Its state is a value."""

    @property
    def watches(self) -> Mapping[str, tuple[str, ...]]:
        """Whom each of those who sense must see who is no fellow."""
        ...

    def begin(self, bodies: MovingBodies, context: "StepContext") -> S:
        """What is remembered at first."""
        ...

    def resume(self, bodies: MovingBodies, context: "StepContext", before: Any, state: S) -> S:
        """What is remembered where others sensed, or otherwise, `before`."""
        ...

    def accelerations(self, state: S, bodies: MovingBodies, context: "StepContext", dt: float) -> tuple[Floats, S]:
        """The accelerations (rows, 3) [m/s²] of a tick of `dt` seconds, and what is remembered after it."""
        ...

    def events(self, state: S) -> tuple[Event, ...]:
        """What was worth telling so far."""
        ...

    def stability_warnings(self) -> tuple[Event, ...]:
        """A warning of each that tracks so that it will not settle."""
        ...


@dataclass(frozen=True, eq=False)
class SensingBodies:
    """Those of a company who sense anything, and who there is beside them."""

    senses: Mapping[str, Mapping[Any, float]]
    rows: Mapping[str, int]
    """Everybody who moves in the company, in the order of their rows."""
    system_members: Collection[str]
    """Everybody in the company: nobody has to watch them."""
    free_ticks: Mapping[str, float]
    """Those whom nothing but fields holds, and their ticks [s]: they must settle by themselves."""


SensingFactory = Callable[[SensingBodies, "SystemContext"], Sensing[Any]]
