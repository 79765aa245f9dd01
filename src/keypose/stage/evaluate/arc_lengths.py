"""Where on its path is each of a thousand actors that has come so far? Their rulers laid end to end (GL95 §5.1)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from keypose.curves import LengthTable, MotionPath, segment_fractions
from keypose.maths import Bools, Floats, Ints, run_parallel, use_kernels
from keypose.stage.evaluate.ragged_arrays import last_not_above

NUMBERS_PER_SAMPLE = 100


@dataclass(frozen=True, eq=False)
class ArcLengths:
    """The path of actor rows[i] has the segments firsts[i] … firsts[i + 1] of `table`."""

    rows: Ints
    firsts: Ints
    table: LengthTable
    starts: Floats
    """The distance at which each segment starts on its own path, and after its last one the length of its ruler [m]."""
    lengths: Floats
    closed: Bools

    @classmethod
    def from_paths(cls, rows: Ints, paths: Sequence[MotionPath]) -> "ArcLengths":
        """The rulers along these paths, of equally many parts to a segment."""
        tables = [path.geometry.length_table for path in paths]
        return cls(
            rows,
            np.cumsum([0, *map(len, tables)], dtype=np.int64),
            LengthTable.concatenate(tables),
            np.concatenate([table.segment_starts for table in tables]),
            np.array([path.length for path in paths]),
            np.array([path.closed for path in paths]),
        )

    def to_parameters(self, u: Floats) -> None:
        """Replace the distances [m] in the rows of u (actors, n) by the parameters there, as `PathDistance.parameter`
        does.
        """
        work = NUMBERS_PER_SAMPLE * len(self.rows) * u.shape[1]
        if use_kernels(work):
            from keypose.stage.evaluate import kernels

            table = self.table
            table_arrays = (table.quartics, table.first_piece, table.piece_ends, table.distances)
            columns = (self.rows, self.firsts, self.starts, self.lengths, self.closed, *table_arrays, u)
            run_parallel(lambda start, stop: kernels.distance_parameters(*columns, start, stop), len(self.rows), work)
            return
        distance, length = u[self.rows], self.lengths[:, None]
        count, number = np.diff(self.firsts)[:, None], np.arange(len(self.rows))[:, None]
        first = self.firsts[:-1, None] + number  # starts have one entry more per path than there are segments
        laps = np.where(
            self.closed[:, None] & (length > 0), np.floor(distance / np.where(length > 0, length, 1.0)), 0.0
        )
        distance = distance - laps * length
        clamped = np.minimum(np.maximum(distance, 0.0), self.starts[first + count])
        start = last_not_above(self.starts, first, first + count - 1, clamped)
        fraction = segment_fractions(
            self.table, (start - number).reshape(-1), (clamped - self.starts[start]).reshape(-1)
        )
        within = np.where(distance >= length, count, start - first + fraction.reshape(start.shape))
        u[self.rows] = np.where(distance <= 0.0, 0.0, within) + laps * count
