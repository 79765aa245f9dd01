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
from keypose.document.fields.trackers import SHARE
from keypose.document.fields.transforms import ABOVE_ZERO, AMOUNT
from keypose.document.motion.keys import QUATERNION
from keypose.document.motion.motions import Path, path_object
from keypose.document.schema.dataclass_kinds import Said, declared
from keypose.document.schema.kinds import Kind, Kinds
from keypose.document.schema.lists import ListOf
from keypose.document.schema.records import Field, Record
from keypose.document.schema.value_types import Either, Null, Number, Text
from keypose.physics.values.body import HEAVIEST, LIGHTEST, MOST_FRICTION, SOFTEST, STIFFEST, Body
from keypose.physics.values.movers import FARTHEST, RANGES, USUAL, Follow, Free, Still
from keypose.physics.values.shapes import LARGEST as LONGEST
from keypose.physics.values.shapes import SMALLEST as SHORTEST
from keypose.physics.values.shapes import Box, Capsule, Mesh, Plane, Sphere
from keypose.stage.scene_style import SceneStyle

EXTENT = Number(SHORTEST, LONGEST)
SIDES = Either("a number, or three", {int: EXTENT, float: EXTENT, list: ListOf(EXTENT, 3, 3, "sides")})
PLACE = ListOf(Number(-FARTHEST, FARTHEST), 2, 3, "coordinates")
SECONDS = Number(*USUAL)
UNLESS_OFF = Either("a number of seconds, or null for none", {int: SECONDS, float: SECONDS, NoneType: Null()})

SHAPES = Kinds(
    "shape",
    declared("sphere", Sphere, "a sphere", {"radius": (EXTENT, "its radius [m]")}),
    declared("box", Box, "a box", {"size": (SIDES, "how wide, high and deep it is [m]; one number is a cube")}),
    declared(
        "capsule",
        Capsule,
        "a capsule",
        {
            "radius": (EXTENT, "of its cylinder and of the balls at its ends [m]"),
            "length": (EXTENT, "between the middles of those balls, along y [m]"),
        },
    ),
    declared(
        "plane",
        Plane,
        "a plane",
        {
            "normal": (AXIS, "where its outside is; all behind it is full"),
            "offset": (AMOUNT, "how far along its normal it is from the origin [m]"),
        },
    ),
    declared(
        "mesh",
        Mesh,
        "a mesh",
        {
            "file": (Text(), "an .obj or .stl file, from the working folder; its hull counts"),
            "scale": (ABOVE_ZERO, "how many times as large as in the file"),
        },
    ),
)
WEIGHT = declared(
    "body",
    Body,
    "a body",
    {
        "mass": (Number(LIGHTEST, HEAVIEST), "its mass [kg]"),
        "bounce": (SHARE, "how much of its speed comes back from a wall, 0 … 1"),
        "friction": (Number(0.0, MOST_FRICTION), "how much of the force on a surface holds along it"),
        "stiffness": (
            Number(SOFTEST, STIFFEST),
            "how stiff a soft sphere, box or capsule is: its Young's modulus [Pa]; rigid if not said",
        ),
    },
)
BODY = Record("a body", {"shape": Field(SHAPES, "its form", needed=True), **WEIGHT.record.fields}, Body)


def body_object(body: Body) -> dict[str, Any]:
    """A body as plain values."""
    return {"shape": SHAPES.said(body.shape, "A body"), **WEIGHT.said(body)}


def _weighty(
    word: str, kind: type, title: str, said: Said, first: Mapping[str, Field] | None = None, *, senses: bool = True
) -> Kind:
    """What moves a body: `first`, the body, what is unusual about it, and, where it can be pushed, what it senses."""
    own = declared(word, kind, title, said)
    body = {"body": Field(BODY, "what has weight", needed=True)}
    sensed = {"senses": Field(Senses(), "what it senses, and how much")} if senses else {}
    record = Record(title, {**(first or {}), **body, **own.record.fields, **sensed}, kind)

    def plain(mover: Follow | Still | Free) -> dict[str, Any]:
        found = [] if isinstance(mover, Still) else senses_object(mover.senses, title.capitalize())
        return {"body": body_object(mover.body), **own.said(mover), **({"senses": found} if found else {})}

    return Kind(word, kind, record, plain, ours=True)


RACED: Said = {
    "within": (Number(*USUAL), "how far ahead on the path its target keeps [m]"),
    "eagerness": (Number(*RANGES["eagerness"]), "which share of the way to its target it covers in a reaction"),
    "damping": (
        Number(*RANGES["damping"]),
        "which share of its speed it loses in a reaction; critical if not said",
    ),
    "reaction": (Number(*USUAL), "how long a reaction takes [s]"),
    "correction": (UNLESS_OFF, "how soon it makes up for what lasts, as gravity [s]; null does not"),
    "speed": (Number(*USUAL), "the speed it settles at, in place of an eagerness [m/s]"),
    "turn_within": (Number(*RANGES["turn_within"]), "how far ahead its target turns [degrees]"),
}
_FOLLOW = _weighty(
    "follow",
    Follow,
    "a follower",
    RACED,
    {"path": Field(Path(), "where it is to go, roughly", needed=True)},
)


def _follow_object(mover: Follow, style: SceneStyle, whose: str) -> dict[str, Any]:
    return {"path": path_object(mover.path, style, whose), **_FOLLOW.said(mover)}


WEIGHTY = (
    replace(_FOLLOW, said=_follow_object, styled=True),
    _weighty(
        "still",
        Still,
        "a still body",
        {"position": (PLACE, "where it is [m]"), "orientation": (QUATERNION, "which way it faces: w, x, y, z")},
        senses=False,
    ),
    _weighty(
        "free",
        Free,
        "a free body",
        {
            "position": (PLACE, "where it begins [m]"),
            "velocity": (PLACE, "how it begins to move [m/s]"),
            "orientation": (QUATERNION, "which way it faces in the beginning: w, x, y, z"),
            "spin": (PLACE, "how fast it turns about each axis of the world [degrees/s]"),
        },
    ),
)
