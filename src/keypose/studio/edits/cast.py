"""Who is on the stage? Actors come, go, and get other names; whoever speaks of them follows."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np

from keypose.curves.key_columns import Columns, Keys
from keypose.curves.path.motion_path import MotionPath
from keypose.document.actors import ACTOR, SceneActor, actor_object
from keypose.document.schema.records import Record
from keypose.document.schema.value_types import Text
from keypose.errors import KeyposeError
from keypose.fields.rename import sensing, speaking_of
from keypose.maths.rope import Rope
from keypose.motion.facing import LookAt
from keypose.motion.motion import Motion
from keypose.motion.mover import Mover, watched_by
from keypose.motion.system import Member
from keypose.physics.values.connections import Connection, Reach, holding, spoken_of
from keypose.physics.values.movers import Follow
from keypose.stage.actor import Actor
from keypose.stage.resolve.systems import Senser, links_of
from keypose.stage.stage import Stage
from keypose.studio.edits.goals import speaking_of as meeting
from keypose.studio.edits.goals import without_actors
from keypose.studio.edits.labels import listed, merged, read_as
from keypose.studio.protocol import commands as say

WORDS = ("parent", "facing", "look")
ABOUT = Record("an actor", {word: ACTOR.fields[word] for word in WORDS})
SHAPE = ("_rope", "_shape", "_adjust", "_all_placed", "_facings", "_way", "_metric")


def added(stage: Stage, message: say.AddActor) -> tuple[Stage, str]:
    """One actor more."""
    actor: Actor = read_as(SceneActor(), message.actor, "", stage, "The new actor")
    _check_free(stage, actor.name)
    return stage.with_actor(actor), f"add {actor.name}"


def removed(stage: Stage, message: say.RemoveActor) -> tuple[Stage, str]:
    """One actor less, if nobody needs it."""
    gone = stage[message.actor]
    needed = list(dict.fromkeys(_who_needs(stage, gone.name)))
    if needed:
        raise KeyposeError(f"Actor {gone.name!r} cannot go: {listed(needed)}. Change that first.")
    rest = [actor for actor in stage.actors if actor is not gone]
    script = without_actors(stage.script, {gone.name, *links_of(gone)})
    return stage.changed(actors=rest, script=script or None), f"remove {gone.name}"


def renamed(stage: Stage, message: say.RenameActor) -> tuple[Stage, str]:
    """An actor with another name, and all who speak of it."""
    old = stage[message.actor].name
    new: str = read_as(Text(), message.name, "name", stage, f"Actor {old!r}")
    _check_free(stage, new)
    actors, fields, held, script = stage.actors, stage.fields, stage.connections, stage.script
    for link in ("", *(name.removeprefix(old) for name in links_of(stage[old]))):
        names = old + link, new + link
        actors = tuple(_speaking_of(actor, *names) for actor in actors)
        fields = {name: speaking_of(field, *names) for name, field in fields.items()}
        held = tuple(_holding(one, *names) for one in held)
        script = meeting(script, *names)
    return stage.changed(actors=actors, fields=fields, connections=held, script=script), f"rename {old} to {new}"


def said(stage: Stage, message: say.SetActor) -> tuple[Stage, str]:
    """An actor that stands elsewhere, faces or looks otherwise."""
    actor = stage[message.actor]
    if not message.changes:
        raise KeyposeError(f"Nothing was said of {actor.name!r}. Say its parent, its facing or its look.")
    plain = actor_object(replace(actor, motion_or_mover=_ANY), stage.style)
    before = {word: plain[word] for word in WORDS if word in plain}
    read = read_as(ABOUT, merged(before, message.changes), "", stage, f"Actor {actor.name!r}")
    changes = {word: read.get(word) for word in message.changes}
    return stage.with_actor(actor.changed(**changes)), f"{listed(list(message.changes))} of {actor.name}"


_ANY = Motion(MotionPath([(0.0,), (1.0,)]), duration=1.0)
"""In place of a long path that is not asked for."""


def _check_free(stage: Stage, name: str) -> None:
    if name in stage:
        raise KeyposeError(f"An actor is named {name!r} already. Give each its own name.")


def _who_needs(stage: Stage, name: str) -> Iterator[str]:
    """Sentences' parts about everybody who speaks of an actor."""
    for actor in stage.actors:
        if actor.parent == name:
            yield f"{actor.name!r} stands on it"
        if isinstance(actor.facing, LookAt) and actor.facing.name == name:
            yield f"{actor.name!r} looks at it"
        if name in actor.carriers_of_keys:
            yield f"{actor.name!r} has a key relative to it"
        if actor.mover is not None and name in watched_by(actor.mover, f"Actor {actor.name!r}"):
            yield f"{actor.name!r} watches it"
    for called, field in stage.fields.items():
        if name in field.names:
            yield f"the field {called!r} speaks of it"
    links = (name, *links_of(stage[name]))
    for one in stage.connections:
        if any(spoken in links for spoken in spoken_of(one)):
            yield f"a {type(one).__name__.lower()} holds it"


def _speaking_of(actor: Actor, old: str, new: str) -> Actor:
    """An actor as it is when another, or itself, is called otherwise."""
    changes: dict[str, Any] = {}
    if actor.name == old:
        changes["name"] = new
    if actor.parent == old:
        changes["parent"] = new
    if isinstance(actor.facing, LookAt) and actor.facing.name == old:
        changes["facing"] = LookAt(new)
    if old in actor.carriers_of_keys:
        actor = replace(actor, motion_or_mover=_carried_by(actor, old, new))
    if actor.mover is not None and old in watched_by(actor.mover, f"Actor {actor.name!r}"):
        changes["motion_or_mover"] = _watching(actor, actor.mover, old, new)
    return replace(actor, **changes) if changes else actor


def _carried_by(actor: Actor, old: str, new: str) -> Motion | Follow:
    """The motion or the follower with a carrier called otherwise: nothing about its shape changes."""
    if isinstance(actor.mover, Follow):
        return replace(actor.mover, path=_path_carried_by(actor.mover.path, old, new))
    assert actor.motion is not None
    path, timing, duration, start, capture, outside = actor.motion.said
    same = _path_carried_by(path, old, new)
    return Motion(same, timing, duration=duration, start=start, capture=dict(capture), outside=outside)


def _holding(one: Connection, old: str, new: str) -> Connection:
    """A connection as it is when somebody is called otherwise."""
    if isinstance(one, Reach) and isinstance(one.goal, MotionPath) and old in one.carriers:
        one = replace(one, goal=_path_carried_by(one.goal, old, new))
    return holding(one, old, new)


def _path_carried_by(path: MotionPath, old: str, new: str) -> MotionPath:
    whole = path.keys.rope.whole
    names = np.array([new if name == old else name for name in whole.of["relative_to"]], dtype=object)
    parts = {word: path.__dict__[word] for word in SHAPE if word in path.__dict__}
    keys = Keys(Rope(Columns(len(whole), whole.of | {"relative_to": names})))
    return MotionPath._made(keys, path.style, **parts)


def _watching(actor: Actor, mover: Mover[Any] | Member, old: str, new: str) -> Mover[Any] | Member:
    """The mover watching somebody of another name: told by those of its fields that decide whom it watches."""
    if isinstance(mover, Senser):
        return sensing(mover, old, new)
    who = f"Actor {actor.name!r}"
    given: Any = mover
    made = given
    if is_dataclass(given):
        for field in fields(given):
            value = getattr(given, field.name)
            other = _named_otherwise(value, old, new)
            if field.init and other != value:
                tried: Any = replace(made, **{field.name: other})
                made = tried if watched_by(tried, who) != watched_by(made, who) else made
    if old in watched_by(made, who) or new not in watched_by(made, who):
        raise KeyposeError(
            f"The mover of {actor.name!r} watches {old!r} and holds that name inside, where it cannot be changed. "
            f"Keep the name, or give {actor.name!r} another mover in Python first."
        )
    assert isinstance(made, Mover)
    return made


def _named_otherwise(value: Any, old: str, new: str) -> Any:
    if isinstance(value, tuple | list):
        return type(value)(new if one == old else one for one in value)
    return new if isinstance(value, str) and value == old else value
