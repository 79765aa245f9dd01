"""What does whoever moves somebody ask of a script? Rooms that do not know each other speak by these words.

What does a take tell of a script? A room that does not know scripts speaks of it by these words.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from keypose.maths import ArrayLike, Bools, Floats
from keypose.motion.facing import FaceForward
from keypose.motion.hierarchy import pose_to_3d
from keypose.motion.motion import Motion
from keypose.motion.pose import Pose
from keypose.motion.sync_records import Distances, SyncGraph, SyncRecords

if TYPE_CHECKING:
    from keypose.motion.events import Event

NO_STOP = 1e9  # the progress at which a channel without a stop stops
WAITING, ACTIVE, DONE, FAILED = 0, 1, 2, 3  # the states of a meeting
DelayReason = Callable[[tuple[str, bool], bool], str]
"""Describes why the channel of an actor, or that of its rotation, is blocked (True) or slow."""


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
    """Meetings as they are synchronized, for some ticks."""

    wants_delay_reason: bool
    """Whether a delay will be reported at the next regulation: its reason is worth finding."""

    @property
    def graph(self) -> SyncGraph:
        """All meetings, goals and channels."""
        ...

    @property
    def records(self) -> SyncRecords:
        """Their current state. Systems read it; `holds_target` of goals is theirs to write."""
        ...

    @property
    def is_due(self) -> bool:
        """Whether speeds are to be regulated now."""
        ...

    def begin(self, progress: Floats, time: float) -> None:
        """Activate the first meetings, with targets at `progress` (follower channels,)."""
        ...

    def set_initial_speeds(self, progress: Floats, distance_left: Floats, is_new: Bools, time: float) -> None:
        """Set new targets (follower channels,) to their speed factors, with `distance_left` (goals,) to their goals."""
        ...

    def advance_clock(self, dt: float) -> bool:
        """Advance by `dt` seconds; return whether arrivals are to be checked."""
        ...

    def update(self, progress: Floats, time: float, dt: float) -> bool:
        """Check arrivals of targets, and advance clocks by `dt` seconds; return whether stops have changed."""
        ...

    def regulate(self, progress: Floats, distances: Distances, time: float, delay_reason: DelayReason = ...) -> None:
        """Regulate all speeds."""
        ...

    def mark_bodies(self, distance_left: Floats, progress: Floats, time: float) -> None:
        """Check which bodies have already reached goals of meetings that have just become active."""
        ...

    @property
    def wants_bodies(self) -> bool:
        """Whether a meeting of bodies has just become active."""
        ...

    def freeze(self) -> Any:
        """The current state, read-only."""
        ...


class SyncPlanProtocol(Protocol):
    """A script with the actors in it."""

    @property
    def channels(self) -> Sequence[tuple[str, bool]]:
        """The actor of each channel, and whether it is that of its rotation; first the targets of followers."""
        ...

    @property
    def follower_channels(self) -> int:
        """How many channels are targets of followers; the others are clocks."""
        ...

    @property
    def clocked_motions(self) -> Mapping[str, TimedMotion]:
        """The motions with clocks of their own, in the order of these."""
        ...

    def initial_state(self, time: float, before: Any = None) -> Any:
        """The state at a time [s]; `before` is the plan until then with its state, which continues."""
        ...

    def synchronizer(self, state: Any) -> SynchronizerProtocol:
        """A synchronizer that continues from a state."""
        ...

    def events(self, state: Any) -> "Sequence[Event]":
        """All events so far."""
        ...

    def speed_factors(self, state: Any) -> Floats:
        """(channels,) of the nominal speed; 0 at a stop."""
        ...

    def clock_times(self, state: Any) -> Floats:
        """(clocks,) the time of each motion with a clock of its own [s]."""
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
