"""How does a path with loose keys look at many instants at once? Only the segments beside those keys are derived.

Everywhere else the path is what it always was, and is asked as always. What the short way does not know (keys without a
place, turns that count as distance or go by logarithms, a closed path that faces at some keys only) is settled instant
by instant.
"""

from collections.abc import Callable
from functools import cached_property
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from keypose.curves.arc_length import shares
from keypose.curves.loose import Frames, Loose
from keypose.curves.motion_path import MotionPath
from keypose.curves.orientation_path import casteljau, control_turns, turn_between
from keypose.curves.ruler import Ruler, measured
from keypose.curves.segments import closing_span, lengths_of
from keypose.curves.tangents import set_by_hand, tcb_tangents
from keypose.curves.turning_keys import times_of_all
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
        beside = np.flatnonzero(self._loose.is_touched[segment])
        out = hermite.evaluate(path._rope.whole.curve, np.require(u, requirements=["C", "W"]), path.closed, derivative)
        if len(beside):
            known = "_stretching" in self.__dict__ and self._loose.is_stretching[segment[beside]].all()
            rows = (beside, segment[beside])
            curve = self._stretching[self._row(*rows)] if known else self._curve(*rows)
            one, two, three, four = (weight[:, None] for weight in hermite.weights(s[beside], derivative))
            out[beside] = one * curve[:, 0] + two * curve[:, 1] + three * curve[:, 2] + four * curve[:, 3]
        return out.reshape(len(u), *path.shape)

    def orientation_at(self, u: Floats) -> Floats:
        """The facing at u (n,) of each instant as w x y z, (n, 4)."""
        path = self._path
        if path.turns is None:
            return path.orientation_at(u)
        everywhere = len(path.turns) == len(path)
        if path.style.turning != "casteljau" or not path._all_placed or (path.closed and not everywhere):
            return self._one_by_one(u, lambda one, v: one.orientation_at(v), (4,))
        if not everywhere:
            return self._between_faced(u)
        segment, s = hermite.locate(u, path.segments, path.closed)
        beside = np.flatnonzero(self._loose.is_touched[segment])
        out = np.array(path.orientation_at(u))
        if len(beside):
            out[beside] = casteljau(self._turns(beside, segment[beside]), s[beside])
        return out

    def _between_faced(self, u: Floats) -> Floats:
        """The facing at u (n,) where only some keys have one."""
        part, instant = self._loose.part_faced, np.arange(len(u))
        if len(part.faced) == 1:
            return self._said_by(np.repeat(part.faced, len(u)), "facing", instant)
        gaps, numbers = self._gaps, np.arange(float(len(self._path)))
        way = np.concatenate([np.zeros((len(u), 1)), np.cumsum(gaps, axis=1)], axis=1)
        times = times_of_all(self._path.keys)
        clock = np.where(way[:, -1:] > 0, way, numbers) if times is None else np.broadcast_to(times, way.shape)
        own = part.own(u, clock)
        turns = Shapes(part.loose, part.frames(self._frames))
        turns.__dict__.update(_ways=part.spans(way), _travels=way[:, -1] > 0)
        segment, s = hermite.locate(own, len(part.faced) - 1, False)
        return casteljau(turns._turns(instant, segment), s)

    _ways: Floats | None = None  # (n, segments) how far apart the keys are, where that is more than a chord

    @cached_property
    def _gaps(self) -> Floats:
        """How far apart neighbouring keys are at each instant, (n, segments)."""
        count, path = len(self._frames), self._path
        ends = path._rope.whole.curve[:, :2].reshape(path.segments, 2, *path.shape)
        gaps = np.tile(lengths_of(ends[:, 1] - ends[:, 0]), (count, 1))
        beside = np.unique(np.concatenate([self._loose.loose - 1, self._loose.loose]))
        beside = beside[(beside >= 0) & (beside < path.segments)]
        instant, segment = np.repeat(np.arange(count), len(beside)), np.tile(beside, count)
        start, stop = (self._said_by(key, "position", instant) for key in self._loose.keys_around(segment)[1:3])
        gaps[:, beside] = lengths_of(stop - start).reshape(count, len(beside))
        return gaps

    def _one_by_one(self, u: Floats, asked: Callable[[MotionPath, Floats], Floats], shape: tuple[int, ...]) -> Floats:
        each = [asked(self.settled(instant), v) for instant, v in enumerate(u)]
        return np.stack(each) if each else np.empty((0, *shape))

    # ---- by distance -------------------------------------------------------------------------------------------------

    @cached_property
    def reached(self) -> Floats:
        """How far the path has come at the keys `ends` of the loose path, at each instant: (n, ends)."""
        ends = self._loose.ends
        reached = self._by_rulers if self._is_plain else np.empty((len(self._frames), len(ends)))
        for instant in np.flatnonzero(self._turning).tolist():
            one = self.settled(instant)
            reached[instant] = np.append(one.distance(ends[:-1].astype(np.float64)), one.length)
        return reached

    def parameter(self, distance: Floats) -> Floats:
        """The u at a distance (n,) [m] from the start of each instant's path; held at its ends."""
        u, inside = np.empty(len(distance)), np.clip(distance, 0.0, self.reached[:, -1])
        for instant in np.flatnonzero(self._turning).tolist():
            u[instant] = self.settled(instant).parameter(inside[instant])
        rest = np.flatnonzero(~self._turning)
        if len(rest):
            u[rest] = self._on_rulers(rest, distance[rest])
        return u

    def _on_rulers(self, instant: Ints, distance: Floats) -> Floats:
        """The u at distances (k,) on the paths of these instants (k,), which are plain lengths."""
        ends, here = self._loose.ends, np.arange(len(instant))
        reached = self.reached[instant]
        # Of several ends at one distance the last one holds, as on any path.
        block = np.clip((reached <= distance[:, None]).sum(axis=1) - 1, 0, len(ends) - 2)
        first = ends[block]
        covered = np.minimum(distance, reached[here, block + 1]) - reached[here, block]
        u = np.empty(len(distance))
        stretching = self._loose.is_stretching[first]
        mine, other = np.flatnonzero(stretching), np.flatnonzero(~stretching)
        if len(mine):
            u[mine] = first[mine] + shares(self._ruler, self._row(instant[mine], first[mine]), covered[mine])
        if len(other):
            u[other] = self._path.parameter(self._path._rope.whole.ruler.starts[first[other]] + covered[other])
        u[distance >= reached[:, -1]] = self._path.segments
        u[distance <= 0.0] = 0.0
        return u

    @property
    def _is_plain(self) -> bool:
        """Whether distance is plain length wherever the path travels at all."""
        return self._path._all_placed and self._path.style.inertia == 0

    @cached_property
    def _turning(self) -> Mask:
        """The instants at which turns count as distance, so that the path has to be asked itself."""
        if not self._is_plain:
            return np.ones(len(self._frames), dtype=bool)
        if self._path.turns is None:
            return np.zeros(len(self._frames), dtype=bool)
        return np.asarray(self._by_rulers[:, -1] == 0)

    @cached_property
    def _by_rulers(self) -> Floats:
        """`reached` as plain length."""
        path, ends, count = self._path, self._loose.ends, len(self._frames)
        beside = self._loose.is_stretching[ends[:-1]]
        gaps = np.empty((count, len(ends) - 1))
        if beside.any():
            gaps[:, beside] = self._ruler.reached[self._ruler.first[1:] - 1].reshape(count, beside.sum())
        if not beside.all():
            gaps[:, ~beside] = np.diff(path._rope.whole.ruler.starts[ends])[~beside]
        return np.concatenate([np.zeros((count, 1)), np.cumsum(gaps, axis=1)], axis=1)

    @cached_property
    def _ruler(self) -> Ruler:
        """A ruler along all stretching segments of the first instant, of the second, and so on."""
        return measured(hermite.speed_squared(self._stretching, self._path._rope.whole.points)[:, None])

    @cached_property
    def _stretching(self) -> Floats:
        """Those segments, (n · stretching, 4, width)."""
        count, segments = len(self._frames), self._loose.stretching
        return self._curve(np.repeat(np.arange(count), len(segments)), np.tile(segments, count))

    def _row(self, instant: Ints, segment: Ints) -> Ints:
        """Which of them are these segments (k,) of these instants (k,)."""
        return np.asarray(instant * len(self._loose.stretching) + np.searchsorted(self._loose.stretching, segment))

    # ---- the segments beside loose keys ------------------------------------------------------------------------------

    def _curve(self, instant: Ints, segment: Ints) -> Floats:
        """Segments (k, 4, width) of the paths at these instants (k,), as `segments_of` derives them."""
        keys = self._loose.keys_around(segment)
        places = [self._said_by(key, "position", instant) for key in keys]
        chords = self._chords(places, segment)
        spans = self._seconds(segment) or self._lengths(chords, segment)
        leave, arrive = self._tangents(segment, chords, spans, ("leave", "arrive"), instant)
        rows = (places[1], places[2], leave, arrive)
        return np.stack([row.reshape(len(row), -1) for row in rows], axis=1)

    def _turns(self, instant: Ints, segment: Ints) -> Floats:
        """Control quaternions (k, 4, 4) of the turns at these instants, of paths that face at every key."""
        facings = [self._said_by(key, "facing", instant) for key in self._loose.keys_around(segment)]
        before, own, after = (turn_between(one, two) for one, two in pairwise(facings))
        chords = self._ended(before, own, after, segment, "zero" if self._path.style.ends == "zero-chord" else "repeat")
        spans = self._seconds(segment)
        if spans is None:
            spans = self._lengths(chords, segment)  # the angles [rad]
            if self._path.adjust != "unit":
                travelled = self._travelled(instant, segment)
                before, own, after = (
                    np.where(self._travels[instant], way, angle) for way, angle in zip(travelled, spans, strict=True)
                )
                spans = before, own, after
        leave, arrive = self._tangents(segment, chords, spans, ("turn_leave", "turn_arrive"), instant)
        return control_turns(facings[1], facings[2], leave, arrive)

    def _travelled(self, instant: Ints, segment: Ints) -> Around:
        """How far apart the keys around each segment are."""
        if self._ways is None:
            places = [self._said_by(key, "position", instant) for key in self._loose.keys_around(segment)]
            return self._lengths(self._chords(places, segment), segment)
        last = self._ways.shape[1] - 1
        before, own, after = (self._ways[instant, np.clip(segment + step, 0, last)] for step in (-1, 0, 1))
        return self._ended(before, own, after, segment, "repeat")

    def _tangents(
        self, segment: Ints, chords: Around, spans: Around, sides: tuple[str, str], instant: Ints
    ) -> tuple[Floats, Floats]:
        """How each segment is left at its start and arrived with at its end, of places or of turns."""
        path, start, stop = self._path, segment, (segment + 1) % len(self._path)
        shaping = self._loose.shaping[sides[0]]
        _, leave = tcb_tangents(chords[0], chords[1], shaping[start], path.adjust, spans[0], spans[1])
        arrive, _ = tcb_tangents(chords[1], chords[2], shaping[stop], path.adjust, spans[1], spans[2])
        if path.style.ends == "still" and not path.closed:
            leave[segment == 0] = 0.0
            arrive[segment == path.segments - 1] = 0.0
        hand = [
            None if self._loose.said[side] is None else self._said_by(key, side, instant)
            for key, side in zip((start, stop), sides, strict=True)
        ]
        return set_by_hand(leave, hand[0], chords[1]), set_by_hand(arrive, hand[1], chords[1])

    # ---- what the keys say, where their carriers are then -----------------------------------------------------------

    def _said_by(self, key: Ints, word: str, instant: Ints) -> Floats:
        """What keys (k,) say at instants (k,), seen from outside."""
        said = self._loose.said[word]
        assert said is not None
        if word not in self._moved:
            move = {"position": self._frames.carried, "facing": self._frames.facing}.get(word, self._frames.turned)
            self._moved[word] = move(said[self._loose.loose])
        rows, slot = said[key], self._loose.slot[key]
        loose = np.flatnonzero(slot >= 0)
        rows[loose] = self._moved[word][instant[loose], slot[loose]]
        return rows

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
        start, stop = (self._said_by(key, "position", instant) for key in self._loose.keys_around(segment)[1:3])
        return np.asarray(np.any((start != stop).reshape(count, -1), axis=1))
