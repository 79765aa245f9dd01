"""Who is held to whom on a stage? Joints of figures and connections by name, as numbers for an engine."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keypose.errors import At, KeyposeError, UnknownNameError, did_you_mean, shown
from keypose.maths import quaternion
from keypose.maths.arrays import Floats, Ints
from keypose.motion.pose import Pose
from keypose.physics.connections import Ball, Connection, Hinge, Joint, Pin, Reach, Spring, check_plain
from keypose.physics.figure import Figure, Limb
from keypose.physics.movers import SKIN, Follow, Still
from keypose.physics.skin import not_a_skin
from keypose.physics.solids import Hung, Tie

APART = 0.1  # [m]: how far beside its middle a hinge holds two who are there already
KINDS = (Hinge, Ball, Pin, Spring, Reach)


def checked_connections(
    given: object,
    names: Sequence[str],
    weighty: Sequence[str],
    soft: Collection[str] = (),
    held: Collection[str] = (),
) -> tuple[Connection, ...]:
    """The connections of a stage, all of whom speak of somebody with a body; who is soft is held by springs only.

    Of two who are held together, one at least is not `held` in its place already.
    """
    if not isinstance(given, list | tuple):
        raise KeyposeError(f"A stage was given connections={shown(given)}. Give a list of them.", at=("connections",))
    skins = [f"{name}/{SKIN}" for name in soft]
    for index, one in enumerate(given):
        with At("connections", index):
            if not isinstance(one, KINDS):
                raise KeyposeError(f"A connection is {shown(one)}. Give a Hinge, Ball, Pin, Spring or Reach.")
            _check(one, names, weighty, skins)
            for name in () if isinstance(one, Spring) else (one.link, getattr(one, "to", None)):
                if name in soft:
                    what = type(one).__name__.lower()
                    raise KeyposeError(
                        f"A {what} holds {name!r}, who is soft. Use a spring, or leave the stiffness out."
                    )
            if not isinstance(one, Reach):
                _check_moves(one, held)
    return tuple(given)


def _check_moves(one: Joint | Spring, held: Collection[str]) -> None:
    """Refuse what holds nobody who could move: it would do nothing."""
    what = f"A {type(one).__name__.lower()} holds {one.link!r}"
    if one.link in held and one.to is None:
        raise KeyposeError(f"{what} to the world, and it stands still already. Leave that out, or let it be free.")
    if one.link in held and one.to in held:
        raise KeyposeError(f"{what} to {one.to!r}, and both stand still. Leave that out, or let one of them be free.")


def _check(one: Connection, names: Sequence[str], weighty: Sequence[str], skins: Collection[str]) -> None:
    what = f"A {type(one).__name__.lower()}"
    if not isinstance(one.link, str):
        raise KeyposeError(f"{what} between actors brings a link. Give the name of an actor, as 'arm/hand'.")
    spoken = [("link", one.link)] if isinstance(one, Reach) or one.to is None else [("link", one.link), ("to", one.to)]
    for word, name in spoken:
        if name not in names:
            raise UnknownNameError(
                f"{what} holds {name!r}, who is not on the stage.{did_you_mean(name, names)}", at=(word,)
            )
        with At(word):
            not_a_skin(name, skins, f"{what} holds")
        if name not in weighty:
            raise KeyposeError(f"{what} holds {name!r}, who has no body. Give it one, or hold somebody else.")
    for name in one.carriers if isinstance(one, Reach) else ():
        if name == one.link:
            raise KeyposeError(f"{what} of {name!r} has a key relative to itself. Name another actor.", at=("goal",))
        if name not in names:
            raise UnknownNameError(
                f"{what} of {one.link!r} has a goal at {name!r}, who is not on the stage.{did_you_mean(name, names)}",
                at=("goal",),
            )
        with At("goal"):
            not_a_skin(name, skins, f"{what} of {one.link!r} has a goal at")
    if isinstance(one, Hinge | Ball):
        check_plain(
            one,
            f"{what} between actors",
            "Only the joints of a figure do: make a figure of the two, or leave it out.",
        )


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
