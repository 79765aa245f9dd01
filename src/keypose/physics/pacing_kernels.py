"""Compiled loops over the strands of a script: how far targets went, and how far is left to their goals."""

import numpy as np
from numpy.typing import NDArray

from keypose.maths.kernel import kernel
from keypose.motion.appointments import ACTIVE, FAR
from keypose.physics.racing import AIM, GOING, HOLD, SPIN, TABLED, TURN, TURN_HOLD, U
from keypose.physics.turning_kernels import facing_on, turn_to

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

SOLVED = 12  # times that halve what is wrong at least
A_HAIR = 1e-9
ARRIVED = 0.05  # of how far its target keeps ahead: what is so near has come
GAUSS = (
    (0.04691007703066802, 0.11846344252809454),
    (0.23076534494715845, 0.23931433524968324),
    (0.5, 0.28444444444444444),
    (0.7692346550528415, 0.23931433524968324),
    (0.9530899229693320, 0.11846344252809454),
)
"""Where to look at a stretch, and what that counts for."""


@kernel
def stretch(cubic: Floats, start: float, stop: float) -> float:
    """How long a segment is from one share of it to another."""
    length = 0.0
    for share, weight in GAUSS:
        s = start + share * (stop - start)
        x = (3 * cubic[3, 0] * s + 2 * cubic[2, 0]) * s + cubic[1, 0]
        y = (3 * cubic[3, 1] * s + 2 * cubic[2, 1]) * s + cubic[1, 1]
        z = (3 * cubic[3, 2] * s + 2 * cubic[2, 2]) * s + cubic[1, 2]
        length += weight * np.sqrt(x * x + y * y + z * z)
    return length * (stop - start)


@kernel
def run(cubics: Floats, begin: int, count: int, closed: bool, u: float, to: float) -> float:
    """How far it is along a path from u to a later parameter; below zero if that is behind."""
    if to < u:
        return -run(cubics, begin, count, closed, to, u)
    length = 0.0
    if closed and to - u >= count:  # all rounds are as long as one: nobody walks a thousand of them
        rest = np.fmod(to - u, count)
        length = (to - u - rest) / count * walked(cubics, begin, count, True, 0.0, float(count))
        to = u + rest
    return length + walked(cubics, begin, count, closed, u, to)


@kernel
def walked(cubics: Floats, begin: int, count: int, closed: bool, u: float, to: float) -> float:
    """How far it is from u to a later parameter, segment by segment."""
    length = 0.0
    while u < to:
        number = int(np.floor(u))
        if not closed:
            number = min(number, count - 1)
        end = min(to, number + 1.0)
        length += stretch(cubics[begin + number % count], u - number, end - number)
        u = end
    return length


@kernel
def turned_by(turned: Floats, begin: int, count: int, v: float) -> float:
    """How far a path has turned by v, counted in tabled facings; round after round [rad]."""
    rounds = np.floor(v / (count - 1)) if v > count - 1 else 0.0
    v -= rounds * (count - 1)
    number = min(int(v), count - 2)
    one, two = turned[begin + number], turned[begin + number + 1]
    return float(rounds * turned[begin + count - 1] + one + (v - number) * (two - one))


@kernel
def coming(left: float, beyond: float, within: float) -> float:
    """How far it is for a body that has so far left to its goal, beyond which its path goes on, or ends soon.

    Where that ends its target does not run ahead any more, and it comes ever slower: so far it would go in that time.
    """
    behind, there = min(left + beyond, within), beyond + ARRIVED * within
    if behind <= there:
        return left - ARRIVED * within
    return left + beyond - behind + within * (fading(there / within) - fading(behind / within))


@kernel
def fading(share: float) -> float:
    """How long it takes until only a share is left of how far a body is behind its target, once that stands still.

    In times that its target was ahead. Critically damped it is (1 + t)·exp(-2t), of which this is the inverse.
    """
    logarithm, t = -np.log(share), 0.0
    for _ in range(SOLVED):
        t = 0.5 * (logarithm + np.log1p(t))
    return t


@kernel
def ways(
    rows: Ints,
    turns: Bools,
    bodies: Ints,
    segments: Ints,
    closed: Bools,
    cubics: Floats,
    facings: Floats,
    turned: Floats,
    reach: Floats,
    memory: Floats,
    place: Floats,
    last: Floats,
    strand: Ints,
    where: Floats,
    first: Ints,
    of_bodies: Bools,
    state: Ints,
    early: Bools,
    gone: Floats,
    left: Floats,
) -> None:
    """Fill `gone` with how far targets went since they were at `last`, and `left` with how far goals are.

    To goals of bodies that is from the body: it is as far behind as it is away from its target. A target that has come
    to its end, or is held, has gone less than 0: by as much as its body still goes in a second, and a hair.
    """
    for one in range(len(rows)):
        row = rows[one]
        if memory[row, TURN if turns[one] else U] >= stops(memory[row], turns[one], segments[row], closed[row]):
            gone[one] = -long(memory[row], SPIN if turns[one] else GOING) - A_HAIR
        elif turns[one]:
            gone[one] = turned_on(turned, segments[row], last[one], memory[row, TURN])
        else:
            gone[one] = run(cubics, segments[row, 0], segments[row, 1], closed[row], last[one], memory[row, U])
    for meeting in range(len(state)):
        if state[meeting] != ACTIVE:
            continue
        for goal in range(first[meeting], first[meeting + 1]):
            one = strand[goal]
            if one >= len(rows):
                continue  # it is a clock
            row = rows[one]
            if turns[one]:
                left[goal] = turned_on(turned, segments[row], memory[row, TURN], where[goal])
                if of_bodies[meeting]:
                    behind = behind_in_turn(facings, segments[row], closed[row], memory[row], place[bodies[row]])
                    end = FAR if closed[row] else turned_to_end(turned, segments[row], where[goal])
                    if is_held_at(memory[row, TURN_HOLD], where[goal], early[goal]):
                        end = 0.0
                    left[goal] = coming(left[goal] + behind, end, reach[row, 2])
            else:
                begin, count = segments[row, 0], segments[row, 1]
                left[goal] = run(cubics, begin, count, closed[row], memory[row, U], where[goal])
                if of_bodies[meeting]:
                    end = FAR if closed[row] else run(cubics, begin, count, False, where[goal], float(count))
                    if is_held_at(memory[row, HOLD], where[goal], early[goal]):
                        end = 0.0
                    left[goal] = coming(left[goal] + behind_on_way(memory[row], place[bodies[row]]), end, reach[row, 0])


@kernel
def stops(memory: Floats, turns: bool, segments: Ints, closed: bool) -> float:
    """Where the target of a place or of a turn stops: where it is held, or at the end of its path."""
    hold = memory[TURN_HOLD if turns else HOLD]
    return float(hold if closed else min(hold, float(segments[1]))) - A_HAIR


@kernel
def is_held_at(hold: float, where: float, early: bool) -> bool:
    """Whether others hold a target at a goal of its body, which then only comes as near as it can."""
    return not early and abs(hold - where) <= A_HAIR


@kernel
def long(numbers: Floats, at: int) -> float:
    """How long a vector is that stands among numbers."""
    x, y, z = numbers[at], numbers[at + 1], numbers[at + 2]
    return float(np.sqrt(x * x + y * y + z * z))


@kernel
def turned_on(turned: Floats, segments: Ints, one: float, two: float) -> float:
    """How far a path turns from one parameter to another [rad]."""
    begin, count = segments[2], segments[3]
    return turned_by(turned, begin, count, two * TABLED) - turned_by(turned, begin, count, one * TABLED)


@kernel
def turned_to_end(turned: Floats, segments: Ints, v: float) -> float:
    """How far a path still turns from a parameter to its end [rad]."""
    begin, count = segments[2], segments[3]
    return float(turned[begin + count - 1] - turned_by(turned, begin, count, v * TABLED))


@kernel
def behind_on_way(memory: Floats, place: Floats) -> float:
    """How far a body is away from its target."""
    x, y, z = memory[AIM] - place[0], memory[AIM + 1] - place[1], memory[AIM + 2] - place[2]
    return float(np.sqrt(x * x + y * y + z * z))


@kernel
def behind_in_turn(facings: Floats, segments: Ints, closed: bool, memory: Floats, place: Floats) -> float:
    """How far a body has still to turn to the target of its turn [rad]."""
    w, x, y, z = facing_on(facings, segments[2], segments[3], closed, memory[TURN] * TABLED)
    a, b, c = turn_to(place[3:], w, x, y, z)
    return float(np.sqrt(a * a + b * b + c * c))
