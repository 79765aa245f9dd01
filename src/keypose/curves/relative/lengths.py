"""How long is a path with loose keys at many instants, and where is a distance on it? Only what differs is measured.

A ruler goes along all segments whose length differs, at the first instant, at the second, and so on; all others are
read off the path's own ruler.
"""

from functools import cached_property

import numpy as np

from keypose.curves.distance.inverse_arc_length import parameters, segment_fractions
from keypose.curves.distance.length_table import LengthTable, build_length_table
from keypose.curves.path.metric import Metric, metric_quartics, sample_fractions
from keypose.curves.relative.orientations import RelativeOrientations
from keypose.curves.relative.positions import RelativePositions
from keypose.curves.relative.relative_path import RelativePath
from keypose.maths import Bools, Floats, Ints, hermite

BATCH_SIZE = 4096  # segments: each angular velocity is asked for at 80 places


class RelativeLengths:
    """Distance along a loose path at instants (n,): `segments` differ, the `rest` measures what does not."""

    def __init__(
        self,
        relative_path: RelativePath,
        instants: Ints,
        segments: Ints,
        fixed_table: LengthTable,
        metric: Metric,
        positions: RelativePositions,
        orientations: RelativeOrientations | None,
    ) -> None:
        self._relative_path = relative_path
        self._instants = instants
        self._segments = segments
        self._fixed_table = fixed_table
        self._metric = metric
        self._positions = positions
        self._orientations = orientations

    @cached_property
    def has_changing_length(self) -> Bools:
        """Of each segment of the path whether it is among the segments that differ."""
        mask = np.zeros(self._relative_path.path.segments, dtype=bool)
        mask[self._segments] = True
        return mask

    @cached_property
    def distances_at_keys(self) -> Floats:
        """How far the path has come at the `distance_keys` of the loose path, at each instant: (n, distance keys)."""
        keys, count = self._relative_path.distance_keys, len(self._instants)
        is_changing = self.has_changing_length[keys[:-1]]
        gaps = np.empty((count, len(keys) - 1))
        if is_changing.any():
            gaps[:, is_changing] = self._length_table.distances[self._length_table.first_piece[1:] - 1].reshape(
                count, is_changing.sum()
            )
        if not is_changing.all():
            gaps[:, ~is_changing] = np.diff(self._fixed_table.segment_starts[keys])[~is_changing]
        return np.concatenate([np.zeros((count, 1)), np.cumsum(gaps, axis=1)], axis=1)

    def parameter(self, distance: Floats) -> Floats:
        """The u at a distance (n,) [m] from the start of each instant's path; held at its ends."""
        keys, here, distances = self._relative_path.distance_keys, np.arange(len(distance)), self.distances_at_keys
        # Of several ends at one distance the last one holds, as on any path.
        block = np.clip((distances <= distance[:, None]).sum(axis=1) - 1, 0, len(keys) - 2)
        first = keys[block]
        travelled = np.minimum(distance, distances[here, block + 1]) - distances[here, block]
        u = np.empty(len(distance))
        is_changing = self.has_changing_length[first]
        changing, fixed = np.flatnonzero(is_changing), np.flatnonzero(~is_changing)
        if len(changing):
            u[changing] = first[changing] + segment_fractions(
                self._length_table, self.curve_rows(changing, first[changing]), travelled[changing]
            )
        if len(fixed):
            u[fixed] = parameters(self._fixed_table, self._fixed_table.segment_starts[first[fixed]] + travelled[fixed])
        u[distance >= distances[:, -1]] = self._relative_path.path.segments
        u[distance <= 0.0] = 0.0
        return u

    # ---- what differs ------------------------------------------------------------------------------------------------

    def curve_rows(self, instant: Ints, segment: Ints) -> Ints:
        """Which rows of `curve` are these segments (k,) of instants (k,)."""
        return np.asarray(instant * len(self._segments) + np.searchsorted(self._segments, segment))

    @cached_property
    def curve(self) -> Floats:
        """The segments that differ, of the first instant, of the second, and so on: (n · differing, 4, width)."""
        return self._positions.curve(*self._instant_segment_pairs)

    @property
    def _instant_segment_pairs(self) -> tuple[Ints, Ints]:
        return np.repeat(self._instants, len(self._segments)), np.tile(self._segments, len(self._instants))

    @cached_property
    def _length_table(self) -> LengthTable:
        points = self._relative_path.geometry.rope.whole.points
        if self._metric.is_length:
            return build_length_table(hermite.speed_quartics(self.curve, points)[:, None])
        instant, segment = self._instant_segment_pairs
        parts = [slice(start, start + BATCH_SIZE) for start in range(0, len(instant), BATCH_SIZE)]
        quartics = [
            metric_quartics(
                self.curve[part], points, self._angular_velocity(instant[part], segment[part]), self._metric
            )
            for part in parts
        ]
        return build_length_table(np.concatenate(quartics))

    def _angular_velocity(self, instant: Ints, segment: Ints) -> Floats:
        if self._orientations is None:
            return np.zeros((len(segment), *sample_fractions().shape, 3))
        return self._orientations.angular_velocity(instant, segment)
