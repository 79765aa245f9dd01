"""RecordArray of meetings: what a script gives, `SyncGraph`, and its state from tick to tick, `SyncRecords` (LG95 §5).

A channel is what goes on towards goals: the target of a follower's position or of its rotation, or the clock of a
motion. Channels of followers come first. The synchronizer and the system of bodies share these arrays.
"""

from typing import NamedTuple

import numpy as np

from keypose.maths import Floats, Ints, RecordArray, copy_records, record_dtype

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
