"""How does whoever tracks or avoids stand in a scene file? By whom it is about, and what shall stay as it is."""

from collections.abc import Callable
from typing import Any

from keypose.document.fields.transforms import AMOUNT, NON_NEGATIVE, ActorNames
from keypose.document.problems import Invalid, ReadContext
from keypose.document.schema.dataclass_kinds import FieldSpecs, dataclass_kind
from keypose.document.schema.kinds import Kind
from keypose.document.schema.lists import NumberArray
from keypose.document.schema.records import Field, Record
from keypose.document.schema.value_types import Either, Number, Schema, Text, describe_value
from keypose.fields import (
    MIN_AVOID_RANGE,
    Avoid,
    FormulaError,
    Keep,
    KeepDistance,
    KeepOffset,
    KeepOnLine,
    KeepOnPlane,
    Pointer,
)
from keypose.maths import MAX_MAGNITUDE

TRACK_VERB, AVOID_VERB = "tracks", "avoids"
VECTOR = NumberArray(widths=(2, 3))
AVOID_LIMIT = Number(MIN_AVOID_RANGE, MAX_MAGNITUDE)
FRACTION = Number(0.0, 1.0)
METRIC_VALUE = Either("a number, or a vector", {int: AMOUNT, float: AMOUNT, list: VECTOR})
TARGET_DOC = 'the name of an actor, a group as "flock/*", a list of names, a place, or a pointer'


class TargetType:
    """Whom somebody tracks: an actor, some actors, a place that stays, or a pointer."""

    def __init__(self, verb: str) -> None:
        self.verb = verb
        self.pointer = Record(
            "a pointer", {"pointer": Field(Text(verb), "the actor that a hand moves", is_required=True)}
        )

    def read(self, given: Any, path: str, context: ReadContext) -> Any | Invalid:
        """The target."""
        if isinstance(given, str):
            return Text(self.verb, allows_groups=True).read(given, path, context)
        if isinstance(given, dict):
            values = self.pointer.read(given, path, context)
            return values if isinstance(values, Invalid) else Pointer(values["pointer"])
        if not isinstance(given, list):
            return context.add_problem(path, f"It is {describe_value(given)}. Give {TARGET_DOC}.")
        has_names = bool(given) and isinstance(given[0], str)
        return (ActorNames(self.verb) if has_names else VECTOR).read(given, path, context)

    def json_schema(self, definitions: Schema) -> Schema:
        """Any of these."""
        value_types = (Text(), ActorNames(self.verb), VECTOR, self.pointer)
        return {"anyOf": [value_type.json_schema(definitions) for value_type in value_types]}


def _tracker_kind(tag: str, kind: type, title: str, specs: FieldSpecs, build: Callable[..., Any] | None = None) -> Kind:
    gains: FieldSpecs = {
        "response": (FRACTION, "how much it answers to changes of its error, β of PF89"),
        "memory": (FRACTION, "how much it answers to all its errors so far, γ of PF89"),
    }
    return dataclass_kind(tag, kind, title, {"target": (TargetType(TRACK_VERB), TARGET_DOC), **specs, **gains}, build)


def _build_keep(metric: str, **values: Any) -> Keep:
    try:
        return Keep(metric, **values)
    except FormulaError as error:
        error.at = ("metric",)
        raise


TRACKERS = (
    _tracker_kind(
        "keep_offset",
        KeepOffset,
        "a keeping of an offset",
        {"offset": (VECTOR, "where to be as seen from the target [m]; as in the beginning if not said")},
    ),
    _tracker_kind(
        "keep_distance",
        KeepDistance,
        "a keeping of a distance",
        {"distance": (NON_NEGATIVE, "how far from the target [m]; as in the beginning if not said")},
    ),
    _tracker_kind(
        "keep_on_line",
        KeepOnLine,
        "a keeping on a line",
        {"direction": (VECTOR, "of the line through the target")},
    ),
    _tracker_kind(
        "keep_on_plane",
        KeepOnPlane,
        "a keeping on a plane",
        {"normal": (VECTOR, "of the plane through the target")},
    ),
    _tracker_kind(
        "keep",
        Keep,
        "a keeping of a metric",
        {
            "metric": (Text(), "what stays as it is, of x y z vx vy vz, the target's X Y Z VX VY VZ, and t"),
            "value": (
                METRIC_VALUE,
                "what it should be, a number or a vector as the metric is; as in the beginning if not said",
            ),
        },
        _build_keep,
    ),
    dataclass_kind(
        "avoid",
        Avoid,
        "an avoiding",
        {
            "target": (TargetType(AVOID_VERB), TARGET_DOC),
            "distance": (AVOID_LIMIT, "how near is too near [m]"),
            "ahead": (AVOID_LIMIT, "how soon it is too soon [s]"),
            "normal": (VECTOR, "of a whole wall through the target"),
        },
    ),
)
