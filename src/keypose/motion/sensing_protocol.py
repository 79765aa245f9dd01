"""What does a mover sense, and what does it feel? Affinities by field, and what pushes those who sense on a tick.

Fields are one room and bodies another; neither knows the other. This is what they have to say to each other.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from keypose.errors import At, KeyposeError, shown
from keypose.maths.arrays import Floats
from keypose.maths.inputs import number
from keypose.motion.take import Event

if TYPE_CHECKING:
    from keypose.motion.system import Outlook, Surroundings

S = TypeVar("S")


class Affinities(Mapping[Any, float]):
    """How strongly each field is sensed, by itself or by its name on the stage; a frozen value."""

    def __init__(self, given: Mapping[Any, float]) -> None:
        self._given: dict[Any, float] = dict(given)

    def __getitem__(self, sensed: Any) -> float:
        return self._given[sensed]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._given)

    def __len__(self) -> int:
        return len(self._given)

    def __hash__(self) -> int:
        return hash(frozenset(self._given))

    def __repr__(self) -> str:
        return repr(self._given)


NOTHING = Affinities({})


@runtime_checkable
class Pushing(Protocol):
    """A field, as those see it who know none: it speaks of actors, and pushes."""

    @property
    def names(self) -> tuple[str, ...]:
        """The actors and groups it speaks of."""
        ...

    def push(self, asked: Any) -> Floats:
        """Accelerations [m/s²]."""
        ...


@runtime_checkable
class Pulling(Protocol):
    """What tracks or avoids, as those see it who know none: it speaks of actors, and pulls."""

    @property
    def names(self) -> tuple[str, ...]:
        """The actors and groups it speaks of."""
        ...

    def pull(self, *args: Any) -> tuple[Floats, Any]:
        """[m/frame²], and what it remembers then."""
        ...


def affinities(given: object, who: str, kinds: tuple[Any, ...] = (Pushing, Pulling)) -> Affinities:
    """What somebody senses, and how strongly: things of these kinds, or their names."""
    if not isinstance(given, Mapping):
        raise KeyposeError(f"{who} senses {shown(given)}. Give affinities by field, as {{wind: 0.5}}.")
    found: dict[Any, float] = {}
    for number_, (sensed, affinity) in enumerate(given.items()):
        with At("senses", number_):
            if isinstance(sensed, type) or not isinstance(sensed, (*kinds, str)) or sensed == "":
                raise KeyposeError(f"{who} senses {shown(sensed)}. Give a field, or the name of one on the stage.")
            try:
                found[sensed] = share(affinity, "affinity")
            except KeyposeError:  # only then what is sensed is written out
                found[sensed] = share(affinity, f"The affinity to {shown(sensed)}")
    return Affinities(found)


def share(given: object, what: str) -> float:
    """A number from 0 to 1."""
    found = number(given, what)
    if not 0.0 <= found <= 1.0:
        raise KeyposeError(f"{what} is {found:g}. Give 0 to 1.")
    return found


def spoken_of(senses: Mapping[Any, float]) -> tuple[str, ...]:
    """Those whom the fields speak of that are not sensed by name: who carries them, and who is tracked; no groups."""
    names = (name for sensed in senses if not isinstance(sensed, str) for name in sensed.names)
    return tuple(dict.fromkeys(name for name in names if not name.endswith("/*")))


@dataclass(frozen=True, eq=False)
class Moving:
    """All who move in a company at one tick, a row each, in the world."""

    place: Floats
    """(rows, 3) [m]"""
    turn: Floats
    """(rows, 4)"""
    velocity: Floats
    """(rows, 3) [m/s]"""


class Sensing(Protocol[S]):
    """What the fields of a stage do to the members of a company that is no field's own. Its state is a value."""

    @property
    def watches(self) -> Mapping[str, tuple[str, ...]]:
        """Whom each of those who sense must see who is no fellow."""
        ...

    def begin(self, moving: Moving, outlook: "Outlook") -> S:
        """What is remembered at first."""
        ...

    def gone_on(self, moving: Moving, outlook: "Outlook", before: Any, state: S) -> S:
        """What is remembered where others sensed, or otherwise, `before`."""
        ...

    def felt(self, state: S, moving: Moving, outlook: "Outlook", dt: float) -> tuple[Floats, S]:
        """The accelerations (rows, 3) [m/s²] of a tick of `dt` seconds, and what is remembered after it."""
        ...

    def events(self, state: S) -> tuple[Event, ...]:
        """What was worth telling so far."""
        ...

    def unsettled(self) -> tuple[Event, ...]:
        """A warning of each that tracks so that it will not settle."""
        ...


@dataclass(frozen=True, eq=False)
class Sensers:
    """Those of a company who sense anything, and who there is beside them."""

    senses: Mapping[str, Mapping[Any, float]]
    rows: Mapping[str, int]
    """Everybody who moves in the company, in the order of their rows."""
    fellows: Collection[str]
    """Everybody in the company: nobody has to watch them."""
    loose: Mapping[str, float]
    """Those whom nothing but fields holds, and their ticks [s]: they must settle by themselves."""


MakesSensing = Callable[[Sensers, "Surroundings"], Sensing[Any]]
