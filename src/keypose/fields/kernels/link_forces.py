"""Numba twins of one tick's pushes along explicit links, and from all of a group."""

import numpy as np

from keypose.fields.kernels.field_laws import MAX_SQUARE, carried_law_push, falloff_strength, length
from keypose.maths import Floats, Int32s, Ints, UInt32s, kernel

CHUNK_SIZE = 256  # links: what is kept of so many stays in the nearest cache


@kernel
def add_sparse_pushes(
    row_starts: Ints,
    carriers: Int32s,
    law_index: Int32s,
    affinity: Floats,
    laws: Floats,
    position: Floats,
    orientation: Floats,
    unrotated_count: int,
    scale: float,
    out: Floats,
    start: int,
    stop: int,
) -> None:
    """Add to `out` (rows, 3) Σ affinity · push over the links firsts[row] … firsts[row + 1] of each row."""
    for row in range(start, stop):
        x, y, z = position[row, 0], position[row, 1], position[row, 2]
        fx, fy, fz = 0.0, 0.0, 0.0
        for link in range(row_starts[row], row_starts[row + 1]):
            carrier, law, weight = carriers[link], law_index[link], affinity[link]
            dx, dy, dz = x - position[carrier, 0], y - position[carrier, 1], z - position[carrier, 2]
            px, py, pz = carried_law_push(laws, law, orientation, unrotated_count, carrier, dx, dy, dz)
            fx, fy, fz = fx + weight * px, fy + weight * py, fz + weight * pz
        out[row, 0] += scale * fx
        out[row, 1] += scale * fy
        out[row, 2] += scale * fz


@kernel
def add_dense_pushes(
    block_starts: Ints,
    rows: UInt32s,
    carriers: UInt32s,
    strength: Floats,
    power: float,
    core: float,
    radius: float,
    position: Floats,
    out: Floats,
    start: int,
    stop: int,
) -> None:
    """Add to `out` (rows, 3) the pulls along the links of the blocks start … stop, with one power, core and radius.

    Some links after the other, each time first all ways to their carriers, then all weights, then the sums: memory is
    asked for many places at once, and roots and quotients are taken for several links at once.
    """
    buffer = np.empty((4, CHUNK_SIZE + 8))  # not a power of two, as the nearest cache would put all four in one place
    dx, dy, dz, weight = buffer[0], buffer[1], buffer[2], buffer[3]
    for first in range(block_starts[start], block_starts[stop], CHUNK_SIZE):
        count, begin = np.uint64(min(CHUNK_SIZE, block_starts[stop] - first)), np.uint64(first)
        for link in range(count):
            row, carrier = rows[begin + link], carriers[begin + link]
            dx[link] = position[carrier, 0] - position[row, 0]
            dy[link] = position[carrier, 1] - position[row, 1]
            dz[link] = position[carrier, 2] - position[row, 2]
        fill_weights(dx, dy, dz, count, strength, begin, power, core, radius, weight)
        for link in range(count):
            row, link_weight = rows[begin + link], weight[link]
            out[row, 0] += link_weight * dx[link]
            out[row, 1] += link_weight * dy[link]
            out[row, 2] += link_weight * dz[link]


@kernel
def fill_weights(
    dx: Floats,
    dy: Floats,
    dz: Floats,
    count: np.uint64,
    strength: Floats,
    first: np.uint64,
    power: float,
    core: float,
    radius: float,
    weight: Floats,
) -> None:
    """Fill `weight` with what each way is to be taken times, strengths counted from `first`."""
    radius_squared, is_squarable = radius * radius, True
    if power == 3.0:  # by far the most common: gravity, and what is like it
        for link in range(count):
            square = dx[link] * dx[link] + dy[link] * dy[link] + dz[link] * dz[link]
            distance = max(np.sqrt(square), core)
            pull = strength[first + link] / (distance * distance * distance)
            weight[link] = pull if square <= radius_squared else 0.0
            is_squarable &= square <= MAX_SQUARE
        if is_squarable:
            return
    for link in range(count):
        x, y, z = dx[link], dy[link], dz[link]
        if power != 3.0 or x * x + y * y + z * z > MAX_SQUARE:
            distance = length(x, y, z)
            pull = falloff_strength(strength[first + link], power, max(distance, core))
            weight[link] = pull if distance <= radius else 0.0


@kernel
def add_group_pushes(
    rows: Ints,
    row_objects: Ints,
    affinity: Floats,
    carriers: Ints,
    carrier_objects: Ints,
    laws: Floats,
    position: Floats,
    orientation: Floats,
    unrotated_count: int,
    scale: float,
    out: Floats,
    start: int,
    stop: int,
) -> None:
    """Add to `out` what everybody of a group pushes each of these rows, all by the only law, but not themselves."""
    for index in range(start, stop):
        row, own_object = rows[index], row_objects[index]
        x, y, z = position[row, 0], position[row, 1], position[row, 2]
        fx, fy, fz = 0.0, 0.0, 0.0
        for other in range(len(carriers)):
            if carrier_objects[other] == own_object:
                continue
            carrier = carriers[other]
            px, py, pz = carried_law_push(
                laws,
                0,
                orientation,
                unrotated_count,
                carrier,
                x - position[carrier, 0],
                y - position[carrier, 1],
                z - position[carrier, 2],
            )
            fx, fy, fz = fx + px, fy + py, fz + pz
        weight = scale * affinity[index]
        out[row, 0] += weight * fx
        out[row, 1] += weight * fy
        out[row, 2] += weight * fz
