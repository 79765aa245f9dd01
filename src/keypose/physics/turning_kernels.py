"""Compiled loops over those who turn: their second targets on tabled facings, and what turns their bodies."""

import numpy as np

from keypose.maths.arrays import Floats, Ints, Vec3, Vec4
from keypose.maths.kernel import kernel
from keypose.physics.carried_kernels import rotated
from keypose.physics.racing import (
    FACED,
    MOVED,
    SETTLED,
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
)
from keypose.physics.target import ENOUGH

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
