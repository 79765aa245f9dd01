"""Compiled loops over the strands of a script: how far targets went, and how far is left to their goals."""

import numpy as np

from keypose.maths.arrays import Bools, Floats, Ints, Vec3
from keypose.maths.kernel import kernel
from keypose.motion.appointments import ACTIVE, FAR
from keypose.physics.arriving_kernels import ARRIVED, of_body
from keypose.physics.racing import (
    AIM,
    DRIFT,
    EASE,
    GOING,
    HOLD,
    MOVED,
    SINCE,
    SPIN,
    TABLED,
    TURN,
    TURN_DRIFT,
    TURN_EASE,
    TURN_HOLD,
    TURN_SINCE,
    U,
)
from keypose.physics.returning_kernels import leads_back, turns_back
from keypose.physics.turning_kernels import facing_on, turn_to

A_HAIR = 1e-9
STOOD = 0.25  # [s] without a move: nobody comes any nearer after that
PUSHED_OFF = 1.05  # of how far its target keeps ahead: what is farther away than that was pushed there
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
def ways(
    rows: Ints,
    turns: Bools,
    bodies: Ints,
    segments: Ints,
    closed: Bools,
    cubics: Floats,
    facings: Floats,
    at_rest: Floats,
    turned: Floats,
    reach: Floats,
    pull: Floats,
    memory: Floats,
    place: Floats,
    last: Floats,
    strand: Ints,
    where: Floats,
    first: Ints,
    of_bodies: Bools,
    state: Ints,
    early: Bools,
    stays: Bools,
    gone: Floats,
    left: Floats,
) -> None:
    """Fill `gone` with how far targets went since they were at `last`, and `left` with how far goals are.

    To goals of bodies that is from the body: it is as far behind as it is away from its target. A target that has come
    to its end, or is held, or waits for a body that was pushed away, has gone less than 0: by as much as its body still
    goes in a second, and a hair. And `stays` with where a target must not go on before its body has come, as its path
    leads back: it would draw it back, too.
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
                    end = FAR if closed[row] else turned_to_end(turned, segments[row], where[goal])
                    begin, count = segments[row, 2], segments[row, 3]
                    stays[goal] = turns_back(at_rest, begin, count, closed[row], where[goal] * TABLED, reach[row, 2])
                    if stops_at(memory[row, TURN], memory[row, TURN_HOLD], where[goal], early[goal], stays[goal]):
                        end = 0.0
                    turn = still_to_turn(facings, segments[row], closed[row], memory[row], place[bodies[row]])
                    ease, k, c = memory[row, TURN_EASE], pull[row, 0], pull[row, 1]
                    going = along(memory[row], turn, SPIN, TURN_DRIFT) / ease
                    left[goal] = of_body(left[goal], end, norm(turn), going, reach[row, 2], k, c, ease)
                    if norm(turn) > PUSHED_OFF * reach[row, 2]:
                        gone[one] = -long(memory[row], SPIN) - A_HAIR
                    elif stays[goal] and has_stood(memory[row, TURN], where[goal], memory[row, TURN_SINCE], ease, k, c):
                        left[goal] = min(left[goal], 0.0)
            else:
                begin, count = segments[row, 0], segments[row, 1]
                left[goal] = run(cubics, begin, count, closed[row], memory[row, U], where[goal])
                if of_bodies[meeting]:
                    end = FAR if closed[row] else run(cubics, begin, count, False, where[goal], float(count))
                    stays[goal] = leads_back(cubics, begin, count, closed[row], where[goal], reach[row, 0])
                    if stops_at(memory[row, U], memory[row, HOLD], where[goal], early[goal], stays[goal]):
                        end = 0.0
                    way = still_to_go(memory[row], place[bodies[row]])
                    ease, k, c = memory[row, EASE], pull[row, 0], pull[row, 1]
                    going = along(memory[row], way, GOING, DRIFT) / ease
                    left[goal] = of_body(left[goal], end, norm(way), going, reach[row, 0], k, c, ease)
                    if norm(way) > PUSHED_OFF * reach[row, 0]:
                        gone[one] = -long(memory[row], GOING) - A_HAIR
                    elif stays[goal] and has_stood(memory[row, U], where[goal], memory[row, SINCE], ease, k, c):
                        left[goal] = min(left[goal], 0.0)


@kernel
def stops(memory: Floats, turns: bool, segments: Ints, closed: bool) -> float:
    """Where the target of a place or of a turn stops: where it is held, or at the end of its path."""
    hold = memory[TURN_HOLD if turns else HOLD]
    return float(hold if closed else min(hold, float(segments[1]))) - A_HAIR


@kernel
def stops_at(at: float, hold: float, where: float, early: bool, stays: bool) -> bool:
    """Whether a target stays at a goal of its body, or others hold it there: that only comes as near as it can."""
    return (stays and at <= where + A_HAIR) or (not early and abs(hold - where) <= A_HAIR)


@kernel
def has_stood(at: float, where: float, since: float, ease: float, k: float, c: float) -> bool:
    """Whether a body has come as near as it can to a goal where its target stays: others, or its limbs, keep it off.

    One that is slow itself, and has nearly come, moves no more than MOVED in c/k · MOVED/ARRIVED seconds. Those that it
    has stood for, `since`, are counted by its ease.
    """
    return at >= where - A_HAIR and since >= max(STOOD * ease, 4 * MOVED / ARRIVED * c / k)


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
def still_to_go(memory: Floats, place: Floats) -> Vec3:
    """The way from a body to its target."""
    return memory[AIM] - place[0], memory[AIM + 1] - place[1], memory[AIM + 2] - place[2]


@kernel
def still_to_turn(facings: Floats, segments: Ints, closed: bool, memory: Floats, place: Floats) -> Vec3:
    """The turn from a body to the target of that [rad]."""
    w, x, y, z = facing_on(facings, segments[2], segments[3], closed, memory[TURN] * TABLED)
    return turn_to(place[3:], w, x, y, z)


@kernel
def norm(vector: Vec3) -> float:
    """How long a vector is."""
    return float(np.sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]))


@kernel
def along(memory: Floats, way: Vec3, moving: int, drift: int) -> float:
    """How fast a body goes or turns towards its target, beside what its path does."""
    far, speed = norm(way), 0.0
    for axis in range(3):
        speed += way[axis] * (memory[moving + axis] - memory[drift + axis])
    return speed / far if far > A_HAIR else 0.0
