"""What is articulated? A root, and links that hang on it and on each other by joints: an arm, a letter, somebody.

A figure is an actor, at its root; its links are known on the stage as `arm/hand`.
"""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property

import numpy as np

from keypose.curves.orientation import Orientation
from keypose.errors import At, KeyposeError, UnknownNameError, did_you_mean, shown
from keypose.maths import quaternion
from keypose.maths.arrays import Vec3
from keypose.maths.inputs import ORIGIN, flag
from keypose.physics.values.body import Body, movable, rigid
from keypose.physics.values.connections import Ball, Hinge, Joint, Link, Pin, check_plain
from keypose.physics.values.movers import UPRIGHT, Bodily, Follow, Free, Skin, Still, place


@dataclass(frozen=True)
class Limb(Bodily):
    """A link of a figure on a stage: where it begins in the world, and what it hangs on there."""

    link: str
    body: Body
    position: Vec3
    orientation: Orientation
    joint: Joint
    """Places and axes in the world."""


@dataclass(frozen=True)
class Figure(Bodily):
    """Links that hang on a root, which stands at `position`, or is `held` there, by joints that bring a link each.

    A joint between two who are there already, by their names, closes a ring; None is the root.
    """

    root: Body
    joints: tuple[Joint, ...]
    _: KW_ONLY
    position: Vec3 = ORIGIN
    orientation: Orientation = UPRIGHT
    held: bool = False

    def __post_init__(self) -> None:
        movable(rigid(self.root, "The root of a figure"), "The root of a figure")
        if not isinstance(self.joints, list | tuple):
            raise KeyposeError(f"A figure has the joints {shown(self.joints)}. Give a list of joints.", at=("joints",))
        object.__setattr__(self, "joints", tuple(self.joints))
        object.__setattr__(self, "position", place(self.position, "The position of a figure"))
        object.__setattr__(self, "orientation", Orientation.of(self.orientation))
        object.__setattr__(self, "held", flag(self.held, "Whether the root of a figure is held"))
        known: set[str] = set()
        for index, joint in enumerate(self.joints):
            with At("joints", index):
                _check(joint, known)

    @property
    def body(self) -> Body:
        """What its root is."""
        return self.root

    @cached_property
    def links(self) -> Mapping[str, Limb]:
        """Its links as they begin in the world, by their names."""
        return {
            joint.link.name: Limb(
                joint.link.name,
                joint.link.body,
                self._there(joint.link.position),
                self._turned(joint.link.orientation),
                self._placed(joint),
            )
            for joint in self.joints
            if isinstance(joint.link, Link)
        }

    @cached_property
    def rings(self) -> tuple[Joint, ...]:
        """The joints that close a ring, in the world."""
        return tuple(self._placed(joint) for joint in self.joints if isinstance(joint.link, str))

    def _placed(self, joint: Joint) -> Joint:
        """A joint as it is in the world."""
        found = replace(joint, link=_named(joint.link))
        if isinstance(found, Pin):
            return found
        found = replace(found, at=self._there(found.at))
        if isinstance(found, Ball):
            return found
        x, y, z = quaternion.rotate(self.orientation.wxyz, np.array(found.axis)).tolist()
        return replace(found, axis=(x, y, z))

    def _there(self, point: Vec3) -> Vec3:
        x, y, z = (np.array(self.position) + quaternion.rotate(self.orientation.wxyz, np.array(point))).tolist()
        return x, y, z

    def _turned(self, orientation: Orientation) -> Orientation:
        return Orientation(*quaternion.multiply(self.orientation.wxyz, orientation.wxyz).tolist())


Weighty = Follow | Still | Free | Figure | Limb | Skin


def is_held(member: object) -> bool:
    """Whether nothing moves a body."""
    return isinstance(member, Still) or (isinstance(member, Figure) and member.held)


def _named(link: Link | str) -> str:
    return link.name if isinstance(link, Link) else link


def _check(joint: object, known: set[str]) -> None:
    """A joint must hang on what is there before it; `known` learns the link it brings."""
    if not isinstance(joint, Hinge | Ball | Pin):
        raise KeyposeError(f"A figure has the joint {shown(joint)}. Give a Hinge, a Ball or a Pin.")
    if isinstance(joint.link, Link):
        if joint.link.name in known:
            raise KeyposeError(f"Two links of a figure are named {joint.link.name!r}. Give each its own name.")
    elif joint.link not in known:
        raise UnknownNameError(
            f"A joint of a figure speaks of {joint.link!r}, which no joint before it has brought."
            f"{did_you_mean(joint.link, known)}"
        )
    else:
        check_plain(
            joint,
            f"A {type(joint).__name__.lower()} that closes a ring at {joint.link!r}",
            "Only a joint that brings a link does: say it there, or leave it out.",
        )
    if joint.to is not None and joint.to not in known:
        raise UnknownNameError(
            f"A joint of a figure hangs on {joint.to!r}, which no joint before it has brought."
            f"{did_you_mean(joint.to, known)} None is the root."
        )
    known.add(_named(joint.link))
