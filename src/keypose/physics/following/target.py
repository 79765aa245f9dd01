"""The target of a follower on its path (LG95 §3.1); `kernels` has its compiled twins.

Where is the target? As far along the path as it takes to be a given distance ahead of its body, or where it was.

It never goes back, and no farther in one step than it may: the distance to a path may shrink and grow again, and a
binary search would jump (LG95 §3.1 as it should read). So it marches, and brackets the first place that is far enough.
Where others carry keys, the path itself moves, and its body is to move with it: see `steady_path_velocity`.
"""

from collections.abc import Callable

import numpy as np

from keypose.maths import Floats, quaternion
from keypose.physics.following.follower_arrays import MAX_TARGET_SPEED_RATIO

FULL_STEP = 1 - 1e-9  # of what it may go at once: rounding must not let it march once more
MARCH_STEPS = 2  # steps within what it may go at once, which is little
MAX_PARAMETER_STEP = 1 / 64  # of a segment: where a path stands still, a march goes on by its parameter
NEWTON_STEPS = 4  # steps that are as long as is missing, before it marches
MAX_BRACKET_STEPS, LEAD_TOLERANCE = (
    40,
    1e-10,
)  # how often it is looked for, and how well it is found, of how far ahead it keeps
MAX_SAMPLE_STEP = 0.25  # of a sample of orientations: how far a target turns before its angle is evaluated again
MIN_SAMPLE_STEP = 1e-12  # of one: rounding must not let it stand still


def advance_target(
    u: float,
    last: float,
    within: float,
    max_distance: float,
    distance_at: Callable[[float], float],
    slope_at: Callable[[float], float],
    speed_at: Callable[[float], float],
) -> float:
    """The parameter u of a target one step later, up to `last`.

    `distance_at(u)` is how far its body is from there, `slope_at(u)` its slope; `speed_at(u)` is how far a unit of
    u goes, and `max_distance` how far it may.
    """
    travelled, newton_steps, shortfall = 0.0, NEWTON_STEPS, distance_at(u) - within
    while shortfall < 0 and u < last and travelled < FULL_STEP * max_distance:
        speed, rate = speed_at(u), slope_at(u)
        du = min(MAX_PARAMETER_STEP, max_distance / MARCH_STEPS / speed) if speed > 0 else MAX_PARAMETER_STEP
        distance = within + shortfall
        excess, slope = (
            distance * distance - within * within,
            2 * distance * rate,
        )  # by squares, which go on more evenly
        if newton_steps and slope * du > -excess:
            du = -excess / slope
        next_u = min(u + du, last)
        excess = distance_at(next_u) - within
        if abs(excess) <= LEAD_TOLERANCE * within:
            return next_u
        if excess > 0:
            return _refine_bracket(u, next_u, shortfall, excess, within, distance_at)
        travelled += speed * (next_u - u)
        u, shortfall, newton_steps = next_u, excess, max(newton_steps - 1, 0)
    return u


def advance_turn_target(
    v: float,
    last: float,
    within: float,
    max_angle: float,
    orientation: Floats,
    orientation_at: Callable[[float], Floats],
) -> float:
    """The position v of the target of a rotation one step later, up to `last`, counted in samples of orientations.

    `orientation` is that of its body; the target is `within` [rad] ahead of it, and turns by `max_angle` [rad] at most.
    """

    def angle_at(v: float) -> float:
        return float(quaternion.angle_between(orientation, orientation_at(v)))

    turned_angle = 0.0
    while v < last and turned_angle < FULL_STEP * max_angle:
        shortfall = angle_at(v) - within
        if shortfall >= 0:
            return v
        next_v = min(v + MAX_SAMPLE_STEP, last, np.floor(v) + 1.0)
        angle = float(quaternion.angle_between(orientation_at(v), orientation_at(next_v)))
        if turned_angle + angle > max_angle:
            next_v = v + (next_v - v) * (max_angle - turned_angle) / angle
            angle = max_angle - turned_angle
        excess = angle_at(next_v) - within
        if excess > 0:
            return _refine_bracket(v, next_v, shortfall, excess, within, angle_at)
        v, turned_angle = max(next_v, v + MIN_SAMPLE_STEP), turned_angle + angle
    return min(v, last)


def target_speed_fraction(speed_factor: float) -> float:
    """The share of its greatest speed that a target may have at this speed factor.

    A target that is slowed down goes no faster than is meant, whatever speed its body still has; others are free
    to run ahead.
    """
    return speed_factor / MAX_TARGET_SPEED_RATIO + (1.0 - 1.0 / MAX_TARGET_SPEED_RATIO) * speed_factor**16


def _refine_bracket(
    low: float, high: float, shortfall: float, excess: float, within: float, distance_at: Callable[[float], float]
) -> float:
    """A place that is just far enough, between one that is not and one that is: by false position, never outside."""
    last_side = 0
    for _ in range(MAX_BRACKET_STEPS):
        middle = high - excess * (high - low) / (excess - shortfall)
        error = distance_at(middle) - within
        if abs(error) <= LEAD_TOLERANCE * within:
            return middle
        if error < 0:
            low, shortfall, excess, last_side = middle, error, excess / 2 if last_side < 0 else excess, -1
        else:
            high, excess, shortfall, last_side = middle, error, shortfall / 2 if last_side > 0 else shortfall, 1
    return high


def steady_path_velocity(velocity: Floats, previous_velocity: Floats) -> Floats:
    """How fast a path moves where its target is: as it did in this tick or in the one before, the slower of the two.

    A carrier that jumps is fast for one tick only, and must not kick whoever follows it.
    """
    return velocity if velocity @ velocity <= previous_velocity @ previous_velocity else previous_velocity
