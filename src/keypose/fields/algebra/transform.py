"""Where is a field, how is it turned and stretched, and where does it end?

A field that is placed with the map x ↦ M x pushes M f(M⁻¹x): the question is taken back to where the field was said,
and its answer is brought here. So what moves in a placed field moves as in the field itself, placed likewise.
"""

from dataclasses import KW_ONLY, dataclass

import numpy as np

from keypose.curves.orientation import Orientation
from keypose.errors import KeyposeError, shown
from keypose.fields.algebra.field import Asked
from keypose.fields.algebra.sum import Wrapped
from keypose.maths import quaternion
from keypose.maths.arrays import Floats, Vec3
from keypose.maths.inputs import ORIGIN, above_zero, as_number, not_below_zero, vector
from keypose.maths.smoothstep import rising

SMALLEST = 1e-9  # of a stretch: beyond it a place divided by it says nothing any more


@dataclass(frozen=True, repr=False)
class Moved(Wrapped):
    """A field somewhere else, by `offset` [m]."""

    offset: Vec3

    def __post_init__(self) -> None:
        super().__post_init__()
        self.__dict__["offset"] = vector(self.offset, "The offset of a field")

    def push(self, asked: Asked) -> Floats:
        """f(x − offset)."""
        return self.field.push(asked.elsewhere(asked.place - np.array(self.offset)))

    def __repr__(self) -> str:
        return f"{self._inner()}.moved({self.offset!r})"


@dataclass(frozen=True, repr=False)
class Turned(Wrapped):
    """A field turned about the origin."""

    turn: Orientation

    def __post_init__(self) -> None:
        super().__post_init__()
        self.__dict__["turn"] = Orientation.of(self.turn)

    def push(self, asked: Asked) -> Floats:
        """R f(R⁻¹x)."""
        return turned(self.field.push(back(asked, self.turn.wxyz)), self.turn.wxyz)

    def __repr__(self) -> str:
        return f"{self._inner()}.turned({self.turn!r})"


@dataclass(frozen=True, repr=False)
class Scaled(Wrapped):
    """A field stretched about the origin, arrows too, by a factor along each axis; see `Field.scaled`."""

    factors: Vec3

    def __post_init__(self) -> None:
        super().__post_init__()
        one = as_number(self.factors)
        factors = vector((one, one, one) if one is not None else self.factors, "The stretch of a field")
        if one is None and np.shape(self.factors) != (3,):  # two numbers would leave the third axis no room at all
            raise KeyposeError(f"A field is stretched by {shown(self.factors)}. Give one factor or three.")
        if min(abs(factor) for factor in factors) < SMALLEST:
            raise KeyposeError(f"A field is stretched by {shown(factors)}. Give factors of at least {SMALLEST:g}.")
        self.__dict__["factors"] = factors

    def push(self, asked: Asked) -> Floats:
        """S f(S⁻¹x)."""
        stretch = np.array(self.factors)
        return np.asarray(stretch * self.field.push(asked.elsewhere(asked.place / stretch, lambda v: v / stretch)))

    def __repr__(self) -> str:
        return f"{self._inner()}.scaled({self.factors!r})"


@dataclass(frozen=True, repr=False)
class Within(Wrapped):
    """A field in a ball or a box and nowhere else; see `Field.within`."""

    radius: float | None = None
    _: KW_ONLY
    size: Vec3 | None = None
    center: Vec3 = ORIGIN
    edge: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        said = self.__dict__
        if (self.radius is None) == (self.size is None):
            both = f"radius={shown(self.radius)} and size={shown(self.size)}"
            raise KeyposeError(f"A field is limited by {both}. Give either a radius or the size of a box.")
        if self.radius is not None:
            said["radius"] = room = above_zero(self.radius, "The radius of a field")
        else:
            said["size"] = sides = vector(self.size, "The size of a field's box")
            room = min(sides) / 2
            if room <= 0:
                raise KeyposeError(f"A field's box has the size {shown(sides)}. Give three sides above zero.")
        said["center"] = vector(self.center, "The center of a field's limit")
        said["edge"] = not_below_zero(self.edge, "The edge of a field", room)

    def push(self, asked: Asked) -> Floats:
        """Inside f, fading over the edge; outside zero, and f is not even asked there."""
        depth, out = self._depth(asked.place), np.zeros_like(asked.place)
        strength = np.prod(rising(depth, self.edge), axis=-1)
        inside = strength > 0
        if inside.any():
            out[inside] = strength[inside, None] * self.field.push(asked.some(inside))
        return out

    def _depth(self, place: Floats) -> Floats:
        """How far inside [m] places (n, 3) are: of a ball (n, 1), or between each pair of a box's sides (n, 3)."""
        away = place - np.array(self.center)
        if self.radius is not None:
            return np.asarray(self.radius - length(away)[:, None])
        return np.asarray(np.array(self.size) / 2 - np.abs(away))

    def __repr__(self) -> str:
        said = repr(self.radius) if self.radius is not None else f"size={self.size!r}"
        said += f", center={self.center!r}" if self.center != ORIGIN else ""
        said += f", edge={self.edge!r}" if self.edge else ""
        return f"{self._inner()}.within({said})"


def back(asked: Asked, turn: Floats) -> Asked:
    """What was asked, as a frame sees it that is turned by `turn` (4,) or (n, 4)."""
    undone = quaternion.conjugate(turn)
    return asked.elsewhere(quaternion.rotate(undone, asked.place), lambda v: quaternion.rotate(undone, v))


def turned(vectors: Floats, turn: Floats) -> Floats:
    """Vectors (n, 3) of that frame as the world sees them."""
    return quaternion.rotate(turn, vectors)


def length(vectors: Floats) -> Floats:
    """Length (n,) of each vector (n, 3), also where a square would overflow."""
    return np.asarray(np.hypot(np.hypot(vectors[:, 0], vectors[:, 1]), vectors[:, 2]))
