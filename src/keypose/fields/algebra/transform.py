"""Where is a field, how is it turned and stretched, and where does it end?

A field that is placed with the map x ↦ M x pushes M f(M⁻¹x): the question is taken back to where the field was said,
and its answer is brought here. So what moves in a placed field moves as in the field itself, placed likewise.
"""

from dataclasses import KW_ONLY, dataclass

import numpy as np

from keypose.curves import Orientation
from keypose.errors import KeyposeError, short_repr
from keypose.fields.algebra.field import FieldQuery
from keypose.fields.algebra.sum import FieldModifier
from keypose.maths import (
    ORIGIN,
    Floats,
    Vec3,
    as_number,
    parse_non_negative,
    parse_positive,
    parse_vector,
    quaternion,
    smoothstep,
)

MIN_FACTOR = 1e-9  # of a stretch: beyond it a place divided by it says nothing any more


@dataclass(frozen=True, repr=False)
class MovedField(FieldModifier):
    """A field somewhere else, by `offset` [m]."""

    offset: Vec3

    def __post_init__(self) -> None:
        super().__post_init__()
        self.__dict__["offset"] = parse_vector(self.offset, "The offset of a field")

    def push(self, query: FieldQuery) -> Floats:
        """f(x − offset)."""
        return self.field.push(query.with_position(query.position - np.array(self.offset)))

    def __repr__(self) -> str:
        return f"{self._inner_code()}.moved({self.offset!r})"


@dataclass(frozen=True, repr=False)
class TurnedField(FieldModifier):
    """A field turned about the origin."""

    turn: Orientation

    def __post_init__(self) -> None:
        super().__post_init__()
        self.__dict__["turn"] = Orientation.of(self.turn)

    def push(self, query: FieldQuery) -> Floats:
        """R f(R⁻¹x)."""
        return rotate_vectors(self.field.push(query_in_frame(query, self.turn.wxyz)), self.turn.wxyz)

    def __repr__(self) -> str:
        return f"{self._inner_code()}.turned({self.turn!r})"


@dataclass(frozen=True, repr=False)
class ScaledField(FieldModifier):
    """A field stretched about the origin, arrows too, by a factor along each axis; see `Field.scaled`."""

    factors: Vec3

    def __post_init__(self) -> None:
        super().__post_init__()
        uniform = as_number(self.factors)
        factors = parse_vector(
            (uniform, uniform, uniform) if uniform is not None else self.factors, "The stretch of a field"
        )
        if uniform is None and np.shape(self.factors) != (3,):  # two numbers would leave the third axis no room at all
            raise KeyposeError(f"A field is stretched by {short_repr(self.factors)}. Give one factor or three.")
        if min(abs(factor) for factor in factors) < MIN_FACTOR:
            raise KeyposeError(
                f"A field is stretched by {short_repr(factors)}. Give factors of at least {MIN_FACTOR:g}."
            )
        self.__dict__["factors"] = factors

    def push(self, query: FieldQuery) -> Floats:
        """S f(S⁻¹x)."""
        scale = np.array(self.factors)
        return np.asarray(scale * self.field.push(query.with_position(query.position / scale, lambda v: v / scale)))

    def __repr__(self) -> str:
        return f"{self._inner_code()}.scaled({self.factors!r})"


@dataclass(frozen=True, repr=False)
class BoundedField(FieldModifier):
    """A field in a ball or a box and nowhere else; see `Field.within`."""

    radius: float | None = None
    _: KW_ONLY
    size: Vec3 | None = None
    center: Vec3 = ORIGIN
    edge: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        values = self.__dict__
        if (self.radius is None) == (self.size is None):
            limits = f"radius={short_repr(self.radius)} and size={short_repr(self.size)}"
            raise KeyposeError(f"A field is limited by {limits}. Give either a radius or the size of a box.")
        if self.radius is not None:
            values["radius"] = max_edge = parse_positive(self.radius, "The radius of a field")
        else:
            values["size"] = sides = parse_vector(self.size, "The size of a field's box")
            max_edge = min(sides) / 2
            if max_edge <= 0:
                raise KeyposeError(f"A field's box has the size {short_repr(sides)}. Give three sides above zero.")
        values["center"] = parse_vector(self.center, "The center of a field's limit")
        values["edge"] = parse_non_negative(self.edge, "The edge of a field", max_edge)

    def push(self, query: FieldQuery) -> Floats:
        """Inside f, fading over the edge; outside zero, and f is not even asked there."""
        depth, out = self._depth(query.position), np.zeros_like(query.position)
        strength = np.prod(smoothstep(depth, self.edge), axis=-1)
        is_inside = strength > 0
        if is_inside.any():
            out[is_inside] = strength[is_inside, None] * self.field.push(query.select(is_inside))
        return out

    def _depth(self, position: Floats) -> Floats:
        """How far inside [m] places (n, 3) are: of a ball (n, 1), or between each pair of a box's sides (n, 3)."""
        offset = position - np.array(self.center)
        if self.radius is not None:
            return np.asarray(self.radius - vector_lengths(offset)[:, None])
        return np.asarray(np.array(self.size) / 2 - np.abs(offset))

    def __repr__(self) -> str:
        arguments = repr(self.radius) if self.radius is not None else f"size={self.size!r}"
        arguments += f", center={self.center!r}" if self.center != ORIGIN else ""
        arguments += f", edge={self.edge!r}" if self.edge else ""
        return f"{self._inner_code()}.within({arguments})"


def query_in_frame(query: FieldQuery, rotation: Floats) -> FieldQuery:
    """What was asked, as a frame sees it that is turned by `rotation` (4,) or (n, 4)."""
    inverse = quaternion.conjugate(rotation)
    return query.with_position(quaternion.rotate(inverse, query.position), lambda v: quaternion.rotate(inverse, v))


def rotate_vectors(vectors: Floats, rotation: Floats) -> Floats:
    """Vectors (n, 3) of that frame as the world sees them."""
    return quaternion.rotate(rotation, vectors)


def vector_lengths(vectors: Floats) -> Floats:
    """Length (n,) of each vector (n, 3), also where a square would overflow."""
    return np.asarray(np.hypot(np.hypot(vectors[:, 0], vectors[:, 1]), vectors[:, 2]))
