"""Compiled loops over bodies: where they are and how they go, what springs pull with, and who has just met."""

import numpy as np

from keypose.maths import Floats, Ints, Vec3, kernel, rotate_vector
from keypose.physics.engine.body_arrays import BodyArrays, ContactBuffers, ContactGeometry
from keypose.physics.engine.joint_specs import SpringArrays
from keypose.physics.engine.model_spec import MIDPOINT_ITERATIONS


@kernel
def interpolate_poses(before: Floats, after: Floats, fraction: float) -> Floats:
    """Places and turns (n, 7) at a share of the way between two ticks; twin of `state.interpolate_poses`."""
    poses = before + fraction * (after - before)
    for row in range(len(poses)):
        one, two = before[row, 3:], after[row, 3:]
        cosine = one[0] * two[0] + one[1] * two[1] + one[2] * two[2] + one[3] * two[3]
        sign = 1.0 if cosine >= 0 else -1.0
        angle = np.arccos(min(1.0, abs(cosine)))
        near, far = 1 - fraction, fraction
        if angle > 1e-4:  # below it, the straight way is as good
            near, far = np.sin((1 - fraction) * angle) / np.sin(angle), np.sin(fraction * angle) / np.sin(angle)
        size = 0.0
        for number in range(4):
            poses[row, 3 + number] = near * one[number] + sign * far * two[number]
            size += poses[row, 3 + number] ** 2
        for number in range(4):
            poses[row, 3 + number] /= np.sqrt(size)
    return poses


@kernel
def read_bodies(
    body_ids: Ints,
    root_ids: Ints,
    positions: Floats,
    orientations: Floats,
    com_velocities: Floats,
    subtree_coms: Floats,
    poses: Floats,
    velocities: Floats,
) -> None:
    """Fill the place and the motion of bodies from what MuJoCo knows: spin and velocity at the middle of each tree."""
    for row in range(len(body_ids)):
        body = body_ids[row]
        com = subtree_coms[root_ids[body]]
        x, y, z = positions[body, 0] - com[0], positions[body, 1] - com[1], positions[body, 2] - com[2]
        a, b, c = com_velocities[body, 0], com_velocities[body, 1], com_velocities[body, 2]
        for axis in range(3):
            poses[row, axis] = positions[body, axis]
        for number in range(4):
            poses[row, 3 + number] = orientations[body, number]
        velocities[row, 0] = com_velocities[body, 3] + b * z - c * y
        velocities[row, 1] = com_velocities[body, 4] + c * x - a * z
        velocities[row, 2] = com_velocities[body, 5] + a * y - b * x
        velocities[row, 3], velocities[row, 4], velocities[row, 5] = rotate_vector(orientations[body], -1.0, a, b, c)


@kernel
def point_velocity(poses: Floats, velocities: Floats, row: int, x: float, y: float, z: float) -> Vec3:
    """How a point of a moving body moves [m/s]."""
    a, b, c = rotate_vector(poses[row, 3:], 1.0, velocities[row, 3], velocities[row, 4], velocities[row, 5])
    x, y, z = x - poses[row, 0], y - poses[row, 1], z - poses[row, 2]
    return velocities[row, 0] + b * z - c * y, velocities[row, 1] + c * x - a * z, velocities[row, 2] + a * y - b * x


@kernel
def add_spring_forces(springs: SpringArrays, bodies: BodyArrays, step: float, forces: Floats) -> None:
    """Add the forces of springs to `forces`; weakened as the pull of a target is, so that no step is too long."""
    poses, velocities, mass = bodies.poses, bodies.velocities, bodies.mass
    body_rows, anchors, parameters = springs.body_rows, springs.anchors, springs.parameters
    for spring in range(len(body_rows)):
        end_points, lever, end_velocities, inverse_mass = np.empty((2, 3)), np.zeros((2, 3)), np.zeros((2, 3)), 0.0
        for side in range(2):
            row = body_rows[spring, side]
            x, y, z = anchors[spring, side, 0], anchors[spring, side, 1], anchors[spring, side, 2]
            if row >= 0:
                x, y, z = rotate_vector(poses[row, 3:], 1.0, x, y, z)
                lever[side, 0], lever[side, 1], lever[side, 2] = x, y, z
                x, y, z = x + poses[row, 0], y + poses[row, 1], z + poses[row, 2]
                a, b, c = point_velocity(poses, velocities, row, x, y, z)
                end_velocities[side, 0], end_velocities[side, 1], end_velocities[side, 2] = a, b, c
                inverse_mass += 1 / mass[row]
            end_points[side, 0], end_points[side, 1], end_points[side, 2] = x, y, z
        offset, relative_velocity = end_points[1] - end_points[0], end_velocities[1] - end_velocities[0]
        length = np.sqrt(offset @ offset)
        k, c = parameters[spring, 0], parameters[spring, 1]
        attenuation = 1 + step * c * inverse_mass + step * step * k * inverse_mass
        if parameters[spring, 2] == 0.0 or length == 0.0:  # to one place: slowed in every direction
            pull = (k * offset + c * relative_velocity) / attenuation
        else:
            direction = offset / length
            pull = (
                direction * (k * (length - parameters[spring, 2]) + c * (relative_velocity @ direction)) / attenuation
            )
        for side in range(2):
            row, sign = body_rows[spring, side], 1.0 - 2.0 * side
            if row >= 0:
                r = lever[side]
                forces[row, 0] += sign * pull[0]
                forces[row, 1] += sign * pull[1]
                forces[row, 2] += sign * pull[2]
                forces[row, 3] += sign * (r[1] * pull[2] - r[2] * pull[1])
                forces[row, 4] += sign * (r[2] * pull[0] - r[0] * pull[2])
                forces[row, 5] += sign * (r[0] * pull[1] - r[1] * pull[0])


@kernel
def set_gyroscopic_torques(rows: Ints, bodies: BodyArrays, step: float, forces: Floats) -> None:
    """Twin of `force_law.set_gyroscopic_torques`."""
    poses, velocities, inertia, axes = bodies.poses, bodies.velocities, bodies.inertia, bodies.axes
    for row in rows:
        x, y, z = rotate_vector(axes[row], -1.0, velocities[row, 3], velocities[row, 4], velocities[row, 5])
        a, b, c = inertia[row, 0], inertia[row, 1], inertia[row, 2]
        mx, my, mz = x, y, z
        for _ in range(MIDPOINT_ITERATIONS):
            tx, ty, tz = my * mz * (c - b) / a, mz * mx * (a - c) / b, mx * my * (b - a) / c
            mx, my, mz = x - step / 2 * tx, y - step / 2 * ty, z - step / 2 * tz
        tx, ty, tz = (y * z - my * mz) * (c - b), (z * x - mz * mx) * (a - c), (x * y - mx * my) * (b - a)
        tx, ty, tz = rotate_vector(axes[row], 1.0, tx, ty, tz)
        forces[row, 3], forces[row, 4], forces[row, 5] = rotate_vector(poses[row, 3:], 1.0, tx, ty, tz)


@kernel
def max_point_speed(velocities: Floats, max_radius: float) -> float:
    """How fast the fastest point of bodies may be [m/s], none of which is farther from the middle than `max_radius`."""
    velocity = angular_velocity = 0.0
    for row in range(len(velocities)):
        velocity = max(velocity, velocities[row, 0] ** 2 + velocities[row, 1] ** 2 + velocities[row, 2] ** 2)
        angular_velocity = max(
            angular_velocity, velocities[row, 3] ** 2 + velocities[row, 4] ** 2 + velocities[row, 5] ** 2
        )
    return float(np.sqrt(velocity) + max_radius * np.sqrt(angular_velocity))


@kernel
def find_contacts(
    contacts: ContactGeometry,
    known_codes: Ints,
    body_count: int,
    bodies: BodyArrays,
    previous_velocities: Floats,
    max_radius: float,
    min_speed: float,
    found: ContactBuffers,
) -> tuple[int, int, float]:
    """Find the pairs of bodies in contact; return their number, how many have just met, and the `max_point_speed`.

    Fill `found.codes` with a sorted code for each pair of all `body_count`, once; and for pairs that are not among the
    sorted `known_codes` and approach with at least `min_speed` [m/s] at `previous_velocities`, the index of a contact
    and that speed.
    """
    geoms, body_of_geom, points, frames = contacts.geoms, contacts.body_of_geom, contacts.points, contacts.frames
    poses, found_codes = bodies.poses, found.codes
    count, static_count, is_sorted = len(geoms), body_count - len(poses), True
    codes = np.empty(count, np.int64)
    for contact in range(count):
        one, two = (
            body_of_geom[geoms[contact, 0]] + static_count,
            body_of_geom[geoms[contact, 1]] + static_count,
        )  # as MuJoCo sorts them
        one, two = one - body_count if one >= body_count else one, two - body_count if two >= body_count else two
        codes[contact] = min(one, two) * body_count + max(one, two)
        is_sorted &= contact == 0 or codes[contact - 1] <= codes[contact]
    order = np.arange(count) if is_sorted else np.argsort(codes)
    pair_count, new_count, known_index = 0, 0, 0
    for contact in order:
        if pair_count and found_codes[pair_count - 1] == codes[contact]:
            continue
        found_codes[pair_count] = codes[contact]
        pair_count += 1
        while known_index < len(known_codes) and known_codes[known_index] < codes[contact]:
            known_index += 1
        if known_index < len(known_codes) and known_codes[known_index] == codes[contact]:
            continue
        x, y, z = points[contact, 0], points[contact, 1], points[contact, 2]
        speed = 0.0
        for side in range(2):
            row = body_of_geom[geoms[contact, side]]
            if row < len(poses):
                a, b, c = point_velocity(poses, previous_velocities, row, x, y, z)
                approach_speed = a * frames[contact, 0] + b * frames[contact, 1] + c * frames[contact, 2]
                speed += approach_speed if side == 0 else -approach_speed
        if speed >= min_speed:
            found.contacts[new_count], found.speeds[new_count] = contact, speed
            new_count += 1
    return pair_count, new_count, max_point_speed(bodies.velocities, max_radius)
