"""When is a trail looked at, and what does a drawn speed say then? The same wherever a hand drags the path's keys.

Dragging a key changes the path and leaves the speed drawn over it as it was. So what depends on that alone, the area
covered up to each moment and the relative speed there, is worked out once and kept for the next place of the key.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from keypose.maths import Floats
from keypose.timing import SpeedClock, SpeedProfile

SAMPLES_PER_FRAME = 4  # samples of the trail
MAX_SAMPLES = 4000
PROFILE_SAMPLES = 200
CACHE_SIZE = 32  # drawn speeds: a few hands on a few actors


@dataclass(frozen=True, eq=False)
class SampleTimes:
    """When a trail is looked at."""

    times: Floats
    """(m,) [s]; every `step`-th is a frame's."""
    step: int

    @classmethod
    def over_span(cls, span: tuple[float, float], fps: float) -> "SampleTimes":
        """Some samples a frame, as many as a page can draw."""
        first, last = span
        wanted = (last - first) * fps
        frames = max(1, round(min(wanted, MAX_SAMPLES)))  # of a very long motion not every frame has its dot
        step = min(max(MAX_SAMPLES // frames, 1), SAMPLES_PER_FRAME)
        return cls(np.linspace(first, last, step * frames + 1), step)


@dataclass(frozen=True, eq=False)
class ProfileSamples:
    """What a drawn speed says at the moments of a trail, whatever path it is drawn for."""

    sample_times: SampleTimes
    profile: Floats
    """The relative speed over x = 0 … 1 of the duration, (p, 2)."""
    _local_times: Floats
    _area: Floats
    _relative_speed: Floats

    def distance(self, clock: SpeedClock) -> Floats:
        """How far along its path a motion with such a clock is at the trail's moments [m], (m,)."""
        return clock.distance_at_area(self._local_times, self._area)

    def speed(self, clock: SpeedClock) -> Floats:
        """How fast it goes there [m/s], (m,)."""
        return clock.speed_from_profile(self._local_times, self._relative_speed)


@lru_cache(CACHE_SIZE)
def sample_profile(profile: SpeedProfile, duration: float, start: float, fps: float) -> ProfileSamples:
    """What a speed drawn over `duration` from `start` on [s] says; worked out once."""
    sample_times = SampleTimes.over_span((start, start + duration), fps)
    local_times = np.minimum(np.maximum(sample_times.times - start, 0.0), duration)
    x = np.linspace(0.0, 1.0, PROFILE_SAMPLES)
    shape = np.stack([x, profile.at(x)], axis=1)
    area, relative = (np.asarray(evaluate(local_times / duration)) for evaluate in (profile.covered, profile.at))
    for array in (sample_times.times, shape, local_times, area, relative):
        array.flags.writeable = False
    return ProfileSamples(sample_times, shape, local_times, area, relative)
