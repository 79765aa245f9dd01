"""What is told of what has weight? The form of its body, how it follows, and where it begins.

What does a mesh look like? The triangles of its file, or the box around them if there are very many.

A page is told every time something about the actor changes, so a fine mesh is shown by its box.
"""

import stat
from dataclasses import fields
from functools import lru_cache
from itertools import product
from pathlib import Path

import numpy as np

from keypose.document import SHAPES
from keypose.maths import Floats, Vec3
from keypose.physics import Body, Follow, Free, Mesh, Reach, Shape, Still, build_lattice
from keypose.studio.edits.orientations import euler_degrees
from keypose.studio.protocol.updates.bodies import BodyView, FollowView, StartView

SHAPE_KINDS = {kind.type: kind.tag for kind in SHAPES}


def body_view(body: Body | None) -> BodyView | None:
    """A body in words."""
    if body is None:
        return None
    return BodyView(
        shape=_shape_options(body.shape),
        mass=body.mass,
        bounce=body.bounce,
        friction=body.friction,
        faces=mesh_faces(body.shape.file, body.shape.scale) if isinstance(body.shape, Mesh) else None,
        stiffness=body.stiffness,
        surface=None if body.stiffness is None else tuple(build_lattice(body.shape).triangles.ravel().tolist()),
    )


def follow_view(mover: object) -> FollowView | None:
    """How a follower, or whom a reach leads, races its target."""
    if not isinstance(mover, Follow | Reach):
        return None
    eagerness, damping = mover.pull
    return FollowView(
        within=mover.within,
        eagerness=eagerness,
        damping=damping,
        is_critical=mover.damping is None,
        reaction=mover.reaction,
        correction=mover.correction,
        speed=mover.speed,
        turn_within=mover.turn_within,
        has_orientations=mover.path.geometry.turns is not None,
        nominal_speed=mover.pace,
    )


def initial_state_view(mover: object) -> StartView | None:
    """Where a free or a still body begins."""
    if not isinstance(mover, Free | Still):
        return None
    yaw, pitch, roll = euler_degrees(mover.orientation.wxyz[np.newaxis])[0].tolist()
    return StartView(
        position=mover.position,
        degrees=(yaw, pitch, roll),
        velocity=mover.velocity if isinstance(mover, Free) else None,
        spin=mover.spin if isinstance(mover, Free) else None,
    )


def _shape_options(shape: Shape) -> dict[str, str | float | Vec3]:
    options = {one.name: getattr(shape, one.name) for one in fields(shape)}
    return {"kind": SHAPE_KINDS[type(shape)], **options}


MAX_TRIANGLES = 300  # triangles
MAX_FILE_SIZE = 20_000_000  # bytes that are looked at
FACE_DIGITS = 5
STL_HEADER_SIZE, STL_TRIANGLE_SIZE = 84, 50  # bytes of a binary .stl
BOX_FACES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))


def mesh_faces(file: str, scale: float) -> tuple[float, ...] | None:
    """Corners of triangles, nine numbers each [m]; None if the file cannot be read, which the shot tells of."""
    path = Path(file)
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_FILE_SIZE:  # a pipe could keep us waiting for ever
            return None
        return _read_faces(path, scale, status.st_mtime_ns)
    except (OSError, ValueError, IndexError):
        return None


@lru_cache(64)
def _read_faces(path: Path, scale: float, modified_at: int) -> tuple[float, ...] | None:
    data = path.read_bytes()
    triangles = scale * (
        _parse_obj(data.decode("utf-8", "replace")) if path.suffix.lower() == ".obj" else _parse_stl(data)
    )
    if not len(triangles) or not np.isfinite(triangles).all():
        return None
    if len(triangles) > MAX_TRIANGLES:
        triangles = _box_triangles(triangles.reshape(-1, 3).min(axis=0), triangles.reshape(-1, 3).max(axis=0))
    return tuple(float(f"{value:.{FACE_DIGITS}g}") for value in triangles.ravel().tolist())


def _parse_obj(text: str) -> Floats:
    """Triangles (n, 3, 3) of an .obj file; a face with more corners is a fan of them."""
    corners: list[list[float]] = []
    triangles: list[tuple[int, int, int]] = []
    for line in text.splitlines():
        keyword, *rest = line.split() or [""]
        if keyword == "v":
            corners.append([float(value) for value in rest[:3]])
        elif keyword == "f":
            corner_indices = [int(value.split("/")[0]) for value in rest]
            corner_indices = [index - 1 if index > 0 else len(corners) + index for index in corner_indices]
            triangles += [
                (corner_indices[0], corner_indices[i], corner_indices[i + 1]) for i in range(1, len(corner_indices) - 1)
            ]
    return np.array(corners).reshape(-1, 3)[np.array(triangles, dtype=np.int64).reshape(-1, 3)]


def _parse_stl(data: bytes) -> Floats:
    """Triangles (n, 3, 3) of an .stl file, in bytes or in words."""
    if len(data) >= STL_HEADER_SIZE and len(data) == STL_HEADER_SIZE + STL_TRIANGLE_SIZE * int.from_bytes(
        data[80:STL_HEADER_SIZE], "little"
    ):
        rows = np.frombuffer(data, np.uint8, offset=STL_HEADER_SIZE).reshape(-1, STL_TRIANGLE_SIZE)[:, 12:48]
        return np.ascontiguousarray(rows).view("<f4").astype(np.float64).reshape(-1, 3, 3)
    lines = (line.split() for line in data.decode("ascii", "replace").splitlines())
    return np.array([[float(value) for value in line[1:4]] for line in lines if line[:1] == ["vertex"]]).reshape(
        -1, 3, 3
    )


def _box_triangles(low: Floats, high: Floats) -> Floats:
    corners = np.array([[(low, high)[side][axis] for axis, side in enumerate(of)] for of in product((0, 1), repeat=3)])
    return corners[[(a, b, c) for a, b, c, d in BOX_FACES] + [(a, c, d) for a, b, c, d in BOX_FACES]]
