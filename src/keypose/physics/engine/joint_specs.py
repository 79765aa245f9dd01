"""Who is held to whom on a stage? Joints of figures and connections by name, as numbers for an engine."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from keypose.errors import KeyposeError
from keypose.maths import Floats, Ints, quaternion
from keypose.motion import Pose
from keypose.physics.engine.model_spec import EqualitySpec, JointSpec
from keypose.physics.values.connections import Ball, Connection, Hinge, Joint, Pin, Reach, Spring
from keypose.physics.values.figure import Figure, FigureLink
from keypose.physics.values.movers import Follow, Still

HINGE_ANCHOR_OFFSET = 0.1  # [m]: how far beside its middle a hinge holds two who are there already


def find_reaches(connections: Sequence[Connection], movers: Mapping[str, Any]) -> dict[str, Reach]:
    """What leads whom; each is led by one, and moves."""
    reaches: dict[str, Reach] = {}
    for connection in connections:
        if isinstance(connection, Reach):
            mover = movers.get(connection.link)
            if connection.link in reaches:
                raise KeyposeError(f"Two reaches lead {connection.link!r}. Leave one of them out.")
            if isinstance(mover, Follow):
                raise KeyposeError(f"A reach leads {connection.link!r}, who follows a path already. Let it be free.")
            if mover is None or isinstance(mover, Still) or (isinstance(mover, Figure) and mover.held):
                raise KeyposeError(f"A reach leads {connection.link!r}, who is held or led already. Lead what is free.")
            reaches[connection.link] = connection
    return reaches


class SpringArrays(NamedTuple):
    """All springs of a stage, a row each."""

    body_rows: Ints
    """(n, 2): which bodies, or -1 for what does not move."""
    anchors: Floats
    """(n, 2, 3): where on them, in their own frames, or in the world."""
    parameters: Floats
    """(n, 3): stiffness, damping, length."""

    @classmethod
    def of(
        cls, springs: Sequence[Spring], rows: Mapping[str, int], initial_poses: Mapping[str, Pose]
    ) -> "SpringArrays":
        """These, where everybody moving has a row and begins somewhere."""
        body_rows, anchors, parameters = [], [], []
        for spring in springs:
            start = initial_poses[spring.link].position if spring.at is None else np.array(spring.at)
            end = start if spring.to is None else initial_poses[spring.to].position
            end = end if spring.to_at is None else np.array(spring.to_at)
            length = float(np.linalg.norm(end - start)) if spring.length is None else spring.length
            body_rows.append((rows.get(spring.link, -1), -1 if spring.to is None else rows.get(spring.to, -1)))
            anchors.append(
                (
                    _local_position(start, spring.link, rows, initial_poses),
                    _local_position(end, spring.to, rows, initial_poses),
                )
            )
            parameters.append((spring.stiffness, spring.damping, length))
        anchor_array = np.array(anchors).reshape(-1, 2, 3)
        return cls(
            np.array(body_rows, dtype=np.int64).reshape(-1, 2), anchor_array, np.array(parameters).reshape(-1, 3)
        )


def _local_position(
    point: Floats, name: str | None, rows: Mapping[str, int], initial_poses: Mapping[str, Pose]
) -> Floats:
    """A place of the world in the frame of who moves there."""
    if name is None or name not in rows:
        return point
    return quaternion.rotate(
        quaternion.conjugate(initial_poses[name].orientation), point - initial_poses[name].position
    )


def joint_spec(name: str, link: FigureLink, indices: Mapping[str, int]) -> JointSpec:
    """How a link hangs on another, all of whom have numbers."""
    parent, joint = indices[_sibling_name(name, link.link, link.joint.to)], link.joint
    if isinstance(joint, Pin):
        return JointSpec(parent)
    if isinstance(joint, Ball):
        limits = None if joint.limit is None else (0.0, float(np.radians(joint.limit)))
        return JointSpec(parent, joint.at, None, limits, joint.stiffness, joint.damping)
    low, high = (0.0, 0.0) if joint.limits is None else np.radians(joint.limits).tolist()
    return JointSpec(
        parent, joint.at, joint.axis, None if joint.limits is None else (low, high), joint.stiffness, joint.damping
    )


def loop_joints(name: str, figure: Figure) -> list[Joint]:
    """The joints that close rings of a figure, by the names of its links on the stage."""
    joints: list[Joint] = []
    for joint in figure.loop_joints:
        to = name if joint.to is None else f"{name}/{joint.to}"
        link = f"{name}/{joint.link}"
        match joint:
            case Hinge():
                joints.append(Hinge(link, to, at=joint.at, axis=joint.axis))
            case Ball():
                joints.append(Ball(link, to, at=joint.at))
            case _:
                joints.append(Pin(link, to))
    return joints


def equality_spec(joint: Joint, indices: Mapping[str, int], rows: Mapping[str, int]) -> EqualitySpec:
    """Two who are held together, as numbers; the first of them moves."""
    first, second = str(joint.link), joint.to
    if first not in rows:
        assert second is not None, "of two who are held together one moves"
        first, second = second, first
    anchors: tuple[tuple[float, ...], ...] = ()
    if isinstance(joint, Ball):
        anchors = (joint.at,)
    if isinstance(joint, Hinge):
        offset = HINGE_ANCHOR_OFFSET * np.array(joint.axis)
        anchors = tuple(tuple((np.array(joint.at) + side * offset).tolist()) for side in (-1, 1))
    return EqualitySpec(indices[first], None if second is None else indices[second], anchors)


def _sibling_name(name: str, link: str, other: str | None) -> str:
    """The name on the stage of another link of the same figure, None being its root."""
    figure = name.removesuffix(f"/{link}")
    return figure if other is None else f"{figure}/{other}"
