"""How far along its path is each of a thousand actors? Their clocks, asked together: own time, then the parameter.

As for one motion there are two kinds: by key times (KB84), and by drawn speed (BH89), which covers distance and leaves
it to `rulers` where that is. Both count in the actor's own time, which may hold, start over, or run back and forth.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from keypose.maths.arrays import Bools, Floats, Ints
from keypose.maths.hermite import locate
from keypose.maths.kernel_switch import compiled, spread
from keypose.maths.piecewise import climbed, horner
from keypose.motion.motion import LAPS, Motion
from keypose.stage.evaluate.arc_lengths import Rulers
from keypose.stage.evaluate.ragged_arrays import end_to_end, last_reached
from keypose.timing.clocks import Pacing, Passing, driven, share_passed
from keypose.timing.extrapolation import MIRRORS, repeated

NUMBERS_PER_SAMPLE = 10
NO_SCALE = np.zeros(1)


def spans_of(motions: Sequence[Motion]) -> Floats:
    """When each clock starts, its first and its last moment [s], and how many spans a lap takes, (actors, 4)."""
    return np.array([(motion.start, *motion.clock.span, LAPS[motion.outside]) for motion in motions])


def own_times(spans: Floats, t: Floats) -> Floats:
    """What each actor's clock shows at times (n,): (actors, n) [s]. Those that hold run on, for clocks hold them."""
    start, first, last, laps = (spans[:, column, None] for column in range(4))
    moment = t - start
    again = np.flatnonzero(laps)
    if len(again):
        moment[again], _ = repeated(t, start[again], first[again], last[again], laps[again])
    return moment


def running_back(spans: Floats, t: Floats) -> Bools | None:
    """Whether each actor's time runs back at times (n,), (actors, n); None if nobody's ever does."""
    mirrors = np.flatnonzero(spans[:, 3] == MIRRORS)
    if not len(mirrors):
        return None
    back = np.zeros((len(spans), len(t)), dtype=np.bool_)
    start, first, last, laps = (spans[mirrors, column, None] for column in range(4))
    _, back[mirrors] = repeated(t, start, first, last, laps)
    return back


@dataclass(frozen=True, eq=False)
class Passings:
    """Clocks by key times, as `Passing`: that of actor rows[i] has the times firsts[i] … firsts[i + 1]."""

    rows: Ints
    spans: Floats
    firsts: Ints
    times: Floats

    @classmethod
    def of(cls, rows: Sequence[int], motions: Sequence[Motion]) -> "Passings":
        """The clocks of motions that go by key times."""
        times = [motion.clock.times for motion in motions if isinstance(motion.clock, Passing)]
        return cls(np.array(rows, dtype=np.int64), spans_of(motions), *end_to_end(times))

    def tell(self, t: Floats, u: Floats) -> None:
        """Write the parameters at times t (n,) into the rows of u (actors, n)."""
        work = NUMBERS_PER_SAMPLE * len(self.rows) * len(t)
        if compiled(work):
            from keypose.stage.evaluate import kernels

            columns = (self.rows, self.spans, self.firsts, self.times, t, u)
            spread(lambda start, stop: kernels.passings(*columns, start, stop), len(self.rows), work)
            return
        moment, first = own_times(self.spans, t), self.firsts[:-1, None]
        segment = last_reached(self.times, first, self.firsts[1:, None] - 2, moment)
        u[self.rows] = segment - first + share_passed(self.times, segment, moment)

    def rates(self, u: Floats, closed: Bools) -> Floats:
        """du/dt [1/s] at the parameters u (clocks, n), as `Passing.rate`; the end of a `closed` path is left."""
        segment, _ = locate(u, np.diff(self.firsts)[:, None] - 1, closed[:, None])
        segment += self.firsts[:-1, None]
        return np.asarray(1.0 / (self.times[segment + 1] - self.times[segment]))


@dataclass(frozen=True, eq=False)
class Pacings:
    """Clocks by drawn speed, as `Pacing`, and the rulers along their paths.

    The profile of actor rows[i] has the pieces pieces[i] … pieces[i + 1] of `breaks`, `sums`, `cubics` and `quartics`,
    and its lowest and highest speed in `extremes`; its captured moments are captured[i] … captured[i + 1] of `moments`,
    `distances`, `areas` and `scales`.
    """

    rows: Ints
    spans: Floats
    pieces: Ints
    breaks: Floats
    sums: Floats
    cubics: Floats
    quartics: Floats
    extremes: Floats
    captured: Ints
    moments: Floats
    distances: Floats
    areas: Floats
    scales: Floats
    """K of the span that each captured moment begins; none begins at the last."""
    rulers: Rulers

    @classmethod
    def of(cls, rows: Sequence[int], motions: Sequence[Motion]) -> "Pacings":
        """The clocks of motions that go by drawn speed, whose rulers have equally many parts to a segment."""
        clocks = [motion.clock for motion in motions if isinstance(motion.clock, Pacing)]
        curves = [clock.profile.curve for clock in clocks]
        pieces, breaks = end_to_end([curve.breaks for curve in curves])
        captured, moments = end_to_end([clock.moments for clock in clocks])
        indices = np.array(rows, dtype=np.int64)
        return cls(
            indices,
            spans_of(motions),
            pieces,
            breaks,
            np.concatenate([curve.sums for curve in curves]),
            np.concatenate([curve.cubics for curve in curves], axis=1),
            np.concatenate([curve.quartics for curve in curves], axis=1),
            np.array([(clock.profile.values.min(), clock.profile.values.max()) for clock in clocks]),
            captured,
            moments,
            np.concatenate([clock.distances for clock in clocks]),
            np.concatenate([clock.areas for clock in clocks]),
            np.concatenate([part for clock in clocks for part in (clock.scale, NO_SCALE)]),
            Rulers.along(indices, [motion.path for motion in motions]),
        )

    def tell(self, t: Floats, u: Floats) -> None:
        """Write the parameters at times t (n,) into the rows of u (actors, n)."""
        self.cover(t, u)
        self.rulers.read(u)

    def cover(self, t: Floats, u: Floats) -> None:
        """Write the distances [m] at times t (n,) into the rows of u (actors, n)."""
        work = NUMBERS_PER_SAMPLE * len(self.rows) * len(t)
        if compiled(work):
            from keypose.stage.evaluate import kernels

            profiles = (self.pieces, self.breaks, self.sums, self.quartics)
            captures = (self.captured, self.moments, self.distances, self.areas, self.scales)
            columns = (self.rows, self.spans, *profiles, *captures, t, u)
            spread(lambda start, stop: kernels.pacings(*columns, start, stop), len(self.rows), work)
            return
        moment, last = own_times(self.spans, t), self.pieces[1:, None] - 1
        x = np.minimum(np.maximum(moment / self.spans[:, 2, None], 0.0), 1.0)
        piece = last_reached(self.breaks, self.pieces[:-1, None], last, x)
        area = np.minimum(climbed(self.sums, self.quartics, piece, x - self.breaks[piece]), self.sums[last])
        span = last_reached(self.moments, self.captured[:-1, None], self.captured[1:, None] - 2, moment)
        u[self.rows] = driven(self.distances, self.areas, self.scales, span, area)

    def speeds(self, t: Floats) -> Floats:
        """How fast each clock goes at times t (n,), (clocks, n) [m/s], as `Pacing.speed`; who holds, as at its end."""
        out, work = np.empty((len(self.rows), len(t))), NUMBERS_PER_SAMPLE * len(self.rows) * len(t)
        if compiled(work):
            from keypose.stage.evaluate import kernels

            profiles = (self.pieces, self.breaks, self.cubics, self.extremes)
            columns = (self.spans, *profiles, self.captured, self.moments, self.scales, t, out)
            spread(lambda start, stop: kernels.speeds(*columns, start, stop), len(self.rows), work)
            return out
        moment, duration = own_times(self.spans, t), self.spans[:, 2, None]
        x = np.minimum(np.maximum(moment / duration, 0.0), 1.0)
        piece = last_reached(self.breaks, self.pieces[:-1, None], self.pieces[1:, None] - 1, x)
        speed = horner(self.cubics[:, piece], x - self.breaks[piece])
        low, high = self.extremes[:, :1], self.extremes[:, 1:]
        span = last_reached(self.moments, self.captured[:-1, None], self.captured[1:, None] - 2, moment)
        out[:] = self.scales[span] * np.minimum(np.maximum(speed, low), high) / duration
        return out


Clock = Passings | Pacings


def clock_of(rows: Sequence[int], motions: Sequence[Motion]) -> Clock:
    """The clocks of motions of one kind, which write into these rows."""
    return Passings.of(rows, motions) if isinstance(motions[0].clock, Passing) else Pacings.of(rows, motions)


def by_clock(motions: Sequence[Motion]) -> list[list[int]]:
    """The numbers of these motions, together those whose clocks are of one kind.

    Drawn speeds are, whose rulers have equally many parts to a segment: they have more where turns count as distance.
    """
    kinds: dict[int, list[int]] = {}
    for row, motion in enumerate(motions):
        parts = 0 if isinstance(motion.clock, Passing) else motion.path.ruler.quartics.shape[1]
        kinds.setdefault(parts, []).append(row)
    return list(kinds.values())
