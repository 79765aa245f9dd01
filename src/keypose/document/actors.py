"""How do actors stand in a scene file? A name, who they are to the others, and one thing that moves them."""

from typing import Any

from keypose.document.bodies import BODY, WEIGHTY, body_object
from keypose.document.fields.dynamic_splines import SPLINE, spline_object
from keypose.document.figures import FIGURE
from keypose.document.motion.motions import FRAMES, MOTION, motion, motion_object
from keypose.document.problems import BAD, Bad, Reading, Tie, inside
from keypose.document.schema.kinds import MOVERS, Kind, Kinds
from keypose.document.schema.records import Field, Record
from keypose.document.schema.value_types import Either, Number, Schema, Text, unwritable
from keypose.errors import KeyposeError, shown
from keypose.fields.splines.dynamic_spline import DynamicSpline
from keypose.motion.facing import FaceForward, LookAt
from keypose.stage.actor import Actor, Camera
from keypose.stage.scene_style import SceneStyle

FACINGS = Kinds(
    "facing",
    Kind(
        "forward",
        FaceForward,
        Record("a facing forward", {"bank": Field(Number(), "how much it leans into curves", usual=0)}, FaceForward),
        lambda facing: {"bank": facing.bank} if facing.bank else {},
    ),
    Kind(
        "look_at",
        LookAt,
        Record(
            "a look at somebody",
            {"name": Field(Text("looks at", tie=Tie.LOOKED_AT), "the actor to look at", needed=True)},
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
            {"fov": Field(Number(above=0.0, below=180.0), "its vertical field of view [degrees]", usual=50)},
            Camera,
        ),
        lambda look: {"fov": look.fov},
    ),
)
MOVERS.add(Kind("dynamic-spline", DynamicSpline, SPLINE, spline_object, ours=True))
for weighty in (*WEIGHTY, FIGURE):
    MOVERS.add(weighty)

ACTOR = Record(
    "an actor",
    {
        "name": Field(Text(), "the name by which the others know it", needed=True),
        "parent": Field(Text("stands on", tie=Tie.PARENT), "the actor it stands on"),
        "facing": Field(FACINGS, "which way it looks where its keys do not say"),
        "look": Field(
            Either("a colour in quotes, or a look", {str: Text(), dict: LOOKS}), "what it looks like", example="gold"
        ),
        "body": Field(BODY, "what has weight about it: with one a path or frames push the bodies they meet"),
        **MOTION,
        "frames": Field(FRAMES, "what was recorded, in place of a path"),
        "mover": Field(MOVERS, "what moves it tick by tick, in place of a path"),
    },
)
MOVES = ("path", "frames", "mover")


class SceneActor:
    """An actor with exactly one thing that moves it."""

    def read(self, given: Any, path: str, reading: Reading) -> Actor | Bad:
        """The actor."""
        reading.speaker = given.get("name") if isinstance(given, dict) else None
        said = ACTOR.said(given, path, reading)
        if isinstance(said, Bad):
            return BAD
        what = [word for word in MOVES if word in said]
        if len(what) != 1:
            told = "Both " + " and ".join(what) + " move it" if what else "Nothing moves it"
            return reading.wrong(inside(path, what[-1] if what else "path"), f"{told}. Give one of {', '.join(MOVES)}.")
        for word in (word for word in MOTION if word in said and what != ["path"]):
            text = f"It belongs to a path, but the actor has {what[0]}. Leave it out."
            return reading.wrong(inside(path, word), text)
        thing = motion(said, path, reading) if what == ["path"] else said[what[0]]
        if isinstance(thing, Bad):
            return BAD
        rest = {word: said[word] for word in ("parent", "facing", "look", "body") if word in said}
        made: Actor | Bad = reading.made(Actor, path, said["name"], thing, **rest)
        return made

    def schema(self, named: Schema) -> Schema:
        """An actor with one of the things that move it."""
        ACTOR.schema(named)
        named[ACTOR.name]["oneOf"] = [{"required": [word]} for word in MOVES]
        return ACTOR.reference


def actor_object(actor: Actor, style: SceneStyle) -> dict[str, Any]:
    """An actor as plain values."""
    whose = f"Actor {shown(actor.name)}"
    for text in (actor.name, actor.look):
        if isinstance(text, str) and (problem := unwritable(text)):
            raise KeyposeError(f"{whose} has the text {shown(text)}, which {problem}")
    made: dict[str, Any] = {"name": actor.name}
    if actor.parent is not None:
        made["parent"] = actor.parent
    if actor.facing is not None:
        made["facing"] = FACINGS.said(actor.facing, whose)
    if actor.look is not None:
        made["look"] = actor.look if isinstance(actor.look, str) else LOOKS.said(actor.look, whose)
    if actor.body is not None:
        made["body"] = body_object(actor.body)
    if actor.motion is not None:
        return {**made, **motion_object(actor.motion, style, whose)}
    return {**made, "mover": MOVERS.said(actor.mover, whose, style)}
