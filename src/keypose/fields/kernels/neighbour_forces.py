"""Numba kernels of one tick's pushes from a group whose field ends at a radius: only near members are looked at.

Sensing points are taken a row of cells after the other, and their neighbours gathered in pairs: the push of a pair is
then evaluated for hundreds at once. Each sum is in the order of the cells, however threads share the work.
"""

import numpy as np

from keypose.fields.kernels.field_laws import CORE, POWER, RADIUS, STRENGTH, carried_law_push, falloff_strength
from keypose.fields.kernels.neighbour_grid import (
    CELLS_PER_RADIUS_X,
    DISCARD_ROWS,
    PADDING,
    count_neighbours,
    gather_all,
    gather_row,
    is_far,
    neighbour_rows,
)
from keypose.fields.kernels.records import CarrierPoses, CellGrid, CellRow, GroupLinks, NearPoints, SortedPoints
from keypose.maths import Floats, Ints, UInt32s, kernel

INITIAL_CAPACITY = 1_024  # near points, and pairs, at first
LANES = 16  # numbers that a compiled loop takes at once; work in such lots leaves no slow rest
MASK_BITS = 64
DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)  # times a power of two, its six highest bits tell which power it is
BIT_NUMBERS = np.argsort([(0x03F79D71B4CB0A89 << bit & 2**64 - 1) >> 58 for bit in range(MASK_BITS)]).astype(np.uint8)


@kernel
def allocate_near_points(count: int, column_ends: Ints, pair_ends: Ints) -> NearPoints:
    """Buffers for so many near points and pairs; a few more, which loops may run into."""
    numbers, indices = np.zeros((7, count + MASK_BITS)), np.empty((2, count + MASK_BITS), np.uint32)
    return NearPoints(
        column_ends,
        numbers[0],
        numbers[1],
        numbers[2],
        numbers[3],
        indices[0],
        pair_ends,
        numbers[4],
        numbers[5],
        numbers[6],
        indices[1],
    )


@kernel
def find_pairs(
    rows: SortedPoints,
    begin: int,
    stop: int,
    cell: int,
    first_cell: int,
    all_count: int,
    grid: CellGrid,
    radius_squared: float,
    near: NearPoints,
) -> int:
    """Fill the offsets of the sensing points from `begin` on to points of other objects near them, while there is room.

    Return the first point without pairs. Those of `begin`, which is in `cell`, end at pair_ends[0]. Near points are
    among all `all_count` if that is not zero; else among the columns around a point's own, counted from `first_cell`,
    until a sensing point is far.
    """
    points, cell_starts, column_ends, pair_ends = rows.points, rows.cell_starts, near.column_ends, near.pair_ends
    xs, ys, zs, owners, indices = near.xs, near.ys, near.zs, near.owners, near.indices
    dx, dy, dz, partners = near.dx, near.dy, near.dz, near.partners
    pair, row, one, bits = np.uint64(0), begin, np.uint64(1), np.uint64(MASK_BITS)
    while row < stop and row - begin < len(pair_ends):
        while cell_starts[cell + 1] <= row:
            cell += 1
        x, y, z, own = points[0, row], points[1, row], points[2, row], points[3, row]
        base, end = np.uint64(0), np.uint64(all_count)
        if all_count == 0:
            column = cell - first_cell
            base, end = np.uint64(column_ends[column]), np.uint64(column_ends[column + 2 * CELLS_PER_RADIUS_X + 1])
            if is_far(x, y, z, grid.inverse):
                break
        if pair + (end - base) + bits > np.uint64(len(dx)):
            break
        while base < end:
            mask = np.uint64(0)  # a bit for each near point: the compiler takes several distances at once
            for bit in range(bits):
                ex, ey, ez = xs[base + bit] - x, ys[base + bit] - y, zs[base + bit] - z
                is_pair = (ex * ex + ey * ey + ez * ez <= radius_squared) & (owners[base + bit] != own)
                mask |= np.uint64(is_pair) << bit
            if end - base < bits:
                mask &= (one << (end - base)) - one
            while mask:
                lowest = mask & (~mask + one)
                mask ^= lowest
                index = base + np.uint64(BIT_NUMBERS[(lowest * DE_BRUIJN) >> np.uint64(58)])
                dx[pair], dy[pair], dz[pair] = xs[index] - x, ys[index] - y, zs[index] - z
                partners[pair] = indices[index]
                pair += one
            base += bits
        pair_ends[row - begin] = pair
        row += 1
    return row


@kernel
def apply_falloff(near: NearPoints, count: int, strength: float, power: float, core: float) -> None:
    """Turn the offset of each pair into the pull along it."""
    dx, dy, dz = near.dx, near.dy, near.dz
    if power == 3.0:
        for pair in range((count + LANES - 1) // LANES * LANES):
            x, y, z = dx[pair], dy[pair], dz[pair]
            distance = max(np.sqrt(x * x + y * y + z * z), core)
            weight = strength / (distance * distance * distance)
            dx[pair], dy[pair], dz[pair] = weight * x, weight * y, weight * z
        return
    for pair in range(count):
        x, y, z = dx[pair], dy[pair], dz[pair]
        weight = falloff_strength(strength, power, max(np.sqrt(x * x + y * y + z * z), core))
        dx[pair], dy[pair], dz[pair] = weight * x, weight * y, weight * z


@kernel
def add_pair_sums(near: NearPoints, begin: int, end: int, is_mutual: bool, out: Floats) -> None:
    """Add to `out` of begin … end the sums of their pairs; where it is mutual, subtract them from the other points."""
    dx, dy, dz, partners, pair = near.dx, near.dy, near.dz, near.partners, np.uint64(0)
    for row in range(begin, end):
        fx, fy, fz, last = 0.0, 0.0, 0.0, np.uint64(near.pair_ends[row - begin])
        for index in range(pair, last):
            fx, fy, fz = fx + dx[index], fy + dy[index], fz + dz[index]
            if is_mutual:
                other = np.uint64(partners[index])
                out[other, 0] -= dx[index]
                out[other, 1] -= dy[index]
                out[other, 2] -= dz[index]
        pair = last
        out[row, 0] += fx
        out[row, 1] += fy
        out[row, 2] += fz


@kernel
def add_neighbour_pushes(
    group: GroupLinks,
    poses: CarrierPoses,
    grid: CellGrid,
    rows: SortedPoints,
    carriers: SortedPoints,
    is_mutual: bool,
    out: Floats,
    start: int,
    stop: int,
) -> None:
    """Add to `out` (rows, 3) the pushes of near carriers, without factors; no object pushes itself.

    Sensing points `rows` and `carriers` are sorted, and the carriers of `group` in the same order. Where all of a group
    pull each other by a central law that is mutual: a pair in different rows of cells is evaluated once for both. Then
    whole layers are taken, those that begin within start … stop, and their pushes on the next layer are summed
    separately, from row `first_reaction_row` on: nothing else is written there, whichever thread has the next layer.
    Pairs within a row are evaluated for each point separately, and their reactions discarded: in rows before those.
    """
    laws, nx, radius, reaction_row = group.laws, grid.shape[0], group.laws[0, RADIUS], 0
    if is_mutual:
        layer_size = nx * grid.shape[1]
        start = next_layer_start(start, rows.cell_starts, layer_size)
        stop = next_layer_start(stop, rows.cell_starts, layer_size)
        reaction_row = first_reaction_row(carriers.points.shape[1] - PADDING, grid.shape)
    # Laws that are not central check the border themselves.
    radius_squared = radius * radius * (1.0 if group.is_central else 1.001)
    bases, capacity = np.zeros(9, np.int64), INITIAL_CAPACITY
    column_ends, pair_ends = np.empty(nx + 2 * CELLS_PER_RADIUS_X + 1, np.int64), np.empty(capacity, np.int64)
    near = allocate_near_points(capacity, column_ends, pair_ends)
    point, cell = start, int(np.searchsorted(rows.cell_starts, start, "right")) - 1
    while point < stop:
        while rows.cell_starts[cell + 1] <= point:
            cell += 1
        row_number = cell // nx
        first = last = cell - row_number * nx
        all_count, needed, row_stop = 0, carriers.points.shape[1], point + 1
        row = CellRow(first, last, nx, bases, 0, reaction_row)
        has_far_point = is_far(rows.points[0, point], rows.points[1, point], rows.points[2, point], grid.inverse)
        if not has_far_point:
            row_stop = min(stop, rows.cell_starts[(row_number + 1) * nx])
            while rows.cell_starts[row_number * nx + last + 1] < row_stop:
                last += 1
            row_bases = bases[: neighbour_rows(row_number, grid.shape, is_mutual, bases)]
            discard_row = carriers.points.shape[1] - PADDING + row_number // grid.shape[1] * DISCARD_ROWS
            row = CellRow(first, last, nx, row_bases, discard_row, reaction_row)
            needed = count_neighbours(row, carriers.cell_starts)
        if needed + MASK_BITS > len(near.dx):
            near = allocate_near_points(needed + needed // 4, column_ends, pair_ends)
        if has_far_point:
            all_count = gather_all(carriers, near)
        else:
            gather_row(row, carriers, near)
        first_cell = row_number * nx + first
        while point < row_stop:
            begin = point
            point = find_pairs(rows, begin, row_stop, cell, first_cell, all_count, grid, radius_squared, near)
            if point == begin:
                break
            count = int(near.pair_ends[point - begin - 1])
            if group.is_central:
                apply_falloff(near, count, laws[0, STRENGTH], laws[0, POWER], laws[0, CORE])
            else:
                for pair in range(count):
                    carrier = group.carriers[near.partners[pair]]
                    dx, dy, dz = -near.dx[pair], -near.dy[pair], -near.dz[pair]
                    push = carried_law_push(laws, 0, poses, carrier, dx, dy, dz)
                    near.dx[pair], near.dy[pair], near.dz[pair] = push
            add_pair_sums(near, begin, point, is_mutual, out)


@kernel
def first_reaction_row(count: int, shape: Ints) -> int:
    """The first row of the sums that layers before give to `count` points: behind discarded rows for each layer."""
    return int(count + DISCARD_ROWS * shape[2])


@kernel
def next_layer_start(row: int, cell_starts: Ints, cells: int) -> int:
    """Where the first layer begins, of so many cells each, that does not begin before `row`."""
    layer = 0
    while layer < len(cell_starts) - 1 and cell_starts[layer] < row:
        layer += cells
    return int(cell_starts[layer])


@kernel
def scatter_sums(
    rows: Ints,
    affinity: Floats,
    slots: UInt32s,
    sums: Floats,
    reaction_row: int,
    scale: float,
    out: Floats,
    start: int,
    stop: int,
) -> None:
    """Add to `out` (rows, 3) the sorted sums, found at `slots`, times affinities.

    Where `reaction_row` is not 0, those of reactions are added from there on.
    """
    for index in range(start, stop):
        row, weight, slot = rows[index], scale * affinity[index], np.uint64(slots[index])
        x, y, z = sums[slot, 0], sums[slot, 1], sums[slot, 2]
        if reaction_row > 0:
            reaction_slot = slot + np.uint64(reaction_row)
            x, y, z = x + sums[reaction_slot, 0], y + sums[reaction_slot, 1], z + sums[reaction_slot, 2]
        out[row, 0] += weight * x
        out[row, 1] += weight * y
        out[row, 2] += weight * z
