"""Kernels of the distances that targets and bodies have to go to their goals (LG95 §3.1).

The arrival time of a body is found by simulating its following in one dimension until it is there: a body that has
just started, or has been given another speed, is at first nearer to its target or farther from it than later. Whether
a path leads back from a goal is found between points as far before and behind it as the lead distance of a target.
"""

from typing import Any

import numpy as np

from keypose.maths import PROGRESS_TOLERANCE, Floats, RecordArray, Vec3, kernel
from keypose.motion import ACTIVE, NO_STOP, Distances, SyncGraph, SyncRecords
from keypose.physics.following.follower_arrays import MAX_TARGET_SPEED_RATIO, MIN_MOVE_FRACTION, SAMPLES_PER_SEGMENT
from keypose.physics.following.follower_state import FollowerPaths
from keypose.physics.following.kernels import orientation_at, position_at, rotation_vector_to, target_speed_fraction
from keypose.physics.sync.follower_channels import FollowerChannels

STATIONARY_TIME = 0.25  # [s] without a move: nobody comes any nearer after that
PUSHED_AWAY_RATIO = 1.05  # of how far its target keeps ahead: what is farther away than that was pushed there
GAUSS_LEGENDRE = (
    (0.04691007703066802, 0.11846344252809454),
    (0.23076534494715845, 0.23931433524968324),
    (0.5, 0.28444444444444444),
    (0.7692346550528415, 0.23931433524968324),
    (0.9530899229693320, 0.11846344252809454),
)
"""Where to look at a stretch, and what that counts for."""


@kernel
def segment_arc_length(cubic: Floats, start: float, stop: float) -> float:
    """How long a segment is from one share of it to another."""
    length = 0.0
    for node, weight in GAUSS_LEGENDRE:
        s = start + node * (stop - start)
        x = (3 * cubic[3, 0] * s + 2 * cubic[2, 0]) * s + cubic[1, 0]
        y = (3 * cubic[3, 1] * s + 2 * cubic[2, 1]) * s + cubic[1, 1]
        z = (3 * cubic[3, 2] * s + 2 * cubic[2, 2]) * s + cubic[1, 2]
        length += weight * np.sqrt(x * x + y * y + z * z)
    return length * (stop - start)


@kernel
def arc_length(cubics: Floats, spec: Any, u: float, to: float) -> float:
    """The length of a follower's path from u to another parameter; negative if that is before u."""
    if to < u:
        return -arc_length(cubics, spec, to, u)
    length, count = 0.0, spec.segment_count
    if spec.closed and to - u >= count:  # all laps are equally long: none is walked twice
        rest = np.fmod(to - u, count)
        length = (to - u - rest) / count * arc_length_by_segments(cubics, spec, 0.0, float(count))
        to = u + rest
    return length + arc_length_by_segments(cubics, spec, u, to)


@kernel
def arc_length_by_segments(cubics: Floats, spec: Any, u: float, to: float) -> float:
    """The length of a follower's path from u to a later parameter, segment by segment."""
    length, count = 0.0, spec.segment_count
    while u < to:
        number = int(np.floor(u))
        if not spec.closed:
            number = min(number, count - 1)
        end = min(to, number + 1.0)
        length += segment_arc_length(cubics[spec.first_segment + number % count], u - number, end - number)
        u = end
    return length


@kernel
def cumulative_angle(cumulative_angles: Floats, spec: Any, u: float) -> float:
    """The angle that a follower's path has turned by at u, lap after lap [rad]."""
    begin, count, v = spec.first_sample, spec.sample_count, u * SAMPLES_PER_SEGMENT
    laps = np.floor(v / (count - 1)) if v > count - 1 else 0.0
    v -= laps * (count - 1)
    number = min(int(v), count - 2)
    one, two = cumulative_angles[begin + number], cumulative_angles[begin + number + 1]
    return float(laps * cumulative_angles[begin + count - 1] + one + (v - number) * (two - one))


@kernel
def update_distances(
    channels: FollowerChannels,
    paths: FollowerPaths,
    followers: RecordArray,
    poses: Floats,
    graph: SyncGraph,
    records: SyncRecords,
    distances: Distances,
) -> None:
    """Fill the `distances` that targets travelled since the last regulation, and those that are left to goals.

    For goals of bodies the distance left is that of the body: it is as far behind as it is away from its target. And
    update which goals hold their targets: those from which the path leads back, which would draw the body back before
    it has arrived.
    """
    travelled, distance_left = distances.travelled, distances.distance_left
    for channel in range(len(channels.follower_rows)):
        row, is_rotation = channels.follower_rows[channel], channels.is_rotation[channel]
        spec, follower = paths.specs[row], followers[row]
        u, last_u = follower.turn_u if is_rotation else follower.u, records.channels[channel].last_progress
        if u >= target_stop(spec, follower, is_rotation):
            travelled[channel] = -body_speed(follower, is_rotation) - PROGRESS_TOLERANCE
        elif is_rotation:
            travelled[channel] = angle_between(channels.cumulative_angles, spec, last_u, u)
        else:
            travelled[channel] = arc_length(paths.cubics, spec, last_u, u)
    for number in range(len(graph.meetings)):
        meeting = graph.meetings[number]
        if records.meetings[number].state != ACTIVE:
            continue
        for goal_number in range(meeting.first_goal, meeting.end_goal):
            goal, goal_state = graph.goals[goal_number], records.goals[goal_number]
            channel, to = goal.channel, goal.progress
            if channel >= len(channels.follower_rows):
                continue  # a clock
            row, is_rotation = channels.follower_rows[channel], channels.is_rotation[channel]
            spec, follower = paths.specs[row], followers[row]
            u = follower.turn_u if is_rotation else follower.u
            ahead = (
                angle_between(channels.cumulative_angles, spec, u, to)
                if is_rotation
                else arc_length(paths.cubics, spec, u, to)
            )
            distance_left[goal_number] = ahead
            if not meeting.waits_for_bodies:
                continue
            if is_rotation:
                beyond = NO_STOP if spec.closed else angle_to_end(channels.cumulative_angles, spec, to)
                goal_state.holds_target = rotation_reverses(
                    channels.rest_orientations, spec, to * SAMPLES_PER_SEGMENT, spec.turn_within
                )
                offset = target_rotation(paths.orientation_samples, spec, follower, poses[spec.body_row])
            else:
                beyond = NO_STOP if spec.closed else arc_length(paths.cubics, spec, to, float(spec.segment_count))
                goal_state.holds_target = path_reverses(paths.cubics, spec, to, spec.within)
                offset = target_offset(follower, poses[spec.body_row])
            within = spec.turn_within if is_rotation else spec.within
            stop_at = follower.turn_stop_at if is_rotation else follower.stop_at
            speed_factor = follower.turn_speed_factor if is_rotation else follower.speed_factor
            stalled_for = follower.turn_stalled_for if is_rotation else follower.stalled_for
            if stops_at_goal(u, stop_at, to, goal_state.is_early, goal_state.holds_target):
                beyond = 0.0
            speed = closing_speed(follower, is_rotation, offset) / speed_factor
            distance_left[goal_number] = body_distance_left(
                ahead, beyond, norm(offset), speed, within, spec.stiffness, spec.damping, speed_factor
            )
            if norm(offset) > PUSHED_AWAY_RATIO * within:
                travelled[channel] = -body_speed(follower, is_rotation) - PROGRESS_TOLERANCE
            elif goal_state.holds_target and is_stationary(
                u, to, stalled_for, speed_factor, spec.stiffness, spec.damping
            ):
                distance_left[goal_number] = min(distance_left[goal_number], 0.0)


@kernel
def target_stop(spec: Any, follower: Any, is_rotation: bool) -> float:
    """The parameter at which the target of a position or of a rotation stops: for a meeting, or at its end."""
    stop_at = follower.turn_stop_at if is_rotation else follower.stop_at
    return float(stop_at if spec.closed else min(stop_at, float(spec.segment_count))) - PROGRESS_TOLERANCE


@kernel
def stops_at_goal(progress: float, stop_at: float, goal_progress: float, is_early: bool, holds_target: bool) -> bool:
    """Whether a target stays at a goal of its body, or others stop it there: the body only comes as near as it can."""
    return (holds_target and progress <= goal_progress + PROGRESS_TOLERANCE) or (
        not is_early and abs(stop_at - goal_progress) <= PROGRESS_TOLERANCE
    )


@kernel
def is_stationary(
    progress: float, goal_progress: float, stalled_for: float, speed_factor: float, k: float, c: float
) -> bool:
    """Whether a body has come as near as it can to a goal where its target stays: others, or its limbs, keep it off.

    One that is slow itself, and has nearly come, moves no more than MIN_MOVE_FRACTION in c/k · MIN_MOVE_FRACTION /
    ARRIVAL_FRACTION seconds. Those that it has stood for, `stalled_for`, are counted by its speed factor.
    """
    return progress >= goal_progress - PROGRESS_TOLERANCE and stalled_for >= max(
        STATIONARY_TIME * speed_factor, 4 * MIN_MOVE_FRACTION / ARRIVAL_FRACTION * c / k
    )


@kernel
def body_speed(follower: Any, is_rotation: bool) -> float:
    """The speed [m/s] or angular speed [rad/s] of a follower's body."""
    velocity = follower.angular_velocity if is_rotation else follower.velocity
    return norm((velocity[0], velocity[1], velocity[2]))


@kernel
def angle_between(cumulative_angles: Floats, spec: Any, start: float, end: float) -> float:
    """The angle that a path turns by from one parameter to another [rad]."""
    return cumulative_angle(cumulative_angles, spec, end) - cumulative_angle(cumulative_angles, spec, start)


@kernel
def angle_to_end(cumulative_angles: Floats, spec: Any, u: float) -> float:
    """The angle that a path still turns by from u to its end [rad]."""
    last = spec.first_sample + spec.sample_count - 1
    return float(cumulative_angles[last] - cumulative_angle(cumulative_angles, spec, u))


@kernel
def target_offset(follower: Any, pose: Floats) -> Vec3:
    """The vector from a body to its target [m]."""
    target = follower.target
    return target[0] - pose[0], target[1] - pose[1], target[2] - pose[2]


@kernel
def target_rotation(orientation_samples: Floats, spec: Any, follower: Any, pose: Floats) -> Vec3:
    """The rotation vector from a body to its second target [rad]."""
    w, x, y, z = orientation_at(orientation_samples, spec, follower.turn_u * SAMPLES_PER_SEGMENT)
    return rotation_vector_to(pose[3:], w, x, y, z)


@kernel
def norm(vector: Vec3) -> float:
    """How long a vector is."""
    return float(np.sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]))


@kernel
def closing_speed(follower: Any, is_rotation: bool, offset: Vec3) -> float:
    """The speed of a body toward its target [m/s] or [rad/s], relative to its path."""
    velocity = follower.angular_velocity if is_rotation else follower.velocity
    path_velocity = follower.path_angular_velocity if is_rotation else follower.path_velocity
    distance, speed = norm(offset), 0.0
    for axis in range(3):
        speed += offset[axis] * (velocity[axis] - path_velocity[axis])
    return speed / distance if distance > PROGRESS_TOLERANCE else 0.0


ARRIVAL_FRACTION = 0.05  # of how far its target keeps ahead: what is so near has come
STEP_FRACTION = 0.1  # of how long it takes to settle: a step ahead
MAX_STEPS = 400  # after which it is taken to go on as it does then
STEADY_TOLERANCE = 0.01  # of its distance and speed: nobody who is so near to them needs to be played ahead


@kernel
def body_distance_left(
    ahead: float,
    beyond: float,
    behind: float,
    speed: float,
    within: float,
    stiffness: float,
    damping: float,
    speed_factor: float,
) -> float:
    """The distance of a body to a goal that is `ahead` of its target, which can go `beyond` it.

    It is the distance that the body travels at its settled speed in the time it will take, so that it falls as evenly
    as time passes. `speed` is toward the target, per speed factor.
    """
    distance_left = ahead + behind - ARRIVAL_FRACTION * within
    if distance_left <= 0.0:
        return distance_left
    settled_speed, max_speed_ratio = stiffness * within / damping, max_target_speed(speed_factor)
    time = arrival_time(distance_left, ahead + beyond, behind, speed, within, stiffness, damping, max_speed_ratio)
    return max(settled_speed * time, PROGRESS_TOLERANCE)


@kernel
def max_target_speed(speed_factor: float) -> float:
    """How fast a target may run ahead of its body, of the speed both settle at."""
    return MAX_TARGET_SPEED_RATIO * target_speed_fraction(speed_factor) / speed_factor


@kernel
def arrival_time(
    distance_left: float,
    distance_to_stop: float,
    behind: float,
    speed: float,
    within: float,
    stiffness: float,
    damping: float,
    max_speed_ratio: float,
) -> float:
    """In how many seconds a body has gone as far as is `distance_left`, whose target stops after `distance_to_stop`.

    The body is so far behind that and pulled to it; the target goes on while it is less than `within` away, at most
    so many times as fast as both settle at.
    """
    nominal_speed, t = stiffness * within / damping, 0.0
    step = max(STEP_FRACTION * damping / stiffness, 2 * STEP_FRACTION / np.sqrt(stiffness))
    decay, rate = np.exp(-damping * step), stiffness / damping
    for _ in range(MAX_STEPS):
        if (
            distance_to_stop > 0.0
            and abs(behind - within) <= STEADY_TOLERANCE * within
            and abs(speed - nominal_speed) <= STEADY_TOLERANCE * nominal_speed
        ):
            steady_distance = min(distance_left, distance_to_stop)
            distance_left, distance_to_stop, t = (
                distance_left - steady_distance,
                distance_to_stop - steady_distance,
                t + steady_distance / nominal_speed,
            )
            if distance_left <= 0.0:
                return t
        last_speed, max_move = speed, min(max_speed_ratio * nominal_speed * step, distance_to_stop)
        target_move = min(max(within - behind + step * speed, 0.0), max_move)
        middle = behind + 0.5 * (target_move - step * speed)
        speed = rate * middle + (speed - rate * middle) * decay
        body_move = 0.5 * step * (last_speed + speed)
        if body_move >= distance_left:
            return float(t + step * distance_left / body_move)
        target_move = min(max(within - behind + body_move, 0.0), max_move)
        behind, distance_to_stop, distance_left, t = (
            behind + target_move - body_move,
            distance_to_stop - target_move,
            distance_left - body_move,
            t + step,
        )
    return t + distance_left / max(speed, STEADY_TOLERANCE * nominal_speed)


SEARCH_STEPS = 16  # of a segment: how finely it is looked where a path is far enough
MAX_SEARCH_ANGLE = np.pi / 4  # [rad], beyond which it would not be known any more which way round it is
REVERSAL_FACTOR = 0.9  # than by Pythagoras, as across a right angle: or rounding would lead back from where a turn ends


@kernel
def path_reverses(cubics: Floats, spec: Any, u: float, distance: float) -> bool:
    """Whether a path turns by more than a right angle at u, between points `distance` away on both sides."""
    before = offset_at_distance(cubics, spec, u, -1.0 / SEARCH_STEPS, distance)
    after = offset_at_distance(cubics, spec, u, 1.0 / SEARCH_STEPS, distance)
    return before[0] * after[0] + before[1] * after[1] + before[2] * after[2] > 0.0


@kernel
def offset_at_distance(cubics: Floats, spec: Any, u: float, step: float, distance: float) -> Vec3:
    """The vector from a path at u to the first point that is `distance` away, in steps of u, or to its end."""
    x, y, z = position_at(cubics, spec, u)
    dx = dy = dz = 0.0
    count = spec.segment_count
    steps, end = SEARCH_STEPS * count, u + count if spec.closed else float(count)  # one lap at most
    for number in range(1, steps + 1):
        at_u = min(max(u + number * step, 0.0), end)
        px, py, pz = position_at(cubics, spec, at_u)
        dx, dy, dz = px - x, py - y, pz - z
        if dx * dx + dy * dy + dz * dz >= distance * distance or at_u == 0.0 or at_u == end:
            break
    return dx, dy, dz


@kernel
def rotation_reverses(orientation_samples: Floats, spec: Any, v: float, angle: float) -> bool:
    """The same of a rotation at v, counted in samples, between orientations `angle` [rad] away on both sides."""
    angle = min(angle, MAX_SEARCH_ANGLE)
    before = sample_at_angle(orientation_samples, spec, v, -1.0, angle)
    after = sample_at_angle(orientation_samples, spec, v, 1.0, angle)
    one = sample_angle(orientation_samples, spec, v, before)
    two = sample_angle(orientation_samples, spec, v, after)
    across = sample_angle(orientation_samples, spec, before, after)
    return across * across < REVERSAL_FACTOR * (one * one + two * two)


@kernel
def sample_at_angle(orientation_samples: Floats, spec: Any, v: float, step: float, angle: float) -> float:
    """The first sample whose orientation is `angle` away from that at v, in such steps, or the last one."""
    count = spec.sample_count
    at_v, end = v, v + count - 1 if spec.closed else count - 1.0
    for number in range(1, count):
        at_v = min(max(v + number * step, 0.0), end)
        if sample_angle(orientation_samples, spec, v, at_v) >= angle or at_v == 0.0 or at_v == end:
            break
    return at_v


@kernel
def sample_angle(orientation_samples: Floats, spec: Any, start: float, end: float) -> float:
    """The angle from one orientation sample to another [rad]."""
    p, q = orientation_at(orientation_samples, spec, start), orientation_at(orientation_samples, spec, end)
    return float(2 * np.arccos(min(abs(p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]), 1.0)))
