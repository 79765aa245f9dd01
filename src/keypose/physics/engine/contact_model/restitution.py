"""Stiffness and damping of a contact by the bounce of a body.

A contact only pushes: it ends when its force is zero, before its spring is as long as it was. With the damping ratio ζ
the share of the speed that is left then is

    e = exp(−ζ θ/√(1−ζ²)),  θ = atan2(2ζ√(1−ζ²), 2ζ²−1)      (and its hyperbolic counterpart from ζ = 1 on).

Explicit steps take a contact in a few steps, and less of a small bounce comes back: ζ is solved for those steps.
"""

from collections.abc import Callable
from functools import lru_cache
from math import acosh, atan2, exp, sqrt

import numpy as np

CONTACT_IMPEDANCE = 0.99  # of a contact: the share of its constraint force that MuJoCo applies
CONTACT_FREQUENCY = 0.3  # of a step: ω·h. Harder contacts are shallower, but do not give back what they should
DEADBEAT_DAMPING = 0.9  # of a step: b·h, at which hardly any speed is left after one step
MIN_DAMPING_RATIO = 1e-3  # ζ of what bounces for ever
MAX_DAMPING_RATIO = DEADBEAT_DAMPING / (
    2 * CONTACT_FREQUENCY
)  # ζ of plain steps: with more, a body would be thrown back by its damper alone
MIN_BOUNCE = 0.05  # the part of the speed that comes back at that ζ; less counts as no bounce
CONTACT_PHASES = 64  # of contacts, anywhere within the step in which they begin
MIN_CONTACT_FREQUENCY = (
    0.1  # ω·h at least, where steps take half of it off ζ: so at most about 5/6 of the speed comes back
)


@lru_cache(maxsize=256)
def contact_stiffness_damping(bounce: float, step: float, is_discrete: bool = False) -> tuple[float, float]:
    """Stiffness [1/s²] and damping [1/s] of a contact, for each unit of mass, at this step [s] of the simulation.

    Steps that look ahead, as soft bodies need them, damp by ω·h/2 themselves: so there is less of a damper, and where
    that is not enough, also less of a spring.
    """
    if bounce < MIN_BOUNCE:
        damping = DEADBEAT_DAMPING / step
        return (damping / 4) ** 2, damping
    if is_discrete:
        ratio = damping_ratio(bounce)
        relative_frequency = min(CONTACT_FREQUENCY, max(MIN_CONTACT_FREQUENCY, 2 * ratio))
        ratio = max(MIN_DAMPING_RATIO, ratio - relative_frequency / 2)
    else:
        ratio, relative_frequency = euler_damping_ratio(bounce), CONTACT_FREQUENCY
    frequency = relative_frequency / step
    return frequency**2, 2 * ratio * frequency


def damping_ratio(bounce: float) -> float:
    """The ζ at which this share of the speed comes back."""
    return _solve_damping_ratio(restitution, bounce, 50.0)


@lru_cache(maxsize=256)
def euler_damping_ratio(bounce: float) -> float:
    """The ζ at which this share of the speed comes back in plain steps."""
    return _solve_damping_ratio(euler_restitution, bounce, MAX_DAMPING_RATIO)


def restitution(damping: float) -> float:
    """The share of the speed that is left after a contact with this ζ."""
    if abs(damping - 1) < 1e-6:
        return exp(-2.0)
    if damping < 1:
        root = sqrt(1 - damping**2)
        return exp(-damping / root * atan2(2 * damping * root, 2 * damping**2 - 1))
    return exp(-damping / sqrt(damping**2 - 1) * 2 * acosh(damping))


def euler_restitution(damping: float) -> float:
    """The share of the speed that plain steps leave after a contact with this ζ, in the mean of all its beginnings."""
    position, speed = (
        -(np.arange(CONTACT_PHASES) + 0.5) / CONTACT_PHASES,
        -np.ones(CONTACT_PHASES),
    )  # in steps, at the speed 1
    while (position < 0).any():
        acceleration = -(CONTACT_FREQUENCY**2) * position - 2 * damping * CONTACT_FREQUENCY * speed
        speed += np.where(position < 0, np.maximum(acceleration, 0.0), 0.0)
        position += speed
    return float(speed.mean())


def _solve_damping_ratio(restitution_curve: Callable[[float], float], bounce: float, max_ratio: float) -> float:
    """The ζ up to `max_ratio` with which so much is `restitution_curve`."""
    low, high = MIN_DAMPING_RATIO, max_ratio
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if restitution_curve(middle) > bounce else (low, middle)
    return (low + high) / 2


def contact_solref(bounce: float, step: float, is_discrete: bool) -> tuple[float, float]:
    """How long a contact lasts and how it is damped, as MuJoCo wants to be told."""
    stiffness, damping = contact_stiffness_damping(bounce, step, is_discrete)
    time_constant = 2 / (CONTACT_IMPEDANCE * damping)
    return time_constant, float(1 / (CONTACT_IMPEDANCE * time_constant * np.sqrt(stiffness)))
