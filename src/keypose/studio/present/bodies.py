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

from keypose.document.bodies import SHAPES
from keypose.maths.arrays import Floats, Vec3
from keypose.physics.values.body import Body
from keypose.physics.values.connections import Reach
from keypose.physics.values.movers import Follow, Free, Still
from keypose.physics.values.shapes import Mesh, Shape
from keypose.physics.values.soft_lattice import lattice_of
from keypose.studio.edits.orientations import degrees_of
from keypose.studio.protocol.updates.bodies import BeginningView, BodyView, FollowView

KINDS = {kind.type: kind.word for kind in SHAPES}


def body_view(body: Body | None) -> BodyView | None:
    """A body in words."""
    if body is None:
        return None
    return BodyView(
        shape=_shape(body.shape),
        mass=body.mass,
        bounce=body.bounce,
        friction=body.friction,
        faces=faces_of(body.shape.file, body.shape.scale) if isinstance(body.shape, Mesh) else None,
        stiffness=body.stiffness,
        surface=None if body.stiffness is None else tuple(lattice_of(body.shape).triangles.ravel().tolist()),
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
        turns=mover.path.turns is not None,
        pace=mover.pace,
    )


def beginning_view(mover: object) -> BeginningView | None:
    """Where a free or a still body begins."""
    if not isinstance(mover, Free | Still):
        return None
    turn, nod, tilt = degrees_of(mover.orientation.wxyz[np.newaxis])[0].tolist()
    return BeginningView(
        position=mover.position,
        degrees=(turn, nod, tilt),
        velocity=mover.velocity if isinstance(mover, Free) else None,
        spin=mover.spin if isinstance(mover, Free) else None,
    )


def _shape(shape: Shape) -> dict[str, str | float | Vec3]:
    words = {one.name: getattr(shape, one.name) for one in fields(shape)}
    return {"kind": KINDS[type(shape)], **words}


MOST = 300  # triangles
LARGEST = 20_000_000  # bytes that are looked at
DIGITS = 5
HEAD, EACH = 84, 50  # bytes of a binary .stl
SIDES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))


def faces_of(file: str, scale: float) -> tuple[float, ...] | None:
    """Corners of triangles, nine numbers each [m]; None if the file cannot be read, which the shot tells of."""
    place = Path(file)
    try:
        told = place.stat()
        if not stat.S_ISREG(told.st_mode) or told.st_size > LARGEST:  # a pipe could keep us waiting for ever
            return None
        return _faces(place, scale, told.st_mtime_ns)
    except (OSError, ValueError, IndexError):
        return None


@lru_cache(64)
def _faces(place: Path, scale: float, changed: int) -> tuple[float, ...] | None:
    data = place.read_bytes()
    triangles = scale * (_obj(data.decode("utf-8", "replace")) if place.suffix.lower() == ".obj" else _stl(data))
    if not len(triangles) or not np.isfinite(triangles).all():
        return None
    if len(triangles) > MOST:
        triangles = _box(triangles.reshape(-1, 3).min(axis=0), triangles.reshape(-1, 3).max(axis=0))
    return tuple(float(f"{value:.{DIGITS}g}") for value in triangles.ravel().tolist())


def _obj(text: str) -> Floats:
    """Triangles (n, 3, 3) of an .obj file; a face with more corners is a fan of them."""
    corners: list[list[float]] = []
    found: list[tuple[int, int, int]] = []
    for line in text.splitlines():
        word, *rest = line.split() or [""]
        if word == "v":
            corners.append([float(value) for value in rest[:3]])
        elif word == "f":
            own = [int(value.split("/")[0]) for value in rest]
            own = [index - 1 if index > 0 else len(corners) + index for index in own]
            found += [(own[0], own[i], own[i + 1]) for i in range(1, len(own) - 1)]
    return np.array(corners).reshape(-1, 3)[np.array(found, dtype=np.int64).reshape(-1, 3)]


def _stl(data: bytes) -> Floats:
    """Triangles (n, 3, 3) of an .stl file, in bytes or in words."""
    if len(data) >= HEAD and len(data) == HEAD + EACH * int.from_bytes(data[80:HEAD], "little"):
        rows = np.frombuffer(data, np.uint8, offset=HEAD).reshape(-1, EACH)[:, 12:48]
        return np.ascontiguousarray(rows).view("<f4").astype(np.float64).reshape(-1, 3, 3)
    lines = (line.split() for line in data.decode("ascii", "replace").splitlines())
    return np.array([[float(value) for value in line[1:4]] for line in lines if line[:1] == ["vertex"]]).reshape(
        -1, 3, 3
    )


def _box(low: Floats, high: Floats) -> Floats:
    corners = np.array([[(low, high)[side][axis] for axis, side in enumerate(of)] for of in product((0, 1), repeat=3)])
    return corners[[(a, b, c) for a, b, c, d in SIDES] + [(a, c, d) for a, b, c, d in SIDES]]
