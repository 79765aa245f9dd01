"""Does a path lead back from a goal? A target that went on there would draw its body back before that has come.

It is seen from as far before and behind the goal as a target keeps ahead: what is bent more narrowly does not matter.
"""

import numpy as np

from keypose.maths.arrays import Floats, Vec3
from keypose.maths.kernel import kernel
from keypose.physics.kernels import place_on
from keypose.physics.turning_kernels import facing_on

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
