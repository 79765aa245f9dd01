"""Numba twins of the race between bodies and their targets: `target.advanced` and `actuator`, for all followers."""

import numpy as np
from numpy.typing import NDArray

from keypose.maths.kernel import kernel
from keypose.physics.racing import (
    ANCHOR,
    ANCHOR_U,
    GOING,
    IS_NEW,
    IS_TOLD,
    LASTING,
    MOVED,
    PULLED,
    RUNAWAY,
    SINCE,
    SPIN,
    TABLED,
    TURN,
    TURNED,
    TWISTING,
    U,
)
from keypose.physics.target import FINEST, MARCH, NEAR, TRIES

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Three = tuple[float, float, float]
Four = tuple[float, float, float, float]


@kernel
def place_on(cubics: Floats, begin: int, count: int, closed: bool, u: float) -> Three:
    """Where a path is at u."""
    number = min(int(np.floor(u)), count - 1) if not closed else int(np.floor(u)) % count
    s = u - np.floor(u) if closed else u - number
    one = cubics[begin + number]
    x = ((one[3, 0] * s + one[2, 0]) * s + one[1, 0]) * s + one[0, 0]
    y = ((one[3, 1] * s + one[2, 1]) * s + one[1, 1]) * s + one[0, 1]
    z = ((one[3, 2] * s + one[2, 2]) * s + one[1, 2]) * s + one[0, 2]
    return x, y, z


@kernel
def pace_on(cubics: Floats, begin: int, count: int, closed: bool, u: float) -> float:
    """How far a unit of the parameter goes at u."""
    number = min(int(np.floor(u)), count - 1) if not closed else int(np.floor(u)) % count
    s = u - np.floor(u) if closed else u - number
    one, square = cubics[begin + number], 0.0
    for axis in range(3):
        slope = (3 * one[3, axis] * s + 2 * one[2, axis]) * s + one[1, axis]
        square += slope * slope
    return np.sqrt(square)


@kernel
def away_from(cubics: Floats, begin: int, count: int, closed: bool, u: float, x: float, y: float, z: float) -> float:
    """How far a place is from the path at u."""
    px, py, pz = place_on(cubics, begin, count, closed, u)
    return np.sqrt((px - x) ** 2 + (py - y) ** 2 + (pz - z) ** 2)


@kernel
def advanced(
    cubics: Floats,
    begin: int,
    count: int,
    closed: bool,
    u: float,
    within: float,
    most: float,
    x: float,
    y: float,
    z: float,
) -> float:
    """Twin of `target.advanced` on a path."""
    last, gone = np.inf if closed else float(count), 0.0
    short = away_from(cubics, begin, count, closed, u, x, y, z) - within
    if short >= 0.0:
        return u
    while u < last and gone < most:
        speed = pace_on(cubics, begin, count, closed, u)
        du = min(FINEST, most / MARCH / speed) if speed > 0 else FINEST
        following = min(u + du, last)
        over = away_from(cubics, begin, count, closed, following, x, y, z) - within
        if over >= 0.0:
            low, high, side = u, following, 0
            for _ in range(TRIES):
                middle = high - over * (high - low) / (over - short)
                miss = away_from(cubics, begin, count, closed, middle, x, y, z) - within
                if abs(miss) <= NEAR * within:
                    return middle
                if miss < 0.0:
                    low, short, over, side = middle, miss, over / 2 if side < 0 else over, -1
                else:
                    high, over, short, side = middle, miss, short / 2 if side > 0 else short, 1
            return high
        gone += speed * (following - u)
        u, short = following, over
    return u


@kernel
def facing_on(facings: Floats, begin: int, count: int, closed: bool, v: float) -> Four:
    """The facing at v, counted in tabled ones: on the straight line between two, of length one."""
    v = v % (count - 1) if closed else v
    number = min(int(v), count - 2)
    s, one, two = v - number, facings[begin + number], facings[begin + number + 1]
    sign = 1.0 if one[0] * two[0] + one[1] * two[1] + one[2] * two[2] + one[3] * two[3] >= 0 else -1.0
    w, x = one[0] + s * (sign * two[0] - one[0]), one[1] + s * (sign * two[1] - one[1])
    y, z = one[2] + s * (sign * two[2] - one[2]), one[3] + s * (sign * two[3] - one[3])
    length = np.sqrt(w * w + x * x + y * y + z * z)
    return w / length, x / length, y / length, z / length


@kernel
def turn_to(q: Floats, w: float, x: float, y: float, z: float) -> Three:
    """Twin of `actuator.turn_away`: the rotation vector from q to a facing."""
    a, b, c, d = q[0], -q[1], -q[2], -q[3]
    rw = w * a - x * b - y * c - z * d
    rx, ry, rz = w * b + x * a + y * d - z * c, w * c - x * d + y * a + z * b, w * d + x * c - y * b + z * a
    if rw < 0:
        rw, rx, ry, rz = -rw, -rx, -ry, -rz
    sine = np.sqrt(rx * rx + ry * ry + rz * rz)
    times = 2.0 if sine < 1e-12 else 2.0 * np.arctan2(sine, rw) / sine
    return times * rx, times * ry, times * rz


@kernel
def turned_ahead(
    facings: Floats, begin: int, count: int, closed: bool, v: float, within: float, most: float, q: Floats
) -> float:
    """Twin of `target.advanced` on tabled facings: `most` is how far it may turn."""
    last, gone = np.inf if closed else float(count - 1), 0.0
    end = v + count - 1  # once round, if there is nothing to turn to
    while v < last and gone < most and v < end:
        w, x, y, z = facing_on(facings, begin, count, closed, v)
        a, b, c = turn_to(q, w, x, y, z)
        if np.sqrt(a * a + b * b + c * c) >= within:
            return v
        following = min(v + 0.25, last)
        nw, nx, ny, nz = facing_on(facings, begin, count, closed, following)
        gone += 2.0 * np.arccos(min(1.0, abs(w * nw + x * nx + y * ny + z * nz)))
        v = following
    return v


@kernel
def rotated(q: Floats, sign: float, x: float, y: float, z: float) -> Three:
    """A vector turned by q, or back by the sign -1."""
    w, a, b, c = q[0], sign * q[1], sign * q[2], sign * q[3]
    p, r, s = 2.0 * (b * z - c * y), 2.0 * (c * x - a * z), 2.0 * (a * y - b * x)
    return x + w * p + b * s - c * r, y + w * r + c * p - a * s, z + w * s + a * r - b * p


@kernel
def lasting(
    memory: Floats, row: int, known: int, going: int, pulled: int, now: Three, step: float, over: float, most: float
) -> None:
    """Twin of `actuator.lasting`, in these columns of what is remembered."""
    share, square = -np.expm1(-step / over), 0.0
    for axis in range(3):
        seen = (now[axis] - memory[row, going + axis]) / step - memory[row, pulled + axis]
        memory[row, known + axis] += share * (seen - memory[row, known + axis])
        square += memory[row, known + axis] ** 2
    if square > most * most:
        for axis in range(3):
            memory[row, known + axis] *= most / np.sqrt(square)


@kernel
def race(
    rows: Ints,
    pull: Floats,
    reach: Floats,
    patience: Floats,
    filters: Floats,
    segments: Ints,
    closed: Bools,
    cubics: Floats,
    facings: Floats,
    place: Floats,
    going: Floats,
    mass: Floats,
    inertia: Floats,
    axes: Floats,
    step: float,
    memory: Floats,
    force: Floats,
) -> int:
    """Let all targets go on, and fill `force` (moving, 6) of their bodies; `memory` is what is remembered of each.

    Returns the row of a body that is lost, or -1; or -2 if somebody has waited for long enough to be told of.
    """
    answer = -1
    for row in range(len(place)):
        for number in range(7):
            if not abs(place[row, number]) <= RUNAWAY or not abs(going[row, min(number, 5)]) <= RUNAWAY:
                return row
    for one in range(len(rows)):
        row, q = rows[one], place[rows[one], 3:]
        k, c = pull[one, 0], pull[one, 1]
        weakened = 1 + step * c + step * step * k
        begin, count, turn, turns = segments[one, 0], segments[one, 1], segments[one, 2], segments[one, 3]
        x, y, z = place[row, 0], place[row, 1], place[row, 2]
        velocity = going[row, 0], going[row, 1], going[row, 2]
        if memory[one, IS_NEW] == 0.0 and filters[one, 0] > 0.0:
            lasting(memory, one, LASTING, GOING, PULLED, velocity, step, filters[one, 0], filters[one, 1])
        u = advanced(cubics, begin, count, closed[one], memory[one, U], reach[one, 0], step * reach[one, 1], x, y, z)
        px, py, pz = place_on(cubics, begin, count, closed[one], u)
        memory[one, U] = u
        away = px - x, py - y, pz - z
        for axis in range(3):
            pulled = (k * away[axis] - c * velocity[axis]) / weakened - memory[one, LASTING + axis]
            memory[one, PULLED + axis], memory[one, GOING + axis] = pulled, velocity[axis]
            force[row, axis] = mass[row] * pulled
        if turns > 0:
            spin = rotated(q, 1.0, going[row, 3], going[row, 4], going[row, 5])
            if memory[one, IS_NEW] == 0.0 and filters[one, 0] > 0.0:
                lasting(memory, one, TWISTING, SPIN, TURNED, spin, step, filters[one, 0], filters[one, 2])
            v, most = memory[one, TURN] * TABLED, step * reach[one, 3]
            v = turned_ahead(facings, turn, turns, closed[one], v, reach[one, 2], most, q)
            memory[one, TURN] = v / TABLED
            w, a, b, d = facing_on(facings, turn, turns, closed[one], v)
            angle = turn_to(q, w, a, b, d)
            for axis in range(3):
                turned = (k * angle[axis] - c * spin[axis]) / weakened - memory[one, TWISTING + axis]
                memory[one, TURNED + axis], memory[one, SPIN + axis] = turned, spin[axis]
            wanted = memory[one, TURNED], memory[one, TURNED + 1], memory[one, TURNED + 2]
            twist(q, axes[row], inertia[row], wanted, spin, force[row])
        memory[one, IS_NEW] = 0.0
        wait(memory, one, x, y, z, reach[one, 0], not closed[one] and u >= count, step)
        if memory[one, SINCE] >= patience[one] and memory[one, IS_TOLD] == 0.0:
            answer = -2
    return answer


@kernel
def wait(memory: Floats, row: int, x: float, y: float, z: float, within: float, arrived: bool, step: float) -> None:
    """Count for how long a follower and its target have not moved; one that has arrived waits for nothing."""
    far = max(abs(x - memory[row, ANCHOR]), abs(y - memory[row, ANCHOR + 1]), abs(z - memory[row, ANCHOR + 2]))
    if arrived or far > MOVED * within or memory[row, U] - memory[row, ANCHOR_U] > MOVED:
        memory[row, ANCHOR], memory[row, ANCHOR + 1], memory[row, ANCHOR + 2] = x, y, z
        memory[row, ANCHOR_U], memory[row, SINCE], memory[row, IS_TOLD] = memory[row, U], 0.0, 0.0
    else:
        memory[row, SINCE] += step


@kernel
def twist(q: Floats, axes: Floats, inertia: Floats, wanted: Three, spin: Three, force: Floats) -> None:
    """Twin of `actuator.torque`: fill the last three of `force` with what turns a body as wanted."""
    tx, ty, tz = heavy(q, axes, inertia, wanted)
    mx, my, mz = heavy(q, axes, inertia, spin)
    force[3] = tx + spin[1] * mz - spin[2] * my
    force[4] = ty + spin[2] * mx - spin[0] * mz
    force[5] = tz + spin[0] * my - spin[1] * mx


@kernel
def heavy(q: Floats, axes: Floats, inertia: Floats, vector: Three) -> Three:
    """A vector of the world times the inertia of a body, whose own axes stand so in it."""
    x, y, z = rotated(q, -1.0, vector[0], vector[1], vector[2])
    x, y, z = rotated(axes, -1.0, x, y, z)
    x, y, z = rotated(axes, 1.0, inertia[0] * x, inertia[1] * y, inertia[2] * z)
    return rotated(q, 1.0, x, y, z)


@kernel
def speed_of(place: Floats, going: Floats, row: int, x: float, y: float, z: float) -> Three:
    """How a point of a moving body moves [m/s]."""
    a, b, c = rotated(place[row, 3:], 1.0, going[row, 3], going[row, 4], going[row, 5])
    x, y, z = x - place[row, 0], y - place[row, 1], z - place[row, 2]
    return going[row, 0] + b * z - c * y, going[row, 1] + c * x - a * z, going[row, 2] + a * y - b * x


@kernel
def met(
    pairs: Ints, points: Floats, normals: Floats, known: Ints, solids: int, place: Floats, going: Floats
) -> tuple[Ints, Ints, Floats]:
    """Who touches whom, and who did not before.

    Pairs (n, 2) of solids touch at points (n, 3) along normals from the first to the second. Returns a sorted code for
    each pair of all `solids`, once; of those that are not `known` the number of a contact, and how fast [m/s] they come
    together, when bodies were at `place` and going so.
    """
    count = len(pairs)
    codes = np.empty(count, np.int64)
    for number in range(count):
        one, two = pairs[number, 0], pairs[number, 1]
        codes[number] = min(one, two) * solids + max(one, two)
    order, found, new = np.argsort(codes), np.empty(count, np.int64), np.empty(count, np.int64)
    speeds, kinds, news = np.empty(count), 0, 0
    for number in order:
        if kinds and found[kinds - 1] == codes[number]:
            continue
        found[kinds] = codes[number]
        kinds += 1
        at = np.searchsorted(known, codes[number])
        if at < len(known) and known[at] == codes[number]:
            continue
        x, y, z = points[number, 0], points[number, 1], points[number, 2]
        speed = 0.0
        for side in range(2):
            row = pairs[number, side]
            if row < len(place):
                a, b, c = speed_of(place, going, row, x, y, z)
                along = a * normals[number, 0] + b * normals[number, 1] + c * normals[number, 2]
                speed += along if side == 0 else -along
        new[news], speeds[news] = number, speed
        news += 1
    return found[:kinds].copy(), new[:news].copy(), speeds[:news].copy()
