"""Which way do a thousand actors face who look where they go? As `FaceForward.along` says it of one, asked together.

Their paths lead somewhere (`headings`), and those who lean feel the change of their velocity: that of a clock by key
times is dP/du · du/dt, that of one by drawn speed the heading times the speed.

Where do the ways of a thousand actors lead, each at its own parameter? Their headings, asked together (BH89).

As for one path (`curves.path.heading`, `facing.leading`): the direction of travel, where a path stops for an instant
that in which it sets off, and where it rests that in which it last led. Who measures turns as distance too is asked
alone.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from keypose.curves.path.heading import setting_off, slowest
from keypose.curves.path.motion_path import MotionPath
from keypose.maths import hermite
from keypose.maths.arrays import Bools, Floats, Ints
from keypose.maths.kernel_switch import compiled, spread
from keypose.maths.sums import in_order, mean_of_points
from keypose.motion.facing import (
    FEEL,
    FaceForward,
    beside_rest,
    is_nowhere,
    leading,
    leaned,
    moving,
    one_place,
    towards,
)
from keypose.motion.motion import Motion
from keypose.stage.evaluate.positions import Places
from keypose.stage.evaluate.time_maps import Clock, Passings, by_clock, clock_of, running_back, spans_of

IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])
NUMBERS_PER_SAMPLE = 4  # beside each number of a place


@dataclass(frozen=True, eq=False)
class Headings:
    """The paths of all actors as in `places`, and for each of their segments how slow is no direction any more."""

    places: Places
    points: int
    slowest: Floats
    last: Ints
    """The last segment of the same path up to this one that moves, or -1: `facing.moving`."""
    following: Ints
    alone: dict[int, MotionPath]

    @classmethod
    def along(cls, paths: Sequence[MotionPath]) -> "Headings":
        """These paths, all of one place or all of equally many points."""
        places = Places.along(paths)
        last, following = (np.concatenate(columns) for columns in zip(*map(moving, paths), strict=True))
        alone = {row: path for row, path in enumerate(paths) if not path.measures_length}
        return cls(places, places.curve.shape[2] // 3, slowest(places.curve), last, following, alone)

    def at(self, u: Floats) -> Floats:
        """DP per metre of distance of everybody at the parameters u (actors, n), one vector each: (actors, n, 3)."""
        ahead, _ = self._at(u)
        for row, path in self.alone.items():
            ahead[row] = one_place(path.heading(u[row]), path)
        return ahead

    def leading(self, u: Floats) -> tuple[Floats, list[int]]:
        """Where everybody's path leads at u (actors, n): (actors, n, 3) of any length, as `facing.leading`.

        And the actors who may not be led anywhere at some u.
        """
        ahead, (row, sample) = self._at(u)
        still = is_nowhere(ahead[row, sample])
        row, sample = row[still], sample[still]
        if len(row):
            first, count = self.places.firsts[row], self._counts[row]
            here, _ = hermite.locate(u[row, sample], count, self.places.closed[row])
            last, following = self.last[first + here], self.following[first + here]
            beside = beside_rest(u[row, sample], here, last, following, count)
            ahead[row, sample] = self._defined(row, beside)
        for alone, path in self.alone.items():
            ahead[alone] = leading(path, u[alone])
        return ahead, list({*row.tolist(), *self.alone})

    @property
    def _counts(self) -> Ints:
        return np.diff(self.places.firsts)

    def _at(self, u: Floats) -> tuple[Floats, tuple[Ints, Ints]]:
        """The headings by length, and the actors and samples at which those may be zero."""
        if compiled(NUMBERS_PER_SAMPLE * u.size * 3 * self.points):
            ahead, unsure = self._by_kernel(u)
            row, sample = np.nonzero(unsure)
            if len(row):
                ahead[row, sample] = self._defined(row, u[row, sample])
        else:
            ahead = self._defined(np.arange(len(u))[:, None], u)
            row, sample = np.nonzero(is_nowhere(ahead))
        return ahead, (row, sample)

    def _defined(self, row: Ints, u: Floats) -> Floats:
        """The headings of these actors, each at its u (…): (…, 3)."""
        places = self.places
        segment, s = hermite.locate(u, self._counts[row], places.closed[row])
        number = places.firsts[row] + segment
        segments = places.curve[number]
        velocity = hermite.blended(segments, s, 1)
        pace = np.sqrt(in_order(velocity * velocity) / self.points)
        stopped = ~(pace > self.slowest[number])
        ahead = velocity / np.where(stopped, 1.0, pace)[..., None]
        if stopped.any():
            ahead[stopped] = setting_off(segments[stopped], s[stopped], self.points)
        return ahead if self.points == 1 else mean_of_points(ahead.reshape(*u.shape, self.points, 3))

    def _by_kernel(self, u: Floats) -> tuple[Floats, Bools]:
        """The headings, and where those are not known yet."""
        from keypose.stage.evaluate import kernels

        places = self.places
        ahead, unsure = np.empty((*u.shape, 3)), np.empty(u.shape, dtype=np.bool_)
        columns = (places.firsts, places.closed, places.curve, self.slowest, u, ahead, unsure)
        work = NUMBERS_PER_SAMPLE * u.size * 3 * self.points
        spread(lambda start, stop: kernels.headings(*columns, start, stop), len(u), work)
        return ahead, unsure


@dataclass(frozen=True, eq=False)
class Forward:
    """Those actors of a batch, by their rows there, that face forward."""

    rows: Ints
    spans: Floats
    headings: Headings
    leaning: "Leaning | None"

    @classmethod
    def of(cls, facings: dict[int, FaceForward], motions: Sequence[Motion]) -> "Forward | None":
        """Those of these motions, by their number, that face forward; None if nobody does."""
        if not facings:
            return None
        rows = np.array(sorted(facings), dtype=np.int64)
        forward = [motions[row] for row in rows.tolist()]
        banks = np.array([facings[row].bank for row in rows.tolist()])
        leaning = Leaning.of(banks, forward) if banks.any() else None
        return cls(rows, spans_of(forward), Headings.along([motion.path for motion in forward]), leaning)

    def facings(self, t: Floats, u: Floats, otherwise: Callable[[int], Floats]) -> Floats:
        """Facings (rows, n, 4) at times t (n,), at which all of the batch are at the parameters u (actors, n).

        `otherwise(row)` (n, 4) is how an actor of the batch faces that never moves at all.
        """
        leads, perhaps_nowhere = self.headings.leading(u[self.rows])
        back = running_back(self.spans, t)
        if back is not None:
            leads *= np.where(back, -1.0, 1.0)[..., None]
        upright = towards(leads, IDENTITY)
        for row in perhaps_nowhere:
            upright[row] = towards(leads[row], otherwise(int(self.rows[row])))
        return upright if self.leaning is None else self.leaning.leaned(upright, t)


@dataclass(frozen=True, eq=False)
class Leaning:
    """Those who lean into curves: rows among those who face forward, and how much."""

    rows: Ints
    banks: Floats
    ways: "tuple[Way, ...]"

    @classmethod
    def of(cls, banks: Floats, motions: Sequence[Motion]) -> "Leaning":
        """Those of these motions whose bank is not zero."""
        rows = np.flatnonzero(banks)
        leaning = [motions[row] for row in rows.tolist()]
        ways = tuple(Way.of(kind, [leaning[row] for row in kind]) for kind in by_clock(leaning))
        return cls(rows, banks[rows], ways)

    def leaned(self, upright: Floats, t: Floats) -> Floats:
        """The facings (forward, n, 4), upright at times t (n,), with those leaned that lean."""
        change = np.empty((len(self.rows), len(t), 3))
        for way in self.ways:
            change[way.rows] = way.velocities(t + FEEL) - way.velocities(t - FEEL)
        upright[self.rows] = leaned(upright[self.rows], change / (2 * FEEL), self.banks[:, None])
        return upright


@dataclass(frozen=True, eq=False)
class Way:
    """Those of the leaning with one kind of clock, and how fast they go."""

    rows: Ints
    clock: Clock
    headings: Headings

    @classmethod
    def of(cls, rows: Sequence[int], motions: Sequence[Motion]) -> "Way":
        """Motions with one kind of clock, which have these rows among the leaning."""
        headings = Headings.along([motion.path for motion in motions])
        return cls(np.array(rows, dtype=np.int64), clock_of(range(len(rows)), motions), headings)

    def velocities(self, t: Floats) -> Floats:
        """dP/dt [m/s] of everybody at times (n,), (rows, n, 3), of drawings the mean; who holds does as at its end."""
        u = np.empty((len(self.rows), len(t)))
        self.clock.tell(t, u)
        if isinstance(self.clock, Passings):
            places, points = self.headings.places, self.headings.points
            along, rate = places.at(u, derivative=1), self.clock.rates(u, places.closed)
            if points > 1:
                along = mean_of_points(along.reshape(*u.shape, points, 3))
        else:
            along, rate = self.headings.at(u), self.clock.speeds(t)
        back = running_back(self.clock.spans, t)
        return np.asarray(along * (rate if back is None else np.where(back, -rate, rate))[..., None])
