"""How does a path with loose keys look at many instants at once? Only the segments beside those keys are derived.

Everywhere else the path is what it always was, and is asked as always. What the short way does not know (keys without a
place, facings on some keys only, turns that count as distance) is settled instant by instant.
"""

from collections.abc import Callable
from functools import cached_property
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from keypose.curves.arc_length import shares
from keypose.curves.facings import by_hand, shaping_of
from keypose.curves.loose import Frames, Loose
from keypose.curves.motion_path import MotionPath
from keypose.curves.orientation_path import casteljau, control_turns, turn_between
from keypose.curves.ruler import Ruler, measured
from keypose.curves.segments import closing_span, lengths_of
from keypose.curves.tangents import set_by_hand, tcb_tangents
from keypose.maths import hermite

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
Around = tuple[Floats, Floats, Floats]  # what belongs to the segment before, to the segment itself, to the one after


class Shapes:
    """A path with loose keys at n instants, its carriers being where `frames` says."""

    def __init__(self, loose: Loose, frames: Frames) -> None:
        self._loose = loose
        self._frames = frames
        self._path = loose.path
        self._settled: dict[int, MotionPath] = {}
        self._moved: dict[str, Floats] = {}

    def settled(self, instant: int) -> MotionPath:
        """The path at one instant, built anew."""
        if instant not in self._settled:
            self._settled[instant] = self._loose.settled(self._frames, instant)
        return self._settled[instant]

    # ---- by parameter, one u for each instant ------------------------------------------------------------------------

    def at(self, u: Floats, derivative: Literal[0, 1] = 0) -> Floats:
        """The place, or dP/du, at u (n,) of each instant: (n, …)."""
        path = self._path
        if not path._all_placed:
            return self._one_by_one(u, (lambda one, v: one.velocity(v) if derivative else one.at(v)), path.shape)
        segment, s = hermite.locate(u, path.segments, path.closed)
        beside = np.flatnonzero(self._is_touched[segment])
        out = hermite.evaluate(path._rope.whole.curve, np.require(u, requirements=["C", "W"]), path.closed, derivative)
        curve = self._curve(beside, segment[beside])
        one, two, three, four = (weight[:, None] for weight in hermite.weights(s[beside], derivative))
        out[beside] = one * curve[:, 0] + two * curve[:, 1] + three * curve[:, 2] + four * curve[:, 3]
        return out.reshape(len(u), *path.shape)

    def orientation_at(self, u: Floats) -> Floats:
        """The facing at u (n,) of each instant as w x y z, (n, 4)."""
        path = self._path
        if path.turns is None:
            return path.orientation_at(u)
        if len(path.turns) < len(path) or path.style.turning != "casteljau" or not path._all_placed:
            return self._one_by_one(u, lambda one, v: one.orientation_at(v), (4,))
        segment, s = hermite.locate(u, path.segments, path.closed)
        beside = np.flatnonzero(self._is_touched[segment])
        out = np.array(path.orientation_at(u))
        out[beside] = casteljau(self._turns(beside, segment[beside]), s[beside])
        return out

    def _one_by_one(self, u: Floats, asked: Callable[[MotionPath, Floats], Floats], shape: tuple[int, ...]) -> Floats:
        each = [asked(self.settled(instant), v) for instant, v in enumerate(u)]
        return np.stack(each) if each else np.empty((0, *shape))

    # ---- by distance -------------------------------------------------------------------------------------------------

    @property
    def reached(self) -> Floats:
        """How far the path has come at the keys `ends` of the loose path, at each instant: (n, ends)."""
        return self._distances[0]

    def parameter(self, distance: Floats) -> Floats:
        """The u at a distance (n,) [m] from the start of each instant's path; held at its ends."""
        reached, ruler = self._distances
        if ruler is None:
            inside = np.minimum(distance, reached[:, -1])
            return np.array([self.settled(instant).parameter(d) for instant, d in enumerate(inside)], dtype=np.float64)
        ends, touched, here = self._loose.ends, self._loose.touched, np.arange(len(distance))
        # Of several ends at one distance the last one holds, as on any path.
        block = np.clip((reached <= distance[:, None]).sum(axis=1) - 1, 0, len(ends) - 2)
        first = ends[block]
        covered = np.minimum(distance, reached[here, block + 1]) - reached[here, block]
        u = np.empty(len(distance))
        mine, other = np.flatnonzero(self._is_touched[first]), np.flatnonzero(~self._is_touched[first])
        row = mine * len(touched) + np.searchsorted(touched, first[mine])
        u[mine] = first[mine] + shares(ruler, row, covered[mine])
        if len(other):
            u[other] = self._path.parameter(self._path._rope.whole.ruler.starts[first[other]] + covered[other])
        u[distance >= reached[:, -1]] = self._path.segments
        u[distance <= 0.0] = 0.0
        return u

    @cached_property
    def _distances(self) -> tuple[Floats, Ruler | None]:
        """`reached`, and the ruler along all touched segments of the first instant, of the second, and so on.

        There is no ruler where turns count as distance: each instant's path is asked itself.
        """
        path, ends, count = self._path, self._loose.ends, len(self._frames)
        if path._all_placed and path.style.inertia == 0:
            ruler, beside = self._laid(), self._is_touched[ends[:-1]]
            gaps = np.empty((count, len(ends) - 1))
            gaps[:, beside] = ruler.reached[ruler.first[1:] - 1].reshape(count, -1)
            if not beside.all():
                gaps[:, ~beside] = np.diff(path._rope.whole.ruler.starts[ends])[~beside]
            reached = np.concatenate([np.zeros((count, 1)), np.cumsum(gaps, axis=1)], axis=1)
            if path.turns is None or reached[:, -1].all():
                return reached, ruler
        each = [self.settled(instant) for instant in range(count)]
        rows = [np.append(one.distance(ends[:-1].astype(np.float64)), one.length) for one in each]
        return np.array(rows).reshape(count, len(ends)), None

    def _laid(self) -> Ruler:
        """A ruler along all touched segments of all instants."""
        count, touched = len(self._frames), self._loose.touched
        curve = self._curve(np.repeat(np.arange(count), len(touched)), np.tile(touched, count))
        return measured(hermite.speed_squared(curve, self._path._rope.whole.points)[:, None])

    # ---- the segments beside loose keys ------------------------------------------------------------------------------

    def _curve(self, instant: Ints, segment: Ints) -> Floats:
        """Segments (k, 4, width) of the paths at these instants (k,), as `segments_of` derives them."""
        keys = self._keys_around(segment)
        places = [self._said_by(key, "position", instant) for key in keys]
        chords = self._chords(places, segment)
        spans = self._seconds(segment) or self._lengths(chords, segment)
        leave, arrive = self._tangents(segment, chords, spans, ("leave", "arrive"), instant)
        rows = (places[1], places[2], leave, arrive)
        return np.stack([row.reshape(len(row), -1) for row in rows], axis=1)

    def _turns(self, instant: Ints, segment: Ints) -> Floats:
        """Control quaternions (k, 4, 4) of the turns at these instants, of paths that face at every key."""
        facings = [self._said_by(key, "facing", instant) for key in self._keys_around(segment)]
        before, own, after = (turn_between(one, two) for one, two in pairwise(facings))
        chords = self._ended(before, own, after, segment, "zero" if self._path.style.ends == "zero-chord" else "repeat")
        spans = self._seconds(segment)
        if spans is None:
            spans = self._lengths(chords, segment)  # the angles [rad]
            if self._path.adjust != "unit":
                places = [self._said_by(key, "position", instant) for key in self._keys_around(segment)]
                travelled = self._lengths(self._chords(places, segment), segment)
                before, own, after = (
                    np.where(self._travels[instant], way, angle) for way, angle in zip(travelled, spans, strict=True)
                )
                spans = before, own, after
        leave, arrive = self._tangents(segment, chords, spans, ("turn_leave", "turn_arrive"), instant)
        return control_turns(facings[1], facings[2], leave, arrive)

    def _tangents(
        self, segment: Ints, chords: Around, spans: Around, sides: tuple[str, str], instant: Ints
    ) -> tuple[Floats, Floats]:
        """How each segment is left at its start and arrived with at its end, of places or of turns."""
        path, start, stop = self._path, segment, (segment + 1) % len(self._path)
        shaping = self._shaping[sides[0]]
        _, leave = tcb_tangents(chords[0], chords[1], shaping[start], path.adjust, spans[0], spans[1])
        arrive, _ = tcb_tangents(chords[1], chords[2], shaping[stop], path.adjust, spans[1], spans[2])
        if path.style.ends == "still" and not path.closed:
            leave[segment == 0] = 0.0
            arrive[segment == path.segments - 1] = 0.0
        hand = [
            None if self._said[side] is None else self._said_by(key, side, instant)
            for key, side in zip((start, stop), sides, strict=True)
        ]
        return set_by_hand(leave, hand[0], chords[1]), set_by_hand(arrive, hand[1], chords[1])

    # ---- what the keys say, wherever their carriers are --------------------------------------------------------------

    @cached_property
    def _is_touched(self) -> Mask:
        touched = np.zeros(self._path.segments, dtype=bool)
        touched[self._loose.touched] = True
        return touched

    @cached_property
    def _said(self) -> dict[str, Floats | None]:
        rows = self._path.keys.rope.whole
        said: dict[str, Floats | None] = {word: rows.of.get(word) for word in ("position", "arrive", "leave", "facing")}
        return said | {"turn_arrive": by_hand(rows, "arrive"), "turn_leave": by_hand(rows, "leave")}

    @cached_property
    def _shaping(self) -> dict[str, Floats]:
        """Tension, continuity and bias of each key, (keys, 3), for its place and for its turn."""
        style, rows = self._path.style, self._path.keys.rope.whole
        tcb = rows.of.get("tcb")
        plain = np.broadcast_to(np.array(style.shaping), (len(rows), 3))
        of_places = plain if tcb is None else np.where(np.isnan(tcb), plain, tcb)
        return {"leave": of_places, "turn_leave": shaping_of(rows, style)}

    @cached_property
    def _slot(self) -> Ints:
        """Which loose key each key is; -1 if it is none."""
        slot = np.full(len(self._path), -1)
        slot[self._loose.loose] = np.arange(len(self._loose.loose))
        return slot

    def _said_by(self, key: Ints, word: str, instant: Ints) -> Floats:
        """What keys (k,) say at instants (k,), seen from outside."""
        said = self._said[word]
        assert said is not None
        if word not in self._moved:
            move = {"position": self._frames.carried, "facing": self._frames.facing}.get(word, self._frames.turned)
            self._moved[word] = move(said[self._loose.loose])
        rows, slot = said[key], self._slot[key]
        loose = np.flatnonzero(slot >= 0)
        rows[loose] = self._moved[word][instant[loose], slot[loose]]
        return rows

    def _keys_around(self, segment: Ints) -> list[Ints]:
        """The key before each segment, its two own, and the one after; at an open end the end key again."""
        around = [segment + step for step in (-1, 0, 1, 2)]
        count = len(self._path)
        return [key % count if self._path.closed else np.clip(key, 0, count - 1) for key in around]

    def _chords(self, places: list[Floats], segment: Ints) -> Around:
        before, own, after = (two - one for one, two in pairwise(places))
        return self._ended(before, own, after, segment, "zero" if self._path.style.ends == "zero-chord" else "repeat")

    def _lengths(self, chords: Around, segment: Ints) -> Around:
        before, own, after = (lengths_of(chord) for chord in chords)
        return self._ended(before, own, after, segment, "repeat")

    def _seconds(self, segment: Ints) -> Around | None:
        """The spans around each segment in time, where tangents are adjusted to it."""
        path = self._path
        if path.adjust not in ("time", "velocity"):
            return None
        spans = np.diff(path.keys.rope.whole.of["time"])
        if path.closed:
            spans = np.append(spans, closing_span(path.keys, path.style))
        before, own, after = (spans[(segment + step) % len(spans)] for step in (-1, 0, 1))
        return self._ended(before, own, after, segment, "repeat")

    def _ended(
        self, before: Floats, own: Floats, after: Floats, segment: Ints, beyond: Literal["repeat", "zero"]
    ) -> Around:
        """Beyond an open end lies the end's own segment again, or nothing (as `around_keys`)."""
        if not self._path.closed:
            for side, at_end in ((before, segment == 0), (after, segment == self._path.segments - 1)):
                side[at_end] = own[at_end] if beyond == "repeat" else 0.0
        return before, own, after

    @cached_property
    def _travels(self) -> Mask:
        """Whether any two neighbouring keys are apart at all, at each instant (n,)."""
        count, segments = len(self._frames), self._path.segments
        beside = np.zeros(segments, dtype=bool)
        beside[np.concatenate([self._loose.loose - 1, self._loose.loose]) % segments] = True
        ends = self._path._rope.whole.curve[:, :2]
        if (ends[~beside, 0] != ends[~beside, 1]).any():
            return np.ones(count, dtype=bool)
        segment = np.flatnonzero(beside)
        instant, segment = np.repeat(np.arange(count), len(segment)), np.tile(segment, count)
        start, stop = (self._said_by(key, "position", instant) for key in self._keys_around(segment)[1:3])
        return np.asarray(np.any((start != stop).reshape(count, -1), axis=1))
