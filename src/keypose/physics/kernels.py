"""Numba twins of the race between bodies and their targets: `target.advanced` and `actuator`, for all followers."""

import numpy as np

from keypose.maths.arrays import Bools, Floats, Ints, Vec3
from keypose.maths.kernel import kernel
from keypose.physics.actuator import CALM
from keypose.physics.carried_kernels import rotated
from keypose.physics.racing import (
    AHEAD,
    AIM,
    ANCHOR,
    ANCHOR_U,
    DRIFT,
    EASE,
    GOING,
    HOLD,
    IS_NEW,
    IS_TOLD,
    LASTING,
    MOVED,
    PULLED,
    RUNAWAY,
    SETTLED,
    SINCE,
    SPIN,
    TURN_EASE,
    TURN_SINCE,
    TURN_TOLD,
    TURNED,
    TWISTING,
    WEIGHTS_OF_LASTING,
    U,
)
from keypose.physics.target import ENOUGH, FINEST, GUESSES, MARCH, NEAR, TRIES
from keypose.physics.turning_kernels import turn, twist


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
