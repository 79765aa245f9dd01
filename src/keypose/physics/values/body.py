"""What has weight? A shape with a mass, which bounces and rubs more or less, and is rigid or gives way."""

from dataclasses import KW_ONLY, dataclass

from keypose.errors import ErrorPath, KeyposeError, short_repr
from keypose.maths import parse_non_negative, parse_positive
from keypose.physics.values.shapes import Plane, Shape
from keypose.physics.values.soft_lattice import SOFT_SHAPES

RUNAWAY_LIMIT = 1e6  # [m], [m/s]: whoever is farther or faster is lost

MIN_MASS, MAX_MASS = 1e-6, 1e9  # [kg]
MAX_FRICTION = 100.0
MIN_YOUNGS_MODULUS, MAX_YOUNGS_MODULUS = 1.0, 1e9  # [Pa]: what is stiffer is as good as rigid


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
            raise KeyposeError(f"A body has the shape {short_repr(self.shape)}. Give a shape, as Sphere(0.3).")
        mass = parse_positive(self.mass, "The mass of a body")
        if not MIN_MASS <= mass <= MAX_MASS:
            raise KeyposeError(f"The mass of a body is {mass:g} kg. Give {MIN_MASS:g} to {MAX_MASS:g} kg.")
        object.__setattr__(self, "mass", mass)
        object.__setattr__(self, "bounce", parse_non_negative(self.bounce, "The bounce of a body", 1.0))
        object.__setattr__(self, "friction", parse_non_negative(self.friction, "The friction of a body", MAX_FRICTION))
        if self.stiffness is not None:
            with ErrorPath("stiffness"):
                object.__setattr__(self, "stiffness", _check_stiffness(self.stiffness, self.shape))


def check_movable(body: object, owner: str) -> Body:
    """`body`, if it is one that can move."""
    checked = check_body(body, owner)
    if isinstance(checked.shape, Plane):
        raise KeyposeError(
            f"{owner} has the shape of a plane, which is half of space and cannot move. Use Still(body).",
            at=("body", "shape"),
        )
    return checked


def check_body(body: object, owner: str) -> Body:
    """`body`, if it is one."""
    if not isinstance(body, Body):
        raise KeyposeError(
            f"{owner} was given {short_repr(body)}. Give a body, as Body(Sphere(0.3), mass=2).", at=("body",)
        )
    return body


def check_rigid(body: object, owner: str) -> Body:
    """`body`, if it is one that does not give way."""
    checked = check_body(body, owner)
    if checked.stiffness is not None:
        raise KeyposeError(
            f"{owner} has a body with stiffness={checked.stiffness:g}, but only what follows a path or is free may be "
            "soft. Leave the stiffness out.",
            at=("body", "stiffness"),
        )
    return checked


def _check_stiffness(given: object, shape: Shape) -> float:
    found = parse_positive(given, "The stiffness of a body")
    if not MIN_YOUNGS_MODULUS <= found <= MAX_YOUNGS_MODULUS:
        raise KeyposeError(
            f"The stiffness of a body is {found:g} Pa. Give {MIN_YOUNGS_MODULUS:g} to {MAX_YOUNGS_MODULUS:g} "
            "Pa, or leave it out for a "
            "rigid one."
        )
    if not isinstance(shape, SOFT_SHAPES):
        raise KeyposeError(
            f"A body has the shape of a {type(shape).__name__.lower()} and stiffness={found:g}, but only a sphere, a "
            "box or a capsule may be soft. Leave the stiffness out."
        )
    return found
