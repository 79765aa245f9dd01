"""What is told of figures? Their parts with the joints they hang by; and what holds bodies together, or leads them."""

from collections.abc import Mapping

import numpy as np

from keypose.maths import quaternion
from keypose.maths.arrays import Floats, Vec3
from keypose.motion.pose import Pose
from keypose.physics.values.connections import Ball, Connection, Hinge, Joint, Link, Pin, Reach, Spring
from keypose.physics.values.figure import Figure, Limb
from keypose.stage.followers import racers
from keypose.stage.stage import Stage
from keypose.studio.present.bodies import body_view, follow_view
from keypose.studio.preview.preview import Film
from keypose.studio.protocol.updates.bodies import ConnectionView, JointView, LinkView

KINDS = {Hinge: "hinge", Ball: "ball", Pin: "pin", Spring: "spring", Reach: "reach"}
OF_JOINTS, OF_SPRINGS = ("stiffness", "damping", "strength"), ("stiffness", "damping", "length")
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


def led_links(stage: Stage) -> tuple[str, ...]:
    """Those parts of figures that are led along paths, by their names."""
    return tuple(dict.fromkeys(name for name, _ in racers(stage) if isinstance(stage[name].mover, Limb)))


def _joint_view(figure: str, joint: Joint, link: Link) -> JointView:
    is_pin = isinstance(joint, Pin)
    at = np.array(link.position if isinstance(joint, Pin) else joint.at)
    return JointView(
        kind=KINDS[type(joint)],  # type: ignore[arg-type]
        to=figure if joint.to is None else f"{figure}/{joint.to}",
        at=_seen_by(Pose.of(np.array(link.position), link.orientation.wxyz), at),
        numbers={} if is_pin else {word: getattr(joint, word) for word in OF_JOINTS},
        limits=joint.limits if isinstance(joint, Hinge) else None,
        limit=joint.limit if isinstance(joint, Ball) else None,
    )


def connection_views(film: Film) -> tuple[ConnectionView, ...]:
    """What holds bodies together, in the order of the stage."""
    if not film.stage.connections:
        return ()
    first = film.beginnings
    return tuple(_connection_view(one, first) for one in film.stage.connections)


def _connection_view(one: Connection, first: Mapping[str, Pose]) -> ConnectionView:
    assert isinstance(one.link, str)
    to = one.goal if isinstance(one, Reach) else one.to
    here, there = first.get(one.link), first.get(to) if isinstance(to, str) else None
    at, to_at = _held(one, here, there)
    words = OF_SPRINGS if isinstance(one, Spring) else ("help",) if isinstance(one, Reach) else ()
    return ConnectionView(
        kind=KINDS[type(one)],  # type: ignore[arg-type]
        link=one.link,
        to=to if isinstance(to, str) else None,
        at=_seen_by(here, at),
        to_at=_seen_by(there, to_at),
        numbers={word: getattr(one, word) for word in words},
        race=follow_view(one),
        keys=tuple(key.name for key in one.path.keys) if isinstance(one, Reach) and not isinstance(to, str) else (),
    )


def _held(one: Connection, here: Pose | None, there: Pose | None) -> tuple[Floats, Floats]:
    """Where it holds the one and the other at the beginning, in the world; in their middles unless said."""
    own = ORIGIN if here is None else here.position
    if isinstance(one, Hinge | Ball):
        return np.array(one.at), np.array(one.at)
    if isinstance(one, Pin):
        return own, own
    if isinstance(one, Reach):
        return own, own if there is None else there.position
    at = own if one.at is None else np.array(one.at)
    to_at = at if there is None else there.position
    return at, to_at if one.to_at is None else np.array(one.to_at)


def _seen_by(pose: Pose | None, point: Floats) -> Vec3:
    """A place of the world as somebody sees it."""
    away = point if pose is None else quaternion.rotate(quaternion.conjugate(pose.orientation), point - pose.position)
    x, y, z = away.tolist()
    return x, y, z
