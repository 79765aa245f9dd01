"""Checks of the connections of a stage, without MuJoCo."""

from collections.abc import Collection, Sequence

from keypose.errors import At, KeyposeError, UnknownNameError, did_you_mean, shown
from keypose.physics.values.connections import Ball, Connection, Hinge, Joint, Pin, Reach, Spring, check_plain
from keypose.physics.values.movers import SKIN, not_a_skin

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
