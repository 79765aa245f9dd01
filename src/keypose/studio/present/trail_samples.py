"""When is a trail looked at, and what does a drawn speed say then? The same wherever a hand drags the path's keys.

Dragging a key changes the path and leaves the speed drawn over it as it was. So what depends on that alone, the area
covered up to each moment and the relative speed there, is worked out once and kept for the next place of the key.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from keypose.maths.arrays import Floats
from keypose.timing.clocks import Pacing
from keypose.timing.speed_profile import SpeedProfile

PER_FRAME = 4  # samples of the trail
MOST_SAMPLES = 4000
PROFILE_SAMPLES = 200
KEPT = 32  # drawn speeds: a few hands on a few actors


@dataclass(frozen=True, eq=False)
class Moments:
    """When a trail is looked at."""

    line: Floats
    """(m,) [s]; every `step`-th is a frame's."""
    step: int

    @classmethod
    def over(cls, span: tuple[float, float], fps: float) -> "Moments":
        """Some samples a frame, as many as a page can draw."""
        first, last = span
        wanted = (last - first) * fps
        frames = max(1, round(min(wanted, MOST_SAMPLES)))  # of a very long motion not every frame has its dot
        step = min(max(MOST_SAMPLES // frames, 1), PER_FRAME)
        return cls(np.linspace(first, last, step * frames + 1), step)


@dataclass(frozen=True, eq=False)
class Drawn:
    """What a drawn speed says at the moments of a trail, whatever path it is drawn for."""

    moments: Moments
    profile: Floats
    """The relative speed over x = 0 … 1 of the duration, (p, 2)."""
    _own: Floats
    _area: Floats
    _relative: Floats

    def distance(self, clock: Pacing) -> Floats:
        """How far along its path a motion with such a clock is at the trail's moments [m], (m,)."""
        return clock.distance_after(self._own, self._area)

    def speed(self, clock: Pacing) -> Floats:
        """How fast it goes there [m/s], (m,)."""
        return clock.speed_by(self._own, self._relative)


@lru_cache(KEPT)
def drawn(profile: SpeedProfile, duration: float, start: float, fps: float) -> Drawn:
    """What a speed drawn over `duration` from `start` on [s] says; worked out once."""
    moments = Moments.over((start, start + duration), fps)
    own = np.minimum(np.maximum(moments.line - start, 0.0), duration)
    x = np.linspace(0.0, 1.0, PROFILE_SAMPLES)
    shape = np.stack([x, profile.at(x)], axis=1)
    area, relative = (np.asarray(ask(own / duration)) for ask in (profile.covered, profile.at))
    for kept in (moments.line, shape, own, area, relative):
        kept.flags.writeable = False
    return Drawn(moments, shape, own, area, relative)
