"""Who pushes as a spring where several bounce at once, and how hard? The definition; `body_kernels` has its twins.

A hit goes on through whatever touches: who is pressed and bounces off several makes springs of all its contacts, and so
does everybody it passes the hit on to. MuJoCo takes it that bodies do not turn where they are hit; they do, and give
way more easily, so their springs are softer by as much, or more speed would come back than there was.
"""

from collections import Counter

import numpy as np

from keypose.maths import quaternion
from keypose.maths.arrays import Bools, Floats, Ints
from keypose.physics.bouncing import AS_A_SPRING, FOR_EVER, SPRINGY


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
