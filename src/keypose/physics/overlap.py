"""How deep does a soft body begin in another? Its contacts do not say: those of two soft ones are between their small
parts, and what is wholly inside touches nothing.
"""

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from keypose.maths import quaternion
from keypose.maths.arrays import Floats
from keypose.physics.shapes import Box, Capsule, Plane, Shape, Sphere

if TYPE_CHECKING:
    from keypose.physics.engine import Engine


def overlaps(engine: "Engine") -> dict[tuple[int, int], float]:
    """How deep each soft body and any other are in each other [m], by their numbers, if they are at all."""
    soft = {number for number, solid in enumerate(engine.solids) if solid.body.stiffness is not None}
    points = {number: np.vstack([_pose(engine, number)[0], engine.skins([number])]) for number in soft}
    found = {}
    for pair in combinations(range(len(engine.solids)), 2) if soft else ():
        if soft.intersection(pair):
            depth = max(_depth(engine, one, two, points) for one, two in (pair, pair[::-1]))
            if depth > 0.0:
                found[pair] = depth
    return found


def depth_in(shape: Shape, points: Floats) -> Floats:
    """How deep points (n, 3) are in a shape around the origin [m], (n,); below 0 outside. Of meshes it is unknown."""
    match shape:
        case Sphere(radius):
            return np.asarray(radius - np.linalg.norm(points, axis=1))
        case Capsule(radius, length):
            along = np.clip(points[:, 1], -length / 2, length / 2)
            return np.asarray(radius - np.linalg.norm(points - along[:, None] * (0.0, 1.0, 0.0), axis=1))
        case Box(size):
            return np.asarray((np.array(size) / 2 - np.abs(points)).min(axis=1))
        case Plane(normal, offset):
            return np.asarray(offset - points @ np.array(normal))
    return np.full(len(points), -np.inf)


def _depth(engine: "Engine", one: int, two: int, points: dict[int, Floats]) -> float:
    """How deep one of two is in the other: the deepest of its points; of one that is rigid its middle alone."""
    place, facing = _pose(engine, two)
    mine = points[one] if one in points else _pose(engine, one)[0][None]
    there = quaternion.rotate(quaternion.conjugate(facing), mine - place)
    return float(depth_in(engine.solids[two].body.shape, there).max())


def _pose(engine: "Engine", number: int) -> tuple[Floats, Floats]:
    solid = engine.solids[number]
    if solid.moves:
        return engine.place[number, :3], engine.place[number, 3:]
    return np.array(solid.position), np.array(solid.orientation)
