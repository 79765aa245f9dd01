"""Facings along a path: between keys, beside them, and by hand."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import quad

from keypose.curves.key import Key, Turn
from keypose.curves.path.motion_path import MotionPath
from keypose.maths import quaternion
from tests.curves.sample_paths import turned, uneven_keys

# ---- facings ---------------------------------------------------------------------------------------------------------


def angle_between(one, two):
    """Degrees between orientations (…, 4), also small ones."""
    turn = quaternion.multiply(one, quaternion.conjugate(two))
    return np.degrees(2 * np.arctan2(np.linalg.norm(turn[..., 1:], axis=-1), np.abs(turn[..., 0])))


def test_path_without_orientations_has_the_identity():
    path = MotionPath([(0, 0), (1, 0)])
    assert_array_equal(path.orientation_at([0, 0.5, 9]), [[1, 0, 0, 0]] * 3)
    assert_array_equal(path.angular_velocity([0, 0.5]), np.zeros((2, 3)))
    assert path.geometry.turns is None


def test_orientations_are_passed_and_constant_outside():
    path = MotionPath(
        [(0, 0), Key((1, 0), orientation=turned(20)), (2, 0), Key((3, 0), orientation=turned(80)), (5, 0)]
    )
    assert_allclose(
        angle_between(path.orientation_at([0, 0.5, 1, 2, 3, 3.5, 4]), turned(0).wxyz), [20, 20, 20, 50, 80, 80, 80]
    )


def test_unoriented_key_is_interpolated_by_distance():
    path = MotionPath([Key((0, 0), orientation=turned(0)), (1, 0), Key((4, 0), orientation=turned(40))])
    assert_allclose(angle_between(path.orientation_at(1.0), turned(0).wxyz), 10)


def test_unoriented_key_of_a_timed_path_is_interpolated_by_time():
    path = MotionPath([Key((0, 0), time=0, orientation=turned(0)), Key((1, 0), time=3),
                       Key((4, 0), time=4, orientation=turned(40))])  # fmt: skip
    assert_allclose(angle_between(path.orientation_at(1.0), turned(0).wxyz), 30)


def test_closed_path_interpolates_orientation_across_its_first_key():
    keys = [Key((0, 0)), Key((1, 0), orientation=turned(0)), Key((1, 1)), Key((0, 1), orientation=turned(90))]
    path = MotionPath(keys, closed=True)
    for u, degrees in ((1, 0), (2, 45), (3, 90), (4, 45), (0, 45), (-1, 90), (5, 0)):
        assert_allclose(angle_between(path.orientation_at(float(u)), turned(degrees).wxyz), 0, atol=1e-6)


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("faces", [slice(None), slice(1, None, 2)], ids=["all", "some"])
def test_angular_velocity_is_the_rate_of_rotation(closed, faces):
    keys = uneven_keys(faced=True)
    oriented = set(range(7)[faces])
    keys = [key if i in oriented else key.changed(orientation=None) for i, key in enumerate(keys)]
    path = MotionPath(keys, closed=closed)
    u, h = np.linspace(0.05, path.segments - 0.05, 43), 1e-5
    turn = quaternion.log(quaternion.multiply(path.orientation_at(u + h), quaternion.conjugate(path.orientation_at(u))))
    assert_allclose(path.angular_velocity(u + h / 2), turn / h, atol=1e-6)


def test_turn_may_have_its_own_tension():
    shared = MotionPath([Key((0, 0), orientation=turned(0)), Key((1, 1), tension=1, orientation=turned(30)),
                         Key((2, 0), orientation=turned(90))])  # fmt: skip
    own = shared.with_key(1, orientation=Turn(turned(30), tension=0))
    assert_array_equal(shared.angular_velocity(1.0), np.zeros(3))
    assert np.linalg.norm(own.angular_velocity(1.0)) > 0.3
    assert_array_equal(own.velocity(1.0), np.zeros(2))


def test_orientation_only_key_lies_on_the_curve_through_the_others():
    keys = [Key((0, 0, 0)), Key((1, 2, 0)), Key((3, 1, 1))]
    path = MotionPath(keys)
    turning = MotionPath([keys[0], Key(orientation=turned(30)), keys[1], keys[2]])
    assert_allclose(turning.at([0, 0.5, 1, 2, 3]), path.at([0, 0.25, 0.5, 1, 2]), atol=1e-15)
    assert turning.length == pytest.approx(path.length, rel=1e-12)
    timed = [key.changed(time=time) for key, time in zip(keys, (0, 2, 3), strict=True)]
    turning = MotionPath([timed[0], Key(orientation=turned(30), time=0.5), *timed[1:]])
    assert_allclose(turning.at(1.0), MotionPath(timed).at(0.25), atol=1e-15)


def test_orientation_only_path_is_measured_in_radians():
    path = MotionPath([Key(orientation=turned(0)), Key(orientation=turned(90)), Key(orientation=turned(180))])
    assert path.shape == (3,)
    assert_array_equal(path.at([0, 1.5]), np.zeros((2, 3)))
    assert path.length == pytest.approx(np.pi, rel=1e-9)
    assert path.parameter(np.pi / 2) == pytest.approx(1, abs=1e-8)
    assert path.geometry.pace(0.5) == pytest.approx(np.pi / 2)
    stationary = MotionPath([Key((1, 2), orientation=turned(0)), Key((1, 2), orientation=turned(90))])
    assert stationary.length == pytest.approx(np.pi / 2, rel=1e-9)


@pytest.mark.parametrize(("mass", "inertia"), [(1.0, 0.5), (3.0, 2.0), (0.0, 4.0)])
def test_distance_with_inertia_combines_translation_and_rotation(mass, inertia):
    keys = uneven_keys(faced=True, shaped=False)
    path = MotionPath(keys, mass=mass, inertia=inertia)
    plain = MotionPath(keys)

    def rate(u):
        travel, turn = plain.velocity(u), plain.angular_velocity(u)
        return np.sqrt(mass * travel @ travel + inertia * turn @ turn)

    expected = sum(quad(rate, i, i + 1, epsabs=1e-11, limit=200)[0] for i in range(6))
    assert path.length == pytest.approx(expected, rel=1e-7)
    assert path.geometry.pace(2.3) == pytest.approx(rate(2.3))
    d = np.linspace(0, path.length, 30)
    assert_allclose(path.distance(path.parameter(d)), d, atol=1e-7 * path.length)


def test_inertia_scales_rotation_in_place():
    keys = [Key(orientation=turned(0)), Key(orientation=turned(90))]
    assert MotionPath(keys, inertia=4).length == pytest.approx(np.pi, rel=1e-9)
    assert MotionPath(keys, inertia=4).geometry.pace(0.5) == pytest.approx(np.pi)


def test_log_turning_can_be_selected():
    keys = uneven_keys(faced=True)
    log, casteljau = MotionPath(keys, turning="log"), MotionPath(keys)
    for index, key in enumerate(keys):
        assert angle_between(log.orientation_at(float(index)), key.orientation.wxyz) < 1e-6
    assert angle_between(log.orientation_at(1.5), casteljau.orientation_at(1.5)) > 0.1
