"""Compiled loops over the strands of a script: how far targets went, and how far is left to their goals.

When does a body come to a goal? Its race is played ahead in one dimension (LG95 §3.1), until it is there.

Who has just set out, or was given another speed, is nearer to its target or farther from it for a while than it comes
to be; and where that stops, since its path ends or it is held, its body comes ever slower.

Does a path lead back from a goal? A target that went on there would draw its body back before that has come.

It is seen from as far before and behind the goal as a target keeps ahead: what is bent more narrowly does not matter.
"""

import numpy as np

from keypose.maths import PROGRESS_TOLERANCE, Bools, Floats, Ints, Vec3, kernel
from keypose.motion import ACTIVE, NO_STOP
from keypose.physics.following.follower_arrays import (
    ANGULAR_VELOCITY,
    MAX_TARGET_SPEED_RATIO,
    MIN_MOVE_FRACTION,
    PATH_ANGULAR_VELOCITY,
    PATH_VELOCITY,
    SAMPLES_PER_SEGMENT,
    SPEED_FACTOR,
    STALLED_FOR,
    STOP_AT,
    TARGET,
    TURN_SPEED_FACTOR,
    TURN_STALLED_FOR,
    TURN_STOP_AT,
    TURN_U,
    VELOCITY,
    U,
)
from keypose.physics.following.kernels import orientation_at, position_at, rotation_vector_to, target_speed_fraction

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
def arc_length(cubics: Floats, begin: int, count: int, closed: bool, u: float, to: float) -> float:
    """How far it is along a path from u to a later parameter; below zero if that is behind."""
    if to < u:
        return -arc_length(cubics, begin, count, closed, to, u)
    length = 0.0
    if closed and to - u >= count:  # all rounds are as long as one: nobody walks a thousand of them
        rest = np.fmod(to - u, count)
        length = (to - u - rest) / count * arc_length_by_segments(cubics, begin, count, True, 0.0, float(count))
        to = u + rest
    return length + arc_length_by_segments(cubics, begin, count, closed, u, to)


@kernel
def arc_length_by_segments(cubics: Floats, begin: int, count: int, closed: bool, u: float, to: float) -> float:
    """How far it is from u to a later parameter, segment by segment."""
    length = 0.0
    while u < to:
        number = int(np.floor(u))
        if not closed:
            number = min(number, count - 1)
        end = min(to, number + 1.0)
        length += segment_arc_length(cubics[begin + number % count], u - number, end - number)
        u = end
    return length


@kernel
def cumulative_angle(cumulative_angles: Floats, begin: int, count: int, v: float) -> float:
    """How far a path has turned by v, counted in tabled facings; round after round [rad]."""
    laps = np.floor(v / (count - 1)) if v > count - 1 else 0.0
    v -= laps * (count - 1)
    number = min(int(v), count - 2)
    one, two = cumulative_angles[begin + number], cumulative_angles[begin + number + 1]
    return float(laps * cumulative_angles[begin + count - 1] + one + (v - number) * (two - one))


@kernel
def update_distances(
    follower_rows: Ints,
    is_rotation: Bools,
    body_rows: Ints,
    segment_ranges: Ints,
    closed: Bools,
    cubics: Floats,
    orientation_samples: Floats,
    rest_orientations: Floats,
    cumulative_angles: Floats,
    lead_limits: Floats,
    gains: Floats,
    followers: Floats,
    poses: Floats,
    last_progress: Floats,
    goal_channel: Ints,
    goal_progress: Floats,
    goal_offsets: Ints,
    waits_for_bodies: Bools,
    meeting_state: Ints,
    is_early: Bools,
    holds_target: Bools,
    travelled: Floats,
    distance_left: Floats,
) -> None:
    """Fill `travelled` with how far targets went since they were at `last_progress`, and `distance_left` with how far
    goals are.

    To goals of bodies that is from the body: it is as far behind as it is away from its target. A target that has come
    to its end, or is held, or waits for a body that was pushed away, has gone less than 0: by as much as its body still
    goes in a second, and a hair. And `holds_target` with where a target must not go on before its body has come, as its
    path leads back: it would draw it back, too.
    """
    for channel in range(len(follower_rows)):
        row = follower_rows[channel]
        if followers[row, TURN_U if is_rotation[channel] else U] >= target_stop(
            followers[row], is_rotation[channel], segment_ranges[row], closed[row]
        ):
            travelled[channel] = (
                -column_norm(followers[row], ANGULAR_VELOCITY if is_rotation[channel] else VELOCITY)
                - PROGRESS_TOLERANCE
            )
        elif is_rotation[channel]:
            travelled[channel] = angle_between(
                cumulative_angles, segment_ranges[row], last_progress[channel], followers[row, TURN_U]
            )
        else:
            travelled[channel] = arc_length(
                cubics,
                segment_ranges[row, 0],
                segment_ranges[row, 1],
                closed[row],
                last_progress[channel],
                followers[row, U],
            )
    for meeting in range(len(meeting_state)):
        if meeting_state[meeting] != ACTIVE:
            continue
        for goal in range(goal_offsets[meeting], goal_offsets[meeting + 1]):
            channel = goal_channel[goal]
            if channel >= len(follower_rows):
                continue  # it is a clock
            row = follower_rows[channel]
            if is_rotation[channel]:
                distance_left[goal] = angle_between(
                    cumulative_angles, segment_ranges[row], followers[row, TURN_U], goal_progress[goal]
                )
                if waits_for_bodies[meeting]:
                    distance_beyond = (
                        NO_STOP
                        if closed[row]
                        else angle_to_end(cumulative_angles, segment_ranges[row], goal_progress[goal])
                    )
                    begin, count = segment_ranges[row, 2], segment_ranges[row, 3]
                    holds_target[goal] = rotation_reverses(
                        rest_orientations,
                        begin,
                        count,
                        closed[row],
                        goal_progress[goal] * SAMPLES_PER_SEGMENT,
                        lead_limits[row, 2],
                    )
                    if stops_at_goal(
                        followers[row, TURN_U],
                        followers[row, TURN_STOP_AT],
                        goal_progress[goal],
                        is_early[goal],
                        holds_target[goal],
                    ):
                        distance_beyond = 0.0
                    rotation = target_rotation(
                        orientation_samples, segment_ranges[row], closed[row], followers[row], poses[body_rows[row]]
                    )
                    speed_factor, k, c = followers[row, TURN_SPEED_FACTOR], gains[row, 0], gains[row, 1]
                    speed = (
                        closing_speed(followers[row], rotation, ANGULAR_VELOCITY, PATH_ANGULAR_VELOCITY) / speed_factor
                    )
                    distance_left[goal] = body_distance_left(
                        distance_left[goal],
                        distance_beyond,
                        norm(rotation),
                        speed,
                        lead_limits[row, 2],
                        k,
                        c,
                        speed_factor,
                    )
                    if norm(rotation) > PUSHED_AWAY_RATIO * lead_limits[row, 2]:
                        travelled[channel] = -column_norm(followers[row], ANGULAR_VELOCITY) - PROGRESS_TOLERANCE
                    elif holds_target[goal] and is_stationary(
                        followers[row, TURN_U],
                        goal_progress[goal],
                        followers[row, TURN_STALLED_FOR],
                        speed_factor,
                        k,
                        c,
                    ):
                        distance_left[goal] = min(distance_left[goal], 0.0)
            else:
                begin, count = segment_ranges[row, 0], segment_ranges[row, 1]
                distance_left[goal] = arc_length(
                    cubics, begin, count, closed[row], followers[row, U], goal_progress[goal]
                )
                if waits_for_bodies[meeting]:
                    distance_beyond = (
                        NO_STOP
                        if closed[row]
                        else arc_length(cubics, begin, count, False, goal_progress[goal], float(count))
                    )
                    holds_target[goal] = path_reverses(
                        cubics, begin, count, closed[row], goal_progress[goal], lead_limits[row, 0]
                    )
                    if stops_at_goal(
                        followers[row, U],
                        followers[row, STOP_AT],
                        goal_progress[goal],
                        is_early[goal],
                        holds_target[goal],
                    ):
                        distance_beyond = 0.0
                    offset = target_offset(followers[row], poses[body_rows[row]])
                    speed_factor, k, c = followers[row, SPEED_FACTOR], gains[row, 0], gains[row, 1]
                    speed = closing_speed(followers[row], offset, VELOCITY, PATH_VELOCITY) / speed_factor
                    distance_left[goal] = body_distance_left(
                        distance_left[goal],
                        distance_beyond,
                        norm(offset),
                        speed,
                        lead_limits[row, 0],
                        k,
                        c,
                        speed_factor,
                    )
                    if norm(offset) > PUSHED_AWAY_RATIO * lead_limits[row, 0]:
                        travelled[channel] = -column_norm(followers[row], VELOCITY) - PROGRESS_TOLERANCE
                    elif holds_target[goal] and is_stationary(
                        followers[row, U], goal_progress[goal], followers[row, STALLED_FOR], speed_factor, k, c
                    ):
                        distance_left[goal] = min(distance_left[goal], 0.0)


@kernel
def target_stop(follower: Floats, is_rotation: bool, segment_range: Ints, closed: bool) -> float:
    """Where the target of a place or of a turn stops: where it is held, or at the end of its path."""
    stop_at = follower[TURN_STOP_AT if is_rotation else STOP_AT]
    return float(stop_at if closed else min(stop_at, float(segment_range[1]))) - PROGRESS_TOLERANCE


@kernel
def stops_at_goal(progress: float, stop_at: float, goal_progress: float, is_early: bool, holds_target: bool) -> bool:
    """Whether a target stays at a goal of its body, or others hold it there: that only comes as near as it can."""
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
def column_norm(follower: Floats, column: int) -> float:
    """How long a vector is that stands among numbers."""
    x, y, z = follower[column], follower[column + 1], follower[column + 2]
    return float(np.sqrt(x * x + y * y + z * z))


@kernel
def angle_between(cumulative_angles: Floats, segment_range: Ints, start: float, end: float) -> float:
    """How far a path turns from one parameter to another [rad]."""
    begin, count = segment_range[2], segment_range[3]
    return cumulative_angle(cumulative_angles, begin, count, end * SAMPLES_PER_SEGMENT) - cumulative_angle(
        cumulative_angles, begin, count, start * SAMPLES_PER_SEGMENT
    )


@kernel
def angle_to_end(cumulative_angles: Floats, segment_range: Ints, v: float) -> float:
    """How far a path still turns from a parameter to its end [rad]."""
    begin, count = segment_range[2], segment_range[3]
    return float(
        cumulative_angles[begin + count - 1]
        - cumulative_angle(cumulative_angles, begin, count, v * SAMPLES_PER_SEGMENT)
    )


@kernel
def target_offset(follower: Floats, pose: Floats) -> Vec3:
    """The way from a body to its target."""
    return follower[TARGET] - pose[0], follower[TARGET + 1] - pose[1], follower[TARGET + 2] - pose[2]


@kernel
def target_rotation(
    orientation_samples: Floats, segment_range: Ints, closed: bool, follower: Floats, pose: Floats
) -> Vec3:
    """The turn from a body to the target of that [rad]."""
    w, x, y, z = orientation_at(
        orientation_samples, segment_range[2], segment_range[3], closed, follower[TURN_U] * SAMPLES_PER_SEGMENT
    )
    return rotation_vector_to(pose[3:], w, x, y, z)


@kernel
def norm(vector: Vec3) -> float:
    """How long a vector is."""
    return float(np.sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]))


@kernel
def closing_speed(follower: Floats, offset: Vec3, velocity_column: int, path_velocity_column: int) -> float:
    """How fast a body goes or turns towards its target, beside what its path does."""
    distance, speed = norm(offset), 0.0
    for axis in range(3):
        speed += offset[axis] * (follower[velocity_column + axis] - follower[path_velocity_column + axis])
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
    """How far it is for a body to a goal so far `ahead` of its target, which can go as far `beyond` it.

    In what it would go in that time at the pace it settles at: so, what is left falls as evenly as time passes. `speed`
    is towards the target, of what it would be without the `speed_factor`.
    """
    distance_left = ahead + behind - ARRIVAL_FRACTION * within
    if distance_left <= 0.0:
        return distance_left
    nominal_speed = stiffness * within / damping
    return max(
        nominal_speed
        * arrival_time(
            distance_left, ahead + beyond, behind, speed, within, stiffness, damping, max_target_speed(speed_factor)
        ),
        PROGRESS_TOLERANCE,
    )


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
def path_reverses(cubics: Floats, begin: int, count: int, closed: bool, u: float, distance: float) -> bool:
    """Whether a path turns by more than a right angle at u, between points `distance` away on both sides."""
    before = offset_at_distance(cubics, begin, count, closed, u, -1.0 / SEARCH_STEPS, distance)
    after = offset_at_distance(cubics, begin, count, closed, u, 1.0 / SEARCH_STEPS, distance)
    return before[0] * after[0] + before[1] * after[1] + before[2] * after[2] > 0.0


@kernel
def offset_at_distance(
    cubics: Floats, begin: int, count: int, closed: bool, u: float, step: float, distance: float
) -> Vec3:
    """The way from a path at u to where it is `distance` away first, in steps of its parameter, or to its end."""
    x, y, z = position_at(cubics, begin, count, closed, u)
    dx = dy = dz = 0.0
    steps, end = SEARCH_STEPS * count, u + count if closed else float(count)  # once round at most
    for number in range(1, steps + 1):
        at_u = min(max(u + number * step, 0.0), end)
        px, py, pz = position_at(cubics, begin, count, closed, at_u)
        dx, dy, dz = px - x, py - y, pz - z
        if dx * dx + dy * dy + dz * dz >= distance * distance or at_u == 0.0 or at_u == end:
            break
    return dx, dy, dz


@kernel
def rotation_reverses(
    orientation_samples: Floats, begin: int, count: int, closed: bool, v: float, angle: float
) -> bool:
    """The same of a turn, in tabled facings from v on: how far it is across from `angle` [rad] before to behind it."""
    angle = min(angle, MAX_SEARCH_ANGLE)
    before = sample_at_angle(orientation_samples, begin, count, closed, v, -1.0, angle)
    after = sample_at_angle(orientation_samples, begin, count, closed, v, 1.0, angle)
    one = sample_angle(orientation_samples, begin, count, closed, v, before)
    two = sample_angle(orientation_samples, begin, count, closed, v, after)
    across = sample_angle(orientation_samples, begin, count, closed, before, after)
    return across * across < REVERSAL_FACTOR * (one * one + two * two)


@kernel
def sample_at_angle(
    orientation_samples: Floats, begin: int, count: int, closed: bool, v: float, step: float, angle: float
) -> float:
    """The tabled facing where a turn is `angle` away from v first, in such steps, or at its end."""
    at_v, end = v, v + count - 1 if closed else count - 1.0
    for number in range(1, count):
        at_v = min(max(v + number * step, 0.0), end)
        if sample_angle(orientation_samples, begin, count, closed, v, at_v) >= angle or at_v == 0.0 or at_v == end:
            break
    return at_v


@kernel
def sample_angle(orientation_samples: Floats, begin: int, count: int, closed: bool, start: float, end: float) -> float:
    """How far it is from one tabled facing to another [rad]."""
    p, q = (
        orientation_at(orientation_samples, begin, count, closed, start),
        orientation_at(orientation_samples, begin, count, closed, end),
    )
    return float(2 * np.arccos(min(abs(p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]), 1.0)))
