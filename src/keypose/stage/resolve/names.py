"""Who is in a cast? Everybody by name, links of figures among them; and whoever they speak of must be there."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from keypose.errors import At, KeyposeError, UnknownNameError, did_you_mean, shown
from keypose.motion.facing import LookAt
from keypose.motion.mover import tick_of, watched_by
from keypose.motion.take import Recorded
from keypose.stage.actor import Actor
from keypose.stage.resolve.systems import links_of

ITSELF = {
    "has the parent": "is its own parent",
    "looks at": "looks at itself",
    "has a key relative to": "carries a key of its own",
}
WORD = {"has the parent": "parent", "looks at": "facing", "has a key relative to": "path", "watches": "mover"}


def by_names(actors: Sequence[Actor]) -> dict[str, Actor]:
    """These actors by their names, which differ."""
    if isinstance(actors, Actor | str | bytes | Mapping | np.ndarray) or not isinstance(actors, Iterable):
        raise KeyposeError(f"A stage was given {shown(actors)} as its actors. Give a list of actors.")
    found: dict[str, Actor] = {}
    for index, actor in enumerate(actors):
        if not isinstance(actor, Actor):
            raise KeyposeError(f"Actor {index} of a stage is {shown(actor)}. Give Actor(name, motion).")
        if actor.name in found:
            raise KeyposeError(f"Two actors are named {actor.name!r}. Give each its own name.")
        found[actor.name] = actor
    return found


def with_links(actors: Mapping[str, Actor]) -> dict[str, Actor]:
    """These actors, each followed by its links."""
    found: dict[str, Actor] = {}
    for name, actor in actors.items():
        links = links_of(actor)
        for link in links:
            if link in actors:
                raise KeyposeError(f"An actor is named {link!r}, and so is a link of {name!r}. Give each its own name.")
        found |= {name: actor, **links}
    return found


def check_names(actor: Actor, known: Mapping[str, Actor]) -> None:
    """Everybody an actor speaks of must be there, and somebody else."""
    who = f"Actor {actor.name!r}"
    spoken = [("has the parent", name) for name in (actor.parent,) if name is not None]
    if isinstance(actor.facing, LookAt):
        spoken.append(("looks at", actor.facing.name))
    spoken += [("has a key relative to", name) for name in actor.carriers_of_keys]
    for verb, name in spoken:
        if name == actor.name:
            raise KeyposeError(f"{who} {ITSELF[verb]}. Name another actor, or leave it out.", at=_at(actor, verb))
    if actor.mover is not None:
        with At("mover"):
            tick_of(actor.mover, who)
            spoken += [("watches", name) for name in watched_by(actor.mover, who)]
    for verb, name in spoken:
        if name not in known:
            raise UnknownNameError(
                f"{who} {verb} {shown(name)}, which is not on the stage.{did_you_mean(str(name), known)}",
                at=_at(actor, verb),
            )


def _at(actor: Actor, verb: str) -> tuple[str, ...]:
    """Which word of an actor says so: the path that is followed is its mover's."""
    word = WORD[verb]
    return ("mover", word) if word == "path" and actor.mover is not None else (word,)


def check_motion(actor: Actor) -> None:
    """A motion must fit into space."""
    motion = actor.motion
    if motion is None:
        return
    dimensions = motion.position.shape[-1] if isinstance(motion, Recorded) else motion.path.shape[-1]
    if dimensions > 3:
        raise KeyposeError(f"Actor {actor.name!r} has places of {dimensions} numbers. On a stage there are three.")
