"""Who is on the stage? Actors come, go, and get other names; whoever speaks of them follows."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np

from keypose.curves import KeyColumns, Keys, MotionPath, path_from_geometry
from keypose.document import ACTOR, Record, SceneActor, Text, actor_object
from keypose.errors import KeyposeError
from keypose.fields import rename_in_field, rename_in_senses
from keypose.maths import Rope
from keypose.motion import LookAt, Motion, Mover, SystemMover, watched_names
from keypose.physics import Connection, Follow, Reach, referenced_names, rename_in_connection
from keypose.stage import Actor, SensingMover, Stage, link_actors
from keypose.studio.edits.goals import rename_in_script as meeting
from keypose.studio.edits.goals import without_actors
from keypose.studio.edits.labels import join_words, merge_options, parse_as
from keypose.studio.protocol import commands

ACTOR_OPTIONS = ("parent", "facing", "look")
ACTOR_FORM = Record("an actor", {word: ACTOR.fields[word] for word in ACTOR_OPTIONS})


def add_actor(stage: Stage, message: commands.AddActor) -> tuple[Stage, str]:
    """One actor more."""
    actor: Actor = parse_as(SceneActor(), message.actor, "", stage, "The new actor")
    _check_name_free(stage, actor.name)
    return stage.with_actor(actor), f"add {actor.name}"


def remove_actor(stage: Stage, message: commands.RemoveActor) -> tuple[Stage, str]:
    """One actor less, if nobody needs it."""
    target = stage[message.actor]
    reasons = list(dict.fromkeys(_reference_reasons(stage, target.name)))
    if reasons:
        raise KeyposeError(f"Actor {target.name!r} cannot go: {join_words(reasons)}. Change that first.")
    remaining = [actor for actor in stage.actors if actor is not target]
    script = without_actors(stage.script, {target.name, *link_actors(target)})
    return stage.changed(actors=remaining, script=script or None), f"remove {target.name}"


def rename_actor(stage: Stage, message: commands.RenameActor) -> tuple[Stage, str]:
    """An actor with another name, and all who speak of it."""
    old = stage[message.actor].name
    new: str = parse_as(Text(), message.name, "name", stage, f"Actor {old!r}")
    _check_name_free(stage, new)
    actors, fields, connections, script = stage.actors, stage.fields, stage.connections, stage.script
    for link in ("", *(name.removeprefix(old) for name in link_actors(stage[old]))):
        names = old + link, new + link
        actors = tuple(_rename_references(actor, *names) for actor in actors)
        fields = {name: rename_in_field(field, *names) for name, field in fields.items()}
        connections = tuple(_rename_in_connection(one, *names) for one in connections)
        script = meeting(script, *names)
    return stage.changed(actors=actors, fields=fields, connections=connections, script=script), f"rename {old} to {new}"


def set_actor(stage: Stage, message: commands.SetActor) -> tuple[Stage, str]:
    """An actor that stands elsewhere, faces or looks otherwise."""
    actor = stage[message.actor]
    if not message.changes:
        raise KeyposeError(f"Nothing was said of {actor.name!r}. Say its parent, its facing or its look.")
    spec = actor_object(replace(actor, motion_or_mover=_PLACEHOLDER_MOTION), stage.style)
    before = {option: spec[option] for option in ACTOR_OPTIONS if option in spec}
    parsed = parse_as(ACTOR_FORM, merge_options(before, message.changes), "", stage, f"Actor {actor.name!r}")
    changes = {option: parsed.get(option) for option in message.changes}
    return stage.with_actor(actor.changed(**changes)), f"{join_words(list(message.changes))} of {actor.name}"


_PLACEHOLDER_MOTION = Motion(MotionPath([(0.0,), (1.0,)]), duration=1.0)
"""In place of a long path that is not asked for."""


def _check_name_free(stage: Stage, name: str) -> None:
    if name in stage:
        raise KeyposeError(f"An actor is named {name!r} already. Give each its own name.")


def _reference_reasons(stage: Stage, name: str) -> Iterator[str]:
    """Sentences' parts about everybody who speaks of an actor."""
    for actor in stage.actors:
        if actor.parent == name:
            yield f"{actor.name!r} stands on it"
        if isinstance(actor.facing, LookAt) and actor.facing.name == name:
            yield f"{actor.name!r} looks at it"
        if name in actor.key_carriers:
            yield f"{actor.name!r} has a key relative to it"
        if actor.mover is not None and name in watched_names(actor.mover, f"Actor {actor.name!r}"):
            yield f"{actor.name!r} watches it"
    for field_name, field in stage.fields.items():
        if name in field.names:
            yield f"the field {field_name!r} speaks of it"
    links = (name, *link_actors(stage[name]))
    for one in stage.connections:
        if any(referenced_name in links for referenced_name in referenced_names(one)):
            yield f"a {type(one).__name__.lower()} holds it"


def _rename_references(actor: Actor, old: str, new: str) -> Actor:
    """An actor as it is when another, or itself, is called otherwise."""
    changes: dict[str, Any] = {}
    if actor.name == old:
        changes["name"] = new
    if actor.parent == old:
        changes["parent"] = new
    if isinstance(actor.facing, LookAt) and actor.facing.name == old:
        changes["facing"] = LookAt(new)
    if old in actor.key_carriers:
        actor = replace(actor, motion_or_mover=_rename_carrier(actor, old, new))
    if actor.mover is not None and old in watched_names(actor.mover, f"Actor {actor.name!r}"):
        changes["motion_or_mover"] = _rename_in_mover(actor, actor.mover, old, new)
    return replace(actor, **changes) if changes else actor


def _rename_carrier(actor: Actor, old: str, new: str) -> Motion | Follow:
    """The motion or the follower with a carrier called otherwise: nothing about its shape changes."""
    if isinstance(actor.mover, Follow):
        return replace(actor.mover, path=_rename_path_carrier(actor.mover.path, old, new))
    assert actor.motion is not None
    path, timing, duration, start, capture, outside = actor.motion.spec
    new_path = _rename_path_carrier(path, old, new)
    return Motion(new_path, timing, duration=duration, start=start, capture=dict(capture), outside=outside)


def _rename_in_connection(one: Connection, old: str, new: str) -> Connection:
    """A connection as it is when somebody is called otherwise."""
    if isinstance(one, Reach) and isinstance(one.goal, MotionPath) and old in one.carriers:
        one = replace(one, goal=_rename_path_carrier(one.goal, old, new))
    return rename_in_connection(one, old, new)


def _rename_path_carrier(path: MotionPath, old: str, new: str) -> MotionPath:
    columns = path.keys.rope.whole
    names = np.array([new if name == old else name for name in columns.arrays["relative_to"]], dtype=object)
    keys = Keys(Rope(KeyColumns(len(columns), columns.arrays | {"relative_to": names})))
    return path_from_geometry(path.geometry.with_keys(keys))


def _rename_in_mover(actor: Actor, mover: Mover[Any] | SystemMover, old: str, new: str) -> Mover[Any] | SystemMover:
    """The mover watching somebody of another name: told by those of its fields that decide whom it watches."""
    if isinstance(mover, SensingMover):
        return rename_in_senses(mover, old, new)
    owner = f"Actor {actor.name!r}"
    original: Any = mover
    new_mover = original
    if is_dataclass(original):
        for field in fields(original):
            value = getattr(original, field.name)
            other = _rename_value(value, old, new)
            if field.init and other != value:
                candidate: Any = replace(new_mover, **{field.name: other})
                new_mover = (
                    candidate if watched_names(candidate, owner) != watched_names(new_mover, owner) else new_mover
                )
    if old in watched_names(new_mover, owner) or new not in watched_names(new_mover, owner):
        raise KeyposeError(
            f"The mover of {actor.name!r} watches {old!r} and holds that name inside, where it cannot be changed. "
            f"Keep the name, or give {actor.name!r} another mover in Python first."
        )
    assert isinstance(new_mover, Mover)
    return new_mover


def _rename_value(value: Any, old: str, new: str) -> Any:
    if isinstance(value, tuple | list):
        return type(value)(new if one == old else one for one in value)
    return new if isinstance(value, str) and value == old else value
