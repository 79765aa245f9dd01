"""Where do bodies begin? Followers where their paths do, and those may begin in the frame of somebody else.

Only the first place and the first facing of a path count there: two hands whose last keys are relative to each other
begin wherever their first keys are.
"""

from collections.abc import Callable, Mapping

import numpy as np

from keypose.curves import CarrierFrames, MotionPath
from keypose.errors import KeyposeError
from keypose.motion import Pose
from keypose.physics.relative.relative_keys import as_relative_path
from keypose.physics.values.figure import AnyBodyMover
from keypose.physics.values.movers import Follow, SoftSurface
from keypose.physics.values.soft_surface import SoftSurfaces

IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])


def initial_carriers(mover: AnyBodyMover) -> tuple[str, ...]:
    """The names of those whose poses decide where a body begins."""
    if not isinstance(mover, Follow) or not mover.carriers:
        return ()
    path, first_keys = mover.path, list[int]()
    for column_name in ("position", "facing"):
        column = path.keys.column(column_name)
        set_keys = [] if column is None else np.flatnonzero(~np.isnan(column.reshape(len(column), -1)[:, 0])).tolist()
        if path.closed and set_keys and set_keys[0]:
            return mover.carriers  # it begins somewhere between keys
        first_keys += set_keys[:1]
    names = path.keys.column("relative_to")
    assert names is not None
    return tuple(dict.fromkeys(names[key] for key in first_keys if names[key] is not None))


def find_initial_poses(
    movers: Mapping[str, AnyBodyMover], known_poses: Mapping[str, Pose], pose_of: Callable[[str], Pose] | None
) -> dict[str, Pose]:
    """Where everybody begins who is not known to be somewhere already; `pose_of` tells where anybody else is.

    Without it those are left out who would have to look. A circle of bodies that begin in each other's frames is
    refused.
    """
    initial_poses, surfaces = dict(known_poses), SoftSurfaces(movers)
    pending = {
        name: initial_carriers(mover)
        for name, mover in movers.items()
        if name not in known_poses and name not in surfaces.slices
    }
    while pending:
        unresolved = dict[str, tuple[str, ...]]()
        for name, others in pending.items():
            system_names = [other for other in others if other in movers]
            if all(other in initial_poses for other in system_names) and (
                pose_of is not None or len(system_names) == len(others)
            ):
                poses = {
                    other: initial_poses[other] if other in initial_poses or pose_of is None else pose_of(other)
                    for other in others
                }
                initial_poses[name] = initial_pose(movers[name], poses)
            else:
                unresolved[name] = others
        if len(unresolved) == len(pending):
            if pose_of is None:
                break
            raise _circle_error(unresolved)
        pending = unresolved
    for (name, surface), body_name in zip(surfaces.surfaces.items(), surfaces.body_names, strict=True):
        if body_name in initial_poses:
            initial_poses[name] = surface.rest_pose(initial_poses[body_name])
    return {name: initial_poses[name] for name in movers if name in initial_poses}


def initial_pose(mover: AnyBodyMover, poses: Mapping[str, Pose]) -> Pose:
    """Where a body begins, if those it relies on are there."""
    if isinstance(mover, SoftSurface):
        return mover.rest_pose(initial_pose(mover.mover, poses))
    if not isinstance(mover, Follow):
        return Pose.of(np.array(mover.position), mover.orientation.wxyz)
    relative_path = as_relative_path(mover.path)
    if relative_path is None or not poses:
        return path_start_pose(mover.path)
    names = mover.path.keys.column("relative_to")
    assert names is not None
    carriers = [poses.get(names[key]) for key in relative_path.relative_keys]
    positions = [np.zeros(3) if pose is None else pose.position for pose in carriers]
    orientations = [IDENTITY if pose is None else pose.orientation for pose in carriers]
    return path_start_pose(relative_path.resolved(CarrierFrames(np.array([positions]), np.array([orientations])), 0))


def path_start_pose(path: MotionPath) -> Pose:
    """Where a path begins, in space."""
    position = np.asarray(path.at(0.0))
    position = position if len(position) == 3 else np.append(position, 0.0)
    return Pose.of(position, np.asarray(path.orientation_at(0.0)))


def _circle_error(pending: Mapping[str, tuple[str, ...]]) -> KeyposeError:
    cycle = [next(iter(pending))]
    while cycle[-1] not in cycle[:-1]:
        cycle.append(next(other for other in pending[cycle[-1]] if other in pending))
    cycle = cycle[cycle.index(cycle[-1]) :]
    return KeyposeError(
        f"These bodies begin relative to each other in a circle: {' → '.join(cycle)}. "
        "Give the first key of one of them a place in the world."
    )
