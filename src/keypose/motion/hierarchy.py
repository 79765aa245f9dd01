"""How does one motion stand on top of another? The ring on the hand, the hand on the arm (GL95 §6.1).

Every joint says its pose in the frame of what it stands on; composing them from the root up gives the world. Poses
broadcast: one instant or many, a place (…, 3) or a drawing (…, points, 3) with one orientation (…, 4).
"""

import numpy as np

from keypose.errors import KeyposeError
from keypose.maths import Floats, quaternion, run_parallel, use_kernels
from keypose.motion.pose import Pose


def pose_to_3d(pose: Pose) -> Pose:
    """The pose with places in three dimensions: on a stage y and z are 0 where nothing was said."""
    dimensions = pose.position.shape[-1]
    if dimensions == 3:
        return pose
    if dimensions > 3:
        raise KeyposeError(f"A place has {dimensions} numbers, and space has three. Give x, (x, y) or (x, y, z).")
    position = np.zeros((*pose.position.shape[:-1], 3))
    position[..., :dimensions] = pose.position
    return Pose.of(position, pose.orientation)


def pose_center(pose: Pose) -> Floats:
    """Where the pose is as one place (…, 3): that of a drawing is the mean of its points."""
    is_drawing = pose.position.ndim > pose.orientation.ndim
    return np.asarray(pose.position.mean(axis=-2)) if is_drawing else pose.position


def to_world(parent: Pose, child: Pose) -> Pose:
    """The world's view of a child whose pose is said in its parent's frame; the middle of a drawing carries."""
    origin, rotation = pose_center(parent), parent.orientation
    points = child.position.ndim - child.orientation.ndim  # 1 for drawings, else 0
    is_batch = child.orientation.shape == rotation.shape and rotation.ndim == 2 and len(rotation) > 0
    if is_batch and use_kernels(4 * child.position.size):
        return _to_world_kernel(origin, rotation, child)
    per_point = (..., *(None,) * points, slice(None))
    position = origin[per_point] + quaternion.rotate(rotation[per_point], child.position)
    return Pose.of(position, quaternion.multiply(rotation, child.orientation))


def to_local(parent: Pose, world: Pose) -> Pose:
    """The pose in its parent's frame: what `to_world` undoes."""
    inverse = quaternion.conjugate(parent.orientation)
    points = world.position.ndim - world.orientation.ndim
    per_point = (..., *(None,) * points, slice(None))
    position = quaternion.rotate(inverse[per_point], world.position - pose_center(parent)[per_point])
    return Pose.of(position, quaternion.multiply(inverse, world.orientation))


def lerp_pose(before: Pose, after: Pose, fraction: float) -> Pose:
    """The pose at a share of the way from one to the other: places on a straight line, facings by the shorter turn."""
    position = (1 - fraction) * before.position + fraction * after.position
    target = quaternion.align_sign(before.orientation, after.orientation)
    return Pose.of(position, quaternion.slerp(before.orientation, target, np.asarray(fraction)))


def _to_world_kernel(origin: Floats, rotation: Floats, child: Pose) -> Pose:
    from keypose.motion import kernels

    position, orientation = np.empty(child.position.shape), np.empty(rotation.shape)
    points, local_points = (
        position.reshape(len(rotation), -1, 3),
        _as_contiguous(child.position).reshape(len(rotation), -1, 3),
    )
    origins, rotations, local_orientations = (
        _as_contiguous(origin),
        _as_contiguous(rotation),
        _as_contiguous(child.orientation),
    )
    run_parallel(
        lambda start, stop: kernels.to_world(
            origins, rotations, local_points, local_orientations, points, orientation, start, stop
        ),
        len(rotation),
        4 * position.size,
    )
    return Pose.of(position, orientation)


def _as_contiguous(values: Floats) -> Floats:
    """As the kernels want it; numba would compile anew for any other kind of array, a read-only one too."""
    return np.require(values, requirements=["C", "W"])
