"""Why can a mesh not be simulated? Its file is none, it is no solid, or it is too small or too large at its scale."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from keypose.errors import KeyposeError
from keypose.maths.arrays import Floats
from keypose.physics.engine.model_spec import Solid
from keypose.physics.values.shapes import LARGEST, SMALLEST, Mesh

HEAD, EACH, MOST = 84, 50, 200_000  # bytes of a binary .stl file, and of each triangle; how many MuJoCo reads
ROUNDED = 1e-6  # sides are known to so many parts


def check_meshes(solids: Sequence[Solid], sides: Callable[[Solid, Mesh], Floats | str]) -> None:
    """Say of which body the mesh cannot be simulated, if that is so.

    `sides` tells how large the box around a solid is if it is such a mesh [m], or why there is none.
    """
    for solid in solids:
        mesh = solid.body.shape
        if isinstance(mesh, Mesh):
            found = sides(solid, mesh)
            if isinstance(found, str):
                check_file(solid.name, mesh)
                whole = sides(solid, Mesh(mesh.file))
                if isinstance(whole, str):
                    raise no_solid(solid.name, mesh, found)
                found = mesh.scale * whole  # at which nothing is left of it
            check_sides(solid.name, mesh, found)


def check_sides(who: str, mesh: Mesh, sides: Floats) -> None:
    """Refuse a mesh of sides [m] that no box could have."""
    for word, side in (("longest", float(np.max(sides))), ("shortest", float(np.min(sides)))):
        if not SMALLEST * (1 - ROUNDED) <= side <= LARGEST * (1 + ROUNDED):
            raise KeyposeError(
                f"{_has(who, mesh)} with scale={mesh.scale:g}, so its {word} side is {side:.3g} m. "
                f"Give a scale at which all sides are {SMALLEST:g} to {LARGEST:g} m."
            )


def check_file(who: str, mesh: Mesh) -> None:
    """Refuse a file that is none of those meshes are in."""
    try:
        data = Path(mesh.file).read_bytes()
    except OSError as error:
        raise KeyposeError(f"{_has(who, mesh)}, which cannot be read: {error.strerror}.") from None
    if Path(mesh.file).suffix.lower() == ".obj":
        if not any(line.split()[:1] == [b"v"] for line in data.splitlines()):
            raise KeyposeError(
                f"{_has(who, mesh)}, which is no .obj file: no line says a corner, as 'v 0 1 0'. Save it as one."
            )
        return
    count = int.from_bytes(data[HEAD - 4 : HEAD], "little")
    if len(data) == HEAD + EACH * count and 0 < count <= MOST:
        return
    if data.lstrip()[:5].lower() == b"solid" and b"vertex" in data:
        raise KeyposeError(f"{_has(who, mesh)}, an .stl file in words. Save it as a binary one, or as .obj.")
    raise KeyposeError(
        f"{_has(who, mesh)}, which is no .stl file of 1 to {MOST:,} triangles, or not all of it. Save it anew."
    )


def no_solid(who: str, mesh: Mesh, why: str) -> KeyposeError:
    """What is told of a mesh that is in a file, and yet nothing can be made of."""
    return KeyposeError(
        f"{_has(who, mesh)}, which is no solid: {why}. "
        "Give a closed surface of four corners or more, not all in a plane."
    )


def _has(who: str, mesh: Mesh) -> str:
    return f"Actor {who!r} has the mesh {mesh.file!r}"
