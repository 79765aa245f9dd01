"""What is simulated of a company of bodies? One engine with all of them, what holds them together, and what pulls."""

from collections.abc import Mapping

from keypose.motion.pose import Pose
from keypose.motion.system import Surroundings
from keypose.physics.engine.engine import Engine
from keypose.physics.engine.joint_specs import hung, rings, tie
from keypose.physics.engine.model_spec import Solid
from keypose.physics.following.follower_arrays import Race
from keypose.physics.simulation.forces import Pulls
from keypose.physics.values.connections import Ball, Hinge, Pin, Reach, Spring
from keypose.physics.values.figure import Figure, Limb, Weighty
from keypose.physics.values.movers import TICK, Skin


def built(
    members: Mapping[str, Weighty],
    said: Surroundings,
    rows: Mapping[str, int],
    first: Mapping[str, Pose],
    raced: Race,
    reaches: Mapping[str, Reach],
) -> tuple[Engine, Pulls]:
    """The engine of these, of whom those with rows move, all of whom begin somewhere; and what pulls in it."""
    still = (name for name, one in members.items() if name not in rows and not isinstance(one, Skin))
    number = {name: index for index, name in enumerate((*rows, *still))}
    closing = (joint for name, one in members.items() if isinstance(one, Figure) for joint in rings(name, one))
    held = (one for one in said.connections if isinstance(one, Hinge | Ball | Pin))
    ties = [tie(joint, number, rows) for joint in (*closing, *held)]
    solids = [_solid(name, members.get(name), said, first[name], moves=name in rows, number=number) for name in number]
    engine = Engine(solids, said.gravity, TICK, ties)
    springs = [one for one in said.connections if isinstance(one, Spring)]
    return engine, Pulls(engine, raced, reaches, springs, rows, members, first)


def _solid(
    name: str, member: Weighty | None, said: Surroundings, pose: Pose, *, moves: bool, number: Mapping[str, int]
) -> Solid:
    """One of them; who is no member is moved by a motion."""
    return Solid(
        name,
        said.bodies[name] if member is None else member.body,
        tuple(pose.position),
        tuple(pose.orientation),
        moves=moves,
        is_driven=member is None,
        hung=hung(name, member, number) if isinstance(member, Limb) else None,
    )
