"""Who follows which path, and how eagerly? Said once as arrays, over which a compiled loop runs at every step."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keypose.curves import MotionPath
from keypose.maths import Floats, Ints
from keypose.motion import NO_STOP
from keypose.physics.following.force_law import Gains
from keypose.physics.values.connections import Reach
from keypose.physics.values.movers import Follow

MAX_TARGET_SPEED_RATIO = 3.0  # times the speed it settles at: how far a target may go at once
SAMPLES_PER_SEGMENT = 64  # facings of each segment that a turning target is looked for among
MAX_DISTURBANCE_WEIGHTS = 2.0  # how many times gravity can be made up for, beside what the pull itself could

# The columns of what is remembered of each follower; first what all need, so that it is read together.
U, TURN_U, IS_NEW, STALLED_FOR, STALL_REPORTED, STALL_U = 0, 1, 2, 3, 4, 5
STALL_POSITION, VELOCITY, ACCEL_CMD, DISTURBANCE, TARGET, PATH_VELOCITY = 6, 9, 12, 15, 18, 21  # three numbers each
SPEED_FACTOR, STOP_AT = (
    24,
    25,
)  # the share of its own speed it goes at, and where its target stops: for those who meet others
ANGULAR_VELOCITY, ANGULAR_ACCEL_CMD, ANGULAR_DISTURBANCE, PATH_ANGULAR_VELOCITY = 26, 29, 32, 35  # of those who turn
TURN_STALLED_FOR, TURN_STALL_REPORTED, TURN_STALL_U, STALL_ORIENTATION = 38, 39, 40, 41  # the last are four numbers
TURN_SPEED_FACTOR, TURN_STOP_AT = 45, 46
RAW_PATH_VELOCITY, RAW_PATH_ANGULAR_VELOCITY = 47, 50  # of paths that others carry: how they were seen to move
WEAK_FOR, WEAK_REPORTED, WEAK_U, CLOSEST, RECENT_CLOSEST = 53, 54, 55, 56, 57  # of limbs whose muscles are too weak
COLUMN_COUNT = 58
AT_REST_FRACTION = (
    0.25  # of how far its target keeps ahead: a body that comes to rest so near to where that ends is there
)
MIN_MOVE_FRACTION = 0.02  # of how far its target keeps ahead, and of a segment: what counts as a move
MIN_STALL_TIME = 0.75  # [s] without a move before somebody is stuck; longer for those who are slow themselves


@dataclass(frozen=True, eq=False)
class FollowerArrays:
    """All followers of a company, a row each."""

    names: tuple[str, ...]
    body_rows: Ints
    """Which of the moving bodies they are."""
    gains: Floats
    """(n, 2): k and c."""
    lead_limits: Floats
    """(n, 4): within [m] and how far a target goes at most [m/s]; the same of its turn [rad], [rad/s]."""
    stall_time: Floats
    """(n,) [s] without a move before one is stuck."""
    disturbance_limits: Floats
    """(n, 3): filter [s], or 0 for none; the most that is made up for [m/s²], and of a turn [rad/s²] without a load."""
    segment_ranges: Ints
    """(n, 4): where its segments begin and how many they are; the same of its facings, none of which is 0."""
    closed: NDArray[np.bool_]
    cubics: Floats
    """(segments, 4, 3): what 1, s, s², s³ is taken times."""
    orientation_samples: Floats
    """(segments · SAMPLES_PER_SEGMENT + 1 each, 4)"""

    @classmethod
    def of(
        cls, followers: "Mapping[str, Follow | Reach]", body_rows: Sequence[int], gravity: float
    ) -> "FollowerArrays":
        """These, who are these of the moving bodies."""
        gains, lead_limits, stall_time, disturbance_limits, segment_ranges, closed = [], [], [], [], [], []
        cubics, orientation_samples = [np.empty((0, 4, 3))], [np.empty((0, 4))]
        first_segment = first_sample = 0
        for follow in followers.values():
            eagerness, damping = follow.pull
            k, c = Gains.of(eagerness, damping, follow.reaction)
            within, turn_within = follow.within, np.radians(follow.turn_within)
            segments, samples = segment_cubics(follow.path), _sample_orientations(follow.path)
            gains.append((k, c))
            max_speed_ratio = MAX_TARGET_SPEED_RATIO * eagerness / (damping * follow.reaction)
            lead_limits.append((within, max_speed_ratio * within, turn_within, max_speed_ratio * turn_within))
            settling_time = follow.reaction / (2 * damping)
            stall_time.append(max(MIN_STALL_TIME, 4 * MIN_MOVE_FRACTION * within / follow.pace, 3 * settling_time))
            max_gravity = MAX_DISTURBANCE_WEIGHTS * gravity
            disturbance_limits.append((follow.correction or 0.0, k * within + max_gravity, k * turn_within))
            segment_ranges.append((first_segment, len(segments), first_sample, len(samples)))
            closed.append(follow.path.closed)
            cubics.append(segments)
            orientation_samples.append(samples)
            first_segment, first_sample = first_segment + len(segments), first_sample + len(samples)
        return cls(
            tuple(followers),
            np.array(body_rows, dtype=np.int64),
            np.array(gains).reshape(-1, 2),
            np.array(lead_limits).reshape(-1, 4),
            np.array(stall_time),
            np.array(disturbance_limits).reshape(-1, 3),
            np.array(segment_ranges, dtype=np.int64).reshape(-1, 4),
            np.array(closed, dtype=np.bool_),
            np.concatenate(cubics),
            np.concatenate(orientation_samples),
        )

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """All that is said, as a compiled loop takes it."""
        parameters = (self.body_rows, self.gains, self.lead_limits, self.stall_time, self.disturbance_limits)
        return (*parameters, self.segment_ranges, self.closed, self.cubics, self.orientation_samples)

    def initial_state(self) -> Floats:
        """What is remembered at first, (n, COLUMN_COUNT)."""
        followers = np.zeros((len(self.names), COLUMN_COUNT))
        followers[:, IS_NEW] = followers[:, SPEED_FACTOR] = followers[:, TURN_SPEED_FACTOR] = 1.0
        followers[:, STOP_AT] = followers[:, TURN_STOP_AT] = followers[:, CLOSEST] = followers[:, RECENT_CLOSEST] = (
            NO_STOP
        )
        followers[:, TARGET : TARGET + 3] = self.cubics[self.segment_ranges[:, 0], 0]
        return followers

    def initialize_disturbance(
        self, followers: Floats, gravity: Sequence[float], attached_rows: Collection[int]
    ) -> None:
        """Let those who are new and make up for what lasts know their weight, or all would drop before they learn it.

        Not those who lie on something: who knows what carries them? Nor those who hang on others, see `Actuation`.
        """
        is_new = (followers[:, IS_NEW] != 0.0) & (self.disturbance_limits[:, 0] > 0.0)
        new_rows = np.flatnonzero(is_new & ~np.isin(self.body_rows, list(attached_rows)))
        followers[new_rows, DISTURBANCE : DISTURBANCE + 3] = gravity

    def resume_follower(
        self, row: int, previous: "FollowerArrays", previous_row: int, follower: Floats, is_same: bool = False
    ) -> Floats:
        """What was remembered of a follower, for one who goes on along this path: no farther than that goes.

        Rounds of a closed path are counted on where it has as many segments as before. That it is too weak is told anew
        of a limb that is not the same.
        """
        resumed, segment_count = follower.copy(), self.segment_ranges[row, 1]
        keeps_laps = (
            self.closed[row]
            and previous.closed[previous_row]
            and previous.segment_ranges[previous_row, 1] == segment_count
        )
        for column in () if keeps_laps else (U, TURN_U):
            resumed[column] = (
                resumed[column] % segment_count if self.closed[row] else min(resumed[column], segment_count)
            )
        resumed[STALL_U], resumed[TURN_STALL_U] = resumed[U], resumed[TURN_U]
        resumed[WEAK_FOR], resumed[WEAK_U], resumed[[CLOSEST, RECENT_CLOSEST]] = 0.0, resumed[U], NO_STOP
        if not is_same:
            resumed[WEAK_REPORTED] = 0.0
        resumed[[SPEED_FACTOR, TURN_SPEED_FACTOR]], resumed[[STOP_AT, TURN_STOP_AT]] = (
            1.0,
            NO_STOP,
        )  # unless a script says otherwise
        return resumed


def segment_cubics(path: MotionPath) -> Floats:
    """The segments of a path as polynomials (segments, 4, 3)."""
    count = path.segments
    first, last = (np.asarray(path.at(np.arange(float(count)) + end)) for end in (0.0, 1.0))
    keys = np.arange(count)
    leave, arrive = np.asarray(path.leave)[keys], np.asarray(path.arrive)[(keys + 1) % len(path)]
    first, last, leave, arrive = (_to_3d(values) for values in (first, last, leave, arrive))
    return np.stack(
        [first, leave, 3 * (last - first) - 2 * leave - arrive, 2 * (first - last) + leave + arrive], axis=1
    )


def _sample_orientations(path: MotionPath) -> Floats:
    if path.turns is None:
        return np.empty((0, 4))
    return np.asarray(path.orientation_at(np.linspace(0.0, path.segments, path.segments * SAMPLES_PER_SEGMENT + 1)))


def _to_3d(values: Floats) -> Floats:
    return values if values.shape[-1] == 3 else np.concatenate([values, np.zeros((len(values), 1))], axis=1)
