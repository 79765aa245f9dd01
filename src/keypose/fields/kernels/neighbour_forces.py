"""Numba twin of one tick's pushes from a group whose field ends at a radius: only who is near is looked at.

Those who sense are taken a row of cells after the other, and their neighbours gathered in pairs: what a pair comes to
is then worked out for hundreds at once. Each one's sum is in the order of the cells, however the work is shared out.
"""

import numpy as np

from keypose.fields.kernels.field_laws import CORE, POWER, RADIUS, STRENGTH, felt, weakened
from keypose.fields.kernels.neighbour_grid import (
    ALONG,
    LANES,
    NOBODY,
    SPARE,
    count_around,
    is_far,
    lay_everybody,
    lay_row,
    rows_around,
)
from keypose.maths.arrays import Floats, Ints, UInt32s
from keypose.maths.kernel_switch import kernel

ROOM = 1_024  # for those near, and for pairs, at first


@kernel
def room(count: int) -> tuple[Floats, UInt32s]:
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
    square: Floats,
    hits: UInt32s,
    until: Ints,
) -> int:
    """Find who is near begin … stop, while there is room; whose are next.

    Those near `begin`, who is in `cell`, end at until[0] of `hits`. They are among the laid ones: `everybody`, if that
    is not zero; else those of the columns around its own, counted from the cell `first`, until somebody is far.
    """
    found, at = np.uint64(0), begin
    while at < stop and at - begin < len(until):
        while begins[cell + 1] <= at:
            cell += 1
        x, y, z = here[0, at], here[1, at], here[2, at]
        low, high = np.uint64(0), np.uint64(everybody)
        if everybody == 0:
            low, high = np.uint64(ends[cell - first]), np.uint64(ends[cell - first + 2 * ALONG + 1])
            if is_far(x, y, z, inverse):
                break
        if int(found) + int(high - low) + LANES > len(hits):
            break
        lots = (int(high - low) + LANES - 1) // LANES * LANES  # some of those behind too: nobody asks for them
        for one in range(low, low + np.uint64(lots)):
            ex, ey, ez = xs[one] - x, ys[one] - y, zs[one] - z
            square[one] = ex * ex + ey * ey + ez * ez
        for one in range(low, high):  # without a branch: who is near is chance, and not foreseen
            hits[found] = one
            found += np.uint64(square[one] <= reach)
        until[at - begin] = found
        at += 1
    return at


@kernel
def reach_out(
    here: Floats,
    begin: int,
    end: int,
    until: Ints,
    hits: UInt32s,
    xs: Floats,
    ys: Floats,
    zs: Floats,
    owns: Floats,
    who: UInt32s,
    dx: Floats,
    dy: Floats,
    dz: Floats,
    whom: UInt32s,
) -> int:
    """The ways of begin … end to all who are near, but not to themselves, and to whom that is; how many they are.

    For itself, after all are found: how many are near one is not foreseen either, but is known early then. Those of
    `begin` end at until[0] afterwards.
    """
    pair, hit = np.uint64(0), np.uint64(0)
    for at in range(begin, end):
        x, y, z, me, last = here[0, at], here[1, at], here[2, at], here[3, at], np.uint64(until[at - begin])
        while hit < last:
            one = hits[hit]
            dx[pair], dy[pair], dz[pair], whom[pair] = xs[one] - x, ys[one] - y, zs[one] - z, who[one]
            pair += np.uint64(owns[one] != me)
            hit += np.uint64(1)
        until[at - begin] = pair
    return int(pair)


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
def give_back(dx: Floats, dy: Floats, dz: Floats, whom: UInt32s, count: int, out: Floats) -> None:
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

    Those who sense are sorted (`here`, `begins`), those who push too (`near`, `starts`, `carriers`).

    Where all of a group pull each other by a central law it is mutual: a pair in different rows of cells is worked out
    once for both. Then whole layers are taken, those that begin within start … stop, and what they give to the next
    layer is added up for itself, from row `given_rows` on: nobody else writes there, whoever has the next layer. Pairs
    within a row are worked out for one at a time all the same, and given back to nobody: to rows before those.
    """
    given = given_rows(near.shape[1] - SPARE, shape) if is_mutual else 0
    nx, radius = shape[0], laws[0, RADIUS]
    if is_mutual:
        start, stop = layer_from(start, begins, nx * shape[1]), layer_from(stop, begins, nx * shape[1])
    reach = radius * radius * (1.0 if is_central else 1.001)  # other laws know themselves who is at the border
    bases, until, ends = np.zeros(9, np.int64), np.empty(ROOM, np.int64), np.empty(nx + 2 * ALONG + 1, np.int64)
    numbers, names = room(ROOM)
    around, at, cell = bases, start, int(np.searchsorted(begins, start, "right")) - 1
    while at < stop:
        while begins[cell + 1] <= at:
            cell += 1
        row = cell // nx
        first = last = cell - row * nx
        everybody, needed = 0, near.shape[1]
        if is_far(here[0, at], here[1, at], here[2, at], inverse):
            everybody, stop_row = near.shape[1] - SPARE, at + 1
        else:
            stop_row = min(stop, begins[(row + 1) * nx])
            while begins[row * nx + last + 1] < stop_row:
                last += 1
            around = bases[: rows_around(row, shape, is_mutual, bases)]
            needed = count_around(first, last, around, starts, nx)
        if needed + LANES > names.shape[1]:
            numbers, names = room(needed + needed // 4)
        xs, ys, zs, owns, square = numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]
        dx, dy, dz, who, hits, whom = numbers[5], numbers[6], numbers[7], names[0], names[1], names[2]
        if everybody:
            lay_everybody(near, xs, ys, zs, owns, who)
        else:
            nobody = near.shape[1] - SPARE + row // shape[1] * NOBODY
            lay_row(first, last, around, starts, nx, near, nobody, given, ends, xs, ys, zs, owns, who)
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
                square,
                hits,
                until,
            )
            count = reach_out(here, begin, at, until, hits, xs, ys, zs, owns, who, dx, dy, dz, whom)
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
def given_rows(count: int, shape: Ints) -> int:
    """From which row on the sums of so many are that the layers before give: behind room for nobody in each layer."""
    return int(count + NOBODY * shape[2])


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
    at: UInt32s,
    sums: Floats,
    given: int,
    scale: float,
    out: Floats,
    start: int,
    stop: int,
) -> None:
    """Add to `out` (rows, 3) what is theirs of sorted sums: at `at` of each, and more behind row `given`, if not 0."""
    for one in range(start, stop):
        row, share, its = rows[one], scale * affinity[one], np.uint64(at[one])
        x, y, z = sums[its, 0], sums[its, 1], sums[its, 2]
        if given > 0:
            more = its + np.uint64(given)
            x, y, z = x + sums[more, 0], y + sums[more, 1], z + sums[more, 2]
        out[row, 0] += share * x
        out[row, 1] += share * y
        out[row, 2] += share * z
