"""Who is in a cast? Everybody by name, links of figures among them; and whoever they speak of must be there."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from keypose.errors import ErrorPath, KeyposeError, UnknownNameError, did_you_mean, short_repr
from keypose.motion import LookAt, RecordedMotion, mover_tick, watched_names
from keypose.stage.actor import Actor
from keypose.stage.resolve.systems import link_actors

SELF_REFERENCE_TEXT = {
    "has the parent": "is its own parent",
    "looks at": "looks at itself",
    "has a key relative to": "carries a key of its own",
}
OPTION_OF_VERB = {"has the parent": "parent", "looks at": "facing", "has a key relative to": "path", "watches": "mover"}


def index_by_name(actors: Sequence[Actor]) -> dict[str, Actor]:
    """These actors by their names, which differ."""
    if isinstance(actors, Actor | str | bytes | Mapping | np.ndarray) or not isinstance(actors, Iterable):
        raise KeyposeError(f"A stage was given {short_repr(actors)} as its actors. Give a list of actors.")
    found: dict[str, Actor] = {}
    for index, actor in enumerate(actors):
        if not isinstance(actor, Actor):
            raise KeyposeError(f"Actor {index} of a stage is {short_repr(actor)}. Give Actor(name, motion).")
        if actor.name in found:
            raise KeyposeError(f"Two actors are named {actor.name!r}. Give each its own name.")
        found[actor.name] = actor
    return found


def add_links(actors: Mapping[str, Actor]) -> dict[str, Actor]:
    """These actors, each followed by its links."""
    found: dict[str, Actor] = {}
    for name, actor in actors.items():
        links = link_actors(actor)
        for link in links:
            if link in actors:
                raise KeyposeError(f"An actor is named {link!r}, and so is a link of {name!r}. Give each its own name.")
        found |= {name: actor, **links}
    return found


def check_names(actor: Actor, known: Mapping[str, Actor]) -> None:
    """Everybody an actor speaks of must be there, and somebody else."""
    owner = f"Actor {actor.name!r}"
    references = [("has the parent", name) for name in (actor.parent,) if name is not None]
    if isinstance(actor.facing, LookAt):
        references.append(("looks at", actor.facing.name))
    references += [("has a key relative to", name) for name in actor.key_carriers]
    for verb, name in references:
        if name == actor.name:
            raise KeyposeError(
                f"{owner} {SELF_REFERENCE_TEXT[verb]}. Name another actor, or leave it out.",
                at=_error_path(actor, verb),
            )
    if actor.mover is not None:
        with ErrorPath("mover"):
            mover_tick(actor.mover, owner)
            references += [("watches", name) for name in watched_names(actor.mover, owner)]
    for verb, name in references:
        if name not in known:
            raise UnknownNameError(
                f"{owner} {verb} {short_repr(name)}, which is not on the stage.{did_you_mean(str(name), known)}",
                at=_error_path(actor, verb),
            )


def _error_path(actor: Actor, verb: str) -> tuple[str, ...]:
    """Which word of an actor says so: the path that is followed is its mover's."""
    option = OPTION_OF_VERB[verb]
    return ("mover", option) if option == "path" and actor.mover is not None else (option,)


def check_motion(actor: Actor) -> None:
    """A motion must fit into space."""
    motion = actor.motion
    if motion is None:
        return
    dimensions = motion.position.shape[-1] if isinstance(motion, RecordedMotion) else motion.path.shape[-1]
    if dimensions > 3:
        raise KeyposeError(f"Actor {actor.name!r} has places of {dimensions} numbers. On a stage there are three.")
