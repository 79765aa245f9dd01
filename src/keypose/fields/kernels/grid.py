"""Numba twins of one tick's pushes from a group whose field ends at a radius: only who is near is looked at.

Space is cut into cells a little wider than the radius, which repeat after a power of two of them along each axis: so
there are few, however far anybody has flown, and who is in the same one by chance is told by the distance. Everybody is
sorted by cell, so that neighbours lie near each other in memory.
"""

import numpy as np
from numpy.typing import NDArray

from keypose.fields.kernels.laws import CORE, POWER, RADIUS, STRENGTH, felt, weakened
from keypose.maths.kernel import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Indices = NDArray[np.uint64]
Shorts = NDArray[np.uint32]

ROOM = 1_024  # for those near, at first
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
def find_runs(
    x: float, y: float, z: float, starts: Ints, inverse: float, shape: Ints, count: int, runs: Indices
) -> int:
    """Fill `runs` with where those of the cells about a place begin and end among `count`; how many runs there are."""
    if max(abs(x), abs(y), abs(z)) * inverse > FARTHEST_CELL:
        runs[0, 0], runs[0, 1] = 0, count
        return 1
    nx, ny, nz = shape[0], shape[1], shape[2]
    cx, cy, cz = wrapped(x, inverse, nx), wrapped(y, inverse, ny), wrapped(z, inverse, nz)
    made = 0
    for k in range(-1, 2):
        for j in range(-1, 2):
            line = (((cz + k) & (nz - 1)) * ny + ((cy + j) & (ny - 1))) * nx
            if 0 < cx < nx - 1:  # three cells that lie one after the other
                runs[made, 0], runs[made, 1] = starts[line + cx - 1], starts[line + cx + 2]
                made += 1
                continue
            for i in range(-1, 2):
                cell = line + ((cx + i) & (nx - 1))
                runs[made, 0], runs[made, 1] = starts[cell], starts[cell + 1]
                made += 1
    return made


@kernel
def find_hits(x: float, y: float, z: float, reach: float, near: Floats, runs: Indices, count: int, hits: Shorts) -> int:
    """Fill `hits` with those of some runs whose distance squared is at most `reach`; how many they are."""
    found = np.uint64(0)
    for run in range(count):
        for other in range(runs[run, 0], runs[run, 1]):  # without a branch: who is near is chance, and not foreseen
            dx, dy, dz = near[other, 0] - x, near[other, 1] - y, near[other, 2] - z
            hits[found] = other
            found += np.uint64(dx * dx + dy * dy + dz * dz <= reach)
    return int(found)


@kernel
def room_for(runs: Indices, count: int, hits: Shorts) -> Shorts:
    """Space for all of these runs and one more: the same if it is enough."""
    needed = np.uint64(1)
    for run in range(count):
        needed += runs[run, 1] - runs[run, 0]
    return hits if needed <= len(hits) else np.empty(2 * needed, dtype=np.uint32)


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
    reach = laws[0, RADIUS] * laws[0, RADIUS] * 1.001  # those at the border are asked themselves
    runs, hits = np.empty((27, 2), dtype=np.uint64), np.empty(ROOM, dtype=np.uint32)
    for at in range(start, stop):
        one, x, y, z = order[at], here[at, 0], here[at, 1], here[at, 2]
        count = find_runs(x, y, z, starts, inverse, shape, len(near), runs)
        hits = room_for(runs, count, hits)
        found = find_hits(x, y, z, reach, near, runs, count, hits)
        fx, fy, fz = 0.0, 0.0, 0.0
        for hit in range(found):
            other = hits[hit]
            if theirs[other] != own[one]:
                dx, dy, dz = x - near[other, 0], y - near[other, 1], z - near[other, 2]
                px, py, pz = felt(laws, 0, turn, upright, carriers[other], dx, dy, dz)
                fx, fy, fz = fx + px, fy + py, fz + pz
        share, row = scale * affinity[one], rows[one]
        out[row, 0] += share * fx
        out[row, 1] += share * fy
        out[row, 2] += share * fz


@kernel
def pulling_swarm(
    rows: Ints,
    own: Ints,
    affinity: Floats,
    order: Ints,
    here: Floats,
    theirs: Ints,
    near: Floats,
    starts: Ints,
    inverse: float,
    shape: Ints,
    laws: Floats,
    scale: float,
    out: Floats,
    start: int,
    stop: int,
) -> None:
    """The same of a law that is a pull to its carrier and nothing else: by far the most common, and the quickest."""
    strength, power, core, radius = laws[0, STRENGTH], laws[0, POWER], laws[0, CORE], laws[0, RADIUS]
    reach, cubed = radius * radius, power == 3.0
    runs, hits = np.empty((27, 2), dtype=np.uint64), np.empty(ROOM, dtype=np.uint32)
    for at in range(start, stop):
        one, x, y, z = order[at], here[at, 0], here[at, 1], here[at, 2]
        me = own[one]
        count = find_runs(x, y, z, starts, inverse, shape, len(near), runs)
        hits = room_for(runs, count, hits)
        found = find_hits(x, y, z, reach, near, runs, count, hits)
        fx, fy, fz = 0.0, 0.0, 0.0
        if cubed:
            for hit in range(found):
                other = hits[hit]
                if theirs[other] != me:
                    dx, dy, dz = near[other, 0] - x, near[other, 1] - y, near[other, 2] - z
                    distance = max(np.sqrt(dx * dx + dy * dy + dz * dz), core)
                    weight = strength / (distance * distance * distance)
                    fx, fy, fz = fx + weight * dx, fy + weight * dy, fz + weight * dz
        else:
            for hit in range(found):
                other = hits[hit]
                if theirs[other] != me:
                    dx, dy, dz = near[other, 0] - x, near[other, 1] - y, near[other, 2] - z
                    weight = weakened(strength, power, max(np.sqrt(dx * dx + dy * dy + dz * dz), core))
                    fx, fy, fz = fx + weight * dx, fy + weight * dy, fz + weight * dz
        share, row = scale * affinity[one], rows[one]
        out[row, 0] += share * fx
        out[row, 1] += share * fy
        out[row, 2] += share * fz
