"""What has weight? A shape with a mass, which bounces and rubs more or less, and is rigid or gives way."""

from dataclasses import KW_ONLY, dataclass

from keypose.errors import At, KeyposeError, shown
from keypose.maths.inputs import above_zero, not_below_zero
from keypose.physics.values.shapes import Plane, Shape
from keypose.physics.values.soft_lattice import SOFT

RUNAWAY = 1e6  # [m], [m/s]: whoever is farther or faster is lost

LIGHTEST, HEAVIEST = 1e-6, 1e9  # [kg]
MOST_FRICTION = 100.0
SOFTEST, STIFFEST = 1.0, 1e9  # [Pa]: what is stiffer is as good as rigid


@dataclass(frozen=True)
class Body:
    """A body of `mass` [kg].

    `bounce` 0 … 1 is how much of its speed comes back from a wall; `friction` is how much of the force on a surface
    holds along it. Of two that touch, the bouncier one counts, and the rougher one. `stiffness` None is rigid; a number
    is soft, by its Young's modulus [Pa]: foam has some hundreds to thousands.
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
            with At("stiffness"):
                object.__setattr__(self, "stiffness", _stiffness(self.stiffness, self.shape))


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


def rigid(body: object, who: str) -> Body:
    """`body`, if it is one that does not give way."""
    found = solid(body, who)
    if found.stiffness is not None:
        raise KeyposeError(
            f"{who} has a body with stiffness={found.stiffness:g}, but only what follows a path or is free may be "
            "soft. Leave the stiffness out.",
            at=("body", "stiffness"),
        )
    return found


def _stiffness(given: object, shape: Shape) -> float:
    found = above_zero(given, "The stiffness of a body")
    if not SOFTEST <= found <= STIFFEST:
        raise KeyposeError(
            f"The stiffness of a body is {found:g} Pa. Give {SOFTEST:g} to {STIFFEST:g} Pa, or leave it out for a "
            "rigid one."
        )
    if not isinstance(shape, SOFT):
        raise KeyposeError(
            f"A body has the shape of a {type(shape).__name__.lower()} and stiffness={found:g}, but only a sphere, a "
            "box or a capsule may be soft. Leave the stiffness out."
        )
    return found
