"""Kernels on the frames of relative keys, shared by positions and orientations."""

from keypose.maths import Floats, Vec3, kernel
from keypose.physics.relative.orientation_arrays import ORIENTATION, POSITION
from keypose.physics.relative.tangent_weights import BY_LENGTH, BY_UNIT


@kernel
def position_from_frame(relative_index: int, frames: Floats, x: float, y: float, z: float) -> Vec3:
    """Where a key is that says so in its frame."""
    if relative_index < 0:
        return x, y, z
    x, y, z = rotate_from_frame(relative_index, frames, x, y, z)
    return (
        frames[relative_index, POSITION] + x,
        frames[relative_index, POSITION + 1] + y,
        frames[relative_index, POSITION + 2] + z,
    )


@kernel
def scale_weights(first: float, second: float, mode: int, side: int, own: float, other: float) -> tuple[float, float]:
    """Twin of `tcb_tangents`: what the chords before and after a key count for in a tangent.

    Its own segment is so long, and the other one at the key, which lies before it on the first side.
    """
    if mode == BY_LENGTH:
        ratio = 2 * own / (own + other) if own + other > 0.0 else 1.0
        return first * ratio, second * ratio
    if mode == BY_UNIT:
        ratio = own / other if other > 0.0 else 0.0
        return (first * ratio, second) if side == 0 else (first, second * ratio)
    return first, second


@kernel
def rotate_from_frame(relative_index: int, frames: Floats, x: float, y: float, z: float) -> Vec3:
    """A vector in the frame of a key, as seen from outside; number by number, as nothing is quicker."""
    if relative_index < 0:
        return x, y, z
    w, a, b, c = (
        frames[relative_index, ORIENTATION],
        frames[relative_index, ORIENTATION + 1],
        frames[relative_index, ORIENTATION + 2],
        frames[relative_index, ORIENTATION + 3],
    )
    p, r, s = 2.0 * (b * z - c * y), 2.0 * (c * x - a * z), 2.0 * (a * y - b * x)
    return x + w * p + b * s - c * r, y + w * r + c * p - a * s, z + w * s + a * r - b * p
