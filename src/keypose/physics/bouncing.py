"""How hard is a contact? A spring and a damper, so that as much of the speed comes back as a body's bounce says.

A contact only pushes: it ends when its force has gone to zero, before the spring is as long as it was. With ζ the
damping against the critical one, the share of the speed that is left then is

    e = exp(−ζ θ/√(1−ζ²)),  θ = atan2(2ζ√(1−ζ²), 2ζ²−1)      (and its hyperbolic twin from ζ = 1 on).
"""

from functools import lru_cache
from math import acosh, atan2, exp, sqrt

HARDNESS = 0.3  # of a step: ω·h. Harder contacts are shallower, but do not give back what they should
DEADBEAT = 0.9  # of a step: b·h, at which hardly any speed is left after one step
SLIGHTEST = 1e-3  # ζ of what bounces for ever
LEAST = 0.02  # of the speed: who bounces less does not bounce


@lru_cache(maxsize=256)
def spring_and_damper(bounce: float, step: float) -> tuple[float, float]:
    """Stiffness [1/s²] and damping [1/s] of a contact, for each unit of mass, at this step [s] of the simulation."""
    if bounce < LEAST:
        damping = DEADBEAT / step
        return (damping / 4) ** 2, damping
    frequency = HARDNESS / step
    return frequency**2, 2 * damping_for(bounce) * frequency


def damping_for(bounce: float) -> float:
    """The ζ at which this share of the speed comes back."""
    low, high = SLIGHTEST, 50.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if speed_left(middle) > bounce else (low, middle)
    return (low + high) / 2


def speed_left(damping: float) -> float:
    """The share of the speed that is left after a contact with this ζ."""
    if abs(damping - 1) < 1e-6:
        return exp(-2.0)
    if damping < 1:
        root = sqrt(1 - damping**2)
        return exp(-damping / root * atan2(2 * damping * root, 2 * damping**2 - 1))
    return exp(-damping / sqrt(damping**2 - 1) * 2 * acosh(damping))
