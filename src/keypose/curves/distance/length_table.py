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
from numpy.typing import NDArray

from keypose.maths.arrays import Floats, Ints
from keypose.maths.kernel_switch import compiled, spread
from keypose.maths.quadrature import integral, nodes_between

TOLERANCE = 3e-10  # of a segment's size: how much halving a division may still change its length
DEEPEST = 30  # halvings
SLOW = 0.25  # speed² below this share of the largest: its minimum ends a division, and the tolerance is finer there
FINER = 0.01
PROBES = 8  # of the speed, to know a segment's size
APART = 1e-8  # of a segment: divisions are not cut closer than this
TO_BEZIER = np.array(
    [[1, 1, 1, 1, 1], [0, 1 / 4, 1 / 2, 3 / 4, 1], [0, 0, 1 / 6, 1 / 2, 1], [0, 0, 0, 1 / 4, 1], [0] * 4 + [1]]
)


@dataclass(frozen=True, eq=False)
class Ruler:
    """Divisions along consecutive segments: pieces first[i] … first[i+1] lie in segment i.

    `quartics` (segments, parts, 5) hold speed² of each segment, or of each of several equal parts of it; `knots`
    (pieces,) the share s at which each piece ends, `reached` (pieces,) the distance from the segment's start to there.
    """

    quartics: Floats
    first: Ints
    knots: Floats
    reached: Floats

    def __len__(self) -> int:
        return len(self.quartics)

    @cached_property
    def starts(self) -> Floats:
        """The distance at which each segment starts, and the whole length, (segments + 1,)."""
        starts = np.zeros(len(self) + 1)
        np.cumsum(self.reached[self.first[1:] - 1], out=starts[1:])
        return starts

    @cached_property
    def length(self) -> float:
        """From one end to the other."""
        return float(self.starts[-1])

    @cached_property
    def table(self) -> Ints:
        """For equal steps of distance, the segment they fall into: where the search for a segment begins."""
        count = 4 * len(self)
        steps = np.arange(count + 1) * (self.length / count)
        return np.minimum(np.searchsorted(self.starts, steps, side="right") - 1, len(self) - 1)

    def sliced(self, start: int, stop: int) -> Self:
        """Segments start … stop."""
        begin, end = self.first[start], self.first[stop]
        first = self.first[start : stop + 1] - begin
        return type(self)(self.quartics[start:stop], first, self.knots[begin:end], self.reached[begin:end])

    @classmethod
    def joined(cls, rulers: Sequence[Self]) -> Self:
        """One after the other."""
        begins = accumulate((len(ruler.knots) for ruler in rulers), initial=0)
        ends = [ruler.first[1:] + begin for ruler, begin in zip(rulers, begins, strict=False)]
        return cls(
            np.concatenate([ruler.quartics for ruler in rulers]),
            np.concatenate([rulers[0].first[:1], *ends]),
            np.concatenate([ruler.knots for ruler in rulers]),
            np.concatenate([ruler.reached for ruler in rulers]),
        )


def speed_at(quartics: Floats, segment: Ints, s: Floats) -> Floats:
    """Speed by s in each segment at the share s; `segment` matches the leading dimensions of s."""
    parts = quartics.shape[1]
    part = np.minimum((s * parts).astype(np.int64), parts - 1)
    x = s * parts - part if parts > 1 else s
    c = quartics[segment.reshape(segment.shape + (1,) * (s.ndim - segment.ndim)), part]
    squared = (((c[..., 4] * x + c[..., 3]) * x + c[..., 2]) * x + c[..., 1]) * x + c[..., 0]
    return np.asarray(np.sqrt(np.maximum(squared, 0.0)))


def between(quartics: Floats, segment: Ints, start: Floats, stop: Floats) -> Floats:
    """The distance from share `start` to share `stop` of each segment, by one Gauss-Legendre step."""
    return integral(speed_at(quartics, segment, nodes_between(start, stop)), start, stop)


def measured(quartics: Floats) -> Ruler:
    """Lay a ruler along segments whose speed² is known: (segments, parts, 5)."""
    if compiled(len(quartics) * 100):
        return _measured_by_kernel(quartics)
    segment, start, stop, size, slow = _first_divisions(quartics)
    allowed = TOLERANCE * size * np.where(slow, FINER, 1.0)
    done: list[tuple[Ints, Floats, Floats]] = []
    for level in range(DEEPEST):
        whole = between(quartics, segment, start, stop)
        middle, left, right = _halves(quartics, segment, start, stop)
        fine = np.abs(left + right - whole) <= allowed[segment]
        doubt = np.flatnonzero(fine & slow[segment])  # where speed changes abruptly, they may have agreed by chance
        for begin, end, half in ((start, middle, left), (middle, stop, right)):
            _, one, two = _halves(quartics, segment[doubt], begin[doubt], end[doubt])
            fine[doubt] &= np.abs(one + two - half[doubt]) <= allowed[segment[doubt]]
        fine |= level == DEEPEST - 1
        done.append((segment[fine], middle[fine], left[fine]))
        done.append((segment[fine], stop[fine], right[fine]))
        again = ~fine
        if not again.any():
            break
        segment = np.concatenate([segment[again], segment[again]])
        start, stop = np.concatenate([start[again], middle[again]]), np.concatenate([middle[again], stop[again]])
    segment, knots, lengths = (np.concatenate(columns) for columns in zip(*done, strict=True))
    order = np.lexsort((knots, segment))
    segment, knots, lengths = segment[order], knots[order], lengths[order]
    first = np.searchsorted(segment, np.arange(len(quartics) + 1)).astype(np.int64)
    return Ruler(quartics, first, knots, _sums_within(lengths, first))


def _halves(quartics: Floats, segment: Ints, start: Floats, stop: Floats) -> tuple[Floats, Floats, Floats]:
    """The middle of each division and the lengths of its two halves."""
    middle = 0.5 * (start + stop)
    return middle, between(quartics, segment, start, middle), between(quartics, segment, middle, stop)


def _first_divisions(quartics: Floats) -> tuple[Ints, Floats, Floats, Floats, NDArray[np.bool_]]:
    """Each segment cut where it is slow and slowest, so that a full stop lies on a cut; its size; and if it is slow.

    A stop inside a division can hide from five points: between the end and the nearest of them.
    """
    index = np.arange(len(quartics))
    probes = np.broadcast_to(np.linspace(0.0, 1.0, PROBES + 1), (len(quartics), PROBES + 1))
    speed = speed_at(quartics, index, probes)
    size = speed.max(axis=1)
    segment, cut = _minima(quartics, size)
    lowest = speed_at(quartics, segment, cut)
    usable = (lowest * lowest < SLOW * (size * size)[segment]) & (cut > APART) & (cut < 1.0 - APART)
    ends = np.minimum(speed[:, 0], speed[:, -1])
    slow = ends * ends < SLOW * (size * size)
    slow[segment[usable]] = True
    segment, start = np.concatenate([index, segment[usable]]), np.concatenate([np.zeros(len(index)), cut[usable]])
    order = np.lexsort((start, segment))
    segment, start = segment[order], start[order]
    apart = np.append(True, (np.diff(segment) > 0) | (np.diff(start) > APART))
    segment, start = segment[apart], start[apart]
    last = np.append(segment[1:] != segment[:-1], True)
    return segment, start, np.where(last, 1.0, np.append(start[1:], 1.0)), size, slow


def _minima(quartics: Floats, size: Floats) -> tuple[Ints, Floats]:
    """The segment and the share of every slow minimum of speed², where its slope turns from falling to rising."""
    parts = quartics.shape[1]
    unit = np.where(size > 0, size * size, 1.0)[:, None]
    lower, upper = _bends(6.0 * quartics[..., 4] / unit, 3.0 * quartics[..., 3] / unit, quartics[..., 2] / unit)
    stations = np.stack([np.zeros_like(lower), lower, upper, np.ones_like(upper)], axis=-1)
    slope = _slope(quartics[:, :, None], stations)
    perhaps = (quartics @ TO_BEZIER).min(axis=-1) <= SLOW * unit  # a quartic stays above its Bézier coefficients
    segment, part, station = np.nonzero((slope[..., :-1] < 0) & (slope[..., 1:] >= 0) & perhaps[..., None])
    low, high = stations[segment, part, station], stations[segment, part, station + 1]
    for _ in range(30 if len(segment) else 0):
        middle = 0.5 * (low + high)
        falling = _slope(quartics[segment, part], middle) < 0
        low, high = np.where(falling, middle, low), np.where(falling, high, middle)
    between, joint = np.nonzero((slope[:, :-1, -1] < 0) & (slope[:, 1:, 0] >= 0))
    share = (part + 0.5 * (low + high)) / parts
    return np.concatenate([segment, between]), np.concatenate([share, (joint + 1.0) / parts])


def _bends(a: Floats, b: Floats, c: Floats) -> tuple[Floats, Floats]:
    """Where a x² + b x + c changes its sign, the lower and the upper; the nearer end if that is not in 0 … 1."""
    half = -0.5 * (b + np.copysign(np.sqrt(np.maximum(b * b - 4.0 * a * c, 0.0)), b))
    with np.errstate(over="ignore"):
        one = np.divide(half, a, out=np.zeros_like(a), where=a != 0)
        two = np.divide(c, half, out=np.zeros_like(a), where=half != 0)
    return np.clip(np.minimum(one, two), 0.0, 1.0), np.clip(np.maximum(one, two), 0.0, 1.0)


def _slope(quartics: Floats, x: Floats) -> Floats:
    """The slope of speed² by x, for quartics (…, 5) at x (…)."""
    c = quartics
    return np.asarray(((4.0 * c[..., 4] * x + 3.0 * c[..., 3]) * x + 2.0 * c[..., 2]) * x + c[..., 1])


def _sums_within(lengths: Floats, first: Ints) -> Floats:
    """Running sums that start anew in each segment."""
    sums = lengths.copy()
    for piece in range(1, int(np.diff(first).max(initial=0))):  # not sums over all: a long segment would drown a short
        here = first[:-1] + piece
        here = here[here < first[1:]]
        sums[here] += sums[here - 1]
    return sums


def _measured_by_kernel(quartics: Floats) -> Ruler:
    from keypose.curves.kernels import arc_length

    shares: dict[int, tuple[Ints, Floats, Floats]] = {}

    def lay(start: int, stop: int) -> None:
        shares[start] = arc_length.measure(quartics, start, stop, TOLERANCE, SLOW, FINER, APART, PROBES, DEEPEST)

    spread(lay, len(quartics), len(quartics) * 100)
    parts = [shares[start] for start in sorted(shares)]
    counts, knots, reached = (
        parts[0] if len(parts) == 1 else (np.concatenate(column) for column in zip(*parts, strict=True))
    )
    first = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=first[1:])
    return Ruler(quartics, first, knots, reached)
