"""A pose is a position and an orientation, for one instant or many; compared by value."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from keypose.curves.key import Key
from keypose.curves.orientation import Orientation
from keypose.curves.path.motion_path import MotionPath
from keypose.errors import KeyposeError
from keypose.motion.motion import Motion
from keypose.motion.pose import Pose

MOTION = Motion(
    MotionPath([Key((0, 0, 0), orientation=(1, 0, 0, 0)), Key((1, 2, 0), orientation=Orientation.turned(90, "y"))]),
    duration=2.0,
)


def test_one_instant_gives_one_pose_and_many_give_many():
    one = MOTION.at(1.0)
    assert one.position.shape == (3,)
    assert one.orientation.shape == (4,)
    many = MOTION.at([[0.0, 1.0, 2.0]])
    assert many.position.shape == (1, 3, 3)
    assert many.orientation.shape == (1, 3, 4)


def test_repr_of_one_pose_has_its_numbers_and_of_many_their_shapes():
    assert repr(MOTION.at(0.0)) == "Pose([0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0])"
    assert repr(MOTION.at([0.0, 1.0])) == "<Pose: position (2, 3), orientation (2, 4)>"


def test_quaternions_are_w_x_y_z():
    assert_array_equal(MOTION.at(0.0).orientation, (1, 0, 0, 0))
    assert MOTION.at(2.0).facing.angle_to(Orientation.turned(90, "y")) < 1e-9


def test_poses_can_be_indexed_counted_and_iterated():
    many = MOTION.frames(2)
    assert len(many) == 5
    assert many[1] == MOTION.at(0.5)
    assert many[-1] == MOTION.at(2.0)
    assert many[1:3] == MOTION.at([0.5, 1.0])
    assert [pose.position[0] for pose in many] == many.position[:, 0].tolist()
    assert MOTION.at([[0.0, 1.0], [1.0, 2.0]])[1][0] == MOTION.at(1.0)


def test_single_pose_has_no_length_or_items():
    with pytest.raises(TypeError, match="no length"):
        len(MOTION.at(1.0))
    with pytest.raises(TypeError, match="no parts"):
        MOTION.at(1.0)[0]


def test_poses_compare_by_value():
    assert MOTION.at(1.0) == MOTION.at(1.0)
    assert hash(MOTION.at(1.0)) == hash(MOTION.at(1.0))
    assert MOTION.at(1.0) != MOTION.at(1.5)
    assert MOTION.at(1.0) != MOTION.at([1.0])
    assert MOTION.at(1.0) != "here"
    assert Pose(np.zeros(3), np.array([1.0, 0, 0, 0])) != Pose(np.zeros(3), np.array([0.0, 1, 0, 0]))


def test_pose_is_immutable():
    with pytest.raises(AttributeError):
        MOTION.at(1.0).position = np.zeros(3)


def test_pose_of_a_drawing_keeps_all_points():
    motion = Motion(MotionPath(np.random.default_rng(0).normal(size=(3, 5, 2))), duration=1.0)
    frames = motion.frames(10)
    assert len(frames) == 11
    assert frames[3].position.shape == (5, 2)
    assert motion.at(0.3).position.shape == (5, 2)


def test_read_only_pose_is_a_view_that_cannot_be_written():
    pose = Pose(np.zeros((2, 3)), np.ones((2, 4)))
    read_only = pose.read_only()
    pose.position[0] = 5
    assert read_only.position[0, 0] == 5
    with pytest.raises(ValueError, match="read-only"):
        read_only.orientation[0] = 5


def test_pose_of_lists_copies_them_to_arrays():
    place, facing = [1, 2, 3], [1, 0, 0, 0]
    pose = Pose(place, facing)
    place[0] = 5
    assert pose == Pose(np.array([1.0, 2, 3]), np.array([1.0, 0, 0, 0]))
    assert pose.position.dtype == pose.orientation.dtype == np.float64
    assert Pose((0, 0, 0), Orientation.turned(90, "y")).facing == Orientation.turned(90, "y")


def test_a_pose_of_float_arrays_shares_them():
    place, facing = np.zeros(3), np.array([1.0, 0, 0, 0])
    assert Pose(place, facing).position is place
    assert Pose.of(place, facing) == Pose(place, facing)


@pytest.mark.parametrize(
    ("place", "facing", "message"),
    [
        ("here", (1, 0, 0, 0), r"position of a pose must be numbers, but 'here'"),
        ((0, 0, 0), (True, 0, 0, 0), r"orientation of a pose must be numbers, but \(True, "),
        ((0, 0, 0), (0, 0, 0), r"facings of shape \(3,\)\. Give .*w x y z"),
        (5.0, (1, 0, 0, 0), r"places of shape \(\) .*Give places \(…, dim\)"),
        ((), (1, 0, 0, 0), r"places of shape \(0,\)"),
    ],
)
def test_invalid_pose_is_refused_with_reason(place, facing, message):
    with pytest.raises(KeyposeError, match=message):
        Pose(place, facing)
