"""Compiled loops over the strands of a script: how far targets went, and how far is left to their goals.

When does a body come to a goal? Its race is played ahead in one dimension (LG95 §3.1), until it is there.

Who has just set out, or was given another speed, is nearer to its target or farther from it for a while than it comes
to be; and where that stops, since its path ends or it is held, its body comes ever slower.

Does a path lead back from a goal? A target that went on there would draw its body back before that has come.

It is seen from as far before and behind the goal as a target keeps ahead: what is bent more narrowly does not matter.
"""

import numpy as np

from keypose.maths.arrays import Bools, Floats, Ints, Vec3
from keypose.maths.kernel_switch import kernel
from keypose.maths.tolerance import PROGRESS_TOLERANCE
from keypose.motion.sync_protocol import ACTIVE, FAR
from keypose.physics.following.follower_arrays import (
    AHEAD,
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
from keypose.physics.following.kernels import facing_on, leash, place_on, turn_to

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
            gone[one] = -long(memory[row], SPIN if turns[one] else GOING) - PROGRESS_TOLERANCE
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
                        gone[one] = -long(memory[row], SPIN) - PROGRESS_TOLERANCE
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
                        gone[one] = -long(memory[row], GOING) - PROGRESS_TOLERANCE
                    elif stays[goal] and has_stood(memory[row, U], where[goal], memory[row, SINCE], ease, k, c):
                        left[goal] = min(left[goal], 0.0)


@kernel
def stops(memory: Floats, turns: bool, segments: Ints, closed: bool) -> float:
    """Where the target of a place or of a turn stops: where it is held, or at the end of its path."""
    hold = memory[TURN_HOLD if turns else HOLD]
    return float(hold if closed else min(hold, float(segments[1]))) - PROGRESS_TOLERANCE


@kernel
def stops_at(at: float, hold: float, where: float, early: bool, stays: bool) -> bool:
    """Whether a target stays at a goal of its body, or others hold it there: that only comes as near as it can."""
    return (stays and at <= where + PROGRESS_TOLERANCE) or (not early and abs(hold - where) <= PROGRESS_TOLERANCE)


@kernel
def has_stood(at: float, where: float, since: float, ease: float, k: float, c: float) -> bool:
    """Whether a body has come as near as it can to a goal where its target stays: others, or its limbs, keep it off.

    One that is slow itself, and has nearly come, moves no more than MOVED in c/k · MOVED/ARRIVED seconds. Those that it
    has stood for, `since`, are counted by its ease.
    """
    return at >= where - PROGRESS_TOLERANCE and since >= max(STOOD * ease, 4 * MOVED / ARRIVED * c / k)


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
    return speed / far if far > PROGRESS_TOLERANCE else 0.0


ARRIVED = 0.05  # of how far its target keeps ahead: what is so near has come
FINE = 0.1  # of how long it takes to settle: a step ahead
STEPS = 400  # after which it is taken to go on as it does then
SETTLED = 0.01  # of its distance and speed: nobody who is so near to them needs to be played ahead


@kernel
def of_body(
    ahead: float,
    beyond: float,
    behind: float,
    speed: float,
    within: float,
    stiff: float,
    damping: float,
    ease: float,
) -> float:
    """How far it is for a body to a goal so far `ahead` of its target, which can go as far `beyond` it.

    In what it would go in that time at the pace it settles at: so, what is left falls as evenly as time passes. `speed`
    is towards the target, of what it would be without the `ease`.
    """
    left = ahead + behind - ARRIVED * within
    if left <= 0.0:
        return left
    pace = stiff * within / damping
    return max(
        pace * comes_in(left, ahead + beyond, behind, speed, within, stiff, damping, rush(ease)), PROGRESS_TOLERANCE
    )


@kernel
def rush(ease: float) -> float:
    """How fast a target may run ahead of its body, of the speed both settle at."""
    return AHEAD * leash(ease) / ease


@kernel
def comes_in(
    left: float, until: float, behind: float, speed: float, within: float, stiff: float, damping: float, most: float
) -> float:
    """In how many seconds a body has gone as far as is `left`, whose target stops after `until`.

    The body is so far behind that and pulled to it; the target goes on while it is less than `within` away, at most
    so many times as fast as both settle at.
    """
    pace, t = stiff * within / damping, 0.0
    step = max(FINE * damping / stiff, 2 * FINE / np.sqrt(stiff))
    fades, rests = np.exp(-damping * step), stiff / damping
    for _ in range(STEPS):
        if until > 0.0 and abs(behind - within) <= SETTLED * within and abs(speed - pace) <= SETTLED * pace:
            way = min(left, until)
            left, until, t = left - way, until - way, t + way / pace
            if left <= 0.0:
                return t
        before, farthest = speed, min(most * pace * step, until)
        goes = min(max(within - behind + step * speed, 0.0), farthest)
        middle = behind + 0.5 * (goes - step * speed)
        speed = rests * middle + (speed - rests * middle) * fades
        went = 0.5 * step * (before + speed)
        if went >= left:
            return float(t + step * left / went)
        goes = min(max(within - behind + went, 0.0), farthest)
        behind, until, left, t = behind + goes - went, until - goes, left - went, t + step
    return t + left / max(speed, SETTLED * pace)


PARTS = 16  # of a segment: how finely it is looked where a path is far enough
WIDEST = np.pi / 4  # [rad], beyond which it would not be known any more which way round it is
LESS = 0.9  # than by Pythagoras, as across a right angle: or rounding would lead back from where a turn ends


@kernel
def leads_back(cubics: Floats, begin: int, count: int, closed: bool, u: float, far: float) -> bool:
    """Whether a path turns by more than a right angle at u, seen from `far` away on both sides, or from its ends."""
    before = seen_away(cubics, begin, count, closed, u, -1.0 / PARTS, far)
    after = seen_away(cubics, begin, count, closed, u, 1.0 / PARTS, far)
    return before[0] * after[0] + before[1] * after[1] + before[2] * after[2] > 0.0


@kernel
def seen_away(cubics: Floats, begin: int, count: int, closed: bool, u: float, step: float, far: float) -> Vec3:
    """The way from a path at u to where it is `far` away first, in steps of its parameter, or to its end."""
    x, y, z = place_on(cubics, begin, count, closed, u)
    dx = dy = dz = 0.0
    steps, end = PARTS * count, u + count if closed else float(count)  # once round at most
    for number in range(1, steps + 1):
        there = min(max(u + number * step, 0.0), end)
        px, py, pz = place_on(cubics, begin, count, closed, there)
        dx, dy, dz = px - x, py - y, pz - z
        if dx * dx + dy * dy + dz * dz >= far * far or there == 0.0 or there == end:
            break
    return dx, dy, dz


@kernel
def turns_back(facings: Floats, begin: int, count: int, closed: bool, v: float, far: float) -> bool:
    """The same of a turn, in tabled facings from v on: how far it is across from `far` [rad] before to behind it."""
    far = min(far, WIDEST)
    before = entry_away(facings, begin, count, closed, v, -1.0, far)
    after = entry_away(facings, begin, count, closed, v, 1.0, far)
    one = turn_between(facings, begin, count, closed, v, before)
    two = turn_between(facings, begin, count, closed, v, after)
    across = turn_between(facings, begin, count, closed, before, after)
    return across * across < LESS * (one * one + two * two)


@kernel
def entry_away(facings: Floats, begin: int, count: int, closed: bool, v: float, step: float, far: float) -> float:
    """The tabled facing where a turn is `far` away from v first, in such steps, or at its end."""
    there, end = v, v + count - 1 if closed else count - 1.0
    for number in range(1, count):
        there = min(max(v + number * step, 0.0), end)
        if turn_between(facings, begin, count, closed, v, there) >= far or there == 0.0 or there == end:
            break
    return there


@kernel
def turn_between(facings: Floats, begin: int, count: int, closed: bool, one: float, two: float) -> float:
    """How far it is from one tabled facing to another [rad]."""
    p, q = facing_on(facings, begin, count, closed, one), facing_on(facings, begin, count, closed, two)
    return float(2 * np.arccos(min(abs(p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]), 1.0)))
