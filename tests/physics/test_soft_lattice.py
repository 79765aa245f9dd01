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
    made = build_lattice(shape)
    a, b, c, d = (made.points[made.tetrahedra[:, corner]] for corner in range(4))
    volumes = np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) / 6
    assert volumes.min() > 0.005 * volumes.max()
    assert_allclose(volumes.sum(), made.volume)
    assert_allclose(made.volume, volume_of(shape), rtol=0.15)
    one, two, three = (made.points[made.surface_indices][made.triangles[:, corner]] for corner in range(3))
    assert_allclose(np.einsum("ij,ij->i", np.cross(one, two), three).sum() / 6, made.volume)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_surface_of_a_soft_body_is_closed_and_inside_its_shape(shape):
    made = build_lattice(shape)
    edges = np.sort(made.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    assert (np.unique(edges, axis=0, return_counts=True)[1] == 2).all()
    assert len(made.surface_indices) - len(edges) // 2 + len(made.triangles) == 2
    skin = made.points[made.surface_indices]
    match shape:
        case Sphere(radius):
            assert_allclose(np.linalg.norm(skin, axis=1), (1 - ROUNDING_FRACTION) * radius)
        case Capsule(radius, length):
            axis = np.clip(skin[:, 1], -length / 2, length / 2)
            away = np.linalg.norm(skin - np.stack([0 * axis, axis, 0 * axis], axis=1), axis=1)
            assert_allclose(away, (1 - ROUNDING_FRACTION) * radius)
        case Box(size):
            assert_allclose(skin.max(axis=0), np.array(size) / 2 - ROUNDING_FRACTION * min(size) / 2)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_lattice_nodes_have_the_mass_and_centre_of_the_body(shape):
    made = build_lattice(shape)
    assert_allclose(made.weights.sum(), 1.0)
    assert (made.weights > 0).all()
    assert_allclose(made.weights @ made.nodes, 0.0, atol=1e-12)


@pytest.mark.parametrize(
    ("shape", "rigid"), [(Sphere(0.3), [0.036] * 3), (Box((0.6, 0.6, 1.2)), [0.06, 0.15, 0.15])], ids=str
)
def test_inertia_of_a_soft_body_is_between_one_and_two_times_the_rigid_one(shape, rigid):
    inertia, axes = build_lattice(shape).inertia
    assert (inertia > rigid).all()
    assert (inertia < 2 * np.array(rigid)).all()
    assert_allclose(np.linalg.norm(axes), 1.0)


def test_principal_axes_are_those_of_the_shape():
    made = build_lattice(Capsule(0.1, 1.0))
    inertia, axes = made.inertia
    back = np.array([quaternion.rotate(axes, axis) for axis in np.eye(3)]).T
    assert_allclose(back @ np.diag(inertia) @ back.T, inertia_matrix(made.nodes, made.weights), atol=1e-12)
    assert_allclose(np.abs(back[:, 0]), (0, 1, 0), atol=1e-9)


def test_mean_rotation_is_independent_of_scaling_along_the_axes():
    made = build_lattice(Box((0.3, 0.4, 0.5)))
    for squeeze in ((1, 1, 1), (0.3, 1, 1.5), (1, 1e-6, 1), (2, 2, 0.1)):
        there = quaternion.rotate(TURN, made.nodes * squeeze)
        assert_allclose(mean_rotation(made.nodes, there, made.weights), TURN, atol=1e-9)


def test_mean_rotation_of_half_a_turn_is_found():
    made = build_lattice(Sphere(0.3))
    for axis in np.eye(3):
        turn = np.concatenate([[0.0], axis])
        found = mean_rotation(made.nodes, quaternion.rotate(turn, made.nodes), made.weights)
        assert_allclose(np.abs(found), turn, atol=1e-9)
