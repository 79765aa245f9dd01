"""Checks of the connections of a stage, without MuJoCo."""

from collections.abc import Collection, Sequence

from keypose.errors import ErrorPath, KeyposeError, UnknownNameError, did_you_mean, short_repr
from keypose.physics.values.connections import (
    Ball,
    Connection,
    Hinge,
    Joint,
    Pin,
    Reach,
    Spring,
    check_no_joint_options,
)
from keypose.physics.values.movers import SURFACE_NAME, check_not_surface

CONNECTION_TYPES = (Hinge, Ball, Pin, Spring, Reach)


def check_connections(
    given: object,
    names: Sequence[str],
    body_names: Sequence[str],
    soft_names: Collection[str] = (),
    static_names: Collection[str] = (),
) -> tuple[Connection, ...]:
    """The connections of a stage, all of whom speak of somebody with a body; who is soft is held by springs only.

    Of two who are held together, one at least is not `static_names` in its place already.
    """
    if not isinstance(given, list | tuple):
        raise KeyposeError(
            f"A stage was given connections={short_repr(given)}. Give a list of them.", at=("connections",)
        )
    surface_names = [f"{name}/{SURFACE_NAME}" for name in soft_names]
    for index, connection in enumerate(given):
        with ErrorPath("connections", index):
            if not isinstance(connection, CONNECTION_TYPES):
                raise KeyposeError(
                    f"A connection is {short_repr(connection)}. Give a Hinge, Ball, Pin, Spring or Reach."
                )
            _check(connection, names, body_names, surface_names)
            for name in () if isinstance(connection, Spring) else (connection.link, getattr(connection, "to", None)):
                if name in soft_names:
                    what = type(connection).__name__.lower()
                    raise KeyposeError(
                        f"A {what} holds {name!r}, who is soft. Use a spring, or leave the stiffness out."
                    )
            if not isinstance(connection, Reach):
                _check_any_movable(connection, static_names)
    return tuple(given)


def _check_any_movable(connection: Joint | Spring, static_names: Collection[str]) -> None:
    """Refuse what holds nobody who could move: it would do nothing."""
    what = f"A {type(connection).__name__.lower()} holds {connection.link!r}"
    if connection.link in static_names and connection.to is None:
        raise KeyposeError(f"{what} to the world, and it stands still already. Leave that out, or let it be free.")
    if connection.link in static_names and connection.to in static_names:
        raise KeyposeError(
            f"{what} to {connection.to!r}, and both stand still. Leave that out, or let one of them be free."
        )


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
        with ErrorPath(word):
            check_not_surface(name, skins, f"{what} holds")
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
        with ErrorPath("goal"):
            check_not_surface(name, skins, f"{what} of {one.link!r} has a goal at")
    if isinstance(one, Hinge | Ball):
        check_no_joint_options(
            one,
            f"{what} between actors",
            "Only the joints of a figure do: make a figure of the two, or leave it out.",
        )
