"""Numba twins of `RelativeKeys.resolve_path`: the segments that carried keys reach, where their carriers are now.

Numba twins of what carried keys say: where they are in the frames of their carriers, and tangents between them.
"""

import numpy as np

from keypose.maths import Floats, Ints, RecordArray, kernel, quaternion_kernels
from keypose.physics.following.follower_arrays import SAMPLES_PER_SEGMENT
from keypose.physics.following.follower_state import FollowerPaths
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
    paths: FollowerPaths,
    poses: Floats,
    dt: float,
    frames: Floats,
    followers: RecordArray,
) -> None:
    """Move the carriers to `poses` (carriers, 7), `dt` seconds after the paths were evaluated in these frames.

    Keys that their targets have reached are pinned, paths are evaluated anew, and the velocities of paths at their
    targets are stored. Orientation samples are right as far as targets may come in this time.
    """
    before = np.empty((len(follower_rows), 7))
    for number in range(len(follower_rows)):
        row = follower_rows[number]
        spec, follower = paths.specs[row], followers[row]
        before[number, 0], before[number, 1], before[number, 2] = position_at(paths.cubics, spec, follower.u)
        path = tables.path_row[row]
        if path >= 0:
            count, v = spec.sample_count, follower.turn_u * SAMPLES_PER_SEGMENT
            interval, record = sample_interval(v, count, spec.closed)[0], tables.paths[path]
            if not is_interval_valid(record.filled, record.filled_from, interval, count, spec.closed):
                fill_ahead(tables, path, spec, v, -1.0, paths.orientation_samples)  # the run resumes a state
            orientation = orientation_at(paths.orientation_samples, spec, v)
            before[number, 3], before[number, 4], before[number, 5], before[number, 6] = orientation
    for key in range(len(keys.follower)):
        target = followers[keys.follower[key]]
        if keys.pins[key] and (target.turn_u if keys.is_rotation[key] else target.u) >= keys.key[key]:
            frames[key, IS_PINNED] = 1.0
        if frames[key, IS_PINNED] == 0.0:
            for column in range(7):
                frames[key, POSITION + column] = poses[keys.carrier[key], column]
    set_frames(relative_segments, tables, frames, paths.cubics)
    for number in range(len(follower_rows)):
        row = follower_rows[number]
        spec, follower = paths.specs[row], followers[row]
        x, y, z = before[number, 0], before[number, 1], before[number, 2]
        a, b, c = position_at(paths.cubics, spec, follower.u)
        update_path_velocity(
            follower.path_velocity, follower.raw_path_velocity, (a - x) / dt, (b - y) / dt, (c - z) / dt
        )
        path = tables.path_row[row]
        if path >= 0:
            v = follower.turn_u * SAMPLES_PER_SEGMENT
            max_angle = dt * spec.max_turn_speed * target_speed_fraction(follower.turn_speed_factor)
            fill_ahead(tables, path, spec, v, max_angle, paths.orientation_samples)
            previous_orientation = before[number, 3], before[number, 4], before[number, 5], before[number, 6]
            x, y, z = quaternion_kernels.rotation_between(
                previous_orientation, orientation_at(paths.orientation_samples, spec, v)
            )
            update_path_velocity(
                follower.path_angular_velocity, follower.raw_path_angular_velocity, x / dt, y / dt, z / dt
            )


@kernel
def fill_target_positions(follower_rows: Ints, paths: FollowerPaths, followers: RecordArray, out: Floats) -> None:
    """Fill `out` (followers, 3) with the positions of their targets."""
    for number in range(len(follower_rows)):
        row = follower_rows[number]
        out[number, 0], out[number, 1], out[number, 2] = position_at(paths.cubics, paths.specs[row], followers[row].u)


@kernel
def update_path_velocity(steady: Floats, raw: Floats, x: float, y: float, z: float) -> None:
    """Twin of `target.steady_path_velocity`: store how a path moves, or turns, at its target."""
    a, b, c = raw[0], raw[1], raw[2]
    raw[0], raw[1], raw[2] = x, y, z
    if x * x + y * y + z * z <= a * a + b * b + c * c:
        a, b, c = x, y, z
    steady[0], steady[1], steady[2] = a, b, c
