"""What is simulated of a company of bodies? One engine with all of them, what holds them together, and what pulls."""

from collections.abc import Mapping

from keypose.motion import Pose, SystemContext
from keypose.physics.engine.engine import Engine
from keypose.physics.engine.joint_specs import equality_spec, joint_spec, loop_joints
from keypose.physics.engine.model_spec import BodySpec
from keypose.physics.following.follower_arrays import FollowerArrays
from keypose.physics.simulation.forces import Actuation
from keypose.physics.values.connections import Ball, Hinge, Pin, Reach, Spring
from keypose.physics.values.figure import AnyBodyMover, Figure, FigureLink
from keypose.physics.values.movers import TICK, SoftSurface


def build_engine(
    movers: Mapping[str, AnyBodyMover],
    system_context: SystemContext,
    rows: Mapping[str, int],
    initial_poses: Mapping[str, Pose],
    follower_arrays: FollowerArrays,
    reaches: Mapping[str, Reach],
) -> tuple[Engine, Actuation]:
    """The engine of these, of whom those with rows move, all of whom begin somewhere; and what pulls in it."""
    static_names = (name for name, one in movers.items() if name not in rows and not isinstance(one, SoftSurface))
    indices = {name: index for index, name in enumerate((*rows, *static_names))}
    loops = (joint for name, one in movers.items() if isinstance(one, Figure) for joint in loop_joints(name, one))
    joints = (one for one in system_context.connections if isinstance(one, Hinge | Ball | Pin))
    equalities = [equality_spec(joint, indices, rows) for joint in (*loops, *joints)]
    body_specs = [
        _body_spec(
            name, movers.get(name), system_context, initial_poses[name], is_movable=name in rows, indices=indices
        )
        for name in indices
    ]
    engine = Engine(body_specs, system_context.gravity, TICK, equalities)
    springs = [one for one in system_context.connections if isinstance(one, Spring)]
    return engine, Actuation(engine, follower_arrays, reaches, springs, rows, movers, initial_poses)


def _body_spec(
    name: str,
    mover: AnyBodyMover | None,
    system_context: SystemContext,
    pose: Pose,
    *,
    is_movable: bool,
    indices: Mapping[str, int],
) -> BodySpec:
    """One of them; who is no member is moved by a motion."""
    return BodySpec(
        name,
        system_context.bodies[name] if mover is None else mover.body,
        tuple(pose.position),
        tuple(pose.orientation),
        is_movable=is_movable,
        is_kinematic=mover is None,
        joint=joint_spec(name, mover, indices) if isinstance(mover, FigureLink) else None,
    )
