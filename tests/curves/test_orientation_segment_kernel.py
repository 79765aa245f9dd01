"""One turn at a time, compiled: what `quaternion` and `orientation_path` say of many."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from keypose.curves.kernels import orientation_segments
from keypose.curves.orientation_path import casteljau, control_quaternions, rotation_between, slerp_legs
from keypose.maths import quaternion, quaternion_kernels

HALF = np.sqrt(0.5)
SPECIAL_QUATERNIONS = [
    (1, 0, 0, 0),
    (0, 1, 0, 0),
    (0, 0, -1, 0),
    (-1, 0, 0, 0),
    (HALF, HALF, 0, 0),
    (0, -HALF, HALF, 0),
]


def random_orientation(rng):
    """Any facing, or one that may be exactly half a turn from another."""
    return (
        quaternion.normalize(rng.normal(size=4))
        if rng.uniform() < 0.5
        else np.array(SPECIAL_QUATERNIONS[rng.integers(6)], float)
    )


@given(st.integers(0, 100_000), st.sampled_from([0.0, 1e-200, 1e-9, 1e-4, 1.0, 6.0]))
@settings(max_examples=200, deadline=None)
def test_quaternion_kernels_match_the_reference(seed, size):
    rng = np.random.default_rng(seed)
    one, two, vector = random_orientation(rng), random_orientation(rng), rng.normal(size=3)
    vector *= size / np.linalg.norm(vector)
    angular_velocity = rng.normal(size=3)
    assert_allclose(quaternion_kernels.product(tuple(one), tuple(two)), quaternion.multiply(one, two), atol=1e-15)
    assert_allclose(quaternion_kernels.log(tuple(one)), quaternion.log(one), atol=1e-14)
    assert_allclose(quaternion_kernels.exp(*vector), quaternion.exp(vector), atol=1e-15)
    assert_allclose(quaternion_kernels.align_sign(tuple(one), tuple(two)), quaternion.align_sign(one, two), atol=0)
    assert_allclose(quaternion_kernels.rotation_between(tuple(one), tuple(two)), rotation_between(one, two), atol=1e-14)
    assert_allclose(
        quaternion_kernels.log_rate(tuple(vector), tuple(angular_velocity)),
        quaternion.log_rate(vector, angular_velocity),
        rtol=1e-9,
    )


@given(st.integers(0, 100_000), st.sampled_from([0.0, 1e-200, 1e-9, 0.01, 1.0, 15.0, 60.0]))
@settings(max_examples=200, deadline=None)
def test_slerp_legs_match_the_control_quaternions(seed, size):
    rng = np.random.default_rng(seed)
    start, stop, leave, arrive = random_orientation(rng), random_orientation(rng), *size * rng.normal(size=(2, 3))
    legs, defined = np.empty((2, 3, 9)), control_quaternions(start[None], stop[None], leave[None], arrive[None])
    orientation_segments.set_legs(tuple(start), tuple(stop), tuple(leave), tuple(arrive), legs, 1)
    assert_allclose(legs[1, :, :4], defined[0, :3], atol=1e-13)
    wanted = slerp_legs(defined)[0]
    angles = np.stack([legs[1, :, 8], wanted[:, 8]])
    near = np.abs(np.sin(angles)).min(axis=0) > 1e-6  # else there is no saying about which axis it turns
    assert_allclose(legs[1, :, 8], wanted[:, 8], atol=1e-7)
    assert_allclose(legs[1, near], wanted[near], atol=1e-7)


@pytest.mark.parametrize("size", [0.3, 2.0, 20.0])
def test_orientation_along_slerp_legs_matches_casteljau(size):
    from keypose.curves.kernels.orientation_curve import orientation_at

    rng, legs = np.random.default_rng(2), np.empty((1, 3, 9))
    for _ in range(50):
        start, stop, leave, arrive = random_orientation(rng), random_orientation(rng), *size * rng.normal(size=(2, 3))
        orientation_segments.set_legs(tuple(start), tuple(stop), tuple(leave), tuple(arrive), legs, 0)
        points = control_quaternions(start[None], stop[None], leave[None], arrive[None])
        for s in (0.0, 0.2, 0.7, 1.0):
            assert_allclose(orientation_at(legs, 0, s), casteljau(points, np.array([s]))[0], atol=1e-9)
