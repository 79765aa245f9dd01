"""What form has a body? A ball, a box, a capsule, half of space, or a mesh; around its own middle."""

from dataclasses import dataclass
from math import inf, sqrt
from pathlib import Path

from keypose.errors import At, KeyposeError, shown
from keypose.maths.arrays import Vec3
from keypose.maths.inputs import above_zero, amount, as_numbers, direction, vector

SMALLEST, LARGEST = 1e-4, 1e4  # [m]: beyond them the simulation has no digits left for contacts
MESHES = (".obj", ".stl")


@dataclass(frozen=True)
class Sphere:
    """A ball with this radius [m]."""

    radius: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", extent(self.radius, "The radius of a sphere"))


@dataclass(frozen=True)
class Box:
    """A box as wide, high and deep as `size` [m]; one number is a cube."""

    size: Vec3

    def __post_init__(self) -> None:
        found = as_numbers(self.size)
        if found is not None and found.shape not in ((), (3,)):
            raise KeyposeError(
                f"The size of a box is {shown(self.size)}. Give a number, or three: wide, high and deep."
            )
        size = (self.size,) * 3 if found is not None and not found.ndim else vector(self.size, "The size of a box")
        x, y, z = (extent(side, "A side of a box") for side in size)
        object.__setattr__(self, "size", (x, y, z))


@dataclass(frozen=True)
class Capsule:
    """A cylinder along y with half a ball at both ends; `length` [m] is that between the middles of those."""

    radius: float
    length: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", extent(self.radius, "The radius of a capsule"))
        object.__setattr__(self, "length", extent(self.length, "The length of a capsule"))


@dataclass(frozen=True)
class Plane:
    """All of space behind a plane, whose `normal` shows to the outside; it is `offset` [m] along it from the origin."""

    normal: Vec3 = (0.0, 1.0, 0.0)
    offset: float = 0.0

    def __post_init__(self) -> None:
        with At("normal"):
            object.__setattr__(self, "normal", direction(self.normal, "The normal of a plane"))
        object.__setattr__(self, "offset", amount(self.offset, "The offset of a plane"))


@dataclass(frozen=True)
class Mesh:
    """The hull of what an .obj or .stl file holds, times `scale`: bodies have no dents."""

    file: str
    scale: float = 1.0

    def __post_init__(self) -> None:
        with At("file"):
            if not isinstance(self.file, str | Path) or not str(self.file) or "\0" in str(self.file):
                raise KeyposeError(f"A mesh is in the file {shown(self.file)}. Give the name of a file.")
            if Path(self.file).suffix.lower() not in MESHES:
                wanted = " or ".join(MESHES)
                raise KeyposeError(f"A mesh is in {shown(str(self.file))}. Give a file that ends with {wanted}.")
        object.__setattr__(self, "file", str(self.file))
        object.__setattr__(self, "scale", above_zero(self.scale, "The scale of a mesh"))


Shape = Sphere | Box | Capsule | Plane | Mesh


def extent(given: object, what: str) -> float:
    """`given` as a size a body can have [m]."""
    found = above_zero(given, what)
    if not SMALLEST <= found <= LARGEST:
        raise KeyposeError(f"{what} is {found:g} m. Give {SMALLEST:g} to {LARGEST:g} m.")
    return found


def narrowest(shape: Shape) -> float:
    """Half of how wide a shape is where it is narrowest [m]; of a mesh that is known when its file is read."""
    match shape:
        case Sphere(radius) | Capsule(radius, _):
            return radius
        case Box(size):
            return min(size) / 2
    return inf


def widest(shape: Shape) -> float:
    """How far the farthest point of a shape is from its middle [m]; of a mesh that is known when its file is read."""
    match shape:
        case Sphere(radius):
            return radius
        case Capsule(radius, length):
            return radius + length / 2
        case Box((x, y, z)):
            return sqrt(x * x + y * y + z * z) / 2
    return 0.0
