"""The force law of followers (LG95 eqs 1-2, corrected); `controller` applies it.

What pulls a body to its target? A force that covers a share of the way in each reaction.

With k = 2α/Δt² and c = 2β/Δt the pull is k·away − c·velocity for each unit of mass. Divided by 1 + hc + h²k it is
stable for every step h of the simulation, and zero at the same speed, α·d/(β·Δt), as before. What lasts, as gravity or
a joint's load, is seen as what the last step did beside the pull; filtered, it is taken off the next pulls (§3.2).
"""

from typing import NamedTuple

import numpy as np

from keypose.maths import Floats, Ints, quaternion
from keypose.physics.engine.body_arrays import BodyArrays
from keypose.physics.engine.model_spec import MIDPOINT_ITERATIONS

ZERO_VELOCITY: Floats = np.zeros(3)
STABLE_FILTER_FACTOR = 0.7  # of a time that is long enough: what carries others learns over that what lasts


class Gains(NamedTuple):
    """How strongly a follower is pulled."""

    stiffness: float
    """k [1/s²]"""
    damping: float
    """c [1/s]"""

    @classmethod
    def of(cls, eagerness: float, damping: float, reaction: float) -> "Gains":
        """By α, β and Δt [s]."""
        return cls(2 * eagerness / reaction**2, 2 * damping / reaction)

    def at_speed_factor(self, speed_factor: float) -> "Gains":
        """The pull of one that goes at a share of its own speed, as α·ease² and β·ease: the same race, only slower."""
        return Gains(self.stiffness * speed_factor * speed_factor, self.damping * speed_factor)

    def acceleration(
        self, offset: Floats, velocity: Floats, step: float, path_velocity: Floats = ZERO_VELOCITY
    ) -> Floats:
        """What is pulled with [m/s²]; of a turn away, a rotation vector, [rad/s²].

        Where the path itself drifts, carried by others, velocity is that against the path. So the race on a wagon that
        rolls is the race on the ground, and who has come to a key that is carried on goes along with it.
        """
        k, c = self
        return (k * offset - c * (velocity - path_velocity)) / (1 + step * c + step * step * k)


def torque(inertia: Floats, acceleration: Floats, angular_velocity: Floats) -> Floats:
    """What turns a body with this inertia (3, 3) so; its own spin would turn it too, and is made up for (eq. 2, +)."""
    return inertia @ acceleration + np.cross(angular_velocity, inertia @ angular_velocity)


def midpoint_gyroscopic_torque(inertia: Floats, angular_velocity: Floats, step: float) -> Floats:
    """What lets a body tumble as in the middle of a step and not as at its beginning, all along its own axes (3,).

    The spin of what is not alike about all axes turns itself. Taken as at the beginning it grows step by step, until
    the body is lost; as in the middle, the implicit midpoint rule, both energy and angular momentum are kept.
    """
    middle = angular_velocity
    for _ in range(MIDPOINT_ITERATIONS):
        middle = angular_velocity - step / 2 * np.cross(middle, inertia * middle) / inertia
    return np.asarray(np.cross(angular_velocity, inertia * angular_velocity) - np.cross(middle, inertia * middle))


def set_gyroscopic_torques(rows: Ints, bodies: BodyArrays, step: float, forces: Floats) -> None:
    """Set the torques in `forces` (moving, 6) of some bodies to what lets them tumble as in the middle of a step."""
    for row in rows:
        orientation, axes = bodies.poses[row, 3:], bodies.axes[row]
        angular_velocity = quaternion.rotate(quaternion.conjugate(axes), bodies.velocities[row, 3:])
        own_torque = midpoint_gyroscopic_torque(bodies.inertia[row], angular_velocity, step)
        forces[row, 3:] = quaternion.rotate(orientation, quaternion.rotate(axes, own_torque))


def min_filter_time(inertia_ratio: float, stiffness: float) -> float:
    """Over how many seconds a body must at least learn what lasts, if others make it so many times as hard to move.

    What they resist looks as if it lasted: with a filter of 1/√k, what is more than 9 times as hard to move would swing
    for ever (Routh's criterion, c = 2√k). With half of (harder − 1)/√k nothing does, and with more it calms down.
    """
    return float(STABLE_FILTER_FACTOR * (inertia_ratio - 1.0) / np.sqrt(stiffness))


def filter_disturbance(
    disturbance: Floats,
    last_velocity: Floats,
    velocity: Floats,
    commanded: Floats,
    step: float,
    filter_time: float,
    limit: float,
) -> Floats:
    """What lasts [m/s²]: known so far, and what the last step did to a velocity beside what was pulled.

    It is filtered over so many seconds, and never more than `limit`: a wall would wind it up for ever.
    """
    measured = (velocity - last_velocity) / step - commanded
    filtered = disturbance + -np.expm1(-step / filter_time) * (measured - disturbance)
    size = float(np.sqrt(filtered @ filtered))
    return np.asarray(filtered if size <= limit else filtered * (limit / size))
