"""Why can a mesh not be simulated? Its file is none, it is no solid, or it is too small or too large at its scale."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from keypose.errors import KeyposeError
from keypose.maths import Floats
from keypose.physics.engine.model_spec import BodySpec
from keypose.physics.values.shapes import MAX_SIZE, MIN_SIZE, Mesh

STL_HEADER_BYTES, STL_TRIANGLE_BYTES, MAX_TRIANGLES = (
    84,
    50,
    200_000,
)  # bytes of a binary .stl file, and of each triangle; how many MuJoCo reads
SIZE_TOLERANCE = 1e-6  # sides are known to so many parts


def check_meshes(body_specs: Sequence[BodySpec], measure: Callable[[BodySpec, Mesh], Floats | str]) -> None:
    """Say of which body the mesh cannot be simulated, if that is so.

    `measure` tells how large the box around a solid is if it is such a mesh [m], or why there is none.
    """
    for body_spec in body_specs:
        mesh = body_spec.body.shape
        if isinstance(mesh, Mesh):
            size = measure(body_spec, mesh)
            if isinstance(size, str):
                check_mesh_file(body_spec.name, mesh)
                unscaled_size = measure(body_spec, Mesh(mesh.file))
                if isinstance(unscaled_size, str):
                    raise not_solid_error(body_spec.name, mesh, size)
                size = mesh.scale * unscaled_size  # at which nothing is left of it
            check_mesh_size(body_spec.name, mesh, size)


def check_mesh_size(actor: str, mesh: Mesh, size: Floats) -> None:
    """Refuse a mesh of sides [m] that no box could have."""
    for label, side in (("longest", float(np.max(size))), ("shortest", float(np.min(size)))):
        if not MIN_SIZE * (1 - SIZE_TOLERANCE) <= side <= MAX_SIZE * (1 + SIZE_TOLERANCE):
            raise KeyposeError(
                f"{_mesh_text(actor, mesh)} with scale={mesh.scale:g}, so its {label} side is {side:.3g} m. "
                f"Give a scale at which all sides are {MIN_SIZE:g} to {MAX_SIZE:g} m."
            )


def check_mesh_file(actor: str, mesh: Mesh) -> None:
    """Refuse a file that is none of those meshes are in."""
    try:
        data = Path(mesh.file).read_bytes()
    except OSError as error:
        raise KeyposeError(f"{_mesh_text(actor, mesh)}, which cannot be read: {error.strerror}.") from None
    if Path(mesh.file).suffix.lower() == ".obj":
        if not any(line.split()[:1] == [b"v"] for line in data.splitlines()):
            raise KeyposeError(
                f"{_mesh_text(actor, mesh)}, which is no .obj file: no line says a corner, as 'v 0 1 0'. Save "
                "it as one."
            )
        return
    count = int.from_bytes(data[STL_HEADER_BYTES - 4 : STL_HEADER_BYTES], "little")
    if len(data) == STL_HEADER_BYTES + STL_TRIANGLE_BYTES * count and 0 < count <= MAX_TRIANGLES:
        return
    if data.lstrip()[:5].lower() == b"solid" and b"vertex" in data:
        raise KeyposeError(f"{_mesh_text(actor, mesh)}, an .stl file in words. Save it as a binary one, or as .obj.")
    raise KeyposeError(
        f"{_mesh_text(actor, mesh)}, which is no .stl file of 1 to {MAX_TRIANGLES:,} triangles, or not all of "
        "it. Save it anew."
    )


def not_solid_error(actor: str, mesh: Mesh, reason: str) -> KeyposeError:
    """What is told of a mesh that is in a file, and yet nothing can be made of."""
    return KeyposeError(
        f"{_mesh_text(actor, mesh)}, which is no solid: {reason}. "
        "Give a closed surface of four corners or more, not all in a plane."
    )


def _mesh_text(actor: str, mesh: Mesh) -> str:
    return f"Actor {actor!r} has the mesh {mesh.file!r}"
