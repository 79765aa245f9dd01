"""Who steps together? Movers that act on each other are worked out in one go, as a company of all of them on a stage.

A member is a small frozen value that says what its company is made of. The company has one state for everybody, which a
step replaces and never alters, as movers do; so it can be rewound and changed while it runs.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar, runtime_checkable

from keypose.curves.relative.relative_path import Frames
from keypose.maths.arrays import Floats
from keypose.motion.pose import Pose
from keypose.motion.sensing_protocol import MakesSensing
from keypose.motion.sync_protocol import Plans
from keypose.motion.take import Event

S = TypeVar("S")


@dataclass(frozen=True)
class Surroundings:
    """What is said on a stage beside the members of a company."""

    names: Sequence[str]
    """Everybody on the stage."""
    fields: Mapping[str, Any]
    """What pushes, by its name."""
    standing: Collection[str] = ()
    """Those who stand on somebody else; all others stand in the world."""
    bodies: Mapping[str, Any] = field(default_factory=dict)
    """What those can be bumped into whom motions move."""
    gravity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """[m/s²]"""
    connections: Sequence[Any] = ()
    """What holds bodies together."""
    sensing: MakesSensing | None = None
    """What tells those who are no field's own what fields do to them."""
    script: Plans | None = None
    """The meetings of members of this company."""


@dataclass(frozen=True)
class Outlook:
    """What a company sees before it steps: everybody at one moment, the last tick, in the world."""

    time: float
    """[s]"""
    pose: Callable[[str], Pose]
    """Where anybody is whom a member watches; a drawing by its middle."""
    under: Callable[[str], Pose | None]
    """What a member stands on; None for the world."""
    past: Callable[[str, Floats], Pose | None]
    """Where somebody was at earlier times (n,); None if that takes ticks itself."""
    kept: tuple[Plans, Any] | None = None
    """Before a change: the meetings there were, and how they were kept until then."""


class Company(Protocol[S]):
    """All members of one kind on a stage."""

    @property
    def watches(self) -> Mapping[str, tuple[str, ...]]:
        """Whom each member looks at by the outlook: fellow members it knows by the state, and need not name."""
        ...

    def opening(self) -> Mapping[str, Pose]:
        """Where everybody is at its first moment, each in the frame it stands in, without looking at anybody."""
        ...

    def begin(self, outlook: Outlook) -> S:
        """The state of all at their first moment."""
        ...

    def gone_on(self, outlook: Outlook, before: Any, state: S) -> S:
        """The state of all where the company was `before`, one of its sort: who is new begins, the others go on."""
        ...

    def step(self, state: S, outlook: Outlook, dt: float) -> S:
        """The state `dt` seconds after `outlook.time`: a new one, the old one stays as it was."""
        ...

    def poses(self, state: S) -> Mapping[str, Pose]:
        """Where everybody is, each in the frame it stands in."""
        ...

    def between(self, before: S, after: S, share: float) -> Mapping[str, Pose]:
        """Where everybody is at a share of the way between two ticks."""
        ...

    def events(self, state: S) -> tuple[Event, ...]:
        """What was worth telling so far."""
        ...


@runtime_checkable
class Strider(Company[S], Protocol[S]):
    """A company that can take many ticks at once, where nobody else takes any."""

    def strode(self, state: S, outlook: Outlook, times: Floats, dt: float) -> tuple[S, S]:
        """The states at the last two of these times, from the first on: to the bit as by steps of `dt` seconds."""
        ...

    def filmed(self, frames: Sequence[Mapping[str, Pose]]) -> Mapping[str, Pose]:
        """Where everybody is in each of some frames, which `poses` or `between` gave."""
        ...


@runtime_checkable
class Carried(Protocol):
    """A company some of whose members race along paths with keys that others carry."""

    def frames(self, state: Any, /) -> Mapping[str, Frames]:
        """In which frames the carried keys of each such member stand."""


@runtime_checkable
class Aiming(Company[S], Protocol[S]):
    """A company some of whom race a target."""

    @property
    def racers(self) -> tuple[str, ...]:
        """Who races a target."""
        ...

    def aims(self, state: S) -> Floats:
        """Where their targets are, in the world, (racers, 3)."""
        ...

    def gone(self, state: S) -> Mapping[str, tuple[float, float, int]]:
        """Where the targets of their places and turns are, and of how many segments each goes round; 0 if not."""
        ...


@runtime_checkable
class Keeping(Company[S], Protocol[S]):
    """A company some of whom keep appointments."""

    @property
    def strands(self) -> Sequence[tuple[str, bool]]:
        """What goes on towards goals: whose it is, and whether it is that of a turn; nothing without a script."""
        ...

    def kept(self, state: S) -> tuple[Plans, Any] | None:
        """The meetings there are, and how they were kept so far; None if it is not this company that keeps them."""
        ...

    def eases(self, state: S) -> Floats:
        """(strands,) which share of its own speed each goes at; 0 for who is held."""
        ...

    def progress(self, state: S) -> Floats:
        """(strands,) where each is: a parameter of its path or of its facings, or what time it is by its clock [s]."""
        ...


@runtime_checkable
class Member(Protocol):
    """What steps together with all others of its kind. `tick`, its step [s], may be said, else it is 1/24."""

    @property
    def system_kind(self) -> "SystemKind":
        """The kind of system it steps in: "bodies", "splines", "clocks", or what makes a system of such movers."""
        ...


SystemFactory = Callable[[Mapping[str, Any], Surroundings], Company[Any]]
"""Makes a system of movers, by their names."""
SystemKind = str | SystemFactory
