"""Numba twins of `quaternion` and `orientation_path`: from the facings of keys to the turns between them.

For turns that are made anew at every tick, one by one. Importing this loads numba.
"""

from math import atan2, cos, sin, sqrt, tan

import numpy as np

from keypose.curves.kernels.orientation_curve import dot, weighted_sum
from keypose.maths.arrays import Floats, Vec3, Vec4
from keypose.maths.kernel_switch import kernel
from keypose.maths.quaternion import HALF_TURN_TOLERANCE, MIN_AXIS_LENGTH, SIGN_TOLERANCE, TINY_ANGLE


@kernel
def product(a: Vec4, b: Vec4) -> Vec4:
    """Twin of `quaternion.multiply`."""
    w = a[0] * b[0] - (a[1] * b[1] + a[2] * b[2] + a[3] * b[3])
    x = a[0] * b[1] + b[0] * a[1] + (a[2] * b[3] - a[3] * b[2])
    y = a[0] * b[2] + b[0] * a[2] + (a[3] * b[1] - a[1] * b[3])
    return w, x, y, a[0] * b[3] + b[0] * a[3] + (a[1] * b[2] - a[2] * b[1])


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
def exp(x: float, y: float, z: float) -> Vec4:
    """Twin of `quaternion.exp`."""
    angle = sqrt(x * x + y * y + z * z)
    scale = sin(angle / 2.0) / angle if angle > 0.0 else 0.5
    return cos(angle / 2.0), scale * x, scale * y, scale * z


@kernel
def cross(a: Vec3, b: Vec3) -> Vec3:
    """The vector product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel
def log_rate(vector: Vec3, spin: Vec3) -> Vec3:
    """Twin of `quaternion.log_rate`."""
    angle = sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2])
    if angle < TINY_ANGLE:
        twice = 1.0 / 12.0 + angle * angle / 720.0
    else:
        twice = (1.0 - angle / 2.0 / tan(angle / 2.0)) / (angle * angle)
    once = cross(vector, spin)
    again = cross(vector, once)
    return (
        spin[0] - once[0] / 2.0 + twice * again[0],
        spin[1] - once[1] / 2.0 + twice * again[1],
        spin[2] - once[2] / 2.0 + twice * again[2],
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
    """Twin of `quaternion.shortest`."""
    cosine = dot(a, b)
    sign = -1.0 if cosine < 0.0 else 1.0
    if abs(cosine) < HALF_TURN_TOLERANCE:
        sign = leading_sign(a) * leading_sign(b)
    return sign * b[0], sign * b[1], sign * b[2], sign * b[3]


@kernel
def rotation_between(a: Vec4, b: Vec4) -> Vec3:
    """Twin of `orientation_path.turn_between`."""
    return log(product(align_sign(a, b), (a[0], -a[1], -a[2], -a[3])))


@kernel
def set_leg(start: Vec4, axis: Vec3, half: float, out: Floats, row: int, number: int) -> None:
    """One leg from `start` about an axis by twice a half angle, into `out` (…, 3, 9) as `prepared_legs` has it."""
    if half >= np.pi:  # more than a whole turn is seen as what is over, about the axis or against it
        sine = sin(half)
        half = atan2(abs(sine), cos(half))
        if sine < 0.0:
            axis = -axis[0], -axis[1], -axis[2]
    tangent = product((0.0, axis[0], axis[1], axis[2]), start)
    for column in range(4):
        out[row, number, column], out[row, number, 4 + column] = start[column], tangent[column]
    out[row, number, 8] = half


@kernel
def set_legs(start: Vec4, stop: Vec4, leave: Vec3, arrive: Vec3, out: Floats, row: int) -> None:
    """Twin of `prepared_legs` of `control_turns`: a row of `out` (…, 3, 9), from keys and spins at them.

    The outer legs are a third of the spins, so that only the one between them needs a logarithm.
    """
    stop = align_sign(start, stop)
    leaving = sqrt(leave[0] * leave[0] + leave[1] * leave[1] + leave[2] * leave[2])
    arriving = sqrt(arrive[0] * arrive[0] + arrive[1] * arrive[1] + arrive[2] * arrive[2])
    scale = 1.0 / leaving if leaving > MIN_AXIS_LENGTH else 0.0
    out_of = leave[0] * scale, leave[1] * scale, leave[2] * scale
    scale = 1.0 / arriving if arriving > MIN_AXIS_LENGTH else 0.0
    into = arrive[0] * scale, arrive[1] * scale, arrive[2] * scale
    one = rotate_about(start, out_of, leaving / 6.0)
    two = rotate_about(stop, into, -arriving / 6.0)
    x, y, z = log(product(two, (one[0], -one[1], -one[2], -one[3])))
    angle = sqrt(x * x + y * y + z * z)
    scale = 1.0 / angle if angle > 0.0 else 0.0
    set_leg(start, out_of, leaving / 6.0, out, row, 0)
    set_leg(one, (x * scale, y * scale, z * scale), angle / 2.0, out, row, 1)
    set_leg(two, into, arriving / 6.0, out, row, 2)


@kernel
def rotate_about(start: Vec4, axis: Vec3, half: float) -> Vec4:
    """A facing turned about an axis by twice a half angle."""
    tangent = product((0.0, axis[0], axis[1], axis[2]), start)
    return weighted_sum(start, cos(half), tangent, sin(half))
