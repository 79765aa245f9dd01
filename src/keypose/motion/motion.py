"""Where is it at a given moment, and how fast? A path and a timing together (BH89, GL95 §5).

A motion is a pure function of time: any instant, any number of them, forwards or backwards, inside or outside its span.
How its timing is chosen from what was said is told in `choice`.
"""

from collections.abc import Mapping
from dataclasses import FrozenInstanceError
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from keypose.curves.path.motion_path import MotionPath
from keypose.errors import KeyposeError, shown
from keypose.maths.arrays import Floats
from keypose.maths.inputs import moments, number, word
from keypose.motion.pose import Pose
from keypose.motion.timing_selection import chosen
from keypose.timing.clocks import Pacing, Passing
from keypose.timing.extrapolation import CYCLES, HOLDS, MIRRORS, check_finite, repeated
from keypose.timing.frames import checked_fps, frame_times
from keypose.timing.key_times import KeyTimes
from keypose.timing.speed_profile import SpeedProfile

Outside = Literal["hold", "cycle", "mirror"]
OUTSIDE = ("hold", "cycle", "mirror")
LAPS: dict[Outside, float] = {"hold": HOLDS, "cycle": CYCLES, "mirror": MIRRORS}
Said = tuple[
    MotionPath, SpeedProfile | KeyTimes | None, float | None, float, tuple[tuple[str | int, float], ...], Outside
]

JUST_AFTER = 1e-6  # of a segment: where to look for how fast it turns if it stops at a key for an instant


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
    _clock: Passing | Pacing
    _said: Said

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
            raise KeyposeError(f"A motion was given {shown(path)} as its path. Give a MotionPath.")
        word(outside, OUTSIDE, "A motion has outside")
        start = number(start, "A motion's start")
        derived, clock = chosen(path, timing, duration, {} if capture is None else capture)
        index = path.keys.index
        seconds = {
            key if isinstance(key, str | int) else index(key): float(second) for key, second in (capture or {}).items()
        }
        captured = sorted(seconds.items(), key=lambda item: index(item[0]))
        said = (path, timing, None if duration is None else float(duration), start, tuple(captured), outside)
        self.__dict__.update(path=derived, timing=timing, start=start, outside=outside, _clock=clock, _said=said)

    @property
    def said(self) -> Said:
        """What it was made of: path, timing, duration, start, captured keys, outside."""
        return self._said

    # ---- when ----------------------------------------------------------------------------------------------------

    @property
    def clock(self) -> Passing | Pacing:
        """What runs along the path, in seconds from `start`: by key times, or by drawn speed."""
        return self._clock

    @property
    def duration(self) -> float:
        """Seconds from its first moment to its last."""
        first, last = self._clock.span
        return last - first

    @property
    def span(self) -> tuple[float, float]:
        """Its first and its last moment [s]."""
        first, last = self._clock.span
        return self.start + first, self.start + last

    @property
    def key_times(self) -> Floats:
        """The moment [s] at which each key is first passed, (keys,)."""
        return self.start + self._key_moments

    @property
    def captured(self) -> dict[str | int, float]:
        """The keys that were put at a second, and when."""
        return dict(self._said[4])

    # ---- where, which way, how fast --------------------------------------------------------------------------------

    def at(self, t: ArrayLike) -> Pose:
        """The pose at time t [s]; an array of times gives as many poses."""
        asked = moments(t, "A time")
        flat = asked.reshape(-1)
        if self.outside == "hold":  # both clocks hold by themselves
            moment = np.require(flat - self.start if self.start else flat, requirements=["C", "W"])
        else:
            moment, _ = self._inside(flat)
        u = self._parameter(moment).reshape(asked.shape)
        return Pose.of(self.path.at(u), self.path.orientation_at(u))

    def velocity(self, t: ArrayLike) -> Floats:
        """dP/dt [m/s], (…, dim); at a key where it breaks, as it leaves. Zero while it holds."""
        asked = moments(t, "A time")
        return self._velocity(*self._inside(asked.reshape(-1))).reshape(asked.shape + self.path.shape)

    def speed(self, t: ArrayLike) -> Floats:
        """Metres of distance covered per second at t; for drawings the root mean square over the points."""
        asked = moments(t, "A time")
        moment, sense = self._inside(asked.reshape(-1))
        if isinstance(self._clock, Passing):
            u = self._parameter(moment)
            result = self.path.pace(u) * self._rate(u)
        else:
            result = self._clock.speed(moment)
        return (result * np.abs(sense)).reshape(asked.shape)[()]

    def spin(self, t: ArrayLike) -> Floats:
        """Angular velocity dθ/dt [rad/s], a vector in the carrier's frame, (…, 3)."""
        asked = moments(t, "A time")
        moment, sense = self._inside(asked.reshape(-1))
        u = self._parameter(moment)
        if isinstance(self._clock, Passing):
            rate = self._rate(u)
        else:
            aside = np.where(u < self.path.segments, JUST_AFTER, -JUST_AFTER)
            u = np.where(self.path.pace(u) > 0, u, u + aside)
            pace, speed = self.path.pace(u), self._clock.speed(moment)
            rate = np.divide(speed, pace, out=np.zeros_like(pace), where=pace > 0)
        return (self.path.spin(u) * (rate * sense)[:, None]).reshape(*asked.shape, 3)

    def distance(self, t: ArrayLike) -> Floats:
        """How far along its path it is at t [m]."""
        asked = moments(t, "A time")
        moment, _ = self._inside(asked.reshape(-1))
        if isinstance(self._clock, Passing):
            return self.path.distance(self._clock.parameter(moment).reshape(asked.shape))
        return self._clock.distance(moment).reshape(asked.shape)[()]

    def parameter(self, t: ArrayLike) -> Floats:
        """The parameter u of its path at t."""
        asked = moments(t, "A time")
        moment, _ = self._inside(asked.reshape(-1))
        return self._parameter(moment).reshape(asked.shape)[()]

    def sense(self, t: ArrayLike) -> Floats:
        """Which way it runs along its path at t: 1, -1 on the way back of a mirror, 0 while it holds."""
        asked = moments(t, "A time")
        return self._inside(asked.reshape(-1))[1].reshape(asked.shape)[()]

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
        path, _, _, start, capture, outside = self._said
        if isinstance(timing, KeyTimes):
            return Motion(path, timing, start=start, outside=outside)
        if isinstance(self._clock, Passing):
            start = self.span[0]
        return Motion(path, timing, duration=self.duration, start=start, capture=dict(capture), outside=outside)

    def nudged(self, key: str | int, frames: int, fps: float = 24) -> "Motion":
        """The motion with one key passed some frames later, or earlier if negative (BH89 §6).

        Under a profile the key is captured there: the speeds before and after it change, and may jump.
        """
        path, timing, _, start, capture, outside = self._said
        index = path.keys.index(key)
        if isinstance(self._clock, Passing):
            nudged = KeyTimes(self._clock.times).nudged(index, frames, fps)
            return Motion(path, nudged, start=start, outside=outside)
        others = {name: second for name, second in capture if path.keys.index(name) != index}
        shift = number(frames, "Frames to nudge by")
        if shift != round(shift):
            raise KeyposeError(f"A key is nudged by whole frames, but {shift:g} was given. Round it.")
        moment = float(self._key_moments[index]) + shift / checked_fps(fps)
        named = path.keys[index].name or index
        return Motion(
            path, timing, duration=self.duration, start=start, capture={**others, named: moment}, outside=outside
        )

    def speed_jump(self, key: str | int) -> tuple[float, float]:
        """Speed [m/s] just before and just after a key; they differ where its capture or its shape breaks the speed."""
        index = self.path.keys.index(key)
        if isinstance(self._clock, Pacing):
            return self._clock.around(float(self._key_moments[index]))
        reached = self.path.segments if self.path.closed and not index else index  # a loop returns to its first key
        u = np.array([max(np.nextafter(reached, 0.0), 0.0), float(index)])
        tangents = np.stack([self.path.arrive[index], self.path.leave[index]])
        before, after = self.path.pace_of(tangents, self.path.spin(u)) * self._clock.rate(u)
        return float(before), float(after)

    # ---- as a value --------------------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Motion) and self._said == other._said

    def __hash__(self) -> int:
        return hash(self._said)

    def __repr__(self) -> str:
        path, timing, duration, start, capture, outside = self._said
        usual: dict[str, object] = {"duration": None, "start": 0.0, "capture": {}, "outside": "hold"}
        said = {"duration": duration, "start": start, "capture": dict(capture), "outside": outside}
        words = "".join(f", {word}={value!r}" for word, value in said.items() if value != usual[word])
        return f"Motion({path!r}{'' if timing is None else f', {timing!r}'}{words})"

    def __setattr__(self, word: str, value: object) -> None:
        raise FrozenInstanceError(f"A motion cannot be given another {word!r}: make a new motion.")

    def __delattr__(self, word: str) -> None:
        raise FrozenInstanceError(f"A motion cannot lose its {word!r}.")

    # ---- inside ----------------------------------------------------------------------------------------------------

    @property
    def _key_moments(self) -> Floats:
        """`key_times` by the motion's own clock, captured keys exactly at their seconds."""
        if isinstance(self._clock, Passing):
            return self._clock.times[: len(self.path)]
        moments = self._clock.when(np.asarray(self.path.distance(np.arange(float(len(self.path))))))
        for key, second in self._said[4]:
            moments[self.path.keys.index(key)] = second
        return moments

    def _rate(self, u: Floats) -> Floats:
        """du/dt [1/s] by key times; a closed path's end is its start again, as it leaves."""
        assert isinstance(self._clock, Passing)
        return self._clock.rate(u % self.path.segments if self.path.closed else u)

    def _inside(self, t: Floats) -> tuple[Floats, Floats]:
        """Each time brought into the motion's own span, and which way time runs there: 1, -1, or 0 while it holds."""
        (first, last), (begin, end) = self._clock.span, self.span
        if self.outside == "hold":
            inside = (t >= begin) & (t <= end)
            return np.minimum(np.maximum(t - self.start, first), last), inside.astype(np.float64)
        check_finite(t)
        moment, back = repeated(t, self.start, first, last, LAPS[self.outside])
        return moment, np.where(back, -1.0, 1.0)

    def _velocity(self, moment: Floats, sense: Floats) -> Floats:
        """dP/dt [m/s] at moments (n,) of its own span, (n, …), where time runs that way."""
        u = self._parameter(moment)
        if isinstance(self._clock, Passing):
            along, rate = self.path.velocity(u), self._rate(u)
        else:
            along, rate = self.path.heading(u), self._clock.speed(moment)
        return np.asarray(along * (rate * sense).reshape(-1, *(1,) * len(self.path.shape)))

    def _parameter(self, moment: Floats) -> Floats:
        if isinstance(self._clock, Passing):
            return self._clock.parameter(moment)
        return self.path.parameter(self._clock.distance(moment))
