"""Numba twins of the race between bodies and their targets: `target.advanced` and `actuator`, for all followers.

Compiled loops over those who turn: their second targets on tabled facings, and what turns their bodies.
"""

import numpy as np

from keypose.maths.arrays import Bools, Floats, Ints, Vec3, Vec4
from keypose.maths.kernel_switch import kernel
from keypose.maths.kernels import rotated
from keypose.physics.following.controller import CALM
from keypose.physics.following.follower_arrays import (
    AHEAD,
    AIM,
    ANCHOR,
    ANCHOR_U,
    DRIFT,
    EASE,
    FACED,
    GOING,
    HOLD,
    IS_NEW,
    IS_TOLD,
    LASTING,
    MOVED,
    PULLED,
    SETTLED,
    SINCE,
    SPIN,
    TABLED,
    TURN,
    TURN_ANCHOR,
    TURN_DRIFT,
    TURN_EASE,
    TURN_HOLD,
    TURN_SINCE,
    TURN_TOLD,
    TURNED,
    TWISTING,
    WEIGHTS_OF_LASTING,
    U,
)
from keypose.physics.following.target import ENOUGH, FINEST, GUESSES, MARCH, NEAR, TRIES
from keypose.physics.values.body import RUNAWAY


@kernel
def place_on(cubics: Floats, begin: int, count: int, closed: bool, u: float) -> Vec3:
    """Where a path is at u."""
    number = min(int(np.floor(u)), count - 1) if not closed else int(np.floor(u)) % count
    s = u - np.floor(u) if closed else u - number
    one = cubics[begin + number]
    x = ((one[3, 0] * s + one[2, 0]) * s + one[1, 0]) * s + one[0, 0]
    y = ((one[3, 1] * s + one[2, 1]) * s + one[1, 1]) * s + one[0, 1]
    z = ((one[3, 2] * s + one[2, 2]) * s + one[1, 2]) * s + one[0, 2]
    return x, y, z


@kernel
def seen_from(cubics: Floats, begin: int, count: int, closed: bool, u: float, x: float, y: float, z: float) -> Vec3:
    """How far a place is from the path at u, squared; how that grows with u; and how far a unit of u goes, squared."""
    number = int(u)
    if closed and number >= count:
        number %= count
    number = min(number, count - 1)
    s = u - np.floor(u) if closed else u - number
    one, far, grows, pace = cubics[begin + number], 0.0, 0.0, 0.0
    for axis in range(3):
        a, b, c = one[3, axis], one[2, axis], one[1, axis]
        away = ((a * s + b) * s + c) * s + one[0, axis] - (x if axis == 0 else y if axis == 1 else z)
        slope = (3 * a * s + 2 * b) * s + c
        far, grows, pace = far + away * away, grows + away * slope, pace + slope * slope
    return far, 2 * grows, pace


@kernel
def advanced(
    cubics: Floats,
    begin: int,
    count: int,
    closed: bool,
    u: float,
    hold: float,
    within: float,
    most: float,
    x: float,
    y: float,
    z: float,
) -> float:
    """Twin of `target.advanced` on a path, by squares of distances; it stops at `hold`."""
    last, gone, square = min(hold, u + count if closed else float(count)), 0.0, within * within  # once round at most
    near, guesses = 2 * NEAR * square, GUESSES
    far, rate, pace = seen_from(cubics, begin, count, closed, u, x, y, z)
    short = far - square
    if short >= 0.0:
        return u
    while u < last and gone < ENOUGH * most:
        du = FINEST
        if pace * (FINEST * FINEST * MARCH * MARCH) > most * most:
            du = most / MARCH / np.sqrt(pace)
        if guesses > 0 and rate * du > -short:
            du = -short / rate
        following = min(u + du, last)
        far, grows, goes = seen_from(cubics, begin, count, closed, following, x, y, z)
        over = far - square
        if abs(over) <= near:
            return following
        if over > 0.0:
            low, high, side = u, following, 0
            for _ in range(TRIES):
                middle = high - over * (high - low) / (over - short)
                far, _, _ = seen_from(cubics, begin, count, closed, middle, x, y, z)
                miss = far - square
                if abs(miss) <= near:
                    return middle
                if miss < 0.0:
                    low, short, over, side = middle, miss, over / 2 if side < 0 else over, -1
                else:
                    high, over, short, side = middle, miss, short / 2 if side > 0 else short, 1
            return high
        gone += np.sqrt(pace) * (following - u)
        u, short, rate, pace, guesses = following, over, grows, goes, guesses - 1
    return u


@kernel
def lasting(
    memory: Floats, row: int, known: int, going: int, pulled: int, now: Vec3, step: float, share: float, most: float
) -> None:
    """Twin of `actuator.lasting`, in these columns of what is remembered; what is seen counts by a share."""
    square = 0.0
    for axis in range(3):
        seen = (now[axis] - memory[row, going + axis]) / step - memory[row, pulled + axis]
        memory[row, known + axis] += share * (seen - memory[row, known + axis])
        square += memory[row, known + axis] ** 2
    if square > most * most:
        for axis in range(3):
            memory[row, known + axis] *= most / np.sqrt(square)


@kernel
def learning(harder: float, k: float) -> float:
    """Twin of `actuator.learning`."""
    return float(CALM * (harder - 1.0) / np.sqrt(k))


@kernel
def leash(ease: float) -> float:
    """Which share of the most that a target goes is left to one of this ease.

    Who is slowed down has a target that goes no faster than is meant, whatever speed its body still has; who is not is
    free to run ahead.
    """
    square = ease * ease
    fourth = square * square
    sixteenth = fourth * fourth * fourth * fourth
    return ease / AHEAD + (1.0 - 1.0 / AHEAD) * sixteenth


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
    load: Floats,
    step: float,
    memory: Floats,
    force: Floats,
) -> int:
    """Let all targets go on, and fill `force` (moving, 6) of their bodies; `memory` is what is remembered of each.

    Returns the row of a body that is lost, or -1; or -2 if somebody has waited for long enough to be told of.
    """
    answer, over, share = -1, 0.0, 0.0
    for row in range(len(place)):
        for number in range(7):
            if not abs(place[row, number]) <= RUNAWAY or not abs(going[row, min(number, 5)]) <= RUNAWAY:
                return row
    for one in range(len(rows)):
        row, q = rows[one], place[rows[one], 3:]
        ease, hold = memory[one, EASE], memory[one, HOLD]
        k, c = pull[one, 0] * ease * ease, pull[one, 1] * ease
        weakened = 1 + step * c + step * step * k
        begin, count = segments[one, 0], segments[one, 1]
        x, y, z = place[row, 0], place[row, 1], place[row, 2]
        velocity = going[row, 0], going[row, 1], going[row, 2]
        if filters[one, 0] != over:  # which is the same for most
            over = filters[one, 0]
            share = -np.expm1(-step / over) if over > 0.0 else 0.0
        is_lasting = memory[one, IS_NEW] == 0.0 and over > 0.0
        if is_lasting:
            lasting(memory, one, LASTING, GOING, PULLED, velocity, step, share, filters[one, 1])
        within, most = reach[one, 0], step * reach[one, 1] * leash(ease)
        u = advanced(cubics, begin, count, closed[one], memory[one, U], hold, within, most, x, y, z)
        px, py, pz = place_on(cubics, begin, count, closed[one], u)
        memory[one, U] = u
        memory[one, AIM], memory[one, AIM + 1], memory[one, AIM + 2] = px, py, pz
        away = px - x, py - y, pz - z
        for axis in range(3):
            against = velocity[axis] - memory[one, DRIFT + axis]
            pulled = (k * away[axis] - c * against) / weakened - memory[one, LASTING + axis]
            memory[one, PULLED + axis], memory[one, GOING + axis] = pulled, velocity[axis]
            force[row, axis] = mass[row] * pulled
        is_there = u >= hold or (not closed[one] and u >= count)
        is_there = is_there and away[0] ** 2 + away[1] ** 2 + away[2] ** 2 <= (SETTLED * within) ** 2
        wait(memory, one, x, y, z, within, is_there, step * ease)
        if memory[one, SINCE] >= patience[one] and memory[one, IS_TOLD] == 0.0:
            answer = -2
        if segments[one, 3] > 0:
            spin = rotated(q, 1.0, going[row, 3], going[row, 4], going[row, 5])
            if is_lasting:
                most, slower = filters[one, 2] + WEIGHTS_OF_LASTING * load[row, 0], learning(load[row, 1], pull[one, 0])
                portion = share if slower <= over else -np.expm1(-step / slower)
                lasting(memory, one, TWISTING, SPIN, TURNED, spin, step, portion, most)
            most = step * reach[one, 3] * leash(memory[one, TURN_EASE])
            turn(memory, one, segments[one], closed[one], facings, pull[one], reach[one, 2], most, step, q, spin)
            if memory[one, TURN_SINCE] >= patience[one] and memory[one, TURN_TOLD] == 0.0:
                answer = -2
            wanted = memory[one, TURNED], memory[one, TURNED + 1], memory[one, TURNED + 2]
            twist(q, axes[row], inertia[row], wanted, spin, force[row])
        memory[one, IS_NEW] = 0.0
    return answer


@kernel
def wait(memory: Floats, row: int, x: float, y: float, z: float, within: float, arrived: bool, step: float) -> None:
    """Count for how long a follower and its target have not moved; one that has arrived waits for nothing.

    The target alone may be where the path ends and its body be held off: then both wait.
    """
    far = max(abs(x - memory[row, ANCHOR]), abs(y - memory[row, ANCHOR + 1]), abs(z - memory[row, ANCHOR + 2]))
    if arrived or far > MOVED * within or memory[row, U] - memory[row, ANCHOR_U] > MOVED:
        memory[row, ANCHOR], memory[row, ANCHOR + 1], memory[row, ANCHOR + 2] = x, y, z
        memory[row, ANCHOR_U], memory[row, SINCE], memory[row, IS_TOLD] = memory[row, U], 0.0, 0.0
    else:
        memory[row, SINCE] += step


QUARTER = 0.25  # of a tabled facing: how far a target turns before it is looked again how far that is
A_HAIR = 1e-12  # of one


@kernel
def facing_on(facings: Floats, begin: int, count: int, closed: bool, v: float) -> Vec4:
    """The facing at v, counted in tabled ones: on the straight line between two, of length one."""
    v = v % (count - 1) if closed and v >= count - 1 else v
    number = min(int(v), count - 2)
    s, one, two = v - number, facings[begin + number], facings[begin + number + 1]
    sign = 1.0 if one[0] * two[0] + one[1] * two[1] + one[2] * two[2] + one[3] * two[3] >= 0 else -1.0
    w, x = one[0] + s * (sign * two[0] - one[0]), one[1] + s * (sign * two[1] - one[1])
    y, z = one[2] + s * (sign * two[2] - one[2]), one[3] + s * (sign * two[3] - one[3])
    length = np.sqrt(w * w + x * x + y * y + z * z)
    return w / length, x / length, y / length, z / length


@kernel
def away(w: float, x: float, y: float, z: float, q: Floats) -> Vec4:
    """How a facing stands to a body that faces as q: the quaternion from there to it."""
    p, r = w * q[0] + x * q[1] + y * q[2] + z * q[3], x * q[0] - w * q[1] + z * q[2] - y * q[3]
    return p, r, y * q[0] - w * q[2] + x * q[3] - z * q[1], z * q[0] - w * q[3] + y * q[1] - x * q[2]


@kernel
def turn_to(q: Floats, w: float, x: float, y: float, z: float) -> Vec3:
    """Twin of `actuator.turn_away`: the rotation vector from q to a facing."""
    w, x, y, z = away(w, x, y, z, q)
    if w < 0:
        w, x, y, z = -w, -x, -y, -z
    sine = np.sqrt(x * x + y * y + z * z)
    times = 2.0 if sine < 1e-12 else 2.0 * np.arctan2(sine, w) / sine
    return times * x, times * y, times * z


@kernel
def turned_ahead(
    facings: Floats, begin: int, count: int, closed: bool, v: float, hold: float, within: float, most: float, q: Floats
) -> float:
    """Twin of `target.advanced` on tabled facings, counted by v; `most` is how far it may turn.

    From one facing to the next it is a straight line, of which only the direction counts. Seen from a body that faces
    as q, the square of the sine of half the turn to s on that line is (a quadratic of s) / (another one): so where that
    is as far as `within` is solved for, and nothing is searched.
    """
    last, gone = hold if closed else min(hold, float(count - 1)), 0.0
    end = v + count - 1  # once round, if there is nothing to turn to
    square, number = np.sin(within / 2) ** 2, -1
    far = long = (0.0, 0.0, 0.0)
    while v < last and gone < ENOUGH * most and v < end:
        on = v % (count - 1) if closed and v >= count - 1 else v
        s = on - min(int(on), count - 2)
        if number != min(int(on), count - 2):
            number = min(int(on), count - 2)
            far, long = line_seen(facings, begin + number, square, q)
        if (far[2] * s + far[1]) * s + far[0] >= 0.0:
            return v
        following = min(s + QUARTER, s + last - v, 1.0)
        turns = turn_along(long, s, following)
        if gone + turns > most:
            following = s + (following - s) * (most - gone) / turns
            turns = most - gone
        if (far[2] * following + far[1]) * following + far[0] > 0.0:
            return v + min(max(rising(far), s), following) - s
        v, gone = max(v + following - s, v + A_HAIR), gone + turns
    return min(v, last)


@kernel
def line_seen(facings: Floats, row: int, square: float, q: Floats) -> tuple[Vec3, Vec3]:
    """The line from a tabled facing to the next, as seen by a body that faces as q: two quadratics, lowest power first.

    How far it is beyond a turn whose sine of the half, squared, is `square`; and how long the line is from nowhere.
    """
    one, two = facings[row], facings[row + 1]
    w, x, y, z = away(one[0], one[1], one[2], one[3], q)
    a, b, c, d = away(two[0], two[1], two[2], two[3], q)
    if w * a + x * b + y * c + z * d < 0.0:
        a, b, c, d = -a, -b, -c, -d
    a, b, c, d = a - w, b - x, c - y, d - z
    low, middle, high = x * x + y * y + z * z, 2 * (x * b + y * c + z * d), b * b + c * c + d * d
    long = low + w * w, middle + 2 * w * a, high + a * a
    return (low - square * long[0], middle - square * long[1], high - square * long[2]), long


@kernel
def turn_along(long: Vec3, s: float, t: float) -> float:
    """How far it turns from s to t on a line that is so long from nowhere [rad]."""
    along = long[0] + long[1] * (s + t) / 2 + long[2] * s * t
    lengths = ((long[2] * s + long[1]) * s + long[0]) * ((long[2] * t + long[1]) * t + long[0])
    return float(2.0 * np.arccos(min(1.0, along / np.sqrt(lengths))))


@kernel
def rising(far: Vec3) -> float:
    """Where a quadratic becomes more than 0."""
    c, b, a = far
    root = np.sqrt(max(b * b - 4 * a * c, 0.0))
    return float(-2 * c / (b + root)) if b > 0.0 else float((root - b) / (2 * a))


@kernel
def turn(
    memory: Floats,
    row: int,
    segments: Ints,
    closed: bool,
    facings: Floats,
    pull: Floats,
    within: float,
    most: float,
    step: float,
    q: Floats,
    spin: Vec3,
) -> None:
    """Let the second target of a follower turn on, and remember how its body, which faces and spins so, is to turn.

    It keeps `within` ahead, and turns no more than `most` [rad].
    """
    ease, hold, begin, count = memory[row, TURN_EASE], memory[row, TURN_HOLD] * TABLED, segments[2], segments[3]
    k, c = pull[0] * ease * ease, pull[1] * ease
    v = turned_ahead(facings, begin, count, closed, memory[row, TURN] * TABLED, hold, within, most, q)
    memory[row, TURN] = v / TABLED
    w, x, y, z = facing_on(facings, begin, count, closed, v)
    angle, weakened = turn_to(q, w, x, y, z), 1 + step * c + step * step * k
    for axis in range(3):
        against = spin[axis] - memory[row, TURN_DRIFT + axis]
        turned = (k * angle[axis] - c * against) / weakened - memory[row, TWISTING + axis]
        memory[row, TURNED + axis], memory[row, SPIN + axis] = turned, spin[axis]
    is_there = v >= hold or (not closed and v >= count - 1)
    is_there = is_there and angle[0] ** 2 + angle[1] ** 2 + angle[2] ** 2 <= (SETTLED * within) ** 2
    wait_to_turn(memory, row, q, within, is_there, step * ease)


@kernel
def wait_to_turn(memory: Floats, row: int, q: Floats, within: float, arrived: bool, step: float) -> None:
    """As `wait`, for the second target of a follower and the way its body faces."""
    w, x, y, z = memory[row, FACED], memory[row, FACED + 1], memory[row, FACED + 2], memory[row, FACED + 3]
    _, a, b, c = away(w, x, y, z, q)
    has_turned = a * a + b * b + c * c > np.sin(MOVED * within / 2) ** 2
    if arrived or has_turned or memory[row, TURN] - memory[row, TURN_ANCHOR] > MOVED:
        for number in range(4):
            memory[row, FACED + number] = q[number]
        memory[row, TURN_ANCHOR], memory[row, TURN_SINCE], memory[row, TURN_TOLD] = memory[row, TURN], 0.0, 0.0
    else:
        memory[row, TURN_SINCE] += step


@kernel
def twist(q: Floats, axes: Floats, inertia: Floats, wanted: Vec3, spin: Vec3, force: Floats) -> None:
    """Twin of `actuator.torque`: fill the last three of `force` with what turns a body as wanted."""
    if inertia[0] == inertia[1] == inertia[2]:  # as of a ball, whose spin does not turn itself
        force[3], force[4], force[5] = inertia[0] * wanted[0], inertia[0] * wanted[1], inertia[0] * wanted[2]
        return
    tx, ty, tz = heavy(q, axes, inertia, wanted)
    mx, my, mz = heavy(q, axes, inertia, spin)
    force[3] = tx + spin[1] * mz - spin[2] * my
    force[4] = ty + spin[2] * mx - spin[0] * mz
    force[5] = tz + spin[0] * my - spin[1] * mx


@kernel
def heavy(q: Floats, axes: Floats, inertia: Floats, vector: Vec3) -> Vec3:
    """A vector of the world times the inertia of a body, whose own axes stand so in it."""
    x, y, z = rotated(q, -1.0, vector[0], vector[1], vector[2])
    x, y, z = rotated(axes, -1.0, x, y, z)
    x, y, z = rotated(axes, 1.0, inertia[0] * x, inertia[1] * y, inertia[2] * z)
    return rotated(q, 1.0, x, y, z)
