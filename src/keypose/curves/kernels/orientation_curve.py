"""Numba twins of `orientation_path`: de Casteljau's slerps for many samples. Importing this loads numba.

A slerp between a and b is seen from the middle of its arc: with φ half the angle between them on the sphere of
quaternions and t = 2s − 1 it is (a+b) cos(tφ)/(2 cos φ) + (b−a) sin(tφ)/(2 sin φ), where cos φ = |a+b|/2 and
sin φ = |b−a|/2 are exact for tiny legs too.
"""

from math import asin, atan2, cos, sin, sqrt

from keypose.maths.arrays import Floats, Vec4
from keypose.maths.kernel_switch import kernel
from keypose.maths.kernels import locate

TINY_ARC = 1e-4  # [rad] below this the limits are exact to rounding
MIN_COSINE = 1e-100  # stands for cos φ = 0


@kernel
def weighted_sum(a: Vec4, x: float, b: Vec4, y: float) -> Vec4:
    """The sum ax + by."""
    return a[0] * x + b[0] * y, a[1] * x + b[1] * y, a[2] * x + b[2] * y, a[3] * x + b[3] * y


@kernel
def dot(a: Vec4, b: Vec4) -> float:
    """The sum of the products of the components."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]


@kernel
def evaluate_leg(arc: Floats, s: float) -> tuple[Vec4, Vec4]:
    """The share s of one leg between control quaternions, a cos sθ + e sin sθ, and its derivative by s."""
    start, tangent = (arc[0], arc[1], arc[2], arc[3]), (arc[4], arc[5], arc[6], arc[7])
    cosine, sine = cos(s * arc[8]), sin(s * arc[8])
    return weighted_sum(start, cosine, tangent, sine), weighted_sum(tangent, cosine * arc[8], start, -sine * arc[8])


@kernel
def midpoint_frame(a: Vec4, b: Vec4) -> tuple[Vec4, Vec4, float, float, float]:
    """The sum a+b, the difference b−a, cos φ, sin φ and φ; opposite quaternions are a whole turn about x apart."""
    middle, across = weighted_sum(a, 1.0, b, 1.0), weighted_sum(b, 1.0, a, -1.0)
    cosine, sine = sqrt(dot(middle, middle)) / 2.0, sqrt(dot(across, across)) / 2.0
    if cosine == 0.0:
        cosine, length = MIN_COSINE, 2.0 * MIN_COSINE
        middle = -a[1] * length, a[0] * length, -a[3] * length, a[2] * length
    phi = asin(sine) if sine < 0.7 else atan2(sine, cosine)  # the quicker one where it is as exact
    return middle, across, cosine, sine, phi


@kernel
def slerp(a: Vec4, b: Vec4, s: float) -> Vec4:
    """Twin of `quaternion.slerp`."""
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


@kernel
def orientation_at(legs: Floats, segment: int, s: float) -> Vec4:
    """The orientation at the share s of one segment."""
    one, two, three = (
        evaluate_leg(legs[segment, 0], s)[0],
        evaluate_leg(legs[segment, 1], s)[0],
        evaluate_leg(legs[segment, 2], s)[0],
    )
    return slerp(slerp(one, two, s), slerp(two, three, s), s)


@kernel
def sample_orientations(legs: Floats, v: Floats, closed: bool, out: Floats, start: int, stop: int) -> None:
    """Twin of `casteljau`: the orientations at the samples start … stop of v into `out` (n, 4).

    `legs` (segments, 3, 9) are those of `prepared_legs`.
    """
    for sample in range(start, stop):
        segment, s = locate(v[sample], legs.shape[0], closed)
        out[sample, 0], out[sample, 1], out[sample, 2], out[sample, 3] = orientation_at(legs, segment, s)


@kernel
def spin_at(legs: Floats, segment: int, s: float) -> tuple[float, float, float]:
    """The angular velocity 2 q̇ q⁻¹ at the share s of one segment."""
    one, one_rate = evaluate_leg(legs[segment, 0], s)
    two, two_rate = evaluate_leg(legs[segment, 1], s)
    three, three_rate = evaluate_leg(legs[segment, 2], s)
    left, left_rate = slerp_with_rate(one, one_rate, two, two_rate, s)
    right, right_rate = slerp_with_rate(two, two_rate, three, three_rate, s)
    (w, x, y, z), (dw, dx, dy, dz) = slerp_with_rate(left, left_rate, right, right_rate, s)
    along_x, along_y = w * dx - x * dw + y * dz - z * dy, w * dy - y * dw + z * dx - x * dz
    return 2.0 * along_x, 2.0 * along_y, 2.0 * (w * dz - z * dw + x * dy - y * dx)


@kernel
def sample_spins(legs: Floats, v: Floats, closed: bool, out: Floats, start: int, stop: int) -> None:
    """Twin of `casteljau_spin`: the angular velocities at the samples start … stop of v into `out` (n, 3)."""
    for sample in range(start, stop):
        segment, s = locate(v[sample], legs.shape[0], closed)
        out[sample, 0], out[sample, 1], out[sample, 2] = spin_at(legs, segment, s)


@kernel
def segment_spins(legs: Floats, s: Floats, out: Floats, start: int, stop: int) -> None:
    """Twin of `spins_on`: those of segments start … stop at several shares s (segments, k) into (segments, k,
    3).
    """
    for segment in range(start, stop):
        for sample in range(s.shape[1]):
            out[segment, sample, 0], out[segment, sample, 1], out[segment, sample, 2] = spin_at(
                legs, segment, s[segment, sample]
            )
