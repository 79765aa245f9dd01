"""How long is a path with loose keys at many instants, and where is a distance on it? Only what differs is measured.

A ruler goes along all segments whose length differs, at the first instant, at the second, and so on; all others are
read off the path's own ruler.
"""

from functools import cached_property

import numpy as np

from keypose.curves.distance.inverse_arc_length import parameters, shares
from keypose.curves.distance.length_table import Ruler, measured
from keypose.curves.path.metric import Metric, stations, turning_quartics
from keypose.curves.relative.orientations import MovedTurns
from keypose.curves.relative.positions import MovedPlaces
from keypose.curves.relative.relative_path import Loose
from keypose.maths import hermite
from keypose.maths.arrays import Bools, Floats, Ints

AT_ONCE = 4096  # segments: each spin is asked for at 80 places


class MovedLengths:
    """Distance along a loose path at instants (n,): `segments` differ, the `rest` measures what does not."""

    def __init__(
        self,
        loose: Loose,
        instants: Ints,
        segments: Ints,
        rest: Ruler,
        metric: Metric,
        places: MovedPlaces,
        turns: MovedTurns | None,
    ) -> None:
        self._loose = loose
        self._instants = instants
        self._segments = segments
        self._rest = rest
        self._metric = metric
        self._places = places
        self._turns = turns

    @cached_property
    def differs(self) -> Bools:
        """Of each segment of the path whether it is among the segments that differ."""
        mask = np.zeros(self._loose.path.segments, dtype=bool)
        mask[self._segments] = True
        return mask

    @cached_property
    def reached(self) -> Floats:
        """How far the path has come at the keys `ends` of the loose path, at each instant: (n, ends)."""
        ends, count = self._loose.ends, len(self._instants)
        differs = self.differs[ends[:-1]]
        gaps = np.empty((count, len(ends) - 1))
        if differs.any():
            gaps[:, differs] = self._ruler.reached[self._ruler.first[1:] - 1].reshape(count, differs.sum())
        if not differs.all():
            gaps[:, ~differs] = np.diff(self._rest.starts[ends])[~differs]
        return np.concatenate([np.zeros((count, 1)), np.cumsum(gaps, axis=1)], axis=1)

    def parameter(self, distance: Floats) -> Floats:
        """The u at a distance (n,) [m] from the start of each instant's path; held at its ends."""
        ends, here, reached = self._loose.ends, np.arange(len(distance)), self.reached
        # Of several ends at one distance the last one holds, as on any path.
        block = np.clip((reached <= distance[:, None]).sum(axis=1) - 1, 0, len(ends) - 2)
        first = ends[block]
        covered = np.minimum(distance, reached[here, block + 1]) - reached[here, block]
        u = np.empty(len(distance))
        differs = self.differs[first]
        mine, other = np.flatnonzero(differs), np.flatnonzero(~differs)
        if len(mine):
            u[mine] = first[mine] + shares(self._ruler, self.row(mine, first[mine]), covered[mine])
        if len(other):
            u[other] = parameters(self._rest, self._rest.starts[first[other]] + covered[other])
        u[distance >= reached[:, -1]] = self._loose.path.segments
        u[distance <= 0.0] = 0.0
        return u

    # ---- what differs ------------------------------------------------------------------------------------------------

    def row(self, instant: Ints, segment: Ints) -> Ints:
        """Which rows of `curve` are these segments (k,) of instants (k,)."""
        return np.asarray(instant * len(self._segments) + np.searchsorted(self._segments, segment))

    @cached_property
    def curve(self) -> Floats:
        """The segments that differ, of the first instant, of the second, and so on: (n · differing, 4, width)."""
        return self._places.curve(*self._rows)

    @property
    def _rows(self) -> tuple[Ints, Ints]:
        return np.repeat(self._instants, len(self._segments)), np.tile(self._segments, len(self._instants))

    @cached_property
    def _ruler(self) -> Ruler:
        points = self._loose.path._rope.whole.points
        if self._metric.is_length:
            return measured(hermite.speed_squared(self.curve, points)[:, None])
        instant, segment = self._rows
        parts = [slice(start, start + AT_ONCE) for start in range(0, len(instant), AT_ONCE)]
        quartics = [
            turning_quartics(self.curve[some], points, self._spin(instant[some], segment[some]), self._metric)
            for some in parts
        ]
        return measured(np.concatenate(quartics))

    def _spin(self, instant: Ints, segment: Ints) -> Floats:
        if self._turns is None:
            return np.zeros((len(segment), *stations().shape, 3))
        return self._turns.spin(instant, segment)
