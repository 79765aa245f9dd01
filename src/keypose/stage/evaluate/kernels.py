"""Numba twins of the batches: arrays in, `out` or `u` filled, nothing raised. Importing this loads numba.

Each goes through actors start … stop, one after the other, and through all their samples; what it finds for a sample is
where it begins to look for the next one.
"""

import numpy as np

from keypose.curves.kernels.arc_length import share_at
from keypose.curves.kernels.orientation_curve import turned
from keypose.maths.arrays import Bools, Floats, Ints
from keypose.maths.kernel_switch import kernel
from keypose.maths.kernels import locate, weights
from keypose.motion.facing_limits import PARALLEL


@kernel
def last_reached(column: Floats, low: int, high: int, near: int, value: float) -> int:
    """Twin of `ragged.last_reached` for one value; looks at `near` and the one after it first."""
    if column[near] <= value or near == low:
        if near == high or column[near + 1] > value:
            return near
        if near + 1 == high or column[near + 2] > value:
            return near + 1
    while low < high:
        half = (low + high + 1) // 2
        if column[half] <= value:
            low = half
        else:
            high = half - 1
    return low


@kernel
def own_time(spans: Floats, actor: int, t: float) -> float:
    """Twin of `clocks.own_times` for one actor and one moment."""
    start, first, last, laps = spans[actor, 0], spans[actor, 1], spans[actor, 2], spans[actor, 3]
    moment = t - start
    if laps == 0.0:
        return moment
    length = last - first
    lap = laps * length
    inside = start + first <= t <= start + last
    rest = min(max(moment - first, 0.0), length) if inside else (moment - first) % lap
    return first + (lap - rest if rest > length else rest)


@kernel
def passings(
    rows: Ints, spans: Floats, firsts: Ints, times: Floats, t: Floats, u: Floats, start: int, stop: int
) -> None:
    """Twin of `Passings.tell`."""
    for actor in range(start, stop):
        row, first, last = rows[actor], firsts[actor], firsts[actor + 1] - 2
        segment = first
        for sample in range(t.shape[0]):
            moment = own_time(spans, actor, t[sample])
            segment = last_reached(times, first, last, segment, moment)
            share = (moment - times[segment]) / (times[segment + 1] - times[segment])
            if share < 0.0:
                share = 0.0
            if share > 1.0:
                share = 1.0
            u[row, sample] = segment - first + share


@kernel
def pacings(
    rows: Ints,
    spans: Floats,
    pieces: Ints,
    breaks: Floats,
    sums: Floats,
    quartics: Floats,
    captured: Ints,
    moments: Floats,
    distances: Floats,
    areas: Floats,
    scales: Floats,
    t: Floats,
    u: Floats,
    start: int,
    stop: int,
) -> None:
    """Twin of `Pacings.cover`."""
    for actor in range(start, stop):
        row, duration = rows[actor], spans[actor, 2]
        first_piece, last_piece = pieces[actor], pieces[actor + 1] - 1
        first_span, last_span = captured[actor], captured[actor + 1] - 2
        piece, span, total = first_piece, first_span, sums[last_piece]
        for sample in range(t.shape[0]):
            moment = own_time(spans, actor, t[sample])
            x = min(max(moment / duration, 0.0), 1.0)
            piece = last_reached(breaks, first_piece, last_piece, piece, x)
            x = x - breaks[piece]
            climb = ((quartics[0, piece] * x + quartics[1, piece]) * x + quartics[2, piece]) * x + quartics[3, piece]
            area = min(sums[piece] + climb * x, total)
            span = last_reached(moments, first_span, last_span, span, moment)
            begin, end = distances[span], distances[span + 1]
            if area >= areas[span + 1]:
                u[row, sample] = end
            else:
                u[row, sample] = min(max(begin + scales[span] * (area - areas[span]), begin), end)


@kernel
def speeds(
    spans: Floats,
    pieces: Ints,
    breaks: Floats,
    cubics: Floats,
    extremes: Floats,
    captured: Ints,
    moments: Floats,
    scales: Floats,
    t: Floats,
    out: Floats,
    start: int,
    stop: int,
) -> None:
    """Twin of `Pacings.speeds`."""
    for actor in range(start, stop):
        duration, low, high = spans[actor, 2], extremes[actor, 0], extremes[actor, 1]
        first_piece, last_piece = pieces[actor], pieces[actor + 1] - 1
        first_span, last_span = captured[actor], captured[actor + 1] - 2
        piece, span = first_piece, first_span
        for sample in range(t.shape[0]):
            moment = own_time(spans, actor, t[sample])
            x = min(max(moment / duration, 0.0), 1.0)
            piece = last_reached(breaks, first_piece, last_piece, piece, x)
            x = x - breaks[piece]
            speed = ((cubics[0, piece] * x + cubics[1, piece]) * x + cubics[2, piece]) * x + cubics[3, piece]
            span = last_reached(moments, first_span, last_span, span, moment)
            out[actor, sample] = scales[span] * min(max(speed, low), high) / duration


@kernel
def rulers(
    rows: Ints,
    firsts: Ints,
    starts: Floats,
    lengths: Floats,
    closed: Bools,
    quartics: Floats,
    pieces: Ints,
    knots: Floats,
    reached: Floats,
    u: Floats,
    start: int,
    stop: int,
) -> None:
    """Twin of `Rulers.read`."""
    for actor in range(start, stop):
        row, length, count = rows[actor], lengths[actor], firsts[actor + 1] - firsts[actor]
        first = firsts[actor] + actor  # starts have one entry more per path than there are segments
        last, goes_round = first + count - 1, closed[actor] and length > 0.0
        segment = first
        for sample in range(u.shape[1]):
            distance, laps = u[row, sample], 0.0
            if goes_round:
                laps = np.floor(distance / length)
                distance = distance - laps * length
            if distance <= 0.0:
                within = 0.0
            elif distance >= length:
                within = float(count)
            else:
                distance = min(distance, starts[last + 1])
                segment = last_reached(starts, first, last, segment, distance)
                share = share_at(quartics, pieces, knots, reached, segment - actor, distance - starts[segment])
                within = segment - first + share
            u[row, sample] = within + laps * count


@kernel
def places(
    firsts: Ints, closed: Bools, curve: Floats, u: Floats, derivative: int, out: Floats, start: int, stop: int
) -> None:
    """Twin of `Places.at`."""
    width = curve.shape[2]
    for actor in range(start, stop):
        first, count, loop = firsts[actor], firsts[actor + 1] - firsts[actor], closed[actor]
        for sample in range(u.shape[1]):
            segment, s = locate(u[actor, sample], count, loop)
            one, two, three, four = weights(s, derivative)
            i = first + segment
            if width == 3:  # by far the most common: with a fixed count the compiler unrolls the loop
                for k in range(3):
                    a, b, c, d = curve[i, 0, k], curve[i, 1, k], curve[i, 2, k], curve[i, 3, k]
                    out[actor, sample, k] = one * a + two * b + three * c + four * d
                continue
            for k in range(width):
                a, b, c, d = curve[i, 0, k], curve[i, 1, k], curve[i, 2, k], curve[i, 3, k]
                out[actor, sample, k] = one * a + two * b + three * c + four * d


@kernel
def headings(
    firsts: Ints,
    closed: Bools,
    curve: Floats,
    slowest: Floats,
    u: Floats,
    out: Floats,
    unsure: Bools,
    start: int,
    stop: int,
) -> None:
    """Twin of `Headings._defined` but for stops; `unsure` is set there, and where the points of a drawing disagree."""
    width = curve.shape[2]
    points = width // 3
    for actor in range(start, stop):
        first, count, loop = firsts[actor], firsts[actor + 1] - firsts[actor], closed[actor]
        for sample in range(u.shape[1]):
            segment, s = locate(u[actor, sample], count, loop)
            one, two, three, four = weights(s, 1)
            i = first + segment
            if points == 1:  # by far the most common: nothing to sum up, and nothing to go through twice
                x = one * curve[i, 0, 0] + two * curve[i, 1, 0] + three * curve[i, 2, 0] + four * curve[i, 3, 0]
                y = one * curve[i, 0, 1] + two * curve[i, 1, 1] + three * curve[i, 2, 1] + four * curve[i, 3, 1]
                z = one * curve[i, 0, 2] + two * curve[i, 1, 2] + three * curve[i, 2, 2] + four * curve[i, 3, 2]
                pace = np.sqrt(x * x + y * y + z * z)
                out[actor, sample, 0], out[actor, sample, 1], out[actor, sample, 2] = x / pace, y / pace, z / pace
                unsure[actor, sample] = not pace > slowest[i]
                continue
            squared = 0.0
            for k in range(width):
                v = one * curve[i, 0, k] + two * curve[i, 1, k] + three * curve[i, 2, k] + four * curve[i, 3, k]
                squared += v * v
            pace = np.sqrt(squared / points)
            unsure[actor, sample] = not pace > slowest[i]
            if unsure[actor, sample]:
                continue
            nowhere = True
            for axis in range(3):
                ahead = 0.0
                for k in range(axis, width, 3):
                    v = one * curve[i, 0, k] + two * curve[i, 1, k] + three * curve[i, 2, k] + four * curve[i, 3, k]
                    ahead += v / pace
                ahead = ahead / points
                out[actor, sample, axis] = ahead
                nowhere = nowhere and abs(ahead) <= PARALLEL
            unsure[actor, sample] = nowhere


@kernel
def turnings(
    rows: Ints,
    closed: Bools,
    keys: Ints,
    own: Floats,
    firsts: Ints,
    legs: Floats,
    u: Floats,
    out: Floats,
    start: int,
    stop: int,
) -> None:
    """Twin of `Turnings.together`."""
    for actor in range(start, stop):
        row, loop, first = rows[actor], closed[actor], firsts[actor]
        segments, count = keys[actor + 1] - keys[actor] - 1, firsts[actor + 1] - first
        for sample in range(u.shape[1]):
            key, share = locate(u[row, sample], segments, loop)
            before, after = own[keys[actor] + key], own[keys[actor] + key + 1]
            v = (after - before) * share + before if share < 1.0 else after
            segment, s = locate(v, count, loop)
            w, x, y, z = turned(legs, first + segment, s)
            out[actor, sample, 0], out[actor, sample, 1] = w, x
            out[actor, sample, 2], out[actor, sample, 3] = y, z
