"""How does whatever is steered by fields stand in a scene file? Where it begins, and a list of what it senses.

What pushes on a stage has a name there, and is sensed by it; what only one object senses may stand where it is sensed.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from keypose.document.fields.field_kinds import FIELDS, FieldType, RootField, field_object
from keypose.document.fields.trackers import FRACTION, TRACKERS
from keypose.document.problems import Invalid, ReadContext
from keypose.document.schema.kinds import Kinds
from keypose.document.schema.lists import ListOf, MapOf, NumberArray
from keypose.document.schema.records import Field, Record
from keypose.document.schema.value_types import Either, Number, OneOf, Schema, Text, text_problem
from keypose.document.text.layout import Rows, plain_numbers
from keypose.errors import KeyposeError, short_repr
from keypose.fields import BASES, CONTINUITIES, INTEGRATORS, DynamicSpline, FieldOrTracker
from keypose.fields import Field as Push
from keypose.maths import MAX_MAGNITUDE, Floats

SENSED_KINDS = Kinds("field", *FIELDS, *TRACKERS)
ANY_FIELD = RootField(FieldType("sensed", SENSED_KINDS))
FIELDS_BY_NAME = MapOf(ANY_FIELD, "fields by name")


class StageFields:
    """What pushes on a stage, by its name; the actors that are read after it know the names."""

    def read(self, given: Any, path: str, context: ReadContext) -> dict[str, Any] | Invalid:
        """All of them by name."""
        context.field_names = tuple(given) if isinstance(given, dict) else None
        return FIELDS_BY_NAME.read(given, path, context)

    def json_schema(self, definitions: Schema) -> Schema:
        """An object with any names."""
        return FIELDS_BY_NAME.json_schema(definitions)


class FieldName:
    """The name of a field of the scene."""

    def read(self, given: Any, path: str, context: ReadContext) -> str | Invalid:
        """The name, if there is a field of that name."""
        name = Text().read(given, path, context)
        if isinstance(name, Invalid) or context.field_names is None or name in context.field_names:
            return name
        suggestion = context.suggestion(name, context.field_names)
        return context.add_problem(path, f"There is no field {short_repr(name)} in the scene.{suggestion}")

    def json_schema(self, definitions: Schema) -> Schema:
        """A text."""
        return Text().json_schema(definitions)


SENSE = Record(
    "a sense",
    {
        "field": Field(
            Either(
                "the name of a field of the scene, or a field in { }",
                {str: FieldName(), dict: ANY_FIELD, list: ANY_FIELD},
            ),
            "the name of a field of the scene, or a field itself",
            is_required=True,
        ),
        "affinity": Field(FRACTION, "how much of it is felt, 0 … 1", is_required=True),
    },
)


class Senses:
    """What is sensed and how much, each once."""

    def read(self, given: Any, path: str, context: ReadContext) -> Mapping[FieldOrTracker | str, float] | Invalid:
        """Affinities by field."""
        entries = ListOf(SENSE, what="senses").read(given, path, context)
        if isinstance(entries, Invalid):
            return entries
        affinities: dict[FieldOrTracker | str, float] = {}
        for index, entry in enumerate(entries):
            if entry["field"] in affinities:
                first = list(affinities).index(entry["field"])
                return context.add_problem(
                    f"{path}[{index}].field", f"It is sensed in {first} too. Remove one of them."
                )
            affinities[entry["field"]] = entry["affinity"]
        return affinities

    def json_schema(self, definitions: Schema) -> Schema:
        """A list of senses."""
        return ListOf(SENSE).json_schema(definitions)


SPLINE = Record(
    "a dynamic spline",
    {
        "position": Field(
            NumberArray((1, 2), (2, 3), "coordinates"),
            "where it begins [m]; a drawing is a list of points",
            is_required=True,
        ),
        "velocity": Field(NumberArray((1, 2), (2, 3)), "how it begins to move [m/s]; of a drawing one, or one a point"),
        "friction": Field(FRACTION, "what is lost per film frame, 0 … 1", default=0),
        "senses": Field(Senses(), "what it senses, and how much"),
        "continuity": Field(OneOf(tuple(CONTINUITIES)), "how its segments meet", default="c1"),
        "beta": Field(Number(-MAX_MAGNITUDE, MAX_MAGNITUDE), 'of continuity "g2"', default=0),
        "integrator": Field(OneOf(tuple(INTEGRATORS)), 'how it steps; "steady" keeps orbits', default="paper"),
        "basis": Field(
            OneOf(tuple(BASES)), 'what its segments are; "linear" is for hard constraints', default="hermite"
        ),
    },
    DynamicSpline,
)


DEFAULTS: Mapping[str, Any] = {
    "friction": 0.0,
    "senses": [],
    "continuity": "c1",
    "beta": 0.0,
    "integrator": "paper",
    "basis": "hermite",
}


def spline_object(mover: DynamicSpline) -> dict[str, Any]:
    """A dynamic spline as plain values: what is unusual about it."""
    result: dict[str, Any] = {"position": _position_rows(mover.position)}
    velocity = mover.velocity
    if velocity.any() or np.signbit(velocity).any():
        first = velocity.reshape(-1, 3)[0]
        is_uniform = velocity.tobytes() == np.broadcast_to(first, velocity.shape).tobytes()
        result["velocity"] = plain_numbers(first) if is_uniform else _position_rows(velocity)
    values = {name: getattr(mover, name) for name in DEFAULTS}
    values["senses"] = senses_object(mover.senses, "A dynamic spline")
    return result | {name: value for name, value in values.items() if repr(value) != repr(DEFAULTS[name])}


def fields_object(fields: Mapping[str, FieldOrTracker]) -> dict[str, Any]:
    """What pushes on a stage, as plain values."""
    for name in fields:
        if problem := text_problem(name):
            raise KeyposeError(f"A field is named {short_repr(name)}, which {problem}")
    return {name: sense_object(field, f"Field {short_repr(name)}") for name, field in fields.items()}


def sense_object(sense: FieldOrTracker, owner: str) -> Any:
    """What can be sensed, as plain values."""
    return field_object(sense, owner) if isinstance(sense, Push) else SENSED_KINDS.to_object(sense, owner)


def senses_object(senses: Mapping[Any, float], owner: str) -> list[dict[str, Any]]:
    """What somebody senses, and how much, as plain values."""
    return [
        {"field": sense if isinstance(sense, str) else sense_object(sense, owner), "affinity": fraction}
        for sense, fraction in senses.items()
    ]


def _position_rows(positions: Floats) -> Any:
    return plain_numbers(positions) if positions.ndim == 1 else Rows(plain_numbers(positions))
