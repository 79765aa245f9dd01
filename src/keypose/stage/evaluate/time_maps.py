"""How far along its path is each of a thousand actors? Their clocks, asked together: own time, then the parameter.

As for one motion there are two kinds: by key times (KB84), and by drawn speed (BH89), which covers distance and leaves
it to `arc_lengths` where that is. Both count in the actor's own time, which may hold, start over, or run back
and forth.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from keypose.maths import Bools, Floats, Ints, hermite, horner, piecewise_integral, run_parallel, use_kernels
from keypose.motion import LAP_SPANS, Motion
from keypose.stage.evaluate.arc_lengths import ArcLengths
from keypose.stage.evaluate.ragged_arrays import last_not_above, pack_ragged_arrays
from keypose.timing import MIRROR, KeyTimeClock, SpeedClock, fold_times, profile_distance, segment_fraction

NUMBERS_PER_SAMPLE = 10
NO_SCALE = np.zeros(1)


def clock_spans(motions: Sequence[Motion]) -> Floats:
    """When each clock starts, its first and its last moment [s], and how many spans a lap takes, (actors, 4)."""
    return np.array([(motion.start, *motion.clock.span, LAP_SPANS[motion.outside]) for motion in motions])


def local_times(spans: Floats, t: Floats) -> Floats:
    """What each actor's clock shows at times (n,): (actors, n) [s]. Those that hold run on, for clocks hold them."""
    start, first, last, lap_spans = (spans[:, column, None] for column in range(4))
    local = t - start
    repeating = np.flatnonzero(lap_spans)
    if len(repeating):
        local[repeating], _ = fold_times(t, start[repeating], first[repeating], last[repeating], lap_spans[repeating])
    return local


def backward_mask(spans: Floats, t: Floats) -> Bools | None:
    """Whether each actor's time runs back at times (n,), (actors, n); None if nobody's ever does."""
    mirrored = np.flatnonzero(spans[:, 3] == MIRROR)
    if not len(mirrored):
        return None
    is_backward = np.zeros((len(spans), len(t)), dtype=np.bool_)
    start, first, last, lap_spans = (spans[mirrored, column, None] for column in range(4))
    _, is_backward[mirrored] = fold_times(t, start, first, last, lap_spans)
    return is_backward


@dataclass(frozen=True, eq=False)
class KeyTimeClocks:
    """Clocks by key times, as `KeyTimeClock`: that of actor rows[i] has the times firsts[i] … firsts[i + 1]."""

    rows: Ints
    spans: Floats
    firsts: Ints
    times: Floats

    @classmethod
    def of(cls, rows: Sequence[int], motions: Sequence[Motion]) -> "KeyTimeClocks":
        """The clocks of motions that go by key times."""
        times = [motion.clock.times for motion in motions if isinstance(motion.clock, KeyTimeClock)]
        return cls(np.array(rows, dtype=np.int64), clock_spans(motions), *pack_ragged_arrays(times))

    def write_parameters(self, t: Floats, u: Floats) -> None:
        """Write the parameters at times t (n,) into the rows of u (actors, n)."""
        work = NUMBERS_PER_SAMPLE * len(self.rows) * len(t)
        if use_kernels(work):
            from keypose.stage.evaluate import kernels

            columns = (self.rows, self.spans, self.firsts, self.times, t, u)
            run_parallel(lambda start, stop: kernels.key_time_parameters(*columns, start, stop), len(self.rows), work)
            return
        local, first = local_times(self.spans, t), self.firsts[:-1, None]
        segment = last_not_above(self.times, first, self.firsts[1:, None] - 2, local)
        u[self.rows] = segment - first + segment_fraction(self.times, segment, local)

    def parameter_rates(self, u: Floats, closed: Bools) -> Floats:
        """du/dt [1/s] at the parameters u (clocks, n), as `KeyTimeClock.parameter_rate`; the end of a `closed` path is
        left.
        """
        segment, _ = hermite.locate(u, np.diff(self.firsts)[:, None] - 1, closed[:, None])
        segment += self.firsts[:-1, None]
        return np.asarray(1.0 / (self.times[segment + 1] - self.times[segment]))


@dataclass(frozen=True, eq=False)
class SpeedClocks:
    """Clocks by drawn speed, as `SpeedClock`, and the rulers along their paths.

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
    captures: Ints
    times: Floats
    distances: Floats
    areas: Floats
    scales: Floats
    """K of the span that each captured moment begins; none begins at the last."""
    arc_lengths: ArcLengths

    @classmethod
    def of(cls, rows: Sequence[int], motions: Sequence[Motion]) -> "SpeedClocks":
        """The clocks of motions that go by drawn speed, whose rulers have equally many parts to a segment."""
        clocks = [motion.clock for motion in motions if isinstance(motion.clock, SpeedClock)]
        curves = [clock.profile.curve for clock in clocks]
        pieces, breaks = pack_ragged_arrays([curve.breaks for curve in curves])
        captures, times = pack_ragged_arrays([clock.times for clock in clocks])
        indices = np.array(rows, dtype=np.int64)
        return cls(
            indices,
            clock_spans(motions),
            pieces,
            breaks,
            np.concatenate([curve.sums for curve in curves]),
            np.concatenate([curve.cubics for curve in curves], axis=1),
            np.concatenate([curve.quartics for curve in curves], axis=1),
            np.array([(clock.profile.values.min(), clock.profile.values.max()) for clock in clocks]),
            captures,
            times,
            np.concatenate([clock.distances for clock in clocks]),
            np.concatenate([clock.areas for clock in clocks]),
            np.concatenate([part for clock in clocks for part in (clock.scale, NO_SCALE)]),
            ArcLengths.from_paths(indices, [motion.path for motion in motions]),
        )

    def write_parameters(self, t: Floats, u: Floats) -> None:
        """Write the parameters at times t (n,) into the rows of u (actors, n)."""
        self.write_distances(t, u)
        self.arc_lengths.to_parameters(u)

    def write_distances(self, t: Floats, u: Floats) -> None:
        """Write the distances [m] at times t (n,) into the rows of u (actors, n)."""
        work = NUMBERS_PER_SAMPLE * len(self.rows) * len(t)
        if use_kernels(work):
            from keypose.stage.evaluate import kernels

            profile_arrays = (self.pieces, self.breaks, self.sums, self.quartics)
            capture_arrays = (self.captures, self.times, self.distances, self.areas, self.scales)
            columns = (self.rows, self.spans, *profile_arrays, *capture_arrays, t, u)
            run_parallel(lambda start, stop: kernels.speed_clock_distances(*columns, start, stop), len(self.rows), work)
            return
        local, last = local_times(self.spans, t), self.pieces[1:, None] - 1
        x = np.minimum(np.maximum(local / self.spans[:, 2, None], 0.0), 1.0)
        piece = last_not_above(self.breaks, self.pieces[:-1, None], last, x)
        area = np.minimum(piecewise_integral(self.sums, self.quartics, piece, x - self.breaks[piece]), self.sums[last])
        span = last_not_above(self.times, self.captures[:-1, None], self.captures[1:, None] - 2, local)
        u[self.rows] = profile_distance(self.distances, self.areas, self.scales, span, area)

    def speeds(self, t: Floats) -> Floats:
        """How fast each clock goes at times t (n,), (clocks, n) [m/s], as `SpeedClock.speed`; who holds, as at its
        end.
        """
        out, work = np.empty((len(self.rows), len(t))), NUMBERS_PER_SAMPLE * len(self.rows) * len(t)
        if use_kernels(work):
            from keypose.stage.evaluate import kernels

            profile_arrays = (self.pieces, self.breaks, self.cubics, self.extremes)
            columns = (self.spans, *profile_arrays, self.captures, self.times, self.scales, t, out)
            run_parallel(lambda start, stop: kernels.speed_clock_speeds(*columns, start, stop), len(self.rows), work)
            return out
        local, duration = local_times(self.spans, t), self.spans[:, 2, None]
        x = np.minimum(np.maximum(local / duration, 0.0), 1.0)
        piece = last_not_above(self.breaks, self.pieces[:-1, None], self.pieces[1:, None] - 1, x)
        speed = horner(self.cubics[:, piece], x - self.breaks[piece])
        low, high = self.extremes[:, :1], self.extremes[:, 1:]
        span = last_not_above(self.times, self.captures[:-1, None], self.captures[1:, None] - 2, local)
        out[:] = self.scales[span] * np.minimum(np.maximum(speed, low), high) / duration
        return out


ClockArrays = KeyTimeClocks | SpeedClocks


def build_clock(rows: Sequence[int], motions: Sequence[Motion]) -> ClockArrays:
    """The clocks of motions of one kind, which write into these rows."""
    return (
        KeyTimeClocks.of(rows, motions) if isinstance(motions[0].clock, KeyTimeClock) else SpeedClocks.of(rows, motions)
    )


def group_by_clock(motions: Sequence[Motion]) -> list[list[int]]:
    """The numbers of these motions, together those whose clocks are of one kind.

    Drawn speeds are, whose rulers have equally many parts to a segment: they have more where turns count as distance.
    """
    kinds: dict[int, list[int]] = {}
    for row, motion in enumerate(motions):
        parts = 0 if isinstance(motion.clock, KeyTimeClock) else motion.path.geometry.length_table.quartics.shape[1]
        kinds.setdefault(parts, []).append(row)
    return list(kinds.values())
