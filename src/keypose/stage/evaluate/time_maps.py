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
from keypose.stage.evaluate.records import CaptureArrays, ProfileArrays
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
    """Clocks by drawn speed, as `SpeedClock`, and the length tables of their paths."""

    rows: Ints
    spans: Floats
    profiles: ProfileArrays
    captures: CaptureArrays
    arc_lengths: ArcLengths

    @classmethod
    def of(cls, rows: Sequence[int], motions: Sequence[Motion]) -> "SpeedClocks":
        """The clocks of motions that go by drawn speed, whose length tables have equally many parts to a segment."""
        clocks = [motion.clock for motion in motions if isinstance(motion.clock, SpeedClock)]
        curves = [clock.profile.curve for clock in clocks]
        indices = np.array(rows, dtype=np.int64)
        profiles = ProfileArrays(
            *pack_ragged_arrays([curve.breaks for curve in curves]),
            np.concatenate([curve.sums for curve in curves]),
            np.concatenate([curve.cubics for curve in curves], axis=1),
            np.concatenate([curve.quartics for curve in curves], axis=1),
            np.array([(clock.profile.values.min(), clock.profile.values.max()) for clock in clocks]),
        )
        captures = CaptureArrays(
            *pack_ragged_arrays([clock.times for clock in clocks]),
            np.concatenate([clock.distances for clock in clocks]),
            np.concatenate([clock.areas for clock in clocks]),
            np.concatenate([part for clock in clocks for part in (clock.scale, NO_SCALE)]),
        )
        arc_lengths = ArcLengths.from_paths(indices, [motion.path for motion in motions])
        return cls(indices, clock_spans(motions), profiles, captures, arc_lengths)

    def write_parameters(self, t: Floats, u: Floats) -> None:
        """Write the parameters at times t (n,) into the rows of u (actors, n)."""
        self.write_distances(t, u)
        self.arc_lengths.to_parameters(u)

    def write_distances(self, t: Floats, u: Floats) -> None:
        """Write the distances [m] at times t (n,) into the rows of u (actors, n)."""
        work = NUMBERS_PER_SAMPLE * len(self.rows) * len(t)
        if use_kernels(work):
            from keypose.stage.evaluate import kernels

            columns = (self.rows, self.spans, self.profiles, self.captures, t, u)
            run_parallel(lambda start, stop: kernels.speed_clock_distances(*columns, start, stop), len(self.rows), work)
            return
        profiles, sums = self.profiles, self.profiles.sums
        x, piece, span = self._pieces_at(t)
        area = piecewise_integral(sums, profiles.quartics, piece, x - profiles.breaks[piece])
        area = np.minimum(area, sums[profiles.firsts[1:, None] - 1])
        u[self.rows] = profile_distance(self.captures.distances, self.captures.areas, self.captures.scales, span, area)

    def speeds(self, t: Floats) -> Floats:
        """The speed of each clock at times t (n,), (clocks, n) [m/s], as `SpeedClock.speed`; where it holds, as at its
        end.
        """
        out, work = np.empty((len(self.rows), len(t))), NUMBERS_PER_SAMPLE * len(self.rows) * len(t)
        if use_kernels(work):
            from keypose.stage.evaluate import kernels

            columns = (self.spans, self.profiles, self.captures, t, out)
            run_parallel(lambda start, stop: kernels.speed_clock_speeds(*columns, start, stop), len(self.rows), work)
            return out
        profiles = self.profiles
        x, piece, span = self._pieces_at(t)
        speed = horner(profiles.cubics[:, piece], x - profiles.breaks[piece])
        low, high = profiles.extremes[:, :1], profiles.extremes[:, 1:]
        out[:] = self.captures.scales[span] * np.minimum(np.maximum(speed, low), high) / self.spans[:, 2, None]
        return out

    def _pieces_at(self, t: Floats) -> tuple[Floats, Ints, Ints]:
        """The share x of the duration at times t (n,), the piece of the profile, and the captured span, (clocks, n)."""
        local, profiles, captures = local_times(self.spans, t), self.profiles, self.captures
        x = np.minimum(np.maximum(local / self.spans[:, 2, None], 0.0), 1.0)
        piece = last_not_above(profiles.breaks, profiles.firsts[:-1, None], profiles.firsts[1:, None] - 1, x)
        span = last_not_above(captures.times, captures.firsts[:-1, None], captures.firsts[1:, None] - 2, local)
        return x, piece, span


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
