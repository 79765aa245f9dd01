"""What pushes on the stage? Fields come, go, and get other names; whoever senses them follows."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from keypose.document.fields.dynamic_splines import ANY_FIELD, sensed_object
from keypose.document.schema.value_types import Text
from keypose.errors import KeyposeError, UnknownNameError, did_you_mean, shown
from keypose.fields.splines.dynamic_spline import Sensed
from keypose.stage.actor import Actor
from keypose.stage.resolve.systems import Senser
from keypose.stage.stage import Stage
from keypose.studio.edits.labels import listed, read_as
from keypose.studio.protocol import commands as say

FEW = 2  # words that are named in a step; more are a change of the whole
WORDS = {"then": "placing", "text": "formula"}
"""What animators call a word of the scene file, where that is not its name."""


def added(stage: Stage, message: say.AddField) -> tuple[Stage, str]:
    """One field more."""
    name = free_name(stage, message.name)
    field: Sensed = read_as(ANY_FIELD, message.field, "", stage, f"Field {shown(name)}")
    return stage.changed(fields={**stage.fields, name: field}), f"add the field {name}"


def removed(stage: Stage, message: say.RemoveField) -> tuple[Stage, str]:
    """One field less, and nobody senses it."""
    gone = message.field
    field_of(stage, gone)
    actors = [_sensing(actor, {name: name for name in _named(actor) if name != gone}) for actor in stage.actors]
    fields = {name: field for name, field in stage.fields.items() if name != gone}
    return stage.changed(actors=actors, fields=fields), f"remove the field {gone}"


def renamed(stage: Stage, message: say.RenameField) -> tuple[Stage, str]:
    """A field with another name, and all who sense it."""
    old = message.field
    field_of(stage, old)
    new: str = read_as(Text(), message.name, "name", stage, f"Field {shown(old)}")
    _check_free(stage, new)
    actors = [_sensing(actor, {name: new if name == old else name for name in _named(actor)}) for actor in stage.actors]
    fields = {new if name == old else name: field for name, field in stage.fields.items()}
    return stage.changed(actors=actors, fields=fields), f"rename the field {old} to {new}"


def said(stage: Stage, message: say.SetField) -> tuple[Stage, str]:
    """A field said anew as a whole; the step is named by what is said otherwise, if that is little."""
    name, before = message.field, field_of(stage, message.field)
    field: Sensed = read_as(ANY_FIELD, message.said, "", stage, f"Field {shown(name)}")
    return with_field(stage, name, field), _difference(before, field, name)


def field_of(stage: Stage, name: str) -> Sensed:
    """A field of the stage by its name."""
    if name not in stage.fields:
        raise UnknownNameError(f"There is no field {shown(name)} on the stage.{did_you_mean(name, stage.fields)}")
    found: Sensed = stage.fields[name]
    return found


def with_field(stage: Stage, name: str, field: Sensed) -> Stage:
    """The stage on which a field is another."""
    return stage.changed(fields={**stage.fields, name: field})


def free_name(stage: Stage, given: str) -> str:
    """A name for a new field, which no other has."""
    name: str = read_as(Text(), given, "name", stage, "The new field")
    _check_free(stage, name)
    return name


def _check_free(stage: Stage, name: str) -> None:
    if name in stage.fields:
        raise KeyposeError(f"A field is named {shown(name)} already. Give each its own name.")


def _named(actor: Actor) -> Iterator[str]:
    """The names of the fields an actor senses."""
    if isinstance(actor.mover, Senser):
        yield from (one for one in actor.mover.senses if isinstance(one, str))


def _sensing(actor: Actor, names: Mapping[str, str]) -> Actor:
    """An actor that senses those fields that have a name here, by that name; itself if nothing changes."""
    mover = actor.mover
    if not isinstance(mover, Senser) or all(names.get(name) == name for name in _named(actor)):
        return actor
    senses = {
        (names[one] if isinstance(one, str) else one): affinity
        for one, affinity in mover.senses.items()
        if not isinstance(one, str) or one in names
    }
    return actor.changed(motion_or_mover=replace(mover, senses=senses))


def _difference(before: Sensed, after: Sensed, name: str) -> str:
    """What to call the step from one field to another of the same name."""
    try:
        one, two = (sensed_object(field, "A field") for field in (before, after))
    except KeyposeError:  # something of somebody's own, which no file knows
        one, two = None, None
    if not isinstance(one, dict) or not isinstance(two, dict) or one["kind"] != two["kind"]:
        return f"change the field {name}"
    words = _other(one, two)
    if words == ["parameters"] and one.keys() == two.keys():
        words = _other(one["parameters"], two["parameters"])
    if not 0 < len(words) <= FEW:
        return f"change the field {name}"
    return f"{listed([WORDS.get(word, word) for word in words])} of the field {name}"


def _other(one: Mapping[str, Any], two: Mapping[str, Any]) -> list[str]:
    return [word for word in {**one, **two} if one.get(word) != two.get(word)]
