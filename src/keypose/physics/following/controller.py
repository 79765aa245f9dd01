"""What pulls a body to its target? A force that covers a share of the way in each reaction (LG95 eqs 1-2, corrected).

With k = 2α/Δt² and c = 2β/Δt the pull is k·away − c·velocity for each unit of mass. Divided by 1 + hc + h²k it is
stable for every step h of the simulation, and zero at the same speed, α·d/(β·Δt), as before. What lasts, as gravity or
a joint's load, is seen as what the last step did beside the pull; filtered, it is taken off the next pulls (§3.2).
"""

from typing import NamedTuple

import numpy as np

from keypose.maths.arrays import Floats
from keypose.physics.engine.model_spec import ROUNDS

STILL: Floats = np.zeros(3)
CALM = 0.7  # of a time that is long enough: what carries others learns over that what lasts


class Pull(NamedTuple):
    """How strongly a follower is pulled."""

    stiffness: float
    """k [1/s²]"""
    damping: float
    """c [1/s]"""

    @classmethod
    def of(cls, eagerness: float, damping: float, reaction: float) -> "Pull":
        """By α, β and Δt [s]."""
        return cls(2 * eagerness / reaction**2, 2 * damping / reaction)

    def eased(self, ease: float) -> "Pull":
        """The pull of one that goes at a share of its own speed, as α·ease² and β·ease: the same race, only slower."""
        return Pull(self.stiffness * ease * ease, self.damping * ease)

    def acceleration(self, away: Floats, velocity: Floats, step: float, drift: Floats = STILL) -> Floats:
        """What is pulled with [m/s²]; of a turn away, a rotation vector, [rad/s²].

        Where the path itself drifts, carried by others, velocity is that against the path. So the race on a wagon that
        rolls is the race on the ground, and who has come to a key that is carried on goes along with it.
        """
        k, c = self
        return (k * away - c * (velocity - drift)) / (1 + step * c + step * step * k)


def torque(inertia: Floats, acceleration: Floats, spin: Floats) -> Floats:
    """What turns a body with this inertia (3, 3) so; its own spin would turn it too, and is made up for (eq. 2, +)."""
    return inertia @ acceleration + np.cross(spin, inertia @ spin)


def tumbling(inertia: Floats, spin: Floats, step: float) -> Floats:
    """What lets a body tumble as in the middle of a step and not as at its beginning, all along its own axes (3,).

    The spin of what is not alike about all axes turns itself. Taken as at the beginning it grows step by step, until
    the body is lost; as in the middle, the implicit midpoint rule, both energy and angular momentum are kept.
    """
    middle = spin
    for _ in range(ROUNDS):
        middle = spin - step / 2 * np.cross(middle, inertia * middle) / inertia
    return np.asarray(np.cross(spin, inertia * spin) - np.cross(middle, inertia * middle))


def learning(harder: float, stiffness: float) -> float:
    """Over how many seconds a body must at least learn what lasts, if others make it so many times as hard to move.

    What they resist looks as if it lasted: with a filter of 1/√k, what is more than 9 times as hard to move would swing
    for ever (Routh's criterion, c = 2√k). With half of (harder − 1)/√k nothing does, and with more it calms down.
    """
    return float(CALM * (harder - 1.0) / np.sqrt(stiffness))


def lasting(
    known: Floats, before: Floats, now: Floats, pulled: Floats, step: float, over: float, most: float
) -> Floats:
    """What lasts [m/s²]: known so far, and what the last step did to a velocity beside what was pulled.

    It is filtered over so many seconds, and never more than `most`: a wall would wind it up for ever.
    """
    seen = (now - before) / step - pulled
    found = known + -np.expm1(-step / over) * (seen - known)
    size = float(np.sqrt(found @ found))
    return np.asarray(found if size <= most else found * (most / size))
