"""Numba kernels that put many into cells, so that only who is near is looked at.

Space is cut into cells a little wider than the radius, along x into narrower ones, which repeat after a power of two
of them along each axis: so there are few, however far anybody has flown, and who is in the same one by chance is told
by the distance. Everybody is sorted by cell, so that neighbours lie near each other in memory: a row of cells along x
after the other. What a row needs to know of those around it is laid next to each other once, not once for each cell.
"""

import numpy as np

from keypose.fields.kernels.records import CellGrid, CellRow, NearPoints, SortedPoints
from keypose.maths import Bools, Floats, Int32s, Ints, UInt32s, kernel

CELLS_PER_RADIUS_X = 2  # cells along x that are as wide as the radius; along y and z one is
FARTHEST_CELL = 2.0**40  # beyond it, rounding could put neighbours two cells apart: there everybody is looked at
DISCARD_ROWS = 64  # rows for sums that nobody wants: so many that one need not wait for another
PADDING = 4  # how many are copied at once, and so much room there is behind the last


@kernel
def cell_index(value: float, inverse: float, count: int) -> int:
    """In which of `count` cells a coordinate is; exact, for the count is a power of two."""
    cell = np.floor(value * inverse)
    return int(cell - count * np.floor(cell / count))


@kernel
def is_far(x: float, y: float, z: float, inverse: float) -> bool:
    """Whether somebody is beyond the farthest cell."""
    return max(abs(x), abs(y), abs(z)) * inverse > FARTHEST_CELL


@kernel
def count_in_cells(
    position: Floats,
    rows: Ints,
    grid: CellGrid,
    cells: Int32s,
    counts: Ints,
    is_far_part: Bools,
    start: int,
    stop: int,
) -> None:
    """Fill `cells` with the cell of each of these rows of `position`, and add to `counts` (slices, cells).

    Slices start … stop are counted, equal parts of all rows: separately, so that threads can share them.
    `is_far_part` (slices,) tells whether any row is beyond the farthest cell.
    """
    inverse, shape, axes = grid.inverse, grid.shape, grid.axes
    nx, ny, nz = shape[0], shape[1], shape[2]
    for part in range(start, stop):
        part_counts, has_far = counts[part], False
        for index in range(len(rows) * part // len(counts), len(rows) * (part + 1) // len(counts)):
            row = rows[index]
            x, y, z = position[row, axes[0]], position[row, axes[1]], position[row, axes[2]]
            cell = (cell_index(z, inverse, nz) * ny + cell_index(y, inverse, ny)) * nx + cell_index(
                x, CELLS_PER_RADIUS_X * inverse, nx
            )
            cells[index] = cell
            part_counts[np.uint64(cell)] += 1
            has_far |= is_far(x, y, z, inverse)
        is_far_part[part] = has_far


@kernel
def fill_cell_starts(counts: Ints, starts: Ints) -> None:
    """Turn counts into where the first of each slice and cell goes; cell c is at starts[c] … starts[c + 1]."""
    total = 0
    for cell in range(counts.shape[1]):
        starts[cell] = total
        for part in range(len(counts)):
            count = counts[part, cell]
            counts[part, cell] = total
            total += count
    starts[len(starts) - 1] = total


@kernel
def sort_by_cell(
    position: Floats,
    rows: Ints,
    objects: Ints,
    cells: Int32s,
    next_slots: Ints,
    slots: UInt32s,
    points: Floats,
    start: int,
    stop: int,
) -> None:
    """Fill `points` with places and whose they are, (4, rows), sorted by cell.

    `slots` is filled with where each row is among them; `next_slots` are the counts after `fill_cell_starts`. Within a
    cell they stay in order, in however many slices they come.
    """
    xs, ys, zs, owners = points[0], points[1], points[2], points[3]
    for part in range(start, stop):
        part_slots = next_slots[part]
        for index in range(len(rows) * part // len(next_slots), len(rows) * (part + 1) // len(next_slots)):
            cell, row = np.uint64(cells[index]), rows[index]
            slot = np.uint64(part_slots[cell])
            part_slots[cell] += 1
            slots[index] = slot
            xs[slot], ys[slot], zs[slot], owners[slot] = (
                position[row, 0],
                position[row, 1],
                position[row, 2],
                objects[index],
            )


@kernel
def neighbour_rows(row: int, shape: Ints, is_mutual: bool, bases: Ints) -> int:
    """Fill `bases` (9,) with the first cells of a row of cells along x and of those around it; how many they are.

    Its own row is the first, then those of its layer, then the next layer; the layer before only if not mutual.
    """
    nx, ny, nz = shape[0], shape[1], shape[2]
    y, z, count = row % ny, row // ny, 2 if is_mutual else 3
    bases[0] = row * nx
    bases[1] = (z * ny + ((y + 1) & (ny - 1))) * nx
    bases[2] = (z * ny + ((y - 1) & (ny - 1))) * nx
    for k in range(1, 0 if is_mutual else -2, -2):
        for j in range(-1, 2):
            bases[count] = (((z + k) & (nz - 1)) * ny + ((y + j) & (ny - 1))) * nx
            count += 1
    return count


@kernel
def count_neighbours(row: CellRow, cell_starts: Ints) -> int:
    """How many points are near the cells of a row; those over the seam once more."""
    nx, left, right, count = row.nx, row.first - CELLS_PER_RADIUS_X, row.last + CELLS_PER_RADIUS_X, 0
    for base in row.bases:
        count += cell_starts[base + min(right, nx - 1) + 1] - cell_starts[base + max(left, 0)]
        count += cell_starts[base + nx] - cell_starts[base + nx + min(left, 0)]
        count += cell_starts[base + max(right - nx + 1, 0)] - cell_starts[base]
    return count


@kernel
def gather_row(row: CellRow, carriers: SortedPoints, near: NearPoints) -> None:
    """Copy the carriers near the cells of a row, column after column: positions, objects and numbers.

    Those in the columns i … j, counted from `row.first - CELLS_PER_RADIUS_X`, are at column_ends[i] …
    column_ends[j + 1]. Where pushes are mutual, those of the own row get the number `discard_row` or a little more, and
    `reaction_row` is added to the numbers of the next layer: see `add_neighbour_pushes`.
    """
    points, starts = carriers.points, carriers.cell_starts
    ends, xs, ys, zs, owners, indices = near.column_ends, near.xs, near.ys, near.zs, near.owners, near.indices
    slot, left = np.uint64(0), row.first - CELLS_PER_RADIUS_X
    for column in range(left, row.last + CELLS_PER_RADIUS_X + 1):
        ends[column - left] = slot
        for number, base in enumerate(row.bases):
            cell = base + (column & (row.nx - 1))
            begin, end = np.uint64(starts[cell]), np.uint64(starts[cell + 1])
            index, step = begin, np.uint64(PADDING)
            if row.reaction_row > 0 and number == 0:
                index, step = np.uint64(row.discard_row) + slot % np.uint64(DISCARD_ROWS - PADDING), np.uint64(0)
            elif number > 1:
                index = begin + np.uint64(row.reaction_row)
            slot_after = slot + end - begin
            while True:  # some behind the last too, which will be overwritten: so their number need not be known
                copy_block(points[0], begin, xs, slot)
                copy_block(points[1], begin, ys, slot)
                copy_block(points[2], begin, zs, slot)
                copy_block(points[3], begin, owners, slot)
                for offset in range(np.uint64(PADDING)):
                    indices[slot + offset] = index + offset
                slot, begin, index = slot + np.uint64(PADDING), begin + np.uint64(PADDING), index + step
                if begin >= end:
                    break
            slot = slot_after
    ends[row.last + CELLS_PER_RADIUS_X + 1 - left] = slot


@kernel
def copy_block(source: Floats, begin: np.uint64, target: Floats, slot: np.uint64) -> None:
    """Copy four numbers at once."""
    one, two = source[begin], source[begin + np.uint64(1)]
    three, four = source[begin + np.uint64(2)], source[begin + np.uint64(3)]
    target[slot], target[slot + np.uint64(1)] = one, two
    target[slot + np.uint64(2)], target[slot + np.uint64(3)] = three, four


@kernel
def gather_all(carriers: SortedPoints, near: NearPoints) -> int:
    """Copy all carriers; return their number."""
    points, count = carriers.points, carriers.points.shape[1] - PADDING
    xs, ys, zs, owners, indices = near.xs, near.ys, near.zs, near.owners, near.indices
    for index in range(count):
        xs[index], ys[index], zs[index] = points[0, index], points[1, index], points[2, index]
        owners[index], indices[index] = points[3, index], index
    return count
