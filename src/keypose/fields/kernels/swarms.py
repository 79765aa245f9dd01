"""Numba twin of one tick's pushes from a group whose field ends at a radius: only who is near is looked at.

Those who sense are taken a row of cells after the other, and their neighbours gathered in pairs: what a pair comes to
is then worked out for hundreds at once. Each one's sum is in the order of the cells, however the work is shared out.
"""

import numpy as np
from numpy.typing import NDArray

from keypose.fields.kernels.grid import (
    ALONG,
    LANES,
    count_row,
    is_far,
    lay_everybody,
    lay_row,
    next_layer,
    rows_around,
)
from keypose.fields.kernels.laws import CORE, POWER, RADIUS, STRENGTH, felt, weakened
from keypose.maths.kernel import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Shorts = NDArray[np.int32]
Indices = NDArray[np.uint32]

ROOM = 1_024  # for those near, and for pairs, at first


@kernel
def room(count: int) -> tuple[Floats, Indices]:
    """For those near or for pairs: numbers, and who it is; a lot more, which loops may run into."""
    return np.zeros((8, count + LANES)), np.empty((3, count + LANES), np.uint32)


@kernel
def pair_up(
    here: Floats,
    begin: int,
    stop: int,
    begins: Ints,
    cell: int,
    first: int,
    ends: Ints,
    everybody: int,
    inverse: float,
    reach: float,
    xs: Floats,
    ys: Floats,
    zs: Floats,
    owns: Floats,
    who: Indices,
    square: Floats,
    hits: Indices,
    dx: Floats,
    dy: Floats,
    dz: Floats,
    whom: Indices,
    until: Ints,
) -> int:
    """Gather the ways of begin … stop to all who are near, but not to themselves, while there is room; whose are next.

    Those of `begin`, who is in `cell`, end at until[0]. Who is near is among the laid ones: `everybody`, if that is not
    zero; else those of the columns around its own, counted from the cell `first`, until somebody is far.
    """
    pair, at = np.uint64(0), begin
    while at < stop and at - begin < len(until):
        while begins[cell + 1] <= at:
            cell += 1
        x, y, z, me = here[at, 0], here[at, 1], here[at, 2], here[at, 3]
        low, high = np.uint64(0), np.uint64(everybody)
        if everybody == 0:
            low, high = np.uint64(ends[cell - first]), np.uint64(ends[cell - first + 2 * ALONG + 1])
            if is_far(x, y, z, inverse):
                break
        if int(pair) + int(high - low) + LANES > len(whom):
            break
        lots = (int(high - low) + LANES - 1) // LANES * LANES  # some of those behind too: nobody asks for them
        for one in range(low, low + np.uint64(lots)):
            ex, ey, ez = xs[one] - x, ys[one] - y, zs[one] - z
            square[one] = ex * ex + ey * ey + ez * ez
        found = np.uint64(0)
        for one in range(low, high):  # without a branch: who is near is chance, and not foreseen
            hits[found] = one
            found += np.uint64(square[one] <= reach)
        for hit in range(found):
            one = hits[hit]
            dx[pair], dy[pair], dz[pair], whom[pair] = xs[one] - x, ys[one] - y, zs[one] - z, who[one]
            pair += np.uint64(owns[one] != me)
        until[at - begin] = pair
        at += 1
    return at


@kernel
def weigh(dx: Floats, dy: Floats, dz: Floats, count: int, strength: float, power: float, core: float) -> None:
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
        weight = weakened(strength, power, max(np.sqrt(x * x + y * y + z * z), core))
        dx[pair], dy[pair], dz[pair] = weight * x, weight * y, weight * z


@kernel
def add_up(dx: Floats, dy: Floats, dz: Floats, until: Ints, begin: int, end: int, out: Floats) -> None:
    """Add to `out` of begin … end the sums of their pairs."""
    pair = np.uint64(0)
    for at in range(begin, end):
        fx, fy, fz, last = 0.0, 0.0, 0.0, np.uint64(until[at - begin])
        for one in range(pair, last):
            fx, fy, fz = fx + dx[one], fy + dy[one], fz + dz[one]
        pair = last
        out[at, 0] += fx
        out[at, 1] += fy
        out[at, 2] += fz


@kernel
def give_back(dx: Floats, dy: Floats, dz: Floats, whom: Indices, count: int, out: Floats) -> None:
    """Take from `out` of the other one of each pair what the pair comes to."""
    for pair in range(np.uint64(count)):
        other = np.uint64(whom[pair])
        out[other, 0] -= dx[pair]
        out[other, 1] -= dy[pair]
        out[other, 2] -= dz[pair]


@kernel
def swarm(
    here: Floats,
    begins: Ints,
    near: Floats,
    columns: Shorts,
    starts: Ints,
    carriers: Ints,
    inverse: float,
    shape: Ints,
    laws: Floats,
    is_central: bool,
    is_mutual: bool,
    turn: Floats,
    upright: int,
    out: Floats,
    start: int,
    stop: int,
) -> None:
    """Add to `out` (rows, 3) what those near push, all by the only law, but not themselves.

    Those who sense are sorted (`here`, `begins`), those who push too (`near`, `columns`, `starts`, `carriers`).

    Where all of a group pull each other by a central law it is mutual: a pair in different rows of cells is worked out
    once for both. Then whole layers are taken, those that begin within start … stop, and what they give to the next
    layer is added up for itself, from row `next_layer` on: nobody else writes there, whoever has the next layer. Pairs
    within a row are worked out for one at a time all the same, and given back to nobody.
    """
    nx, radius = shape[0], laws[0, RADIUS]
    if is_mutual:
        start, stop = layer_from(start, begins, nx * shape[1]), layer_from(stop, begins, nx * shape[1])
    reach = radius * radius * (1.0 if is_central else 1.001)  # other laws know themselves who is at the border
    bases, until, wide = np.zeros(9, np.int64), np.empty(ROOM, np.int64), nx + 2 * ALONG
    ends, free = np.empty(wide + 1, np.int64), np.empty(wide, np.int64)
    numbers, names = room(ROOM)
    around, at, cell = bases, start, int(np.searchsorted(begins, start, "right")) - 1
    while at < stop:
        while begins[cell + 1] <= at:
            cell += 1
        row = cell // nx
        first = last = cell - row * nx
        everybody, needed = 0, len(near)
        if is_far(here[at, 0], here[at, 1], here[at, 2], inverse):
            everybody, stop_row = len(near), at + 1
        else:
            stop_row = min(stop, begins[(row + 1) * nx])
            while begins[row * nx + last + 1] < stop_row:
                last += 1
            around = bases[: rows_around(row, shape, is_mutual, bases)]
            needed = count_row(first, last, around, starts, nx, ends, free)
        if needed + LANES > names.shape[1]:
            numbers, names = room(needed + needed // 4)
        xs, ys, zs, owns, square = numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]
        dx, dy, dz, who, hits, whom = numbers[5], numbers[6], numbers[7], names[0], names[1], names[2]
        if everybody:
            lay_everybody(near, xs, ys, zs, owns, who)
        else:
            lay_row(first, last, around, starts, nx, near, columns, free, is_mutual, xs, ys, zs, owns, who)
        begin = -1
        while at < stop_row and at > begin:
            begin = at
            at = pair_up(
                here,
                begin,
                stop_row,
                begins,
                cell,
                row * nx + first,
                ends,
                everybody,
                inverse,
                reach,
                xs,
                ys,
                zs,
                owns,
                who,
                square,
                hits,
                dx,
                dy,
                dz,
                whom,
                until,
            )
            count = until[at - begin - 1] if at > begin else 0
            if is_central:
                weigh(dx, dy, dz, count, laws[0, STRENGTH], laws[0, POWER], laws[0, CORE])
            else:
                for one in range(count):
                    carrier = carriers[whom[one]]
                    dx[one], dy[one], dz[one] = felt(laws, 0, turn, upright, carrier, -dx[one], -dy[one], -dz[one])
            add_up(dx, dy, dz, until, begin, at, out)
            if is_mutual:
                give_back(dx, dy, dz, whom, count, out)


@kernel
def layer_from(at: int, begins: Ints, cells: int) -> int:
    """Where the first layer begins, of so many cells each, that does not begin before `at`."""
    layer = 0
    while layer < len(begins) - 1 and begins[layer] < at:
        layer += cells
    return int(begins[layer])


@kernel
def hand_out(
    rows: Ints,
    affinity: Floats,
    at: Indices,
    sums: Floats,
    is_mutual: bool,
    scale: float,
    out: Floats,
    start: int,
    stop: int,
) -> None:
    """Add to `out` (rows, 3) what is theirs of sorted sums; `at` is where each one's is."""
    given = next_layer(len(rows))
    for one in range(start, stop):
        row, share, its = rows[one], scale * affinity[one], np.uint64(at[one])
        x, y, z = sums[its, 0], sums[its, 1], sums[its, 2]
        if is_mutual:
            more = its + np.uint64(given)
            x, y, z = x + sums[more, 0], y + sums[more, 1], z + sums[more, 2]
        out[row, 0] += share * x
        out[row, 1] += share * y
        out[row, 2] += share * z
