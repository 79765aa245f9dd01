"""Numba twins of one tick's pushes along explicit links, and from all of a group."""

import numpy as np
from numpy.typing import NDArray

from keypose.fields.kernels.laws import LARGEST_SQUARE, felt, length, weakened
from keypose.maths.kernel import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Shorts = NDArray[np.int32]
Indices = NDArray[np.uint32]


@kernel
def wires(
    firsts: Ints,
    carriers: Shorts,
    which: Shorts,
    affinity: Floats,
    laws: Floats,
    place: Floats,
    turn: Floats,
    upright: int,
    scale: float,
    out: Floats,
    start: int,
    stop: int,
) -> None:
    """Fill `out` (rows, 3) with Σ affinity · push over the links firsts[row] … firsts[row + 1] of each row."""
    for row in range(start, stop):
        x, y, z = place[row, 0], place[row, 1], place[row, 2]
        fx, fy, fz = 0.0, 0.0, 0.0
        for link in range(firsts[row], firsts[row + 1]):
            carrier, law, share = carriers[link], which[link], affinity[link]
            dx, dy, dz = x - place[carrier, 0], y - place[carrier, 1], z - place[carrier, 2]
            px, py, pz = felt(laws, law, turn, upright, carrier, dx, dy, dz)
            fx, fy, fz = fx + share * px, fy + share * py, fz + share * pz
        out[row, 0], out[row, 1], out[row, 2] = scale * fx, scale * fy, scale * fz


@kernel
def strands(
    firsts: Ints,
    carriers: Indices,
    strength: Floats,
    power: float,
    core: float,
    radius: float,
    place: Floats,
    scale: float,
    out: Floats,
    start: int,
    stop: int,
) -> None:
    """Add to `out` (rows, 3) the pulls to the carriers of each row, all with this power, core and radius."""
    reach, cubed = radius * radius, power == 3.0
    for row in range(start, stop):
        x, y, z = place[row, 0], place[row, 1], place[row, 2]
        fx, fy, fz, widest = 0.0, 0.0, 0.0, 0.0
        if cubed:  # by far the most common: gravity, and what is like it
            for link in range(firsts[row], firsts[row + 1]):
                carrier = carriers[link]
                dx, dy, dz = place[carrier, 0] - x, place[carrier, 1] - y, place[carrier, 2] - z
                square = dx * dx + dy * dy + dz * dz
                widest = max(widest, square)
                if square <= reach:
                    distance = max(np.sqrt(square), core)
                    weight = strength[link] / (distance * distance * distance)
                    fx, fy, fz = fx + weight * dx, fy + weight * dy, fz + weight * dz
        if not cubed or widest > LARGEST_SQUARE:
            fx, fy, fz = 0.0, 0.0, 0.0
            for link in range(firsts[row], firsts[row + 1]):
                carrier = carriers[link]
                dx, dy, dz = place[carrier, 0] - x, place[carrier, 1] - y, place[carrier, 2] - z
                distance = length(dx, dy, dz)
                if distance <= radius:
                    weight = weakened(strength[link], power, max(distance, core))
                    fx, fy, fz = fx + weight * dx, fy + weight * dy, fz + weight * dz
        out[row, 0] += scale * fx
        out[row, 1] += scale * fy
        out[row, 2] += scale * fz


@kernel
def crowd(
    rows: Ints,
    own: Ints,
    affinity: Floats,
    carriers: Ints,
    theirs: Ints,
    laws: Floats,
    place: Floats,
    turn: Floats,
    upright: int,
    scale: float,
    out: Floats,
    start: int,
    stop: int,
) -> None:
    """Add to `out` what everybody of a group pushes each of these rows, all by the only law, but not themselves."""
    for one in range(start, stop):
        row, me = rows[one], own[one]
        x, y, z = place[row, 0], place[row, 1], place[row, 2]
        fx, fy, fz = 0.0, 0.0, 0.0
        for other in range(len(carriers)):
            if theirs[other] == me:
                continue
            carrier = carriers[other]
            px, py, pz = felt(
                laws, 0, turn, upright, carrier, x - place[carrier, 0], y - place[carrier, 1], z - place[carrier, 2]
            )
            fx, fy, fz = fx + px, fy + py, fz + pz
        share = scale * affinity[one]
        out[row, 0] += share * fx
        out[row, 1] += share * fy
        out[row, 2] += share * fz
