"""What pushes on the stage? Fields come, go, and get other names; whoever senses them follows."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from keypose.document import ANY_FIELD, Text, sense_object
from keypose.errors import KeyposeError, UnknownNameError, did_you_mean, short_repr
from keypose.fields import FieldOrTracker
from keypose.stage import Actor, SensingMover, Stage
from keypose.studio.edits.labels import join_words, parse_as
from keypose.studio.protocol import commands

MAX_NAMED_OPTIONS = 2  # words that are named in a step; more are a change of the whole
OPTION_LABELS = {"then": "placing", "text": "formula"}
"""What animators call a word of the scene file, where that is not its name."""


def add_field(stage: Stage, message: commands.AddField) -> tuple[Stage, str]:
    """One field more."""
    name = new_field_name(stage, message.name)
    field: FieldOrTracker = parse_as(ANY_FIELD, message.field, "", stage, f"Field {short_repr(name)}")
    return stage.changed(fields={**stage.fields, name: field}), f"add the field {name}"


def remove_field(stage: Stage, message: commands.RemoveField) -> tuple[Stage, str]:
    """One field less, and nobody senses it."""
    removed_name = message.field
    field_of(stage, removed_name)
    actors = [
        _rename_senses(actor, {name: name for name in _sensed_names(actor) if name != removed_name})
        for actor in stage.actors
    ]
    fields = {name: field for name, field in stage.fields.items() if name != removed_name}
    return stage.changed(actors=actors, fields=fields), f"remove the field {removed_name}"


def rename_field(stage: Stage, message: commands.RenameField) -> tuple[Stage, str]:
    """A field with another name, and all who sense it."""
    old = message.field
    field_of(stage, old)
    new: str = parse_as(Text(), message.name, "name", stage, f"Field {short_repr(old)}")
    _check_name_free(stage, new)
    actors = [
        _rename_senses(actor, {name: new if name == old else name for name in _sensed_names(actor)})
        for actor in stage.actors
    ]
    fields = {new if name == old else name: field for name, field in stage.fields.items()}
    return stage.changed(actors=actors, fields=fields), f"rename the field {old} to {new}"


def set_field(stage: Stage, message: commands.SetField) -> tuple[Stage, str]:
    """A field said anew as a whole; the step is named by what is said otherwise, if that is little."""
    name, before = message.field, field_of(stage, message.field)
    field: FieldOrTracker = parse_as(ANY_FIELD, message.value, "", stage, f"Field {short_repr(name)}")
    return with_field(stage, name, field), _change_label(before, field, name)


def field_of(stage: Stage, name: str) -> FieldOrTracker:
    """A field of the stage by its name."""
    if name not in stage.fields:
        raise UnknownNameError(f"There is no field {short_repr(name)} on the stage.{did_you_mean(name, stage.fields)}")
    found: FieldOrTracker = stage.fields[name]
    return found


def with_field(stage: Stage, name: str, field: FieldOrTracker) -> Stage:
    """The stage on which a field is another."""
    return stage.changed(fields={**stage.fields, name: field})


def new_field_name(stage: Stage, given: str) -> str:
    """A name for a new field, which no other has."""
    name: str = parse_as(Text(), given, "name", stage, "The new field")
    _check_name_free(stage, name)
    return name


def _check_name_free(stage: Stage, name: str) -> None:
    if name in stage.fields:
        raise KeyposeError(f"A field is named {short_repr(name)} already. Give each its own name.")


def _sensed_names(actor: Actor) -> Iterator[str]:
    """The names of the fields an actor senses."""
    if isinstance(actor.mover, SensingMover):
        yield from (one for one in actor.mover.senses if isinstance(one, str))


def _rename_senses(actor: Actor, names: Mapping[str, str]) -> Actor:
    """An actor that senses those fields that have a name here, by that name; itself if nothing changes."""
    mover = actor.mover
    if not isinstance(mover, SensingMover) or all(names.get(name) == name for name in _sensed_names(actor)):
        return actor
    senses = {
        (names[one] if isinstance(one, str) else one): affinity
        for one, affinity in mover.senses.items()
        if not isinstance(one, str) or one in names
    }
    return actor.changed(motion_or_mover=replace(mover, senses=senses))


def _change_label(before: FieldOrTracker, after: FieldOrTracker, name: str) -> str:
    """What to call the step from one field to another of the same name."""
    try:
        one, two = (sense_object(field, "A field") for field in (before, after))
    except KeyposeError:  # something of somebody's own, which no file knows
        one, two = None, None
    if not isinstance(one, dict) or not isinstance(two, dict) or one["kind"] != two["kind"]:
        return f"change the field {name}"
    options = _changed_options(one, two)
    if options == ["parameters"] and one.keys() == two.keys():
        options = _changed_options(one["parameters"], two["parameters"])
    if not 0 < len(options) <= MAX_NAMED_OPTIONS:
        return f"change the field {name}"
    return f"{join_words([OPTION_LABELS.get(option, option) for option in options])} of the field {name}"


def _changed_options(one: Mapping[str, Any], two: Mapping[str, Any]) -> list[str]:
    return [option for option in {**one, **two} if one.get(option) != two.get(option)]
