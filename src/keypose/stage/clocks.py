"""How far along its path is each of a thousand actors? Their clocks, asked together: own time, then the parameter.

As for one motion there are two kinds: by key times (KB84), and by drawn speed (BH89), which covers distance and leaves
it to `rulers` where that is. Both count in the actor's own time, which may hold, start over, or run back and forth.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from keypose.maths.kernel import compiled, spread
from keypose.maths.piecewise import climbed
from keypose.motion.motion import LAPS, Motion
from keypose.stage.ragged import end_to_end, last_reached
from keypose.stage.rulers import Rulers
from keypose.timing.repeating import repeated
from keypose.timing.schedule import Pacing, Passing, driven, share_passed

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

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
            from keypose.stage import kernels

            columns = (self.rows, self.spans, self.firsts, self.times, t, u)
            spread(lambda start, stop: kernels.passings(*columns, start, stop), len(self.rows), work)
            return
        moment, first = own_times(self.spans, t), self.firsts[:-1, None]
        segment = last_reached(self.times, first, self.firsts[1:, None] - 2, moment)
        u[self.rows] = segment - first + share_passed(self.times, segment, moment)


@dataclass(frozen=True, eq=False)
class Pacings:
    """Clocks by drawn speed, as `Pacing`, and the rulers along their paths.

    The profile of actor rows[i] has the pieces pieces[i] … pieces[i + 1] of `breaks`, `sums` and `quartics`; its
    captured moments are captured[i] … captured[i + 1] of `moments`, `distances`, `areas` and `scales`.
    """

    rows: Ints
    spans: Floats
    pieces: Ints
    breaks: Floats
    sums: Floats
    quartics: Floats
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
            np.concatenate([curve.quartics for curve in curves], axis=1),
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
            from keypose.stage import kernels

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
