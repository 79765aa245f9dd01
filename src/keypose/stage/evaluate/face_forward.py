"""Which way do a thousand actors face who look where they go? As `FaceForward.orientations_along` says it of one, asked
together.

Their paths lead somewhere (`path_headings`), and those who lean feel the change of their velocity: that of a clock by
key times is dP/du · du/dt, that of one by drawn speed the heading times the speed.

Where do the ways of a thousand actors lead, each at its own parameter? Their headings, asked together (BH89).

As for one path (`curves.path.heading`, `facing.path_direction`): the direction of travel, where a path stops for an
instant that in which it sets off, and where it rests that in which it last led. Who measures turns as distance too is
asked alone.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from keypose.curves import MotionPath, stop_directions, stop_speeds
from keypose.maths import Bools, Floats, Ints, hermite, mean_of_points, ordered_sum, run_parallel, use_kernels
from keypose.motion import (
    BANK_WINDOW,
    FaceForward,
    Motion,
    bank_orientations,
    forward_orientations,
    is_zero_direction,
    mean_vector,
    nearest_moving_segments,
    parameter_beside_rest,
    path_direction,
)
from keypose.stage.evaluate.positions import PathPositions
from keypose.stage.evaluate.time_maps import (
    ClockArrays,
    KeyTimeClocks,
    backward_mask,
    build_clock,
    clock_spans,
    group_by_clock,
)

IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])
NUMBERS_PER_SAMPLE = 4  # beside each number of a place


@dataclass(frozen=True, eq=False)
class Headings:
    """The paths of all actors as in `places`, and for each of their segments how slow is no direction any more."""

    positions: PathPositions
    points: int
    stop_speeds: Floats
    moving_before: Ints
    """The last segment of the same path up to this one that moves, or -1: `facing.moving`."""
    moving_after: Ints
    unbatched: dict[int, MotionPath]

    @classmethod
    def from_paths(cls, paths: Sequence[MotionPath]) -> "Headings":
        """These paths, all of one place or all of equally many points."""
        positions = PathPositions.from_paths(paths)
        moving_before, moving_after = (
            np.concatenate(columns) for columns in zip(*map(nearest_moving_segments, paths), strict=True)
        )
        unbatched = {row: path for row, path in enumerate(paths) if not path.geometry.metric.is_length}
        return cls(
            positions,
            positions.curve.shape[2] // 3,
            stop_speeds(positions.curve),
            moving_before,
            moving_after,
            unbatched,
        )

    def at(self, u: Floats) -> Floats:
        """DP per metre of distance of everybody at the parameters u (actors, n), one vector each: (actors, n, 3)."""
        heading, _ = self._headings(u)
        for row, path in self.unbatched.items():
            heading[row] = mean_vector(path.geometry.heading(u[row]), path)
        return heading

    def directions(self, u: Floats) -> tuple[Floats, list[int]]:
        """Where everybody's path leads at u (actors, n): (actors, n, 3) of any length, as `facing.path_direction`.

        And the actors who may not be led anywhere at some u.
        """
        heading, (row, sample) = self._headings(u)
        is_resting = is_zero_direction(heading[row, sample])
        row, sample = row[is_resting], sample[is_resting]
        if len(row):
            first, count = self.positions.firsts[row], self._segment_counts[row]
            segment, _ = hermite.locate(u[row, sample], count, self.positions.closed[row])
            last, following = self.moving_before[first + segment], self.moving_after[first + segment]
            nearby_u = parameter_beside_rest(u[row, sample], segment, last, following, count)
            heading[row, sample] = self._evaluate(row, nearby_u)
        for other_row, path in self.unbatched.items():
            heading[other_row] = path_direction(path, u[other_row])
        return heading, list({*row.tolist(), *self.unbatched})

    @property
    def _segment_counts(self) -> Ints:
        return np.diff(self.positions.firsts)

    def _headings(self, u: Floats) -> tuple[Floats, tuple[Ints, Ints]]:
        """The headings by length, and the actors and samples at which those may be zero."""
        if use_kernels(NUMBERS_PER_SAMPLE * u.size * 3 * self.points):
            heading, unsure = self._evaluate_kernel(u)
            row, sample = np.nonzero(unsure)
            if len(row):
                heading[row, sample] = self._evaluate(row, u[row, sample])
        else:
            heading = self._evaluate(np.arange(len(u))[:, None], u)
            row, sample = np.nonzero(is_zero_direction(heading))
        return heading, (row, sample)

    def _evaluate(self, row: Ints, u: Floats) -> Floats:
        """The headings of these actors, each at its u (…): (…, 3)."""
        positions = self.positions
        segment, s = hermite.locate(u, self._segment_counts[row], positions.closed[row])
        number = positions.firsts[row] + segment
        segments = positions.curve[number]
        velocity = hermite.evaluate_segments(segments, s, 1)
        speed = np.sqrt(ordered_sum(velocity * velocity) / self.points)
        is_stopped = ~(speed > self.stop_speeds[number])
        heading = velocity / np.where(is_stopped, 1.0, speed)[..., None]
        if is_stopped.any():
            heading[is_stopped] = stop_directions(segments[is_stopped], s[is_stopped], self.points)
        return heading if self.points == 1 else mean_of_points(heading.reshape(*u.shape, self.points, 3))

    def _evaluate_kernel(self, u: Floats) -> tuple[Floats, Bools]:
        """The headings, and where those are not known yet."""
        from keypose.stage.evaluate import kernels

        positions = self.positions
        heading, unsure = np.empty((*u.shape, 3)), np.empty(u.shape, dtype=np.bool_)
        columns = (positions.firsts, positions.closed, positions.curve, self.stop_speeds, u, heading, unsure)
        work = NUMBERS_PER_SAMPLE * u.size * 3 * self.points
        run_parallel(lambda start, stop: kernels.path_headings(*columns, start, stop), len(u), work)
        return heading, unsure


@dataclass(frozen=True, eq=False)
class FaceForwardBatch:
    """Those actors of a batch, by their rows there, that face forward."""

    rows: Ints
    spans: Floats
    headings: Headings
    bank: "BankBatch | None"

    @classmethod
    def of(cls, facings: dict[int, FaceForward], motions: Sequence[Motion]) -> "FaceForwardBatch | None":
        """Those of these motions, by their number, that face forward; None if nobody does."""
        if not facings:
            return None
        rows = np.array(sorted(facings), dtype=np.int64)
        forward_motions = [motions[row] for row in rows.tolist()]
        banks = np.array([facings[row].bank for row in rows.tolist()])
        bank = BankBatch.of(banks, forward_motions) if banks.any() else None
        return cls(
            rows, clock_spans(forward_motions), Headings.from_paths([motion.path for motion in forward_motions]), bank
        )

    def orientations(self, t: Floats, u: Floats, fallback: Callable[[int], Floats]) -> Floats:
        """Facings (rows, n, 4) at times t (n,), at which all of the batch are at the parameters u (actors, n).

        `otherwise(row)` (n, 4) is how an actor of the batch faces that never moves at all.
        """
        directions, maybe_resting = self.headings.directions(u[self.rows])
        is_backward = backward_mask(self.spans, t)
        if is_backward is not None:
            directions *= np.where(is_backward, -1.0, 1.0)[..., None]
        upright = forward_orientations(directions, IDENTITY)
        for row in maybe_resting:
            upright[row] = forward_orientations(directions[row], fallback(int(self.rows[row])))
        return upright if self.bank is None else self.bank.apply_bank(upright, t)


@dataclass(frozen=True, eq=False)
class BankBatch:
    """Those who lean into curves: rows among those who face forward, and how much."""

    rows: Ints
    banks: Floats
    velocity_groups: "tuple[VelocityGroup, ...]"

    @classmethod
    def of(cls, banks: Floats, motions: Sequence[Motion]) -> "BankBatch":
        """Those of these motions whose bank is not zero."""
        rows = np.flatnonzero(banks)
        banked_motions = [motions[row] for row in rows.tolist()]
        velocity_groups = tuple(
            VelocityGroup.of(group, [banked_motions[row] for row in group]) for group in group_by_clock(banked_motions)
        )
        return cls(rows, banks[rows], velocity_groups)

    def apply_bank(self, upright: Floats, t: Floats) -> Floats:
        """The facings (forward, n, 4), upright at times t (n,), with those leaned that lean."""
        change = np.empty((len(self.rows), len(t), 3))
        for group in self.velocity_groups:
            change[group.rows] = group.velocities(t + BANK_WINDOW) - group.velocities(t - BANK_WINDOW)
        upright[self.rows] = bank_orientations(upright[self.rows], change / (2 * BANK_WINDOW), self.banks[:, None])
        return upright


@dataclass(frozen=True, eq=False)
class VelocityGroup:
    """Those of the leaning with one kind of clock, and how fast they go."""

    rows: Ints
    clock: ClockArrays
    headings: Headings

    @classmethod
    def of(cls, rows: Sequence[int], motions: Sequence[Motion]) -> "VelocityGroup":
        """Motions with one kind of clock, which have these rows among the leaning."""
        headings = Headings.from_paths([motion.path for motion in motions])
        return cls(np.array(rows, dtype=np.int64), build_clock(range(len(rows)), motions), headings)

    def velocities(self, t: Floats) -> Floats:
        """dP/dt [m/s] of everybody at times (n,), (rows, n, 3), of drawings the mean; who holds does as at its end."""
        u = np.empty((len(self.rows), len(t)))
        self.clock.write_parameters(t, u)
        if isinstance(self.clock, KeyTimeClocks):
            positions, points = self.headings.positions, self.headings.points
            heading, rate = positions.at(u, derivative=1), self.clock.parameter_rates(u, positions.closed)
            if points > 1:
                heading = mean_of_points(heading.reshape(*u.shape, points, 3))
        else:
            heading, rate = self.headings.at(u), self.clock.speeds(t)
        is_backward = backward_mask(self.clock.spans, t)
        return np.asarray(heading * (rate if is_backward is None else np.where(is_backward, -rate, rate))[..., None])
