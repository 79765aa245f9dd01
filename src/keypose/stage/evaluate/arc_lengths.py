"""Where on its path is each of a thousand actors that has come so far? Their rulers laid end to end (GL95 §5.1)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from keypose.curves import LengthTable, MotionPath, segment_fractions
from keypose.maths import Floats, Ints, run_parallel, use_kernels
from keypose.stage.evaluate.ragged_arrays import last_not_above
from keypose.stage.evaluate.records import PathLengths

NUMBERS_PER_SAMPLE = 100


@dataclass(frozen=True, eq=False)
class ArcLengths:
    """Length tables of many paths, of equally many parts to a segment."""

    table: LengthTable
    paths: PathLengths

    @classmethod
    def from_paths(cls, rows: Ints, paths: Sequence[MotionPath]) -> "ArcLengths":
        """The length tables of these paths."""
        tables = [path.geometry.length_table for path in paths]
        table = LengthTable.concatenate(tables)
        return cls(
            table,
            PathLengths(
                rows,
                np.cumsum([0, *map(len, tables)], dtype=np.int64),
                np.concatenate([table.segment_starts for table in tables]),
                np.array([path.length for path in paths]),
                np.array([path.closed for path in paths]),
                table.arrays,
            ),
        )

    def to_parameters(self, u: Floats) -> None:
        """Replace the distances [m] in the rows of u (actors, n) by the parameters there, as `PathDistance.parameter`
        does.
        """
        rows, firsts, starts, lengths, closed, _ = self.paths
        work = NUMBERS_PER_SAMPLE * len(rows) * u.shape[1]
        if use_kernels(work):
            from keypose.stage.evaluate import kernels

            run_parallel(lambda start, stop: kernels.distance_parameters(self.paths, u, start, stop), len(rows), work)
            return
        distance, length = u[rows], lengths[:, None]
        count, number = np.diff(firsts)[:, None], np.arange(len(rows))[:, None]
        first = firsts[:-1, None] + number  # starts have one entry more per path than there are segments
        laps = np.where(closed[:, None] & (length > 0), np.floor(distance / np.where(length > 0, length, 1.0)), 0.0)
        distance = distance - laps * length
        clamped = np.minimum(np.maximum(distance, 0.0), starts[first + count])
        start = last_not_above(starts, first, first + count - 1, clamped)
        fraction = segment_fractions(self.table, (start - number).reshape(-1), (clamped - starts[start]).reshape(-1))
        within = np.where(distance >= length, count, start - first + fraction.reshape(start.shape))
        u[rows] = np.where(distance <= 0.0, 0.0, within) + laps * count
