"""Numba twins of `hierarchy` and `facing`: arrays in, `out` filled, nothing raised. Importing this loads numba."""

import numpy as np

from keypose.maths import PARALLEL_TOLERANCE, Floats, Vec3, kernel
from keypose.motion.facing_limits import GRAVITY, MAX_BANK, MIN_DIRECTION

VERTICAL_TOLERANCE = 4 * PARALLEL_TOLERANCE**2  # only so near to up is it worth asking exactly


@kernel
def to_world(
    origin: Floats,
    rotation: Floats,
    points: Floats,
    orientations: Floats,
    out: Floats,
    out_orientations: Floats,
    start: int,
    stop: int,
) -> None:
    """Twin of `hierarchy.to_world` for instants start … stop; places are (n, points, 3)."""
    for i in range(start, stop):
        w, x, y, z = rotation[i, 0], rotation[i, 1], rotation[i, 2], rotation[i, 3]
        for point in range(points.shape[1]):
            px, py, pz = points[i, point, 0], points[i, point, 1], points[i, point, 2]
            ax, ay, az = 2 * (y * pz - z * py), 2 * (z * px - x * pz), 2 * (x * py - y * px)
            out[i, point, 0] = origin[i, 0] + (px + w * ax + (y * az - z * ay))
            out[i, point, 1] = origin[i, 1] + (py + w * ay + (z * ax - x * az))
            out[i, point, 2] = origin[i, 2] + (pz + w * az + (x * ay - y * ax))
        bw, bx, by, bz = orientations[i, 0], orientations[i, 1], orientations[i, 2], orientations[i, 3]
        out_orientations[i, 0] = w * bw - (x * bx + y * by + z * bz)
        out_orientations[i, 1] = w * bx + bw * x + (y * bz - z * by)
        out_orientations[i, 2] = w * by + bw * y + (z * bx - x * bz)
        out_orientations[i, 3] = w * bz + bw * z + (x * by - y * bx)


@kernel
def forward_orientations(directions: Floats, fallback: Floats, out: Floats, start: int, stop: int) -> None:
    """Twin of `facing.forward_orientations` for directions start … stop, (n, 3); `fallback` is (n, 4), or (1, 4) for
    all.
    """
    for i in range(start, stop):
        x, y, z = directions[i, 0], directions[i, 1], directions[i, 2]
        length = np.sqrt(x * x + y * y + z * z)
        if not length > MIN_DIRECTION:
            row = i if len(fallback) > 1 else 0
            for k in range(4):
                out[i, k] = fallback[row, k]
            continue
        x, y, z = x / length, y / length, z / length
        if x * x + z * z < VERTICAL_TOLERANCE and np.hypot(x, z) <= PARALLEL_TOLERANCE:
            tilt = -np.sign(y)  # straight up the head is tipped back, straight down bowed
            sx, sy, sz = 0.0 * z - tilt * y, tilt * x - 0.0 * z, 0.0
        else:
            sx, sy, sz = z, 0.0, -x
        side = np.sqrt(sx * sx + sy * sy + sz * sz)
        sx, sy, sz = sx / side, sy / side, sz / side
        ux, uy, uz = y * sz - z * sy, z * sx - x * sz, x * sy - y * sx
        quaternion_from_axes((sx, sy, sz), (ux, uy, uz), (x, y, z), out, i)


@kernel
def quaternion_from_axes(side: Vec3, up: Vec3, forward: Vec3, out: Floats, i: int) -> None:
    """Kernel of `quaternion.from_axes` for three axes, into out[i]."""
    (xx, yx, zx), (xy, yy, zy), (xz, yz, zz) = side, up, forward
    w, x, y, z = 1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz
    if w >= x and w >= y and w >= z:
        x, y, z = zy - yz, xz - zx, yx - xy
    elif x >= y and x >= z:
        w, y, z = zy - yz, xy + yx, xz + zx
    elif y >= z:
        w, x, z = xz - zx, xy + yx, yz + zy
    else:
        w, x, y = yx - xy, xz + zx, yz + zy
    length = np.sqrt(w * w + x * x + y * y + z * z)
    out[i, 0], out[i, 1], out[i, 2], out[i, 3] = w / length, x / length, y / length, z / length


@kernel
def bank_orientations(upright: Floats, acceleration: Floats, bank: Floats, out: Floats, start: int, stop: int) -> None:
    """Twin of `facing.bank_orientations` for facings start … stop."""
    for i in range(start, stop):
        w, x, y, z = upright[i, 0], -upright[i, 1], -upright[i, 2], -upright[i, 3]
        ax, ay, az = acceleration[i, 0], acceleration[i, 1], acceleration[i, 2]
        cx, cy, cz = 2 * (y * az - z * ay), 2 * (z * ax - x * az), 2 * (x * ay - y * ax)
        lateral = ax + w * cx + (y * cz - z * cy)
        angle = min(max(-bank[i] * lateral / GRAVITY, -MAX_BANK), MAX_BANK)
        magnitude = abs(angle)
        sine, cosine = angle * (np.sin(magnitude / 2) / magnitude if magnitude > 0.0 else 0.5), np.cos(magnitude / 2)
        x, y, z = -x, -y, -z
        out[i, 0] = w * cosine - z * sine
        out[i, 1] = cosine * x + y * sine
        out[i, 2] = cosine * y - x * sine
        out[i, 3] = w * sine + cosine * z
