"""Who steps together? Movers that act on each other are worked out in one go, as a company of all of them on a stage.

A member is a small frozen value that says what its company is made of. The company has one state for everybody, which a
step replaces and never alters, as movers do; so it can be rewound and changed while it runs.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar, runtime_checkable

from keypose.curves import CarrierFrames
from keypose.maths import Floats
from keypose.motion.events import Event
from keypose.motion.pose import Pose
from keypose.motion.sensing_protocol import SensingFactory
from keypose.motion.sync_protocol import SyncPlanProtocol

S = TypeVar("S")


@dataclass(frozen=True)
class SystemContext:
    """What is said on a stage beside the members of a company."""

    names: Sequence[str]
    """Everybody on the stage."""
    fields: Mapping[str, Any]
    """What pushes, by its name."""
    child_actors: Collection[str] = ()
    """Those who stand on somebody else; all others stand in the world."""
    bodies: Mapping[str, Any] = field(default_factory=dict)
    """What those can be bumped into whom motions move."""
    gravity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """[m/s²]"""
    connections: Sequence[Any] = ()
    """What holds bodies together."""
    sensing: SensingFactory | None = None
    """What tells those who are no field's own what fields do to them."""
    script: SyncPlanProtocol | None = None
    """The meetings of members of this company."""


@dataclass(frozen=True)
class StepContext:
    """What a company sees before it steps: everybody at one moment, the last tick, in the world."""

    time: float
    """[s]"""
    pose: Callable[[str], Pose]
    """Where anybody is whom a member watches; a drawing by its middle."""
    parent_pose: Callable[[str], Pose | None]
    """What a member stands on; None for the world."""
    past_poses: Callable[[str, Floats], Pose | None]
    """Where somebody was at earlier times (n,); None if that takes ticks itself."""
    previous_sync: tuple[SyncPlanProtocol, Any] | None = None
    """Before a change: the meetings there were, and how they were kept until then."""


class System(Protocol[S]):
    """All members of one kind on a stage.

    A system whose states are finite, read-only and never changed may have `freezes_state = True`: they are kept as they
    are. All other states are copied and checked.
    """

    @property
    def watches(self) -> Mapping[str, tuple[str, ...]]:
        """Whom each member looks at by the outlook: fellow members it knows by the state, and need not name."""
        ...

    def initial_poses(self) -> Mapping[str, Pose]:
        """Where everybody is at its first moment, each in the frame it stands in, without looking at anybody."""
        ...

    def begin(self, context: StepContext) -> S:
        """The state of all at their first moment."""
        ...

    def resume(self, context: StepContext, before: Any, state: S) -> S:
        """The state of all where the company was `before`, one of its sort: who is new begins, the others go on."""
        ...

    def step(self, state: S, context: StepContext, dt: float) -> S:
        """The state `dt` seconds after `context.time`: a new one, the old one stays as it was."""
        ...

    def poses(self, state: S) -> Mapping[str, Pose]:
        """Where everybody is, each in the frame it stands in."""
        ...

    def between(self, before: S, after: S, fraction: float) -> Mapping[str, Pose]:
        """Where everybody is at a share of the way between two ticks."""
        ...

    def events(self, state: S) -> tuple[Event, ...]:
        """What was worth telling so far."""
        ...


@runtime_checkable
class BatchSystem(System[S], Protocol[S]):
    """A company that can take many ticks at once, where nobody else takes any."""

    def step_many(self, state: S, context: StepContext, times: Floats, dt: float) -> tuple[S, S]:
        """The states at the last two of these times, from the first on: to the bit as by steps of `dt` seconds."""
        ...

    def stack_frames(self, frames: Sequence[Mapping[str, Pose]]) -> Mapping[str, Pose]:
        """Where everybody is in each of some frames, which `poses` or `between` gave."""
        ...


@runtime_checkable
class RelativeKeySystem(Protocol):
    """A company some of whose members race along paths with keys that others carry."""

    def carrier_frames(self, state: Any, /) -> Mapping[str, CarrierFrames]:
        """In which frames the carried keys of each such member stand."""


@runtime_checkable
class TargetSystem(System[S], Protocol[S]):
    """A company some of whom race a target."""

    @property
    def followers(self) -> tuple[str, ...]:
        """Who races a target."""
        ...

    def targets(self, state: S) -> Floats:
        """Where their targets are, in the world, (racers, 3)."""
        ...

    def target_parameters(self, state: S) -> Mapping[str, tuple[float, float, int]]:
        """Where the targets of their places and turns are, and of how many segments each goes round; 0 if not."""
        ...


@runtime_checkable
class SyncSystem(System[S], Protocol[S]):
    """A company some of whom keep appointments."""

    @property
    def channels(self) -> Sequence[tuple[str, bool]]:
        """What goes on towards goals: whose it is, and whether it is that of a turn; nothing without a script."""
        ...

    def sync_state(self, state: S) -> tuple[SyncPlanProtocol, Any] | None:
        """The meetings there are, and how they were kept so far; None if it is not this company that keeps them."""
        ...

    def speed_factors(self, state: S) -> Floats:
        """(strands,) which share of its own speed each goes at; 0 for who is held."""
        ...

    def progress(self, state: S) -> Floats:
        """(strands,) where each is: a parameter of its path or of its facings, or what time it is by its clock [s]."""
        ...


@runtime_checkable
class SystemMover(Protocol):
    """What steps together with all others of its kind. `tick`, its step [s], may be said, else it is 1/24."""

    @property
    def system_kind(self) -> "SystemKind":
        """The kind of system it steps in: "bodies", "splines", "clocks", or what makes a system of such movers."""
        ...


SystemFactory = Callable[[Mapping[str, Any], SystemContext], System[Any]]
"""Makes a system of movers, by their names."""
SystemKind = str | SystemFactory
