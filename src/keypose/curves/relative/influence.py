"""How far does a loose key reach? What of a path differs from instant to instant while some of its keys are carried.

A key shapes its own tangents and its neighbours', so two segments on either side of it bend, in place and in turn
alike. Turns share the distances between keys, and a key without a facing lies in its turn by those: there a key that
only travels reaches the turns beside its own. Where nothing else travels, it decides for the whole path whether turns
go by distances at all.
"""

from functools import cached_property

import numpy as np

from keypose.curves.path.motion_path import MotionPath
from keypose.curves.path.partial_keys import closing_of_places, cuts, on_places, times_of_all
from keypose.curves.path.segments import closing_span, lengths_of
from keypose.curves.relative.key_chain import Chain
from keypose.maths.arrays import Bools, Floats, Ints


class Reach:
    """What some keys of a path in space reach."""

    def __init__(self, path: MotionPath, keys: Ints) -> None:
        self._path = path
        self._keys = keys

    # ---- places ------------------------------------------------------------------------------------------------------

    @cached_property
    def placed(self) -> Chain:
        """The keys that have a place."""
        path, seconds = self._path, None
        links = np.arange(len(path)) if path._all_placed else self._on_places[0]
        if path.adjust in ("time", "velocity"):
            seconds = np.diff(path.keys.rope.whole.of["time"][links])
            if path.closed and len(links) > 1:
                every = len(links) == len(path)
                closing = closing_span(path.keys, path.style) if every else self._closing
                seconds = np.append(seconds, closing)
        return Chain(links, path.style, path.adjust, seconds)

    @property
    def _closing(self) -> float:
        return closing_of_places(self._path.keys, self._path.style, self._on_places[0])

    @cached_property
    def _on_places(self) -> tuple[Ints, Floats]:
        """The keys that have a place, and where on the curve through them each key lies."""
        if "position" not in self._path.keys.rope.whole.of:
            return np.empty(0, dtype=np.int64), np.zeros(self._path.segments + 1)
        return on_places(self._path.keys, self._path.style)

    @cached_property
    def cut(self) -> tuple[Ints, Floats] | None:
        """From which piece between two places each segment is cut, and where; None where all keys have places."""
        return None if self._path._all_placed else (cuts(self._on_places[1]), self._on_places[1])

    @cached_property
    def on_places(self) -> Ints:
        """The segment between two places on which each of the path's own lies, (segments,)."""
        if self.cut is None:
            return np.arange(self._path.segments)
        return np.asarray(self.cut[0] % self.placed.segments)

    @cached_property
    def bent(self) -> Bools:
        """Of each segment whether its curve differs, (segments,)."""
        return np.asarray(self.placed.shaped_by(self._keys)[self.on_places])

    @cached_property
    def gapped(self) -> Bools:
        """Of each segment whether its ends may come closer or go apart, (segments,)."""
        if not self._path._all_placed:
            return self.bent  # keys that only turn lie on the curve
        beside = np.concatenate([self._keys - 1, self._keys])
        gapped = np.zeros(self._path.segments, dtype=bool)
        inside = beside[(beside >= 0) & (beside < len(gapped))]
        gapped[beside % len(gapped) if self._path.closed else inside] = True
        return gapped

    @cached_property
    def gaps(self) -> Floats:
        """How far apart the ends of each segment are, (segments,); 0 where that differs."""
        ends = self._path._rope.whole.curve[:, :2].reshape(-1, 2, *self._path.shape)
        return np.where(self.gapped, 0.0, lengths_of(ends[:, 1] - ends[:, 0]))

    # ---- turns -------------------------------------------------------------------------------------------------------

    @cached_property
    def faced(self) -> Chain:
        """The keys that have a facing; there is one at least."""
        path, facings = self._path, self._path._facings
        assert facings is not None
        seconds = facings.turns.spans if path.adjust in ("time", "velocity") else None
        return Chain(facings.faced, path.style, path.adjust, seconds)

    @cached_property
    def own_by_distance(self) -> bool:
        """Whether keys without a facing lie in a turn by the distances around them."""
        return len(self.faced.links) < len(self._path) and times_of_all(self._path.keys) is None

    @cached_property
    def always_travels(self) -> bool:
        """Whether two neighbouring keys are apart at every instant."""
        return bool(self.gaps.sum() > 0)

    @cached_property
    def _spans(self) -> Bools:
        """Of each turn whether it is longer or shorter at times, in metres, (turns,)."""
        spans = np.zeros(self.faced.segments, dtype=bool)
        first, last = (0, self._path.segments) if self.faced.closed else self.faced.links[[0, -1]]
        inside = np.flatnonzero(self.gapped[first:last]) + first
        spans[self.on_facings[inside]] = True
        return spans if self.always_travels else np.ones_like(spans)

    @cached_property
    def on_facings(self) -> Ints:
        """The turn between two facings in which each of the path's own segments lies, (segments,)."""
        return self.faced.holding(self._path.segments)

    @cached_property
    def turns(self) -> Bools:
        """Of each turn between two facings whether it differs, (turns,)."""
        turns = self.faced.shaped_by(self._keys)
        return turns | self.faced.widened(self._spans) if self._path.adjust == "length" else turns

    @cached_property
    def turned(self) -> Bools:
        """Of each segment whether its turn differs, (segments,)."""
        if self._path.turns is None or len(self.faced.links) == 1:
            return np.zeros(self._path.segments, dtype=bool)  # nothing turns
        return np.asarray(self.turns[self.on_facings] | self.shifted)

    @cached_property
    def shifted(self) -> Bools:
        """Of each segment whether it may lie elsewhere in its turn, (segments,)."""
        return np.asarray(self._spans[self.on_facings] & self.own_by_distance)

    # ---- distance ----------------------------------------------------------------------------------------------------

    @cached_property
    def may_stand(self) -> bool:
        """Whether there may be instants at which nothing travels, so that it is the turn that counts as distance."""
        if self._path.turns is None or self._path.style.inertia > 0:
            return False
        rest = self._path._rope.whole.curve[~self.bent]
        return not ((rest[:, 0] != rest[:, 1]).any() or rest[:, 2:].any())

    @property
    def turns_may_count(self) -> bool:
        """Whether turns count as distance, always or at some instants."""
        return self._path.style.inertia > 0 or self.may_stand
