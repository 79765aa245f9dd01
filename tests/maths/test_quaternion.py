from math import factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from keypose.maths import quaternion

components = st.floats(-1, 1, allow_subnormal=False)
units = arrays(float, 4, elements=components).filter(lambda q: np.linalg.norm(q) > 0.1).map(quaternion.normalize)
vectors = arrays(float, 3, elements=st.floats(-10, 10, allow_subnormal=False))
fractions = st.floats(0, 1).map(np.float64)
IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])


def random_quaternions(count: int, seed: int = 0) -> np.ndarray:
    return quaternion.normalize(np.random.default_rng(seed).normal(size=(count, 4)))


def scipy_rotation(q: np.ndarray) -> Rotation:
    return Rotation.from_quat(q, scalar_first=True)


@given(units, units, units)
def test_multiplication_is_associative(a, b, c):
    left = quaternion.multiply(quaternion.multiply(a, b), c)
    assert_allclose(left, quaternion.multiply(a, quaternion.multiply(b, c)), atol=1e-15)


@given(units)
def test_product_with_the_conjugate_is_the_identity(q):
    assert_allclose(quaternion.multiply(q, quaternion.conjugate(q)), IDENTITY, atol=1e-15)
    assert_allclose(quaternion.multiply(quaternion.conjugate(q), q), IDENTITY, atol=1e-15)


@given(units)
def test_the_identity_changes_nothing(q):
    assert np.array_equal(quaternion.multiply(IDENTITY, q), q)
    assert np.array_equal(quaternion.multiply(q, IDENTITY), q)


@given(units, units, vectors)
def test_rotation_by_a_product_applies_the_right_factor_first(a, b, u):
    twice = quaternion.rotate(a, quaternion.rotate(b, u))
    assert_allclose(quaternion.rotate(quaternion.multiply(a, b), u), twice, atol=1e-13)


def test_products_rotations_and_logarithms_agree_with_scipy():
    a, b, u = random_quaternions(50), random_quaternions(50, 1), np.random.default_rng(2).normal(size=(50, 3))
    assert_allclose(quaternion.rotate(a, u), scipy_rotation(a).apply(u), atol=1e-14)
    product = scipy_rotation(a) * scipy_rotation(b)
    assert_allclose((scipy_rotation(quaternion.multiply(a, b)).inv() * product).magnitude(), 0, atol=1e-14)
    upper = quaternion.align_sign(IDENTITY, a)
    assert_allclose(quaternion.log(upper), scipy_rotation(a).as_rotvec(), atol=1e-13)


@given(units)
def test_exp_inverts_log_for_both_signs(q):
    assert_allclose(quaternion.exp(quaternion.log(q)), q, atol=1e-15)
    assert_allclose(quaternion.exp(quaternion.log(-q)), -q, atol=1e-15)


@given(vectors)
def test_log_inverts_exp_within_a_full_turn(v):
    v = v * min(1.0, 6.2 / max(np.linalg.norm(v), 1e-9))
    assert_allclose(quaternion.log(quaternion.exp(v)), v, atol=1e-13)


@pytest.mark.parametrize("size", [0.0, 1e-300, 1e-160, 1e-12, 1e-7, 1e-3])
def test_tiny_rotations_keep_full_precision(size):
    v = size * np.array([0.6, -0.8, 0.0])
    assert_allclose(quaternion.log(quaternion.exp(v)), v, rtol=1e-15, atol=0)
    assert_allclose(quaternion.angle_between(IDENTITY, -quaternion.exp(v)), size, rtol=1e-15, atol=1e-150)


def test_full_turn_without_an_axis_rotates_about_x():
    assert_allclose(quaternion.log(-IDENTITY), [2 * np.pi, 0, 0])
    assert np.isfinite(quaternion.slerp(IDENTITY, -IDENTITY, np.linspace(0, 1, 5))).all()


@given(units, units, fractions)
def test_slerp_is_symmetric(a, b, s):
    b = quaternion.align_sign(a, b)
    assert_allclose(quaternion.slerp(a, b, s), quaternion.slerp(b, a, 1 - s), atol=1e-14)


@given(units, units, fractions)
def test_slerp_rotates_at_constant_rate(a, b, s):
    b = quaternion.align_sign(a, b)
    whole = quaternion.angle_between(a, b)
    assert_allclose(quaternion.angle_between(a, quaternion.slerp(a, b, s)), s * whole, atol=1e-14)


@given(units, units)
def test_shortest_rotation_is_independent_of_quaternion_signs(a, b):
    chosen = quaternion.multiply(quaternion.align_sign(a, b), quaternion.conjugate(a))
    for sign_a, sign_b in ((1, -1), (-1, 1), (-1, -1)):
        again = quaternion.multiply(quaternion.align_sign(sign_a * a, sign_b * b), quaternion.conjugate(sign_a * a))
        assert np.array_equal(chosen, again)


@pytest.mark.parametrize("noise", [0.0, 6e-17, -6e-17])
def test_half_turn_and_its_return_are_opposite_rotations(noise):
    a, b = IDENTITY, np.array([noise, 0.0, -1.0, 0.0])
    out = quaternion.log(quaternion.multiply(quaternion.align_sign(a, b), quaternion.conjugate(a)))
    back = quaternion.log(quaternion.multiply(quaternion.align_sign(b, a), quaternion.conjugate(b)))
    assert_allclose(out, [0, np.pi, 0], atol=1e-15)
    assert_allclose(back, -out, atol=1e-15)


@pytest.mark.parametrize("apart", [2.5, 0.3, 1e-2, 1e-5, 1e-9, 0.0])
def test_slerp_rate_with_moving_ends_matches_the_difference_quotient(apart):
    rng = np.random.default_rng(4)
    a0, a_angular_velocity, b_angular_velocity = (
        random_quaternions(40, 3),
        rng.normal(size=(40, 3)),
        rng.normal(size=(40, 3)),
    )
    b0 = quaternion.multiply(quaternion.exp(apart * quaternion.log(random_quaternions(40, 5)) / np.pi), a0)
    s, h = rng.uniform(size=40), 1e-5

    def ends(s):
        turned = (
            quaternion.exp(s[:, None] * angular_velocity)
            for angular_velocity in (a_angular_velocity, b_angular_velocity)
        )
        return [quaternion.multiply(turn, start) for turn, start in zip(turned, (a0, b0), strict=True)]

    a, b = ends(s)
    rates = (
        quaternion.rate_from_angular_velocity(a, a_angular_velocity),
        quaternion.rate_from_angular_velocity(b, b_angular_velocity),
    )
    q, rate = quaternion.slerp_with_rate(a, rates[0], b, rates[1], s)
    ahead, behind = (quaternion.slerp(*ends(s + step), s + step) for step in (h, -h))
    assert_allclose(q, quaternion.slerp(a, b, s), atol=1e-15)
    assert_allclose(rate, (ahead - behind) / (2 * h), atol=2e-8)


@given(vectors, vectors)
def test_log_rate_inverts_exp_angular_velocity(v, rate):
    v = v * min(1.0, 5.0 / max(np.linalg.norm(v), 1e-9))
    assert_allclose(quaternion.log_rate(v, quaternion.exp_angular_velocity(v, rate)), rate, atol=1e-12)


@pytest.mark.parametrize("angle", [1e-9, 9.9e-4, 1.01e-3, 0.5])
def test_angular_velocity_is_accurate_on_both_sides_of_the_series_switch(angle):
    v, rate = angle * np.array([0.48, 0.6, 0.64]), np.array([1.0, -2.0, 3.0])
    once = sum((-1) ** n * angle ** (2 * n) / factorial(2 * n + 2) for n in range(12))
    twice = sum((-1) ** n * angle ** (2 * n) / factorial(2 * n + 3) for n in range(12))
    across = np.cross(v, rate)
    angular_velocity = rate + once * across + twice * np.cross(v, across)
    assert_allclose(quaternion.exp_angular_velocity(v, rate), angular_velocity, atol=2e-15)
    assert_allclose(quaternion.log_rate(v, angular_velocity), rate, atol=2e-15)


@given(units)
def test_from_axes_inverts_rotated_axes(q):
    axes = quaternion.rotate(q, np.eye(3))
    assert quaternion.angle_between(quaternion.from_axes(*axes), q) < 1e-14


@pytest.mark.parametrize("w", [1.0, -1.0])
@pytest.mark.parametrize("x", [5e-324, 1e-310, 1e-299])
def test_log_with_a_denormal_axis_is_no_rotation_or_a_full_turn(w, x):
    angle = np.linalg.norm(quaternion.log(np.array([w, 0.0, 0.0, x])))
    assert angle == pytest.approx(0.0 if w > 0 else 2 * np.pi, abs=1e-12)
