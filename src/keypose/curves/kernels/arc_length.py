"""Numba twins of `length_table` and `run`: laying a ruler, reading a distance off it, finding a distance on it."""

import numpy as np

from keypose.curves.kernels.records import LengthArrays
from keypose.maths import NODES, WEIGHTS, Floats, Ints, kernel

N0, N1, N2, N3, N4 = (float(node) for node in NODES)
W0, W1, W2, W3, W4 = (float(weight) for weight in WEIGHTS)


@kernel
def speed(q: Floats, i: int, s: float) -> float:
    """Twin of `length_table.speed_at`, in segment i."""
    parts = q.shape[1]
    part, x = 0, s
    if parts > 1:
        part = min(int(s * parts), parts - 1)
        x = s * parts - part
    squared = (((q[i, part, 4] * x + q[i, part, 3]) * x + q[i, part, 2]) * x + q[i, part, 1]) * x + q[i, part, 0]
    return np.sqrt(squared) if squared > 0.0 else 0.0


@kernel
def distance_between(quartics: Floats, segment: int, start: float, stop: float) -> float:
    """The distance from share `start` to share `stop` of one segment."""
    half = 0.5 * (stop - start)
    middle = 0.5 * (start + stop)
    total = speed(quartics, segment, middle + half * N0) * W0
    total = total + speed(quartics, segment, middle + half * N1) * W1
    total = total + speed(quartics, segment, middle + half * N2) * W2
    total = total + speed(quartics, segment, middle + half * N3) * W3
    total = total + speed(quartics, segment, middle + half * N4) * W4
    return total * half


@kernel
def speed_slope(q: Floats, i: int, part: int, x: float) -> float:
    """Twin of `length_table._speed_slope`, in one part of segment i."""
    return ((4.0 * q[i, part, 4] * x + 3.0 * q[i, part, 3]) * x + 2.0 * q[i, part, 2]) * x + q[i, part, 1]


@kernel
def quadratic_roots(a: float, b: float, c: float) -> tuple[float, float]:
    """Twin of `length_table._quadratic_roots`."""
    half = -0.5 * (b + np.copysign(np.sqrt(max(b * b - 4.0 * a * c, 0.0)), b))
    one = half / a if a != 0.0 else 0.0
    two = c / half if half != 0.0 else 0.0
    return min(max(min(one, two), 0.0), 1.0), min(max(max(one, two), 0.0), 1.0)


@kernel
def find_cuts(q: Floats, i: int, size: float, slow: float, apart: float, cuts: Floats) -> int:
    """Where segment i is slow and slowest, into `cuts`; how many there are. Twin of `length_table._speed_minima` for
    one.
    """
    parts = q.shape[1]
    found = 0
    last = 0.0
    unit = size * size if size > 0.0 else 1.0
    for part in range(parts):
        c0, c1, c2, c3, c4 = q[i, part, 0], q[i, part, 1], q[i, part, 2], q[i, part, 3], q[i, part, 4]
        inner = min(c0 + c1 / 4, c0 + c1 / 2 + c2 / 6, c0 + 3 * c1 / 4 + c2 / 2 + c3 / 4)
        if min(c0, inner, c0 + c1 + c2 + c3 + c4) > slow * (size * size):
            continue  # as in the definition: not slow anywhere here
        lower, upper = quadratic_roots(6.0 * q[i, part, 4] / unit, 3.0 * q[i, part, 3] / unit, q[i, part, 2] / unit)
        low, is_falling = 0.0, speed_slope(q, i, part, 0.0) < 0.0
        if part > 0 and not is_falling and speed_slope(q, i, part - 1, 1.0) < 0.0:
            cut = part / parts
            if speed(q, i, cut) ** 2 < slow * (size * size) and cut > last + apart:
                cuts[found], last = cut, cut
                found += 1
        for node in range(3):
            high = lower if node == 0 else upper if node == 1 else 1.0
            is_rising = speed_slope(q, i, part, high) >= 0.0
            if is_falling and is_rising:
                left, right = low, high
                for halving in range(30):
                    middle = 0.5 * (left + right)
                    if halving == 6 and speed(q, i, (part + middle) / parts) ** 2 > 2.0 * slow * (size * size):
                        break  # not slow here, and the minimum is not much lower
                    if speed_slope(q, i, part, middle) < 0.0:
                        left = middle
                    else:
                        right = middle
                cut = (part + 0.5 * (left + right)) / parts
                if speed(q, i, cut) ** 2 < slow * (size * size) and last + apart < cut < 1.0 - apart:
                    cuts[found], last = cut, cut
                    found += 1
            low, is_falling = high, not is_rising
    return found


@kernel
def halves_agree(quartics: Floats, segment: int, left: float, right: float, whole: float, allowed: float) -> bool:
    """Whether halving the division left … right changes its length `whole` by no more than is allowed."""
    middle = 0.5 * (left + right)
    halves = distance_between(quartics, segment, left, middle) + distance_between(quartics, segment, middle, right)
    return abs(halves - whole) <= allowed


@kernel
def measure_segments(
    quartics: Floats,
    start: int,
    stop: int,
    tolerance: float,
    slow: float,
    finer: float,
    apart: float,
    probes: int,
    deepest: int,
) -> tuple[Ints, Floats, Floats]:
    """Twin of `length_table.build_length_table` for segments start … stop: how many pieces each has, their ends and
    distances.
    """
    counts = np.zeros(stop - start, dtype=np.int64)
    piece_ends = np.empty(8 * (stop - start) + 16)
    distances = np.empty(8 * (stop - start) + 16)
    filled = 0
    cuts = np.empty(3 * quartics.shape[1] + 2)
    stack = np.empty((2 * deepest, 4))
    for segment in range(start, stop):
        size = 0.0
        for probe in range(probes + 1):
            size = max(size, speed(quartics, segment, probe / probes))
        cut_count = find_cuts(quartics, segment, size, slow, apart, cuts)
        ends = min(speed(quartics, segment, 0.0), speed(quartics, segment, 1.0))
        is_steady = cut_count == 0 and not ends * ends < slow * (size * size)
        allowed = tolerance * size * (1.0 if is_steady else finer)
        cuts[cut_count] = 1.0
        total, begin = 0.0, 0.0
        for cut in range(cut_count + 1):
            end = cuts[cut]
            stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = (
                begin,
                end,
                distance_between(quartics, segment, begin, end),
                0.0,
            )
            begin = end
            depth = 1
            while depth:
                depth -= 1
                left, right, whole, level = stack[depth, 0], stack[depth, 1], stack[depth, 2], stack[depth, 3]
                middle = 0.5 * (left + right)
                one, two = (
                    distance_between(quartics, segment, left, middle),
                    distance_between(quartics, segment, middle, right),
                )
                is_fine = abs(one + two - whole) <= allowed
                if is_fine and not is_steady:
                    is_fine = halves_agree(quartics, segment, left, middle, one, allowed)
                    is_fine = is_fine and halves_agree(quartics, segment, middle, right, two, allowed)
                if not is_fine and level < deepest - 1:
                    stack[depth, 0], stack[depth, 1], stack[depth, 2] = middle, right, two
                    stack[depth, 3] = level + 1
                    stack[depth + 1, 0], stack[depth + 1, 1], stack[depth + 1, 2] = left, middle, one
                    stack[depth + 1, 3] = level + 1
                    depth += 2
                    continue
                if filled + 2 > piece_ends.shape[0]:
                    piece_ends = np.concatenate((piece_ends, np.empty(piece_ends.shape[0])))
                    distances = np.concatenate((distances, np.empty(distances.shape[0])))
                piece_ends[filled], distances[filled] = middle, total + one
                piece_ends[filled + 1], distances[filled + 1] = right, total + one + two
                total = total + one + two
                filled += 2
                counts[segment - start] += 2
    return counts, piece_ends[:filled].copy(), distances[:filled].copy()


@kernel
def find_piece(column: Floats, first: int, last: int, value: float) -> int:
    """The first of the pieces first … last at whose end `column` reaches `value`."""
    while first < last:
        middle = (first + last) // 2
        if column[middle] < value:
            first = middle + 1
        else:
            last = middle
    return first


@kernel
def distance(table: LengthArrays, segment: int, s: float) -> float:
    """The distance from the start of `segment` to its share s."""
    first = table.first_piece[segment]
    piece = find_piece(table.piece_ends, first, table.first_piece[segment + 1] - 1, s)
    if piece == first:
        return distance_between(table.quartics, segment, 0.0, s)
    start, before = table.piece_ends[piece - 1], table.distances[piece - 1]
    return before + distance_between(table.quartics, segment, start, s)


@kernel
def distances(
    table: LengthArrays, segment_starts: Floats, segment: Ints, s: Floats, out: Floats, start: int, stop: int
) -> None:
    """Kernel of `inverse_arc_length.distances` for samples start … stop."""
    for sample in range(start, stop):
        out[sample] = segment_starts[segment[sample]] + distance(table, segment[sample], s[sample])


@kernel
def fraction_at(table: LengthArrays, segment: int, target: float) -> float:
    """The share of `segment` at which its distance is `target` [m]."""
    quartics, first = table.quartics, table.first_piece[segment]
    piece = find_piece(table.distances, first, table.first_piece[segment + 1] - 1, target)
    start, before = 0.0, 0.0
    if piece > first:
        start, before = table.piece_ends[piece - 1], table.distances[piece - 1]
    stop = table.piece_ends[piece]
    length = table.distances[piece] - before
    target = target - before
    if target <= 0.0:
        return start
    if target >= length:
        return stop
    run = stop - start
    v0, v1 = speed(quartics, segment, start), speed(quartics, segment, stop)
    m0 = min(length / (run * v0), 3.0) if v0 > 0.0 else 3.0
    m1 = min(length / (run * v1), 3.0) if v1 > 0.0 else 3.0
    x = target / length
    s = start + run * min(max(((m0 + m1 - 2.0) * x + (3.0 - 2.0 * m0 - m1)) * x * x + m0 * x, 0.0), 1.0)
    low, high = start, stop
    for _ in range(20):
        excess = distance_between(quartics, segment, start, s) - target
        if excess == 0.0:
            return s
        if excess < 0.0:
            low = s
        else:
            high = s
        v = speed(quartics, segment, s)
        moved = s - excess / v if v > 0.0 else np.inf
        if not low <= moved <= high:
            moved = 0.5 * (low + high)
            if abs(moved - s) <= 1e-15:
                return moved
            s = moved
            continue
        step = abs(moved - s)
        s = moved
        # Newton doubles the digits: a step this small leaves an error of about its square over the piece.
        if step <= 1e-6 * run:
            return s
    return s


@kernel
def segment_fractions(table: LengthArrays, segment: Ints, distance: Floats, out: Floats, start: int, stop: int) -> None:
    """Kernel of `inverse_arc_length.segment_fractions` for samples start … stop."""
    for sample in range(start, stop):
        out[sample] = fraction_at(table, segment[sample], distance[sample])


@kernel
def steps_per_unit(segment_starts: Floats, lookup: Ints) -> float:
    """How many entries of a table over equal steps go to one unit of what it is a table of."""
    span = segment_starts[segment_starts.shape[0] - 1] - segment_starts[0]
    return (lookup.shape[0] - 1) / span if span > 0.0 else 0.0


@kernel
def find_segment(segment_starts: Floats, lookup: Ints, scale: float, value: float) -> int:
    """The segment in which `value` lies: from a table over equal steps, then a step or two, or by bisection."""
    last = segment_starts.shape[0] - 2
    step = 0
    if scale > 0.0:
        step = min(max(int((value - segment_starts[0]) * scale), 0), lookup.shape[0] - 2)
    low, high = lookup[step], lookup[step + 1]
    if high - low > 4:
        while low < high:
            middle = (low + high + 1) >> 1
            if segment_starts[middle] <= value:
                low = middle
            else:
                high = middle - 1
    while low < last and segment_starts[low + 1] <= value:
        low += 1
    while low > 0 and segment_starts[low] > value:
        low -= 1
    return low


@kernel
def parameters(
    table: LengthArrays, segment_starts: Floats, lookup: Ints, targets: Floats, out: Floats, start: int, stop: int
) -> None:
    """Kernel of `inverse_arc_length.parameters` for samples start … stop. NaN gives NaN."""
    length = segment_starts[segment_starts.shape[0] - 1]
    scale = steps_per_unit(segment_starts, lookup)
    for sample in range(start, stop):
        target = targets[sample]
        if np.isnan(target):
            out[sample] = np.nan
            continue
        target = min(max(target, 0.0), length)
        segment = find_segment(segment_starts, lookup, scale, target)
        out[sample] = segment + fraction_at(table, segment, target - segment_starts[segment])
