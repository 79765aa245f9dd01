"""Which way is up for a key? Keys live in the frame of what carries them, or of what their actor stands on.

A page moves them in the world, each as it is shown: at the moment it is passed. A carried key turns with its carrier
until it is passed; then it is pinned, and its frame is that of its carrier at that moment (GL95 §6.3).
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TypeVar

import numpy as np

from keypose.curves import CarrierFrames as Carriers
from keypose.curves import MotionPath, Orientation
from keypose.maths import Floats, parse_number
from keypose.motion import RelativeKeySystem
from keypose.stage import Moment, PoseEvaluator, Run, Stage
from keypose.studio.edits.motions import motion_of
from keypose.studio.edits.rough_path import rough_path_of
from keypose.studio.preview.key_passes import is_simulated, passing_times

Q = TypeVar("Q")
A = TypeVar("A")

IDENTITY = Orientation.of((1.0, 0.0, 0.0, 0.0))
CACHE_SIZE = 4  # hands that drag at once
MAX_TICKS = 5_000  # that are played to see where what takes ticks carries a key


class KeyFrameOrientations:
    """How the frames of some of an actor's keys are turned in the world: each when it is passed, or all at one time."""

    def __init__(self, stage: Stage, name: str, keys: Sequence[int], time: float | None = None) -> None:
        self._stage, self._actor, self._keys = stage, stage[name], list(keys)
        self._time = None if time is None else parse_number(time, "The moment at which keys are moved")
        self._orientations: dict[str, Floats] = {}

    def orientation(self, key: int) -> Orientation:
        """How the frame of a key is turned."""
        rough_path = rough_path_of(self._stage, self._actor.name)
        if rough_path is not None:
            return self._rough_path_orientation(rough_path, key)
        carrier = None if not self._actor.carriers else self._actor.keys[key].relative_to
        if carrier is not None:
            return self._pinned_orientation(key) or self._actor_orientation(carrier, key)
        return IDENTITY if self._actor.parent is None else self._actor_orientation(self._actor.parent, key)

    def _rough_path_orientation(self, path: MotionPath, key: int) -> Orientation:
        """Of a key of a rough path: a body that races is where it is at one moment, and so are its carried keys."""
        carriers = path.keys.column("relative_to")
        if carriers is None or carriers[key] is None:
            return IDENTITY
        frames = carrier_frames_at(simulate_moment(self._stage, self._time or 0.0))[self._actor.name]
        return Orientation.of(frames.orientation[0, sum(one is not None for one in carriers[:key])])

    def to_local(self, key: int, vector: tuple[float, float, float]) -> Floats:
        """A way in the world as the key's own frame sees it, (3,)."""
        orientation = self.orientation(key)
        return np.array(vector, dtype=np.float64) if orientation is IDENTITY else orientation.inverse().rotate(vector)

    def _actor_orientation(self, name: str, key: int) -> Orientation:
        """How another is turned at the key's moment; asked once for all keys."""
        if name not in self._orientations:
            self._orientations[name] = (
                self._stage.resolved.evaluator(self._times).pose(name).orientation
                if self._simulated_moments is None
                else np.concatenate([moment.evaluator.pose(name).orientation for moment in self._simulated_moments])
            )
        return Orientation.of(self._orientations[name][self._key_rows[key]])

    def _pinned_orientation(self, key: int) -> Orientation | None:
        """How its carrier was turned when the key was passed, if it stayed there."""
        meeting, name, row = (
            self._stage.resolved.relative_keys.relative_motion(self._actor.name),
            self._actor.name,
            self._key_rows[key],
        )
        pass_log = (
            self._stage.resolved.relative_keys.pass_log(name)
            if self._simulated_moments is None
            else self._simulated_moments[row].pass_log(name)
        )
        relative_index = int(np.searchsorted(meeting.relative_path.relative_keys, key))
        passed_at = pass_log.passed_at[meeting.distance_key_indices[relative_index]]
        if (
            not meeting.pin_flags[relative_index]
            or not pass_log.is_pinned[relative_index]
            or self._times[row] < passed_at
        ):
            return None
        return Orientation.of(pass_log.carrier_orientations[relative_index])

    @cached_property
    def _key_rows(self) -> dict[int, int]:
        return {key: row for row, key in enumerate(self._keys)}

    @cached_property
    def _times(self) -> Floats:
        """The moment of each key [s], (keys,)."""
        if self._time is not None:
            return np.full(len(self._keys), self._time)
        return _passing_times(self._stage, self._actor.name)[self._keys]

    @cached_property
    def _simulated_moments(self) -> list[Moment] | None:
        """A stage that takes ticks at the moment of each key."""
        return (
            _cached_moments(self._stage, self._times) if is_simulated(self._stage.resolved, self._actor.name) else None
        )


def carrier_frames_at(moment: Moment) -> Mapping[str, Carriers]:
    """In which frames the carried keys of those stand who race along rough paths, at a moment of a run."""
    systems = [
        (system_state.system, system_state.state)
        for system_state in moment.system_states.values()
        if isinstance(system_state.system, RelativeKeySystem)
    ]
    return {name: frames for system, state in systems for name, frames in system.carrier_frames(state).items()}


def simulate_moment(stage: Stage, time: float) -> Moment:
    """The moment [s] of a stage that takes ticks, played up to there."""
    return _cached_moments(stage, np.array([time]))[0]


def simulate_poses(stage: Stage, time: float) -> PoseEvaluator:
    """A stage that takes ticks, played up to a moment [s]."""
    return simulate_moment(stage, time).evaluator


def _passing_times(stage: Stage, name: str) -> Floats:
    """When the keys of an actor are passed. A drag asks the same again and again."""
    return _cache_lookup(_PASSING_TIMES_CACHE, stage, name, lambda: passing_times(stage, name, motion_of(stage, name)))


def _cached_moments(stage: Stage, times: Floats) -> list[Moment]:
    """A stage that takes ticks, played up to each of some moments [s]."""
    return _cache_lookup(_MOMENTS_CACHE, stage, tuple(times.tolist()), lambda: simulate_moments(stage, times.tolist()))


def simulate_moments(stage: Stage, times: list[float]) -> list[Moment]:
    """A stage simulated up to each of some times [s]."""
    run, by_time = Run(stage), {}
    for time in sorted(set(times)):
        while run.time + stage.resolved.tick <= time and run.ticks < MAX_TICKS:
            run.tick()
        by_time[time] = run.moment
    return [by_time[time] for time in times]


def _cache_lookup(cache: list[tuple[Stage, Q, A]], stage: Stage, cache_key: Q, compute: Callable[[], A]) -> A:
    """What was answered to this question about this stage, or is now; the last few answers are kept, latest first."""
    for slot, (cached_stage, cached_key, cached_value) in enumerate(cache):
        if cached_stage is stage and cached_key == cache_key:
            cache.insert(0, cache.pop(slot))
            return cached_value
    value = compute()
    cache[:] = [(stage, cache_key, value), *cache[: CACHE_SIZE - 1]]
    return value


_PASSING_TIMES_CACHE: list[tuple[Stage, str, Floats]] = []
_MOMENTS_CACHE: list[tuple[Stage, tuple[float, ...], list[Moment]]] = []
