"""Which way is it turned, and how does one turn become another? Unit quaternions (GL95 §2.2).

Arrays (…, 4) in the order w x y z; they broadcast. A turn by the angle θ [rad] about the unit axis n is
(cos θ/2, n sin θ/2), its rotation vector is θn, and q and −q are the same orientation. Spins are angular velocities:
rotation vectors per unit of time, in the world.
"""

import math

import numpy as np

from keypose.maths import quaternion
from keypose.maths.array_functions import apply_math
from keypose.maths.arrays import Floats

HALF_TURN_TOLERANCE = 1e-12  # |a·b| below this: both ways round are equally long, up to rounding
SIGN_TOLERANCE = 1e-9  # a component below this may be rounding, so its sign says nothing
TINY_ANGLE = 1e-3  # [rad] below this, two terms of a series are exact to rounding and a difference is not
GIMBAL_TOLERANCE = 1e-9  # [rad] a second Euler angle this close to gimbal lock is in it
MIN_AXIS_LENGTH = 1e-300  # an axis shorter than this points nowhere: to divide by it would overflow
TINY_ARC = 1e-4  # [rad] below this the limits of a slerp seen from its middle are exact to rounding
MIN_COSINE = 1e-100  # stands for cos φ = 0 between opposite quaternions
QUICK_ARCSINE = 0.7  # below this sine, the arcsine is as exact as the arctangent, and quicker


def multiply(a: Floats, b: Floats) -> Floats:
    """The product ab (…, 4): turn by b, then by a, both about the axes of the world."""
    aw, ax, ay, az = np.moveaxis(a, -1, 0)
    bw, bx, by, bz = np.moveaxis(b, -1, 0)
    w = aw * bw - (ax * bx + ay * by + az * bz)
    x = aw * bx + bw * ax + (ay * bz - az * by)
    y = aw * by + bw * ay + (az * bx - ax * bz)
    z = aw * bz + bw * az + (ax * by - ay * bx)
    return np.stack([w, x, y, z], axis=-1)


def conjugate(q: Floats) -> Floats:
    """The turn back (…, 4): for unit quaternions the inverse."""
    return np.asarray(q * np.array([1.0, -1.0, -1.0, -1.0]))


def normalize(q: Floats) -> Floats:
    """The unit quaternion in the same direction (…, 4)."""
    return q / np.sqrt(_dot(q, q))[..., None]


def exp(vector: Floats) -> Floats:
    """The quaternion (…, 4) that turns by a rotation vector (…, 3) [rad]: (cos θ/2, v sin(θ/2)/θ)."""
    angle = _length(vector)
    scale = np.where(angle > 0, np.sin(angle / 2) / np.where(angle > 0, angle, 1.0), 0.5)
    return np.concatenate([np.cos(angle / 2)[..., None], scale[..., None] * vector], axis=-1)


def log(q: Floats) -> Floats:
    """The rotation vector (…, 3) [rad] of each quaternion as it is: its angle is 0 … 2π, and −q turns the other way.

    The full turn q = −1 has no axis of its own; it turns about x.
    """
    w, vector = q[..., 0], q[..., 1:]
    sine = _length(vector)
    turning = sine > MIN_AXIS_LENGTH
    scale = np.where(turning, 2 * np.arctan2(sine, w) / np.where(turning, sine, 1.0), 2.0)
    full_turn = np.array([2 * np.pi, 0.0, 0.0])
    return np.where((~turning & (w < 0))[..., None], full_turn, scale[..., None] * vector)


def align_sign(a: Floats, b: Floats) -> Floats:
    """Either b or −b (…, 4), the one reached from a by the smaller turn, so that a·b ≥ 0.

    Half a turn may go either way round: there a and b are first given the sign that makes their leading component
    positive. So the choice depends on no sign of the input, and turning back takes the same way.
    """
    cosine = _dot(a, b)
    either_way = np.abs(cosine) < HALF_TURN_TOLERANCE
    sign = np.where(either_way, _leading_sign(a) * _leading_sign(b), np.where(cosine < 0, -1.0, 1.0))
    return np.asarray(sign[..., None] * b)


def slerp(a: Floats, b: Floats, s: Floats) -> Floats:
    """The share s (…) of the turn from a to b (…, 4): exp(s log(b a⁻¹)) a. No sign is changed: see `align_sign`."""
    turn = log(multiply(b, conjugate(a)))
    return multiply(exp(s[..., None] * turn), a)


def slerp_from_middle(a: Floats, b: Floats, s: Floats) -> Floats:
    """`slerp` as the kernels compute it, to the last bit: seen from the middle of the arc between a and b.

    With φ half the angle between them on the sphere of quaternions and t = 2s − 1 it is
    (a+b) cos(tφ)/(2 cos φ) + (b−a) sin(tφ)/(2 sin φ), where cos φ = |a+b|/2 and sin φ = |b−a|/2 are exact for tiny
    arcs too. Opposite quaternions are a whole turn about x apart.
    """
    middle, across = a + b, b - a
    cosine, sine = np.sqrt(_dot(middle, middle)) / 2.0, np.sqrt(_dot(across, across)) / 2.0
    opposite = cosine == 0.0
    if opposite.any():
        about_x = a[..., [1, 0, 3, 2]] * np.array([-1.0, 1.0, -1.0, 1.0]) * (2.0 * MIN_COSINE)
        middle, cosine = np.where(opposite[..., None], about_x, middle), np.where(opposite, MIN_COSINE, cosine)
    is_quick = sine < QUICK_ARCSINE
    phi = np.where(is_quick, apply_math(math.asin, np.where(is_quick, sine, 0.0)), apply_math(math.atan2, sine, cosine))
    t = 2.0 * s - 1.0
    is_tiny = ~(phi > TINY_ARC)
    along_across = np.where(is_tiny, t / 2.0, apply_math(math.sin, t * phi) / (2.0 * np.where(is_tiny, 1.0, sine)))
    along_middle = apply_math(math.cos, t * phi) / (2.0 * cosine)
    return np.asarray(middle * along_middle[..., None] + across * along_across[..., None])


def slerp_with_rate(a: Floats, a_rate: Floats, b: Floats, b_rate: Floats, s: Floats) -> tuple[Floats, Floats]:
    """`slerp` between two moving ends and its derivative by s: q and dq/ds (…, 4), from a, da/ds, b and db/ds."""
    a_angular_velocity, b_angular_velocity = (
        angular_velocity_from_rate(a, a_rate),
        angular_velocity_from_rate(b, b_rate),
    )
    between = multiply(b, conjugate(a))
    turn = log(between)
    turn_rate = log_rate(turn, b_angular_velocity - rotate(between, a_angular_velocity))
    partway = exp(s[..., None] * turn)
    angular_velocity = exp_angular_velocity(s[..., None] * turn, turn + s[..., None] * turn_rate) + rotate(
        partway, a_angular_velocity
    )
    q = multiply(partway, a)
    return q, rate_from_angular_velocity(q, angular_velocity)


def angular_velocity_from_rate(q: Floats, rate: Floats) -> Floats:
    """Angular velocity (…, 3) [rad per unit] of a quaternion that changes by `rate` dq/ds (…, 4): 2 q̇ q⁻¹."""
    return 2 * multiply(rate, conjugate(q))[..., 1:]


def rate_from_angular_velocity(q: Floats, angular_velocity: Floats) -> Floats:
    """How fast the quaternion changes, dq/ds (…, 4), at an angular velocity (…, 3): ½ ω q."""
    return multiply(np.concatenate([np.zeros_like(angular_velocity[..., :1]), angular_velocity / 2], axis=-1), q)


def exp_angular_velocity(vector: Floats, rate: Floats) -> Floats:
    """Angular velocity (…, 3) of exp(v) while the rotation vector v changes by `rate` v̇.

    v̇ + (1 − cos θ)/θ² v×v̇ + (θ − sin θ)/θ³ v×(v×v̇)
    """
    angle = _length(vector)
    small = angle < TINY_ANGLE
    safe = np.where(small, 1.0, angle)
    once = np.where(small, 0.5 - angle**2 / 24, 2 * (np.sin(safe / 2) / safe) ** 2)
    twice = np.where(small, 1 / 6 - angle**2 / 120, (safe - np.sin(safe)) / safe**3)
    across = _cross(vector, rate)
    return np.asarray(rate + once[..., None] * across + twice[..., None] * _cross(vector, across))


def log_rate(vector: Floats, angular_velocity: Floats) -> Floats:
    """How fast the rotation vector v of a quaternion changes (…, 3) at an angular velocity ω.

    The inverse of `exp_angular_velocity`:

    ω − ½ v×ω + (1 − θ/2 cot θ/2)/θ² v×(v×ω), without bound as v comes to a full turn
    """
    angle = _length(vector)
    small = angle < TINY_ANGLE
    safe = np.where(small, 1.0, angle)
    twice = np.where(small, 1 / 12 + angle**2 / 720, (1 - safe / 2 / np.tan(safe / 2)) / safe**2)
    across = _cross(vector, angular_velocity)
    return np.asarray(angular_velocity - across / 2 + twice[..., None] * _cross(vector, across))


def rotate(q: Floats, vectors: Floats) -> Floats:
    """The vectors (…, 3) turned by q: u + 2w(v×u) + 2v×(v×u)."""
    w, axis = q[..., :1], q[..., 1:]
    across = 2 * _cross(axis, vectors)
    return np.asarray(vectors + w * across + _cross(axis, across))


def angle_between(a: Floats, b: Floats) -> Floats:
    """The angle [rad], 0 … π, between two orientations, whichever their signs; exact for tiny angles too."""
    between = multiply(b, conjugate(a))
    return np.asarray(2 * np.arctan2(_length(between[..., 1:]), np.abs(between[..., 0])))


def from_axes(x: Floats, y: Floats, z: Floats) -> Floats:
    """The quaternion (…, 4) that turns the world's axes into these three, each (…, 3), unit and at right angles.

    The columns give 4qqᵀ; each of its rows is q but for its length, and the longest is the most exact.
    """
    xx, yx, zx = np.moveaxis(x, -1, 0)
    xy, yy, zy = np.moveaxis(y, -1, 0)
    xz, yz, zz = np.moveaxis(z, -1, 0)
    rows = [
        [1 + xx + yy + zz, zy - yz, xz - zx, yx - xy],
        [zy - yz, 1 + xx - yy - zz, xy + yx, xz + zx],
        [xz - zx, xy + yx, 1 - xx + yy - zz, yz + zy],
        [yx - xy, xz + zx, yz + zy, 1 - xx - yy + zz],
    ]
    table = np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
    longest = np.argmax(np.diagonal(table, axis1=-2, axis2=-1), axis=-1)
    return normalize(np.take_along_axis(table, longest[..., None, None], axis=-2)[..., 0, :])


def to_euler(q: Floats, order: str) -> Floats:
    """Euler angles (…, 3) [rad] of each quaternion, in an order as "XYZ" (turning axes) or "xyz" (fixed axes).

    The first and third are within ±π, the second within ±π/2, or within 0 … π where the first axis comes again. In
    gimbal lock, where the first and the third axis are one line, the angle given last is 0. Bernardes and Viollet 2022.
    """
    is_fixed = order.islower()
    i, j, k = ("xyz".index(axis) for axis in (order.lower() if is_fixed else order.lower()[::-1]))
    is_symmetric = i == k
    if is_symmetric:
        k = 3 - i - j
    sign = (i - j) * (j - k) * (k - i) / 2
    w, x, y, z = q[..., 0], q[..., 1 + i], q[..., 1 + j], sign * q[..., 1 + k]
    a, b, c, d = (w, x, y, z) if is_symmetric else (w - y, x + z, y + w, z - x)
    near, far = np.hypot(a, b), np.hypot(c, d)
    second = 2 * np.arctan2(far, near)
    half_sum, half_difference = np.arctan2(b, a), np.arctan2(d, c)
    first, third = half_sum - half_difference, half_sum + half_difference
    locked_at_zero, locked_at_pi = second < GIMBAL_TOLERANCE, np.pi - second < GIMBAL_TOLERANCE
    is_locked = locked_at_zero | locked_at_pi
    locked_angle = np.where(locked_at_zero, 2 * half_sum, 2 * half_difference * (-1 if is_fixed else 1))
    if is_fixed:
        first, third = np.where(is_locked, locked_angle, first), np.where(is_locked, 0.0, third)
    else:
        first, third = np.where(is_locked, 0.0, first), np.where(is_locked, locked_angle, third)
    if not is_symmetric:
        third, second = sign * third, second - np.pi / 2
    angles = np.stack([first, second, third] if is_fixed else [third, second, first], axis=-1)
    return np.asarray(np.where(np.abs(angles) > np.pi, angles - np.copysign(2 * np.pi, angles), angles))


def _leading_sign(q: Floats) -> Floats:
    """The sign ±1 (…) of the first component that is not rounding."""
    first = np.argmax(np.abs(q) > SIGN_TOLERANCE, axis=-1)
    return np.copysign(1.0, np.take_along_axis(q, first[..., None], axis=-1)[..., 0])


def _dot(a: Floats, b: Floats) -> Floats:
    product = a * b
    return np.asarray(product[..., 0] + product[..., 1] + product[..., 2] + product[..., 3])


def _length(vector: Floats) -> Floats:
    """Length of each vector (…, 3), to full precision also where its squares would underflow."""
    return np.asarray(np.hypot(np.hypot(vector[..., 0], vector[..., 1]), vector[..., 2]))


def _cross(a: Floats, b: Floats) -> Floats:
    ax, ay, az = np.moveaxis(a, -1, 0)
    bx, by, bz = np.moveaxis(b, -1, 0)
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=-1)


def rotation_vector_between(start: Floats, end: Floats) -> Floats:
    """The rotation vector from one facing to another, in the world, the shorter way round."""
    return quaternion.log(quaternion.multiply(quaternion.align_sign(start, end), quaternion.conjugate(start)))
