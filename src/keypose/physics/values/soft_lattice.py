"""What is a soft body made of? Of knots, which have all of its mass, and finer points, which hang between them.

The knots are the corners of a few elastic cells round the body, as animators' lattices are; whatever was done to them,
they come back to where they were. The points are the body itself: a ball is a cube of them whose surface is pushed in
until all of it is as far from the middle as its faces are; a capsule is such a ball, cut at its waist and stretched.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations, product

import numpy as np

from keypose.maths import Floats, Ints
from keypose.physics.values.shapes import Box, Capsule, Shape, Sphere

CellCounts = tuple[int, int, int]

ELASTIC_CELLS = 2  # cells across a body: more cost more than they show
POINT_CELLS = 6  # cells of points across a body: a ball has 218 on its surface
SLENDER_RATIO = 3.0  # times as long as its radius: a longer capsule has fewer points across, and more along it
MAX_CELLS = 12  # cells along a side or the straight part of a capsule at most
ROUNDING_FRACTION = (
    0.01  # of half its width: how far outside the points its surface touches; the points are as far inside
)
MIN_NODE_WEIGHT = 1e-3  # of an average knot: what one has at least that nothing hangs at
SOFT_SHAPES = (Sphere, Box, Capsule)
"""The shapes that may be soft."""


@dataclass(frozen=True, eq=False)
class Lattice:
    """A soft body at rest, its middle at the origin."""

    nodes: Floats
    """(k, 3) [m], of all corners of its elastic cells, z first."""
    weights: Floats
    """(k,): which share of the mass hangs at each knot."""
    cells: CellCounts
    """How many elastic cells there are along each axis."""
    fill_fraction: float
    """Which share of those the body fills."""
    volume: float
    """[m³]"""
    points: Floats
    """(n, 3) [m]"""
    tetrahedra: Ints
    """(t, 4): between which points it is full."""
    surface_indices: Ints
    """(s,): which points are on its surface."""
    triangles: Ints
    """(t, 3): its surface, by the numbers of points in `skin`; seen from outside they go round to the left."""
    rounding: float
    """How far outside the points its surface touches [m]."""

    @property
    def inertia(self) -> tuple[Floats, Floats]:
        """Of a unit of mass [m²] (3,), about the axes (4,) that come with it."""
        moments, axes = np.linalg.eigh(inertia_matrix(self.nodes, self.weights))
        axes[:, 0] *= np.sign(np.linalg.det(axes))
        return moments, mean_rotation(np.eye(3), axes.T, np.ones(3))


@lru_cache(maxsize=32)
def build_lattice(shape: Shape) -> Lattice:
    """What a soft body of this shape is made of."""
    match shape:
        case Sphere(radius):
            point_cells, cells, rounding = (POINT_CELLS,) * 3, (ELASTIC_CELLS,) * 3, ROUNDING_FRACTION * radius
            points = (radius - rounding) * _cube_to_ball(_grid_points(point_cells))
        case Capsule(radius, length):
            across, along = POINT_CELLS, int(np.clip(round(length / radius), 1, MAX_CELLS))
            if length > SLENDER_RATIO * radius:
                across -= 2
            point_cells, cells = (
                (across, across + along, across),
                (ELASTIC_CELLS, ELASTIC_CELLS + along // 3, ELASTIC_CELLS),
            )
            rounding = ROUNDING_FRACTION * radius
            points = (radius - rounding) * _box_to_capsule(
                _grid_points(point_cells), along, length / (radius - rounding)
            )
        case Box(size):
            point_cells, cells, rounding = (
                _cell_counts(size, POINT_CELLS),
                _cell_counts(size, ELASTIC_CELLS),
                ROUNDING_FRACTION * min(size) / 2,
            )
            points = _grid_points(point_cells) * (np.array(size) / 2 - rounding)
        case _:
            raise TypeError(shape)
    return _assemble_lattice(points, _tetrahedra(point_cells, points), cells, rounding)


def inertia_matrix(points: Floats, masses: Floats) -> Floats:
    """The inertia (3, 3) of lumps about their middle, which is at the origin."""
    second_moments = (points * masses[:, None]).T @ points
    return np.asarray(np.trace(second_moments) * np.eye(3) - second_moments)


def mean_rotation(rest: Floats, points: Floats, weights: Floats) -> Floats:
    """The turn w x y z that brings lumps from rest (n, 3) nearest to where they are: that of their polar decomposition.

    It is the eigenvector of the largest eigenvalue of a symmetric matrix (Horn 1987), and exists for every squeeze.
    """
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = (rest * weights[:, None]).T @ points
    matrix = np.array(
        [
            [xx + yy + zz, 0.0, 0.0, 0.0],
            [yz - zy, xx - yy - zz, 0.0, 0.0],
            [zx - xz, xy + yx, yy - xx - zz, 0.0],
            [xy - yx, zx + xz, yz + zy, zz - xx - yy],
        ]
    )
    rotation = np.linalg.eigh(matrix)[1][:, -1]
    return np.asarray(-rotation if rotation[0] < 0 else rotation)


def _grid_points(cells: CellCounts) -> Floats:
    """The corners of cells, from -1 to 1 along each axis; next to each other are those along z."""
    return np.array(list(product(*(np.linspace(-1.0, 1.0, count + 1) for count in cells))))


def _cube_to_ball(points: Floats) -> Floats:
    """A cube from -1 to 1 as a ball."""
    length = np.linalg.norm(points, axis=1)
    return np.asarray(points * (np.abs(points).max(axis=1) / np.where(length > 0, length, 1.0))[:, None])


def _box_to_capsule(points: Floats, along: int, length: float) -> Floats:
    """A box from -1 to 1, which has more cells along y, as a capsule of the radius 1 with so long a straight part."""
    across = round(2 / np.diff(np.unique(points[:, 0])).max())
    layer = np.rint((points[:, 1] + 1) / 2 * (across + along)) - (across + along) / 2  # counted from the middle
    beyond = np.maximum(np.abs(layer) - along / 2, 0.0) / (across / 2)
    side = np.sign(layer)
    ball = _cube_to_ball(np.stack([points[:, 0], side * beyond, points[:, 2]], axis=1))
    ball[:, 1] += side * np.minimum(np.abs(layer) / along, 0.5) * length
    return ball


def _tetrahedra(cells: CellCounts, points: Floats) -> Ints:
    """Six in each cell, round the diagonal that runs away from the middle, so that none is flat in a ball."""
    cell = np.indices(cells).reshape(3, -1).T
    outwards = 2 * cell + 1 >= np.array(cells)
    near, step = np.where(outwards, cell, cell + 1), np.where(outwards, 1, -1)
    groups = []
    for order in permutations(range(3)):
        corner, corners = near.copy(), [near]
        for axis in order:
            corner[:, axis] += step[:, axis]
            corners.append(corner.copy())
        groups.append([np.ravel_multi_index(tuple(indices.T), tuple(np.array(cells) + 1)) for indices in corners])
    tetrahedra = np.concatenate([np.stack(corners, axis=1) for corners in groups])
    is_inverted = _tetrahedron_volumes(points, tetrahedra) < 0
    tetrahedra[is_inverted] = tetrahedra[is_inverted][:, [0, 1, 3, 2]]
    return tetrahedra


def _tetrahedron_volumes(points: Floats, tetrahedra: Ints) -> Floats:
    a, b, c, d = (points[tetrahedra[:, corner]] for corner in range(4))
    return np.asarray(np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) / 6)


def _cell_counts(size: tuple[float, float, float], across: int) -> CellCounts:
    """How many cells are along each side of a box, if they are nearly cubes, and as many as so many across a cube."""
    edge = float(np.prod(size)) ** (1 / 3) / across
    x, y, z = (int(np.clip(round(side / edge), 1, MAX_CELLS)) for side in size)
    return x, y, z


def _interpolation_weights(points: Floats, cells: CellCounts, half: Floats) -> Floats:
    """Which share (points, knots) of each point is at which knot, where cells reach from -half to half."""
    counts = np.array(cells)
    cell_positions = (points / half + 1) / 2 * counts
    first = np.clip(np.floor(cell_positions).astype(np.int64), 0, counts - 1)
    fractions, weights = cell_positions - first, np.zeros((len(points), np.prod(counts + 1)))
    for corner in product((0, 1), repeat=3):
        node = np.ravel_multi_index(tuple((first + corner).T), tuple(counts + 1))
        weights[np.arange(len(points)), node] += np.where(corner, fractions, 1 - fractions).prod(axis=1)
    return weights


def _assemble_lattice(points: Floats, tetrahedra: Ints, cells: CellCounts, rounding: float) -> Lattice:
    volumes, masses = _tetrahedron_volumes(points, tetrahedra), np.zeros(len(points))
    for corner in range(4):
        np.add.at(masses, tetrahedra[:, corner], volumes / 4)
    volume, half = float(volumes.sum()), points.max(axis=0)
    nodes = _grid_points(cells) * half
    weights = masses @ _interpolation_weights(points, cells, half)
    weights = np.maximum(weights, MIN_NODE_WEIGHT * weights.mean())
    weights /= weights.sum()
    faces = np.concatenate([tetrahedra[:, side] for side in ([0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3])])
    _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    surface_faces = faces[np.sort(first[count == 1])]
    surface_indices = np.unique(surface_faces)
    fill_fraction, triangles = volume / float(np.prod(2 * half)), np.searchsorted(surface_indices, surface_faces)
    lattice = Lattice(
        nodes, weights, cells, fill_fraction, volume, points, tetrahedra, surface_indices, triangles, rounding
    )
    for array in (nodes, weights, points, tetrahedra, surface_indices, triangles):
        array.flags.writeable = False
    return lattice
