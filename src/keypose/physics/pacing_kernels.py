"""Compiled loops over the strands of a script: how far targets went, and how far is left to their goals."""

import numpy as np
from numpy.typing import NDArray

from keypose.maths.kernel import kernel
from keypose.motion.appointments import ACTIVE, FAR
from keypose.physics.racing import (
    AHEAD,
    AIM,
    DRIFT,
    EASE,
    GOING,
    HOLD,
    SPIN,
    TABLED,
    TURN,
    TURN_DRIFT,
    TURN_EASE,
    TURN_HOLD,
    U,
)
from keypose.physics.turning_kernels import facing_on, turn_to

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Three = tuple[float, float, float]

FORESEEN = 4  # times that it is looked when a body comes, and how far behind it is then
SOLVED = 6  # times, after which nothing is wrong but for rounding
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
def behind_then(
    behind: float, speed: float, ahead: float, until: float, within: float, pace: float, stiff: float
) -> float:
    """How far a body will be behind its target when that comes to a goal so far `ahead`; it is so far behind now.

    That settles at `within` while its target goes on, which is so far `until` its path ends: who has just set out, or
    was given another speed, is nearer or farther for a while. Critically damped, with `stiff` [1/s²], and at its own
    speed, of which `pace` and `speed` are what it comes to and what it has now.
    """
    off, quick, then = behind - within, np.sqrt(stiff), behind
    drift = pace - speed + quick * off
    for _ in range(FORESEEN):
        t = max(min(ahead + then, until), 0.0) / pace
        then = within + (off + drift * t) * np.exp(-quick * t)
    return then


@kernel
def fading(share: float) -> float:
    """How long it takes until only a share is left of how far a body is behind its target, once that stands still.

    In times that its target was ahead. Critically damped it is (1 + t)·exp(-2t), of which this is the inverse.
    """
    logarithm = float(-np.log(share))
    t = logarithm  # from above, where each time of Newton's squares what is wrong
    for _ in range(SOLVED):
        t -= (2 * t - np.log1p(t) - logarithm) / (2 - 1 / (1 + t))
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
                    end = FAR if closed[row] else turned_to_end(turned, segments[row], where[goal])
                    if is_held_at(memory[row, TURN_HOLD], where[goal], early[goal]):
                        end = 0.0
                    turn = still_to_turn(facings, segments[row], closed[row], memory[row], place[bodies[row]])
                    going = along(memory[row], turn, SPIN, TURN_DRIFT) / memory[row, TURN_EASE]
                    left[goal] = of_body(left[goal], end, norm(turn), going, reach[row, 2], reach[row, 3], pull[row, 0])
            else:
                begin, count = segments[row, 0], segments[row, 1]
                left[goal] = run(cubics, begin, count, closed[row], memory[row, U], where[goal])
                if of_bodies[meeting]:
                    end = FAR if closed[row] else run(cubics, begin, count, False, where[goal], float(count))
                    if is_held_at(memory[row, HOLD], where[goal], early[goal]):
                        end = 0.0
                    way = still_to_go(memory[row], place[bodies[row]])
                    going = along(memory[row], way, GOING, DRIFT) / memory[row, EASE]
                    left[goal] = of_body(left[goal], end, norm(way), going, reach[row, 0], reach[row, 1], pull[row, 0])


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
def of_body(
    ahead: float, beyond: float, behind: float, speed: float, within: float, most: float, stiff: float
) -> float:
    """How far it is for a body to a goal so far `ahead` of its target, at the pace it settles at: see `coming`."""
    then = behind_then(behind, speed, ahead, ahead + beyond, within, most / AHEAD, stiff)
    left = ahead + behind
    return (
        coming(left, beyond, within) if left <= ARRIVED * within else max(coming(ahead + then, beyond, within), A_HAIR)
    )


@kernel
def still_to_go(memory: Floats, place: Floats) -> Three:
    """The way from a body to its target."""
    return memory[AIM] - place[0], memory[AIM + 1] - place[1], memory[AIM + 2] - place[2]


@kernel
def still_to_turn(facings: Floats, segments: Ints, closed: bool, memory: Floats, place: Floats) -> Three:
    """The turn from a body to the target of that [rad]."""
    w, x, y, z = facing_on(facings, segments[2], segments[3], closed, memory[TURN] * TABLED)
    return turn_to(place[3:], w, x, y, z)


@kernel
def norm(vector: Three) -> float:
    """How long a vector is."""
    return float(np.sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]))


@kernel
def along(memory: Floats, way: Three, moving: int, drift: int) -> float:
    """How fast a body goes or turns towards its target, beside what its path does."""
    far, speed = norm(way), 0.0
    for axis in range(3):
        speed += way[axis] * (memory[moving + axis] - memory[drift + axis])
    return speed / far if far > A_HAIR else 0.0
