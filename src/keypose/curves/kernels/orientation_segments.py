"""Numba twins of `quaternion` and `orientation_path`: from the facings of keys to the turns between them.

For turns that are made anew at every tick, one by one. Importing this loads numba.
"""

from math import atan2, cos, sin, sqrt

import numpy as np

from keypose.maths import Floats, Vec3, Vec4, kernel, quaternion, quaternion_kernels


@kernel
def set_leg(start: Vec4, axis: Vec3, half: float, out: Floats, row: int, number: int) -> None:
    """One leg from `start` about an axis by twice a half angle, into `out` (…, 3, 9) as `slerp_legs` has it."""
    if half >= np.pi:  # more than a whole turn is seen as what is over, about the axis or against it
        sine = sin(half)
        half = atan2(abs(sine), cos(half))
        if sine < 0.0:
            axis = -axis[0], -axis[1], -axis[2]
    tangent = quaternion_kernels.product((0.0, axis[0], axis[1], axis[2]), start)
    for column in range(4):
        out[row, number, column], out[row, number, 4 + column] = start[column], tangent[column]
    out[row, number, 8] = half


@kernel
def set_legs(start: Vec4, stop: Vec4, leave: Vec3, arrive: Vec3, out: Floats, row: int) -> None:
    """Twin of `slerp_legs` of `control_quaternions`: a row of `out` (…, 3, 9), from keys and angular velocities.

    The outer legs are a third of the angular velocities, so that only the one between them needs a logarithm.
    """
    stop = quaternion_kernels.align_sign(start, stop)
    leaving = sqrt(leave[0] * leave[0] + leave[1] * leave[1] + leave[2] * leave[2])
    arriving = sqrt(arrive[0] * arrive[0] + arrive[1] * arrive[1] + arrive[2] * arrive[2])
    scale = 1.0 / leaving if leaving > quaternion.MIN_AXIS_LENGTH else 0.0
    out_of = leave[0] * scale, leave[1] * scale, leave[2] * scale
    scale = 1.0 / arriving if arriving > quaternion.MIN_AXIS_LENGTH else 0.0
    into = arrive[0] * scale, arrive[1] * scale, arrive[2] * scale
    one = rotate_about(start, out_of, leaving / 6.0)
    two = rotate_about(stop, into, -arriving / 6.0)
    x, y, z = quaternion_kernels.log(quaternion_kernels.product(two, (one[0], -one[1], -one[2], -one[3])))
    angle = sqrt(x * x + y * y + z * z)
    scale = 1.0 / angle if angle > 0.0 else 0.0
    set_leg(start, out_of, leaving / 6.0, out, row, 0)
    set_leg(one, (x * scale, y * scale, z * scale), angle / 2.0, out, row, 1)
    set_leg(two, into, arriving / 6.0, out, row, 2)


@kernel
def rotate_about(start: Vec4, axis: Vec3, half: float) -> Vec4:
    """A facing turned about an axis by twice a half angle."""
    tangent = quaternion_kernels.product((0.0, axis[0], axis[1], axis[2]), start)
    return quaternion_kernels.weighted_sum(start, cos(half), tangent, sin(half))
