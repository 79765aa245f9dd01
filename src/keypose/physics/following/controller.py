"""One step of all followers (LG95 §3): targets advance along their paths, and forces pull bodies to them.

This is the readable reference; `kernels` has the compiled twin of each function. A follower's second target is that of
its rotation: it advances along samples of the path's orientations, linear between two of them.
"""

from typing import Any

import numpy as np

from keypose.maths import Floats, RecordArray, quaternion
from keypose.physics.engine.body_arrays import BodyArrays
from keypose.physics.following.follower_arrays import (
    AT_REST_FRACTION,
    MAX_DISTURBANCE_WEIGHTS,
    MIN_MOVE_FRACTION,
    SAMPLES_PER_SEGMENT,
)
from keypose.physics.following.follower_state import FollowerPaths
from keypose.physics.following.force_law import Gains, filter_disturbance, min_filter_time, torque
from keypose.physics.following.target import advance_target, advance_turn_target, target_speed_fraction
from keypose.physics.values.body import RUNAWAY_LIMIT


def step_followers(
    paths: FollowerPaths, bodies: BodyArrays, step: float, followers: RecordArray, forces: Floats
) -> int:
    """Advance all targets by `step` [s] and fill `forces` (moving, 6) of their bodies; `followers` is their state.

    Return the row of a body that is lost, or -1; or -2 if a follower has been stuck for long enough to be reported.
    """
    is_lost = ~(np.abs(np.hstack([bodies.poses, bodies.velocities])) <= RUNAWAY_LIMIT).all(axis=1)
    if is_lost.any():
        return int(np.argmax(is_lost))
    status = -1
    for row in range(len(followers)):
        spec, follower = paths.specs[row], followers[row]
        path, body = PathSegments(paths, spec), int(spec.body_row)
        pose, velocity = bodies.poses[body], bodies.velocities[body]
        forces[body, :3] = bodies.mass[body] * step_position(path, follower, pose[:3], velocity[:3], step)
        if follower.stalled_for >= spec.stall_time and not follower.stall_reported:
            status = -2
        if spec.sample_count:
            angular_velocity = quaternion.rotate(pose[3:], velocity[3:])
            acceleration = step_rotation(path, follower, pose[3:], angular_velocity, bodies.payload[body], step)
            inertia = world_inertia(pose[3:], bodies.axes[body], bodies.inertia[body])
            forces[body, 3:] = torque(inertia, acceleration, angular_velocity)
            if follower.turn_stalled_for >= spec.stall_time and not follower.turn_stall_reported:
                status = -2
        follower.is_new = False
    return status


class PathSegments:
    """The path of one follower: a polynomial for each segment, and samples of its orientations."""

    def __init__(self, paths: FollowerPaths, spec: Any) -> None:
        self.spec = spec
        self._cubics = paths.cubics[spec.first_segment : spec.first_segment + spec.segment_count]
        self._samples = paths.orientation_samples[spec.first_sample : spec.first_sample + spec.sample_count]

    def position_at(self, u: float) -> Floats:
        """The position at u [m]."""
        (a, b, c, d), s = self._segment_at(u)
        return np.asarray(((d * s + c) * s + b) * s + a)

    def velocity_at(self, u: float) -> Floats:
        """Its derivative by u."""
        (_, b, c, d), s = self._segment_at(u)
        return np.asarray((3 * d * s + 2 * c) * s + b)

    def orientation_at(self, v: float) -> Floats:
        """The orientation at v, counted in samples: linear between two of them, normalized."""
        last = len(self._samples) - 1
        v = v % last if self.spec.closed and v >= last else v
        number = min(int(v), last - 1)
        start, end = self._samples[number], quaternion.align_sign(self._samples[number], self._samples[number + 1])
        return quaternion.normalize(start + (v - number) * (end - start))

    def _segment_at(self, u: float) -> tuple[Floats, float]:
        count, number = len(self._cubics), int(np.floor(u))
        if self.spec.closed:
            return self._cubics[number % count], u - number
        number = min(number, count - 1)
        return self._cubics[number], u - number


def step_position(path: PathSegments, follower: Any, position: Floats, velocity: Floats, step: float) -> Floats:
    """Advance the target of a follower; return the acceleration that pulls its body toward it [m/s²]."""
    spec, speed_factor = path.spec, follower.speed_factor
    if not follower.is_new and spec.filter_time > 0:
        follower.disturbance = filter_disturbance(
            follower.disturbance,
            follower.velocity,
            velocity,
            follower.accel_cmd,
            step,
            spec.filter_time,
            spec.max_disturbance,
        )
    end = follower.u + spec.segment_count if spec.closed else float(spec.segment_count)  # one lap at most

    def distance_at(u: float) -> float:
        return float(np.linalg.norm(path.position_at(u) - position))

    def slope_at(u: float) -> float:
        offset = path.position_at(u) - position
        distance = float(np.linalg.norm(offset))
        return float(path.velocity_at(u) @ offset) / distance if distance > 0 else 0.0

    follower.u = advance_target(
        float(follower.u),
        min(float(follower.stop_at), end),
        float(spec.within),
        step * spec.max_target_speed * target_speed_fraction(speed_factor),
        distance_at,
        slope_at,
        lambda u: float(np.linalg.norm(path.velocity_at(u))),
    )
    target = path.position_at(follower.u)
    gains = Gains(spec.stiffness, spec.damping).at_speed_factor(speed_factor)
    acceleration = gains.acceleration(target - position, velocity, step, follower.path_velocity) - follower.disturbance
    follower.target, follower.velocity, follower.accel_cmd = target, velocity, acceleration
    is_at_end = follower.u >= follower.stop_at or (not spec.closed and follower.u >= spec.segment_count)
    is_at_rest = is_at_end and distance_at(follower.u) <= AT_REST_FRACTION * spec.within
    has_moved = (
        np.abs(position - follower.stall_position).max() > MIN_MOVE_FRACTION * spec.within
        or follower.u - follower.stall_u > MIN_MOVE_FRACTION
    )
    if is_at_rest or has_moved:
        follower.stall_position, follower.stall_u = position, follower.u
        follower.stalled_for, follower.stall_reported = 0.0, False
    else:
        follower.stalled_for += step * speed_factor
    return np.asarray(acceleration)


def step_rotation(
    path: PathSegments,
    follower: Any,
    orientation: Floats,
    angular_velocity: Floats,
    payload: Floats,
    step: float,
) -> Floats:
    """Advance the second target of a follower; return the angular acceleration that turns its body to it [rad/s²]."""
    spec, speed_factor, (weight_acceleration, inertia_ratio) = path.spec, follower.turn_speed_factor, payload
    if not follower.is_new and spec.filter_time > 0:
        follower.angular_disturbance = filter_disturbance(
            follower.angular_disturbance,
            follower.angular_velocity,
            angular_velocity,
            follower.angular_accel_cmd,
            step,
            max(spec.filter_time, min_filter_time(inertia_ratio, spec.stiffness)),
            spec.max_angular_disturbance + MAX_DISTURBANCE_WEIGHTS * weight_acceleration,
        )
    stop_at = float(follower.turn_stop_at * SAMPLES_PER_SEGMENT)
    v = float(follower.turn_u * SAMPLES_PER_SEGMENT)
    lap = float(spec.sample_count - 1)
    v = advance_turn_target(
        v,
        min(stop_at, v + lap if spec.closed else lap),  # one lap at most
        float(spec.turn_within),
        step * spec.max_turn_speed * target_speed_fraction(speed_factor),
        orientation,
        path.orientation_at,
    )
    follower.turn_u = v / SAMPLES_PER_SEGMENT
    rotation = quaternion.rotation_vector_between(orientation, path.orientation_at(v))
    gains = Gains(spec.stiffness, spec.damping).at_speed_factor(speed_factor)
    acceleration = (
        gains.acceleration(rotation, angular_velocity, step, follower.path_angular_velocity)
        - follower.angular_disturbance
    )
    follower.angular_velocity, follower.angular_accel_cmd = angular_velocity, acceleration
    is_at_end = v >= stop_at or (not spec.closed and v >= spec.sample_count - 1)
    is_at_rest = is_at_end and np.linalg.norm(rotation) <= AT_REST_FRACTION * spec.turn_within
    turned_angle = quaternion.angle_between(follower.stall_orientation, orientation)
    has_moved = (
        turned_angle > MIN_MOVE_FRACTION * spec.turn_within
        or follower.turn_u - follower.turn_stall_u > MIN_MOVE_FRACTION
    )
    if is_at_rest or has_moved:
        follower.stall_orientation, follower.turn_stall_u = orientation, follower.turn_u
        follower.turn_stalled_for, follower.turn_stall_reported = 0.0, False
    else:
        follower.turn_stalled_for += step * speed_factor
    return np.asarray(acceleration)


def world_inertia(orientation: Floats, axes: Floats, inertia: Floats) -> Floats:
    """The inertia (3, 3) of a body in the world, about its principal axes (3,) as they stand in the body."""
    columns = quaternion.rotate(orientation, quaternion.rotate(axes, np.eye(3)))
    return np.asarray(columns.T @ np.diag(inertia) @ columns)
