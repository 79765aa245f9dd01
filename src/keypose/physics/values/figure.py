"""What is articulated? A root, and links that hang on it and on each other by joints: an arm, a letter, somebody.

A figure is an actor, at its root; its links are known on the stage as `arm/hand`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property

import numpy as np

from keypose.curves import Orientation
from keypose.errors import ErrorPath, KeyposeError, UnknownNameError, did_you_mean, short_repr
from keypose.maths import ORIGIN, Vec3, parse_flag, quaternion
from keypose.physics.values.body import Body, check_movable, check_rigid
from keypose.physics.values.connections import Ball, Hinge, Joint, Link, Pin, check_no_joint_options
from keypose.physics.values.movers import UPRIGHT, BodyMover, Follow, Free, SoftSurface, Still, bounded_vector


@dataclass(frozen=True)
class FigureLink(BodyMover):
    """A link of a figure on a stage: where it begins in the world, and what it hangs on there."""

    link: str
    body: Body
    position: Vec3
    orientation: Orientation
    joint: Joint
    """Places and axes in the world."""


@dataclass(frozen=True)
class Figure(BodyMover):
    """Links that hang on a root, which stands at `position`, or is `held` there, by joints that bring a link each.

    A joint between two who are there already, by their names, closes a ring; None is the root.
    """

    root: Body
    joints: Sequence[Joint]
    _: KW_ONLY
    position: Vec3 = ORIGIN
    orientation: Orientation = UPRIGHT
    held: bool = False

    def __post_init__(self) -> None:
        check_movable(check_rigid(self.root, "The root of a figure"), "The root of a figure")
        if not isinstance(self.joints, list | tuple):
            raise KeyposeError(
                f"A figure has the joints {short_repr(self.joints)}. Give a list of joints.", at=("joints",)
            )
        object.__setattr__(self, "joints", tuple(self.joints))
        object.__setattr__(self, "position", bounded_vector(self.position, "The position of a figure"))
        object.__setattr__(self, "orientation", Orientation.of(self.orientation))
        object.__setattr__(self, "held", parse_flag(self.held, "Whether the root of a figure is held"))
        link_names: set[str] = set()
        for index, joint in enumerate(self.joints):
            with ErrorPath("joints", index):
                _check_joint(joint, link_names)

    @property
    def body(self) -> Body:
        """What its root is."""
        return self.root

    @cached_property
    def links(self) -> Mapping[str, FigureLink]:
        """Its links as they begin in the world, by their names."""
        return {
            joint.link.name: FigureLink(
                joint.link.name,
                joint.link.body,
                self._world_position(joint.link.position),
                self._world_orientation(joint.link.orientation),
                self._world_joint(joint),
            )
            for joint in self.joints
            if isinstance(joint.link, Link)
        }

    @cached_property
    def loop_joints(self) -> tuple[Joint, ...]:
        """The joints that close a ring, in the world."""
        return tuple(self._world_joint(joint) for joint in self.joints if isinstance(joint.link, str))

    def _world_joint(self, joint: Joint) -> Joint:
        """A joint as it is in the world."""
        world_joint = replace(joint, link=_link_name(joint.link))
        if isinstance(world_joint, Pin):
            return world_joint
        world_joint = replace(world_joint, at=self._world_position(world_joint.at))
        if isinstance(world_joint, Ball):
            return world_joint
        x, y, z = quaternion.rotate(self.orientation.wxyz, np.array(world_joint.axis)).tolist()
        return replace(world_joint, axis=(x, y, z))

    def _world_position(self, point: Vec3) -> Vec3:
        x, y, z = (np.array(self.position) + quaternion.rotate(self.orientation.wxyz, np.array(point))).tolist()
        return x, y, z

    def _world_orientation(self, orientation: Orientation) -> Orientation:
        return Orientation(*quaternion.multiply(self.orientation.wxyz, orientation.wxyz).tolist())


AnyBodyMover = Follow | Still | Free | Figure | FigureLink | SoftSurface


def is_static(mover: object) -> bool:
    """Whether nothing moves a body."""
    return isinstance(mover, Still) or (isinstance(mover, Figure) and mover.held)


def _link_name(link: Link | str) -> str:
    return link.name if isinstance(link, Link) else link


def _check_joint(joint: object, link_names: set[str]) -> None:
    """A joint must hang on what is there before it; `link_names` learns the link it brings."""
    if not isinstance(joint, Hinge | Ball | Pin):
        raise KeyposeError(f"A figure has the joint {short_repr(joint)}. Give a Hinge, a Ball or a Pin.")
    if isinstance(joint.link, Link):
        if joint.link.name in link_names:
            raise KeyposeError(f"Two links of a figure are named {joint.link.name!r}. Give each its own name.")
    elif joint.link not in link_names:
        raise UnknownNameError(
            f"A joint of a figure speaks of {joint.link!r}, which no joint before it has brought."
            f"{did_you_mean(joint.link, link_names)}"
        )
    else:
        check_no_joint_options(
            joint,
            f"A {type(joint).__name__.lower()} that closes a ring at {joint.link!r}",
            "Only a joint that brings a link does: say it there, or leave it out.",
        )
    if joint.to is not None and joint.to not in link_names:
        raise UnknownNameError(
            f"A joint of a figure hangs on {joint.to!r}, which no joint before it has brought."
            f"{did_you_mean(joint.to, link_names)} None is the root."
        )
    link_names.add(_link_name(joint.link))
