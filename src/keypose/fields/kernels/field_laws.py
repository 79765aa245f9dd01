"""Numba twins of the library's laws (`Field.push` of what `plain.terms` can tell), for one place and one law."""

import numpy as np

from keypose.fields.kernels.law import PULL, UNIFORM, WHIRL
from keypose.maths.arrays import Floats, Vec3
from keypose.maths.kernel_switch import kernel

# The columns of a law, as `Law.row` fills them.
KIND, STRENGTH, POWER, CORE, PLACE, ALONG, REACH, RADIUS, MIDDLE, EDGE, CENTRAL = 0, 1, 2, 3, 4, 7, 10, 11, 12, 15, 16
LARGEST_SQUARE = 1e180


@kernel
def length(x: float, y: float, z: float) -> float:
    """Twin of `placing.length`."""
    square = x * x + y * y + z * z
    if 1e-180 < square < LARGEST_SQUARE:
        return np.sqrt(square)
    return np.hypot(np.hypot(x, y), z)


@kernel
def weakened(strength: float, power: float, distance: float) -> float:
    """Twin of `Weakening.weakened`: strength / distance^power, by products where that is a small whole number."""
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
def risen(depth: float, over: float) -> float:
    """Twin of `fade.rising`."""
    if over == 0.0:
        return 1.0 if depth >= 0.0 else 0.0
    share = min(max(depth / over, 0.0), 1.0)
    return share * share * (3.0 - 2.0 * share)


@kernel
def pushed(laws: Floats, law: int, x: float, y: float, z: float) -> Vec3:
    """The push of a law at a place, both in the frame of who carries it."""
    strength = laws[law, STRENGTH]
    if laws[law, RADIUS] < np.inf:
        away = length(x - laws[law, MIDDLE], y - laws[law, MIDDLE + 1], z - laws[law, MIDDLE + 2])
        share = risen(laws[law, RADIUS] - away, laws[law, EDGE])
        if share == 0.0:
            return 0.0, 0.0, 0.0
        strength = strength * share
    kind = laws[law, KIND]
    ax, ay, az = laws[law, ALONG], laws[law, ALONG + 1], laws[law, ALONG + 2]
    if kind == UNIFORM:
        return strength * ax, strength * ay, strength * az
    dx, dy, dz = x - laws[law, PLACE], y - laws[law, PLACE + 1], z - laws[law, PLACE + 2]
    if kind == PULL:
        dx, dy, dz = -dx, -dy, -dz
    elif kind == WHIRL:
        dx, dy, dz = ay * dz - az * dy, az * dx - ax * dz, ax * dy - ay * dx
    else:
        reach = laws[law, REACH]
        weight = strength * risen(reach - (dx * ax + dy * ay + dz * az), reach)
        return weight * ax, weight * ay, weight * az
    weight = weakened(strength, laws[law, POWER], max(length(dx, dy, dz), laws[law, CORE]))
    return weight * dx, weight * dy, weight * dz


@kernel
def turned(turn: Floats, at: int, sign: float, x: float, y: float, z: float) -> Vec3:
    """Twin of `quaternion.rotate` for one vector; with the sign -1 it is turned back."""
    w, a, b, c = turn[at, 0], sign * turn[at, 1], sign * turn[at, 2], sign * turn[at, 3]
    p, q, r = 2.0 * (b * z - c * y), 2.0 * (c * x - a * z), 2.0 * (a * y - b * x)
    return x + w * p + b * r - c * q, y + w * q + c * p - a * r, z + w * r + a * q - b * p


@kernel
def felt(laws: Floats, law: int, turn: Floats, upright: int, carrier: int, x: float, y: float, z: float) -> Vec3:
    """The push of a carried law at x, y, z from its carrier, of whom those below `upright` are not turned."""
    if carrier < upright:
        return pushed(laws, law, x, y, z)
    at = carrier - upright
    x, y, z = turned(turn, at, -1.0, x, y, z)
    x, y, z = pushed(laws, law, x, y, z)
    return turned(turn, at, 1.0, x, y, z)
