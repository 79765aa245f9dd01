"""Numba twin of one tick's pushes from a group whose field ends at a radius: only who is near is looked at.

Those who sense are taken a row of cells after the other, and their neighbours gathered in pairs: what a pair comes to
is then worked out for hundreds at once. Each one's sum is in the order of the cells, however the work is shared out.
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
from keypose.maths import Floats, Ints, UInt32s, kernel

INITIAL_CAPACITY = 1_024  # for those near, and for pairs, at first


@kernel
def allocate_buffers(count: int) -> tuple[Floats, UInt32s]:
    """For those near or for pairs: numbers, and who it is; a lot more, which loops may run into."""
    return np.zeros((8, count + LANES)), np.empty((3, count + LANES), np.uint32)


@kernel
def find_neighbours(
    points: Floats,
    begin: int,
    stop: int,
    cell_starts: Ints,
    cell: int,
    first: int,
    ends: Ints,
    all_count: int,
    inverse: float,
    radius_squared: float,
    xs: Floats,
    ys: Floats,
    zs: Floats,
    square: Floats,
    neighbours: UInt32s,
    neighbour_ends: Ints,
) -> int:
    """Find who is near begin … stop, while there is room; whose are next.

    Those near `begin`, who is in `cell`, end at until[0] of `neighbours`. They are among the laid ones: `all_count`, if
    that is not zero; else those of the columns around its own, counted from the cell `first`, until somebody is far.
    """
    found, row = np.uint64(0), begin
    while row < stop and row - begin < len(neighbour_ends):
        while cell_starts[cell + 1] <= row:
            cell += 1
        x, y, z = points[0, row], points[1, row], points[2, row]
        low, high = np.uint64(0), np.uint64(all_count)
        if all_count == 0:
            low, high = np.uint64(ends[cell - first]), np.uint64(ends[cell - first + 2 * CELLS_PER_RADIUS_X + 1])
            if is_far(x, y, z, inverse):
                break
        if int(found) + int(high - low) + LANES > len(neighbours):
            break
        padded_count = (int(high - low) + LANES - 1) // LANES * LANES  # some of those behind too: nobody asks for them
        for index in range(low, low + np.uint64(padded_count)):
            ex, ey, ez = xs[index] - x, ys[index] - y, zs[index] - z
            square[index] = ex * ex + ey * ey + ez * ez
        for index in range(low, high):  # without a branch: who is near is chance, and not foreseen
            neighbours[found] = index
            found += np.uint64(square[index] <= radius_squared)
        neighbour_ends[row - begin] = found
        row += 1
    return row


@kernel
def pair_offsets(
    points: Floats,
    begin: int,
    end: int,
    neighbour_ends: Ints,
    neighbours: UInt32s,
    xs: Floats,
    ys: Floats,
    zs: Floats,
    owners: Floats,
    indices: UInt32s,
    dx: Floats,
    dy: Floats,
    dz: Floats,
    partners: UInt32s,
) -> int:
    """The ways of begin … end to all who are near, but not to themselves, and to whom that is; how many they are.

    For itself, after all are found: how many are near one is not foreseen either, but is known early then. Those of
    `begin` end at until[0] afterwards.
    """
    pair, neighbour = np.uint64(0), np.uint64(0)
    for row in range(begin, end):
        x, y, z, own, last = (
            points[0, row],
            points[1, row],
            points[2, row],
            points[3, row],
            np.uint64(neighbour_ends[row - begin]),
        )
        while neighbour < last:
            index = neighbours[neighbour]
            dx[pair], dy[pair], dz[pair], partners[pair] = xs[index] - x, ys[index] - y, zs[index] - z, indices[index]
            pair += np.uint64(owners[index] != own)
            neighbour += np.uint64(1)
        neighbour_ends[row - begin] = pair
    return int(pair)


@kernel
def apply_falloff(dx: Floats, dy: Floats, dz: Floats, count: int, strength: float, power: float, core: float) -> None:
    """Turn the way of each pair into the pull along it."""
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
def add_pair_sums(dx: Floats, dy: Floats, dz: Floats, neighbour_ends: Ints, begin: int, end: int, out: Floats) -> None:
    """Add to `out` of begin … end the sums of their pairs."""
    pair = np.uint64(0)
    for row in range(begin, end):
        fx, fy, fz, last = 0.0, 0.0, 0.0, np.uint64(neighbour_ends[row - begin])
        for index in range(pair, last):
            fx, fy, fz = fx + dx[index], fy + dy[index], fz + dz[index]
        pair = last
        out[row, 0] += fx
        out[row, 1] += fy
        out[row, 2] += fz


@kernel
def subtract_reactions(dx: Floats, dy: Floats, dz: Floats, partners: UInt32s, count: int, out: Floats) -> None:
    """Take from `out` of the other one of each pair what the pair comes to."""
    for pair in range(np.uint64(count)):
        other = np.uint64(partners[pair])
        out[other, 0] -= dx[pair]
        out[other, 1] -= dy[pair]
        out[other, 2] -= dz[pair]


@kernel
def add_neighbour_pushes(
    row_points: Floats,
    row_cell_starts: Ints,
    carrier_points: Floats,
    carrier_cell_starts: Ints,
    carriers: Ints,
    inverse: float,
    shape: Ints,
    laws: Floats,
    is_central: bool,
    is_mutual: bool,
    orientation: Floats,
    unrotated_count: int,
    out: Floats,
    start: int,
    stop: int,
) -> None:
    """Add to `out` (rows, 3) what those near push, all by the only law, but not themselves.

    Those who sense are sorted (`row_points`, `row_cell_starts`), those who push too (`carrier_points`,
    `carrier_cell_starts`, `carriers`).

    Where all of a group pull each other by a central law it is mutual: a pair in different rows of cells is worked out
    once for both. Then whole layers are taken, those that begin within start … stop, and what they give to the next
    layer is added up for itself, from row `first_reaction_row` on: nobody else writes there, whoever has the next
    layer. Pairs within a row are worked out for one at a time all the same, and given back to nobody: to rows before
    those.
    """
    reaction_row = first_reaction_row(carrier_points.shape[1] - PADDING, shape) if is_mutual else 0
    nx, radius = shape[0], laws[0, RADIUS]
    if is_mutual:
        start, stop = (
            next_layer_start(start, row_cell_starts, nx * shape[1]),
            next_layer_start(stop, row_cell_starts, nx * shape[1]),
        )
    radius_squared = radius * radius * (1.0 if is_central else 1.001)  # other laws know themselves who is at the border
    bases, neighbour_ends, ends = (
        np.zeros(9, np.int64),
        np.empty(INITIAL_CAPACITY, np.int64),
        np.empty(nx + 2 * CELLS_PER_RADIUS_X + 1, np.int64),
    )
    float_buffers, index_buffers = allocate_buffers(INITIAL_CAPACITY)
    neighbour_bases, point, cell = bases, start, int(np.searchsorted(row_cell_starts, start, "right")) - 1
    while point < stop:
        while row_cell_starts[cell + 1] <= point:
            cell += 1
        row = cell // nx
        first = last = cell - row * nx
        all_count, needed = 0, carrier_points.shape[1]
        if is_far(row_points[0, point], row_points[1, point], row_points[2, point], inverse):
            all_count, stop_row = carrier_points.shape[1] - PADDING, point + 1
        else:
            stop_row = min(stop, row_cell_starts[(row + 1) * nx])
            while row_cell_starts[row * nx + last + 1] < stop_row:
                last += 1
            neighbour_bases = bases[: neighbour_rows(row, shape, is_mutual, bases)]
            needed = count_neighbours(first, last, neighbour_bases, carrier_cell_starts, nx)
        if needed + LANES > index_buffers.shape[1]:
            float_buffers, index_buffers = allocate_buffers(needed + needed // 4)
        xs, ys, zs, owners, square = (
            float_buffers[0],
            float_buffers[1],
            float_buffers[2],
            float_buffers[3],
            float_buffers[4],
        )
        dx, dy, dz, indices, neighbours, partners = (
            float_buffers[5],
            float_buffers[6],
            float_buffers[7],
            index_buffers[0],
            index_buffers[1],
            index_buffers[2],
        )
        if all_count:
            gather_all(carrier_points, xs, ys, zs, owners, indices)
        else:
            discard_row = carrier_points.shape[1] - PADDING + row // shape[1] * DISCARD_ROWS
            gather_row(
                first,
                last,
                neighbour_bases,
                carrier_cell_starts,
                nx,
                carrier_points,
                discard_row,
                reaction_row,
                ends,
                xs,
                ys,
                zs,
                owners,
                indices,
            )
        begin = -1
        while point < stop_row and point > begin:
            begin = point
            point = find_neighbours(
                row_points,
                begin,
                stop_row,
                row_cell_starts,
                cell,
                row * nx + first,
                ends,
                all_count,
                inverse,
                radius_squared,
                xs,
                ys,
                zs,
                square,
                neighbours,
                neighbour_ends,
            )
            count = pair_offsets(
                row_points, begin, point, neighbour_ends, neighbours, xs, ys, zs, owners, indices, dx, dy, dz, partners
            )
            if is_central:
                apply_falloff(dx, dy, dz, count, laws[0, STRENGTH], laws[0, POWER], laws[0, CORE])
            else:
                for pair in range(count):
                    carrier = carriers[partners[pair]]
                    dx[pair], dy[pair], dz[pair] = carried_law_push(
                        laws, 0, orientation, unrotated_count, carrier, -dx[pair], -dy[pair], -dz[pair]
                    )
            add_pair_sums(dx, dy, dz, neighbour_ends, begin, point, out)
            if is_mutual:
                subtract_reactions(dx, dy, dz, partners, count, out)


@kernel
def first_reaction_row(count: int, shape: Ints) -> int:
    """From which row on the sums of so many are that the layers before give: behind room for nobody in each layer."""
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
    """Add to `out` (rows, 3) what is theirs of sorted sums: at `slots` of each, and more behind row `reaction_row`, if
    not 0.
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
