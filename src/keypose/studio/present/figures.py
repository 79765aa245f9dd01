"""What is told of figures? Their parts with the joints they hang by; and what holds bodies together, or leads them."""

from collections.abc import Mapping

import numpy as np

from keypose.maths import Floats, Vec3, quaternion
from keypose.motion import Pose
from keypose.physics import Ball, Connection, Figure, FigureLink, Hinge, Joint, Link, Pin, Reach, Spring
from keypose.stage import Stage, find_followers
from keypose.studio.present.bodies import body_view, follow_view
from keypose.studio.preview.preview import Preview
from keypose.studio.protocol.updates.bodies import ConnectionView, JointView, LinkView

CONNECTION_KINDS = {Hinge: "hinge", Ball: "ball", Pin: "pin", Spring: "spring", Reach: "reach"}
JOINT_NUMBERS, SPRING_NUMBERS = ("stiffness", "damping", "strength"), ("stiffness", "damping", "length")
ORIGIN = np.zeros(3)


def link_views(stage: Stage) -> tuple[LinkView, ...]:
    """The parts of figures, and whose they are. The surface of a soft body is no part: it is told with its body."""
    return tuple(
        LinkView(
            name=f"{actor.name}/{joint.link.name}",
            actor=actor.name,
            body=body_view(joint.link.body),
            joint=_joint_view(actor.name, joint, joint.link),
        )
        for actor in stage.actors
        if isinstance(actor.mover, Figure)
        for joint in actor.mover.joints
        if isinstance(joint.link, Link)
    )


def driven_links(stage: Stage) -> tuple[str, ...]:
    """Those parts of figures that are led along paths, by their names."""
    return tuple(dict.fromkeys(name for name, _ in find_followers(stage) if isinstance(stage[name].mover, FigureLink)))


def _joint_view(figure: str, joint: Joint, link: Link) -> JointView:
    is_pin = isinstance(joint, Pin)
    at = np.array(link.position if isinstance(joint, Pin) else joint.at)
    return JointView(
        kind=CONNECTION_KINDS[type(joint)],  # type: ignore[arg-type]
        to=figure if joint.to is None else f"{figure}/{joint.to}",
        at=_to_local(Pose.of(np.array(link.position), link.orientation.wxyz), at),
        numbers={} if is_pin else {number: getattr(joint, number) for number in JOINT_NUMBERS},
        limits=joint.limits if isinstance(joint, Hinge) else None,
        limit=joint.limit if isinstance(joint, Ball) else None,
    )


def connection_views(preview: Preview) -> tuple[ConnectionView, ...]:
    """What holds bodies together, in the order of the stage."""
    if not preview.stage.connections:
        return ()
    first = preview.initial_poses
    return tuple(_connection_view(one, first) for one in preview.stage.connections)


def _connection_view(one: Connection, first: Mapping[str, Pose]) -> ConnectionView:
    assert isinstance(one.link, str)
    to = one.goal if isinstance(one, Reach) else one.to
    link_pose, target_pose = first.get(one.link), first.get(to) if isinstance(to, str) else None
    at, to_at = _anchor_points(one, link_pose, target_pose)
    number_names = SPRING_NUMBERS if isinstance(one, Spring) else ("help",) if isinstance(one, Reach) else ()
    return ConnectionView(
        kind=CONNECTION_KINDS[type(one)],  # type: ignore[arg-type]
        link=one.link,
        to=to if isinstance(to, str) else None,
        at=_to_local(link_pose, at),
        to_at=_to_local(target_pose, to_at),
        numbers={number: getattr(one, number) for number in number_names},
        follow=follow_view(one),
        keys=tuple(key.name for key in one.path.keys) if isinstance(one, Reach) and not isinstance(to, str) else (),
    )


def _anchor_points(one: Connection, link_pose: Pose | None, target_pose: Pose | None) -> tuple[Floats, Floats]:
    """Where it holds the one and the other at the beginning, in the world; in their middles unless said."""
    link_position = ORIGIN if link_pose is None else link_pose.position
    if isinstance(one, Hinge | Ball):
        return np.array(one.at), np.array(one.at)
    if isinstance(one, Pin):
        return link_position, link_position
    if isinstance(one, Reach):
        return link_position, link_position if target_pose is None else target_pose.position
    at = link_position if one.at is None else np.array(one.at)
    to_at = at if target_pose is None else target_pose.position
    return at, to_at if one.to_at is None else np.array(one.to_at)


def _to_local(pose: Pose | None, point: Floats) -> Vec3:
    """A place of the world as somebody sees it."""
    offset = point if pose is None else quaternion.rotate(quaternion.conjugate(pose.orientation), point - pose.position)
    x, y, z = offset.tolist()
    return x, y, z
