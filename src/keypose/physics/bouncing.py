"""How hard is a contact? A spring and a damper, so that as much of the speed comes back as a body's bounce says.

A contact only pushes: it ends when its force has gone to zero, before the spring is as long as it was. With ζ the
damping against the critical one, the share of the speed that is left then is

    e = exp(−ζ θ/√(1−ζ²)),  θ = atan2(2ζ√(1−ζ²), 2ζ²−1)      (and its hyperbolic twin from ζ = 1 on).

Plain steps take a contact in a few strides, and less of a small bounce comes back: for those ζ is found by striding.

MuJoCo gives every contact its speed back whatever the others do. Where several bounce at once that is more than they
had: a row of balls would gain a quarter of its energy, a pile of boxes ten times as much. So those push as springs.
"""

from collections.abc import Callable
from functools import lru_cache
from math import acosh, atan2, exp, sqrt

import numpy as np

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
