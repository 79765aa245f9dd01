"""Numba twins of one tick's pushes along explicit links, and from all of a group."""

import numpy as np

from keypose.fields.kernels.field_laws import LARGEST_SQUARE, felt, length, weakened
from keypose.maths.arrays import Floats, Int32s, Ints, UInt32s
from keypose.maths.kernel_switch import kernel

AT_ONCE = 256  # links: what is kept of so many stays in the nearest cache


@kernel
def wires(
    firsts: Ints,
    carriers: Int32s,
    which: Int32s,
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
    begins: Ints,
    rows: UInt32s,
    carriers: UInt32s,
    strength: Floats,
    power: float,
    core: float,
    radius: float,
    place: Floats,
    out: Floats,
    start: int,
    stop: int,
) -> None:
    """Add to `out` (rows, 3) the pulls along the links of the blocks start … stop, with one power, core and radius.

    Some links after the other, each time first all ways to their carriers, then all weights, then the sums: memory is
    asked for many places at once, and roots and quotients are taken for several links at once.
    """
    room = np.empty((4, AT_ONCE + 8))  # not a power of two, as the nearest cache would put all four in one place
    dx, dy, dz, weight = room[0], room[1], room[2], room[3]
    for first in range(begins[start], begins[stop], AT_ONCE):
        count, begin = np.uint64(min(AT_ONCE, begins[stop] - first)), np.uint64(first)
        for link in range(count):
            row, carrier = rows[begin + link], carriers[begin + link]
            dx[link] = place[carrier, 0] - place[row, 0]
            dy[link] = place[carrier, 1] - place[row, 1]
            dz[link] = place[carrier, 2] - place[row, 2]
        weigh(dx, dy, dz, count, strength, begin, power, core, radius, weight)
        for link in range(count):
            row, share = rows[begin + link], weight[link]
            out[row, 0] += share * dx[link]
            out[row, 1] += share * dy[link]
            out[row, 2] += share * dz[link]


@kernel
def weigh(
    dx: Floats,
    dy: Floats,
    dz: Floats,
    count: np.uint64,
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
        for link in range(count):
            square = dx[link] * dx[link] + dy[link] * dy[link] + dz[link] * dz[link]
            distance = max(np.sqrt(square), core)
            pull = strength[first + link] / (distance * distance * distance)
            weight[link] = pull if square <= reach else 0.0
            tame &= square <= LARGEST_SQUARE
        if tame:
            return
    for link in range(count):
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
