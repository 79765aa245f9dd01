"""Where are a thousand keyed actors? Asked together: their keys lie in one array and one kernel goes through them.

Together go those that only have a place and key times, on open paths, holding outside their span; everybody else is
asked one by one.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from keypose.maths import hermite
from keypose.maths.kernel import compiled, spread
from keypose.motion.motion import Motion
from keypose.timing.schedule import Passing

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Batch:
    """Motions of one dimension, one after the other: actor a has keys firsts[a] … firsts[a + 1]."""

    names: tuple[str, ...]
    firsts: Ints
    """(actors + 1,)"""
    starts: Floats
    """(actors,) [s]"""
    times: Floats
    """(keys,) [s]"""
    curve: Floats
    """(keys − actors, 4, dim)"""

    @classmethod
    def of(cls, motions: dict[str, Motion]) -> "Batch":
        """Motions that `fits` lets in, all of one dimension."""
        clocks = [motion.clock.times for motion in motions.values() if isinstance(motion.clock, Passing)]
        firsts = np.cumsum([0, *map(len, clocks)], dtype=np.int64)
        starts = np.array([motion.start for motion in motions.values()], dtype=np.float64)
        curve = np.concatenate([motion.path.curve for motion in motions.values()])
        return cls(tuple(motions), firsts, starts, np.concatenate(clocks), curve)

    def at(self, t: Floats) -> Floats:
        """Everybody's place in space at times (n,): (actors, n, 3), to the bit what each motion says itself."""
        count, dimensions = len(self.names), self.curve.shape[2]
        out = (np.empty if dimensions == 3 else np.zeros)((count, len(t), 3))
        if compiled(out.size):
            from keypose.stage import kernels

            arrays = (self.firsts, self.starts, self.times, self.curve, np.require(t, requirements=["C", "W"]), out)
            spread(lambda start, stop: kernels.together(*arrays, start, stop), count, out.size)
            return out
        first, last = self.firsts[:-1, None], self.firsts[1:, None] - 2
        moment = t - self.starts[:, None]
        segment = self._segment(np.broadcast_to(first, moment.shape), np.broadcast_to(last, moment.shape), moment)
        share = (moment - self.times[segment]) / (self.times[segment + 1] - self.times[segment])
        u = segment - first + np.minimum(np.maximum(share, 0.0), 1.0)
        own = np.minimum(u.astype(np.int64), last - first)  # as a path locates its parameter: a key leaves
        one, two, three, four = (weight[..., None] for weight in hermite.weights(u - own))
        rows = self.curve[own + first - np.arange(count)[:, None]]
        out[..., :dimensions] = one * rows[:, :, 0] + two * rows[:, :, 1] + three * rows[:, :, 2] + four * rows[:, :, 3]
        return out

    def _segment(self, low: Ints, high: Ints, moment: Floats) -> Ints:
        """The last key from `low` to `high` that is not later than each moment, by halving; `low` if all are."""
        while (low < high).any():
            half = (low + high + 1) // 2
            passed = self.times[half] <= moment
            low, high = np.where(passed, half, low), np.where(passed, high, half - 1)
        return low


def fits(motion: Motion) -> bool:
    """Whether a motion can be asked together with others."""
    if motion.outside != "hold" or not isinstance(motion.clock, Passing):
        return False
    path = motion.path
    if path.keys.column("relative_to") is not None:
        return False
    return not path.closed and len(path.shape) == 1 and path.shape[0] <= 3 and path.turns is None


def batches(motions: Iterable[tuple[str, Motion]]) -> tuple[Batch, ...]:
    """Those that fit, by dimension."""
    groups: dict[int, dict[str, Motion]] = {}
    for name, motion in motions:
        if fits(motion):
            groups.setdefault(motion.path.shape[0], {})[name] = motion
    return tuple(Batch.of(group) for group in groups.values())
