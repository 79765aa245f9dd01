import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose.curves import orientation_path
from keypose.curves.kernels import orientation_curve
from keypose.curves.orientation_path import OrientationPath
from keypose.maths import hermite, quaternion, quaternion_kernels


def random_path(count=9, seed=0, closed=False, tcb=True):
    rng = np.random.default_rng(seed)
    keys = quaternion.normalize(rng.normal(size=(count, 4)))
    shaping = rng.uniform(-1, 1, size=(count, 3)) if tcb else np.zeros((count, 3))
    return OrientationPath(keys, shaping, closed=closed)


def reference_result(path, draw, v, closed=False):
    segment, s = hermite.locate(v, path.segments, closed)
    return draw(path.controls[segment], s)


@pytest.mark.parametrize("closed", [False, True])
def test_kernels_match_the_reference(closed):
    path = random_path(closed=closed)
    v = np.concatenate([np.linspace(-3, 12, 2000), np.arange(10)])
    assert_allclose(path.at(v), reference_result(path, orientation_path.casteljau, v, closed), atol=1e-14)
    assert_allclose(
        path.angular_velocity(v),
        reference_result(path, orientation_path.casteljau_angular_velocity, v, closed),
        atol=1e-12,
    )


@pytest.mark.parametrize("size", [1.0, 1e-2, 1e-4, 1e-7, 1e-12, 0.0])
def test_kernels_match_the_reference_for_tiny_rotations(size):
    turns = size * np.random.default_rng(3).normal(size=(8, 3))
    path = OrientationPath(quaternion.exp(turns), np.zeros((8, 3)))
    v = np.linspace(0, 7, 500)
    assert_allclose(path.at(v), reference_result(path, orientation_path.casteljau, v), atol=1e-15)
    assert_allclose(
        path.angular_velocity(v), reference_result(path, orientation_path.casteljau_angular_velocity, v), atol=4e-15
    )


def test_segment_angular_velocities_match_the_reference():
    path = random_path()
    s = np.random.default_rng(2).uniform(0, 1, size=(path.segments, 7))
    by_kernel = np.empty((*s.shape, 3))
    orientation_curve.segment_angular_velocities(
        orientation_path.slerp_legs(path.controls), s, by_kernel, 0, path.segments
    )
    expected = orientation_path.casteljau_angular_velocity(np.repeat(path.controls[:, None], 7, axis=1), s)
    assert_allclose(by_kernel, expected, atol=1e-12)


def test_threaded_work_is_bitwise_identical():
    path = random_path()
    v = np.linspace(0, 8, 50_000)
    assert np.array_equal(path.at(v)[::997], path.at(v[::997]))
    assert np.array_equal(path.angular_velocity(v)[::997], path.angular_velocity(v[::997]))


def test_slerp_of_opposite_quaternions_rotates_about_x_as_in_the_reference():
    one = np.array([0.5, 0.5, -0.5, 0.5])
    for s in (0.0, 0.2, 0.5, 1.0):
        expected = quaternion.slerp(one, -one, np.array(s))
        assert_allclose(quaternion_kernels.slerp(tuple(one), tuple(-one), s), expected, atol=1e-15)


def test_slerp_of_nearly_opposite_quaternions_matches_to_rounding():
    one = np.array([0.5, 0.5, -0.5, 0.5])
    for away in (0.1, 1e-3, 1e-6):
        other = -quaternion.multiply(quaternion.exp(away * np.array([0.6, 0.0, 0.8])), one)
        expected = quaternion.slerp(one, other, np.array(0.3))
        assert_allclose(quaternion_kernels.slerp(tuple(one), tuple(other), 0.3), expected, atol=1e-15 / away)


def test_repeated_and_opposite_keys_stay_finite():
    one, two = random_path(2).quaternions
    keys = np.array([one, one, -one, two, -two, [1, 0, 0, 0], [0, 0, 1, 0], [-1, 0, 0, 0], [1, 0, 0, 0]])
    for closed in (False, True):
        path = OrientationPath(keys, np.zeros((9, 3)), closed=closed)
        v = np.linspace(0, path.segments, 501)
        assert np.isfinite(path.at(v)).all()
        assert np.isfinite(path.angular_velocity(v)).all()


@pytest.mark.parametrize("closed", [False, True])
def test_extreme_parameters_stay_inside_the_arrays(closed):
    path = random_path(closed=closed)
    v = np.array([np.nan, np.inf, -np.inf, 1e308, -1e308, 2.0**63, -(2.0**63), -1e-20, np.nextafter(9, 10), 8.0])
    with np.errstate(invalid="ignore"):
        expected = reference_result(path, orientation_path.casteljau, v, closed)
    assert_allclose(path.at(v), expected, atol=1e-14)
    assert np.isnan(path.angular_velocity(v)[0]).all()
    assert np.isfinite(path.angular_velocity(v)[3:]).all()


def test_each_kernel_has_one_compiled_signature():
    path = random_path()
    read_only = np.linspace(0, 8, 30)
    read_only.flags.writeable = False
    for v in (0.5, [1, 2], np.linspace(0, 8, 30)[::3], np.float32(1.5), read_only):
        path.at(v)
        path.angular_velocity(v)
    edited = path.with_rows(3, path.quaternions[5], np.zeros(3), None, None, None)
    assert_allclose(edited.at(3), path.quaternions[5], atol=1e-14)
    for name in ("sample_orientations", "sample_angular_velocities"):
        assert len(getattr(orientation_curve, name).signatures) == 1
