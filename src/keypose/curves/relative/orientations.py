"""Which way does a path with loose keys face at many instants at once? Only turns that loose keys reach are derived.

The turns go through the faced keys alone. How far along a turn an unfaced key lies depends on the distances between all
keys in it, which change from instant to instant (`turning_keys` says how for a path at rest).
"""

from itertools import pairwise

import numpy as np

from keypose.curves.orientation_path import chords_between, facings_on, in_own_terms, spins_on, turning_segments
from keypose.curves.path.metric import stations
from keypose.curves.path.partial_keys import own_parameter
from keypose.curves.path.segments import lengths_of
from keypose.curves.relative.key_chain import Around
from keypose.curves.relative.positions import MovedPlaces, Said
from keypose.curves.relative.relative_path import Loose
from keypose.maths import hermite
from keypose.maths.arrays import Floats, Ints


class MovedTurns:
    """The turns of a loose path at n instants; one of its keys at least has a facing."""

    def __init__(self, loose: Loose, said: Said, places: MovedPlaces) -> None:
        self._loose = loose
        self._path = loose.path
        self._said = said
        self._places = places

    def at(self, u: Floats) -> Floats:
        """The facing at u (n,) of each instant as w x y z, (n, 4)."""
        path, reach, instant = self._path, self._loose.reach, np.arange(len(u))
        if len(reach.faced.links) == 1:
            return self._said.by(np.repeat(reach.faced.links, len(u)), "facing", instant)
        own = path._wrapped(u)
        if len(reach.faced.links) < len(path):
            segment, s = hermite.locate(own, path.segments, path.closed)
            start, stop = self._own(instant, segment)
            own = start + (stop - start) * s
        assert path.turns is not None
        out = path.turns.at(own)
        turn, s = hermite.locate(own, reach.faced.segments, reach.faced.closed)
        mine = np.flatnonzero(reach.turns[turn])
        if len(mine):
            out[mine] = facings_on(self._turns(mine, turn[mine]), s[mine], path.style.turning)
        return out

    def spin(self, instant: Ints, segment: Ints) -> Floats:
        """The spin of segments (k,) at instants (k,) by u [rad per key], where it is measured: (k, parts, 5, 3)."""
        chain, shares = self._loose.reach.faced, stations()
        if len(chain.links) == 1:
            return np.zeros((len(segment), *shares.shape, 3))
        start, stop = self._own(instant, segment)
        # From one key to the next it is within one turn; where it stands between two, either will do.
        begin = np.floor(0.5 * (start + stop))
        if not chain.closed:
            begin = np.minimum(begin, chain.segments - 1)
        turns = self._turns(instant, begin.astype(np.int64) % chain.segments)
        s = (start - begin)[:, None] + (stop - start)[:, None] * shares.reshape(-1)
        spin = spins_on(turns, np.clip(s, 0.0, 1.0), self._path.style.turning) * (stop - start)[:, None, None]
        return spin.reshape(len(segment), *shares.shape, 3)

    def _own(self, instant: Ints, segment: Ints) -> tuple[Floats, Floats]:
        """The turns' own parameter at the start and at the end of segments (k,) at instants (k,)."""
        path, reach = self._path, self._loose.reach
        at_rest = path.turns_at_keys
        assert at_rest is not None
        start, stop = at_rest[segment], at_rest[segment + 1]
        mine = np.flatnonzero(reach.shifted[segment])
        if len(mine):
            here, end = instant[mine], path.segments if path.closed else None

            def clock(key: Ints) -> Floats:
                return np.where(self._places.travels[here], self._places.way(here, key), key)

            start[mine], stop[mine] = (
                own_parameter(clock, segment[mine] + step, reach.faced.links, end) for step in (0, 1)
            )
        return start, stop

    def _turns(self, instant: Ints, turn: Ints) -> Floats:
        """The turns (k,) from one facing to the next at instants (k,), as `turning_segments` has them."""
        chain, turning = self._loose.reach.faced, self._path.style.turning
        keys = chain.around(turn)
        facings = [self._said.by(key, "facing", instant) for key in keys]
        before, own, after = (chords_between(one, two, turning) for one, two in pairwise(facings))
        chords = chain.chords(before, own, after, turn)
        spans = chain.seconds(turn) or self._spans(instant, turn, chords)
        shaping = self._loose.shaping["turn"]
        hand = [self._said.by_hand(keys[row], side, instant) for row, side in ((1, "turn_leave"), (2, "turn_arrive"))]
        leaving, arriving = (
            None if spins is None else in_own_terms(spins, facing, turning)
            for spins, facing in zip(hand, facings[1:3], strict=True)
        )
        both = shaping[keys[1]], shaping[keys[2]]
        leave, arrive = chain.tangents(turn, chords, spans, both, (leaving, arriving))
        return turning_segments(facings[1], facings[2], leave, arrive, turning)

    def _spans(self, instant: Ints, turn: Ints, chords: Around) -> Around:
        """How long each turn and those beside it are: in metres, or in radians where nothing travels."""
        chain = self._loose.reach.faced
        before, own, after = (lengths_of(chord) for chord in chords)
        angles = chain.ended(before, own, after, turn, "repeat")
        if self._path.adjust != "length":
            return angles
        ways, travels = (self._metres(instant, one) for one in chain.beside(turn)), self._places.travels[instant]
        before, own, after = (np.where(travels, way, angle) for way, angle in zip(ways, angles, strict=True))
        return chain.ended(before, own, after, turn, "repeat")

    def _metres(self, instant: Ints, turn: Ints) -> Floats:
        """How far turns (k,) go by straight lines from key to key, at instants (k,)."""
        chain, way = self._loose.reach.faced, self._places.way
        if len(chain.links) == len(self._path):
            return self._places.gaps(instant, turn)
        start, stop = chain.links[turn], chain.links[(turn + 1) % len(chain.links)]
        metres = way(instant, stop) - way(instant, start)
        once_round = way(instant, np.full_like(turn, self._path.segments)) if chain.closed else 0.0
        return np.asarray(metres + np.where(stop <= start, once_round, 0.0))
