"""Which fields does one reach for first? A wind, a pull, a push, a whirl, a spring, a wall (PF89 §4's library).

Pulls and whirls weaken with the distance ρ as strength / ρ^falloff, exactly, outside a small core; inside it they grow
from zero at the centre in proportion to ρ: like gravity in a solid ball, or the wind in the eye of a whirl. So they
are finite everywhere and continuous, and `strength` is the acceleration [m/s²] one metre away.
"""

from dataclasses import KW_ONLY, dataclass

import numpy as np

from keypose.curves import Axis
from keypose.fields.algebra.field import Field, FieldQuery
from keypose.fields.algebra.transform import vector_lengths
from keypose.maths import (
    ORIGIN,
    Floats,
    Vec3,
    parse_bounded_number,
    parse_direction,
    parse_non_negative,
    parse_positive,
    parse_vector,
    smoothstep,
)

DEFAULT_CORE = 0.25  # [m] a pull of falloff 2 is then nowhere more than 16 times as strong as a metre away
MAX_FALLOFF = 16.0  # a falloff beyond which nothing is left but the core
MIN_CORE = 1e-6  # [m]


@dataclass(frozen=True, repr=False)
class Uniform(Field):
    """The same acceleration `parse_vector` [m/s²] everywhere: a wind, gravity."""

    vector: Vec3

    def __post_init__(self) -> None:
        self.__dict__["vector"] = parse_vector(self.vector, "The vector of a Uniform field")

    def push(self, query: FieldQuery) -> Floats:
        """The vector, at every place."""
        return np.tile(np.array(self.vector), (len(query.position), 1))


@dataclass(frozen=True, repr=False)
class Falloff(Field):
    """What weakens with the distance from a centre or a line; see the head of this file."""

    strength: float
    _: KW_ONLY
    center: Vec3 = ORIGIN
    falloff: float = 2.0
    core: float = DEFAULT_CORE

    def __post_init__(self) -> None:
        values, owner = self.__dict__, f"{'an' if type(self) is Attractor else 'a'} {type(self).__name__}"
        values["strength"] = parse_bounded_number(self.strength, f"The strength of {owner}")
        values["center"] = parse_vector(self.center, f"The center of {owner}")
        values["falloff"] = parse_non_negative(self.falloff, f"The falloff of {owner}", MAX_FALLOFF)
        values["core"] = parse_positive(self.core, f"The core of {owner}", MIN_CORE)

    def scale_by_falloff(self, vectors: Floats) -> Floats:
        """Vectors (n, 3) of the length ρ [m] made as long as the field is strong there: strength / ρ^falloff."""
        distance = np.maximum(vector_lengths(vectors), self.core)
        return np.asarray(self.strength * ((1 / distance) ** (self.falloff + 1))[:, None] * vectors)


@dataclass(frozen=True, repr=False)
class Attractor(Falloff):
    """A pull to `center` [m]: `strength` [m/s²] one metre away, and strength / distance^falloff elsewhere.

    `falloff` 0 is the same strength everywhere, 2 is gravity. Within `core` [m] the pull goes to zero in proportion to
    the distance, as in a solid ball. A negative strength repels.
    """

    def push(self, query: FieldQuery) -> Floats:
        """−strength · d / max(|d|, core)^(falloff + 1), d from the centre."""
        return self.scale_by_falloff(np.array(self.center) - query.position)


@dataclass(frozen=True, repr=False)
class Repeller(Falloff):
    """A push away from `center`: what an `Attractor` of the same strength pulls, the other way."""

    def push(self, query: FieldQuery) -> Floats:
        """Strength · d / max(|d|, core)^(falloff + 1), d from the centre."""
        return self.scale_by_falloff(query.position - np.array(self.center))


@dataclass(frozen=True, repr=False)
class Vortex(Falloff):
    """A whirl about the line through `center` [m] along `axis`, anticlockwise seen from the axis's tip.

    `strength` [m/s²] one metre from the line, and strength / distance^falloff elsewhere; within `core` [m] it goes to
    zero in proportion, as in the eye of a whirl. It pushes round the line only: what shall stay needs a pull as well.
    """

    _: KW_ONLY
    axis: Vec3 | Axis = (0.0, 1.0, 0.0)
    falloff: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.__dict__["axis"] = parse_direction(self.axis, "The axis of a Vortex")

    def push(self, query: FieldQuery) -> Floats:
        """Strength · a×d / max(ρ, core)^(falloff + 1), where ρ = |a×d| is the distance from the line."""
        return self.scale_by_falloff(np.cross(np.array(self.axis), query.position - np.array(self.center)))


@dataclass(frozen=True, repr=False)
class Spring(Field):
    """A pull to `center` [m] that grows with the distance: `stiffness` [1/s²] times it (PF89 fig. 4).

    What is let go in it swings with a period of 2π/√stiffness seconds, whatever the distance.
    """

    stiffness: float
    _: KW_ONLY
    center: Vec3 = ORIGIN

    def __post_init__(self) -> None:
        self.__dict__["stiffness"] = parse_bounded_number(self.stiffness, "The stiffness of a Spring")
        self.__dict__["center"] = parse_vector(self.center, "The center of a Spring")

    def push(self, query: FieldQuery) -> Floats:
        """−stiffness · d, d from the centre."""
        return np.asarray(self.stiffness * (np.array(self.center) - query.position))


@dataclass(frozen=True, repr=False)
class Wall(Field):
    """A plane through `point` [m] that pushes along its `normal`: `strength` [m/s²] at the wall, zero `reach` [m] away.

    In between it fades smoothly. Behind the wall it pushes with all its strength, so that who slipped through returns.
    """

    point: Vec3
    normal: Vec3
    strength: float
    reach: float

    def __post_init__(self) -> None:
        values = self.__dict__
        values["point"] = parse_vector(self.point, "The point of a Wall")
        values["normal"] = parse_direction(self.normal, "The normal of a Wall")
        values["strength"] = parse_bounded_number(self.strength, "The strength of a Wall")
        values["reach"] = parse_positive(self.reach, "The reach of a Wall")

    def push(self, query: FieldQuery) -> Floats:
        """Strength · s²(3 − 2s) · n, where s falls from 1 at the wall to 0 at its reach."""
        normal = np.array(self.normal)
        height = (query.position - np.array(self.point)) @ normal
        return np.asarray(self.strength * smoothstep(self.reach - height, self.reach)[:, None] * normal)
