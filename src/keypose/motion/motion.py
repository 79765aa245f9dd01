"""Where is it at a given moment, and how fast? A path and a timing together (BH89, GL95 §5).

A motion is a pure function of time: any instant, any number of them, forwards or backwards, inside or outside its span.
How its timing is chosen from what was said is told in `timing_selection`.
"""

from collections.abc import Mapping
from dataclasses import FrozenInstanceError
from typing import Literal

import numpy as np

from keypose.curves import MotionPath
from keypose.errors import MAX_KEYS_IN_REPR, KeyposeError, short_repr
from keypose.maths import ArrayLike, Floats, parse_choice, parse_non_nan, parse_number
from keypose.motion.pose import Pose
from keypose.motion.timing_selection import select_timing
from keypose.timing import (
    CYCLE,
    MIRROR,
    NO_REPEAT,
    KeyTimeClock,
    KeyTimes,
    SpeedClock,
    SpeedProfile,
    check_finite,
    check_fps,
    fold_times,
    frame_times,
)

Outside = Literal["hold", "cycle", "mirror"]
INTERNAL_ATTRIBUTES = frozenset({"clock", "spec", "time_direction", "local_time", "local_velocity"})
"""For other modules and packages; not part of the public surface."""
OUTSIDE_MODES = ("hold", "cycle", "mirror")
LAP_SPANS: dict[Outside, float] = {"hold": NO_REPEAT, "cycle": CYCLE, "mirror": MIRROR}
MotionSpec = tuple[
    MotionPath, SpeedProfile | KeyTimes | None, float | None, float, tuple[tuple[str | int, float], ...], Outside
]

PARAMETER_STEP = 1e-6  # of a segment: where to look for how fast it turns if it stops at a key for an instant


class Motion:
    """A path travelled in time; immutable, compared by value.

    `timing` is a `SpeedProfile` or `KeyTimes`; without one the keys' own times hold, and without those a steady speed.
    `capture` puts keys at seconds under a profile. The motion's clock starts at `start`; its keys' times and captured
    seconds count from there. Outside its span it holds, cycles, or mirrors.
    """

    path: MotionPath
    timing: SpeedProfile | KeyTimes | None
    start: float
    outside: Outside
    clock: KeyTimeClock | SpeedClock
    """What runs along the path, in seconds from `start`: by key times, or by drawn speed. Internal, as what follows."""
    spec: MotionSpec
    """What it was made of: path, timing, duration, start, captured keys, outside."""

    def __init__(
        self,
        path: MotionPath,
        timing: SpeedProfile | KeyTimes | None = None,
        *,
        duration: float | None = None,
        start: float = 0.0,
        capture: Mapping[str | int, float] | None = None,
        outside: Outside = "hold",
    ) -> None:
        if not isinstance(path, MotionPath):
            raise KeyposeError(f"A motion was given {short_repr(path)} as its path. Give a MotionPath.")
        parse_choice(outside, OUTSIDE_MODES, "A motion has outside")
        start = parse_number(start, "A motion's start")
        derived, clock = select_timing(path, timing, duration, {} if capture is None else capture)
        index = path.keys.index
        seconds = {
            key if isinstance(key, str | int) else index(key): float(second) for key, second in (capture or {}).items()
        }
        ordered_capture = sorted(seconds.items(), key=lambda item: index(item[0]))
        spec = (path, timing, None if duration is None else float(duration), start, tuple(ordered_capture), outside)
        self.__dict__.update(path=derived, timing=timing, start=start, outside=outside, clock=clock, spec=spec)

    # ---- when ----------------------------------------------------------------------------------------------------

    @property
    def duration(self) -> float:
        """Seconds from its first moment to its last."""
        first, last = self.clock.span
        return last - first

    @property
    def span(self) -> tuple[float, float]:
        """Its first and its last moment [s]."""
        first, last = self.clock.span
        return self.start + first, self.start + last

    @property
    def key_times(self) -> Floats:
        """The moment [s] at which each key is first passed, (keys,)."""
        return self.start + self._local_key_times

    @property
    def capture(self) -> dict[str | int, float]:
        """The keys that were put at a second, and when."""
        return dict(self.spec[4])

    # ---- where, which way, how fast --------------------------------------------------------------------------------

    def at(self, t: ArrayLike) -> Pose:
        """The pose at time t [s]; an array of times gives as many poses."""
        times = parse_non_nan(t, "A time")
        flat_times = times.reshape(-1)
        if self.outside == "hold":  # both clocks hold by themselves
            local_time = np.require(flat_times - self.start if self.start else flat_times, requirements=["C", "W"])
        else:
            local_time, _ = self.local_time(flat_times)
        u = self._local_parameter(local_time).reshape(times.shape)
        return Pose.of(self.path.at(u), self.path.orientation_at(u))

    def velocity(self, t: ArrayLike) -> Floats:
        """dP/dt [m/s], (…, dim); at a key where it breaks, as it leaves. Zero while it holds."""
        times = parse_non_nan(t, "A time")
        return self.local_velocity(*self.local_time(times.reshape(-1))).reshape(times.shape + self.path.shape)

    def speed(self, t: ArrayLike) -> Floats:
        """Metres of distance covered per second at t; for drawings the root mean square over the points."""
        times = parse_non_nan(t, "A time")
        local_time, direction = self.local_time(times.reshape(-1))
        if isinstance(self.clock, KeyTimeClock):
            u = self._local_parameter(local_time)
            result = self.path.geometry.pace(u) * self._parameter_rate(u)
        else:
            result = self.clock.speed(local_time)
        return (result * np.abs(direction)).reshape(times.shape)[()]

    def angular_velocity(self, t: ArrayLike) -> Floats:
        """Angular velocity dθ/dt [rad/s], a vector in the carrier's frame, (…, 3)."""
        times = parse_non_nan(t, "A time")
        local_time, direction = self.local_time(times.reshape(-1))
        u = self._local_parameter(local_time)
        if isinstance(self.clock, KeyTimeClock):
            rate = self._parameter_rate(u)
        else:
            offset = np.where(u < self.path.segments, PARAMETER_STEP, -PARAMETER_STEP)
            u = np.where(self.path.geometry.pace(u) > 0, u, u + offset)
            pace, speed = self.path.geometry.pace(u), self.clock.speed(local_time)
            rate = np.divide(speed, pace, out=np.zeros_like(pace), where=pace > 0)
        return (self.path.angular_velocity(u) * (rate * direction)[:, None]).reshape(*times.shape, 3)

    def distance(self, t: ArrayLike) -> Floats:
        """How far along its path it is at t [m]."""
        times = parse_non_nan(t, "A time")
        local_time, _ = self.local_time(times.reshape(-1))
        if isinstance(self.clock, KeyTimeClock):
            return self.path.distance(self.clock.parameter(local_time).reshape(times.shape))
        return self.clock.distance(local_time).reshape(times.shape)[()]

    def parameter(self, t: ArrayLike) -> Floats:
        """The parameter u of its path at t."""
        times = parse_non_nan(t, "A time")
        local_time, _ = self.local_time(times.reshape(-1))
        return self._local_parameter(local_time).reshape(times.shape)[()]

    def time_direction(self, t: ArrayLike) -> Floats:
        """Which way it runs along its path at t: 1, -1 on the way back of a mirror, 0 while it holds."""
        times = parse_non_nan(t, "A time")
        return self.local_time(times.reshape(-1))[1].reshape(times.shape)[()]

    # ---- frames ----------------------------------------------------------------------------------------------------

    def frames(self, fps: float = 24) -> Pose:
        """All frames, both ends included: round(duration · fps) + 1 poses."""
        return self.at(self.frame_times(fps))

    def frame_times(self, fps: float = 24) -> Floats:
        """The moment of each frame [s]."""
        first, last = self.span
        times = first + frame_times(self.duration, fps)
        times[-1] = last  # exactly: one rounding later a motion that cycles would be back at its start
        return times

    def time_bar(self, fps: float = 24) -> Floats:
        """A stripe per frame: the distance [m] along the path at which each frame is taken (BH89 §6), (frames,)."""
        return np.asarray(self.distance(self.frame_times(fps)))

    # ---- edits -----------------------------------------------------------------------------------------------------

    def retimed(self, timing: SpeedProfile | KeyTimes) -> "Motion":
        """The same path with another timing; with a profile it starts when it did and takes as long as before."""
        path, _, _, start, capture, outside = self.spec
        if isinstance(timing, KeyTimes):
            return Motion(path, timing, start=start, outside=outside)
        if isinstance(self.clock, KeyTimeClock):
            start = self.span[0]
        return Motion(path, timing, duration=self.duration, start=start, capture=dict(capture), outside=outside)

    def nudged(self, key: str | int, frames: int, fps: float = 24) -> "Motion":
        """The motion with one key passed some frames later, or earlier if negative (BH89 §6).

        Under a profile the key is captured there: the speeds before and after it change, and may jump.
        """
        path, timing, _, start, capture, outside = self.spec
        index = path.keys.index(key)
        if isinstance(self.clock, KeyTimeClock):
            key_times = KeyTimes(self.clock.times).nudged(index, frames, fps)
            return Motion(path, key_times, start=start, outside=outside)
        others = {name: second for name, second in capture if path.keys.index(name) != index}
        shift = parse_number(frames, "Frames to nudge by")
        if shift != round(shift):
            raise KeyposeError(f"A key is nudged by whole frames, but {shift:g} was given. Round it.")
        new_time = float(self._local_key_times[index]) + shift / check_fps(fps)
        label = path.keys[index].name or index
        return Motion(
            path, timing, duration=self.duration, start=start, capture={**others, label: new_time}, outside=outside
        )

    def speed_jump(self, key: str | int) -> tuple[float, float]:
        """Speed [m/s] just before and just after a key; they differ where its capture or its shape breaks the speed."""
        index = self.path.keys.index(key)
        if isinstance(self.clock, SpeedClock):
            return self.clock.speed_around(float(self._local_key_times[index]))
        arrival_u = self.path.segments if self.path.closed and not index else index  # a loop returns to its first key
        u = np.array([max(np.nextafter(arrival_u, 0.0), 0.0), float(index)])
        tangents = np.stack([self.path.arrive[index], self.path.leave[index]])
        before, after = self.path.geometry.pace_of(tangents, self.path.angular_velocity(u)) * self.clock.parameter_rate(
            u
        )
        return float(before), float(after)

    # ---- as a value --------------------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Motion) and self.spec == other.spec

    def __hash__(self) -> int:
        return hash(self.spec)

    def __repr__(self) -> str:
        path, timing, duration, start, capture, outside = self.spec
        defaults: dict[str, object] = {"duration": None, "start": 0.0, "capture": {}, "outside": "hold"}
        given = {"duration": duration, "start": start, "capture": dict(capture), "outside": outside}
        options = {option: f", {option}={value!r}" for option, value in given.items() if value != defaults[option]}
        if len(path) > MAX_KEYS_IN_REPR:
            first, last = self.span
            more = options.get("capture", "") + options.get("outside", "")
            return f"<Motion: {len(path):,} keys, {first:g} to {last:g} s{more}>"
        return f"Motion({path!r}{'' if timing is None else f', {timing!r}'}{''.join(options.values())})"

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"A motion cannot be given another {name!r}: make a new motion.")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"A motion cannot lose its {name!r}.")

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if name not in INTERNAL_ATTRIBUTES]

    # ---- inside ----------------------------------------------------------------------------------------------------

    @property
    def _local_key_times(self) -> Floats:
        """`key_times` by the motion's own clock, captured keys exactly at their seconds."""
        if isinstance(self.clock, KeyTimeClock):
            return self.clock.times[: len(self.path)]
        times = self.clock.time_at(np.asarray(self.path.distance(np.arange(float(len(self.path))))))
        for key, second in self.spec[4]:
            times[self.path.keys.index(key)] = second
        return times

    def _parameter_rate(self, u: Floats) -> Floats:
        """du/dt [1/s] by key times; a closed path's end is its start again, as it leaves."""
        assert isinstance(self.clock, KeyTimeClock)
        return self.clock.parameter_rate(u % self.path.segments if self.path.closed else u)

    def local_time(self, t: Floats) -> tuple[Floats, Floats]:
        """Each time brought into the motion's own span, and which way time runs there: 1, -1, or 0 while it holds."""
        (first, last), (begin, end) = self.clock.span, self.span
        if self.outside == "hold":
            is_inside = (t >= begin) & (t <= end)
            return np.minimum(np.maximum(t - self.start, first), last), is_inside.astype(np.float64)
        check_finite(t)
        local_time, is_backward = fold_times(t, self.start, first, last, LAP_SPANS[self.outside])
        return local_time, np.where(is_backward, -1.0, 1.0)

    def local_velocity(self, local_time: Floats, direction: Floats) -> Floats:
        """dP/dt [m/s] at moments (n,) of its own span, (n, …), where time runs that way."""
        u = self._local_parameter(local_time)
        if isinstance(self.clock, KeyTimeClock):
            along, rate = self.path.velocity(u), self._parameter_rate(u)
        else:
            along, rate = self.path.geometry.heading(u), self.clock.speed(local_time)
        return np.asarray(along * (rate * direction).reshape(-1, *(1,) * len(self.path.shape)))

    def _local_parameter(self, local_time: Floats) -> Floats:
        if isinstance(self.clock, KeyTimeClock):
            return self.clock.parameter(local_time)
        return self.path.parameter(self.clock.distance(local_time))
