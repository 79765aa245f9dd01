"""Contacts that push as springs where several bodies bounce off each other at once; the reference of `kernels`.

MuJoCo gives each contact its speed back whatever the others do. Where several bounce at once that is more than there
was: a row of balls would gain energy. A body that is pressed and bounces off several others makes springs of
all its contacts, and so does each body that it passes the collision on to. MuJoCo assumes that bodies do not rotate
where they are hit. They do, and are more compliant, so their springs are softer by as much.
"""

from collections import Counter

import numpy as np

from keypose.maths import Bools, Floats, Ints, quaternion
from keypose.physics.engine.body_arrays import BodyArrays

SPRING_DAMPING_RATIO = 0.2  # ζ: a contact that gives back 0.57 of the speed or more may become a spring
LOSSLESS_DAMPING_RATIO = (
    0.01  # ζ: a contact without loss is always a spring, or a body that rotates during it would gain speed
)
SPRING_IMPEDANCE = (
    0.01  # of MuJoCo's constraint force: at this impedance a contact is a spring independent of the others
)


def find_spring_contacts(
    contact_pairs: Ints, moving_count: int, distances: Floats, shallow_depth: float, damping_ratios: Floats
) -> Bools:
    """Which contacts (n,) push as springs, between these solids (n, 2) of which the first are
    `moving_count`.

    They are so far `distances` (n,) [m], less than 0 if they are pressed together, and have such ζ (n,).
    """
    pairs = [(one, two) for one, two in contact_pairs.tolist()]
    bouncy_pairs = {
        pair: zeta for pair, zeta in zip(pairs, damping_ratios.tolist(), strict=True) if zeta <= SPRING_DAMPING_RATIO
    }
    bounce_counts = Counter(row for pair in bouncy_pairs for row in pair if row < moving_count)
    pressed = {
        pair
        for pair, distance in zip(pairs, distances.tolist(), strict=True)
        if pair in bouncy_pairs and distance < -shallow_depth
    }
    springs = {
        pair
        for pair in pressed
        if bouncy_pairs[pair] <= LOSSLESS_DAMPING_RATIO or max(bounce_counts[row] for row in pair) > 1
    }
    while True:  # until no body passes the collision on
        struck = {row for pair in springs for row in pair if row < moving_count}
        propagated = {pair for pair in bouncy_pairs if struck & {*pair}} - springs
        if not propagated:
            return np.array([pair in springs for pair in pairs], np.bool_)
        springs |= propagated


def inverse_effective_mass(
    pose: Floats, mass: float, inertia: Floats, axes: Floats, point: Floats, direction: Floats
) -> float:
    """How easily a free body, at a place (7,), moves at a point if it is pushed along a unit vector there [1/kg].

    1/m + (r×n)·I⁻¹(r×n), where the inertia (3,) is about axes that stand so in the body (4,).
    """
    lever = quaternion.rotate(quaternion.conjugate(pose[3:]), np.cross(point - pose[:3], direction))
    lever = quaternion.rotate(quaternion.conjugate(axes), lever)
    return float(1 / mass + (lever**2 / inertia).sum())


def soften_spring(solref: Floats, inverse_mass: float, assumed_inverse_mass: float) -> Floats:
    """The duration and ζ (2,) of a contact between bodies of this inverse mass, where `assumed_inverse_mass` was used.

    Its spring and its damper become weaker by the same factor.
    """
    ratio = max(inverse_mass / assumed_inverse_mass, SPRING_IMPEDANCE)
    return np.asarray(solref * (ratio, ratio**-0.5))


def set_spring_contacts(
    geoms: Ints,
    body_of_geom: Ints,
    moving_count: int,
    dist: Floats,
    shallow_depth: float,
    solref: Floats,
    solimp: Floats,
) -> bool:
    """Reduce the impedance of contacts that push as springs, in `solimp` (n, …); return whether there are any."""
    is_spring = find_spring_contacts(body_of_geom[geoms], moving_count, dist, shallow_depth, solref[:, 1])
    solimp[is_spring, :2] = SPRING_IMPEDANCE
    return bool(is_spring.any())


def soften_springs(
    geoms: Ints,
    body_of_geom: Ints,
    bodies: BodyArrays,
    points: Floats,
    frames: Floats,
    solimp: Floats,
    solref: Floats,
) -> None:
    """Soften all springs between free bodies, in `solref` (n, 2)."""
    for contact in np.flatnonzero(solimp[:, 0] == SPRING_IMPEDANCE).tolist():
        rows = [row for row in body_of_geom[geoms[contact]].tolist() if row < len(bodies.poses)]
        inverse_mass = sum(
            inverse_effective_mass(
                bodies.poses[row],
                bodies.mass[row],
                bodies.inertia[row],
                bodies.axes[row],
                points[contact],
                frames[contact, :3],
            )
            for row in rows
        )
        solref[contact] = soften_spring(solref[contact], inverse_mass, sum(1 / bodies.mass[row] for row in rows))
