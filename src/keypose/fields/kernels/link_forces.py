"""Numba kernels of one tick's pushes along explicit links, and from all members of a group."""

import numpy as np

from keypose.fields.kernels.field_laws import MAX_SQUARE, carried_law_push, falloff_strength, length
from keypose.fields.kernels.records import CarrierPoses, DenseLinks, GroupLinks, SparseLinks
from keypose.maths import Floats, kernel

CHUNK_SIZE = 256  # links: the offsets of so many stay in the nearest cache


@kernel
def add_sparse_pushes(
    links: SparseLinks, poses: CarrierPoses, scale: float, out: Floats, start: int, stop: int
) -> None:
    """Add to `out` (rows, 3) Σ affinity · push over the links of the rows start … stop."""
    position, row_starts, carriers = poses.position, links.row_starts, links.carriers
    for row in range(start, stop):
        x, y, z = position[row, 0], position[row, 1], position[row, 2]
        fx, fy, fz = 0.0, 0.0, 0.0
        for link in range(row_starts[row], row_starts[row + 1]):
            carrier, weight = carriers[link], links.affinity[link]
            dx, dy, dz = x - position[carrier, 0], y - position[carrier, 1], z - position[carrier, 2]
            px, py, pz = carried_law_push(links.laws, links.law_index[link], poses, carrier, dx, dy, dz)
            fx, fy, fz = fx + weight * px, fy + weight * py, fz + weight * pz
        out[row, 0] += scale * fx
        out[row, 1] += scale * fy
        out[row, 2] += scale * fz


@kernel
def add_dense_pushes(links: DenseLinks, position: Floats, out: Floats, start: int, stop: int) -> None:
    """Add to `out` (rows, 3) the pulls along the links of the rows start … stop.

    A chunk of links after the other, each time first all offsets to carriers, then all weights, then the sums: several
    positions are loaded at once, and roots and quotients are taken for several links at once.
    """
    offsets, one = np.empty((4, CHUNK_SIZE + 8)), np.uint64(1)  # + 8: a power of two would share one place in the cache
    dx, dy, dz, weight = offsets[0], offsets[1], offsets[2], offsets[3]
    row_starts, carriers = links.row_starts, links.carriers
    row, first, end = np.uint64(start), np.uint64(row_starts[start]), np.uint64(row_starts[stop])
    while first < end:
        first_row, link, chunk_end = row, first, min(first + np.uint64(CHUNK_SIZE), end)
        while True:
            x, y, z = position[row, 0], position[row, 1], position[row, 2]
            row_end = min(np.uint64(row_starts[row + one]), chunk_end)
            for index in range(link, row_end):
                carrier, slot = carriers[index], index - first
                dx[slot] = position[carrier, 0] - x
                dy[slot] = position[carrier, 1] - y
                dz[slot] = position[carrier, 2] - z
            link = row_end
            if link == chunk_end:
                break
            row += one
        fill_weights(links, first, chunk_end - first, offsets)
        link = first
        for summed_row in range(first_row, row + one):
            row_end = min(np.uint64(row_starts[summed_row + one]), chunk_end)
            fx, fy, fz = out[summed_row, 0], out[summed_row, 1], out[summed_row, 2]
            for summed in range(link - first, row_end - first):
                fx += weight[summed] * dx[summed]
                fy += weight[summed] * dy[summed]
                fz += weight[summed] * dz[summed]
            out[summed_row, 0], out[summed_row, 1], out[summed_row, 2] = fx, fy, fz
            link = row_end
        first = chunk_end


@kernel
def fill_weights(links: DenseLinks, first: np.uint64, count: np.uint64, offsets: Floats) -> None:
    """Fill offsets[3] with the factors of the `count` offsets[:3], whose links begin at `first`."""
    dx, dy, dz, weight = offsets[0], offsets[1], offsets[2], offsets[3]
    strength, power, core, radius = links.strength, links.power, links.core, links.radius
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
def add_group_pushes(group: GroupLinks, poses: CarrierPoses, scale: float, out: Floats, start: int, stop: int) -> None:
    """Add to `out` the pushes of all members of a group on its rows start … stop; no object pushes itself."""
    position, carriers, carrier_objects = poses.position, group.carriers, group.carrier_objects
    for index in range(start, stop):
        row, own_object = group.rows[index], group.row_objects[index]
        x, y, z = position[row, 0], position[row, 1], position[row, 2]
        fx, fy, fz = 0.0, 0.0, 0.0
        for other in range(len(carriers)):
            if carrier_objects[other] == own_object:
                continue
            carrier = carriers[other]
            dx, dy, dz = x - position[carrier, 0], y - position[carrier, 1], z - position[carrier, 2]
            px, py, pz = carried_law_push(group.laws, 0, poses, carrier, dx, dy, dz)
            fx, fy, fz = fx + px, fy + py, fz + pz
        weight = scale * group.affinity[index]
        out[row, 0] += weight * fx
        out[row, 1] += weight * fy
        out[row, 2] += weight * fz
