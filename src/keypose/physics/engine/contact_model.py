"""How hard is a contact? A spring and a damper, so that as much of the speed comes back as a body's bounce says.

A contact only pushes: it ends when its force has gone to zero, before the spring is as long as it was. With ζ the
damping against the critical one, the share of the speed that is left then is

    e = exp(−ζ θ/√(1−ζ²)),  θ = atan2(2ζ√(1−ζ²), 2ζ²−1)      (and its hyperbolic twin from ζ = 1 on).

Plain steps take a contact in a few strides, and less of a small bounce comes back: for those ζ is found by striding.

MuJoCo gives every contact its speed back whatever the others do. Where several bounce at once that is more than they
had: a row of balls would gain a quarter of its energy, a pile of boxes ten times as much. So those push as springs.

Who pushes as a spring where several bounce at once, and how hard? The definition; `body_kernels` has its twins.

A hit goes on through whatever touches: who is pressed and bounces off several makes springs of all its contacts, and so
does everybody it passes the hit on to. MuJoCo takes it that bodies do not turn where they are hit; they do, and give
way more easily, so their springs are softer by as much, or more speed would come back than there was.

Who has come to be deep in whom at longer steps? At shorter ones contacts are harder, and would throw apart with more
energy than it took to press together who are deep in each other already: those stay as they are while they touch.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import acosh, atan2, exp, sqrt
from typing import TypeVar

import numpy as np

from keypose.maths import quaternion
from keypose.maths.arrays import Bools, Floats, Ints

HARDNESS = 0.3  # of a step: ω·h. Harder contacts are shallower, but do not give back what they should
DEADBEAT = 0.9  # of a step: b·h, at which hardly any speed is left after one step
SLIGHTEST = 1e-3  # ζ of what bounces for ever
MOST = DEADBEAT / (2 * HARDNESS)  # ζ of plain steps: with more, a body would be thrown back by its damper alone
LEAST = 0.05  # of the speed, which comes back at that ζ: who bounces less does not bounce
SPRINGY = 0.2  # ζ: who keeps 0.57 of its speed or more bounces as a spring where others bounce too
FOR_EVER = 0.01  # ζ: who keeps all of its speed is one even alone, or what turns while it touches would gain some
AS_A_SPRING = 0.01  # of what it is to do: a contact that does no more is a spring, and asks nobody else
BEGINNINGS = 64  # of contacts, anywhere within the step in which they begin
SOFTENED = (
    0.1  # ω·h at least, where steps take half of it off ζ: so nobody keeps more than about 5/6 of its speed there
)


@lru_cache(maxsize=256)
def spring_and_damper(bounce: float, step: float, looks_ahead: bool = False) -> tuple[float, float]:
    """Stiffness [1/s²] and damping [1/s] of a contact, for each unit of mass, at this step [s] of the simulation.

    Steps that look ahead, as soft bodies need them, damp by ω·h/2 themselves: so there is less of a damper, and where
    that is not enough, also less of a spring.
    """
    if bounce < LEAST:
        damping = DEADBEAT / step
        return (damping / 4) ** 2, damping
    if looks_ahead:
        ratio = damping_for(bounce)
        hardness = min(HARDNESS, max(SOFTENED, 2 * ratio))
        ratio = max(SLIGHTEST, ratio - hardness / 2)
    else:
        ratio, hardness = strided_damping_for(bounce), HARDNESS
    frequency = hardness / step
    return frequency**2, 2 * ratio * frequency


def damping_for(bounce: float) -> float:
    """The ζ at which this share of the speed comes back."""
    return _found(speed_left, bounce, 50.0)


@lru_cache(maxsize=256)
def strided_damping_for(bounce: float) -> float:
    """The ζ at which this share of the speed comes back in plain steps."""
    return _found(speed_left_in_strides, bounce, MOST)


def speed_left(damping: float) -> float:
    """The share of the speed that is left after a contact with this ζ."""
    if abs(damping - 1) < 1e-6:
        return exp(-2.0)
    if damping < 1:
        root = sqrt(1 - damping**2)
        return exp(-damping / root * atan2(2 * damping * root, 2 * damping**2 - 1))
    return exp(-damping / sqrt(damping**2 - 1) * 2 * acosh(damping))


def speed_left_in_strides(damping: float) -> float:
    """The share of the speed that plain steps leave after a contact with this ζ, in the mean of all its beginnings."""
    place, speed = -(np.arange(BEGINNINGS) + 0.5) / BEGINNINGS, -np.ones(BEGINNINGS)  # in steps, at the speed 1
    while (place < 0).any():
        push = -(HARDNESS**2) * place - 2 * damping * HARDNESS * speed
        speed += np.where(place < 0, np.maximum(push, 0.0), 0.0)
        place += speed
    return float(speed.mean())


def _found(left: Callable[[float], float], bounce: float, most: float) -> float:
    """The ζ up to `most` with which so much is `left`."""
    low, high = SLIGHTEST, most
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if left(middle) > bounce else (low, middle)
    return (low + high) / 2


def springing(touching: Ints, moving: int, apart: Floats, shallow: float, damping: Floats) -> Bools:
    """Which contacts (n,) push as springs, between these solids (n, 2) of which the first are `moving`.

    They are so far `apart` (n,) [m], less than 0 if they are pressed together, and have such ζ (n,).
    """
    pairs = [(one, two) for one, two in touching.tolist()]
    bouncing = {pair: zeta for pair, zeta in zip(pairs, damping.tolist(), strict=True) if zeta <= SPRINGY}
    off = Counter(solid for pair in bouncing for solid in pair if solid < moving)
    pressed = {pair for pair, far in zip(pairs, apart.tolist(), strict=True) if pair in bouncing and far < -shallow}
    springs = {pair for pair in pressed if bouncing[pair] <= FOR_EVER or max(off[solid] for solid in pair) > 1}
    while True:  # until nobody passes it on any more
        struck = {solid for pair in springs for solid in pair if solid < moving}
        handed_on = {pair for pair in bouncing if struck & {*pair}} - springs
        if not handed_on:
            return np.array([pair in springs for pair in pairs], np.bool_)
        springs |= handed_on


def gives_way(place: Floats, mass: float, inertia: Floats, axes: Floats, point: Floats, along: Floats) -> float:
    """How easily a free body, at a place (7,), moves at a point if it is pushed along a unit vector there [1/kg].

    1/m + (r×n)·I⁻¹(r×n), where the inertia (3,) is about axes that stand so in the body (4,).
    """
    lever = quaternion.rotate(quaternion.conjugate(place[3:]), np.cross(point - place[:3], along))
    lever = quaternion.rotate(quaternion.conjugate(axes), lever)
    return float(1 / mass + (lever**2 / inertia).sum())


def softened(hard: Floats, gives: float, taken: float) -> Floats:
    """How long a contact lasts and its ζ (2,), if those who touch give way so easily, and it was taken that `taken`.

    Both its spring and its damper are weaker by the same. Who cannot move there at all is no matter.
    """
    more = max(gives / taken, AS_A_SPRING)
    return np.asarray(hard * (more, more**-0.5))


Rows = TypeVar("Rows", Floats, Ints)

NOBODY: Floats = np.empty((0, 3))
"""Rows of two solids, the smaller number first, and the seconds of a step."""


def lingering(known: Floats, deep: Ints, step: float) -> Floats:
    """Those who linger from now on: who did, and pairs (n, 2) that are deep in each other after steps of `step` [s]."""
    before = {(one, two) for one, two, _ in known.tolist()}
    new = dict.fromkeys((min(pair), max(pair)) for pair in deep.tolist())
    return np.vstack([known, *([one, two, step] for one, two in new if (one, two) not in before)])


def still_lingering(known: Floats, touching: Ints) -> Floats:
    """Those of them who are among pairs (n, 2) that touch."""
    pairs = {(min(pair), max(pair)) for pair in touching.tolist()}
    return known[[(one, two) in pairs for one, two, _ in known.tolist()]]


def as_hard_as_then(hard: Floats, touching: Ints, known: Floats, step: float) -> Floats:
    """How long contacts last and their ζ (n, 2): those of pairs (n, 2) who linger last as long as at their own steps.

    Never less long than at steps of `step` [s]: harder ones would not be stable.
    """
    longer = {(one, two): max(1.0, seconds / step) for one, two, seconds in known.tolist()}
    times = [longer.get((min(pair), max(pair)), 1.0) for pair in touching.tolist()]
    return np.stack([hard[:, 0] * times, hard[:, 1]], axis=1)


def renumbered(known: Rows, before: Sequence[str], now: Sequence[str]) -> Rows:
    """Rows that begin with a pair of solids, as those are numbered now, by their names; who is gone is left out."""
    number = {name: row for row, name in enumerate(now)}
    found = known.copy()
    for row, pair in enumerate(known[:, :2].astype(int).tolist()):
        found[row, :2] = sorted(number.get(before[one], -1) for one in pair)
    return found[found[:, 0] >= 0]
