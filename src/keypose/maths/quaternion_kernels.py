"""Numba twins of `quaternion`, for single quaternions as tuples. Importing this loads numba."""

from math import asin, atan2, cos, sin, sqrt, tan

import numpy as np

from keypose.maths.arrays import Floats, Vec3, Vec4
from keypose.maths.kernel_switch import kernel
from keypose.maths.quaternion import (
    HALF_TURN_TOLERANCE,
    MIN_AXIS_LENGTH,
    MIN_COSINE,
    QUICK_ARCSINE,
    SIGN_TOLERANCE,
    TINY_ANGLE,
    TINY_ARC,
)


@kernel
def product(a: Vec4, b: Vec4) -> Vec4:
    """Twin of `quaternion.multiply`."""
    w = a[0] * b[0] - (a[1] * b[1] + a[2] * b[2] + a[3] * b[3])
    x = a[0] * b[1] + b[0] * a[1] + (a[2] * b[3] - a[3] * b[2])
    y = a[0] * b[2] + b[0] * a[2] + (a[3] * b[1] - a[1] * b[3])
    return w, x, y, a[0] * b[3] + b[0] * a[3] + (a[1] * b[2] - a[2] * b[1])


@kernel
def dot(a: Vec4, b: Vec4) -> float:
    """The sum of the products of the components."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]


@kernel
def weighted_sum(a: Vec4, x: float, b: Vec4, y: float) -> Vec4:
    """The sum ax + by."""
    return a[0] * x + b[0] * y, a[1] * x + b[1] * y, a[2] * x + b[2] * y, a[3] * x + b[3] * y


@kernel
def cross(a: Vec3, b: Vec3) -> Vec3:
    """The vector product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel
def exp(x: float, y: float, z: float) -> Vec4:
    """Twin of `quaternion.exp`."""
    angle = sqrt(x * x + y * y + z * z)
    scale = sin(angle / 2.0) / angle if angle > 0.0 else 0.5
    return cos(angle / 2.0), scale * x, scale * y, scale * z


@kernel
def log(q: Vec4) -> Vec3:
    """Twin of `quaternion.log`."""
    sine = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    if sine > MIN_AXIS_LENGTH:
        scale = 2.0 * atan2(sine, q[0]) / sine
    elif q[0] < 0.0:
        return 2.0 * np.pi, 0.0, 0.0
    else:
        scale = 2.0
    return scale * q[1], scale * q[2], scale * q[3]


@kernel
def log_rate(vector: Vec3, angular_velocity: Vec3) -> Vec3:
    """Twin of `quaternion.log_rate`."""
    angle = sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2])
    if angle < TINY_ANGLE:
        twice = 1.0 / 12.0 + angle * angle / 720.0
    else:
        twice = (1.0 - angle / 2.0 / tan(angle / 2.0)) / (angle * angle)
    once = cross(vector, angular_velocity)
    again = cross(vector, once)
    return (
        angular_velocity[0] - once[0] / 2.0 + twice * again[0],
        angular_velocity[1] - once[1] / 2.0 + twice * again[1],
        angular_velocity[2] - once[2] / 2.0 + twice * again[2],
    )


@kernel
def leading_sign(q: Vec4) -> float:
    """The sign of the first component that is not rounding."""
    for number in range(4):
        if abs(q[number]) > SIGN_TOLERANCE:
            return 1.0 if q[number] > 0.0 else -1.0
    return 1.0


@kernel
def align_sign(a: Vec4, b: Vec4) -> Vec4:
    """Twin of `quaternion.align_sign`."""
    cosine = dot(a, b)
    sign = -1.0 if cosine < 0.0 else 1.0
    if abs(cosine) < HALF_TURN_TOLERANCE:
        sign = leading_sign(a) * leading_sign(b)
    return sign * b[0], sign * b[1], sign * b[2], sign * b[3]


@kernel
def rotation_between(a: Vec4, b: Vec4) -> Vec3:
    """Twin of `orientation_path.rotation_between`."""
    return log(product(align_sign(a, b), (a[0], -a[1], -a[2], -a[3])))


@kernel
def rotate_vector(q: Floats, sign: float, x: float, y: float, z: float) -> Vec3:
    """A vector turned by q, or back by the sign -1."""
    w, a, b, c = q[0], sign * q[1], sign * q[2], sign * q[3]
    p, r, s = 2.0 * (b * z - c * y), 2.0 * (c * x - a * z), 2.0 * (a * y - b * x)
    return x + w * p + b * s - c * r, y + w * r + c * p - a * s, z + w * s + a * r - b * p


@kernel
def midpoint_frame(a: Vec4, b: Vec4) -> tuple[Vec4, Vec4, float, float, float]:
    """The sum a+b, the difference b−a, cos φ, sin φ and φ; opposite quaternions are a whole turn about x apart."""
    middle, across = weighted_sum(a, 1.0, b, 1.0), weighted_sum(b, 1.0, a, -1.0)
    cosine, sine = sqrt(dot(middle, middle)) / 2.0, sqrt(dot(across, across)) / 2.0
    if cosine == 0.0:
        cosine, length = MIN_COSINE, 2.0 * MIN_COSINE
        middle = -a[1] * length, a[0] * length, -a[3] * length, a[2] * length
    phi = asin(sine) if sine < QUICK_ARCSINE else atan2(sine, cosine)
    return middle, across, cosine, sine, phi


@kernel
def slerp(a: Vec4, b: Vec4, s: float) -> Vec4:
    """Twin of `quaternion.slerp_from_middle`."""
    middle, across, cosine, sine, phi = midpoint_frame(a, b)
    t = 2.0 * s - 1.0
    along_across = sin(t * phi) / (2.0 * sine) if phi > TINY_ARC else t / 2.0
    return weighted_sum(middle, cos(t * phi) / (2.0 * cosine), across, along_across)


@kernel
def slerp_with_rate(a: Vec4, a_rate: Vec4, b: Vec4, b_rate: Vec4, s: float) -> tuple[Vec4, Vec4]:
    """Twin of `quaternion.slerp_with_rate`: the product rule on the two weights, which depend on s and on φ(s)."""
    middle, across, cosine, sine, phi = midpoint_frame(a, b)
    middle_rate, across_rate = weighted_sum(a_rate, 1.0, b_rate, 1.0), weighted_sum(b_rate, 1.0, a_rate, -1.0)
    t = 2.0 * s - 1.0
    ct, st = cos(t * phi), sin(t * phi)
    along_middle = ct / (2.0 * cosine)
    if phi > TINY_ARC:
        ratio = phi / sine
        along_across = st / (2.0 * sine)
        middle_by_phi = (sine * ct - t * cosine * st) / (2.0 * cosine * cosine * phi)  # the derivative by φ, over φ
        across_by_phi = (t * sine * ct - cosine * st) / (2.0 * sine * sine * phi)
    else:
        ratio, along_across = 1.0, t / 2.0
        middle_by_phi, across_by_phi = (1.0 - t * t) / 2.0, t * (1.0 - t * t) / 6.0
    phi_squared_rate = ratio * dot(across, across_rate) / (4.0 * cosine)  # φ dφ/ds: smooth also where φ = 0
    middle_weight_rate = middle_by_phi * phi_squared_rate - phi * st / cosine
    across_weight_rate = across_by_phi * phi_squared_rate + ratio * ct
    moving = weighted_sum(middle_rate, along_middle, across_rate, along_across)
    turning = weighted_sum(middle, middle_weight_rate, across, across_weight_rate)
    return weighted_sum(middle, along_middle, across, along_across), weighted_sum(moving, 1.0, turning, 1.0)
