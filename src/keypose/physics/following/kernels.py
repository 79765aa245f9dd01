"""Numba twins of the race between bodies and their targets: `target.advance_target` and `force_law`, for all
followers.

Compiled loops over those who turn: their second targets on tabled facings, and what turns their bodies.
"""

import numpy as np

from keypose.maths import Bools, Floats, Ints, Vec3, Vec4, kernel, rotate_vector
from keypose.physics.following.follower_arrays import (
    ACCEL_CMD,
    ANGULAR_ACCEL_CMD,
    ANGULAR_DISTURBANCE,
    ANGULAR_VELOCITY,
    AT_REST_FRACTION,
    DISTURBANCE,
    IS_NEW,
    MAX_DISTURBANCE_WEIGHTS,
    MAX_TARGET_SPEED_RATIO,
    MIN_MOVE_FRACTION,
    PATH_ANGULAR_VELOCITY,
    PATH_VELOCITY,
    SAMPLES_PER_SEGMENT,
    SPEED_FACTOR,
    STALL_ORIENTATION,
    STALL_POSITION,
    STALL_REPORTED,
    STALL_U,
    STALLED_FOR,
    STOP_AT,
    TARGET,
    TURN_SPEED_FACTOR,
    TURN_STALL_REPORTED,
    TURN_STALL_U,
    TURN_STALLED_FOR,
    TURN_STOP_AT,
    TURN_U,
    VELOCITY,
    U,
)
from keypose.physics.following.force_law import STABLE_FILTER_FACTOR
from keypose.physics.following.target import (
    FULL_STEP,
    LEAD_TOLERANCE,
    MARCH_STEPS,
    MAX_BRACKET_STEPS,
    MAX_PARAMETER_STEP,
    NEWTON_STEPS,
)
from keypose.physics.values.body import RUNAWAY_LIMIT


@kernel
def position_at(cubics: Floats, begin: int, count: int, closed: bool, u: float) -> Vec3:
    """Where a path is at u."""
    number = min(int(np.floor(u)), count - 1) if not closed else int(np.floor(u)) % count
    s = u - np.floor(u) if closed else u - number
    cubic = cubics[begin + number]
    x = ((cubic[3, 0] * s + cubic[2, 0]) * s + cubic[1, 0]) * s + cubic[0, 0]
    y = ((cubic[3, 1] * s + cubic[2, 1]) * s + cubic[1, 1]) * s + cubic[0, 1]
    z = ((cubic[3, 2] * s + cubic[2, 2]) * s + cubic[1, 2]) * s + cubic[0, 2]
    return x, y, z


@kernel
def squared_distance_terms(
    cubics: Floats, begin: int, count: int, closed: bool, u: float, x: float, y: float, z: float
) -> Vec3:
    """How far a place is from the path at u, squared; how that grows with u; and how far a unit of u goes, squared."""
    number = int(u)
    if closed and number >= count:
        number %= count
    number = min(number, count - 1)
    s = u - np.floor(u) if closed else u - number
    cubic, squared_distance, slope_term, squared_speed = cubics[begin + number], 0.0, 0.0, 0.0
    for axis in range(3):
        a, b, c = cubic[3, axis], cubic[2, axis], cubic[1, axis]
        offset = ((a * s + b) * s + c) * s + cubic[0, axis] - (x if axis == 0 else y if axis == 1 else z)
        slope = (3 * a * s + 2 * b) * s + c
        squared_distance, slope_term, squared_speed = (
            squared_distance + offset * offset,
            slope_term + offset * slope,
            squared_speed + slope * slope,
        )
    return squared_distance, 2 * slope_term, squared_speed


@kernel
def advance_target(
    cubics: Floats,
    begin: int,
    count: int,
    closed: bool,
    u: float,
    stop_at: float,
    within: float,
    max_distance: float,
    x: float,
    y: float,
    z: float,
) -> float:
    """Twin of `target.advance_target` on a path, by squares of distances; it stops at `stop_at`."""
    last_u, travelled, squared_lead = (
        min(stop_at, u + count if closed else float(count)),
        0.0,
        within * within,
    )  # once round at most
    tolerance, newton_steps = 2 * LEAD_TOLERANCE * squared_lead, NEWTON_STEPS
    squared_distance, rate, squared_speed = squared_distance_terms(cubics, begin, count, closed, u, x, y, z)
    shortfall = squared_distance - squared_lead
    if shortfall >= 0.0:
        return u
    while u < last_u and travelled < FULL_STEP * max_distance:
        du = MAX_PARAMETER_STEP
        if (
            squared_speed * (MAX_PARAMETER_STEP * MAX_PARAMETER_STEP * MARCH_STEPS * MARCH_STEPS)
            > max_distance * max_distance
        ):
            du = max_distance / MARCH_STEPS / np.sqrt(squared_speed)
        if newton_steps > 0 and rate * du > -shortfall:
            du = -shortfall / rate
        next_u = min(u + du, last_u)
        squared_distance, next_rate, next_squared_speed = squared_distance_terms(
            cubics, begin, count, closed, next_u, x, y, z
        )
        excess = squared_distance - squared_lead
        if abs(excess) <= tolerance:
            return next_u
        if excess > 0.0:
            low, high, side = u, next_u, 0
            for _ in range(MAX_BRACKET_STEPS):
                middle = high - excess * (high - low) / (excess - shortfall)
                squared_distance, _, _ = squared_distance_terms(cubics, begin, count, closed, middle, x, y, z)
                error = squared_distance - squared_lead
                if abs(error) <= tolerance:
                    return middle
                if error < 0.0:
                    low, shortfall, excess, side = middle, error, excess / 2 if side < 0 else excess, -1
                else:
                    high, excess, shortfall, side = middle, error, shortfall / 2 if side > 0 else shortfall, 1
            return high
        travelled += np.sqrt(squared_speed) * (next_u - u)
        u, shortfall, rate, squared_speed, newton_steps = (
            next_u,
            excess,
            next_rate,
            next_squared_speed,
            newton_steps - 1,
        )
    return u


@kernel
def update_disturbance(
    followers: Floats,
    follower: int,
    disturbance: int,
    last_velocity: int,
    command: int,
    velocity: Vec3,
    step: float,
    weight: float,
    limit: float,
) -> None:
    """Twin of `force_law.filter_disturbance`, in these columns of the state; what is measured counts by a share."""
    square = 0.0
    for axis in range(3):
        measured = (velocity[axis] - followers[follower, last_velocity + axis]) / step - followers[
            follower, command + axis
        ]
        followers[follower, disturbance + axis] += weight * (measured - followers[follower, disturbance + axis])
        square += followers[follower, disturbance + axis] ** 2
    if square > limit * limit:
        for axis in range(3):
            followers[follower, disturbance + axis] *= limit / np.sqrt(square)


@kernel
def min_filter_time(inertia_ratio: float, k: float) -> float:
    """Twin of `force_law.min_filter_time`."""
    return float(STABLE_FILTER_FACTOR * (inertia_ratio - 1.0) / np.sqrt(k))


@kernel
def target_speed_fraction(speed_factor: float) -> float:
    """Which share of the most that a target goes is left to one of this ease.

    Who is slowed down has a target that goes no faster than is meant, whatever speed its body still has; who is not is
    free to run ahead.
    """
    square = speed_factor * speed_factor
    fourth = square * square
    sixteenth = fourth * fourth * fourth * fourth
    return speed_factor / MAX_TARGET_SPEED_RATIO + (1.0 - 1.0 / MAX_TARGET_SPEED_RATIO) * sixteenth


@kernel
def step_followers(
    body_rows: Ints,
    gains: Floats,
    lead_limits: Floats,
    stall_time: Floats,
    disturbance_limits: Floats,
    segment_ranges: Ints,
    closed: Bools,
    cubics: Floats,
    orientation_samples: Floats,
    poses: Floats,
    velocities: Floats,
    mass: Floats,
    inertia: Floats,
    axes: Floats,
    payload: Floats,
    step: float,
    followers: Floats,
    force: Floats,
) -> int:
    """Let all targets go on, and fill `force` (moving, 6) of their bodies; `followers` is what is remembered of each.

    Returns the row of a body that is lost, or -1; or -2 if somebody has waited for long enough to be told of.
    """
    status, filter_time, filter_weight = -1, 0.0, 0.0
    for body in range(len(poses)):
        for number in range(7):
            if (
                not abs(poses[body, number]) <= RUNAWAY_LIMIT
                or not abs(velocities[body, min(number, 5)]) <= RUNAWAY_LIMIT
            ):
                return body
    for follower in range(len(body_rows)):
        body, q = body_rows[follower], poses[body_rows[follower], 3:]
        speed_factor, stop_at = followers[follower, SPEED_FACTOR], followers[follower, STOP_AT]
        k, c = gains[follower, 0] * speed_factor * speed_factor, gains[follower, 1] * speed_factor
        implicit_factor = 1 + step * c + step * step * k
        begin, count = segment_ranges[follower, 0], segment_ranges[follower, 1]
        x, y, z = poses[body, 0], poses[body, 1], poses[body, 2]
        velocity = velocities[body, 0], velocities[body, 1], velocities[body, 2]
        if disturbance_limits[follower, 0] != filter_time:  # which is the same for most
            filter_time = disturbance_limits[follower, 0]
            filter_weight = -np.expm1(-step / filter_time) if filter_time > 0.0 else 0.0
        has_disturbance = followers[follower, IS_NEW] == 0.0 and filter_time > 0.0
        if has_disturbance:
            update_disturbance(
                followers,
                follower,
                DISTURBANCE,
                VELOCITY,
                ACCEL_CMD,
                velocity,
                step,
                filter_weight,
                disturbance_limits[follower, 1],
            )
        within, max_step = (
            lead_limits[follower, 0],
            step * lead_limits[follower, 1] * target_speed_fraction(speed_factor),
        )
        u = advance_target(
            cubics, begin, count, closed[follower], followers[follower, U], stop_at, within, max_step, x, y, z
        )
        px, py, pz = position_at(cubics, begin, count, closed[follower], u)
        followers[follower, U] = u
        followers[follower, TARGET], followers[follower, TARGET + 1], followers[follower, TARGET + 2] = px, py, pz
        offset = px - x, py - y, pz - z
        for axis in range(3):
            relative_velocity = velocity[axis] - followers[follower, PATH_VELOCITY + axis]
            command = (k * offset[axis] - c * relative_velocity) / implicit_factor - followers[
                follower, DISTURBANCE + axis
            ]
            followers[follower, ACCEL_CMD + axis], followers[follower, VELOCITY + axis] = command, velocity[axis]
            force[body, axis] = mass[body] * command
        is_at_rest = u >= stop_at or (not closed[follower] and u >= count)
        is_at_rest = is_at_rest and offset[0] ** 2 + offset[1] ** 2 + offset[2] ** 2 <= (AT_REST_FRACTION * within) ** 2
        update_stall(followers, follower, x, y, z, within, is_at_rest, step * speed_factor)
        if followers[follower, STALLED_FOR] >= stall_time[follower] and followers[follower, STALL_REPORTED] == 0.0:
            status = -2
        if segment_ranges[follower, 3] > 0:
            angular_velocity = rotate_vector(q, 1.0, velocities[body, 3], velocities[body, 4], velocities[body, 5])
            if has_disturbance:
                max_step, turn_filter_time = (
                    disturbance_limits[follower, 2] + MAX_DISTURBANCE_WEIGHTS * payload[body, 0],
                    min_filter_time(payload[body, 1], gains[follower, 0]),
                )
                turn_filter_weight = (
                    filter_weight if turn_filter_time <= filter_time else -np.expm1(-step / turn_filter_time)
                )
                update_disturbance(
                    followers,
                    follower,
                    ANGULAR_DISTURBANCE,
                    ANGULAR_VELOCITY,
                    ANGULAR_ACCEL_CMD,
                    angular_velocity,
                    step,
                    turn_filter_weight,
                    max_step,
                )
            max_step = step * lead_limits[follower, 3] * target_speed_fraction(followers[follower, TURN_SPEED_FACTOR])
            step_turn(
                followers,
                follower,
                segment_ranges[follower],
                closed[follower],
                orientation_samples,
                gains[follower],
                lead_limits[follower, 2],
                max_step,
                step,
                q,
                angular_velocity,
            )
            if (
                followers[follower, TURN_STALLED_FOR] >= stall_time[follower]
                and followers[follower, TURN_STALL_REPORTED] == 0.0
            ):
                status = -2
            angular_command = (
                followers[follower, ANGULAR_ACCEL_CMD],
                followers[follower, ANGULAR_ACCEL_CMD + 1],
                followers[follower, ANGULAR_ACCEL_CMD + 2],
            )
            set_torque(q, axes[body], inertia[body], angular_command, angular_velocity, force[body])
        followers[follower, IS_NEW] = 0.0
    return status


@kernel
def update_stall(
    followers: Floats, follower: int, x: float, y: float, z: float, within: float, is_at_rest: bool, step: float
) -> None:
    """Count for how long a follower and its target have not moved; one that has arrived waits for nothing.

    The target alone may be where the path ends and its body be held off: then both wait.
    """
    moved_distance = max(
        abs(x - followers[follower, STALL_POSITION]),
        abs(y - followers[follower, STALL_POSITION + 1]),
        abs(z - followers[follower, STALL_POSITION + 2]),
    )
    if (
        is_at_rest
        or moved_distance > MIN_MOVE_FRACTION * within
        or followers[follower, U] - followers[follower, STALL_U] > MIN_MOVE_FRACTION
    ):
        (
            followers[follower, STALL_POSITION],
            followers[follower, STALL_POSITION + 1],
            followers[follower, STALL_POSITION + 2],
        ) = x, y, z
        followers[follower, STALL_U], followers[follower, STALLED_FOR], followers[follower, STALL_REPORTED] = (
            followers[follower, U],
            0.0,
            0.0,
        )
    else:
        followers[follower, STALLED_FOR] += step


MAX_SAMPLE_STEP = 0.25  # of a tabled facing: how far a target turns before it is looked again how far that is
MIN_DISTANCE_LEFT = 1e-12  # of one


@kernel
def orientation_at(orientation_samples: Floats, begin: int, count: int, closed: bool, v: float) -> Vec4:
    """The facing at v, counted in tabled ones: on the straight line between two, of length one."""
    v = v % (count - 1) if closed and v >= count - 1 else v
    number = min(int(v), count - 2)
    s, one, two = v - number, orientation_samples[begin + number], orientation_samples[begin + number + 1]
    sign = 1.0 if one[0] * two[0] + one[1] * two[1] + one[2] * two[2] + one[3] * two[3] >= 0 else -1.0
    w, x = one[0] + s * (sign * two[0] - one[0]), one[1] + s * (sign * two[1] - one[1])
    y, z = one[2] + s * (sign * two[2] - one[2]), one[3] + s * (sign * two[3] - one[3])
    length = np.sqrt(w * w + x * x + y * y + z * z)
    return w / length, x / length, y / length, z / length


@kernel
def relative_quaternion(w: float, x: float, y: float, z: float, q: Floats) -> Vec4:
    """How a facing stands to a body that faces as q: the quaternion from there to it."""
    p, r = w * q[0] + x * q[1] + y * q[2] + z * q[3], x * q[0] - w * q[1] + z * q[2] - y * q[3]
    return p, r, y * q[0] - w * q[2] + x * q[3] - z * q[1], z * q[0] - w * q[3] + y * q[1] - x * q[2]


@kernel
def rotation_vector_to(q: Floats, w: float, x: float, y: float, z: float) -> Vec3:
    """Twin of `quaternion.rotation_vector_between`: the rotation vector from q to a facing."""
    w, x, y, z = relative_quaternion(w, x, y, z, q)
    if w < 0:
        w, x, y, z = -w, -x, -y, -z
    sine = np.sqrt(x * x + y * y + z * z)
    scale = 2.0 if sine < 1e-12 else 2.0 * np.arctan2(sine, w) / sine
    return scale * x, scale * y, scale * z


@kernel
def advance_turn_target(
    orientation_samples: Floats,
    begin: int,
    count: int,
    closed: bool,
    v: float,
    stop_at: float,
    within: float,
    max_angle: float,
    q: Floats,
) -> float:
    """Twin of `target.advance_target` on tabled facings, counted by v; `max_angle` is how far it may turn.

    From one facing to the next it is a straight line, of which only the direction counts. Seen from a body that faces
    as q, the square of the sine of half the turn to s on that line is (a quadratic of s) / (another one): so where that
    is as far as `within` is solved for, and nothing is searched.
    """
    last_v, turned_angle = stop_at if closed else min(stop_at, float(count - 1)), 0.0
    end = v + count - 1  # once round, if there is nothing to turn to
    squared_sine, number = np.sin(within / 2) ** 2, -1
    excess = length = (0.0, 0.0, 0.0)
    while v < last_v and turned_angle < FULL_STEP * max_angle and v < end:
        wrapped = v % (count - 1) if closed and v >= count - 1 else v
        s = wrapped - min(int(wrapped), count - 2)
        if number != min(int(wrapped), count - 2):
            number = min(int(wrapped), count - 2)
            excess, length = chord_quadratics(orientation_samples, begin + number, squared_sine, q)
        if (excess[2] * s + excess[1]) * s + excess[0] >= 0.0:
            return v
        next_s = min(s + MAX_SAMPLE_STEP, s + last_v - v, 1.0)
        angle = chord_angle(length, s, next_s)
        if turned_angle + angle > max_angle:
            next_s = s + (next_s - s) * (max_angle - turned_angle) / angle
            angle = max_angle - turned_angle
        if (excess[2] * next_s + excess[1]) * next_s + excess[0] > 0.0:
            return v + min(max(upward_root(excess), s), next_s) - s
        v, turned_angle = max(v + next_s - s, v + MIN_DISTANCE_LEFT), turned_angle + angle
    return min(v, last_v)


@kernel
def chord_quadratics(orientation_samples: Floats, row: int, squared_sine: float, q: Floats) -> tuple[Vec3, Vec3]:
    """The line from a tabled facing to the next, as seen by a body that faces as q: two quadratics, lowest power first.

    How far it is beyond a turn whose sine of the half, squared, is `squared_sine`; and how long the line is from
    nowhere.
    """
    one, two = orientation_samples[row], orientation_samples[row + 1]
    w, x, y, z = relative_quaternion(one[0], one[1], one[2], one[3], q)
    a, b, c, d = relative_quaternion(two[0], two[1], two[2], two[3], q)
    if w * a + x * b + y * c + z * d < 0.0:
        a, b, c, d = -a, -b, -c, -d
    a, b, c, d = a - w, b - x, c - y, d - z
    low, middle, high = x * x + y * y + z * z, 2 * (x * b + y * c + z * d), b * b + c * c + d * d
    length = low + w * w, middle + 2 * w * a, high + a * a
    return (low - squared_sine * length[0], middle - squared_sine * length[1], high - squared_sine * length[2]), length


@kernel
def chord_angle(length: Vec3, s: float, t: float) -> float:
    """How far it turns from s to t on a line that is so long from nowhere [rad]."""
    dot = length[0] + length[1] * (s + t) / 2 + length[2] * s * t
    lengths = ((length[2] * s + length[1]) * s + length[0]) * ((length[2] * t + length[1]) * t + length[0])
    return float(2.0 * np.arccos(min(1.0, dot / np.sqrt(lengths))))


@kernel
def upward_root(quadratic: Vec3) -> float:
    """Where a quadratic becomes more than 0."""
    c, b, a = quadratic
    root = np.sqrt(max(b * b - 4 * a * c, 0.0))
    return float(-2 * c / (b + root)) if b > 0.0 else float((root - b) / (2 * a))


@kernel
def step_turn(
    followers: Floats,
    follower: int,
    segment_range: Ints,
    closed: bool,
    orientation_samples: Floats,
    gains: Floats,
    within: float,
    max_angle: float,
    step: float,
    q: Floats,
    angular_velocity: Vec3,
) -> None:
    """Let the second target of a follower turn on, and remember how its body, which faces and spins so, is to turn.

    It keeps `within` ahead, and turns no more than `max_angle` [rad].
    """
    speed_factor, stop_at, begin, count = (
        followers[follower, TURN_SPEED_FACTOR],
        followers[follower, TURN_STOP_AT] * SAMPLES_PER_SEGMENT,
        segment_range[2],
        segment_range[3],
    )
    k, c = gains[0] * speed_factor * speed_factor, gains[1] * speed_factor
    v = advance_turn_target(
        orientation_samples,
        begin,
        count,
        closed,
        followers[follower, TURN_U] * SAMPLES_PER_SEGMENT,
        stop_at,
        within,
        max_angle,
        q,
    )
    followers[follower, TURN_U] = v / SAMPLES_PER_SEGMENT
    w, x, y, z = orientation_at(orientation_samples, begin, count, closed, v)
    rotation, implicit_factor = rotation_vector_to(q, w, x, y, z), 1 + step * c + step * step * k
    for axis in range(3):
        relative_velocity = angular_velocity[axis] - followers[follower, PATH_ANGULAR_VELOCITY + axis]
        command = (k * rotation[axis] - c * relative_velocity) / implicit_factor - followers[
            follower, ANGULAR_DISTURBANCE + axis
        ]
        followers[follower, ANGULAR_ACCEL_CMD + axis], followers[follower, ANGULAR_VELOCITY + axis] = (
            command,
            angular_velocity[axis],
        )
    is_at_rest = v >= stop_at or (not closed and v >= count - 1)
    is_at_rest = (
        is_at_rest and rotation[0] ** 2 + rotation[1] ** 2 + rotation[2] ** 2 <= (AT_REST_FRACTION * within) ** 2
    )
    update_turn_stall(followers, follower, q, within, is_at_rest, step * speed_factor)


@kernel
def update_turn_stall(
    followers: Floats, follower: int, q: Floats, within: float, is_at_rest: bool, step: float
) -> None:
    """As `update_stall`, for the second target of a follower and the way its body faces."""
    w, x, y, z = (
        followers[follower, STALL_ORIENTATION],
        followers[follower, STALL_ORIENTATION + 1],
        followers[follower, STALL_ORIENTATION + 2],
        followers[follower, STALL_ORIENTATION + 3],
    )
    _, a, b, c = relative_quaternion(w, x, y, z, q)
    has_turned = a * a + b * b + c * c > np.sin(MIN_MOVE_FRACTION * within / 2) ** 2
    if is_at_rest or has_turned or followers[follower, TURN_U] - followers[follower, TURN_STALL_U] > MIN_MOVE_FRACTION:
        for number in range(4):
            followers[follower, STALL_ORIENTATION + number] = q[number]
        (
            followers[follower, TURN_STALL_U],
            followers[follower, TURN_STALLED_FOR],
            followers[follower, TURN_STALL_REPORTED],
        ) = followers[follower, TURN_U], 0.0, 0.0
    else:
        followers[follower, TURN_STALLED_FOR] += step


@kernel
def set_torque(
    q: Floats, axes: Floats, inertia: Floats, acceleration: Vec3, angular_velocity: Vec3, force: Floats
) -> None:
    """Twin of `force_law.torque`: fill the last three of `force` with what turns a body as wanted."""
    if inertia[0] == inertia[1] == inertia[2]:  # as of a ball, whose spin does not turn itself
        force[3], force[4], force[5] = (
            inertia[0] * acceleration[0],
            inertia[0] * acceleration[1],
            inertia[0] * acceleration[2],
        )
        return
    tx, ty, tz = apply_inertia(q, axes, inertia, acceleration)
    mx, my, mz = apply_inertia(q, axes, inertia, angular_velocity)
    force[3] = tx + angular_velocity[1] * mz - angular_velocity[2] * my
    force[4] = ty + angular_velocity[2] * mx - angular_velocity[0] * mz
    force[5] = tz + angular_velocity[0] * my - angular_velocity[1] * mx


@kernel
def apply_inertia(q: Floats, axes: Floats, inertia: Floats, vector: Vec3) -> Vec3:
    """A vector of the world times the inertia of a body, whose own axes stand so in it."""
    x, y, z = rotate_vector(q, -1.0, vector[0], vector[1], vector[2])
    x, y, z = rotate_vector(axes, -1.0, x, y, z)
    x, y, z = rotate_vector(axes, 1.0, inertia[0] * x, inertia[1] * y, inertia[2] * z)
    return rotate_vector(q, 1.0, x, y, z)
