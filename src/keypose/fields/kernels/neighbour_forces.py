"""Numba kernels of one tick's pushes from a group whose field ends at a radius: only near members are looked at.

Sensing points are taken a row of cells after the other, and their neighbours gathered in pairs: the push of a pair is
then evaluated for hundreds at once. Each sum is in the order of the cells, however threads share the work.
"""

import numpy as np

from keypose.fields.kernels.field_laws import CORE, POWER, RADIUS, STRENGTH, carried_law_push, falloff_strength
from keypose.fields.kernels.neighbour_grid import (
    CELLS_PER_RADIUS_X,
    DISCARD_ROWS,
    LANES,
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


@kernel
def allocate_near_points(count: int, column_ends: Ints, found_ends: Ints) -> NearPoints:
    """Buffers for so many near points and pairs; a few more, which loops may run into."""
    numbers, indices = np.zeros((8, count + LANES)), np.empty((3, count + LANES), np.uint32)
    return NearPoints(
        column_ends,
        numbers[0],
        numbers[1],
        numbers[2],
        numbers[3],
        indices[0],
        numbers[4],
        indices[1],
        found_ends,
        numbers[5],
        numbers[6],
        numbers[7],
        indices[2],
    )


@kernel
def find_neighbours(
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
    """Find the near points of the sensing points from `begin` on, while there is room; return the next one.

    Those of `begin`, which is in `cell`, end at found_ends[0]. They are among all `all_count` if that is not zero;
    else among the columns around its own, counted from `first_cell`, until a sensing point is far.
    """
    points, cell_starts, column_ends = rows.points, rows.cell_starts, near.column_ends
    xs, ys, zs, square, neighbours, found_ends = near.xs, near.ys, near.zs, near.square, near.found, near.found_ends
    found, row = np.uint64(0), begin
    while row < stop and row - begin < len(found_ends):
        while cell_starts[cell + 1] <= row:
            cell += 1
        x, y, z = points[0, row], points[1, row], points[2, row]
        low, high = np.uint64(0), np.uint64(all_count)
        if all_count == 0:
            column = cell - first_cell
            low, high = np.uint64(column_ends[column]), np.uint64(column_ends[column + 2 * CELLS_PER_RADIUS_X + 1])
            if is_far(x, y, z, grid.inverse):
                break
        if int(found) + int(high - low) + LANES > len(neighbours):
            break
        padded_count = (int(high - low) + LANES - 1) // LANES * LANES  # some of those behind too, which are not used
        for index in range(low, low + np.uint64(padded_count)):
            ex, ey, ez = xs[index] - x, ys[index] - y, zs[index] - z
            square[index] = ex * ex + ey * ey + ez * ez
        for index in range(low, high):  # without a branch: which ones are near is chance, and not predicted
            neighbours[found] = index
            found += np.uint64(square[index] <= radius_squared)
        found_ends[row - begin] = found
        row += 1
    return row


@kernel
def pair_offsets(rows: SortedPoints, begin: int, end: int, near: NearPoints) -> int:
    """Fill the offsets of begin … end to their near points, but not to their own object; return how many pairs.

    In a loop of its own, after all are found: how many are near one is not predicted either, but is known early then.
    The pairs of `begin` end at found_ends[0] afterwards.
    """
    points, neighbours, found_ends = rows.points, near.found, near.found_ends
    xs, ys, zs, owners, indices = near.xs, near.ys, near.zs, near.owners, near.indices
    dx, dy, dz, partners = near.dx, near.dy, near.dz, near.partners
    pair, neighbour = np.uint64(0), np.uint64(0)
    for row in range(begin, end):
        x, y, z, own = points[0, row], points[1, row], points[2, row], points[3, row]
        last = np.uint64(found_ends[row - begin])
        while neighbour < last:
            index = neighbours[neighbour]
            dx[pair], dy[pair], dz[pair], partners[pair] = xs[index] - x, ys[index] - y, zs[index] - z, indices[index]
            pair += np.uint64(owners[index] != own)
            neighbour += np.uint64(1)
        found_ends[row - begin] = pair
    return int(pair)


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
def add_pair_sums(near: NearPoints, begin: int, end: int, out: Floats) -> None:
    """Add to `out` of begin … end the sums of their pairs."""
    dx, dy, dz, pair = near.dx, near.dy, near.dz, np.uint64(0)
    for row in range(begin, end):
        fx, fy, fz, last = 0.0, 0.0, 0.0, np.uint64(near.found_ends[row - begin])
        for index in range(pair, last):
            fx, fy, fz = fx + dx[index], fy + dy[index], fz + dz[index]
        pair = last
        out[row, 0] += fx
        out[row, 1] += fy
        out[row, 2] += fz


@kernel
def subtract_reactions(near: NearPoints, count: int, out: Floats) -> None:
    """Subtract each pair's push from `out` of its other point."""
    dx, dy, dz = near.dx, near.dy, near.dz
    for pair in range(np.uint64(count)):
        other = np.uint64(near.partners[pair])
        out[other, 0] -= dx[pair]
        out[other, 1] -= dy[pair]
        out[other, 2] -= dz[pair]


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
    column_ends, found_ends = np.empty(nx + 2 * CELLS_PER_RADIUS_X + 1, np.int64), np.empty(capacity, np.int64)
    near = allocate_near_points(capacity, column_ends, found_ends)
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
        if needed + LANES > len(near.found):
            near = allocate_near_points(needed + needed // 4, column_ends, found_ends)
        if has_far_point:
            all_count = gather_all(carriers, near)
        else:
            gather_row(row, carriers, near)
        begin = -1
        while point < row_stop and point > begin:
            begin = point
            first_cell = row_number * nx + first
            point = find_neighbours(rows, begin, row_stop, cell, first_cell, all_count, grid, radius_squared, near)
            count = pair_offsets(rows, begin, point, near)
            if group.is_central:
                apply_falloff(near, count, laws[0, STRENGTH], laws[0, POWER], laws[0, CORE])
            else:
                for pair in range(count):
                    carrier = group.carriers[near.partners[pair]]
                    dx, dy, dz = -near.dx[pair], -near.dy[pair], -near.dz[pair]
                    push = carried_law_push(laws, 0, poses, carrier, dx, dy, dz)
                    near.dx[pair], near.dy[pair], near.dz[pair] = push
            add_pair_sums(near, begin, point, out)
            if is_mutual:
                subtract_reactions(near, count, out)


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
