"""What a system of bodies is made of, worked out once when a stage is built: rows, paths, fields and meetings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from keypose.motion import Pose, SyncPlanProtocol, SystemContext, TimedMotion
from keypose.physics.engine.joint_specs import find_reaches
from keypose.physics.following.follower_arrays import FollowerArrays
from keypose.physics.relative.relative_keys import RelativeKeys
from keypose.physics.simulation.field_forces import FieldForces
from keypose.physics.simulation.initial_poses import find_initial_poses, initial_pose
from keypose.physics.sync.body_progress import BodyProgress
from keypose.physics.values.connections import Reach
from keypose.physics.values.figure import AnyBodyMover, is_static
from keypose.physics.values.movers import Follow
from keypose.physics.values.soft_surface import SoftSurfaces

ORIGIN_POSE = Pose.of(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]))


@dataclass(frozen=True, eq=False)
class BodyPlan:
    """The bodies of a stage as arrays and rows; no state, and no MuJoCo."""

    movers: Mapping[str, AnyBodyMover]
    system_context: SystemContext
    surfaces: SoftSurfaces
    moving_names: Sequence[str]
    """The bodies that forces move, in the order of their rows."""
    kinematic_names: Sequence[str]
    """The bodies that motions move; their rows come next."""
    rows: Mapping[str, int]
    """The row of each moving body, as the engine counts them."""
    static_poses: Mapping[str, Pose]
    reaches: Mapping[str, Reach]
    """The driven links and what drives them."""
    follower_arrays: FollowerArrays
    relative_keys: RelativeKeys
    field_forces: FieldForces | None
    """None if no body senses a field."""
    sync_plan: SyncPlanProtocol | None
    """None if no body takes part in a meeting."""
    body_progress: BodyProgress | None
    clocked_motions: Mapping[str, TimedMotion]

    @classmethod
    def of(cls, movers: Mapping[str, AnyBodyMover], system_context: SystemContext) -> "BodyPlan":
        """The plan of all these bodies on a stage."""
        surfaces, kinematic_names = SoftSurfaces(movers), tuple(system_context.bodies)
        moving_names = [name for name, mover in movers.items() if not is_static(mover) and name not in surfaces.slices]
        rows = {name: row for row, name in enumerate((*moving_names, *kinematic_names))}
        reaches = find_reaches(system_context.connections, movers)
        followers: dict[str, Follow | Reach] = {
            name: mover for name, mover in movers.items() if isinstance(mover, Follow)
        }
        followers |= reaches
        gravity = float(np.linalg.norm(system_context.gravity))
        follower_arrays = FollowerArrays.of(followers, [rows[name] for name in followers], gravity)
        static_poses = {name: initial_pose(mover, {}) for name, mover in movers.items() if is_static(mover)}
        relative_keys = RelativeKeys.of(followers, follower_arrays)
        if relative_keys:
            find_initial_poses(movers, static_poses, lambda _: ORIGIN_POSE)  # refuses a circle of initial poses
        script = system_context.script
        sync_plan = script if script is not None and script.follower_channels else None
        return cls(
            movers,
            system_context,
            surfaces,
            moving_names,
            kinematic_names,
            rows,
            static_poses,
            reaches,
            follower_arrays,
            relative_keys,
            FieldForces.of(movers, moving_names, static_poses, system_context),
            sync_plan,
            None if sync_plan is None else BodyProgress.of(sync_plan, follower_arrays),
            {} if sync_plan is None else sync_plan.clocked_motions,
        )

    @property
    def body_names(self) -> tuple[str, ...]:
        """The moving bodies, as the engine counts them."""
        return *self.moving_names, *self.kinematic_names
