"""Numba twins of `RelativeKeys.resolve_path`: the facings of paths with carried keys, made where a target looks for
them.

Tabled facings that were made in other frames are wrong: `fill_ahead` makes those right that a target may read in a
tick. Each is made of nothing but the frames, so that it does not matter which were made before.

Numba twins of `partial_keys`: the turn in which a segment of a path lies, from where its keys are now.
"""

from math import sqrt
from typing import Any

from keypose.curves import orientation_at, set_legs
from keypose.maths import Floats, RecordArray, Vec3, Vec4, hermite_kernels, kernel, quaternion_kernels
from keypose.physics.following.follower_arrays import SAMPLES_PER_SEGMENT
from keypose.physics.relative.frame_kernels import position_from_frame, rotate_from_frame, scale_weights
from keypose.physics.relative.orientation_arrays import FRAME_COLUMNS, ORIENTATION, POSITION, OrientationTables
from keypose.physics.relative.tangent_weights import BY_LENGTH, ZERO_CHORD

MIN_CHORD_FRACTION = (
    0.7  # of its share of a gap: what a part of it turns at least, as straight lines are seen from the middle
)
ANGLE_TOLERANCE = 1e-6  # [rad] what turns of nearly nothing may be mistaken for


@kernel
def set_orientation_frames(tables: OrientationTables, frames: Floats, cubics: Floats) -> None:
    """Let carried keys be in these frames, in which segments run so; what was made in others is forgotten."""
    owner, paths, keys, segments, known_frames = tables.owner, tables.paths, tables.keys, tables.segments, tables.frames
    for key in range(len(owner)):
        for column in range(POSITION, FRAME_COLUMNS if owner[key] >= 0 else POSITION):
            if frames[key, column] != known_frames[key, column]:
                known_frames[key, column] = frames[key, column]
                paths[owner[key]].is_new = 1
    for number in range(len(paths)):
        path = paths[number]
        if path.is_new == 0:
            continue
        path.is_new, path.prepared_span, path.prepared_piece, path.filled, path.travels = 0, -1, -1, 0, 0
        for key in range(path.key, path.key + path.keys):
            if keys[key].slot >= 0:
                set_key_pose(keys, key, frames)
        for segment in range(path.pieces):
            record = segments[path.piece + segment]
            if record.gap_changes:
                x, y, z = 0.0, 0.0, 0.0
                if path.has_all_positions:
                    start = keys[path.key + segment].position
                    end = keys[path.key + (segment + 1 if segment + 1 < path.keys else 0)].position
                    x, y, z = end[0] - start[0], end[1] - start[1], end[2] - start[2]
                else:
                    row = path.cubic + segment
                    x = cubics[row, 1, 0] + cubics[row, 2, 0] + cubics[row, 3, 0]
                    y = cubics[row, 1, 1] + cubics[row, 2, 1] + cubics[row, 3, 1]
                    z = cubics[row, 1, 2] + cubics[row, 2, 2] + cubics[row, 3, 2]
                record.gap = sqrt(x * x + y * y + z * z)
            if record.gap > 0.0:
                path.travels = 1


@kernel
def set_key_pose(keys: RecordArray, key: int, frames: Floats) -> None:
    """Put a key where its frame takes it."""
    record = keys[key]
    relative_index, position, orientation = record.slot, record.local_position, record.local_orientation
    record.position[0], record.position[1], record.position[2] = position_from_frame(
        relative_index, frames, position[0], position[1], position[2]
    )
    frame = (
        frames[relative_index, ORIENTATION],
        frames[relative_index, ORIENTATION + 1],
        frames[relative_index, ORIENTATION + 2],
        frames[relative_index, ORIENTATION + 3],
    )
    w, x, y, z = quaternion_kernels.product(frame, (orientation[0], orientation[1], orientation[2], orientation[3]))
    record.orientation[0], record.orientation[1], record.orientation[2], record.orientation[3] = w, x, y, z


@kernel
def sample_interval(v: float, count: int, is_closed: bool) -> tuple[int, float]:
    """Between which of so many tabled facings and the next v is, and how far between them."""
    v = v % (count - 1) if is_closed else v
    number = min(int(v), count - 2)
    return number, v - number


@kernel
def is_interval_valid(valid_count: int, valid_from: int, number: int, count: int, is_closed: bool) -> bool:
    """Whether the facings at both ends of a gap are right, where those of so many gaps since one are."""
    offset = number - valid_from
    return 0 <= (offset + count - 1 if offset < 0 and is_closed else offset) < valid_count


@kernel
def fill_ahead(tables: OrientationTables, path: int, spec: Any, v: float, max_angle: float, out: Floats) -> None:
    """Correct all orientation samples that a target at v may read while it turns by `max_angle` [rad], in any steps.

    They are in `out` (…, 4), at the samples of the follower's `spec`. `advance_turn_target` goes from interval to
    interval, and reads both ends of each.
    """
    record, begin, count = tables.paths[path], spec.first_sample, spec.sample_count
    is_closed = record.keys == record.pieces
    number, fraction = sample_interval(v, count, is_closed)
    record.filled, record.filled_from, entry = 0, number, number
    while record.filled < count - 1:
        while entry <= number + 1:
            segment = min(entry // SAMPLES_PER_SEGMENT, record.pieces - 1)
            if tables.segments[record.piece + segment].turn >= 0:  # else it is as at rest
                if record.prepared_piece != segment:
                    prepare_span(tables, path, segment)
                s = (
                    record.start
                    + (record.stop - record.start) * (entry - SAMPLES_PER_SEGMENT * segment) / SAMPLES_PER_SEGMENT
                )
                fill_sample(tables.span_legs, path, s, record.is_log != 0, out, begin + entry)
            entry += 1
        record.filled += 1
        max_angle -= max(
            MIN_CHORD_FRACTION * (1.0 - fraction) * min_interval_angle(out, begin + number) - ANGLE_TOLERANCE, 0.0
        )
        number, fraction = number + 1, 0.0
        if max_angle < 0.0 or (number == count - 1 and not is_closed):
            return
        if number == count - 1:  # the last orientation is the first one again
            number = entry = 0


@kernel
def fill_sample(span_legs: Floats, path: int, s: float, is_log: bool, out: Floats, row: int) -> None:
    """Twin of `evaluate_orientations`: the facing at a share of the turn that is made of a path, into a row of
    `out`.
    """
    if is_log:
        a, b, c, d = hermite_kernels.weights(s, 0)
        x = (
            a * span_legs[path, 0, 0]
            + b * span_legs[path, 0, 3]
            + c * span_legs[path, 1, 0]
            + d * span_legs[path, 1, 3]
        )
        y = (
            a * span_legs[path, 0, 1]
            + b * span_legs[path, 0, 4]
            + c * span_legs[path, 1, 1]
            + d * span_legs[path, 1, 4]
        )
        z = (
            a * span_legs[path, 0, 2]
            + b * span_legs[path, 0, 5]
            + c * span_legs[path, 1, 2]
            + d * span_legs[path, 1, 5]
        )
        out[row, 0], out[row, 1], out[row, 2], out[row, 3] = quaternion_kernels.exp(x, y, z)
    else:
        out[row, 0], out[row, 1], out[row, 2], out[row, 3] = orientation_at(span_legs, path, s)


@kernel
def min_interval_angle(orientation_samples: Floats, row: int) -> float:
    """How far it is from a tabled facing to the next at least [rad]: twice the straight line between the two."""
    squared_difference = squared_sum = 0.0
    for k in range(4):
        squared_difference += (orientation_samples[row + 1, k] - orientation_samples[row, k]) ** 2
        squared_sum += (orientation_samples[row + 1, k] + orientation_samples[row, k]) ** 2
    return 2.0 * sqrt(min(squared_difference, squared_sum))


@kernel
def prepare_span(tables: OrientationTables, path: int, number: int) -> None:
    """Make the turn in which a segment of a path lies, unless it is made, and find where in it that is."""
    record, segments = tables.paths[path], tables.segments
    segment = segments[record.piece + number]
    span, is_closed = tables.spans[segment.turn], record.keys == record.pieces
    if record.prepared_span != segment.turn:
        derive_span(tables, path, segment.turn)
    record.prepared_span, record.prepared_piece, record.start, record.stop = (
        segment.turn,
        number,
        segment.start,
        segment.stop,
    )
    if segment.shifted == 0:
        return
    # As `curve_parameters` has it: by distance, or by number where nothing travels.
    start, stop = number - span.first, number + 1 - span.first
    if start < 0 and is_closed:
        start, stop = start + record.pieces, stop + record.pieces
    to_start = to_stop = total = 0.0
    for step in range(span.run):
        one = span.first + step
        length = (
            segments[record.piece + (one if one < record.pieces else one - record.pieces)].gap
            if record.travels
            else 1.0
        )
        to_start += length if step < start else 0.0
        to_stop += length if step < stop else 0.0
        total += length
    record.start, record.stop = span_fraction(start, to_start, total), span_fraction(stop, to_stop, total)


@kernel
def span_fraction(steps: int, distance: float, total: float) -> float:
    """Where in a turn a key lies, so many keys after that begins; before an open path faces anywhere, at the begin."""
    if steps <= 0:
        return 0.0
    return distance / total if total > 0.0 else 1.0


@kernel
def derive_span(tables: OrientationTables, path: int, number: int) -> None:
    """Twin of `OrientationPath` for one turn: let the legs of a path be those of this one."""
    record, spans, segments, keys = tables.paths[path], tables.spans, tables.segments, tables.keys
    span, frames, span_legs = spans[number], tables.frames, tables.span_legs
    is_log, one, two = record.is_log != 0, keys[span.keys[0]].orientation, keys[span.keys[1]].orientation
    three, four = keys[span.keys[2]].orientation, keys[span.keys[3]].orientation
    begin, end = (two[0], two[1], two[2], two[3]), (three[0], three[1], three[2], three[3])
    before, own = (
        orientation_chord((one[0], one[1], one[2], one[3]), begin, is_log),
        orientation_chord(begin, end, is_log),
    )
    after = orientation_chord(end, (four[0], four[1], four[2], four[3]), is_log)
    first, middle, last = vector_length(before), vector_length(own), vector_length(after)
    if record.travels and (span.modes[0] == BY_LENGTH or span.modes[1] == BY_LENGTH):
        first = middle = last = 0.0
        for neighbour in range(3):
            other, metres = spans[span.beside[neighbour]], 0.0
            for step in range(other.first, other.first + other.run):
                metres += segments[record.piece + (step if step < record.pieces else step - record.pieces)].gap
            first = metres if neighbour == 0 else first
            middle = metres if neighbour == 1 else middle
            last = metres if neighbour == 2 else last
    if span.beyond[0] > 0:
        first, before = middle, (0.0, 0.0, 0.0) if span.beyond[0] == ZERO_CHORD else own
    if span.beyond[1] > 0:
        last, after = middle, (0.0, 0.0, 0.0) if span.beyond[1] == ZERO_CHORD else own
    weights, manual_tangents, modes = span.weights, span.manual_tangents, span.modes
    leave, arrive = (
        (manual_tangents[0, 0], manual_tangents[0, 1], manual_tangents[0, 2]),
        (manual_tangents[1, 0], manual_tangents[1, 1], manual_tangents[1, 2]),
    )
    if leave[0] != 0.0 or leave[1] != 0.0 or leave[2] != 0.0:
        leave = rotate_from_frame(keys[span.keys[1]].slot, frames, leave[0], leave[1], leave[2])
        leave = quaternion_kernels.log_rate(quaternion_kernels.log(begin), leave) if is_log else leave
    if arrive[0] != 0.0 or arrive[1] != 0.0 or arrive[2] != 0.0:
        arrive = rotate_from_frame(keys[span.keys[2]].slot, frames, arrive[0], arrive[1], arrive[2])
        arrive = quaternion_kernels.log_rate(quaternion_kernels.log(end), arrive) if is_log else arrive
    a, b = scale_weights(weights[0, 0], weights[0, 1], modes[0], 0, middle, first)
    c, d = scale_weights(weights[1, 0], weights[1, 1], modes[1], 1, middle, last)
    leave, arrive = blend_vectors(before, a, own, b, leave), blend_vectors(own, c, after, d, arrive)
    if not is_log:
        set_legs(begin, end, leave, arrive, span_legs, path)
        return
    at_begin, at_end = quaternion_kernels.log(begin), quaternion_kernels.log(end)
    for axis in range(3):
        span_legs[path, 0, axis], span_legs[path, 0, 3 + axis] = at_begin[axis], at_end[axis]
        span_legs[path, 1, axis], span_legs[path, 1, 3 + axis] = leave[axis], arrive[axis]


@kernel
def blend_vectors(one: Vec3, x: float, two: Vec3, y: float, offset: Vec3) -> Vec3:
    """So much of one vector, so much of another, and a third."""
    first, second = one[0] * x + two[0] * y + offset[0], one[1] * x + two[1] * y + offset[1]
    return first, second, one[2] * x + two[2] * y + offset[2]


@kernel
def orientation_chord(one: Vec4, two: Vec4, is_log: bool) -> Vec3:
    """Twin of `orientation_chords`."""
    if not is_log:
        return quaternion_kernels.rotation_between(one, two)
    (a, b, c), (x, y, z) = quaternion_kernels.log(one), quaternion_kernels.log(two)
    return x - a, y - b, z - c


@kernel
def vector_length(vector: Vec3) -> float:
    """How long a vector is."""
    return sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2])
