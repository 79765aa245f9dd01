"""One pose on top of another: placed in space, composed from the root up, and seen back (GL95 §6.1)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose.curves.orientation import Orientation
from keypose.errors import KeyposeError
from keypose.maths import kernel_switch, quaternion
from keypose.motion.hierarchy import lerp_pose, pose_center, pose_to_3d, to_local, to_world
from keypose.motion.pose import Pose


def random_poses(count, seed=0, points=None):
    rng = np.random.default_rng(seed)
    shape = (count,) if points is None else (count, points)
    return Pose(rng.normal(size=(*shape, 3)), quaternion.exp(rng.normal(size=(count, 3))))


def single_pose(place, turn=Orientation.identity):
    return Pose(np.array(place, dtype=float), np.array(turn))


@pytest.fixture(params=["definition", "kernels"])
def backend(request, monkeypatch):
    monkeypatch.setattr(kernel_switch, "allowed", request.param == "kernels")
    monkeypatch.setattr(kernel_switch, "WORTH_LOADING", 0)
    return request.param


@pytest.mark.parametrize(("place", "expected"), [((4,), (4, 0, 0)), ((4, 5), (4, 5, 0)), ((4, 5, 6), (4, 5, 6))])
def test_missing_coordinates_are_zero_in_3d(place, expected):
    assert_array_equal(pose_to_3d(single_pose(place)).position, expected)


def test_drawings_and_arrays_of_poses_get_a_zero_depth():
    converted = pose_to_3d(Pose(np.ones((7, 5, 2)), np.tile([1.0, 0, 0, 0], (7, 1))))
    assert converted.position.shape == (7, 5, 3)
    assert_array_equal(converted.position[..., 2], 0)


def test_four_dimensions_are_refused():
    with pytest.raises(KeyposeError, match="4 numbers, and space has three"):
        pose_to_3d(single_pose((1, 2, 3, 4)))


def test_child_rotates_about_its_parent(backend):
    parent = single_pose((10, 0, 0), Orientation.turned(90, "z"))
    world_pose = to_world(parent, single_pose((2, 0, 0), Orientation.turned(30, "z")))
    assert_allclose(world_pose.position, (10, 2, 0), atol=1e-15)
    assert Orientation.of(world_pose.orientation).angle_to(Orientation.turned(120, "z")) < 1e-6


def test_to_world_is_associative(backend):
    a, b, c = random_poses(40, 1), random_poses(40, 2), random_poses(40, 3)
    one, two = to_world(to_world(a, b), c), to_world(a, to_world(b, c))
    assert_allclose(one.position, two.position, atol=1e-13)
    assert_allclose(one.orientation, two.orientation, atol=1e-13)


@pytest.mark.parametrize("points", [None, 4])
def test_to_local_inverts_to_world(backend, points):
    parent, child = random_poses(40, 1), random_poses(40, 2, points)
    back = to_local(parent, to_world(parent, child))
    assert_allclose(back.position, child.position, atol=1e-13)
    assert_allclose(back.orientation, child.orientation, atol=1e-13)


@pytest.mark.parametrize("points", [None, 4])
def test_kernel_is_bitwise_identical_to_the_reference(monkeypatch, points):
    parent, child = random_poses(300, 1), random_poses(300, 2, points)
    monkeypatch.setattr(kernel_switch, "WORTH_LOADING", 0)
    from_kernel = to_world(parent, child)
    monkeypatch.setattr(kernel_switch, "allowed", False)
    assert to_world(parent, child) == from_kernel


def test_single_instant_is_bitwise_identical_to_a_batch(backend):
    parent, child = random_poses(5, 1), random_poses(5, 2)
    many = to_world(parent, child)
    for index in range(5):
        assert to_world(parent[index], child[index]) == many[index]


def test_drawing_as_parent_uses_its_center(backend):
    drawing = Pose(np.array([[0.0, 0, 0], [2, 0, 0]]), np.array(Orientation.turned(90, "y")))
    assert_array_equal(pose_center(drawing), (1, 0, 0))
    assert_allclose(to_world(drawing, single_pose((0, 0, 1))).position, (2, 0, 0), atol=1e-15)


def test_lerp_pose_moves_straight_and_takes_the_shorter_rotation():
    one, two = single_pose((0, 0, 0)), single_pose((2, 4, 0), Orientation.turned(90, "y"))
    half = lerp_pose(one, Pose(two.position, -two.orientation), 0.5)
    assert_array_equal(half.position, (1, 2, 0))
    assert Orientation.of(half.orientation).angle_to(Orientation.turned(45, "y")) < 1e-6
