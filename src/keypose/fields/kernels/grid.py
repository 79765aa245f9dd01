"""Numba twins of one tick's pushes from a group whose field ends at a radius: only who is near is looked at.

Space is cut into cells a little wider than the radius, which repeat after a power of two of them along each axis: so
there are few, however far anybody has flown, and who is in the same one by chance is told by the distance. Everybody is
sorted by cell, so that neighbours lie near each other in memory.
"""

import numpy as np
from numpy.typing import NDArray

from keypose.fields.kernels.laws import CENTRAL, CORE, LARGEST_SQUARE, POWER, RADIUS, STRENGTH, felt, weakened
from keypose.maths.kernel import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FARTHEST_CELL = 2.0**40  # beyond it, rounding could put neighbours two cells apart: there everybody is looked at


@kernel
def wrapped(value: float, inverse: float, count: int) -> int:
    """In which of `count` cells a coordinate is; exact, for the count is a power of two."""
    cell = np.floor(value * inverse)
    return int(cell - count * np.floor(cell / count))


@kernel
def sort_by_cell(
    place: Floats, rows: Ints, inverse: float, shape: Ints, cells: Ints, starts: Ints, order: Ints, near: Floats
) -> None:
    """Fill `order` with the numbers of these rows of `place` sorted by cell, and `near` with their places so sorted.

    Those of cell c are then at starts[c] … starts[c + 1]; `cells` (rows,) is for scratch, `starts` is zero before.
    """
    nx, ny, nz = shape[0], shape[1], shape[2]
    for one in range(len(rows)):
        x, y, z = place[rows[one], 0], place[rows[one], 1], place[rows[one], 2]
        cell = (wrapped(z, inverse, nz) * ny + wrapped(y, inverse, ny)) * nx + wrapped(x, inverse, nx)
        cells[one] = cell
        starts[cell + 1] += 1
    for cell in range(nx * ny * nz):
        starts[cell + 1] += starts[cell]
    for one in range(len(rows)):
        cell = cells[one]
        at = starts[cell]
        starts[cell] = at + 1
        order[at] = one
        row = rows[one]
        near[at, 0], near[at, 1], near[at, 2] = place[row, 0], place[row, 1], place[row, 2]
    for cell in range(nx * ny * nz, 0, -1):  # each start went on to the end of its cell
        starts[cell] = starts[cell - 1]
    starts[0] = 0


@kernel
def swarm(
    rows: Ints,
    own: Ints,
    affinity: Floats,
    order: Ints,
    here: Floats,
    carriers: Ints,
    theirs: Ints,
    near: Floats,
    starts: Ints,
    inverse: float,
    shape: Ints,
    laws: Floats,
    turn: Floats,
    upright: int,
    scale: float,
    out: Floats,
    start: int,
    stop: int,
) -> None:
    """Add to `out` what those of a group push who are near, all by the only law, but not themselves.

    `rows`, `own` and `affinity` are of those who sense, whose `order` and places `here` are sorted; `carriers` and
    `theirs` are sorted as `near` is, by `starts`.
    """
    nx, ny, nz = shape[0], shape[1], shape[2]
    central, radius, core = laws[0, CENTRAL] == 1.0, laws[0, RADIUS], laws[0, CORE]
    strength, power, reach = laws[0, STRENGTH], laws[0, POWER], radius * radius
    runs = np.empty((27, 2), dtype=np.int64)
    for at in range(start, stop):
        one = order[at]
        me = own[one]
        x, y, z = here[at, 0], here[at, 1], here[at, 2]
        count = 0
        if max(abs(x), abs(y), abs(z)) * inverse > FARTHEST_CELL:
            runs[0, 0], runs[0, 1], count = 0, len(near), 1
        else:
            cx, cy, cz = wrapped(x, inverse, nx), wrapped(y, inverse, ny), wrapped(z, inverse, nz)
            for k in range(-1, 2):
                for j in range(-1, 2):
                    line = (((cz + k) & (nz - 1)) * ny + ((cy + j) & (ny - 1))) * nx
                    if 0 < cx < nx - 1:  # three cells that lie one after the other
                        runs[count, 0], runs[count, 1] = starts[line + cx - 1], starts[line + cx + 2]
                        count += 1
                        continue
                    for i in range(-1, 2):
                        cell = line + ((cx + i) & (nx - 1))
                        runs[count, 0], runs[count, 1] = starts[cell], starts[cell + 1]
                        count += 1
        fx, fy, fz = 0.0, 0.0, 0.0
        for run in range(count):
            for other in range(runs[run, 0], runs[run, 1]):
                dx, dy, dz = near[other, 0] - x, near[other, 1] - y, near[other, 2] - z
                square = dx * dx + dy * dy + dz * dz
                if square > reach * 1.001 or theirs[other] == me:
                    continue
                if central and square < LARGEST_SQUARE:
                    if square <= reach:
                        weight = weakened(strength, power, max(np.sqrt(square), core))
                        fx, fy, fz = fx + weight * dx, fy + weight * dy, fz + weight * dz
                    continue
                px, py, pz = felt(laws, 0, turn, upright, carriers[other], -dx, -dy, -dz)
                fx, fy, fz = fx + px, fy + py, fz + pz
        share, row = scale * affinity[one], rows[one]
        out[row, 0] += share * fx
        out[row, 1] += share * fy
        out[row, 2] += share * fz
