"""Where is it at a given moment, and how fast? A path and a timing together (BH89, GL95 §5).

A motion is a pure function of time: any instant, any number of them, forwards or backwards, inside or outside its span.
How its timing is chosen from what was said is told in `choice`.
"""

from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from keypose.curves.motion_path import MotionPath
from keypose.errors import KeyposeError, did_you_mean
from keypose.maths.given import moments, number
from keypose.motion.choice import chosen
from keypose.motion.pose import Pose
from keypose.timing.frames import checked_fps, frame_times
from keypose.timing.key_times import KeyTimes
from keypose.timing.schedule import Pacing, Passing
from keypose.timing.speed_profile import SpeedProfile

Floats = NDArray[np.float64]
Outside = Literal["hold", "cycle", "mirror"]
OUTSIDE = ("hold", "cycle", "mirror")


class Motion:
    """A path travelled in time; immutable, compared by value.

    `timing` is a `SpeedProfile` or `KeyTimes`; without one the keys' own times hold, and without those a steady speed.
    `capture` puts keys at seconds under a profile. The motion's clock starts at `start`; its keys' times and captured
    seconds count from there. Outside its span it holds, cycles, or mirrors.
    """

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
            raise KeyposeError(f"A motion was given {path!r} as its path. Give a MotionPath.")
        if outside not in OUTSIDE:
            raise KeyposeError(f"A motion has outside={outside!r}.{did_you_mean(str(outside), OUTSIDE)}")
        self.timing = timing
        self.outside: Outside = outside
        self.start = number(start, "A motion's start")
        self._said = (path, timing, duration, self.start, tuple((capture or {}).items()), outside)
        self.path, self._clock = chosen(path, timing, duration, capture or {})

    # ---- when ----------------------------------------------------------------------------------------------------

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
        if isinstance(self._clock, Passing):
            return self.start + self._clock.times[: len(self.path)]
        return self.start + self._clock.when(self.path.distance(np.arange(float(len(self.path)))))

    # ---- where, which way, how fast --------------------------------------------------------------------------------

    def at(self, t: ArrayLike) -> Pose:
        """The pose at time t [s]; an array of times gives as many poses."""
        asked = moments(t, "A time")
        flat = asked.reshape(-1)
        if self.outside == "hold":  # both clocks hold by themselves
            moment = np.ascontiguousarray(flat - self.start if self.start else flat)
        else:
            moment, _ = self._inside(flat)
        u = self._parameter(moment).reshape(asked.shape)
        return Pose(self.path.at(u), self.path.orientation_at(u))

    def velocity(self, t: ArrayLike) -> Floats:
        """dP/dt [m/s], (…, dim); at a key where it breaks, as it leaves. Zero while it holds."""
        asked = moments(t, "A time")
        moment, sense = self._inside(asked.reshape(-1))
        u = self._parameter(moment)
        if isinstance(self._clock, Passing):
            along, rate = self.path.velocity(u), self._clock.rate(moment)
        else:
            along, rate = self.path.heading(u), self._clock.speed(moment)
        scaled = along * (rate * sense).reshape(-1, *(1,) * len(self.path.shape))
        return scaled.reshape(asked.shape + self.path.shape)

    def speed(self, t: ArrayLike) -> Floats:
        """Metres of distance covered per second at t; for drawings the root mean square over the points."""
        asked = moments(t, "A time")
        moment, sense = self._inside(asked.reshape(-1))
        if isinstance(self._clock, Passing):
            result = self.path.pace(self._parameter(moment)) * self._clock.rate(moment)
        else:
            result = self._clock.speed(moment)
        return (result * np.abs(sense)).reshape(asked.shape)[()]

    def spin(self, t: ArrayLike) -> Floats:
        """Angular velocity dθ/dt [rad/s], a vector in the carrier's frame, (…, 3)."""
        asked = moments(t, "A time")
        moment, sense = self._inside(asked.reshape(-1))
        u = self._parameter(moment)
        if isinstance(self._clock, Passing):
            rate = self._clock.rate(moment)
        else:
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

    # ---- frames ----------------------------------------------------------------------------------------------------

    def frames(self, fps: float = 24) -> Pose:
        """All frames, both ends included: round(duration · fps) + 1 poses."""
        return self.at(self.frame_times(fps))

    def frame_times(self, fps: float = 24) -> Floats:
        """The moment of each frame [s]."""
        return self.span[0] + frame_times(self.duration, fps)

    def time_bar(self, fps: float = 24) -> Floats:
        """A stripe per frame: the distance [m] along the path at which each frame is taken (BH89 §6), (frames,)."""
        return np.asarray(self.distance(self.frame_times(fps)))

    # ---- edits -----------------------------------------------------------------------------------------------------

    def retimed(self, timing: SpeedProfile | KeyTimes) -> "Motion":
        """The same path with another timing; with a profile it takes as long as before."""
        path, _, _, start, capture, outside = self._said
        if isinstance(timing, KeyTimes):
            return Motion(path, timing, start=start, outside=outside)
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
        moment = float(self.key_times[index]) - start + frames / checked_fps(fps)
        named = path.keys[index].name or index
        return Motion(
            path, timing, duration=self.duration, start=start, capture={**others, named: moment}, outside=outside
        )

    def speed_jump(self, key: str | int) -> tuple[float, float]:
        """Speed [m/s] just before and just after a key; they differ where its capture or its shape breaks the speed."""
        index = self.path.keys.index(key)
        if isinstance(self._clock, Pacing):
            moment = float(self.key_times[index]) - self.start
            return self._clock.around(moment)
        times = self._clock.times
        before, after = max(index - 1, 0), min(index, len(times) - 2)
        arrive = self.path.pace_of(self.path.arrive[index]) / (times[before + 1] - times[before])
        leave = self.path.pace_of(self.path.leave[index]) / (times[after + 1] - times[after])
        return float(arrive), float(leave)

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

    # ---- inside ----------------------------------------------------------------------------------------------------

    def _inside(self, t: Floats) -> tuple[Floats, Floats]:
        """Each time brought into the motion's own span, and which way time runs there: 1, -1, or 0 while it holds."""
        first, last = self._clock.span
        moment = t - self.start
        inside = (moment >= first) & (moment <= last)
        if self.outside == "hold":
            return np.minimum(np.maximum(moment, first), last), inside.astype(np.float64)
        if not np.isfinite(moment).all():
            raise KeyposeError("A motion that repeats was asked for an infinite time. Give finite seconds.")
        length = last - first
        lap = np.where(inside, 0.0, np.floor((moment - first) / length))
        rest = np.minimum(np.maximum(moment - first - lap * length, 0.0), length)
        if self.outside == "cycle":
            return first + rest, np.ones_like(rest)
        back = lap % 2 == 1
        return first + np.where(back, length - rest, rest), np.where(back, -1.0, 1.0)

    def _parameter(self, moment: Floats) -> Floats:
        if isinstance(self._clock, Passing):
            return self._clock.parameter(moment)
        return self.path.parameter(self._clock.distance(moment))
