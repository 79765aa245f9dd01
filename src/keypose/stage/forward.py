"""Which way do a thousand actors face who look where they go? As `FaceForward.along` says it of one, asked together.

Their paths lead somewhere (`headings`), and those who lean feel the change of their velocity: that of a clock by key
times is dP/du · du/dt, that of one by drawn speed the heading times the speed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from keypose.maths.arrays import Floats, Ints
from keypose.maths.sums import mean_of_points
from keypose.motion.facing import FEEL, FaceForward, leaned, towards
from keypose.motion.motion import Motion
from keypose.stage.clocks import Clock, Passings, by_clock, clock_of, running_back, spans_of
from keypose.stage.headings import Headings

IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])


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
