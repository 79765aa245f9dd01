"""Numba twins of `orientation_path`: de Casteljau's slerps for many samples. Importing this loads numba."""

from math import cos, sin

from keypose.maths import Floats, Vec4, hermite_kernels, kernel, quaternion_kernels


@kernel
def evaluate_leg(arc: Floats, s: float) -> tuple[Vec4, Vec4]:
    """The share s of one leg between control quaternions, a cos sθ + e sin sθ, and its derivative by s."""
    start, tangent = (arc[0], arc[1], arc[2], arc[3]), (arc[4], arc[5], arc[6], arc[7])
    cosine, sine = cos(s * arc[8]), sin(s * arc[8])
    point = quaternion_kernels.weighted_sum(start, cosine, tangent, sine)
    return point, quaternion_kernels.weighted_sum(tangent, cosine * arc[8], start, -sine * arc[8])


@kernel
def orientation_at(legs: Floats, segment: int, s: float) -> Vec4:
    """The orientation at the share s of one segment."""
    one, two, three = (
        evaluate_leg(legs[segment, 0], s)[0],
        evaluate_leg(legs[segment, 1], s)[0],
        evaluate_leg(legs[segment, 2], s)[0],
    )
    left, right = quaternion_kernels.slerp(one, two, s), quaternion_kernels.slerp(two, three, s)
    return quaternion_kernels.slerp(left, right, s)


@kernel
def sample_orientations(legs: Floats, v: Floats, closed: bool, out: Floats, start: int, stop: int) -> None:
    """Twin of `evaluate_legs`: the orientations at the samples start … stop of v into `out` (n, 4).

    `legs` (segments, 3, 9) are those of `slerp_legs`.
    """
    for sample in range(start, stop):
        segment, s = hermite_kernels.locate(v[sample], legs.shape[0], closed)
        out[sample, 0], out[sample, 1], out[sample, 2], out[sample, 3] = orientation_at(legs, segment, s)


@kernel
def angular_velocity_at(legs: Floats, segment: int, s: float) -> tuple[float, float, float]:
    """The angular velocity 2 q̇ q⁻¹ at the share s of one segment."""
    one, one_rate = evaluate_leg(legs[segment, 0], s)
    two, two_rate = evaluate_leg(legs[segment, 1], s)
    three, three_rate = evaluate_leg(legs[segment, 2], s)
    left, left_rate = quaternion_kernels.slerp_with_rate(one, one_rate, two, two_rate, s)
    right, right_rate = quaternion_kernels.slerp_with_rate(two, two_rate, three, three_rate, s)
    (w, x, y, z), (dw, dx, dy, dz) = quaternion_kernels.slerp_with_rate(left, left_rate, right, right_rate, s)
    along_x, along_y = w * dx - x * dw + y * dz - z * dy, w * dy - y * dw + z * dx - x * dz
    return 2.0 * along_x, 2.0 * along_y, 2.0 * (w * dz - z * dw + x * dy - y * dx)


@kernel
def sample_angular_velocities(legs: Floats, v: Floats, closed: bool, out: Floats, start: int, stop: int) -> None:
    """Twin of `casteljau_angular_velocity`: angular velocities at the samples start … stop of v into `out` (n, 3)."""
    for sample in range(start, stop):
        segment, s = hermite_kernels.locate(v[sample], legs.shape[0], closed)
        out[sample, 0], out[sample, 1], out[sample, 2] = angular_velocity_at(legs, segment, s)


@kernel
def segment_angular_velocities(legs: Floats, s: Floats, out: Floats, start: int, stop: int) -> None:
    """Twin of `evaluate_angular_velocities`: those of segments start … stop at several shares s (segments, k).

    They go into `out` (segments, k, 3).
    """
    for segment in range(start, stop):
        for sample in range(s.shape[1]):
            out[segment, sample, 0], out[segment, sample, 1], out[segment, sample, 2] = angular_velocity_at(
                legs, segment, s[segment, sample]
            )
