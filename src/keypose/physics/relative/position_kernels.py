"""Numba twins of `RelativeKeys.resolve_path`: the segments that carried keys reach, where their carriers are now.

Numba twins of what carried keys say: where they are in the frames of their carriers, and tangents between them.
"""

import numpy as np

from keypose.maths import Bools, Floats, Ints, Vec3, kernel, quaternion_kernels
from keypose.physics.following.follower_arrays import (
    PATH_ANGULAR_VELOCITY,
    PATH_VELOCITY,
    RAW_PATH_ANGULAR_VELOCITY,
    RAW_PATH_VELOCITY,
    SAMPLES_PER_SEGMENT,
    TURN_SPEED_FACTOR,
    TURN_U,
    U,
)
from keypose.physics.following.kernels import orientation_at, position_at, target_speed_fraction
from keypose.physics.relative.frame_kernels import position_from_frame, rotate_from_frame, scale_weights
from keypose.physics.relative.orientation_arrays import IS_PINNED, POSITION, OrientationTables
from keypose.physics.relative.orientation_kernels import (
    fill_ahead,
    is_interval_valid,
    sample_interval,
    set_orientation_frames,
)
from keypose.physics.relative.relative_keys import RelativeKeyArrays, RelativeSegments
from keypose.physics.relative.tangent_weights import ZERO_CHORD


@kernel
def update_segments(segments: RelativeSegments, frames: Floats, cubics: Floats) -> None:
    """Fill the rows that bend of `cubics` (segments, 4, 3) with how they run in these frames of carried keys."""
    rows, keys, end_modes, positions, relative_index = (
        segments.segment_rows,
        segments.keys,
        segments.end_modes,
        segments.positions,
        segments.relative_index,
    )
    weights, weight_modes, manual_tangents, segment_cuts = (
        segments.weights,
        segments.weight_modes,
        segments.manual_tangents,
        segments.segment_cuts,
    )
    p, chord, span = np.empty((4, 3)), np.empty((3, 3)), np.empty(3)
    tangent, c = np.empty((2, 3)), np.empty(4)
    for segment in range(len(rows)):
        for k in range(4):
            key = keys[segment, k]
            x, y, z = positions[key, 0], positions[key, 1], positions[key, 2]
            p[k, 0], p[k, 1], p[k, 2] = position_from_frame(relative_index[key], frames, x, y, z)
        for k in range(3):
            for axis in range(3):
                chord[k, axis] = p[k + 1, axis] - p[k, axis]
            span[k] = np.sqrt(chord[k, 0] ** 2 + chord[k, 1] ** 2 + chord[k, 2] ** 2)
        for side in range(2):
            if end_modes[segment, side] > 0:
                span[2 * side] = span[1]
                for axis in range(3):
                    chord[2 * side, axis] = 0.0 if end_modes[segment, side] == ZERO_CHORD else chord[1, axis]
        for side in range(2):
            first, second, mode = weights[segment, side, 0], weights[segment, side, 1], weight_modes[segment, side]
            first, second = scale_weights(first, second, mode, side, span[1], span[2 * side])
            x, y, z = (
                manual_tangents[segment, side, 0],
                manual_tangents[segment, side, 1],
                manual_tangents[segment, side, 2],
            )
            manual_tangent = rotate_from_frame(relative_index[keys[segment, 1 + side]], frames, x, y, z)
            for axis in range(3):
                tangent[side, axis] = first * chord[side, axis] + second * chord[side + 1, axis] + manual_tangent[axis]
        start, fraction = segment_cuts[segment, 0], segment_cuts[segment, 1]
        for axis in range(3):
            leave, arrive, own = tangent[0, axis], tangent[1, axis], chord[1, axis]
            c[0], c[1], c[2], c[3] = p[1, axis], leave, 3 * own - 2 * leave - arrive, leave + arrive - 2 * own
            if start != 0.0 or fraction != 1.0:
                c[0] = ((c[3] * start + c[2]) * start + c[1]) * start + c[0]
                c[1] = fraction * ((3 * c[3] * start + 2 * c[2]) * start + c[1])
                c[2] = fraction * fraction * (3 * c[3] * start + c[2])
                c[3] = fraction * fraction * fraction * c[3]
            for power in range(4):
                cubics[rows[segment], power, axis] = c[power]


@kernel
def set_frames(segments: RelativeSegments, tables: OrientationTables, frames: Floats, cubics: Floats) -> None:
    """Let all paths run and face as they do in these frames."""
    update_segments(segments, frames, cubics)
    set_orientation_frames(tables, frames, cubics)


@kernel
def step_relative_keys(
    keys: RelativeKeyArrays,
    relative_segments: RelativeSegments,
    tables: OrientationTables,
    follower_rows: Ints,
    segment_ranges: Ints,
    closed: Bools,
    lead_limits: Floats,
    poses: Floats,
    dt: float,
    frames: Floats,
    followers: Floats,
    cubics: Floats,
    orientation_samples: Floats,
) -> None:
    """Let carriers be at `poses` (carriers, 7), `dt` seconds after the paths were bent by these frames.

    Keys are pinned that their targets have come to, paths are bent anew, and how they drift is remembered. Facings are
    right as far as targets may come in this time.
    """
    before, path_row = np.empty((len(follower_rows), 7)), tables.path_row
    paths, segments, spans, key_records = tables.paths, tables.segments, tables.spans, tables.keys
    known_frames, span_legs = tables.frames, tables.span_legs
    for number in range(len(follower_rows)):
        follower = follower_rows[number]
        before[number, 0], before[number, 1], before[number, 2] = target_position(
            follower, segment_ranges, closed, cubics, followers
        )
        if path_row[follower] >= 0:
            begin, count, v = (
                segment_ranges[follower, 2],
                segment_ranges[follower, 3],
                followers[follower, TURN_U] * SAMPLES_PER_SEGMENT,
            )
            interval, path_record = sample_interval(v, count, closed[follower])[0], paths[path_row[follower]]
            if not is_interval_valid(
                path_record.filled, path_record.filled_from, interval, count, closed[follower]
            ):  # it goes on from a state
                fill_ahead(
                    paths,
                    segments,
                    spans,
                    key_records,
                    known_frames,
                    span_legs,
                    path_row[follower],
                    begin,
                    count,
                    v,
                    -1.0,
                    orientation_samples,
                )
            orientation = orientation_at(orientation_samples, begin, count, closed[follower], v)
            before[number, 3], before[number, 4], before[number, 5], before[number, 6] = orientation
    for key in range(len(keys.follower)):
        if keys.pins[key] and followers[keys.follower[key], keys.target_column[key]] >= keys.key[key]:
            frames[key, IS_PINNED] = 1.0
        if frames[key, IS_PINNED] == 0.0:
            for column in range(7):
                frames[key, POSITION + column] = poses[keys.carrier[key], column]
    set_frames(relative_segments, tables, frames, cubics)
    for number in range(len(follower_rows)):
        follower, x, y, z = follower_rows[number], before[number, 0], before[number, 1], before[number, 2]
        a, b, c = target_position(follower, segment_ranges, closed, cubics, followers)
        update_path_velocity(
            followers, follower, PATH_VELOCITY, RAW_PATH_VELOCITY, (a - x) / dt, (b - y) / dt, (c - z) / dt
        )
        if path_row[follower] >= 0:
            begin, count, v = (
                segment_ranges[follower, 2],
                segment_ranges[follower, 3],
                followers[follower, TURN_U] * SAMPLES_PER_SEGMENT,
            )
            max_angle = dt * lead_limits[follower, 3] * target_speed_fraction(followers[follower, TURN_SPEED_FACTOR])
            fill_ahead(
                paths,
                segments,
                spans,
                key_records,
                known_frames,
                span_legs,
                path_row[follower],
                begin,
                count,
                v,
                max_angle,
                orientation_samples,
            )
            previous_orientation = before[number, 3], before[number, 4], before[number, 5], before[number, 6]
            x, y, z = quaternion_kernels.rotation_between(
                previous_orientation, orientation_at(orientation_samples, begin, count, closed[follower], v)
            )
            update_path_velocity(
                followers, follower, PATH_ANGULAR_VELOCITY, RAW_PATH_ANGULAR_VELOCITY, x / dt, y / dt, z / dt
            )


@kernel
def target_position(follower: int, segment_ranges: Ints, closed: Bools, cubics: Floats, followers: Floats) -> Vec3:
    """Where the target of a follower is."""
    return position_at(
        cubics, segment_ranges[follower, 0], segment_ranges[follower, 1], closed[follower], followers[follower, U]
    )


@kernel
def fill_target_positions(
    follower_rows: Ints, segment_ranges: Ints, closed: Bools, cubics: Floats, followers: Floats, out: Floats
) -> None:
    """Fill `out` (followers, 3) with where their targets are."""
    for row in range(len(follower_rows)):
        out[row, 0], out[row, 1], out[row, 2] = target_position(
            follower_rows[row], segment_ranges, closed, cubics, followers
        )


@kernel
def update_path_velocity(
    followers: Floats, follower: int, steady_column: int, raw_column: int, x: float, y: float, z: float
) -> None:
    """Twin of `target.steady_path_velocity`: remember in these columns how a path moves, or turns, where a target
    is.
    """
    a, b, c = followers[follower, raw_column], followers[follower, raw_column + 1], followers[follower, raw_column + 2]
    followers[follower, raw_column], followers[follower, raw_column + 1], followers[follower, raw_column + 2] = x, y, z
    if x * x + y * y + z * z <= a * a + b * b + c * c:
        a, b, c = x, y, z
    (
        followers[follower, steady_column],
        followers[follower, steady_column + 1],
        followers[follower, steady_column + 2],
    ) = a, b, c
