"""Compiled twins of `controller`: targets on paths and sampled orientations, pulls and torques of all followers."""

from typing import Any

import numpy as np

from keypose.maths import Floats, RecordArray, Vec3, Vec4, kernel, rotate_vector
from keypose.physics.engine.body_arrays import BodyArrays
from keypose.physics.following.follower_arrays import (
    AT_REST_FRACTION,
    MAX_DISTURBANCE_WEIGHTS,
    MAX_TARGET_SPEED_RATIO,
    MIN_MOVE_FRACTION,
    SAMPLES_PER_SEGMENT,
)
from keypose.physics.following.follower_state import FollowerPaths
from keypose.physics.following.force_law import STABLE_FILTER_FACTOR
from keypose.physics.following.target import (
    FULL_STEP,
    LEAD_TOLERANCE,
    MARCH_STEPS,
    MAX_BRACKET_STEPS,
    MAX_PARAMETER_STEP,
    MAX_SAMPLE_STEP,
    MIN_SAMPLE_STEP,
    NEWTON_STEPS,
)
from keypose.physics.values.body import RUNAWAY_LIMIT


@kernel
def position_at(cubics: Floats, spec: Any, u: float) -> Vec3:
    """The position of a follower's path at u."""
    count = spec.segment_count
    number = min(int(np.floor(u)), count - 1) if not spec.closed else int(np.floor(u)) % count
    s = u - np.floor(u) if spec.closed else u - number
    cubic = cubics[spec.first_segment + number]
    x = ((cubic[3, 0] * s + cubic[2, 0]) * s + cubic[1, 0]) * s + cubic[0, 0]
    y = ((cubic[3, 1] * s + cubic[2, 1]) * s + cubic[1, 1]) * s + cubic[0, 1]
    z = ((cubic[3, 2] * s + cubic[2, 2]) * s + cubic[1, 2]) * s + cubic[0, 2]
    return x, y, z


@kernel
def squared_distance_terms(cubics: Floats, spec: Any, u: float, x: float, y: float, z: float) -> Vec3:
    """The squared distance of a point from the path at u, its derivative, and the squared speed of the path."""
    number, count = int(u), spec.segment_count
    if spec.closed and number >= count:
        number %= count
    number = min(number, count - 1)
    s = u - np.floor(u) if spec.closed else u - number
    cubic, squared_distance, slope_term, squared_speed = cubics[spec.first_segment + number], 0.0, 0.0, 0.0
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
    cubics: Floats, spec: Any, u: float, stop_at: float, max_distance: float, x: float, y: float, z: float
) -> float:
    """Twin of `target.advance_target` on a path, by squared distances; it stops at `stop_at`."""
    last_u = min(stop_at, u + spec.segment_count if spec.closed else float(spec.segment_count))  # one lap at most
    travelled, squared_lead = 0.0, spec.within * spec.within
    tolerance, newton_steps = 2 * LEAD_TOLERANCE * squared_lead, NEWTON_STEPS
    squared_distance, rate, squared_speed = squared_distance_terms(cubics, spec, u, x, y, z)
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
        squared_distance, next_rate, next_squared_speed = squared_distance_terms(cubics, spec, next_u, x, y, z)
        excess = squared_distance - squared_lead
        if abs(excess) <= tolerance:
            return next_u
        if excess > 0.0:
            low, high, side = u, next_u, 0
            for _ in range(MAX_BRACKET_STEPS):
                middle = high - excess * (high - low) / (excess - shortfall)
                squared_distance, _, _ = squared_distance_terms(cubics, spec, middle, x, y, z)
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
    disturbance: Floats,
    last_velocity: Floats,
    command: Floats,
    velocity: Vec3,
    step: float,
    weight: float,
    limit: float,
) -> None:
    """Twin of `force_law.filter_disturbance`; a measurement counts by `weight`."""
    square = 0.0
    for axis in range(3):
        measured = (velocity[axis] - last_velocity[axis]) / step - command[axis]
        disturbance[axis] += weight * (measured - disturbance[axis])
        square += disturbance[axis] ** 2
    if square > limit * limit:
        for axis in range(3):
            disturbance[axis] *= limit / np.sqrt(square)


@kernel
def min_filter_time(inertia_ratio: float, k: float) -> float:
    """Twin of `force_law.min_filter_time`."""
    return float(STABLE_FILTER_FACTOR * (inertia_ratio - 1.0) / np.sqrt(k))


@kernel
def target_speed_fraction(speed_factor: float) -> float:
    """Twin of `target.target_speed_fraction`."""
    square = speed_factor * speed_factor
    fourth = square * square
    sixteenth = fourth * fourth * fourth * fourth
    return speed_factor / MAX_TARGET_SPEED_RATIO + (1.0 - 1.0 / MAX_TARGET_SPEED_RATIO) * sixteenth


@kernel
def step_followers(
    paths: FollowerPaths, bodies: BodyArrays, step: float, followers: RecordArray, forces: Floats
) -> int:
    """Advance all targets by `step` [s] and fill `forces` (moving, 6) of their bodies; `followers` is their state.

    Return the row of a body that is lost, or -1; or -2 if a follower has been stuck for long enough to be reported.
    """
    status, filter_time, filter_weight = -1, 0.0, 0.0
    poses, velocities, mass = bodies.poses, bodies.velocities, bodies.mass
    inertia, axes, payload = bodies.inertia, bodies.axes, bodies.payload
    for body in range(len(poses)):
        for number in range(7):
            if (
                not abs(poses[body, number]) <= RUNAWAY_LIMIT
                or not abs(velocities[body, min(number, 5)]) <= RUNAWAY_LIMIT
            ):
                return body
    for row in range(len(followers)):
        spec, follower = paths.specs[row], followers[row]
        body, q = spec.body_row, poses[spec.body_row, 3:]
        if spec.filter_time != filter_time:  # most followers have the same
            filter_time = spec.filter_time
            filter_weight = -np.expm1(-step / filter_time) if filter_time > 0.0 else 0.0
        position = poses[body, 0], poses[body, 1], poses[body, 2]
        velocity = velocities[body, 0], velocities[body, 1], velocities[body, 2]
        command = step_position(paths.cubics, spec, follower, position, velocity, filter_weight, step)
        for axis in range(3):
            forces[body, axis] = mass[body] * command[axis]
        if follower.stalled_for >= spec.stall_time and not follower.stall_reported:
            status = -2
        if spec.sample_count > 0:
            orientation = q[0], q[1], q[2], q[3]
            angular_velocity = rotate_vector(q, 1.0, velocities[body, 3], velocities[body, 4], velocities[body, 5])
            loads = payload[body, 0], payload[body, 1]
            command = step_rotation(
                paths.orientation_samples, spec, follower, orientation, angular_velocity, loads, filter_weight, step
            )
            set_torque(q, axes[body], inertia[body], command, angular_velocity, forces[body])
            if follower.turn_stalled_for >= spec.stall_time and not follower.turn_stall_reported:
                status = -2
        follower.is_new = False
    return status


@kernel
def step_position(
    cubics: Floats, spec: Any, follower: Any, position: Vec3, velocity: Vec3, filter_weight: float, step: float
) -> Vec3:
    """Advance the target of a follower; return the acceleration that pulls its body toward it [m/s²]."""
    speed_factor, stop_at = follower.speed_factor, follower.stop_at
    k, c = spec.stiffness * speed_factor * speed_factor, spec.damping * speed_factor
    implicit_factor = 1 + step * c + step * step * k
    x, y, z = position
    if not follower.is_new and spec.filter_time > 0.0:
        update_disturbance(
            follower.disturbance,
            follower.velocity,
            follower.accel_cmd,
            velocity,
            step,
            filter_weight,
            spec.max_disturbance,
        )
    max_step = step * spec.max_target_speed * target_speed_fraction(speed_factor)
    u = advance_target(cubics, spec, follower.u, stop_at, max_step, x, y, z)
    target = position_at(cubics, spec, u)
    follower.u = u
    offset, command = (target[0] - x, target[1] - y, target[2] - z), follower.accel_cmd
    for axis in range(3):
        follower.target[axis], follower.velocity[axis] = target[axis], velocity[axis]
        relative_velocity = velocity[axis] - follower.path_velocity[axis]
        command[axis] = (k * offset[axis] - c * relative_velocity) / implicit_factor - follower.disturbance[axis]
    rest_distance = AT_REST_FRACTION * spec.within
    is_at_rest = u >= stop_at or (not spec.closed and u >= spec.segment_count)
    is_at_rest = is_at_rest and offset[0] ** 2 + offset[1] ** 2 + offset[2] ** 2 <= rest_distance**2
    update_stall(follower, x, y, z, spec.within, is_at_rest, step * speed_factor)
    return command[0], command[1], command[2]


@kernel
def update_stall(follower: Any, x: float, y: float, z: float, within: float, is_at_rest: bool, step: float) -> None:
    """Count for how long neither a follower nor its target has moved; one that has arrived is not stuck.

    The target alone may be at the end of the path while something keeps the body off: then both are counted.
    """
    position = follower.stall_position
    moved_distance = max(abs(x - position[0]), abs(y - position[1]), abs(z - position[2]))
    if is_at_rest or moved_distance > MIN_MOVE_FRACTION * within or follower.u - follower.stall_u > MIN_MOVE_FRACTION:
        position[0], position[1], position[2] = x, y, z
        follower.stall_u, follower.stalled_for, follower.stall_reported = follower.u, 0.0, False
    else:
        follower.stalled_for += step


@kernel
def orientation_at(orientation_samples: Floats, spec: Any, v: float) -> Vec4:
    """The orientation of a follower's path at v, counted in samples: linear between two of them, normalized."""
    count = spec.sample_count
    v = v % (count - 1) if spec.closed and v >= count - 1 else v
    number = min(int(v), count - 2)
    row = spec.first_sample + number
    s, one, two = v - number, orientation_samples[row], orientation_samples[row + 1]
    sign = 1.0 if one[0] * two[0] + one[1] * two[1] + one[2] * two[2] + one[3] * two[3] >= 0 else -1.0
    w, x = one[0] + s * (sign * two[0] - one[0]), one[1] + s * (sign * two[1] - one[1])
    y, z = one[2] + s * (sign * two[2] - one[2]), one[3] + s * (sign * two[3] - one[3])
    length = np.sqrt(w * w + x * x + y * y + z * z)
    return w / length, x / length, y / length, z / length


@kernel
def relative_quaternion(w: float, x: float, y: float, z: float, q: Vec4 | Floats) -> Vec4:
    """How a facing stands to a body that faces as q: the quaternion from there to it."""
    p, r = w * q[0] + x * q[1] + y * q[2] + z * q[3], x * q[0] - w * q[1] + z * q[2] - y * q[3]
    return p, r, y * q[0] - w * q[2] + x * q[3] - z * q[1], z * q[0] - w * q[3] + y * q[1] - x * q[2]


@kernel
def rotation_vector_to(q: Vec4 | Floats, w: float, x: float, y: float, z: float) -> Vec3:
    """Twin of `quaternion.rotation_vector_between`: the rotation vector from q to a facing."""
    w, x, y, z = relative_quaternion(w, x, y, z, q)
    if w < 0:
        w, x, y, z = -w, -x, -y, -z
    sine = np.sqrt(x * x + y * y + z * z)
    scale = 2.0 if sine < 1e-12 else 2.0 * np.arctan2(sine, w) / sine
    return scale * x, scale * y, scale * z


@kernel
def advance_turn_target(
    orientation_samples: Floats, spec: Any, v: float, stop_at: float, max_angle: float, q: Vec4 | Floats
) -> float:
    """Twin of `target.advance_target` on sampled orientations, counted by v; it turns by `max_angle` [rad] at most.

    Between two samples orientations are on a line, of which only the direction counts. As seen from a body with
    orientation q, the squared sine of half the angle to s on that line is the ratio of two quadratics of s: the point
    at which it reaches the lead angle is solved for, not searched.
    """
    count, closed, begin = spec.sample_count, spec.closed, spec.first_sample
    last_v, turned_angle = stop_at if closed else min(stop_at, float(count - 1)), 0.0
    end = v + count - 1  # once round, if there is nothing to turn to
    squared_sine, number = np.sin(spec.turn_within / 2) ** 2, -1
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
        v, turned_angle = max(v + next_s - s, v + MIN_SAMPLE_STEP), turned_angle + angle
    return min(v, last_v)


@kernel
def chord_quadratics(orientation_samples: Floats, row: int, squared_sine: float, q: Vec4 | Floats) -> tuple[Vec3, Vec3]:
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
def step_rotation(
    orientation_samples: Floats,
    spec: Any,
    follower: Any,
    q: Vec4,
    angular_velocity: Vec3,
    payload: tuple[float, float],
    filter_weight: float,
    step: float,
) -> Vec3:
    """Advance the second target of a follower; return the angular acceleration that turns its body to it [rad/s²]."""
    weight_acceleration, inertia_ratio = payload
    if not follower.is_new and spec.filter_time > 0.0:
        turn_filter_time = min_filter_time(inertia_ratio, spec.stiffness)
        update_disturbance(
            follower.angular_disturbance,
            follower.angular_velocity,
            follower.angular_accel_cmd,
            angular_velocity,
            step,
            filter_weight if turn_filter_time <= spec.filter_time else -np.expm1(-step / turn_filter_time),
            spec.max_angular_disturbance + MAX_DISTURBANCE_WEIGHTS * weight_acceleration,
        )
    speed_factor, stop_at = follower.turn_speed_factor, follower.turn_stop_at * SAMPLES_PER_SEGMENT
    max_angle = step * spec.max_turn_speed * target_speed_fraction(speed_factor)
    k, c = spec.stiffness * speed_factor * speed_factor, spec.damping * speed_factor
    v = advance_turn_target(orientation_samples, spec, follower.turn_u * SAMPLES_PER_SEGMENT, stop_at, max_angle, q)
    follower.turn_u = v / SAMPLES_PER_SEGMENT
    w, x, y, z = orientation_at(orientation_samples, spec, v)
    rotation, command = rotation_vector_to(q, w, x, y, z), follower.angular_accel_cmd
    implicit_factor = 1 + step * c + step * step * k
    for axis in range(3):
        relative_velocity = angular_velocity[axis] - follower.path_angular_velocity[axis]
        command[axis] = (k * rotation[axis] - c * relative_velocity) / implicit_factor - follower.angular_disturbance[
            axis
        ]
        follower.angular_velocity[axis] = angular_velocity[axis]
    rest_angle = AT_REST_FRACTION * spec.turn_within
    is_at_rest = v >= stop_at or (not spec.closed and v >= spec.sample_count - 1)
    is_at_rest = is_at_rest and rotation[0] ** 2 + rotation[1] ** 2 + rotation[2] ** 2 <= rest_angle**2
    update_turn_stall(follower, q, spec.turn_within, is_at_rest, step * speed_factor)
    return command[0], command[1], command[2]


@kernel
def update_turn_stall(follower: Any, q: Vec4 | Floats, within: float, is_at_rest: bool, step: float) -> None:
    """As `update_stall`, for the second target of a follower and the orientation of its body."""
    stalled = follower.stall_orientation
    _, a, b, c = relative_quaternion(stalled[0], stalled[1], stalled[2], stalled[3], q)
    has_turned = a * a + b * b + c * c > np.sin(MIN_MOVE_FRACTION * within / 2) ** 2
    if is_at_rest or has_turned or follower.turn_u - follower.turn_stall_u > MIN_MOVE_FRACTION:
        for number in range(4):
            stalled[number] = q[number]
        follower.turn_stall_u, follower.turn_stalled_for = follower.turn_u, 0.0
        follower.turn_stall_reported = False
    else:
        follower.turn_stalled_for += step


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
