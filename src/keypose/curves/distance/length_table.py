"""How is distance laid along a path? A ruler, divided finely where speed changes abruptly (GL95 §5.1, §7.2).

The ruler knows the square of the speed in each segment as a quartic in the share s. Each division is short enough for
five-point Gauss-Legendre to be exact to about 1e-10, also where the path nearly or wholly stops (tension 1, a turn on
the spot): what GL95 tabulates at a fixed number of places is measured here as finely as it needs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Self

import numpy as np

from keypose.curves.kernels.records import LengthArrays
from keypose.maths import Bools, Floats, Ints, integral, nodes_between, run_parallel, use_kernels

LENGTH_TOLERANCE = 3e-10  # of a segment's size: how much halving a division may still change its length
MAX_HALVINGS = 30  # halvings
SLOW_FRACTION = (
    0.25  # speed² below this share of the largest: its minimum ends a division, and the tolerance is finer there
)
SLOW_TOLERANCE_FACTOR = 0.01
SPEED_PROBES = 8  # of the speed, to know a segment's size
MIN_CUT_SPACING = 1e-8  # of a segment: divisions are not cut closer than this
TO_BEZIER = np.array(
    [[1, 1, 1, 1, 1], [0, 1 / 4, 1 / 2, 3 / 4, 1], [0, 0, 1 / 6, 1 / 2, 1], [0, 0, 0, 1 / 4, 1], [0] * 4 + [1]]
)


@dataclass(frozen=True, eq=False)
class LengthTable:
    """Divisions along consecutive segments: pieces first[i] … first[i+1] lie in segment i.

    `quartics` (segments, parts, 5) hold speed² of each segment, or of each of several equal parts of it; `piece_ends`
    (pieces,) the share s at which each piece ends, `distances` (pieces,) the distance from the segment's start to
    there.
    """

    quartics: Floats
    first_piece: Ints
    piece_ends: Floats
    distances: Floats

    def __len__(self) -> int:
        return len(self.quartics)

    @cached_property
    def arrays(self) -> LengthArrays:
        """The record that kernels take."""
        return LengthArrays(self.quartics, self.first_piece, self.piece_ends, self.distances)

    @cached_property
    def segment_starts(self) -> Floats:
        """The distance at which each segment starts, and the whole length, (segments + 1,)."""
        starts = np.zeros(len(self) + 1)
        np.cumsum(self.distances[self.first_piece[1:] - 1], out=starts[1:])
        return starts

    @cached_property
    def length(self) -> float:
        """From one end to the other."""
        return float(self.segment_starts[-1])

    @cached_property
    def segment_lookup(self) -> Ints:
        """For equal steps of distance, the segment they fall into: where the search for a segment begins."""
        count = 4 * len(self)
        steps = np.arange(count + 1) * (self.length / count)
        return np.minimum(np.searchsorted(self.segment_starts, steps, side="right") - 1, len(self) - 1)

    def sliced(self, start: int, stop: int) -> Self:
        """Segments start … stop."""
        begin, end = self.first_piece[start], self.first_piece[stop]
        first_piece = self.first_piece[start : stop + 1] - begin
        return type(self)(self.quartics[start:stop], first_piece, self.piece_ends[begin:end], self.distances[begin:end])

    @classmethod
    def concatenate(cls, tables: Sequence[Self]) -> Self:
        """One after the other."""
        begins = accumulate((len(table.piece_ends) for table in tables), initial=0)
        ends = [table.first_piece[1:] + begin for table, begin in zip(tables, begins, strict=False)]
        return cls(
            np.concatenate([table.quartics for table in tables]),
            np.concatenate([tables[0].first_piece[:1], *ends]),
            np.concatenate([table.piece_ends for table in tables]),
            np.concatenate([table.distances for table in tables]),
        )


def speed_at(quartics: Floats, segment: Ints, s: Floats) -> Floats:
    """Speed by s in each segment at the share s; `segment` matches the leading dimensions of s."""
    parts = quartics.shape[1]
    part = np.minimum((s * parts).astype(np.int64), parts - 1)
    x = s * parts - part if parts > 1 else s
    c = quartics[segment.reshape(segment.shape + (1,) * (s.ndim - segment.ndim)), part]
    squared = (((c[..., 4] * x + c[..., 3]) * x + c[..., 2]) * x + c[..., 1]) * x + c[..., 0]
    return np.asarray(np.sqrt(np.maximum(squared, 0.0)))


def distance_between(quartics: Floats, segment: Ints, start: Floats, stop: Floats) -> Floats:
    """The distance from share `start` to share `stop` of each segment, by one Gauss-Legendre step."""
    return integral(speed_at(quartics, segment, nodes_between(start, stop)), start, stop)


def build_length_table(quartics: Floats) -> LengthTable:
    """Lay a ruler along segments whose speed² is known: (segments, parts, 5)."""
    if use_kernels(len(quartics) * 100):
        return _build_by_kernel(quartics)
    segment, start, stop, size, is_slow = _initial_pieces(quartics)
    allowed = LENGTH_TOLERANCE * size * np.where(is_slow, SLOW_TOLERANCE_FACTOR, 1.0)
    done: list[tuple[Ints, Floats, Floats]] = []
    for level in range(MAX_HALVINGS):
        whole = distance_between(quartics, segment, start, stop)
        middle, left, right = _halve_pieces(quartics, segment, start, stop)
        is_fine = np.abs(left + right - whole) <= allowed[segment]
        uncertain = np.flatnonzero(
            is_fine & is_slow[segment]
        )  # where speed changes abruptly, they may have agreed by chance
        for begin, end, half in ((start, middle, left), (middle, stop, right)):
            _, one, two = _halve_pieces(quartics, segment[uncertain], begin[uncertain], end[uncertain])
            is_fine[uncertain] &= np.abs(one + two - half[uncertain]) <= allowed[segment[uncertain]]
        is_fine |= level == MAX_HALVINGS - 1
        done.append((segment[is_fine], middle[is_fine], left[is_fine]))
        done.append((segment[is_fine], stop[is_fine], right[is_fine]))
        is_coarse = ~is_fine
        if not is_coarse.any():
            break
        segment = np.concatenate([segment[is_coarse], segment[is_coarse]])
        start, stop = (
            np.concatenate([start[is_coarse], middle[is_coarse]]),
            np.concatenate([middle[is_coarse], stop[is_coarse]]),
        )
    segment, piece_ends, lengths = (np.concatenate(columns) for columns in zip(*done, strict=True))
    order = np.lexsort((piece_ends, segment))
    segment, piece_ends, lengths = segment[order], piece_ends[order], lengths[order]
    first_piece = np.searchsorted(segment, np.arange(len(quartics) + 1)).astype(np.int64)
    return LengthTable(quartics, first_piece, piece_ends, _segment_cumsum(lengths, first_piece))


def _halve_pieces(quartics: Floats, segment: Ints, start: Floats, stop: Floats) -> tuple[Floats, Floats, Floats]:
    """The middle of each division and the lengths of its two halves."""
    middle = 0.5 * (start + stop)
    return middle, distance_between(quartics, segment, start, middle), distance_between(quartics, segment, middle, stop)


def _initial_pieces(quartics: Floats) -> tuple[Ints, Floats, Floats, Floats, Bools]:
    """Each segment cut where it is slow and slowest, so that a full stop lies on a cut; its size; and if it is slow.

    A stop inside a division can hide from five points: between the end and the nearest of them.
    """
    index = np.arange(len(quartics))
    probes = np.broadcast_to(np.linspace(0.0, 1.0, SPEED_PROBES + 1), (len(quartics), SPEED_PROBES + 1))
    speed = speed_at(quartics, index, probes)
    size = speed.max(axis=1)
    segment, cut = _speed_minima(quartics, size)
    lowest = speed_at(quartics, segment, cut)
    is_usable = (
        (lowest * lowest < SLOW_FRACTION * (size * size)[segment])
        & (cut > MIN_CUT_SPACING)
        & (cut < 1.0 - MIN_CUT_SPACING)
    )
    ends = np.minimum(speed[:, 0], speed[:, -1])
    is_slow = ends * ends < SLOW_FRACTION * (size * size)
    is_slow[segment[is_usable]] = True
    segment, start = np.concatenate([index, segment[is_usable]]), np.concatenate([np.zeros(len(index)), cut[is_usable]])
    order = np.lexsort((start, segment))
    segment, start = segment[order], start[order]
    is_distinct = np.append(True, (np.diff(segment) > 0) | (np.diff(start) > MIN_CUT_SPACING))
    segment, start = segment[is_distinct], start[is_distinct]
    last = np.append(segment[1:] != segment[:-1], True)
    return segment, start, np.where(last, 1.0, np.append(start[1:], 1.0)), size, is_slow


def _speed_minima(quartics: Floats, size: Floats) -> tuple[Ints, Floats]:
    """The segment and the share of every slow minimum of speed², where its slope turns from falling to rising."""
    parts = quartics.shape[1]
    unit = np.where(size > 0, size * size, 1.0)[:, None]
    lower, upper = _quadratic_roots(
        6.0 * quartics[..., 4] / unit, 3.0 * quartics[..., 3] / unit, quartics[..., 2] / unit
    )
    nodes = np.stack([np.zeros_like(lower), lower, upper, np.ones_like(upper)], axis=-1)
    slope = _speed_slope(quartics[:, :, None], nodes)
    is_candidate = (quartics @ TO_BEZIER).min(
        axis=-1
    ) <= SLOW_FRACTION * unit  # a quartic stays above its Bézier coefficients
    segment, part, node = np.nonzero((slope[..., :-1] < 0) & (slope[..., 1:] >= 0) & is_candidate[..., None])
    low, high = nodes[segment, part, node], nodes[segment, part, node + 1]
    for _ in range(30 if len(segment) else 0):
        middle = 0.5 * (low + high)
        is_falling = _speed_slope(quartics[segment, part], middle) < 0
        low, high = np.where(is_falling, middle, low), np.where(is_falling, high, middle)
    between, joint = np.nonzero((slope[:, :-1, -1] < 0) & (slope[:, 1:, 0] >= 0))
    fraction = (part + 0.5 * (low + high)) / parts
    return np.concatenate([segment, between]), np.concatenate([fraction, (joint + 1.0) / parts])


def _quadratic_roots(a: Floats, b: Floats, c: Floats) -> tuple[Floats, Floats]:
    """Where a x² + b x + c changes its sign, the lower and the upper; the nearer end if that is not in 0 … 1."""
    half = -0.5 * (b + np.copysign(np.sqrt(np.maximum(b * b - 4.0 * a * c, 0.0)), b))
    with np.errstate(over="ignore"):
        one = np.divide(half, a, out=np.zeros_like(a), where=a != 0)
        two = np.divide(c, half, out=np.zeros_like(a), where=half != 0)
    return np.clip(np.minimum(one, two), 0.0, 1.0), np.clip(np.maximum(one, two), 0.0, 1.0)


def _speed_slope(quartics: Floats, x: Floats) -> Floats:
    """The slope of speed² by x, for quartics (…, 5) at x (…)."""
    c = quartics
    return np.asarray(((4.0 * c[..., 4] * x + 3.0 * c[..., 3]) * x + 2.0 * c[..., 2]) * x + c[..., 1])


def _segment_cumsum(lengths: Floats, first_piece: Ints) -> Floats:
    """Running sums that start anew in each segment."""
    sums = lengths.copy()
    for piece in range(
        1, int(np.diff(first_piece).max(initial=0))
    ):  # not sums over all: a long segment would drown a short
        pieces = first_piece[:-1] + piece
        pieces = pieces[pieces < first_piece[1:]]
        sums[pieces] += sums[pieces - 1]
    return sums


def _build_by_kernel(quartics: Floats) -> LengthTable:
    from keypose.curves.kernels import arc_length

    results: dict[int, tuple[Ints, Floats, Floats]] = {}

    def build_part(start: int, stop: int) -> None:
        results[start] = arc_length.measure_segments(
            quartics,
            start,
            stop,
            LENGTH_TOLERANCE,
            SLOW_FRACTION,
            SLOW_TOLERANCE_FACTOR,
            MIN_CUT_SPACING,
            SPEED_PROBES,
            MAX_HALVINGS,
        )

    run_parallel(build_part, len(quartics), len(quartics) * 100)
    parts = [results[start] for start in sorted(results)]
    counts, piece_ends, distances = (
        parts[0] if len(parts) == 1 else (np.concatenate(column) for column in zip(*parts, strict=True))
    )
    first_piece = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=first_piece[1:])
    return LengthTable(quartics, first_piece, piece_ends, distances)
