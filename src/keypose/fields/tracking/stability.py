"""Does a tracker settle, or swing ever wider? The largest gain that still settles (PF89 eqs 7, 8, 10).

While its target rests a tracker repeats one linear step: its error is a sum of powers zⁱ, z the roots of a polynomial,
and it settles if all of them lie within the unit circle. The gain is Aα, the affinity; eq. 10 is the same along the
line to the target. A spring field of frequency ω [rad/frame] is a tracker of gain ω² without response.
"""

from functools import lru_cache
from math import floor, log10

import numpy as np

from keypose.errors import KeyposeError, short_repr
from keypose.fields.film_units import FILM_FRAME, frames_per_tick, rates
from keypose.maths import Floats, parse_flag, parse_number
from keypose.motion import check_tick

LARGEST_GAIN = 1.0  # affinities go from 0 to 1
NEGLIGIBLE_COEFFICIENT = 1e-30  # of a coefficient beside the largest
MIN_MEMORY = 1e-9  # a memory γ whose root cannot be told from one on the circle, and that takes years to matter


def is_stable(
    gain: float,
    friction: float,
    response: float,
    memory: float = 0.0,
    *,
    tick: float = FILM_FRAME,
    steady: bool = False,
) -> bool:
    """Whether a tracker of this gain Aα settles. `steady`: with that integrator, or on the linear basis.

    For eq. 7 it is the same as F + k(β(2 − F) − 1) − k²β(1 + 2β) > 0 and kβ < 1, with k = (1 − F)Aα/2. What is not
    pulled at all, or cannot move for friction, does not settle but is at rest: that will do.
    """
    gain = _check_range(gain, "gain")
    free, gain_polynomial = _polynomials(friction, response, memory, tick, steady)
    return _has_stable_roots(free, gain * gain_polynomial)


def largest_stable_gain(
    friction: float, response: float, memory: float = 0.0, *, tick: float = FILM_FRAME, steady: bool = False
) -> float:
    """The largest gain Aα up to 1 such that all a little smaller ones settle; 0 if there is none."""
    free, gain_polynomial = _polynomials(friction, response, memory, tick, steady)
    bounds = sorted({0.0, LARGEST_GAIN, *_crossings(free, gain_polynomial)})
    for low, high in zip(bounds[-2::-1], bounds[:0:-1], strict=True):
        if _has_stable_roots(free, (low + high) / 2 * gain_polynomial):
            return high
    return 0.0


def stability_advice(
    gain: float,
    friction: float,
    response: float,
    memory: float = 0.0,
    *,
    tick: float = FILM_FRAME,
    steady: bool = False,
) -> str | None:
    """What to do about a tracker that will not settle, in a sentence; None if it will."""
    if is_stable(gain, friction, response, memory, tick=tick, steady=steady):
        return None
    settings_text = f"with friction {friction:g}, response {response:g} and memory {memory:g}"
    largest = largest_stable_gain(friction, response, memory, tick=tick, steady=steady)
    if largest > 0.0:
        digit = 10.0 ** (floor(log10(largest)) - 2)  # three of them, rounded down: what is told must settle
        largest_text = f"{floor(largest / digit + 1e-9) * digit:.3g}"
        return f"Affinity {gain:g} does not settle {settings_text}. The largest that settles is {largest_text}."
    return f"No affinity settles {settings_text}. Give more friction or response, or less memory."


cached_advice = lru_cache(maxsize=512)(stability_advice)
"""The same, worked out once: of a flock all have the same gains."""


def _polynomials(friction: float, response: float, memory: float, tick: float, steady: bool) -> tuple[Floats, Floats]:
    """The characteristic polynomial, highest power first, without gain and what each unit of gain adds to it.

    Eq. 3 moves a place by (z − 1)(z − g) P = ½g(z + 1) f; `steady` and the linear basis by gz instead of ½g(z + 1). Eq.
    8 pulls by f = −Aα[1 + β(z − 1)/z + γz/(z − 1)] P. Without memory the factor z − 1 falls out on both sides.
    """
    F, beta, gamma = (
        _check_range(given, what, 1.0)
        for given, what in ((friction, "friction"), (response, "response"), (memory, "memory"))
    )
    keep, push, r = rates(F, frames_per_tick(check_tick(tick, "The tick of a tracker")))
    beta, gamma = beta / r, gamma * r
    displacement = (
        r * float(push) * (np.array([1.0, 0.0]) if parse_flag(steady, "A tracker has steady") else np.array([0.5, 0.5]))
    )
    free = np.convolve([1.0, -1.0], [1.0, -float(keep)])
    pull = np.array([1.0 + beta, -beta])
    if gamma > MIN_MEMORY:
        free = np.convolve(free, [1.0, -1.0])
        pull = np.convolve(pull, [1.0, -1.0]) + np.array([gamma, 0.0, 0.0])
    gain_polynomial = np.convolve(displacement, pull)
    return np.convolve([1.0, 0.0], free), np.pad(gain_polynomial, (len(free) + 1 - len(gain_polynomial), 0))


def _has_stable_roots(free: Floats, gain_polynomial: Floats) -> bool:
    """Whether all roots of their sum lie within the unit circle."""
    return not gain_polynomial.any() or bool(np.all(np.abs(np.roots(free + gain_polynomial)) < 1.0))


def _crossings(free: Floats, gain_polynomial: Floats) -> list[float]:
    """The gains up to the largest at which a root may cross the unit circle.

    There free(z) + gain·pulled(z) = 0 holds for z and for 1/z, its conjugate, so free(z) pulled(1/z) = free(1/z)
    pulled(z). Candidates too many only divide an interval; so those near the circle count as on it.
    """
    product = np.convolve(free, gain_polynomial[::-1])
    difference = product - product[::-1]
    difference[np.abs(difference) < NEGLIGIBLE_COEFFICIENT * np.abs(difference).max()] = (
        0.0  # their roots are far from the circle, or infinite
    )
    roots = np.roots(difference)
    near_circle = roots[np.abs(np.abs(roots) - 1.0) < 1e-3]
    denominators = np.polyval(gain_polynomial, near_circle)
    near_circle, denominators = near_circle[denominators != 0.0], denominators[denominators != 0.0]
    gains = np.real(-np.polyval(free, near_circle) / denominators)
    return [float(gain) for gain in gains if 0.0 < gain < LARGEST_GAIN]


def _check_range(given: float, what: str, largest: float = 1e9) -> float:
    value = parse_number(given, f"The {what} of a tracker")
    if not 0.0 <= value <= largest:
        raise KeyposeError(f"A tracker has {what} {short_repr(given)}. Give 0 to {largest:g}.")
    return value
