"""What form has a body? A ball, a box, a capsule, half of space, or a mesh; around its own middle."""

from dataclasses import dataclass
from math import inf, sqrt
from pathlib import Path
from typing import TYPE_CHECKING

from keypose.errors import ErrorPath, KeyposeError, short_repr
from keypose.maths import (
    ArrayLike,
    Vec3,
    as_numbers,
    parse_bounded_number,
    parse_direction,
    parse_positive,
    parse_vector,
)

MIN_SIZE, MAX_SIZE = 1e-4, 1e4  # [m]: beyond them the simulation has no digits left for contacts
MESH_SUFFIXES = (".obj", ".stl")


@dataclass(frozen=True)
class Sphere:
    """A ball with this radius [m]."""

    radius: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", check_size(self.radius, "The radius of a sphere"))


@dataclass(frozen=True)
class Box:
    """A box as wide, high and deep as `size` [m]; one number is a cube."""

    size: Vec3

    if TYPE_CHECKING:

        def __init__(self, size: ArrayLike) -> None: ...

    def __post_init__(self) -> None:
        numbers = as_numbers(self.size)
        if numbers is not None and numbers.shape not in ((), (3,)):
            raise KeyposeError(
                f"The size of a box is {short_repr(self.size)}. Give a number, or three: wide, high and deep."
            )
        size = (
            (self.size,) * 3
            if numbers is not None and not numbers.ndim
            else parse_vector(self.size, "The size of a box")
        )
        x, y, z = (check_size(side, "A side of a box") for side in size)
        object.__setattr__(self, "size", (x, y, z))


@dataclass(frozen=True)
class Capsule:
    """A cylinder along y with half a ball at both ends; `length` [m] is that between the middles of those."""

    radius: float
    length: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", check_size(self.radius, "The radius of a capsule"))
        object.__setattr__(self, "length", check_size(self.length, "The length of a capsule"))


@dataclass(frozen=True)
class Plane:
    """All of space behind a plane, whose `normal` shows to the outside; it is `offset` [m] along it from the origin."""

    normal: Vec3 = (0.0, 1.0, 0.0)
    offset: float = 0.0

    def __post_init__(self) -> None:
        with ErrorPath("normal"):
            object.__setattr__(self, "normal", parse_direction(self.normal, "The normal of a plane"))
        object.__setattr__(self, "offset", parse_bounded_number(self.offset, "The offset of a plane"))


@dataclass(frozen=True)
class Mesh:
    """The hull of what an .obj or .stl file holds, times `scale`: bodies have no dents."""

    file: str
    scale: float = 1.0

    def __post_init__(self) -> None:
        with ErrorPath("file"):
            if not isinstance(self.file, str | Path) or not str(self.file) or "\0" in str(self.file):
                raise KeyposeError(f"A mesh is in the file {short_repr(self.file)}. Give the name of a file.")
            if Path(self.file).suffix.lower() not in MESH_SUFFIXES:
                suffixes = " or ".join(MESH_SUFFIXES)
                raise KeyposeError(f"A mesh is in {short_repr(str(self.file))}. Give a file that ends with {suffixes}.")
        object.__setattr__(self, "file", str(self.file))
        object.__setattr__(self, "scale", parse_positive(self.scale, "The scale of a mesh"))


Shape = Sphere | Box | Capsule | Plane | Mesh


def check_size(given: object, what: str) -> float:
    """`given` as a size a body can have [m]."""
    size = parse_positive(given, what)
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise KeyposeError(f"{what} is {size:g} m. Give {MIN_SIZE:g} to {MAX_SIZE:g} m.")
    return size


def half_width(shape: Shape) -> float:
    """Half of how wide a shape is where it is narrowest [m]; of a mesh that is known when its file is read."""
    match shape:
        case Sphere(radius) | Capsule(radius, _):
            return radius
        case Box(size):
            return min(size) / 2
    return inf


def bounding_radius(shape: Shape) -> float:
    """How far the farthest point of a shape is from its middle [m]; of a mesh that is known when its file is read."""
    match shape:
        case Sphere(radius):
            return radius
        case Capsule(radius, length):
            return radius + length / 2
        case Box((x, y, z)):
            return sqrt(x * x + y * y + z * z) / 2
    return 0.0
