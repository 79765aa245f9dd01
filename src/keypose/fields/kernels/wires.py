"""Numba twins of one tick's pushes along explicit links, and from all of a group."""

import numpy as np
from numpy.typing import NDArray

from keypose.fields.kernels.laws import LARGEST_SQUARE, felt, length, weakened
from keypose.maths.kernel import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Shorts = NDArray[np.int32]
Indices = NDArray[np.uint32]

AT_ONCE = 256  # links: what is kept of so many stays in the nearest cache


@kernel
def wires(
    firsts: Ints,
    carriers: Shorts,
    which: Shorts,
    affinity: Floats,
    laws: Floats,
    place: Floats,
    turn: Floats,
    upright: int,
    scale: float,
    out: Floats,
    start: int,
    stop: int,
) -> None:
    """Add to `out` (rows, 3) Σ affinity · push over the links firsts[row] … firsts[row + 1] of each row."""
    for row in range(start, stop):
        x, y, z = place[row, 0], place[row, 1], place[row, 2]
        fx, fy, fz = 0.0, 0.0, 0.0
        for link in range(firsts[row], firsts[row + 1]):
            carrier, law, share = carriers[link], which[link], affinity[link]
            dx, dy, dz = x - place[carrier, 0], y - place[carrier, 1], z - place[carrier, 2]
            px, py, pz = felt(laws, law, turn, upright, carrier, dx, dy, dz)
            fx, fy, fz = fx + share * px, fy + share * py, fz + share * pz
        out[row, 0] += scale * fx
        out[row, 1] += scale * fy
        out[row, 2] += scale * fz


@kernel
def strands(
    firsts: Ints,
    carriers: Indices,
    strength: Floats,
    power: float,
    core: float,
    radius: float,
    place: Floats,
    scale: float,
    out: Floats,
    start: int,
    stop: int,
) -> None:
    """Add to `out` (rows, 3) the pulls to the carriers of each row, all with this power, core and radius.

    Some rows after the other, each time first all ways to their carriers, then all weights, then the sums: memory is
    asked for many places at once, and roots and quotients are taken for several links at once.
    """
    dx, dy, dz, weight = np.empty(AT_ONCE), np.empty(AT_ONCE), np.empty(AT_ONCE), np.empty(AT_ONCE)
    row = start
    while row < stop:
        first, end = np.uint64(firsts[row]), row + 1
        while end < stop and firsts[end + 1] - firsts[row] <= AT_ONCE:
            end += 1
        count = firsts[end] - firsts[row]
        if count > len(weight):
            dx, dy, dz, weight = np.empty(count), np.empty(count), np.empty(count), np.empty(count)
        link = np.uint64(0)
        for one in range(row, end):
            x, y, z = place[one, 0], place[one, 1], place[one, 2]
            for _ in range(firsts[one + 1] - firsts[one]):
                carrier = carriers[first + link]
                dx[link], dy[link], dz[link] = place[carrier, 0] - x, place[carrier, 1] - y, place[carrier, 2] - z
                link += np.uint64(1)
        weigh(dx, dy, dz, count, strength, first, power, core, radius, weight)
        link = np.uint64(0)
        for one in range(row, end):
            fx, fy, fz = 0.0, 0.0, 0.0
            for _ in range(firsts[one + 1] - firsts[one]):
                share = weight[link]
                fx, fy, fz = fx + share * dx[link], fy + share * dy[link], fz + share * dz[link]
                link += np.uint64(1)
            out[one, 0] += scale * fx
            out[one, 1] += scale * fy
            out[one, 2] += scale * fz
        row = end


@kernel
def weigh(
    dx: Floats,
    dy: Floats,
    dz: Floats,
    count: int,
    strength: Floats,
    first: np.uint64,
    power: float,
    core: float,
    radius: float,
    weight: Floats,
) -> None:
    """Fill `weight` with what each way is to be taken times, strengths counted from `first`."""
    reach, tame = radius * radius, True
    if power == 3.0:  # by far the most common: gravity, and what is like it
        for link in range(np.uint64(count)):
            square = dx[link] * dx[link] + dy[link] * dy[link] + dz[link] * dz[link]
            distance = max(np.sqrt(square), core)
            pull = strength[first + link] / (distance * distance * distance)
            weight[link] = pull if square <= reach else 0.0
            tame &= square <= LARGEST_SQUARE
        if tame:
            return
    for link in range(np.uint64(count)):
        x, y, z = dx[link], dy[link], dz[link]
        if power != 3.0 or x * x + y * y + z * z > LARGEST_SQUARE:
            distance = length(x, y, z)
            pull = weakened(strength[first + link], power, max(distance, core))
            weight[link] = pull if distance <= radius else 0.0


@kernel
def crowd(
    rows: Ints,
    own: Ints,
    affinity: Floats,
    carriers: Ints,
    theirs: Ints,
    laws: Floats,
    place: Floats,
    turn: Floats,
    upright: int,
    scale: float,
    out: Floats,
    start: int,
    stop: int,
) -> None:
    """Add to `out` what everybody of a group pushes each of these rows, all by the only law, but not themselves."""
    for one in range(start, stop):
        row, me = rows[one], own[one]
        x, y, z = place[row, 0], place[row, 1], place[row, 2]
        fx, fy, fz = 0.0, 0.0, 0.0
        for other in range(len(carriers)):
            if theirs[other] == me:
                continue
            carrier = carriers[other]
            px, py, pz = felt(
                laws, 0, turn, upright, carrier, x - place[carrier, 0], y - place[carrier, 1], z - place[carrier, 2]
            )
            fx, fy, fz = fx + px, fy + py, fz + pz
        share = scale * affinity[one]
        out[row, 0] += share * fx
        out[row, 1] += share * fy
        out[row, 2] += share * fz
