"""Does the present course lead too close? Only then is the object repelled: the bird and the cliff (PF89 §3).

A bird that flies along the cliff is let alone; one that flies at it turns as much as it must, and the sooner it sees
the danger the more gently. The cliff itself emits nothing.
"""

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from keypose.errors import KeyposeError
from keypose.fields.film_units import FILM_FRAME
from keypose.fields.tracking.targets import (
    Target,
    check_direction,
    check_target,
    fixed_position,
    target_names,
    unit_vectors,
)
from keypose.maths import MAX_MAGNITUDE, Floats, Vec3, parse_number

UP, FALLBACK_SIDE = np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0])
MIN_AVOID_RANGE = 1e-9  # [m], [s]: what is nearer or sooner cannot be told from nothing
MISS_TOLERANCE = 1e-9  # of the distance: a course that misses by less has no side on which to pass


@dataclass(frozen=True)
class Avoid:
    """Do not come nearer to the target than `distance` [m], looking `ahead` [s]; with a `normal` it is a whole wall.

    Repelled only while it comes nearer and would, at the present velocities, be too close within `ahead`. The pull is
    the change of course that is missing, over the frames that are left, so that affinity 1 makes it in one frame. In a
    group each member is avoided.
    """

    target: Target
    distance: float = 1.0
    ahead: float = 1.0
    _: KW_ONLY
    normal: Vec3 | None = None

    def __post_init__(self) -> None:
        values: dict[str, Any] = {"target": check_target(self.target, "Avoid")}
        for name, unit in (("distance", "metres"), ("ahead", "seconds")):
            values[name] = parse_number(getattr(self, name), f"The {name} of Avoid")
            if not MIN_AVOID_RANGE <= values[name] <= MAX_MAGNITUDE:
                raise KeyposeError(
                    f"Avoid has {name}={values[name]:g}. Give {MIN_AVOID_RANGE:g} to {MAX_MAGNITUDE:g} {unit}."
                )
        if self.normal is not None:
            values["normal"] = check_direction(self.normal, "The normal of Avoid")
        self.__dict__.update(values)

    @property
    def names(self) -> tuple[str, ...]:
        """The actors it must see, as they were said: a group is one name with a star, or several."""
        return target_names(self.target)

    def begin(self, P_O: Floats, v_O: Floats, P_T: Floats, v_T: Floats, t: float = 0.0) -> None:
        """It remembers nothing: only the present course counts."""

    def pull(
        self, memory: None, P_O: Floats, v_O: Floats, P_T: Floats, v_T: Floats, t: float = 0.0, r: float = 1.0
    ) -> tuple[Floats, None]:
        """What turns n objects away from their targets [m/frame²], (n, 3), for affinity 1.

        Targets are (3,), (n, 3), or several for each object (n, members, 3), where NaN is nobody.
        """
        fixed = fixed_position(self.target)
        target_position, target_velocity = (P_T, v_T) if fixed is None else (fixed, np.zeros(3))
        is_group = np.ndim(target_position) == 3
        own_position, own_velocity = (P_O[:, None], v_O[:, None]) if is_group else (P_O, v_O)
        offset, relative_velocity = own_position - target_position, own_velocity - target_velocity
        with np.errstate(invalid="ignore"):
            push = (
                self._point_push(offset, relative_velocity)
                if self.normal is None
                else self._wall_push(offset, relative_velocity)
            )
        push = np.where(np.isnan(push), 0.0, push) if is_group else push
        return (push.sum(axis=1) if is_group else push), None

    def _point_push(self, offset: Floats, relative_velocity: Floats) -> Floats:
        """Sideways, to where the course passes anyway; if it leads straight there, to the right (upright: to x)."""
        closing_rate, speed2 = -_dot(offset, relative_velocity), _dot(relative_velocity, relative_velocity)
        is_closing = closing_rate > 0.0
        time_to_nearest = np.where(is_closing, closing_rate, 0.0) / np.where(
            is_closing, speed2, 1.0
        )  # [s] to where it comes nearest
        nearest = offset + relative_velocity * time_to_nearest
        miss2 = _dot(nearest, nearest)
        half_time_inside = np.sqrt(
            np.maximum(self.distance**2 - miss2, 0.0) / np.where(is_closing, speed2, 1.0)
        )  # [s] half of it
        is_danger = is_closing & (miss2 < self.distance**2) & (time_to_nearest - half_time_inside < self.ahead)
        right = np.cross(relative_velocity, UP)
        right = np.where(_dot(right, right) > MISS_TOLERANCE**2 * speed2, right, FALLBACK_SIDE)
        miss = np.sqrt(miss2)
        away = np.where(miss > MISS_TOLERANCE * self.distance, unit_vectors(nearest), unit_vectors(right))
        return np.where(is_danger, (self.distance - miss) / _frame_count(time_to_nearest), 0.0) * away

    def _wall_push(self, offset: Floats, relative_velocity: Floats) -> Floats:
        """Straight off the wall, on the side where the object is; on the wall itself to where its normal points."""
        normal = unit_vectors(np.array(self.normal))
        height = offset @ normal
        side = np.where(height < 0.0, -1.0, 1.0)
        height, climb_rate = height * side, (relative_velocity @ normal) * side
        height_ahead = height + climb_rate * self.ahead
        is_danger = (climb_rate < 0.0) & (height_ahead < self.distance)
        size = np.where(is_danger, self.distance - height_ahead, 0.0) / _frame_count(np.array(self.ahead))
        return np.asarray((size * side)[..., None] * normal)


def _frame_count(seconds: Floats) -> Floats:
    """How many film frames are left to turn, at least one."""
    return np.maximum(seconds / FILM_FRAME, 1.0)


def _dot(a: Floats, b: Floats) -> Floats:
    return np.asarray(np.sum(a * b, axis=-1, keepdims=True))
