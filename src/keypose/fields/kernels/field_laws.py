"""Numba twins of the library's laws (`Field.push` of what `term_arrays.terms` can tell), for one place and one
law.
"""

import numpy as np

from keypose.fields.kernels.law import PULL, UNIFORM, VORTEX
from keypose.fields.kernels.records import CarrierPoses
from keypose.maths import Floats, Vec3, kernel

# The columns of a law, as `Law.row` fills them.
KIND, STRENGTH, POWER, CORE, POSITION, DIRECTION, REACH, RADIUS, BALL_CENTER, EDGE, IS_CENTRAL = (
    0,
    1,
    2,
    3,
    4,
    7,
    10,
    11,
    12,
    15,
    16,
)
MAX_SQUARE = 1e180


@kernel
def length(x: float, y: float, z: float) -> float:
    """Twin of `transform.vector_lengths`."""
    square = x * x + y * y + z * z
    if 1e-180 < square < MAX_SQUARE:
        return np.sqrt(square)
    return np.hypot(np.hypot(x, y), z)


@kernel
def falloff_strength(strength: float, power: float, distance: float) -> float:
    """Twin of `Falloff.scale_by_falloff`: strength / distance^power, by products where that is a small whole number."""
    if power == 3.0:
        inverse = 1.0 / distance
        return strength * (inverse * inverse * inverse)
    if power == 2.0:
        inverse = 1.0 / distance
        return strength * (inverse * inverse)
    if power == 1.0:
        return strength * (1.0 / distance)
    if power == 0.0:
        return strength
    return strength * (1.0 / distance) ** power


@kernel
def smoothstep(depth: float, width: float) -> float:
    """Twin of `smoothstep.smoothstep`."""
    if width == 0.0:
        return 1.0 if depth >= 0.0 else 0.0
    fraction = min(max(depth / width, 0.0), 1.0)
    return fraction * fraction * (3.0 - 2.0 * fraction)


@kernel
def law_push(laws: Floats, law: int, x: float, y: float, z: float) -> Vec3:
    """The push of a law at a place, both in the frame of who carries it."""
    strength = laws[law, STRENGTH]
    if laws[law, RADIUS] < np.inf:
        distance = length(x - laws[law, BALL_CENTER], y - laws[law, BALL_CENTER + 1], z - laws[law, BALL_CENTER + 2])
        fraction = smoothstep(laws[law, RADIUS] - distance, laws[law, EDGE])
        if fraction == 0.0:
            return 0.0, 0.0, 0.0
        strength = strength * fraction
    kind = laws[law, KIND]
    ax, ay, az = laws[law, DIRECTION], laws[law, DIRECTION + 1], laws[law, DIRECTION + 2]
    if kind == UNIFORM:
        return strength * ax, strength * ay, strength * az
    dx, dy, dz = x - laws[law, POSITION], y - laws[law, POSITION + 1], z - laws[law, POSITION + 2]
    if kind == PULL:
        dx, dy, dz = -dx, -dy, -dz
    elif kind == VORTEX:
        dx, dy, dz = ay * dz - az * dy, az * dx - ax * dz, ax * dy - ay * dx
    else:
        reach = laws[law, REACH]
        weight = strength * smoothstep(reach - (dx * ax + dy * ay + dz * az), reach)
        return weight * ax, weight * ay, weight * az
    weight = falloff_strength(strength, laws[law, POWER], max(length(dx, dy, dz), laws[law, CORE]))
    return weight * dx, weight * dy, weight * dz


@kernel
def rotate(orientation: Floats, row: int, sign: float, x: float, y: float, z: float) -> Vec3:
    """Twin of `quaternion.rotate` for one vector; with the sign -1 it is turned back."""
    w, a, b, c = orientation[row, 0], sign * orientation[row, 1], sign * orientation[row, 2], sign * orientation[row, 3]
    p, q, r = 2.0 * (b * z - c * y), 2.0 * (c * x - a * z), 2.0 * (a * y - b * x)
    return x + w * p + b * r - c * q, y + w * q + c * p - a * r, z + w * r + a * q - b * p


@kernel
def carried_law_push(laws: Floats, law: int, poses: CarrierPoses, carrier: int, x: float, y: float, z: float) -> Vec3:
    """The push of a law at the offset x, y, z from its carrier."""
    if carrier < poses.unrotated_count:
        return law_push(laws, law, x, y, z)
    row = carrier - poses.unrotated_count
    x, y, z = rotate(poses.orientation, row, -1.0, x, y, z)
    x, y, z = law_push(laws, law, x, y, z)
    return rotate(poses.orientation, row, 1.0, x, y, z)
