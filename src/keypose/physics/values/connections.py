"""What holds bodies together? Joints, pins and springs; and what leads one of them along a path (LG95 §3.2, GL95 §6.2).

The joints of a figure bring a `Link` each. Connections of a stage speak of those who are there already, by name:
actors, links as `arm/hand`, or None for the world. Places are said as everything stands at the beginning: in the frame
of the figure, or in the world.
"""

from dataclasses import KW_ONLY, dataclass, replace
from typing import Any

from keypose.curves import Key, MotionPath, Orientation
from keypose.errors import ErrorPath, KeyposeError, short_repr
from keypose.maths import ORIGIN, Vec3, parse_direction, parse_non_negative, parse_numbers, parse_positive
from keypose.physics.values.body import Body, check_movable, check_rigid
from keypose.physics.values.movers import UPRIGHT, FollowerOptions, bounded_vector, carrier_names

MAX_STIFFNESS = 1e9  # [N/m], [N m/rad]
Z_AXIS = (0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Link:
    """A part of a figure: its name, its body, and where it stands at rest in the frame of its figure."""

    name: str
    body: Body
    position: Vec3 = ORIGIN
    orientation: Orientation = UPRIGHT

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name or "/" in self.name:
            raise KeyposeError(f"A link is named {short_repr(self.name)}. Give a name without '/'.", at=("name",))
        check_movable(check_rigid(self.body, f"Link {self.name!r}"), f"Link {self.name!r}")
        object.__setattr__(self, "position", bounded_vector(self.position, f"The position of link {self.name!r}"))
        object.__setattr__(self, "orientation", Orientation.of(self.orientation))


@dataclass(frozen=True)
class Hinge:
    """A joint about an `axis` through `at`.

    In a figure it stays between the `limits` [degrees] from rest, is drawn back to rest by `stiffness` [N m/rad] and
    slowed by `damping` [N m s/rad]. With `strength` [N m] it has a muscle: of what a `Reach` asks for it does as much
    as it can.
    """

    link: Link | str
    to: str | None = None
    _: KW_ONLY
    at: Vec3
    axis: Vec3 = Z_AXIS
    limits: tuple[float, float] | None = None
    stiffness: float = 0.0
    damping: float = 0.0
    strength: float = 0.0

    def __post_init__(self) -> None:
        _check_joint(self, "A hinge")
        with ErrorPath("axis"):
            object.__setattr__(self, "axis", parse_direction(self.axis, "The axis of a hinge"))
        object.__setattr__(
            self, "strength", parse_non_negative(self.strength, "The strength of a hinge", MAX_STIFFNESS)
        )
        if self.limits is not None:
            limits = parse_numbers(self.limits, "The limits of a hinge")
            if limits.shape != (2,) or not -360 <= limits[0] < limits[1] <= 360:
                raise KeyposeError(
                    f"A hinge has limits={short_repr(self.limits)}. Give two angles from rest in degrees, as "
                    "(-90, 45).",
                    at=("limits",),
                )
            if not limits[0] <= 0 <= limits[1]:
                raise KeyposeError(
                    f"A hinge has limits={short_repr(self.limits)}, and begins at rest, at 0 degrees, which "
                    "is outside. "
                    "Let 0 be within them, and turn its link to where it is to begin.",
                    at=("limits",),
                )
            object.__setattr__(self, "limits", (float(limits[0]), float(limits[1])))


@dataclass(frozen=True)
class Ball:
    """A joint that turns any way about `at`; in a figure no more than `limit` [degrees] from rest.

    `stiffness` and `damping` are as those of a hinge, and so is `strength`, about each axis.
    """

    link: Link | str
    to: str | None = None
    _: KW_ONLY
    at: Vec3
    limit: float | None = None
    stiffness: float = 0.0
    damping: float = 0.0
    strength: float = 0.0

    def __post_init__(self) -> None:
        _check_joint(self, "A ball joint")
        object.__setattr__(
            self, "strength", parse_non_negative(self.strength, "The strength of a ball joint", MAX_STIFFNESS)
        )
        if self.limit is not None:
            limit = parse_positive(self.limit, "The limit of a ball joint")
            if limit > 180:
                raise KeyposeError(f"A ball joint has limit={limit:g}. Give up to 180 degrees.", at=("limit",))
            object.__setattr__(self, "limit", limit)


@dataclass(frozen=True)
class Pin:
    """Two that stay as they stand to each other at the beginning."""

    link: Link | str
    to: str | None = None

    def __post_init__(self) -> None:
        _check_ends(self, "A pin")


@dataclass(frozen=True)
class Spring:
    """A spring from `at` on one to `to_at` on the other, or in the world; from middle to middle unless said.

    It pulls with `stiffness` [N/m] to its `length` [m], which is that at the beginning unless said, and is slowed by
    `damping` [N s/m].
    """

    link: str
    to: str | None = None
    _: KW_ONLY
    stiffness: float
    damping: float = 0.0
    length: float | None = None
    at: Vec3 | None = None
    to_at: Vec3 | None = None

    def __post_init__(self) -> None:
        _check_ends(self, "A spring")
        if isinstance(self.link, Link):
            raise KeyposeError("A spring brings a link. It holds nothing in place: give a joint, and a spring by name.")
        object.__setattr__(
            self, "stiffness", parse_non_negative(self.stiffness, "The stiffness of a spring", MAX_STIFFNESS)
        )
        object.__setattr__(self, "damping", parse_non_negative(self.damping, "The damping of a spring", MAX_STIFFNESS))
        if self.length is not None:
            object.__setattr__(self, "length", parse_non_negative(self.length, "The length of a spring", 1e6))
        for name in ("at", "to_at"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, bounded_vector(getattr(self, name), f"The end of a spring ({name})"))


@dataclass(frozen=True)
class Reach(FollowerOptions):
    """What leads a body or a link to a `goal`: along a path as a follower, or to where another actor is, by its name.

    The rest of a figure follows. Muscles of its joints do what they can of it, and the rest is pulled from outside:
    with `help` [N] no more than that, with 0 nothing at all.
    """

    link: str
    goal: MotionPath | str
    _: KW_ONLY
    help: float | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.link, str) or not self.link:
            raise KeyposeError(f"A reach leads {short_repr(self.link)}. Give a name, as 'arm/hand'.", at=("link",))
        if isinstance(self.goal, str):
            if not self.goal or self.goal == self.link:
                raise KeyposeError(
                    f"A reach of {self.link!r} has the goal {short_repr(self.goal)}. Name another actor."
                )
        elif not isinstance(self.goal, MotionPath):
            raise KeyposeError(
                f"A reach has the goal {short_repr(self.goal)}. Give a MotionPath, or the name of an actor.",
                at=("goal",),
            )
        self._check_options("A reach", "goal", self.path)
        if self.help is not None:
            object.__setattr__(self, "help", parse_non_negative(self.help, "The help of a reach", MAX_STIFFNESS))

    @property
    def path(self) -> MotionPath:
        """What is raced along; to an actor, that stays where that is."""
        if isinstance(self.goal, MotionPath):
            return self.goal
        return MotionPath([Key(ORIGIN, relative_to=self.goal, pin=False)] * 2)

    @property
    def carriers(self) -> tuple[str, ...]:
        """The names of those who carry keys of that, each once."""
        return carrier_names(self.path)


Joint = Hinge | Ball | Pin
Connection = Hinge | Ball | Pin | Spring | Reach


def referenced_names(connection: Connection) -> tuple[str, ...]:
    """Whom a connection speaks of."""
    others = connection.carriers if isinstance(connection, Reach) else (connection.to,)
    return tuple(name for name in (connection.link, *others) if isinstance(name, str))


def rename_in_connection(connection: Connection, old: str, new: str) -> Connection:
    """A connection as it is when somebody is called otherwise."""
    attributes = ("link", "goal") if isinstance(connection, Reach) else ("link", "to")
    changes: dict[str, Any] = {
        attribute: new
        for attribute in attributes
        if isinstance(name := getattr(connection, attribute), str) and name == old
    }
    return replace(connection, **changes) if changes else connection


def check_no_joint_options(joint: Joint, what: str, remedy: str) -> None:
    """Refuse what only a joint has that brings a link; `what` says which joint it is, and `remedy` what to do."""
    for attribute in ("limits", "limit", "stiffness", "damping", "strength"):
        if getattr(joint, attribute, None):
            raise KeyposeError(
                f"{what} has {attribute}={short_repr(getattr(joint, attribute))}. {remedy}", at=(attribute,)
            )


def _check_joint(joint: Hinge | Ball, what: str) -> None:
    _check_ends(joint, what)
    object.__setattr__(joint, "at", bounded_vector(joint.at, f"The place of {what.lower()}"))
    for attribute in ("stiffness", "damping"):
        object.__setattr__(
            joint,
            attribute,
            parse_non_negative(getattr(joint, attribute), f"The {attribute} of {what.lower()}", MAX_STIFFNESS),
        )


def _check_ends(joint: Hinge | Ball | Pin | Spring, what: str) -> None:
    link, other = joint.link, joint.to
    if not isinstance(link, Link | str) or not link:
        raise KeyposeError(f"{what} holds {short_repr(link)}. Give a link, or a name.", at=("link",))
    if other is not None and (not isinstance(other, str) or not other):
        raise KeyposeError(f"{what} holds something to {short_repr(other)}. Give a name, or None.", at=("to",))
    if other == (link.name if isinstance(link, Link) else link):
        raise KeyposeError(f"{what} holds {other!r} to itself. Name another one.", at=("to",))
