"""Protocols between a script and the systems that simulate, and the records that they share (LG95 §5).

`SyncGraph` holds what a script gives, `SyncRecords` its state from tick to tick. A channel is what goes on towards
goals: the target of a follower's position or of its rotation, or the clock of a motion. Channels of followers come
first.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from keypose.maths import ArrayLike, Bools, Floats, Ints, RecordArray, copy_records, record_dtype
from keypose.motion.facing import FaceForward
from keypose.motion.hierarchy import pose_to_3d
from keypose.motion.motion import Motion
from keypose.motion.pose import Pose

if TYPE_CHECKING:
    from keypose.motion.events import Event

NO_STOP = 1e9  # the progress at which a channel without a stop stops
WAITING, ACTIVE, DONE, FAILED = 0, 1, 2, 3  # the states of a meeting
DelayReason = Callable[[tuple[str, bool], bool], str]
"""Describes why the channel of an actor, or that of its rotation, is blocked (True) or slow."""


NOT_REACHED = -1.0  # the time at which a goal is reached that is not reached yet

MEETING = record_dtype(
    [
        ("first_goal", np.int64),
        ("end_goal", np.int64),
        ("first_parent", np.int64),  # of the meetings it comes after
        ("end_parent", np.int64),
        ("need", np.int64),  # how many parents must be done
        ("patience", np.float64),  # [s]
        ("waits_for_bodies", np.bool_),
        ("is_gate", np.bool_),
    ],
)

GOAL = record_dtype(
    [
        ("channel", np.int64),
        ("meeting", np.int64),
        ("rank", np.int64),  # its index in `SyncGraph.channel_goals`
        ("progress", np.float64),  # the path parameter, or the time of a clock [s]
    ],
)

CHANNEL = record_dtype(
    [
        ("nominal_speed", np.float64),  # [m/s], [rad/s], or seconds per second
        ("min_speed_factor", np.float64),
        ("reaction", np.float64),  # time constant of speed changes [s]
        ("first_rank", np.int64),
        ("end_rank", np.int64),
    ],
)

MEETING_STATE = record_dtype(
    [
        ("state", np.int64),  # WAITING, ACTIVE, DONE or FAILED
        ("late_for", np.float64),  # for how long a participant hardly moves [s]
        ("blocked_for", np.float64),  # for how long a participant stands still [s]
        ("waiting_for", np.float64),  # for how long other meetings stop a participant [s]
        ("time_left", np.float64),  # until it is done, when speeds were last regulated [s]
        ("delay_event", np.int64),  # found when speeds were last regulated, see `script.sync.rules.delays`
    ],
)

GOAL_STATE = record_dtype(
    [
        ("reached_at", np.float64),  # [s], or NOT_REACHED
        ("previous_distance", np.float64),  # when speeds were last regulated; infinite before that
        ("own_time", np.float64),  # in which its participant reaches it at nominal speed [s], or NO_TIME
        ("delay_cause", np.int64),  # see `script.sync.rules.delays`
        ("is_early", np.bool_),  # its target stops for the others, or its body has arrived and waits for them
        ("is_reported", np.bool_),  # whether the event of its arrival has been added
        ("holds_target", np.bool_),  # its target stays there until its body has arrived: its path leads back
    ],
)

CHANNEL_STATE = record_dtype(
    [
        ("efficiency", np.float64),  # measured speed per commanded speed
        ("speed_factor", np.float64),  # of its nominal speed
        ("stop_at", np.float64),  # the progress at which it stops, or NO_STOP
        ("last_progress", np.float64),  # when speeds were last regulated
    ],
)

CLOCK_STATE = record_dtype(
    [
        ("time", np.float64),  # [s]
        ("rate", np.float64),  # seconds per second
        ("wait", np.float64),  # until the others let it pass its stop [s]
    ],
)


class SyncGraph(NamedTuple):
    """All meetings, goals and channels of a plan, and how they are connected."""

    meetings: RecordArray
    """(meetings,) of `MEETING`."""
    goals: RecordArray
    """(goals,) of `GOAL`, meeting by meeting."""
    channels: RecordArray
    """(channels,) of `CHANNEL`."""
    channel_goals: Ints
    """(goals,) the goals in the order of their progress, channel by channel."""
    parents: Ints
    """The meetings that each comes after, meeting by meeting."""
    follower_channels: int
    """How many channels are targets of followers; the others are clocks."""


class SyncRecords(NamedTuple):
    """The state of all meetings, goals, channels and clocks."""

    meetings: RecordArray
    """(meetings,) of `MEETING_STATE`."""
    goals: RecordArray
    """(goals,) of `GOAL_STATE`."""
    channels: RecordArray
    """(channels,) of `CHANNEL_STATE`."""
    clocks: RecordArray
    """(clocks,) of `CLOCK_STATE`."""

    def copy(self) -> "SyncRecords":
        """The same values in arrays of their own."""
        return SyncRecords(*map(copy_records, self))


class Distances(NamedTuple):
    """How far channels went since speeds were last regulated, and how far they have to go."""

    travelled: Floats
    """(channels,) [m], [rad] or [s]. Less than 0 for a target at its end, or that waits for a body that was pushed
    away: minus the speed of that body, minus a tolerance."""
    distance_left: Floats
    """(goals,) to each goal of an active meeting; for a meeting of bodies that of the body."""


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
