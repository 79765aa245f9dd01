"""How does one motion stand on top of another? The ring on the hand, the hand on the arm (GL95 §6.1).

Every joint says its pose in the frame of what it stands on; composing them from the root up gives the world. Poses
broadcast: one instant or many, a place (…, 3) or a drawing (…, points, 3) with one orientation (…, 4).
"""

import numpy as np

from keypose.errors import KeyposeError
from keypose.maths import quaternion
from keypose.maths.arrays import Floats
from keypose.maths.kernel_switch import compiled, spread
from keypose.motion.pose import Pose


def in_space(pose: Pose) -> Pose:
    """The pose with places in three dimensions: on a stage y and z are 0 where nothing was said."""
    dimensions = pose.position.shape[-1]
    if dimensions == 3:
        return pose
    if dimensions > 3:
        raise KeyposeError(f"A place has {dimensions} numbers, and space has three. Give x, (x, y) or (x, y, z).")
    place = np.zeros((*pose.position.shape[:-1], 3))
    place[..., :dimensions] = pose.position
    return Pose.of(place, pose.orientation)


def middle(pose: Pose) -> Floats:
    """Where the pose is as one place (…, 3): that of a drawing is the mean of its points."""
    drawing = pose.position.ndim > pose.orientation.ndim
    return np.asarray(pose.position.mean(axis=-2)) if drawing else pose.position


def stood_on(parent: Pose, child: Pose) -> Pose:
    """The world's view of a child whose pose is said in its parent's frame; the middle of a drawing carries."""
    carrier, turn = middle(parent), parent.orientation
    points = child.position.ndim - child.orientation.ndim  # 1 for drawings, else 0
    together = child.orientation.shape == turn.shape and turn.ndim == 2 and len(turn) > 0
    if together and compiled(4 * child.position.size):
        return _by_kernel(carrier, turn, child)
    spread_out = (..., *(None,) * points, slice(None))
    place = carrier[spread_out] + quaternion.rotate(turn[spread_out], child.position)
    return Pose.of(place, quaternion.multiply(turn, child.orientation))


def seen_from(parent: Pose, world: Pose) -> Pose:
    """The pose in its parent's frame: what `stood_on` undoes."""
    back = quaternion.conjugate(parent.orientation)
    points = world.position.ndim - world.orientation.ndim
    spread_out = (..., *(None,) * points, slice(None))
    place = quaternion.rotate(back[spread_out], world.position - middle(parent)[spread_out])
    return Pose.of(place, quaternion.multiply(back, world.orientation))


def between(before: Pose, after: Pose, share: float) -> Pose:
    """The pose at a share of the way from one to the other: places on a straight line, facings by the shorter turn."""
    place = (1 - share) * before.position + share * after.position
    facing = quaternion.shortest(before.orientation, after.orientation)
    return Pose.of(place, quaternion.slerp(before.orientation, facing, np.asarray(share)))


def _by_kernel(carrier: Floats, turn: Floats, child: Pose) -> Pose:
    from keypose.motion import kernels

    place, facing = np.empty(child.position.shape), np.empty(turn.shape)
    points, given = place.reshape(len(turn), -1, 3), _plain(child.position).reshape(len(turn), -1, 3)
    under, over, own = _plain(carrier), _plain(turn), _plain(child.orientation)
    spread(
        lambda start, stop: kernels.stand(under, over, given, own, points, facing, start, stop),
        len(turn),
        4 * place.size,
    )
    return Pose.of(place, facing)


def _plain(values: Floats) -> Floats:
    """As the kernels want it; numba would compile anew for any other kind of array, a read-only one too."""
    return np.require(values, requirements=["C", "W"])
