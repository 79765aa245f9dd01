"""How far does a loose key reach? What of a path differs from instant to instant while some of its keys are carried.

A key shapes its own tangents and its neighbours', so two segments on either side of it bend, in place and in turn
alike. Turns share the distances between keys, and a key without a facing lies in its turn by those: there a key that
only travels reaches the turns beside its own. Where nothing else travels, it decides for the whole path whether turns
go by distances at all.
"""

from functools import cached_property

import numpy as np

from keypose.curves.path.partial_keys import complete_times, position_closing_span, position_parameters, source_segments
from keypose.curves.path.path_geometry import PathGeometry
from keypose.curves.path.segments import chord_norms, closing_span
from keypose.curves.relative.key_chain import KeyChain
from keypose.maths import Bools, Floats, Ints


class Influence:
    """What some keys of a path in space reach."""

    def __init__(self, path: PathGeometry, keys: Ints) -> None:
        self._path = path
        self._keys = keys

    # ---- places ------------------------------------------------------------------------------------------------------

    @cached_property
    def position_chain(self) -> KeyChain:
        """The keys that have a place."""
        path, durations = self._path, None
        key_indices = np.arange(len(path)) if path.has_all_positions else self._position_parameters[0]
        if path.adjust in ("time", "velocity"):
            durations = np.diff(path.keys.rope.whole.arrays["time"][key_indices])
            if path.closed and len(key_indices) > 1:
                is_complete = len(key_indices) == len(path)
                closing = closing_span(path.keys, path.options) if is_complete else self._closing_span
                durations = np.append(durations, closing)
        return KeyChain(key_indices, path.options, path.adjust, durations)

    @property
    def _closing_span(self) -> float:
        return position_closing_span(self._path.keys, self._path.options, self._position_parameters[0])

    @cached_property
    def _position_parameters(self) -> tuple[Ints, Floats]:
        """The keys that have a place, and where on the curve through them each key lies."""
        if "position" not in self._path.keys.rope.whole.arrays:
            return np.empty(0, dtype=np.int64), np.zeros(self._path.segments + 1)
        return position_parameters(self._path.keys, self._path.options)

    @cached_property
    def segment_cuts(self) -> tuple[Ints, Floats] | None:
        """From which piece between two places each segment is cut, and where; None where all keys have places."""
        return (
            None
            if self._path.has_all_positions
            else (source_segments(self._position_parameters[1]), self._position_parameters[1])
        )

    @cached_property
    def position_segments(self) -> Ints:
        """The segment between two places on which each of the path's own lies, (segments,)."""
        if self.segment_cuts is None:
            return np.arange(self._path.segments)
        return np.asarray(self.segment_cuts[0] % self.position_chain.segments)

    @cached_property
    def has_changing_curve(self) -> Bools:
        """Of each segment whether its curve differs, (segments,)."""
        return np.asarray(self.position_chain.affected_segments(self._keys)[self.position_segments])

    @cached_property
    def has_changing_gap(self) -> Bools:
        """Of each segment whether its ends may come closer or go apart, (segments,)."""
        if not self._path.has_all_positions:
            return self.has_changing_curve  # keys that only turn lie on the curve
        neighbours = np.concatenate([self._keys - 1, self._keys])
        changing = np.zeros(self._path.segments, dtype=bool)
        inside = neighbours[(neighbours >= 0) & (neighbours < len(changing))]
        changing[neighbours % len(changing) if self._path.closed else inside] = True
        return changing

    @cached_property
    def fixed_gaps(self) -> Floats:
        """How far apart the ends of each segment are, (segments,); 0 where that differs."""
        ends = self._path.curve[:, :2].reshape(-1, 2, *self._path.shape)
        return np.where(self.has_changing_gap, 0.0, chord_norms(ends[:, 1] - ends[:, 0]))

    # ---- turns -------------------------------------------------------------------------------------------------------

    @cached_property
    def orientation_chain(self) -> KeyChain:
        """The keys that have a facing; there is one at least."""
        path, orientation = self._path, self._path.orientation
        assert orientation is not None
        durations = orientation.orientation_path.spans if path.adjust in ("time", "velocity") else None
        return KeyChain(orientation.oriented_keys, path.options, path.adjust, durations)

    @cached_property
    def has_distance_parameters(self) -> bool:
        """Whether keys without a facing lie in a turn by the distances around them."""
        return len(self.orientation_chain.key_indices) < len(self._path) and complete_times(self._path.keys) is None

    @cached_property
    def has_constant_travel(self) -> bool:
        """Whether two neighbouring keys are apart at every instant."""
        return bool(self.fixed_gaps.sum() > 0)

    @cached_property
    def _has_changing_span(self) -> Bools:
        """Of each turn whether it is longer or shorter at times, in metres, (turns,)."""
        changing = np.zeros(self.orientation_chain.segments, dtype=bool)
        first, last = (
            (0, self._path.segments) if self.orientation_chain.closed else self.orientation_chain.key_indices[[0, -1]]
        )
        inside = np.flatnonzero(self.has_changing_gap[first:last]) + first
        changing[self.orientation_segments[inside]] = True
        return changing if self.has_constant_travel else np.ones_like(changing)

    @cached_property
    def orientation_segments(self) -> Ints:
        """The turn between two facings in which each of the path's own segments lies, (segments,)."""
        return self.orientation_chain.containing_segments(self._path.segments)

    @cached_property
    def changing_rotations(self) -> Bools:
        """Of each turn between two facings whether it differs, (turns,)."""
        changing = self.orientation_chain.affected_segments(self._keys)
        return (
            changing | self.orientation_chain.with_neighbours(self._has_changing_span)
            if self._path.adjust == "length"
            else changing
        )

    @cached_property
    def has_changing_orientation(self) -> Bools:
        """Of each segment whether its turn differs, (segments,)."""
        if self._path.turns is None or len(self.orientation_chain.key_indices) == 1:
            return np.zeros(self._path.segments, dtype=bool)  # nothing turns
        return np.asarray(self.changing_rotations[self.orientation_segments] | self.has_changing_parameter)

    @cached_property
    def has_changing_parameter(self) -> Bools:
        """Of each segment whether it may lie elsewhere in its turn, (segments,)."""
        return np.asarray(self._has_changing_span[self.orientation_segments] & self.has_distance_parameters)

    # ---- distance ----------------------------------------------------------------------------------------------------

    @cached_property
    def can_stand_still(self) -> bool:
        """Whether there may be instants at which nothing travels, so that it is the turn that counts as distance."""
        if self._path.turns is None or self._path.options.inertia > 0:
            return False
        fixed = self._path.curve[~self.has_changing_curve]
        return not ((fixed[:, 0] != fixed[:, 1]).any() or fixed[:, 2:].any())

    @property
    def can_measure_angles(self) -> bool:
        """Whether turns count as distance, always or at some instants."""
        return self._path.options.inertia > 0 or self.can_stand_still
