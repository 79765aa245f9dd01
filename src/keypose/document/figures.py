"""How do figures and connections stand in a scene file? Joints that bring a link each; and who is held to whom.

The places of a figure's joints and links are in its own frame, those of connections in the world, all at the beginning.
"""

from typing import Any

from keypose.document.bodies import BODY, FOLLOW_FIELDS, POSITION, body_object
from keypose.document.fields.field_kinds import AXIS
from keypose.document.motion.keys import QUATERNION
from keypose.document.motion.motions import PathType, path_object
from keypose.document.problems import Invalid, ReadContext
from keypose.document.schema.dataclass_kinds import FieldSpecs, dataclass_kind
from keypose.document.schema.kinds import Kind, Kinds
from keypose.document.schema.lists import ListOf
from keypose.document.schema.records import Field, Record
from keypose.document.schema.value_types import Boolean, Either, Number, Schema, Text, ValueType
from keypose.physics import MAX_STIFFNESS, Ball, Connection, Figure, Hinge, Link, Pin, Reach, Spring
from keypose.stage import SceneStyle

STRENGTH = Number(0.0, MAX_STIFFNESS)
ANGLES = ListOf(Number(-360.0, 360.0), 2, 2, "angles")

_LINK = dataclass_kind(
    "link",
    Link,
    "a link",
    {
        "name": (Text(), "what it is called after the name of its figure and a slash"),
        "position": (POSITION, "where its middle is at rest [m]"),
        "orientation": (QUATERNION, "which way it faces at rest: w, x, y, z"),
    },
)
LINK = Record("a link", {"body": Field(BODY, "what has weight", is_required=True), **_LINK.record.fields}, Link)


def _link_object(link: Link | str) -> Any:
    if isinstance(link, str):
        return link
    values = _LINK.to_object(link)
    return {"name": values.pop("name"), "body": body_object(link.body), **values}


POSITION_SPEC = {"at": (POSITION, "where it is at the beginning [m]")}
AXIS_SPEC = {"axis": (AXIS, "what it turns about")}
JOINT_SPECS: FieldSpecs = {
    "stiffness": (STRENGTH, "how strongly it is drawn back to rest [N m/rad]"),
    "damping": (STRENGTH, "how much it is slowed [N m s/rad]"),
    "strength": (STRENGTH, "how much its muscle can do of what is asked for [N m]"),
}


def _joint_kind(tag: str, kind: type, specs: FieldSpecs) -> Kind:
    """A joint of a figure, which brings a link or closes a ring."""
    base_kind = dataclass_kind(tag, kind, f"a {tag} of a figure", specs)
    end_fields = {
        "link": Field(
            Either("a link, or the name of one", {dict: LINK, str: Text()}),
            "the link it brings, or the name of one that is there before it",
            is_required=True,
        ),
        "to": Field(Text(), "the link it hangs on; without one the root"),
    }
    record = Record(base_kind.record.title, {**end_fields, **base_kind.record.fields}, kind)
    return Kind(
        tag,
        kind,
        record,
        lambda joint: {"link": _link_object(joint.link), **_parent_object(joint), **base_kind.to_object(joint)},
        is_builtin=True,
    )


def _connection_kind(tag: str, kind: type, specs: FieldSpecs) -> Kind:
    """What holds two who are on the stage."""
    base_kind = dataclass_kind(tag, kind, f"a {tag}", specs)
    end_fields = {
        "link": Field(Text("holds"), "whom it holds, as arm/hand", is_required=True),
        "to": Field(Text("holds"), "to whom; without one to the world"),
    }
    record = Record(base_kind.record.title, {**end_fields, **base_kind.record.fields}, kind)
    return Kind(
        tag,
        kind,
        record,
        lambda connection: {"link": connection.link, **_parent_object(connection), **base_kind.to_object(connection)},
        is_builtin=True,
    )


def _parent_object(joint: Any) -> dict[str, str]:
    return {} if joint.to is None else {"to": joint.to}


JOINTS = Kinds(
    "joint",
    _joint_kind(
        "hinge",
        Hinge,
        {**POSITION_SPEC, **AXIS_SPEC, "limits": (ANGLES, "how far it turns from rest [degrees]"), **JOINT_SPECS},
    ),
    _joint_kind(
        "ball",
        Ball,
        {
            **POSITION_SPEC,
            "limit": (Number(above=0.0, maximum=180.0), "how far it turns from rest [degrees]"),
            **JOINT_SPECS,
        },
    ),
    _joint_kind("pin", Pin, {}),
)
_FIGURE = dataclass_kind(
    "figure",
    Figure,
    "a figure",
    {
        "position": (POSITION, "where its root begins [m]"),
        "orientation": (QUATERNION, "which way it faces in the beginning: w, x, y, z"),
        "held": (Boolean(), "whether its root stays there"),
    },
)
FIGURE = Kind(
    "figure",
    Figure,
    Record(
        "a figure",
        {
            "root": Field(BODY, "what everything hangs on", is_required=True),
            "joints": Field(
                ListOf(JOINTS, what="joints"), "what hangs on it, each after what it hangs on", is_required=True
            ),
            **_FIGURE.record.fields,
        },
        Figure,
    ),
    lambda figure: {
        "root": body_object(figure.root),
        "joints": [JOINTS.to_object(joint, "A figure") for joint in figure.joints],
        **_FIGURE.to_object(figure),
    },
    is_builtin=True,
)
_GOAL_TYPE: ValueType = Either("a path, or the name of an actor", {dict: PathType(), str: Text("reaches for")})
_REACH = dataclass_kind(
    "reach",
    Reach,
    "a reach",
    {
        **FOLLOW_FIELDS,
        "help": (STRENGTH, "how strongly it is pulled from outside at most, beside muscles [N]; else as it takes"),
    },
)


def _reach_object(reach: Reach, style: SceneStyle, owner: str) -> dict[str, Any]:
    goal = reach.goal if isinstance(reach.goal, str) else path_object(reach.goal, style, owner)
    return {"link": reach.link, "goal": goal, **_REACH.to_object(reach)}


CONNECTIONS = Kinds(
    "connection",
    _connection_kind("hinge", Hinge, {**POSITION_SPEC, **AXIS_SPEC}),
    _connection_kind("ball", Ball, POSITION_SPEC),
    _connection_kind("pin", Pin, {}),
    _connection_kind(
        "spring",
        Spring,
        {
            "stiffness": (STRENGTH, "how strongly it pulls [N/m]"),
            "damping": (STRENGTH, "how much it is slowed [N s/m]"),
            "length": (Number(0.0, 1e6), "how long it is at rest [m]; as at the beginning if not said"),
            "at": (POSITION, "where it holds the first at the beginning [m]; in its middle if not said"),
            "to_at": (POSITION, "where it holds the other, or the world; in its middle, or where the first is"),
        },
    ),
    Kind(
        "reach",
        Reach,
        Record(
            "a reach",
            {
                "link": Field(Text("leads"), "whom it leads, as arm/hand", is_required=True),
                "goal": Field(_GOAL_TYPE, "the path it leads along, or to whom", is_required=True),
                **_REACH.record.fields,
            },
            Reach,
        ),
        _reach_object,
        is_builtin=True,
        uses_style=True,
    ),
)


class Connections:
    """What holds bodies together; nobody of the cast says it."""

    def __init__(self) -> None:
        self._value_type = ListOf(CONNECTIONS, what="connections")

    def read(self, given: Any, path: str, context: ReadContext) -> list[Connection] | Invalid:
        """All of them."""
        context.current_actor = None
        found: list[Connection] | Invalid = self._value_type.read(given, path, context)
        return found

    def json_schema(self, definitions: Schema) -> Schema:
        """A list of them."""
        return self._value_type.json_schema(definitions)


def connection_object(connection: Connection, style: SceneStyle) -> dict[str, Any]:
    """A connection as plain values."""
    return CONNECTIONS.to_object(connection, f"A {type(connection).__name__.lower()}", style)


def link_names(mover: Any) -> list[str]:
    """The names of the links that a mover in a file brings, as far as it can be read."""
    joints = mover.get("joints") if isinstance(mover, dict) else None
    links = [joint.get("link") for joint in joints if isinstance(joint, dict)] if isinstance(joints, list) else []
    return [link["name"] for link in links if isinstance(link, dict) and isinstance(link.get("name"), str)]
