"""Where is a field in a scene file, how large, how long, and who carries it? What was done to it, one after the other.

`"then"` reads as the methods do in Python: `field.moved((1, 0, 0)).within(3)` is a list of a move and a limit.
"""

from collections.abc import Callable, Sequence
from typing import Any

from keypose.document.motion.keys import QUATERNION
from keypose.document.problems import Invalid, ReadContext
from keypose.document.schema.dataclass_kinds import FieldSpecs, dataclass_kind
from keypose.document.schema.kinds import Kind, Kinds
from keypose.document.schema.lists import ListOf, NumberArray
from keypose.document.schema.value_types import Either, Number, Text, ValueType
from keypose.errors import ErrorPath
from keypose.fields import (
    BoundedField,
    CarriedField,
    Field,
    FieldModifier,
    MovedField,
    PulsingField,
    ScaledField,
    TimedField,
    TurnedField,
    WeightedField,
)
from keypose.maths import MAX_MAGNITUDE

Transform = Callable[[Field], Field]

AMOUNT = Number(-MAX_MAGNITUDE, MAX_MAGNITUDE)
POSITIVE = Number(maximum=MAX_MAGNITUDE, above=0.0)
NON_NEGATIVE = Number(0.0, MAX_MAGNITUDE)
POSITION = NumberArray(widths=(2, 3))
CARRIER_VERB = "is carried by"


class ActorNames:
    """The names of some actors and groups; `verb` says what is told of them."""

    def __init__(self, verb: str) -> None:
        self.verb = verb

    def read(self, given: Any, path: str, context: ReadContext) -> tuple[str, ...] | Invalid:
        """All of them. Who speaks may be among them."""
        current_actor, context.current_actor = context.current_actor, None
        found = ListOf(Text(self.verb, allows_groups=True), 1, None, "names").read(given, path, context)
        context.current_actor = current_actor
        return found if isinstance(found, Invalid) else tuple(found)

    def json_schema(self, definitions: dict[str, Any]) -> dict[str, Any]:
        """A list of texts."""
        return ListOf(Text(), 1).json_schema(definitions)


def _transform_kind(tag: str, kind: type[FieldModifier], title: str, specs: FieldSpecs) -> Kind:
    def build(**values: Any) -> Transform:
        return lambda field: kind(field, **values)

    return dataclass_kind(tag, kind, title, specs, build)


def _build_rotation(turn: Any) -> Transform:
    return lambda field: TurnedField(field, turn)


CARRIER: ValueType = Either(
    'the name of an actor, a group as "flock/*", or a list of names',
    {str: Text(CARRIER_VERB, allows_groups=True), list: ActorNames(CARRIER_VERB)},
)
TRANSFORMS = Kinds(
    "placing of a field",
    _transform_kind(
        "times", WeightedField, "a field some times as strong", {"factor": (AMOUNT, "how many times as strong")}
    ),
    _transform_kind("moved", MovedField, "a move of a field", {"offset": (POSITION, "by how much [m]")}),
    dataclass_kind(
        "turned",
        TurnedField,
        "a turn of a field",
        {"turn": (QUATERNION, "about the origin: w, x, y, z")},
        _build_rotation,
    ),
    _transform_kind(
        "scaled",
        ScaledField,
        "a stretch of a field",
        {
            "factors": (
                Either(
                    "a factor, or one along each axis", {int: AMOUNT, float: AMOUNT, list: NumberArray(widths=(3, 3))}
                ),
                "how many times as large, about the origin, or that along x, y, z; a negative one mirrors",
            )
        },
    ),
    _transform_kind(
        "within",
        BoundedField,
        "a limit of a field",
        {
            "radius": (POSITIVE, "of a ball outside of which it is zero [m]"),
            "size": (NumberArray(widths=(3, 3)), "the sides of a box instead [m]"),
            "center": (POSITION, "the middle of the ball or box [m]"),
            "edge": (NON_NEGATIVE, "how far inside it fades away [m]"),
        },
    ),
    _transform_kind(
        "during",
        TimedField,
        "a time of a field",
        {
            "start": (AMOUNT, "when it begins [s]"),
            "stop": (AMOUNT, "when it ends [s]"),
            "fade": (NON_NEGATIVE, "how long it takes to come and to go [s]"),
        },
    ),
    _transform_kind(
        "pulsing",
        PulsingField,
        "a pulse of a field",
        {
            "period": (POSITIVE, "how long a swing to and fro takes [s]"),
            "start": (AMOUNT, "a moment at which it is whole [s]"),
        },
    ),
    _transform_kind(
        "carried_by",
        CarriedField,
        "a carrier of a field",
        {
            "carrier": (CARRIER, 'the actor it moves and turns with, a group as "flock/*", or a list of names'),
            "speed": (POSITIVE, "at which it travels from there [m/s]; without one it is felt at once"),
        },
    ),
)


def apply_transforms(field: Field, transforms: Sequence[Transform]) -> Field:
    """A field after what was done to it."""
    for index, transform in enumerate(transforms):
        with ErrorPath("then", index):
            field = transform(field)
    return field
