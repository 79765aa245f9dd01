"""Where do the segments beside loose keys run, at many instants at once? As `segments_of` has them for a path at rest.

Asked for segments (k,) at instants (k,). Keys that only turn lie on the curve through the places: there the curve is
derived from place to place and cut as it is at rest.
"""

from functools import cached_property
from itertools import pairwise

import numpy as np

from keypose.curves.path.partial_keys import cut, lengthening
from keypose.curves.path.segments import lengths_of
from keypose.curves.relative.relative_path import Frames, Loose
from keypose.maths.arrays import Bools, Floats, Ints


class Said:
    """What the keys of a loose path say at n instants, seen from outside."""

    def __init__(self, loose: Loose, frames: Frames) -> None:
        self._loose = loose
        self._frames = frames
        self._moved: dict[str, Floats] = {}

    def by(self, key: Ints, word: str, instant: Ints) -> Floats:
        """What keys (k,) say at instants (k,)."""
        said = self._loose.said[word]
        assert said is not None
        if word not in self._moved:
            move = {"position": self._frames.carried, "facing": self._frames.facing}.get(word, self._frames.turned)
            self._moved[word] = move(said[self._loose.loose])
        rows, slot = said[key], self._loose.slot[key]
        loose = np.flatnonzero(slot >= 0)
        rows[loose] = self._moved[word][instant[loose], slot[loose]]
        return rows

    def by_hand(self, key: Ints, word: str, instant: Ints) -> Floats | None:
        """The same of what no key may say."""
        return None if self._loose.said[word] is None else self.by(key, word, instant)


class MovedPlaces:
    """The curve of a loose path at n instants."""

    def __init__(self, loose: Loose, said: Said, count: int) -> None:
        self._loose = loose
        self._said = said
        self._count = count

    def curve(self, instant: Ints, segment: Ints) -> Floats:
        """Segments (k, 4, width) of the paths at these instants."""
        mine = np.flatnonzero(self._loose.reach.bent[segment])
        if 0 < len(mine) == len(segment):
            return self._bent(instant, segment)
        curve = self._loose.path._rope.whole.curve[segment]
        if len(mine):
            curve[mine] = self._bent(instant[mine], segment[mine])
        return curve

    def _bent(self, instant: Ints, segment: Ints) -> Floats:
        """Segments that differ from instant to instant."""
        reach = self._loose.reach
        whole = self._between_places(instant, reach.on_places[segment])
        if reach.cut is None:
            return whole
        begin, own = reach.cut
        return cut(whole, begin[segment], own[segment], own[segment + 1])

    def _between_places(self, instant: Ints, segment: Ints) -> Floats:
        """The segments from one key with a place to the next."""
        chain = self._loose.reach.placed
        keys = chain.around(segment)
        places = [self._said.by(key, "position", instant) for key in keys]
        if len(chain.links) == 1:
            leave = arrive = np.zeros_like(places[1])
        else:
            before, own, after = (two - one for one, two in pairwise(places))
            chords = chain.chords(before, own, after, segment)
            spans = chain.seconds(segment)
            if spans is None:
                before, own, after = (lengths_of(chord) for chord in chords)
                spans = chain.ended(before, own, after, segment, "repeat")
            shaping = self._loose.shaping["place"]
            hand = self._by_hand(keys[1], "leave", instant), self._by_hand(keys[2], "arrive", instant)
            leave, arrive = chain.tangents(segment, chords, spans, (shaping[keys[1]], shaping[keys[2]]), hand)
        return np.stack([row.reshape(len(row), -1) for row in (places[1], places[2], leave, arrive)], axis=1)

    def _by_hand(self, key: Ints, side: str, instant: Ints) -> Floats | None:
        tangents, reach = self._said.by_hand(key, side, instant), self._loose.reach
        if tangents is None or reach.cut is None:
            return tangents
        links = reach.placed.links
        share = lengthening(reach.cut[1], links, side)[np.searchsorted(links, key)]
        return np.asarray(tangents / share.reshape(-1, *(1,) * (tangents.ndim - 1)))

    def stands(self, instants: Ints) -> Bools:
        """Of each of these instants whether nothing travels then, neither from key to key nor in between."""
        bent = np.flatnonzero(self._loose.reach.bent)
        curve = self.curve(np.repeat(instants, len(bent)), np.tile(bent, len(instants)))
        still = (curve[:, 0] == curve[:, 1]).all(axis=1) & ~curve[:, 2:].any(axis=(1, 2))
        return np.asarray(still.reshape(len(instants), len(bent)).all(axis=1))

    # ---- how far apart neighbouring keys are -------------------------------------------------------------------------

    def gaps(self, instant: Ints, segment: Ints) -> Floats:
        """How far apart the ends of segments (k,) are at instants (k,)."""
        gaps, mine = self._loose.reach.gaps[segment], np.flatnonzero(self._loose.reach.gapped[segment])
        gaps[mine] = self._gaps[instant[mine], self._rest[1][segment[mine]]]
        return gaps

    def way(self, instant: Ints, key: Ints) -> Floats:
        """How far keys (k,) are from the first by straight lines from key to key, at instants (k,)."""
        rest, column = self._rest
        return np.asarray(rest[key] + self._way[instant, column[key]])

    @cached_property
    def travels(self) -> Bools:
        """Whether any two neighbouring keys are apart, at each instant (n,)."""
        return np.asarray(self._rest[0][-1] + self._way[:, -1] > 0)

    @cached_property
    def _rest(self) -> tuple[Floats, Ints]:
        """The way to each key by the gaps that never change, and how many of the others are passed, (segments + 1,)."""
        reach = self._loose.reach
        return np.append(0.0, np.cumsum(reach.gaps)), np.append(0, np.cumsum(reach.gapped))

    @cached_property
    def _way(self) -> Floats:
        """The way by the gaps that change, at each instant, (n, gapped + 1)."""
        return np.concatenate([np.zeros((self._count, 1)), np.cumsum(self._gaps, axis=1)], axis=1)

    @cached_property
    def _gaps(self) -> Floats:
        """Those gaps, (n, gapped)."""
        gapped, path = np.flatnonzero(self._loose.reach.gapped), self._loose.path
        if not len(gapped):
            return np.empty((self._count, 0))
        instant, segment = np.repeat(np.arange(self._count), len(gapped)), np.tile(gapped, self._count)
        if path._all_placed:
            ends = self._loose.reach.placed.around(segment)[1:3]
            start, stop = (self._said.by(key, "position", instant) for key in ends)
        else:
            curve = self.curve(instant, segment)
            start, stop = (curve[:, row].reshape(-1, *path.shape) for row in (0, 1))
        return lengths_of(stop - start).reshape(self._count, len(gapped))
