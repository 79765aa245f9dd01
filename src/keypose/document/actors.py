"""How do actors stand in a scene file? A name, who they are to the others, and one thing that moves them."""

from typing import Any

from keypose.document.bodies import BODY, BODY_MOVERS, body_object
from keypose.document.fields.dynamic_splines import SPLINE, spline_object
from keypose.document.figures import FIGURE
from keypose.document.motion.motions import MOTION_FIELDS, RECORDING, motion_object, read_motion
from keypose.document.problems import INVALID, Dependency, Invalid, ReadContext
from keypose.document.schema.kinds import MOVERS, Kind, Kinds
from keypose.document.schema.records import Field, Record
from keypose.document.schema.value_types import Either, Number, Schema, Text, text_problem
from keypose.errors import KeyposeError, join_path, short_repr
from keypose.fields import DynamicSpline
from keypose.motion import FaceForward, LookAt
from keypose.stage import Actor, Camera, SceneStyle

FACINGS = Kinds(
    "facing",
    Kind(
        "forward",
        FaceForward,
        Record("a facing forward", {"bank": Field(Number(), "how much it leans into curves", default=0)}, FaceForward),
        lambda facing: {"bank": facing.bank} if facing.bank else {},
    ),
    Kind(
        "look_at",
        LookAt,
        Record(
            "a look at somebody",
            {
                "name": Field(
                    Text("looks at", dependency=Dependency.LOOK_TARGET), "the actor to look at", is_required=True
                )
            },
            LookAt,
        ),
        lambda facing: {"name": facing.name},
    ),
)
LOOKS = Kinds(
    "look",
    Kind(
        "camera",
        Camera,
        Record(
            "a camera",
            {"fov": Field(Number(above=0.0, below=180.0), "its vertical field of view [degrees]", default=50)},
            Camera,
        ),
        lambda look: {"fov": look.fov},
    ),
)
MOVERS.add(Kind("dynamic-spline", DynamicSpline, SPLINE, spline_object, is_builtin=True))
for body_kind in (*BODY_MOVERS, FIGURE):
    MOVERS.add(body_kind)

ACTOR = Record(
    "an actor",
    {
        "name": Field(Text(), "the name by which the others know it", is_required=True),
        "parent": Field(Text("stands on", dependency=Dependency.PARENT), "the actor it stands on"),
        "facing": Field(FACINGS, "which way it looks where its keys do not say"),
        "look": Field(
            Either("a colour in quotes, or a look", {str: Text(), dict: LOOKS}), "what it looks like", example="gold"
        ),
        "body": Field(BODY, "what has weight about it: with one a path or frames push the bodies they meet"),
        **MOTION_FIELDS,
        "frames": Field(RECORDING, "what was recorded, in place of a path"),
        "mover": Field(MOVERS, "what moves it tick by tick, in place of a path"),
    },
)
MOTION_SOURCES = ("path", "frames", "mover")


class SceneActor:
    """An actor with exactly one thing that moves it."""

    def read(self, given: Any, path: str, context: ReadContext) -> Actor | Invalid:
        """The actor."""
        context.current_actor = given.get("name") if isinstance(given, dict) else None
        before = context.count
        values = ACTOR.read_each(given, path, context)
        if isinstance(values, Invalid):
            return INVALID
        sources = [name for name in MOTION_SOURCES if name in values]
        if len(sources) != 1:
            if not sources and context.count > before:  # its field may be the one that has another name
                return INVALID
            message = "Both " + " and ".join(sources) + " move it" if sources else "Nothing moves it"
            return context.add_problem(
                join_path(path, sources[-1] if sources else "path"),
                f"{message}. Give one of {', '.join(MOTION_SOURCES)}.",
            )
        for name in (name for name in MOTION_FIELDS if name in values and sources != ["path"]):
            text = f"It belongs to a path, but the actor has {sources[0]}. Leave it out."
            return context.add_problem(join_path(path, name), text)
        motion_values = [values[name] for name in (*MOTION_FIELDS, *sources) if name in values]
        if any(isinstance(value, Invalid) for value in motion_values):
            return INVALID
        motion_value = read_motion(values, path, context) if sources == ["path"] else values[sources[0]]
        if context.count > before:
            return INVALID
        options = {name: values[name] for name in ("parent", "facing", "look", "body") if name in values}
        result: Actor | Invalid = context.construct(Actor, path, values["name"], motion_value, **options)
        if not isinstance(result, Invalid):
            context.actors[path] = result
        return result

    def json_schema(self, definitions: Schema) -> Schema:
        """An actor with one of the things that move it."""
        ACTOR.json_schema(definitions)
        definitions[ACTOR.name]["oneOf"] = [{"required": [name]} for name in MOTION_SOURCES]
        return ACTOR.reference


def actor_object(actor: Actor, style: SceneStyle) -> dict[str, Any]:
    """An actor as plain values."""
    owner = f"Actor {short_repr(actor.name)}"
    for text in (actor.name, actor.look):
        if isinstance(text, str) and (problem := text_problem(text)):
            raise KeyposeError(f"{owner} has the text {short_repr(text)}, which {problem}")
    fields: dict[str, Any] = {"name": actor.name}
    if actor.parent is not None:
        fields["parent"] = actor.parent
    if actor.facing is not None:
        fields["facing"] = FACINGS.to_object(actor.facing, owner)
    if actor.look is not None:
        fields["look"] = actor.look if isinstance(actor.look, str) else LOOKS.to_object(actor.look, owner)
    if actor.body is not None:
        fields["body"] = body_object(actor.body)
    if actor.motion is not None:
        return {**fields, **motion_object(actor.motion, style, owner)}
    return {**fields, "mover": MOVERS.to_object(actor.mover, owner, style)}
