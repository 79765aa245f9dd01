"""What does whoever moves somebody ask of a script? Rooms that do not know each other speak by these words.

What does a take tell of a script? A room that does not know scripts speaks of it by these words.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from keypose.maths import ArrayLike, Bools, Floats, Ints
from keypose.motion.facing import FaceForward
from keypose.motion.hierarchy import pose_to_3d
from keypose.motion.motion import Motion
from keypose.motion.pose import Pose

if TYPE_CHECKING:
    from keypose.motion.events import Event

NO_STOP = 1e9  # where nobody is held
WAITING, ACTIVE, DONE, FAILED = 0, 1, 2, 3  # the states of a meeting
GoalArrays = tuple[Ints, Floats, Ints, Bools, Ints, Bools, Bools]
DelayReason = Callable[[tuple[str, bool], bool], str]
"""Tells of a strand, whose it is and whether it is that of a turn, why it stands, or only hardly moves."""


@dataclass(frozen=True)
class TimedMotion:
    """A motion that is played by a clock of its own, and how it looks forward if it does."""

    motion: Motion
    facing: FaceForward | None = None

    def at(self, t: ArrayLike) -> Pose:
        """Its pose in space when its clock shows t [s], or as many poses."""
        pose = pose_to_3d(self.motion.at(t))
        if self.facing is None:
            return pose
        times, orientations = np.atleast_1d(np.asarray(t, dtype=float)), pose.orientation.reshape(-1, 4)
        return Pose(
            pose.position,
            self.facing.orientations_along(self.motion, times, orientations).reshape(pose.orientation.shape),
        )


class SynchronizerProtocol(Protocol):
    """Appointments while they are kept, for some ticks."""

    speed_factor: Floats
    """(strands,) which share of its own speed each goes at"""
    stop_at: Floats
    """(strands,) where it has to stop"""
    last_progress: Floats
    """(strands,) where it was when speeds were last regulated"""
    clock: Floats
    """(clocks,) what time it is for each motion that goes by its own clock [s]"""

    wants_delay_reason: bool
    """Whether a delay is told of next time, so that it is worth while to see what is in somebody's way"""

    @property
    def goals(self) -> GoalArrays:
        """All goals: their strands, where they are, where those of each meeting begin, whose, states, who is early.

        The last says whose target stays there until its body has come: whoever moves them fills it.
        """
        ...

    @property
    def is_due(self) -> bool:
        """Whether speeds are to be regulated now."""
        ...

    def begin(self, progress: Floats, time: float) -> None:
        """Let the first meetings be active, where targets are at `progress` (races,)."""
        ...

    def set_initial_speeds(self, progress: Floats, distance_left: Floats, is_new: Bools, time: float) -> None:
        """Let targets that are new (races,) go at their shares from the first moment on; so far is `distance_left` to
        goals.
        """
        ...

    def advance_clock(self, dt: float) -> bool:
        """Let so many seconds pass; whether it is time to look."""
        ...

    def update(self, progress: Floats, time: float, dt: float) -> bool:
        """See who has come where, targets at `progress` (races,), clocks `dt` seconds later; whether holds changed."""
        ...

    def regulate(
        self, progress: Floats, travelled: Floats, distance_left: Floats, time: float, delay_reason: DelayReason = ...
    ) -> None:
        """Regulate all speeds."""
        ...

    def mark_bodies(self, distance_left: Floats, progress: Floats, time: float) -> None:
        """See which bodies have come already to goals of meetings that are active just now."""
        ...

    @property
    def wants_bodies(self) -> bool:
        """Whether a meeting of bodies has just become active: some may have come already."""
        ...

    def freeze(self) -> Any:
        """All of it as it is now, for good."""
        ...


class SyncPlanProtocol(Protocol):
    """A script, and those who act in it."""

    @property
    def channels(self) -> Sequence[tuple[str, bool]]:
        """What goes on towards goals: whose it is, and whether it is that of a turn; first those who race a target."""
        ...

    @property
    def follower_channels(self) -> int:
        """How many strands race a target; the others are clocks."""
        ...

    @property
    def clocked_motions(self) -> Mapping[str, TimedMotion]:
        """The motions that go by clocks of their own, in the order of these."""
        ...

    def initial_state(self, time: float, before: Any = None) -> Any:
        """What is kept from a time [s] on; `before` is another plan, and what was kept of it until then."""
        ...

    def synchronizer(self, state: Any) -> SynchronizerProtocol:
        """Appointments to be kept for some ticks, from this on."""
        ...

    def events(self, state: Any) -> "Sequence[Event]":
        """What was worth telling so far."""
        ...

    def speed_factors(self, state: Any) -> Floats:
        """(strands,) which share of its own speed each goes at; 0 for who is held."""
        ...

    def clock_times(self, state: Any) -> Floats:
        """(clocks,) what time it is for each motion that goes by its own clock [s]."""
        ...


@runtime_checkable
class ScriptReportProtocol(Protocol):
    """A script as it was kept while something was shot: see `script.report`."""

    @property
    def script(self) -> Any:
        """The script."""
        ...

    @property
    def times(self) -> Floats:
        """(frames,) [s]."""
        ...

    @property
    def speed_factors(self) -> Mapping[str, Floats]:
        """Which share of its own speed each went at, (frames,)."""
        ...

    @property
    def speeds(self) -> Mapping[str, Floats]:
        """How fast the target of each went, (frames,) [m/s]."""
        ...

    @property
    def nominal_speeds(self) -> Mapping[str, Floats]:
        """How fast it would have gone on its own, (frames,) [m/s]."""
        ...

    @property
    def meetings(self) -> Mapping[str, Any]:
        """What became of each meeting."""
        ...

    def state(self, meeting: str, t: float) -> str:
        """How a meeting was at a time [s]."""
        ...

    def waits(self, actor: str) -> tuple[tuple[float, float], ...]:
        """When somebody was slowed down or held: from when to when [s]."""
        ...
