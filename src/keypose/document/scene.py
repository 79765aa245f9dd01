"""How does a stage stand in a scene file, and how does one come out of it?

Whatever was said in Python is in the file and comes back as the same values; whatever is wrong with a file is told at
once, field by field, before anything is built.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from keypose.curves import Effect
from keypose.document.actors import SceneActor, actor_object
from keypose.document.fields.dynamic_splines import StageFields, fields_object
from keypose.document.figures import Connections, connection_object, link_names
from keypose.document.migration import VERSION, migrate
from keypose.document.motion.keys import tcb_fields
from keypose.document.problems import (
    INVALID,
    Dependency,
    Invalid,
    Problem,
    ReadContext,
    SceneError,
    TooManyProblemsError,
)
from keypose.document.schema.lists import ListOf, MapOf, NumberArray
from keypose.document.schema.records import Field, Record
from keypose.document.schema.value_types import Boolean, Schema, Text, text_problem
from keypose.document.scripts import SceneScript, build_stage, check_readable, meeting_object
from keypose.document.text.layout import encode_value
from keypose.document.text.parser import parse_text
from keypose.errors import KeyposeError, short_repr
from keypose.motion import LookAt
from keypose.stage import SceneStyle, Stage, find_previous_reads, ordered_steps

EFFECT = Record(
    "an effect",
    {
        **tcb_fields("the key", default=0),
        "along_chords": Field(Boolean(), "straight from key to key", default=False),
    },
    Effect,
)
STYLE = Record(
    "a style",
    {
        "tension": Field(tcb_fields("")["tension"].value_type, "the tension of paths that say none", default=0),
        "effects": Field(MapOf(EFFECT, "effects by name"), "effects of the scene's own, by their names"),
    },
    SceneStyle,
)


class Style:
    """What holds for the whole scene; the actors that are read after it know it."""

    def read(self, given: Any, path: str, context: ReadContext) -> SceneStyle | Invalid:
        """The style."""
        style: SceneStyle | Invalid = STYLE.read(given, path, context)
        context.style = None if isinstance(style, Invalid) else style
        return style

    def json_schema(self, definitions: Schema) -> Schema:
        """An object with a style's fields."""
        return STYLE.json_schema(definitions)


SCENE = Record(
    "a scene",
    {
        "$schema": Field(Text(), "where editors find the schema of scenes; it is not kept"),
        "style": Field(Style(), "what holds for the whole scene"),
        "gravity": Field(
            NumberArray(widths=(3, 3)), "the pull of the ground [m/s²]", default=[0, 0, 0], example=[0, -9.81, 0]
        ),
        "fields": Field(StageFields(), "what pushes, by its name"),
        "actors": Field(ListOf(SceneActor(), what="actors"), "who plays", is_required=True),
        "connections": Field(Connections(), "what holds bodies together"),
        "script": Field(SceneScript(), "who meets whom, and where"),
    },
)


def read(content: bytes, name: str = "The scene") -> Stage:
    """The stage that a scene file describes; a SceneError tells everything that is wrong with it."""
    context = ReadContext()
    stage = _read_stage(content, context)
    if isinstance(stage, Invalid):
        raise SceneError(tuple(context.problems), name, context.count)
    return stage


def find_problems(content: bytes) -> tuple[Problem, ...]:
    """What is wrong with a scene file; nothing if it can be read."""
    context = ReadContext()
    _read_stage(content, context)
    return tuple(context.problems)


def write(stage: Stage) -> Iterator[bytes]:
    """A stage as a scene file, piece by piece. What a file cannot hold is refused before the first piece."""
    return encode_value(scene_object(stage))


def scene_object(stage: Stage) -> dict[str, Any]:
    """A stage as plain values, in the order they are written."""
    return {**header_object(stage), "actors": [actor_object(actor, stage.style) for actor in stage.actors]}


def header_object(stage: Stage) -> dict[str, Any]:
    """What holds for a whole stage as plain values: everything but its actors."""
    values: dict[str, Any] = {"keypose": VERSION}
    if stage.style != SceneStyle():
        values["style"] = _style_object(stage.style)
    if any(stage.gravity):
        values["gravity"] = list(stage.gravity)
    if stage.fields:
        values["fields"] = fields_object(stage.fields)
    if stage.connections:
        values["connections"] = [connection_object(connection, stage.style) for connection in stage.connections]
    if stage.script:
        values["script"] = [meeting_object(meeting) for meeting in stage.script]
    return values


def scene_schema() -> Schema:
    """The scene file as JSON Schema, from which editors complete."""
    definitions: Schema = {}
    schema = SCENE.object_schema(definitions)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": "A Keypose scene",
        "properties": {"keypose": {"description": "the version of the file", "const": VERSION}, **schema["properties"]},
        "required": ["keypose", *schema["required"]],
        "$defs": dict(sorted(definitions.items())),
    }


def _read_stage(content: bytes, context: ReadContext) -> Stage | Invalid:
    try:
        return _read_content(content, context)
    except TooManyProblemsError:
        return INVALID


def _read_content(content: bytes, context: ReadContext) -> Stage | Invalid:
    scene = parse_text(content, context)
    current = INVALID if isinstance(scene, Invalid) else migrate(scene, context)
    if isinstance(current, Invalid):
        return INVALID
    context.field_names = ()
    values = SCENE.read_each(current, "", context)
    _check_actors(current, context)
    if isinstance(values, Invalid) or context.count:
        if not isinstance(values, Invalid):
            check_readable(values, context)
        return INVALID
    values.pop("$schema", None)
    return build_stage(values, context)


def _check_actors(scene: dict[str, Any], context: ReadContext) -> None:
    """Every name once, everybody spoken of there, no circles; told even where actors could not be read."""
    actors = scene.get("actors")
    entries = [entry if isinstance(entry, dict) else {} for entry in actors] if isinstance(actors, list) else []
    names = [entry.get("name") for entry in entries]
    seen: dict[Any, int] = {}
    for index, name in enumerate(names):
        if isinstance(name, str) and seen.setdefault(name, index) != index:
            text = f"Actor {seen[name]} is named {short_repr(name)} too. Give each its own name."
            context.add_problem(f"actors[{index}].name", text)
    links = [f"{name}/{link}" for name, index in seen.items() for link in link_names(entries[index].get("mover"))]
    context.check_references([*seen, *links])
    if len(seen) == len(names):
        dependencies = {name: _Dependencies(mover=entries[index].get("mover")) for name, index in seen.items()}
        for entry in context.references:
            if entry.source in seen and entry.name in seen and entry.name != entry.source:
                dependencies[entry.source].add(entry.dependency, entry.name)
        context.construct(ordered_steps, "", dependencies, dependencies, find_previous_reads(dependencies))


@dataclass
class _Dependencies:
    """What ties an actor of a file to others, as far as it could be read."""

    parent: str | None = None
    facing: LookAt | None = None
    carriers: tuple[str, ...] = ()
    mover: Any = None

    def add(self, dependency: Dependency | None, name: str) -> None:
        """Note what a field says."""
        if dependency is Dependency.PARENT:
            self.parent = name
        elif dependency is Dependency.LOOK_TARGET:
            self.facing = LookAt(name)
        elif dependency is Dependency.KEY_CARRIER and self.mover is None:  # followers read the last tick
            self.carriers = (*self.carriers, name)


def _style_object(style: SceneStyle) -> dict[str, Any]:
    values: dict[str, Any] = {"tension": style.tension} if style.tension else {}
    effects = {}
    for name, effect in style.effects.items():
        if problem := text_problem(name):
            raise KeyposeError(f"An effect is named {short_repr(name)}, which {problem}")
        effect_values = {key: value for key, value in effect.items() if key not in ("arrive", "leave") and value}
        effects[name] = {**effect_values, "along_chords": True} if "arrive" in effect else effect_values
    return {**values, "effects": effects} if effects else values
