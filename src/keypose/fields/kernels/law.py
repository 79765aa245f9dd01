"""A field law as a row of numbers, as the kernels read it."""

from collections.abc import Callable
from dataclasses import astuple, dataclass, replace
from math import inf

from keypose.maths import ORIGIN, Vec3

MAX_SQUARABLE = 1e90  # [m] the square of a distance up to here is finite, and that of one down to 1/here is not zero

UNIFORM, PULL, VORTEX, WALL = range(4)
LAW_COLUMNS = 17  # how many numbers tell a law, see `Law.row`


@dataclass(frozen=True)
class Law:
    """One law in the frame of whoever carries it: all that the kernels know of it."""

    kind: int
    strength: float
    power: float = 0.0
    """A pull or a whirl weakens as strength · d / ρ^power; a spring is a pull that does not."""
    core: float = 1.0
    position: Vec3 = ORIGIN
    """Its centre, or a point of its wall [m]."""
    direction: Vec3 = ORIGIN
    """Its vector, axis or normal."""
    reach: float = 1.0
    radius: float = inf
    """Of the ball outside of which it is zero [m]."""
    ball_center: Vec3 = ORIGIN
    """Of that ball [m]."""
    edge: float = 0.0

    @property
    def is_central(self) -> bool:
        """Whether it is a pull to its carrier that ends, if it does, at once: the same however the carrier turns."""
        has_central_bounds = self.radius == inf or (
            self.ball_center == ORIGIN and 1 / MAX_SQUARABLE < self.radius < MAX_SQUARABLE
        )
        return self.kind == PULL and self.position == ORIGIN and has_central_bounds and not self.edge

    @property
    def row(self) -> tuple[float, ...]:
        """Its numbers, in the order in which `field_laws` names them."""
        kind, strength, power, core, position, direction, reach, radius, ball_center, edge = astuple(self)
        return (
            kind,
            strength,
            power,
            core,
            *position,
            *direction,
            reach,
            radius,
            *ball_center,
            edge,
            float(self.is_central),
        )

    def transformed(self, map_position: Callable[[Vec3], Vec3], map_direction: Callable[[Vec3], Vec3]) -> "Law":
        """The same where places and directions become others."""
        return replace(
            self,
            position=map_position(self.position),
            direction=map_direction(self.direction),
            ball_center=map_position(self.ball_center),
        )
