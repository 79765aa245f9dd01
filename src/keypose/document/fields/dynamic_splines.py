"""How does whatever is steered by fields stand in a scene file? Where it begins, and a list of what it senses.

What pushes on a stage has a name there, and is sensed by it; what only one object senses may stand where it is sensed.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from keypose.document.fields.field_kinds import FIELDS, FieldOf, Outermost, field_object
from keypose.document.fields.trackers import SHARE, TRACKERS
from keypose.document.problems import Bad, Reading
from keypose.document.schema.kinds import Kinds
from keypose.document.schema.lists import ListOf, Named, Numbers
from keypose.document.schema.records import Field, Record
from keypose.document.schema.value_types import Either, Number, OneOf, Schema, Text, unwritable
from keypose.document.text.layout import Rows, plain
from keypose.errors import KeyposeError, shown
from keypose.fields.algebra.field import Field as Push
from keypose.fields.splines.dynamic_spline import DynamicSpline, Sensed
from keypose.fields.splines.integrators import BASES, CONTINUITIES, INTEGRATORS
from keypose.maths.arrays import Floats
from keypose.maths.inputs import LARGEST

SENSED = Kinds("field", *FIELDS, *TRACKERS)
ANY_FIELD = Outermost(FieldOf("sensed", SENSED))
FIELDS_BY_NAME = Named(ANY_FIELD, "fields by name")


class StageFields:
    """What pushes on a stage, by its name; the actors that are read after it know the names."""

    def read(self, given: Any, path: str, reading: Reading) -> dict[str, Any] | Bad:
        """All of them by name."""
        reading.fields = tuple(given) if isinstance(given, dict) else None
        return FIELDS_BY_NAME.read(given, path, reading)

    def schema(self, named: Schema) -> Schema:
        """An object with any names."""
        return FIELDS_BY_NAME.schema(named)


class FieldName:
    """The name of a field of the scene."""

    def read(self, given: Any, path: str, reading: Reading) -> str | Bad:
        """The name, if there is a field of that name."""
        name = Text().read(given, path, reading)
        if isinstance(name, Bad) or reading.fields is None or name in reading.fields:
            return name
        suggestion = reading.suggested(name, reading.fields)
        return reading.wrong(path, f"There is no field {shown(name)} in the scene.{suggestion}")

    def schema(self, named: Schema) -> Schema:
        """A text."""
        return Text().schema(named)


SENSE = Record(
    "a sense",
    {
        "field": Field(
            Either(
                "the name of a field of the scene, or a field in { }",
                {str: FieldName(), dict: ANY_FIELD, list: ANY_FIELD},
            ),
            "the name of a field of the scene, or a field itself",
            needed=True,
        ),
        "affinity": Field(SHARE, "how much of it is felt, 0 … 1", needed=True),
    },
)


class Senses:
    """What is sensed and how much, each once."""

    def read(self, given: Any, path: str, reading: Reading) -> Mapping[Sensed | str, float] | Bad:
        """Affinities by field."""
        found = ListOf(SENSE, what="senses").read(given, path, reading)
        if isinstance(found, Bad):
            return found
        made: dict[Sensed | str, float] = {}
        for number, one in enumerate(found):
            if one["field"] in made:
                first = list(made).index(one["field"])
                return reading.wrong(f"{path}[{number}].field", f"It is sensed in {first} too. Remove one of them.")
            made[one["field"]] = one["affinity"]
        return made

    def schema(self, named: Schema) -> Schema:
        """A list of senses."""
        return ListOf(SENSE).schema(named)


SPLINE = Record(
    "a dynamic spline",
    {
        "position": Field(
            Numbers((1, 2), (2, 3), "coordinates"), "where it begins [m]; a drawing is a list of points", needed=True
        ),
        "velocity": Field(Numbers((1, 2), (2, 3)), "how it begins to move [m/s]; of a drawing one, or one a point"),
        "friction": Field(SHARE, "what is lost per film frame, 0 … 1", usual=0),
        "senses": Field(Senses(), "what it senses, and how much"),
        "continuity": Field(OneOf(tuple(CONTINUITIES)), "how its segments meet", usual="c1"),
        "beta": Field(Number(-LARGEST, LARGEST), 'of continuity "g2"', usual=0),
        "integrator": Field(OneOf(tuple(INTEGRATORS)), 'how it steps; "steady" keeps orbits', usual="paper"),
        "basis": Field(OneOf(tuple(BASES)), 'what its segments are; "linear" is for hard constraints', usual="hermite"),
    },
    DynamicSpline,
)


USUAL: Mapping[str, Any] = {
    "friction": 0.0,
    "senses": [],
    "continuity": "c1",
    "beta": 0.0,
    "integrator": "paper",
    "basis": "hermite",
}


def spline_object(mover: DynamicSpline) -> dict[str, Any]:
    """A dynamic spline as plain values: what is unusual about it."""
    made: dict[str, Any] = {"position": _rows(mover.position)}
    velocity = mover.velocity
    if velocity.any() or np.signbit(velocity).any():
        first = velocity.reshape(-1, 3)[0]
        alike = velocity.tobytes() == np.broadcast_to(first, velocity.shape).tobytes()
        made["velocity"] = plain(first) if alike else _rows(velocity)
    said = {word: getattr(mover, word) for word in USUAL}
    said["senses"] = senses_object(mover.senses, "A dynamic spline")
    return made | {word: value for word, value in said.items() if repr(value) != repr(USUAL[word])}


def fields_object(fields: Mapping[str, Sensed]) -> dict[str, Any]:
    """What pushes on a stage, as plain values."""
    for name in fields:
        if problem := unwritable(name):
            raise KeyposeError(f"A field is named {shown(name)}, which {problem}")
    return {name: sensed_object(field, f"Field {shown(name)}") for name, field in fields.items()}


def sensed_object(sensed: Sensed, whose: str) -> Any:
    """What can be sensed, as plain values."""
    return field_object(sensed, whose) if isinstance(sensed, Push) else SENSED.said(sensed, whose)


def senses_object(senses: Mapping[Any, float], whose: str) -> list[dict[str, Any]]:
    """What somebody senses, and how much, as plain values."""
    return [
        {"field": one if isinstance(one, str) else sensed_object(one, whose), "affinity": share}
        for one, share in senses.items()
    ]


def _rows(places: Floats) -> Any:
    return plain(places) if places.ndim == 1 else Rows(plain(places))
