"""Does a tracker settle, or swing ever wider? The largest gain that still settles (PF89 eqs 7, 8, 10).

While its target rests a tracker repeats one linear step: its error is a sum of powers zⁱ, z the roots of a polynomial,
and it settles if all of them lie within the unit circle. The gain is Aα, the affinity; eq. 10 is the same along the
line to the target. A spring field of frequency ω [rad/frame] is a tracker of gain ω² without response.
"""

from functools import lru_cache
from math import floor, log10

import numpy as np

from keypose.errors import KeyposeError, shown
from keypose.fields.film_units import FILM, frames, rates
from keypose.maths.arrays import Floats
from keypose.maths.inputs import flag, number
from keypose.motion.mover import checked_tick

LARGEST_GAIN = 1.0  # affinities go from 0 to 1
NEGLIGIBLE = 1e-30  # of a coefficient beside the largest
FORGOTTEN = 1e-9  # a memory γ whose root cannot be told from one on the circle, and that takes years to matter


def is_stable(
    gain: float, friction: float, response: float, memory: float = 0.0, *, tick: float = FILM, steady: bool = False
) -> bool:
    """Whether a tracker of this gain Aα settles. `steady`: with that integrator, or on the linear basis.

    For eq. 7 it is the same as F + k(β(2 − F) − 1) − k²β(1 + 2β) > 0 and kβ < 1, with k = (1 − F)Aα/2. What is not
    pulled at all, or cannot move for friction, does not settle but is at rest: that will do.
    """
    gain = _from_zero(gain, "gain")
    free, pulled = _polynomials(friction, response, memory, tick, steady)
    return _settles(free, gain * pulled)


def largest_stable_gain(
    friction: float, response: float, memory: float = 0.0, *, tick: float = FILM, steady: bool = False
) -> float:
    """The largest gain Aα up to 1 such that all a little smaller ones settle; 0 if there is none."""
    free, pulled = _polynomials(friction, response, memory, tick, steady)
    bounds = sorted({0.0, LARGEST_GAIN, *_crossings(free, pulled)})
    for low, high in zip(bounds[-2::-1], bounds[:0:-1], strict=True):
        if _settles(free, (low + high) / 2 * pulled):
            return high
    return 0.0


def advice(
    gain: float, friction: float, response: float, memory: float = 0.0, *, tick: float = FILM, steady: bool = False
) -> str | None:
    """What to do about a tracker that will not settle, in a sentence; None if it will."""
    if is_stable(gain, friction, response, memory, tick=tick, steady=steady):
        return None
    with_friction = f"with friction {friction:g}, response {response:g} and memory {memory:g}"
    most = largest_stable_gain(friction, response, memory, tick=tick, steady=steady)
    if most > 0.0:
        digit = 10.0 ** (floor(log10(most)) - 2)  # three of them, rounded down: what is told must settle
        told = f"{floor(most / digit + 1e-9) * digit:.3g}"
        return f"Affinity {gain:g} does not settle {with_friction}. The largest that settles is {told}."
    return f"No affinity settles {with_friction}. Give more friction or response, or less memory."


known_advice = lru_cache(maxsize=512)(advice)
"""The same, worked out once: of a flock all have the same gains."""


def _polynomials(friction: float, response: float, memory: float, tick: float, steady: bool) -> tuple[Floats, Floats]:
    """The characteristic polynomial, highest power first, without gain and what each unit of gain adds to it.

    Eq. 3 moves a place by (z − 1)(z − g) P = ½g(z + 1) f; `steady` and the linear basis by gz instead of ½g(z + 1). Eq.
    8 pulls by f = −Aα[1 + β(z − 1)/z + γz/(z − 1)] P. Without memory the factor z − 1 falls out on both sides.
    """
    F, beta, gamma = (
        _from_zero(given, what, 1.0)
        for given, what in ((friction, "friction"), (response, "response"), (memory, "memory"))
    )
    keep, push, r = rates(F, frames(checked_tick(tick, "The tick of a tracker")))
    beta, gamma = beta / r, gamma * r
    moved = r * float(push) * (np.array([1.0, 0.0]) if flag(steady, "A tracker has steady") else np.array([0.5, 0.5]))
    free = np.convolve([1.0, -1.0], [1.0, -float(keep)])
    pull = np.array([1.0 + beta, -beta])
    if gamma > FORGOTTEN:
        free = np.convolve(free, [1.0, -1.0])
        pull = np.convolve(pull, [1.0, -1.0]) + np.array([gamma, 0.0, 0.0])
    added = np.convolve(moved, pull)
    return np.convolve([1.0, 0.0], free), np.pad(added, (len(free) + 1 - len(added), 0))


def _settles(free: Floats, pulled: Floats) -> bool:
    """Whether all roots of their sum lie within the unit circle."""
    return not pulled.any() or bool(np.all(np.abs(np.roots(free + pulled)) < 1.0))


def _crossings(free: Floats, pulled: Floats) -> list[float]:
    """The gains up to the largest at which a root may cross the unit circle.

    There free(z) + gain·pulled(z) = 0 holds for z and for 1/z, its conjugate, so free(z) pulled(1/z) = free(1/z)
    pulled(z). Candidates too many only divide an interval; so those near the circle count as on it.
    """
    here = np.convolve(free, pulled[::-1])
    both = here - here[::-1]
    both[np.abs(both) < NEGLIGIBLE * np.abs(both).max()] = 0.0  # their roots are far from the circle, or infinite
    roots = np.roots(both)
    near = roots[np.abs(np.abs(roots) - 1.0) < 1e-3]
    below = np.polyval(pulled, near)
    near, below = near[below != 0.0], below[below != 0.0]
    gains = np.real(-np.polyval(free, near) / below)
    return [float(gain) for gain in gains if 0.0 < gain < LARGEST_GAIN]


def _from_zero(given: float, what: str, most: float = 1e9) -> float:
    found = number(given, f"The {what} of a tracker")
    if not 0.0 <= found <= most:
        raise KeyposeError(f"A tracker has {what} {shown(given)}. Give 0 to {most:g}.")
    return found
