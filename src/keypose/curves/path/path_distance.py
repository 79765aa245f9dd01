"""How far along a path is a parameter, and where is a distance? The rulers of a path, laid end to end (GL95 §5.1).

A path as it was built is measured by one ruler. An edited path of many keys has a ruler on each strand, shared with the
path it came from: a few questions are answered from those, many are worth joining them for.
"""

from functools import cached_property

import numpy as np

from keypose.curves.distance.inverse_arc_length import distances, parameters
from keypose.curves.distance.length_table import LengthTable
from keypose.curves.path.segments import SegmentRun
from keypose.maths import Floats, Rope, hermite

FEW_QUERIES = 8  # questions for which strands are not joined


class PathDistance:
    """Distance along the segments of a path, by its own ruler or, where turns count too, by a given one."""

    def __init__(self, rope: Rope[SegmentRun], closed: bool, table: LengthTable | None) -> None:
        self._rope = rope
        self._closed = closed
        self._metric_table = table

    @property
    def length_table(self) -> LengthTable:
        """One ruler along all segments."""
        return self._metric_table or self._rope.whole.length_table

    @cached_property
    def length(self) -> float:
        """From one end to the other, or once round."""
        return self.length_table.length if self._metric_table or self._rope.is_whole else float(self._chunk_ends[-1])

    def distance(self, u: Floats) -> Floats:
        """How far each u is (n,); closed paths go on counting lap by lap."""
        segments = len(self._rope)
        result = distances(self.length_table, *hermite.locate(u, segments, self._closed))
        return result + self.length * np.floor(u / segments) if self._closed else result

    def parameter(self, distance: Floats) -> Floats:
        """The u at each distance (n,): held at the ends, lap by lap if closed."""
        laps: Floats | float = 0.0
        if self._closed and self.length > 0:
            laps = np.floor(distance / self.length)
            distance = distance - laps * self.length
        result = self._parameter_in_lap(distance)
        result[distance >= self.length] = len(self._rope)  # exactly, also where the outer keys stand on one spot
        result[distance <= 0.0] = 0.0
        return result + laps * len(self._rope) if self._closed else result

    def _parameter_in_lap(self, distance: Floats) -> Floats:
        if self._metric_table or self._rope.is_whole or len(distance) > FEW_QUERIES:
            return parameters(self.length_table, distance)
        ends, result = self._chunk_ends, np.empty_like(distance)
        for index, target in enumerate(distance):
            chunk = min(int(np.searchsorted(ends, target)), len(ends) - 1)
            before = float(ends[chunk - 1]) if chunk else 0.0
            table = self._rope.chunks[chunk].length_table
            result[index] = self._rope.starts[chunk] + parameters(table, np.array([target - before]))[0]
        return result

    @cached_property
    def _chunk_ends(self) -> Floats:
        return np.cumsum([chunk.length_table.length for chunk in self._rope.chunks])
