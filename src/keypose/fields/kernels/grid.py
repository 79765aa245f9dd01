"""Numba kernels that put many into cells, so that only who is near is looked at.

Space is cut into cells a little wider than the radius, along x into narrower ones, which repeat after a power of two
of them along each axis: so there are few, however far anybody has flown, and who is in the same one by chance is told
by the distance. Everybody is sorted by cell, so that neighbours lie near each other in memory: a row of cells along x
after the other. What a row needs to know of those around it is laid next to each other once, not once for each cell.
"""

import numpy as np
from numpy.typing import NDArray

from keypose.maths.kernel import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Shorts = NDArray[np.int32]
Indices = NDArray[np.uint32]
Flags = NDArray[np.bool_]

ALONG = 2  # cells along x that are as wide as the radius; along y and z one is
FARTHEST_CELL = 2.0**40  # beyond it, rounding could put neighbours two cells apart: there everybody is looked at
NOBODY = 64  # rows for sums that nobody wants: enough that one need not wait for another
LANES = 16  # how many numbers a compiled loop takes at once; what is asked for in such lots leaves no slow rest


@kernel
def wrapped(value: float, inverse: float, count: int) -> int:
    """In which of `count` cells a coordinate is; exact, for the count is a power of two."""
    cell = np.floor(value * inverse)
    return int(cell - count * np.floor(cell / count))


@kernel
def is_far(x: float, y: float, z: float, inverse: float) -> bool:
    """Whether somebody is beyond the farthest cell."""
    return max(abs(x), abs(y), abs(z)) * inverse > FARTHEST_CELL


@kernel
def count_in_cells(
    place: Floats,
    rows: Ints,
    inverse: float,
    shape: Ints,
    axes: Ints,
    cells: Shorts,
    counts: Ints,
    far: Flags,
    start: int,
    stop: int,
) -> None:
    """Fill `cells` with the cell of each of these rows of `place`, and add to `counts` (slices, cells).

    Slices start … stop are counted, equal shares of all rows: each for itself, so that they can be at the same time.
    `far` (slices,) says whether somebody is beyond the farthest cell.
    """
    nx, ny, nz = shape[0], shape[1], shape[2]
    for part in range(start, stop):
        counted, beyond = counts[part], False
        for one in range(len(rows) * part // len(counts), len(rows) * (part + 1) // len(counts)):
            row = rows[one]
            x, y, z = place[row, axes[0]], place[row, axes[1]], place[row, axes[2]]
            cell = (wrapped(z, inverse, nz) * ny + wrapped(y, inverse, ny)) * nx + wrapped(x, ALONG * inverse, nx)
            cells[one] = cell
            counted[np.uint64(cell)] += 1
            beyond |= is_far(x, y, z, inverse)
        far[part] = beyond


@kernel
def begin_cells(counts: Ints, starts: Ints) -> None:
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
    place: Floats,
    rows: Ints,
    own: Ints,
    cells: Shorts,
    free: Ints,
    shape: Ints,
    at: Indices,
    near: Floats,
    columns: Shorts,
    start: int,
    stop: int,
) -> None:
    """Fill `near` with places and whose they are, (rows, 4), and `columns` with their cells along x, sorted by cell.

    `at` is filled with where each row is among them; `free` are the counts after `begin_cells`. Within a cell they
    stay in order, in however many slices they come.
    """
    for part in range(start, stop):
        following = free[part]
        for one in range(len(rows) * part // len(free), len(rows) * (part + 1) // len(free)):
            cell, row = np.uint64(cells[one]), rows[one]
            to = np.uint64(following[cell])
            following[cell] += 1
            at[one] = to
            near[to, 0], near[to, 1], near[to, 2], near[to, 3] = place[row, 0], place[row, 1], place[row, 2], own[one]
            columns[to] = cells[one] & (shape[0] - 1)


@kernel
def rows_around(row: int, shape: Ints, is_mutual: bool, bases: Ints) -> int:
    """Fill `bases` (9,) with the first cells of a row of cells along x and of those around it; how many they are.

    Its own row is the first, then those of its layer, then the next layer; the layer before only if not mutual.
    """
    nx, ny, nz = shape[0], shape[1], shape[2]
    y, z, made = row % ny, row // ny, 2 if is_mutual else 3
    bases[0] = row * nx
    bases[1] = (z * ny + ((y + 1) & (ny - 1))) * nx
    bases[2] = (z * ny + ((y - 1) & (ny - 1))) * nx
    for k in range(1, 0 if is_mutual else -2, -2):
        for j in range(-1, 2):
            bases[made] = (((z + k) & (nz - 1)) * ny + ((y + j) & (ny - 1))) * nx
            made += 1
    return made


@kernel
def count_row(first: int, last: int, bases: Ints, starts: Ints, nx: int, ends: Ints, free: Ints) -> int:
    """Count who is near the cells first … last of a row, column after column; how many are in all.

    Those in the columns i … j, counted from `first - ALONG`, will be at ends[i] … ends[j + 1]; `free` is where each
    column begins.
    """
    left, right, count = first - ALONG, last + ALONG, last - first + 2 * ALONG + 1
    low, high = max(left, 0), min(right, nx - 1)
    ends[: count + 1] = 0
    for base in bases:
        counted, added = starts[base + low : base + high + 2], ends[low - left + 1 : high - left + 2]
        for cell in range(high - low + 1):
            added[cell] += counted[cell + 1] - counted[cell]
        for cell in range(left, low):  # over the seam
            ends[cell - left + 1] += starts[base + cell + nx + 1] - starts[base + cell + nx]
        for cell in range(high + 1, right + 1):
            ends[cell - left + 1] += starts[base + cell - nx + 1] - starts[base + cell - nx]
    for cell in range(count):
        ends[cell + 1] += ends[cell]
        free[cell] = ends[cell]
    return int(ends[count])


@kernel
def lay_row(
    first: int,
    last: int,
    bases: Ints,
    starts: Ints,
    nx: int,
    near: Floats,
    columns: Shorts,
    free: Ints,
    is_mutual: bool,
    xs: Floats,
    ys: Floats,
    zs: Floats,
    owns: Floats,
    who: Indices,
) -> None:
    """Copy who is near the cells first … last of a row, column after column: places, whose they are, and who it is.

    Where that is mutual, those of the next layer have higher numbers, and those of the own row are nobody: see `swarm`.
    """
    left, right = first - ALONG, last + ALONG
    for number, base in enumerate(bases):
        name = 0
        if is_mutual and number != 1:
            name = next_layer(len(near)) if number > 1 else -1
        laid = near, columns, free, name, xs, ys, zs, owns, who
        if left < 0:  # over the seam
            lay(starts[base + left + nx], starts[base + nx], -nx - left, *laid)
        lay(starts[base + max(left, 0)], starts[base + min(right, nx - 1) + 1], -left, *laid)
        if right >= nx:
            lay(starts[base], starts[base + right - nx + 1], nx - left, *laid)


@kernel
def next_layer(count: int) -> int:
    """What is added to the number of one of so many in the next layer: room for nobody is before it."""
    return count + NOBODY


@kernel
def lay(
    begin: int,
    end: int,
    shift: int,
    near: Floats,
    columns: Shorts,
    free: Ints,
    name: int,
    xs: Floats,
    ys: Floats,
    zs: Floats,
    owns: Floats,
    who: Indices,
) -> None:
    """Copy begin … end of `near`, each behind the others of its column; `name` is added to who it is, -1 is nobody."""
    for one in range(np.uint64(begin), np.uint64(end)):
        column = np.uint64(columns[one] + shift)
        to = np.uint64(free[column])
        free[column] = to + np.uint64(1)
        xs[to], ys[to], zs[to], owns[to] = near[one, 0], near[one, 1], near[one, 2], near[one, 3]
        who[to] = one + np.uint64(name) if name >= 0 else np.uint64(len(near)) + to % np.uint64(NOBODY)


@kernel
def lay_everybody(near: Floats, xs: Floats, ys: Floats, zs: Floats, owns: Floats, who: Indices) -> None:
    """Copy all of `near`."""
    for one in range(len(near)):
        xs[one], ys[one], zs[one], owns[one], who[one] = near[one, 0], near[one, 1], near[one, 2], near[one, 3], one
