"""At a given moment, how far has it come? The two clocks of a motion: by key times, or by drawn speed.

`KeyTimeClock` runs evenly through the parameter between the moments of the keys (KB84). `SpeedClock` covers distance at
the drawn speed (BH89 eq. 5.1 in closed form, GL95 §5.2): d = K Φ(x), K = length/∫φ, and a K of its own for each span
between captured keys.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from keypose.maths import Floats, Ints, run_parallel, use_kernels
from keypose.timing.speed_profile import SpeedProfile


@dataclass(frozen=True, eq=False)
class KeyTimeClock:
    """Key i is passed at times[i]; the parameter u runs evenly in between. Closed paths have one time more."""

    times: Floats

    @property
    def span(self) -> tuple[float, float]:
        """First and last moment [s]."""
        return float(self.times[0]), float(self.times[-1])

    @cached_property
    def segment_table(self) -> Ints:
        """For equal steps of time the segment they fall into."""
        steps = np.linspace(*self.span, 4 * (len(self.times) - 1) + 1)
        return np.clip(np.searchsorted(self.times, steps, side="right") - 1, 0, len(self.times) - 2)

    def parameter(self, t: Floats) -> Floats:
        """The path's parameter at each moment, (n,) → (n,)."""
        if use_kernels(4 * len(t)):
            from keypose.timing import kernels

            out = np.empty_like(t)
            run_parallel(
                lambda start, stop: kernels.key_time_parameters(self.times, self.segment_table, t, out, start, stop),
                len(t),
                10 * len(t),
            )
            return out
        segment = np.clip(np.searchsorted(self.times, t, side="right") - 1, 0, len(self.times) - 2)
        return np.asarray(segment + segment_fraction(self.times, segment, t))

    def parameter_rate(self, u: Floats) -> Floats:
        """du/dt [1/s] at each parameter; at a key that of the segment which leaves it.

        Asked by parameter and not by time: rounding may put a moment just before a key onto it, and then the path is
        asked beyond the key too.
        """
        segment = np.clip(u.astype(np.int64), 0, len(self.times) - 2)
        return np.asarray(1.0 / (self.times[segment + 1] - self.times[segment]))


@dataclass(frozen=True, eq=False)
class SpeedClock:
    """Distance at the drawn speed over `duration`, through captured (moments, distances), both ends among them."""

    profile: SpeedProfile
    duration: float
    times: Floats
    distances: Floats

    @property
    def span(self) -> tuple[float, float]:
        """First and last moment [s]."""
        return 0.0, self.duration

    @cached_property
    def areas(self) -> Floats:
        """The area under the profile up to each captured moment."""
        if len(self.times) == 2:
            return np.array([0.0, self.profile.total])
        return np.asarray(self.profile.covered(self.times / self.duration))

    @cached_property
    def scale(self) -> Floats:
        """K of each span between captured moments: metres per unit of the profile's area (BH89 eq. 5.3)."""
        length, area = self.distances[1:] - self.distances[:-1], self.areas[1:] - self.areas[:-1]
        return np.divide(length, area, out=np.zeros_like(length), where=area > 0)

    def distance(self, t: Floats) -> Floats:
        """How far it has come [m], (n,) → (n,); never less than a moment before."""
        return self.distance_at_area(t, np.asarray(self.profile.covered(t / self.duration)))

    def distance_at_area(self, t: Floats, area: Floats) -> Floats:
        """The same, where the area under the profile up to each moment is known already, (n,)."""
        span = 0 if len(self.scale) == 1 else self._span_index(t)
        return profile_distance(self.distances, self.areas, self.scale, span, area)

    def span_fraction(self, t: Floats) -> tuple[Ints, Floats]:
        """Between which captured moments each t lies, and which share of the distance between them is covered."""
        span = self._span_index(t)
        area = np.asarray(self.profile.covered(t / self.duration))
        start, full = self.areas[span], self.areas[span + 1]
        fraction = np.divide(area - start, full - start, out=np.ones_like(area), where=full > start)
        return span, np.where(area >= full, 1.0, np.minimum(np.maximum(fraction, 0.0), 1.0))

    def speed(self, t: Floats) -> Floats:
        """How fast it goes [m/s]; at a captured key as it leaves."""
        return self.speed_from_profile(t, np.asarray(self.profile.at(t / self.duration)))

    def speed_from_profile(self, t: Floats, relative: Floats) -> Floats:
        """The same, where the profile's speed at each moment is known already, (n,)."""
        span = 0 if len(self.scale) == 1 else self._span_index(t)
        return np.asarray(self.scale[span] * relative / self.duration)

    def time_at(self, distance: Floats) -> Floats:
        """The earliest moment [s] at which it has come so far."""
        span = np.clip(np.searchsorted(self.distances, distance, side="left") - 1, 0, len(self.scale) - 1)
        scale = np.where(self.scale[span] > 0, self.scale[span], 1.0)
        area = self.areas[span] + (distance - self.distances[span]) / scale
        is_arrived = (distance >= self.distances[span + 1]) & (self.scale[span] > 0)
        area = np.where(is_arrived, self.areas[span + 1], area)  # exactly: near a rest a rounding is a long time
        return self.duration * np.asarray(self.profile.x_at_area(area))

    def speed_around(self, t: float) -> tuple[float, float]:
        """Speed [m/s] just before and just after a moment: they differ at captured keys."""
        relative = float(self.profile.at(t / self.duration)) / self.duration
        before = np.clip(np.searchsorted(self.times, t, side="left") - 1, 0, len(self.scale) - 1)
        return float(self.scale[before] * relative), float(self.scale[self._span_index(np.array(t))] * relative)

    def _span_index(self, t: Floats) -> Ints:
        return np.clip(np.searchsorted(self.times, t, side="right") - 1, 0, len(self.scale) - 1)


def segment_fraction(times: Floats, segment: Ints, t: Floats) -> Floats:
    """How much of its segment has passed at each moment, 0 … 1: even between two key times."""
    fraction = (t - times[segment]) / (times[segment + 1] - times[segment])
    return np.minimum(np.maximum(fraction, 0.0), 1.0)


def profile_distance(distances: Floats, areas: Floats, scale: Floats, span: Ints | int, area: Floats) -> Floats:
    """The distance [m] at which so much area of a profile is covered, each in its span between captured moments."""
    start, end = distances[span], distances[span + 1]
    clamped = np.minimum(np.maximum(start + scale[span] * (area - areas[span]), start), end)
    return np.asarray(np.where(area >= areas[span + 1], end, clamped))  # exactly at captured keys and at the end
