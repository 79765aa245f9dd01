"""A field law as a row of numbers, as the kernels read it."""

from collections.abc import Callable
from dataclasses import astuple, dataclass, replace
from math import inf

from keypose.maths.arrays import Vec3
from keypose.maths.inputs import ORIGIN

TAME = 1e90  # [m] the square of a distance up to here is finite, and that of one down to 1/here is not zero

UNIFORM, PULL, WHIRL, WALL = range(4)
COLUMNS = 17  # how many numbers tell a law, see `Law.row`


@dataclass(frozen=True)
class Law:
    """One law in the frame of whoever carries it: all that the kernels know of it."""

    kind: int
    strength: float
    power: float = 0.0
    """A pull or a whirl weakens as strength · d / ρ^power; a spring is a pull that does not."""
    core: float = 1.0
    place: Vec3 = ORIGIN
    """Its centre, or a point of its wall [m]."""
    along: Vec3 = ORIGIN
    """Its vector, axis or normal."""
    reach: float = 1.0
    radius: float = inf
    """Of the ball outside of which it is zero [m]."""
    middle: Vec3 = ORIGIN
    """Of that ball [m]."""
    edge: float = 0.0

    @property
    def is_central(self) -> bool:
        """Whether it is a pull to its carrier that ends, if it does, at once: the same however the carrier turns."""
        bounded = self.radius == inf or (self.middle == ORIGIN and 1 / TAME < self.radius < TAME)
        return self.kind == PULL and self.place == ORIGIN and bounded and not self.edge

    @property
    def row(self) -> tuple[float, ...]:
        """Its numbers, in the order in which `kernels.laws` names them."""
        kind, strength, power, core, place, along, reach, radius, middle, edge = astuple(self)
        return kind, strength, power, core, *place, *along, reach, radius, *middle, edge, float(self.is_central)

    def placed(self, place: Callable[[Vec3], Vec3], along: Callable[[Vec3], Vec3]) -> "Law":
        """The same where places and directions become others."""
        return replace(self, place=place(self.place), along=along(self.along), middle=place(self.middle))
