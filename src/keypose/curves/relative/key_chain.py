"""Which keys shape a piece of a curve? Its own two and one on either side, of the keys the curve goes through.

Places make one such chain of keys and facings another: a key that only turns is no link of the first, a key that only
stands none of the second. What is said here of segments (k,) may be asked of different instants in one go.
"""

from typing import Literal

import numpy as np

from keypose.curves.path_options import Style
from keypose.curves.tangents import Adjust, set_by_hand, tcb_tangents
from keypose.maths.arrays import Bools, Floats, Ints

Around = tuple[Floats, Floats, Floats]  # what belongs to the segment before, to the segment itself, to the one after


class Chain:
    """The keys (k,) a curve goes through, of all keys of a path, and the seconds between them where those count."""

    def __init__(self, links: Ints, style: Style, adjust: Adjust, seconds: Floats | None) -> None:
        self.links = links
        self.closed = style.closed and len(links) > 1
        self.segments = len(links) if self.closed else max(len(links) - 1, 1)
        self._ends, self._adjust = style.ends, adjust
        self._seconds = seconds

    def around(self, segment: Ints) -> list[Ints]:
        """The key before each segment, its two own, and the one after; at an open end the end key again."""
        count = len(self.links)
        around = [segment + step for step in (-1, 0, 1, 2)]
        return [self.links[link % count if self.closed else np.clip(link, 0, count - 1)] for link in around]

    def holding(self, segments: int) -> Ints:
        """The segment of the chain in which each of the path's own lies, (segments,); outside an open one the end's."""
        after = np.searchsorted(self.links, np.arange(segments), side="right") - 1
        return after % self.segments if self.closed else np.clip(after, 0, self.segments - 1)

    def shaped_by(self, keys: Ints) -> Bools:
        """The segments that some keys of the path shape: two on either side of each, (segments,)."""
        link = np.searchsorted(self.links, np.intersect1d(self.links, keys))
        return self._among((link[:, None] + np.arange(-2, 2)).reshape(-1))

    def widened(self, segments: Bools) -> Bools:
        """These segments and those beside them."""
        return self._among((np.flatnonzero(segments)[:, None] + np.arange(-1, 2)).reshape(-1))

    def _among(self, segment: Ints) -> Bools:
        mask = np.zeros(self.segments, dtype=bool)
        inside = (segment >= 0) & (segment < self.segments)
        mask[segment % self.segments if self.closed else segment[inside]] = True
        return mask

    def seconds(self, segment: Ints) -> Around | None:
        """The spans around each segment in time, where tangents are adjusted to it."""
        if self._seconds is None:
            return None
        before, own, after = (self._seconds[link] for link in self.beside(segment))
        return self.ended(before, own, after, segment, "repeat")

    def beside(self, segment: Ints) -> list[Ints]:
        """The segment before each, itself, and the one after; at an open end the end's own again."""
        around = [segment + step for step in (-1, 0, 1)]
        return [one % self.segments if self.closed else np.clip(one, 0, self.segments - 1) for one in around]

    def chords(self, before: Floats, own: Floats, after: Floats, segment: Ints) -> Around:
        """The chords around each segment as its tangents see them."""
        return self.ended(before, own, after, segment, "zero" if self._ends == "zero-chord" else "repeat")

    def ended(
        self, before: Floats, own: Floats, after: Floats, segment: Ints, beyond: Literal["repeat", "zero"]
    ) -> Around:
        """Beyond an open end lies the end's own segment again, or nothing (as `around_keys`)."""
        if not self.closed:
            for side, at_end in ((before, segment == 0), (after, segment == self.segments - 1)):
                side[at_end] = own[at_end] if beyond == "repeat" else 0.0
        return before, own, after

    def tangents(
        self,
        segment: Ints,
        chords: Around,
        spans: Around,
        shaping: tuple[Floats, Floats],
        hand: tuple[Floats | None, Floats | None],
    ) -> tuple[Floats, Floats]:
        """How each segment is left at its start and arrived with at its end, from what its two keys say."""
        _, leave = tcb_tangents(chords[0], chords[1], shaping[0], self._adjust, spans[0], spans[1])
        arrive, _ = tcb_tangents(chords[1], chords[2], shaping[1], self._adjust, spans[1], spans[2])
        if self._ends == "still" and not self.closed:
            leave[segment == 0] = 0.0
            arrive[segment == self.segments - 1] = 0.0
        return set_by_hand(leave, hand[0], chords[1]), set_by_hand(arrive, hand[1], chords[1])
