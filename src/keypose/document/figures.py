"""How do figures and connections stand in a scene file? Joints that bring a link each; and who is held to whom.

The places of a figure's joints and links are in its own frame, those of connections in the world, all at the beginning.
"""

from typing import Any

from keypose.document.bodies import BODY, PLACE, RACED, body_object
from keypose.document.fields.field_kinds import AXIS
from keypose.document.motion.keys import QUATERNION
from keypose.document.motion.motions import Path, path_object
from keypose.document.problems import Bad, Reading
from keypose.document.schema.dataclass_kinds import Said, declared
from keypose.document.schema.kinds import Kind, Kinds
from keypose.document.schema.lists import ListOf
from keypose.document.schema.records import Field, Record
from keypose.document.schema.value_types import Either, Flag, Form, Number, Schema, Text
from keypose.physics.values.connections import STIFFEST, Ball, Connection, Hinge, Link, Pin, Reach, Spring
from keypose.physics.values.figure import Figure
from keypose.stage.scene_style import SceneStyle

STRONG = Number(0.0, STIFFEST)
ANGLES = ListOf(Number(-360.0, 360.0), 2, 2, "angles")

_LINK = declared(
    "link",
    Link,
    "a link",
    {
        "name": (Text(), "what it is called after the name of its figure and a slash"),
        "position": (PLACE, "where its middle is at rest [m]"),
        "orientation": (QUATERNION, "which way it faces at rest: w, x, y, z"),
    },
)
LINK = Record("a link", {"body": Field(BODY, "what has weight", needed=True), **_LINK.record.fields}, Link)


def _link_object(link: Link | str) -> Any:
    if isinstance(link, str):
        return link
    said = _LINK.said(link)
    return {"name": said.pop("name"), "body": body_object(link.body), **said}


AT = {"at": (PLACE, "where it is at the beginning [m]")}
ABOUT = {"axis": (AXIS, "what it turns about")}
LOOSE: Said = {
    "stiffness": (STRONG, "how strongly it is drawn back to rest [N m/rad]"),
    "damping": (STRONG, "how much it is slowed [N m s/rad]"),
    "strength": (STRONG, "how much its muscle can do of what is asked for [N m]"),
}


def _joint(word: str, kind: type, said: Said) -> Kind:
    """A joint of a figure, which brings a link or closes a ring."""
    own = declared(word, kind, f"a {word} of a figure", said)
    ends = {
        "link": Field(
            Either("a link, or the name of one", {dict: LINK, str: Text()}),
            "the link it brings, or the name of one that is there before it",
            needed=True,
        ),
        "to": Field(Text(), "the link it hangs on; without one the root"),
    }
    record = Record(own.record.title, {**ends, **own.record.fields}, kind)
    return Kind(
        word, kind, record, lambda one: {"link": _link_object(one.link), **_to(one), **own.said(one)}, ours=True
    )


def _held(word: str, kind: type, said: Said) -> Kind:
    """What holds two who are on the stage."""
    own = declared(word, kind, f"a {word}", said)
    ends = {
        "link": Field(Text("holds"), "whom it holds, as arm/hand", needed=True),
        "to": Field(Text("holds"), "to whom; without one to the world"),
    }
    record = Record(own.record.title, {**ends, **own.record.fields}, kind)
    return Kind(word, kind, record, lambda one: {"link": one.link, **_to(one), **own.said(one)}, ours=True)


def _to(one: Any) -> dict[str, str]:
    return {} if one.to is None else {"to": one.to}


JOINTS = Kinds(
    "joint",
    _joint("hinge", Hinge, {**AT, **ABOUT, "limits": (ANGLES, "how far it turns from rest [degrees]"), **LOOSE}),
    _joint(
        "ball", Ball, {**AT, "limit": (Number(above=0.0, most=180.0), "how far it turns from rest [degrees]"), **LOOSE}
    ),
    _joint("pin", Pin, {}),
)
_FIGURE = declared(
    "figure",
    Figure,
    "a figure",
    {
        "position": (PLACE, "where its root begins [m]"),
        "orientation": (QUATERNION, "which way it faces in the beginning: w, x, y, z"),
        "held": (Flag(), "whether its root stays there"),
    },
)
FIGURE = Kind(
    "figure",
    Figure,
    Record(
        "a figure",
        {
            "root": Field(BODY, "what everything hangs on", needed=True),
            "joints": Field(
                ListOf(JOINTS, what="joints"), "what hangs on it, each after what it hangs on", needed=True
            ),
            **_FIGURE.record.fields,
        },
        Figure,
    ),
    lambda figure: {
        "root": body_object(figure.root),
        "joints": [JOINTS.said(joint, "A figure") for joint in figure.joints],
        **_FIGURE.said(figure),
    },
    ours=True,
)
_GOAL: Form = Either("a path, or the name of an actor", {dict: Path(), str: Text("reaches for")})
_REACH = declared(
    "reach",
    Reach,
    "a reach",
    {**RACED, "help": (STRONG, "how strongly it is pulled from outside at most, beside muscles [N]; else as it takes")},
)


def _reach_object(reach: Reach, style: SceneStyle, whose: str) -> dict[str, Any]:
    goal = reach.goal if isinstance(reach.goal, str) else path_object(reach.goal, style, whose)
    return {"link": reach.link, "goal": goal, **_REACH.said(reach)}


CONNECTIONS = Kinds(
    "connection",
    _held("hinge", Hinge, {**AT, **ABOUT}),
    _held("ball", Ball, AT),
    _held("pin", Pin, {}),
    _held(
        "spring",
        Spring,
        {
            "stiffness": (STRONG, "how strongly it pulls [N/m]"),
            "damping": (STRONG, "how much it is slowed [N s/m]"),
            "length": (Number(0.0, 1e6), "how long it is at rest [m]; as at the beginning if not said"),
            "at": (PLACE, "where it holds the first at the beginning [m]; in its middle if not said"),
            "to_at": (PLACE, "where it holds the other, or the world; in its middle, or where the first is"),
        },
    ),
    Kind(
        "reach",
        Reach,
        Record(
            "a reach",
            {
                "link": Field(Text("leads"), "whom it leads, as arm/hand", needed=True),
                "goal": Field(_GOAL, "the path it leads along, or to whom", needed=True),
                **_REACH.record.fields,
            },
            Reach,
        ),
        _reach_object,
        ours=True,
        styled=True,
    ),
)


class Connections:
    """What holds bodies together; nobody of the cast says it."""

    def __init__(self) -> None:
        self._form = ListOf(CONNECTIONS, what="connections")

    def read(self, given: Any, path: str, reading: Reading) -> list[Connection] | Bad:
        """All of them."""
        reading.speaker = None
        found: list[Connection] | Bad = self._form.read(given, path, reading)
        return found

    def schema(self, named: Schema) -> Schema:
        """A list of them."""
        return self._form.schema(named)


def connection_object(one: Connection, style: SceneStyle) -> dict[str, Any]:
    """A connection as plain values."""
    return CONNECTIONS.said(one, f"A {type(one).__name__.lower()}", style)


def links_in(mover: Any) -> list[str]:
    """The names of the links that a mover in a file brings, as far as it can be read."""
    joints = mover.get("joints") if isinstance(mover, dict) else None
    links = [joint.get("link") for joint in joints if isinstance(joint, dict)] if isinstance(joints, list) else []
    return [link["name"] for link in links if isinstance(link, dict) and isinstance(link.get("name"), str)]
