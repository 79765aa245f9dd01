"""What has weight? A shape with a mass, which bounces and rubs more or less."""

from dataclasses import KW_ONLY, dataclass

from keypose.curves.values import above_zero, not_below_zero
from keypose.errors import KeyposeError, shown
from keypose.physics.shapes import Plane, Shape

LIGHTEST, HEAVIEST = 1e-6, 1e9  # [kg]
MOST_FRICTION = 100.0


@dataclass(frozen=True)
class Body:
    """A rigid body of `mass` [kg].

    `bounce` 0 … 1 is how much of its speed comes back from a wall; `friction` is how much of the force on a surface
    holds along it. Of two that touch, the bouncier one counts, and the rougher one.
    """

    shape: Shape
    mass: float = 1.0
    _: KW_ONLY
    bounce: float = 0.0
    friction: float = 0.5
    stiffness: float | None = None

    def __post_init__(self) -> None:
        if isinstance(self.shape, type) or not isinstance(self.shape, Shape):
            raise KeyposeError(f"A body has the shape {shown(self.shape)}. Give a shape, as Sphere(0.3).")
        mass = above_zero(self.mass, "The mass of a body")
        if not LIGHTEST <= mass <= HEAVIEST:
            raise KeyposeError(f"The mass of a body is {mass:g} kg. Give {LIGHTEST:g} to {HEAVIEST:g} kg.")
        object.__setattr__(self, "mass", mass)
        object.__setattr__(self, "bounce", not_below_zero(self.bounce, "The bounce of a body", 1.0))
        object.__setattr__(self, "friction", not_below_zero(self.friction, "The friction of a body", MOST_FRICTION))
        if self.stiffness is not None:
            raise KeyposeError(
                f"A body has stiffness={shown(self.stiffness)}, but soft bodies do not exist yet. Leave it out."
            )


def movable(body: object, who: str) -> Body:
    """`body`, if it is one that can move."""
    found = solid(body, who)
    if isinstance(found.shape, Plane):
        raise KeyposeError(
            f"{who} has the shape of a plane, which is half of space and cannot move. Use Still(body).",
            at=("body", "shape"),
        )
    return found


def solid(body: object, who: str) -> Body:
    """`body`, if it is one."""
    if not isinstance(body, Body):
        raise KeyposeError(f"{who} was given {shown(body)}. Give a body, as Body(Sphere(0.3), mass=2).", at=("body",))
    return body
