"""Which keys shape a piece of a curve? Its own two and one on either side, of the keys the curve goes through.

Places make one such chain of keys and facings another: a key that only turns is no link of the first, a key that only
stands none of the second. What is said here of segments (k,) may be asked of different instants in one go.
"""

from typing import Literal

import numpy as np

from keypose.curves.path_options import PathOptions
from keypose.curves.tangents import Adjust, apply_manual_tangents, tcb_tangents
from keypose.maths import Bools, Floats, Ints

Neighbours = tuple[
    Floats, Floats, Floats
]  # what belongs to the segment before, to the segment itself, to the one after


class KeyChain:
    """The keys (k,) a curve goes through, of all keys of a path, and the seconds between them where those count."""

    def __init__(self, key_indices: Ints, options: PathOptions, adjust: Adjust, durations: Floats | None) -> None:
        self.key_indices = key_indices
        self.closed = options.closed and len(key_indices) > 1
        self.segments = len(key_indices) if self.closed else max(len(key_indices) - 1, 1)
        self._ends, self._adjust = options.ends, adjust
        self._durations = durations

    def neighbour_keys(self, segment: Ints) -> list[Ints]:
        """The key before each segment, its two own, and the one after; at an open end the end key again."""
        count = len(self.key_indices)
        neighbours = [segment + step for step in (-1, 0, 1, 2)]
        return [
            self.key_indices[index % count if self.closed else np.clip(index, 0, count - 1)] for index in neighbours
        ]

    def containing_segments(self, segments: int) -> Ints:
        """The segment of the chain in which each of the path's own lies, (segments,); outside an open one the end's."""
        after = np.searchsorted(self.key_indices, np.arange(segments), side="right") - 1
        return after % self.segments if self.closed else np.clip(after, 0, self.segments - 1)

    def affected_segments(self, keys: Ints) -> Bools:
        """The segments that some keys of the path shape: two on either side of each, (segments,)."""
        index = np.searchsorted(self.key_indices, np.intersect1d(self.key_indices, keys))
        return self._segment_mask((index[:, None] + np.arange(-2, 2)).reshape(-1))

    def with_neighbours(self, segments: Bools) -> Bools:
        """These segments and those beside them."""
        return self._segment_mask((np.flatnonzero(segments)[:, None] + np.arange(-1, 2)).reshape(-1))

    def _segment_mask(self, segment: Ints) -> Bools:
        mask = np.zeros(self.segments, dtype=bool)
        inside = (segment >= 0) & (segment < self.segments)
        mask[segment % self.segments if self.closed else segment[inside]] = True
        return mask

    def time_spans(self, segment: Ints) -> Neighbours | None:
        """The spans around each segment in time, where tangents are adjusted to it."""
        if self._durations is None:
            return None
        before, own, after = (self._durations[neighbour] for neighbour in self.neighbour_segments(segment))
        return self.fill_ends(before, own, after, segment, "repeat")

    def neighbour_segments(self, segment: Ints) -> list[Ints]:
        """The segment before each, itself, and the one after; at an open end the end's own again."""
        neighbours = [segment + step for step in (-1, 0, 1)]
        return [
            neighbour % self.segments if self.closed else np.clip(neighbour, 0, self.segments - 1)
            for neighbour in neighbours
        ]

    def chords(self, before: Floats, own: Floats, after: Floats, segment: Ints) -> Neighbours:
        """The chords around each segment as its tangents see them."""
        return self.fill_ends(before, own, after, segment, "zero" if self._ends == "zero-chord" else "repeat")

    def fill_ends(
        self, before: Floats, own: Floats, after: Floats, segment: Ints, beyond: Literal["repeat", "zero"]
    ) -> Neighbours:
        """Beyond an open end lies the end's own segment again, or nothing (as `around_keys`)."""
        if not self.closed:
            for side, at_end in ((before, segment == 0), (after, segment == self.segments - 1)):
                side[at_end] = own[at_end] if beyond == "repeat" else 0.0
        return before, own, after

    def tangents(
        self,
        segment: Ints,
        chords: Neighbours,
        spans: Neighbours,
        tcb: tuple[Floats, Floats],
        manual: tuple[Floats | None, Floats | None],
    ) -> tuple[Floats, Floats]:
        """How each segment is left at its start and arrived with at its end, from what its two keys say."""
        _, leave = tcb_tangents(chords[0], chords[1], tcb[0], self._adjust, spans[0], spans[1])
        arrive, _ = tcb_tangents(chords[1], chords[2], tcb[1], self._adjust, spans[1], spans[2])
        if self._ends == "still" and not self.closed:
            leave[segment == 0] = 0.0
            arrive[segment == self.segments - 1] = 0.0
        return apply_manual_tangents(leave, manual[0], chords[1]), apply_manual_tangents(arrive, manual[1], chords[1])
