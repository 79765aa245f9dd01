"""What a soft body is made of: its points fill its shape, its knots weigh and turn as much as it does."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import Box, Capsule, Sphere
from keypose.maths import quaternion
from keypose.physics.values.soft_lattice import ROUNDING_FRACTION, build_lattice, inertia_matrix, mean_rotation

SHAPES = [
    Sphere(0.3),
    Sphere(1e-4),
    Box(0.5),
    Box((1.0, 0.1, 0.5)),
    Box((0.02, 3.0, 0.02)),
    Capsule(0.2, 0.3),
    Capsule(0.2, 0.01),
    Capsule(0.1, 1.0),
    Capsule(0.05, 9.0),
]
TURN = quaternion.normalize(np.array([0.3, -0.5, 0.2, 0.9]))


def volume_of(shape):
    match shape:
        case Sphere(radius):
            return 4 / 3 * np.pi * radius**3
        case Capsule(radius, length):
            return 4 / 3 * np.pi * radius**3 + np.pi * radius**2 * length
        case Box(size):
            return np.prod(size)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_tetrahedra_of_a_soft_body_fill_its_shape_without_gaps(shape):
    lattice = build_lattice(shape)
    a, b, c, d = (lattice.points[lattice.tetrahedra[:, corner]] for corner in range(4))
    volumes = np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) / 6
    assert volumes.min() > 0.005 * volumes.max()
    assert_allclose(volumes.sum(), lattice.volume)
    assert_allclose(lattice.volume, volume_of(shape), rtol=0.15)
    one, two, three = (lattice.points[lattice.surface_indices][lattice.triangles[:, corner]] for corner in range(3))
    assert_allclose(np.einsum("ij,ij->i", np.cross(one, two), three).sum() / 6, lattice.volume)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_surface_of_a_soft_body_is_closed_and_inside_its_shape(shape):
    lattice = build_lattice(shape)
    edges = np.sort(lattice.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    assert (np.unique(edges, axis=0, return_counts=True)[1] == 2).all()
    assert len(lattice.surface_indices) - len(edges) // 2 + len(lattice.triangles) == 2
    surface = lattice.points[lattice.surface_indices]
    match shape:
        case Sphere(radius):
            assert_allclose(np.linalg.norm(surface, axis=1), (1 - ROUNDING_FRACTION) * radius)
        case Capsule(radius, length):
            axis = np.clip(surface[:, 1], -length / 2, length / 2)
            distances = np.linalg.norm(surface - np.stack([0 * axis, axis, 0 * axis], axis=1), axis=1)
            assert_allclose(distances, (1 - ROUNDING_FRACTION) * radius)
        case Box(size):
            assert_allclose(surface.max(axis=0), np.array(size) / 2 - ROUNDING_FRACTION * min(size) / 2)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_lattice_nodes_have_the_mass_and_centre_of_the_body(shape):
    lattice = build_lattice(shape)
    assert_allclose(lattice.weights.sum(), 1.0)
    assert (lattice.weights > 0).all()
    assert_allclose(lattice.weights @ lattice.nodes, 0.0, atol=1e-12)


@pytest.mark.parametrize(
    ("shape", "rigid"), [(Sphere(0.3), [0.036] * 3), (Box((0.6, 0.6, 1.2)), [0.06, 0.15, 0.15])], ids=str
)
def test_inertia_of_a_soft_body_is_between_one_and_two_times_the_rigid_one(shape, rigid):
    inertia, axes = build_lattice(shape).inertia
    assert (inertia > rigid).all()
    assert (inertia < 2 * np.array(rigid)).all()
    assert_allclose(np.linalg.norm(axes), 1.0)


def test_principal_axes_are_those_of_the_shape():
    lattice = build_lattice(Capsule(0.1, 1.0))
    inertia, axes = lattice.inertia
    axis_matrix = np.array([quaternion.rotate(axes, axis) for axis in np.eye(3)]).T
    assert_allclose(
        axis_matrix @ np.diag(inertia) @ axis_matrix.T, inertia_matrix(lattice.nodes, lattice.weights), atol=1e-12
    )
    assert_allclose(np.abs(axis_matrix[:, 0]), (0, 1, 0), atol=1e-9)


def test_mean_rotation_is_independent_of_scaling_along_the_axes():
    lattice = build_lattice(Box((0.3, 0.4, 0.5)))
    for scale in ((1, 1, 1), (0.3, 1, 1.5), (1, 1e-6, 1), (2, 2, 0.1)):
        transformed = quaternion.rotate(TURN, lattice.nodes * scale)
        assert_allclose(mean_rotation(lattice.nodes, transformed, lattice.weights), TURN, atol=1e-9)


def test_mean_rotation_of_half_a_turn_is_found():
    lattice = build_lattice(Sphere(0.3))
    for axis in np.eye(3):
        turn = np.concatenate([[0.0], axis])
        found = mean_rotation(lattice.nodes, quaternion.rotate(turn, lattice.nodes), lattice.weights)
        assert_allclose(np.abs(found), turn, atol=1e-9)
