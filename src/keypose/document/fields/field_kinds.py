"""How does a field stand in a scene file? As an object of its kind, and where fields add up, as a list of them.

What was done to a field is in its `then`, first things first. A sum to which something was done is of the kind "sum".
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from keypose.document.fields.transforms import AMOUNT, POSITION, POSITIVE, TRANSFORMS, Transform, apply_transforms
from keypose.document.problems import INVALID, Invalid, ReadContext
from keypose.document.schema.dataclass_kinds import FieldSpecs, dataclass_kind
from keypose.document.schema.kinds import Kind, Kinds
from keypose.document.schema.lists import ListOf, MapOf, NumberArray
from keypose.document.schema.records import Field, Record
from keypose.document.schema.value_types import Either, Integer, Number, OneOf, Schema, Text, describe_value
from keypose.errors import KeyposeError
from keypose.fields import (
    MAX_FALLOFF,
    Attractor,
    FieldModifier,
    Formula,
    FormulaError,
    FormulaField,
    Noise,
    Potential,
    Repeller,
    Slider,
    Spring,
    Sum,
    Uniform,
    Vortex,
    Wall,
)
from keypose.fields import Field as Push

MAX_DEPTH = 64  # fields within fields, and things done to them: each is asked by the one around it

TRANSFORM_FIELD = Field(ListOf(TRANSFORMS, what="placings"), "what is done to it, first things first")
FALLOFF_FIELDS: FieldSpecs = {
    "strength": (AMOUNT, "one metre away [m/s²]"),
    "center": (POSITION, "where it is [m]"),
    "falloff": (Number(0.0, MAX_FALLOFF), "it weakens as 1 / distance to this power"),
    "core": (POSITIVE, "nearer than this it goes to zero [m]"),
}
AXIS = Either('"x", "y", "z" or a vector', {str: OneOf(("x", "y", "z")), list: NumberArray(widths=(3, 3))})
SLIDER = Record(
    "a slider",
    {
        "value": Field(Number(), "where it stands", is_required=True),
        "low": Field(Number(), "the least it can be", is_required=True),
        "high": Field(Number(), "the most it can be", is_required=True),
    },
    Slider,
)
PARAMETER = Either("a number, or a slider", {int: Number(), float: Number(), dict: SLIDER})


class FieldType:
    """A field of one of some kinds, or a list of fields that add up."""

    def __init__(self, name: str, kinds: Kinds) -> None:
        self.name, self.kinds = name, kinds

    def read(self, given: Any, path: str, context: ReadContext) -> Any | Invalid:
        """The field."""
        if isinstance(given, list):
            found = SUMMANDS.read(given, path, context)
            return INVALID if isinstance(found, Invalid) else context.construct(Sum, path, tuple(found))
        if isinstance(given, dict):
            return self.kinds.read(given, path, context)
        return context.add_problem(
            path, f"It is {describe_value(given)}. Give a field in {{ }}, or a list of fields that add up."
        )

    def json_schema(self, definitions: Schema) -> Schema:
        """A reference to any of the kinds, or a list of such."""
        if self.name not in definitions:
            definitions[self.name] = {}  # while it is being made: fields are made of fields
            definitions[self.name] = {"anyOf": [self.kinds.json_schema(definitions), SUMMANDS.json_schema(definitions)]}
        return {"$ref": f"#/$defs/{self.name}"}


@dataclass(frozen=True)
class RootField:
    """A field that is not within another, and not too deep."""

    value_type: FieldType

    def read(self, given: Any, path: str, context: ReadContext) -> Any | Invalid:
        """The field."""
        if _nesting_depth(given, _inner_fields) > MAX_DEPTH:
            return context.add_problem(
                path, f"It has fields within fields, more than {MAX_DEPTH} deep. Make it simpler."
            )
        return self.value_type.read(given, path, context)

    def json_schema(self, definitions: Schema) -> Schema:
        """That of the field."""
        return self.value_type.json_schema(definitions)


def field_object(field: Push, owner: str) -> Any:
    """A field as plain values."""
    if _nesting_depth(field, lambda one: (1, one.parts)) > MAX_DEPTH:
        raise KeyposeError(f"{owner} has fields within fields, more than {MAX_DEPTH} deep. Make it simpler.")
    return _field_object(field, owner)


def _field_object(field: Push, owner: str) -> Any:
    then: list[Any] = []
    while isinstance(field, FieldModifier):
        then.insert(0, TRANSFORMS.to_object(field, owner))
        field = field.field
    if isinstance(field, Sum) and not then:
        return [_field_object(one, owner) for one in field.summands]
    values = FIELDS.to_object(field, owner)
    return {**values, "then": then} if then else values


def _nesting_depth(root: Any, inner_of: Callable[[Any], tuple[int, Sequence[Any]]]) -> int:
    """How deep a thing is, or how deep it is at least if that is too deep."""
    pending, deepest = [(root, 0)], 0
    while pending and deepest <= MAX_DEPTH:
        node, depth = pending.pop()
        levels, inner = inner_of(node)
        deepest = max(deepest, depth + levels)
        pending += [(child, depth + levels) for child in inner]
    return deepest


def _inner_fields(given: Any) -> tuple[int, Sequence[Any]]:
    """How deep a field of a file is by itself, and the fields it is made of."""
    if isinstance(given, list):
        return 1, given
    if not isinstance(given, dict):
        return 0, ()
    then, inner = given.get("then"), given.get("fields")
    return 1 + (len(then) if isinstance(then, list) else 0), inner if isinstance(inner, list) else ()


def _field_kind(tag: str, kind: type[Push], title: str, specs: FieldSpecs) -> Kind:
    def build(then: Sequence[Transform] = (), **values: Any) -> Push:
        return apply_transforms(kind(**values), then)

    return dataclass_kind(tag, kind, title, specs, build, then=TRANSFORM_FIELD)


def _formula_kind(tag: str, kind: type[FormulaField], title: str, doc: str) -> Kind:
    def build(text: str, parameters: Mapping[str, Any] | None = None, then: Sequence[Transform] = ()) -> Push:
        try:
            result = kind(text, **(parameters or {}))
        except FormulaError:
            raise
        except KeyposeError as error:  # what is not about the text is about a parameter
            error.at = ("parameters", *error.at)
            raise
        return apply_transforms(result, then)

    fields = {
        "text": Field(Text(), doc, is_required=True),
        "parameters": Field(MapOf(PARAMETER, "parameters by name"), "numbers and sliders that the text names"),
        "then": TRANSFORM_FIELD,
    }
    return Kind(tag, kind, Record(title, fields, build), _formula_object, is_builtin=True)


def _formula_object(field: FormulaField) -> dict[str, Any]:
    parameters = {name: _parameter_object(value) for name, value in field.parameters.items()}
    return {"text": field.text, "parameters": parameters} if parameters else {"text": field.text}


def _parameter_object(value: float | Slider) -> Any:
    return {"value": value.value, "low": value.low, "high": value.high} if isinstance(value, Slider) else value


def _build_sum(fields: Sequence[Push], then: Sequence[Transform] = ()) -> Push:
    return apply_transforms(Sum(tuple(fields)), then)


class _Summands:
    """The fields of a sum; they are known once the kinds of fields are."""

    def read(self, given: Any, path: str, context: ReadContext) -> list[Any] | Invalid:
        """All of them."""
        return ListOf(FIELD, 2, None, "fields").read(given, path, context)

    def json_schema(self, definitions: Schema) -> Schema:
        """A list of fields."""
        return ListOf(FIELD, 2).json_schema(definitions)


SUMMANDS = _Summands()
FORMULA_DOC = "the acceleration [m/s²], a vector of x y z r t vx vy vz and the parameters"
FIELDS = Kinds(
    "field",
    _field_kind("uniform", Uniform, "a uniform field", {"vector": (POSITION, "the same push everywhere [m/s²]")}),
    _field_kind("attractor", Attractor, "an attractor", FALLOFF_FIELDS),
    _field_kind("repeller", Repeller, "a repeller", FALLOFF_FIELDS),
    _field_kind("vortex", Vortex, "a vortex", {**FALLOFF_FIELDS, "axis": (AXIS, "the direction of its line")}),
    _field_kind(
        "spring",
        Spring,
        "a field of a spring",
        {"stiffness": (AMOUNT, "the pull one metre away [1/s²]"), "center": (POSITION, "where it is [m]")},
    ),
    _field_kind(
        "wall",
        Wall,
        "a wall",
        {
            "point": (POSITION, "a place on it [m]"),
            "normal": (AXIS, "where it pushes"),
            "strength": (AMOUNT, "at the wall [m/s²]"),
            "reach": (POSITIVE, "how far away it is zero [m]"),
        },
    ),
    _field_kind(
        "noise",
        Noise,
        "a noise",
        {
            "strength": (AMOUNT, "its root mean square [m/s²]"),
            "scale": (POSITIVE, "how large its swirls are [m]"),
            "seed": (Integer(), "another number is other air"),
            "speed": (AMOUNT, "how fast it changes [m/s]"),
        },
    ),
    _formula_kind("formula", Formula, "a formula", FORMULA_DOC),
    _formula_kind(
        "potential", Potential, "a potential", "a landscape to roll down [m²/s²], one number of the same words"
    ),
    Kind(
        "sum",
        Sum,
        Record(
            "a sum of fields",
            {"fields": Field(SUMMANDS, "what adds up, two or more", is_required=True), "then": TRANSFORM_FIELD},
            _build_sum,
        ),
        lambda field: {"fields": [_field_object(one, "A sum of fields") for one in field.summands]},
        is_builtin=True,
    ),
)
FIELD = FieldType("field", FIELDS)
