"""How does what has weight stand in a scene file? A body by its shape and what is unusual about it, and what moves it.

A path that is followed is written as that of a motion is. The file of a mesh is kept as it was said, and looked for
from the working folder.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import NoneType
from typing import Any

from keypose.document.fields.dynamic_splines import Senses, senses_object
from keypose.document.fields.field_kinds import AXIS
from keypose.document.fields.trackers import FRACTION
from keypose.document.fields.transforms import AMOUNT, POSITIVE
from keypose.document.motion.keys import QUATERNION
from keypose.document.motion.motions import PathType, path_object
from keypose.document.schema.dataclass_kinds import FieldSpecs, dataclass_kind
from keypose.document.schema.kinds import Kind, Kinds
from keypose.document.schema.lists import ListOf
from keypose.document.schema.records import Field, Record
from keypose.document.schema.value_types import Either, Null, Number, Text
from keypose.physics import (
    DEFAULT_RANGE,
    MAX_COORDINATE,
    MAX_FRICTION,
    MAX_MASS,
    MAX_YOUNGS_MODULUS,
    MIN_MASS,
    MIN_YOUNGS_MODULUS,
    OPTION_RANGES,
    Body,
    Box,
    Capsule,
    Follow,
    Free,
    Mesh,
    Plane,
    Sphere,
    Still,
)
from keypose.physics import MAX_SIZE as LONGEST
from keypose.physics import MIN_SIZE as SHORTEST
from keypose.stage import SceneStyle

EXTENT = Number(SHORTEST, LONGEST)
SIDES = Either("a number, or three", {int: EXTENT, float: EXTENT, list: ListOf(EXTENT, 3, 3, "sides")})
POSITION = ListOf(Number(-MAX_COORDINATE, MAX_COORDINATE), 2, 3, "coordinates")
SECONDS = Number(*DEFAULT_RANGE)
OPTIONAL_SECONDS = Either("a number of seconds, or null for none", {int: SECONDS, float: SECONDS, NoneType: Null()})

SHAPES = Kinds(
    "shape",
    dataclass_kind("sphere", Sphere, "a sphere", {"radius": (EXTENT, "its radius [m]")}),
    dataclass_kind("box", Box, "a box", {"size": (SIDES, "how wide, high and deep it is [m]; one number is a cube")}),
    dataclass_kind(
        "capsule",
        Capsule,
        "a capsule",
        {
            "radius": (EXTENT, "of its cylinder and of the balls at its ends [m]"),
            "length": (EXTENT, "between the middles of those balls, along y [m]"),
        },
    ),
    dataclass_kind(
        "plane",
        Plane,
        "a plane",
        {
            "normal": (AXIS, "where its outside is; all behind it is full"),
            "offset": (AMOUNT, "how far along its normal it is from the origin [m]"),
        },
    ),
    dataclass_kind(
        "mesh",
        Mesh,
        "a mesh",
        {
            "file": (Text(), "an .obj or .stl file, from the working folder; its hull counts"),
            "scale": (POSITIVE, "how many times as large as in the file"),
        },
    ),
)
BODY_KIND = dataclass_kind(
    "body",
    Body,
    "a body",
    {
        "mass": (Number(MIN_MASS, MAX_MASS), "its mass [kg]"),
        "bounce": (FRACTION, "how much of its speed comes back from a wall, 0 … 1"),
        "friction": (Number(0.0, MAX_FRICTION), "how much of the force on a surface holds along it"),
        "stiffness": (
            Number(MIN_YOUNGS_MODULUS, MAX_YOUNGS_MODULUS),
            "how stiff a soft sphere, box or capsule is: its Young's modulus [Pa]; rigid if not said",
        ),
    },
)
BODY = Record("a body", {"shape": Field(SHAPES, "its form", is_required=True), **BODY_KIND.record.fields}, Body)


def body_object(body: Body) -> dict[str, Any]:
    """A body as plain values."""
    return {"shape": SHAPES.to_object(body.shape, "A body"), **BODY_KIND.to_object(body)}


def _body_mover_kind(
    tag: str,
    kind: type,
    title: str,
    specs: FieldSpecs,
    leading_fields: Mapping[str, Field] | None = None,
    *,
    has_senses: bool = True,
) -> Kind:
    """What moves a body: `leading_fields`, the body, what is unusual about it, and, where it can be pushed, what it
    senses.
    """
    base_kind = dataclass_kind(tag, kind, title, specs)
    body = {"body": Field(BODY, "what has weight", is_required=True)}
    sense_field = {"senses": Field(Senses(), "what it senses, and how much")} if has_senses else {}
    record = Record(title, {**(leading_fields or {}), **body, **base_kind.record.fields, **sense_field}, kind)

    def to_object(mover: Follow | Still | Free) -> dict[str, Any]:
        senses = [] if isinstance(mover, Still) else senses_object(mover.senses, title.capitalize())
        return {"body": body_object(mover.body), **base_kind.to_object(mover), **({"senses": senses} if senses else {})}

    return Kind(tag, kind, record, to_object, is_builtin=True)


FOLLOW_FIELDS: FieldSpecs = {
    "within": (Number(*DEFAULT_RANGE), "how far ahead on the path its target keeps [m]"),
    "eagerness": (Number(*OPTION_RANGES["eagerness"]), "which share of the way to its target it covers in a reaction"),
    "damping": (
        Number(*OPTION_RANGES["damping"]),
        "which share of its speed it loses in a reaction; critical if not said",
    ),
    "reaction": (Number(*DEFAULT_RANGE), "how long a reaction takes [s]"),
    "correction": (OPTIONAL_SECONDS, "how soon it makes up for what lasts, as gravity [s]; null does not"),
    "speed": (Number(*DEFAULT_RANGE), "the speed it settles at, in place of an eagerness [m/s]"),
    "turn_within": (Number(*OPTION_RANGES["turn_within"]), "how far ahead its target turns [degrees]"),
}
_FOLLOW = _body_mover_kind(
    "follow",
    Follow,
    "a follower",
    FOLLOW_FIELDS,
    {"path": Field(PathType(), "where it is to go, roughly", is_required=True)},
)


def _follow_object(mover: Follow, style: SceneStyle, owner: str) -> dict[str, Any]:
    return {"path": path_object(mover.path, style, owner), **_FOLLOW.to_object(mover)}


BODY_MOVERS = (
    replace(_FOLLOW, to_object=_follow_object, uses_style=True),
    _body_mover_kind(
        "still",
        Still,
        "a still body",
        {"position": (POSITION, "where it is [m]"), "orientation": (QUATERNION, "which way it faces: w, x, y, z")},
        has_senses=False,
    ),
    _body_mover_kind(
        "free",
        Free,
        "a free body",
        {
            "position": (POSITION, "where it begins [m]"),
            "velocity": (POSITION, "how it begins to move [m/s]"),
            "orientation": (QUATERNION, "which way it faces in the beginning: w, x, y, z"),
            "spin": (POSITION, "how fast it turns about each axis of the world [degrees/s]"),
        },
    ),
)
