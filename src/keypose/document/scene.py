"""How does a stage stand in a scene file, and how does one come out of it?

Whatever was said in Python is in the file and comes back as the same values; whatever is wrong with a file is told at
once, field by field, before anything is built.
"""

from collections.abc import Iterator
from typing import Any

from keypose.curves.effects import Effect
from keypose.document.forms import Field, Flag, ListOf, Named, Number, Numbers, Record, Schema, Text, inside
from keypose.document.keys import shaping
from keypose.document.kinds import FACINGS, LOOKS, MOVERS, Kind
from keypose.document.lines import written
from keypose.document.migrate import VERSION, migrated
from keypose.document.motions import FRAMES, MOTION, motion, motion_object
from keypose.document.problems import BAD, Bad, Problem, Reading, SceneError
from keypose.document.text import parsed
from keypose.motion.facing import FaceForward, LookAt
from keypose.stage.actor import Actor, Camera
from keypose.stage.stage import Stage
from keypose.stage.style import SceneStyle

FACINGS.add(
    Kind(
        "forward",
        FaceForward,
        Record("a facing forward", {"bank": Field(Number(), "how much it leans into curves")}, FaceForward),
        lambda facing: {"bank": facing.bank} if facing.bank else {},
    )
)
FACINGS.add(
    Kind(
        "look_at",
        LookAt,
        Record("a look at somebody", {"name": Field(Text("looks at"), "the actor to look at", needed=True)}, LookAt),
        lambda facing: {"name": facing.name},
    )
)
LOOKS.add(
    Kind(
        "camera",
        Camera,
        Record("a camera", {"fov": Field(Number(above=0.0, most=179.999), "its field of view [degrees]")}, Camera),
        lambda look: {"fov": look.fov},
    )
)


class Look:
    """What an actor looks like: a colour as a text, or a kind of look."""

    def read(self, given: Any, path: str, reading: Reading) -> Any | Bad:
        """The look."""
        return Text().read(given, path, reading) if isinstance(given, str) else LOOKS.read(given, path, reading)

    @property
    def schema(self) -> Schema:
        """A text or one of the kinds."""
        return {"anyOf": [Text().schema, *LOOKS.schema["anyOf"]]}


ACTOR = Record(
    "an actor",
    {
        "name": Field(Text(), "the name by which the others know it", needed=True),
        "parent": Field(Text("stands on"), "the actor it stands on"),
        "facing": Field(FACINGS, "which way it looks where its keys do not say"),
        "look": Field(Look(), "its colour, or what it looks like"),
        **MOTION,
        "frames": Field(FRAMES, "what was recorded, in place of a path"),
        "mover": Field(MOVERS, "what moves it tick by tick, in place of a path"),
    },
)
MOVES = ("path", "frames", "mover")

EFFECT = Record("an effect", {**shaping("the key"), "along_chords": Field(Flag(), "straight from key to key")}, Effect)
STYLE = Record(
    "a style",
    {
        "tension": Field(Number(), "the tension of paths that say none"),
        "effects": Field(Named(EFFECT, "effects by name"), "effects of the scene's own"),
    },
    SceneStyle,
)


class SceneActor:
    """An actor with exactly one thing that moves it."""

    def read(self, given: Any, path: str, reading: Reading) -> Actor | Bad:
        """The actor."""
        said = ACTOR.said(given, path, reading)
        if isinstance(said, Bad):
            return BAD
        what = [word for word in MOVES if word in said]
        if len(what) != 1:
            have = " and ".join(what) or "nothing"
            return reading.wrong(path, f"{have.capitalize()} moves it. Give one of path, frames or mover.")
        if what != ["path"]:
            for word in (word for word in MOTION if word in said and word != "path"):
                return reading.wrong(
                    inside(path, word), f"It belongs to a path, but the actor has {what[0]}. Leave it out."
                )
        thing = motion(said, path, reading) if what == ["path"] else said[what[0]]
        if isinstance(thing, Bad):
            return BAD
        rest: dict[str, Any] = {word: said[word] for word in ("parent", "facing", "look") if word in said}
        return Record("an actor", {}, Actor).made(
            {"name": said["name"], "motion_or_mover": thing, **rest}, path, reading
        )

    @property
    def schema(self) -> Schema:
        """An actor with one of the things that move it."""
        return {**ACTOR.schema, "oneOf": [{"required": [word]} for word in MOVES]}


SCENE = Record(
    "a scene",
    {
        "style": Field(STYLE, "what holds for the whole scene"),
        "gravity": Field(Numbers(width=3), "the pull of the ground [m/s²]"),
        "actors": Field(ListOf(SceneActor(), what="actors"), "who plays", needed=True),
    },
    Stage,
)


def read(content: bytes, name: str = "The scene") -> Stage:
    """The stage that a scene file describes; a SceneError tells everything that is wrong with it."""
    reading = Reading()
    stage = _stage(content, reading)
    if isinstance(stage, Bad):
        raise SceneError(tuple(reading.problems), name)
    return stage


def problems_of(content: bytes) -> tuple[Problem, ...]:
    """Everything that is wrong with a scene file; nothing if it can be read."""
    reading = Reading()
    _stage(content, reading)
    return tuple(reading.problems)


def write(stage: Stage) -> Iterator[bytes]:
    """A stage as a scene file, piece by piece. What a file cannot hold is refused before the first piece."""
    return written(scene_object(stage))


def scene_object(stage: Stage) -> dict[str, Any]:
    """A stage as plain values, in the order they are written."""
    made: dict[str, Any] = {"keypose": VERSION}
    if stage.style != SceneStyle():
        made["style"] = _style_object(stage.style)
    if any(stage.gravity):
        made["gravity"] = list(stage.gravity)
    return {**made, "actors": [_actor_object(actor, stage.style) for actor in stage.actors]}


def schema() -> Schema:
    """The scene file as JSON Schema."""
    made = SCENE.schema
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A Keypose scene",
        **made,
        "properties": {"keypose": {"description": "the version of the file", "const": VERSION}, **made["properties"]},
        "required": ["keypose", *made["required"]],
    }


def _stage(content: bytes, reading: Reading) -> Stage | Bad:
    scene = parsed(content, reading)
    current = BAD if isinstance(scene, Bad) else migrated(scene, reading)
    if isinstance(current, Bad):
        return BAD
    style = STYLE.read(current["style"], "style", Reading()) if "style" in current else SceneStyle()
    if isinstance(style, SceneStyle):  # it is read again in its place, where its problems are told
        reading.tension, reading.effects = style.tension, {name: dict(one) for name, one in style.effects.items()}
    said = SCENE.said(current, "", reading)
    _check_names(current, reading)
    if isinstance(said, Bad) or reading.problems:
        return BAD
    stage: Stage | Bad = SCENE.made(said, "actors", reading)
    return stage


def _check_names(scene: dict[str, Any], reading: Reading) -> None:
    """Every name once, and nobody spoken of who is not there; told even where actors could not be read."""
    actors = scene.get("actors")
    given = [one.get("name") if isinstance(one, dict) else None for one in actors] if isinstance(actors, list) else []
    seen: dict[str, int] = {}
    for index, name in enumerate(given):
        if isinstance(name, str) and seen.setdefault(name, index) != index:
            reading.wrong(f"actors[{index}].name", f"Actor {seen[name]} is named {name!r} too. Give each its own name.")
    reading.check_references(list(seen))


def _actor_object(actor: Actor, style: SceneStyle) -> dict[str, Any]:
    whose = f"Actor {actor.name!r}"
    made: dict[str, Any] = {"name": actor.name}
    if actor.parent is not None:
        made["parent"] = actor.parent
    if actor.facing is not None:
        made["facing"] = FACINGS.said(actor.facing, whose)
    if actor.look is not None:
        made["look"] = actor.look if isinstance(actor.look, str) else LOOKS.said(actor.look, whose)
    if actor.motion is not None:
        return {**made, **motion_object(actor.motion, style)}
    return {**made, "mover": MOVERS.said(actor.mover, whose)}


def _style_object(style: SceneStyle) -> dict[str, Any]:
    made: dict[str, Any] = {"tension": style.tension} if style.tension else {}
    effects = {}
    for name, effect in style.effects.items():
        said = {word: value for word, value in effect.items() if word not in ("arrive", "leave") and value}
        effects[name] = {**said, "along_chords": True} if "arrive" in effect else said
    return {**made, "effects": effects} if effects else made
