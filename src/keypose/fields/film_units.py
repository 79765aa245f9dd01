"""How much is a push per film frame, whatever the tick? Metres and seconds to the paper's units and back (PF89 eq. 3).

The paper counts in interaction steps: a tangent T [m/frame] is a velocity, a field f [m/frame²] an acceleration. Here
a frame is always the film's, 1/24 s, and friction, response and memory are per frame; a tick of another length takes
r frames, and what friction leaves and what a field gives are worked out for it, so that velocities stay the same.
"""

from typing import NamedTuple

import numpy as np

from keypose.maths import ArrayLike, Floats
from keypose.motion import FILM_TICK

FILM_FRAME = FILM_TICK  # [s]


class Rates(NamedTuple):
    """What one tick does to a tangent T under the field f: T becomes keep·T + push·f.

    Arrays that broadcast against (n, 3): one number, or (n, 1) where every object has its own friction.
    """

    decay: Floats
    """Share of a tangent that friction leaves, g′ = g^r, where g = 1 − F."""
    gain: Floats
    """Frames' worth of the field that the tangent takes up: g(1 − g′)/(1 − g), which is r where nothing rubs."""
    r: float
    """How many film frames the tick takes."""


def frames_per_tick(tick: float) -> float:
    """r: how many film frames a tick [s] takes."""
    return tick / FILM_FRAME


def tangent(velocity: ArrayLike) -> Floats:
    """T [m/frame] of a velocity [m/s]."""
    return np.asarray(velocity, dtype=float) * FILM_FRAME


def velocity(tangent: ArrayLike) -> Floats:
    """The velocity [m/s] of a tangent T [m/frame]."""
    return np.asarray(tangent, dtype=float) / FILM_FRAME


def field_per_frame(acceleration: ArrayLike) -> Floats:
    """A field f [m/frame²] for an acceleration [m/s²]."""
    return np.asarray(acceleration, dtype=float) * FILM_FRAME**2


def acceleration(field: ArrayLike) -> Floats:
    """The acceleration [m/s²] of a field f [m/frame²]."""
    return np.asarray(field, dtype=float) / FILM_FRAME**2


def rates(friction: ArrayLike, r: float = 1.0) -> Rates:
    """What a tick of r frames keeps and pushes under friction F per frame: a number, or one for each object (n,).

    After one frame of a constant field T is g(T + f) by eq. 3, however many ticks the frame was cut into.
    """
    coefficient = np.asarray(friction, dtype=float)
    coefficient = coefficient[:, None] if coefficient.ndim else coefficient
    frame_decay = 1.0 - coefficient
    if r == 1.0:  # eq. 3 to the letter, and to the bit
        return Rates(frame_decay, frame_decay, r)
    with np.errstate(divide="ignore", invalid="ignore"):  # F = 1: nothing is left; F = 0: the limit of 0/0 is r
        loss = -np.expm1(r * np.log1p(-coefficient))  # 1 − g′, exact also where friction is slight
        frame_gain = np.where(coefficient > 0.0, loss / coefficient, r)
    return Rates(1.0 - loss, frame_decay * frame_gain, r)


class Friction:
    """What objects lose per frame, one number each (n,), and what that comes to in a tick: worked out once for each."""

    def __init__(self, coefficients: Floats) -> None:
        self._coefficients = coefficients
        self._cache: dict[float, Rates] = {}

    def rates(self, r: float) -> Rates:
        """What a tick of r frames keeps and pushes."""
        if r not in self._cache:
            self._cache = {r: rates(self._coefficients, r)}  # a run seldom changes its tick
        return self._cache[r]
