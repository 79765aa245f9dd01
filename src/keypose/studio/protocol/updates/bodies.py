"""What is a page told of what has weight? Its form, what moves it, where it begins, and whom it hits."""

from typing import Any, Literal

import msgspec


class BodyView(msgspec.Struct, frozen=True, kw_only=True):
    """What has weight about an actor or a link."""

    shape: dict[str, Any]
    """As the scene file writes it, every word of it: {"kind": "sphere", "radius": 0.3}."""
    mass: float
    bounce: float
    friction: float
    faces: tuple[float, ...] | None = None
    """Of a mesh: the corners of its triangles one behind the other [m], or of the box around it if it has many."""
    stiffness: float | None = None
    """[Pa]; None is rigid."""
    surface: tuple[int, ...] | None = None
    """Of a soft one: the triangles of its surface one behind the other, by the numbers of the points of its skin."""


class FollowView(msgspec.Struct, frozen=True, kw_only=True):
    """How a follower races its target; what is not said is None."""

    within: float
    eagerness: float
    """Also where a speed says how eager it is."""
    damping: float
    is_critical: bool
    """Whether its damping is not said."""
    reaction: float
    correction: float | None
    speed: float | None
    turn_within: float
    has_orientations: bool
    """Whether its path has orientations."""
    nominal_speed: float
    """[m/s] at which it settles."""


class StartView(msgspec.Struct, frozen=True, kw_only=True):
    """Where a free or a still body begins, and how."""

    position: tuple[float, float, float]
    degrees: tuple[float, float, float]
    """Yaw, pitch and roll."""
    velocity: tuple[float, float, float] | None
    """[m/s]; None for a still one."""
    spin: tuple[float, float, float] | None
    """[degrees/s]"""


class JointView(msgspec.Struct, frozen=True, kw_only=True):
    """What a part of a figure hangs by; a pin has no numbers."""

    kind: Literal["hinge", "ball", "pin"]
    to: str
    """On whom, as "arm/lower", or the figure itself."""
    at: tuple[float, float, float]
    """Where, as the part sees it [m]."""
    numbers: dict[str, float]
    """stiffness [N m/rad], damping [N m s/rad] and strength [N m]."""
    limits: tuple[float, float] | None
    """How far a hinge turns from rest [degrees]."""
    limit: float | None
    """How far a ball joint does [degrees]."""


class LinkView(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a figure: it has a pose and a body, and is said by its actor."""

    name: str
    """As "arm/hand"."""
    actor: str
    body: BodyView | None
    joint: JointView | None = None


class ConnectionView(msgspec.Struct, frozen=True, kw_only=True):
    """What holds two bodies together, or leads one; by its number among all of the stage."""

    kind: Literal["hinge", "ball", "pin", "spring", "reach"]
    link: str
    """Whom it holds, or leads."""
    to: str | None
    """To whom; None is the world. Of a reach the name of its goal, None if that is a path."""
    at: tuple[float, float, float]
    """Where it holds the one, as that sees it [m]."""
    to_at: tuple[float, float, float]
    """Where it holds the other, as that sees it, or where in the world [m]."""
    numbers: dict[str, float | None]
    """Of a spring: stiffness [N/m], damping [N s/m], length [m]. Of a reach: help [N]. None is not said."""
    follow: FollowView | None
    """Of a reach."""
    keys: tuple[str | None, ...] = ()
    """Of a reach along a path: the names of its keys."""


class CollisionView(msgspec.Struct, frozen=True, kw_only=True):
    """A collision of two bodies."""

    time: float
    actor: str
    other: str
    position: tuple[float, float, float]
    speed: float
    """[m/s]"""
