"""How far along a path is a parameter, and where is a distance? The rulers of a path, laid end to end (GL95 §5.1).

A path as it was built is measured by one ruler. An edited path of many keys has a ruler on each strand, shared with the
path it came from: a few questions are answered from those, many are worth joining them for.
"""

from functools import cached_property

import numpy as np

from keypose.curves.distance.inverse_arc_length import distances, parameters
from keypose.curves.distance.length_table import Ruler
from keypose.curves.path.segments import Stretch
from keypose.maths import hermite
from keypose.maths.arrays import Floats
from keypose.maths.rope import Rope

FEW = 8  # questions for which strands are not joined


class Way:
    """Distance along the segments of a path, by its own ruler or, where turns count too, by a given one."""

    def __init__(self, rope: Rope[Stretch], closed: bool, ruler: Ruler | None) -> None:
        self._rope = rope
        self._closed = closed
        self._given = ruler

    @property
    def ruler(self) -> Ruler:
        """One ruler along all segments."""
        return self._given or self._rope.whole.ruler

    @cached_property
    def length(self) -> float:
        """From one end to the other, or once round."""
        return self.ruler.length if self._given or self._rope.is_whole else float(self._strand_ends[-1])

    def distance(self, u: Floats) -> Floats:
        """How far each u is (n,); closed paths go on counting lap by lap."""
        segments = len(self._rope)
        result = distances(self.ruler, *hermite.locate(u, segments, self._closed))
        return result + self.length * np.floor(u / segments) if self._closed else result

    def parameter(self, distance: Floats) -> Floats:
        """The u at each distance (n,): held at the ends, lap by lap if closed."""
        laps: Floats | float = 0.0
        if self._closed and self.length > 0:
            laps = np.floor(distance / self.length)
            distance = distance - laps * self.length
        result = self._within(distance)
        result[distance >= self.length] = len(self._rope)  # exactly, also where the outer keys stand on one spot
        result[distance <= 0.0] = 0.0
        return result + laps * len(self._rope) if self._closed else result

    def _within(self, distance: Floats) -> Floats:
        if self._given or self._rope.is_whole or len(distance) > FEW:
            return parameters(self.ruler, distance)
        ends, result = self._strand_ends, np.empty_like(distance)
        for index, wanted in enumerate(distance):
            strand = min(int(np.searchsorted(ends, wanted)), len(ends) - 1)
            before = float(ends[strand - 1]) if strand else 0.0
            ruler = self._rope.strands[strand].ruler
            result[index] = self._rope.starts[strand] + parameters(ruler, np.array([wanted - before]))[0]
        return result

    @cached_property
    def _strand_ends(self) -> Floats:
        return np.cumsum([strand.ruler.length for strand in self._rope.strands])
