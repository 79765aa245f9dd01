"""Looking forward and leaning into curves, at any instant, also while standing still."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose.curves.key import Key
from keypose.curves.orientation import Orientation
from keypose.curves.path.motion_path import MotionPath
from keypose.errors import KeyposeError
from keypose.maths import quaternion
from keypose.motion.facing import FaceForward, LookAt, forward_orientations, travel_direction
from keypose.motion.motion import Motion
from keypose.timing.key_times import KeyTimes
from keypose.timing.speed_profile import SpeedProfile

FORWARD, UP = np.array([0.0, 0, 1]), np.array([0.0, 1, 0])
OWN_ORIENTATION = np.array(Orientation.turned(33, "x"))


def forward_orientation(motion, t, bank=0.0):
    t = np.atleast_1d(np.asarray(t, dtype=float))
    return FaceForward(bank).orientations_along(motion, t, np.broadcast_to(OWN_ORIENTATION, (len(t), 4)))


def forward_direction(motion, t, bank=0.0):
    return quaternion.rotate(forward_orientation(motion, t, bank), FORWARD)


def circular_motion(seconds=8.0, radius=5.0):
    angle = np.linspace(0, 2 * np.pi, 65)[:-1]
    places = radius * np.stack([np.sin(angle), 0 * angle, np.cos(angle)], axis=1)
    return Motion(MotionPath(places, closed=True), duration=seconds, outside="cycle")


@pytest.mark.parametrize("where", [(1, 2, 3), (0, 0, -1), (0, 5, 0), (0, -5, 0), (-3, 0.1, 0), (1e-8, 1, 0)])
def test_forward_orientations_match_orientation_facing(where):
    result = forward_orientations(np.array(where, dtype=float), OWN_ORIENTATION)
    assert Orientation.of(result).angle_to(Orientation.facing(where)) < 1e-6


def test_zero_direction_keeps_the_fallback_orientation():
    assert_array_equal(
        forward_orientations(np.zeros((2, 3)), np.tile(OWN_ORIENTATION, (2, 1))), [OWN_ORIENTATION, OWN_ORIENTATION]
    )


def test_face_forward_points_along_the_velocity_and_stays_upright():
    motion = Motion(MotionPath([(0, 0, 0), (2, 1, 0), (3, 0, 4), (5, 2, 1)]), SpeedProfile([1, 5, 2]), duration=2.0)
    t = np.linspace(0.01, 1.99, 40)
    velocity = motion.velocity(t)
    assert_allclose(
        forward_direction(motion, t), velocity / np.linalg.norm(velocity, axis=1, keepdims=True), atol=1e-12
    )
    left = quaternion.rotate(forward_orientation(motion, t), np.array([1.0, 0, 0]))
    assert_allclose(left[:, 1], 0, atol=1e-12)


@pytest.mark.parametrize("places", [[(0, 0), (2, 0), (3, 1)], [(0,), (2,), (3,)]])
def test_face_forward_works_for_flat_motions(places):
    motion = Motion(MotionPath(places), duration=1.0)
    assert forward_direction(motion, 0.3)[0, 0] > 0.9


def test_first_and_last_direction_are_kept_at_rest_at_the_ends():
    path = MotionPath([(0, 0, 0), (2, 0, 0), (2, 0, 3)], ends="still")
    motion = Motion(path, SpeedProfile.slow_in_slow_out(), duration=2.0)
    first, last = forward_direction(motion, [1e-4, 2 - 1e-4])
    assert_allclose(forward_direction(motion, [-7, 0]), [first, first], atol=1e-3)
    assert_allclose(forward_direction(motion, [2, 9]), [last, last], atol=1e-3)


def test_incoming_direction_is_kept_during_a_rest_between_keys():
    keys = [Key((0, 0, 0)), Key((0, 0, 1)), Key((0, 0, 1)), Key((1, 0, 1))]
    motion = Motion(MotionPath(keys, tension=1), KeyTimes([0, 1, 2, 3]))
    assert_allclose(forward_direction(motion, [1.2, 1.5, 1.9]), [[0, 0, 1]] * 3, atol=1e-9)
    assert_allclose(forward_direction(motion, 2.5), [[1, 0, 0]], atol=1e-9)


def test_rest_before_the_first_movement_uses_the_outgoing_direction():
    motion = Motion(MotionPath([(0, 0, 0), (0, 0, 0), (1, 0, 0)], tension=1), KeyTimes([0, 1, 2]))
    assert_allclose(forward_direction(motion, [-1, 0, 0.5, 1.5]), [[1, 0, 0]] * 4, atol=1e-9)


def test_stationary_motion_keeps_its_own_orientation():
    motion = Motion(MotionPath([(1, 1, 1), (1, 1, 1)]), KeyTimes([0, 1]))
    assert_array_equal(forward_orientation(motion, [0, 0.5, 3]), [OWN_ORIENTATION] * 3)
    assert_array_equal(travel_direction(motion, np.array([0.5])), [[0, 0, 0]])


def test_mirrored_motion_reverses_its_forward_direction():
    motion = Motion(MotionPath([(0, 0, 0), (3, 0, 0)]), duration=1.0, outside="mirror")
    assert_allclose(forward_direction(motion, [0.5, 1.5]), [[1, 0, 0], [-1, 0, 0]], atol=1e-12)


def test_drawing_faces_along_the_velocity_of_its_center():
    motion = Motion(MotionPath([np.zeros((4, 3)), np.ones((4, 3)) * (1, 0, 0)]), duration=1.0)
    assert_allclose(forward_direction(motion, 0.5), [[1, 0, 0]], atol=1e-12)


def test_bank_is_proportional_to_lateral_acceleration():
    motion, t = circular_motion(), np.linspace(0, 8, 30)
    acceleration = (2 * np.pi / 8) ** 2 * 5.0
    top = quaternion.rotate(forward_orientation(motion, t, bank=2.0), UP)
    inwards = -motion.at(t).position / 5.0
    lean = np.arctan2(np.sum(top * inwards, axis=1), top[:, 1])
    assert_allclose(lean, 2.0 * acceleration / 9.81, rtol=0.01)
    assert_allclose(forward_direction(motion, t, bank=2.0), forward_direction(motion, t), atol=1e-12)


def test_bank_is_continuous_at_keys_and_limited():
    motion = Motion(MotionPath([(0, 0, 0), (2, 0, 0), (2, 0, 3), (5, 0, 3)]), duration=4.0)
    top = quaternion.rotate(forward_orientation(motion, np.linspace(-1, 5, 6001), bank=0.5), UP)
    assert np.abs(np.diff(top, axis=0)).max() < 0.02
    steep = quaternion.rotate(forward_orientation(motion, np.linspace(-1, 5, 601), bank=1e6), UP)
    assert steep[:, 1].min() > -1e-12


def test_single_instant_is_bitwise_identical_to_a_batch():
    motion, t = circular_motion(), np.linspace(-3, 20, 17)
    many = forward_orientation(motion, t, bank=1.0)
    for one, expected in zip(t[::-1], many[::-1], strict=True):
        assert_array_equal(forward_orientation(motion, one, bank=1.0)[0], expected)


def test_facings_compare_by_value_and_invalid_ones_are_refused():
    assert FaceForward() == FaceForward(0)
    assert LookAt("moon") == LookAt("moon") != LookAt("sun")
    with pytest.raises(KeyposeError, match="bank"):
        FaceForward(float("nan"))
    with pytest.raises(KeyposeError, match="name of an actor"):
        LookAt("")


@pytest.mark.parametrize("start", [2.43, 7.72, 6.2])
def test_bank_at_the_end_of_a_loop_is_independent_of_its_start_time(start):
    """Where start + 3 - start is a rounding less than 3, the arriving side was felt instead of the leaving one."""
    corner = MotionPath([Key((0, 0, 0), continuity=-1), Key((2, 0, 0)), Key((2, 0, 1))], closed=True)
    early, late = (Motion(corner, KeyTimes([0, 1, 2, 3]), start=begin) for begin in (0.0, start))
    assert start + 3.0 - start < 3.0
    t = np.array([2.95, 3.05, 3.3])
    expected = FaceForward(1.0).orientations_along(early, t, early.at(t).orientation)
    assert_allclose(
        FaceForward(1.0).orientations_along(late, start + t, late.at(start + t).orientation), expected, atol=1e-12
    )
