"""Where on its path is each of a thousand actors that has come so far? Their rulers laid end to end (GL95 §5.1)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from keypose.curves.distance.inverse_arc_length import shares
from keypose.curves.distance.length_table import Ruler
from keypose.curves.path.motion_path import MotionPath
from keypose.maths.arrays import Bools, Floats, Ints
from keypose.maths.kernel_switch import compiled, spread
from keypose.stage.evaluate.ragged_arrays import last_reached

NUMBERS_PER_SAMPLE = 100


@dataclass(frozen=True, eq=False)
class Rulers:
    """The path of actor rows[i] has the segments firsts[i] … firsts[i + 1] of `ruler`."""

    rows: Ints
    firsts: Ints
    ruler: Ruler
    starts: Floats
    """The distance at which each segment starts on its own path, and after its last one the length of its ruler [m]."""
    lengths: Floats
    closed: Bools

    @classmethod
    def along(cls, rows: Ints, paths: Sequence[MotionPath]) -> "Rulers":
        """The rulers along these paths, of equally many parts to a segment."""
        rulers = [path.ruler for path in paths]
        return cls(
            rows,
            np.cumsum([0, *map(len, rulers)], dtype=np.int64),
            Ruler.joined(rulers),
            np.concatenate([ruler.starts for ruler in rulers]),
            np.array([path.length for path in paths]),
            np.array([path.closed for path in paths]),
        )

    def read(self, u: Floats) -> None:
        """Replace the distances [m] in the rows of u (actors, n) by the parameters there, as `Way.parameter` does."""
        work = NUMBERS_PER_SAMPLE * len(self.rows) * u.shape[1]
        if compiled(work):
            from keypose.stage.evaluate import kernels

            ruler = self.ruler
            measures = (ruler.quartics, ruler.first, ruler.knots, ruler.reached)
            columns = (self.rows, self.firsts, self.starts, self.lengths, self.closed, *measures, u)
            spread(lambda start, stop: kernels.rulers(*columns, start, stop), len(self.rows), work)
            return
        distance, length = u[self.rows], self.lengths[:, None]
        count, number = np.diff(self.firsts)[:, None], np.arange(len(self.rows))[:, None]
        first = self.firsts[:-1, None] + number  # starts have one entry more per path than there are segments
        laps = np.where(
            self.closed[:, None] & (length > 0), np.floor(distance / np.where(length > 0, length, 1.0)), 0.0
        )
        distance = distance - laps * length
        inside = np.minimum(np.maximum(distance, 0.0), self.starts[first + count])
        start = last_reached(self.starts, first, first + count - 1, inside)
        share = shares(self.ruler, (start - number).reshape(-1), (inside - self.starts[start]).reshape(-1))
        within = np.where(distance >= length, count, start - first + share.reshape(start.shape))
        u[self.rows] = np.where(distance <= 0.0, 0.0, within) + laps * count
