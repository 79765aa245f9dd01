"""Who is held to whom on a stage? Joints of figures and connections by name, as numbers for an engine."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keypose.errors import KeyposeError
from keypose.maths import quaternion
from keypose.maths.arrays import Floats, Ints
from keypose.motion.pose import Pose
from keypose.physics.engine.model_spec import Hung, Tie
from keypose.physics.values.connections import Ball, Connection, Hinge, Joint, Pin, Reach, Spring
from keypose.physics.values.figure import Figure, Limb
from keypose.physics.values.movers import Follow, Still

APART = 0.1  # [m]: how far beside its middle a hinge holds two who are there already


def reaches(connections: Sequence[Connection], members: Mapping[str, Any]) -> dict[str, Reach]:
    """What leads whom; each is led by one, and moves."""
    found: dict[str, Reach] = {}
    for one in connections:
        if isinstance(one, Reach):
            member = members.get(one.link)
            if one.link in found:
                raise KeyposeError(f"Two reaches lead {one.link!r}. Leave one of them out.")
            if isinstance(member, Follow):
                raise KeyposeError(f"A reach leads {one.link!r}, who follows a path already. Let it be free.")
            if member is None or isinstance(member, Still) or (isinstance(member, Figure) and member.held):
                raise KeyposeError(f"A reach leads {one.link!r}, who is held or led already. Lead what is free.")
            found[one.link] = one
    return found


@dataclass(frozen=True, eq=False)
class Springs:
    """All springs of a stage, a row each."""

    ends: Ints
    """(n, 2): which bodies, or -1 for what does not move."""
    points: Floats
    """(n, 2, 3): where on them, in their own frames, or in the world."""
    numbers: Floats
    """(n, 3): stiffness, damping, length."""

    @classmethod
    def of(cls, springs: Sequence[Spring], rows: Mapping[str, int], first: Mapping[str, Pose]) -> "Springs":
        """These, where everybody moving has a row and begins somewhere."""
        ends, points, numbers = [], [], []
        for spring in springs:
            one = first[spring.link].position if spring.at is None else np.array(spring.at)
            two = one if spring.to is None else first[spring.to].position
            two = two if spring.to_at is None else np.array(spring.to_at)
            length = float(np.linalg.norm(two - one)) if spring.length is None else spring.length
            ends.append((rows.get(spring.link, -1), -1 if spring.to is None else rows.get(spring.to, -1)))
            points.append((_on(one, spring.link, rows, first), _on(two, spring.to, rows, first)))
            numbers.append((spring.stiffness, spring.damping, length))
        shaped = np.array(points).reshape(-1, 2, 3)
        return cls(np.array(ends, dtype=np.int64).reshape(-1, 2), shaped, np.array(numbers).reshape(-1, 3))

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """All that is said, as a compiled loop takes it."""
        return self.ends, self.points, self.numbers


def _on(point: Floats, name: str | None, rows: Mapping[str, int], first: Mapping[str, Pose]) -> Floats:
    """A place of the world in the frame of who moves there."""
    if name is None or name not in rows:
        return point
    return quaternion.rotate(quaternion.conjugate(first[name].orientation), point - first[name].position)


def hung(name: str, limb: Limb, number: Mapping[str, int]) -> Hung:
    """How a link hangs on another, all of whom have numbers."""
    on, joint = number[_fellow(name, limb.link, limb.joint.to)], limb.joint
    if isinstance(joint, Pin):
        return Hung(on)
    if isinstance(joint, Ball):
        limits = None if joint.limit is None else (0.0, float(np.radians(joint.limit)))
        return Hung(on, joint.at, None, limits, joint.stiffness, joint.damping)
    low, high = (0.0, 0.0) if joint.limits is None else np.radians(joint.limits).tolist()
    return Hung(on, joint.at, joint.axis, None if joint.limits is None else (low, high), joint.stiffness, joint.damping)


def rings(name: str, figure: Figure) -> list[Joint]:
    """The joints that close rings of a figure, by the names of its links on the stage."""
    found: list[Joint] = []
    for joint in figure.rings:
        to = name if joint.to is None else f"{name}/{joint.to}"
        link = f"{name}/{joint.link}"
        match joint:
            case Hinge():
                found.append(Hinge(link, to, at=joint.at, axis=joint.axis))
            case Ball():
                found.append(Ball(link, to, at=joint.at))
            case _:
                found.append(Pin(link, to))
    return found


def tie(joint: Joint, number: Mapping[str, int], rows: Mapping[str, int]) -> Tie:
    """Two who are held together, as numbers; the first of them moves."""
    one, two = str(joint.link), joint.to
    if one not in rows:
        assert two is not None, "of two who are held together one moves"
        one, two = two, one
    places: tuple[tuple[float, ...], ...] = ()
    if isinstance(joint, Ball):
        places = (joint.at,)
    if isinstance(joint, Hinge):
        aside = APART * np.array(joint.axis)
        places = tuple(tuple((np.array(joint.at) + side * aside).tolist()) for side in (-1, 1))
    return Tie(number[one], None if two is None else number[two], places)


def _fellow(name: str, link: str, other: str | None) -> str:
    """The name on the stage of another link of the same figure, None being its root."""
    figure = name.removesuffix(f"/{link}")
    return figure if other is None else f"{figure}/{other}"
