"""When does a body come to a goal? Its race is played ahead in one dimension (LG95 §3.1), until it is there.

Who has just set out, or was given another speed, is nearer to its target or farther from it for a while than it comes
to be; and where that stops, since its path ends or it is held, its body comes ever slower.
"""

import numpy as np

from keypose.maths.kernel import kernel
from keypose.physics.kernels import leash
from keypose.physics.racing import AHEAD

ARRIVED = 0.05  # of how far its target keeps ahead: what is so near has come
A_HAIR = 1e-9
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
    return max(pace * comes_in(left, ahead + beyond, behind, speed, within, stiff, damping, rush(ease)), A_HAIR)


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
