"""Does the present course lead too close? Only then is the object repelled: the bird and the cliff (PF89 §3).

A bird that flies along the cliff is let alone; one that flies at it turns as much as it must, and the sooner it sees
the danger the more gently. The cliff itself emits nothing.
"""

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from keypose.errors import KeyposeError
from keypose.fields.film_units import FILM
from keypose.fields.tracking.targets import Target, names_in, place_in, pointing, target_of, units
from keypose.maths.arrays import Floats, Vec3
from keypose.maths.inputs import LARGEST, number

UP, ACROSS = np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0])
SMALLEST = 1e-9  # [m], [s]: what is nearer or sooner cannot be told from nothing
STRAIGHT = 1e-9  # of the distance: a course that misses by less has no side on which to pass


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
        said: dict[str, Any] = {"target": target_of(self.target, "Avoid")}
        for word, unit in (("distance", "metres"), ("ahead", "seconds")):
            said[word] = number(getattr(self, word), f"The {word} of Avoid")
            if not SMALLEST <= said[word] <= LARGEST:
                raise KeyposeError(f"Avoid has {word}={said[word]:g}. Give {SMALLEST:g} to {LARGEST:g} {unit}.")
        if self.normal is not None:
            said["normal"] = pointing(self.normal, "The normal of Avoid")
        self.__dict__.update(said)

    @property
    def names(self) -> tuple[str, ...]:
        """The actors it must see, as they were said: a group is one name with a star, or several."""
        return names_in(self.target)

    def begin(self, P_O: Floats, v_O: Floats, P_T: Floats, v_T: Floats, t: float = 0.0) -> None:
        """It remembers nothing: only the present course counts."""

    def pull(
        self, memory: None, P_O: Floats, v_O: Floats, P_T: Floats, v_T: Floats, t: float = 0.0, r: float = 1.0
    ) -> tuple[Floats, None]:
        """What turns n objects away from their targets [m/frame²], (n, 3), for affinity 1.

        Targets are (3,), (n, 3), or several for each object (n, members, 3), where NaN is nobody.
        """
        place = place_in(self.target)
        where, velocity = (P_T, v_T) if place is None else (place, np.zeros(3))
        many = np.ndim(where) == 3
        own, going = (P_O[:, None], v_O[:, None]) if many else (P_O, v_O)
        off, course = own - where, going - velocity
        with np.errstate(invalid="ignore"):
            push = self._from_point(off, course) if self.normal is None else self._from_wall(off, course)
        push = np.where(np.isnan(push), 0.0, push) if many else push
        return (push.sum(axis=1) if many else push), None

    def _from_point(self, off: Floats, course: Floats) -> Floats:
        """Sideways, to where the course passes anyway; if it leads straight there, to the right (upright: to x)."""
        closing, speed2 = -_dot(off, course), _dot(course, course)
        comes = closing > 0.0
        until = np.where(comes, closing, 0.0) / np.where(comes, speed2, 1.0)  # [s] to where it comes nearest
        nearest = off + course * until
        miss2 = _dot(nearest, nearest)
        inside = np.sqrt(np.maximum(self.distance**2 - miss2, 0.0) / np.where(comes, speed2, 1.0))  # [s] half of it
        danger = comes & (miss2 < self.distance**2) & (until - inside < self.ahead)
        right = np.cross(course, UP)
        right = np.where(_dot(right, right) > STRAIGHT**2 * speed2, right, ACROSS)
        miss = np.sqrt(miss2)
        away = np.where(miss > STRAIGHT * self.distance, units(nearest), units(right))
        return np.where(danger, (self.distance - miss) / _frames(until), 0.0) * away

    def _from_wall(self, off: Floats, course: Floats) -> Floats:
        """Straight off the wall, on the side where the object is; on the wall itself to where its normal points."""
        normal = units(np.array(self.normal))
        height = off @ normal
        side = np.where(height < 0.0, -1.0, 1.0)
        height, rising = height * side, (course @ normal) * side
        lowest = height + rising * self.ahead
        danger = (rising < 0.0) & (lowest < self.distance)
        size = np.where(danger, self.distance - lowest, 0.0) / _frames(np.array(self.ahead))
        return np.asarray((size * side)[..., None] * normal)


def _frames(seconds: Floats) -> Floats:
    """How many film frames are left to turn, at least one."""
    return np.maximum(seconds / FILM, 1.0)


def _dot(a: Floats, b: Floats) -> Floats:
    return np.asarray(np.sum(a * b, axis=-1, keepdims=True))
