"""Where do the segments beside loose keys run, at many instants at once? As `build_segments` has them for a path at
rest.

Asked for segments (k,) at instants (k,). Keys that only turn lie on the curve through the places: there the curve is
derived from place to place and cut as it is at rest.
"""

from functools import cached_property
from itertools import pairwise

import numpy as np

from keypose.curves.path.partial_keys import cut_segments, tangent_scales
from keypose.curves.path.segments import chord_norms
from keypose.curves.relative.relative_path import CarrierFrames, RelativePath
from keypose.maths import Bools, Floats, Ints


class KeyValues:
    """What the keys of a loose path say at n instants, seen from outside."""

    def __init__(self, relative_path: RelativePath, frames: CarrierFrames) -> None:
        self._relative_path = relative_path
        self._frames = frames
        self._transformed: dict[str, Floats] = {}

    def at(self, key: Ints, name: str, instant: Ints) -> Floats:
        """What keys (k,) say at instants (k,)."""
        values = self._relative_path.key_values[name]
        assert values is not None
        if name not in self._transformed:
            transform = {"position": self._frames.transform_points, "facing": self._frames.rotate_orientations}.get(
                name, self._frames.rotate_vectors
            )
            self._transformed[name] = transform(values[self._relative_path.relative_keys])
        rows, index = values[key], self._relative_path.relative_index[key]
        is_relative = np.flatnonzero(index >= 0)
        rows[is_relative] = self._transformed[name][instant[is_relative], index[is_relative]]
        return rows

    def manual_at(self, key: Ints, name: str, instant: Ints) -> Floats | None:
        """The same of what no key may say."""
        return None if self._relative_path.key_values[name] is None else self.at(key, name, instant)


class RelativePositions:
    """The curve of a loose path at n instants."""

    def __init__(self, relative_path: RelativePath, key_values: KeyValues, count: int) -> None:
        self._relative_path = relative_path
        self._key_values = key_values
        self._count = count

    def curve(self, instant: Ints, segment: Ints) -> Floats:
        """Segments (k, 4, width) of the paths at these instants."""
        changing = np.flatnonzero(self._relative_path.influence.has_changing_curve[segment])
        if 0 < len(changing) == len(segment):
            return self._changing_curve(instant, segment)
        curve = self._relative_path.geometry.curve[segment]
        if len(changing):
            curve[changing] = self._changing_curve(instant[changing], segment[changing])
        return curve

    def _changing_curve(self, instant: Ints, segment: Ints) -> Floats:
        """Segments that differ from instant to instant."""
        influence = self._relative_path.influence
        whole = self._position_segments(instant, influence.position_segments[segment])
        if influence.segment_cuts is None:
            return whole
        begin, own = influence.segment_cuts
        return cut_segments(whole, begin[segment], own[segment], own[segment + 1])

    def _position_segments(self, instant: Ints, segment: Ints) -> Floats:
        """The segments from one key with a place to the next."""
        chain = self._relative_path.influence.position_chain
        keys = chain.neighbour_keys(segment)
        positions = [self._key_values.at(key, "position", instant) for key in keys]
        if len(chain.key_indices) == 1:
            leave = arrive = np.zeros_like(positions[1])
        else:
            before, own, after = (two - one for one, two in pairwise(positions))
            chords = chain.chords(before, own, after, segment)
            spans = chain.time_spans(segment)
            if spans is None:
                before, own, after = (chord_norms(chord) for chord in chords)
                spans = chain.fill_ends(before, own, after, segment, "repeat")
            tcb = self._relative_path.tcb["place"]
            manual = self._manual_tangents(keys[1], "leave", instant), self._manual_tangents(keys[2], "arrive", instant)
            leave, arrive = chain.tangents(segment, chords, spans, (tcb[keys[1]], tcb[keys[2]]), manual)
        return np.stack([row.reshape(len(row), -1) for row in (positions[1], positions[2], leave, arrive)], axis=1)

    def _manual_tangents(self, key: Ints, side: str, instant: Ints) -> Floats | None:
        tangents, influence = self._key_values.manual_at(key, side, instant), self._relative_path.influence
        if tangents is None or influence.segment_cuts is None:
            return tangents
        key_indices = influence.position_chain.key_indices
        scale = tangent_scales(influence.segment_cuts[1], key_indices, side)[np.searchsorted(key_indices, key)]
        return np.asarray(tangents / scale.reshape(-1, *(1,) * (tangents.ndim - 1)))

    def is_still(self, instants: Ints) -> Bools:
        """Of each of these instants whether nothing travels then, neither from key to key nor in between."""
        changing = np.flatnonzero(self._relative_path.influence.has_changing_curve)
        curve = self.curve(np.repeat(instants, len(changing)), np.tile(changing, len(instants)))
        still = (curve[:, 0] == curve[:, 1]).all(axis=1) & ~curve[:, 2:].any(axis=(1, 2))
        return np.asarray(still.reshape(len(instants), len(changing)).all(axis=1))

    # ---- how far apart neighbouring keys are -------------------------------------------------------------------------

    def gaps(self, instant: Ints, segment: Ints) -> Floats:
        """How far apart the ends of segments (k,) are at instants (k,)."""
        gaps, changing = (
            self._relative_path.influence.fixed_gaps[segment],
            np.flatnonzero(self._relative_path.influence.has_changing_gap[segment]),
        )
        gaps[changing] = self._changing_gaps[instant[changing], self._fixed_distances[1][segment[changing]]]
        return gaps

    def chord_distances(self, instant: Ints, key: Ints) -> Floats:
        """How far keys (k,) are from the first by straight lines from key to key, at instants (k,)."""
        fixed, column = self._fixed_distances
        return np.asarray(fixed[key] + self._changing_distances[instant, column[key]])

    @cached_property
    def has_travel(self) -> Bools:
        """Whether any two neighbouring keys are apart, at each instant (n,)."""
        return np.asarray(self._fixed_distances[0][-1] + self._changing_distances[:, -1] > 0)

    @cached_property
    def _fixed_distances(self) -> tuple[Floats, Ints]:
        """The way to each key by the gaps that never change, and how many of the others are passed, (segments + 1,)."""
        influence = self._relative_path.influence
        return np.append(0.0, np.cumsum(influence.fixed_gaps)), np.append(0, np.cumsum(influence.has_changing_gap))

    @cached_property
    def _changing_distances(self) -> Floats:
        """The way by the gaps that change, at each instant, (n, gapped + 1)."""
        return np.concatenate([np.zeros((self._count, 1)), np.cumsum(self._changing_gaps, axis=1)], axis=1)

    @cached_property
    def _changing_gaps(self) -> Floats:
        """Those gaps, (n, gapped)."""
        changing, path = np.flatnonzero(self._relative_path.influence.has_changing_gap), self._relative_path.path
        if not len(changing):
            return np.empty((self._count, 0))
        instant, segment = np.repeat(np.arange(self._count), len(changing)), np.tile(changing, self._count)
        if path.geometry.has_all_positions:
            ends = self._relative_path.influence.position_chain.neighbour_keys(segment)[1:3]
            start, stop = (self._key_values.at(key, "position", instant) for key in ends)
        else:
            curve = self.curve(instant, segment)
            start, stop = (curve[:, row].reshape(-1, *path.shape) for row in (0, 1))
        return chord_norms(stop - start).reshape(self._count, len(changing))
