"""What can be done to what has weight, and to what moves it?"""

from typing import Any

from keypose.maths import Vec3
from keypose.studio.protocol.commands.command import Digits, Edit, Indices, Name, Names
from keypose.studio.protocol.commands.fields import PartialVector


class SetMovers(Edit, frozen=True, kw_only=True, tag="set_movers"):
    """Say something of followers, free and still bodies, in words of the scene file: within, speed, velocity and so on.

    A speed leaves the eagerness out, and the other way round.
    """

    actors: Names
    changes: dict[str, Any]
    unset: tuple[Name, ...] = ()
    """Words that are not said any more: what is usual holds, as a critical damping."""


class SetBodies(Edit, frozen=True, kw_only=True, tag="set_bodies"):
    """Say something of bodies, in words of the scene file: shape, mass, bounce, friction, stiffness.

    Links of figures are meant by their names, as arm/hand. A motion that has none yet gets one, if its shape is said.
    """

    actors: Names
    changes: dict[str, Any]
    unset: tuple[Name, ...] = ()


class SetJoints(Edit, frozen=True, kw_only=True, tag="set_joints"):
    """Say something of the joints that links hang by, as of arm/hand: stiffness, damping, strength, limits or limit."""

    links: Names
    changes: dict[str, Any]
    unset: tuple[Name, ...] = ()


class SetConnections(Edit, frozen=True, kw_only=True, tag="set_connections"):
    """Say something of what holds bodies together, or leads them, by their numbers on the stage: stiffness, within.

    A speed leaves the eagerness out, and the other way round.
    """

    connections: Indices
    changes: dict[str, Any]
    unset: tuple[Name, ...] = ()


class RemoveBody(Edit, frozen=True, kw_only=True, tag="remove_body"):
    """Let a motion push nobody any more."""

    actor: Name


class MoveBodies(Edit, frozen=True, kw_only=True, tag="move_bodies"):
    """Let free and still bodies begin elsewhere, by a way in the world [m]."""

    actors: Names
    by: Vec3
    digits: Digits | None = None


class FaceBodies(Edit, frozen=True, kw_only=True, tag="face_bodies"):
    """Let free and still bodies begin turned otherwise: to their left, down, tilted to their right; None stays."""

    actors: Names
    degrees: PartialVector


class SetGravity(Edit, frozen=True, kw_only=True, tag="set_gravity"):
    """How strongly, and where to, all bodies fall [m/s²]."""

    to: Vec3
