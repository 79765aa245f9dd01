"""Compiled loops over contacts, between MuJoCo's collision detection and its constraints."""

import numpy as np

from keypose.maths import Floats, Ints, kernel, rotate_vector
from keypose.physics.engine.body_arrays import BodyArrays
from keypose.physics.engine.contact_model.spring_contacts import (
    LOSSLESS_DAMPING_RATIO,
    SPRING_DAMPING_RATIO,
    SPRING_IMPEDANCE,
)


@kernel
def set_friction_time(dist: Floats, friction_solref: Floats, shallow_depth: float, friction_time: float) -> None:
    """Twin of `contact_model.set_friction_time`."""
    for contact in range(len(dist)):
        is_resting = dist[contact] >= -shallow_depth
        friction_solref[contact, 0], friction_solref[contact, 1] = (
            friction_time if is_resting else 0.0,
            1.0 if is_resting else 0.0,
        )


@kernel
def set_frozen_solref(geoms: Ints, body_of_geom: Ints, frozen_contacts: Floats, step: float, solref: Floats) -> None:
    """Twin of `frozen_contacts.frozen_solref`: changes how `solref` (n, 2) contacts of pairs of geoms (n, 2)
    are.
    """
    for contact in range(len(geoms)):
        one, two = body_of_geom[geoms[contact, 0]], body_of_geom[geoms[contact, 1]]
        for row in range(len(frozen_contacts)):
            if frozen_contacts[row, 0] == min(one, two) and frozen_contacts[row, 1] == max(one, two):
                solref[contact, 0] *= max(1.0, frozen_contacts[row, 2] / step)


@kernel
def set_spring_contacts(
    geoms: Ints,
    body_of_geom: Ints,
    moving_count: int,
    dist: Floats,
    shallow_depth: float,
    solref: Floats,
    solimp: Floats,
) -> bool:
    """Twin of `spring_contacts.find_spring_contacts`: make springs of the contacts of bodies that bounce off several
    others at once, and of the bodies that pass the collision on.

    Pairs of geoms (n, 2), each that of a solid, of which the first are `moving_count`, are so far apart (n,) [m] and so
    `solref` (n, 2). Fills how much of what it is to do a contact `solimp` (n, …), and returns whether there is any
    spring. Two that are alone stay as they are, unless they bounce for ever, and so do those that only lie there.
    """
    contact_counts, is_body_struck = np.zeros(moving_count, np.int64), np.zeros(moving_count, np.bool_)
    first = np.arange(len(dist))  # of those between the same two, which follow each other
    springs = np.zeros(len(dist), np.bool_)
    for contact in range(len(dist)):
        if solref[contact, 1] > SPRING_DAMPING_RATIO:
            continue
        if contact and geoms[contact, 0] == geoms[contact - 1, 0] and geoms[contact, 1] == geoms[contact - 1, 1]:
            first[contact] = first[contact - 1]
            continue
        for side in range(2):
            if body_of_geom[geoms[contact, side]] < moving_count:
                contact_counts[body_of_geom[geoms[contact, side]]] += 1
    has_springs, has_changed = False, True
    while has_changed:
        has_changed = False
        for contact in range(len(dist)):
            if solref[contact, 1] > SPRING_DAMPING_RATIO or springs[first[contact]]:
                continue
            one, two = body_of_geom[geoms[contact, 0]], body_of_geom[geoms[contact, 1]]
            is_alone = (one >= moving_count or contact_counts[one] < 2) and (
                two >= moving_count or contact_counts[two] < 2
            )
            is_alone = is_alone and solref[contact, 1] > LOSSLESS_DAMPING_RATIO
            is_struck = (one < moving_count and is_body_struck[one]) or (two < moving_count and is_body_struck[two])
            if is_struck or (dist[contact] < -shallow_depth and not is_alone):
                springs[first[contact]] = has_changed = has_springs = True
                if one < moving_count:
                    is_body_struck[one] = True
                if two < moving_count:
                    is_body_struck[two] = True
    for contact in range(len(dist)):
        if solref[contact, 1] <= SPRING_DAMPING_RATIO and springs[first[contact]]:
            solimp[contact, 0] = solimp[contact, 1] = SPRING_IMPEDANCE
    return has_springs


@kernel
def soften_springs(
    geoms: Ints,
    body_of_geom: Ints,
    bodies: BodyArrays,
    points: Floats,
    frames: Floats,
    solimp: Floats,
    solref: Floats,
) -> None:
    """Twin of `spring_contacts.soften_spring`, for all springs between free bodies."""
    poses, inertia = bodies.poses, bodies.inertia
    for contact in range(len(solimp)):
        if solimp[contact, 0] != SPRING_IMPEDANCE:
            continue
        inverse_mass = inverse_inertia = 0.0
        for side in range(2):
            row = body_of_geom[geoms[contact, side]]
            if row < len(poses):
                x, y, z = frames[contact, 0], frames[contact, 1], frames[contact, 2]
                a, b = points[contact, 0] - poses[row, 0], points[contact, 1] - poses[row, 1]
                c = points[contact, 2] - poses[row, 2]
                x, y, z = rotate_vector(poses[row, 3:], -1.0, b * z - c * y, c * x - a * z, a * y - b * x)
                x, y, z = rotate_vector(bodies.axes[row], -1.0, x, y, z)
                inverse_mass += 1 / bodies.mass[row]
                inverse_inertia += x * x / inertia[row, 0] + y * y / inertia[row, 1] + z * z / inertia[row, 2]
        ratio = (inverse_mass + inverse_inertia) / inverse_mass
        solref[contact, 0] *= ratio
        solref[contact, 1] /= np.sqrt(ratio)
