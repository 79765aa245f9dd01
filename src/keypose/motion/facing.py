"""Which way does an actor look when its keys do not say? Forward along its way, or at somebody else.

Looking is along +Z with +Y up, as everywhere. Both answers are pure functions of time for motions; where an actor
stands still it keeps the direction it came with, or the one it will set off with.
"""

from dataclasses import dataclass

import numpy as np

from keypose.curves.path.motion_path import MotionPath
from keypose.errors import KeyposeError, shown
from keypose.maths import hermite, quaternion
from keypose.maths.arrays import Bools, Floats, Ints
from keypose.maths.inputs import number
from keypose.maths.kernel_switch import compiled, spread
from keypose.maths.sums import mean_of_points
from keypose.motion.facing_limits import GRAVITY, NOWHERE, PARALLEL, STEEPEST
from keypose.motion.motion import Motion

BESIDE = 1e-6  # of a segment: where to look for a direction that is missing
FEEL = 0.1  # [s] before and after: curves are felt over this time, so that no key makes the bank jump
NUMBERS_PER_FACING = 4  # how much work a facing is beside the three numbers of its direction


@dataclass(frozen=True)
class FaceForward:
    """Look where the way leads, in the frame the actor stands in, upright unless it banks.

    `bank` leans into curves: by bank · lateral acceleration / 9.81 as an angle [rad], a quarter turn at most.
    """

    bank: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "bank", number(self.bank, "The bank of a FaceForward"))

    def along(self, motion: Motion, t: Floats, otherwise: Floats) -> Floats:
        """Facings (n, 4) of a motion at times (n,); `otherwise` (n, 4) where it never moves at all."""
        upright = towards(direction(motion, t), otherwise)
        if not self.bank:
            return upright
        change = one_place(_velocity(motion, t + FEEL) - _velocity(motion, t - FEEL), motion.path)
        return self.leaned(upright, change / (2 * FEEL))

    def leaned(self, upright: Floats, acceleration: Floats) -> Floats:
        """Upright facings (…, 4) leaned by an acceleration (…, 3) [m/s²]: its part to the left leans left."""
        return leaned(upright, acceleration, np.array(self.bank))


@dataclass(frozen=True)
class LookAt:
    """Look at another actor, by its name, upright. On the very same spot the actor's own facing holds."""

    name: str

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise KeyposeError(f"A LookAt was given {shown(self.name)}. Give the name of an actor.")


def towards(direction: Floats, otherwise: Floats) -> Floats:
    """Facings (…, 4) along directions (…, 3), as `Orientation.facing` has them; `otherwise` where they are zero."""
    if compiled(NUMBERS_PER_FACING * direction.size):
        return _faced_by_kernel(direction, otherwise)
    length = np.sqrt(np.sum(direction * direction, axis=-1))
    known = length > NOWHERE
    forward = np.where(known[..., None], direction / np.where(known, length, 1.0)[..., None], [0.0, 0.0, 1.0])
    up = np.zeros_like(forward)
    up[..., 1] = 1.0
    steep = np.hypot(forward[..., 0], forward[..., 2]) <= PARALLEL
    tipped = np.zeros_like(forward)
    tipped[..., 2] = -np.sign(forward[..., 1])  # straight up the head is tipped back, straight down bowed
    side = np.cross(np.where(steep[..., None], tipped, up), forward)
    side /= np.sqrt(np.sum(side * side, axis=-1))[..., None]
    facing = quaternion.from_axes(side, np.cross(forward, side), forward)
    return np.where(known[..., None], facing, otherwise)


def leaned(upright: Floats, acceleration: Floats, bank: Floats) -> Floats:
    """Upright facings (…, 4) leaned by accelerations (…, 3) [m/s²], as each `bank` (…) has it."""
    if compiled(NUMBERS_PER_FACING * acceleration.size):
        return _leaned_by_kernel(upright, acceleration, bank)
    left = quaternion.rotate(quaternion.conjugate(upright), acceleration)[..., 0]
    angle = np.clip(-bank * left / GRAVITY, -STEEPEST, STEEPEST)  # about +Z, where left is +X
    return quaternion.multiply(upright, quaternion.exp(angle[..., None] * np.array([0.0, 0.0, 1.0])))


def direction(motion: Motion, t: Floats) -> Floats:
    """Where a motion leads at times (n,), (n, 3) of any length: zero only if it never moves at all.

    While it rests it is the direction it last moved in, and before its first move the one it will set off in.
    """
    ahead = leading(motion.path, motion.parameter(t))
    return np.asarray(ahead * np.where(motion.sense(t) < 0, -1.0, 1.0)[:, None])


def leading(path: MotionPath, u: Floats) -> Floats:
    """Where a path leads at u (n,), (n, 3) of any length; where it rests, where it last led or will first lead."""
    ahead = one_place(path.heading(u), path)
    resting = np.flatnonzero(is_nowhere(ahead))
    if len(resting):
        here, _ = hermite.locate(u[resting], path.segments, path.closed)
        last, following = moving(path)
        beside = beside_rest(u[resting], here, last[here], following[here], path.segments)
        ahead[resting] = one_place(path.heading(beside), path)
    return ahead


def is_nowhere(ahead: Floats) -> Bools:
    """Whether headings (…, 3) point nowhere."""
    return np.asarray((np.abs(ahead) <= PARALLEL).all(axis=-1))


def moving(path: MotionPath) -> tuple[Ints, Ints]:
    """For each segment the last up to it that moves, or -1, and the first from it on, or the number of segments."""
    count = path.segments
    curve, number = path.curve.reshape(count, 4, -1, path.shape[-1]).mean(axis=2), np.arange(count)
    moves = (curve[:, 0] != curve[:, 1]).any(axis=1) | curve[:, 2:].any(axis=(1, 2))
    last = np.maximum.accumulate(np.where(moves, number, -1))
    return last, np.minimum.accumulate(np.where(moves, number, count)[::-1])[::-1]


def beside_rest(u: Floats, here: Ints, last: Ints, following: Ints, count: int | Ints) -> Floats:
    """Where to ask instead of at rests u (n,) in the segments `here`; `last` and `following` are `moving` there."""
    beside = np.where(last >= 0, last + 1 - BESIDE, np.minimum(following, count - 1) + BESIDE)
    return np.where(last == here, np.minimum(u + BESIDE, here + 1 - BESIDE), beside)


def _velocity(motion: Motion, t: Floats) -> Floats:
    """dP/dt [m/s] at times (n,), (n, …); where a motion holds, as at its end."""
    moment, sense = motion._inside(t)  # setting off and stopping are no curves: the lean fades in and out around them
    return motion._velocity(moment, np.where(sense < 0, -1.0, 1.0))


def one_place(vectors: Floats, path: MotionPath) -> Floats:
    """Vectors on a path (n, …) as one vector in space each, (n, 3): the mean over a drawing's points."""
    one = mean_of_points(vectors) if len(path.shape) == 2 else vectors
    return np.concatenate([one, np.zeros((len(one), 3 - one.shape[1]))], axis=1)


def _faced_by_kernel(direction: Floats, otherwise: Floats) -> Floats:
    from keypose.motion import kernels

    out = np.empty((*direction.shape[:-1], 4))
    own = otherwise if otherwise.ndim == 1 else np.broadcast_to(otherwise, out.shape)
    columns = _plain(direction, 3), _plain(own, 4), out.reshape(-1, 4)
    spread(lambda start, stop: kernels.face(*columns, start, stop), out.size // 4, NUMBERS_PER_FACING * out.size)
    return out


def _leaned_by_kernel(upright: Floats, acceleration: Floats, bank: Floats) -> Floats:
    from keypose.motion import kernels

    out = np.empty(upright.shape)
    banks = _plain(np.broadcast_to(bank, upright.shape[:-1]), 1)[:, 0]
    columns = _plain(upright, 4), _plain(acceleration, 3), banks, out.reshape(-1, 4)
    spread(lambda start, stop: kernels.lean(*columns, start, stop), out.size // 4, NUMBERS_PER_FACING * out.size)
    return out


def _plain(values: Floats, width: int) -> Floats:
    """As the kernels want it, (n, width); numba would compile anew for any other kind of array, a read-only one too."""
    return np.require(values, requirements=["C", "W"]).reshape(-1, width)
