"""Numba kernels that put many into cells, so that only who is near is looked at.

Space is cut into cells a little wider than the radius, along x into narrower ones, which repeat after a power of two
of them along each axis: so there are few, however far anybody has flown, and who is in the same one by chance is told
by the distance. Everybody is sorted by cell, so that neighbours lie near each other in memory: a row of cells along x
after the other. What a row needs to know of those around it is laid next to each other once, not once for each cell.
"""

import numpy as np

from keypose.maths.arrays import Bools, Floats, Int32s, Ints, UInt32s
from keypose.maths.kernel_switch import kernel

ALONG = 2  # cells along x that are as wide as the radius; along y and z one is
FARTHEST_CELL = 2.0**40  # beyond it, rounding could put neighbours two cells apart: there everybody is looked at
NOBODY = 64  # rows for sums that nobody wants: so many that one need not wait for another
SPARE = 4  # how many are copied at once, and so much room there is behind the last
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
    cells: Int32s,
    counts: Ints,
    far: Bools,
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
    place: Floats, rows: Ints, own: Ints, cells: Int32s, free: Ints, at: UInt32s, near: Floats, start: int, stop: int
) -> None:
    """Fill `near` with places and whose they are, (4, rows), sorted by cell.

    `at` is filled with where each row is among them; `free` are the counts after `begin_cells`. Within a cell they
    stay in order, in however many slices they come.
    """
    xs, ys, zs, owns = near[0], near[1], near[2], near[3]
    for part in range(start, stop):
        following = free[part]
        for one in range(len(rows) * part // len(free), len(rows) * (part + 1) // len(free)):
            cell, row = np.uint64(cells[one]), rows[one]
            to = np.uint64(following[cell])
            following[cell] += 1
            at[one] = to
            xs[to], ys[to], zs[to], owns[to] = place[row, 0], place[row, 1], place[row, 2], own[one]


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
def count_around(first: int, last: int, bases: Ints, starts: Ints, nx: int) -> int:
    """How many are near the cells first … last of a row; those over the seam once more."""
    left, right, count = first - ALONG, last + ALONG, 0
    for base in bases:
        count += starts[base + min(right, nx - 1) + 1] - starts[base + max(left, 0)]
        count += starts[base + nx] - starts[base + nx + min(left, 0)]
        count += starts[base + max(right - nx + 1, 0)] - starts[base]
    return count


@kernel
def lay_row(
    first: int,
    last: int,
    bases: Ints,
    starts: Ints,
    nx: int,
    near: Floats,
    nobody: int,
    given: int,
    ends: Ints,
    xs: Floats,
    ys: Floats,
    zs: Floats,
    owns: Floats,
    who: UInt32s,
) -> None:
    """Copy who is near the cells first … last of a row, column after column: places, whose they are, and who it is.

    Those in the columns i … j, counted from `first - ALONG`, are at ends[i] … ends[j + 1]. Where it is mutual, those of
    the own row are called `nobody` or a little more, and `given` is added to who is in the next layer: see `swarm`.
    """
    to, left = np.uint64(0), first - ALONG
    for column in range(left, last + ALONG + 1):
        ends[column - left] = to
        for number, base in enumerate(bases):
            cell = base + (column & (nx - 1))
            begin, end = np.uint64(starts[cell]), np.uint64(starts[cell + 1])
            name, step = begin, np.uint64(SPARE)
            if given > 0 and number == 0:
                name, step = np.uint64(nobody) + to % np.uint64(NOBODY - SPARE), np.uint64(0)
            elif number > 1:
                name = begin + np.uint64(given)
            upto = to + end - begin
            while True:  # some behind the last too, which will be overwritten: so one need not know how many they are
                copy_some(near[0], begin, xs, to)
                copy_some(near[1], begin, ys, to)
                copy_some(near[2], begin, zs, to)
                copy_some(near[3], begin, owns, to)
                for one in range(np.uint64(SPARE)):
                    who[to + one] = name + one
                to, begin, name = to + np.uint64(SPARE), begin + np.uint64(SPARE), name + step
                if begin >= end:
                    break
            to = upto
    ends[last + ALONG + 1 - left] = to


@kernel
def copy_some(given: Floats, begin: np.uint64, into: Floats, to: np.uint64) -> None:
    """Copy four numbers at once."""
    one, two = given[begin], given[begin + np.uint64(1)]
    three, four = given[begin + np.uint64(2)], given[begin + np.uint64(3)]
    into[to], into[to + np.uint64(1)] = one, two
    into[to + np.uint64(2)], into[to + np.uint64(3)] = three, four


@kernel
def lay_everybody(near: Floats, xs: Floats, ys: Floats, zs: Floats, owns: Floats, who: UInt32s) -> None:
    """Copy all of `near`."""
    for one in range(near.shape[1] - SPARE):
        xs[one], ys[one], zs[one], owns[one], who[one] = near[0, one], near[1, one], near[2, one], near[3, one], one
