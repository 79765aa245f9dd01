"""Which way does an actor look when its keys do not say? Forward along its way, or at somebody else.

Looking is along +Z with +Y up, as everywhere. Both answers are pure functions of time for motions; where an actor
stands still it keeps the direction it came with, or the one it will set off with.
"""

from dataclasses import dataclass

import numpy as np

from keypose.curves import MotionPath
from keypose.errors import KeyposeError, short_repr
from keypose.maths import (
    PARALLEL_TOLERANCE,
    Bools,
    Floats,
    Ints,
    hermite,
    mean_of_points,
    parse_number,
    quaternion,
    run_parallel,
    use_kernels,
)
from keypose.motion.facing_limits import GRAVITY, MAX_BANK, MIN_DIRECTION
from keypose.motion.motion import Motion

PARAMETER_OFFSET = 1e-6  # of a segment: where to look for a direction that is missing
BANK_WINDOW = 0.1  # [s] before and after: curves are felt over this time, so that no key makes the bank jump
WORK_PER_ORIENTATION = 4  # how much work a facing is beside the three numbers of its direction


@dataclass(frozen=True)
class FaceForward:
    """Look where the way leads, in the frame the actor stands in, upright unless it banks.

    `bank` leans into curves: by bank · lateral acceleration / 9.81 as an angle [rad], a quarter turn at most.
    """

    bank: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "bank", parse_number(self.bank, "The bank of a FaceForward"))

    def orientations_along(self, motion: Motion, t: Floats, fallback: Floats) -> Floats:
        """Facings (n, 4) of a motion at times (n,); `fallback` (n, 4) where it never moves at all."""
        upright = forward_orientations(travel_direction(motion, t), fallback)
        if not self.bank:
            return upright
        change = mean_vector(
            _extended_velocity(motion, t + BANK_WINDOW) - _extended_velocity(motion, t - BANK_WINDOW), motion.path
        )
        return self.apply_bank(upright, change / (2 * BANK_WINDOW))

    def apply_bank(self, upright: Floats, acceleration: Floats) -> Floats:
        """Upright facings (…, 4) leaned by an acceleration (…, 3) [m/s²]: its part to the left leans left."""
        return bank_orientations(upright, acceleration, np.array(self.bank))


@dataclass(frozen=True)
class LookAt:
    """Look at another actor, by its name, upright. On the very same spot the actor's own facing holds."""

    name: str

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise KeyposeError(f"A LookAt was given {short_repr(self.name)}. Give the name of an actor.")


def forward_orientations(direction: Floats, fallback: Floats) -> Floats:
    """Facings (…, 4) along directions (…, 3), as `Orientation.facing` has them; `fallback` where they are zero."""
    if use_kernels(WORK_PER_ORIENTATION * direction.size):
        return _forward_orientations_kernel(direction, fallback)
    length = np.sqrt(np.sum(direction * direction, axis=-1))
    is_defined = length > MIN_DIRECTION
    forward = np.where(is_defined[..., None], direction / np.where(is_defined, length, 1.0)[..., None], [0.0, 0.0, 1.0])
    up = np.zeros_like(forward)
    up[..., 1] = 1.0
    is_vertical = np.hypot(forward[..., 0], forward[..., 2]) <= PARALLEL_TOLERANCE
    vertical_up = np.zeros_like(forward)
    vertical_up[..., 2] = -np.sign(forward[..., 1])  # straight up the head is tipped back, straight down bowed
    side = np.cross(np.where(is_vertical[..., None], vertical_up, up), forward)
    side /= np.sqrt(np.sum(side * side, axis=-1))[..., None]
    orientation = quaternion.from_axes(side, np.cross(forward, side), forward)
    return np.where(is_defined[..., None], orientation, fallback)


def bank_orientations(upright: Floats, acceleration: Floats, bank: Floats) -> Floats:
    """Upright facings (…, 4) leaned by accelerations (…, 3) [m/s²], as each `bank` (…) has it."""
    if use_kernels(WORK_PER_ORIENTATION * acceleration.size):
        return _bank_orientations_kernel(upright, acceleration, bank)
    lateral = quaternion.rotate(quaternion.conjugate(upright), acceleration)[..., 0]
    angle = np.clip(-bank * lateral / GRAVITY, -MAX_BANK, MAX_BANK)  # about +Z, where left is +X
    return quaternion.multiply(upright, quaternion.exp(angle[..., None] * np.array([0.0, 0.0, 1.0])))


def travel_direction(motion: Motion, t: Floats) -> Floats:
    """Where a motion leads at times (n,), (n, 3) of any length: zero only if it never moves at all.

    While it rests it is the direction it last moved in, and before its first move the one it will set off in.
    """
    heading = path_direction(motion.path, motion.parameter(t))
    return np.asarray(heading * np.where(motion.time_direction(t) < 0, -1.0, 1.0)[:, None])


def path_direction(path: MotionPath, u: Floats) -> Floats:
    """Where a path leads at u (n,), (n, 3) of any length; where it rests, where it last led or will first lead."""
    heading = mean_vector(path.geometry.heading(u), path)
    rest_samples = np.flatnonzero(is_zero_direction(heading))
    if len(rest_samples):
        segment, _ = hermite.locate(u[rest_samples], path.segments, path.closed)
        last_segment, following_segment = nearest_moving_segments(path)
        nearby_u = parameter_beside_rest(
            u[rest_samples], segment, last_segment[segment], following_segment[segment], path.segments
        )
        heading[rest_samples] = mean_vector(path.geometry.heading(nearby_u), path)
    return heading


def is_zero_direction(heading: Floats) -> Bools:
    """Whether headings (…, 3) point nowhere."""
    return np.asarray((np.abs(heading) <= PARALLEL_TOLERANCE).all(axis=-1))


def nearest_moving_segments(path: MotionPath) -> tuple[Ints, Ints]:
    """For each segment the last up to it that moves, or -1, and the first from it on, or the number of segments."""
    count = path.segments
    curve, number = path.geometry.curve.reshape(count, 4, -1, path.shape[-1]).mean(axis=2), np.arange(count)
    moves = (curve[:, 0] != curve[:, 1]).any(axis=1) | curve[:, 2:].any(axis=(1, 2))
    last = np.maximum.accumulate(np.where(moves, number, -1))
    return last, np.minimum.accumulate(np.where(moves, number, count)[::-1])[::-1]


def parameter_beside_rest(u: Floats, segment: Ints, last: Ints, following: Ints, count: int | Ints) -> Floats:
    """Where to ask instead of at rests u (n,) in the segments `segment`; `last` and `following` are
    `nearest_moving_segments` there.
    """
    nearby_u = np.where(last >= 0, last + 1 - PARAMETER_OFFSET, np.minimum(following, count - 1) + PARAMETER_OFFSET)
    return np.where(last == segment, np.minimum(u + PARAMETER_OFFSET, segment + 1 - PARAMETER_OFFSET), nearby_u)


def _extended_velocity(motion: Motion, t: Floats) -> Floats:
    """dP/dt [m/s] at times (n,), (n, …); where a motion holds, as at its end."""
    local_time, direction = motion.local_time(
        t
    )  # setting off and stopping are no curves: the lean fades in and out around them
    return motion.local_velocity(local_time, np.where(direction < 0, -1.0, 1.0))


def mean_vector(vectors: Floats, path: MotionPath) -> Floats:
    """Vectors on a path (n, …) as one vector in space each, (n, 3): the mean over a drawing's points."""
    vector = mean_of_points(vectors) if len(path.shape) == 2 else vectors
    return np.concatenate([vector, np.zeros((len(vector), 3 - vector.shape[1]))], axis=1)


def _forward_orientations_kernel(direction: Floats, fallback: Floats) -> Floats:
    from keypose.motion import kernels

    out = np.empty((*direction.shape[:-1], 4))
    fallbacks = fallback if fallback.ndim == 1 else np.broadcast_to(fallback, out.shape)
    columns = _as_contiguous(direction, 3), _as_contiguous(fallbacks, 4), out.reshape(-1, 4)
    run_parallel(
        lambda start, stop: kernels.forward_orientations(*columns, start, stop),
        out.size // 4,
        WORK_PER_ORIENTATION * out.size,
    )
    return out


def _bank_orientations_kernel(upright: Floats, acceleration: Floats, bank: Floats) -> Floats:
    from keypose.motion import kernels

    out = np.empty(upright.shape)
    banks = _as_contiguous(np.broadcast_to(bank, upright.shape[:-1]), 1)[:, 0]
    columns = _as_contiguous(upright, 4), _as_contiguous(acceleration, 3), banks, out.reshape(-1, 4)
    run_parallel(
        lambda start, stop: kernels.bank_orientations(*columns, start, stop),
        out.size // 4,
        WORK_PER_ORIENTATION * out.size,
    )
    return out


def _as_contiguous(values: Floats, width: int) -> Floats:
    """As the kernels want it, (n, width); numba would compile anew for any other kind of array, a read-only one too."""
    return np.require(values, requirements=["C", "W"]).reshape(-1, width)
