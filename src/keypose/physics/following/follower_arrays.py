"""All followers of a system as arrays for kernels: gains, limits and paths, and their state before the first step."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from keypose.curves import MotionPath
from keypose.maths import Floats, RecordArray
from keypose.motion import NO_STOP
from keypose.physics.following.follower_state import FOLLOWER, FOLLOWER_STATE, FollowerPaths
from keypose.physics.following.force_law import Gains
from keypose.physics.values.connections import Reach
from keypose.physics.values.movers import Follow

MAX_TARGET_SPEED_RATIO = 3.0  # times the speed it settles at: how far a target may go at once
SAMPLES_PER_SEGMENT = 64  # facings of each segment that a turning target is looked for among
MAX_DISTURBANCE_WEIGHTS = 2.0  # how many times gravity can be made up for, beside what the pull itself could

AT_REST_FRACTION = (
    0.25  # of how far its target keeps ahead: a body that comes to rest so near to where that ends is there
)
MIN_MOVE_FRACTION = 0.02  # of how far its target keeps ahead, and of a segment: what counts as a move
MIN_STALL_TIME = 0.75  # [s] without a move before somebody is stuck; longer for those who are slow themselves


@dataclass(frozen=True, eq=False)
class FollowerArrays:
    """All followers of a system, a record each, and their paths."""

    names: tuple[str, ...]
    specs: RecordArray
    """(n,) of `FOLLOWER`."""
    cubics: Floats
    """(segments, 4, 3): the factors of 1, s, s², s³."""
    orientation_samples: Floats
    """(segments · SAMPLES_PER_SEGMENT + 1 each, 4)"""

    @classmethod
    def of(
        cls, followers: "Mapping[str, Follow | Reach]", body_rows: Sequence[int], gravity: float
    ) -> "FollowerArrays":
        """These followers, whose bodies are these of the moving bodies."""
        specs = np.zeros(len(followers), FOLLOWER)
        cubics, orientation_samples = [np.empty((0, 4, 3))], [np.empty((0, 4))]
        first_segment = first_sample = 0
        for row, (body_row, follow) in enumerate(zip(body_rows, followers.values(), strict=True)):
            eagerness, damping = follow.pull
            k, c = Gains.of(eagerness, damping, follow.reaction)
            within, turn_within = follow.within, np.radians(follow.turn_within)
            segments, samples = segment_cubics(follow.path), sample_orientations(follow.path)
            max_speed_ratio = MAX_TARGET_SPEED_RATIO * eagerness / (damping * follow.reaction)
            settling_time = follow.reaction / (2 * damping)
            spec = specs[row]
            spec.body_row, spec.stiffness, spec.damping = body_row, k, c
            spec.within, spec.max_target_speed = within, max_speed_ratio * within
            spec.turn_within, spec.max_turn_speed = turn_within, max_speed_ratio * turn_within
            spec.stall_time = max(MIN_STALL_TIME, 4 * MIN_MOVE_FRACTION * within / follow.pace, 3 * settling_time)
            spec.filter_time = follow.correction or 0.0
            spec.max_disturbance = k * within + MAX_DISTURBANCE_WEIGHTS * gravity
            spec.max_angular_disturbance = k * turn_within
            spec.first_segment, spec.segment_count = first_segment, len(segments)
            spec.first_sample, spec.sample_count = first_sample, len(samples)
            spec.closed = follow.path.closed
            cubics.append(segments)
            orientation_samples.append(samples)
            first_segment, first_sample = first_segment + len(segments), first_sample + len(samples)
        return cls(tuple(followers), specs, np.concatenate(cubics), np.concatenate(orientation_samples))

    @cached_property
    def paths(self) -> FollowerPaths:
        """What kernels read."""
        return FollowerPaths(self.specs, self.cubics, self.orientation_samples)

    def initial_state(self) -> RecordArray:
        """The state of each follower before its first step, (n,) of `FOLLOWER_STATE`."""
        followers = np.zeros(len(self.names), FOLLOWER_STATE)
        followers["is_new"] = True
        followers["speed_factor"] = followers["turn_speed_factor"] = 1.0
        followers["stop_at"] = followers["turn_stop_at"] = followers["closest"] = followers["recent_closest"] = NO_STOP
        followers["target"] = self.cubics[self.specs["first_segment"], 0]
        return followers

    def initialize_disturbance(
        self, followers: RecordArray, gravity: Sequence[float], attached_rows: Collection[int]
    ) -> None:
        """Set the disturbance of new followers that compensate one to gravity, or they would drop before they learn it.

        Bodies in contact are left out, as something else may carry them; so are driven limbs, see `Actuation`.
        """
        is_new = followers["is_new"] & (self.specs["filter_time"] > 0.0)
        followers["disturbance"][is_new & ~np.isin(self.specs["body_row"], list(attached_rows))] = gravity

    def resume_follower(
        self, row: int, previous: "FollowerArrays", previous_row: int, follower: Any, is_same: bool = False
    ) -> Any:
        """The state of a follower that continues on this path, no farther than the path goes.

        Laps of a closed path are counted on where it has as many segments as before. Weakness is reported anew of a
        limb that is not the same.
        """
        resumed, spec, previous_spec = follower.copy(), self.specs[row], previous.specs[previous_row]
        count = spec.segment_count
        has_same_laps = spec.closed and previous_spec.closed and previous_spec.segment_count == count
        if not has_same_laps:
            resumed.u, resumed.turn_u = (
                u % count if spec.closed else min(u, count) for u in (follower.u, follower.turn_u)
            )
        resumed.stall_u, resumed.turn_stall_u, resumed.weak_u = resumed.u, resumed.turn_u, resumed.u
        resumed.weak_for, resumed.closest, resumed.recent_closest = 0.0, NO_STOP, NO_STOP
        if not is_same:
            resumed.weak_report = 0
        resumed.speed_factor = resumed.turn_speed_factor = 1.0  # unless a script changes them
        resumed.stop_at = resumed.turn_stop_at = NO_STOP
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


def sample_orientations(path: MotionPath) -> Floats:
    """The orientations of a path, SAMPLES_PER_SEGMENT for each segment and one more; none where it has none."""
    if path.geometry.turns is None:
        return np.empty((0, 4))
    return np.asarray(path.orientation_at(np.linspace(0.0, path.segments, path.segments * SAMPLES_PER_SEGMENT + 1)))


def _to_3d(values: Floats) -> Floats:
    return values if values.shape[-1] == 3 else np.concatenate([values, np.zeros((len(values), 1))], axis=1)
