"""How does a stage stand in a scene file, and how does one come out of it?

Whatever was said in Python is in the file and comes back as the same values; whatever is wrong with a file is told at
once, field by field, before anything is built.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from keypose.curves.effects import Effect
from keypose.document.actors import SceneActor, actor_object
from keypose.document.fields.dynamic_splines import StageFields, fields_object
from keypose.document.figures import Connections, connection_object, links_in
from keypose.document.migration import VERSION, migrated
from keypose.document.motion.keys import shaping
from keypose.document.problems import BAD, Bad, EnoughError, Problem, Reading, SceneError, Tie
from keypose.document.schema.lists import ListOf, Named, Numbers
from keypose.document.schema.records import Field, Record
from keypose.document.schema.value_types import Flag, Schema, Text, unwritable
from keypose.document.scripts import SceneScript, meeting_object, staged
from keypose.document.text.layout import written
from keypose.document.text.parser import parsed
from keypose.errors import KeyposeError, shown
from keypose.motion.facing import LookAt
from keypose.stage.evaluate.dependencies import late_steps, steps_for
from keypose.stage.scene_style import SceneStyle
from keypose.stage.stage import Stage

EFFECT = Record(
    "an effect",
    {
        **shaping("the key", usual=0),
        "along_chords": Field(Flag(), "straight from key to key", usual=False),
    },
    Effect,
)
STYLE = Record(
    "a style",
    {
        "tension": Field(shaping("")["tension"].form, "the tension of paths that say none", usual=0),
        "effects": Field(Named(EFFECT, "effects by name"), "effects of the scene's own, by their names"),
    },
    SceneStyle,
)


class Style:
    """What holds for the whole scene; the actors that are read after it know it."""

    def read(self, given: Any, path: str, reading: Reading) -> SceneStyle | Bad:
        """The style."""
        style: SceneStyle | Bad = STYLE.read(given, path, reading)
        reading.style = None if isinstance(style, Bad) else style
        return style

    def schema(self, named: Schema) -> Schema:
        """An object with a style's fields."""
        return STYLE.schema(named)


SCENE = Record(
    "a scene",
    {
        "$schema": Field(Text(), "where editors find the schema of scenes; it is not kept"),
        "style": Field(Style(), "what holds for the whole scene"),
        "gravity": Field(
            Numbers(widths=(3, 3)), "the pull of the ground [m/s²]", usual=[0, 0, 0], example=[0, -9.81, 0]
        ),
        "fields": Field(StageFields(), "what pushes, by its name"),
        "actors": Field(ListOf(SceneActor(), what="actors"), "who plays", needed=True),
        "connections": Field(Connections(), "what holds bodies together"),
        "script": Field(SceneScript(), "who meets whom, and where"),
    },
)


def read(content: bytes, name: str = "The scene") -> Stage:
    """The stage that a scene file describes; a SceneError tells everything that is wrong with it."""
    reading = Reading()
    stage = _stage(content, reading)
    if isinstance(stage, Bad):
        raise SceneError(tuple(reading.problems), name, reading.count)
    return stage


def problems_of(content: bytes) -> tuple[Problem, ...]:
    """What is wrong with a scene file; nothing if it can be read."""
    reading = Reading()
    _stage(content, reading)
    return tuple(reading.problems)


def write(stage: Stage) -> Iterator[bytes]:
    """A stage as a scene file, piece by piece. What a file cannot hold is refused before the first piece."""
    return written(scene_object(stage))


def scene_object(stage: Stage) -> dict[str, Any]:
    """A stage as plain values, in the order they are written."""
    return {**head_object(stage), "actors": [actor_object(actor, stage.style) for actor in stage.actors]}


def head_object(stage: Stage) -> dict[str, Any]:
    """What holds for a whole stage as plain values: everything but its actors."""
    made: dict[str, Any] = {"keypose": VERSION}
    if stage.style != SceneStyle():
        made["style"] = _style_object(stage.style)
    if any(stage.gravity):
        made["gravity"] = list(stage.gravity)
    if stage.fields:
        made["fields"] = fields_object(stage.fields)
    if stage.connections:
        made["connections"] = [connection_object(one, stage.style) for one in stage.connections]
    if stage.script:
        made["script"] = [meeting_object(meeting) for meeting in stage.script]
    return made


def schema() -> Schema:
    """The scene file as JSON Schema, from which editors complete."""
    named: Schema = {}
    made = SCENE.plain_schema(named)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **made,
        "title": "A Keypose scene",
        "properties": {"keypose": {"description": "the version of the file", "const": VERSION}, **made["properties"]},
        "required": ["keypose", *made["required"]],
        "$defs": dict(sorted(named.items())),
    }


def _stage(content: bytes, reading: Reading) -> Stage | Bad:
    try:
        return _read(content, reading)
    except EnoughError:
        return BAD


def _read(content: bytes, reading: Reading) -> Stage | Bad:
    scene = parsed(content, reading)
    current = BAD if isinstance(scene, Bad) else migrated(scene, reading)
    if isinstance(current, Bad):
        return BAD
    reading.fields = ()
    said = SCENE.said(current, "", reading)
    _check_cast(current, reading)
    if isinstance(said, Bad) or reading.count:
        return BAD
    said.pop("$schema", None)
    return staged(said, reading)


def _check_cast(scene: dict[str, Any], reading: Reading) -> None:
    """Every name once, everybody spoken of there, no circles; told even where actors could not be read."""
    actors = scene.get("actors")
    cast = [one if isinstance(one, dict) else {} for one in actors] if isinstance(actors, list) else []
    given = [one.get("name") for one in cast]
    seen: dict[Any, int] = {}
    for index, name in enumerate(given):
        if isinstance(name, str) and seen.setdefault(name, index) != index:
            text = f"Actor {seen[name]} is named {shown(name)} too. Give each its own name."
            reading.wrong(f"actors[{index}].name", text)
    links = [f"{name}/{link}" for name, index in seen.items() for link in links_in(cast[index].get("mover"))]
    reading.check_references([*seen, *links])
    if len(seen) == len(given):
        bonds = {name: _Bonds(mover=cast[index].get("mover")) for name, index in seen.items()}
        for one in reading.references:
            if one.speaker in seen and one.name in seen and one.name != one.speaker:
                bonds[one.speaker].tie(one.tie, one.name)
        reading.made(steps_for, "", bonds, bonds, late_steps(bonds))


@dataclass
class _Bonds:
    """What ties an actor of a file to others, as far as it could be read."""

    parent: str | None = None
    facing: LookAt | None = None
    carriers: tuple[str, ...] = ()
    mover: Any = None

    def tie(self, tie: Tie | None, name: str) -> None:
        """Note what a field says."""
        if tie is Tie.PARENT:
            self.parent = name
        elif tie is Tie.LOOKED_AT:
            self.facing = LookAt(name)
        elif tie is Tie.CARRIES_KEYS and self.mover is None:  # followers read the last tick
            self.carriers = (*self.carriers, name)


def _style_object(style: SceneStyle) -> dict[str, Any]:
    made: dict[str, Any] = {"tension": style.tension} if style.tension else {}
    effects = {}
    for name, effect in style.effects.items():
        if problem := unwritable(name):
            raise KeyposeError(f"An effect is named {shown(name)}, which {problem}")
        said = {word: value for word, value in effect.items() if word not in ("arrive", "leave") and value}
        effects[name] = {**said, "along_chords": True} if "arrive" in effect else said
    return {**made, "effects": effects} if effects else made
