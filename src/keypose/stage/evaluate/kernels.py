"""Numba twins of the batches: arrays in, `out` or `u` filled, nothing raised. Importing this loads numba.

Each goes through actors start … stop, one after the other, and through all their samples; what it finds for a sample is
where it begins to look for the next one.
"""

import numpy as np

from keypose.curves import fraction_at, orientation_at
from keypose.maths import PARALLEL_TOLERANCE, Bools, Floats, Ints, hermite_kernels, kernel
from keypose.stage.evaluate.records import CaptureArrays, OrientationArrays, PathLengths, ProfileArrays


@kernel
def last_not_above(column: Floats, low: int, high: int, near: int, value: float) -> int:
    """Twin of `ragged_arrays.last_not_above` for one value; looks at `near` and the one after it first."""
    if column[near] <= value or near == low:
        if near == high or column[near + 1] > value:
            return near
        if near + 1 == high or column[near + 2] > value:
            return near + 1
    while low < high:
        middle = (low + high + 1) // 2
        if column[middle] <= value:
            low = middle
        else:
            high = middle - 1
    return low


@kernel
def local_time(spans: Floats, actor: int, t: float) -> float:
    """Twin of `time_maps.local_times` for one actor and one moment."""
    start, first, last, lap_spans = spans[actor, 0], spans[actor, 1], spans[actor, 2], spans[actor, 3]
    local = t - start
    if lap_spans == 0.0:
        return local
    length = last - first
    lap = lap_spans * length
    is_inside = start + first <= t <= start + last
    phase = min(max(local - first, 0.0), length) if is_inside else (local - first) % lap
    return first + (lap - phase if phase > length else phase)


@kernel
def key_time_parameters(
    rows: Ints, spans: Floats, firsts: Ints, times: Floats, t: Floats, u: Floats, start: int, stop: int
) -> None:
    """Twin of `KeyTimeClocks.write_parameters`."""
    for actor in range(start, stop):
        row, first, last = rows[actor], firsts[actor], firsts[actor + 1] - 2
        segment = first
        for sample in range(t.shape[0]):
            local = local_time(spans, actor, t[sample])
            segment = last_not_above(times, first, last, segment, local)
            fraction = (local - times[segment]) / (times[segment + 1] - times[segment])
            if fraction < 0.0:
                fraction = 0.0
            if fraction > 1.0:
                fraction = 1.0
            u[row, sample] = segment - first + fraction


@kernel
def speed_clock_distances(
    rows: Ints,
    spans: Floats,
    profiles: ProfileArrays,
    captures: CaptureArrays,
    t: Floats,
    u: Floats,
    start: int,
    stop: int,
) -> None:
    """Kernel of `SpeedClocks.write_distances`."""
    breaks, sums, quartics = profiles.breaks, profiles.sums, profiles.quartics
    times, distances, areas, scales = captures.times, captures.distances, captures.areas, captures.scales
    for actor in range(start, stop):
        row, duration = rows[actor], spans[actor, 2]
        first_piece, last_piece = profiles.firsts[actor], profiles.firsts[actor + 1] - 1
        first_span, last_span = captures.firsts[actor], captures.firsts[actor + 1] - 2
        piece, span, total = first_piece, first_span, sums[last_piece]
        for sample in range(t.shape[0]):
            local = local_time(spans, actor, t[sample])
            x = min(max(local / duration, 0.0), 1.0)
            piece = last_not_above(breaks, first_piece, last_piece, piece, x)
            x = x - breaks[piece]
            polynomial = ((quartics[0, piece] * x + quartics[1, piece]) * x + quartics[2, piece]) * x + quartics[
                3, piece
            ]
            area = min(sums[piece] + polynomial * x, total)
            span = last_not_above(times, first_span, last_span, span, local)
            begin, end = distances[span], distances[span + 1]
            if area >= areas[span + 1]:
                u[row, sample] = end
            else:
                u[row, sample] = min(max(begin + scales[span] * (area - areas[span]), begin), end)


@kernel
def speed_clock_speeds(
    spans: Floats, profiles: ProfileArrays, captures: CaptureArrays, t: Floats, out: Floats, start: int, stop: int
) -> None:
    """Kernel of `SpeedClocks.speeds`."""
    breaks, cubics, times = profiles.breaks, profiles.cubics, captures.times
    for actor in range(start, stop):
        duration, low, high = spans[actor, 2], profiles.extremes[actor, 0], profiles.extremes[actor, 1]
        first_piece, last_piece = profiles.firsts[actor], profiles.firsts[actor + 1] - 1
        first_span, last_span = captures.firsts[actor], captures.firsts[actor + 1] - 2
        piece, span = first_piece, first_span
        for sample in range(t.shape[0]):
            local = local_time(spans, actor, t[sample])
            x = min(max(local / duration, 0.0), 1.0)
            piece = last_not_above(breaks, first_piece, last_piece, piece, x)
            x = x - breaks[piece]
            speed = ((cubics[0, piece] * x + cubics[1, piece]) * x + cubics[2, piece]) * x + cubics[3, piece]
            span = last_not_above(times, first_span, last_span, span, local)
            out[actor, sample] = captures.scales[span] * min(max(speed, low), high) / duration


@kernel
def distance_parameters(paths: PathLengths, u: Floats, start: int, stop: int) -> None:
    """Kernel of `ArcLengths.to_parameters`."""
    starts = paths.starts
    for actor in range(start, stop):
        row, length, count = paths.rows[actor], paths.lengths[actor], paths.firsts[actor + 1] - paths.firsts[actor]
        first = paths.firsts[actor] + actor  # starts have one entry more per path than there are segments
        last, wraps = first + count - 1, paths.closed[actor] and length > 0.0
        segment = first
        for sample in range(u.shape[1]):
            distance, laps = u[row, sample], 0.0
            if wraps:
                laps = np.floor(distance / length)
                distance = distance - laps * length
            if distance <= 0.0:
                within = 0.0
            elif distance >= length:
                within = float(count)
            else:
                distance = min(distance, starts[last + 1])
                segment = last_not_above(starts, first, last, segment, distance)
                within = segment - first + fraction_at(paths.table, segment - actor, distance - starts[segment])
            u[row, sample] = within + laps * count


@kernel
def path_positions(
    firsts: Ints, closed: Bools, curve: Floats, u: Floats, derivative: int, out: Floats, start: int, stop: int
) -> None:
    """Twin of `PathPositions.at`."""
    width = curve.shape[2]
    for actor in range(start, stop):
        first, count, loop = firsts[actor], firsts[actor + 1] - firsts[actor], closed[actor]
        for sample in range(u.shape[1]):
            segment, s = hermite_kernels.locate(u[actor, sample], count, loop)
            one, two, three, four = hermite_kernels.weights(s, derivative)
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
def path_headings(
    firsts: Ints,
    closed: Bools,
    curve: Floats,
    stop_speeds: Floats,
    u: Floats,
    out: Floats,
    unsure: Bools,
    start: int,
    stop: int,
) -> None:
    """Twin of `Headings._evaluate` but for stops; `unsure` is set there, and where the points of a drawing disagree."""
    width = curve.shape[2]
    points = width // 3
    for actor in range(start, stop):
        first, count, loop = firsts[actor], firsts[actor + 1] - firsts[actor], closed[actor]
        for sample in range(u.shape[1]):
            segment, s = hermite_kernels.locate(u[actor, sample], count, loop)
            one, two, three, four = hermite_kernels.weights(s, 1)
            i = first + segment
            if points == 1:  # by far the most common: nothing to sum up, and nothing to go through twice
                x = one * curve[i, 0, 0] + two * curve[i, 1, 0] + three * curve[i, 2, 0] + four * curve[i, 3, 0]
                y = one * curve[i, 0, 1] + two * curve[i, 1, 1] + three * curve[i, 2, 1] + four * curve[i, 3, 1]
                z = one * curve[i, 0, 2] + two * curve[i, 1, 2] + three * curve[i, 2, 2] + four * curve[i, 3, 2]
                speed = np.sqrt(x * x + y * y + z * z)
                out[actor, sample, 0], out[actor, sample, 1], out[actor, sample, 2] = x / speed, y / speed, z / speed
                unsure[actor, sample] = not speed > stop_speeds[i]
                continue
            squared = 0.0
            for k in range(width):
                v = one * curve[i, 0, k] + two * curve[i, 1, k] + three * curve[i, 2, k] + four * curve[i, 3, k]
                squared += v * v
            speed = np.sqrt(squared / points)
            unsure[actor, sample] = not speed > stop_speeds[i]
            if unsure[actor, sample]:
                continue
            is_zero = True
            for axis in range(3):
                heading = 0.0
                for k in range(axis, width, 3):
                    v = one * curve[i, 0, k] + two * curve[i, 1, k] + three * curve[i, 2, k] + four * curve[i, 3, k]
                    heading += v / speed
                heading = heading / points
                out[actor, sample, axis] = heading
                is_zero = is_zero and abs(heading) <= PARALLEL_TOLERANCE
            unsure[actor, sample] = is_zero


@kernel
def path_orientations(paths: OrientationArrays, u: Floats, out: Floats, start: int, stop: int) -> None:
    """Kernel of `PathOrientations.batch_at`."""
    firsts, first_keys, key_parameters = paths.firsts, paths.first_keys, paths.key_parameters
    for actor in range(start, stop):
        row, loop, first = paths.rows[actor], paths.closed[actor], firsts[actor]
        segments, count = first_keys[actor + 1] - first_keys[actor] - 1, firsts[actor + 1] - first
        for sample in range(u.shape[1]):
            key, fraction = hermite_kernels.locate(u[row, sample], segments, loop)
            key += first_keys[actor]
            before, after = key_parameters[key], key_parameters[key + 1]
            v = (after - before) * fraction + before if fraction < 1.0 else after
            segment, s = hermite_kernels.locate(v, count, loop)
            w, x, y, z = orientation_at(paths.legs, first + segment, s)
            out[actor, sample, 0], out[actor, sample, 1] = w, x
            out[actor, sample, 2], out[actor, sample, 3] = y, z
